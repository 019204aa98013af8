"""`rasa data validate` in a process of its own, and what it says in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rasa_intent_discovery.command.running import RunningProgram
from rasa_intent_discovery.plural import counted
from rasa_intent_discovery.review.applying.applier import Validation

_STEP = re.compile(r"\bINFO +rasa\.\S+ +- (.+)")
_ERROR = re.compile(r"\b(?:ERROR|CRITICAL) +rasa\.\S+ +- (.+)")
_WARNING = re.compile(r"\bUserWarning: (.+)")
_STARTING = "Rasa is being started ..."
# Of the output of a validation that fails without a word on why, at most so many lines are told.
_LAST = 8


class RunningValidation:
    """A validation that was started, and what Rasa says of it.

    Args:
        words: the command behind `rasa`.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._found = Validation(running=True, says=_STARTING)
        self._lines: list[str] = []
        self._program = RunningProgram(["rasa", *words], self._hear, self._end)

    @property
    def found(self) -> Validation:
        """What it says so far."""
        return self._found

    def close(self) -> None:
        """Ends it, if it still runs."""
        self._program.close()

    def _hear(self, line: str) -> None:
        self._lines.append(line)
        if step := _STEP.search(line):
            self._found = Validation(running=True, says=step[1].strip())

    def _end(self, code: int) -> None:
        self._found = validation_in_words(self._lines, code)


def validation_in_words(lines: Sequence[str], code: int) -> Validation:
    """What a validation found.

    Args:
        lines: its output, without colours.
        code: with which it ended.
    """
    errors = _each(_ERROR.search(line) for line in lines)
    warnings = _each(_WARNING.search(line) for line in lines)
    if code == 0:
        says = "Rasa reads your bot without an error"
        gives = f", and gives {counted(len(warnings), 'warning')}" if warnings else ""
        return Validation(False, f"{says}{gives}.", True, warnings)
    if code < 0:
        return Validation(False, "The validation was ended before it was done.", None)
    last = tuple(line for line in lines if line and not _STEP.search(line))[-_LAST:]
    return Validation(
        False, "Rasa found an error: correct it before you train.", False, warnings, errors or last
    )


def _each(found: Iterable[re.Match[str] | None]) -> tuple[str, ...]:
    """What was matched, each once."""
    return tuple(dict.fromkeys(one[1].strip() for one in found if one))
