"""DWGF: Shi et al., "A Diffusion Weighted Graph Framework for New Intent Discovery" (EMNLP 2023).

Clustered are the features of the encoder, smoothed over a graph of nearest neighbours before the last
k-means; labels serve the pre-training, which here is contrastive and not by masked words; K is given, or
estimated by size. At the end k-means from scratch on the texts in question.

What a text is trained with are neighbours of its neighbours, by how many paths lead to them and how alike
they are. The paper's queue of earlier texts is left out: the batch holds the others.
"""

from __future__ import annotations

import numpy as np
import torch
from scipy.sparse import csr_matrix, diags, identity
from torch import nn

from benchmarks.methods.published.dec import as_module, kl_loss, soft_assignments, target_distribution
from benchmarks.methods.published.task import Fitted, Task, by_centroids
from benchmarks.methods.published.training import Training
from rasa_intent_discovery.clustering.clusters import kmeans
from rasa_intent_discovery.clustering.features import normalized
from rasa_intent_discovery.clustering.neighbors import nearest_rows
from rasa_intent_discovery.datatypes import Array
from rasa_intent_discovery.learning.step import Step

#: Nearest neighbours, of a text in training and in the graph that smooths; rounds of diffusion; layers of the
#: filter, and the share of the Laplacian that each takes off (k, r, t: the defaults of its authors' program).
NEIGHBORS, ROUNDS, LAYERS, FILTERED = 15, 2, 2, 0.5
#: Weight of the self-training, alpha, from the same; and the temperature of cosines. By hand: theirs is 1.
SELF_TRAINED, TEMPERATURE = 0.3, 0.07


def neighbor_graph(unit: Array, count: int) -> csr_matrix:
    """(n, n) of 1 where one of two rows (n, d) of length 1 is among the `count` nearest of the other."""
    n = len(unit)
    count = min(count, n - 1)
    near = nearest_rows(unit, unit, count, np.arange(n))
    graph = csr_matrix((np.ones(n * count), (np.repeat(np.arange(n), count), near.ravel())), shape=(n, n))
    return graph.maximum(graph.T)


def smoothed(features: Array, graph: csr_matrix, layers: int = LAYERS) -> Array:
    """`(I - 0.5 L)^t X` with `L = I - D^-1/2 (A + I) D^-1/2` (the graph smoothing filter).

    Args:
        features: (n, d); graph: (n, n), A, without a diagonal.
        layers: t.
    """
    looped = graph + identity(graph.shape[0])
    scale = diags(1.0 / np.sqrt(np.asarray(looped.sum(1)).ravel()))
    step = (1.0 - FILTERED) * identity(graph.shape[0]) + FILTERED * (scale @ looped @ scale)
    found = features
    for _ in range(layers):
        found = step @ found
    return found.astype(np.float32)


def diffused(unit: Array, graph: csr_matrix, rounds: int = ROUNDS) -> csr_matrix:
    """How strongly a text is tied to each other one: the mean share of the paths of 1 to `rounds` steps.

    A step goes to a neighbour in proportion to how alike it is (cosine, none below 0). Weights are scaled so
    that the strongest of each row is 1; a row has no weight for itself.

    Args:
        unit: (n, d), rows of length 1; graph: (n, n).
    """
    rows, columns = graph.nonzero()
    alike = np.maximum(np.einsum("ij,ij->i", unit[rows], unit[columns]), 1e-6)
    weights = csr_matrix((alike, (rows, columns)), shape=graph.shape)
    steps = diags(1.0 / np.asarray(weights.sum(1)).ravel()) @ weights
    total, power = steps, steps
    for _ in range(rounds - 1):
        power = power @ steps
        total = total + power
    total = csr_matrix(total - diags(total.diagonal()))
    total.eliminate_zeros()
    return csr_matrix(diags(1.0 / total.max(1).toarray().ravel()) @ total)


def diffusion_loss(
    views: torch.Tensor, weights: torch.Tensor, temperature: float = TEMPERATURE
) -> torch.Tensor:
    """`- sum_j w_ij / sum_j w_ij log(exp(z_i . z_j / tau) / sum_l exp(z_i . z_l / tau))`.

    Args:
        views: (b, d); weights: (b, b), at least 0; that of a row for itself does not count.
        temperature: tau, greater than 0.

    Returns:
        scalar, the mean over the rows; one without any weight does not count.
    """
    unit = nn.functional.normalize(views, dim=1)
    itself = torch.eye(len(views), dtype=torch.bool, device=views.device)
    logs = torch.log_softmax((unit @ unit.T / temperature).masked_fill(itself, float("-inf")), dim=1)
    weights = weights.masked_fill(itself, 0.0)
    sums = weights.sum(1)
    per_row = -(weights * logs.masked_fill(itself, 0.0)).sum(1) / sums.clamp(min=1e-12)
    return per_row.sum() / (sums > 0).sum().clamp(min=1)


def sampled(ties: csr_matrix, rows: Array, rng: np.random.Generator) -> Array:
    """(b,) int64: for each of b rows another one, drawn in proportion to its ties."""
    drawn = np.empty(len(rows), dtype=np.int64)
    for place, row in enumerate(rows):
        inside = slice(ties.indptr[row], ties.indptr[row + 1])
        weights = ties.data[inside]
        drawn[place] = rng.choice(ties.indices[inside], p=weights / weights.sum())
    return drawn


def dwgf(task: Task) -> Fitted:
    """Pre-trains; trains in place with diffused neighbours; smooths what is clustered."""
    task.learn_known()
    config, encoder, device = task.config, task.encoder, task.encoder.device
    rows, rng = task.features(), np.random.default_rng(config.seed)
    k = task.clusters(rows)
    centroids = as_module(kmeans(normalized(rows), k, config.seed, config.seedings).centroids, device)
    training = Training(task, [encoder, centroids], config.aligned_epochs)
    for _ in range(config.aligned_epochs):
        unit = normalized(task.features())
        ties = diffused(unit, neighbor_graph(unit, NEIGHBORS))
        with torch.no_grad():
            shares = soft_assignments(torch.from_numpy(unit).to(device), centroids[0])
        targets = target_distribution(shares)

        def loss(
            batch: torch.Tensor, step: Step, ties: csr_matrix = ties, targets: torch.Tensor = targets
        ) -> torch.Tensor:
            both = np.concatenate([batch.numpy(), sampled(ties, batch.numpy(), rng)])
            views = encoder(task.states, torch.from_numpy(both), step)
            weights = torch.from_numpy(ties[both][:, both].toarray()).float().to(device)
            found = soft_assignments(nn.functional.normalize(views, dim=1), centroids[0])
            return diffusion_loss(views, weights) + SELF_TRAINED * kl_loss(found, targets[both])

        training.epoch(loss)
    last = kmeans(_smooth(task.features()), k, config.seed, config.seedings)
    return by_centroids(lambda states: _smooth(encoder.embed(states)), last)


def _smooth(features: Array) -> Array:
    unit = normalized(features)
    return normalized(smoothed(unit, neighbor_graph(unit, NEIGHBORS))).astype(np.float32)
