"""`rasa data validate` in a process of its own, and what it says in words."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence

from rasa_intent_discovery.review.applying import Validation

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_STEP = re.compile(r"\bINFO +rasa\.\S+ +- (.+)")
_ERROR = re.compile(r"\b(?:ERROR|CRITICAL) +rasa\.\S+ +- (.+)")
_WARNING = re.compile(r"\bUserWarning: (.+)")
_STARTING = "Rasa is being started ..."
# Of the output of a validation that fails without a word on why, at most so many lines are told.
_LAST = 8


class RunningValidation:
    """A validation that was started, and reads what Rasa says in a thread of its own.

    Args:
        words: the command behind `rasa`.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._found = Validation(running=True, says=_STARTING)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "rasa", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"},
            encoding="utf-8",
            errors="replace",
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def found(self) -> Validation:
        """What it says so far."""
        return self._found

    def close(self) -> None:
        """Ends it, if it still runs."""
        if self._process.poll() is None:
            self._process.terminate()
        self._reader.join()

    def _read(self) -> None:
        assert self._process.stdout is not None
        lines = []
        with self._process.stdout as output:
            for line in output:
                lines.append(line)
                if step := _STEP.search(_COLOUR.sub("", line)):
                    self._found = Validation(running=True, says=step[1].strip())
        self._found = validation_in_words(lines, self._process.wait())


def validation_in_words(lines: Iterable[str], code: int) -> Validation:
    """What a validation found.

    Args:
        lines: its output.
        code: with which it ended.
    """
    plain = [_COLOUR.sub("", line).strip() for line in lines]
    errors = _each(_ERROR.search(line) for line in plain)
    warnings = _each(_WARNING.search(line) for line in plain)
    if code == 0:
        says = "Rasa reads your bot without an error"
        counted = "1 warning" if len(warnings) == 1 else f"{len(warnings)} warnings"
        return Validation(False, f"{says}{f', and gives {counted}' if warnings else ''}.", True, warnings)
    if code < 0:
        return Validation(False, "The validation was ended before it was done.", None)
    last = tuple(line for line in plain if line and not _STEP.search(line))[-_LAST:]
    return Validation(
        False, "Rasa found an error: correct it before you train.", False, warnings, errors or last
    )


def _each(found: Iterable[re.Match[str] | None]) -> tuple[str, ...]:
    """What was matched, each once."""
    return tuple(dict.fromkeys(one[1].strip() for one in found if one))
