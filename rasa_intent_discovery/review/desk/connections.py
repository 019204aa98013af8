"""Connections to the review desk: how long each may take, and how many there are. Knows nothing of drafts.

Any program on this machine can connect. What it sends is counted from its first byte, so that a byte a second
holds nothing open, and where there are too many connections, those that ask for nothing make way.
"""

from __future__ import annotations

import logging
from asyncio import BaseTransport
from collections.abc import Iterator
from time import monotonic
from traceback import walk_tb
from types import FrameType

from sanic.http import Stage
from sanic.server import HttpProtocol

from rasa_intent_discovery.review.numbers import DESK


class Connection(HttpProtocol):
    """One connection: Sanic's, with its limits of time for whole requests instead of between two bytes."""

    __slots__ = ("_unsent",)  # bytes of an answer that were not sent yet when that was last looked at

    def connection_made(self, transport: BaseTransport) -> None:
        """Takes the connection; where there are too many, closes those that have waited longest."""
        self._unsent = 0
        super().connection_made(transport)
        living = [one for one in self.connections if one.transport is not None]
        idle = [one for one in living if one is not self and one.waits]
        idle.sort(key=lambda one: one._time)
        for one in idle[: max(0, len(living) - DESK.most_connections)]:
            one.abort()

    def data_received(self, data: bytes) -> None:
        """Takes bytes; those of a request that has begun do not prolong its time."""
        since = self._time
        arriving = self._stage is Stage.REQUEST or self._has_body_to_come
        super().data_received(data)
        if arriving:
            self._time = since

    def check_timeouts(self) -> None:
        """Gives up what takes too long; an answer that is being read takes as long as it takes."""
        unsent = 0 if self.transport is None else self.transport.get_write_buffer_size()
        if 0 < unsent < self._unsent:
            self._time = monotonic()
        self._unsent = unsent
        super().check_timeouts()

    @property
    def waits(self) -> bool:
        """Whether the desk waits for its bytes, and not it for the desk."""
        return self._unsent == 0 and (self._stage in (Stage.IDLE, Stage.REQUEST) or self._has_body_to_come)

    @property
    def _stage(self) -> Stage:
        http = getattr(self, "_http", None)
        return Stage.IDLE if http is None else http.stage

    @property
    def _has_body_to_come(self) -> bool:
        return bool(getattr(getattr(self, "_http", None), "request_body", False))


class BrokenOff(logging.Filter):
    """Keeps from the terminal what Sanic logs of connections that broke off, or sent no request."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it says something of the desk."""
        told = str(record.msg)
        if told.startswith("protocol."):
            return any(frame.f_globals.get("__package__") == __package__ for frame in _frames(record))
        return not told.endswith("body not consumed.")


def _frames(record: logging.LogRecord) -> Iterator[FrameType]:
    """Where the error of a record was raised and passed on."""
    _, error, _ = record.exc_info or (None, None, None)
    return (frame for frame, _ in walk_tb(error.__traceback__)) if error else iter(())
