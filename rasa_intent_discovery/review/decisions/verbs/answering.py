"""What wants the same as what: answers, which change no draft, and are kept for the next run."""

from __future__ import annotations

from collections.abc import Sequence

from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.plural import counted
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.review.decisions.under_review import Change, Review
from rasa_intent_discovery.review.decisions.verbs.sentences import shortened
from rasa_intent_discovery.training_data.text_identity import example_key


def answer(review: Review, text: str, together: Sequence[str], apart: Sequence[str]) -> Change:
    """Says which messages or examples want the same as a message, and which do not: no draft changes."""
    _check_asked(text, *together, *apart)
    same = counted(len(together), "message") if together else "none of those shown"
    says = f"answered: “{shortened(text)}” wants the same as {same}"
    return Change("answer", says, answer=Answer(text, tuple(together), tuple(apart)))


def cannot_tell(review: Review, text: str, others: Sequence[str]) -> Change:
    """Says that one cannot tell which messages or examples want the same as a message: no draft changes."""
    _check_asked(text, *others)
    says = f"answered: cannot tell what wants the same as “{shortened(text)}”"
    return Change("cannot_tell", says, answer=Answer(text, unsure=tuple(others)))


def _check_asked(*texts: str) -> None:
    keys = [*map(example_key, texts)]
    if len(keys) < 2 or len(set(keys)) < len(keys) or "" in keys:
        raise DataError("an answer names a message and others, each once: choose among those shown")


def retract(review: Review, text: str) -> Change:
    """Takes back what was answered of a message, also before an earlier run: no draft changes."""
    return Change("retract", f"taken back: what was answered of “{shortened(text)}”", taken_back=text)
