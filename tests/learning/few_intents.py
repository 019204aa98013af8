"""A small corpus of five intents that their first words tell apart; three of them are known."""

from __future__ import annotations

import numpy as np

from rasa_intent_discovery.datatypes import UNLABELED

KNOWN = ["open", "hello", "invoice"]


def few_intents(each: int, examples: int, lengths: int) -> tuple[list[str], np.ndarray]:
    """Texts and their labels.

    Args:
        each: texts of each intent; examples: so many of each known intent are labelled.
        lengths: how many different lengths the texts have.
    """
    words = (*KNOWN, "password", "bye")
    texts = [f"{word} the {'my ' * (number % lengths)}{number}" for word in words for number in range(each)]
    labels = [
        words.index(word) if number < examples and word in KNOWN else UNLABELED
        for word in words
        for number in range(each)
    ]
    return texts, np.array(labels)
