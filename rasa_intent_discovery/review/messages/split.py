"""Splits one draft in two, when a person asks for it. Touches no files.

A draft that others were merged into is split into these again; any other draft is split where the run found
the largest gap between its messages (`proposals/splits.py`) and both parts have what a proposal needs: fewer
messages that lie apart are strays, and stay with the part that they are nearest to. What has no
example in the draft any more, as it was dropped, is offered no second time.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from rasa_intent_discovery.datatypes import UNLABELED, Array, Corpus
from rasa_intent_discovery.drafts.sampling import spaced
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.proposals.naming.names import name_intent
from rasa_intent_discovery.proposals.naming.words import WordStatistics
from rasa_intent_discovery.review.decisions.under_review import Review, merged_from
from rasa_intent_discovery.review.messages.log import Log
from rasa_intent_discovery.review.messages.standing import Standing, example_rows
from rasa_intent_discovery.review.messages.table import Message
from rasa_intent_discovery.review.numbers import DESK, REVIEW
from rasa_intent_discovery.training_data.intent_names import NEVER_KNOWN


def split_in_two(review: Review, standing: Standing, draft: str) -> tuple[tuple[int, ...], str]:
    """The messages of a draft that could be a proposal of their own, and a name for it.

    Raises:
        DataError: there is no such draft, or it cannot be split.
    """
    if draft not in review.drafts:
        raise DataError(f"the draft {draft} is not there any more")
    merged = merged_from(review.drafts[draft])
    log, inside = standing.log, _beside_examples(standing, rows_of(review, standing, draft))
    rows = rows_to_split(log.messages, inside, draft, merged, log.min_messages)
    return rows, name_intent(*worded(standing.log, rows), taken_names(review))


def splittable(review: Review, standing: Standing) -> list[str]:
    """The paths of the drafts in which there is something to split."""
    groups, alike = _alike(standing.log)
    placed = standing.now >= 0
    here = standing.now[placed].astype(np.int64) * len(groups) + alike[placed]
    counted, logged = np.bincount(here), np.bincount(here, standing.log.messages.counts[placed])
    inside: dict[str, dict[int, _Alike]] = {}
    for one in np.unique(here[standing.listed[placed]]).tolist():
        draft, path = groups[one % len(groups)]
        mine = inside.setdefault(standing.paths[one // len(groups)], {})
        mine[one] = _Alike(draft, path, int(counted[one]), int(logged[one]))
    least = standing.log.min_messages
    return [
        path
        for path, rows in inside.items()
        if _parted(rows, path, merged_from(review.drafts[path]), least)[0]
    ]


@functools.lru_cache(maxsize=1)
def _alike(log: Log) -> tuple[list[tuple[str | None, str]], Array]:
    """The drafts of the run and paths at their forks that there are; (n,) int64, those of each message."""
    messages = log.messages
    numbers = messages.kind.astype(np.int64) * len(messages.forks) + messages.fork
    found, alike = np.unique(numbers, return_inverse=True)
    groups = [divmod(one, len(messages.forks)) for one in found.tolist()]
    return [(messages.kinds[kind][1], messages.forks[fork]) for kind, fork in groups], alike


def _beside_examples(standing: Standing, rows: Sequence[int]) -> list[int]:
    """Those of the messages of a draft that were in one part with an example which it still has."""
    inside = np.array(rows, dtype=np.int64)
    alike = _alike(standing.log)[1][inside]
    kept: list[int] = inside[np.isin(alike, alike[standing.listed[inside]])].tolist()
    return kept


def rows_of(review: Review, standing: Standing, draft: str) -> tuple[int, ...]:
    """The messages that are in a draft now: its examples in their order, then the others."""
    listed = example_rows(standing.log, review.drafts[draft].examples)
    here = set(standing.rows(draft).tolist())
    return tuple(dict.fromkeys([*(row for row in listed.tolist() if row in here), *sorted(here)]))


def rows_to_split(
    messages: Sequence[Message],
    rows: Sequence[int],
    draft: str,
    merged: Sequence[str] = (),
    min_messages: int = 1,
) -> tuple[int, ...]:
    """The rows of a draft's messages that could be a draft of their own, in their order.

    In a draft that several were merged into, they are those of the largest other one; otherwise they are the
    smaller of two parts. Messages of neither part go with the part whose messages are nearer on the map.

    Args:
        draft: path of the draft.
        merged: paths of the drafts that a person merged into it.
        min_messages: fewest logged messages of a part, unless it was merged.

    Raises:
        DataError: the messages cannot be split.
    """
    told = {row: messages[row] for row in rows}
    alike = {row: _Alike(one.draft, one.path, 1, one.count) for row, one in told.items()}
    parted, by_origin = _parted(alike, draft, merged, min_messages)
    if not parted:
        raise DataError("Nothing in it stands out as a wish of its own")
    parted = _with_the_nearer(messages, rows, parted)
    part = [row for row in rows if parted[row]]
    if not by_origin and 2 * len(part) > len(rows):
        part = [row for row in rows if not parted[row]]
    return tuple(part)


class _Alike(NamedTuple):
    """Messages of one draft of the run, with the same path at its forks.

    Attributes:
        size: how many different ones.
        logged: how often they were logged.
    """

    draft: str | None
    path: str
    size: int
    logged: int


def _parted(
    rows: Mapping[int, _Alike], draft: str, merged: Sequence[str], min_messages: int
) -> tuple[dict[int, bool], bool]:
    """Row -> side, without rows of neither; empty where there is one side. And whether drafts part them."""
    origins = Counter[str]()
    for one in rows.values():
        if one.draft:
            origins[one.draft] += one.size
    whole = {draft, *merged} if merged else set()
    drafts = [
        origin for origin, count in origins.most_common() if count >= REVIEW.fewest_in_part or origin in whole
    ]
    drafts.sort(key=lambda origin: origin != draft)
    if len(drafts) > 1:
        return {row: one.draft == drafts[1] for row, one in rows.items() if one.draft in drafts}, True
    origin = max(origins, key=origins.__getitem__, default=None)
    return _fork({row: one for row, one in rows.items() if one.draft == origin}, min_messages), False


def worded(log: Log, rows: Sequence[int]) -> tuple[Sequence[int], WordStatistics]:
    """Messages, and the words of all, in which these have the rows that are returned.

    Of a large log, some messages stand for all: to read the words of a million takes a minute.
    """
    if len(log.messages) <= DESK.most_loaded:
        return rows, words_of(log)
    mine = spaced(rows, DESK.most_worded)
    others = spaced(range(len(log.messages)), DESK.most_worded)
    return range(len(mine)), _statistics(log, (*mine, *others))


@functools.lru_cache(maxsize=1)
def words_of(log: Log) -> WordStatistics:
    """The words of the messages and of the training examples on the map; row i is message i."""
    return _statistics(log, range(len(log.messages)))


def _statistics(log: Log, rows: Sequence[int]) -> WordStatistics:
    """The words of some messages and of all training examples, by the drafts and intents that they are in."""
    messages = log.messages
    texts = (*(messages.texts[row] for row in rows), *(one.text for one in log.training))
    drafts = (messages.kinds[messages.kind[row]][1] for row in rows)
    placed = [*drafts, *(one.intent for one in log.training)]
    numbers: dict[str | None, int] = {None: -1}
    groups = np.array([numbers.setdefault(one or None, len(numbers) - 1) for one in placed], dtype=np.int64)
    unlabeled = np.full(len(texts), UNLABELED, dtype=np.int64)
    corpus = Corpus(texts, unlabeled, np.ones_like(unlabeled), ((),) * len(texts), ())
    return WordStatistics(corpus, language=log.language).grouped(np.arange(len(texts)), groups)


def taken_names(review: Review) -> list[str]:
    """Names that a new proposal cannot have."""
    return [
        *sorted({*review.known, *(draft.intent for draft in review.drafts.values())}),
        *sorted(NEVER_KNOWN),
    ]


def _fork(rows: Mapping[int, _Alike], min_messages: int) -> dict[int, bool]:
    """Row -> side, at the first fork with enough messages on both sides; empty where there is none.

    These are more than one, and logged as often as a proposal needs.
    """
    inside = {row: one for row, one in rows.items() if one.path}
    for level in range(max((len(one.path) for one in inside.values()), default=0)):
        inside = {row: one for row, one in inside.items() if len(one.path) > level}
        digits, logged = Counter[str](), Counter[bool]()
        for one in inside.values():
            digits[one.path[level]] += one.size
        (most, _), *others = digits.most_common() or [("", 0)]
        for one in inside.values():
            logged[one.path[level] != most] += one.logged
        if others and others[0][1] > 1 and min(logged[False], logged[True]) >= min_messages:
            return {row: one.path[level] != most for row, one in inside.items()}
        inside = {row: one for row, one in inside.items() if one.path[level] == most}
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
