"""What a person said of messages that belong together, as the lines of `answers.jsonl`. Touches no files."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rasa_intent_discovery.proposals.answers import Answer


def answer_line(answer: Answer) -> str:
    """An answer as a line: `{"text", "together", "apart"}`."""
    content = {"text": answer.text, "together": list(answer.together), "apart": list(answer.apart)}
    return json.dumps(content, ensure_ascii=True) + "\n"


def answers_of(text: str) -> tuple[tuple[Answer, ...], tuple[int, ...]]:
    """The answers of a file, and the numbers of the lines that are not as they were written."""
    found, broken = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            content = json.loads(line)
            found.append(
                Answer(_text(content["text"]), _texts(content["together"]), _texts(content["apart"]))
            )
        except (ValueError, KeyError, TypeError, RecursionError):
            broken.append(number)
    return tuple(found), tuple(broken)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _texts(values: Sequence[object]) -> tuple[str, ...]:
    if not isinstance(values, list):
        raise TypeError
    return tuple(map(_text, values))
