"""Clustering of arrays: k-means and its starts, alignment of centroids, silhouette.

Knows nothing of texts, encoders or intents. Letters: `n` rows, `d` width, `k` clusters.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score

from rasa_intent_discovery.clustering.held import Held, hold
from rasa_intent_discovery.clustering.linkage import cut_into, ward_linkage
from rasa_intent_discovery.clustering.numbers import CLUSTERING
from rasa_intent_discovery.datatypes import UNLABELED, Array, Clustering, Progress, no_progress


def kmeans(features: Array, k: int, seed: int, seedings: int = 1) -> Clustering:
    """k-means from k-means++ starts: the clustering of lowest inertia among `seedings` of them."""
    fitted = KMeans(n_clusters=k, n_init=seedings, random_state=seed).fit(features)
    return Clustering(fitted.labels_.astype(np.int64), fitted.cluster_centers_.astype(np.float32))


def constrained_kmeans(features: Array, starts: Array, labels: Array | None = None) -> Clustering:
    """k-means from given first centroids in which a row of label i never leaves cluster i.

    Basu et al., "Semi-supervised Clustering by Seeding" (2002). Without labels it is plain k-means.

    Args:
        features: (n, d) float32.
        starts: (k, d); an empty cluster stays where it was.
        labels: (n,) int64 in 0..k - 1, or `UNLABELED`.
    """
    return _constrained(hold(features), starts, labels)


def _constrained(rows: Held, starts: Array, labels: Array | None) -> Clustering:
    """As `constrained_kmeans`."""
    k = len(starts)
    centroids, assignments = starts.astype(np.float32), None
    for _ in range(CLUSTERING.iterations):
        moved = _nearest_allowed(rows, centroids, labels)
        if assignments is not None and (moved == assignments).all():
            break
        assignments = moved
        sizes = np.bincount(assignments, minlength=k)[:, None]
        means = rows.sums(assignments, k) / np.maximum(sizes, 1)
        centroids = np.where(sizes > 0, means, centroids).astype(np.float32)
    assert assignments is not None
    return Clustering(assignments, centroids)


def best_constrained_kmeans(
    features: Array, k: int, labels: Array, seed: int, seedings: int, progress: Progress = no_progress
) -> Clustering:
    """Constrained k-means from the best of many starts: that with the lowest inertia over all rows.

    A start is Ward's agglomeration of a sample, improved by k-means on it: that gives a lower inertia than
    k-means++, and sooner. Centres that match a known intent's are replaced by it. Inertia needs no label and
    goes with accuracy, so trying many starts and keeping the tightest pays more than any one of them.

    Args:
        features: (n, d) float32.
        labels: (n,) int64, labels 0..j - 1 with j <= k all present, or `UNLABELED`.
    """
    rng = np.random.default_rng(seed)
    centers = class_centers(features, labels)
    size = min(len(features), max(2 * k, CLUSTERING.seeding_rows))
    every, best = hold(features), None
    for _ in progress(range(seedings), "clustering", seedings):
        rows = np.sort(rng.choice(len(features), size, replace=False))
        starts = matched_starts(centers, ward_starts(features[rows], k, rng))
        centroids = constrained_kmeans(features[rows], starts, labels[rows]).centroids
        found = inertia(features, Clustering(_nearest_allowed(every, centroids, labels), centroids))
        if best is None or found < best[1]:
            best = centroids, found
    assert best is not None
    return _constrained(every, best[0], labels)


def inertia(features: Array, clustering: Clustering) -> float:
    """The sum of the squared distances of rows (n, d) to their own centroids."""
    return float(((features - clustering.centroids[clustering.assignments]) ** 2).sum())


def _nearest_allowed(rows: Held, centroids: Array, labels: Array | None) -> Array:
    """(n,) int64, as `nearest`; a labelled row has no choice."""
    found = rows.nearest(centroids)
    return found if labels is None else np.where(labels == UNLABELED, found, labels)


def matched_starts(centers: Array, starts: Array) -> Array:
    """Puts j known centres in the place of the j of k starts that match them best (Hungarian); (k, d)."""
    _, matched = linear_sum_assignment(cdist(centers, starts))
    return np.vstack([centers, np.delete(starts, matched, axis=0)])


def nearest(features: Array, centroids: Array) -> Array:
    """(n,) int64, the centroid closest to each row (Euclidean)."""
    return hold(features).nearest(centroids)


def class_centers(features: Array, labels: Array) -> Array:
    """The mean of each label's rows, labels 0..max in order; (classes, d). Unlabelled rows are ignored."""
    return np.stack([features[labels == label].mean(0) for label in range(int(labels.max()) + 1)])


def ward_starts(features: Array, k: int, rng: np.random.Generator) -> Array:
    """Centres of Ward's agglomeration of four fifths of the rows, at most some thousand of them; (k, d)."""
    size = max(k, min(CLUSTERING.ward_rows, int(CLUSTERING.sampled_share * len(features))))
    rows = np.sort(rng.choice(len(features), size, replace=False))
    return class_centers(features[rows], cut_into(ward_linkage(features[rows]), k))


def known_first(clustering: Clustering, labels: Array) -> Clustering:
    """Renumbers the clusters so that cluster i is the one that holds most examples of known intent i.

    Every known intent keeps a cluster: one that was not found gets the cluster left that suits it best.

    Args:
        labels: (n,) int64, known intents 0..j - 1, or `UNLABELED`.
    """
    held = np.zeros((int(labels.max()) + 1, clustering.k))
    labeled = labels != UNLABELED
    np.add.at(held, (labels[labeled], clustering.assignments[labeled]), 1)
    _, matched = linear_sum_assignment(-held)
    order = np.concatenate([matched, np.setdiff1d(np.arange(clustering.k), matched)])
    number = np.empty(clustering.k, dtype=np.int64)
    number[order] = np.arange(clustering.k)
    return Clustering(number[clustering.assignments], clustering.centroids[order])


def align_centroids(current: Array, last: Array) -> Array:
    """The alignment G of the paper (equation 4): which centroid of the last epoch each one continues.

    Args:
        current: (k, d); last: (k, d).

    Returns:
        (k,) int64: cluster i of now is cluster `result[i]` of before, by the Hungarian algorithm on
        Euclidean distances.
    """
    _, before = linear_sum_assignment(cdist(current, last))
    found: Array = before.astype(np.int64)
    return found


def silhouette(features: Array, assignments: Array, seed: int) -> float:
    """Silhouette coefficient -1..1 (equation 6) on a sample of the rows; -1 where it is not defined."""
    size = CLUSTERING.silhouette_rows if len(features) > CLUSTERING.silhouette_rows else None
    try:
        return float(silhouette_score(features, assignments, sample_size=size, random_state=seed))
    except ValueError:  # Of one cluster, or as many as rows, scikit-learn has none.
        return -1.0
