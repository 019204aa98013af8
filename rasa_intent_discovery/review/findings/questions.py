"""The questions of a run that nobody has answered yet. Touches no files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rasa_intent_discovery.drafts.folder import ANSWERED
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.review.decisions.answers import answers_digest, answers_of, unsure_of
from rasa_intent_discovery.review.decisions.verbs import Review
from rasa_intent_discovery.review.messages.standing import Standing
from rasa_intent_discovery.training_data.text_identity import text_key


@dataclass(frozen=True)
class Choice:
    """A message or example that may want the same; `intent` is where it is, None where it is left over."""

    text: str
    intent: str | None


#: What a question is known by: its message and its choices, as a message may be asked about twice.
Asked = tuple[str, ...]


@dataclass(frozen=True)
class OpenQuestion:
    """Which of some messages and examples want the same as this message?"""

    text: str
    intent: str | None
    choices: tuple[Choice, ...]

    @property
    def asked(self) -> Asked:
        """What it is known by, wherever its messages are by now."""
        return self.text, *(choice.text for choice in self.choices)


def open_questions(run: Mapping[str, Any], answered: str) -> list[OpenQuestion]:
    """What the run asks, without what was answered or nobody could tell; what is worth most first.

    Args:
        run: the content of `run.json`. What cannot be read there is left out.
        answered: the content of `answers.jsonl`.
    """
    return _without(_questions(run), (*answers_of(answered)[0], *unsure_of(answered)))


def unsure_questions(run: Mapping[str, Any], answered: str) -> list[OpenQuestion]:
    """What nobody could tell of what the run asks; the arguments as in `open_questions`."""
    is_open = {one.asked for one in open_questions(run, answered)}
    return [one for one in _without(_questions(run), answers_of(answered)[0]) if one.asked not in is_open]


def placed_now(asked: Iterable[OpenQuestion], review: Review, standing: Standing) -> list[OpenQuestion]:
    """The same questions, with the intents in which their messages are by now: the run knew no decisions.

    Args:
        standing: of the review.
    """

    def now(text: str, intent: str | None) -> str | None:
        row = standing.log.row(text)
        path = standing.draft(row) if row >= 0 else None
        return intent if path is None else review.drafts[path].intent

    return [
        OpenQuestion(
            one.text,
            now(one.text, one.intent),
            tuple(Choice(choice.text, now(choice.text, choice.intent)) for choice in one.choices),
        )
        for one in asked
    ]


def answers_in_words(answered: str) -> dict[str, str]:
    """Message -> what was answered of it, in words; of several answers all, the latest last."""
    found: dict[str, str] = {}
    for answer in answers_of(answered)[0]:
        same = ", ".join(f"“{text}”" for text in answer.together)
        other = ", ".join(f"“{text}”" for text in answer.apart)
        says = [found.get(answer.text), same and f"the same as {same}", other and f"not as {other}"]
        found[answer.text] = "; ".join(filter(None, says))
    return found


def has_unused_answers(run: Mapping[str, Any], answered: str) -> bool:
    """Whether answers were given, or taken back, that the run did not take into account.

    Args:
        run, answered: as in `open_questions`.
    """
    answers, _ = answers_of(answered)
    return run[ANSWERED] != answers_digest(answers) if ANSWERED in run else bool(answers)


def count_answers(answered: str) -> int:
    """How many answers there are in `answers.jsonl`."""
    return len(answers_of(answered)[0])


def _without(asked: Iterable[OpenQuestion], answers: Iterable[Answer]) -> list[OpenQuestion]:
    """The questions of which something is not in these answers."""
    said = {
        frozenset(map(text_key, (answer.text, other)))
        for answer in answers
        for other in (*answer.together, *answer.apart, *answer.unsure)
    }
    return [
        question
        for question in asked
        if not all(frozenset(map(text_key, (question.text, one.text))) in said for one in question.choices)
    ]


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
