"""Which logged messages no known intent explains. Arrays only.

A message is new where the log is denser around it than the known examples are. That is a ratio of densities,
not a distance: it asks no intent to be as wide as another, and no threshold to fit an encoder. Densities are
compared at the same rank: among so many logged messages so many examples are expected, so that the j-th
nearest example is held against the (j / r)-th nearest message, where r is how many examples there are for
each message. (A density ratio estimated by neighbours, as in Lima et al., "Nearest neighbor density ratio
estimation", 2008, in cosines.)

A log that is smaller than the examples is dense nowhere: of a wish that was logged five times, a message has
its like no nearer than some example. What such a log cannot tell, the many examples can: how far a message is
from the nearest of them, against how far these are from each other. (As the local outlier factor of Breunig
et al., 2000, but a difference of cosines instead of a quotient of densities.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.neighbors import nearest_examples, nearest_neighbors
from rasa_intent_discovery.clustering.stability import sample
from rasa_intent_discovery.datatypes import UNLABELED, Array


@dataclass(frozen=True, eq=False)
class Novelty:
    """How new each of m rows is.

    Attributes:
        score: (m,) float32, above 0 where the log is denser than the examples, in units of the distance from
            a message to the nearest other one; 0 for an example.
        flagged: (m,) bool, the logged rows that no known intent explains.
        typical: the median score of the rows that are clearly above 0; 0 where none is.
    """

    score: Array
    flagged: Array
    typical: float

    def mean_score(self, groups: Array, k: int) -> Array:
        """(k,) the mean score of the rows of groups; 0 for a group without rows.

        Args:
            groups: (m,) int64, 0..k - 1 or below 0 for rows in none.
        """
        rows = groups >= 0
        sizes = np.bincount(groups[rows], minlength=k)
        sums = np.bincount(groups[rows], self.score[rows], minlength=k)
        found: Array = sums / np.maximum(sizes, 1)
        return found


def novelty(
    views: Sequence[Array],
    labels: Array,
    seed: int,
    refused: Array | None = None,
    repeated: Array | None = None,
) -> Novelty:
    """Scores every logged row in each view, and flags those whose mean is clearly above 0.

    How far above depends on the bot: where what is new is dense, a part of its typical score is asked for.
    Of rows that repeat each other, one stands for all in the log: a thousand orders with a number each would
    make it dense anywhere.

    Args:
        views: of the same m rows, each (m, d) float32 with rows of length 1.
        labels: (m,) int64, known intents, or `UNLABELED` for a logged row.
        seed: of the sample that stands for a large log.
        refused: as `Links.refused`; the examples of that intent do not explain that row. None where nothing
            was said.
        repeated: (m,) int64, the same number for rows that repeat each other. None where none does.
    """
    repeated = np.arange(len(labels)) if repeated is None else repeated
    logged, examples = np.flatnonzero(labels == UNLABELED), np.flatnonzero(labels != UNLABELED)
    score = np.zeros(len(labels), dtype=np.float32)
    if len(logged) > 1 and len(examples):
        rng = np.random.default_rng(seed)
        most = min(GROUPING.most_log_rows, GROUPING.most_rows_for_example * len(examples))
        different = np.sort(logged[np.unique(repeated[logged], return_index=True)[1]])
        if len(different) < 2:
            different, repeated = logged, np.arange(len(labels))
        log = different[sample(len(different), max(2, most), rng)]
        barred = np.zeros((0, 2), dtype=np.int64) if refused is None else refused.copy()
        barred[:, 0] = np.searchsorted(logged, barred[:, 0])
        score[logged] = np.mean([_scores(view, labels, log, repeated, barred) for view in views], axis=0)
    positive = score[score > GROUPING.least_novelty]
    typical = float(np.median(positive)) if len(positive) else 0.0
    least = max(GROUPING.least_novelty, GROUPING.least_of_typical * typical)
    return Novelty(score, score > least, typical)


def _scores(view: Array, labels: Array, log: Array, repeated: Array, barred: Array) -> Array:
    """(n,) of the logged rows, held against a log that they may be part of, smoothed over neighbours.

    What is apart from all examples counts more, the more examples there are for each message.

    Args:
        log: (l,) int64, some of the logged rows, none of which repeats another.
        repeated: as of `novelty`.
        barred: (r, 2) int64, which of the n is not of a known intent, and of which.
    """
    logged, examples = np.flatnonzero(labels == UNLABELED), np.flatnonzero(labels != UNLABELED)
    standing = np.full(int(repeated.max()) + 1, -1)
    standing[repeated[log]] = np.arange(len(log))
    itself = standing[repeated]
    ranks = np.arange(1, min(GROUPING.novelty_ranks, len(examples)) + 1)
    ratio = len(examples) / len(log)
    matched = np.clip(np.rint(ranks / ratio).astype(np.int64), 1, len(log) - 1)
    smoothing = min(GROUPING.novelty_neighbors, max(1, len(log) // GROUPING.rows_for_neighbor))
    count = min(max(int(matched[-1]), smoothing), len(log) - 1)
    to_examples, nearest = nearest_examples(
        view[logged], view[examples], labels[examples], len(ranks), None, barred
    )
    to_log, rows = nearest_neighbors(view[logged], view[log], count, itself[logged])
    unit = max(1.0 - float(np.median(to_log[:, 0])), 1e-6)
    own = (to_log[:, matched - 1] - to_examples).mean(1) / unit
    # The rows of the log are scored, too: their places among the rows that are scored.
    place = np.searchsorted(logged, log)
    around = own[place[rows[:, :smoothing]]].mean(1)
    share = GROUPING.novelty_smoothing
    smoothed: Array = (1.0 - share) * own + share * around
    if len(examples) > len(logged):
        weight = GROUPING.novelty_apart * (1.0 - len(logged) / len(examples))
        smoothed += weight * _apart(view[examples], nearest, to_examples) / unit
    return smoothed


def _apart(examples: Array, nearest: Array, cosines: Array) -> Array:
    """(m,) how much farther m rows are from their nearest examples than these are from their own nearest.

    People write otherwise than whoever wrote the examples: how much farther all but a few of the rows are
    than that is no news, and taken off.

    Args:
        examples: (n, d), two at least.
        nearest: (m, r) int64, the nearest examples of each row; cosines: (m, r), to these.
    """
    held, places = np.unique(nearest, return_inverse=True)
    count = min(nearest.shape[1], len(examples) - 1)
    among, _ = nearest_neighbors(examples[held], examples, count, held)
    found: Array = (among.mean(1)[places.reshape(nearest.shape)] - cosines).mean(1)
    found -= max(0.0, float(np.quantile(found, GROUPING.surely_known)))
    return found
