"""What a page gets of the messages: of a small log all of them, of a large one those that it shows.

A page of a million messages has the points of some thousands of them from the beginning, and asks for what it
lists: the examples of a draft, the next messages of a list, the messages of some rows. All as plain values.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from rasa_intent_discovery.datatypes import Array
from rasa_intent_discovery.drafts.entities import EntityFinder, suggestions
from rasa_intent_discovery.drafts.sampling import spread
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.findings.evidence_words import meaning
from rasa_intent_discovery.review.messages.log import Log, kept_of_a_log
from rasa_intent_discovery.review.messages.standing import Standing, example_rows
from rasa_intent_discovery.review.numbers import DESK
from rasa_intent_discovery.review.safe_text import printable
from rasa_intent_discovery.training_data.annotations import pieces
from rasa_intent_discovery.training_data.nlu_yaml import Draft


def is_whole(log: Log) -> bool:
    """Whether a page gets all messages at once."""
    return len(log.messages) <= DESK.most_loaded


@functools.lru_cache(maxsize=1)
def loaded_rows(log: Log) -> Array:
    """(m,) int64, rising: the messages that a page gets at once. They are on the map, if any are."""
    if is_whole(log):
        return np.arange(len(log.messages))
    placed = np.flatnonzero(~np.isnan(log.messages.places[:, 0]))
    drafts = [draft or "" for _, draft, _ in log.messages.kinds]
    numbers = {draft: at for at, draft in enumerate(dict.fromkeys(drafts))}
    groups = np.array([numbers[draft] for draft in drafts])[log.messages.kind[placed]]
    found: Array = placed[spread(groups, DESK.most_loaded, DESK.least_loaded)]
    return found


def told_messages(log: Log, rows: Array) -> dict[str, Any]:
    """Messages for the page: their `rows`, and for each its text, count, confidence, and number of its kind.

    `came` are the rows of those that came since the run before.

    Args:
        rows: (m,) integers.
    """
    messages = log.messages
    return {
        "rows": rows.tolist(),
        "texts": [printable(messages.texts[row]) for row in rows.tolist()],
        "counts": messages.counts[rows].tolist(),
        "confidences": messages.confidences[rows].tolist(),
        "kind": messages.kind[rows].tolist(),
        "came": rows[messages.came[rows]].tolist(),
    }


def window(standing: Standing, rows: Array) -> dict[str, Any]:
    """Messages for the page, as `told_messages`, with the drafts that list them: `[path or "", rows]`."""
    return {**told_messages(standing.log, rows), "listing": _by_draft(standing, rows)}


def listing(standing: Standing, since: Standing | None) -> dict[str, Any]:
    """The drafts that list messages; nothing where the page sees that by the examples.

    Args:
        since: what the page knows: only what has changed is told. None for all that it has at once.
    """
    if is_whole(standing.log):
        return {}
    if since is None:
        return {"listing": _by_draft(standing, loaded_rows(standing.log))}
    both = np.array([*standing.paths, *since.paths, ""])
    numbers = np.unique(both, return_inverse=True)[1]
    here = np.where(standing.listed, numbers[: len(standing.paths)][standing.now], numbers[-1])
    there = np.where(since.listed, numbers[len(standing.paths) : -1][since.now], numbers[-1])
    return {"listing": _by_draft(standing, np.flatnonzero(here != there))}


def _by_draft(standing: Standing, rows: Array) -> list[tuple[str, list[int]]]:
    drafts = np.where(standing.listed[rows], standing.now[rows], -1)
    order = np.argsort(drafts, kind="stable")
    found, starts = np.unique(drafts[order], return_index=True)
    parts = np.split(rows[order], starts[1:])
    return [
        (standing.paths[at] if at >= 0 else "", part.tolist())
        for at, part in zip(found.tolist(), parts, strict=False)
    ]


def draft_window(draft: Draft, path: str, standing: Standing, finder: EntityFinder) -> dict[str, Any]:
    """The examples of a draft, the entities in them, and the first of its other messages."""
    log = standing.log
    others = standing.others(path)[: DESK.most_rows]
    listed = example_rows(log, draft.examples)
    rows = np.unique(np.concatenate([listed[listed >= 0], others]))
    return {
        "draft": path,
        "examples": told_examples(draft.examples, log),
        "entities": told_entities(draft, finder),
        "others": others.tolist(),
        "messages": window(standing, rows),
    }


def list_window(standing: Standing, path: str | None, reason: str | None, start: int) -> dict[str, Any]:
    """The next of the other messages of a draft, or of what is left over for a reason.

    Raises:
        DataError: there is no such draft.
    """
    if path is not None and path not in standing.paths:
        raise DataError(f"the draft {path} is not there any more")
    rows = standing.others(path) if path is not None else standing.left_over(reason)
    rows = rows[start : start + DESK.most_rows]
    return {"from": start, "list": rows.tolist(), "messages": window(standing, rows)}


def told_examples(examples: Sequence[str], log: Log) -> list[Any]:
    """Examples for the page."""
    return [_example(log, example) for example in examples]


@kept_of_a_log(1 << 16)
def _example(log: Log, example: str) -> int | list[Any]:
    """An example and its row, or the row alone where the example is the text of that message.

    With its pieces and their entities where entities are annotated in it.
    """
    parts = pieces(example) if "](" in example or "]{" in example else []
    marked = [parts] if any(entity for _, entity in parts) else []
    row = log.row(example)
    if not marked and row >= 0 and printable(log.messages.texts[row]) == example:
        return row
    return [example, row, *marked]


def told_entities(draft: Draft, finder: EntityFinder) -> list[Any]:
    """What could be marked in the examples of a draft, for the page."""
    return [
        [str(one.annotation), one.annotation.text, meaning(one.annotation), one.held, one.marked]
        for one in suggestions(draft, finder)
    ]
