"""Pre-training: the encoder learns from the known intents what an intent is (paper, section 3.2).

`cross_entropy` is the paper: a softmax classifier on the features of the labelled examples, tuned on
held-out ones, then thrown away. `contrastive` reads the unlabelled messages too: two views of every message
(two draws of dropout), labelled examples of one intent pulled together, all else pushed apart.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import UNLABELED, Progress, no_progress
from rasa_intent_discovery.learning.encoder import Encoder, initialized_linear
from rasa_intent_discovery.learning.losses import cross_entropy_on_labeled, supervised_contrastive
from rasa_intent_discovery.learning.optimizer import BertAdam
from rasa_intent_discovery.learning.token_states import TokenStates

logger = logging.getLogger(__name__)

_DROPOUT = 0.1
_HELD_OUT_SHARE = 0.1


@dataclass(frozen=True)
class PretrainResult:
    """Attributes:
    epochs: how many were run.
    held_out_accuracy: 0..1, of the weights that were kept; None where nothing was held out.
    """

    epochs: int
    held_out_accuracy: float | None


def hold_out(labels: np.ndarray, seed: int) -> np.ndarray:
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
        count = max(int(len(rows) >= 5), round(_HELD_OUT_SHARE * len(rows)))
        held[rng.permutation(rows)[:count]] = True
    return held


def pretrain(
    encoder: Encoder,
    states: TokenStates,
    labels: np.ndarray,
    held_out: np.ndarray,
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
    train_labels = np.where(held_out, UNLABELED, labels)
    # The paper learns from the labelled rows alone; contrast needs no label.
    of_paper = config.pretraining == "cross_entropy"
    rows = np.flatnonzero((train_labels != UNLABELED) if of_paper else ~held_out)
    classifier = initialized_linear(encoder.width, int(labels.max()) + 1, config.seed).to(encoder.device)
    batches = Batches(rows, train_labels, config)
    optimizer = BertAdam([encoder, classifier], config.learning_rate, len(batches) * config.pretrain_epochs)
    choose = config.pretrain_patience > 0 and bool(held_out.any())
    best, best_accuracy, waited, epochs = None, -1.0, 0, 0
    for _ in progress(range(1, config.pretrain_epochs + 1), "learning known intents", config.pretrain_epochs):
        epochs += 1
        for batch in batches:
            loss = _loss(encoder, classifier, states, batch, train_labels, config)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
        if choose:
            accuracy = _accuracy(encoder, classifier, states, labels, held_out)
            waited = 0 if accuracy > best_accuracy else waited + 1
            if waited == 0:
                best, best_accuracy = encoder.trained_state(), accuracy
            elif waited >= config.pretrain_patience:
                break
    if best is not None:
        encoder.restore(best)
    return PretrainResult(epochs, best_accuracy if choose else None)


class Batches:
    """The batches of an epoch, other ones each time it is iterated.

    With `labeled_share` that part of each batch are labelled rows: a log may hold a thousand messages for
    every example, and what an intent is would be learnt too slowly from batches without any two of one
    intent. An epoch is one pass over the other rows, or `epoch_steps` batches where that is less; the next
    one then goes on with the rows that are left.
    """

    def __init__(self, rows: np.ndarray, labels: np.ndarray, config: DiscoveryConfig) -> None:
        """Args:
        rows: the rows to learn from.
        labels: (n,) int64 of all rows, `UNLABELED` where there is none.
        config: `batch_size`, `epoch_steps`, `labeled_share`, `seed`.
        """
        self._generator = torch.Generator().manual_seed(config.seed)
        parts = [(rows, config.batch_size)]
        known = labels[rows] != UNLABELED
        labeled = round(config.batch_size * config.labeled_share)
        if labeled and known.any() and not known.all():
            parts = [(rows[~known], config.batch_size - labeled), (rows[known], labeled)]
        one_pass = -(-len(parts[0][0]) // parts[0][1])
        self._steps = min(one_pass, config.epoch_steps or one_pass)
        self._streams = [self._endless(part, size) for part, size in parts]

    def __len__(self) -> int:
        return self._steps

    def __iter__(self) -> Iterator[torch.Tensor]:
        """(b,) int64, rows of each batch."""
        for _ in range(self._steps):
            yield torch.cat([next(stream) for stream in self._streams])

    def _shuffled(self, rows: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(rows)[torch.randperm(len(rows), generator=self._generator)]

    def _endless(self, rows: np.ndarray, size: int) -> Iterator[torch.Tensor]:
        """As many of the rows at a time, the last ones of a pass fewer; all before any comes again."""
        while True:
            yield from self._shuffled(rows).split(size)


def views_loss(
    encoder: Encoder,
    classifier: nn.Linear,
    states: TokenStates,
    batch: torch.Tensor,
    contrast_labels: torch.Tensor,
    class_labels: torch.Tensor,
    config: DiscoveryConfig,
) -> torch.Tensor:
    """Contrast of two dropout views of every message plus cross-entropy of both views.

    Args:
        batch: (b,) int64, rows of `states`.
        contrast_labels: (b,) int64, equal ones attract.
        class_labels: (b,) int64, classes of `classifier`; `UNLABELED` rows have no cross-entropy.
    """
    encoder.train()
    views = encoder(states, torch.cat([batch, batch]))
    contrast = supervised_contrastive(views, contrast_labels.to(encoder.device), config.temperature)
    logits = classifier(nn.functional.dropout(views, _DROPOUT))
    return contrast + cross_entropy_on_labeled(
        logits, torch.cat([class_labels, class_labels]).to(encoder.device)
    )


def softmax_loss(
    encoder: Encoder, classifier: nn.Linear, states: TokenStates, batch: torch.Tensor, labels: torch.Tensor
) -> torch.Tensor:
    """The paper's loss: softmax cross-entropy on the features, dropout before the classifier."""
    encoder.train()
    logits = classifier(nn.functional.dropout(encoder(states, batch), _DROPOUT))
    return cross_entropy_on_labeled(logits, labels.to(encoder.device))


def _loss(
    encoder: Encoder,
    classifier: nn.Linear,
    states: TokenStates,
    batch: torch.Tensor,
    labels: np.ndarray,
    config: DiscoveryConfig,
) -> torch.Tensor:
    batch_labels = torch.from_numpy(labels)[batch]
    if config.pretraining == "cross_entropy":
        return softmax_loss(encoder, classifier, states, batch, batch_labels)
    return views_loss(encoder, classifier, states, batch, batch_labels, batch_labels, config)


@torch.no_grad()
def _accuracy(
    encoder: Encoder, classifier: nn.Linear, states: TokenStates, labels: np.ndarray, held_out: np.ndarray
) -> float:
    encoder.eval()
    rows = np.flatnonzero(held_out)
    right = 0
    for part in torch.from_numpy(rows).split(512):
        predicted = classifier(encoder(states, part)).argmax(1).cpu().numpy()
        right += int((predicted == labels[part.numpy()]).sum())
    return right / len(rows)
