"""What there is to be careful of in a single message, in words. The page says the same (`desk_parts.js`)."""

from __future__ import annotations

from collections.abc import Sequence

from rasa_intent_discovery.corpus.personal_data import PLACEHOLDER
from rasa_intent_discovery.proposals.reasons import BORDERLINE
from rasa_intent_discovery.review.message_table import Message
from rasa_intent_discovery.review.page_text import printable

LOOKS_NEW, HOLDS_A_MASK = "looks new", "holds a mask"


def flags_of(text: str, message: Message | None, draft: str | None) -> list[str]:
    """What a message of a draft is marked with.

    Args:
        message: what was logged of it; None where nobody logged it.
        draft: path of the draft it is in: it looks new only where the run put it.
    """
    is_strange = message is not None and message.reason == BORDERLINE and message.draft == draft
    return [*([LOOKS_NEW] if is_strange else []), *([HOLDS_A_MASK] if PLACEHOLDER.search(text) else [])]


def in_words(text: str, flags: Sequence[str]) -> str:
    """A message as it is printed in a terminal.

    >>> in_words("mail <email>", ["holds a mask"])
    'mail <email> (holds a mask)'
    """
    return printable(f"{text} ({', '.join(flags)})" if flags else text)
