"""The names of reviewers, which their decisions carry."""

from __future__ import annotations

from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.numbers import REVIEW


def reviewer_name(text: str) -> str:
    """The name with single blanks; empty for nobody in particular.

    Raises:
        DataError: it is too long, or holds what cannot be printed.
    """
    name = " ".join(text.split())
    if not name.isprintable() or len(name) > REVIEW.longest_reviewer:
        raise DataError(
            f"a reviewer's name is one line of at most {REVIEW.longest_reviewer} characters, not "
            f"{text[:80]!r}"
        )
    return name
