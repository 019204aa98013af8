"""Messages that a running bot did not understand, kept in a folder of JSON lines.

Many processes and threads may add to one folder at once: each line is written as a whole, under a lock. If a
killed process leaves an incomplete line, the next message begins a new line, and readers skip the incomplete
one as invalid JSON. A `Collector` writes in the background, so the bot's answer does not wait for it.
"""

from __future__ import annotations

import atexit
import errno
import json
import logging
import os
import queue
import re
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from filelock import FileLock

from rasa_intent_discovery.corpus.line_files import append_line
from rasa_intent_discovery.corpus.numbers import CORPUS

logger = logging.getLogger(__name__)

#: The file that is appended to. A full file is renamed, with the time of the renaming in its name.
CURRENT = "messages.jsonl"
_FULL = "messages-%Y%m%dT%H%M%S%f.jsonl"
_ALL_FULL = "messages-*.jsonl"
_LOCK = ".lock"
_IGNORED_BY_GIT = ".gitignore"
_OURS = re.compile(r"messages(-\d{8}T\d+)?\.jsonl|\.lock")


class Collection:
    """A folder of collected messages, created when the first one is added; git leaves it out.

    Args:
        folder: holds `messages.jsonl` and the full files.
        most_bytes: before a file would exceed this size, it is renamed and a new one is begun.
        most_files: most files kept; the oldest ones are deleted.
    """

    def __init__(self, folder: Path, most_bytes: int, most_files: int) -> None:
        self.folder = folder
        self._most_bytes = most_bytes
        self._most_files = most_files

    def add(self, record: Mapping[str, Any]) -> None:
        """Adds one line.

        Args:
            record: values that JSON can hold. A lone surrogate in a text is written as an escape.

        Raises:
            OSError: the folder cannot be written, or another process holds the lock too long; then
                nothing is added.
        """
        line = json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
        self._make()
        with self._alone():
            self._rotate(len(line))
            append_line(self.folder / CURRENT, line)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Holds the lock of the folder; none where the file system has no locks."""
        lock = FileLock(self.folder / _LOCK, timeout=CORPUS.lock_seconds)
        try:
            lock.acquire()
        except OSError as error:
            if error.errno not in (errno.ENOLCK, errno.ENOTSUP):
                raise
        try:
            yield
        finally:
            lock.release()

    def _make(self) -> None:
        """Makes the folder, and a `.gitignore` of everything; one that holds anything else stays as it is.

        The folder may be there without one: earlier versions made it so.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        # Another process may be as far; and a message is kept also where this file cannot be written.
        with suppress(OSError):
            if all(map(_OURS.fullmatch, os.listdir(self.folder))):
                with (self.folder / _IGNORED_BY_GIT).open("x", encoding="utf-8") as file:
                    file.write("*\n")

    def _rotate(self, added_bytes: int) -> None:
        current = self.folder / CURRENT
        if not current.exists() or current.stat().st_size + added_bytes <= self._most_bytes:
            return
        full = sorted(self.folder.glob(_ALL_FULL))
        name = _next_name(datetime.now(timezone.utc), full)
        full = sorted([*full, current.rename(self.folder / name)])
        for oldest in full[: max(0, len(full) + 1 - self._most_files)]:
            oldest.unlink()


def _next_name(now: datetime, full: Sequence[Path]) -> str:
    """The name for a file that is full now: after those of all others, also where the clock was put back."""
    for path in reversed(full):
        with suppress(ValueError, OverflowError):  # a file that somebody else put there
            latest = datetime.strptime(path.name, _FULL).replace(tzinfo=timezone.utc)
            return max(now, latest + timedelta(microseconds=1)).strftime(_FULL)
    return now.strftime(_FULL)


class Collector:
    """Adds to a collection in the background: the caller never waits, and no failure is raised.

    Only the first failure is logged, as a warning. When the process ends, it waits for at most
    `CORPUS.seconds_at_exit`; messages that are not written by then are lost.
    """

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        self._starting = threading.Lock()
        self._process: int | None = None
        self._warned = False

    def collect(self, record: Mapping[str, Any]) -> None:
        """Queues a record for `Collection.add` and returns at once."""
        self._start()
        try:
            self._waiting.put_nowait(record)
        except queue.Full:
            self._warn("they come faster than they can be written")

    def wait(self, seconds: float) -> None:
        """Waits until all collected messages are written, or `seconds` have passed."""
        end = time.monotonic() + seconds
        while self._process == os.getpid() and self._waiting.unfinished_tasks and time.monotonic() < end:
            time.sleep(0.01)

    def _start(self) -> None:
        """Starts one writing thread per process: a forked worker of a server does not inherit threads."""
        with self._starting:
            if self._process == os.getpid():
                return
            self._waiting: queue.Queue[Mapping[str, Any]] = queue.Queue(CORPUS.most_waiting)
            threading.Thread(target=self._write, name="collected messages", daemon=True).start()
            atexit.register(self.wait, CORPUS.seconds_at_exit)
            self._process = os.getpid()

    def _write(self) -> None:
        waiting = self._waiting
        while True:
            record = waiting.get()
            try:
                self._collection.add(record)
            except Exception as error:  # no failure may stop the bot
                reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
                self._warn(f"{self._collection.folder}: {reason}")
            finally:
                waiting.task_done()

    def _warn(self, reason: str) -> None:
        if not self._warned:
            self._warned = True
            logger.warning(
                "messages that were not understood cannot be kept (%s); the bot goes on without", reason
            )
