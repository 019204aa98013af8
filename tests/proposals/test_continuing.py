"""Which messages of a large log a run learns from to go on with earlier ones."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from rasa_intent_discovery.datatypes import UNLABELED, Corpus
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.proposals.memory import continuing
from rasa_intent_discovery.proposals.memory.continuing import rows_missing, rows_said
from rasa_intent_discovery.proposals.memory.earlier import NOTHING_EARLIER, Earlier, EarlierProposal
from rasa_intent_discovery.proposals.numbers import PROPOSALS

TEXTS = ("hello", "where is my money", "my money back", "Refund please", "a song", "sing it")
COUNTS = (0, 1, 5, 3, 1, 1)
CORPUS = Corpus(
    TEXTS,
    np.array([0, *[UNLABELED] * 5]),
    np.array(COUNTS),
    tuple(((text, count),) if count else () for text, count in zip(TEXTS, COUNTS, strict=True)),
    ("greet",),
)
REFUND = EarlierProposal("refund", frozenset({"where is my money", "my money back", "refund please"}), 9)


def found(rows: np.ndarray) -> list[str]:
    return [text for text, on in zip(TEXTS, rows, strict=True) if on]


def said(earlier: Earlier) -> list[str]:
    return found(rows_said(CORPUS, earlier))


def missing(*drawn: str, earlier: Earlier) -> list[str]:
    """What is to be in a sample beside what was drawn."""
    return found(
        rows_missing(CORPUS, np.array([TEXTS.index(text) for text in drawn], dtype=np.int64), earlier, 5)
    )


def test_without_earlier_runs_there_is_nothing_to_go_on_with() -> None:
    assert said(NOTHING_EARLIER) == missing("a song", earlier=NOTHING_EARLIER) == []


def test_what_a_person_answered_about_is_learnt_from() -> None:
    answers = (Answer("a song", together=("SING it",), apart=("my money back",)),)

    assert said(Earlier(answers=answers)) == ["my money back", "a song", "sing it"]


def test_so_is_what_a_person_refused() -> None:
    assert said(Earlier(refused={"greet": frozenset({"refund please"})})) == ["Refund please"]


def test_of_an_earlier_proposal_that_is_missing_the_most_frequent_messages_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(continuing, "PROPOSALS", dataclasses.replace(PROPOSALS, learnt_again=2))

    assert missing("a song", "where is my money", earlier=Earlier(proposals=(REFUND,))) == [
        *("my money back", "Refund please")
    ]


def test_of_one_of_which_there_is_enough_no_more_are() -> None:
    assert missing("my money back", earlier=Earlier(proposals=(REFUND,))) == []


def test_that_is_as_many_as_a_proposal_needs() -> None:
    drawn = np.array([TEXTS.index("where is my money"), TEXTS.index("Refund please")], dtype=np.int64)
    wanted = [rows_missing(CORPUS, drawn, Earlier(proposals=(REFUND,)), least).any() for least in (4, 5, 9)]

    assert wanted == [False, True, True]


def test_what_was_split_off_is_missing_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its messages are also of the proposal that they were in."""
    monkeypatch.setattr(continuing, "PROPOSALS", dataclasses.replace(PROPOSALS, learnt_again=2))
    split = EarlierProposal("mine", frozenset({"where is my money"}), 1)

    assert missing("my money back", earlier=Earlier(proposals=(REFUND, split))) == ["where is my money"]
    assert missing("a song", earlier=Earlier(proposals=(split, REFUND))) == [*TEXTS[1:4]]
