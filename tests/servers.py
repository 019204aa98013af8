"""Servers started for the tests alone; where one is not installed, its tests are skipped."""

from __future__ import annotations

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


def wait_for(ready: Callable[[], bool], server: subprocess.Popen[bytes], seconds: int = 30) -> None:
    for _ in range(10 * seconds):
        if ready():
            return
        assert server.poll() is None, "the server ended"
        time.sleep(0.1)
    raise AssertionError("the server does not answer")


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="session")
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
