"""The review desk and connections that keep to no rule: each ends soon, none stops the desk or its end."""

from __future__ import annotations

import json
import re
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from desk_folder import write_folder
from desk_server import TOKEN, Server, serving

from rasa_intent_discovery.review.numbers import DESK

ENDS_WITHIN = 2.5  # seconds from a signal to the end of the process, on a busy machine
ANSWERS_WITHIN = 9.0  # seconds until the last connection that sends nothing is given up, on a busy machine

#: Without the token and with it: what is read of a request before the token is asked for differs.
WHO = {"stranger": "", "person": "Cookie: review_desk_{port}={token}\r\n"}
#: A request, and the statuses it may be answered with; "" is a connection that is closed without an answer.
BROKEN = {
    "a negative length": ("Content-Length: -5\r\n\r\nabc", {"400"}),
    "a negative length and no body": ("Content-Length: -5\r\n\r\n", {"400"}),
    "a length in words": ("Content-Length: five\r\n\r\nabcde", {"400"}),
    "a length with a sign": ("Content-Length: +5\r\n\r\nabcde", {"400"}),
    "a length in other digits": ("Content-Length: \u0665\r\n\r\nabcde", {"400"}),
    "no length at all": ("Content-Length:\r\n\r\n", {"400"}),
    "two lengths": ("Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef", {"400"}),
    "a length twice": ("Content-Length: 5\r\nContent-Length: 5\r\n\r\nabcde", {"400"}),
    "a length without bounds": (f"Content-Length: {10**30}\r\n\r\nabc", {"413"}),
    "a body that never comes": ("Content-Length: 100\r\n\r\n", {"408"}),
    "half a body": ("Content-Length: 100\r\n\r\n{", {"408"}),
    "a body that is waited for": ("Expect: 100-continue\r\nContent-Length: 100\r\n\r\n", {"100", "408"}),
    "half a header": ("Content-Len", {"408"}),
    "nonsense for chunks": ("Transfer-Encoding: chunked\r\n\r\nnonsense\r\n", {"400"}),
    "a negative chunk": ("Transfer-Encoding: chunked\r\n\r\n-5\r\nabc\r\n", {"400"}),
    "chunks that never come": ("Transfer-Encoding: chunked\r\n\r\n", {"400"}),
    "chunks and a length": ("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nabcde", {"400"}),
    "an encoding that is none": ("Transfer-Encoding: nonsense\r\n\r\n", {"400"}),
    "a header without a colon": ("nonsense\r\n\r\n", {"400"}),
    "too many headers": ("".join(f"X-{number}: 1\r\n" for number in range(2000)) + "\r\n", {"413", ""}),
    "a header that is too long": (f"X: {'x' * 100_000}\r\n\r\n", {"413", ""}),
}
#: The same for what is not even the beginning of a request to the desk.
NO_REQUEST = {
    "nothing": (b"", {""}),
    "half a line": (b"POST /api", {"408"}),
    "an empty line": (b"\r\n\r\n", {"400"}),
    "another protocol": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", {"408"}),
    "an address that is no text": (b"GET /\xff HTTP/1.1\r\n\r\n", {"400", ""}),
}


#: Requests that go on a byte at a time as long as they may: how they begin, and who sends them.
SLOW = {
    "a header": ("GET", "", "person"),
    "a header of a stranger": ("GET", "", "stranger"),
    "a body": ("POST /api/act", "Content-Length: 5000\r\n\r\n", "person"),
    "a body of a stranger": ("POST /api/act", "Content-Length: 5000\r\n\r\n", "stranger"),
    "a body that nobody wants": ("GET /api/state", "Content-Length: 5000\r\n\r\n", "person"),
    "a body for no page": ("POST /nothing", "Content-Length: 5000\r\n\r\n", "person"),
}
#: Run before the desk: its limits of time are short.
IMPATIENT = """
from rasa_intent_discovery.review.numbers import DESK
for name in ("header_seconds", "body_seconds", "idle_seconds"):
    object.__setattr__(DESK, name, 0.5)
"""
#: The same, so that a slow machine ends no connection for its age.
PATIENT = IMPATIENT.replace("0.5", "600.0")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_folder(tmp_path_factory.mktemp("connections") / "drafts")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    with serving(folder) as running:
        yield running


def sent(server: Server, data: bytes) -> socket.socket:
    """A connection on which this was sent, and which stays open on our side."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=ANSWERS_WITHIN)
    try:
        connection.sendall(data)
    except OSError:
        connection.close()  # what is too long may be cut off before all of it is sent
    return connection


def request(server: Server, rest: str, who: str = "person", line: str = "POST /api/act") -> bytes:
    head = f"{line} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{WHO[who]}"
    return (head.format(port=server.port, token=TOKEN) + rest).encode()


def statuses(connection: socket.socket) -> set[str]:
    """The statuses of all answers until the desk closes the connection; fails where it does not."""
    received = b""
    try:
        while data := connection.recv(65536):
            received += data
    except ConnectionError:
        pass
    except OSError as error:
        assert connection.fileno() == -1 and not isinstance(error, TimeoutError), f"still open: {received!r}"
    connection.close()
    return set(re.findall(r"HTTP/1.1 (\d+)", received.decode())) or {""}


def assert_serves(server: Server) -> None:
    with sent(server, request(server, "Connection: close\r\n\r\n", line="GET /api/state")) as connection:
        connection.settimeout(2)
        assert statuses(connection) == {"200"}


@pytest.mark.parametrize("who", WHO)
def test_broken_requests_are_answered_or_cut_off_while_others_are_served(server: Server, who: str) -> None:
    connections = {}
    for what, (rest, _) in BROKEN.items():
        connections[what] = sent(server, request(server, rest, who))
        assert_serves(server)
    answered = {what: statuses(connection) for what, connection in connections.items()}
    # A stranger is refused as ever where only the body is wrong.
    refused = {"403"} if who == "stranger" else set()
    expected = {what: one | refused if "408" in one else one for what, (_, one) in BROKEN.items()}
    assert {what: got for what, got in answered.items() if not got <= expected[what]} == {}


def test_what_is_no_request_is_answered_or_cut_off_while_others_are_served(server: Server) -> None:
    connections = {}
    for what, (data, _) in NO_REQUEST.items():
        connections[what] = sent(server, data)
        assert_serves(server)
    answered = {what: statuses(connection) for what, connection in connections.items()}
    assert {what: got for what, got in answered.items() if not got <= NO_REQUEST[what][1]} == {}


@pytest.mark.parametrize("path", ["GET /", "GET /api/state", "POST /nothing", "DELETE /api/act"])
def test_a_body_that_is_not_wanted_is_bounded_too(server: Server, path: str) -> None:
    for rest, expected in [
        ("Content-Length: -5\r\n\r\nabc", {"400"}),
        (f"Content-Length: {10**9}\r\n\r\n", {"413"}),
    ]:
        assert statuses(sent(server, request(server, rest, line=path))) == expected
    assert_serves(server)


def test_a_byte_at_a_time_holds_no_connection_open(folder: Path) -> None:
    with serving(folder, IMPATIENT) as running:
        open_ones = {}
        for what, (line, rest, who) in SLOW.items():
            data = request(running, rest, who, line) if rest else line.encode()
            open_ones[what] = sent(running, data)
        deadline = time.monotonic() + 5
        while open_ones and time.monotonic() < deadline:
            time.sleep(0.1)
            open_ones = {what: one for what, one in open_ones.items() if is_open_after(one, b"x")}
            assert_serves(running)
        assert list(open_ones) == []


def is_open_after(connection: socket.socket, data: bytes) -> bool:
    """Whether the desk keeps the connection open, and takes this, too."""
    connection.settimeout(0.001)
    try:
        connection.sendall(data)
        while connection.recv(65536):
            pass
    except TimeoutError:
        return True
    except OSError:
        pass
    connection.close()
    return False


def test_a_page_that_is_read_slowly_arrives_whole(tmp_path: Path) -> None:
    many = tuple((f"{number} {'x' * 900}", 1, "left_over", None) for number in range(3_000))
    folder = write_folder(tmp_path / "drafts", messages=many)
    with serving(folder, IMPATIENT) as running, closing(socket.socket()) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        connection.connect(("127.0.0.1", running.port))
        connection.sendall(request(running, "\r\n", line="GET /api/page"))
        start, answer, whole = time.monotonic(), b"", 1
        while len(answer) < whole:
            data = connection.recv(65536)
            assert data, f"cut off after {len(answer):,} of {whole:,} bytes"
            answer += data
            end = answer.index(b"\r\n\r\n") + 4
            whole = end + int(re.findall(rb"content-length: (\d+)\r", answer)[0])
            time.sleep(0.05)
        assert time.monotonic() - start > 1.5, "it was read too fast to tell"
        assert len(json.loads(answer[end:])["messages"]["texts"]) == len(many)


def into(told: Path) -> str:
    """Code to be run before the desk: what it says in the terminal goes into this file."""
    return f"import os; os.dup2(os.open({str(told)!r}, os.O_CREAT | os.O_WRONLY), 2)\n"


def test_idle_connections_make_way_before_there_are_no_files_left(folder: Path, tmp_path: Path) -> None:
    few = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (160, 160))\n"  # macOS gives 256
    told = tmp_path / "stderr"
    with serving(folder, few + PATIENT + into(told)) as running:
        idle = [sent(running, b"") for _ in range(150)]
        idle += [sent(running, b"GET / HT") for _ in range(150)]
        assert_serves(running)
        running.sends(signal.SIGSTOP)  # these arrive all at once, as on a slow machine
        idle += [sent(running, b"") for _ in range(90)]
        running.sends(signal.SIGCONT)
        for _ in range(20):
            assert_serves(running)
        still = [one for one in idle if is_open_after(one, b"")]
        assert 0 < len(still) <= DESK.most_connections
        for one in still:
            one.close()
    assert told.read_text() == ""


def test_nothing_is_told_in_the_terminal_of_connections_that_break_off(folder: Path, tmp_path: Path) -> None:
    told = tmp_path / "stderr"
    with serving(folder, into(told)) as running:
        for rest, _ in BROKEN.values():
            for who in WHO:
                sent(running, request(running, rest, who)[:-1]).close()
        for first in (b"GET / HT", b"GET /\xff HTTP/1.1\r\n\r\n", b"GET [ HTTP/1.1\r\n\r\n"):
            connection = sent(running, first)
            connection.shutdown(socket.SHUT_WR)
            statuses(connection)
        for rest in ("Content-Length: 3\r\n\r\nabc", "Content-Length: 3\r\n\r\n"):
            sent(running, request(running, rest, line="GET /api/state")).close()
        assert_serves(running)
    assert told.read_text() == ""


def test_the_error_says_why(server: Server) -> None:
    connection = sent(server, request(server, "Content-Length: -5\r\n\r\n", "stranger"))
    answer = connection.makefile("rb").read().decode()
    connection.close()
    said = json.loads(answer.rpartition("\r\n\r\n")[2])
    assert said == {"error": "expected one Content-Length, in digits, and no other transfer encoding"}
    assert "connection: close" in answer.lower()
    assert "content-security-policy: default-src 'none'" in answer.lower()


#: What ends a desk; who started the tests with `nohup` wants them to go on without a terminal.
SIGNALS = [
    signal.SIGINT,
    signal.SIGTERM,
    *([signal.SIGHUP] if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN else []),
]


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_ends_the_desk_whatever_connections_are_open(folder: Path, number: signal.Signals) -> None:
    with serving(folder) as running:
        data = [request(running, rest, who) for rest, _ in BROKEN.values() for who in WHO]
        data += [first for first, _ in NO_REQUEST.values()]
        data.append(request(running, "\r\n", line="GET /api/page") * 50)  # answered, but never read
        connections = [sent(running, one) for one in data]
        time.sleep(0.5)
        assert seconds_to_end(running, number) < ENDS_WITHIN
        for connection in connections:
            connection.close()


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("busy", ["while True: pass", "time.sleep(600)"], ids=["computing", "waiting"])
def test_a_signal_ends_the_desk_while_it_is_busy(folder: Path, number: signal.Signals, busy: str) -> None:
    before = (
        "import time\n"
        "from rasa_intent_discovery.review.desk.session import Session\n"
        "def forever(*_):\n"
        f"    {busy}\n"
        "Session.state = forever\n"
    )
    with serving(folder, before) as running:
        connection = sent(running, request(running, "\r\n", line="GET /api/state"))
        time.sleep(0.5)
        assert seconds_to_end(running, number) < ENDS_WITHIN
        connection.close()


def test_a_signal_ends_a_desk_that_hears_none(folder: Path, tmp_path: Path) -> None:
    told = tmp_path / "stderr"
    before = (
        f"import os; os.dup2(os.open({str(told)!r}, os.O_CREAT | os.O_WRONLY), 2)\n"
        "import hashlib\n"
        "from rasa_intent_discovery.review.numbers import DESK\n"
        "from rasa_intent_discovery.review.desk.session import Session\n"
        "object.__setattr__(DESK, 'patience_seconds', 0.2)\n"
        "Session.state = lambda *_: hashlib.pbkdf2_hmac('sha256', b'', b'', 10**9)\n"  # not a line of Python
    )
    with serving(folder, before) as running:
        connection = sent(running, request(running, "\r\n", line="GET /api/state"))
        time.sleep(0.5)
        assert exit_code(running, signal.SIGINT) == 130
        connection.close()
    assert told.read_text() == "\nThe review desk was ended in its work. All decisions are in the drafts.\n"


def seconds_to_end(server: Server, number: signal.Signals) -> float:
    """From the signal to the end of the process, which ends well."""
    start = time.monotonic()
    assert exit_code(server, number) == 0
    return time.monotonic() - start


def exit_code(server: Server, number: signal.Signals) -> int | None:
    """The desk's, after the signal; None where it goes on for 20 seconds."""
    server.sends(number)
    server.process.join(20)
    return server.process.exitcode
