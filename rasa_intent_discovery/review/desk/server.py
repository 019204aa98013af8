"""The review desk's server: one folder, on this machine only unless somebody asks for more.

Who is let in is the business of `door.py`. Only the files and routes below are served.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import re
from collections.abc import Callable, Collection
from html import escape
from string import Template
from typing import Any

from sanic import Sanic
from sanic.exceptions import Forbidden, NotFound, RequestTimeout, SanicException
from sanic.request import Request
from sanic.response import HTTPResponse

from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.applying.end import Answer
from rasa_intent_discovery.review.decisions.folder import ChangedElsewhere, Desk
from rasa_intent_discovery.review.decisions.reviewer_name import reviewer_name
from rasa_intent_discovery.review.decisions.under_review import Review
from rasa_intent_discovery.review.decisions.verbs.naming import name_problem
from rasa_intent_discovery.review.desk.door import Door
from rasa_intent_discovery.review.desk.near_answers import (
    elsewhere_answer,
    left_over_answer,
    likely_answer,
    near_answer,
)
from rasa_intent_discovery.review.desk.session import Session
from rasa_intent_discovery.review.messages.meaning import Meaning
from rasa_intent_discovery.review.numbers import DESK
from rasa_intent_discovery.review.page.assets import STYLES, page_asset, page_html, page_script
from rasa_intent_discovery.review.page.data import run_of
from rasa_intent_discovery.training_data.intent_names import name_doubt, plain_name

logger = logging.getLogger(__name__)

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


def make_app(session: Session, token: str, port: int, code: str, names: Collection[str]) -> Sanic:
    """The application, for a socket on this port; token, code and names as for `Door`."""
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
    door = Door(token, code, port, names)
    _guard(app, door)
    _add_pages(app, door)
    _add_api(app, session, door)
    _add_decisions(app, session, door)
    _add_meaning(app, session)
    return app


def _guard(app: Sanic, door: Door) -> None:
    @app.signal("http.lifecycle.request")  # before anything is read of a body
    async def check(request: Request) -> None:
        door.check(request)

    @app.on_response
    async def protect(request: Request, response: HTTPResponse) -> None:
        response.headers.update(_HEADERS)

    @app.exception(Exception)
    async def fail(request: Request, error: Exception) -> HTTPResponse:
        if isinstance(error, NotFound):
            return _json({"error": "there is no such page"}, 404)
        if isinstance(error, Forbidden):
            return _refused(request, str(error))
        if isinstance(error, SanicException):
            return _json({"error": str(error)}, error.status_code)
        logger.exception("the review desk could not answer")
        return _json({"error": "something went wrong here: see the terminal"}, 500)


def _refused(request: Request, why: str) -> HTTPResponse:
    """A page for who opens one, a sentence for a program; neither needs anything that is refused as well."""
    if request.path != "/":
        return HTTPResponse(f"Refused: {why}.\n", 403, content_type="text/plain; charset=utf-8")
    sentence = re.sub("`(.*?)`", r"<code>\1</code>", escape(f"{why[0].upper()}{why[1:]}."))
    text = Template(page_asset("refused.html")).substitute(why=sentence)
    return HTTPResponse(text, 403, content_type="text/html; charset=utf-8")


def _add_pages(app: Sanic, door: Door) -> None:
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
        door.give_token(response)
        return response

    def add(name: str, kind: str, text: str) -> None:
        async def asset(request: Request) -> HTTPResponse:
            return HTTPResponse(text, content_type=kind)

        app.add_route(asset, f"/{name}", name=name.replace(".", "_"))

    add(_SCRIPT_NAME, _SCRIPT, page_script())
    for name in STYLES:
        add(name, _STYLE, page_asset(name))


def _add_api(app: Sanic, session: Session, door: Door) -> None:
    @app.get("/api/page")
    async def page_data(request: Request) -> HTTPResponse:
        _refresh(session)  # one answer for all: between two, another run could write the folder
        return _compressed(request, _json(session.page(_reviewer(session, door, request))))

    @app.get("/api/state")
    async def state(request: Request) -> HTTPResponse:
        _refresh(session)
        known = (request.args.get("revision"), request.args.get("run"))
        if known == (str(session.desk.revision), run_of(session.desk)):
            return _json({"revision": session.desk.revision})
        return _json(session.state(None, _reviewer(session, door, request)))

    @app.get("/api/name")
    async def name(request: Request) -> HTTPResponse:
        draft, wanted = request.args.get("draft"), request.args.get("name") or ""
        problem, target = name_problem(session.desk.review, draft, wanted)
        name = wanted.strip()
        doubt = None if problem or target else name_doubt(name)
        return _json({"problem": problem, "target": target, "doubt": doubt, "plain": plain_name(name)})

    @app.get("/api/split")
    async def split(request: Request) -> HTTPResponse:
        return _answered(session.split, request)

    @app.get("/api/names")
    async def names(request: Request) -> HTTPResponse:
        return _answered(session.names, request)

    @app.get("/api/conversation")
    async def conversation(request: Request) -> HTTPResponse:
        row = request.args.get("row") or ""
        return _json(session.conversation(int(row) if re.fullmatch("[0-9]{1,9}", row) else None))

    _add_windows(app, session)
    for route, answer in {**session.end.answers(), **session.again.answers()}.items():
        _add_slow(app, session, route, answer)


def _add_windows(app: Sanic, session: Session) -> None:
    """Adds what a page of a large log asks for while somebody reads it."""

    @app.get("/api/draft")
    async def draft(request: Request) -> HTTPResponse:
        return _compressed(request, _answered(session.draft, request))

    @app.get("/api/undecided")
    async def undecided(request: Request) -> HTTPResponse:
        return _compressed(request, _json(session.undecided()))

    @app.get("/api/list")
    async def listed(request: Request) -> HTTPResponse:
        draft, start = request.args.get("draft"), request.args.get("from") or "0"
        reason = request.args.get("reason") or ""
        try:
            told = session.listed(draft, reason, int(start) if re.fullmatch("[0-9]{1,9}", start) else 0)
        except DataError as error:
            return _json({"error": str(error)}, 422)
        return _compressed(request, _json(told))

    @app.post("/api/messages")
    async def messages(request: Request) -> HTTPResponse:
        return _compressed(request, _json(session.messages(request.json)))

    @app.post("/api/found")
    async def found(request: Request) -> HTTPResponse:
        loop = asyncio.get_running_loop()
        return _compressed(request, _json(await loop.run_in_executor(None, session.searching(request.json))))


def _add_decisions(app: Sanic, session: Session, door: Door) -> None:
    @app.post("/api/act")
    async def do(request: Request) -> HTTPResponse:
        return _acted(session, request.json, _reviewer(session, door, request) or "")

    @app.post("/api/reviewer")
    async def say(request: Request) -> HTTPResponse:
        asked = request.json
        try:
            name = reviewer_name(str(asked.get("name", "")) if isinstance(asked, dict) else "")
        except DataError as error:
            return _json({"error": str(error)}, 422)
        _refresh(session)
        response = _json(session.state(None, name if session.reviewer is None else session.reviewer))
        door.give_name(response, name)
        return response


def _reviewer(session: Session, door: Door, request: Request) -> str | None:
    """Who asks; None where each browser says its name, and this one has not."""
    return door.name(request) if session.reviewer is None else session.reviewer


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

    async def answered(
        answer: Callable[[Meaning, Review, Any], dict[str, Any]], request: Request
    ) -> HTTPResponse:
        run, asked = run_of(session.desk), (session.meaning, session.desk.review, request.json)
        return _json({"run": run, **await asyncio.get_running_loop().run_in_executor(None, answer, *asked)})

    @app.post("/api/nearest")
    async def nearest(request: Request) -> HTTPResponse:
        return await answered(left_over_answer, request)

    @app.post("/api/likely")
    async def likely(request: Request) -> HTTPResponse:
        return await answered(likely_answer, request)

    @app.post("/api/elsewhere")
    async def elsewhere(request: Request) -> HTTPResponse:
        return await answered(elsewhere_answer, request)

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


def _acted(session: Session, asked: Any, reviewer: str) -> HTTPResponse:
    """Performs the verb that the page asks for, if the page shows the current drafts.

    Where several people look at them, it is enough that it shows those that change as they are.
    """
    if not isinstance(asked, dict) or not isinstance(asked.get("arguments", {}), dict):
        return _json({"error": "expected a verb and its arguments"}, 400)
    _refresh(session)
    state, seen = session.desk, asked.get("revision")
    is_older = session.reviewer is None and isinstance(seen, int) and 0 <= seen < state.revision
    if asked.get("run", run_of(state)) != run_of(state) or (seen != state.revision and not is_older):
        return _changed_elsewhere(session, reviewer)
    arguments = asked.get("arguments", {})
    try:
        return _json(session.act(str(asked.get("verb")), arguments, reviewer, seen if is_older else None))
    except ChangedElsewhere:
        _refresh(session)
        return _changed_elsewhere(session, reviewer)
    except DataError as error:
        if is_older:  # that may be why
            return _changed_elsewhere(session, reviewer, str(error))
        return _json({"error": str(error)}, 422)


def _changed_elsewhere(
    session: Session,
    reviewer: str,
    error: str = "the drafts were changed elsewhere: this is how they are now, nothing else was done",
) -> HTTPResponse:
    return _json({"error": error, "state": session.state(None, reviewer)}, 409)


def _json(value: Any, status: int = 200) -> HTTPResponse:
    return HTTPResponse(json.dumps(value, separators=(",", ":")), status, content_type="application/json")


def _compressed(request: Request, response: HTTPResponse) -> HTTPResponse:
    """The answer, compressed where the browser reads that: through a tunnel it takes a part of the time."""
    if "gzip" in request.headers.get("accept-encoding", "") and response.body:
        response.body = gzip.compress(response.body, compresslevel=1)
        response.headers["Content-Encoding"] = "gzip"
    return response
