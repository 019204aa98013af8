"""How often messages were logged, period by period: shows whether a request has become more or less frequent.

The periods have equal length, the last one ends with the last day of the log, and there are at most
`CORPUS.most_periods`.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime

import numpy as np

from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.datatypes import Array, Trend

_LATEST = 250_000_000_000.0  # seconds: the year 9892, shortly before the end of Python's calendar
_QUARTER = 900.0  # seconds: in every time zone, days begin at a whole quarter of an hour


class Moments:
    """Collects when texts were logged: 12 bytes for each message, and each distinct text once."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._rows = array("i")
        self._texts = array("i")
        self._times = array("d")

    def add(self, text: str, time: float) -> None:
        """Adds a message; `time` is in seconds since 1970. Times outside of the calendar are ignored."""
        if 0.0 <= time <= _LATEST:
            number = self._numbers.setdefault(text, len(self._numbers))
            if number == len(self._rows):
                self._rows.append(-1)
            self._texts.append(number)
            self._times.append(time)

    def place(self, text: str, row: int) -> None:
        """Says in which row a text is; those that are in none are left out."""
        number = self._numbers.get(text)
        if number is not None:
            self._rows[number] = row

    def of_rows(self) -> tuple[Array, Array]:
        """The messages whose texts are in rows.

        Returns:
            (m,) int64, the row of each message; (m,) float64, seconds since 1970.
        """
        of = np.array(self._rows, dtype=np.int64)[np.array(self._texts, dtype=np.int64)]
        return of[of >= 0], np.array(self._times, dtype=np.float64)[of >= 0]


@dataclass(frozen=True, eq=False)
class FirstAndLast(Mapping[int, tuple[float, float]]):
    """Row -> when it was logged first and last, in seconds since 1970; ten times smaller than a `dict`.

    Attributes:
        rows: (r,) int64, ascending; times: (r, 2) float64.
    """

    rows: Array
    times: Array

    def __getitem__(self, row: int) -> tuple[float, float]:
        place = int(np.searchsorted(self.rows, row))
        if place == len(self.rows) or self.rows[place] != row:
            raise KeyError(row)
        first, last = self.times[place].tolist()
        return first, last

    def __iter__(self) -> Iterator[int]:
        return iter(self.rows.tolist())

    def __len__(self) -> int:
        return len(self.rows)


def first_and_last(rows: Array, times: Array) -> FirstAndLast:
    """Row -> when it was logged first and last.

    Args:
        rows, times: (m,) int64 and float64, as `Moments.of_rows` gives them.
    """
    order = np.lexsort((times, rows))
    rows, times = rows[order], times[order]
    found = np.unique(rows)
    first = times[np.searchsorted(rows, found, "left")]
    last = times[np.searchsorted(rows, found, "right") - 1]
    return FirstAndLast(found, np.stack([first, last], axis=1))


def trend_of(rows: Array, times: Array, counts: Array) -> Trend | None:
    """How often each row was logged in each period.

    Args:
        rows, times: (m,) int64 and float64, the messages whose time is known.
        counts: (n,) int64, the number of messages of each row, with and without a time.

    Returns:
        None if the times of too few messages are known, or the log is too short; see `CorpusNumbers`.
    """
    if not len(rows) or len(rows) <= CORPUS.timed_share * int(counts.sum()):
        return None
    days = _days(times)
    first, last = int(days.min()), int(days.max())
    if last - first < CORPUS.least_days:
        return None
    length = _length(last - first + 1)
    # Drops a first period of which the log covers less than half: its low counts would be misleading.
    periods = (last - first + 1 + length // 2) // length
    period = periods - 1 - (last - days) // length
    cells = np.bincount((rows * periods + period)[period >= 0], minlength=len(counts) * periods)
    begin = date.fromordinal(last - periods * length + 1)
    return Trend(begin.isoformat(), length, cells.reshape(len(counts), periods))


def _length(days: int) -> int:
    """The shortest period length with which so many days make at most `most_periods` periods."""
    least, longest = math.ceil(days / CORPUS.most_periods), CORPUS.period_days[-1]
    fitting = (length for length in CORPUS.period_days if length >= least)
    return next(fitting, math.ceil(least / longest) * longest)


def _days(times: Array) -> Array:
    """(m,) int64: the day of each moment on this machine's clocks, counted from year 1."""
    quarters, of = np.unique(np.floor(times / _QUARTER), return_inverse=True)
    days = [datetime.fromtimestamp(quarter * _QUARTER).toordinal() for quarter in quarters.tolist()]
    found: Array = np.array(days, dtype=np.int64)[of]
    return found
