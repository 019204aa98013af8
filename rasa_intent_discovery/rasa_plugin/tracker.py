"""Reads the messages that a bot did not understand from its stored conversations. Writes nothing."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rasa.shared.exceptions import RasaException
from rasa.utils.endpoints import EndpointConfig

from rasa_intent_discovery.corpus.events import EventReader, Selection
from rasa_intent_discovery.corpus.messages import MessageLog
from rasa_intent_discovery.datatypes import LoggedMessage
from rasa_intent_discovery.errors import ConfigError, DataError, NothingStoredYet, unreadable
from rasa_intent_discovery.rasa_plugin.document_stores import document_entries
from rasa_intent_discovery.rasa_plugin.project import check_shallow, one_line
from rasa_intent_discovery.rasa_plugin.rasa_versions import AvailableEndpoints, forget_read_files
from rasa_intent_discovery.rasa_plugin.sql_store import Entry, newest_sql_entry, sql_entries
from rasa_intent_discovery.training_data.near_path import did_you_mean

#: Key in endpoints.yml -> the SQLite file that Rasa uses if no database is named.
_FILES = {"tracker_store": "rasa.db", "event_broker": "events.db"}
_CREDENTIALS = ("password", "username", "key", "secret", "token")
# Shorter credentials occur in too many words to be masked inside of them in a driver's message.
_SHORTEST_SECRET = 3
# Characters of that message that are shown: some messages are pages long.
_LONGEST_REASON = 200


def read_tracker_store(endpoints: str, selection: Selection) -> MessageLog:
    """The messages of users in all conversations of the tracker store that an endpoints.yml names.

    If it names no store but an event broker of the type SQL, the table of the broker is read.

    Args:
        selection: which messages are read.

    Raises:
        ConfigError: the file is missing, cannot be read, or names no store that keeps messages.
        DataError: the store cannot be reached or read, or holds no message.
    """
    key, store = _store(endpoints)
    where = f"{endpoints} > {key}"
    if (store.type or "").lower() == "sql":
        entries = sql_entries(store, where, _FILES[key])
    else:
        entries = document_entries(store, where)
    events = EventReader(selection)
    broken = _Broken()
    try:
        messages = tuple(_messages(entries, events, broken))
    except DataError:
        raise
    except Exception as error:  # each driver has errors of its own
        raise DataError(f"{where}: {_reason(error, store)}") from error
    sentences = "; ".join(filter(None, [broken.sentence(), events.summary()]))
    if messages:
        skipped = (f"{where}: {sentences}",) if sentences else ()
        return MessageLog(messages, skipped, events.turns, has_conversations=True)
    reason = (
        events.advice()
        if events.left_out
        else "the store holds no message of a user; name files with --messages"
    )
    kind = DataError if sentences else NothingStoredYet
    raise kind(f"{where}: {'; '.join(filter(None, [sentences, reason]))}")


def store_version(endpoints: str) -> str:
    """A text that changes whenever the store that an endpoints.yml names does.

    It is random, so changes with every call, if the version cannot be read, or not quickly.
    """
    try:
        key, store = _store(endpoints)
        if (store.type or "").lower() == "sql":
            return f"{Path(endpoints).resolve()} {newest_sql_entry(store, endpoints, _FILES[key])}"
    except Exception:  # the training reports what is wrong with the store
        pass
    return secrets.token_hex()


@dataclass
class _Broken:
    """How many entries cannot be read, and where the first of them is."""

    count: int = 0
    first: str = ""

    def add(self, place: str) -> None:
        self.first = self.first or place
        self.count += 1

    def sentence(self) -> str:
        """`skipped 3 events that cannot be read, the first is event 17`; empty where there is none."""
        if self.count < 2:
            return f"skipped {self.first}, which cannot be read" if self.count else ""
        kind = self.first.partition(" ")[0]
        return f"skipped {self.count:,} {kind}s that cannot be read, the first is {self.first}"


def _messages(entries: Iterable[Entry], events: EventReader, broken: _Broken) -> Iterator[LoggedMessage]:
    for place, sender, event in entries:
        if isinstance(event, Mapping):
            yield from events.read(event, sender)
        else:
            broken.add(place)
    yield from events.rest()


def _store(endpoints: str) -> tuple[str, EndpointConfig]:
    """The key in endpoints.yml of what stores the messages, and its settings."""
    try:
        if Path(endpoints).is_dir():
            raise ConfigError(f"{endpoints}: this is a folder, name the file in it")
        if not Path(endpoints).is_file():
            raise ConfigError(
                f"{endpoints}: there is no such file{did_you_mean(endpoints)}, say with --endpoints "
                "where it is"
            )
    except OSError as error:
        raise ConfigError(unreadable(endpoints, error)) from error
    check_shallow(endpoints, ConfigError)
    forget_read_files()
    try:
        named = AvailableEndpoints.read_endpoints(endpoints)
    except (RasaException, ValueError, OSError) as error:
        raise ConfigError(one_line(error, endpoints)) from error
    except (TypeError, AttributeError) as error:  # which name no key
        raise ConfigError(
            f"{endpoints}: cannot be read ({error}); below `tracker_store:` and the like stand settings, "
            "such as `type: sql`"
        ) from error
    store, broker = named.tracker_store, named.event_broker
    for key, one in (("tracker_store", store), ("event_broker", broker)):
        if one is not None and not isinstance(one.type, (str, type(None))):
            raise ConfigError(
                f"{endpoints} > {key} > type: expected the name of a store, such as sql, got {one.type}"
            )
    if store is not None and (store.type or "").lower() not in ("", "in_memory"):
        return "tracker_store", store
    if broker is not None and (broker.type or "").lower() == "sql":
        return "event_broker", broker
    raise ConfigError(
        f"{endpoints}: it names no `tracker_store` that keeps messages, so there is nothing to read; "
        "give logged messages with --messages"
    )


def _reason(error: Exception, store: EndpointConfig) -> str:
    """What went wrong and what to do: the first line of a driver's error, with credentials masked."""
    if isinstance(error, ImportError) and error.name:
        return f"the store needs the package {error.name}, which is not installed; install it beside Rasa"
    reason = str(error).strip().partition("\n")[0] or type(error).__name__
    for secret in sorted(set(_secrets(store)), key=len, reverse=True):
        reason = re.sub(_bounded(secret), "***", reason)
    if len(reason) > _LONGEST_REASON:
        reason = f"{reason[:_LONGEST_REASON]} ..."
    return f"the store cannot be read ({reason}); check that it runs, and its settings"


def _bounded(secret: str) -> str:
    """A pattern for a secret, of a short one for the whole word: a user `sa` is not in `message`."""
    pattern = re.escape(secret)
    return pattern if len(secret) >= _SHORTEST_SECRET else rf"(?<!\w){pattern}(?!\w)"


def _secrets(store: EndpointConfig) -> Iterator[str]:
    """The values of settings like `password`, and the credentials in a URL, whole and in parts.

    The parts are needed as a driver may show one of them alone in an error.
    """
    for name, value in _settings({**store.kwargs, "url": store.url}):
        if any(word in name for word in _CREDENTIALS):
            yield value
        user = re.match(r"(?:\w+://)?(\S+)@", value)
        if user:
            yield user[1]
            yield from (part for part in re.split("[:/@]", user[1]) if len(part) >= _SHORTEST_SECRET)


def _settings(settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Name and value of all settings that are set, including nested ones (`query`)."""
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _settings(value)
        elif value:
            yield str(name), str(value)
