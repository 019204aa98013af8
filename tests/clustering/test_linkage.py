"""Trees of rows: the ones scipy makes, sooner or with examples kept apart."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.spatial.distance import pdist

from rasa_intent_discovery.clustering import linkage as module
from rasa_intent_discovery.clustering.linkage import (
    constrained_linkage,
    cut_into,
    cut_pieces,
    ward_linkage,
)
from rasa_intent_discovery.clustering.numbers import CLUSTERING
from rasa_intent_discovery.datatypes import UNLABELED


def random_unit(n: int) -> np.ndarray:
    """Points on the unit circle; (n, 2) float32."""
    angles = np.random.default_rng(0).uniform(0, 2 * np.pi, n)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def test_average_linkage_without_labels_is_scipys_own() -> None:
    unit = random_unit(40)

    ours = constrained_linkage(unit, np.full(40, UNLABELED))

    assert np.allclose(ours, linkage(pdist(unit, "cosine"), "average"), atol=1e-5)


def test_average_linkage_in_blocks_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = random_unit(40)
    labels = np.array([0, 1] * 5 + [UNLABELED] * 30)
    whole = constrained_linkage(unit, labels)

    monkeypatch.setattr(module, "_BLOCK", 7)

    assert np.allclose(constrained_linkage(unit, labels), whole)


@pytest.mark.parametrize("n", [2, 3, 200])
def test_wards_linkage_is_scipys_own(n: int) -> None:
    features = np.random.default_rng(1).normal(size=(n, 20)).astype(np.float32)

    assert np.allclose(ward_linkage(features), linkage(features, "ward"), atol=1e-5)


def test_equal_rows_are_merged_first() -> None:
    features = np.random.default_rng(1).normal(size=(6, 20)).astype(np.float32)

    tree = ward_linkage(np.concatenate([features, features]))

    assert (tree[:6, 2] < 1e-3).all()
    assert (tree[6:, 2] > 1).all()


@pytest.mark.parametrize("k", [1, 2, 7, 49, 50])
def test_a_tree_is_cut_into_as_many_parts_as_asked_for(k: int) -> None:
    tree = linkage(np.random.default_rng(2).normal(size=(50, 3)), "ward")

    parts, expected = cut_into(tree, k), cut_tree(tree, k)[:, 0]

    assert np.unique(parts).tolist() == list(range(k))
    assert len(np.unique(np.stack([parts, expected]), axis=1).T) == k


def test_rows_that_are_all_equal_are_cut_into_as_many_parts_too() -> None:
    assert np.unique(cut_into(ward_linkage(np.ones((5, 2))), 3)).tolist() == [0, 1, 2]


@pytest.mark.parametrize("distance", [CLUSTERING.piece_trained, CLUSTERING.piece_untrained])
def test_examples_of_two_known_intents_in_one_place_are_not_in_one_piece(distance: float) -> None:
    unit = np.tile(np.array([[1.0, 0.0]], dtype=np.float32), (6, 1))  # all in one place
    labels = np.array([0, 1, UNLABELED, UNLABELED, 0, 1])

    pieces = cut_pieces(unit, labels, distance)

    assert pieces[0] == pieces[4] != pieces[1] == pieces[5]
