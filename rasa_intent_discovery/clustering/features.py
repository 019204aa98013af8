"""The space the messages are clustered in. Arrays only.

Two views of a message stand side by side. The trained encoder knows the known intents best, but training on
them draws everything towards them, which costs new ones. The untrained encoder has no such pull, and needs
only to be told what does not matter: how much, and in which directions, messages of *one* intent differ is
measured on the known intents and divided out (within-class covariance normalisation; Hatch et al., 2006).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.covariance import ledoit_wolf

from rasa_intent_discovery.clustering.numbers import CLUSTERING
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import UNLABELED, Array, normalized


def mean_distance(unit: Array) -> float:
    """The mean cosine distance of two different rows of n, (n, d) of length 1; n is two at least."""
    return (1.0 - float(np.square(unit.mean(0)).sum())) * len(unit) / (len(unit) - 1)


def shares(similarity: Array) -> Array:
    """(m, k) cosines to centres -> (m, k) 0..1: their softmax, which adds up to 1 in each row."""
    logits = similarity / CLUSTERING.confidence_temperature
    weights = np.exp(logits - logits.max(1, keepdims=True))
    softmax: Array = weights / weights.sum(1, keepdims=True)
    return softmax


@dataclass(frozen=True, eq=False)
class FeatureSpace:
    """How features of the encoder become features to cluster; fitted once, used for any text.

    Attributes:
        untrained_share: 0..1, weight of the untrained view; a scalar product in the space is so many times
            its cosine plus `1 - untrained_share` times the trained one's. 0 leaves it out.
        normalize: whether rows have length 1.
        mean: (h,) float32 and
        projection: (h, h) float32, of the untrained view: `(x - mean) @ projection`.
    """

    untrained_share: float
    normalize: bool
    mean: Array
    projection: Array

    @classmethod
    def fit(cls, pretrained: Array, labels: Array, config: DiscoveryConfig) -> FeatureSpace:
        """Learns from the labelled rows how messages of one intent differ.

        Args:
            pretrained: (n, h) float32, pretrained features.
            labels: (n,) int64, known intents, or `UNLABELED`.
        """
        share = (1.0 if config.trained_layers == 0 else config.untrained_share) if config.normalize else 0.0
        unit = normalized(pretrained)
        projection = within_class_projection(unit, labels)
        return cls(share, config.normalize, unit.mean(0), projection.astype(np.float32))

    def __call__(self, pretrained: Array, trained: Array) -> Array:
        """Features to cluster.

        Args:
            pretrained, trained: (n, h) and (n, d) float32, features of the same texts.

        Returns:
            (n, h + d) float32, (n, h) where `untrained_share` is 1, (n, d) where it is 0.
        """
        if not self.normalize:
            return trained
        views = []
        if self.untrained_share > 0.0:
            views.append(np.sqrt(self.untrained_share) * self.untrained(pretrained))
        if self.untrained_share < 1.0:
            views.append(np.sqrt(1.0 - self.untrained_share) * normalized(trained))
        return np.hstack(views).astype(np.float32)

    def untrained(self, pretrained: Array) -> Array:
        """The untrained encoder's view alone; (n, h) float32, rows of length 1.

        It has learnt nothing from any cluster, so it can be asked whether a cluster is real.
        """
        return normalized((normalized(pretrained) - self.mean) @ self.projection).astype(np.float32)


def within_class_projection(features: Array, labels: Array) -> Array:
    """The linear map after which messages of one intent differ equally in every direction.

    Args:
        features: (n, h).
        labels: (n,) int64, or `UNLABELED`.

    Returns:
        (h, h): the eigenvectors of the labelled rows' within-class covariance, each divided by the square
        root of its eigenvalue. The covariance is shrunk as Ledoit and Wolf (2004) advise, the more the fewer
        rows there are; without two examples of any intent it is the identity.
    """
    labeled = labels != UNLABELED
    inside, of = features[labeled], labels[labeled]
    centers = {label: inside[of == label].mean(0) for label in np.unique(of)}
    deviations = inside - np.stack([centers[label] for label in of])
    if not np.any(deviations):
        return np.eye(features.shape[1])
    shrunk, _ = ledoit_wolf(deviations, assume_centered=True)
    values, vectors = np.linalg.eigh(shrunk)
    found: Array = vectors / np.sqrt(np.maximum(values, 1e-12))
    return found
