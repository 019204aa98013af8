"""The conversations a bot keeps, read only: what people said that it did not understand.

A SQL store, or the table of an event broker, is asked for the events that matter alone, a thousand at a time
and without Rasa's own class, which would make tables that are missing. Any other store is read through the
interface all stores have.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rasa.core.tracker_store import InMemoryTrackerStore, SQLTrackerStore, TrackerStore, create_engine_kwargs
from rasa.core.utils import AvailableEndpoints
from rasa.shared.core.domain import Domain
from rasa.shared.exceptions import RasaException
from rasa.utils.endpoints import EndpointConfig
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.engine import Engine

from rasa_intent_discovery.datatypes import LoggedMessage
from rasa_intent_discovery.errors import ConfigError, DataError
from rasa_intent_discovery.events import KINDS, EventReader, Selection
from rasa_intent_discovery.messages import MessageLog

_PAGE = 1000
_TABLE = "events"
# What `SQLTrackerStore.get_db_url` takes of the settings of a store.
_URL_PARTS = ("dialect", "port", "db", "username", "password", "query")
_CREDENTIALS = ("password", "username", "key", "secret", "token")


def read_tracker_store(endpoints: str, selection: Selection) -> MessageLog:
    """What people wrote, in all conversations of the tracker store that an endpoints.yml names.

    Where it names none but an event broker of the type SQL, the table of that one is read.

    Args:
        selection: which messages are read.

    Raises:
        ConfigError: the file is not there, cannot be read, or names no store that keeps anything.
        DataError: the store cannot be reached or read, or holds no message.
    """
    key, store = _store(endpoints)
    where = f"{endpoints} > {key}"
    events = EventReader(selection)
    broken = 0
    try:
        if (store.type or "").lower() == "sql":
            messages, broken = _read_sql(store, where, events)
        else:
            messages = asyncio.run(_read_any(store, where, events))
    except DataError:
        raise
    except Exception as error:  # each driver has errors of its own
        raise DataError(f"{where}: the store cannot be read ({_reason(error, store)})") from error
    if not messages:
        left_out = events.summary()
        reason = (
            f"{left_out}; there are no others, choose differently or read all with --all-messages"
            if left_out
            else "the store holds no message of a user; name files with --messages"
        )
        raise DataError(f"{where}: {reason}")
    counted = [f"skipped {broken} events that are not JSON" if broken else "", events.summary()]
    sentences = "; ".join(filter(None, counted))
    return MessageLog(tuple(messages), (f"{where}: {sentences}",) if sentences else ())


def _store(endpoints: str) -> tuple[str, EndpointConfig]:
    """The key of what keeps the messages, and its settings."""
    if not Path(endpoints).is_file():
        raise ConfigError(f"{endpoints}: there is no such file, say with --endpoints where it is")
    try:
        named = AvailableEndpoints.read_endpoints(endpoints)
    except (RasaException, ValueError, OSError, TypeError, AttributeError) as error:
        raise ConfigError(f"{endpoints}: cannot be read ({str(error).partition(chr(10))[0]})") from error
    store, broker = named.tracker_store, named.event_broker
    if store is not None and (store.type or "").lower() not in ("", "in_memory"):
        return "tracker_store", store
    if broker is not None and (broker.type or "").lower() == "sql":
        return "event_broker", broker
    raise ConfigError(
        f"{endpoints}: it names no `tracker_store` that keeps messages, so there is nothing to read; "
        "give logged messages with --messages"
    )


def _reason(error: Exception, store: EndpointConfig) -> str:
    """The first line of what a driver says, without what is nobody's business."""
    if isinstance(error, ImportError) and error.name:
        return f"the package {error.name} is not installed"
    reason = str(error).strip().partition("\n")[0] or type(error).__name__
    secrets = {
        str(value) for name, value in store.kwargs.items() if any(word in name for word in _CREDENTIALS)
    }
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        reason = reason.replace(secret, "***")
    return re.sub(r"(?<=://)[^/@\s]+@", "***@", reason)


def _read_sql(store: EndpointConfig, where: str, reader: EventReader) -> tuple[list[LoggedMessage], int]:
    """The messages, and how many events could not be read."""
    engine = _engine(store, where)
    messages: list[LoggedMessage] = []
    broken = 0
    try:
        if not inspect(engine).has_table(_TABLE):
            raise DataError(f"{where}: the database has no table `{_TABLE}`, so no bot has used it")
        for number, sender, data in _events(engine, where):
            try:
                event = json.loads(data)
                found = list(reader.read(event, sender, f"{where}, event {number}"))
            except (ValueError, AttributeError, TypeError):
                broken += 1
                continue
            messages += found
    finally:
        engine.dispose()
    return [*messages, *reader.rest()], broken


def _events(engine: Engine, where: str) -> Iterator[tuple[int, str, str]]:
    """Number, conversation and JSON of each event that matters, a page at a time."""
    columns = {column["name"] for column in inspect(engine).get_columns(_TABLE)}
    missing = {"id", "sender_id", "data"} - columns
    if missing:
        listed = ", ".join(sorted(missing))
        raise DataError(f"{where}: the table `{_TABLE}` has no column {listed}, so Rasa 3 did not make it")
    # The table of an event broker has no types of events.
    kinds = f"type_name IN ({', '.join(repr(kind) for kind in KINDS)}) AND " if "type_name" in columns else ""
    query = text(f"SELECT id, sender_id, data FROM {_TABLE} WHERE {kinds}id > :last ORDER BY id LIMIT :page")
    last = -1
    with engine.connect() as connection:
        while page := connection.execute(query, {"last": last, "page": _PAGE}).all():
            yield from ((int(row[0]), str(row[1]), row[2]) for row in page)
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


async def _read_any(store: EndpointConfig, where: str, reader: EventReader) -> list[LoggedMessage]:
    tracker_store = TrackerStore.create(store, Domain.empty())
    if isinstance(tracker_store, InMemoryTrackerStore):  # what Rasa takes for want of any other
        raise DataError(f"{where} > type: there is no store of the type {store.type!r}, check its name")
    messages: list[LoggedMessage] = []
    prefix = getattr(tracker_store, "key_prefix", "")
    for key in await tracker_store.keys():
        # Redis gives its own keys: bytes, and with a prefix that it does not want to be given.
        conversation = (key.decode() if isinstance(key, bytes) else key).removeprefix(prefix)
        tracker = await tracker_store.retrieve_full_tracker(conversation)
        for event in tracker.events if tracker else ():
            if event.type_name in KINDS:
                messages += reader.read(event.as_dict(), conversation, where)
    return [*messages, *reader.rest()]
