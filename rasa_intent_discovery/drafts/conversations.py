"""`conversations.jsonl`: what was said directly before and after messages of stored conversations.

A line for each message, masked as the messages are: `{"text", "times": [{"day", "before", "after"}]}`, the
latest time first, with turns `["bot", "Done.", "Anything else?"]`. No sender id is kept, and of the time only
the day. Touches no files.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.cleaning import excerpt, read_text
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.corpus.turns import Occurrence, Turn, Turns
from rasa_intent_discovery.datatypes import NO_BOILERPLATE, Boilerplate
from rasa_intent_discovery.dates import day
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.text_identity import text_key


@dataclass(frozen=True)
class Spoken:
    """One time that a message was logged: the day, None if unknown, and the turns around it, oldest first."""

    day: str | None
    before: tuple[Turn, ...]
    after: tuple[Turn, ...]


def conversations_file(
    turns: Turns, config: DiscoveryConfig, boilerplate: Boilerplate = NO_BOILERPLATE
) -> bytes | None:
    """The content of `conversations.jsonl`; None where no message has turns around it."""
    spoken: dict[str, tuple[str, list[Occurrence]]] = {}
    for original, occurrences in turns.occurrences():
        having = [one for one in occurrences if one.before or one.after]
        if having:
            text = read_text(original.strip(), config, boilerplate)[0]  # as in `assignments.jsonl`
            spoken.setdefault(text_key(text), (text, []))[1].extend(having)

    @functools.lru_cache(maxsize=1 << 16)  # what a bot says is said often
    def shown(text: str) -> str:
        return excerpt(text, config, CORPUS.utterance_characters)

    def listed(said: tuple[Turn, ...]) -> list[list[str]]:
        turns = [[turn.speaker, *filter(None, map(shown, turn.said))] for turn in said]
        return [turn for turn in turns if len(turn) > 1]

    lines = []
    for text, occurrences in spoken.values():
        latest = sorted(occurrences, key=lambda one: (one.time is not None, one.time or 0.0), reverse=True)
        times = [
            {
                "day": None if one.time is None else day(one.time),
                "before": listed(one.before),
                "after": listed(one.after),
            }
            for one in latest[: CORPUS.most_occurrences]
        ]
        lines.append(json.dumps({"text": text, "times": times}, ensure_ascii=False) + "\n")
    return "".join(lines).encode("utf-8", "replace") if lines else None


def texts_with_turns(content: bytes, path: Path) -> Iterator[tuple[str, bytes]]:
    """Each message in a file, and its line.

    Raises:
        DataError: a line is not as it was written; names file and line.
    """
    for number, line in enumerate(content.split(b"\n"), 1):
        if line:
            try:
                text = json.loads(line)["text"]
                spoken_of(line)
            except (ValueError, KeyError, TypeError, RecursionError):
                raise DataError(f"{path}, line {number}: not as it was written") from None
            yield str(text), line


def spoken_of(line: bytes) -> tuple[Spoken, ...]:
    """The times in the line of a message, the latest first.

    Raises:
        ValueError, KeyError, TypeError: it is not as it was written.
    """

    def turns(said: Any) -> tuple[Turn, ...]:
        return tuple(Turn(str(speaker), tuple(map(str, utterances))) for speaker, *utterances in said)

    return tuple(
        Spoken(None if one["day"] is None else str(one["day"]), turns(one["before"]), turns(one["after"]))
        for one in json.loads(line)["times"]
    )
