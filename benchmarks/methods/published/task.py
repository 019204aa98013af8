"""What a published method of discovery is given, and what it leaves behind to be scored.

All see the same: the output of the encoder's frozen layers, the labels of the known intents as the split
gives them, and the number of clusters or the K' to estimate it from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rasa_intent_discovery.clustering.clusters import nearest
from rasa_intent_discovery.clustering.k_estimate import estimate_k_by_size
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import UNLABELED, Array, Clustering, no_progress
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.pretrain import hold_out, pretrain
from rasa_intent_discovery.learning.token_states import TokenStates


@dataclass(frozen=True, eq=False)
class Task:
    """n training texts of which some are labelled, and the encoder that a method trains in place.

    Attributes:
        encoder: its frozen layers have read the texts; its last ones are trained.
        states: of the n texts.
        labels: (n,) int64, known intents 0..j - 1, or `UNLABELED`.
        held_out: further labelled texts, only used to choose the epoch of pre-training; None holds out a
            tenth.
        config: the settings of preset `paper` with those of the method.
        k: the true number of clusters; None if it is to be estimated.
        k_start: K', the number of clusters from which it is estimated.
    """

    encoder: Encoder
    states: TokenStates
    labels: Array
    held_out: tuple[TokenStates, Array] | None
    config: DiscoveryConfig
    k: int | None
    k_start: int

    def learn_known(self) -> None:
        """Pre-trains the encoder in place on the known intents, as the settings say."""
        states, labels = self.states, self.labels
        held = np.zeros(len(labels), dtype=bool)
        if self.held_out is not None:
            states = states.joined(self.held_out[0])
            labels = np.concatenate([labels, self.held_out[1]])
            held = np.concatenate([held, np.ones(len(self.held_out[1]), dtype=bool)])
        elif self.config.pretrain_patience:
            held = hold_out(labels, self.config.seed)
        pretrain(self.encoder, states, labels, held, self.config, no_progress)

    def features(self) -> Array:
        """(n, d) float32, by the encoder in its current state."""
        return self.encoder.embed(self.states)

    def clusters(self, features: Array) -> int:
        """The number of clusters; where it is not given, how many of K' clusters are large."""
        if self.k is not None:
            return self.k
        return estimate_k_by_size(features, self.k_start, self.config.seed).k

    @property
    def outputs(self) -> int:
        """The outputs of a network that has one for each cluster; superfluous ones are dropped afterwards."""
        return self.k_start if self.k is None else self.k

    @property
    def labeled(self) -> Array:
        """(m,) int64, the rows that have a label."""
        return np.flatnonzero(self.labels != UNLABELED)


@dataclass(frozen=True, eq=False)
class Fitted:
    """What a method has learnt.

    Attributes:
        features: the (m, d) float32 features, of any texts, that are clustered.
        assign: the (m,) int64 clusters, 0..k - 1, that the method gives any texts to.
        k: how many clusters.
        centroids: (k, d) float32, the means of the features of the training texts of each cluster.
    """

    features: Callable[[TokenStates], Array]
    assign: Callable[[TokenStates], Array]
    k: int
    centroids: Array


def by_centroids(features: Callable[[TokenStates], Array], clustering: Clustering) -> Fitted:
    """Texts go to the nearest of the centroids."""
    return Fitted(
        features,
        lambda states: nearest(features(states), clustering.centroids),
        clustering.k,
        clustering.centroids,
    )


def by_shares(
    task: Task,
    features: Callable[[TokenStates], Array],
    shares: Callable[[TokenStates], Array],
    counted: bool = False,
) -> Fitted:
    """Texts go to the cluster that a network gives the largest share.

    Args:
        counted: whether the outputs are K' where the number is not given. Then an output is a cluster if at
            least n / K' training texts go to it (the paper's equation 5), at least the largest one; the other
            outputs are not asked any more.
        shares: the (m, outputs) shares 0..1 of any texts.
    """
    found = shares(task.states)
    sizes = np.bincount(found.argmax(1), minlength=found.shape[1])
    least = len(found) / task.k_start if counted and task.k is None else 0.0
    kept = np.flatnonzero(sizes >= min(least, sizes.max()))
    assignments, rows = found[:, kept].argmax(1), features(task.states)
    # An output that no text goes to has no mean of its own: it gets that of all.
    means = np.tile(rows.mean(0), (len(kept), 1))
    for cluster in np.unique(assignments):
        means[cluster] = rows[assignments == cluster].mean(0)
    return Fitted(features, lambda states: shares(states)[:, kept].argmax(1), len(kept), means)
