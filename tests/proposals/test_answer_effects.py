"""Which answers a run tells of: those that may be why a proposal is missing."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pytest
from plain_groups import plain_groups

from rasa_intent_discovery.clustering.claimed import ToldKnown
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.datatypes import UNLABELED, Corpus, Placement
from rasa_intent_discovery.proposals.answers import (
    AnswerEffect,
    Question,
    effect_in_words,
    effects_of,
    questions_of,
)
from rasa_intent_discovery.proposals.numbers import PROPOSALS

LABELS = np.array([0, 1, *[UNLABELED] * 5])
CORPUS = Corpus(
    texts=tuple("abcdefg"),
    labels=LABELS,
    counts=np.array([0, 0, 4, 1, 1, 2, 3]),
    spellings=((),) * 7,
    intents=("card_lost", "greet"),
)


def effects(
    *told: ToldKnown, elsewhere: Collection[int] = (), place: tuple[str, str | None] = ("new", "a")
) -> tuple[AnswerEffect, ...]:
    """Where a proposal needs 5 messages, rows 2 and 3 are in the one intent, and the others in the other."""
    there = [("known", "card_lost" if row in (2, 3) else "greet") for row in range(7)]
    places = [place if row in elsewhere else there[row] for row in range(7)]
    placements = [Placement(placed, intent, 1.0, "so") for placed, intent in places]
    assignments = np.where(LABELS == UNLABELED, UNGROUPED, LABELS)
    groups = plain_groups(np.ones((7, 2), dtype=np.float32), LABELS, assignments, told=told)
    return effects_of(groups, CORPUS, placements, 5)


def test_what_moved_as_many_messages_as_a_proposal_needs_is_told_the_most_first() -> None:
    one, other = ToldKnown(0, (2,), np.array([2, 3]), 0.9), ToldKnown(1, (4, 6), np.array([4, 5, 6]), 0.9)

    assert effects(one, other) == (
        AnswerEffect((4, 6), "greet", 6, (4, 5, 6)),
        AnswerEffect((2,), "card_lost", 5, (2, 3)),
    )


@pytest.mark.parametrize("place", [("new", "a"), ("left_over", None), ("known", "card_lost")])
def test_what_is_elsewhere_in_the_end_was_not_moved(place: tuple[str, str | None]) -> None:
    one = ToldKnown(1, (4, 6), np.array([4, 5, 6]), 0.9)

    assert effects(one, elsewhere=[4], place=place) == (AnswerEffect((4, 6), "greet", 5, (5, 6)),)
    assert effects(one, elsewhere=[5], place=place) == ()


def test_what_moved_little_or_what_did_not_look_new_is_not_told() -> None:
    little = ToldKnown(0, (2,), np.array([2]), 0.9)
    known = ToldKnown(0, (2,), np.array([2, 3]), PROPOSALS.least_newness - 0.01)

    assert effects(little, known) == ()


def test_nothing_is_asked_of_other_languages_alone() -> None:
    assignments = np.array([0, 1, 2, 2, 3, 3, 3])
    questions = ((2, (4,)), (2, (1, 4)), (4, (2,)), (5, (6,)))
    groups = plain_groups(np.ones((7, 2), dtype=np.float32), LABELS, assignments, questions=questions)
    asked = [Question(row, choices) for row, choices in questions]

    assert questions_of(groups, ()) == tuple(asked)
    assert questions_of(groups, frozenset({3})) == (asked[1],)
    assert questions_of(groups, frozenset({2})) == (asked[3],)


@pytest.mark.parametrize(
    ("texts", "by"),
    [
        (["my card"], "answer that “my card” belongs"),
        (["a", "b", "c"], "answers that “a”, “b” and “c” belong"),
        (["a", "b", "c", "d", "e"], "answers that “a”, “b”, “c” and 2 more belong"),
        (["word " * 20], "answer that “word word word word word word word word word word word …” belongs"),
    ],
)
def test_an_effect_names_the_messages_that_were_answered(texts: list[str], by: str) -> None:
    moved = "card_lost: 1,043 messages moved there, out of a group that looked new"
    assert effect_in_words(texts, "card_lost", 1043) == f"{moved}, by your {by} there."
