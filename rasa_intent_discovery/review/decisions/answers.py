"""What a person said of messages that belong together, as the lines of `answers.jsonl`. Touches no files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime, timezone

from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.training_data.text_identity import text_key


def answer_line(answer: Answer, reviewer: str = "") -> str:
    """An answer as a line: `{"text", "together", "apart", "time"}`, and who gave it where that is known.

    Of who cannot tell it has `unsure` instead of `together` and `apart`.
    """
    said = {"together": list(answer.together), "apart": list(answer.apart)}
    content = {"text": answer.text, **({"unsure": list(answer.unsure)} if answer.unsure else said)}
    time = datetime.now().astimezone().isoformat(timespec="seconds")
    who = {"reviewer": reviewer} if reviewer else {}
    return json.dumps({**content, "time": time, **who}, ensure_ascii=True) + "\n"


def answers_of(text: str) -> tuple[tuple[Answer, ...], tuple[int, ...]]:
    """The answers of a file by their time, and the numbers of the lines that are not as they were written.

    Those of several reviewers may stand in any order. One without a time, of an earlier version of this
    program, is of the time of the line before. What nobody could tell is no answer: see `unsure_of`.
    """
    found, broken = _lines(text)
    return tuple(answer for answer in found if not answer.unsure), broken


def unsure_of(text: str) -> tuple[Answer, ...]:
    """What nobody could tell, by its time."""
    return tuple(answer for answer in _lines(text)[0] if answer.unsure)


def _lines(text: str) -> tuple[tuple[Answer, ...], tuple[int, ...]]:
    """All that `answer_line` wrote, and the numbers of the broken lines."""
    found, broken, latest = [], [], datetime.fromtimestamp(0, timezone.utc)
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            content = json.loads(line)
            said = {key: _texts(content[key]) for key in ("unsure",) if key in content}
            said = said or {key: _texts(content[key]) for key in ("together", "apart")}
            answer = Answer(_text(content["text"]), **said)
            if "time" in content:
                latest = datetime.fromisoformat(content["time"]).astimezone()
            found.append((latest, str(content.get("reviewer", "")), answer))
        except (ValueError, KeyError, TypeError, RecursionError):
            broken.append(number)
    found.sort(key=lambda one: one[:2])
    return tuple(answer for *_, answer in found), tuple(broken)


def answers_digest(answers: Sequence[Answer]) -> str:
    """A hash of answers, by which is told whether a run has had them."""
    content = [[answer.text, answer.together, answer.apart] for answer in answers]
    return hashlib.sha256(json.dumps(content).encode("ascii")).hexdigest()


def without_answers(text: str, message: str) -> str:
    """The file without the answers about a message, in whatever spelling."""

    def stays(line: str) -> bool:
        return all(text_key(answer.text) != text_key(message) for answer in answers_of(line)[0])

    return "".join(filter(stays, text.splitlines(keepends=True)))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _texts(values: Sequence[object]) -> tuple[str, ...]:
    if not isinstance(values, list):
        raise TypeError
    return tuple(map(_text, values))
