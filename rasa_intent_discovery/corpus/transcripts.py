"""Text files: one message on a line, or chats whose lines begin with when, or by whom, they were written.

A table may have a whole chat in each cell.

What is in doubt is read as it stands: a line too many is left over, one that is taken for a bot's is lost.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

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
# What programs put for an attachment or a deleted message: in angle brackets, a file and what it is, or, on
# iOS, behind a mark that is not seen. Only on Android a deleted message has no such form.
_NO_WORDS = re.compile(
    r"<[^<>]+>|\S+\.\w{2,5} \([^()]+\)|\u200e.*|null|(?:This message was deleted"
    r"|Diese Nachricht wurde gelöscht|Ce message a été supprimé|Se eliminó este mensaje"
    r"|Questo messaggio è stato eliminato|(?:Mensagem|Esta mensagem foi) apagada"
    r"|Dit bericht is verwijderd)\.?"
)
_NOT_THE_CUSTOMER = "of others than the one whom the file is named after"
_OF_NOBODY = "without the name of a writer, as notices are"
_WITHOUT_WORDS = "without words (an attachment or a deleted message)"
_ALL_READ = "its lines begin with names, and what {} writers wrote is read"
_NAMELESS = "lines with a time and without a name are read, too: too many of them to be notices"
_CELLS = "its texts are chats, and what all but bots and agents wrote is read, each turn as a message"
_ADVICE = " (give the file a name that ends with one of them to read what that one wrote)"


def read_txt(file: MessageFile) -> Iterator[LoggedMessage]:
    """The messages of a file; where lines begin with times or names, without these.

    Those of a bot or an agent are skipped, and, where a chat is named after one of its writers, those of all
    others; of a chat with times also what nobody wrote.
    """
    lines = file.lines()
    head = list(islice(lines, CORPUS.transcript_head))
    form = _form_of([line for _, line in head], file.path.stem)
    if form.dated and form.writers and not form.has_notices:
        file.notes.append(_NAMELESS)
    if form.is_open:
        file.notes.append(_ALL_READ.format(len(form.read)) + (_ADVICE if form.dated else ""))
    for one in _written(chain(head, lines), form):
        if not form.leaves_out(one, file):
            when = file.time_of([one.when], one.number) if one.when else None
            yield LoggedMessage(one.words, when)


def read_cells(file: MessageFile, cells: Iterable[tuple[int, str, Sequence[Any]]]) -> Iterator[LoggedMessage]:
    """The messages in the column of a table; where most of its texts are chats, the turns of these.

    Args:
        cells: the number of each row, from 1; its text; and what its columns of times hold.
    """
    rest = iter(cells)
    head = list(islice(rest, CORPUS.transcript_head))
    form = _form_of_cells([text for _, text, _ in head])
    if form is not None:
        file.notes.append(_CELLS)
    for number, text, given in chain(head, rest):
        lines = [(number, line) for line in text.strip().split("\n")] if form is not None else []
        if form is None or not form.begins(line for _, line in lines):
            yield LoggedMessage(text, file.time_of(given, number))
            continue
        for one in _written(lines, form):
            if not form.leaves_out(one, file):
                yield LoggedMessage(one.words, file.time_of([one.when, *given], number))


@dataclass(frozen=True)
class _Form:
    """What the lines of a file begin with.

    Attributes:
        dated: whether with a time.
        writers: those that they begin with; empty where they begin with none.
        customer: the one of these that the name of the file ends with; None if it ends with none.
        replies: bots and agents that begin lines without a time, where none begins one with a time.
        has_notices: whether what nobody is named for is a notice, as few lines are.
    """

    dated: bool = False
    writers: frozenset[str] = frozenset()
    customer: str | None = None
    replies: frozenset[str] = frozenset()
    has_notices: bool = False

    @property
    def read(self) -> frozenset[str]:
        """The writers whose messages are read."""
        if self.customer is not None:
            return frozenset({self.customer})
        return frozenset(one for one in self.writers if not self.is_other_side(one))

    @property
    def is_open(self) -> bool:
        """Whether several writers are read, and of one of them nothing says whether it is a customer."""
        return len(self.read) > 1 and not all(map(is_side, self.read))

    def is_other_side(self, writer: str) -> bool:
        """Whether a bot or an agent is named. A label such as `agent` among many others is no writer."""
        few = len(self.writers) <= CORPUS.sides_of_a_chat or any(map(is_customer, self.writers))
        return (self.dated or few) and is_other_side(writer)

    def parted(self, text: str, timed: bool) -> tuple[str, str]:
        """The writer of a text, empty where it begins with none, and what is behind that.

        Args:
            timed: whether a time is before it.
        """
        found = _WRITER.match(text) if self.writers else None
        if found and (timed or self._begins_with(found["name"])):
            return found["name"], text[found.end() :]
        return "", text

    def begins(self, lines: Iterable[str]) -> bool:
        """Whether the lines of a text are written so."""
        if self.dated:
            return any(map(_WHEN.match, lines))
        writer, _ = self.parted(next(iter(lines)), timed=False)
        return bool(writer)

    def _begins_with(self, name: str) -> bool:
        """Whether a line without a time is a message of whom it begins with.

        Where messages have times it goes on with the one above, `System: Windows 11`, unless it may be that
        replies have none.
        """
        if self.dated:
            return name in self.replies or (is_other_side(name) and all(map(is_customer, self.writers)))
        return name in self.writers or is_side(name)

    def leaves_out(self, one: _Written, file: MessageFile) -> bool:
        """Whether no customer wrote a message, or it has no words; such a one is counted as skipped."""
        if not one.writer:
            is_notice = one.goes_on and bool(self.read) and self.has_notices
            if is_notice:
                file.skip_other(_OF_NOBODY, one.number)
            return is_notice
        if self.customer is not None and one.writer != self.customer:
            file.skip_other(_NOT_THE_CUSTOMER, one.number)
        elif self.is_other_side(one.writer):
            file.skip_of_another(shown([one.writer]), one.number)
        elif one.goes_on and not one.words.strip():
            file.skip_other(_WITHOUT_WORDS, one.number)
        else:
            return False
        return True


@dataclass(frozen=True)
class _Written:
    """A message as it stands in a file.

    Attributes:
        number: of its first line, from 1.
        when: its time, as it is read; empty where none stands there, or none that has a day.
        writer: empty where nobody is named.
        goes_on: whether a line without a time goes on with it: it has one itself, in a chat with names.
    """

    number: int
    when: str
    writer: str
    lines: list[str]
    goes_on: bool

    @property
    def words(self) -> str:
        """What was written, without the mark of an attachment that it is about."""
        is_about = self.goes_on and _NO_WORDS.fullmatch(self.lines[0].strip())
        return "\n".join(self.lines[1:] if is_about else self.lines)


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
        if not dated:
            return _Form(dated, writers)
        customer = _named_after(name, writers)
        few_notices = max(2, CORPUS.notices * len(texts))
        has_notices = customer is not None or len(texts) - len(names) <= few_notices
        return _Form(dated, writers, customer, _replies(lines, writers), has_notices)
    # Where nobody is named, a line without a time may be a message as well.
    return _Form(dated_share >= CORPUS.named_lines)


def _replies(lines: Sequence[str], writers: Iterable[str]) -> frozenset[str]:
    """As of `_Form`: a few such lines, `System: Windows 11`, may be parts of the messages above them."""
    if any(map(is_other_side, writers)):
        return frozenset()
    others = [line for line in lines if not _WHEN.match(line)]
    counts = Counter(found["name"] for found in map(_WRITER.match, others) if found)
    least = max(2, CORPUS.answered * (len(lines) - len(others)))
    return frozenset(name for name, count in counts.items() if count >= least and is_other_side(name))


def _form_of_cells(texts: Sequence[str]) -> _Form | None:
    """How the chats in the cells of a table are written; None where most hold none.

    Without times, both sides have to be named as such: `Name:` and `Order:` begin the lines of a form.
    """
    several = [text for text in texts if "\n" in text.strip()]
    if 2 * len(several) <= len(texts):
        return None
    form = replace(_form_of("\n".join(several).split("\n"), ""), has_notices=True)  # each chat has its own
    both = any(map(is_customer, form.writers)) and any(map(is_other_side, form.writers))
    return form if form.writers and (form.dated or (both and all(map(is_side, form.writers)))) else None


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
    """The messages; in a dated chat, a line without a time goes on with the one above it."""
    last: _Written | None = None
    for number, line in lines:
        found = _WHEN.match(line) if form.dated else None
        writer, text = form.parted(line[found.end() :] if found else line, timed=found is not None)
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
