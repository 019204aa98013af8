"""What both trials begin with: which messages are new, by the densities of the log and of the examples."""

from __future__ import annotations

import numpy as np

from benchmarks.methods.log import Log
from rasa_intent_discovery.clustering.neighbors import nearest_neighbors
from rasa_intent_discovery.datatypes import UNLABELED

#: As in the trials: ranks that are compared, neighbours whose scores are averaged and their weight, and the
#: score below which a message is new.
RANKS, NEIGHBORS, SMOOTHING, BELOW = 3, 10, 2.0 / 3.0, -0.05


def flagged(log: Log) -> np.ndarray:
    """(m,) bool: the logged messages that are new.

    The score is the mean over j = 1..3 of the cosine to the j-th nearest example less that to the (j / r)-th
    nearest logged message, r examples for each message; a third its own, the rest the mean of its neighbours.
    """
    logged, examples = np.flatnonzero(log.labels == UNLABELED), np.flatnonzero(log.labels != UNLABELED)
    messages = log.vectors[logged]
    ranks = np.arange(1, min(RANKS, len(examples)) + 1)
    matched = np.clip(np.rint(ranks * len(logged) / len(examples)).astype(np.int64), 1, len(logged) - 1)
    count = min(max(int(matched[-1]), NEIGHBORS), len(logged) - 1)
    to_log, neighbors = nearest_neighbors(messages, messages, count, np.arange(len(logged)))
    to_examples, _ = nearest_neighbors(messages, log.vectors[examples], len(ranks))
    own = (to_examples - to_log[:, matched - 1]).mean(1)
    smoothed = (1.0 - SMOOTHING) * own + SMOOTHING * own[neighbors[:, :NEIGHBORS]].mean(1)
    found = np.zeros(len(log.labels), dtype=bool)
    found[logged[smoothed < BELOW]] = True
    return found


def nearest_intent(log: Log) -> np.ndarray:
    """(m,) int64: the known intent of the example that is nearest to each row."""
    examples = np.flatnonzero(log.labels != UNLABELED)
    _, rows = nearest_neighbors(log.vectors, log.vectors[examples], 1)
    found: np.ndarray = log.labels[examples[rows[:, 0]]]
    return found
