"""Tracker stores on real servers: PostgreSQL and Redis, each started for these tests alone."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rasa.core.tracker_store import RedisTrackerStore, SQLTrackerStore, TrackerStore
from rasa.shared.core.domain import Domain
from rasa.shared.core.events import ActionExecuted, ActiveLoop, SessionStarted, SlotSet, UserUttered
from rasa.shared.core.trackers import DialogueStateTracker

from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.events import Selection
from rasa_intent_discovery.rasa_plugin import tracker

SECRET = "hush-hush"
#: Debian keeps the server's programs beside the path.
POSTGRES = shutil.which("postgres") or next(
    map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))), None
)
#: It refuses to run as root.
AS_POSTGRES: dict[str, Any] = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(ready: Callable[[], bool], server: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        if ready():
            return
        assert server.poll() is None, "the server ended"
        time.sleep(0.1)
    raise AssertionError("the server does not answer")


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server whose user is `rasa`, and the password `SECRET`."""
    if POSTGRES is None:
        pytest.skip("PostgreSQL is not installed")
    # The user `postgres` cannot enter the folders that pytest makes for root.
    parent = Path("/tmp") if AS_POSTGRES else tmp_path_factory.mktemp("postgres")
    data, password = parent / f"postgres-{os.getpid()}", parent / f"postgres-{os.getpid()}.password"
    data.mkdir()
    password.write_text(SECRET)
    if AS_POSTGRES:
        shutil.chown(data, "postgres", "postgres")
        shutil.chown(password, "postgres", "postgres")
    port, programs = free_port(), Path(POSTGRES).resolve().parent
    settings = ["-U", "rasa", "-A", "scram-sha-256", "--pwfile", str(password)]
    try:
        subprocess.run(
            [programs / "initdb", "-D", data, *settings],
            check=True,
            capture_output=True,
            cwd="/",
            **AS_POSTGRES,
        )
        server = subprocess.Popen(
            [programs / "postgres", "-D", data, "-p", str(port), "-k", data, "-h", "127.0.0.1"],
            stderr=subprocess.DEVNULL,
            cwd="/",
            **AS_POSTGRES,
        )
        try:
            probe = [programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port)]
            wait_for(lambda: subprocess.run(probe, check=False).returncode == 0, server)
            yield port
        finally:
            server.send_signal(signal.SIGINT)  # it does not wait for those still connected
            server.wait()
    finally:
        shutil.rmtree(data)
        password.unlink()


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server with the password `SECRET`."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("Redis is not installed")
    port = free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--requirepass", SECRET]
    server = subprocess.Popen(
        [program, *options], cwd=tmp_path_factory.mktemp("redis"), stdout=subprocess.DEVNULL
    )
    try:
        wait_for(lambda: answers(port), server)
        yield port
    finally:
        server.terminate()
        server.wait()


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

    wishes = ["close my account", "the first wish, Grüße", "the second wish, Grüße"]
    assert sorted(message.text for message in log.messages) == wishes
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
