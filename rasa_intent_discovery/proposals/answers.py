"""What a person said of messages that belong together, and what a run asks next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rasa_intent_discovery.clustering.links import Links
from rasa_intent_discovery.datatypes import Array
from rasa_intent_discovery.training_data.text_identity import text_key

if TYPE_CHECKING:  # imports scikit-learn
    from rasa_intent_discovery.clustering.groups import Groups


@dataclass(frozen=True)
class Answer:
    """What a person said of one message.

    Attributes:
        text: of the message.
        together: messages or examples of the same intent.
        apart: of another.
    """

    text: str
    together: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """Which messages or examples are of one intent with a message?

    Attributes:
        row: of the message in the corpus.
        choices: rows, what most hangs on first.
    """

    row: int
    choices: tuple[int, ...]


def links_of(answers: Sequence[Answer], texts: Sequence[str]) -> Links:
    """The answers as pairs of places in these texts; of two that differ about a pair, the later one.

    What is not among the texts any more tells nothing.
    """
    if not answers:
        return Links.none()
    place = {text_key(text): number for number, text in enumerate(texts)}
    said: dict[tuple[int, int], bool] = {}
    for answer in answers:
        row = place.get(text_key(answer.text))
        for choices, together in ((answer.together, True), (answer.apart, False)):
            for choice in choices:
                other = place.get(text_key(choice))
                if row is not None and other is not None and row != other:
                    said[min(row, other), max(row, other)] = together
    return Links(
        *(_pairs([pair for pair, one in said.items() if one is together]) for together in (True, False))
    )


def questions_of(groups: Groups) -> tuple[Question, ...]:
    """The questions of the groups, in rows of the corpus."""
    rows = groups.rows.tolist()
    return tuple(
        Question(rows[row], tuple(rows[choice] for choice in choices)) for row, choices in groups.questions
    )


def _pairs(pairs: Sequence[tuple[int, int]]) -> Array:
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)
