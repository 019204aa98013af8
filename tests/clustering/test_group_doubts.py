"""What a person is asked of groups: on rows whose angles are written out."""

from __future__ import annotations

import numpy as np
import pytest

from rasa_intent_discovery.clustering.group_doubts import group_doubts
from rasa_intent_discovery.clustering.grouping import Grouping
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.links import Links
from rasa_intent_discovery.clustering.questions import Doubts
from rasa_intent_discovery.clustering.same_intent import Merged


def at_angles(*degrees: float) -> np.ndarray:
    angles = np.radians(degrees)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def said(together: tuple[int, int] | None = None, apart: tuple[int, int] | None = None) -> Links:
    return Links(*(np.array([pair] if pair else [], np.int64).reshape(-1, 2) for pair in (together, apart)))


def doubts(
    unit: np.ndarray,
    groups: list[int],
    merged: Merged | None = None,
    links: Links | None = None,
    trained: bool = False,
) -> Doubts:
    """Of groups that are one piece each, where nothing else is said."""
    numbers = np.array(groups)
    pieces = np.arange(len(groups)) if merged else numbers
    merged = merged or Merged.nothing(int(numbers.max()) + 1)
    grouping = Grouping(numbers, pieces, merged, numbers, linked=np.zeros((len(numbers), 0), dtype=np.int64))
    return group_doubts(grouping, unit, links or said(), np.random.default_rng(0), trained)


def pairs(found: Doubts) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in zip(found.ones.tolist(), found.others.tolist(), strict=True)}


# Three groups of three: the second lies near the first, the third opposite.
UNIT, GROUPS = at_angles(0, 5, 10, 50, 55, 60, 180, 185, 190), [0] * 3 + [1] * 3 + [2] * 3


def test_groups_that_are_near_each_other_are_asked_about_by_their_most_typical_messages() -> None:
    assert pairs(doubts(UNIT, GROUPS)) == {frozenset((1, 4))}


@pytest.mark.parametrize("links", [said(together=(0, 5)), said(apart=(3, 2))])
def test_what_was_answered_of_two_groups_is_not_asked_again(links: Links) -> None:
    """Also where messages that belong together stay in two groups, as other answers hold these apart."""
    assert pairs(doubts(UNIT, GROUPS, links=links)) == set()


def test_what_is_in_no_group_is_not_asked_about() -> None:
    found = doubts(at_angles(0, 5, 10, 20, 180), [0, 0, 0, UNGROUPED, UNGROUPED])

    assert len(found.ones) == 0


def test_on_larger_groups_more_hangs() -> None:
    near = at_angles(*[0] * 4, *[60] * 9, *[120] * 7)
    found = doubts(near, [0] * 4 + [1] * 9 + [2] * 7)

    first, second = (found.worth[found.ones == row].item() for row in (0, 4))
    assert second == pytest.approx(7 / 4 * first), "the smaller one of each two would move"


def test_pieces_that_were_merged_are_asked_about_the_more_the_farther_apart_they_are() -> None:
    merged = Merged.of(
        np.zeros(5, dtype=np.int64), [(0, 1, 0.9, 1), (0, 2, 0.9, 1), (0, 3, 0.4, 1), (0, 4, 0.5, 1)]
    )
    found = doubts(at_angles(0, 20, 70, 80, 100), [0] * 5, merged)

    assert pairs(found) == {frozenset((0, other)) for other in (2, 3, 4)}, (
        "the one at 20 degrees is surely one"
    )
    assert found.worth.tolist() == sorted(found.worth.tolist())


MIXED = at_angles(0, 4, 8, 12, 70, 74, 78)


def test_the_halves_of_a_group_are_asked_about_where_they_differ() -> None:
    [pair] = pairs(doubts(MIXED, [0] * 7))

    assert len(pair & {0, 1, 2, 3}) == len(pair & {4, 5, 6}) == 1
    assert pairs(doubts(at_angles(0, 4, 8, 12, 16, 20, 24), [0] * 7)) == set()


def test_halves_that_were_said_to_be_one_are_not_asked_about_again() -> None:
    assert pairs(doubts(MIXED, [0] * 7, links=said(together=(3, 4)))) == set()
    assert len(pairs(doubts(MIXED, [0] * 7, links=said(together=(0, 3))))) == 1, "both are of one half"


#: Two groups at 50 degrees, and rows in no group, of which something may be said.
APART, IN_GROUPS = at_angles(*[0] * 3, *[50] * 3, *[180] * 8), [0] * 3 + [1] * 3 + [UNGROUPED] * 8


def test_how_likely_two_groups_are_one_follows_the_answers_about_others() -> None:
    """Of three rows each: the regression gives 0.754, and 0.544 where two that are alike were held apart.

    There the intercept x is where x + 3.7 = -1 / (1 + exp(-x - 7.5)): -4.646.
    """
    [before] = doubts(APART, IN_GROUPS).worth
    [fewer] = doubts(APART, IN_GROUPS, links=said(apart=(6, 7))).worth
    [more] = doubts(APART, IN_GROUPS, links=said(together=(0, 6))).worth
    assert before == pytest.approx(3 * 0.754, abs=0.001)
    assert fewer == pytest.approx(3 * 0.544, abs=0.001)
    assert before < more < 3
    [trained] = doubts(APART, IN_GROUPS, links=said(apart=(6, 7)), trained=True).worth
    assert trained == before


def test_where_one_answer_after_the_other_is_no_nothing_is_asked_at_last() -> None:
    every = np.array([(one, other) for one in range(6, 14) for other in range(one)])
    some = Links(np.zeros((0, 2), np.int64), every[every[:, 1] >= 6])
    assert len(doubts(APART, IN_GROUPS, links=some).worth) == 0
