"""The loop that trains all published methods; batches, optimiser and dropout are those of the product."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import nn

from benchmarks.methods.published.task import Task
from rasa_intent_discovery.datatypes import Array
from rasa_intent_discovery.learning.optimizer import BertAdam
from rasa_intent_discovery.learning.processes import ALONE
from rasa_intent_discovery.learning.step import Step
from rasa_intent_discovery.learning.trainer import Batches

#: The loss of a batch: (b,) int64 rows on the CPU, and the step that the encoder's dropout is drawn for.
Loss = Callable[[torch.Tensor, Step], torch.Tensor]

_ROWS_AT_A_TIME = 2048


class Training:
    """Trains modules in place, epoch by epoch, on whatever loss of a batch."""

    def __init__(
        self,
        task: Task,
        modules: Sequence[nn.Module],
        epochs: int,
        rows: Array | None = None,
        learning_rate: float | None = None,
        labeled_share: float | None = None,
    ) -> None:
        """
        Args:
            modules: their parameters that require a gradient are trained.
            epochs: most epochs to train; the learning rate reaches 0 at their end.
            rows: (m,) int64, the texts to learn from; None is all.
            learning_rate: None is that of the settings.
            labeled_share: of labelled texts in a batch, 0..1; None is that of the settings.
        """
        config = task.config
        if labeled_share is not None:
            config = replace(config, labeled_share=labeled_share)
        self._modules, self._config, self._device = modules, config, task.encoder.device
        self._batches = Batches(np.arange(len(task.states)) if rows is None else rows, task.labels, config)
        self._steps = 0
        rate = config.learning_rate if learning_rate is None else learning_rate
        self._optimizer = BertAdam(modules, rate, len(self._batches) * epochs)

    def epoch(self, loss: Loss) -> float:
        """Trains on every batch of an epoch once; returns the mean loss."""
        for module in self._modules:
            module.train()
        total = 0.0
        for batch in self._batches:
            self._optimizer.zero_grad(set_to_none=True)
            step = Step(self._device, (self._config.seed, "published", self._steps), ALONE)
            value = loss(batch, step)
            value.backward()
            self._optimizer.step()
            self._steps += 1
            total += float(value.detach())
        for module in self._modules:
            module.eval()
        return total / len(self._batches)


@torch.no_grad()
def applied(module: Callable[[torch.Tensor], torch.Tensor], rows: Array, device: torch.device) -> Array:
    """(n, k) float32: what a module in evaluation mode makes of rows, (n, d)."""
    parts = torch.from_numpy(rows).split(_ROWS_AT_A_TIME)
    return torch.cat([module(part.to(device)).float().cpu() for part in parts]).numpy()
