"""Who wrote a message, in exports that have both sides of conversations: what customers wrote is read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rasa_intent_discovery.corpus.column_names import plain_column

# Columns of a table and keys of an object that tell it, as `plain_column` makes them.
_TELLING = frozenset(
    {
        *("sender_type", "sender_role", "message_type", "direction", "message_direction", "role"),
        *("author_type", "author_role", "participant_type", "user_type", "from_me", "is_bot"),
        *("sender", "author", "speaker", "from", "event"),
    }
)
# What stands there of all others than customers.
_OTHERS = frozenset(
    {
        *("outgoing", "outbound", "out", "bot", "chatbot", "agent_bot", "agentbot", "assistant", "ai"),
        *("agent", "human_agent", "operator", "admin", "staff", "employee", "system", "template", "activity"),
    }
)
# Of these the value says whether it is so.
_TRUTHS = frozenset({"from_me", "is_bot"})


def telling(names: Iterable[str]) -> list[str]:
    """Those of some columns or keys that tell who wrote a message.

    >>> telling(["id", "Sender Type", "text", "isBot"])
    ['Sender Type', 'isBot']
    """
    return [name for name in names if plain_column(name) in _TELLING]


def is_of_another(name: str, value: Any) -> bool:
    """Whether what stands in such a column says that no customer wrote it.

    >>> [is_of_another("senderType", one) for one in ("AgentBot", "Contact", None)]
    [True, False, False]
    >>> is_of_another("from_me", True), is_of_another("fromMe", "false"), is_of_another("from", "true")
    (True, False, False)
    """
    said = str(value).strip().casefold()
    if plain_column(name) in _TRUTHS:
        return said in ("true", "1", "yes")
    return said.replace(" ", "_").replace("-", "_") in _OTHERS
