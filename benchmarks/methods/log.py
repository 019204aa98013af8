"""What a method of comparison is given, what it answers, and how its answer becomes placements.

All methods see the same: the vectors of the encoder before any training, of the messages that a run would
cluster and of the examples, and which examples belong to which known intent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW, UNLABELED

#: The number of a row that is in no group, or of no known intent.
NONE = -1

#: A group belongs to known intents if examples have at least this part of the share in it that they have of
#: all rows: it lies halfway between a group of what is known, where they have as large a share or a larger
#: one, and a group of what is new, which holds none. By hand.
EXPECTED = 0.5


@dataclass(frozen=True, eq=False)
class Log:
    """Logged messages and examples of known intents, m distinct texts.

    Attributes:
        texts: m.
        vectors: (m, d) float32, pretrained features, of length 1.
        labels: (m,) int64, the known intent of an example, or `UNLABELED`.
        counts: (m,) int64, how often each was logged.
        rejecting: (j,) bool, the known intents that stand for what is out of scope.
        least: messages of a proposal, as `min_messages` of a run.
        share: 0..1, weight of its neighbours in an averaged row, as `neighbor_share` of a run.
        seed: of what is random.
    """

    texts: tuple[str, ...]
    vectors: np.ndarray
    labels: np.ndarray
    counts: np.ndarray
    rejecting: np.ndarray
    least: int
    share: float
    seed: int


@dataclass(frozen=True, eq=False)
class Answer:
    """What a method says of the m rows of a log.

    Attributes:
        groups: (m,) int64, a group of new messages, or `NONE`.
        known: (m,) int64, the known intent of a row that is in no group, or `NONE`: it is left over.
        clusters: (m,) int64, the clusters that the groups were made of, below 0 for a row in none; None if
            there are none over all rows.
    """

    groups: np.ndarray
    known: np.ndarray
    clusters: np.ndarray | None = None


#: A method; the path is that of a Python that has what is not installed here.
Method = Callable[[Log, Path], Answer]


def told_by_examples(clusters: np.ndarray, log: Log) -> Answer:
    """What clusters of logged messages and examples together say: which are known intents, which are new.

    A cluster in which examples have at least `EXPECTED` of their share of all rows belongs to the known
    intent that most of them have; every other one is a group of new messages. What is in no cluster is left
    over.

    Args:
        clusters: (m,) int64, below 0 for a row in none.
    """
    examples = log.labels != UNLABELED
    groups, known = np.full(len(clusters), NONE), np.full(len(clusters), NONE)
    for cluster in np.unique(clusters[clusters >= 0]):
        inside = clusters == cluster
        if examples[inside].mean() < EXPECTED * examples.mean():
            groups[inside] = cluster
        else:
            known[inside] = np.bincount(log.labels[inside & examples]).argmax()
    return Answer(groups, known, clusters)


def placements(answer: Answer, log: Log) -> list[tuple[str, int]]:
    """The placement of each row, and the number of its group or of its known intent.

    A group of at least `log.least` messages is a proposal, the rows of a smaller one are left over, and so
    are those that go to an intent of what is out of scope. An example stays what it is.
    """
    inside = answer.groups >= 0
    messages = np.bincount(answer.groups[inside], log.counts[inside], minlength=1)
    found = []
    for row, (group, known) in enumerate(zip(answer.groups.tolist(), answer.known.tolist(), strict=True)):
        label = int(log.labels[row])
        if label != UNLABELED:
            found.append((KNOWN, label))
        elif group >= 0:
            found.append((NEW, group) if messages[group] >= log.least else (LEFT_OVER, NONE))
        elif known < 0 or log.rejecting[known]:
            found.append((LEFT_OVER, NONE))
        else:
            found.append((KNOWN, known))
    return found
