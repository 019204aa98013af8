"""How often messages were logged, period by period: shows whether a request has become more or less frequent.

The periods have equal length, the last one ends with the last day of the log, and there are at most
`CORPUS.most_periods`.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
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
        self._texts = array("i")
        self._times = array("d")

    def add(self, text: str, time: float) -> None:
        """Adds a message; `time` is in seconds since 1970. Times outside of the calendar are ignored."""
        if 0.0 <= time <= _LATEST:
            self._texts.append(self._numbers.setdefault(text, len(self._numbers)))
            self._times.append(time)

    def of_rows(self, rows: Iterable[Sequence[str]]) -> tuple[Array, Array]:
        """The messages of some rows.

        Args:
            rows: the texts of each row.

        Returns:
            (m,) int64, the row of each message; (m,) float64, seconds since 1970.
        """
        row_of = np.full(len(self._numbers), -1, dtype=np.int64)
        for row, texts in enumerate(rows):
            for text in texts:
                if text in self._numbers:
                    row_of[self._numbers[text]] = row
        of = row_of[np.frombuffer(self._texts, dtype=np.int32)]
        return of[of >= 0], np.frombuffer(self._times, dtype=np.float64)[of >= 0]


def first_and_last(rows: Array, times: Array) -> dict[int, tuple[float, float]]:
    """Row -> when it was logged first and last.

    Args:
        rows, times: (m,) int64 and float64, as `Moments.of_rows` gives them.
    """
    order = np.lexsort((times, rows))
    rows, times = rows[order], times[order]
    found = np.unique(rows)
    first = times[np.searchsorted(rows, found, "left")].tolist()
    last = times[np.searchsorted(rows, found, "right") - 1].tolist()
    return dict(zip(found.tolist(), zip(first, last, strict=True), strict=True))


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
