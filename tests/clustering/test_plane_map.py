"""The map: alike rows lie close, of very many a sample is laid out."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
from blobs import blobs
from sklearn.metrics import silhouette_score
from threadpoolctl import threadpool_limits

from rasa_intent_discovery.clustering import plane_map
from rasa_intent_discovery.clustering.numbers import CLUSTERING
from rasa_intent_discovery.clustering.plane_map import map_to_plane


def test_the_map_keeps_alike_rows_together() -> None:
    features, heaps = blobs(3, 15, spread=0.5)

    places = map_to_plane(features, seed=0)

    assert (places.shape, places.dtype) == ((45, 2), "float32")
    assert silhouette_score(places, heaps) > 0.5


def test_the_map_is_the_same_each_time() -> None:
    features, _ = blobs(3, 15)

    np.testing.assert_array_equal(map_to_plane(features, seed=3), map_to_plane(features, seed=3))


def test_the_map_is_the_same_on_one_processor_and_on_more() -> None:
    features = np.random.default_rng(0).normal(size=(600, 128)).astype(np.float32)

    with threadpool_limits(2):
        of_two = map_to_plane(features, seed=3)
    with threadpool_limits(1):
        np.testing.assert_array_equal(map_to_plane(features, seed=3), of_two)


@pytest.mark.parametrize("n", [0, 1, 4, 5, 6])
def test_a_map_of_few_rows(n: int) -> None:
    places = map_to_plane(np.random.default_rng(0).normal(size=(n, 8)).astype(np.float32), seed=0)

    assert places.shape == (n, 2)
    assert np.isfinite(places).all()


def test_a_map_warns_of_nothing() -> None:
    features, _ = blobs(3, 4)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        map_to_plane(features, seed=0)


def test_rows_beyond_the_sample_lie_beside_the_row_they_are_nearest_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plane_map, "CLUSTERING", replace(CLUSTERING, map_rows=30))
    features, heaps = blobs(3, 40)

    places = map_to_plane(features, seed=0)

    assert len(np.unique(places, axis=0)) == 120
    assert silhouette_score(places, heaps) > 0.5
