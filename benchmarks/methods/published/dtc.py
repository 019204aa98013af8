"""DTC: Han, Vedaldi, Zisserman, "... Novel Visual Categories via Deep Transfer Clustering" (ICCV 2019).

Clustered are the features of the encoder, first trained on the known intents, after a linear bottleneck that
starts as their principal components; labels serve the first stage alone; K is given, or estimated by size on
its features (the rule of Zhang et al., 2021; DTC's own counts on held-out known classes). A text goes to the
cluster of its largest share. This is the variant with temporal ensembling (DTC-TE).
"""

from __future__ import annotations

import math

import numpy as np
import torch
from sklearn.decomposition import PCA
from torch import nn

from benchmarks.methods.published.dec import (
    as_module,
    kl_loss,
    shares_of,
    soft_assignments,
    target_distribution,
)
from benchmarks.methods.published.task import Fitted, Task, by_shares
from benchmarks.methods.published.training import Training, applied
from rasa_intent_discovery.clustering.clusters import kmeans
from rasa_intent_discovery.datatypes import Array
from rasa_intent_discovery.learning.step import Step

#: Weight of the earlier epochs in the ensemble, beta (alpha of Laine and Aila, 2017).
MOMENTUM = 0.6
#: The largest weight of the consistency term, lambda, and the steepness of its rise.
CONSISTENCY, STEEPNESS = 10.0, 5.0


def dtc_loss(
    shares: torch.Tensor, targets: torch.Tensor, ensemble: torch.Tensor, weight: float
) -> torch.Tensor:
    """`KL(P || Q) + w(r) 1 / (N K) sum_i sum_k |q_ik - q~_ik|^2` as the mean over the rows.

    Args:
        shares, targets: (b, K), q and p.
        ensemble: (b, K), q~, what the earlier epochs said.
        weight: w(r), at least 0.

    Returns:
        scalar.
    """
    return kl_loss(shares, targets) + weight * ((shares - ensemble) ** 2).mean()


def ramp(share: float) -> float:
    """`w(r) = lambda exp(-5 (1 - r / T)^2)`, after the share r / T = 0..1 of the epochs."""
    return CONSISTENCY * math.exp(-STEEPNESS * (1.0 - min(share, 1.0)) ** 2)


def ensembled(ensemble: torch.Tensor, shares: torch.Tensor, epoch: int) -> tuple[torch.Tensor, torch.Tensor]:
    """`Q <- beta Q + (1 - beta) q` and `q~ = Q / (1 - beta^epoch)`, of which Q starts as 0.

    Args:
        ensemble, shares: (n, K), Q and q.
        epoch: from 1 on.
    """
    grown = MOMENTUM * ensemble + (1.0 - MOMENTUM) * shares
    return grown, grown / (1.0 - MOMENTUM**epoch)


def principal_bottleneck(features: Array, width: int) -> nn.Linear:
    """A layer that gives the first principal components of features (n, d), as many as it can of `width`."""
    fitted = PCA(min(width, *features.shape), svd_solver="full").fit(features)
    layer = nn.Linear(features.shape[1], len(fitted.components_))
    with torch.no_grad():
        layer.weight.copy_(torch.from_numpy(fitted.components_))
        layer.bias.copy_(torch.from_numpy(-fitted.components_ @ fitted.mean_))
    return layer


def dtc(task: Task) -> Fitted:
    """Learns the known intents; trains encoder, bottleneck and centroids in place on sharper shares."""
    task.learn_known()
    config, encoder, device = task.config, task.encoder, task.encoder.device
    rows = task.features()
    k = task.clusters(rows)
    bottleneck = principal_bottleneck(rows, k).to(device)

    def reduced(embedded: Array) -> Array:
        return applied(bottleneck, embedded, device)

    first = kmeans(reduced(rows), k, config.seed, config.seedings)
    centroids, epochs = as_module(first.centroids, device), config.aligned_epochs
    training = Training(task, [encoder, bottleneck, centroids], epochs)
    ensemble = torch.zeros((len(rows), k))
    for epoch in range(1, epochs + 1):
        shares = torch.from_numpy(shares_of(reduced(task.features()), centroids, device))
        ensemble, earlier = ensembled(ensemble, shares, epoch)
        targets = target_distribution(earlier)
        weight = ramp(epoch / epochs)

        def loss(
            batch: torch.Tensor,
            step: Step,
            targets: torch.Tensor = targets,
            earlier: torch.Tensor = earlier,
            weight: float = weight,
        ) -> torch.Tensor:
            found = soft_assignments(bottleneck(encoder(task.states, batch, step)), centroids[0])
            return dtc_loss(found, targets[batch].to(device), earlier[batch].to(device), weight)

        training.epoch(loss)
    return by_shares(
        task,
        lambda states: reduced(encoder.embed(states)).astype(np.float32),
        lambda states: shares_of(reduced(encoder.embed(states)), centroids, device),
    )
