"""DCN: Yang, Fu, Sidiropoulos, Hong, "Towards K-means-friendly Spaces" (ICML 2017).

Clustered is the code of the autoencoder of SAE-KM, trained further; no label is used; K is given, or
estimated by size on the first code. A text goes to its nearest centroid.
"""

from __future__ import annotations

import numpy as np
import torch

from benchmarks.methods.published.sae_k_means import RATE, code_of, learnt_autoencoder, reconstruction_loss
from benchmarks.methods.published.task import Fitted, Task, by_centroids
from benchmarks.methods.published.training import Training
from rasa_intent_discovery.clustering.clusters import kmeans, nearest
from rasa_intent_discovery.datatypes import Array, Clustering

#: Weight of the k-means term, lambda. By hand. The reconstruction is a mean over the d inputs here, and a sum
#: in the paper: there it would be d times as much, 38 with MiniLM's 384, where the paper tries 0.01 to 10.
WEIGHT = 0.1


def dcn_loss(
    inputs: torch.Tensor, outputs: torch.Tensor, code: torch.Tensor, centroids: torch.Tensor, weight: float
) -> torch.Tensor:
    """`|g(f(x)) - x|^2 + lambda / 2 |f(x) - M s|^2`, the first term as `reconstruction_loss`.

    Args:
        inputs, outputs: (b, d), texts and their reconstruction.
        code: (b, c); centroids: (b, c), of each text its own, M s.
        weight: lambda, greater than 0.

    Returns:
        scalar, the mean over the rows.
    """
    return reconstruction_loss(inputs, outputs) + weight / 2 * ((code - centroids) ** 2).sum(1).mean()


def moved_centroids(centroids: Array, counts: Array, code: Array, assignments: Array) -> tuple[Array, Array]:
    """The centroids after each text has drawn its own by `1 / c_k` of the distance.

    Args:
        centroids: (k, c) float32.
        counts: (k,) int64, how many texts each centroid is the mean of.
        code: (b, c) float32; assignments: (b,) int64.

    Returns:
        The centroids, and the counts: one text after the other is the same as the mean of all so far.
    """
    more = np.bincount(assignments, minlength=len(centroids))
    sums = np.zeros_like(centroids)
    np.add.at(sums, assignments, code)
    grown = counts + more
    found = (centroids * counts[:, None] + sums) / np.maximum(grown, 1)[:, None]
    return np.where(more[:, None] > 0, found, centroids).astype(np.float32), grown


def dcn(task: Task) -> Fitted:
    """Trains the autoencoder, and then its code to lie close to centroids that follow it."""
    autoencoder, inputs = learnt_autoencoder(task)
    features, config = code_of(autoencoder, task), task.config
    rows = features(task.states)
    first = kmeans(rows, task.clusters(rows), config.seed, config.seedings)
    centroids, assignments = first.centroids, first.assignments
    training = Training(task, [autoencoder], config.aligned_epochs, learning_rate=RATE)
    counts = np.bincount(assignments, minlength=len(centroids))

    def loss(batch: torch.Tensor, _: object) -> torch.Tensor:
        nonlocal centroids, counts
        own, code = assignments[batch.numpy()], autoencoder(inputs[batch])
        pulled = torch.from_numpy(centroids[own]).to(inputs.device)
        value = dcn_loss(inputs[batch], autoencoder.from_code(code), code, pulled, WEIGHT)
        own = nearest(code.detach().cpu().numpy(), centroids)
        assignments[batch.numpy()] = own
        centroids, counts = moved_centroids(centroids, counts, code.detach().cpu().numpy(), own)
        return value

    for _ in range(config.aligned_epochs):
        # Each epoch counts anew how many texts a centroid is the mean of: it would soon not move any more.
        counts = np.bincount(assignments, minlength=len(centroids))
        training.epoch(loss)
        assignments = nearest(features(task.states), centroids)
    return by_centroids(features, Clustering(assignments, centroids))
