"""What a person said of messages that belong together, and what a run asks next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from textwrap import shorten
from typing import TYPE_CHECKING

import numpy as np

from rasa_intent_discovery.clustering.links import Links
from rasa_intent_discovery.datatypes import KNOWN, Array, Corpus, Placement
from rasa_intent_discovery.plural import counted
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.training_data.text_identity import text_key

if TYPE_CHECKING:  # imports scikit-learn
    from rasa_intent_discovery.clustering.groups import Groups

#: What messages went out of where neither part of it is a proposal.
CAME_APART = "a group that came apart"
_SHOWN, _SHOWN_CHARACTERS = 3, 60  # of what was answered and of proposals, in a sentence


@dataclass(frozen=True)
class Answer:
    """What a person said of one message.

    Attributes:
        text: of the message.
        together: messages or examples of the same intent.
        apart: of another.
        unsure: those of which the person cannot tell; then nothing else is said.
    """

    text: str
    together: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()


@dataclass(frozen=True)
class AnswerEffect:
    """What answers did to a run.

    Attributes:
        rows: of the corpus, the messages that were said to be of a known intent.
        intent: that intent.
        messages: how many logged messages are placed there for that, out of a group that looked new.
        moved: rows that were learnt from and stand for these, ascending.
    """

    rows: tuple[int, ...]
    intent: str
    messages: int
    moved: tuple[int, ...]


@dataclass(frozen=True)
class Joined:
    """What is in a proposal by answers that messages are of one intent.

    Attributes:
        rows: of the corpus, ascending, the messages that were said to be of one intent.
        proposal: its name.
        came: rows that were learnt from, ascending; a part of the proposal.
        messages: how many logged messages these stand for.
        since: how many of those were not in the proposal in the last run, in which it was there.
        gap: how much less alike they and the rest are than among themselves, as `halves.gap`.
    """

    rows: tuple[int, ...]
    proposal: str
    came: tuple[int, ...]
    messages: int
    since: int
    gap: float


@dataclass(frozen=True)
class Parted:
    """What answers that messages are of two intents took apart.

    Attributes:
        ones, others: rows of the corpus, ascending, the messages that were held apart.
        proposal: where `ones` stayed; None where neither part is in a proposal.
        other: the proposal in which `others` are, if they are in one.
        messages: how many logged messages went; where neither part is in a proposal, of both.
        went: rows that were learnt from and stand for these, ascending.
    """

    ones: tuple[int, ...]
    others: tuple[int, ...]
    proposal: str | None
    other: str | None
    messages: int
    went: tuple[int, ...]


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


def questions_of(groups: Groups, foreign: Collection[int]) -> tuple[Question, ...]:
    """The questions of the groups, in rows of the corpus.

    Args:
        foreign: groups in languages that the bot does not speak: what is asked about nothing else is left
            out, as nothing would come of it.
    """
    rows, spoken = groups.rows.tolist(), ~np.isin(groups.assignments, [*foreign])
    return tuple(
        Question(rows[row], tuple(rows[choice] for choice in choices))
        for row, choices in groups.questions
        if spoken[row] and spoken[list(choices)].any()
    )


def effects_of(
    groups: Groups, corpus: Corpus, placements: Sequence[Placement], least: int
) -> tuple[AnswerEffect, ...]:
    """The answers for which a proposal may be missing, those that moved most messages first.

    Args:
        placements: of all rows of the corpus at the end; what is elsewhere by then, as in a proposal for what
            a person decided, or left over, is not there by an answer.
        least: fewest messages, as many as a proposal needs.
    """
    found = []
    for told in groups.told:
        intent = corpus.intents[told.intent]
        places = ((row, placements[row]) for row in groups.rows[told.rows].tolist())
        there = [row for row, place in places if (place.placement, place.intent) == (KNOWN, intent)]
        messages = int(corpus.counts[there].sum())
        if messages >= least and told.newness >= PROPOSALS.least_newness:
            said = tuple(groups.rows[list(told.said)].tolist())
            found.append(AnswerEffect(said, intent, messages, tuple(sorted(there))))
    return tuple(sorted(found, key=lambda effect: -effect.messages))


def effect_in_words(texts: Sequence[str], intent: str, messages: int) -> str:
    """What answers did to a run, as a sentence.

    Args:
        texts: the messages that were said to be of the intent.
    """
    belong = "belongs" if len(texts) == 1 else "belong"
    moved = f"{counted(messages, 'message')} moved there, out of a group that looked new"
    return f"{intent}: {moved}, by your {_answers(len(texts))} that {_quoted(texts)} {belong} there."


def joined_in_words(texts: Sequence[str], proposal: str, messages: int, since: int) -> str:
    """What answers put together with the rest of a proposal, as a sentence; as in `Joined`.

    >>> joined_in_words(["where is it", "track order"], "track_order", 12, 12)
    'track_order: 12 messages came with your answer that “where is it” and “track order” want the same.'
    >>> joined_in_words(["a", "b"], "track", 12, 0)
    'track: 12 messages are there by your answer that “a” and “b” want the same.'
    """
    answer = f"your {_answers(len(texts) - 1)} that {_quoted(texts)} want the same"
    if since == messages:
        return f"{proposal}: {counted(messages, 'message')} came with {answer}."
    were = f"; {since:,} {'was' if since == 1 else 'were'} not there in the last run" if since else ""
    return f"{proposal}: {counted(messages, 'message')} {_are(messages)} there by {answer}{were}."


def parted_in_words(
    ones: Sequence[str], others: Sequence[str], proposal: str | None, other: str | None, messages: int
) -> str:
    """What answers took apart, as a sentence; the arguments as in `Parted`.

    >>> parted_in_words(["where is it"], ["stop it"], "track", None, 9)
    'Not track: 9 messages, by your answer that “stop it” does not want the same as “where is it”.'
    """
    do = "does" if len(others) == 1 else "do"
    answers = _answers(1 if len(ones) == len(others) == 1 else 2)
    by = f"by your {answers} that {_quoted(others)} {do} not want the same as {_quoted(ones)}"
    if proposal is None:
        return f"No proposal: {counted(messages, 'message')} of a group that came apart, {by}."
    where = f"Not {proposal}" if other is None else f"{other}, not {proposal}"
    return f"{where}: {counted(messages, 'message')}, {by}."


def in_all_in_words(into: Mapping[str, int], out_of: Mapping[str, int]) -> str:
    """What all answers did to a run, as a sentence, the most messages first.

    Args:
        into: proposal or known intent -> messages that are there by answers.
        out_of: proposal, or `CAME_APART` -> messages that are not in it by answers.

    >>> in_all_in_words({"refund": 2, "track": 12}, {})
    'Beside new groups, your answers put 14 messages into track and refund.'
    >>> in_all_in_words({}, {})
    'Beyond the messages that you were asked about, your answers changed no proposal.'
    """
    moved = [
        f"{does} {counted(found.total(), 'message')} {where} {_listed([*dict(found.most_common())])}"
        for does, where, found in (("put", "into", Counter(into)), ("kept", "out of", Counter(out_of)))
        if found
    ]
    if not moved:
        return "Beyond the messages that you were asked about, your answers changed no proposal."
    return f"Beside new groups, your answers {', and '.join(moved)}."


def _quoted(texts: Sequence[str]) -> str:
    """Some messages in a sentence, and how many more there are."""
    return _listed([f"“{shorten(text, _SHOWN_CHARACTERS, placeholder=' …')}”" for text in texts])


def _listed(names: Sequence[str]) -> str:
    """The first of some names in a sentence, and how many more there are."""
    more = [f"{len(names) - _SHOWN:,} more"] if len(names) > _SHOWN else []
    *first, last = [*names[:_SHOWN], *more]
    return f"{', '.join(first)} and {last}" if first else last


def _answers(count: int) -> str:
    return "answer" if count == 1 else "answers"


def _are(messages: int) -> str:
    return "is" if messages == 1 else "are"


def _pairs(pairs: Sequence[tuple[int, int]]) -> Array:
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)
