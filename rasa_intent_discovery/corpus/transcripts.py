"""Text files: one message on a line, or chats whose lines begin with when, or by whom, they were written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from rasa_intent_discovery.corpus.message_files import OF_ANOTHER, MessageFile, shown
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.corpus.writers import is_of_another, is_role
from rasa_intent_discovery.datatypes import LoggedMessage

# `[12.03.26, 10:11:12] `, `12/03/2026, 10:11 - `, `2026-03-12T10:11:12Z `, and a time of day alone in
# brackets. Phones write marks around them that are not seen, and narrow spaces before `AM`.
_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\.?(?:T|,?\s)"
_CLOCK = r"\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?(?:\s?[AaPp]\.?\s?[Mm]\b\.?)?(?:\s?(?:Z|UTC)\b|[+-]\d\d:?\d\d)?"
_WHEN = re.compile(
    rf"[\u200e\u200f]*(?:[\[(](?P<within>(?:{_DAY})?{_CLOCK})[\])]|(?P<before>{_DAY}{_CLOCK})(?=[\s:|–-]))"
    r"(?:\s?[-–|:](?=\s))?\s*"
)
_WRITER = re.compile(r"[\u200e\u200f]*(?P<name>[^\s:][^:]{0,39}?)\s?:(?:\s+|$)")
_HAS_DAY = re.compile(r"\d{1,4}[./-]")
_NOTICE = "of nobody, notices of a program"
_ALL_READ = (
    "its lines begin with the names of {} writers, and what all of them wrote is read (give the file a name "
    "that ends with one of them to read what that one wrote)"
)
_NOT_THE_CUSTOMER = "of others than the one whom the file is named after"


def read_txt(file: MessageFile) -> Iterator[LoggedMessage]:
    """The messages of a file; where lines begin with times or names, without these.

    Those of a bot or an agent are skipped, and, where the file is named after one of the writers, those of
    all others.
    """
    lines = file.lines()
    head = list(islice(lines, CORPUS.transcript_head))
    form = _form_of([line for _, line in head], file.path.stem)
    if form.is_open:
        file.notes.append(_ALL_READ.format(len(form.writers)))
    for one in _written(chain(head, lines), form.dated):
        writer, text = form.parted(one.text)
        if not _is_skipped(writer, form, file, one.number):
            when = file.time_of([one.when], one.number) if one.when else None
            yield LoggedMessage(text, f"{file.path}, line {one.number}", when)


@dataclass(frozen=True)
class _Form:
    """What the lines of a file begin with.

    Attributes:
        dated: whether with a time; a line without one goes on with the message of the line before.
        writers: those that they begin with; empty where they begin with none.
        customer: the one of these that the name of the file ends with; None if it ends with none.
    """

    dated: bool = False
    writers: frozenset[str] = frozenset()
    customer: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether nothing says which of several writers are customers."""
        told = self.customer is not None or any(map(is_role, self.writers))
        return len(self.writers) > 1 and not told

    def parted(self, text: str) -> tuple[str | None, str]:
        """The writer of a text, None if it begins with none, and what is behind that."""
        found = _WRITER.match(text) if self.writers else None
        if found and (self.dated or found["name"] in self.writers or is_role(found["name"])):
            return found["name"], text[found.end() :]
        return None, text


@dataclass(frozen=True)
class _Written:
    """A message as it stands in a file: number of its first line, its time, and the text behind that."""

    number: int
    when: str
    text: str


def _form_of(head: Sequence[str], name: str) -> _Form:
    """How a file is written, by its first lines and its name."""
    lines = [line for line in head if line.strip()]
    moments = list(map(_WHEN.match, lines))
    dated = bool(moments and moments[0]) and sum(map(bool, moments)) >= CORPUS.dated_lines * len(lines)
    texts = [line[at.end() :] for line, at in zip(lines, moments, strict=True) if at] if dated else lines
    names = [found["name"] for found in map(_WRITER.match, texts) if found]
    writers = frozenset(names)
    few = len(writers) * CORPUS.lines_of_a_writer <= len(names) or all(map(is_role, writers))
    share = CORPUS.dated_lines if dated else CORPUS.named_lines
    if len(names) < share * len(texts) or not (dated or few):
        return _Form(dated)
    ends = [one for one in writers if name.casefold().endswith(one.casefold())]
    return _Form(dated, writers, max(ends, key=len, default=None))


def _written(lines: Iterable[tuple[int, str]], dated: bool) -> Iterator[_Written]:
    if not dated:
        yield from (_Written(number, "", line) for number, line in lines)
        return
    last: _Written | None = None
    for number, line in lines:
        if found := _WHEN.match(line):
            if last is not None:
                yield last
            written = found["within"] or found["before"]
            when = written.replace(", ", " ").replace(",", ".") if written[:4].isdecimal() else written
            last = _Written(number, when if _HAS_DAY.match(when) else "", line[found.end() :])
        else:
            last = _Written(number, "", line) if last is None else replace(last, text=f"{last.text}\n{line}")
    if last is not None:
        yield last


def _is_skipped(writer: str | None, form: _Form, file: MessageFile, line: int) -> bool:
    """Whether no customer wrote a message; such a one is counted as skipped."""
    if writer is None:
        reason = _NOTICE if form.dated and form.writers else ""
    elif form.customer not in (None, writer):
        reason = _NOT_THE_CUSTOMER
    else:
        reason = OF_ANOTHER.format(shown([writer])) if is_of_another("role", writer) else ""
    if reason:
        file.skip(reason, line)
    return bool(reason)
