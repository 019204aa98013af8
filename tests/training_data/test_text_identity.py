"""When two texts are the same."""

from __future__ import annotations

import doctest
import unicodedata

import pytest

from rasa_intent_discovery.training_data import text_identity
from rasa_intent_discovery.training_data.text_identity import example_key, text_key


def test_the_examples_in_the_module_are_true() -> None:
    tried = doctest.testmod(text_identity)
    assert (tried.failed, tried.attempted) == (0, 8)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Hello", "hELLO"),
        ("where is\nmy order", " where  is my order\t"),
        ("STRASSE", "straße"),
        (unicodedata.normalize("NFD", "café"), unicodedata.normalize("NFC", "CAFÉ")),
        ("a[0][1]", "a[0] [1]"),
        ("ＰＩＮ　１２３４", "pin 1234"),
        ("ﾊﾟｽﾜｰﾄﾞ", "パスワード"),
        ("［x］（y）", "[x](y)"),
        (unicodedata.normalize("NFD", "비밀번호"), "비밀번호"),
        ("SİPARİŞİ İPTAL ET", "siparişi iptal et"),
        ("Hatalı ŞIK", "HATALI şık"),
    ],
)
def test_texts_that_are_the_same(one: str, other: str) -> None:
    assert text_key(one) == text_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("hello", "hello!"), ("order 1", "order 2"), ("i do", "I don't"), ("a b", "ab"), ("m²", "m2")],
)
def test_texts_that_are_not(one: str, other: str) -> None:
    assert text_key(one) != text_key(other)


def test_an_annotation_matters_in_a_message_and_not_in_an_example() -> None:
    assert example_key("to [Berlin](city)") == example_key("to Berlin") == text_key("to Berlin")
    assert text_key("to [Berlin](city)") != text_key("to Berlin")
