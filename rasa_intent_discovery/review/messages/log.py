"""The messages of a run: every distinct one, with its placement and its point on the map."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial, wraps
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from rasa_intent_discovery.corpus.personal_data import PLACEHOLDER
from rasa_intent_discovery.datatypes import KNOWN, NEW
from rasa_intent_discovery.drafts.contents import paths_of
from rasa_intent_discovery.drafts.folder import ASSIGNMENTS, MAP, decoded, read_bytes
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.kept_values import mapping_in
from rasa_intent_discovery.locales import language_code
from rasa_intent_discovery.proposals.reasons import EXAMPLE
from rasa_intent_discovery.review.messages.table import Messages
from rasa_intent_discovery.training_data.text_identity import example_key, text_key

#: Text, count, placement, intent, reason, confidence, and whether it came since the run before.
_Line = tuple[str, int, str, str, str, float, bool]
_About = TypeVar("_About")
_Made = TypeVar("_Made")
_BLOCK = 1 << 20  # bytes that are read at once

NO_RUN: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Training:
    """An example the bot is trained on, on the map."""

    text: str
    intent: str
    place: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Log:
    """All messages; `rows` finds one by its `example_key`. `problems` says what could not be read.

    `language` is that of the bot, as a code of ISO 639-1; None where the run does not know it. `min_messages`
    are so many as a proposal of the run needs.
    """

    messages: Messages = field(default_factory=lambda: Messages.of(()))
    training: tuple[Training, ...] = ()
    rows: Mapping[str, int] | None = None
    problems: tuple[str, ...] = ()
    language: str | None = None
    min_messages: int = 1

    def row(self, text: str) -> int:
        """The row of the message that an example is, -1 where nobody logged it."""
        return (self.rows or {}).get(example_key(text), -1)

    @cached_property
    def with_mask(self) -> int:
        """How many logged messages hold a mask of personal data."""
        both = zip(self.messages.texts, self.messages.counts.tolist(), strict=True)
        return sum(count for text, count in both if PLACEHOLDER.search(text))


def kept_of_a_log(
    most: int,
) -> Callable[[Callable[[Log, _About], _Made]], Callable[[Log, _About], _Made]]:
    """Keeps the latest results of a function of a log and of something else, as `functools.lru_cache` does.

    Of one log at a time: those of earlier runs, which may have a million messages, are not kept with them.
    """

    def keeping(make: Callable[[Log, _About], _Made]) -> Callable[[Log, _About], _Made]:
        @lru_cache(maxsize=1)
        def of(log: Log) -> Callable[[_About], _Made]:
            return lru_cache(maxsize=most)(partial(make, log))

        @wraps(make)
        def kept(log: Log, about: _About) -> _Made:
            return of(log)(about)

        return kept

    return keeping


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
    messages, rows = Messages.of(()), dict[str, int]()
    try:
        messages, rows = _messages(contents.get(ASSIGNMENTS), folder / ASSIGNMENTS, mapping_in(run, "drafts"))
    except DataError as error:
        problems.append(str(error))
    training: list[Training] = []
    forks = {"": 0}
    places, fork = messages.places, messages.fork
    try:
        for x, y, text, intent, path in _points(contents.get(MAP), folder / MAP):
            row = rows.get(text_key(text), -1)
            if row >= 0:
                places[row] = (x, y)
                fork[row] = forks.setdefault(path, len(forks))
            elif intent is not None:
                training.append(Training(text, intent, (x, y)))
    except DataError as error:
        problems.append(str(error))
    settings = mapping_in(run, "settings")
    language, least = language_code(settings.get("language")), settings.get("min_messages")
    least = least if isinstance(least, int) else Log.min_messages
    messages = replace(messages, forks=[*forks])
    return Log(messages, tuple(training), rows, tuple(problems), language, least)


def _messages(
    content: bytes | None, path: Path, drafts: Mapping[str, str]
) -> tuple[Messages, dict[str, int]]:
    """The messages, and the row of each by its key.

    Spellings of a message were placed together; the most frequent one comes first.
    """
    if content is None:
        raise DataError(f"there is no {path}, so no messages can be shown: it comes with the next run")
    texts, counts, confidences, come = list[str](), list[int](), list[float](), list[bool]()
    kinds, kind = dict[tuple[str, str, str], int](), list[int]()
    rows: dict[str, int] = {}
    for text, count, placement, intent, reason, confidence, came in _lines(content, path):
        key = text_key(text) or text
        row = rows.setdefault(
            text if key == text else key, len(texts)
        )  # one text in memory where they are equal
        if row < len(texts):
            counts[row] += count
            continue
        texts.append(text)
        counts.append(count)
        kind.append(kinds.setdefault((placement, intent, reason), len(kinds)))
        confidences.append(confidence)
        come.append(came)
    files = {}
    for part in (NEW, KNOWN):
        intents = dict.fromkeys(intent for placement, intent, _ in kinds if placement == part)
        files.update({(part, intent): path for path, intent in paths_of(part, intents, drafts).items()})
    messages = Messages(
        texts,
        np.array(counts, dtype=np.int64),
        np.array(kind, dtype=np.int32),
        [
            (placement, None if reason == EXAMPLE else files.get((placement, intent)), reason)
            for placement, intent, reason in kinds
        ],
        np.array(confidences, dtype=np.float64),
        np.full((len(texts), 2), np.nan),
        np.zeros(len(texts), dtype=np.int32),
        [""],
        np.array(come, dtype=bool),
    )
    return messages, rows


def _lines(content: bytes, path: Path) -> Iterator[_Line]:
    """The lines of a file, read block by block: as one text they would take four times the memory."""
    start, number = 0, 1
    while start < len(content):
        end = content.find(b"\n", start + _BLOCK) + 1 or len(content)
        try:
            block = content[start:end].decode("utf-8")
        except UnicodeDecodeError:
            decoded(content, path)
            raise
        yield from _read(block, path, number)
        start, number = end, number + block.count("\n")


def _read(block: str, path: Path, first: int) -> Iterator[_Line]:
    """The lines of a block, whose first one has this number in the file."""
    lines = [line for line in block.split("\n") if line]
    try:
        read = json.loads(f"[{','.join(lines)}]")
        if len(read) == len(lines):
            yield from [_line(one) for one in read]
            return
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    for number, line in enumerate(block.split("\n"), first):
        try:
            if line:
                yield _line(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise DataError(
                f"{path}, line {number}: not as it was written, so no messages can be shown"
            ) from None


def _line(read: Any) -> _Line:
    return (
        str(read["text"]),
        int(read["count"]),
        str(read["placement"]),
        str(read["intent"]),
        str(read["reason"]),
        float(read.get("confidence", 1.0)),
        read.get("came") is True,
    )


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
