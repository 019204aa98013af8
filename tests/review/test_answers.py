"""What a person said of messages, as lines of a file and as pairs of rows."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasa_intent_discovery.proposals.answers import Answer, links_of
from rasa_intent_discovery.review.decisions.answers import answer_line, answers_of, unsure_of

TEXTS = ["cancel my order", "stop the order", "where is my order", "what was ordered"]


@given(st.text(), st.lists(st.text()), st.lists(st.text()))
def test_an_answer_comes_back_as_it_was_written(text: str, together: list[str], apart: list[str]) -> None:
    answer = Answer(text, tuple(together), tuple(apart))

    assert answers_of(answer_line(answer) * 2) == ((answer, answer), ())


def test_what_nobody_can_tell_is_no_answer() -> None:
    untold = Answer("a", unsure=("b", "c"))
    lines = answer_line(untold) + answer_line(Answer("d", ("e",)))

    assert answers_of(lines) == ((Answer("d", ("e",)),), ())
    assert unsure_of(lines) == (untold,)


@pytest.mark.parametrize("line", ["{", "[]", '{"text": "a"}', '{"text": 1, "together": [], "apart": []}',
                                  '{"text": "a", "together": "b", "apart": []}', "[" * 5000])  # fmt: skip
def test_a_line_that_is_not_as_it_was_written_is_told_by_its_number(line: str) -> None:
    whole = json.dumps({"text": "a", "together": ["b"], "apart": []})

    assert answers_of(f"{whole}\n\n{line}\n") == ((Answer("a", ("b",), ()),), (3,))


def test_answers_are_pairs_of_places_whatever_the_spelling() -> None:
    answer = Answer("Cancel my  ORDER", (TEXTS[1].upper(),), (TEXTS[2], "long gone"))

    links = links_of([answer], TEXTS)

    assert (links.together.tolist(), links.apart.tolist()) == ([[0, 1]], [[0, 2]])


def test_of_two_answers_about_a_pair_the_later_one_counts() -> None:
    links = links_of([Answer(TEXTS[0], (TEXTS[1],)), Answer(TEXTS[1], (), (TEXTS[0],))], TEXTS)

    assert (links.together.tolist(), links.apart.tolist()) == ([], [[0, 1]])


def test_what_was_answered_again_is_the_last_answer() -> None:
    same = [Answer(TEXTS[2], (choice,)) for choice in (TEXTS[0], TEXTS[1], TEXTS[0])]

    assert links_of(same, TEXTS).together.tolist() == [[1, 2], [0, 2]]


def test_what_is_no_message_any_more_tells_nothing() -> None:
    links = links_of([Answer("long gone", (TEXTS[1],))], TEXTS)

    assert (links.together.shape, links.apart.shape) == ((0, 2), (0, 2))
