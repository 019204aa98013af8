"""The command once more, with the options of the last run, in a process of its own."""

from __future__ import annotations

import re
import shlex
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from rasa_intent_discovery.command.options import options_of
from rasa_intent_discovery.command.running import RunningProgram
from rasa_intent_discovery.drafts.folder import GIVEN
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.progress import LINE_SECONDS
from rasa_intent_discovery.review.applying.started import Started
from rasa_intent_discovery.review.next_run.again import ENDED

# Which serves with Rasa, Rasa Pro and without any.
_PROGRAM = "rasa_intent_discovery"
_STARTING = "The run is being started ..."
# As Rasa logs it, with the name of the logger, or without any Rasa.
_STEP = re.compile(r"\bINFO +(?:\S+ +- )?(.+)")


class CommandAgain:
    """Runs the command again; a `Discoverer` of the review room.

    Args:
        program: what the command is called in a terminal.
        where: the words that say where the bot is.
        out: those that name the folder of drafts.
        line_seconds: between two lines on how far it is; None for as many as a run writes into a file.
    """

    def __init__(
        self, program: str, where: Sequence[str], out: Sequence[str], line_seconds: int | None = None
    ) -> None:
        self._program, self._where, self._out = program, [*where], [*out]
        self._environment = {} if line_seconds is None else {LINE_SECONDS: str(line_seconds)}
        self._one_at_a_time = threading.Lock()
        self._found: Started | None = None
        self._last = ""
        self._running: RunningProgram | None = None

    def command(self, run: Mapping[str, Any]) -> str:
        """As `Discoverer` has it."""
        return f"{self._program} {shlex.join(self._words(run))}".strip()

    def start(self, run: Mapping[str, Any]) -> None:
        """As `Discoverer` has it; of two who start it at once, one does."""
        with self._one_at_a_time:
            if self._found is not None and self._found.running:
                return
            words = self._words(run)
            self._found, self._last = Started(running=True, says=_STARTING), ""
            try:
                self._running = RunningProgram([_PROGRAM, *words], self._hear, self._end, self._environment)
            except DataError:
                self._found = None
                raise

    def found(self) -> Started | None:
        """As `Discoverer` has it."""
        return self._found

    def close(self) -> None:
        """As `Discoverer` has it."""
        if self._running is not None:
            self._running.close()

    def _words(self, run: Mapping[str, Any]) -> list[str]:
        given = run.get(GIVEN)
        if not isinstance(given, Mapping):
            raise DataError(f"run.json does not say how the last run was started: run `{self._program}`")
        return [*self._where, *options_of(given), *self._out]

    def _hear(self, line: str) -> None:
        self._last = line or self._last
        if step := _STEP.search(line):
            self._found = Started(running=True, says=step[1].strip())

    def _end(self, code: int) -> None:
        if code == 0:
            self._found = Started(False, "The drafts are those of the new run.", True)
        elif code < 0:
            self._found = Started(False, ENDED, False)
        else:
            self._found = Started(False, self._last, False)
