"""A file of logged messages that is being read; reads NLU YAML."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from ruamel.yaml.comments import CommentedMap, CommentedSeq

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.events import EventReader
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.corpus.personal_data import mask_personal_data
from rasa_intent_discovery.corpus.remarks import Remark
from rasa_intent_discovery.corpus.time_columns import TIMES, TimeOrder, seems_a_time, usual_times
from rasa_intent_discovery.corpus.writers import Writers
from rasa_intent_discovery.datatypes import LoggedMessage
from rasa_intent_discovery.dates import moment_of
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.nlu_files import written_examples
from rasa_intent_discovery.training_data.nlu_yaml import line_of
from rasa_intent_discovery.training_data.yaml_depth import TooDeep, shallow_yaml
from rasa_intent_discovery.training_data.yaml_mistake import line_of_mistake

#: Column or key of the text where nobody names one and there is none of the default name.
_OTHER_TEXT = "message"
_A_TIME = "2026-03-31T18:30:00"
NOT_UTF8 = "not UTF-8 (save the file with that encoding)"
_OF_ANOTHER = "of a bot or an agent (`{}`)"
_NOT_CHOSEN = "of others than --writer names (`{}`)"
_NO_WRITERS = "no column or key of it says who wrote, so --writer chooses nothing there"
_TOO_LONG = f"longer than {CORPUS.longest_line:,} characters"
#: How a file begins that is no text in UTF-8, and what to do about it.
_NO_TEXT = (
    (b"\xff\xfe", "it is UTF-16, save it as UTF-8"),
    (b"\xfe\xff", "it is UTF-16, save it as UTF-8"),
    (b"\x1f\x8b", "it is compressed with gzip, unpack it first"),
    (b"PK\x03\x04", "it is a zip archive or a spreadsheet, save what is in it as text"),
)
_NAMES, _NAME = 20, 30  # columns or keys that an error names, and characters of one
_SEARCHED = _NAME + CORPUS.longest_personal_data
_START = 1 << 16  # bytes of a file in which the first line end is looked for
# Entity annotations as people write them. Stricter than Rasa, which would also parse `a[0][1]` as one and so
# drop a part of such a message. No part is long: a message of brackets alone would take minutes.
_ANNOTATION = re.compile(r"\[([^\]]{1,999})\](?:\([^)]{1,999}\)|\{[^}]{1,999}\}|\[\{.{0,999}?\}\])")


@dataclass
class MessageFile:
    """A file being read.

    Attributes:
        time_column: None looks for the usual names.
        has_times: whether a column or key holds the times: by what it is called, or by its values.
        skipped: reason -> the number of skipped lines, and the first of them.
        others: how many of these are messages, but no customer's.
        writers: what its columns or keys say of who wrote the messages.
        is_wrapped: whether most of its texts are records written as JSON, as is known once it was read.
        other_texts: columns or keys that would hold the texts if the one that is read were not there.
        messages: how many were read from it.
        seeming_times: number of a message, from 0 -> what seems to be its time, which cannot be read, and the
            line where it stands.
        other_times: how many more have something else there, and the first of it.
        order: how the seeming times are meant, as is known once the file was read.
        notes: what else is to be said of the file.
        unit: what a line of the file is called.
        identity: which file was read line by line, whatever its name is by now.
    """

    path: Path
    text_column: str
    events: EventReader
    time_column: str | None = None
    has_times: bool = False
    skipped: dict[str, tuple[int, str]] = field(default_factory=dict)
    others: int = 0
    writers: Writers = field(default_factory=Writers)
    is_wrapped: bool = False
    other_texts: tuple[str, ...] = ()
    messages: int = 0
    seeming_times: dict[int, tuple[str, int]] = field(default_factory=dict)
    other_times: tuple[int, str] | None = None
    order: TimeOrder = field(default_factory=TimeOrder)
    notes: list[str] = field(default_factory=list)
    unit: str = "line"
    identity: tuple[int, int] | None = None

    def anew(self, is_wrapped: bool) -> MessageFile:
        """The same file, to be read again with what is known of it and its writers by now."""
        return MessageFile(
            self.path,
            self.text_column,
            EventReader(self.events.selection, self.events.turns),
            self.time_column,
            writers=Writers(self.writers.others | self.writers.others_beside()),
            is_wrapped=is_wrapped,
        )

    def text_in(self, names: Collection[str]) -> str | None:
        """Which of the columns of a table, or keys of an object, holds the text; None if none does."""
        return next(iter(self.texts_in(names)), None)

    def texts_in(self, names: Collection[str]) -> tuple[str, ...]:
        """Those that may hold the text, the most likely first."""
        return _texts_among(tuple(names), self.text_column)

    def times_in(self, names: Collection[str]) -> list[str]:
        """Which of the columns of a table, or keys of an object, may hold the time, the most likely first."""
        named = TIMES if self.time_column is None else (self.time_column,)
        sure = [name for name in named if name in names]
        self.has_times = self.has_times or bool(sure)
        if self.time_column is not None:
            return sure
        text = self.text_in(names)
        return [*sure, *(name for name in usual_times(tuple(names)) if name not in (text, *sure))]

    def is_of_another(self, given: Iterable[tuple[str, Any]], line: int) -> bool:
        """Whether a column or key says that no customer wrote a message; such a one is skipped.

        Args:
            given: names that may tell it, with what stands there.
            line: number of its line, from 1.
        """
        told_by = self.writers.telling_another(given, self.events.selection.writers)
        if told_by is not None and self.events.selection.writers:
            self.skip_other(_NOT_CHOSEN.format(shown([told_by])), line)
        elif told_by is not None:
            self.skip_of_another(shown([told_by]), line)
        return told_by is not None

    def skip_of_another(self, told_by: str, line: int) -> None:
        """Records a message of a bot or an agent, with what tells that it is one."""
        self.skip_other(_OF_ANOTHER.format(told_by), line)

    def skip_other(self, reason: str, line: int) -> None:
        """Records a message that was read, and is none of a customer."""
        self.others += 1
        self.skip(reason, line)

    def skip(self, reason: str, line: int, found: str = "") -> None:
        """Records a skipped line.

        Args:
            reason: what the line is, to follow "which is" or "that are".
            line: its number, from 1.
            found: what was found there, appended to the line number.
        """
        count, first = self.skipped.get(reason, (0, f"{self.unit} {line}{found}"))
        self.skipped[reason] = (count + 1, first)

    def time_of(self, given: Iterable[Any], line: int) -> float | None:
        """What `moment_of` makes of the time of the next message; one that it cannot read is recorded.

        Args:
            given: what the file has where the time may stand; the first that can be read is taken. None or
                blank where there is nothing.
            line: number of its line, from 1.
        """
        there = [one for one in given if one is not None and str(one).strip()]
        for one in there:
            if (found := moment_of(one)) is not None:
                self.has_times = True
                return found
        written = [str(one).strip() for one in there]
        if seeming := next(filter(seems_a_time, written), None):
            self.seeming_times[self.messages] = seeming, line
        elif written:
            count, first = self.other_times or (0, self._unread(written[0], line))
            self.other_times = count + 1, first
        return None

    def tell_order(self) -> None:
        """Finds the `order` of its times, now that all are read."""
        seeming = [written for written, _ in self.seeming_times.values()]
        self.order = TimeOrder.of(seeming, has_others=self.other_times is not None)

    def with_times(self, messages: Iterable[LoggedMessage]) -> Iterator[LoggedMessage]:
        """All messages of the file, with the times that can be read where their `order` is known."""
        for number, message in enumerate(messages):
            written, _ = self.seeming_times.get(number, ("", 0))
            if written and (time := self.order.read(written)) is not None:
                del self.seeming_times[number]
                self.has_times = True
                message = LoggedMessage(message.text, time)
            yield message

    def _unread(self, written: str, line: int) -> str:
        return f"{shown([written])} in {self.unit} {line}"

    def remarks(self) -> list[Remark]:
        """`skipped 3 lines that are not JSON, the first is line 17`, and what else is to be said."""
        found: list[Remark] = []
        for reason, (count, first) in self.skipped.items():
            many = f"{self.unit}s that are {reason}"
            alone = f"skipped {first}, which is {reason}"
            alone = alone if count == 1 else f"skipped {count} {many}, the first is {first}"
            found.append(Remark(alone, ("skipped", many), count))
        found += map(Remark.plain, self.notes)
        others, _ = self.other_times or (0, "")
        if not self.events.selection.writers:
            found += (Remark.plain(self._writers_in(column)) for column in self.writers.doubtful())
        elif self.messages and not (self.writers.tell_sides or self.events.has_any):
            found.append(Remark.plain(_NO_WRITERS))
        is_told = self.has_times or len(self.seeming_times) > others
        if is_told and (unread := self.unread()):
            kind = ("there are", "times that cannot be read")
            found.append(Remark(unread, kind, others + len(self.seeming_times)))
        if left_out := self.events.summary():
            found.append(Remark(left_out))
        return found

    def _writers_in(self, column: str) -> str:
        """`` `author_type` says who wrote: read user (120), manager (80), skipped bot (40) ``."""
        read, skipped = (
            ", ".join(f"{shown([name])} ({count:,})" for name, count in counts.most_common())
            for counts in (self.writers.read[column], self.writers.skipped[column])
        )
        more = f", skipped {skipped}" if skipped else ""
        return f"`{shown([column])}` says who wrote: read {read}{more} (--writer chooses others)"

    def unread(self) -> str:
        """`there are 3 times that cannot be read, ...`, also of what may be none; empty where nothing is."""
        others, first_other = self.other_times or (0, "")
        count = len(self.seeming_times) + others
        if not count:
            return ""
        first = next((self._unread(*one) for one in self.seeming_times.values()), first_other)
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
                if not is_utf8(line):
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
            if is_utf8(line):
                yield number, line
            else:
                self.skip(NOT_UTF8, number)


@lru_cache(maxsize=256)
def _texts_among(names: tuple[str, ...], column: str) -> tuple[str, ...]:
    wanted = [column, *([_OTHER_TEXT] if column == DiscoveryConfig.text_column else [])]
    alike = [name for one in wanted for name in names if name.casefold() == one.casefold()]
    return tuple(dict.fromkeys([*(one for one in wanted if one in names), *alike]))


def identity_of(status: os.stat_result) -> tuple[int, int]:
    """Tells a file from all others, whatever its name."""
    return status.st_dev, status.st_ino


def shown(names: Iterable[str]) -> str:
    """Names of keys or columns for a person to read: masked and cut, as one may be a message."""
    given = list(names)
    masked = [mask_personal_data(name[:_SEARCHED])[0] for name in given[:_NAMES]]
    shown = [name if len(name) <= _NAME else f"{name[:_NAME]}..." for name in masked]
    return ", ".join(shown) + (f" and {len(given) - _NAMES} more" if len(given) > _NAMES else "")


def read_nlu_yaml(file: MessageFile) -> Iterator[LoggedMessage]:
    """The examples in NLU training data, without annotations.

    Raises:
        DataError: the file is too long, is not YAML or holds no examples.
    """
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
                    yield LoggedMessage(_ANNOTATION.sub(r"\1", example))
                else:
                    file.skip("without a `text`", number)


def is_utf8(text: str) -> bool:
    """Whether `raw_lines` decoded the text without any surrogates."""
    return text.isascii() or not re.search("[\udc80-\udcff]", text)
