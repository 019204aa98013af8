"""Which columns of a table, or keys of an object, may hold the times of messages."""

from __future__ import annotations

from collections.abc import Iterable

from rasa_intent_discovery.corpus.column_names import plain_column

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
_RANKS = {name: rank for rank, name in enumerate(_USUAL)}


def usual_times(names: Iterable[str]) -> list[str]:
    """Those that may hold times where their values are times, the most likely one first.

    >>> usual_times(["id", "Created At", "sentAt", "Date (UTC)"])
    ['sentAt', 'Created At', 'Date (UTC)']
    """
    found = [name for name in names if _plain(name) in _RANKS]
    return sorted(found, key=lambda name: _RANKS[_plain(name)])


def _plain(name: str) -> str:
    """The name without a zone: `Created At (UTC)` as `created_at`."""
    return plain_column(name).removesuffix("_utc").removesuffix("_gmt")
