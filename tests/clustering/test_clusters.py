"""Clustering of arrays, on points small enough to see where each belongs."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from blobs import blobs
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score
from threadpoolctl import threadpool_limits

from rasa_intent_discovery.clustering import clusters
from rasa_intent_discovery.clustering.clusters import (
    align_centroids,
    best_constrained_kmeans,
    class_centers,
    constrained_kmeans,
    inertia,
    kmeans,
    known_first,
    matched_starts,
    nearest,
    silhouette,
    ward_starts,
)
from rasa_intent_discovery.clustering.numbers import CLUSTERING
from rasa_intent_discovery.datatypes import UNLABELED, Clustering


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Threads that wait for each other cost rows this few more than all the rest."""
    with threadpool_limits(1):
        yield


def points(*rows: list[float]) -> np.ndarray:
    return np.array(rows, dtype=np.float32)


def same_groups(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two assignments agree up to the numbers of the clusters."""
    pairs = set(zip(one.tolist(), other.tolist(), strict=True))
    return len(pairs) == len(set(one.tolist())) == len(set(other.tolist()))


# k-means


def test_kmeans_finds_the_heaps() -> None:
    features, heaps = blobs(4, 20)

    clustering = kmeans(features, 4, seed=0, seedings=5)

    assert same_groups(clustering.assignments, heaps)
    assert (clustering.k, clustering.centroids.dtype, clustering.assignments.dtype) == (4, "float32", "int64")


def test_the_same_seed_gives_the_same_clustering() -> None:
    features = np.random.default_rng(0).normal(size=(200, 3)).astype(np.float32)

    one, again, other = (kmeans(features, 9, seed).assignments for seed in (1, 1, 2))

    assert (one == again).all()
    assert (one != other).any()


def test_without_labels_constrained_kmeans_is_kmeans() -> None:
    features = np.random.default_rng(0).normal(size=(300, 4)).astype(np.float32)
    starts = features[:7]

    clustering = constrained_kmeans(features, starts)

    reference = KMeans(n_clusters=7, init=starts, n_init=1, tol=0.0, max_iter=100).fit(features)
    assert (clustering.assignments == reference.labels_).all()
    np.testing.assert_allclose(clustering.centroids, reference.cluster_centers_, atol=1e-5)
    assert inertia(features, clustering) == pytest.approx(reference.inertia_, rel=1e-5)


def test_rows_with_no_label_among_labels_are_kmeans_too() -> None:
    features = np.random.default_rng(0).normal(size=(50, 4)).astype(np.float32)
    unlabeled = np.full(50, UNLABELED)

    constrained, plain = (
        constrained_kmeans(features, features[:3], unlabeled),
        constrained_kmeans(features, features[:3]),
    )

    assert (constrained.assignments == plain.assignments).all()


def test_a_labelled_row_never_leaves_its_cluster() -> None:
    # The last point lies with the second heap, but is an example of the first.
    features = points([0, 0], [0, 1], [10, 0], [10, 1], [9, 0])
    labels = np.array([0, UNLABELED, 1, UNLABELED, 0])

    clustering = constrained_kmeans(features, points([0, 0], [10, 0]), labels)

    assert clustering.assignments.tolist() == [0, 0, 1, 1, 0]
    np.testing.assert_allclose(clustering.centroids, [[3, 1 / 3], [10, 0.5]], atol=1e-5)
    assert inertia(features, clustering) == pytest.approx(9 + 9 + 36 + 2 * 1 / 9 + 4 / 9 + 0.5)


def test_the_labelled_row_draws_its_cluster_s_centre_and_so_other_rows() -> None:
    features = points([0], [4], [6])

    free = constrained_kmeans(features, points([0], [6]))
    drawn = constrained_kmeans(features, points([0], [6]), np.array([UNLABELED, UNLABELED, 0]))

    assert free.assignments.tolist() == [0, 1, 1]
    assert drawn.assignments.tolist() == [0, 1, 0]


def test_an_empty_cluster_stays_where_it_was() -> None:
    clustering = constrained_kmeans(points([0, 0], [2, 0]), points([1, 1], [50, 50]))

    assert clustering.assignments.tolist() == [0, 0]
    assert clustering.centroids.tolist() == [[1, 0], [50, 50]]


def test_the_rows_that_came_in_are_left_as_they_were() -> None:
    features, labels = points([0], [4], [6]), np.array([UNLABELED, UNLABELED, 0])
    starts = points([0], [6])

    constrained_kmeans(features, starts, labels)

    assert (features.tolist(), starts.tolist(), labels.tolist()) == ([[0], [4], [6]], [[0], [6]], [-1, -1, 0])


# Starts


def test_known_centres_take_the_place_of_the_starts_they_match() -> None:
    starts = points([5, 5], [0, 0], [9, 9])

    assert matched_starts(points([8, 8], [1, 1]), starts).tolist() == [[8, 8], [1, 1], [5, 5]]


def test_two_known_centres_near_one_start_take_two_places() -> None:
    assert (
        matched_starts(points([0.1], [0.2]), points([0], [3], [9])).tolist()
        == points([0.1], [0.2], [9]).tolist()
    )


def test_class_centres_are_means_in_the_order_of_the_labels() -> None:
    features = points([1, 1], [3, 5], [0, 2], [9, 9])

    assert class_centers(features, np.array([1, 1, 0, UNLABELED])).tolist() == [[0, 2], [2, 3]]


def test_ward_s_starts_are_the_centres_of_the_heaps() -> None:
    features, heaps = blobs(4, 30, spread=0.01)

    starts = ward_starts(features, 4, np.random.default_rng(0))

    assert starts.shape == (4, 5)
    assert sorted(nearest(starts, class_centers(features, heaps)).tolist()) == [0, 1, 2, 3]


def test_there_can_be_as_many_starts_as_rows() -> None:
    features = points([0], [1], [2])

    assert sorted(ward_starts(features, 3, np.random.default_rng(0)).ravel().tolist()) == [0, 1, 2]


def test_the_best_start_puts_every_heap_in_a_cluster_and_known_ones_first() -> None:
    features, heaps = blobs(5, 30)
    labels = np.where((heaps < 2) & (np.arange(150) % 5 == 0), heaps, UNLABELED)

    clustering = best_constrained_kmeans(features, 5, labels, seed=0, seedings=4)

    assert same_groups(clustering.assignments, heaps)
    assert clustering.assignments[heaps == 0].tolist() == [0] * 30
    assert clustering.assignments[heaps == 1].tolist() == [1] * 30


def test_more_starts_are_never_looser() -> None:
    features = np.random.default_rng(0).normal(size=(150, 4)).astype(np.float32)
    labels = np.where(np.arange(150) < 6, np.arange(150) // 2, UNLABELED)

    tightness = [
        inertia(features, best_constrained_kmeans(features, 30, labels, seed=0, seedings=seedings))
        for seedings in (1, 2, 4, 8)
    ]

    assert tightness == sorted(tightness, reverse=True)
    assert tightness[-1] < tightness[0]


def test_rows_that_are_all_alike_but_a_few_are_clustered_too() -> None:
    """As texts of signs that the encoder does not know are."""
    features = points(*[[0, 0]] * 20, [1, 0], [1, 1])
    labels = np.array([0] + [UNLABELED] * 20 + [1])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clustering = best_constrained_kmeans(features, 6, labels, seed=0, seedings=2)

    assert (clustering.assignments[0], clustering.assignments[-1]) == (0, 1)
    assert np.isfinite(clustering.centroids).all()


def test_the_nearest_centroid() -> None:
    assert nearest(points([0, 0], [4, 4], [9, 9]), points([10, 10], [1, 1])).tolist() == [1, 1, 0]


# Alignment


def test_alignment_undoes_a_permutation() -> None:
    last = np.random.default_rng(0).normal(size=(6, 3)).astype(np.float32)
    order = np.array([3, 0, 5, 1, 4, 2])

    # Cluster i of now stands where cluster order[i] stood, but for a little.
    assert align_centroids(last[order] + 0.01, last).tolist() == order.tolist()


def test_alignment_is_one_to_one_where_two_centroids_claim_the_same_one() -> None:
    # Both are nearest to 0; the second gives way, for together that is closest.
    assert align_centroids(points([0], [1]), points([0], [5])).tolist() == [0, 1]


# Silhouette


def test_the_silhouette_is_sklearn_s() -> None:
    features = np.random.default_rng(0).normal(size=(100, 4))
    assignments = np.arange(100) % 3

    assert silhouette(features, assignments, seed=0) == pytest.approx(silhouette_score(features, assignments))


def test_heaps_have_a_high_silhouette_and_wrong_ones_a_low_one() -> None:
    features, heaps = blobs(4, 20)

    assert silhouette(features, heaps, seed=0) > 0.9
    assert silhouette(features, np.arange(80) % 4, seed=0) < 0.0


@pytest.mark.parametrize("assignments", [[0, 0, 0, 0], [0, 1, 2, 3]], ids=["one cluster", "each its own"])
def test_where_the_silhouette_is_not_defined(assignments: list[int]) -> None:
    assert silhouette(points([0], [1], [2], [9]), np.array(assignments), seed=0) == -1.0


def test_of_many_rows_a_sample_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "CLUSTERING", replace(CLUSTERING, silhouette_rows=40))
    features, heaps = blobs(4, 50)

    sampled = silhouette(features, heaps, seed=0)

    assert sampled == silhouette(features, heaps, seed=0)
    assert sampled == pytest.approx(silhouette_score(features, heaps), abs=0.02)


def test_known_intents_get_the_clusters_that_suit_them_best_together() -> None:
    labels = np.array([0, 0, 0, 1, 1, 1, 2, UNLABELED])
    found = Clustering(np.array([3, 3, 3, 3, 3, 0, 1, 2]), np.arange(8, dtype=np.float32).reshape(4, 2))

    ordered = known_first(found, labels)

    # Cluster 3 has most examples of both 0 and 1; 0 has more there, so 1 gets the one that has its third.
    assert ordered.assignments.tolist() == [0, 0, 0, 0, 0, 1, 2, 3]
    assert ordered.centroids.tolist() == found.centroids[[3, 0, 1, 2]].tolist()
