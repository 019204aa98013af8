"""In which line of a YAML file the mistake is: of the two that an error may name, or where it names none."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from ruamel.yaml.error import MarkedYAMLError, YAMLError

from rasa_intent_discovery.training_data.yaml_depth import shallow_yaml

#: What is said of a key without a colon. It is noticed where the next key or the end of the file stands.
_NO_COLON = "could not find expected ':'"
#: The same where the next key stands in the same mapping.
_A_COLON_TOO_MANY = "mapping values are not allowed here"
#: A key, and behind it what YAML takes for a day or a moment.
_A_DAY = re.compile(r"[\s-]*([\w-]+):\s+(\d{4}-\d\d?-\d\d?\b.*?)\s*(?:#.*)?")


def line_of_mistake(error: BaseException) -> int | None:
    """The line, from 1; None where the error names none."""
    if not isinstance(error, MarkedYAMLError):
        return None
    mark = error.problem_mark
    if error.problem == _NO_COLON and error.context_mark is not None:
        mark = error.context_mark  # where the key begins
    return None if mark is None else int(mark.line) + 1


def mistake_in_words(problem: str) -> str:
    """What the library says is wrong, and what may be meant."""
    if problem == _A_COLON_TOO_MANY:
        return f"{problem}; the colon of the line before may be missing"
    return problem


def no_day_in(path: str) -> tuple[int, str, str] | None:
    """The first value that looks like a day or moment and is none, `2026-13-01`: its line, key and text.

    The error of the library says none of these.
    """
    with suppress(OSError, UnicodeDecodeError):
        for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), start=1):
            found = _A_DAY.fullmatch(line)
            if found and _is_no_day(found[2]):
                return number, found[1], found[2]
    return None


def _is_no_day(value: str) -> bool:
    try:
        shallow_yaml("safe").load(value)
    except YAMLError:
        return False
    except ValueError:
        return True
    return False
