"""Who is let in by the review desk's server.

Requests need the token, and have to come from the desk's own page. The token is in the address that the
command prints, and in a cookie from then on. A browser is opened with a code instead, which lets in once:
other users of the machine can read the command lines of programs.
"""

from __future__ import annotations

import hmac
import logging
import re
from collections.abc import Collection
from urllib.parse import quote, unquote

from sanic.exceptions import Forbidden, InvalidUsage, PayloadTooLarge
from sanic.request import Request
from sanic.response import HTTPResponse

from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.decisions.reviewer_name import reviewer_name
from rasa_intent_discovery.review.numbers import DESK

logger = logging.getLogger(__name__)

HTTP_PORT = 80
# What the names of our cookies begin with; the port follows.
_TOKEN, _NAME = "review_desk_", "review_name_"


class Door:
    """Lets in requests of the desk's own page with the token, and the first one that comes with the code.

    Args:
        token: lets in whoever has it.
        code: lets in who comes with it first; an empty one lets in nobody.
        port: that the desk listens on.
        names: by which browsers may call this machine.
    """

    def __init__(self, token: str, code: str, port: int, names: Collection[str]) -> None:
        self._token, self._code, self._port = token, code, port
        self._used = False
        self._hosts = {f"{name}:{port}".lower() for name in names}
        if port == HTTP_PORT:  # which browsers leave out
            self._hosts.update(name.lower() for name in names)

    def check(self, request: Request) -> None:
        """Raises Forbidden for who is not let in, and SanicException for a body without a clear length."""
        _check_length(request)
        host, origin = request.headers.get("host", "").lower(), request.headers.get("origin")
        if host not in self._hosts or (
            origin is not None and origin.lower().removeprefix("http://") not in self._hosts
        ):
            raise Forbidden("this page is for the program that opened it only")
        token = request.args.get("token") or request.cookies.get(f"{_TOKEN}{self._port}")
        if not self._lets_in(token, request.args.get("code")):
            raise Forbidden("open the address that the desk printed when it was started")

    def give_token(self, response: HTTPResponse) -> None:
        """Leaves the token in the browser, so that it need not stay in the address."""
        self._leave(response, _TOKEN, self._token)

    def give_name(self, response: HTTPResponse, reviewer: str) -> None:
        """Leaves the name of who sits at the browser in it, until it is closed."""
        self._leave(response, _NAME, f"~{quote(reviewer)}")

    def name(self, request: Request) -> str | None:
        """The name that was said in this browser; None where none was yet."""
        value = request.cookies.get(f"{_NAME}{self._port}") or ""
        try:
            return reviewer_name(unquote(value[1:])) if value.startswith("~") else None
        except DataError:
            return None

    def _leave(self, response: HTTPResponse, kind: str, value: str) -> None:
        name = f"{kind}{self._port}"  # browsers share cookies between ports
        response.headers.add("Set-Cookie", f"{name}={value}; Path=/; HttpOnly; SameSite=Strict")

    def _lets_in(self, token: str | None, code: str | None) -> bool:
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


def _same(given: str | None, secret: str) -> bool:
    """Whether they are the same; the time that takes says nothing of the secret."""
    return hmac.compare_digest((given or "").encode("utf-8", "replace"), secret.encode())
