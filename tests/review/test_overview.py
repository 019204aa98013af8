"""What the page says of a run as a whole."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rasa_intent_discovery.corpus.personal_data import PLACEHOLDER
from rasa_intent_discovery.review.findings.overview import masked_in_words, overview

RUN: dict[str, Any] = {
    "settings": {
        **{"preset": "default", "encoder": "embedded", "min_messages": 5, "seed": 0},
        **{"num_intents": None, "mask_personal_data": True},
    },
    "versions": {"rasa-intent-discovery": "0.1.0"},
    "read": {
        **{"messages": 1200, "distinct_messages": 700},
        "set_aside": {"only a number": 20, "bot payload": 30},
        "masked": {"email": 2, "iban": 1, "card": 0},
    },
    "intents": ["greet", "order"],
    "new_intents": {"proposed": 2, "range": [1, 3]},
    "impact": {
        "covered_before": 0.25,
        "covered_after": 0.55,
        "quick_test": {"asked": 200, "more_wrong": 6},
    },
    "changes": {"gone": ["visa"], "new": ["refund", "invoice"]},
}


def test_what_was_found_is_told_first_and_how_sure_it_is() -> None:
    told = overview(RUN)
    assert told["title"] == "2 new intents in your bot’s messages"
    assert told["lead"] == (
        "1,200 logged messages were read and grouped by meaning. Each proposal looks like something people "
        "ask for that none of the bot’s 2 intents covers. Their number is an estimate: 1 to 3 would be "
        "plausible."
    )
    assert told["proposed"] == 2
    assert told["facts"] == [
        ("Messages read", "1,200", "700 different texts: the same one counts as often as it was logged"),
        ("New intents", "2", "1 to 3 plausible"),
        ("Set aside", "50", "bot payload: 30, only a number: 20"),
        (
            *("Personal data masked", "3"),
            "2 e-mail addresses, 1 bank account (IBAN); names and postal addresses are not looked for",
        ),
    ]
    assert told["settings"] == (
        "rasa-intent-discovery 0.1.0, preset default, encoder embedded, at least 5 messages per new intent, "
        "seed 0"
    )


def test_it_is_told_of_how_many_messages_the_quotes_or_the_signature_were_taken_off() -> None:
    told = overview({**RUN, "read": {**RUN["read"], "shortened": 22}})
    assert told["facts"][0][2].endswith(
        "logged; 22 read without what they quote, their header or their signature"
    )


def test_what_was_not_read_of_many_messages_is_told() -> None:
    boilerplate = {"starts": {"hello": 20}, "ends": {"regards, …": 30}}
    assert overview({**RUN, "read": {**RUN["read"], "boilerplate": boilerplate}})["facts"][1] == (
        *("Openings and endings", "2"),
        "not read, as messages of all kinds begin or end with them: “regards, …” (30), “hello” (20)",
    )


def test_warnings_are_told() -> None:
    assert overview({**RUN, "warnings": ["The log is in German."]})["warnings"] == ["The log is in German."]
    assert overview(RUN)["warnings"] == []


def test_what_all_together_would_do() -> None:
    assert overview(RUN)["impact"] == (
        "Measured by the run, whatever was decided since: with all new intents that it proposed, 55 % of "
        "the log would belong to intents of your bot instead of 25 %; what was set aside belongs to none. "
        "By a quick test, your bot would misunderstand 6 more of its 200 examples than now (about 3 of 100)."
    )
    unmeasured = {**RUN, "impact": {**RUN["impact"], "quick_test": None}}
    assert overview(unmeasured)["impact"].endswith("what was set aside belongs to none.")


def test_changes_since_the_last_run() -> None:
    assert overview(RUN)["changes"] == [("new", ["refund", "invoice"]), ("not found any more", ["visa"])]
    assert overview({**RUN, "changes": None})["changes"] == []
    assert overview(RUN)["since"] == "Since the last run"
    assert (
        overview({**RUN, "changes": {"new": ["a"], "same_log": True}})["since"] == "Since the log last grew"
    )
    many = {"visa": {"greet": 12, "": 3, "order": 2, "refund": 1}}
    told = overview({**RUN, "changes": {"gone": ["visa"], "whereabouts": many}})["changes"]
    assert told[0][1] == ["visa (12 messages are in greet now, 3 are left over, 3 elsewhere)"]
    told = overview({**RUN, "changes": {"gone": ["visa"], "whereabouts": {"visa": {}}}})["changes"]
    assert told[0][1] == ["visa (nothing of it was read this time)"]
    for unreadable in (7, {"visa": 7}):
        told = overview({**RUN, "changes": {"gone": ["visa"], "whereabouts": unreadable}})
        assert told["changes"] == [("not found any more", ["visa"])]


def test_intents_in_which_messages_look_new_the_suspicious_ones_first() -> None:
    told = {"messages": {"greet": 9, "order": 7}, "suspicious": ["order"]}
    assert overview({**RUN, "borderline": told})["borderline"] == [
        ("order", 7, True),
        ("greet", 9, False),
    ]
    assert overview(RUN)["borderline"] == []


def test_a_number_that_was_asked_for_is_no_estimate() -> None:
    told = overview({**RUN, "settings": {**RUN["settings"], "num_intents": 4}})
    assert told["facts"][1] == ("New intents", "2", "4 asked for")
    assert "estimate" not in told["lead"]


def test_no_proposal_is_told_as_a_result() -> None:
    told = overview({**RUN, "new_intents": {"proposed": 0, "range": [0, 0]}})
    assert told["title"] == "No new intents found"
    assert told["lead"].startswith(
        "1,200 logged messages were read, and no group of at least 5 of them clearly asks for something that "
        "none of the bot’s 2 intents covers. That is a result, not a mistake"
    )


def test_what_is_in_other_languages_is_told() -> None:
    read = {**RUN["read"], "other_languages": {"fr": 3, "hi": 12}, "foreign_groups": 40}
    nothing = {**RUN, "read": read, "new_intents": {"proposed": 0, "range": [0, 0]}}

    told = overview(nothing)

    by_language = "hi: 12, fr: 3, in groups of mixed languages: 40"
    assert told["facts"][1] == ("In other languages", "55", f"{by_language}; they are left over")
    assert "no group of at least 5 of them in its language clearly asks" in told["lead"]
    proposed = overview({**nothing, "settings": {**RUN["settings"], "other_languages": True}})
    assert proposed["facts"][1] == ("In other languages", "55", by_language)


def test_nothing_new_beside_what_was_ignored_is_told_so() -> None:
    told = overview({**RUN, "new_intents": {"proposed": 0}, "changes": {"ignored": ["refund"]}})
    assert told["title"] == "No new intents found"
    assert (
        told["lead"] == "1,200 logged messages were read, and nothing new is in them beside what you ignored."
    )


def test_personal_data_that_was_not_masked_is_told() -> None:
    told = overview({**RUN, "settings": {**RUN["settings"], "mask_personal_data": False}})
    assert told["facts"][3] == ("Personal data masked", "off", "messages are shown as they were written")


@pytest.mark.parametrize(
    ("masked", "with_mask", "figure", "words"),
    [
        ({}, 0, "0", "none was found"),
        ({}, 1, "0", "1 message holds a mask already, as logged"),
        ({}, 1234, "0", "1,234 messages hold a mask already, as logged"),
        ({"email": 3}, 3, "3", "3 e-mail addresses"),
        ({"email": 3}, 5, "3", "3 e-mail addresses; in all, 5 messages hold a mask"),
    ],
)
def test_messages_that_hold_a_mask_already_are_told(
    masked: dict[str, int], with_mask: int, figure: str, words: str
) -> None:
    told = overview({**RUN, "read": {**RUN["read"], "masked": masked}}, with_mask)
    assert told["facts"][3] == (
        *("Personal data masked", figure),
        f"{words}; names and postal addresses are not looked for",
    )


@pytest.mark.parametrize(
    "run", [{}, {key: None for key in RUN}, {key: "x" for key in RUN if key != "intents"}]
)
def test_what_run_json_does_not_tell_is_left_out(run: dict[str, Any]) -> None:
    told = overview(run)
    assert (told["facts"], told["impact"], told["changes"]) == ([], None, [])
    assert (told["settings"], told["warnings"]) == ("", [])


def test_kinds_of_personal_data_have_names() -> None:
    assert masked_in_words({"phone": 2, "email": 0, "passport": 1}) == ["2 phone numbers", "1 passport"]


def test_every_kind_that_is_masked_has_words_of_its_own() -> None:
    kinds = re.findall(r"\w+", PLACEHOLDER.pattern.partition(":")[2])
    assert "id" in kinds
    for kind in kinds:
        told = overview({"read": {"masked": {kind: 2}}})["facts"]
        [said] = [text for name, _, text in told if name == "Personal data masked"]
        assert not said.startswith(f"2 {kind};")
