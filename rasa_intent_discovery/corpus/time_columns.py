"""Which columns of a table, or keys of an object, may hold the times of messages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

#: These hold times, whatever stands there.
TIMES = ("time", "timestamp")
# Those of exports of helpdesks and chats, as `_plain` makes them; what is most likely of a message first.
_USUAL = (
    *("time", "timestamp", "time_stamp", "ts"),
    *("sent_at", "message_created_at", "message_sent_at", "posted_at", "received_at", "submitted_at"),
    *("created_at", "created", "created_time", "created_date", "create_time", "create_date", "creation_date"),
    *("creation_time", "created_on", "datetime", "date_time", "date_created", "date_sent", "sent", "sent_on"),
    *("sent_date", "sent_time", "received", "date_received", "received_date", "received_time", "logged_at"),
    *("event_time", "message_time", "message_date", "ticket_created_at", "ticket_created_timestamp"),
    *("conversation_created_at", "conversation_started_at", "started_at", "date"),
)
_RANKS = {name: rank for rank, name in enumerate(_USUAL)}


def usual_times(names: Iterable[str]) -> list[str]:
    """Those that may hold times where their values are times, the most likely one first.

    >>> usual_times(["id", "Created At", "sentAt", "Date (UTC)"])
    ['sentAt', 'Created At', 'Date (UTC)']
    """
    found = [name for name in names if _plain(name) in _RANKS]
    return sorted(found, key=lambda name: _RANKS[_plain(name)])


@lru_cache(maxsize=1024)
def _plain(name: str) -> str:
    """`Created At`, `createdAt` and `created-at (UTC)` as `created_at`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name[:60]).lower()
    return re.sub(r"[^a-z0-9]+", "_", words).strip("_").removesuffix("_utc").removesuffix("_gmt")
