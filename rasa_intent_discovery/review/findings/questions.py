"""The questions of a run that nobody has answered yet. Touches no files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rasa_intent_discovery.drafts.folder import ANSWERED
from rasa_intent_discovery.kept_values import list_in
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.proposals.reasons import EXAMPLE
from rasa_intent_discovery.review.decisions.answers import answers_digest, answers_of, unsure_of
from rasa_intent_discovery.review.decisions.under_review import Review
from rasa_intent_discovery.review.messages.standing import Standing
from rasa_intent_discovery.review.numbers import REVIEW
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, IGNORED
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


#: Whether it is decided if the message of a question and a choice want the same.
Decided = Callable[[OpenQuestion, Choice], bool]


def open_questions(
    run: Mapping[str, Any], answered: str, is_decided: Decided = lambda *_: False
) -> list[OpenQuestion]:
    """What the run asks, without what was answered or nobody could tell; what is worth most first.

    Args:
        run: the content of `run.json`. What cannot be read there is left out.
        answered: the content of `answers.jsonl`.
        is_decided: of which choices a question need not have; one without any need not be asked.
    """
    answers = (*answers_of(answered)[0], *unsure_of(answered))
    return _without(_undecided(_questions(run), is_decided), answers)


def unsure_questions(
    run: Mapping[str, Any], answered: str, is_decided: Decided = lambda *_: False
) -> list[OpenQuestion]:
    """What nobody could tell of what the run asks; the arguments as in `open_questions`."""
    is_open = {one.asked for one in open_questions(run, answered, is_decided)}
    asked = _without(_undecided(_questions(run), is_decided), answers_of(answered)[0])
    return [one for one in asked if one.asked not in is_open]


def decided_pairs(review: Review, standing: Standing) -> Decided:
    """Tells whether it follows from what was decided if two messages want the same.

    It does where both are examples of an accepted draft or of the bot. What is ignored stays so, whatever
    else wants the same.

    Args:
        standing: of the review.
    """

    def decision(one: OpenQuestion | Choice) -> str | None:
        row = standing.log.row(one.text)
        if row < 0:  # nobody logged it: an example of the bot
            return None if one.intent is None else ACCEPTED
        if (path := standing.draft(row)) is None:
            return ACCEPTED if standing.log.messages[row].reason == EXAMPLE else None
        found = review.drafts[path].decision
        return found if found == IGNORED or standing.listed[row] else None

    def is_decided(question: OpenQuestion, choice: Choice) -> bool:
        both = {decision(question), decision(choice)}
        return IGNORED in both or both == {ACCEPTED}

    return is_decided


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


def little_to_gain(answered: str) -> str:
    """That further answers are likely to change little, as the latest ones did; empty where it is not so.

    Args:
        answered: as in `open_questions`.
    """
    latest = answers_of(answered)[0][-REVIEW.latest_answers :]
    together = sum(bool(one.together) for one in latest)
    if len(latest) < REVIEW.latest_answers or together > REVIEW.hardly_any:
        return ""
    put = f"only {together}" if together else "none"
    said = f"of your last {len(latest)} answers {put} put messages together"
    return f"{said}, so more are likely to change little."


def count_answers(answered: str) -> int:
    """How many answers there are in `answers.jsonl`."""
    return len(answers_of(answered)[0])


def _undecided(asked: Iterable[OpenQuestion], is_decided: Decided) -> list[OpenQuestion]:
    """The questions without the choices of which it is decided, and without those that have no other."""
    found = (
        replace(one, choices=tuple(choice for choice in one.choices if not is_decided(one, choice)))
        for one in asked
    )
    return [one for one in found if one.choices]


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
    for one in list_in(run, "questions"):
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
