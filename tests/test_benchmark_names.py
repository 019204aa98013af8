"""How the benchmarks judge names."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from benchmarks.names import SYNONYMS, embed_words, name_scores
from benchmarks.scores import Placed, placement_scores
from rasa_intent_discovery.datatypes import NEW

# The cosine of two of these words is that of the angle between them.
ANGLES = {"terminate": 0.0, "cancel": 30.0, "account": 90.0, "invoice": 75.0, "card": 200.0}


def embed(words: Sequence[str]) -> np.ndarray:
    angles = [math.radians(ANGLES[word]) for word in words]
    return np.array([(math.cos(angle), math.sin(angle)) for angle in angles], dtype=np.float32)


def no_embedding(words: Sequence[str]) -> np.ndarray:
    raise AssertionError(f"asked for {words}")


def scores(**named: str) -> tuple[float | None, float | None]:
    found = name_scores(named, embed)
    assert set(found) == {"names_right", "names_right_by_lemma"}
    return found["names_right"], found["names_right_by_lemma"]


@pytest.mark.parametrize(
    ("name", "intent"),
    [
        ("cancel_account", "account_closing"),
        ("charged_twice", "fee_charge"),
        ("lost_card", "CardLost"),
        ("ask_bill", "faq/bill-due"),
    ],
)
def test_a_name_that_shares_a_form_of_a_word_is_right_without_looking_at_synonyms(
    name: str, intent: str
) -> None:
    assert name_scores({name: intent}, no_embedding) == {"names_right": 1.0, "names_right_by_lemma": 1.0}


@pytest.mark.parametrize("intent", ["ask_terminate", "terminate", "how_to_terminate"])
def test_a_synonym_counts_apart(intent: str) -> None:
    assert scores(cancel_card=intent) == (1.0, 0.0)


def test_what_only_goes_together_does_not_count() -> None:
    assert math.cos(math.radians(60)) < SYNONYMS < math.cos(math.radians(30))
    assert scores(ask_account="terminate") == (0.0, 0.0)
    assert scores(ask_account="cancel") == (0.0, 0.0)


@pytest.mark.parametrize(
    ("name", "intent"), [("new_intent_1", "new_card"), ("ask_how", "ask_how"), ("ask_card", "yes")]
)
def test_numbers_and_words_that_say_nothing_are_no_names(name: str, intent: str) -> None:
    assert scores(**{name: intent}) == (0.0, 0.0)


def test_shares_of_several() -> None:
    named = {"cancel_account": "account", "ask_cancel": "terminate", "ask_card": "invoice"}

    assert scores(**named) == (0.667, 0.333)


def test_where_nothing_is_proposed_nothing_is_named() -> None:
    assert name_scores({}, no_embedding) == {"names_right": None, "names_right_by_lemma": None}


def test_only_right_proposals_are_judged() -> None:
    placed = [
        *[Placed(NEW, "terminate", NEW, "ask_cancel")] * 2,
        *[Placed(NEW, "terminate", NEW, "ask_card"), Placed(NEW, "invoice", NEW, "ask_card")],
    ]
    proposals = placement_scores(placed, 1, embed)["proposals"]

    assert proposals["right"] == 1
    assert (proposals["names_right"], proposals["names_right_by_lemma"]) == (1.0, 0.0)


def test_the_embedded_encoder_tells_synonyms_from_what_goes_together() -> None:
    pairs = [("buy", "purchase"), ("delete", "remove"), ("card", "account"), ("coffee", "tea")]
    vectors = embed_words([word for pair in pairs for word in pair])
    cosines = (vectors[0::2] * vectors[1::2]).sum(1)

    assert (cosines >= SYNONYMS).tolist() == [True, True, False, False]
