"""Trains an epoch and keeps the best one, for both training stages (paper, sections 3.2 and 3.3).

The stages decide which text has which label.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import nn

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import UNLABELED, Array
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.learning.device_memory import Halving
from rasa_intent_discovery.learning.encoder import Encoder, initialized_linear
from rasa_intent_discovery.learning.losses import cross_entropy_on_labeled, supervised_contrastive
from rasa_intent_discovery.learning.memory_bank import MemoryBank
from rasa_intent_discovery.learning.numbers import LEARNING
from rasa_intent_discovery.learning.optimizer import BertAdam
from rasa_intent_discovery.learning.processes import Processes
from rasa_intent_discovery.learning.step import Step
from rasa_intent_discovery.learning.token_states import TokenStates

_ROWS_AT_A_TIME = 512
# What dropout before the classifier draws follows from this beside the step: in each process the same.
_CLASSIFIER = "classifier"


class Trainer:
    """The trained layers and a softmax classifier on their features, trained in place epoch by epoch."""

    def __init__(
        self,
        encoder: Encoder,
        states: TokenStates,
        rows: Array,
        labels: Array,
        classes: int,
        epochs: int,
        config: DiscoveryConfig,
        features: torch.Tensor,
        stage: str,
        processes: Processes,
    ) -> None:
        """
        Args:
            states: of n texts.
            rows: (m,) int64, indices of the texts to train on.
            labels: (n,) int64, `UNLABELED` for texts without a label; labelled rows get `labeled_share` of
                each batch.
            classes: number of classes of the classifier.
            epochs: most epochs to train; the learning rate reaches 0 at their end.
            config: `pretraining`, `learning_rate`, `batch_size`, `epoch_steps`, `labeled_share`,
                `temperature`, `seed`.
            features: (n, d) float32, of the encoder as it is now.
            stage: whose random numbers are drawn, which are those of no other one.
            processes: that share each batch; all of them train, and end with the same weights.
        """
        self._encoder, self._states, self._config = encoder, states, config
        self._stage, self._processes = stage, processes
        self._classifier = initialized_linear(encoder.width, classes, config.seed).to(encoder.device)
        self._memory: MemoryBank | None = None
        if config.pretraining == "contrastive":
            self._memory = MemoryBank(features, labels, config.seed)
        self._fitting = Halving()
        self._batches, self._epochs = Batches(rows, labels, config), 0
        steps = len(self._batches) * epochs
        self._optimizer = BertAdam([encoder, self._classifier], config.learning_rate, steps)

    def epoch(self, targets: Array) -> None:
        """Trains on every batch of an epoch once.

        Args:
            targets: (n,) int64, the class of each text, or `UNLABELED`.
        """
        self._encoder.train()
        classes = torch.from_numpy(targets)
        done = self._epochs * len(self._batches)
        with self._processes.dividing():
            for number, batch in enumerate(self._batches, done):
                self._gradients(number, batch, classes)
                self._optimizer.step()
        self._epochs += 1

    def _gradients(self, number: int, batch: torch.Tensor, classes: torch.Tensor) -> None:
        """Those of one batch, in as many parts as the memory of the device needs.

        Raises:
            ConfigError: the memory of one of several processes is too small: the others would wait for it
                while it tries again.
        """
        seen: list[tuple[torch.Tensor, torch.Tensor]] = []

        def compute(parts: Sequence[torch.Tensor]) -> None:
            self._optimizer.zero_grad(set_to_none=True)
            seen.clear()
            for at, part in enumerate(parts):
                step = Step(self._encoder.device, self._key(number, len(parts), at), self._processes)
                loss, features = self._loss(part, classes, step)
                (loss / len(parts)).backward()
                seen.append((part, features.detach()))

        if self._processes.count == 1:
            self._fitting(batch, compute)
        else:
            self._computed_together(batch, compute)
        # Not before: where the memory of the device is too small, a batch is computed again.
        if self._memory is not None:
            for part, features in seen:
                self._memory.remember(part, features)

    def _computed_together(
        self, batch: torch.Tensor, compute: Callable[[Sequence[torch.Tensor]], None]
    ) -> None:
        try:
            compute([batch])
            self._processes.average_gradients(self._optimizer.parameters())
        except torch.cuda.OutOfMemoryError as error:
            raise ConfigError(
                f"batch_size: the memory of a GPU is too small for its share of {len(batch)} messages among "
                f"{self._processes.count} processes; set batch_size to {max(2, len(batch) // 2)} or less"
            ) from error

    def _key(self, step: int, parts: int, part: int) -> tuple[int | str, ...]:
        return (self._config.seed, self._stage, step, parts, part)

    def _loss(
        self, batch: torch.Tensor, classes: torch.Tensor, step: Step
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The loss of a batch, and its features."""
        device = self._encoder.device
        asked = (self._encoder, self._classifier, self._states, batch, classes[batch].to(device))
        if self._memory is None:
            return softmax_loss(*asked, step)
        rows = self._memory.beside(batch)
        memory, labels = self._memory.features[rows.to(device)], classes[rows].to(device)
        return memory_loss(*asked, memory, labels, self._config.temperature, step)

    @torch.no_grad()
    def accuracy(self, rows: Array, labels: Array) -> float:
        """The classifier's accuracy on some texts, 0..1.

        Args:
            rows: (m,) int64, indices of the texts.
            labels: (n,) int64, of all texts.
        """
        self._encoder.eval()
        right = 0
        for part in torch.from_numpy(rows).split(_ROWS_AT_A_TIME):
            predicted = self._classifier(self._encoder(self._states, part)).argmax(1).cpu().numpy()
            right += int((predicted == labels[part.numpy()]).sum())
        return right / len(rows)

    def start_anew(self, seed: int) -> None:
        """Reinitialises the classifier."""
        fresh = initialized_linear(self._encoder.width, self._classifier.out_features, seed)
        self._classifier.load_state_dict(fresh.state_dict())

    def checkpoint(self) -> dict[str, Any]:
        """All that the next epoch depends on, as `resume` takes it."""
        return {
            "epochs": self._epochs,
            "encoder": self._encoder.trained_state(),
            "classifier": self._classifier.state_dict(),
            "optimizer": self._optimizer.checkpoint(),
            "memory": [] if self._memory is None else [self._memory.features],
        }

    def resume(self, kept: dict[str, Any]) -> None:
        """Goes on from where `checkpoint` was called, by a trainer that was made alike and is untrained."""
        self._epochs = kept["epochs"]
        for _ in range(self._epochs):  # The batches follow from how many were drawn before.
            for _ in self._batches:
                pass
        self._encoder.restore(kept["encoder"])
        self._classifier.load_state_dict(kept["classifier"])
        self._optimizer.resume(kept["optimizer"])
        if self._memory is not None:
            (features,) = kept["memory"]
            self._memory.features = features.to(self._encoder.device)


class BestEpoch:
    """Keeps the weights of the best epoch, and decides on early stopping.

    Attributes:
        score: of the best epoch; None before the first.
    """

    def __init__(self, encoder: Encoder, patience: int) -> None:
        """
        Args:
            patience: epochs without a better score after which to stop, at least 1.
        """
        self.score: float | None = None
        self._encoder, self._patience = encoder, patience
        self._waited = 0
        self._weights: list[torch.Tensor] = []

    def is_over(self, score: float) -> bool:
        """Records the score of an epoch (higher is better); returns whether to stop training."""
        if self.score is None or score > self.score:
            self.score, self._weights, self._waited = score, self._encoder.trained_state(), 0
        else:
            self._waited += 1
        return self._waited >= self._patience

    def checkpoint(self) -> dict[str, Any]:
        """The best epoch so far, as `resume` takes it."""
        return {"score": self.score, "waited": self._waited, "weights": self._weights}

    def resume(self, kept: dict[str, Any]) -> None:
        """Goes on from where `checkpoint` was called."""
        self.score, self._waited, self._weights = kept["score"], kept["waited"], kept["weights"]

    def restore(self) -> None:
        """Restores the weights of the best epoch; does nothing before the first."""
        if self.score is not None:
            self._encoder.restore(self._weights)


class Batches:
    """The shuffled batches of an epoch, different ones each time it is iterated.

    With `labeled_share`, that share of each batch consists of labelled rows: a log may have a thousand
    messages for every example, and training is slow if batches rarely have two examples of one intent. An
    epoch is one pass over the other rows, or `epoch_steps` batches if these are fewer; the next epoch then
    continues with the remaining rows.
    """

    def __init__(self, rows: Array, labels: Array, config: DiscoveryConfig) -> None:
        """
        Args:
            rows: (m,) int64, the rows to learn from.
            labels: (n,) int64, of all texts, `UNLABELED` where there is none.
            config: `batch_size`, `epoch_steps`, `labeled_share`, `seed`.
        """
        self._generator = torch.Generator().manual_seed(config.seed)
        parts = [(rows, config.batch_size)]
        known = labels[rows] != UNLABELED
        labeled = min(round(config.batch_size * config.labeled_share), config.batch_size - 1)
        if labeled and known.any() and not known.all():
            parts = [(rows[~known], config.batch_size - labeled), (rows[known], labeled)]
        one_pass = math.ceil(len(parts[0][0]) / parts[0][1])
        self._steps = min(one_pass, config.epoch_steps or one_pass)
        self._streams = [self._endless(part, size) for part, size in parts]

    def __len__(self) -> int:
        return self._steps

    def __iter__(self) -> Iterator[torch.Tensor]:
        """(b,) int64, rows of each batch."""
        for _ in range(self._steps):
            yield torch.cat([next(stream) for stream in self._streams])

    def _shuffled(self, rows: Array) -> torch.Tensor:
        return torch.from_numpy(rows)[torch.randperm(len(rows), generator=self._generator)]

    def _endless(self, rows: Array, size: int) -> Iterator[torch.Tensor]:
        """Batches of `size` rows (the last of a pass may be smaller), endlessly, reshuffled for each pass."""
        while True:
            yield from self._shuffled(rows).split(size)


def memory_loss(
    encoder: Encoder,
    classifier: nn.Linear,
    states: TokenStates,
    batch: torch.Tensor,
    labels: torch.Tensor,
    memory: torch.Tensor,
    memory_labels: torch.Tensor,
    temperature: float,
    step: Step,
) -> tuple[torch.Tensor, torch.Tensor]:
    """The contrastive loss of every message against a memory, plus its cross-entropy.

    Args:
        batch: (b,) int64, rows of `states`.
        labels: (b,) int64; equal labels are pulled together, `UNLABELED` rows have no cross-entropy.
        memory, memory_labels: (m, d) and (m,) int64, as `supervised_contrastive` takes them.
        step: of training.

    Returns:
        The loss, and the features, (b, d), by dropout of this step.
    """
    features = encoder(states, batch, step)
    contrast = supervised_contrastive(features, labels, memory, memory_labels, temperature)
    return contrast + _classified(classifier, features, labels, step), features


def softmax_loss(
    encoder: Encoder,
    classifier: nn.Linear,
    states: TokenStates,
    batch: torch.Tensor,
    labels: torch.Tensor,
    step: Step,
) -> tuple[torch.Tensor, torch.Tensor]:
    """The paper's loss, softmax cross-entropy on the features, and the features."""
    features = encoder(states, batch, step)
    return _classified(classifier, features, labels, step), features


def _classified(
    classifier: nn.Linear, features: torch.Tensor, labels: torch.Tensor, step: Step
) -> torch.Tensor:
    """The cross-entropy of the labelled rows; dropout before the classifier."""
    step.seed(_CLASSIFIER)
    logits = classifier(nn.functional.dropout(features, LEARNING.classifier_dropout))
    return cross_entropy_on_labeled(logits, labels)
