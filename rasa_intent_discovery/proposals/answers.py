"""What a person said of messages that belong together, and what a run asks next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import shorten
from typing import TYPE_CHECKING

import numpy as np

from rasa_intent_discovery.clustering.links import Links
from rasa_intent_discovery.datatypes import NEW, Array, Corpus, Placement
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.training_data.text_identity import text_key

if TYPE_CHECKING:  # imports scikit-learn
    from rasa_intent_discovery.clustering.groups import Groups

_SHOWN_TEXTS, _SHOWN_CHARACTERS = 3, 60  # of what was answered, in a sentence


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
class AnswerEffect:
    """What answers did to a run.

    Attributes:
        rows: of the corpus, the messages that were said to be of a known intent.
        intent: that intent.
        messages: how many logged messages are placed there for that, out of a group that looked new.
    """

    rows: tuple[int, ...]
    intent: str
    messages: int


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
    """The answers as pairs of places in these texts, by their last time; of two that differ about a pair, the
    later one.

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
                    pair = min(row, other), max(row, other)
                    said.pop(pair, None)
                    said[pair] = together
    return Links(
        *(_pairs([pair for pair, one in said.items() if one is together]) for together in (True, False))
    )


def questions_of(groups: Groups) -> tuple[Question, ...]:
    """The questions of the groups, in rows of the corpus."""
    rows = groups.rows.tolist()
    return tuple(
        Question(rows[row], tuple(rows[choice] for choice in choices)) for row, choices in groups.questions
    )


def effects_of(
    groups: Groups, corpus: Corpus, placements: Sequence[Placement], least: int
) -> tuple[AnswerEffect, ...]:
    """The answers for which a proposal may be missing, those that moved most messages first.

    Args:
        placements: of all rows of the corpus at the end; what is in a proposal for what a person decided
            was not moved by an answer.
        least: fewest messages, as many as a proposal needs.
    """
    found = []
    for told in groups.told:
        there = [row for row in groups.rows[told.rows].tolist() if placements[row].placement != NEW]
        messages = int(corpus.counts[there].sum())
        if messages >= least and told.newness >= PROPOSALS.least_newness:
            said = tuple(groups.rows[list(told.said)].tolist())
            found.append(AnswerEffect(said, corpus.intents[told.intent], messages))
    return tuple(sorted(found, key=lambda effect: -effect.messages))


def effect_in_words(texts: Sequence[str], intent: str, messages: int) -> str:
    """What answers did to a run, as a sentence.

    Args:
        texts: the messages that were said to be of the intent.
    """
    quoted = [f"“{shorten(text, _SHOWN_CHARACTERS, placeholder=' …')}”" for text in texts[:_SHOWN_TEXTS]]
    more = [f"{len(texts) - _SHOWN_TEXTS:,} more"] if len(texts) > _SHOWN_TEXTS else []
    *first, last = [*quoted, *more]
    named = f"{', '.join(first)} and {last}" if first else last
    by, want = ("By your answer that", "wants") if len(texts) == 1 else ("By your answers that", "want")
    counted = "1 message" if messages == 1 else f"{messages:,} messages"
    return f"{by} {named} {want} the same as {intent}, {counted} moved there, out of a group that looked new."


def _pairs(pairs: Sequence[tuple[int, int]]) -> Array:
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)
