"""Reads logged messages from files: txt, csv, tsv, jsonl and NLU YAML, as they are, nothing cleaned.

Of conversations that Rasa kept as jsonl, what the bot did not understand is read, as from a tracker store.

A line that cannot be read is skipped and said so; a file from which nothing can be read ends the run.
"""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from rasa_intent_discovery.datatypes import LoggedMessage
from rasa_intent_discovery.dates import moment
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.events import EventReader, Selection

_ENDINGS = ".txt, .csv, .tsv, .jsonl, .yml or .yaml"
_NOT_UTF8 = "not UTF-8"
_LONGEST_FIELD = 2**31 - 1
_LISTED_FILES = 5
_ANNOTATION = re.compile(r"\[([^\]]+)\](?:\([^)]+\)|\{[^}]+\}|\[\{.*?\}\])")


@dataclass(frozen=True)
class MessageLog:
    """What was read.

    Attributes:
        messages: in the order of the files and of their lines.
        skipped: a sentence for each file of which something, or everything, was skipped.
    """

    messages: tuple[LoggedMessage, ...] = ()
    skipped: tuple[str, ...] = ()

    def __add__(self, other: MessageLog) -> MessageLog:
        return MessageLog(self.messages + other.messages, self.skipped + other.skipped)


NO_MESSAGES = MessageLog()


@dataclass
class _File:
    """One file while it is read: what is skipped is noted here, each reason with its count and first line."""

    path: Path
    text_column: str
    events: EventReader = field(default_factory=lambda: EventReader(Selection()))
    skipped: dict[str, tuple[int, str]] = field(default_factory=dict)

    def skip(self, reason: str, line: int, lines: int = 1, found: str = "") -> None:
        count, first = self.skipped.get(reason, (0, f"line {line}{found}"))
        self.skipped[reason] = (count + lines, first)

    def skipped_sentence(self) -> str:
        """`skipped 3 lines that are not JSON, the first is line 17`, joined by `;` for several reasons."""
        sentences = [
            f"skipped {first}, which is {reason}"
            if count == 1
            else f"skipped {count} lines that are {reason}, the first is {first}"
            for reason, (count, first) in self.skipped.items()
        ]
        return "; ".join(filter(None, [*sentences, self.events.summary()]))

    def raw_lines(self) -> Iterator[str]:
        """The lines without their ends; bytes that are not UTF-8 come as surrogates."""
        with self.path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if number == 1 and line.startswith((b"\xff\xfe", b"\xfe\xff")):
                    raise DataError(f"{self.path}: it is UTF-16, save it as UTF-8")
                if number == 1:
                    line = line.removeprefix(b"\xef\xbb\xbf")
                yield line.decode("utf-8", "surrogateescape").rstrip("\r\n")

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines that are UTF-8, with their numbers from 1."""
        for number, line in enumerate(self.raw_lines(), 1):
            if _is_utf8(line):
                yield number, line
            else:
                self.skip(_NOT_UTF8, number)


def read_messages(
    paths: Sequence[str | Path], text_column: str = "text", selection: Selection | None = None
) -> MessageLog:
    """Read files, and folders with all the files in them that can hold messages.

    Args:
        paths: txt, csv, tsv, jsonl and NLU YAML files, or folders. A folder is read recursively, sorted,
            without its hidden and its other files; a file that is met twice is read once.
        text_column: the column of csv and tsv files, and the key of jsonl files, that holds the text.
        selection: what is read of conversations.

    Raises:
        DataError: a path does not exist, cannot be read or is of another kind, a folder holds no file of
            messages, a file has content but none that can be read, or no file has any message.
    """
    messages: list[LoggedMessage] = []
    skipped: list[str] = []
    for path in _files(paths):
        file = _File(path, text_column, EventReader(selection or Selection()))
        try:
            found = list(_READERS[path.suffix.lower()](file))
        except OSError as error:
            raise _unreadable(path, error) from error
        if file.skipped and not found:
            raise DataError(
                f"{path}: no message can be read from it, {file.skipped_sentence()}; "
                "check its format, its encoding (UTF-8) and --text-column"
            )
        if file.skipped or file.events.left_out:
            skipped.append(f"{path}: {file.skipped_sentence()}")
        elif not found:
            skipped.append(f"{path}: skipped, there is no message in it")
        messages += found
    if paths and not messages:
        raise DataError(f"{listed(skipped)}; name files that hold logged messages")
    return MessageLog(tuple(messages), tuple(skipped))


def listed(skipped: Sequence[str]) -> str:
    """The sentences on the first files, and how many more there are, in one."""
    more = len(skipped) - _LISTED_FILES
    return "; ".join([*skipped[:_LISTED_FILES], *([f"and {more} more files"] if more > 0 else [])])


def _files(paths: Sequence[str | Path]) -> list[Path]:
    files: dict[Path, Path] = {}
    for named in paths:
        if not str(named).strip():
            raise DataError("the name of a file of messages is empty, check --messages and `messages`")
        path = Path(named)
        try:
            found = _files_in(path)
        except OSError as error:
            raise _unreadable(path, error) from error
        for file in found:
            files.setdefault(file.resolve(), file)
    return list(files.values())


def _files_in(path: Path) -> list[Path]:
    if not path.exists():
        raise DataError(f"{path}: there is no such file or folder, check where the messages are")
    if path.is_dir():
        found = _files_below(path)
        if not found:
            raise DataError(f"{path}: the folder holds no file ending in {_ENDINGS}, name one that does")
        return found
    if path.suffix.lower() not in _READERS:
        raise DataError(f"{path}: messages are read from files ending in {_ENDINGS}, save it as one of these")
    return [path]


def _files_below(folder: Path) -> list[Path]:
    """What is not hidden and can hold messages. A folder that cannot be opened is not passed over."""

    def stop(error: OSError) -> None:
        raise error

    found: list[Path] = []
    for root, folders, names in os.walk(folder, onerror=stop):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files = [Path(root, name) for name in names if not name.startswith(".")]
        found += [file for file in files if file.suffix.lower() in _READERS and file.is_file()]
    return sorted(found)


def _unreadable(path: Path, error: OSError) -> DataError:
    return DataError(f"{error.filename or path}: cannot be read ({error.strerror}), make it readable first")


def _read_txt(file: _File) -> Iterator[LoggedMessage]:
    for number, line in file.lines():
        yield LoggedMessage(line, f"{file.path}, line {number}")


def _read_jsonl(file: _File) -> Iterator[LoggedMessage]:
    for number, line in file.lines():
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            file.skip("not JSON", number)
            continue
        source = f"{file.path}, line {number}"
        if isinstance(record, dict) and ("event" in record or isinstance(record.get("events"), list)):
            sender = str(record.get("sender_id") or record.get("name") or "")
            for event in record.get("events", [record]):
                if isinstance(event, dict):
                    yield from file.events.read(event, sender, source)
            continue
        time = None
        if isinstance(record, dict):
            text = record.get(file.text_column)
            time = _time(record)
            if not isinstance(text, str):
                keys = f" (its keys are: {', '.join(record)[:200] or 'none'})"
                file.skip(f"without a text under `{file.text_column}`", number, found=keys)
                continue
        elif isinstance(record, str):
            text = record
        else:
            file.skip("neither an object nor a text", number)
            continue
        yield LoggedMessage(text, source, time)
    yield from file.events.rest()


def _time(record: dict[str, Any]) -> float | None:
    """When a message was written: seconds since 1970, or a moment in ISO 8601."""
    time = record.get("time", record.get("timestamp"))
    if isinstance(time, str):
        try:
            return moment(time)
        except (ValueError, OverflowError, OSError):
            return None
    return float(time) if isinstance(time, (int, float)) and not isinstance(time, bool) else None


def _read_table(file: _File) -> Iterator[LoggedMessage]:
    csv.field_size_limit(_LONGEST_FIELD)  # a message may be longer than the 128 KiB allowed by default
    delimiter, header = _header(file)
    if not header:
        return
    column = header.index(file.text_column)
    rows = _rows(file, delimiter)
    next(rows)
    for number, row in rows:
        if len(row) <= column:
            file.skip(f"without the column `{file.text_column}`", number)
        elif not _is_utf8(row[column]):
            file.skip(_NOT_UTF8, number)
        else:
            yield LoggedMessage(row[column], f"{file.path}, line {number}")


def _header(file: _File) -> tuple[str, list[str]]:
    """The delimiter under which the text column is there, and the columns; no columns if nothing is there."""
    columns: list[str] = []
    for delimiter in "\t,;" if file.path.suffix.lower() == ".tsv" else ",;\t":
        _, row = next(_rows(_File(file.path, file.text_column), delimiter), (0, []))
        names = [name.strip() for name in row]
        if not names or file.text_column in names:
            return delimiter, names
        columns = max(columns, names, key=len)
    if not _is_utf8("".join(columns)):
        raise DataError(f"{file.path}: its first line is not UTF-8, save the file with that encoding")
    raise DataError(
        f"{file.path}: there is no column `{file.text_column}`, its columns are: {', '.join(columns)}; "
        "name the one that holds the messages with --text-column"
    )


def _rows(file: _File, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, each with the number of its first line."""
    reader = csv.reader(
        (line.replace("\0", "") + "\n" for line in file.raw_lines()), delimiter=delimiter, strict=True
    )
    while True:
        number = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:  # a quotation mark without its end has swallowed all the lines after it
            file.skip("wrongly quoted", number, reader.line_num + 1 - number)
            continue
        if row:
            yield number, row


def _read_nlu_yaml(file: _File) -> Iterator[LoggedMessage]:
    try:
        content = YAML(typ="rt", pure=True).load(file.path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise DataError(f"{file.path}, line {line}: it is not UTF-8, save it with that encoding") from error
    except (YAMLError, ValueError, RecursionError) as error:
        mark = error.problem_mark if isinstance(error, MarkedYAMLError) else None
        where = f"line {mark.line + 1}" if mark else "its content"
        raise DataError(f"{file.path}: {where} is not valid YAML, correct it") from error
    if content is None:
        return
    items = content.get("nlu") if isinstance(content, dict) else None
    if not isinstance(items, list):
        raise DataError(
            f"{file.path}: there is no list `nlu:` of intents and their examples in it, so it holds no "
            "messages; leave it out"
        )
    for item in items:
        if isinstance(item, CommentedMap) and "intent" in item and "examples" in item:
            line = item.lc.value("examples")[0] + 1
            for number, example in _examples(item["examples"], line):
                if isinstance(example, str):
                    yield LoggedMessage(_ANNOTATION.sub(r"\1", example), f"{file.path}, line {number}")
                else:
                    file.skip("without a `text`", number)


def _examples(examples: Any, line: int) -> Iterator[tuple[int, Any]]:
    """The examples of an intent: a block of lines `- ...` that begins after `line`, or a list of objects."""
    if isinstance(examples, str):
        for number, example in enumerate(examples.split("\n"), line + 1):
            if example.lstrip().startswith("-"):
                yield number, example.lstrip()[1:].strip()
    elif isinstance(examples, CommentedSeq):
        for index, example in enumerate(examples):
            text = example.get("text") if isinstance(example, dict) else None
            yield examples.lc.item(index)[0] + 1, text.strip() if isinstance(text, str) else None


def _is_utf8(text: str) -> bool:
    """Whether no byte of it came as a surrogate."""
    return text.isascii() or not re.search("[\udc80-\udcff]", text)


_READERS = {
    ".txt": _read_txt,
    ".csv": _read_table,
    ".tsv": _read_table,
    ".jsonl": _read_jsonl,
    ".yml": _read_nlu_yaml,
    ".yaml": _read_nlu_yaml,
}
