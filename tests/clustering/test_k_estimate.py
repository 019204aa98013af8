"""How many intents there are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rasa_intent_discovery.clustering import k_estimate
from rasa_intent_discovery.clustering.k_estimate import estimate_k_by_agreement, estimate_k_by_size
from rasa_intent_discovery.clustering.numbers import CLUSTERING
from rasa_intent_discovery.datatypes import UNLABELED, Clustering, KEstimate


def heaps_of(
    *sizes: int, spread: float = 0.1, width: int = 5, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Heaps of points far from each other, and which heap each is of."""
    rng = np.random.default_rng(seed)
    heaps = np.repeat(np.arange(len(sizes)), sizes)
    centers = 3 * rng.normal(size=(len(sizes), width))
    return (centers[heaps] + spread * rng.normal(size=(len(heaps), width))).astype(np.float32), heaps


def half_known(heaps: np.ndarray, known: int, every: int) -> np.ndarray:
    """The first heaps are known intents, of which one row in `every` is labelled."""
    return np.where((heaps < known) & (np.arange(len(heaps)) % every == 0), heaps, UNLABELED)


# By size: the paper's


def test_clusters_of_at_least_n_over_k_rows_count() -> None:
    # Four heaps and four clusters: 40 rows, so a cluster counts from 10 rows on.
    features, _ = heaps_of(20, 10, 9, 1)

    assert estimate_k_by_size(features, 4, seed=0) == KEstimate(k=2, low=2, high=2, k_start=4)


def test_heaps_of_one_size_all_count() -> None:
    features, _ = heaps_of(*[10] * 6)

    assert estimate_k_by_size(features, 6, seed=0).k == 6


def test_where_no_cluster_is_large_there_is_still_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing_found(features: np.ndarray, k: int, seed: int) -> Clustering:
        return Clustering(np.zeros(0, dtype=np.int64), np.zeros((k, 2), dtype=np.float32))

    monkeypatch.setattr(k_estimate, "kmeans", nothing_found)

    assert estimate_k_by_size(np.zeros((10, 2)), 4, seed=0).k == 1


# By agreement with the known intents


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_heaps_among_small_talk_of_which_half_are_known_are_counted(seed: int) -> None:
    features, heaps = heaps_of(*[20] * 6, *[8, 12, 16, 20, 30, 40], width=24, seed=seed)
    small_talk = 4 * np.random.default_rng(seed).normal(size=(80, 24)).astype(np.float32)
    labels = np.append(half_known(heaps, 6, 2), [UNLABELED] * 80)

    estimate = estimate_k_by_agreement(np.vstack([features, small_talk]), labels, k_start=37, seed=0)

    assert abs(estimate.k - 12) <= 2
    assert estimate.low <= estimate.k <= estimate.high
    assert estimate.k_start == 37


@pytest.mark.parametrize("every", [1, 3])
def test_heaps_alone_are_not_split(every: int) -> None:
    """New ones that lie closest may count as one: all there is to see is that no known one is torn apart."""
    features, heaps = heaps_of(*[30] * 8)

    estimate = estimate_k_by_agreement(features, half_known(heaps, 4, every), k_start=20, seed=0)

    assert 4 < estimate.low <= estimate.k <= estimate.high <= 8


def test_where_nothing_is_new_the_known_intents_are_counted() -> None:
    features, heaps = heaps_of(*[30] * 6)

    estimate = estimate_k_by_agreement(features, half_known(heaps, 6, 2), k_start=15, seed=0)

    assert estimate.k == 6


def test_what_is_torn_and_mixed_is_counted_in_pairs_after_every_merge() -> None:
    labels = np.array([0, 0, 0, 1, 1, 2, UNLABELED])
    # {0, 1}, {3, 4}, {2, 3, 4}, {0, 1, 5}, the last with the unlabelled row, all.
    tree = np.array([[0, 1], [3, 4], [2, 8], [5, 7], [6, 10], [9, 11]])

    torn, mixed = k_estimate._mistakes(np.hstack([tree, np.zeros((6, 2))]), labels, known=4)

    assert torn[0].tolist() == [3, 1, 0, 0]  # nothing is merged yet
    assert torn[4].tolist() == [2, 0, 0, 0]  # the third row is apart from the two others
    assert mixed[4].tolist() == [(2 + 2) / 2, 2 / 2, 2 / 2, 0]
    assert (torn[5].tolist(), mixed[5].tolist()) == (torn[4].tolist(), mixed[4].tolist())
    assert (torn[6].sum(), mixed[6].sum()) == (0, 3 * 2 + 3 * 1 + 2 * 1)


@pytest.mark.parametrize(
    ("torn", "mixed", "k"),
    [
        ([0, 1, 2, 3, 4], [9, 5, 3, 2, 1], 13),
        ([0, 0, 0, 0, 5], [5, 0, 0, 0, 0], 11),  # nothing speaks against 12 and 13 either
        ([0, 0, 0, 0, 0], [5, 5, 5, 5, 5], 14),
        ([5, 5, 5, 5, 5], [0, 0, 0, 0, 0], 10),
    ],
)
def test_the_estimate_is_where_the_mistakes_balance(torn: list[int], mixed: list[int], k: int) -> None:
    assert k_estimate._balance(np.arange(10, 15), np.array(torn), np.array(mixed)) == k


def test_the_fewer_intents_are_known_the_more_is_not_seen() -> None:
    """Of heaps that touch, new ones are mixed up with known ones unseen: the estimate must not shrink."""
    features, heaps = heaps_of(*[40] * 24, spread=1.6, width=6)

    found = [
        estimate_k_by_agreement(features, half_known(heaps, known, 2), k_start=70, seed=0).k
        for known in (24, 12, 6)
    ]

    assert min(found) > 0.6 * max(found)


def test_the_range_is_wider_where_the_known_intents_disagree() -> None:
    even, heaps = heaps_of(*[20] * 12, width=4)
    uneven = even.copy()
    uneven[heaps < 3] += np.random.default_rng(0).normal(size=(60, 4)).astype(np.float32) * 2
    labels = half_known(heaps, 6, 2)

    alike, unlike = (estimate_k_by_agreement(rows, labels, 40, seed=0) for rows in (even, uneven))

    assert unlike.high - unlike.low > alike.high - alike.low


def test_the_estimate_follows_from_the_seed() -> None:
    features, heaps = heaps_of(*[20] * 6, spread=2.0)
    labels = half_known(heaps, 3, 2)

    assert estimate_k_by_agreement(features, labels, 15, seed=1) == estimate_k_by_agreement(
        features, labels, 15, seed=1
    )


def test_there_are_never_fewer_than_the_known_intents_nor_more_than_looked_for() -> None:
    features = np.random.default_rng(0).normal(size=(80, 4)).astype(np.float32)
    labels = np.where(np.arange(80) < 20, np.arange(80) % 10, UNLABELED)

    estimate = estimate_k_by_agreement(features, labels, k_start=16, seed=0)

    assert 10 <= estimate.low <= estimate.k <= estimate.high <= 16


def test_intents_of_one_example_each_that_are_most_of_the_rows() -> None:
    """Fewer rows are left in a sample than there are known intents."""
    features = np.random.default_rng(0).normal(size=(120, 5)).astype(np.float32)
    labels = np.where(np.arange(120) < 100, np.arange(120), UNLABELED)

    estimate = estimate_k_by_agreement(features, labels, k_start=109, seed=0)

    assert 100 <= estimate.low <= estimate.k <= estimate.high <= 109


def test_of_more_known_intents_than_a_sample_has_rows_no_mistake_is_counted_that_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One hundred examples of one hundred intents, each by itself: no two of them are merged."""
    features = np.eye(120, dtype=np.float32)
    features[100:] = features[:20]
    labels = np.where(np.arange(120) < 100, np.arange(120), UNLABELED)
    seen = []
    balance = k_estimate._balance

    def watched(candidates: np.ndarray, splits: np.ndarray, merges: np.ndarray) -> int:
        seen.append(merges)
        return balance(candidates, splits, merges)

    monkeypatch.setattr(k_estimate, "_balance", watched)
    estimate_k_by_agreement(features, labels, k_start=101, seed=0)

    # Of 102 rows at most two are not examples: cut into 100 clusters, hardly two examples are in one.
    assert seen[0].max() < 1000


def test_the_more_a_wrong_merge_counts_the_more_intents_are_estimated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(0)
    features, heaps = heaps_of(*[30] * 20, spread=1.2, width=6)
    features += rng.normal(scale=0.4, size=features.shape).astype(np.float32)
    labels = half_known(heaps, known=10, every=3)

    def estimated(weight: float) -> int:
        monkeypatch.setattr(k_estimate, "CLUSTERING", replace(CLUSTERING, mixed_weight=weight))
        return estimate_k_by_agreement(features, labels, 80, seed=0).k

    fewer, as_it_is, more = (estimated(CLUSTERING.mixed_weight * factor) for factor in (0.5, 1.0, 2.0))
    assert fewer < as_it_is < more
