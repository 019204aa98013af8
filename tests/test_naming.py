"""Names for new intents."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasa_intent_discovery.datatypes import UNLABELED, Corpus
from rasa_intent_discovery.naming import name_intent, snake_case
from rasa_intent_discovery.words import WordStatistics

VALID = re.compile(r"[a-z][a-z0-9_]{1,60}")
OTHERS = [f"where is my parcel {word}" for word in ("now", "today", "again", "anyway", "then", "sir")]
PASSWORD = ["reset my password", "how to reset the password?", "forgot password, reset", "password reset pls"]


def statistics_of(texts: list[str]) -> WordStatistics:
    n = len(texts)
    counts, spellings = np.ones(n, dtype=np.int64), tuple(((text, 1),) for text in texts)
    return WordStatistics(Corpus(tuple(texts), np.full(n, UNLABELED), counts, spellings, ()))


def name(group: list[str], *taken: str, others: list[str] = OTHERS) -> str:
    return name_intent(range(len(group)), statistics_of([*group, *others]), taken)


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        (["reset my password", "please reset the password", "can i reset my password"], "reset_password"),
        (
            ["cancel the subscription", "how do i cancel subscriptions", "cancel subscription"],
            "cancel_subscription",
        ),
        (["need an invoice", "send invoices", "the invoice, please"], "ask_invoice"),
        (["can't pay", "card won't pay", "pay?"], "ask_pay"),
        (["crème brûlée bitte", "crème brûlée", "noch crème brûlée"], "creme_brulee"),
        (["Straße ändern", "die Straße ändern"], "strasse_andern"),
    ],
)
def test_the_telling_word_and_what_is_said_with_it_in_the_order_people_say_them(
    group: list[str], expected: str
) -> None:
    assert name(group) == expected


def test_a_name_that_is_taken_gives_way_to_the_next_one() -> None:
    group = ["reset my password", "please reset the password", "can i reset my password"]

    assert name(group, "reset_password") == "ask_password"
    assert name(group, "reset_password", "ask_password") == "ask_reset"
    assert name(group, "reset_password", "ask_password", "ask_reset") == "new_intent_1"


@pytest.mark.parametrize("taken", ["password_reset", "reset/passwords", "resets-password"])
def test_a_name_of_the_same_words_is_taken_too(taken: str) -> None:
    group = ["reset my password", "please reset the password", "can i reset my password"]

    assert name(group, taken) == "ask_password"


@pytest.mark.parametrize(
    "group",
    [
        ["忘记密码了", "密码不对", "我的密码呢"],
        ["ลืมรหัสผ่าน", "รหัสผ่านผิด"],
        ["забыл пароль", "сбросить пароль"],
        ["lol", "what a day"],
        [],
    ],
    ids=["Chinese", "Thai", "Russian", "nothing shared", "nothing at all"],
)
def test_where_no_word_can_be_written_in_latin_letters_names_are_numbered(group: list[str]) -> None:
    assert name(group) == "new_intent_1"
    assert name(group, "new_intent_1", "new_intent_2") == "new_intent_3"


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        (("Reset", "Password"), "reset_password"),
        (("don't", "pay"), "dont_pay"),
        (("naïve", "café"), "naive_cafe"),
        (("密码", "reset"), ""),
        (("x",), ""),
        (("a" * 80,), "a" * 60),
        (("a" * 59, "bcd"), ""),
        ((), ""),
    ],
)
def test_words_as_a_name(phrase: tuple[str, ...], expected: str) -> None:
    assert snake_case(phrase) == expected


TEXT = st.one_of(
    st.text(max_size=30),
    st.lists(
        st.sampled_from("reset password order İ ß 密码 _ ' <email> x é a_b order's 7".split()), max_size=6
    ).map(" ".join),
)


@given(st.lists(TEXT, min_size=1, max_size=8), st.lists(TEXT, max_size=8))
def test_every_name_is_valid_and_new(group: list[str], others: list[str]) -> None:
    taken: list[str] = []
    for _ in range(3):
        found = name(group, *taken, others=others)

        assert VALID.fullmatch(found)
        assert found not in taken
        taken.append(found)
