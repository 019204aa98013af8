"""PCK-means: Basu et al., "Active Semi-Supervision for Pairwise Constrained Clustering" (SDM 2004).

Clustered are the pretrained features, of length 1; every pair of labelled texts is a must-link or a
cannot-link; K is given, or estimated by size. A text without constraints goes to its nearest centroid.
"""

from __future__ import annotations

import numpy as np
from sklearn.cluster import kmeans_plusplus

from benchmarks.methods.published.task import Fitted, Task, by_centroids
from rasa_intent_discovery.clustering.clusters import class_centers, nearest
from rasa_intent_discovery.datatypes import Array, Clustering, normalized

#: The cost of a broken constraint: that of a squared distance of 1, at which cosine is 0.5. By hand, w of the
#: paper.
COST = 1.0
#: Rounds after which to stop, if texts still move. By hand.
ROUNDS = 50


def pck_loss(features: Array, centroids: Array, assignments: Array, labels: Array, cost: float) -> float:
    """`sum |x_i - mu_l|^2 + sum_must w 1[l_i != l_j] + sum_cannot w 1[l_i = l_j]`.

    Args:
        features: (n, d); centroids: (k, d); assignments: (n,) int64, 0..k - 1.
        labels: (n,) int64, `UNLABELED` for a text without constraints; each pair of the others counts once.
        cost: w, at least 0.
    """
    distances = ((features - centroids[assignments]) ** 2).sum()
    counts = _counts(labels, assignments, len(centroids))
    sizes, held = counts.sum(1), counts.sum(0)
    apart = (sizes**2).sum() - (counts**2).sum()
    together = (held**2).sum() - (counts**2).sum()
    return float(distances + cost * (apart + together) / 2)


def _counts(labels: Array, assignments: Array, k: int) -> Array:
    """(j, k) int64: how many texts of each label are in each cluster."""
    labeled = labels >= 0
    counts = np.zeros((int(labels.max(initial=-1)) + 1, k), dtype=np.int64)
    np.add.at(counts, (labels[labeled], assignments[labeled]), 1)
    return counts


def pck_clustering(features: Array, labels: Array, k: int, seed: int, cost: float = COST) -> Clustering:
    """Lowers `pck_loss` by turns: texts go to their cheapest cluster, centroids to the mean of their texts.

    The first centroids are those of the labels, the k that have most texts; what is missing is drawn as by
    k-means++.

    Args:
        features: (n, d) float32; labels: (n,) int64, or `UNLABELED`.
    """
    rng, labeled = np.random.default_rng(seed), np.flatnonzero(labels >= 0)
    order = np.argsort(-np.bincount(labels[labeled]), kind="stable")
    centroids = _starts(features, labels, order, k, seed)
    # A label has the place of its size among the centroids.
    places = np.append(np.minimum(order.argsort(), k - 1), 0)
    assignments = np.where(labels >= 0, places[labels], nearest(features, centroids))
    for _ in range(ROUNDS):
        before = assignments.copy()
        assignments = np.where(labels >= 0, assignments, nearest(features, centroids))
        counts = _counts(labels, assignments, k)
        distances = ((features[labeled, None, :] - centroids[None]) ** 2).sum(2)
        for place in rng.permutation(len(labeled)):
            row = labeled[place]
            own = counts[labels[row]]
            own[assignments[row]] -= 1
            apart, together = own.sum() - own, counts.sum(0) - own
            assignments[row] = np.argmin(distances[place] + cost * (apart + together))
            own[assignments[row]] += 1
        for cluster in np.unique(assignments):
            centroids[cluster] = features[assignments == cluster].mean(0)
        if (assignments == before).all():
            break
    return Clustering(assignments, centroids)


def _starts(features: Array, labels: Array, order: Array, k: int, seed: int) -> Array:
    """(k, d) float32: the centers of the first labels in `order`, and what is drawn beside them."""
    if not len(order):
        return kmeans_plusplus(features, k, random_state=seed)[0].astype(np.float32)
    centers = class_centers(features, labels)[order[:k]]
    if len(centers) == k:
        return centers.astype(np.float32)
    gap = ((features[:, None, :] - centers[None]) ** 2).sum(2).min(1)
    rng, drawn = np.random.default_rng(seed), list(centers)
    while len(drawn) < k:
        drawn.append(features[rng.choice(len(features), p=gap / gap.sum())])
        gap = np.minimum(gap, ((features - drawn[-1]) ** 2).sum(1))
    return np.stack(drawn).astype(np.float32)


def pck_means(task: Task) -> Fitted:
    """Clusters the pretrained features once; nothing is trained."""
    rows = normalized(task.states.pretrained)
    clustering = pck_clustering(rows, task.labels, task.clusters(rows), task.config.seed)
    return by_centroids(lambda states: normalized(states.pretrained), clustering)
