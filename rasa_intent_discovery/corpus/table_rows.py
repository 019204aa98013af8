"""The rows of a table of text, also where somebody wrote a quotation mark and meant no more than that."""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

_NUMBER = "9"  # stands for any
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
            if row != [""]:
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
        # Nothing else is left there: what was, had no quotation mark but in its last line.
        self._back.extend(taken)
        return self._as_written(line)

    def _as_written(self, line: str) -> list[str] | None:
        """The fields of a line with its quotation marks; None where they are too few or too many."""
        found = line.split(self.delimiter)
        return found if self.fields is not None and len(found) >= self.fields else None

    def _are_rows(self, lines: Iterable[str]) -> bool:
        """Whether each of several lines is a row by itself.

        They have as many fields as the others, and all fields but the text look alike, numbers or days. Nor
        is a blank behind the delimiter of one alone, as in a sentence.
        """
        rows = [line.split(self.delimiter) for line in lines]
        if len(rows) < 2:
            return False
        looks = {tuple(self._looks(row)) for row in rows}
        return len(looks) == 1 and any(_NUMBER in one for one in looks.pop())

    def _looks(self, row: Sequence[str]) -> Iterator[str]:
        """The fields without what differs between rows: `9-9-9` for a day, whatever day it is."""
        for at, value in enumerate(row):
            blank = value[: len(value) - len(value.lstrip())]
            plain = re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", _NUMBER, value.strip()))
            yield blank + ("" if at == self.text else plain)
