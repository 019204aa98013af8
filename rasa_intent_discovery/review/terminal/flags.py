"""What there is to be careful of in a single message, and whether it is new in its proposal, in words.

The page says the same (`desk_parts.js`).
"""

from __future__ import annotations

from collections.abc import Sequence

from rasa_intent_discovery.corpus.personal_data import PLACEHOLDER
from rasa_intent_discovery.proposals.reasons import BORDERLINE
from rasa_intent_discovery.review.messages.table import Message
from rasa_intent_discovery.review.safe_text import printable

LOOKS_NEW, HOLDS_A_MASK, CAME = "looks new", "holds a mask", "came since the last run"


def flags_of(text: str, message: Message | None, draft: str | None) -> list[str]:
    """What a message of a draft is marked with.

    Args:
        message: what was logged of it; None where nobody logged it.
        draft: path of the draft it is in: it looks new, or came there, only where the run put it.
    """
    put_here = message is not None and message.draft == draft
    found = {
        LOOKS_NEW: message is not None and put_here and message.reason == BORDERLINE,
        HOLDS_A_MASK: PLACEHOLDER.search(text) is not None,
        CAME: message is not None and put_here and message.came,
    }
    return [flag for flag, holds in found.items() if holds]


def in_words(text: str, flags: Sequence[str]) -> str:
    """A message as it is printed in a terminal.

    >>> in_words("mail <email>", ["holds a mask"])
    'mail <email> (holds a mask)'
    """
    return printable(f"{text} ({', '.join(flags)})" if flags else text)
