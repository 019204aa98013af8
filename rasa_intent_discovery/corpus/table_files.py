"""Reads logged messages from tables of text: csv and tsv.

A table may also be the one in which Rasa keeps events; its messages are selected as from a tracker store.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from rasa_intent_discovery.corpus.message_files import NOT_UTF8, MessageFile, is_utf8, shown
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.corpus.table_rows import TableRows
from rasa_intent_discovery.corpus.transcripts import read_cells
from rasa_intent_discovery.corpus.writers import telling
from rasa_intent_discovery.datatypes import LoggedMessage
from rasa_intent_discovery.errors import DataError

_TOO_MANY = "of more fields than the first one (put quotes around texts with {})"
_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs"}
#: Columns that tell the table in which Rasa keeps events in a database.
_OF_EVENTS = {"sender_id", "type_name", "data"}
# The first line by which some programs tell Excel the delimiter.
_FOR_EXCEL = re.compile(r'"?sep=."?')
_SEARCHED_LINES = 20  # in which the names of the columns may be, below a title


@dataclass(frozen=True)
class Columns:
    """Where in the rows of a table things stand.

    Attributes:
        text: the texts.
        when: what may hold the times, the most likely first.
        who: names and places of what tells who wrote a message.
    """

    text: int
    when: tuple[int, ...]
    who: tuple[tuple[str, int], ...]


def read_table(file: MessageFile) -> Iterator[LoggedMessage]:
    """The messages in the rows of a table, or in the events that it holds.

    Raises:
        DataError: it has no column of texts, or not the column of times that was named.
    """
    csv.field_size_limit(CORPUS.longest_line)  # a message may be longer than the 128 KiB allowed by default
    delimiter, header = _header(file)
    if _OF_EVENTS <= {*header}:
        yield from _events_of_table(file, delimiter, header)
        return
    columns = columns_of(file, header)
    if columns is None:  # the file is empty
        return
    yield from read_cells(
        file,
        (
            (number, row[columns.text], [row[at] for at in columns.when if at < len(row)])
            for number, row in _rows(file, delimiter, header, columns.text)
            if not file.is_of_another(((name, row[at]) for name, at in columns.who if at < len(row)), number)
        ),
    )


def _events_of_table(file: MessageFile, delimiter: str, header: list[str]) -> Iterator[LoggedMessage]:
    """The messages in a table of events, as Rasa keeps them in a database."""
    column, sender = header.index("data"), header.index("sender_id")
    for number, row in _rows(file, delimiter, header, column):
        try:
            event = json.loads(row[column])
        except (ValueError, RecursionError):
            file.skip("not JSON in the column `data`", number)
            continue
        if isinstance(event, dict):
            conversation = row[sender] if sender < len(row) else ""
            yield from file.events.read(event, conversation)
    yield from file.events.rest()


def _rows(
    file: MessageFile, delimiter: str, header: Sequence[str], column: int
) -> Iterator[tuple[int, list[str]]]:
    """The rows below the header that have the text in its column, with the numbers of their lines."""
    rows = iter(TableRows(_lines_of_table(file), delimiter, len(header), column))
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
            file.skip(f"without the column `{header[column]}`", number)
        elif not is_utf8(row[column]):
            file.skip(NOT_UTF8, number)
        else:
            yield number, row


def _lines_of_table(file: MessageFile) -> Iterator[tuple[int, str]]:
    """The lines without a first one that tells Excel the delimiter: `sep=;`."""
    lines = file.raw_lines()
    return (one for one in lines if not (one[0] == 1 and _FOR_EXCEL.fullmatch(one[1])))


def columns_of(file: MessageFile, header: Sequence[str]) -> Columns | None:
    """Where in a table the texts are, the times, and who wrote them; None if there is no text.

    Raises:
        DataError: there is no column of the name that was given for the times.
    """
    found = file.texts_in(header)
    if not found:
        return None
    text, *others = found
    file.other_texts = tuple(others)
    when = file.times_in(header)
    if not when and file.time_column is not None:
        raise DataError(
            f"{file.path}: there is no column `{file.time_column}`, its columns are: "
            f"{shown(filter(None, header))}; name the one that holds the times with --time-column, or leave "
            "that out"
        )
    who = [(name, header.index(name)) for name in dict.fromkeys(telling(tuple(header))) if name != text]
    places = tuple(header.index(name) for name in dict.fromkeys(when))
    return Columns(header.index(text), places, tuple(who))


def _header(file: MessageFile) -> tuple[str, list[str]]:
    """The delimiter with which the header has the text column, and all columns; none in an empty file."""
    columns: list[str] = []
    untold = 0  # number of its line, where with some delimiter the fields cannot be told
    for delimiter in "\t,;" if file.path.suffix.lower() == ".tsv" else ",;\t":
        lines = _lines_of_table(MessageFile(file.path, file.text_column, file.events))
        number, row = next(iter(TableRows(lines, delimiter)), (0, []))
        if row is None:
            untold = number
            continue
        names = [name.strip() for name in row]
        if not names or file.text_in(names) is not None or _OF_EVENTS <= {*names}:
            return delimiter, names
        columns = max(columns, names, key=len)
    if untold and len(columns) < 2:
        raise DataError(
            f"{file.path}, line {untold}: the names of columns are wrongly quoted, take the quotes away"
        )
    if not is_utf8("".join(columns)):
        raise DataError(f"{file.path}: its first line is not UTF-8, save the file with that encoding")
    raise _names_below(file) or no_text_column(file, columns)


def _names_below(file: MessageFile) -> DataError | None:
    """The error for a table with something above the names of its columns; None if that is not so."""
    lines = MessageFile(file.path, file.text_column, file.events).raw_lines()
    for number, line in islice(lines, 1, _SEARCHED_LINES):
        for delimiter in _DELIMITERS:
            names = [name.strip(' "') for name in line.split(delimiter)]
            if len(names) > 1 and file.text_in(names) is not None:
                return DataError(
                    f"{file.path}: the names of its columns are in line {number}, take away those above it"
                )
    return None


def no_text_column(file: MessageFile, columns: Iterable[str], more: str = "") -> DataError:
    """The error for a table without the column of the texts.

    Args:
        more: what else to do, before what can always be done.
    """
    return DataError(
        f"{file.path}: there is no column `{file.text_column}`, its columns are: {shown(columns)}; "
        f"{more}name the one that holds the messages with --text-column, or give the file a first "
        f"{file.unit} with the names of its columns"
    )
