"""The review desk under load, among broken requests, and ended at any moment."""

from __future__ import annotations

import errno
import itertools
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import pytest
from attack_table import Outcome
from desk_folder import files_of, write_folder
from desk_server import TOKEN, Server, serving

import rasa_intent_discovery
from rasa_intent_discovery.review.decisions.folder import open_desk

pytestmark = pytest.mark.timeout(900)

MANY = 300
MINUTE = 60.0  # seconds
AT_ONCE = 5.0  # seconds within which a person is answered, on a busy machine
ENDS_WITHIN = 12.0  # seconds from the first Ctrl-C to the end; the desk allows itself four and a half

#: Of these requests are made, in any order.
PIECES = (
    *("GET", "POST", "PUT", "HEAD", "OPTIONS", " ", "/", "/api/act", "/api/page", "/api/state", "/api/name"),
    *("/api/split", "/desk.js", "?", "token=", "code=", "%", "%00", "%ff", "%zz", "\0", "\xff", "\r\n", "\n"),
    *(
        "HTTP/1.1",
        "HTTP/1.0",
        "HTTP/9",
        "Content-Length: 5",
        "Transfer-Encoding: chunked",
        "Upgrade: websocket",
    ),
    *("Connection: Upgrade", "Expect: 100-continue", 'Cookie: a="\\', "Cookie: \xff=\xfe", "Origin: null"),
    *("Content-Type: multipart/form-data; boundary=", "{", "}", "[", "]", "null", "NaN", "[::1]", "http://["),
    *("//", "..", "/../../etc/passwd", "#", ";", "&draft=", "name=a/b"),
)
BODIES = (
    *("", "[" * 500, "\xff\xfe", "null", '{"verb": [1]}', '{"verb": "decide", "arguments": {}}'),
    '{"revision": 0, "verb": "decide", "arguments": {"draft": 5, "decision": []}}',
    '{"revision": 0, "verb": "split", "arguments": {"texts": [1e400, true, -1, null], "name": {"a": 1}}}',
    '{"revision": 0, "verb": "merge", "arguments": {"draft": null, "target": 7}}',
    '{"revision": 0, "verb": "annotate", "arguments": {"draft": "new/visa.yml", "annotation": "[", "on": 3}}',
    '{"revision": 0, "verb": "merge_all", "arguments": {"drafts": "x", "target": []}}',
    '{"revision": 0, "verb": "drop", "arguments": {"draft": "new/refund.yml", "texts": "abc"}}',
    '{"revision": 0, "verb": "undo", "arguments": {"x": 1}}',
)


@pytest.fixture(autouse=True)
def interrupts() -> Iterator[None]:
    """Ctrl-C arrives, also where these tests run in the background of a script, whose programs ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "drafts")


def head_of(server: Server, line: str, *more: str) -> bytes:
    cookie = f"Cookie: review_desk_{server.port}={server.token}"
    return "\r\n".join([line, f"Host: 127.0.0.1:{server.port}", cookie, *more, "", ""]).encode("latin-1")


def asked(server: Server, path: str, body: object = None) -> tuple[int, Any, float]:
    """Status and answer, on a connection of its own, and the seconds that took."""
    start = time.monotonic()
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=20)) as connection:
        headers = {"Cookie": f"review_desk_{server.port}={server.token}"}
        connection.request("POST" if body else "GET", path, json.dumps(body) if body else None, headers)
        answer = connection.getresponse()
        text = answer.read()
    return answer.status, json.loads(text) if text[:1] == b"{" else text, time.monotonic() - start


def connected(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=20)


@pytest.mark.tried(
    "Desk", "300 connections, renewed for a minute, that send nothing, a byte a second or half a body"
)
def test_connections_that_hold_on_keep_nobody_from_the_desk(folder: Path, outcome: Outcome) -> None:
    with serving(folder) as server:
        begins = itertools.cycle(
            (
                b"",
                b"G",
                head_of(server, "POST /api/act HTTP/1.1", "Content-Length: 9000"),
                b"GET / HTTP/1.1\r\nX: ",
            )
        )
        held: list[socket.socket] = []
        opened, slowest, answers = 0, 0.0, 0
        until = time.monotonic() + MINUTE
        while time.monotonic() < until:
            held = [one for one in held if holds_on(one)]
            for _ in range(MANY - len(held)):
                held.append(connected(server))
                with suppress(ConnectionError):  # it may have made way already
                    held[-1].sendall(next(begins))
                opened += 1
            for path in ("/api/state", "/api/page", "/"):
                status, _, seconds = asked(server, path)
                assert status == 200
                slowest, answers = max(slowest, seconds), answers + 1
            time.sleep(0.5)
        assert slowest < AT_ONCE
        for one in held:
            one.close()
    outcome(
        f"{opened:,} connections",
        f"{answers} requests of a person beside them answered, the slowest after {slowest:.1f} s",
    )


def holds_on(connection: socket.socket) -> bool:
    """Whether the desk keeps a connection open, on which one more byte is sent."""
    connection.settimeout(0.001)
    try:
        connection.sendall(b"x")
        while connection.recv(65536):
            pass
    except TimeoutError:
        return True
    except OSError:
        pass
    connection.close()
    return False


@pytest.mark.tried("Desk", "random and malformed requests, with the token and without it")
def test_malformed_requests_do_nothing_and_say_nothing(
    folder: Path, tmp_path: Path, outcome: Outcome
) -> None:
    told, before, number = tmp_path / "stderr", files_of(folder), 5000
    quiet = f"import os; os.dup2(os.open({str(told)!r}, os.O_CREAT | os.O_WRONLY), 2)\n"
    chance, statuses, slowest = random.Random(0), Counter[str](), 0.0
    with serving(folder, quiet) as server:
        for _ in range(number):
            start = time.monotonic()
            with closing(connected(server)) as connection:
                answer = b""
                with suppress(ConnectionError):
                    connection.sendall(made_up(server, chance))
                    hung_up(connection)
                    while data := connection.recv(65536):
                        answer += data
            statuses.update(re.findall(r"HTTP/1\.1 (\d)", answer.decode("latin-1")) or ["none"])
            slowest = max(slowest, time.monotonic() - start)
        assert asked(server, "/api/state")[0] == 200
    assert statuses["5"] == 0
    assert slowest < AT_ONCE
    assert told.read_text() == ""
    assert files_of(folder) == before
    outcome(
        f"{number:,} requests",
        f"none failed inside, nothing was changed or printed, the slowest answer after {slowest:.1f} s",
    )


def hung_up(connection: socket.socket) -> None:
    """Says that nothing more is sent; the desk may have closed the connection already."""
    try:
        connection.shutdown(socket.SHUT_WR)
    except OSError as error:
        assert error.errno == errno.ENOTCONN, error


def made_up(server: Server, chance: random.Random) -> bytes:
    if chance.random() < 0.25:
        return "".join(chance.choices(PIECES, k=chance.randint(1, 12))).encode("latin-1") + b"\r\n\r\n"
    method = chance.choice(("GET", "POST", "POST", "HEAD", "OPTIONS", "PUT", "FOO"))
    path = chance.choice(("/", "/api/act", "/api/page", "/api/state", "/api/name", "/api/split", "/nothing"))
    more = "".join(chance.choices(PIECES, k=chance.randint(0, 3)))
    lines = [f"{method} {path}{''.join(more.split())} HTTP/1.1"]
    if chance.random() < 0.9:
        lines.append(f"Host: 127.0.0.1:{server.port}")
    if chance.random() < 0.7:
        lines.append(f"Cookie: review_desk_{server.port}={TOKEN}")
    lines += ["".join(chance.choices(PIECES, k=2)) for _ in range(chance.randint(0, 3))]
    body = chance.choice(BODIES).encode("latin-1")
    if body:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


@pytest.mark.tried("Desk", "`kill -9` while decisions are made, pages are read and 50 connections hold on")
def test_no_decision_that_was_answered_is_lost(folder: Path, outcome: Outcome) -> None:
    chance, kills, answered = random.Random(1), 20, 0
    for _ in range(kills):
        with serving(folder) as server:
            held = [connected(server) for _ in range(50)]
            stop = threading.Event()
            readers = [threading.Thread(target=read, args=(server, stop)) for _ in range(2)]
            for reader in readers:
                reader.start()
            says = decide_until_killed(server, chance)
            stop.set()
            for reader in readers:
                reader.join()
            for connection in held:
                connection.close()
        answered += len(says)
        journal = [entry.says for entry in open_desk(folder).journal]
        assert journal[: len(says)] == says
        shutil.rmtree(folder)
        write_folder(folder)
    assert answered >= kills
    outcome(f"{kills} kills", f"all {answered:,} decisions that were answered are in the drafts")


def read(server: Server, stop: threading.Event) -> None:
    while not stop.is_set():
        with suppress(OSError, HTTPException, ValueError):
            asked(server, "/api/page")


def decide_until_killed(server: Server, chance: random.Random) -> list[str]:
    """What the desk said of each decision that it answered; it is killed some time after one of the first."""
    says: list[str] = []
    killer = threading.Timer(chance.uniform(0, 0.2), server.process.kill)
    after = chance.randint(1, 20)
    drafts = ("new/refund.yml", "new/invoice.yml", "new/visa.yml", "known/greet.yml")
    with suppress(OSError, HTTPException, ValueError):
        while True:
            arguments = {
                "draft": chance.choice(drafts),
                "decision": chance.choice(("accepted", "ignored", "later")),
            }
            asks = {"revision": len(says), "verb": "decide", "arguments": arguments}
            status, body, _ = asked(server, "/api/act", asks)
            assert status in (200, 422)  # a draft that is accepted already
            if status == 200:
                says.append(body["says"])
            if len(says) == after and not killer.is_alive():
                killer.start()
    killer.join()
    return says


@pytest.mark.tried(
    "Desk", "Ctrl-C twice: while the command starts, while it computes, with 300 connections open"
)
def test_a_second_interrupt_always_ends_it(folder: Path, outcome: Outcome) -> None:
    starting = [ended(folder, after=0.2 * step) for step in range(20)]
    under_load = [*ended_under_load(folder)]
    longest = max(*starting, *under_load)
    assert longest < ENDS_WITHIN
    outcome(
        f"{len(starting) + len(under_load)} times",
        f"it always ended, at the latest {longest:.1f} s after the first",
    )


def ended(folder: Path, after: float) -> float:
    """Seconds from the first interrupt of the command to its end; the second comes a moment later."""
    root = Path(rasa_intent_discovery.__file__).parents[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "rasa_intent_discovery", "review", "--out", folder, "--no-browser"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    time.sleep(after)
    try:
        return twice(process.send_signal, process.wait)
    finally:
        process.kill()


def twice(sends: Callable[[int], object], waits: Callable[[float], object]) -> float:
    """Seconds from the first of two interrupts to the end."""
    start = time.monotonic()
    sends(signal.SIGINT)
    time.sleep(0.1)
    sends(signal.SIGINT)
    waits(30)
    return time.monotonic() - start


def ended_under_load(folder: Path) -> Iterator[float]:
    """The same of desks with open connections that wait, compute, or compute without hearing a signal."""
    busy = ("pass", "while True: pass", "__import__('hashlib').pbkdf2_hmac('sha256', b'', b'', 10**9)")
    for does, asks in itertools.product(busy, (1, 20)):
        before = (
            "from rasa_intent_discovery.review.desk.session import Session\n"
            f"def busy(*_):\n    {does}\n    return {{}}\n"
            "Session.state = busy\n"
        )
        with serving(folder, before) as server:
            held = [connected(server) for _ in range(MANY)]
            for _ in range(asks):
                held.append(connected(server))
                with suppress(ConnectionError):  # it may have made way already
                    held[-1].sendall(head_of(server, "GET /api/state HTTP/1.1"))
            time.sleep(0.5)
            yield twice(server.sends, server.process.join)
            for one in held:
                one.close()
