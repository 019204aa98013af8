"""Deep aligned clustering: cluster, align, learn from the clusters, and again (paper, section 3.3)."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np
import torch

from rasa_intent_discovery.clustering.clusters import align_centroids, constrained_kmeans, kmeans, silhouette
from rasa_intent_discovery.clustering.features import FeatureSpace
from rasa_intent_discovery.clustering.neighbors import averaged_with_neighbors
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import UNLABELED, Clustering, Progress, no_progress
from rasa_intent_discovery.learning.encoder import Encoder, initialized_linear
from rasa_intent_discovery.learning.optimizer import BertAdam
from rasa_intent_discovery.learning.pretrain import Batches, softmax_loss, views_loss
from rasa_intent_discovery.learning.token_states import TokenStates

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class AlignedResult:
    """Attributes:
    epochs: how many were run; silhouettes: of each; changed: share of messages that changed cluster.
    """

    epochs: int
    silhouettes: tuple[float, ...]
    changed: tuple[float, ...]


def train_aligned(
    encoder: Encoder,
    states: TokenStates,
    labels: np.ndarray,
    features: np.ndarray,
    first: Clustering,
    trusted: np.ndarray,
    space: FeatureSpace,
    config: DiscoveryConfig,
    progress: Progress = no_progress,
) -> AlignedResult:
    """Trains the encoder's last layers in place on the clusters' own labels.

    Args:
        states: of n texts.
        labels: (n,) int64, known intents; with `keep_known_labels` an example of intent i is trained as i.
        features: (n, d) float32, in the space, before any of it.
        first: clusters of these features to start from; with `keep_known_labels` its cluster i is known
            intent i.
        trusted: (k,) bool, clusters to learn from; the messages of the others only keep their own views
            together.
        space: what is clustered is made of the encoder's features by it.
        config: `aligned_epochs`, `aligned_patience` (on the silhouette), `keep_known_labels`, `align`.
    """
    classifier = initialized_linear(encoder.width, first.k, config.seed).to(encoder.device)
    batches = Batches(np.arange(len(states)), labels, config)
    optimizer = BertAdam([encoder, classifier], config.learning_rate, len(batches) * config.aligned_epochs)
    last = first
    best, best_silhouette, waited, epoch = None, -2.0, 0, 0
    silhouettes, changed = [], []
    for epoch in progress(range(1, config.aligned_epochs + 1), "aligned clustering", config.aligned_epochs):
        if epoch > 1:
            features = space(states.frozen, encoder.embed(states))
        # Nothing has changed since constrained clusters were made of these features.
        as_before = epoch == 1 and config.constrained
        current = first if as_before else _cluster_again(features, labels, last, config, epoch)
        silhouettes.append(silhouette(features, current.assignments, config.seed))
        changed.append(float((current.assignments != last.assignments).mean()))
        last = current
        if config.aligned_patience:
            waited = 0 if silhouettes[-1] > best_silhouette else waited + 1
            if waited == 0:
                best, best_silhouette = encoder.trained_state(), silhouettes[-1]
            elif waited >= config.aligned_patience:
                break
        if not (config.align or config.constrained):
            classifier.load_state_dict(
                initialized_linear(encoder.width, first.k, config.seed + epoch).state_dict()
            )
        targets = _targets(current, trusted, labels, config)
        _learn(encoder, classifier, optimizer, states, batches, targets, config)
    if best is not None:
        encoder.restore(best)
    return AlignedResult(epoch, tuple(silhouettes), tuple(changed))


def _cluster_again(
    features: np.ndarray, labels: np.ndarray, last: Clustering, config: DiscoveryConfig, epoch: int
) -> Clustering:
    """Clusters the features, with ids that continue the last epoch's unless nothing is aligned."""
    if config.constrained:
        return continued(features, labels, last, config.neighbor_share)
    current = kmeans(features, last.k, config.seed + epoch, config.seedings)
    if not config.align:
        return current
    before = align_centroids(current.centroids, last.centroids)
    centroids = np.empty_like(current.centroids)
    centroids[before] = current.centroids
    return Clustering(before[current.assignments], centroids)


def continued(
    features: np.ndarray, labels: np.ndarray, last: Clustering, neighbor_share: float
) -> Clustering:
    """k-means from where the last clusters' members are now: every cluster keeps its id by itself.

    A cluster without members stays where it was.

    Args:
        neighbor_share: 0..1, weight of a row's neighbours in what is clustered, and in the centroids.
    """
    features = averaged_with_neighbors(features, features, neighbor_share)
    means = last.centroids.copy()
    for cluster in np.unique(last.assignments):
        means[cluster] = features[last.assignments == cluster].mean(0)
    return constrained_kmeans(features, means, labels)[0]


def _targets(
    clustering: Clustering, trusted: np.ndarray, labels: np.ndarray, config: DiscoveryConfig
) -> np.ndarray:
    targets = np.where(trusted[clustering.assignments], clustering.assignments, UNLABELED)
    return np.where(labels != UNLABELED, labels, targets) if config.keep_known_labels else targets


def _learn(
    encoder: Encoder,
    classifier: torch.nn.Linear,
    optimizer: BertAdam,
    states: TokenStates,
    batches: Batches,
    targets: np.ndarray,
    config: DiscoveryConfig,
) -> None:
    """One epoch on the pseudo-labels; the classifier goes on from the last one (the point of aligning)."""
    for batch in batches:
        batch_targets = torch.from_numpy(targets)[batch]
        if config.pretraining == "contrastive":
            loss = views_loss(encoder, classifier, states, batch, batch_targets, batch_targets, config)
        else:
            loss = softmax_loss(encoder, classifier, states, batch, batch_targets)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
