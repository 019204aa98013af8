"""Which columns of a table, or keys of an object, may hold times, and how those of a file are read together.

Whether `3/4/2026` is in March is told by the days beside it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from rasa_intent_discovery.corpus.column_names import plain_column
from rasa_intent_discovery.dates import moment_of

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
    # German and Dutch, French, Spanish, Portuguese, Italian and Polish ones.
    *("zeitstempel", "zeitpunkt", "gesendet_am", "eingegangen_am", "erstellt_am", "erstellt", "zeit"),
    *("datum", "tijdstip", "verzonden_op", "aangemaakt_op", "horodatage", "date_d_envoi"),
    *("date_de_création", "date_et_heure", "fecha_y_hora", "fecha_de_envío", "fecha_de_creación"),
    *("creado_el", "fecha", "data_e_hora", "data_hora", "enviado_em", "criado_em", "data_de_envio"),
    *("data_de_criação", "data_e_ora", "data_ora", "inviato_il", "creato_il", "data_utworzenia"),
    # Japanese, Chinese and Korean ones.
    *("送信日時", "受信日時", "投稿日時", "作成日時", "登録日時", "日時", "日付"),
    *("发送时间", "创建时间", "时间", "日期", "建立時間", "時間"),
    *("작성일시", "일시", "날짜"),
)
# Three numbers that may be a day, and perhaps a time of day behind them.
_DAY = re.compile(r"\d{1,4}([./-])\d\d?\1\d{1,4}(?!\w).*", re.DOTALL)
_OF_A_MONTH = r"(0?[1-9]|[12]\d|3[01])"
_YEAR_LAST = re.compile(rf"{_OF_A_MONTH}([./-]){_OF_A_MONTH}\2((?:19|20)\d\d)(?:,? (\d.*))?")
# A day of a spreadsheet, from 1982 to 2064: the days since its first one, and a part of a day.
_OF_A_SPREADSHEET = re.compile(r"([345]\d{4})(?:[.,](\d+))?")
_FIRST_DAY = datetime(1899, 12, 30)
_RANKS = {name: rank for rank, name in enumerate(_USUAL)}


@lru_cache(maxsize=256)
def usual_times(names: tuple[str, ...]) -> tuple[str, ...]:
    """Those that may hold times where their values are times, the most likely one first.

    >>> usual_times(("id", "Created At", "sentAt", "Date (UTC)"))
    ('sentAt', 'Created At', 'Date (UTC)')
    """
    found = [name for name in names if _plain(name) in _RANKS]
    return tuple(sorted(found, key=lambda name: _RANKS[_plain(name)]))


def _plain(name: str) -> str:
    """The name without a zone: `Created At (UTC)` as `created_at`."""
    return plain_column(name).removesuffix("_utc").removesuffix("_gmt")


def seems_a_time(written: str) -> bool:
    """Whether a text looks like a day or a moment, though nobody may know which.

    >>> [seems_a_time(one) for one in ("3/4/2026 10:11", "01.03.26", "46082,4243", "first visit", "7")]
    [True, True, True, False, False]
    """
    return bool(_DAY.fullmatch(written) or _OF_A_SPREADSHEET.fullmatch(written))


@dataclass(frozen=True)
class TimeOrder:
    """How the times of a file are meant that nobody can read one by one.

    Attributes:
        day_first: whether the day stands before the month; None if that is not told.
        of_spreadsheet: whether they are numbers of days.
    """

    day_first: bool | None = None
    of_spreadsheet: bool = False

    @classmethod
    def of(cls, written: Collection[str], has_others: bool = False) -> TimeOrder:
        """What times tell together: a number above 12 is no month, and with dots the day is first.

        Args:
            written: those that `seems_a_time`.
            has_others: whether something else stands beside them: then numbers need be no days.

        >>> TimeOrder.of(["3/4/2026", "3/14/2026"]).day_first, TimeOrder.of(["3/4/2026"]).day_first
        (False, None)
        """
        found = [one for one in map(_YEAR_LAST.fullmatch, written) if one]
        if not found:
            return cls(of_spreadsheet=not has_others and all(map(_OF_A_SPREADSHEET.fullmatch, written)))
        may_be_first, may_be_second = (all(int(one[part]) <= 12 for one in found) for part in (1, 3))
        if may_be_second and (not may_be_first or all(one[2] == "." for one in found)):
            return cls(day_first=True)
        return cls(day_first=False if may_be_first and not may_be_second else None)

    def read(self, written: str) -> float | None:
        """Seconds since 1970 of such a time; None if it cannot be read."""
        if self.of_spreadsheet and (number := _OF_A_SPREADSHEET.fullmatch(written)):
            days = float(f"{number[1]}.{number[2] or 0}")
            return (_FIRST_DAY + timedelta(seconds=round(days * 86_400))).timestamp()
        found = None if self.day_first is None else _YEAR_LAST.fullmatch(written)
        if found is None:
            return None
        month, day = (found[3], found[1]) if self.day_first else (found[1], found[3])
        return moment_of(f"{found[4]}-{month}-{day} {found[5] or ''}")
