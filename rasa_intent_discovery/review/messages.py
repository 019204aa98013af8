"""The messages of a run: every distinct one, with its placement and its point on the map."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rasa_intent_discovery.datatypes import KNOWN, NEW
from rasa_intent_discovery.drafts.contents import paths_of
from rasa_intent_discovery.drafts.folder import ASSIGNMENTS, MAP, decoded, read_bytes
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.text_identity import example_key, text_key

NO_RUN: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Message:
    """A distinct message of the log.

    Attributes:
        text: as it was logged, its most frequent spelling.
        count: how often it was logged, in any spelling.
        placement: `new`, `known` or `left_over`, by the run.
        draft: path of the draft that the run made of its intent, `new/refund.yml`; None if it is left over.
        reason: why it was placed there.
        place: its point on the map, or None.
        path: its part at every fork of the run's draft (`Discovery.paths`); empty where unknown.
        confidence: of the placement, 0..1; 1 where the run did not say.
    """

    text: str
    count: int
    placement: str
    draft: str | None
    reason: str
    place: tuple[float, float] | None = None
    path: str = ""
    confidence: float = 1.0


@dataclass(frozen=True)
class Training:
    """An example the bot is trained on, on the map."""

    text: str
    intent: str
    place: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Log:
    """All messages; `rows` finds one by its `example_key`. `problems` says what could not be read."""

    messages: tuple[Message, ...] = ()
    training: tuple[Training, ...] = ()
    rows: Mapping[str, int] | None = None
    problems: tuple[str, ...] = ()

    def row(self, text: str) -> int:
        """The row of the message that an example is, -1 where nobody logged it."""
        return (self.rows or {}).get(example_key(text), -1)


def read_log(folder: Path, run: Mapping[str, Any] = NO_RUN) -> Log:
    """Reads the messages of a run. A missing or broken file is listed in `problems`, and raises no error.

    Args:
        run: what `run.json` says.
    """
    contents, problems = {}, []
    for name in (ASSIGNMENTS, MAP):
        try:
            if (folder / name).exists():
                contents[name] = read_bytes(folder / name)
        except DataError as error:
            problems.append(str(error))
    log = log_of(contents, folder, run)
    return replace(log, problems=(*problems, *log.problems))


def log_of(contents: Mapping[str, bytes], folder: Path, run: Mapping[str, Any] = NO_RUN) -> Log:
    """The messages in the files of a run.

    Args:
        contents: path below the folder -> content.
        folder: where the files are, for error messages.
        run: what `run.json` says.
    """
    problems: list[str] = []
    messages: list[Message] = []
    rows: dict[str, int] = {}
    try:
        for message in _messages(contents.get(ASSIGNMENTS), folder / ASSIGNMENTS, run.get("drafts") or {}):
            # Spellings of a message were placed together; the most frequent one comes first.
            row = rows.setdefault(text_key(message.text) or message.text, len(messages))
            if row == len(messages):
                messages.append(message)
            else:
                messages[row] = replace(messages[row], count=messages[row].count + message.count)
    except DataError as error:
        problems.append(str(error))
    training: list[Training] = []
    try:
        for x, y, text, intent, forks in _points(contents.get(MAP), folder / MAP):
            row = rows.get(text_key(text), -1)
            if row >= 0:
                messages[row] = replace(messages[row], place=(x, y), path=forks)
            elif intent is not None:
                training.append(Training(text, intent, (x, y)))
    except DataError as error:
        problems.append(str(error))
    return Log(tuple(messages), tuple(training), rows, tuple(problems))


def _messages(content: bytes | None, path: Path, drafts: Mapping[str, str]) -> Iterator[Message]:
    if content is None:
        raise DataError(f"there is no {path}, so no messages can be shown: it comes with the next run")
    lines = [
        _line(path, number, line) for number, line in enumerate(decoded(content, path).split("\n"), 1) if line
    ]
    files = {}
    for part in (NEW, KNOWN):
        intents = dict.fromkeys(line["intent"] for line in lines if line["placement"] == part)
        files.update({(part, intent): path for path, intent in paths_of(part, intents, drafts).items()})
    for line in lines:
        draft = files.get((line["placement"], line["intent"]))
        yield Message(
            line["text"],
            line["count"],
            line["placement"],
            draft,
            line["reason"],
            confidence=line["confidence"],
        )


def _line(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        read = json.loads(line)
        return {
            "text": str(read["text"]),
            "count": int(read["count"]),
            "placement": str(read["placement"]),
            "intent": str(read["intent"]),
            "reason": str(read["reason"]),
            "confidence": float(read.get("confidence", 1.0)),
        }
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DataError(
            f"{path}, line {number}: not as it was written, so no messages can be shown"
        ) from None


def _points(content: bytes | None, path: Path) -> Iterator[tuple[float, float, str, str | None, str]]:
    """The points of the map; those of earlier versions have no path."""
    if content is None:
        raise DataError(f"there is no {path}, so no map can be shown: it comes with the next run")
    try:
        for x, y, text, intent, *more in json.loads(decoded(content, path))["points"]:
            forks = str(more[0]) if more else ""
            yield float(x), float(y), str(text), None if intent is None else str(intent), forks
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DataError(f"{path} is not as it was written, so no map can be shown") from None
