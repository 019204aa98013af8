"""Groups in a language that no detector tells, by their words."""

from __future__ import annotations

import numpy as np
import pytest

from rasa_intent_discovery.datatypes import UNLABELED, Corpus
from rasa_intent_discovery.proposals.naming.unknown_words import groups_of_unknown_words

EXAMPLES = (
    "where is my order",
    "i want to return the whey protein",
    "is the product from muscleblaze authentic",
    "how long does the delivery take",
    "the payment was taken twice",
    "i would like to talk to a person please",
)
HINDI = ("paisa kab tak aayega", "mera paisa nahi aaya", "winning ka paisa kab milega", "match kab hoga bhai")
MISSPELT = (
    "hlo hlo",
    "hlo how are you today",
    "hlo sir can you help me",
    "hlo where is my order",
    "helo there",
)
JARGON = (
    "whatsapp hsm",
    "what is an hsm",
    "hsm pricing",
    "hsm template for whatsapp",
    "how do i send an hsm",
)
PLAIN = ("is cash on delivery possible", "can i pay in cash", "cash on delivery please")
GROUPS = {1: HINDI, 2: MISSPELT, 3: JARGON, 4: PLAIN}


def unknown(
    language: str | None, examples: tuple[str, ...] = EXAMPLES, groups: dict[int, tuple[str, ...]] = GROUPS
) -> frozenset[int]:
    texts = [*examples]
    rows: dict[int, list[int]] = {}
    for group, said in groups.items():
        rows[group] = [*range(len(texts), len(texts) + len(said))]
        texts += said
    labels = np.full(len(texts), UNLABELED)
    labels[: len(examples)] = 0
    counts = (labels == UNLABELED).astype(np.int64)
    corpus = Corpus(tuple(texts), labels, counts, tuple(((text, 1),) for text in texts), ("order",))
    return groups_of_unknown_words(corpus, rows, language)


def test_a_language_in_the_letters_of_another_is_told_by_its_words() -> None:
    assert unknown("en") == {1}


def test_what_the_bot_has_in_its_examples_is_no_other_language() -> None:
    assert unknown("en", (*EXAMPLES, *EXAMPLES, "paisa kab aayega", "mera paisa nahi milega")) == frozenset()


@pytest.mark.parametrize("language", [None, "th", "xx"])
def test_without_a_dictionary_nothing_is_told(language: str | None) -> None:
    assert unknown(language) == frozenset()


def test_a_dictionary_that_lacks_words_of_the_examples_tells_nothing() -> None:
    assert unknown("de") == frozenset(), "the examples are English"
    invented = ("lähetysseurantanumeroni puuttuu", "palautuslomakkeenne linkkivirhe")
    assert unknown("en", (*EXAMPLES, *invented)) == frozenset()


def test_without_groups_no_dictionary_is_asked() -> None:
    assert unknown("en", groups={}) == frozenset()
