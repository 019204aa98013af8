"""Pre-training: trains the encoder on the known intents (paper, section 3.2).

`cross_entropy` is the paper's: a softmax classifier on the features of the labelled examples. The epoch is
chosen on held-out examples, and the classifier is discarded afterwards. `contrastive` also uses the
unlabelled messages: it holds what the encoder makes of a message, with dropout, against what it made of this
and other ones when it saw them last; views of one message and examples of one intent are pulled together, and
all others pushed apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import UNLABELED, Array, Progress
from rasa_intent_discovery.learning.checkpoints import NO_CHECKPOINT, Checkpoint
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.numbers import LEARNING
from rasa_intent_discovery.learning.processes import ALONE, Processes
from rasa_intent_discovery.learning.token_states import TokenStates
from rasa_intent_discovery.learning.trainer import BestEpoch, Trainer


@dataclass(frozen=True)
class PretrainResult:
    """Attributes:
    epochs: number of epochs run.
    held_out_accuracy: 0..1, of the epoch that was kept; None if no epoch was chosen on held-out examples.
    """

    epochs: int
    held_out_accuracy: float | None


def hold_out(labels: Array, seed: int) -> Array:
    """Selects a tenth of each known intent's examples at random, at least one if it has five or more.

    Args:
        labels: (n,) int64, `UNLABELED` where there is none.

    Returns:
        (n,) bool, the held-out rows.
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
    progress: Progress,
    checkpoint: Checkpoint = NO_CHECKPOINT,
    processes: Processes = ALONE,
) -> PretrainResult:
    """Trains the encoder's last layers in place, from the epoch on that the checkpoint is of.

    Args:
        states: of n texts.
        labels: (n,) int64, `UNLABELED` for a logged message.
        held_out: (n,) bool, labelled rows that are only used to choose the epoch.
        config: `pretraining`, `pretrain_epochs`, `pretrain_patience` and the settings of `Trainer`.
        checkpoint: of the first process; those of the others are not used.
        processes: that train together.
    """
    targets = np.where(held_out, UNLABELED, labels)
    # The paper trains on labelled rows only; the contrastive loss needs no labels.
    of_paper = config.pretraining == "cross_entropy"
    rows = np.flatnonzero((targets != UNLABELED) if of_paper else ~held_out)
    classes = int(labels.max()) + 1
    epochs_planned = config.pretrain_epochs
    features = encoder.put_on_top(states.pooled).detach()
    trainer = Trainer(
        encoder, states, rows, targets, classes, epochs_planned, config, features, "pretrain", processes
    )
    choose = config.pretrain_patience > 0 and bool(held_out.any())
    best, epochs, is_over = BestEpoch(encoder, config.pretrain_patience), 0, False
    if (kept := processes.shared(checkpoint.load)) is not None:
        trainer.resume(kept["trainer"])
        best.resume(kept["best"])
        epochs, is_over = kept["epochs"], kept["is_over"]
    planned = range(epochs, epochs if is_over else epochs_planned)
    for _ in progress(planned, "learning known intents", len(planned)):
        trainer.epoch(targets)
        epochs += 1
        if choose:
            accuracy = processes.shared(lambda: trainer.accuracy(np.flatnonzero(held_out), labels))
            is_over = best.is_over(accuracy)
        done = {"trainer": trainer.checkpoint(), "best": best.checkpoint()}
        checkpoint.save({**done, "epochs": epochs, "is_over": is_over})
        if is_over:
            break
    best.restore()
    return PretrainResult(epochs, best.score)
