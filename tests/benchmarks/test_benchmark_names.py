"""How the benchmarks judge names."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from benchmarks.names import PAIRS, SYNONYMS, embed_texts, name_scores, same_meaning
from benchmarks.scores import Placed, placement_scores
from rasa_intent_discovery.datatypes import NEW

# The cosine of two of these words is that of the angle between them.
ANGLES = {"terminate": 0.0, "cancel": 30.0, "account": 90.0, "invoice": 75.0, "card": 200.0}


def embed(words: Sequence[str]) -> np.ndarray:
    angles = [math.radians(ANGLES[word.removeprefix("what is ").removesuffix("?")]) for word in words]
    return np.array([(math.cos(angle), math.sin(angle)) for angle in angles], dtype=np.float32)


def no_embedding(words: Sequence[str]) -> np.ndarray:
    raise AssertionError(f"asked for {words}")


def unlike(words: Sequence[str]) -> np.ndarray:
    """No two words are synonyms."""
    return np.eye(len(words), dtype=np.float32)


def scores(**named: str) -> tuple[float | None, float | None]:
    found = name_scores(named, embed)
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
def test_a_name_that_shares_a_form_of_a_word_is_right_without_synonyms(name: str, intent: str) -> None:
    found = name_scores({name: intent}, unlike)

    assert (found["names_right"], found["names_right_by_lemma"]) == (1.0, 1.0)


@pytest.mark.parametrize("intent", ["ask_terminate", "terminate", "how_to_terminate"])
def test_a_synonym_counts_apart(intent: str) -> None:
    assert scores(cancel_card=intent) == (1.0, 0.0)


def test_what_only_goes_together_does_not_count() -> None:
    assert math.cos(math.radians(60)) < SYNONYMS < math.cos(math.radians(30))
    assert scores(ask_account="terminate") == (0.0, 0.0)
    assert scores(ask_account="cancel") == (0.0, 0.0)


@pytest.mark.parametrize("intent", ["new_card", "who_are_you"])
def test_a_number_is_no_name(intent: str) -> None:
    assert scores(new_intent_1=intent) == (0.0, 0.0)


def test_names_of_everyday_words_are_compared_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ANGLES, "who are you", 0.0)
    monkeypatch.setitem(ANGLES, "where are you", 90.0)
    monkeypatch.setitem(ANGLES, "cancel account", 10.0)

    assert scores(who_are_you="who_are_you") == (1.0, 1.0)
    assert scores(cancel_account="who_are_you") == (1.0, 0.0)
    assert scores(where_are_you="who_are_you") == (0.0, 0.0)


def test_how_many_would_fit_another_intent_by_chance() -> None:
    named = {"ask_card": "card", "cancel_card": "account", "ask_invoice": "invoice"}

    # Of six pairs: `cancel_card` shares a word with card, cancel is like an invoice and that like an account.
    assert name_scores(named, embed)["names_right_by_chance"] == 0.5


BANK = {
    "ask_card": "card_arrival",
    "card_swallow": "card_swallowed",
    "top_card": "card_topping",
    "ask_rate": "exchange_rate",
}


def test_the_most_that_one_name_for_all_would_fit() -> None:
    found = name_scores(BANK, unlike)

    assert found["names_right"] == 1.0
    # `ask_card` fits three of the four intents.
    assert found["names_right_by_constant"] == 0.75


def test_an_intent_of_several_proposals_counts_as_often_for_the_one_name() -> None:
    found = name_scores({"pay_rate": "rate", "ask_rate": "rate", "see_card": "card"}, unlike)

    assert found["names_right_by_constant"] == 0.667


def test_a_word_that_many_intents_have_says_less_than_half_of_a_name() -> None:
    found = name_scores(BANK, unlike)

    # Of four intents, three have `card`: it counts log(5 / 3) = 0.51, `arrival` and the others log(5) = 1.61.
    # So `ask_card` holds 24 % of `card_arrival`, `card_swallow` all of its intent, `top_card` all, and
    # `ask_rate` half of `exchange_rate`.
    assert found["names_half_right"] == 0.75
    # No single name is half of more than one of them.
    assert found["names_half_right_by_constant"] == 0.25


def test_a_synonym_is_a_part_of_a_name_as_well() -> None:
    def alike(words: Sequence[str]) -> np.ndarray:
        return np.array([[0.0, 1.0] if "rate" in word else [1.0, 0.0] for word in words], dtype=np.float32)

    found = name_scores({"stop_card": "cancel_order_rate"}, alike)

    # `stop` and `card` mean the same as two of three words, each of which counts as much.
    assert (found["names_right_by_lemma"], found["names_half_right"]) == (0.0, 1.0)


def test_a_third_of_a_name_is_not_half_of_it() -> None:
    found = name_scores({"ask_rate": "cancel_order_rate"}, unlike)

    assert (found["names_right"], found["names_half_right"]) == (1.0, 0.0)


def test_where_all_proposals_mean_one_intent_there_is_no_chance_to_judge() -> None:
    assert name_scores({"ask_card": "card"}, embed)["names_right_by_chance"] is None


def test_shares_of_several() -> None:
    named = {"cancel_account": "account", "ask_cancel": "terminate", "ask_card": "invoice"}

    assert scores(**named) == (0.667, 0.333)


def test_where_nothing_is_proposed_nothing_is_named() -> None:
    assert set(name_scores({}, no_embedding).values()) == {None}


def test_only_right_proposals_are_judged() -> None:
    placed = [
        *[Placed(NEW, "terminate", NEW, "ask_cancel")] * 2,
        *[Placed(NEW, "terminate", NEW, "ask_card"), Placed(NEW, "invoice", NEW, "ask_card")],
    ]
    proposals = placement_scores(placed, 1, embed)["proposals"]

    assert proposals["right"] == 1
    assert (proposals["names_right"], proposals["names_right_by_lemma"]) == (1.0, 0.0)


def test_an_intent_is_named_by_its_largest_proposal() -> None:
    small, large = [Placed(NEW, "terminate", NEW, "ask_card")], [Placed(NEW, "terminate", NEW, "ask_cancel")]
    other = [Placed(NEW, "invoice", NEW, "ask_account")]
    proposals = placement_scores([*small, *2 * large, *other], 1, embed)["proposals"]

    assert (proposals["names_right"], proposals["intents_named_right"]) == (0.667, 1.0)


def test_the_embedded_encoder_tells_synonyms_from_what_goes_together() -> None:
    lines = [line.split("\t") for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    taken = same_meaning([(one, other) for _, one, other in lines], embed_texts)
    kinds = np.array([kind for kind, _, _ in lines])

    assert taken[kinds == "related"].mean() <= 0.05
    assert taken[kinds == "same"].mean() >= 0.4
