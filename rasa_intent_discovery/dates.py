"""Converts written days and times to seconds since 1970. A time without a zone is in the local time zone."""

from __future__ import annotations

import math
import re
import unicodedata
from datetime import datetime, timedelta
from typing import Any

_EARLIEST = 1e8  # seconds, the year 1973: a smaller number is none, but a day of a spreadsheet for instance
_LATEST = 1e11  # seconds, the year 5138: larger numbers are in thousandths of a second, or smaller parts
# What needs no rewriting: the times of most logs.
_PLAIN = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?", re.ASCII)
# A day with the year first and a time of day, also of East Asia: `2026-3-1, 8:30`, `2026年3月1日 8時`.
_YEAR_FIRST = re.compile(
    r"(\d{4}) ?[-/.年] ?(\d\d?) ?[-/.月] ?(\d\d?)(?:日|\.)?(?:,(?= ))?(?=[ T]|$|(?<=日)\d)"
)
_CLOCK = re.compile(r"(?:(?<=[ T])|^)(\d\d?)[:時时](\d\d?)?(?:[:分](\d\d?)?)?秒?(?: ?([AaPp])\.?[Mm]\b\.?)?")
# A day or moment without signs between its parts: `20260301`, `20260301T183000` or `202603011830`.
_COMPACT = re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)?)?")
# Parts of a second and a zone, behind a time of day.
_END = re.compile(r"(?<=\d:\d\d)(?:[.,](\d+))?(?: ?(?:([Zz]|UTC|GMT)|([+-]\d\d):?(\d\d)?))?$")


def moment(text: str, *, end: bool = False) -> float:
    """The time of a written day or moment, in seconds since 1970.

    Args:
        text: a day, `2026-03-01`, or a moment, `2026-03-01T18:30` or `2026-03-01 18:30+02:00`, also as
            databases write it, `2026-03-01 18:30:00.5+02` or `2026-03-01 18:30:00 UTC`, as people
            do, `2026-3-1, 8:30 PM`, without signs, `20260301` or `20260301T183000`, and as East Asia does,
            `2026/3/1 8:30` or `2026年3月1日`.
        end: whether a day means its end, not its beginning.

    Raises:
        ValueError: the text is neither, or the calendar of Python ends before.
    """
    plain = _with_hyphens(text)
    whole_day = re.fullmatch(r"\d{4}-\d\d-\d\d", plain)
    written = datetime.fromisoformat(_END.sub(_plain_end, plain))
    try:
        return (written + timedelta(days=1) if whole_day and end else written).timestamp()
    except (OverflowError, OSError) as error:
        raise ValueError(f"{text}: out of the calendar") from error


def _with_hyphens(text: str) -> str:
    """A day with the year first, and the time behind it, with the signs of ISO 8601."""
    if _PLAIN.fullmatch(text):
        return text
    text = " ".join(unicodedata.normalize("NFKC", text).split())
    if found := _YEAR_FIRST.match(text):
        year, month, day_of_month = found.groups()
        clock = _CLOCK.sub(_plain_clock, text[found.end() :])
        return f"{year}-{month:0>2}-{day_of_month:0>2}{'T' if clock[:1].isdigit() else ''}{clock}"
    if compact := _COMPACT.fullmatch(text):
        whole_day, clock = "-".join(compact.groups()[:3]), ":".join(filter(None, compact.groups()[3:]))
        return f"{whole_day}T{clock}" if clock else whole_day
    return text


def _plain_clock(clock: re.Match[str]) -> str:
    """A time of day as `18:30:00`."""
    *parts, half = clock.groups()
    hours, minutes, seconds = (int(part or 0) for part in parts)
    if half:
        hours = hours % 12 + (12 if half in "Pp" else 0)
    return f"{hours:02}:{minutes:02}:{seconds:02}"


def _plain_end(end: re.Match[str]) -> str:
    """Parts of a second and a zone as Python 3.10 reads them: six digits or none, and hours with minutes."""
    fraction, utc, hours, minutes = end.groups()
    zone = "+00:00" if utc else f"{hours}:{minutes or '00'}" if hours else ""
    return (f".{fraction:0<6.6}" if fraction else "") + zone


def moment_of(time: Any) -> float | None:
    """Seconds since 1970, from these, smaller parts of a second or what `moment` reads; None of all else."""
    if isinstance(time, bool) or not isinstance(time, (str, int, float)):
        return None
    written = str(time).strip()
    is_number = not isinstance(time, str) or written.replace(".", "", 1).isdecimal()
    try:
        if not is_number or _COMPACT.fullmatch(written):
            return moment(written)
        number = float(time)
    except (ValueError, OverflowError):
        return None
    return None if number < _EARLIEST else seconds_of(number)


def seconds_of(number: float) -> float | None:
    """Seconds since 1970, of a number of them, or of milli-, micro- or nanoseconds; None if it is none."""
    if not 0.0 <= number < math.inf:
        return None
    while number > _LATEST:
        number /= 1000
    return number


def day(seconds: float) -> str:
    """The local day of a moment in seconds since 1970, `2026-03-01`."""
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d")
