"""The review desk in a process of its own: Sanic 21.12 starts one application in a process, and no second."""

from __future__ import annotations

import asyncio
import http.client
import importlib
import json
import multiprocessing
import os
import secrets
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

TOKEN = secrets.token_urlsafe(12)

#: What a desk is made of: loaded once, by the process that the processes of the desks are forked from.
_LOADED = (
    "rasa_intent_discovery.learning.query_encoder",
    "rasa_intent_discovery.review.desk.addresses",
    "rasa_intent_discovery.review.desk.server",
    "rasa_intent_discovery.review.desk.serving",
    "rasa_intent_discovery.review.desk.session",
)


@dataclass(frozen=True)
class Server:
    """A desk that answers on a port of this machine, and the process it is in."""

    port: int
    process: BaseProcess | None = None
    token: str = TOKEN

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    def asked(self, event: str) -> bool:
        """Whether an event of a page is a request to this desk, or for what is in the page itself."""
        return str(self.port) in event or event.startswith("data:")

    def sends(self, number: int) -> None:
        """A signal to the process, where that has not ended."""
        if self.process.is_alive():
            with suppress(ProcessLookupError):  # it ended just now
                os.kill(self.process.pid, number)


def ask(
    server: Server,
    path: str,
    body: object = None,
    method: str | None = None,
    token: str | None = TOKEN,
    **headers: str,
) -> tuple[int, Any, http.client.HTTPMessage]:
    """Status, answer and headers, asked with the cookie."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    if token is not None:
        headers["Cookie"] = f"review_desk_{server.port}={token}"
    data = None if body is None else json.dumps(body)
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method or ("POST" if data else "GET"), path, data, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    is_json = answer.headers["content-type"] == "application/json"
    return answer.status, json.loads(text) if is_json else text, answer.headers


@cache
def _processes() -> ForkServerContext:
    """A process cannot be forked from this one, in which Playwright has a loop that runs."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*_LOADED])
    return context


@contextmanager
def serving(folder: Path, before: str = "", port: int = 0, token: str = TOKEN) -> Iterator[Server]:
    """Serves a folder of drafts for as long as the block takes. What is in the folder may be exchanged.

    Args:
        before: what the process runs before it serves; it may set `END`, the end of the review, and `AGAIN`.
    """
    told, tells = multiprocessing.Pipe(duplex=False)
    desk = (tells, folder, before, port, token, dict(os.environ))
    process = _processes().Process(target=_serve, args=desk, daemon=True)
    process.start()
    tells.close()
    try:
        with told:
            server = Server(told.recv(), process, token)
        yield server
        server.sends(signal.SIGINT)
        process.join(30)
        assert process.exitcode is not None, "the desk did not end within 30 seconds"
    finally:
        process.kill()


def _serve(
    tells: Connection, folder: Path, before: str, port: int, token: str, environment: dict[str, str]
) -> None:
    """What the process does; it tells its port."""
    os.environ.clear()
    os.environ.update(environment)
    query_encoder, addresses, server, serving, session = map(importlib.import_module, _LOADED)
    given: dict[str, Any] = {}
    exec(before, given)
    opened = session.Session(folder, query_encoder.QueryEncoder, given.get("END"), again=given.get("AGAIN"))
    delay = float(os.environ.get("SLOW_DESK", 0))

    async def wait(_: object) -> None:
        await asyncio.sleep(delay)

    with addresses.listen(port) as listening, suppress(KeyboardInterrupt):
        port = listening.getsockname()[1]
        tells.send(port)
        app = server.make_app(opened, token, port, "", addresses.LOCAL)
        if delay:
            app.register_middleware(wait, "request")
        serving.serve(app, listening, None)
