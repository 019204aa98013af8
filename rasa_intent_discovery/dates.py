"""Days and moments as people write them, in seconds since 1970. A time without a zone is this machine's."""

from __future__ import annotations

import re
from datetime import datetime, timedelta


def moment(text: str, *, end: bool = False) -> float:
    """The beginning of a day, or the moment that is written.

    Args:
        text: `2026-03-01`, or with a time, `2026-03-01T18:30` or `2026-03-01 18:30+02:00`.
        end: a day counts to its end.

    Raises:
        ValueError: it is neither.
    """
    whole_day = re.fullmatch(r"\d{4}-\d\d-\d\d", text.strip())
    written = datetime.fromisoformat(re.sub(r"[Zz]$", "+00:00", text.strip()))
    return (written + timedelta(days=1) if whole_day and end else written).timestamp()


def day(seconds: float) -> str:
    """The day of a moment, `2026-03-01`."""
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d")
