"""What the desk answers when its page asks what is near: plain values, or a sentence that says why not."""

from __future__ import annotations

import asyncio
from typing import Any

from rasa_intent_discovery.corpus.cleaning import clean
from rasa_intent_discovery.corpus.personal_data import without_placeholders
from rasa_intent_discovery.datatypes import Array
from rasa_intent_discovery.errors import DataError, DiscoveryError
from rasa_intent_discovery.review.decisions.under_review import Review
from rasa_intent_discovery.review.messages.meaning import Index, Meaning
from rasa_intent_discovery.review.numbers import DESK

_LOOK = 0.02  # seconds between two looks whether the encoder has answered


async def near_answer(meaning: Meaning, review: Review, asked: Any) -> dict[str, Any]:
    """What is near to the message of a `row`, or to a `text`.

    Returns:
        messages: `[row, nearness]`; intents: `[path of a draft or name of an intent, nearness]`, both nearest
        first; compared: how many messages have vectors. Or `waits`, where the encoder is not ready yet and
        should be asked again; or `problem`.
    """
    row, text = (asked.get("row"), asked.get("text")) if isinstance(asked, dict) else (None, None)
    if not isinstance(row, int) and not isinstance(text, str):
        return {"problem": "expected a row or a text"}
    try:
        index = await asyncio.get_running_loop().run_in_executor(None, meaning.index)
        if isinstance(row, int):
            if (one := index.vector(row)) is not None:
                return _near(index, one, review, row)
            # It was only placed: it is read now.
            text = without_placeholders(index.log.messages.texts[row])
        # As a run reads a message: half an emoji, for one, would end the encoder.
        text = clean(str(text))
        for _ in range(round(DESK.ready_seconds / _LOOK)):
            if (coming := meaning.of_text(text)).done():
                found = _near(index, index.vectors.placed(coming.result()), review)
                itself = [(row, 100)] if isinstance(row, int) else []
                return {**found, "messages": [*itself, *found["messages"]]}
            await asyncio.sleep(_LOOK)
        return {"waits": True}
    except DiscoveryError as error:
        return {"problem": str(error)}


def _near(index: Index, one: Array, review: Review, row: int = -1) -> dict[str, Any]:
    return {
        "messages": index.near(one, row),
        "intents": index.intents_near(one, review),
        "compared": int((index.rows >= 0).sum()),
    }


def left_over_answer(meaning: Meaning, review: Review, asked: Any) -> dict[str, Any]:
    """`nearest`: row of each message that is left over -> `[draft or intent, nearness]`; or `problem`.

    Args:
        asked: has the `rows` that are wanted, null for all.
    """
    try:
        return {"nearest": meaning.index().left_over(review, _rows(asked))}
    except DataError as error:
        return {"problem": str(error)}


def likely_answer(meaning: Meaning, review: Review, asked: Any) -> dict[str, Any]:
    """`likely`: row of each message -> the drafts or intents that it may belong to instead; or `problem`.

    Args:
        asked: has the `rows` that are wanted.
    """
    try:
        return {"likely": meaning.index().likely(review, _rows(asked) or ())}
    except DataError as error:
        return {"problem": str(error)}


def _rows(asked: Any) -> list[int] | None:
    """The rows that are asked for; None for all."""
    rows = asked.get("rows") if isinstance(asked, dict) else None
    return [row for row in rows if isinstance(row, int)] if isinstance(rows, list) else None


def elsewhere_answer(meaning: Meaning, review: Review, asked: Any) -> dict[str, Any]:
    """`elsewhere`: `[row, nearness]` of messages that are near to a draft and not in it; or `problem`.

    Args:
        asked: has the path of the `draft`.
    """
    path = asked.get("draft") if isinstance(asked, dict) else None
    try:
        return {"elsewhere": meaning.index().elsewhere(review, str(path))}
    except DataError as error:
        return {"problem": str(error)}
