"""The second trial: Ward's agglomeration of what is new, cut where the known intents fit best."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.metrics import adjusted_rand_score

from benchmarks.methods.density import flagged, nearest_intent
from benchmarks.methods.log import NONE, Answer, Log
from rasa_intent_discovery.clustering.linkage import cut_into, ward_linkage
from rasa_intent_discovery.clustering.neighbors import averaged_with_neighbors
from rasa_intent_discovery.datatypes import UNLABELED

#: The numbers of clusters that the cut is chosen from grow by this factor: finer steps cost time only.
STEP = 1.03


def trial_ward(log: Log, python: Path) -> Answer:
    """One tree of the examples and of what is new, every row averaged with its neighbours among them.

    It is cut where the examples come out best, by the adjusted Rand index.
    """
    new = flagged(log)
    examples = log.labels != UNLABELED
    rows = np.flatnonzero(new | examples)
    groups = np.full(len(new), NONE)
    if new.sum() > 1:
        tree = ward_linkage(averaged_with_neighbors(log.vectors[rows], log.share))
        clusters = _best_cut(tree, log.labels[rows])
        groups[rows] = np.where(new[rows], clusters, NONE)
    return Answer(groups, np.where(new, NONE, nearest_intent(log)))


def _best_cut(tree: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """(n,) int64: the parts of a tree among which the labelled rows agree best with their labels."""
    n, labeled = len(labels), labels != UNLABELED
    numbers = np.unique(np.geomspace(2, n, max(2, round(np.log(n) / np.log(STEP)))).astype(np.int64))
    scores = [adjusted_rand_score(labels[labeled], cut_into(tree, int(k))[labeled]) for k in numbers]
    return cut_into(tree, int(numbers[int(np.argmax(scores))]))
