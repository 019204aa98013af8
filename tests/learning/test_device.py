"""Neighbours and k-means by PyTorch, or on a device, are those of numpy; a CPU stands for the device."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
import torch
from blobs import blobs

from rasa_intent_discovery.clustering import held
from rasa_intent_discovery.clustering.clusters import best_constrained_kmeans
from rasa_intent_discovery.clustering.held import Held, HeldHere, held_by, hold
from rasa_intent_discovery.clustering.neighbors import averaged_with_neighbors, nearest_neighbors
from rasa_intent_discovery.datatypes import UNLABELED, Array, normalized
from rasa_intent_discovery.learning import device
from rasa_intent_discovery.learning.device import HeldByTorch, HeldOnDevice, computed_on, unplanned_attention


@pytest.fixture(params=[partial(HeldOnDevice, torch.device("cpu")), HeldByTorch], ids=["device", "torch"])
def holding(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[Array], Held]:
    monkeypatch.setattr(device, "_BLOCK", 64)
    monkeypatch.setattr(held, "_BLOCK", 64)
    made: Callable[[Array], Held] = request.param
    return made


ROWS = normalized(np.random.default_rng(0).normal(size=(300, 16))).astype(np.float32)
ASKED = np.arange(0, 300, 2)


def neighbors(count: int, itself: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    return nearest_neighbors(ROWS[ASKED], ROWS, count, itself)


@pytest.mark.parametrize("count", [1, 5, 40])
@pytest.mark.parametrize(
    "itself", [None, ASKED, np.where(ASKED < 100, ASKED, -1)], ids=["all", "none", "some"]
)
def test_the_nearest_rows(count: int, itself: np.ndarray | None, holding: Callable[[Array], Held]) -> None:
    products, rows = neighbors(count, itself)

    with held_by(holding):
        there, rows_there = neighbors(count, itself)

    assert (there.dtype, rows_there.dtype) == (products.dtype, rows.dtype)
    np.testing.assert_allclose(there, products, atol=1e-6)
    assert rows_there.tolist() == rows.tolist()


def test_every_other_row_is_laid_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[bool] = []
    whole = np.ascontiguousarray

    def laid_out(rows: np.ndarray) -> np.ndarray:
        copied.append(not rows.flags.c_contiguous)
        return whole(rows)

    monkeypatch.setattr(held, "_BLOCK", 16)
    monkeypatch.setattr(np, "ascontiguousarray", laid_out)

    found = HeldByTorch(ROWS[::2]).highest(ROWS[ASKED], 3, None)[1]

    assert sum(copied) == 1
    assert found.tolist() == HeldHere(ROWS[::2]).highest(ROWS[ASKED], 3, None)[1].tolist()


def test_products(holding: Callable[[Array], Held]) -> None:
    found = hold(ROWS).products(ROWS[ASKED])
    np.testing.assert_allclose(found, ROWS[ASKED] @ ROWS.T, atol=1e-6)

    with held_by(holding):
        there = hold(ROWS).products(ROWS[ASKED])

    assert there.dtype == np.float32
    np.testing.assert_allclose(there, found, atol=1e-6)


def test_clusters(holding: Callable[[Array], Held]) -> None:
    features, heaps = blobs(6, 80, spread=3.0, width=8)
    labels = np.where(np.arange(len(heaps)) % 5 == 0, heaps, UNLABELED)
    labels[heaps > 3] = UNLABELED
    here = best_constrained_kmeans(features, 6, labels, seed=0, seedings=2)
    averaged = averaged_with_neighbors(normalized(features), 0.5)

    with held_by(holding):
        there = best_constrained_kmeans(features, 6, labels, seed=0, seedings=2)
        again = averaged_with_neighbors(normalized(features), 0.5)

    assert there.assignments.tolist() == here.assignments.tolist()
    assert there.centroids.dtype == np.float32
    np.testing.assert_allclose(there.centroids, here.centroids, atol=1e-4)
    np.testing.assert_allclose(again, averaged, atol=1e-5)


def test_a_cluster_without_rows(holding: Callable[[Array], Held]) -> None:
    rows = holding(np.array([[1.0, 2.0], [3.0, 5.0], [4.0, 0.0]], dtype=np.float32))

    assert rows.sums(np.array([2, 0, 2]), 4).tolist() == [[3, 5], [0, 0], [5, 2], [0, 0]]


def test_a_processor_computes_by_pytorch_and_a_gpu_holds_the_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[str, int]] = []
    monkeypatch.setattr(device, "HeldOnDevice", lambda where, rows: asked.append((where.type, len(rows))))

    with computed_on(torch.device("cpu")):
        assert isinstance(hold(ROWS), HeldByTorch)
    with computed_on(torch.device("cuda")):
        hold(ROWS)

    assert asked == [("cuda", 300)]
    assert type(hold(ROWS)) is HeldHere


def test_attention_on_a_gpu_is_not_planned_for_each_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    used = [True]
    monkeypatch.setattr(torch.backends.cuda, "cudnn_sdp_enabled", lambda: used[-1])
    monkeypatch.setattr(torch.backends.cuda, "enable_cudnn_sdp", used.append)

    with unplanned_attention(torch.device("cpu")):
        assert used == [True]
    with pytest.raises(KeyError), unplanned_attention(torch.device("cuda")):
        assert used == [True, False]
        raise KeyError
    assert used == [True, False, True]
