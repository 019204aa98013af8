"""Names of intents that a person gives: which ones to think about, and what is proposed instead."""

from __future__ import annotations

import io

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rasa_intent_discovery.training_data.intent_names import (
    name_conflict,
    name_doubt,
    plain_name,
    response_name,
)

CHARACTERS = "has other characters than letters, digits, _, -, . and /"
NO_TEXT = "is no text in YAML, in which intents are written, unless it is quoted"


@pytest.mark.parametrize(
    "name",
    ["refund", "faq/opening-hours", "CheckBalance", "größe", "возврат", "रिफंड_कब", "2fa", "v2.0", "x" * 60],
)
def test_of_a_plain_name_there_is_no_doubt(name: str) -> None:
    assert name_doubt(name) is None
    assert plain_name(name) == name


@pytest.mark.parametrize(
    ("name", "why", "plain"),
    [
        ("Forgot Password!", CHARACTERS, "forgot_password"),
        ("{a}", CHARACTERS, "a"),
        ("FAQ / my size?", CHARACTERS, "faq/my_size"),
        ("Größe (neu)", CHARACTERS, "größe_neu"),
        ("🙂", CHARACTERS, ""),
        ("null", NO_TEXT, "intent_null"),
        ("True", NO_TEXT, "intent_true"),
        ("-1", NO_TEXT, "intent_1"),
        ("1e3", NO_TEXT, "intent_1e3"),
        ("2026-01-02", NO_TEXT, "intent_2026-01-02"),
        ("---", NO_TEXT, ""),
    ],
)
def test_a_doubtful_name_gets_a_plain_one(name: str, why: str, plain: str) -> None:
    assert name_doubt(name) == f"“{name}” {why}"
    assert plain_name(name) == plain


def test_a_long_name_is_shortened() -> None:
    assert name_doubt("x" * 120) == f"“{'x' * 59}…” has 120 characters: 60 can still be read at a glance"
    assert plain_name("x" * 120) == "x" * 60


@given(st.text(max_size=80))
def test_of_what_is_proposed_there_is_no_doubt(name: str) -> None:
    plain = plain_name(name)
    assert not plain or name_doubt(plain) is None


@given(st.text("0123456789abcdefxon._-/Etrulysif", min_size=1, max_size=8))
def test_a_plain_name_is_read_as_it_is_by_every_yaml(name: str) -> None:
    if name_doubt(name) is None:
        for version in ((1, 1), (1, 2)):
            yaml = YAML(typ="safe", pure=True)
            yaml.version = version  # type: ignore[assignment]
            assert yaml.load(io.StringIO(f"intent: {name}\n")) == {"intent": name}


@pytest.mark.parametrize(("one", "other"), [("🎉", "🚀"), ("🎉", "🎉🎉"), ("दिन", "दान"), ("ที่", "ทำ")])
def test_signs_and_letters_with_other_marks_are_other_names(one: str, other: str) -> None:
    """Many scripts write vowels as marks: `day` and `gift` in Hindi have the same letters without them."""
    assert name_conflict(one, [other]) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("c#", "c++"),
        ("दिन_कब", "दिन-कब"),
        ("resetIt", "reset_it"),
        ("cafe\u0301", "caf\u00e9"),
        ("ＦＡＱ", "faq"),
    ],
)
def test_names_of_the_same_words_are_one_in_two_spellings(one: str, other: str) -> None:
    assert name_conflict(one, [other]) == (
        f"{one} is the intent {other} in another spelling: use that one, or choose another name"
    )


@given(*[st.text(st.sampled_from("aB2_-.! c🎉🚀→⇒िादन①"), min_size=1, max_size=6).map(str.strip)] * 2)
@example("🎉", "🚀")
@example("→", "⇒")
@example("!", "?")
@example("दिन", "दान")
def test_intents_that_may_be_beside_each_other_have_responses_of_their_own(one: str, other: str) -> None:
    assume(one and other and one != other)
    if name_conflict(one, [other]) is None:
        assert response_name(one) != response_name(other)


def test_signs_that_are_short_for_words_have_responses_of_their_own() -> None:
    assert len({response_name(sign) for sign in ("™", "№", "℡")}) == 3
