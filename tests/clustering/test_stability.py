"""How stable a grouping is."""

from __future__ import annotations

import numpy as np
import pytest

from rasa_intent_discovery.clustering.clusters import kmeans
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.stability import best_overlap, cluster_stability, stability
from rasa_intent_discovery.datatypes import Clustering


def heaps_of(
    *sizes: int, spread: float = 0.1, width: int = 5, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Heaps of points far from each other, and which heap each is of."""
    rng = np.random.default_rng(seed)
    heaps = np.repeat(np.arange(len(sizes)), sizes)
    centers = 3 * rng.normal(size=(len(sizes), width))
    return (centers[heaps] + spread * rng.normal(size=(len(heaps), width))).astype(np.float32), heaps


def test_best_overlap_is_jaccards() -> None:
    ours = np.array([0, 0, 0, 1, 1, UNGROUPED])
    again = np.array([4, 4, 2, 2, UNGROUPED, 2])

    overlap, sizes = best_overlap(ours, again, 3)

    # Group 0: two of its three are in a group of two. Group 1: one of two, in a group of three.
    assert overlap.tolist() == [pytest.approx(2 / 3), pytest.approx(1 / 4), 0.0]
    assert sizes.tolist() == [3, 2, 0]


def test_a_group_is_asked_about_only_in_the_samples_that_it_has_rows_in() -> None:
    assignments = np.array([0] * 99 + [1])

    stable = stability(assignments, 2, lambda rows: assignments[rows], np.random.default_rng(0), 40, 50)

    assert stable.tolist() == [1.0, 1.0]


def test_rows_that_are_always_there_are_in_every_sample() -> None:
    assignments, seen = np.zeros(50, dtype=np.int64), []

    def again(rows: np.ndarray) -> np.ndarray:
        seen.append(rows.tolist())
        return assignments[rows]

    stability(assignments, 1, again, np.random.default_rng(0), 20, 5, always=np.array([7, 3, 7]))

    assert all(rows == sorted({*rows, 3, 7}) and len(rows) <= 7 for rows in seen)
    assert len({*map(tuple, seen)}) > 1


def test_samples_with_too_few_rows_of_a_group_tell_nothing_of_it() -> None:
    three = np.repeat(np.arange(20), 3)

    def again(rows: np.ndarray) -> np.ndarray:
        sizes = np.bincount(three[rows], minlength=20)
        return np.where(sizes[three[rows]] >= 3, three[rows], UNGROUPED)

    asked = (three, 20, again)
    assert min(stability(*asked, np.random.default_rng(0), 5, 1000, fewest_rows=3)) == 1.0
    assert min(stability(*asked, np.random.default_rng(0), 5, 1000)) < 0.5
    none = stability(three, 20, lambda rows: np.full(len(rows), UNGROUPED), np.random.default_rng(0), 5, 1000)
    assert max(none) == 0.0
    few = stability(three[:3], 2, lambda rows: three[rows], np.random.default_rng(0), 5, 1000, fewest_rows=3)
    assert few.tolist() == [1.0, 0.0], "no sample has all three, and the second group has no rows"


def test_separate_heaps_are_stable() -> None:
    features, heaps = heaps_of(30, 30, 20, 10)

    stable = cluster_stability(features, Clustering(heaps, np.zeros((4, 5), dtype=np.float32)), seed=0)

    np.testing.assert_allclose(stable, 1.0)


def test_a_heap_cut_in_two_does_not() -> None:
    features, heaps = heaps_of(100, 60, spread=0.5)
    cut = np.where((heaps == 0) & (features[:, 0] > features[heaps == 0, 0].mean()), 2, heaps)

    stable = cluster_stability(features, Clustering(cut, np.zeros((3, 5), dtype=np.float32)), seed=0)

    assert stable[1] > 0.9
    assert max(stable[0], stable[2]) < 0.75


def test_stability_is_the_overlap_of_both_not_of_one() -> None:
    features, heaps = heaps_of(60, 30)
    half_of_the_first = np.where((heaps == 0) & (np.arange(90) % 2 == 0), 0, 1)

    stable = cluster_stability(
        features, Clustering(half_of_the_first, np.zeros((2, 5), dtype=np.float32)), seed=0
    )

    # The heaps are found again: 30 of 60 rows are shared with one, whichever of the two is looked at.
    np.testing.assert_allclose(stable, [0.5, 0.5], atol=0.05)


def test_a_cluster_of_rows_from_everywhere_does_not() -> None:
    features, heaps = heaps_of(*[20] * 5)
    scattered = np.where(np.arange(100) % 10 == 0, 5, heaps)

    stable = cluster_stability(features, Clustering(scattered, np.zeros((6, 5), dtype=np.float32)), seed=0)

    assert stable[5] < 0.3
    assert min(stable[:5]) > 0.7


def test_a_cluster_without_rows_is_not_stable() -> None:
    features, heaps = heaps_of(20, 20)

    stable = cluster_stability(features, Clustering(heaps, np.zeros((3, 5), dtype=np.float32)), seed=0)

    assert stable[2] == 0.0


def test_stability_follows_from_the_seed() -> None:
    features = np.random.default_rng(0).normal(size=(60, 4)).astype(np.float32)
    clustering = kmeans(features, 5, seed=0)

    one, again, other = (cluster_stability(features, clustering, seed) for seed in (1, 1, 2))

    np.testing.assert_array_equal(one, again)
    assert (one != other).any()
