"""What came into proposals with answers about two messages, and what went out of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import pytest
from plain_groups import plain_groups

from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.datatypes import UNLABELED, Corpus, Placement
from rasa_intent_discovery.proposals.answered_groups import joined_by_answers, parted_by_answers
from rasa_intent_discovery.proposals.answers import Joined, Parted, joined_in_words, parted_in_words

#: Row 0 is an example; of the others, four would be a group, three another, three a third, without answers.
BEFORE = [UNGROUPED, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2]
COUNTS = np.array([0, 1, 1, 1, 1, 5, 1, 1, 2, 2, 2])
LABELS = np.array([0, *[UNLABELED] * 10])
CORPUS = Corpus(
    texts=tuple("abcdefghijk"), labels=LABELS, counts=COUNTS, spellings=((),) * 11, intents=("greet",)
)
ANGLES = np.radians([180, 0, 1, 2, 3, 60, 61, 62, 90, 91, 92])
FEATURES = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1).astype(np.float32)
LEFT = Placement("left_over", None, 1.0, "so")


def new(name: str) -> Placement:
    return Placement("new", name, 1.0, "so")


def pairs(*said: tuple[int, int]) -> np.ndarray:
    return np.array(said, dtype=np.int64).reshape(-1, 2)


def joined(
    *said: tuple[int, int],
    groups: Collection[int] = (1, 1, 1, 1, 1, 1, 1, 2, 2, 2),
    places: str = "aaaaaaabbb",
    came: Collection[int] = (),
    before: Collection[int] = BEFORE,
) -> tuple[Joined, ...]:
    """Where the logged rows are in these groups and places."""
    of = plain_groups(
        FEATURES, LABELS, np.array([0, *groups]), together=pairs(*said), unanswered=np.array([*before])
    )
    placements = [
        Placement("known", "greet", 1.0, "example"),
        *(new(one) if one != "-" else LEFT for one in places),
    ]
    return joined_by_answers(of, CORPUS, placements, came)


def told(found: Collection[Joined]) -> list[tuple[Any, ...]]:
    return [(one.rows, one.proposal, one.came, one.messages) for one in found]


def test_the_smaller_group_came_with_the_answer_that_ties_it() -> None:
    [one] = found = joined((2, 5))
    assert told(found) == [((2, 5), "a", (5, 6, 7), 7)]
    assert one.since == 0
    assert one.gap == pytest.approx(0.5, abs=0.02), "60 degrees apart"


def test_in_a_proposal_that_was_there_what_was_not_in_it_came() -> None:
    [one] = found = joined((2, 5), came=[1, 2, 3])
    assert told(found) == [((2, 5), "a", (1, 2, 3, 4), 4)]
    assert one.since == 3, "the fourth was there"


def test_what_answers_tie_to_each_other_came_together_and_others_each_by_itself() -> None:
    all_one = {"groups": [1] * 10, "places": "a" * 10}
    assert told(joined((2, 5), (7, 8), **all_one)) == [((2, 5, 7, 8), "a", (5, 6, 7, 8, 9, 10), 13)]
    each = [((2, 5), "a", (5, 6, 7), 7), ((3, 8), "a", (8, 9, 10), 6)]
    assert told(joined((2, 5), (3, 8), **all_one)) == each


def test_what_was_drawn_along_came_with_the_answer_too() -> None:
    assert told(joined((2, 5), groups=[1] * 10, places="a" * 10)) == [((2, 5), "a", (5, 6, 7, 8, 9, 10), 13)]


def test_what_would_be_in_no_group_came_with_what_it_is_like() -> None:
    """The last one of each part joined by votes."""
    few = [UNGROUPED, 0, 0, 0, UNGROUPED, 1, 1, UNGROUPED, 2, 2, 2]
    groups = [1, 1, 1, UNGROUPED, 1, 1, UNGROUPED, 2, 2, 2]
    assert told(joined((2, 5), before=few, groups=groups)) == [((2, 5), "a", (5, 6, 7), 7)]


@pytest.mark.parametrize(
    ("said", "more"),
    [
        ((1, 2), {}),  # they would be one all the same
        ((2, 8), {}),  # in two proposals
        ((2, 5), {"places": "-" * 10}),  # in none
        ((2, 5), {"places": "aaaaa--bbb"}),  # the answered one alone came
    ],
)
def test_answers_that_drew_nothing_into_a_proposal_are_not_told(said: Any, more: dict[str, Any]) -> None:
    assert joined(said, **more) == ()


def parted(
    *said: tuple[int, int], places: str, before: Collection[int] = BEFORE, came: Collection[int] = ()
) -> tuple[Parted, ...]:
    of = plain_groups(
        FEATURES, LABELS, np.array([0, *range(1, 11)]), apart=pairs(*said), unanswered=np.array([*before])
    )
    placements = [
        Placement("known", "greet", 1.0, "example"),
        *(new(one) if one != "-" else LEFT for one in places),
    ]
    return parted_by_answers(of, CORPUS, placements, 5, came)


ONE = [UNGROUPED, *[0] * 7, 2, 2, 2]


def test_of_a_group_that_would_be_one_the_larger_part_stayed() -> None:
    assert parted((5, 2), places="aaaabbbccc", before=ONE) == (Parted((5,), (2,), "b", "a", 4, (1, 2, 3, 4)),)
    assert parted((5, 2), (5, 3), places="aaaabbbccc", before=ONE) == (
        Parted((5,), (2, 3), "b", "a", 4, (1, 2, 3, 4)),
    )


def test_what_came_since_the_last_run_did_not_stay() -> None:
    went = Parted((2,), (5,), "a", "b", 7, (5, 6, 7))
    assert parted((5, 2), places="aaaabbbccc", before=ONE, came=[5, 6]) == (went,)


def test_a_part_that_is_no_proposal_went_out_of_the_other() -> None:
    assert parted((2, 5), places="aaaa---ccc", before=ONE) == (Parted((2,), (5,), "a", None, 7, (5, 6, 7)),)


def test_a_group_of_which_no_part_is_a_proposal_is_told_of_where_it_was_large() -> None:
    known = parted((2, 5), places="-------ccc", before=ONE)
    assert known == (), "they are at the same place"
    of = plain_groups(
        FEATURES, LABELS, np.array([0, *range(1, 11)]), apart=pairs((2, 5)), unanswered=np.array(ONE)
    )
    placements = [*[Placement("known", "greet", 1.0, "near")] * 5, *[LEFT] * 6]
    apart = Parted((5,), (2,), None, None, 11, tuple(range(1, 8)))
    assert parted_by_answers(of, CORPUS, placements, 11) == (apart,)
    assert parted_by_answers(of, CORPUS, placements, 12) == ()


def test_a_group_that_came_apart_into_several_places_is_told_of_once() -> None:
    said = pairs((2, 5), (2, 7), (5, 7))
    of = plain_groups(FEATURES, LABELS, np.array([0, *range(1, 11)]), apart=said, unanswered=np.array(ONE))
    near = [Placement("known", intent, 1.0, "near") for intent in ("greet", "bye")]
    placements = [*[near[0]] * 5, *[near[1]] * 2, *[LEFT] * 4]
    [told] = parted_by_answers(of, CORPUS, placements, 5)
    assert {*told.ones, *told.others} == {2, 5, 7}
    assert (told.proposal, told.other, told.messages, told.went) == (None, None, 11, tuple(range(1, 8)))


@pytest.mark.parametrize(
    ("said", "places"),
    [
        ((2, 5), "aaaabbbccc"),  # they would be two all the same
        ((1, 2), "aaaabbbccc"),  # another answer put them together
        ((1, 2), "-aaabbbccc"),  # the answered one alone went
    ],
)
def test_answers_that_took_nothing_apart_are_not_told(said: tuple[int, int], places: str) -> None:
    assert parted(said, places=places) == ()


def test_where_nothing_was_said_nothing_is_told() -> None:
    of = plain_groups(FEATURES, LABELS, np.array([0, *[1] * 10]))
    placements = [new("a")] * 11
    assert joined_by_answers(of, CORPUS, placements, ()) == parted_by_answers(of, CORPUS, placements, 1) == ()


def test_what_came_in_words() -> None:
    assert joined_in_words(["a", "b"], "order", 1, 1) == (
        "order: 1 message came with your answer that “a” and “b” want the same."
    )
    assert joined_in_words(["a", "b", "c"], "order", 12, 3) == (
        "order: 12 messages are there by your answers that “a”, “b” and “c” want the same; 3 were not there "
        "in the last run."
    )


def test_what_went_in_words() -> None:
    by = "by your answer that “b” does not want the same as “a”"
    assert parted_in_words(["a"], ["b"], "order", "stop", 9) == f"stop, not order: 9 messages, {by}."
    assert parted_in_words(["a"], ["b"], "order", None, 1) == f"Not order: 1 message, {by}."
    assert parted_in_words(["a"], ["b", "c"], None, None, 14) == (
        "No proposal: 14 messages of a group that came apart, by your answers that “b” and “c” do not want "
        "the same as “a”."
    )
