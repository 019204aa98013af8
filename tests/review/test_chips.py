"""The evidence in a line of chips: what sets a draft apart, and nothing where nothing is to be said."""

from __future__ import annotations

from typing import Any

import pytest

from rasa_intent_discovery.review.findings.chips import Chip, chips_of
from rasa_intent_discovery.training_data.nlu_yaml import Draft

TREND = {"trend": [1, 2, 3, 9], "trend_of_log": [50, 50, 50, 50], "trend_days": 7}


def chips(evidence: dict[str, Any], *examples: str) -> list[str]:
    """The words; those to be careful of with a mark."""
    found = chips_of(Draft("refund", examples, evidence))
    return [f"! {chip.words}" if chip.careful else chip.words for chip in found]


def test_all_there_can_be_with_what_to_be_careful_of_first() -> None:
    evidence = {
        "nearest_known_intent": "order",
        "similarity": 0.85,
        "nearest_new_intent": "visa",
        "new_similarity": 0.9,
        "takes_from": {"order": 2, "greet": 1},
        "quick_test": {"asked": 500, "more_wrong": -2},
        "cohesion": 0.8,
        "stability": 0.9,
        "conflicts": [{"text": "i want it", "example": "I want it", "intent": "order"}],
        **TREND,
    }
    assert chips(evidence, "i want it", "money back") == [
        *(
            "! very near order",
            "! very near visa",
            "! 1 nearly of order",
            "! takes 3 in all from order and another intent",
        ),
        *("2 more understood", "very alike", "stable", "asked more lately"),
    ]


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        ({}, []),
        ({"nearest_known_intent": "order", "similarity": 0.33}, []),
        ({"nearest_known_intent": "order", "similarity": 0.65}, ["near order"]),
        (
            {"nearest_known_intent": "order", "similarity": 0.33, "more_of_accepted": True},
            ["! more of order?"],
        ),
        (
            {"nearest_known_intent": "order", "similarity": 0.9, "more_of_accepted": True},
            ["! more of order?"],
        ),
        ({"more_of_accepted": True}, []),
        ({"nearest_new_intent": "visa", "new_similarity": 0.65}, []),
        ({"quick_test": {"asked": 1001, "more_wrong": 2}}, []),
        ({"quick_test": {"asked": 1000, "more_wrong": 2}}, ["2 more misunderstood"]),
        ({"quick_test": {"asked": 1000, "more_wrong": 10}}, ["! 10 more misunderstood"]),
        ({"takes_from": {"order": 2}}, ["! takes 2 from order"]),
        (
            {"takes_from": {"order": 2, "greet": 1, "bye": 1}},
            ["! takes 4 in all from order and 2 other intents"],
        ),
        ({"takes_from": {}}, []),
        ({"cohesion": 0.6, "stability": 0.6}, []),
        ({"cohesion": 0.8, "stability": 0.9, "answers_gap": 0.39}, ["very alike", "stable"]),
        ({"cohesion": 0.8, "stability": 0.9, "answers_gap": 0.4}, ["! may be two wishes"]),
        ({"stability": 0.4, "answers_gap": 0.4}, ["! may be two wishes", "! falls apart"]),
        ({"cohesion": 0.73, "distinct_messages": 20}, ["very alike"]),
        ({"cohesion": 0.73, "distinct_messages": 3}, []),
        ({"cohesion": 0.5, "distinct_messages": 3}, []),
        ({"cohesion": 0.4, "stability": 0.4}, ["! may mix wishes", "! falls apart"]),
        ({**TREND, "trend": [9, 9, 9, 9]}, []),
        ({**TREND, "trend": [9, 9, 1, 1]}, ["asked less lately"]),
        ({"conflicts": [{"text": "dropped since"}, "odd"]}, []),
        ({"cohesion": "high", "takes_from": ["order"], "conflicts": "none", "similarity": 0.9}, []),
    ],
)
def test_a_chip_is_there_where_something_is_to_be_said(evidence: dict[str, Any], words: list[str]) -> None:
    assert chips(evidence, "money back") == words


def test_the_intents_are_named_of_which_examples_nearly_are() -> None:
    of = {"one": "greet", "two": "order", "three": "order", "dropped": "bye"}
    conflicts = [{"text": text, "example": f"{text}!", "intent": intent} for text, intent in of.items()]
    assert chips_of(Draft("refund", ("one", "two", "three", "four"), {"conflicts": conflicts})) == [
        Chip(
            "3 nearly of order and another intent",
            "They differ by little from examples that your bot has for another intent, marked below: "
            "order (2), greet (1)",
            True,
        )
    ]


def test_what_was_merged_into_an_intent_is_no_example_of_another_one_for_being_nearly_one_of_it() -> None:
    conflicts = [{"text": "two", "example": "two!", "intent": "order"}]
    assert chips_of(Draft("order", ("two",), {"conflicts": conflicts})) == []


def test_what_others_were_merged_into_was_not_measured() -> None:
    merged = Draft("refund", (), {"cohesion": 0.2, "merged_from": ["new/a.yml", "new/b.yml"]})
    assert chips_of(merged) == [
        Chip(
            "2 merged into it",
            "Other proposals were merged into it since the run: what the run measured is of before",
        )
    ]


def test_what_a_chip_says_as_a_sentence() -> None:
    evidence = {"nearest_known_intent": "order", "similarity": 0.65, "takes_from": {"order": 2, "greet": 1}}
    assert [chip.says for chip in chips_of(Draft("refund", (), evidence))] == [
        "If you accept it: 3 examples that your bot understands now would be taken for this intent: "
        "of order (2), greet (1)",
        "0.65 alike (1 is the same)",
    ]


def test_where_much_came_or_left_what_was_measured_is_no_warning_any_more() -> None:
    evidence = {"distinct_messages": 10, "messages": 30, "cohesion": 0.2}
    draft = Draft("refund", ("a", "b"), evidence)
    before = chips_of(draft)
    assert chips_of(draft, 3) == before != []
    assert [(chip.words, chip.careful) for chip in chips_of(draft, 4)] == [("4 came or left", False)]
