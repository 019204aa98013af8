"""Which rows are nearest to a row, and what a row is among them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rasa_intent_discovery.clustering import held, neighbors
from rasa_intent_discovery.clustering.neighbors import (
    averaged_with_neighbors,
    nearest_examples,
    nearest_neighbors,
    nearest_rows,
)
from rasa_intent_discovery.clustering.numbers import CLUSTERING
from rasa_intent_discovery.datatypes import normalized


def at(*degrees: float) -> np.ndarray:
    """(n, 2) float32, points on the unit circle."""
    angles = np.deg2rad(degrees)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def degrees(rows: np.ndarray) -> list[float]:
    return np.rad2deg(np.arctan2(rows[:, 1], rows[:, 0])).round(2).tolist()


def test_the_nearest_rows_come_first() -> None:
    found = nearest_rows(at(0, 90), at(80, 10, 30, 105), 3)

    assert found.tolist() == [[1, 2, 0], [0, 3, 2]]


def test_a_row_is_none_of_its_own_neighbours_if_it_is_told_where_it_stands() -> None:
    log = at(0, 10, 25, 90)

    assert nearest_rows(log[[0, 3]], log, 2).tolist() == [[0, 1], [3, 2]]
    assert nearest_rows(log[[0, 3]], log, 2, itself=np.array([0, 3])).tolist() == [[1, 2], [2, 1]]


def test_examples_of_an_intent_that_a_row_is_not_of_are_none_of_its_neighbours() -> None:
    examples, labels = at(0, 10, 40, 90), np.array([0, 0, 1, 2])
    refused = np.array([[1, 0], [2, 0], [2, 1]])

    cosines, rows = nearest_examples(at(12, 12, 12), examples, labels, 2, None, refused)

    assert rows.tolist()[:2] == [[1, 0], [2, 3]]
    assert cosines[:2] == pytest.approx(np.cos(np.deg2rad([[2, 12], [28, 78]])), abs=1e-6)
    assert rows[2, 0] == 3 and cosines[2].tolist() == pytest.approx([np.cos(np.deg2rad(78)), -1.0], abs=1e-6)


def test_many_rows_are_looked_up_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held, "_BLOCK", 16)
    rows = normalized(np.random.default_rng(0).normal(size=(100, 8))).astype(np.float32)
    similarity = rows @ rows.T
    np.fill_diagonal(similarity, -np.inf)

    found = nearest_rows(rows, rows, 5, itself=np.arange(100))

    assert found.tolist() == np.argsort(-similarity, axis=1)[:, :5].tolist()


def test_a_row_moves_by_its_share_towards_the_rows_that_are_nearest() -> None:
    log = at(0, 20, 20, 20, 20, 180)

    half, whole = (averaged_with_neighbors(log, share) for share in (0.5, 1.0))

    assert np.linalg.norm(half, axis=1) == pytest.approx(1.0)
    assert degrees(half)[0] == pytest.approx(8.0, abs=0.2)  # four of the five are at 20
    assert degrees(whole)[0] == pytest.approx(16.0, abs=0.2)


def test_a_row_of_the_log_is_one_of_its_own_five() -> None:
    log = at(0, 0, 0, 0, 30, 180)

    moved = averaged_with_neighbors(log, 1.0)

    assert 0.0 < degrees(moved)[0] < 7.0  # a fifth of the way
    assert degrees(moved)[0] == degrees(moved)[4]


def test_nothing_moves_without_a_share() -> None:
    rows = at(0, 40)

    assert averaged_with_neighbors(rows, 0.0) is rows


def test_of_a_short_log_all_rows_are_neighbours() -> None:
    log = at(0, 60)

    assert degrees(averaged_with_neighbors(log, 1.0)) == [30.0, 30.0]


def test_of_a_very_long_log_a_part_is_looked_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbors, "CLUSTERING", replace(CLUSTERING, most_neighbor_rows=4))
    log = at(*range(9))  # every third of it is looked in: 0, 3, 6
    three = [3.0, 4 / 3, 5 / 3, 3.0, 13 / 3, 14 / 3, 3.0, 16 / 3, 17 / 3]

    assert degrees(averaged_with_neighbors(log, 1.0)) == pytest.approx(three, abs=0.01), "with itself"


@pytest.mark.parametrize(("count", "among"), [(11, 40), (15, 1919), (15, 1920), (15, 3001), (40, 6000)])
def test_of_many_rows_the_nearest_are_those_of_a_whole_sort(count: int, among: int) -> None:
    rng = np.random.default_rng(0)
    features, others = rng.normal(size=(30, 8)), rng.normal(size=(among, 8))

    products, rows = nearest_neighbors(features, others, count)

    whole = np.argsort(-(features @ others.T), axis=1, kind="stable")[:, :count]
    np.testing.assert_array_equal(rows, whole)
    np.testing.assert_allclose(products, np.take_along_axis(features @ others.T, whole, axis=1))
