"""Events that Rasa's own brokers and `rasa export` write, as files and as a table."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import confluent_kafka
import pytest
from conversations import NO_DOMAIN, check, fill
from rasa.cli.export import export_trackers
from rasa.core.brokers.file import FileEventBroker
from rasa.core.brokers.pika import PikaEventBroker
from rasa.shared.core.trackers import DialogueStateTracker, EventVerbosity

from rasa_intent_discovery.corpus.events import Selection
from rasa_intent_discovery.corpus.messages import read_messages
from rasa_intent_discovery.rasa_plugin.rasa_versions import RedisTrackerStore, SQLTrackerStore
from rasa_intent_discovery.rasa_plugin.tracker import read_tracker_store

STORE = "tracker_store:\n  type: SQL\n  dialect: sqlite\n  db: tracker.db\n"
DUMP = "events.jsonl"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def export(broker: str) -> None:
    """`rasa export` of a filled store into an event broker."""
    fill(SQLTrackerStore(NO_DOMAIN, dialect="sqlite", db="tracker.db"))
    Path("endpoints.yml").write_text(f"{STORE}event_broker:\n{broker}")
    nothing = dict.fromkeys(
        ["minimum_timestamp", "maximum_timestamp", "offset_timestamps_by_seconds", "conversation_ids"]
    )
    export_trackers(argparse.Namespace(endpoints="endpoints.yml", **nothing))


def test_exported_into_a_file() -> None:
    export(f"  type: file\n  path: {DUMP}\n")

    check(read_messages([DUMP]), DUMP)


def test_exported_into_a_table() -> None:
    export("  type: SQL\n  dialect: sqlite\n")

    Path("endpoints.yml").write_text("event_broker:\n  type: SQL\n  dialect: sqlite\n")
    check(read_tracker_store("endpoints.yml", Selection()), "endpoints.yml > event_broker")


class Producer:
    """Kafka's, which keeps what it is given instead of sending it."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.list_topics = self.flush = self.poll = lambda *_, **__: None

    def produce(self, topic: str, value: bytes, **_: Any) -> None:
        write(value)


class Exchange:
    """RabbitMQ's, likewise."""

    async def publish(self, message: Any, routing_key: str) -> None:
        write(message.body)


def write(body: bytes) -> None:
    with Path(DUMP).open("ab") as dump:
        dump.write(body + b"\n")


def test_exported_to_kafka(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confluent_kafka, "Producer", Producer)

    export("  type: kafka\n  url: localhost\n  security_protocol: PLAINTEXT\n")

    check(read_messages([DUMP]), DUMP)


def test_exported_to_rabbitmq(monkeypatch: pytest.MonkeyPatch) -> None:
    async def connect(broker: PikaEventBroker) -> None:
        broker._exchange = Exchange()

    async def close(broker: PikaEventBroker) -> None:
        for task in list(broker._background_tasks):
            await task

    monkeypatch.setattr(PikaEventBroker, "connect", connect)
    monkeypatch.setattr(PikaEventBroker, "is_ready", lambda broker: True)
    monkeypatch.setattr(PikaEventBroker, "close", close)

    export("  type: pika\n  url: localhost\n  username: bot\n  password: hush\n")

    check(read_messages([DUMP]), DUMP)


def test_written_while_the_bot_runs() -> None:
    """The store itself hands what it saves to its broker."""
    broker = FileEventBroker(DUMP)

    fill(SQLTrackerStore(NO_DOMAIN, dialect="sqlite", db="tracker.db", event_broker=broker))

    assert json.loads(Path(DUMP).read_text().splitlines()[0])["sender_id"] == "ann"
    check(read_messages([DUMP]), DUMP)


def as_the_server_answers(conversation: DialogueStateTracker) -> str:
    return json.dumps(conversation.current_state(EventVerbosity.ALL))


@pytest.mark.parametrize("written", [as_the_server_answers, RedisTrackerStore.serialise_tracker])
def test_whole_conversations(written: Callable[[DialogueStateTracker], str]) -> None:
    """One on a line: `GET /conversations/<id>/tracker`, or the value of a key of Redis."""
    store = SQLTrackerStore(NO_DOMAIN, dialect="sqlite", db="tracker.db")
    fill(store)
    for sender in ("ann", "bob"):
        conversation = asyncio.run(store.retrieve_full_tracker(sender))
        assert conversation is not None
        write(written(conversation).encode())

    check(read_messages([DUMP]), DUMP)
