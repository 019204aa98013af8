"""Deep aligned clustering: cluster, align, learn from the clusters, and again (paper, section 3.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rasa_intent_discovery.clustering.clusters import align_centroids, constrained_kmeans, kmeans, silhouette
from rasa_intent_discovery.clustering.features import FeatureSpace
from rasa_intent_discovery.clustering.neighbors import averaged_with_neighbors
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import UNLABELED, Array, Clustering, Progress, no_progress
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.token_states import TokenStates
from rasa_intent_discovery.learning.trainer import BestEpoch, Trainer


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
    labels: Array,
    features: Array,
    first: Clustering,
    trusted: Array,
    space: FeatureSpace,
    config: DiscoveryConfig,
    progress: Progress = no_progress,
    align: bool = True,
) -> AlignedResult:
    """Trains the encoder's last layers in place on the clusters' own labels.

    The clusters keep their numbers from epoch to epoch, so the classifier goes on: the point of aligning.

    Args:
        states: of n texts.
        labels: (n,) int64, known intents; with `keep_known_labels` an example of intent i is trained as i.
        features: (n, d) float32, in the space, before any of it.
        first: clusters of these features to start from; with `keep_known_labels` its cluster i is known
            intent i.
        trusted: (k,) bool, clusters to learn from; the messages of the others only keep their own views
            together.
        space: what is clustered is made of the encoder's features by it.
        config: `aligned_epochs`, `aligned_patience` (on the silhouette), `keep_known_labels`.
        align: without it every epoch's clusters are numbered anew and so is the classifier, as in DeepCluster
            (Caron et al., 2018): for comparison only, and where nothing is constrained.
    """
    trainer = Trainer(encoder, states, np.arange(len(states)), labels, first.k, config.aligned_epochs, config)
    best, last, epoch = BestEpoch(encoder, config.aligned_patience), first, 0
    silhouettes, changed = [], []
    for epoch in progress(range(1, config.aligned_epochs + 1), "aligned clustering", config.aligned_epochs):
        if epoch > 1:
            features = space(states.pretrained, encoder.embed(states))
        # Nothing has changed since constrained clusters were made of these features.
        as_before = epoch == 1 and config.constrained
        current = first if as_before else _cluster_again(features, labels, last, config, epoch, align)
        silhouettes.append(silhouette(features, current.assignments, config.seed))
        changed.append(float((current.assignments != last.assignments).mean()))
        last = current
        if config.aligned_patience and best.is_over(silhouettes[-1]):
            break
        if not (align or config.constrained):
            trainer.start_anew(config.seed + epoch)
        trainer.epoch(_targets(current, trusted, labels, config))
    best.restore()
    return AlignedResult(epoch, tuple(silhouettes), tuple(changed))


def _cluster_again(
    features: Array,
    labels: Array,
    last: Clustering,
    config: DiscoveryConfig,
    epoch: int,
    align: bool,
) -> Clustering:
    """Clusters the features, with ids that continue the last epoch's unless nothing is aligned."""
    if config.constrained:
        return continued(features, labels, last, config.neighbor_share)
    current = kmeans(features, last.k, config.seed + epoch, config.seedings)
    if not align:
        return current
    before = align_centroids(current.centroids, last.centroids)
    centroids = np.empty_like(current.centroids)
    centroids[before] = current.centroids
    return Clustering(before[current.assignments], centroids)


def continued(features: Array, labels: Array, last: Clustering, neighbor_share: float) -> Clustering:
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


def _targets(clustering: Clustering, trusted: Array, labels: Array, config: DiscoveryConfig) -> Array:
    targets = np.where(trusted[clustering.assignments], clustering.assignments, UNLABELED)
    return np.where(labels != UNLABELED, labels, targets) if config.keep_known_labels else targets
