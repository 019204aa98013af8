"""Which messages are asked about, on pairs that are written out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rasa_intent_discovery.clustering import questions
from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.questions import Doubts, exemplars


def doubts(*pairs: tuple[int, int, float]) -> Doubts:
    ones, others, worth = zip(*pairs, strict=True)
    return Doubts(np.array(ones), np.array(others), np.array(worth))


ALL = np.ones(10, dtype=bool)


def test_the_likelier_an_answer_is_to_surprise_the_more_it_is_worth_and_a_sure_one_is_not_asked() -> None:
    found = Doubts.of(np.arange(3), np.arange(5, 8), np.array([0.5, 0.25, 0.01]), np.full(3, 10))

    assert found.ones.tolist() == [0, 1]
    assert found.worth.tolist() == [5.0, 2.5]


def test_a_pair_on_which_more_messages_hang_is_worth_more() -> None:
    found = Doubts.of(np.array([0, 1]), np.array([2, 3]), np.array([0.5, 0.5]), np.array([3, 30]))

    assert found.worth.tolist() == [1.5, 15.0]


def test_what_is_doubtful_with_the_same_message_is_one_question() -> None:
    found = doubts(
        (0, 1, 5.0), (2, 0, 8.0), (3, 4, 7.0), (5, 0, 6.0), *((0, other, 4.0) for other in range(6, 9))
    )

    assert found.questions(ALL, most=9) == ((0, (2, 5, 1, 6, 7)), (3, (4,)), (0, (8,))), "five at once"


def test_a_choice_on_which_little_hangs_is_asked_apart() -> None:
    assert doubts((0, 1, 8.0), (0, 2, 1.0)).questions(ALL, most=9) == ((0, (1,)), (0, (2,)))


def test_only_messages_are_asked_about_and_examples_are_choices() -> None:
    logged = np.arange(10) != 0

    assert doubts((1, 0, 8.0), (2, 0, 7.0)).questions(logged, most=9) == ((1, (0,)), (2, (0,)))


def test_no_more_than_so_many_are_asked_and_none_where_nothing_is_doubtful() -> None:
    assert doubts((0, 1, 8.0), (2, 3, 7.0)).questions(ALL, most=1) == ((0, (1,)),)
    assert Doubts.of(*[np.zeros(0, dtype=np.int64)] * 2, np.zeros(0), np.zeros(0)).questions(ALL, 9) == ()


def test_of_very_many_pairs_those_that_are_worth_most_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "GROUPING", replace(GROUPING, most_pairs=2))

    assert doubts((0, 1, 5.0), (2, 3, 4.0), (4, 5, 6.0)).questions(ALL, most=9) == ((4, (5,)), (0, (1,)))


def test_both_are_added_and_the_exemplar_is_the_row_in_the_middle() -> None:
    both = doubts((0, 1, 5.0)) + doubts((2, 3, 4.0))
    assert (both.ones.tolist(), both.others.tolist(), both.worth.tolist()) == ([0, 2], [1, 3], [5.0, 4.0])

    assert both.at(np.array([9, 8, 7, 6])).others.tolist() == [8, 6]
    assert both.without(np.array([1, 8])).ones.tolist() == [2]

    angles = np.radians([0, 10, 20, 90, 180])
    unit = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    assert exemplars(unit, np.array([0, 0, 0, 2, -1]), 3).tolist() == [1, -1, 3]
