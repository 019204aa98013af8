"""Text files: one message on a line, or chats whose lines begin with when, or by whom, they were written.

What is in doubt is read as it stands: a line too many is left over, one that is taken for a bot's is lost.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from rasa_intent_discovery.corpus.message_files import MessageFile, shown
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.corpus.writers import is_customer, is_other_side, is_side
from rasa_intent_discovery.datatypes import LoggedMessage

# `[12.03.26, 10:11:12] `, `12/03/2026, 10:11 - `, `2026-03-12T10:11:12Z `, and a time of day alone in
# brackets. Phones write marks around them that are not seen, and narrow spaces before `AM`.
_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\.?(?:T|,?\s)"
_CLOCK = (
    r"\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?(?:\s?[AaPp]\.?\s?[Mm]\b\.?)?(?:\s?(?:Z|UTC)\b|\s?[+-]\d\d:?\d\d)?"
)
_WHEN = re.compile(
    rf"[\u200e\u200f]*(?:[\[(](?P<within>(?:{_DAY})?{_CLOCK})[\])]|(?P<before>{_DAY}{_CLOCK})(?=[\s|–-]|:\s|$))"
    r"(?:\s?[-–|:](?=\s))?\s*"
)
_WRITER = re.compile(r"[\u200e\u200f]*(?P<name>[^\s:：][^:：]{0,59}?)\s?[:：](?:\s+|$)")
_NOT_THE_CUSTOMER = "of others than the one whom the file is named after"
_ALL_READ = "its lines begin with the names of {} writers, and what all of them wrote is read"
_ADVICE = " (give the file a name that ends with one of them to read what that one wrote)"


def read_txt(file: MessageFile) -> Iterator[LoggedMessage]:
    """The messages of a file; where lines begin with times or names, without these.

    Those of a bot or an agent are skipped, and, where a chat is named after one of its writers, those of all
    others.
    """
    lines = file.lines()
    head = list(islice(lines, CORPUS.transcript_head))
    form = _form_of([line for _, line in head], file.path.stem)
    if form.is_open:
        file.notes.append(_ALL_READ.format(len(form.writers)) + (_ADVICE if form.dated else ""))
    for one in _written(chain(head, lines), form):
        if not form.is_of_another(one.writer, file, one.number):
            when = file.time_of([one.when], one.number) if one.when else None
            yield LoggedMessage("\n".join(one.lines), when)


@dataclass(frozen=True)
class _Form:
    """What the lines of a file begin with.

    Attributes:
        dated: whether with a time.
        writers: those that they begin with; empty where they begin with none.
        customer: the one of these that the name of the file ends with; None if it ends with none.
    """

    dated: bool = False
    writers: frozenset[str] = frozenset()
    customer: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether there are several writers, and of one of them nothing says whether it is a customer."""
        return len(self.writers) > 1 and self.customer is None and not all(map(is_side, self.writers))

    def parted(self, text: str, dated: bool) -> tuple[str, str]:
        """The writer of a text, empty where it begins with none, and what is behind that.

        Args:
            dated: whether a time is before it; without one, a new name may be any word with a colon.
        """
        found = _WRITER.match(text) if self.writers else None
        if found and (dated or found["name"] in self.writers or is_side(found["name"])):
            return found["name"], text[found.end() :]
        return "", text

    def is_of_another(self, writer: str, file: MessageFile, line: int) -> bool:
        """Whether no customer wrote a message; such a one is counted as skipped.

        A label such as `agent` among many others is no writer.
        """
        if not writer:
            return False
        if self.customer is not None and writer != self.customer:
            file.skip_other(_NOT_THE_CUSTOMER, line)
            return True
        few = len(self.writers) <= CORPUS.sides_of_a_chat or any(map(is_customer, self.writers))
        if not ((self.dated or few) and is_other_side(writer)):
            return False
        file.skip_of_another(shown([writer]), line)
        return True


@dataclass(frozen=True)
class _Written:
    """A message as it stands in a file.

    Attributes:
        number: of its first line, from 1.
        when: its time, as it is read; empty where none stands there, or none that has a day.
        writer: empty where nobody is named.
        goes_on: whether a line without a time goes on with it.
    """

    number: int
    when: str
    writer: str
    lines: list[str]
    goes_on: bool


def _form_of(head: Sequence[str], name: str) -> _Form:
    """How a file is written, by its first lines and its name."""
    lines = [line for line in head if line.strip()]
    moments = list(map(_WHEN.match, lines))
    dated_share = sum(map(bool, moments)) / max(len(lines), 1)
    dated = dated_share >= CORPUS.dated_lines
    texts = [line[at.end() :] for line, at in zip(lines, moments, strict=True) if at] if dated else lines
    names = [found["name"] for found in map(_WRITER.match, texts) if found]
    writers = frozenset(names)
    least = CORPUS.lines_of_a_dated_writer if dated else CORPUS.lines_of_a_writer
    few = len(writers) * least <= len(names) or 2 * sum(map(is_side, names)) >= len(names)
    share = CORPUS.named_dated_lines if dated else CORPUS.named_lines
    if writers and few and len(names) >= share * len(texts):
        return _Form(dated, writers, _named_after(name, writers) if dated else None)
    # Where nobody is named, a line without a time may be a message as well.
    return _Form(dated_share >= CORPUS.named_lines)


def _named_after(name: str, writers: Iterable[str]) -> str | None:
    """The writer whose name a name ends with, as a word of its own; None where there is none."""
    whole = _plain(name)
    ends = [
        one
        for one in writers
        if not is_other_side(one)
        and (len(one) >= CORPUS.least_name or not one.isascii())
        and re.search(rf"(?<![^\W_]){re.escape(_plain(one))}$", whole)
    ]
    return max(ends, key=len, default=None)


def _plain(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _written(lines: Iterable[tuple[int, str]], form: _Form) -> Iterator[_Written]:
    """The messages; in a dated chat, a line without time and known writer goes on with the one above it."""
    last: _Written | None = None
    for number, line in lines:
        found = _WHEN.match(line) if form.dated else None
        writer, text = form.parted(line[found.end() :] if found else line, dated=found is not None)
        is_next = last is not None and last.goes_on and not (found or writer)
        if last is not None and is_next and len(last.lines) < CORPUS.lines_of_a_message:
            last.lines.append(line)
            continue
        if last is not None:
            yield last
        last = _Written(number, _when(found), writer, [text], bool(found and form.writers))
    if last is not None:
        yield last


def _when(found: re.Match[str] | None) -> str:
    """The time before a message, as it is read; empty where there is no day."""
    written = "" if found is None else str(found["within"] or found["before"])
    return written if re.match(r"\d{1,4}[./-]", written) else ""
