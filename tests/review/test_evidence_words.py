"""The evidence in words, as the review desk shows it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rasa_intent_discovery.review.findings.evidence_words import (
    dates_in_words,
    evidence_in_words,
    trend_in_words,
)
from rasa_intent_discovery.review.page.assets import page_asset

ALIKE, STABLE = "its messages are alike", "nearly all of it is found again when messages are left out"


@pytest.mark.parametrize(("similarity", "other"), [(-0.06, 0.004), (0.21, 0.244)])
def test_what_has_little_in_common_is_not_called_near(similarity: float, other: float) -> None:
    far = {"nearest_known_intent": "greet", "similarity": similarity, "nearest_new_intent": "visa"}
    assert evidence_in_words({**far, "new_similarity": other}) == [
        ("Nearest known intent", "none is near", False),
        ("Nearest proposal", "none is near", False),
    ]
    assert evidence_in_words({**far, "similarity": 0.25})[0][1] == "greet, 0.25 alike"
    more = "greet, 0.20 alike; you accepted that as a proposal before, and this may be more of it"
    of_accepted = {**far, "similarity": 0.2, "more_of_accepted": True}
    assert evidence_in_words(of_accepted)[0] == ("Nearest known intent", more, True)


def test_the_words_of_a_whole_evidence() -> None:
    evidence = {
        "messages": 9,
        "cohesion": 0.6,
        "stability": 0.9,
        "first_logged": "2026-03-01",
        "last_logged": "2026-03-04",
        "trend": [1, 2, 3, 9],
        "trend_of_log": [100, 100, 100, 100],
        "trend_days": 1,
        "nearest_known_intent": "greet",
        "similarity": 0.85,
        "nearest_new_intent": "visa",
        "new_similarity": 0.4,
        "quick_test": {"asked": 1500, "more_wrong": 30},
        "takes_from": {"greet": 2, "bye": 1},
        "duplicates": 3,
        "entities": ["[Berlin](city)", '[nyc]{"entity": "city", "value": "New York"}', "Rome", 3],
    }
    assert evidence_in_words(evidence) == [
        ("Nearest known intent", "greet, 0.85 alike; that is very close, they may be one", True),
        ("Nearest proposal", "visa, 0.40 alike", False),
        (
            "If you accept it",
            "by a quick test, your bot would misunderstand 30 more of its 1,500 examples than now "
            "(about 2 of 100)",
            True,
        ),
        (
            "Takes from other intents",
            "3 examples that your bot understands now would be taken for this intent: of greet (2), bye (1)",
            True,
        ),
        ("How alike", ALIKE, False),
        ("How stable", STABLE, False),
        ("Logged", "2026-03-01 to 2026-03-04", False),
        (
            "Trend",
            "asked more lately: 80 % of its messages (12 of 15) are from the last 2 days of the log, "
            "and 50 % of all messages",
            False,
        ),
        ("Nearly repeated", "3 differ little from examples it has", False),
        ("Entities your bot knows", "Berlin (city), nyc (city, New York)", False),
    ]


def test_what_answers_put_together_is_not_praised_where_its_parts_differ() -> None:
    evidence = {"cohesion": 0.8, "stability": 0.9, "answers_gap": 0.4}
    differ = "what came with your answers is less like the rest than like itself: look whether it is one wish"
    assert evidence_in_words(evidence) == [
        ("How alike", differ, True),
        ("How stable", f"{STABLE}, as your answers hold it together", False),
    ]
    assert evidence_in_words({**evidence, "answers_gap": 0.39}) == [
        ("How alike", "its messages are very much alike", False),
        ("How stable", STABLE, False),
    ]


def test_the_overview_explains_every_figure_that_needs_it() -> None:
    script = page_asset("desk_overview.js")
    told = " ".join(re.findall(r'^    \["([^"]*)", ', script, re.MULTILINE)).lower()
    needed = [
        *("nearest known intent", "nearest proposal", "if you accept it", "takes from other intents"),
        *("how alike", "how stable", "logged", "trend", "plausible", "covered", "left over", "set aside"),
    ]
    assert [heading for heading in needed if heading not in told] == []


@pytest.mark.parametrize(
    "evidence",
    [
        {},
        {"similarity": 0.5, "cohesion": "high", "stability": True, "takes_from": ["greet"]},
        {"nearest_known_intent": "greet", "similarity": float("nan"), "quick_test": None},
        {"quick_test": {"asked": 0, "more_wrong": 0}},
        {"quick_test": {"asked": 3, "more_wrong": -4}},
        {"quick_test": {"asked": 10**400, "more_wrong": 4}},
        {"quick_test": {"asked": "many", "more_wrong": 4}},
        {"entities": "[Berlin](city)"},
        {"trend": [9, 0], "trend_of_log": [9, 9], "trend_days": "weeks"},
        {"trend": [9, 9], "trend_of_log": [9, 9], "trend_days": -7},
        {"trend": [10**400, 9], "trend_of_log": [9, 9], "trend_days": 7},
        {"trend": [9, "0"], "trend_of_log": [9, 9], "trend_days": 7},
        {"trend": [9, 0, 0], "trend_of_log": [9, 9], "trend_days": 7},
    ],
)
def test_what_somebody_else_wrote_is_passed_over(evidence: dict[str, Any]) -> None:
    assert evidence_in_words(evidence) == []


def test_of_many_entities_the_first() -> None:
    listed = [f"[city {number}](city)" for number in range(14)]
    [(_, words, _)] = evidence_in_words({"entities": listed})
    assert words.startswith("city 0 (city), ")
    assert words.endswith("city 11 (city) and 2 more")


@pytest.mark.parametrize(
    ("trend", "log", "words"),
    [
        ([20, 1], [50, 50], "asked less lately: 5 % of its messages (1 of 21) are from the last week"),
        ([10, 11], [50, 50], "no clear change: 52 % of its messages (11 of 21) are from the last week"),
        ([4, 6], [50, 50], "no clear change: 60 % of its messages (6 of 10) are from the last week"),
        ([1, 20], [50, 950], None),  # nearly all of the log is from then
        ([10, 30], [500, 1500], "no clear change: 75 % of its messages (30 of 40) are from the last week"),
        ([10, 30], [1500, 500], "asked more lately: 75 % of its messages (30 of 40) are from the last week"),
        ([9, 5, 1], [50, 50, 50], "asked less lately: 7 % of its messages (1 of 15) are from the last week"),
        ([0, 7], [50, 50], None),  # too few
        ([0, 0], [0, 0], None),
        ([9, 9], [9, 0], None),
    ],
)
def test_a_trend_is_told_beside_that_of_the_log(trend: list[int], log: list[int], words: str | None) -> None:
    said = trend_in_words({"trend": trend, "trend_of_log": log, "trend_days": 7})
    assert (said or "").partition(" of the log")[0] == (words or "")


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        ("2026-03-03", "2026-11-09", "3 Mar \u2013 9 Nov"),
        ("2025-11-09", "2026-03-03", "9 Nov 2025 \u2013 3 Mar 2026"),
        ("2026-03-03", "2026-03-03", "3 Mar"),
        ("2026-03-03", None, None),
        ("soon", "later", None),
    ],
)
def test_the_days_in_few_letters(first: str, last: str | None, words: str | None) -> None:
    assert dates_in_words({"first_logged": first, "last_logged": last}) == words
