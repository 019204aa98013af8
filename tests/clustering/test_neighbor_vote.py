"""Which group a later message belongs to, by the votes of the rows of the run that are nearest to it."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from rasa_intent_discovery.clustering import neighbor_vote
from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.neighbor_vote import NeighborVote


def at(*angles: float) -> np.ndarray:
    """Rows of length 1; (n, 2)."""
    radians = np.radians(angles)
    return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)


@pytest.fixture
def three_voters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbor_vote, "GROUPING", dataclasses.replace(GROUPING, voters=3))


ROWS = at(0, 1, 2, 90, 91, 92, 180, 181, 182)
GROUPS = np.array([0, 0, 0, 1, 1, UNGROUPED, UNGROUPED, UNGROUPED, 1])


@pytest.mark.usefixtures("three_voters")
@pytest.mark.parametrize(
    ("angle", "group", "least", "most"),
    [(1, 0, 1.0, 1.0), (91, 1, 0.6, 0.7), (181, UNGROUPED, 0.0, 0.0)],
)
def test_a_group_has_more_than_half_of_the_votes_or_there_is_none(
    angle: float, group: int, least: float, most: float
) -> None:
    found, share = NeighborVote.of(ROWS, GROUPS, seed=0)(at(angle)[0])

    assert found == group
    assert least <= round(share, 6) <= most


@pytest.mark.usefixtures("three_voters")
def test_the_vote_of_a_closer_row_counts_more() -> None:
    rows, groups = at(0, 60, 61), np.array([0, 1, 1])

    found, share = NeighborVote.of(rows, groups, seed=0)(at(0)[0])

    # Half a cosine away, each of the two others counts e to the minus five.
    assert found == 0
    assert share == pytest.approx(1 / (1 + 2 * np.exp(-5)), abs=0.001)


def test_with_fewer_rows_than_voters_all_vote() -> None:
    assert NeighborVote.of(at(0, 1), np.array([UNGROUPED, UNGROUPED]), seed=0)(at(0)[0]) == (UNGROUPED, 0.0)


def test_of_very_many_rows_a_part_votes_on_the_axes_that_tell_most(monkeypatch: pytest.MonkeyPatch) -> None:
    few = dataclasses.replace(GROUPING, most_voting_rows=4, voting_axes=1)
    monkeypatch.setattr(neighbor_vote, "GROUPING", few)

    vote = NeighborVote.of(at(-1, 0, 1, 2, 3, 4), np.zeros(6, dtype=np.int64), seed=0)

    assert (vote.axes.shape, vote.rows.shape, vote.groups.tolist()) == ((2, 1), (4, 1), [0] * 4)
    assert abs(vote.axes[0, 0]) > 0.99


def test_of_many_rows_the_nearest_vote_the_nearest_first() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(2500, 8)).astype(np.float32)
    asked = rng.normal(size=(5, 8)).astype(np.float32)
    rows, asked = (each / np.linalg.norm(each, axis=1, keepdims=True) for each in (rows, asked))

    votes = NeighborVote.of(rows, np.arange(2500) % 3 - 1, seed=0).votes(asked)

    assert votes.voters.tolist() == np.argsort(-(asked @ rows.T), axis=1)[:, : GROUPING.voters].tolist()
    assert votes.shares.sum(1) == pytest.approx(np.ones(5))
    assert votes.shares.shape == (5, 3)
