"""The tracker store of a bot, read only: what people wrote to it.

A SQL store is asked for its user events alone, a thousand at a time and without Rasa's own class, which would
make tables that are missing. Any other store is read through the interface all stores have.
"""

from __future__ import annotations

import asyncio
import json
import os
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rasa.core.tracker_store import InMemoryTrackerStore, SQLTrackerStore, TrackerStore, create_engine_kwargs
from rasa.core.utils import AvailableEndpoints
from rasa.shared.core.domain import Domain
from rasa.shared.core.events import UserUttered
from rasa.shared.exceptions import RasaException
from rasa.utils.endpoints import EndpointConfig
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError

from rasa_intent_discovery.datatypes import LoggedMessage
from rasa_intent_discovery.errors import ConfigError, DataError
from rasa_intent_discovery.messages import MessageLog

_PAGE = 1000
# What `SQLTrackerStore.get_db_url` takes of the settings of a store.
_URL_PARTS = ("dialect", "port", "db", "username", "password", "query")
_NEXT_EVENTS = text(
    "SELECT id, data FROM events WHERE type_name = 'user' AND id > :last ORDER BY id LIMIT :page"
)


def read_tracker_store(endpoints: str) -> MessageLog:
    """What people wrote, in all conversations of the tracker store that an endpoints.yml names.

    Raises:
        ConfigError: the file is not there, cannot be read, or names no store that keeps anything.
        DataError: the store cannot be reached or read, or holds no message.
    """
    store = _store(endpoints)
    where = f"{endpoints} > tracker_store"
    skipped: tuple[str, ...] = ()
    try:
        if (store.type or "").lower() == "sql":
            messages, broken = _read_sql(store, where)
            if broken:
                skipped = (f"{where}: skipped {broken} events that are not JSON",)
        else:
            messages = asyncio.run(_read_any(store, where))
    except (SQLAlchemyError, RasaException, OSError, ImportError) as error:
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise DataError(f"{where}: the store cannot be read ({reason})") from error
    if not messages:
        raise DataError(f"{where}: the store holds no message of a user; name files with --messages")
    return MessageLog(tuple(messages), skipped)


def _store(endpoints: str) -> EndpointConfig:
    if not Path(endpoints).is_file():
        raise ConfigError(f"{endpoints}: there is no such file, say with --endpoints where it is")
    try:
        store = AvailableEndpoints.read_endpoints(endpoints).tracker_store
    except (RasaException, ValueError, OSError, TypeError, AttributeError) as error:
        raise ConfigError(f"{endpoints}: cannot be read ({str(error).partition(chr(10))[0]})") from error
    if store is None or (store.type or "").lower() in ("", "in_memory"):
        raise ConfigError(
            f"{endpoints}: it names no `tracker_store` that keeps messages, so there is nothing to read; "
            "give logged messages with --messages"
        )
    return store


def _read_sql(store: EndpointConfig, where: str) -> tuple[list[LoggedMessage], int]:
    """The messages, and how many events could not be read."""
    engine = _engine(store, where)
    messages: list[LoggedMessage] = []
    broken = 0
    try:
        if not inspect(engine).has_table("events"):
            raise DataError(f"{where}: the database has no table `events`, so no bot has used it")
        for number, data in _user_events(engine):
            try:
                said = json.loads(data).get("text")
            except (ValueError, AttributeError, TypeError):
                broken += 1
                continue
            if isinstance(said, str):
                messages.append(LoggedMessage(said, f"{where}, event {number}"))
    finally:
        engine.dispose()
    return messages, broken


def _user_events(engine: Engine) -> Iterator[tuple[int, str]]:
    last = -1
    with engine.connect() as connection:
        while page := connection.execute(_NEXT_EVENTS, {"last": last, "page": _PAGE}).all():
            yield from ((int(row[0]), row[1]) for row in page)
            last = int(page[-1][0])


def _engine(store: EndpointConfig, where: str) -> Engine:
    parts: dict[str, Any] = {name: store.kwargs[name] for name in _URL_PARTS if name in store.kwargs}
    url = SQLTrackerStore.get_db_url(host=store.url, **parts)
    if not str(url).startswith("sqlite"):
        return create_engine(url, **create_engine_kwargs(url))
    file = os.path.abspath(str(parts.get("db", "rasa.db")))
    if not os.path.isfile(file):
        raise DataError(f"{where}: there is no database {file}; run the command where the bot runs")
    return create_engine(f"sqlite:///file:{urllib.parse.quote(file)}?mode=ro&uri=true")


async def _read_any(store: EndpointConfig, where: str) -> list[LoggedMessage]:
    tracker_store = TrackerStore.create(store, Domain.empty())
    if isinstance(tracker_store, InMemoryTrackerStore):  # what Rasa takes for want of any other
        raise DataError(f"{where} > type: there is no store of the type {store.type!r}, check its name")
    messages = []
    for conversation in await tracker_store.keys():
        tracker = await tracker_store.retrieve_full_tracker(conversation)
        events = tracker.events if tracker else ()
        messages += [
            LoggedMessage(event.text, where)
            for event in events
            if isinstance(event, UserUttered) and event.text
        ]
    return messages
