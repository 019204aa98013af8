"""Tracker stores on real servers: PostgreSQL and Redis, each started for these tests alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conversations import NO_DOMAIN, check, fill
from servers import SECRET, free_port

from rasa_intent_discovery.corpus.events import Selection
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.rasa_plugin import tracker
from rasa_intent_discovery.rasa_plugin.rasa_versions import RedisTrackerStore, SQLTrackerStore


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
        NO_DOMAIN,
        dialect="postgresql",
        host="127.0.0.1",
        port=postgres,
        db="postgres",
        username="rasa",
        password=SECRET,
    )
    fill(store)

    check(tracker.read_tracker_store(sql_endpoints(postgres), Selection()))


def test_redis(redis: int) -> None:
    fill(RedisTrackerStore(NO_DOMAIN, host="127.0.0.1", port=redis, password=SECRET))

    check(tracker.read_tracker_store(redis_endpoints(redis), Selection()))


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
