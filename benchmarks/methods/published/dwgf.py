"""DWGF: Shi et al., "A Diffusion Weighted Graph Framework for New Intent Discovery" (EMNLP 2023).

Clustered are the features of the encoder, smoothed over a graph of nearest neighbours before the last
k-means; labels serve the pre-training, and in the second stage texts of one label attract each other wholly;
K is given, or estimated by size. At the end k-means from scratch on the texts in question.

A text attracts its neighbours and theirs, by how many paths lead to them and how alike they are. What is
contrasted is a projection of the features with those of all texts, kept as an encoder that follows ours
slowly saw them last. Otherwise than in the paper, the pre-training is contrastive and not by masked words,
views differ by dropout alone and not by exchanged tokens as well, the targets of the self-training are those
of all texts, as in DEC, and all layers are not trained (`--set trained_layers=...` trains more).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import torch
from scipy.sparse import csr_matrix, diags, identity, vstack
from torch import nn

from benchmarks.methods.published.dec import as_module, kl_loss, soft_assignments, target_distribution
from benchmarks.methods.published.task import Fitted, Task, by_centroids
from benchmarks.methods.published.training import Training
from benchmarks.methods.published.two_views import learn_known_by_views
from rasa_intent_discovery.clustering.clusters import kmeans
from rasa_intent_discovery.clustering.neighbors import nearest_rows
from rasa_intent_discovery.datatypes import UNLABELED, Array, normalized
from rasa_intent_discovery.learning.numbers import LEARNING
from rasa_intent_discovery.learning.step import Step
from rasa_intent_discovery.learning.token_states import TokenStates

#: Nearest neighbours of a text in training, k, and rounds of diffusion, r; up to which cosine texts are not
#: tied, and by how much ties are raised before they are cut at 1; epochs for which a graph is used. This and
#: all that follows as in its authors' program.
NEIGHBORS, ROUNDS, UNALIKE, RAISED, RENEWED = 15, 2, 0.3, 1.1, 50
#: Weight of the self-training, alpha; temperature, the inverse of their tau; width of the projection; and how
#: much of the encoder that follows stays as it was in each step.
SELF_TRAINED, TEMPERATURE, PROJECTED, MOMENTUM = 0.3, 0.2, 256, 0.8
#: Layers of the filter, t, and the share of the Laplacian that each takes off.
LAYERS, FILTERED = 2, 0.5
#: Neighbours in the graph that smooths, as a share of the texts of a cluster: theirs are 25 where an intent
#: has 40 texts in the test split (BANKING77), and 10 where it has 15 (CLINC150).
SMOOTHED_WITH = 0.62
_ROWS_AT_A_TIME = 512


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


def diffused(unit: Array, labels: Array, graph: csr_matrix, rounds: int = ROUNDS) -> csr_matrix:
    """How strongly a text attracts another one: `A + A^2 + ... + A^(r + 1)`, the weights of the paths.

    A has the cosine of two joined texts, and 1 for a text itself. Texts that are not alike have no tie, each
    row is scaled so that its largest is 1.1, and cut at 1. Texts of one label have 1.

    Args:
        unit: (n, d), rows of length 1; labels: (n,) int64, or `UNLABELED`; graph: (n, n) without a diagonal.
        rounds: r.
    """
    rows, columns = graph.nonzero()
    alike = np.maximum(np.einsum("ij,ij->i", unit[rows], unit[columns]), 0.0)
    step = csr_matrix((alike, (rows, columns)), shape=graph.shape) + identity(len(unit))
    parts = []
    for start in range(0, len(unit), _ROWS_AT_A_TIME):
        part = slice(start, start + _ROWS_AT_A_TIME)
        power = step[part]
        total = power.toarray()
        for _ in range(rounds):
            power = power @ step
            total += power.toarray()
        total[unit[part] @ unit.T <= UNALIKE] = 0.0
        total *= RAISED / total.max(1, keepdims=True)
        total[(labels[part, None] == labels) & (labels[part, None] != UNLABELED)] = 1.0
        parts.append(csr_matrix(np.minimum(total, 1.0).astype(np.float32)))
    return vstack(parts, format="csr")


def diffusion_loss(
    views: torch.Tensor, others: torch.Tensor, weights: torch.Tensor, temperature: float = TEMPERATURE
) -> torch.Tensor:
    """`- log(sum_j w_ij exp(z_i . z_j / tau) / sum_j exp(z_i . z_j / tau))`.

    Args:
        views: (b, d); others: (n, d), each of any length.
        weights: (b, n), 0..1, one of each row greater than 0.
        temperature: tau, greater than 0.

    Returns:
        scalar, the mean over the rows.
    """
    logits = nn.functional.normalize(views, dim=1) @ nn.functional.normalize(others, dim=1).T / temperature
    return (torch.logsumexp(logits, 1) - torch.logsumexp(logits + weights.log(), 1)).mean()


class Follower:
    """Weights that follow those of modules slowly: `w' <- m w' + (1 - m) w`."""

    def __init__(self, modules: Sequence[nn.Module]) -> None:
        every = (parameter for module in modules for parameter in module.parameters())
        self._weights = [parameter for parameter in every if parameter.requires_grad]
        self._own = [weights.detach().clone() for weights in self._weights]

    @torch.no_grad()
    def follow(self) -> None:
        """One step."""
        for own, weights in zip(self._own, self._weights, strict=True):
            own.mul_(MOMENTUM).add_(weights, alpha=1.0 - MOMENTUM)

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Within the block, the modules have these weights, and nothing has a gradient."""
        with torch.no_grad():
            kept = [weights.clone() for weights in self._weights]
            for weights, own in zip(self._weights, self._own, strict=True):
                weights.copy_(own)
            try:
                yield
            finally:
                for weights, before in zip(self._weights, kept, strict=True):
                    weights.copy_(before)


def projection(width: int) -> nn.Sequential:
    """Features -> what is contrasted."""
    return nn.Sequential(
        nn.Linear(width, width),
        nn.ReLU(),
        nn.Dropout(LEARNING.classifier_dropout),
        nn.Linear(width, PROJECTED),
    )


def dwgf(task: Task) -> Fitted:
    """Pre-trains; trains in place with diffused neighbours; smooths what is clustered."""
    learn_known_by_views(task)
    config, encoder, device = task.config, task.encoder, task.encoder.device
    rows = task.features()
    k = task.clusters(rows)
    centroids = as_module(kmeans(rows, k, config.seed, config.seedings).centroids, device)
    projected = projection(encoder.width).to(device).eval()
    follower = Follower([encoder, projected])
    with torch.no_grad():
        bank = projected(torch.from_numpy(rows).to(device))
    # A pass over all texts as they come.
    training = Training(task, [encoder, projected, centroids], config.aligned_epochs, labeled_share=0.0)
    for epoch in range(config.aligned_epochs):
        rows = task.features()
        if epoch % RENEWED == 0:
            unit = normalized(rows)
            ties = diffused(unit, task.labels, neighbor_graph(unit, NEIGHBORS))
        with torch.no_grad():
            targets = target_distribution(soft_assignments(torch.from_numpy(rows).to(device), centroids[0]))

        def loss(
            batch: torch.Tensor, step: Step, ties: csr_matrix = ties, targets: torch.Tensor = targets
        ) -> torch.Tensor:
            follower.follow()
            with follower.in_place():
                other = replace(step, key=(*step.key, "follower"))
                bank[batch] = projected(encoder(task.states, batch, other))
            features = encoder(task.states, batch, step)
            weights = torch.from_numpy(ties[batch.numpy()].toarray()).to(device)
            found = soft_assignments(features, centroids[0])
            contrast = diffusion_loss(projected(features), bank, weights)
            return contrast + SELF_TRAINED * kl_loss(found, targets[batch])

        training.epoch(loss)

    def smooth(features: Array) -> Array:
        count = math.ceil(SMOOTHED_WITH * len(features) / k)
        return smoothed(features, neighbor_graph(normalized(features), count))

    def clustered(states: TokenStates) -> Array:
        return smooth(encoder.embed(states))

    return by_centroids(clustered, kmeans(clustered(task.states), k, config.seed, config.seedings))
