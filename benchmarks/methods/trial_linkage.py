"""The first trial: average linkage of the messages that are new."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.methods.density import flagged, nearest_intent
from benchmarks.methods.log import NONE, Answer, Log
from rasa_intent_discovery.clustering.linkage import average_linkage, cut_pieces

#: The average cosine distance up to which messages are one group, as in the trial.
DISTANCE = 0.5


def trial_linkage(log: Log, python: Path) -> Answer:
    """Links what is new; every other message has the intent of its nearest example."""
    new = flagged(log)
    groups = np.full(len(new), NONE)
    if new.sum() > 1:
        groups[new] = cut_pieces(average_linkage(log.vectors[new]), DISTANCE)
    return Answer(groups, np.where(new, NONE, nearest_intent(log)))
