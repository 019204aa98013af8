"""Reads logged messages from JSON: a list in a file, or one value on each line.

It may also hold conversations stored by Rasa; their messages are selected as from a tracker store.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import Any

from rasa_intent_discovery.corpus.events import KINDS
from rasa_intent_discovery.corpus.message_files import MessageFile, shown
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.corpus.writers import telling
from rasa_intent_discovery.datatypes import LoggedMessage
from rasa_intent_discovery.errors import DataError

_Around = list[tuple[str, dict[str, Any]]]
_KINDS = {list: "a list", dict: "an object", bool: "true or false"}


def read_jsonl(file: MessageFile) -> Iterator[LoggedMessage]:
    """The messages or conversations on the lines of a file, a JSON value on each; other lines are skipped."""
    for number, line in file.lines():
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            file.skip("not JSON", number)
            continue
        yield from _messages_in(record, number, file)
    yield from file.events.rest()


def read_json(file: MessageFile) -> Iterator[LoggedMessage]:
    """The messages or conversations of one list, which may be the only one in an object.

    Raises:
        DataError: the file is not JSON.
    """
    file.unit = "item"
    with file.path.open("rb") as content:
        read = content.read()
    file.check_start(read)
    try:
        found = json.loads(read.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise DataError(f"{file.path}, line {line}: it is not UTF-8, save it with that encoding") from error
    except json.JSONDecodeError as error:
        raise DataError(
            f"{file.path}, line {error.lineno}: not valid JSON, correct it; where each line holds an object, "
            "give the file the ending .jsonl"
        ) from error
    except RecursionError as error:
        raise DataError(f"{file.path}: it is nested too deep, take the messages out of it") from error
    except ValueError as error:  # a number of thousands of digits
        raise DataError(f"{file.path}: it cannot be read as JSON ({error}), correct it") from error
    if isinstance(found, dict) and _events_in(found, file) is None and _text_of(found, file) is None:
        lists = [value for value in found.values() if isinstance(value, list)]
        found = lists[0] if len(lists) == 1 else found
    for number, record in enumerate(found if isinstance(found, list) else [found], start=1):
        yield from _messages_in(record, number, file)
    yield from file.events.rest()


def _messages_in(record: Any, number: int, file: MessageFile) -> Iterator[LoggedMessage]:
    """Those of one JSON value: a message, or a conversation or a part of one."""
    if isinstance(record, dict):
        record = _unwrapped(record, file)
    if isinstance(record, dict) and (events := _events_in(record, file)) is not None:
        sender = str(record.get("sender_id") or record.get("name") or "")
        for event in events:
            if isinstance(event, dict):
                yield from file.events.read(event, sender)
        return
    time = None
    if isinstance(record, dict):
        text = _text_of(record, file)
        if text is None:
            there = _KINDS.get(type(_text_or_other(record, file)))
            found = f" ({there} is there)" if there else f" (its keys are: {shown(record) or 'none'})"
            file.skip(f"without a text under `{file.text_column}`", number, found=found)
            return
        if not text.strip():
            file.other_texts = file.other_texts or file.texts_in(record)[1:]
        around = _around(record, file)
        told = [(start + name, one[name]) for start, one in around for name in telling(tuple(one))]
        if file.is_of_another(told, number):
            return
        time = file.time_of(_moments_of(record, around, file), number)
    elif (text := _as_text(record)) is None:
        file.skip("neither an object nor a text", number)
        return
    yield LoggedMessage(text, time)


def _unwrapped(record: dict[str, Any], file: MessageFile) -> dict[str, Any]:
    """A record whose text is another one: both in one, who wrote as the outer says; any else as it is."""
    name = _text_key(record, file)
    found = record.get(name)
    inner = object_in(found) if file.is_wrapped or isinstance(found, dict) else None
    if inner is None or _events_in(record, file) is not None or not _is_record(inner, file):
        return record
    outer = {key: value for key, value in record.items() if key != name}
    return outer | inner | {key: outer[key] for key in telling(tuple(outer)) if outer[key] is not None}


def are_wrapped(messages: Sequence[LoggedMessage], file: MessageFile) -> bool:
    """Whether most texts of a file are records written as JSON: programs log such, few people write any."""
    objects = [one for message in messages if (one := object_in(message.text)) is not None]
    return sum(_is_record(one, file) for one in objects) > CORPUS.object_share * len(messages)


def _is_record(value: dict[str, Any], file: MessageFile) -> bool:
    """Whether an object has a text, or is an event or conversation."""
    return file.text_in(value) is not None or _events_in(value, file) is not None


def object_in(value: Any) -> dict[str, Any] | None:
    """The object that a value is, or that is written in it as JSON; None if it is another one."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        with suppress(ValueError, RecursionError):
            value = json.loads(value)
    return value if isinstance(value, dict) else None


def _events_in(record: dict[str, Any], file: MessageFile) -> list[Any] | None:
    """The events of a conversation, or the one that the record is; None where it is neither.

    Other programs have records with `event` and `events`, too: with a text, and without an event of a kind
    that Rasa has, they are theirs.
    """
    with_text = _text_of(record, file) is not None
    if isinstance(events := record.get("events"), list):
        return events if not with_text or any(map(_is_of_rasa, events)) else None
    is_event = isinstance(record.get("event"), str)
    return [record] if is_event and (not with_text or _is_of_rasa(record)) else None


def _is_of_rasa(event: Any) -> bool:
    """Whether an item of `events` is an event of a kind that Rasa has, and as Rasa writes it."""
    kind = event.get("event") if isinstance(event, dict) else None
    if kind in ("user", "bot"):  # other programs have these, too, with another key for what was said
        return "text" in event
    return isinstance(kind, str) and kind in KINDS


def _text_of(record: dict[str, Any], file: MessageFile) -> str | None:
    """The text of a message; None if there is none."""
    return _as_text(_text_or_other(record, file))


def _text_or_other(record: dict[str, Any], file: MessageFile) -> Any:
    """What is where the text of a message should be; None if nothing is."""
    return _below(record, _text_key(record, file))


def _text_key(record: dict[str, Any], file: MessageFile) -> str:
    """The key under which the text of a message should be."""
    return file.text_in(record) or file.text_column


def _around(record: dict[str, Any], file: MessageFile) -> _Around:
    """The objects that the text is in, the innermost first, each with what its keys begin with.

    Of `_source.text`, the object under `_source`, with `_source.`, and the record.
    """
    keys = [] if file.text_in(record) else file.text_column.split(".")[:-1]
    starts = ["", *accumulate(f"{key}." for key in keys)]
    found = [(start, _below(record, start[:-1]) if start else record) for start in reversed(starts)]
    return [(start, one) for start, value in found if (one := object_in(value)) is not None]


def _moments_of(record: dict[str, Any], around: _Around, file: MessageFile) -> list[Any]:
    """What stands where the time of a message may be."""
    found = [one[name] for _, one in around for name in file.times_in(one)]
    if not found and file.time_column is not None:
        return [_below(record, file.time_column)]
    return found


def _as_text(value: Any) -> str | None:
    """A text, also of who typed a number that was stored as one; None of anything else."""
    is_number = type(value) is int or (isinstance(value, float) and math.isfinite(value))
    return str(value) if is_number or isinstance(value, str) else None


def _below(record: dict[str, Any], name: str) -> Any:
    """The value under a key, or under `outer.inner` of an object in an object; None if there is none."""
    found: Any = record
    for key in [name] if name in record else name.split("."):
        found = (object_in(found) or {}).get(key)
    return found
