"""DTC: Han, Vedaldi, Zisserman, "... Novel Visual Categories via Deep Transfer Clustering" (ICCV 2019).

Clustered are the features of the encoder, first trained on the known intents, after a linear bottleneck that
starts as their principal components; labels serve the first stage alone; K is given, or estimated by size on
its features (the rule of Zhang et al., 2021; DTC's own counts on held-out known classes). A text goes to the
cluster of its largest share. This is the variant whose targets are made of what the earlier epochs said, too
(DTC-TEP, temporal ensembling of the target distribution); its loss is that of DEC.
"""

from __future__ import annotations

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

        def loss(batch: torch.Tensor, step: Step, targets: torch.Tensor = targets) -> torch.Tensor:
            found = soft_assignments(bottleneck(encoder(task.states, batch, step)), centroids[0])
            return kl_loss(found, targets[batch].to(device))

        training.epoch(loss)
    return by_shares(
        task,
        lambda states: reduced(encoder.embed(states)).astype(np.float32),
        lambda states: shares_of(reduced(encoder.embed(states)), centroids, device),
    )
