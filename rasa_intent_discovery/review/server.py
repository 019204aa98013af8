"""The review desk's server: one person, one folder, this machine only.

Requests need the token, and have to come from the desk's own page. The token is in the address that the
command prints, and in a cookie from then on. A browser is opened with a code instead, which lets in once:
other users of the machine can read the command lines of programs. Only the files and routes below are served.
"""

from __future__ import annotations

import _thread
import asyncio
import gzip
import hashlib
import hmac
import json
import logging
import os
import re
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from sanic import Sanic
from sanic.exceptions import (
    Forbidden,
    InvalidUsage,
    NotFound,
    PayloadTooLarge,
    RequestTimeout,
    SanicException,
)
from sanic.request import Request
from sanic.response import HTTPResponse

from rasa_intent_discovery.errors import ConfigError, DataError
from rasa_intent_discovery.review.connections import BrokenOff, Connection
from rasa_intent_discovery.review.decisions import Review, name_problem
from rasa_intent_discovery.review.end import Answer, End
from rasa_intent_discovery.review.files import act, redo, undo
from rasa_intent_discovery.review.folder import ChangedElsewhere, Desk, open_desk, refreshed
from rasa_intent_discovery.review.meaning import MakeEncoder, Meaning
from rasa_intent_discovery.review.messages import read_log
from rasa_intent_discovery.review.near_answers import left_over_answer, near_answer
from rasa_intent_discovery.review.numbers import DESK
from rasa_intent_discovery.review.other_names import other_names
from rasa_intent_discovery.review.page import (
    STYLES,
    page_asset,
    page_html,
    page_messages,
    page_script,
    page_state,
    run_of,
)
from rasa_intent_discovery.review.split import split_in_two
from rasa_intent_discovery.training_data.nlu_yaml import carry

logger = logging.getLogger(__name__)

HOST = "127.0.0.1"
_SCRIPT = "text/javascript; charset=utf-8"
_STYLE = "text/css; charset=utf-8"
_SCRIPT_NAME = "desk.js"
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "worker-src blob:; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class _Request(Request):
    """A request whose body has to arrive within `DESK.body_seconds`."""

    async def receive_body(self) -> None:
        try:
            await asyncio.wait_for(super().receive_body(), DESK.body_seconds)
        except asyncio.TimeoutError:
            if self.stream is not None:
                # Otherwise the server would wait for the rest of the body after its answer.
                self.stream.request_body, self.stream.keep_alive = None, False
            raise RequestTimeout("the body of the request did not come") from None


class Session:
    """The state between two requests: the folder as it was last read.

    Args:
        make_encoder: of the settings of a run, for the search by meaning; None where there is none.
        end: answers what is asked at the end of a review.
    """

    def __init__(self, folder: Path, make_encoder: MakeEncoder | None = None, end: End | None = None) -> None:
        self.end = end or End()
        self.desk = open_desk(folder)
        self._make_encoder = make_encoder
        self._read_run()

    def _read_run(self) -> None:
        """Reads what no decision changes."""
        self.log = read_log(self.desk.folder, self.desk.run)
        self.meaning = Meaning(self.desk.folder, self.log, self.desk.run, self._make_encoder)

    def refresh(self) -> None:
        """Reads what another program changed; raises DataError if the folder is gone."""
        before = self.desk
        self.desk = refreshed(before)
        if self.desk.run["files"] != before.run["files"]:
            self.meaning.close()
            self._read_run()

    def state(self, since: Desk | None = None) -> dict[str, Any]:
        """All the page shows, or only what changed since `since`."""
        return {**page_state(self.desk, self.log, since), "in_bot": self.end.in_bot(self.desk)}

    def page(self) -> dict[str, Any]:
        """All that the page needs to begin."""
        messages = page_messages(self.desk.run, self.log)
        return {"state": self.state(), "messages": messages, "end": self.end.told()}

    def act(self, verb: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Performs a verb; in `texts`, a message is given by its row, an example by its text."""
        before, chosen = self.desk, None
        if verb in ("undo", "redo"):
            self.desk = (undo if verb == "undo" else redo)(before)
            chosen = _shown_after(self.desk.journal[-1].files, before.review, self.desk.review)
        else:
            self.desk, chosen = act(before, verb, {**arguments, **self._texts(arguments)})
        return {**self.state(before), "says": self.desk.journal[-1].says, "chosen": chosen}

    def split(self, draft: str) -> dict[str, Any]:
        """The rows of a part of a draft that could be split off, and a name for it."""
        rows, name = split_in_two(self.desk.review, self.log, draft)
        return {"rows": rows, "name": name}

    def names(self, draft: str) -> dict[str, Any]:
        """Other names that a draft could have."""
        return {"names": other_names(self.desk.review, self.log, draft)}

    def _texts(self, arguments: dict[str, Any]) -> dict[str, Any]:
        texts = arguments.get("texts")
        if not isinstance(texts, list):
            return {}
        messages = self.log.messages
        rows = [text for text in texts if isinstance(text, int)]
        if not all(0 <= row < len(messages) for row in rows):
            raise DataError("there is no such message any more: load the page again")
        return {"texts": [carry(messages[text].text) if isinstance(text, int) else text for text in texts]}


def _shown_after(files: Iterable[str], before: Review, after: Review) -> str | None:
    """Of the files that an undo or redo changed, the draft it brought back, or the first that is there."""
    there = [path for path in files if path in after.drafts]
    return next((path for path in there if path not in before.drafts), next(iter(there), None))


def usual_port(folder: Path) -> int:
    """The port of a folder's desk, where it is free: its page goes on when the desk is started again."""
    first, last = DESK.ports
    digest = hashlib.sha256(str(folder.resolve()).encode("utf-8", "surrogateescape")).digest()
    return first + int.from_bytes(digest[:4], "big") % (last + 1 - first)


def listen_for(folder: Path) -> socket.socket:
    """A socket on the usual port of a folder, or on any free one."""
    try:
        return listen(usual_port(folder))
    except ConfigError:
        return listen(0)


def listen(port: int) -> socket.socket:
    """A socket that listens on this machine only; port 0 takes any free port.

    Raises:
        ConfigError: the port cannot be used.
    """
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, DESK.send_bytes)  # of its connections, too
    try:
        listening.bind((HOST, port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise ConfigError(
            f"port {port} cannot be used ({error.strerror or error}): choose another with --port, or leave "
            "it out"
        ) from None
    return listening


def make_app(session: Session, token: str, port: int, code: str = "") -> Sanic:
    """The application, for a socket on this port.

    Args:
        token: lets in whoever has it.
        code: lets in who comes with it first; an empty one lets in nobody.
    """
    name = f"review_desk_{port}_{token[:8].replace('-', '_')}"
    app = Sanic(name, configure_logging=False, request_class=_Request)
    app.config.REQUEST_MAX_SIZE = DESK.most_bytes
    app.config.REQUEST_TIMEOUT = DESK.header_seconds
    app.config.RESPONSE_TIMEOUT = DESK.answer_seconds
    app.config.KEEP_ALIVE_TIMEOUT = DESK.idle_seconds
    app.config.GRACEFUL_SHUTDOWN_TIMEOUT = DESK.grace_seconds
    app.config.FALLBACK_ERROR_FORMAT = "json"
    app.config.USE_UVLOOP = False  # it takes the signals' bytes that `_interruptible` waits for
    app.ctx.session = session
    _guard(app, token, port, code)
    _add_pages(app, session, token, port)
    _add_api(app, session)
    _add_meaning(app, session)
    return app


def serve(app: Sanic, listening: socket.socket, address: str | None = None) -> None:
    """Serves until the process is interrupted.

    Args:
        address: page to open in a browser; None opens none.

    Raises:
        KeyboardInterrupt: it was interrupted twice, or did not end in time after an interrupt.
    """
    for name in ("sanic.root", "sanic.access", "rasa_intent_discovery.drafts.file_changes"):
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("sanic.error").addFilter(BrokenOff())
    if address is not None and _has_browser():

        @app.after_server_start
        async def show(*_: Any) -> None:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    with _interruptible(app) as interrupted:

        @app.after_server_start
        async def watch(*_: Any) -> None:
            app.add_task(_stop_when(interrupted, app))

        app.run(sock=listening, protocol=Connection, motd=False, access_log=False, register_sys_signals=False)


@contextmanager
def _interruptible(app: Sanic) -> Iterator[threading.Event]:
    """Sets the event at the first interrupt. A second one, or too long a wait, ends the block by force.

    Where not even that ends it, as in a long computation that hears no signal, the process is ended: what was
    decided is in the folder.

    Raises:
        KeyboardInterrupt: the block was ended by force.
    """
    interrupted, ended, lock = threading.Event(), threading.Event(), threading.Lock()
    main_thread = threading.get_ident()  # only this thread handles signals
    received = 0
    told, tells = socket.socketpair()  # gets a byte for each signal, whatever the main thread is doing
    tells.setblocking(False)

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal received
        received += 1
        if received == 1:
            interrupted.set()
            return
        app.is_stopping = True  # so that Sanic does not stop the loop once more
        logging.getLogger("sanic.error").setLevel(logging.CRITICAL)  # being ended is no error
        raise KeyboardInterrupt

    def insist() -> None:
        with told:
            told.recv(1)
            for _ in range(DESK.insists):
                if ended.wait(DESK.patience_seconds):
                    return
                with lock:
                    if not ended.is_set():
                        _interrupt(main_thread)
            if not ended.wait(DESK.patience_seconds):
                os.write(2, b"\nThe review desk was ended in its work. All decisions are in the drafts.\n")
                os._exit(128 + signal.SIGINT)

    signals = (signal.SIGINT, signal.SIGTERM)
    handlers = [signal.getsignal(one) for one in signals]
    woken = signal.set_wakeup_fd(tells.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=insist, daemon=True).start()
    try:
        for one in signals:
            signal.signal(one, interrupt)
        yield interrupted
    finally:
        with lock:
            ended.set()
        for one, handler in zip(signals, handlers, strict=True):
            signal.signal(one, handler)
        signal.set_wakeup_fd(woken)
        tells.close()


def _interrupt(main_thread: int) -> None:
    """Interrupts the main thread as Ctrl-C does; on Windows, a thread that waits is not woken."""
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        signal.pthread_kill(main_thread, signal.SIGINT)


async def _stop_when(interrupted: threading.Event, app: Sanic) -> None:
    """Stops the server after an interrupt. Sanic's own handler loses an interrupt while Sanic starts."""
    await asyncio.sleep(0.2)
    while not interrupted.is_set():
        await asyncio.sleep(0.1)
    app.stop()


def _has_browser() -> bool:
    """Whether there is a graphical browser: one in the terminal would hide the command's output."""
    needed = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform != "linux" or any(name in os.environ for name in needed)


class _Door:
    """Lets in whoever has the token, and the first one who comes with the code."""

    def __init__(self, token: str, code: str) -> None:
        self._token, self._code = token, code
        self._used = False

    def lets_in(self, token: str | None, code: str | None) -> bool:
        """Whether one with this token, or this code, comes in; without a token the code is used up."""
        if _same(token, self._token):
            return True
        if not self._code or not _same(code, self._code):
            return False
        if self._used:
            logger.warning(
                "Two programs came with the address that the browser was opened with, and the second was "
                "refused. If that was your browser, close the desk (Ctrl-C): another user of this machine "
                "may see it."
            )
            return False
        self._used = True
        return True


def _guard(app: Sanic, token: str, port: int, code: str) -> None:
    hosts = {f"{HOST}:{port}", f"localhost:{port}"}
    origins = {f"http://{host}" for host in hosts}
    door = _Door(token, code)

    @app.signal("http.lifecycle.request")  # before anything is read of a body
    async def check(request: Request) -> None:
        _check_length(request)
        origin = request.headers.get("origin")
        if request.headers.get("host") not in hosts or (origin is not None and origin not in origins):
            raise Forbidden("this page is for the program that opened it only")
        args = request.args
        if not door.lets_in(args.get("token") or request.cookies.get(_cookie(port)), args.get("code")):
            raise Forbidden("open the address that `rasa discover-intents review` has printed")

    @app.on_response
    async def protect(request: Request, response: HTTPResponse) -> None:
        response.headers.update(_HEADERS)

    @app.exception(Exception)
    async def fail(request: Request, error: Exception) -> HTTPResponse:
        if isinstance(error, NotFound):
            return _json({"error": "there is no such page"}, 404)
        if isinstance(error, Forbidden):
            return _refused(str(error))
        if isinstance(error, SanicException):
            return _json({"error": str(error)}, error.status_code)
        logger.exception("the review desk could not answer")
        return _json({"error": "something went wrong here: see the terminal"}, 500)


def _check_length(request: Request) -> None:
    """Refuses a body without a clear length before Sanic reads it: with a negative one it would never end.

    Raises:
        InvalidUsage: the length is not a number, there are several, or the body comes in chunks.
        PayloadTooLarge: nothing that our page sends is that long.
    """
    lengths = request.headers.getall("content-length", [])
    numbers = [one for one in lengths if re.fullmatch("[0-9]+", one)]
    if "transfer-encoding" in request.headers or len(lengths) > 1 or numbers != lengths:
        raise InvalidUsage("expected one Content-Length, in digits, and no other transfer encoding")
    if lengths and int(lengths[0]) > DESK.most_bytes:
        raise PayloadTooLarge(f"expected a body of at most {DESK.most_bytes} bytes")


def _add_pages(app: Sanic, session: Session, token: str, port: int) -> None:
    @app.get("/")
    async def page(request: Request) -> HTTPResponse:
        styles = "".join(f'<link rel="stylesheet" href="{name}">\n' for name in STYLES)
        text = page_html(
            title="Review desk",
            head=styles,
            script=f'<script src="{_SCRIPT_NAME}"></script>\n',
            without_script='<p class="notice">The review desk needs JavaScript. You can also edit the '
            "drafts in any editor.</p>",
        )
        response = HTTPResponse(text, content_type="text/html; charset=utf-8")
        response.cookies[_cookie(port)] = token
        response.cookies[_cookie(port)].update({"httponly": True, "samesite": "Strict", "path": "/"})
        return response

    def add(name: str, kind: str, text: str) -> None:
        async def asset(request: Request) -> HTTPResponse:
            return HTTPResponse(text, content_type=kind)

        app.add_route(asset, f"/{name}", name=name.replace(".", "_"))

    add(_SCRIPT_NAME, _SCRIPT, page_script())
    for name in STYLES:
        add(name, _STYLE, page_asset(name))


def _add_api(app: Sanic, session: Session) -> None:
    @app.get("/api/page")
    async def page(request: Request) -> HTTPResponse:
        _refresh(session)  # one answer for all: between two, another run could write the folder
        return _compressed(request, _json(session.page()))

    @app.get("/api/state")
    async def state(request: Request) -> HTTPResponse:
        _refresh(session)
        known = (request.args.get("revision"), request.args.get("run"))
        if known == (str(session.desk.revision), run_of(session.desk)):
            return _json({"revision": session.desk.revision})
        return _json(session.state())

    @app.get("/api/name")
    async def name(request: Request) -> HTTPResponse:
        draft, wanted = request.args.get("draft"), request.args.get("name") or ""
        problem, target = name_problem(session.desk.review, draft, wanted)
        return _json({"problem": problem, "target": target})

    @app.get("/api/split")
    async def split(request: Request) -> HTTPResponse:
        return _answered(session.split, request)

    @app.get("/api/names")
    async def names(request: Request) -> HTTPResponse:
        return _answered(session.names, request)

    @app.post("/api/act")
    async def do(request: Request) -> HTTPResponse:
        return _acted(session, request.json)

    for route, answer in session.end.answers().items():
        _add_slow(app, session, route, answer)


def _add_slow(app: Sanic, session: Session, name: str, does: Callable[[Any, Desk], Answer]) -> None:
    """Adds what takes seconds: it is done in a thread, so that others are answered meanwhile."""

    async def slowly(request: Request) -> HTTPResponse:
        asked = request.json
        _refresh(session)
        return _json(*await asyncio.get_running_loop().run_in_executor(None, does, asked, session.desk))

    app.add_route(slowly, f"/api/{name}", methods=["POST"], name=name)


def _add_meaning(app: Sanic, session: Session) -> None:
    @app.post("/api/near")
    async def near(request: Request) -> HTTPResponse:
        run = run_of(session.desk)  # the page is told whose rows these are: another run may come meanwhile
        return _json({"run": run, **await near_answer(session.meaning, session.desk.review, request.json)})

    @app.get("/api/nearest")
    async def nearest(request: Request) -> HTTPResponse:
        return _json({"run": run_of(session.desk), **left_over_answer(session.meaning, session.desk.review)})

    @app.before_server_stop
    async def close(*_: Any) -> None:
        session.meaning.close()


def _refresh(session: Session) -> None:
    try:
        session.refresh()
    except DataError as error:
        raise SanicException(str(error), 410) from None


def _answered(question: Callable[[str], dict[str, Any]], request: Request) -> HTTPResponse:
    """What is asked of a draft, or why it cannot be told."""
    try:
        return _json(question(request.args.get("draft") or ""))
    except DataError as error:
        return _json({"error": str(error)}, 422)


def _acted(session: Session, asked: Any) -> HTTPResponse:
    """Performs the verb that the page asks for, if the page shows the current drafts."""
    if not isinstance(asked, dict) or not isinstance(asked.get("arguments", {}), dict):
        return _json({"error": "expected a verb and its arguments"}, 400)
    _refresh(session)
    state = session.desk
    if (asked.get("revision"), asked.get("run", run_of(state))) != (state.revision, run_of(state)):
        return _changed_elsewhere(session)
    try:
        return _json(session.act(str(asked.get("verb")), asked.get("arguments", {})))
    except ChangedElsewhere:
        _refresh(session)
        return _changed_elsewhere(session)
    except DataError as error:
        return _json({"error": str(error)}, 422)


def _changed_elsewhere(session: Session) -> HTTPResponse:
    changed = "the drafts were changed elsewhere: this is how they are now, nothing else was done"
    return _json({"error": changed, "state": session.state()}, 409)


def _cookie(port: int) -> str:
    """The name of the cookie. Browsers share cookies between ports, so each desk has a name of its own."""
    return f"review_desk_{port}"


def _json(value: Any, status: int = 200) -> HTTPResponse:
    return HTTPResponse(json.dumps(value, separators=(",", ":")), status, content_type="application/json")


def _compressed(request: Request, response: HTTPResponse) -> HTTPResponse:
    """The answer, compressed where the browser reads that: through a tunnel it takes a part of the time."""
    if "gzip" in request.headers.get("accept-encoding", "") and response.body:
        response.body = gzip.compress(response.body, compresslevel=1)
        response.headers["Content-Encoding"] = "gzip"
    return response


def _same(given: str | None, secret: str) -> bool:
    """Whether they are the same; the time that takes says nothing of the secret."""
    return hmac.compare_digest((given or "").encode("utf-8", "replace"), secret.encode())


def _refused(why: str) -> HTTPResponse:
    return HTTPResponse(f"Refused: {why}.\n", 403, content_type="text/plain; charset=utf-8")
