"""USNID: Zhang, Xu, Wang, Long, Gao, "A Clustering Framework for ... New Intent Discovery" (IEEE TKDE 2023).

Clustered are the features of the encoder, first trained by a contrastive loss on all texts and cross-entropy
on the labelled ones; labelled texts are pulled together in each epoch of the second stage as well; K is
given, or of K' clusters those that match a known intent and, of the others, those with n / K' texts or more.
At the end k-means on the texts in question, started from the trained centroids.

What is contrasted are the outputs of a linear layer on the features, as in its authors' program; before the
second stage it is the features themselves. The paper erases tokens before the encoder reads a text, and
trains all of its layers at 1e-5 in the second stage. Here the frozen layers have read it before, what is
erased is what enters the trained ones (`--set trained_layers=...` trains more), and the learning rate is that
of the settings.
"""

from __future__ import annotations

import numpy as np
import torch
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist
from torch import nn

from benchmarks.methods.published.task import Fitted, Task, by_centroids
from benchmarks.methods.published.training import Training
from benchmarks.methods.published.two_views import learn_known_by_views, two_view_contrastive
from rasa_intent_discovery.clustering.clusters import class_centers, constrained_kmeans, kmeans
from rasa_intent_discovery.datatypes import UNLABELED, Array, Clustering
from rasa_intent_discovery.learning.aligned import continued
from rasa_intent_discovery.learning.encoder import initialized_linear
from rasa_intent_discovery.learning.numbers import LEARNING
from rasa_intent_discovery.learning.step import Step
from rasa_intent_discovery.learning.token_states import TokenStates

#: Share of the tokens that are erased from a view; temperature of the second stage; and the share of the
#: texts that change cluster below which training stops. All as in the settings of its authors' program for
#: BANKING77; for CLINC150 they have a temperature of 0.1, which is not told here from the data.
ERASED, TEMPERATURE, TOLERANCE = 0.4, 0.05, 0.0005


def usnid_loss(
    views: torch.Tensor, logits: torch.Tensor, clusters: torch.Tensor, temperature: float = TEMPERATURE
) -> torch.Tensor:
    """`L_con + (CE(a) + CE(b)) / 2`: supervised contrastive on clusters, and cross-entropy of views a and b.

    Args:
        views: (2 b, d), the first views of b texts, then the second ones in the same order.
        logits: (2 b, K), of the same.
        clusters: (b,) int64, 0..K - 1.
        temperature: greater than 0.

    Returns:
        scalar.
    """
    classified = nn.functional.cross_entropy(logits, torch.cat([clusters, clusters]))
    return two_view_contrastive(views, clusters, temperature) + classified


def erased(states: TokenStates, rows: torch.Tensor, share: float, generator: torch.Generator) -> TokenStates:
    """Some texts without a random share of their tokens, drawn anew; the first token of a text is kept.

    Args:
        rows: (b,) int64; share: 0..1.
    """
    part = states.selected(rows)
    kept = torch.rand(int(part.offsets[-1]), generator=generator) >= share
    kept[part.offsets[:-1]] = True
    # How many are kept up to each offset.
    offsets = torch.cat([kept.new_zeros(1, dtype=torch.long), kept.cumsum(0)])[part.offsets]
    return TokenStates(part.states[kept.to(part.states.device)], offsets, part.pooled)


def count_keeping_known(features: Array, labels: Array, k_start: int, seed: int) -> Clustering:
    """The clusters of K' that match a known intent, and of the others those of n / K' rows or more.

    Args:
        features: (n, d) float32; labels: (n,) int64, known intents 0..j - 1, or `UNLABELED`.
    """
    found = kmeans(features, k_start, seed)
    _, matched = linear_sum_assignment(cdist(class_centers(features, labels), found.centroids))
    large = np.bincount(found.assignments, minlength=k_start) >= len(features) / k_start
    large[matched] = True
    return constrained_kmeans(features, found.centroids[large])


def usnid(task: Task) -> Fitted:
    """Pre-trains, and then clusters and trains by turns; each clustering starts from the last clusters.

    It starts from the means of their texts as they are now: the paper's centroids of the last epoch may lie
    far off where the features have moved together.
    """
    learn_known_by_views(task)
    config, encoder, device = task.config, task.encoder, task.encoder.device
    rows = task.features()
    if task.k is None:
        last = count_keeping_known(rows, task.labels, task.k_start, config.seed)
    else:
        last = kmeans(rows, task.k, config.seed, config.seedings)
    classifier = initialized_linear(encoder.width, last.k, config.seed).to(device)
    contrast = initialized_linear(encoder.width, last.k, config.seed + 1).to(device)
    labels, unlabeled = torch.from_numpy(task.labels).to(device), np.full(len(rows), UNLABELED)
    generator = torch.Generator().manual_seed(config.seed)
    # A pass over all texts as they come: the labelled ones have had one of their own.
    training = Training(task, [encoder, classifier, contrast], config.aligned_epochs, labeled_share=0.0)
    supervised = Training(task, [encoder, contrast], config.aligned_epochs, rows=task.labeled)

    def dropped(views: torch.Tensor) -> torch.Tensor:
        return nn.functional.dropout(views, LEARNING.classifier_dropout)

    def known(batch: torch.Tensor, step: Step) -> torch.Tensor:
        views = dropped(encoder(task.states, torch.cat([batch, batch]), step))
        return two_view_contrastive(contrast(views), labels[batch], TEMPERATURE)

    def clustered(batch: torch.Tensor, step: Step) -> torch.Tensor:
        twice = erased(task.states, torch.cat([batch, batch]), ERASED, generator)
        views = dropped(encoder(twice, torch.arange(len(twice)), step))
        clusters = torch.from_numpy(last.assignments[batch.numpy()]).to(device)
        return usnid_loss(contrast(views), classifier(views), clusters)

    for epoch in range(config.aligned_epochs):
        supervised.epoch(known)
        current = continued(task.features(), unlabeled, last, 0.0)
        if epoch and (current.assignments != last.assignments).mean() < TOLERANCE:
            break
        last = current
        training.epoch(clustered)
    return by_centroids(encoder.embed, continued(task.features(), unlabeled, last, 0.0))
