"""Tracker stores on real servers: PostgreSQL and Redis, each started for these tests alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rasa.core.tracker_store import RedisTrackerStore, SQLTrackerStore, TrackerStore
from rasa.shared.core.domain import Domain
from rasa.shared.core.events import ActionExecuted, ActiveLoop, SessionStarted, SlotSet, UserUttered
from rasa.shared.core.trackers import DialogueStateTracker
from servers import SECRET, free_port

from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.events import Selection
from rasa_intent_discovery.rasa_plugin import tracker

#: What is read of the conversations that `fill` makes.
SAID = ["close my account", "the first wish, Grüße", "the second wish, Grüße"]


def fell_back(text: str) -> UserUttered:
    ranking = [{"name": "nlu_fallback", "confidence": 0.7}, {"name": "greet", "confidence": 0.3}]
    parsed: Any = {"intent": ranking[0], "intent_ranking": ranking, "entities": [], "text": text}
    return UserUttered(text, ranking[0], parse_data=parsed, input_channel="rest", timestamp=1_770_000_000.0)


def understood(text: str) -> UserUttered:
    return UserUttered(text, {"name": "greet", "confidence": 0.98}, input_channel="rest")


def fill(store: TrackerStore) -> None:
    """Two conversations, one of which has two sessions and a form."""

    async def save() -> None:
        ann = DialogueStateTracker("ann", [])
        for session in ("first", "second"):
            ann.update(ActionExecuted("action_session_start"))
            ann.update(SessionStarted())
            ann.update(understood("hello"))
            ann.update(fell_back(f"the {session} wish, Grüße"))
        for event in (
            ActiveLoop("booking"),
            SlotSet("requested_slot", "name"),
            fell_back("Ann Smith"),
            SlotSet("name", "Ann Smith"),
            ActiveLoop(None),
        ):
            ann.update(event)
        bob = DialogueStateTracker("bob", [])
        bob.update(fell_back("close my account"))
        for conversation in (ann, bob):
            await store.save(conversation)

    asyncio.run(save())


def check(endpoints: str) -> None:
    log = tracker.read_tracker_store(endpoints, Selection())

    assert sorted(message.text for message in log.messages) == SAID
    assert {message.time for message in log.messages} == {1_770_000_000.0}
    assert log.skipped == (
        "endpoints.yml > tracker_store: left out 3 messages: 2 recognised by the bot "
        "(--all-messages reads them), 1 answers to what a form asked for",
    )


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def sql_endpoints(port: int, password: str = SECRET) -> str:
    Path("endpoints.yml").write_text(
        "tracker_store:\n  type: SQL\n  dialect: postgresql\n  url: 127.0.0.1\n"
        f"  port: {port}\n  db: postgres\n  username: rasa\n  password: {password}\n"
    )
    return "endpoints.yml"


def redis_endpoints(port: int, password: str = SECRET) -> str:
    Path("endpoints.yml").write_text(
        f"tracker_store:\n  type: redis\n  url: 127.0.0.1\n  port: {port}\n  password: {password}\n"
    )
    return "endpoints.yml"


def test_postgresql(postgres: int) -> None:
    store = SQLTrackerStore(
        Domain.empty(),
        dialect="postgresql",
        host="127.0.0.1",
        port=postgres,
        db="postgres",
        username="rasa",
        password=SECRET,
    )
    fill(store)

    check(sql_endpoints(postgres))


def test_redis(redis: int) -> None:
    fill(RedisTrackerStore(Domain.empty(), host="127.0.0.1", port=redis, password=SECRET))

    check(redis_endpoints(redis))


def refused(endpoints: str) -> str:
    with pytest.raises(DataError) as raised:
        tracker.read_tracker_store(endpoints, Selection())
    assert str(raised.value).startswith("endpoints.yml > tracker_store: the store cannot be read (")
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_a_wrong_password_is_said_and_not_printed(postgres: int, redis: int) -> None:
    assert "wrong-secret" not in refused(sql_endpoints(postgres, "wrong-secret"))
    assert "wrong-secret" not in refused(redis_endpoints(redis, "wrong-secret"))


@pytest.mark.parametrize("endpoints", [sql_endpoints, redis_endpoints])
def test_a_store_that_is_down(endpoints: Callable[[int], str]) -> None:
    line = refused(endpoints(free_port())).casefold()
    assert "refused" in line or "connect" in line
