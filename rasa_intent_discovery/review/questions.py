"""The questions of a run that nobody has answered yet. Touches no files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rasa_intent_discovery.review.answers import answers_of
from rasa_intent_discovery.training_data.text_identity import text_key


@dataclass(frozen=True)
class Choice:
    """A message or example that may want the same; `intent` is where it is, None where it is left over."""

    text: str
    intent: str | None


@dataclass(frozen=True)
class OpenQuestion:
    """Which of some messages and examples want the same as this message?"""

    text: str
    intent: str | None
    choices: tuple[Choice, ...]


def open_questions(run: Mapping[str, Any], answered: str) -> list[OpenQuestion]:
    """What the run asks, without what was answered; what is worth most first.

    Args:
        run: the content of `run.json`. What cannot be read there is left out.
        answered: the content of `answers.jsonl`.
    """
    answers, _ = answers_of(answered)
    said = {
        frozenset(map(text_key, (answer.text, other)))
        for answer in answers
        for other in (*answer.together, *answer.apart)
    }
    return [
        question
        for question in _questions(run)
        if not all(frozenset(map(text_key, (question.text, one.text))) in said for one in question.choices)
    ]


def count_answers(answered: str) -> int:
    """How many answers there are in `answers.jsonl`."""
    return len(answers_of(answered)[0])


def _questions(run: Mapping[str, Any]) -> Iterator[OpenQuestion]:
    listed = run.get("questions")
    for one in listed if isinstance(listed, list) else ():
        asked = _choice(one)
        choices = one.get("choices") if isinstance(one, Mapping) else None
        found = [choice for choice in map(_choice, choices if isinstance(choices, list) else ()) if choice]
        if asked is not None and found:
            yield OpenQuestion(asked.text, asked.intent, tuple(found))


def _choice(content: Any) -> Choice | None:
    if not isinstance(content, Mapping) or not isinstance(content.get("text"), str):
        return None
    intent = content.get("intent")
    return Choice(content["text"], intent if isinstance(intent, str) else None)
