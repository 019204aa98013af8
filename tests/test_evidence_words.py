"""The evidence in words, as the review desk shows it."""

from __future__ import annotations

from typing import Any

import pytest

from rasa_intent_discovery.evidence_words import evidence_in_words

ALIKE, STABLE = "its messages are alike", "comes back nearly whole when messages are left out"


def test_the_words_of_a_whole_evidence() -> None:
    evidence = {
        "messages": 9,
        "cohesion": 0.6,
        "stability": 0.9,
        "first_logged": "2026-03-01",
        "last_logged": "2026-03-04",
        "nearest_known_intent": "greet",
        "similarity": 0.85,
        "nearest_new_intent": "visa",
        "new_similarity": 0.4,
        "f1_change": -0.02,
        "takes_from": {"greet": 2, "bye": 1},
        "duplicates": 3,
        "entities": ["[Berlin](city)", '[nyc]{"entity": "city", "value": "New York"}', "Rome", 3],
    }
    assert evidence_in_words(evidence) == [
        ("Nearest known intent", "greet, 0.85 alike; that is very close, they may be one", True),
        ("Nearest proposal", "visa, 0.40 alike", False),
        ("If you accept it", "your intents would be recognised 2.0 of 100 points worse than now", True),
        ("Takes messages from", "greet (2), bye (1)", True),
        ("How alike", ALIKE, False),
        ("How stable", STABLE, False),
        ("Logged", "2026-03-01 to 2026-03-04", False),
        ("Nearly repeated", "3 differ little from examples it has", False),
        ("Entities your bot knows", "Berlin (city), nyc (city, New York)", False),
    ]


@pytest.mark.parametrize(
    "evidence",
    [
        {},
        {"similarity": 0.5, "cohesion": "high", "stability": True, "takes_from": ["greet"]},
        {"nearest_known_intent": "greet", "similarity": float("nan"), "f1_change": None},
        {"entities": "[Berlin](city)"},
    ],
)
def test_what_somebody_else_wrote_is_passed_over(evidence: dict[str, Any]) -> None:
    assert evidence_in_words(evidence) == []


def test_of_many_entities_the_first() -> None:
    listed = [f"[city {number}](city)" for number in range(14)]
    [(_, words, _)] = evidence_in_words({"entities": listed})
    assert words.startswith("city 0 (city), ")
    assert words.endswith("city 11 (city) and 2 more")
