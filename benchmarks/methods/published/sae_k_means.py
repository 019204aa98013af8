"""SAE-KM: k-means on the code of a stacked autoencoder (Vincent et al., JMLR 2010; as in Xie et al., 2016).

Clustered is the code of the pretrained features; no label is used; K is given, or estimated by size.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import torch
from torch import nn

from benchmarks.methods.published.task import Fitted, Task, by_centroids
from benchmarks.methods.published.training import Training, applied
from rasa_intent_discovery.clustering.clusters import kmeans
from rasa_intent_discovery.datatypes import Array, normalized
from rasa_intent_discovery.learning.token_states import TokenStates

#: The layers after the input (Xie et al., section 4.3), the last of which is the code.
WIDTHS = (500, 500, 2000, 10)
#: Share of the input that is set to 0 while the autoencoder is trained (Xie et al., section 3.2).
CORRUPTED = 0.2
#: Of the autoencoder, and of what is trained on top of it. By hand: with Adam, not the SGD of the paper.
RATE = 1e-3
#: Epochs of the autoencoder. By hand.
EPOCHS = 30


class Autoencoder(nn.Module):
    """Dense layers to the code and back, ReLU between them; trained as a whole, not layer by layer."""

    def __init__(self, width: int) -> None:
        """
        Args:
            width: d, of the input.
        """
        super().__init__()
        self.to_code = _stack([width, *WIDTHS])
        self.from_code = _stack([*WIDTHS[::-1], width])

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """(b, d) -> (b, 10), the code."""
        return self.to_code(inputs)


def _stack(widths: list[int]) -> nn.Sequential:
    layers: list[nn.Module] = []
    for width_in, width_out in zip(widths[:-1], widths[1:], strict=True):
        layers += [nn.Linear(width_in, width_out), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def reconstruction_loss(inputs: torch.Tensor, outputs: torch.Tensor) -> torch.Tensor:
    """`1 / b sum_i |x_i - y_i|^2` (Xie et al., section 3.2), divided by d.

    Args:
        inputs, outputs: (b, d).

    Returns:
        scalar.
    """
    return ((inputs - outputs) ** 2).mean()


def scaled(pretrained: Array) -> Array:
    """(n, d) float32 of length sqrt(d): `|x|^2 / d` is about 1 (Xie et al., section 4.3)."""
    unit: Array = (normalized(pretrained) * math.sqrt(pretrained.shape[1])).astype(np.float32)
    return unit


def learnt_autoencoder(task: Task) -> tuple[Autoencoder, torch.Tensor]:
    """The autoencoder of the pretrained features, trained for `EPOCHS`; and its inputs, (n, d)."""
    inputs = torch.from_numpy(scaled(task.states.pretrained)).to(task.encoder.device)
    autoencoder = Autoencoder(inputs.shape[1]).to(inputs.device)
    training = Training(task, [autoencoder], EPOCHS, learning_rate=RATE)

    def loss(rows: torch.Tensor, _: object) -> torch.Tensor:
        clean = inputs[rows]
        return reconstruction_loss(
            clean, autoencoder.from_code(autoencoder(nn.functional.dropout(clean, CORRUPTED)))
        )

    for _ in range(EPOCHS):
        training.epoch(loss)
    return autoencoder, inputs


def code_of(autoencoder: Autoencoder, task: Task) -> Callable[[TokenStates], Array]:
    """What gives the code of any texts, (m, 10) float32."""
    return lambda states: applied(autoencoder, scaled(states.pretrained), task.encoder.device)


def sae_k_means(task: Task) -> Fitted:
    """Trains the autoencoder, and clusters its code once."""
    autoencoder, _ = learnt_autoencoder(task)
    features = code_of(autoencoder, task)
    rows = features(task.states)
    return by_centroids(features, kmeans(rows, task.clusters(rows), task.config.seed, task.config.seedings))
