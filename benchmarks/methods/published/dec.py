"""DEC: Xie, Girshick, Farhadi, "Unsupervised Deep Embedding for Clustering Analysis" (ICML 2016).

Clustered is the code of the autoencoder of SAE-KM, trained further; no label is used; K is given, or
estimated by size on the first code. A text goes to the cluster of its largest share.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from benchmarks.methods.published.sae_k_means import RATE, code_of, learnt_autoencoder
from benchmarks.methods.published.task import Fitted, Task, by_shares
from benchmarks.methods.published.training import Loss, Training, applied
from rasa_intent_discovery.clustering.clusters import kmeans
from rasa_intent_discovery.datatypes import Array
from rasa_intent_discovery.learning.step import Step

#: Training stops when fewer than this share of the texts change cluster (section 4.3).
TOLERANCE = 0.001


def soft_assignments(features: torch.Tensor, centroids: torch.Tensor) -> torch.Tensor:
    """`q_ij = (1 + |z_i - mu_j|^2)^-1 / sum_j' (1 + |z_i - mu_j'|^2)^-1` (equation 1, one degree of freedom).

    Args:
        features: (b, d); centroids: (k, d).

    Returns:
        (b, k), shares 0..1 that add up to 1 in each row.
    """
    near = 1.0 / (1.0 + torch.cdist(features, centroids) ** 2)
    return near / near.sum(1, keepdim=True)


def target_distribution(shares: torch.Tensor) -> torch.Tensor:
    """`p_ij = (q_ij^2 / f_j) / sum_j' (q_ij'^2 / f_j')` with `f_j = sum_i q_ij` (equation 3).

    Args:
        shares: (n, k), q, of all texts, not of a batch: f is a cluster's size.

    Returns:
        (n, k), p.
    """
    sharp = shares**2 / shares.sum(0)
    return sharp / sharp.sum(1, keepdim=True)


def kl_loss(shares: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """`KL(P || Q) = sum_i sum_j p_ij log(p_ij / q_ij)` (equation 2), the mean over the rows.

    Args:
        shares, targets: (b, k), q and p.

    Returns:
        scalar.
    """
    return nn.functional.kl_div(shares.clamp(min=1e-12).log(), targets, reduction="batchmean")


def dec(task: Task) -> Fitted:
    """Trains the autoencoder, and then its code and the centroids of it towards their own sharper shares."""
    autoencoder, inputs = learnt_autoencoder(task)
    features = code_of(autoencoder, task)
    rows, config = features(task.states), task.config
    centroids = as_module(
        kmeans(rows, task.clusters(rows), config.seed, config.seedings).centroids, inputs.device
    )
    training = Training(task, [autoencoder.to_code, centroids], config.aligned_epochs, learning_rate=RATE)
    sharpen(
        training,
        centroids,
        lambda: torch.from_numpy(features(task.states)).to(inputs.device),
        lambda batch, _: autoencoder(inputs[batch]),
        config.aligned_epochs,
    )
    return by_shares(task, features, lambda states: shares_of(features(states), centroids, inputs.device))


def as_module(centroids: Array, device: torch.device) -> nn.ParameterList:
    """Centroids (k, d) that can be trained, as the one parameter of a module."""
    return nn.ParameterList([nn.Parameter(torch.from_numpy(centroids).to(device))])


def shares_of(features: Array, centroids: nn.ParameterList, device: torch.device) -> Array:
    """(m, k) float32: the soft assignments of features (m, d)."""
    return applied(lambda part: soft_assignments(part, centroids[0]), features, device)


def sharpen(
    training: Training,
    centroids: nn.ParameterList,
    every: Callable[[], torch.Tensor],
    of_batch: Loss,
    epochs: int,
) -> None:
    """Trains in place on `kl_loss`, with targets renewed each epoch, until hardly any text changes cluster.

    Args:
        training: of the centroids and of what the features depend on.
        every: the (n, d) features of all texts.
        of_batch: the (b, d) features of a batch.
    """
    last = None
    for _ in range(epochs):
        with torch.no_grad():
            shares = soft_assignments(every(), centroids[0])
        assignments = shares.argmax(1)
        if last is not None and (assignments != last).float().mean() < TOLERANCE:
            return
        last, targets = assignments, target_distribution(shares)

        def loss(batch: torch.Tensor, step: Step, targets: torch.Tensor = targets) -> torch.Tensor:
            return kl_loss(soft_assignments(of_batch(batch, step), centroids[0]), targets[batch])

        training.epoch(loss)
