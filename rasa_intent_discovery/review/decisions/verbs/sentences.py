"""Parts of the sentences in which a verb says what it did."""

from __future__ import annotations

from collections.abc import Sequence

from rasa_intent_discovery.review.numbers import REVIEW


def enumerated(names: Sequence[str], many: str = "proposals") -> str:
    """The names in a sentence, or how many they are where that would be long."""
    if len(names) > REVIEW.named_at_once:
        return f"{len(names)} {many}"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def shortened(text: str) -> str:
    """The beginning of a message, as much of it as a sentence can hold."""
    return text if len(text) <= REVIEW.told_of_text else f"{text[: REVIEW.told_of_text - 1]}…"
