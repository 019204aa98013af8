"""Trees of rows: the ones scipy makes, sooner."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.spatial.distance import pdist

from rasa_intent_discovery.clustering import linkage as module
from rasa_intent_discovery.clustering.linkage import average_linkage, cut_into, cut_pieces, ward_linkage


def random_unit(n: int) -> np.ndarray:
    """Points on the unit circle; (n, 2) float32."""
    angles = np.random.default_rng(0).uniform(0, 2 * np.pi, n)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def test_average_linkage_is_scipys_own() -> None:
    unit = random_unit(40)

    assert np.allclose(average_linkage(unit), linkage(pdist(unit, "cosine"), "average"), atol=1e-5)


def test_average_linkage_in_blocks_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = random_unit(40)
    whole = average_linkage(unit)

    monkeypatch.setattr(module, "_BLOCK", 7)

    assert np.allclose(average_linkage(unit), whole)


def test_pieces_are_no_wider_than_asked_and_numbered_by_their_first_rows() -> None:
    angles = np.radians([90, 0, 2, 91, 45])
    unit = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)

    tree = average_linkage(unit)

    assert cut_pieces(tree, 0.01).tolist() == [0, 1, 1, 0, 2]
    # The middle row is 0.29 from either side, the sides 1.0 from each other.
    assert len(np.unique(cut_pieces(tree, 0.3))) == 2
    assert np.unique(cut_pieces(tree, 1.1)).tolist() == [0]


@pytest.mark.parametrize("n", [2, 3, 200])
def test_wards_linkage_is_scipys_own(n: int) -> None:
    features = np.random.default_rng(1).normal(size=(n, 20)).astype(np.float32)

    assert np.allclose(ward_linkage(features), linkage(features, "ward"), atol=1e-5)


def test_equal_rows_are_merged_first() -> None:
    features = np.random.default_rng(1).normal(size=(6, 20)).astype(np.float32)

    tree = ward_linkage(np.concatenate([features, features]))

    assert (tree[:6, 2] < 1e-2).all()
    assert (tree[6:, 2] > 1).all()


@pytest.mark.parametrize("k", [1, 2, 7, 49, 50])
def test_a_tree_is_cut_into_as_many_parts_as_asked_for(k: int) -> None:
    tree = linkage(np.random.default_rng(2).normal(size=(50, 3)), "ward")

    parts, expected = cut_into(tree, k), cut_tree(tree, k)[:, 0]

    assert np.unique(parts).tolist() == list(range(k))
    assert len(np.unique(np.stack([parts, expected]), axis=1).T) == k


def test_rows_that_are_all_equal_are_cut_into_as_many_parts_too() -> None:
    assert np.unique(cut_into(ward_linkage(np.ones((5, 2))), 3)).tolist() == [0, 1, 2]
