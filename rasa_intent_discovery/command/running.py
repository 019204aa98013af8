"""A Python program in a process of its own, which is read while it runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from rasa_intent_discovery.errors import DataError

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class RunningProgram:
    """A program that was started.

    Args:
        words: its module, and the arguments.
        hears: is told each line of its output, without colours, in a thread of its own.
        ended: is told the exit code after them; below 0 it is that of a signal.
        environment: variables that it gets beside those that are here.

    Raises:
        DataError: it cannot be started.
    """

    def __init__(
        self,
        words: Sequence[str],
        hears: Callable[[str], None],
        ended: Callable[[int], None],
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._hears, self._ended = hears, ended
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8", **environment},
                encoding="utf-8",
                errors="replace",
            )
        except OSError as error:
            raise DataError(f"{words[0]} cannot be started: {error.strerror or error}") from None
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def close(self) -> None:
        """Ends it, if it still runs."""
        if self._process.poll() is None:
            self._process.terminate()
        self._reader.join()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as output:
            for line in output:
                self._hears(_COLOUR.sub("", line).strip())
        self._ended(self._process.wait())
