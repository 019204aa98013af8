"""Which messages of a large log a run learns from to go on with earlier ones."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from rasa_intent_discovery.datatypes import UNLABELED, Corpus
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.proposals.memory import continuing
from rasa_intent_discovery.proposals.memory.continuing import rows_to_go_on
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


def found(earlier: Earlier) -> list[str]:
    return [text for text, on in zip(TEXTS, rows_to_go_on(CORPUS, earlier), strict=True) if on]


def test_without_earlier_runs_there_is_nothing_to_go_on_with() -> None:
    assert found(NOTHING_EARLIER) == []


def test_what_a_person_answered_about_is_learnt_from() -> None:
    answers = (Answer("a song", together=("SING it",), apart=("my money back",)),)

    assert found(Earlier(answers=answers)) == ["my money back", "a song", "sing it"]


def test_of_each_earlier_proposal_the_most_frequent_messages_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(continuing, "PROPOSALS", dataclasses.replace(PROPOSALS, learnt_again=2))

    assert found(Earlier(proposals=(REFUND,))) == ["my money back", "Refund please"]
