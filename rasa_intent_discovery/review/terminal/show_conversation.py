"""The conversations that examples are from, in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rasa_intent_discovery.corpus.turns import BOT, Turn
from rasa_intent_discovery.drafts.conversations import Spoken
from rasa_intent_discovery.review.findings.conversations import Conversations
from rasa_intent_discovery.review.findings.evidence_words import day_in_words
from rasa_intent_discovery.review.safe_text import printable
from rasa_intent_discovery.review.terminal.asks import Asks, tell


def show_conversation(examples: Mapping[str, int], conversations: Conversations, asks: Asks) -> None:
    """Asks for one of the examples, and prints what was said around it.

    Args:
        examples: those that are from conversations, as they are printed -> row of the message.
    """
    example = asks.select("Of which one?", list(examples))
    if example is not None:
        for one in conversations.of(examples[example]):
            tell("\n".join(["", *_lines(example, one)]))
        tell("")


def _lines(example: str, one: Spoken) -> Iterator[str]:
    yield f"  {printable(day_in_words(one.day)) if one.day else 'On a day that is not known'}:"
    yield from map(_line, one.before)
    yield f"  > User: {example}"
    yield from map(_line, one.after)


def _line(turn: Turn) -> str:
    speaker = "Bot" if turn.speaker == BOT else "User"
    said = printable("\n".join(turn.said)).split("\n")
    return f"    {speaker}: " + f"\n{' ' * (len(speaker) + 6)}".join(said)
