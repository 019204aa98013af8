"""How many groups there are where the known intents would make one of everything."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from rasa_intent_discovery.clustering.grouping import group_rows
from rasa_intent_discovery.clustering.held import HeldHere, held_by
from rasa_intent_discovery.clustering.links import Links
from rasa_intent_discovery.clustering.same_intent import SameIntent

#: Three bundles of six rows, of which the first two are closer to each other than to the third.
DIRECTIONS = np.array([[1.0, 0.0, 0.0], [0.8, 0.6, 0.0], [0.3, 0.3, 0.9]])


def rows(directions: np.ndarray = DIRECTIONS) -> np.ndarray:
    noise = np.random.default_rng(0).normal(scale=0.02, size=(6 * len(directions), 3))
    found = np.repeat(directions, 6, axis=0) + noise
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def as_likely_as_close() -> SameIntent:
    """Two pieces are one as likely as they are close, and more likely than not whatever they are."""

    def predict_proba(evidence: np.ndarray) -> np.ndarray:
        likely = np.clip(0.5 + 0.5 * evidence[:, :1], 0.0, 1.0)
        return np.concatenate([1.0 - likely, likely], axis=1)

    return SameIntent(SimpleNamespace(predict_proba=predict_proba))


@pytest.mark.parametrize(
    ("fewest", "groups"),
    [
        (-3, [[0, 1, 2]]),
        (1, [[0, 1, 2]]),
        (2, [[0, 1], [2]]),
        (3, [[0], [1], [2]]),
        (4, [[0], [1], [2]]),  # there are no more
    ],
)
def test_the_most_doubtful_merges_of_large_pieces_are_not_made_where_too_few_would_be_left(
    fewest: int, groups: list[list[int]]
) -> None:
    unit = rows()
    found = group_rows(unit, unit, 0.1, as_likely_as_close(), fewest=fewest).groups.reshape(3, 6)
    assert all(len({*bundle}) == 1 for bundle in found.tolist())
    number = found[:, 0].tolist()
    together = [[at for at in range(3) if number[at] == one] for one in dict.fromkeys(number)]
    assert together == groups


def test_where_one_piece_holds_all_it_is_cut_finer() -> None:
    unit = rows()
    nothing_learnt = SameIntent(None)
    assert len({*group_rows(unit, unit, 0.7, nothing_learnt).groups.tolist()}) == 1
    assert len({*group_rows(unit, unit, 0.7, nothing_learnt, fewest=2).groups.tolist()}) == 2


def test_what_a_person_puts_together_leaves_all_other_groups_as_they_were() -> None:
    """The third and the fourth bundle are the two closest: one group, of three that there are to be."""
    unit = rows(np.array([*DIRECTIONS, [0.0, 0.3, 0.95]]))

    def found(links: Links) -> list[int]:
        number: list[int] = group_rows(unit, unit, 0.02, as_likely_as_close(), None, links, 3).groups.tolist()
        return number

    assert found(Links.none()) == [0] * 6 + [1] * 6 + [2] * 12
    together = Links(np.array([[0, 6]]), np.zeros((0, 2), dtype=np.int64))
    assert found(together) == [0] * 12 + [1] * 12


def test_however_often_it_is_cut_finer_the_rows_are_compared_as_often() -> None:
    unit = rows()

    def comparisons(fewest: int) -> int:
        held: list[np.ndarray] = []

        def counted(among: np.ndarray) -> HeldHere:
            held.append(among)
            return HeldHere(among)

        with held_by(counted):
            group_rows(unit, unit, 0.7, as_likely_as_close(), fewest=fewest)
        return len(held)

    assert comparisons(fewest=1) == comparisons(fewest=4) == 2, "a tree, and the neighbours of each row"
