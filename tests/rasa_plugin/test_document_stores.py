"""MongoDB and DynamoDB, by the stand-ins with which Rasa tests its own classes: no server is there."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import mongomock
import pymongo.database
import pytest
from conversations import NO_DOMAIN, SAID, check, fill
from moto import mock_aws
from rasa.shared.core.domain import Domain
from rasa.shared.core.trackers import DialogueStateTracker
from servers import SECRET
from test_stores import redis_endpoints

from rasa_intent_discovery.corpus.events import Selection
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.rasa_plugin import tracker
from rasa_intent_discovery.rasa_plugin.rasa_versions import (
    DynamoTrackerStore,
    MongoTrackerStore,
    RedisTrackerStore,
    TrackerStore,
)

MONGO = "tracker_store:\n  type: mongod\n  url: mongodb://localhost:27017\n  db: rasa\n"
DYNAMO = "tracker_store:\n  type: dynamo\n  table_name: states\n  region: eu-central-1\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def mongo(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The database `rasa` of a server at the usual place."""
    with mongomock.patch(servers="mongodb://localhost:27017"):
        # Rasa makes the database itself, of the client's.
        monkeypatch.setattr(pymongo.database, "Database", lambda client, name: client[name])
        Path("endpoints.yml").write_text(MONGO)
        yield pymongo.MongoClient("mongodb://localhost:27017").rasa


@pytest.fixture
def dynamo() -> Iterator[Any]:
    with mock_aws():
        Path("endpoints.yml").write_text(DYNAMO)
        yield boto3.client("dynamodb", region_name="eu-central-1")


def read() -> tracker.MessageLog:
    return tracker.read_tracker_store("endpoints.yml", Selection())


def error() -> str:
    with pytest.raises(DataError) as raised:
        read()
    return str(raised.value)


def test_mongodb(mongo: Any) -> None:
    fill(MongoTrackerStore(NO_DOMAIN, host="mongodb://localhost:27017"))

    check(read())


def test_dynamodb(dynamo: Any) -> None:
    fill(DynamoTrackerStore(NO_DOMAIN, "states", "eu-central-1"))

    check(read())


def test_nothing_is_made_in_mongodb(mongo: Any) -> None:
    assert error() == (
        "endpoints.yml > tracker_store: the store holds no message of a user; name files with --messages"
    )
    assert mongo.list_collection_names() == []


def test_nothing_is_made_in_dynamodb(dynamo: Any) -> None:
    assert error() == (
        "endpoints.yml > tracker_store: there is no table `states` in eu-central-1, so no bot has used it"
    )
    assert dynamo.list_tables()["TableNames"] == []


def test_a_table_of_dynamodb_that_is_empty(dynamo: Any) -> None:
    DynamoTrackerStore(NO_DOMAIN, "states", "eu-central-1")

    assert error().endswith("the store holds no message of a user; name files with --messages")


def test_more_than_dynamodb_gives_at_once(dynamo: Any) -> None:
    """A page is no larger than a megabyte."""
    store = DynamoTrackerStore(NO_DOMAIN, "states", "eu-central-1")
    long = "o" * 100_000
    for number in range(12):
        user = {"event": "user", "text": f"{number} {long}", "timestamp": 1}
        store.db.put_item(Item={"sender_id": str(number), "events": [user]})

    assert len(store.db.scan()["Items"]) < 12
    assert sorted(int(message.text.split()[0]) for message in read().messages) == list(range(12))


def test_what_is_broken_in_mongodb_is_skipped_and_counted(mongo: Any) -> None:
    mongo.conversations.insert_many(
        [
            {"sender_id": 4711, "events": [{"event": "user", "text": "an id of an older Rasa"}, "broken"]},
            {"sender_id": "ann", "events": "broken"},
            {"sender_id": "bob"},
            {"events": [{"event": "user", "text": "of nobody", "parse_data": "broken"}]},
        ]
    )
    before = list(mongo.conversations.find())

    log = read()

    assert [message.text for message in log.messages] == ["an id of an older Rasa", "of nobody"]
    assert log.skipped == (
        "endpoints.yml > tracker_store: skipped 2 events that cannot be read, the first is event 2 of "
        "conversation 1",
    )
    assert list(mongo.conversations.find()) == before


def test_what_is_broken_in_redis_is_skipped_and_counted(redis: int) -> None:
    store = RedisTrackerStore(NO_DOMAIN, host="127.0.0.1", port=redis, password=SECRET, db=3)
    fill(store)
    store.red.set("tracker:aaa", b"\x80\x04pickled")
    store.red.set("tracker:carl", '["no conversation"]')
    store.red.set("something else", "{}")
    endpoints = Path(redis_endpoints(redis))
    endpoints.write_text(f"{endpoints.read_text()}  db: 3\n")

    log = read()

    assert sorted(message.text for message in log.messages) == SAID
    assert "skipped 2 conversations that cannot be read, the first is conversation 1; " in log.skipped[0]


class Forgetful(TrackerStore):
    """A store of somebody's own that has lost one of its conversations."""

    def __init__(self, domain: Domain, host: Any = None, event_broker: Any = None, **kwargs: Any) -> None:
        super().__init__(domain, event_broker, **kwargs)

    async def keys(self) -> list[str]:
        return ["ann", "bob"]

    async def retrieve_full_tracker(self, conversation_id: str) -> DialogueStateTracker | None:
        said = {"ann": {"event": "user", "text": "hi", "parse_data": {}}, "bob": {"event": "???"}}
        events = [{"event": "slot", "name": "city", "value": "Paris"}, said[conversation_id]]
        return DialogueStateTracker.from_dict(conversation_id, events, self.domain.slots)


def test_a_store_of_ones_own(caplog: pytest.LogCaptureFixture) -> None:
    Path("endpoints.yml").write_text(f"tracker_store:\n  type: {__name__}.Forgetful\n")
    before = logging.getLogger("rasa.shared.core.trackers").level

    log = read()

    assert [message.text for message in log.messages] == ["hi"]
    assert log.skipped == ("endpoints.yml > tracker_store: skipped conversation 2, which cannot be read",)
    assert "non existent slot" not in caplog.text
    assert logging.getLogger("rasa.shared.core.trackers").level == before
