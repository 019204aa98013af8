"""Pre-training: the encoder learns from the known intents what an intent is (paper, section 3.2).

`cross_entropy` is the paper: a softmax classifier on the features of the labelled examples, tuned on
held-out ones, then thrown away. `contrastive` reads the unlabelled messages too: two views of every message
(two draws of dropout), labelled examples of one intent pulled together, all else pushed apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import UNLABELED, Array, Progress, no_progress
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.numbers import LEARNING
from rasa_intent_discovery.learning.token_states import TokenStates
from rasa_intent_discovery.learning.trainer import BestEpoch, Trainer


@dataclass(frozen=True)
class PretrainResult:
    """Attributes:
    epochs: how many were run.
    held_out_accuracy: 0..1, of the weights that were kept; None where nothing was held out.
    """

    epochs: int
    held_out_accuracy: float | None


def hold_out(labels: Array, seed: int) -> Array:
    """A tenth of each known intent's examples, at least one where it has five or more.

    Args:
        labels: (n,) int64, `UNLABELED` where there is none.

    Returns:
        (n,) bool.
    """
    rng = np.random.default_rng(seed)
    held = np.zeros(len(labels), dtype=bool)
    for label in np.unique(labels[labels != UNLABELED]):
        rows = np.flatnonzero(labels == label)
        count = max(int(len(rows) >= LEARNING.held_out_from), round(LEARNING.held_out_share * len(rows)))
        held[rng.permutation(rows)[:count]] = True
    return held


def pretrain(
    encoder: Encoder,
    states: TokenStates,
    labels: Array,
    held_out: Array,
    config: DiscoveryConfig,
    progress: Progress = no_progress,
) -> PretrainResult:
    """Trains the encoder's last layers in place.

    Args:
        states: of n texts.
        labels: (n,) int64, `UNLABELED` for a logged message.
        held_out: (n,) bool, labelled rows that only choose the epoch.
        config: `pretraining`, `pretrain_epochs`, `pretrain_patience` and what both stages share.
    """
    targets = np.where(held_out, UNLABELED, labels)
    # The paper learns from the labelled rows alone; contrast needs no label.
    of_paper = config.pretraining == "cross_entropy"
    rows = np.flatnonzero((targets != UNLABELED) if of_paper else ~held_out)
    classes = int(labels.max()) + 1
    trainer = Trainer(encoder, states, rows, targets, classes, config.pretrain_epochs, config)
    choose = config.pretrain_patience > 0 and bool(held_out.any())
    best, epochs = BestEpoch(encoder, config.pretrain_patience), 0
    planned = range(1, config.pretrain_epochs + 1)
    for _ in progress(planned, "learning known intents", config.pretrain_epochs):
        trainer.epoch(targets)
        epochs += 1
        if choose and best.is_over(trainer.accuracy(np.flatnonzero(held_out), labels)):
            break
    best.restore()
    return PretrainResult(epochs, best.score)
