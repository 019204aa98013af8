"""DAC: Chang, Wang, Meng, Xiang, Pan, "Deep Adaptive Image Clustering" (ICCV 2017).

Clustered are texts by the largest of their K label features, which a layer on the encoder gives; no label is
used; K is the number of outputs: given, or K' of which those with few texts are dropped.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from benchmarks.methods.published.task import Fitted, Task, by_shares
from benchmarks.methods.published.training import Training, applied
from rasa_intent_discovery.datatypes import Array
from rasa_intent_discovery.learning.encoder import initialized_linear
from rasa_intent_discovery.learning.step import Step
from rasa_intent_discovery.learning.token_states import TokenStates

#: The thresholds of similar and of different pairs: `u = 0.95 - lambda`, `l = 0.455 + 0.1 lambda`.
UPPER, LOWER, LOWER_SLOPE = 0.95, 0.455, 0.1
#: Where they meet.
LAST = (UPPER - LOWER) / (1.0 + LOWER_SLOPE)
_TINY = 1e-6


class LabelFeatures(nn.Module):
    """Features -> shares of K outputs.

    The logits are normalised over the batch, as in the paper's network: shares of two texts that have nothing
    in common then have a cosine of about exp(-1), below the lower threshold.
    """

    def __init__(self, width: int, outputs: int, seed: int) -> None:
        super().__init__()
        self.linear = initialized_linear(width, outputs, seed)
        self.norm = nn.BatchNorm1d(outputs)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """(b, d) -> (b, K), adding up to 1 in each row."""
        return torch.softmax(self.norm(self.linear(features)), dim=1)


def thresholds(share: float) -> tuple[float, float]:
    """U and l after a share 0..1 of the training; they close linearly and meet at the end."""
    moved = share * LAST
    return UPPER - moved, LOWER + LOWER_SLOPE * moved


def cosines(shares: torch.Tensor) -> torch.Tensor:
    """`I_i . I_j / (|I_i| |I_j|)`; (b, K) -> (b, b)."""
    unit = nn.functional.normalize(shares, dim=1)
    return unit @ unit.T


def pair_loss(similarity: torch.Tensor, same: torch.Tensor, different: torch.Tensor) -> torch.Tensor:
    """`- r_ij log(s_ij) - (1 - r_ij) log(1 - s_ij)` over the selected pairs, their mean.

    Args:
        similarity: (b, b), s; what is below 0 counts as 0.
        same, different: (b, b) bool, the pairs of which r is 1, and 0; a pair in neither does not count, nor
            does a text with itself.

    Returns:
        scalar; 0 if no pair is selected.
    """
    itself = torch.eye(len(similarity), dtype=torch.bool, device=similarity.device)
    same, different = same & ~itself, different & ~itself
    inside = similarity.clamp(_TINY, 1.0 - _TINY)
    loss = -(inside.log() * same).sum() - ((1.0 - inside).log() * different).sum()
    return loss / (same.sum() + different.sum()).clamp(min=1)


def dac(task: Task) -> Fitted:
    """Trains encoder and label features on the pairs that they are sure of, ever more of them."""
    head = LabelFeatures(task.encoder.width, task.outputs, task.config.seed).to(task.encoder.device)
    epochs = task.config.aligned_epochs
    training = Training(task, [task.encoder, head], epochs)
    for epoch in range(epochs):
        upper, lower = thresholds(epoch / epochs)

        def loss(batch: torch.Tensor, step: Step, upper: float = upper, lower: float = lower) -> torch.Tensor:
            similarity = cosines(head(task.encoder(task.states, batch, step)))
            sure = similarity.detach()
            return pair_loss(similarity, sure > upper, sure < lower)

        training.epoch(loss)
    return by_shares(task, task.encoder.embed, shares_by(head, task), counted=True)


def shares_by(head: nn.Module, task: Task) -> Callable[[TokenStates], Array]:
    """What gives the shares of any texts, (m, K)."""
    return lambda states: applied(head, task.encoder.embed(states), task.encoder.device)
