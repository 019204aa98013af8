"""Deep aligned clustering: in turns cluster, align the ids, and train on them (paper, section 3.3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import torch

from rasa_intent_discovery.clustering.clusters import align_centroids, constrained_kmeans, kmeans, silhouette
from rasa_intent_discovery.clustering.features import FeatureSpace
from rasa_intent_discovery.clustering.neighbors import averaged_with_neighbors
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import UNLABELED, Array, Clustering, Progress
from rasa_intent_discovery.learning.checkpoints import Checkpoint
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.processes import Processes
from rasa_intent_discovery.learning.token_states import TokenStates
from rasa_intent_discovery.learning.trainer import BestEpoch, Trainer


@dataclass(frozen=True)
class AlignedResult:
    """Attributes:
    epochs: number of epochs run.
    silhouettes: of each epoch's clusters.
    changed: share of messages that changed cluster in each epoch.
    """

    epochs: int
    silhouettes: tuple[float, ...]
    changed: tuple[float, ...]


def train_aligned(
    encoder: Encoder,
    states: TokenStates,
    labels: Array,
    embedded: Array,
    first: Clustering,
    trusted: Array,
    space: FeatureSpace,
    config: DiscoveryConfig,
    progress: Progress,
    align: bool,
    checkpoint: Checkpoint,
    processes: Processes,
) -> AlignedResult:
    """Trains the encoder's last layers in place on cluster assignments as pseudo-labels.

    It goes on from the epoch that the checkpoint is of.

    Aligning keeps the cluster ids from epoch to epoch, so that the same classifier can be trained further.

    Args:
        states: of n texts.
        labels: (n,) int64, known intents; with `keep_known_labels` an example of intent i is trained as i.
        embedded: (n, d) float32, features of the encoder before this stage.
        first: clusters of these, in `space`, to start from; with `keep_known_labels` its cluster i is known
            intent i.
        trusted: (k,) bool, clusters used as labels; messages of the others are trained without a label.
        space: maps the encoder's features to those that are clustered.
        config: `aligned_epochs`, `aligned_patience` (on the silhouette), `keep_known_labels`.
        align: False reinitialises the classifier in every epoch instead, as in DeepCluster (Caron et al.,
            2018); for comparison, and only without `constrained`.
        checkpoint: of the first process; those of the others are not used.
        processes: that train together; the first clusters.
    """
    rows, epochs = np.arange(len(states)), config.aligned_epochs
    before = torch.from_numpy(embedded).to(encoder.device)
    trainer = Trainer(encoder, states, rows, labels, first.k, epochs, config, before, "aligned", processes)
    best, last, epoch = BestEpoch(encoder, config.aligned_patience), first, 0
    silhouettes, changed = [], []
    if (kept := processes.shared(checkpoint.load)) is not None:
        trainer.resume(kept["trainer"])
        best.resume(kept["best"])
        last, epoch = Clustering(**kept["last"]), kept["epoch"]
        silhouettes, changed = kept["silhouettes"], kept["changed"]
    planned = range(epoch + 1, epochs + 1)
    for epoch in progress(planned, "aligned clustering", len(planned)):
        if epoch > 1:
            embedded = encoder.embed(states, processes)
        features = space(states.pretrained, embedded)
        current, score = processes.shared(
            partial(_clustered, features, labels, first, last, config, epoch, align)
        )
        silhouettes.append(score)
        changed.append(float((current.assignments != last.assignments).mean()))
        last = current
        if config.aligned_patience and best.is_over(silhouettes[-1]):
            break
        if not (align or config.constrained):
            trainer.start_anew(config.seed + epoch)
        trainer.epoch(_targets(current, trusted, labels, config))
        done = {"trainer": trainer.checkpoint(), "best": best.checkpoint(), "last": vars(last)}
        checkpoint.save({**done, "epoch": epoch, "silhouettes": silhouettes, "changed": changed})
    best.restore()
    return AlignedResult(epoch, tuple(silhouettes), tuple(changed))


def _clustered(
    features: Array,
    labels: Array,
    first: Clustering,
    last: Clustering,
    config: DiscoveryConfig,
    epoch: int,
    align: bool,
) -> tuple[Clustering, float]:
    """The clusters of an epoch, and their silhouette."""
    # Constrained clusters of these features are given: a second clustering changes nothing.
    reuse_first = epoch == 1 and config.constrained
    current = first if reuse_first else _cluster_again(features, labels, last, config, epoch, align)
    return current, silhouette(features, current.assignments, config.seed)


def _cluster_again(
    features: Array,
    labels: Array,
    last: Clustering,
    config: DiscoveryConfig,
    epoch: int,
    align: bool,
) -> Clustering:
    """Clusters the features; the ids are those of the last epoch, unless alignment is off."""
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
    """k-means from the current means of the last clusters' members, so that clusters keep their ids.

    The start of a cluster without members is its last centroid.

    Args:
        neighbor_share: 0..1, weight of a row's neighbours in the clustered features and in the centroids.
    """
    features = averaged_with_neighbors(features, neighbor_share)
    means = last.centroids.copy()
    for cluster in np.unique(last.assignments):
        means[cluster] = features[last.assignments == cluster].mean(0)
    return constrained_kmeans(features, means, labels)


def _targets(clustering: Clustering, trusted: Array, labels: Array, config: DiscoveryConfig) -> Array:
    targets = np.where(trusted[clustering.assignments], clustering.assignments, UNLABELED)
    return np.where(labels != UNLABELED, labels, targets) if config.keep_known_labels else targets
