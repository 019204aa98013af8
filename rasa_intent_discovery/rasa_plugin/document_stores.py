"""Events in tracker stores other than SQL databases: Redis, MongoDB, DynamoDB, and custom stores.

The stores are opened by Rasa's classes. Nothing is written, so those of MongoDB and DynamoDB are kept from
making a missing index or table. From these three, the stored events are read directly, a conversation at a
time: to build Rasa's tracker takes long, and is impossible if one event is broken.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rasa.shared.core.domain import Domain
from rasa.utils.endpoints import EndpointConfig

from rasa_intent_discovery.errors import DataError, NothingStoredYet
from rasa_intent_discovery.rasa_plugin.rasa_versions import (
    DynamoTrackerStore,
    InMemoryTrackerStore,
    MongoTrackerStore,
    RedisTrackerStore,
    TrackerStore,
    replace_decimals_with_floats,
)
from rasa_intent_discovery.rasa_plugin.sql_store import Entry

#: A sender id and its events; None where they cannot be read.
_Conversation = tuple[str, Any]

_UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


def document_entries(store: EndpointConfig, where: str) -> Iterator[Entry]:
    """The events of all conversations, one conversation after the other.

    Args:
        store: the settings of a tracker store.
        where: the place of the store, for error messages.

    Raises:
        DataError: there is no store of this type, or no table. Errors of the drivers are left to the caller.
    """
    read = _READERS.get((store.type or "").lower(), _read_own)
    for number, (sender, events) in enumerate(read(store, where), 1):
        if not isinstance(events, list):
            yield f"conversation {number}", sender, None
            continue
        for index, event in enumerate(events, 1):
            yield f"event {index} of conversation {number}", sender, event


def _read_redis(store: EndpointConfig, where: str) -> Iterator[_Conversation]:
    opened = RedisTrackerStore(Domain.empty(), host=store.url, **store.kwargs)
    # KEYS, which Rasa uses, would block a running bot. SCAN may give a key twice, in any order.
    for key in sorted(set(opened.red.scan_iter(match=f"{opened.key_prefix}*", count=1000))):
        yield key.removeprefix(opened.key_prefix), _redis_events(opened, key)


def _redis_events(opened: RedisTrackerStore, key: str) -> Any:
    try:
        kept = opened.red.get(key)
        return [] if kept is None else json.loads(kept)["events"]  # None: it has expired in between
    except _UNREADABLE:
        return None


class _Mongo(MongoTrackerStore):
    def _ensure_indices(self) -> None:
        """Makes no index, as none is needed to read all conversations."""


def _read_mongo(store: EndpointConfig, where: str) -> Iterator[_Conversation]:
    opened = _Mongo(Domain.empty(), host=store.url, **store.kwargs)
    for kept in opened.conversations.find({}, {"sender_id": True, "events": True}):
        yield str(kept.get("sender_id")), kept.get("events", [])


class _Dynamo(DynamoTrackerStore):
    def get_or_create_table(self, table_name: str) -> Any:
        """The table, which is not created if it is missing."""
        import boto3

        return boto3.resource("dynamodb", region_name=self.region).Table(table_name)


def _read_dynamo(store: EndpointConfig, where: str) -> Iterator[_Conversation]:
    opened = _Dynamo(Domain.empty(), **store.kwargs)
    page: dict[str, Any] = {}
    while not page or page.get("LastEvaluatedKey"):
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]} if page else {}
        try:
            page = opened.db.scan(**start)
        except opened.client.exceptions.ResourceNotFoundException as error:
            table = f"table `{opened.table_name}` in {opened.region}"
            raise NothingStoredYet(f"{where}: there is no {table}, so no bot has used it") from error
        for kept in page["Items"]:
            yield str(kept.get("sender_id")), replace_decimals_with_floats(kept.get("events", []))


def _read_own(store: EndpointConfig, where: str) -> Iterator[_Conversation]:
    """The conversations of a custom store, by the interface that all stores have."""
    loop = asyncio.new_event_loop()
    try:
        opened = loop.run_until_complete(_open(store))
        # What Rasa falls back to, in Rasa Pro with another one around it.
        if isinstance(getattr(opened, "_tracker_store", opened), InMemoryTrackerStore):
            raise DataError(f"{where} > type: there is no store of the type {store.type!r}, check its name")
        prefix = getattr(opened, "key_prefix", "")
        for key in loop.run_until_complete(opened.keys()):
            # A store modelled on Rasa's for Redis lists keys with the prefix, and adds it again in a look-up.
            sender = (key.decode() if isinstance(key, bytes) else str(key)).removeprefix(prefix)
            with _without_slot_warnings():
                events = loop.run_until_complete(_events_of(opened, sender))
            yield sender, events
    finally:
        loop.close()


async def _open(store: EndpointConfig) -> TrackerStore:
    return TrackerStore.create(store, Domain.empty())


async def _events_of(store: TrackerStore, sender: str) -> list[Any] | None:
    try:
        tracker = await store.retrieve_full_tracker(sender)
        return [event.as_dict() for event in tracker.events] if tracker else []
    except _UNREADABLE:
        return None


@contextmanager
def _without_slot_warnings() -> Iterator[None]:
    """Mutes the errors that a tracker logs for each slot, as it is built without the domain of the bot."""
    logger = logging.getLogger("rasa.shared.core.trackers")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


_READERS: dict[str, Callable[[EndpointConfig, str], Iterator[_Conversation]]] = {
    "redis": _read_redis,
    "mongod": _read_mongo,
    "dynamo": _read_dynamo,
}
