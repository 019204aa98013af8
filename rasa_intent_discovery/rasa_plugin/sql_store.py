"""Events in a SQL database: the table of a tracker store, or of an event broker.

Rasa's own class is not used: it would create missing tables, and wait for ever for a server that is down. The
events are read a thousand at a time, of a tracker store only those that are needed.
"""

from __future__ import annotations

import json
import os
import urllib.parse
from collections.abc import Iterator
from typing import Any

from rasa.utils.endpoints import EndpointConfig
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.engine import Engine, make_url

from rasa_intent_discovery.corpus.events import KINDS
from rasa_intent_discovery.errors import DataError, NothingStoredYet
from rasa_intent_discovery.rasa_plugin.rasa_versions import (
    SQLTrackerStore,
    create_engine_kwargs,
    validate_port,
)

#: The place in the store, the sender id, and the event: None where it cannot be read.
Entry = tuple[str, str, Any]

# Rows that are read at a time, so that memory does not grow with the store.
_PAGE = 1000
_TABLE = "events"
# What `SQLTrackerStore.get_db_url` takes of the settings of a store.
_URL_PARTS = ("dialect", "port", "db", "username", "password", "query")


def sql_entries(store: EndpointConfig, where: str, file: str) -> Iterator[Entry]:
    """The events, of a tracker store only those that are needed, in the order in which they were stored.

    Args:
        store: the settings of a tracker store or an event broker.
        where: the place of the store, for error messages.
        file: the SQLite file if the settings name no database.

    Raises:
        DataError: the database or its table is missing, or not one of Rasa's. Errors of SQLAlchemy and the
            drivers are left to the caller.
    """
    engine = _engine(store, where, file)
    try:
        if not inspect(engine).has_table(_TABLE):
            raise NothingStoredYet(f"{where}: the database has no table `{_TABLE}`, so no bot has used it")
        for number, sender, data in _rows(engine, where):
            try:
                event = json.loads(data)
            except (ValueError, TypeError, RecursionError):
                event = None
            yield f"event {number}", sender, event
    finally:
        engine.dispose()


def newest_sql_entry(store: EndpointConfig, where: str, file: str) -> int | None:
    """The id of the last event, which grows with every message; None where there is no event.

    Args:
        store, where, file: as in `sql_entries`.
    """
    engine = _engine(store, where, file)
    try:
        with engine.connect() as connection:
            newest = connection.execute(text(f"SELECT MAX(id) FROM {_TABLE}")).scalar()
    finally:
        engine.dispose()
    return None if newest is None else int(newest)


def _rows(engine: Engine, where: str) -> Iterator[tuple[int, str, Any]]:
    """Id, sender id and JSON of each event, read a page at a time."""
    columns = {column["name"] for column in inspect(engine).get_columns(_TABLE)}
    missing = {"id", "sender_id", "data"} - columns
    if missing:
        listed = ", ".join(sorted(missing))
        raise DataError(
            f"{where}: the table `{_TABLE}` has no column {listed}, so Rasa 3 did not make it; "
            "name a database that a bot of Rasa 3 uses"
        )
    # The table of an event broker has no types.
    kinds = f"type_name IN ({', '.join(map(repr, KINDS))}) AND " if "type_name" in columns else ""
    query = text(f"SELECT id, sender_id, data FROM {_TABLE} WHERE {kinds}id > :last ORDER BY id LIMIT :page")
    last = -1
    with engine.connect() as connection:
        while page := connection.execute(query, {"last": last, "page": _PAGE}).all():
            yield from ((int(row[0]), str(row[1]), row[2]) for row in page)
            last = int(page[-1][0])


def _engine(store: EndpointConfig, where: str, file: str) -> Engine:
    parts: dict[str, Any] = {name: store.kwargs[name] for name in _URL_PARTS if name in store.kwargs}
    parts["port"] = validate_port(parts.get("port"))
    url = SQLTrackerStore.get_db_url(host=store.url, **{"db": file, **parts})
    if make_url(url).get_backend_name() != "sqlite":
        return create_engine(url, **create_engine_kwargs(url))
    path = os.path.abspath(str(make_url(url).database))
    if not os.path.isfile(path):
        raise NothingStoredYet(f"{where}: there is no database {path}; run the command where the bot runs")
    return create_engine(f"sqlite:///file:{urllib.parse.quote(path)}?mode=ro&uri=true")
