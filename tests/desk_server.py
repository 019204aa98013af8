"""The review desk in a process of its own: Sanic 21.12 starts one application in a process, and no second."""

from __future__ import annotations

import http.client
import json
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rasa_intent_discovery

TOKEN = secrets.token_urlsafe(12)

_SERVE = """
import asyncio
import os
import sys
from pathlib import Path
from typing import Any
from rasa_intent_discovery.learning import query_encoder
from rasa_intent_discovery.review.desk.addresses import listen
from rasa_intent_discovery.review.desk.server import make_app
from rasa_intent_discovery.review.desk.serving import serve
from rasa_intent_discovery.review.desk.session import Session

encoder, end, again = query_encoder.QueryEncoder, globals().get("END"), globals().get("AGAIN")
session = Session(Path(sys.argv[1]), encoder, end, again=again)
delay = float(os.environ.get("SLOW_DESK", 0))

async def wait(request):
    await asyncio.sleep(delay)

with listen(int(sys.argv[3])) as listening:
    port = listening.getsockname()[1]
    print(port, flush=True)
    try:
        app = make_app(session, sys.argv[2], port)
        if delay:
            app.register_middleware(wait, "request")
        serve(app, listening)
    except KeyboardInterrupt:
        pass
"""


@dataclass(frozen=True)
class Server:
    """A desk that answers on a port of this machine, and the process it is in."""

    port: int
    process: subprocess.Popen[str] | None = None
    token: str = TOKEN

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/?token={self.token}"


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


@contextmanager
def serving(folder: Path, before: str = "", port: int = 0, token: str = TOKEN) -> Iterator[Server]:
    """Serves a folder of drafts for as long as the block takes. What is in the folder may be exchanged.

    Args:
        before: what the process runs before it serves; it may set `END`, the end of the review, and `AGAIN`.
    """
    root = Path(rasa_intent_discovery.__file__).parents[1]
    command = [sys.executable, "-c", before + _SERVE, str(folder), token, str(port)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(root)}
    )
    try:
        assert process.stdout is not None
        yield Server(int(process.stdout.readline()), process, token)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=30)
        finally:
            process.kill()
