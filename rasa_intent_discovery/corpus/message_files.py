"""Reads one file of logged messages in the format of its suffix: txt, csv, tsv, jsonl or NLU YAML.

A jsonl file may also hold conversations stored by Rasa; their messages are selected as from a tracker store.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml.comments import CommentedMap, CommentedSeq

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.events import KINDS, EventReader
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.corpus.personal_data import mask_personal_data
from rasa_intent_discovery.corpus.table_rows import TableRows
from rasa_intent_discovery.corpus.time_columns import TIMES, usual_times
from rasa_intent_discovery.datatypes import LoggedMessage
from rasa_intent_discovery.dates import moment, seconds_of
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.nlu_files import written_examples
from rasa_intent_discovery.training_data.nlu_yaml import line_of
from rasa_intent_discovery.training_data.yaml_depth import TooDeep, shallow_yaml
from rasa_intent_discovery.training_data.yaml_mistake import line_of_mistake

#: Column or key of the text where nobody names one and there is none of the default name.
_OTHER_TEXT = "message"
_A_TIME = "2026-03-31T18:30:00"
_EARLIEST = 1e8  # seconds, the year 1973: a smaller number is none, but a day of a spreadsheet for instance
# A day or moment without signs between its parts: `20260301`, `20260301T183000` or `202603011830`.
_COMPACT = re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)?)?")
_NOT_UTF8 = "not UTF-8 (save the file with that encoding)"
_TOO_MANY = "of more fields than the first one (put quotes around texts with {})"
_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs"}
_TOO_LONG = f"longer than {CORPUS.longest_line:,} characters"
#: How a file begins that is no text in UTF-8, and what to do about it.
_NO_TEXT = (
    (b"\xff\xfe", "it is UTF-16, save it as UTF-8"),
    (b"\xfe\xff", "it is UTF-16, save it as UTF-8"),
    (b"\x1f\x8b", "it is compressed with gzip, unpack it first"),
    (b"PK\x03\x04", "it is a zip archive or a spreadsheet, save what is in it as text"),
)
_KINDS = {list: "a list", dict: "an object", bool: "true or false"}
_NAMES, _NAME = 20, 30  # columns or keys that an error names, and characters of one
_SEARCHED = _NAME + CORPUS.longest_personal_data
_START = 1 << 16  # bytes of a file in which the first line end is looked for
# Entity annotations as people write them. Stricter than Rasa, which would also parse `a[0][1]` as one and so
# drop a part of such a message.
_ANNOTATION = re.compile(r"\[([^\]]+)\](?:\([^)]+\)|\{[^}]+\}|\[\{.*?\}\])")


@dataclass
class MessageFile:
    """A file being read.

    Attributes:
        time_column: None looks for the usual names.
        has_times: whether a column or key holds the times: by what it is called, or by its values.
        skipped: reason -> the number of skipped lines, and the first of them.
        unread_times: how many messages have a time that cannot be read, and the first of these.
        unit: what a line of the file is called.
        identity: which file was read line by line, whatever its name is by now.
    """

    path: Path
    text_column: str
    events: EventReader
    time_column: str | None = None
    has_times: bool = False
    skipped: dict[str, tuple[int, str]] = field(default_factory=dict)
    unread_times: tuple[int, str] | None = None
    unit: str = "line"
    identity: tuple[int, int] | None = None

    def text_in(self, names: Container[str]) -> str | None:
        """Which of the columns of a table, or keys of an object, holds the text; None if none does."""
        if self.text_column in names:
            return self.text_column
        usual = self.text_column == DiscoveryConfig.text_column
        return _OTHER_TEXT if usual and _OTHER_TEXT in names else None

    def times_in(self, names: Collection[str]) -> list[str]:
        """Which of the columns of a table, or keys of an object, may hold the time, the most likely first."""
        named = TIMES if self.time_column is None else (self.time_column,)
        sure = [name for name in named if name in names]
        self.has_times = self.has_times or bool(sure)
        if self.time_column is not None:
            return sure
        text = self.text_in(names)
        return [*sure, *(name for name in usual_times(names) if name not in (text, *sure))]

    def skip(self, reason: str, line: int, lines: int = 1, found: str = "") -> None:
        """Records skipped lines.

        Args:
            reason: what the lines are, to follow "which is" or "that are".
            line: number of the first one, from 1.
            lines: how many they are.
            found: what was found there, appended to the line number.
        """
        count, first = self.skipped.get(reason, (0, f"{self.unit} {line}{found}"))
        self.skipped[reason] = (count + lines, first)

    def time_of(self, given: Iterable[Any], line: int) -> float | None:
        """What `moment_of` makes of the time of a message; one that it cannot read is recorded.

        Args:
            given: what the file has where the time may stand; the first that can be read is taken. None or
                blank where there is nothing.
            line: number of its line, from 1.
        """
        written = [one for one in given if one is not None and str(one).strip()]
        for one in written:
            if (found := moment_of(one)) is not None:
                self.has_times = True
                return found
        if written:
            count, first = self.unread_times or (0, f"{_shown([str(written[0])])} in {self.unit} {line}")
            self.unread_times = count + 1, first
        return None

    def remarks(self) -> str:
        """`skipped 3 lines that are not JSON, the first is line 17`, joined by `;` for several remarks."""
        sentences = [
            f"skipped {first}, which is {reason}"
            if count == 1
            else f"skipped {count} {self.unit}s that are {reason}, the first is {first}"
            for reason, (count, first) in self.skipped.items()
        ]
        unread = self.unread() if self.has_times else ""
        return "; ".join(filter(None, [*sentences, unread, self.events.summary()]))

    def unread(self) -> str:
        """`there are 3 times that cannot be read, ...`, also of a column of which none can; empty of none."""
        if self.unread_times is None:
            return ""
        count, first = self.unread_times
        times = "is a time" if count == 1 else f"are {count:,} times"
        return f"there {times} that cannot be read, {first} (write it as {_A_TIME})"

    def raw_lines(self) -> Iterator[tuple[int, str]]:
        r"""The lines with their numbers from 1, without line ends; those over `longest_line` are skipped.

        Bytes that are not UTF-8 are decoded to surrogates. Where the file begins with ends of `\r` alone, as
        old programs for the Mac write them, these end its lines.

        Raises:
            DataError: the file is of another encoding: its first bytes say so, or, at its end, that many
                lines are not UTF-8 while none has a character beyond ASCII that is.
        """
        with self.path.open("rb") as content:
            self.identity = identity_of(os.fstat(content.fileno()))
            start = content.read(_START)
            content.seek(0)
            self.check_start(start)
            end = "\r" if b"\r" in start and b"\n" not in start else "\n"
            text = io.TextIOWrapper(content, "utf-8-sig", "surrogateescape", newline=end)
            number = broken = first = 0
            is_foreign = True
            while line := text.readline(CORPUS.longest_line + 1):
                number += 1
                if not _is_utf8(line):
                    broken, first = broken + 1, first or number
                elif not line.isascii():
                    is_foreign = False
                if len(line) <= CORPUS.longest_line:
                    yield number, line.rstrip("\r\n")
                    continue
                self.skip(_TOO_LONG, number)
                while line and not line.endswith(end):
                    line = text.readline(CORPUS.longest_line)
        if is_foreign and broken >= max(CORPUS.broken_lines, CORPUS.broken_share * number):
            raise DataError(
                f"{self.path}: {broken:,} of its {number:,} lines are not UTF-8, the first is line {first}; "
                "save the file as UTF-8 (in Excel: CSV UTF-8)"
            )

    def check_start(self, start: bytes) -> None:
        """Raises DataError if the first bytes are those of another encoding or of a compressed file."""
        for beginning, advice in _NO_TEXT:
            if start.startswith(beginning):
                raise DataError(f"{self.path}: {advice}")

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines that are UTF-8, with their numbers from 1."""
        for number, line in self.raw_lines():
            if _is_utf8(line):
                yield number, line
            else:
                self.skip(_NOT_UTF8, number)


def identity_of(status: os.stat_result) -> tuple[int, int]:
    """Tells a file from all others, whatever its name."""
    return status.st_dev, status.st_ino


def _read_txt(file: MessageFile) -> Iterator[LoggedMessage]:
    for number, line in file.lines():
        yield LoggedMessage(line, f"{file.path}, line {number}")


def _read_jsonl(file: MessageFile) -> Iterator[LoggedMessage]:
    for number, line in file.lines():
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            file.skip("not JSON", number)
            continue
        source = f"{file.path}, line {number}"
        if isinstance(record, dict) and (events := _events_in(record, file)) is not None:
            sender = str(record.get("sender_id") or record.get("name") or "")
            for event in events:
                if isinstance(event, dict):
                    yield from file.events.read(event, sender, source)
            continue
        time = None
        if isinstance(record, dict):
            text = _text_of(record, file)
            if text is None:
                there = _KINDS.get(type(_text_or_other(record, file)))
                found = f" ({there} is there)" if there else f" (its keys are: {_shown(record) or 'none'})"
                file.skip(f"without a text under `{file.text_column}`", number, found=found)
                continue
            when = file.times_in(record) or filter(None, [file.time_column])
            time = file.time_of((_below(record, name) for name in when), number)
        elif (text := _as_text(record)) is None:
            file.skip("neither an object nor a text", number)
            continue
        yield LoggedMessage(text, source, time)
    yield from file.events.rest()


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
    """Whether an item of `events` is an event of a kind that Rasa has."""
    kind = event.get("event") if isinstance(event, dict) else None
    return isinstance(kind, str) and kind in KINDS


def _text_of(record: dict[str, Any], file: MessageFile) -> str | None:
    """The text of a message; None if there is none."""
    return _as_text(_text_or_other(record, file))


def _text_or_other(record: dict[str, Any], file: MessageFile) -> Any:
    """What is where the text of a message should be; None if nothing is."""
    return _below(record, file.text_in(record) or file.text_column)


def _as_text(value: Any) -> str | None:
    """A text, also of who typed a number that was stored as one; None of anything else."""
    is_number = type(value) is int or (isinstance(value, float) and math.isfinite(value))
    return str(value) if is_number or isinstance(value, str) else None


def _below(record: dict[str, Any], name: str) -> Any:
    """The value under a key, or under `outer.inner` of an object in an object; None if there is none."""
    found: Any = record
    for key in [name] if name in record else name.split("."):
        found = found.get(key) if isinstance(found, dict) else None
    return found


def moment_of(time: Any) -> float | None:
    """Seconds since 1970, from these, smaller parts of a second or ISO 8601; None if it is none of these."""
    if isinstance(time, bool) or not isinstance(time, (str, int, float)):
        return None
    try:
        written = str(time).strip()
        if compact := _COMPACT.fullmatch(written):
            day, clock = "-".join(compact.groups()[:3]), ":".join(filter(None, compact.groups()[3:]))
            return moment(f"{day}T{clock}" if clock else day)
        if isinstance(time, str) and not written.replace(".", "", 1).isdecimal():
            return moment(time)
        number = float(time)
    except (ValueError, OverflowError):
        return None
    return None if number < _EARLIEST else seconds_of(number)


def _read_table(file: MessageFile) -> Iterator[LoggedMessage]:
    csv.field_size_limit(CORPUS.longest_line)  # a message may be longer than the 128 KiB allowed by default
    delimiter, header = _header(file)
    columns = columns_of(file, header)
    if columns is None:  # the file is empty
        return
    text, column, when = columns
    rows = iter(TableRows(file.raw_lines(), delimiter, len(header), column))
    next(rows)
    for number, row in rows:
        if row is None:
            file.skip("wrongly quoted", number)
            continue
        while len(row) > len(header) and not row[-1].strip():
            row.pop()
        if len(row) > len(header) and column == len(header) - 1:  # signs that nobody put in quotes
            row = [*row[:column], delimiter.join(row[column:])]
        if len(row) > len(header):
            file.skip(_TOO_MANY.format(_DELIMITERS[delimiter]), number)
        elif len(row) <= column:
            file.skip(f"without the column `{text}`", number)
        elif not _is_utf8(row[column]):
            file.skip(_NOT_UTF8, number)
        else:
            time = file.time_of((row[one] for one in when if len(row) > one), number)
            yield LoggedMessage(row[column], f"{file.path}, line {number}", time)


def columns_of(file: MessageFile, header: Sequence[str]) -> tuple[str, int, list[int]] | None:
    """Name and place of the column of the texts, and places of those that may hold the times.

    Returns:
        None if there is no text.

    Raises:
        DataError: there is no column of the name that was given for the times.
    """
    text = file.text_in(header)
    if text is None:
        return None
    when = file.times_in(header)
    if not when and file.time_column is not None:
        raise DataError(
            f"{file.path}: there is no column `{file.time_column}`, its columns are: "
            f"{_shown(filter(None, header))}; name the one that holds the times with --time-column, or leave "
            "that out"
        )
    return text, header.index(text), [header.index(name) for name in dict.fromkeys(when)]


def _header(file: MessageFile) -> tuple[str, list[str]]:
    """The delimiter with which the header has the text column, and all columns; none in an empty file."""
    columns: list[str] = []
    untold = 0  # number of its line, where with some delimiter the fields cannot be told
    for delimiter in "\t,;" if file.path.suffix.lower() == ".tsv" else ",;\t":
        lines = MessageFile(file.path, file.text_column, file.events).raw_lines()
        number, row = next(iter(TableRows(lines, delimiter)), (0, []))
        if row is None:
            untold = number
            continue
        names = [name.strip() for name in row]
        if not names or file.text_in(names) is not None:
            return delimiter, names
        columns = max(columns, names, key=len)
    if untold and len(columns) < 2:
        raise DataError(
            f"{file.path}, line {untold}: the names of columns are wrongly quoted, take the quotes away"
        )
    if not _is_utf8("".join(columns)):
        raise DataError(f"{file.path}: its first line is not UTF-8, save the file with that encoding")
    raise no_text_column(file, columns)


def no_text_column(file: MessageFile, columns: Iterable[str], more: str = "") -> DataError:
    """The error for a table without the column of the texts.

    Args:
        more: what else to do, before what can always be done.
    """
    return DataError(
        f"{file.path}: there is no column `{file.text_column}`, its columns are: {_shown(columns)}; "
        f"{more}name the one that holds the messages with --text-column, or give the file a first "
        f"{file.unit} with the names of its columns"
    )


def _shown(names: Iterable[str]) -> str:
    """Names of keys or columns for a person to read: masked and cut, as one may be a message."""
    given = list(names)
    masked = [mask_personal_data(name[:_SEARCHED])[0] for name in given[:_NAMES]]
    shown = [name if len(name) <= _NAME else f"{name[:_NAME]}..." for name in masked]
    return ", ".join(shown) + (f" and {len(given) - _NAMES} more" if len(given) > _NAMES else "")


def _read_nlu_yaml(file: MessageFile) -> Iterator[LoggedMessage]:
    with file.path.open("rb") as opened:
        read = opened.read(CORPUS.longest_line + 1)
    file.check_start(read)
    if len(read) > CORPUS.longest_line:
        raise DataError(
            f"{file.path}: it has more than {CORPUS.longest_line:,} bytes, which takes too long to read as "
            "YAML; save its messages as .txt, one on a line"
        )
    try:
        content = shallow_yaml("rt").load(read.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise DataError(f"{file.path}, line {line}: it is not UTF-8, save it with that encoding") from error
    except Exception as error:  # the library raises more than YAMLError
        at = line_of_mistake(error)
        where = "its content" if at is None else f"line {at}"
        what = error.problem if isinstance(error, TooDeep) else "not valid YAML"
        raise DataError(f"{file.path}: {where} is {what}, correct it") from error
    if content is None:
        return
    items = content.get("nlu") if isinstance(content, dict) else None
    if not isinstance(items, list):
        raise DataError(
            f"{file.path}: there is no list `nlu:` of intents and their examples in it, so it holds no "
            "messages; leave it out"
        )
    for item in items:
        examples = item.get("examples") if isinstance(item, CommentedMap) and "intent" in item else None
        if isinstance(examples, (str, CommentedSeq)):
            for number, example in written_examples(examples, line_of(item, "examples")):
                if isinstance(example, str):
                    yield LoggedMessage(_ANNOTATION.sub(r"\1", example), f"{file.path}, line {number}")
                else:
                    file.skip("without a `text`", number)


def _is_utf8(text: str) -> bool:
    """Whether `raw_lines` decoded the text without any surrogates."""
    return text.isascii() or not re.search("[\udc80-\udcff]", text)


#: Suffix of a text file -> the function that reads it.
TEXT_READERS: dict[str, Callable[[MessageFile], Iterator[LoggedMessage]]] = {
    ".txt": _read_txt,
    ".csv": _read_table,
    ".tsv": _read_table,
    ".jsonl": _read_jsonl,
    ".yml": _read_nlu_yaml,
    ".yaml": _read_nlu_yaml,
}
