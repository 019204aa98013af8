"""How many new intents a log holds, counted among what looks new. Arrays only.

An estimate that asks the known intents (`k_estimate`) can say that there is nothing new: where they are fine
enough, as many clusters as there are known intents split them as often as they merge them. So where it stops
at a bound of what it looks at, the groups of the messages that no known intent explains are counted.
"""

from __future__ import annotations

import numpy as np

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.grouping import group_rows, learnt_same_intent
from rasa_intent_discovery.clustering.known_intents import KnownIntents
from rasa_intent_discovery.clustering.novelty import novelty
from rasa_intent_discovery.clustering.stability import sample
from rasa_intent_discovery.datatypes import Array


def count_new(pretrained: Array, untrained: Array, labels: Array, seed: int) -> tuple[int, int, int]:
    """The number of new intents, and the fewest and the most that are plausible.

    Args:
        pretrained: (n, h) float32, pretrained features of length 1.
        untrained: (n, h) float32, the untrained view of the same rows, of length 1.
        labels: (n,) int64, known intents, or `UNLABELED`.
    """
    rng = np.random.default_rng(seed)
    new = novelty([pretrained, untrained], labels, seed)
    known = KnownIntents.of(pretrained, untrained, labels)
    same = learnt_same_intent(untrained, labels, known, new.flagged, rng)
    rows = np.flatnonzero(new.flagged)
    some = untrained[rows[sample(len(rows), GROUPING.most_grouped_rows, rng)]]
    groups = group_rows(some, some, GROUPING.piece_untrained, same).groups
    sizes = np.bincount(groups[groups >= 0])
    fewest, likely, most = (int((sizes >= rows).sum()) for rows in GROUPING.counted_rows)
    return likely, fewest, most
