"""The questions of a run that are still open, and how the page learns of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from desk_folder import QUESTIONS, write_folder

from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.review.answers import answer_line
from rasa_intent_discovery.review.files import act, undo
from rasa_intent_discovery.review.folder import open_desk
from rasa_intent_discovery.review.messages import read_log
from rasa_intent_discovery.review.page import page_state
from rasa_intent_discovery.review.questions import Choice, OpenQuestion, count_answers, open_questions

MONEY = OpenQuestion(
    "where is my money", "refund", (Choice("a bill please", "invoice"), Choice("money back please", "refund"))
)
LOL = OpenQuestion("lol", None, (Choice("good day", "greet"),))


def test_all_are_open_at_first_in_the_order_of_the_run() -> None:
    assert open_questions(QUESTIONS, "") == [MONEY, LOL]


def test_what_is_answered_is_not_open_whoever_was_asked_about_whom() -> None:
    first = answer_line(Answer("where is my money", (), ("a bill please",)))
    second = answer_line(Answer("MONEY back please", ("where is my money",)))

    assert open_questions(QUESTIONS, first) == [MONEY, LOL], "one of its two pairs is not"
    assert open_questions(QUESTIONS, first + second) == [LOL]
    assert count_answers(first + second) == 2


@pytest.mark.parametrize(
    "questions",
    [
        None,
        "often",
        [
            7,
            {"text": 1, "choices": []},
            {"text": "a"},
            {"text": "a", "choices": "b"},
            {"text": "a", "choices": []},
        ],
        [{"text": "a", "choices": [{"intent": "b"}, 3]}],
    ],
)
def test_what_cannot_be_read_is_left_out(questions: Any) -> None:
    assert open_questions({"questions": questions}, "") == []


def test_the_page_learns_of_them_and_of_how_many_are_answered(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts", run=QUESTIONS)
    desk = open_desk(folder)

    def told() -> tuple[list[str], int]:
        state = page_state(desk, read_log(folder, desk.run))
        return [question["text"] for question in state["questions"]], state["answers"]

    assert told() == (["where is my money", "lol"], 0)
    desk, chosen = act(desk, "answer", {"text": "lol", "together": [], "apart": ["good day"]})
    assert chosen is None
    assert told() == (["where is my money"], 1)
    desk = undo(desk)
    assert told() == (["where is my money", "lol"], 0)
    assert page_state(desk, read_log(folder, desk.run))["questions"][1] == {
        "text": "lol",
        "shown": "lol",
        "intent": None,
        "choices": [{"text": "good day", "shown": "good day", "intent": "greet"}],
    }
