"""In which line of a YAML file the mistake is, of the two that an error of the library may name."""

from __future__ import annotations

from ruamel.yaml.error import MarkedYAMLError

#: What is said of a key without a colon. It is noticed where the next key or the end of the file stands.
_NO_COLON = "could not find expected ':'"
#: The same where the next key stands in the same mapping.
_A_COLON_TOO_MANY = "mapping values are not allowed here"


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
