"""What stands in an event of a stored conversation; any malformed content is tolerated."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rasa_intent_discovery.dates import moment_of, seconds_of


def clicks(event: Mapping[str, Any]) -> set[str]:
    """The texts that clicks on the buttons of a bot event send: the payloads, in some channels the titles."""
    return {text.strip() for text in _of_buttons(event, "payload", "title")}


def utterance(event: Mapping[str, Any]) -> str:
    """What a bot event says: its text, and the titles of its buttons in brackets; empty for a picture."""
    text = event.get("text")
    said = [text] if isinstance(text, str) else []
    return " ".join(said + [f"[{title}]" for title in _of_buttons(event, "title")])


def is_from_outside(event: Mapping[str, Any]) -> bool:
    """Whether a program triggered a user event, and nobody wrote it."""
    return bool(as_mapping(event.get("metadata")).get("is_external"))


def commands_of(parsed: Mapping[str, Any]) -> set[str]:
    """The names of the commands that Rasa Pro made of a message (`start flow`), from its `parse_data`."""
    commands = parsed.get("commands")
    named = [
        as_mapping(command).get("command") for command in (commands if isinstance(commands, list) else ())
    ]
    return {name for name in named if isinstance(name, str)}


def _of_buttons(event: Mapping[str, Any], *keys: str) -> list[str]:
    buttons = as_mapping(event.get("data")).get("buttons")
    if not isinstance(buttons, list):
        return []
    values = [as_mapping(button).get(key) for button in buttons for key in keys]
    return [value for value in values if isinstance(value, str)]


def is_an_entity(event: Mapping[str, Any], text: str) -> bool:
    """Whether one entity spans the whole text."""
    entities = as_mapping(event.get("parse_data")).get("entities")
    spans = [
        (as_number(as_mapping(entity).get("start")), as_number(as_mapping(entity).get("end")))
        for entity in (entities if isinstance(entities, list) else ())
    ]
    return bool(text) and (0, len(text)) in spans


def as_mapping(value: Any) -> Mapping[str, Any]:
    """The value if it is a mapping, else an empty one: stored events may be malformed."""
    return value if isinstance(value, Mapping) else {}


def as_number(value: Any) -> float | None:
    """The value if it is a finite number, else None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def time_of(event: Mapping[str, Any]) -> float | None:
    """When it happened, in seconds since 1970; None if that is unknown."""
    time = event.get("timestamp")
    if isinstance(time, str):  # as some exports have it
        return moment_of(time)
    seconds = as_number(time)
    return None if seconds is None else seconds_of(seconds)
