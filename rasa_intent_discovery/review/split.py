"""Splits one draft in two, when a person asks for it. Touches no files.

A draft that others were merged into is split into these again; any other draft is split where the run found
the largest gap between its messages (`proposals/splits.py`).
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
        DataError: there is no such draft, or it cannot be split.
    """
    if draft not in review.drafts:
        raise DataError(f"the draft {draft} is not there any more")
    merged = merged_from(review.drafts[draft])
    rows = rows_to_split(log.messages, rows_of(review, log, draft), draft, merged)
    return rows, name_intent(rows, words_of(log), taken_names(review))


def splittable(review: Review, log: Log) -> list[str]:
    """The paths of the drafts in which there is something to split."""
    inside: dict[str, list[int]] = {}
    for row, draft in enumerate(drafts_now(review, log)):
        if draft is not None:
            inside.setdefault(draft, []).append(row)
    return [
        draft
        for draft, rows in inside.items()
        if _parted(log.messages, rows, draft, merged_from(review.drafts[draft]))[0]
    ]


def rows_of(review: Review, log: Log, draft: str) -> tuple[int, ...]:
    """The messages that are in a draft now: its examples in their order, then the others."""
    now = drafts_now(review, log)
    listed = [log.row(example) for example in review.drafts[draft].examples]
    here = [row for row, path in enumerate(now) if path == draft]
    return tuple(dict.fromkeys([*(row for row in listed if row >= 0 and now[row] == draft), *here]))


def drafts_now(review: Review, log: Log) -> list[str | None]:
    """The path of the draft that each message is in now; None for those in none.

    A message belongs to the draft that has it as an example, or else to the draft the run put it into, or to
    the one that this was merged into.
    """
    current = {merged: path for path, one in review.drafts.items() for merged in merged_from(one)}
    current.update({path: path for path in review.drafts})
    now = [current.get(message.draft or "") for message in log.messages]
    for path, one in review.drafts.items():
        for example in one.examples:
            if (row := log.row(example)) >= 0:
                now[row] = path
    return now


def rows_to_split(
    messages: Sequence[Message], rows: Sequence[int], draft: str, merged: Sequence[str] = ()
) -> tuple[int, ...]:
    """The rows of a draft's messages that could be a draft of their own, in their order.

    In a draft that several were merged into, they are those of the largest other one; otherwise they are the
    smaller of two parts. Messages of neither part go with the part whose messages are nearer on the map.

    Args:
        draft: path of the draft.
        merged: paths of the drafts that a person merged into it.

    Raises:
        DataError: the messages cannot be split.
    """
    parted, by_origin = _parted(messages, rows, draft, merged)
    if not parted:
        raise DataError("These messages do not fall into two groups")
    parted = _with_the_nearer(messages, rows, parted)
    part = [row for row in rows if parted[row]]
    if not by_origin and 2 * len(part) > len(rows):
        part = [row for row in rows if not parted[row]]
    return tuple(part)


def _parted(
    messages: Sequence[Message], rows: Sequence[int], draft: str, merged: Sequence[str]
) -> tuple[dict[int, bool], bool]:
    """Row -> side, without rows of neither; empty where there is one side. And whether drafts part them."""
    origins = Counter(messages[row].draft for row in rows if messages[row].draft)
    whole = {draft, *merged} if merged else set()
    drafts = [
        origin for origin, count in origins.most_common() if count >= REVIEW.fewest_in_part or origin in whole
    ]
    drafts.sort(key=lambda origin: origin != draft)
    if len(drafts) > 1:
        return {row: messages[row].draft == drafts[1] for row in rows if messages[row].draft in drafts}, True
    [(origin, _)] = origins.most_common(1) or [(None, 0)]
    return _fork({row: messages[row].path for row in rows if messages[row].draft == origin}), False


@functools.lru_cache(maxsize=1)
def words_of(log: Log) -> WordStatistics:
    """The words of the messages and of the training examples on the map; row i is message i."""
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
    """Row -> side, at the first fork with more than one message on both sides; empty where there is none."""
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
    """The sides of all rows; a row without one gets that of the nearest message on the map that has one."""
    sides = dict(parted)
    on_map = [row for row in parted if messages[row].place is not None]
    places = np.array([messages[row].place for row in on_map]).reshape(-1, 2)
    for row in rows:
        if row not in parted:
            place = messages[row].place
            away = ((places - np.array(place)) ** 2).sum(1) if place is not None else np.zeros(0)
            sides[row] = bool(len(away)) and sides[on_map[int(away.argmin())]]
    return sides
