"""The rows of a table of text, also where somebody wrote a quotation mark and meant no more than that."""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

_MOST_LINES = 1000  # of one row: what is quoted for longer was never closed


@dataclass
class TableRows:
    """The lines of a file, as rows.

    Attributes:
        lines: number and text of each line, without its end.
        delimiter: what stands between fields.
        fields: how many a row has; None where that is not known.
        text: which of these holds the text of a message.
    """

    lines: Iterator[tuple[int, str]]
    delimiter: str
    fields: int | None = None
    text: int = 0
    _back: deque[tuple[int, str]] = field(default_factory=deque)

    def __iter__(self) -> Iterator[tuple[int, list[str] | None]]:
        """The number of the first line of each row that is not blank, and its fields.

        None where they cannot be told: it is wrongly quoted.
        """
        while (first := self._next()) is not None:
            number, line = first
            row = self._row(line) if '"' in line else line.split(self.delimiter)
            if row != [""] and row != []:
                yield number, row

    def _next(self) -> tuple[int, str] | None:
        if self._back:
            return self._back.popleft()
        number, line = next(self.lines, (0, None))
        return None if line is None else (number, line.replace("\0", ""))

    def _row(self, line: str) -> list[str] | None:
        """The fields of a row that begins with a line, and may go on in the next ones."""
        taken: list[tuple[int, str]] = []

        def lines() -> Iterator[str]:
            yield line + "\n"
            while len(taken) < _MOST_LINES and (one := self._next()) is not None:
                taken.append(one)
                yield one[1] + "\n"

        try:
            row = next(csv.reader(lines(), delimiter=self.delimiter, skipinitialspace=True, strict=True))
        except csv.Error:
            row = None
        if row is not None and not self._are_rows([line, *(text for _, text in taken)]):
            return row
        self._back.extendleft(reversed(taken))
        return self._as_written(line)

    def _as_written(self, line: str) -> list[str] | None:
        """The fields of a line with its quotation marks; None where they are too few or too many."""
        found = line.split(self.delimiter)
        if self.fields is None or len(found) < self.fields:
            return None
        more = len(found) - self.fields
        if more and self.text != self.fields - 1:
            return None
        return [*found[: self.text], self.delimiter.join(found[self.text :])] if more else found

    def _are_rows(self, lines: Iterable[str]) -> bool:
        """Whether each of several lines is a row by itself.

        They have as many fields as the others, and all fields but the text look alike: numbers, or days.
        """
        rows = [line.split(self.delimiter) for line in lines]
        if len(rows) < 2 or self.fields is None or any(len(row) != self.fields for row in rows):
            return False
        looks = {tuple(map(_looks, [*row[: self.text], *row[self.text + 1 :]])) for row in rows}
        return len(looks) == 1 and any(looks.pop())


def _looks(value: str) -> str:
    """A field without what differs between rows: `9-9-9` for a day, whatever day it is."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", value.strip()))
