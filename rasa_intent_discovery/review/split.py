"""Where one draft falls into two, for a person who asks for it. Knows no files.

Messages that were in different drafts before somebody merged these fall apart there; all others where the run
found the largest gap between them (`splits.py`).
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from rasa_intent_discovery.datatypes import UNLABELED, Corpus
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.proposals.naming import name_intent
from rasa_intent_discovery.proposals.words import WordStatistics
from rasa_intent_discovery.review.decisions import Review, merged_from
from rasa_intent_discovery.review.messages import Log, Message
from rasa_intent_discovery.review.numbers import REVIEW
from rasa_intent_discovery.training_data.intent_names import NEVER_KNOWN


def split_in_two(review: Review, log: Log, draft: str) -> tuple[tuple[int, ...], str]:
    """The messages of a draft that could be a proposal of their own, and a name for it.

    Raises:
        DataError: there is no such draft, or it does not fall into two.
    """
    if draft not in review.drafts:
        raise DataError(f"the draft {draft} is not there any more")
    merged = merged_from(review.drafts[draft])
    rows = rows_to_split(log.messages, rows_of(review, log, draft), draft, merged)
    return rows, name_intent(rows, words_of(log), taken_names(review))


def rows_of(review: Review, log: Log, draft: str) -> tuple[int, ...]:
    """The messages that are in a draft now: its examples in their order, then the others.

    A message is where it is an example, or else where the run put it, or what that was merged into.
    """
    current = {merged: path for path, one in review.drafts.items() for merged in merged_from(one)}
    current.update({path: path for path in review.drafts})
    drafts_now = [current.get(message.draft or "") for message in log.messages]
    for path, one in review.drafts.items():
        for example in one.examples:
            if (row := log.row(example)) >= 0:
                drafts_now[row] = path
    listed = [log.row(example) for example in review.drafts[draft].examples]
    here = [row for row, now in enumerate(drafts_now) if now == draft]
    return tuple(dict.fromkeys([*(row for row in listed if row >= 0 and drafts_now[row] == draft), *here]))


def rows_to_split(
    messages: Sequence[Message], rows: Sequence[int], draft: str, merged: Sequence[str] = ()
) -> tuple[int, ...]:
    """Which rows of a draft's messages could be one of their own, in their order.

    Where several drafts came together, the largest that is not this one; otherwise the smaller of two parts.
    Messages of which nobody knows where they belong go with the part whose messages are nearer on the map.

    Args:
        draft: its path; merged: those of the drafts that a person put into it.

    Raises:
        DataError: nothing separates them.
    """
    origins = Counter(messages[row].draft for row in rows if messages[row].draft)
    whole = {draft, *merged} if merged else set()
    drafts = [
        origin for origin, count in origins.most_common() if count >= REVIEW.fewest_in_part or origin in whole
    ]
    drafts.sort(key=lambda origin: origin != draft)
    if len(drafts) > 1:
        parted = {row: messages[row].draft == drafts[1] for row in rows if messages[row].draft in drafts}
    else:
        [(origin, _)] = origins.most_common(1) or [(None, 0)]
        parted = _fork({row: messages[row].path for row in rows if messages[row].draft == origin})
    if not parted:
        raise DataError("These messages do not fall into two groups")
    parted = _with_the_nearer(messages, rows, parted)
    part = [row for row in rows if parted[row]]
    if len(drafts) < 2 and 2 * len(part) > len(rows):
        part = [row for row in rows if not parted[row]]
    return tuple(part)


@functools.lru_cache(maxsize=1)
def words_of(log: Log) -> WordStatistics:
    """What the messages and the training examples on the map say; row i is message i."""
    texts = (*(one.text for one in log.messages), *(one.text for one in log.training))
    unlabeled = np.full(len(texts), UNLABELED, dtype=np.int64)
    return WordStatistics(Corpus(texts, unlabeled, np.ones_like(unlabeled), ((),) * len(texts), ()))


def taken_names(review: Review) -> list[str]:
    """Names that a new proposal cannot have."""
    return [
        *sorted({*review.known, *(draft.intent for draft in review.drafts.values())}),
        *sorted(NEVER_KNOWN),
    ]


def _fork(paths: Mapping[int, str]) -> dict[int, bool]:
    """Row -> side, at the first fork where both sides have more than one message; empty where none is."""
    inside = {row: path for row, path in paths.items() if path}
    for level in range(max(map(len, inside.values()), default=0)):
        inside = {row: path for row, path in inside.items() if len(path) > level}
        digits = Counter(path[level] for path in inside.values())
        (most, _), *others = digits.most_common() or [("", 0)]
        if others and others[0][1] > 1:
            return {row: path[level] != most for row, path in inside.items()}
        inside = {row: path for row, path in inside.items() if path[level] == most}
    return {}


def _with_the_nearer(
    messages: Sequence[Message], rows: Sequence[int], parted: Mapping[int, bool]
) -> dict[int, bool]:
    """The sides of all rows; one that has none gets that of the nearest message on the map that has."""
    sides = dict(parted)
    on_map = [row for row in parted if messages[row].place is not None]
    places = np.array([messages[row].place for row in on_map]).reshape(-1, 2)
    for row in rows:
        if row not in parted:
            place = messages[row].place
            away = ((places - np.array(place)) ** 2).sum(1) if place is not None else np.zeros(0)
            sides[row] = bool(len(away)) and sides[on_map[int(away.argmin())]]
    return sides
