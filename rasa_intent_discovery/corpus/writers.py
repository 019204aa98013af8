"""Who wrote a message, in exports that have both sides of conversations: what customers wrote is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rasa_intent_discovery.corpus.column_names import plain_column

# Columns of a table and keys of an object that tell it, as `plain_column` makes them: by a role, by a name or
# by whether it is so.
_ROLES = frozenset(
    {
        *("sender_type", "sender_role", "message_type", "direction", "message_direction", "role", "event"),
        *("author_type", "author_role", "participant_type", "user_type"),
    }
)
_NAMES = frozenset({"sender", "author", "speaker", "from"})
_TRUTHS = frozenset({"from_me", "is_bot"})
# What stands there of all others than customers. No `employee` or `admin`: they may be who a bot is for.
_BOTS = frozenset({"bot", "chatbot", "agent_bot", "agentbot", "assistant", "agent", "human_agent", "system"})
_OTHERS = _BOTS | {"outgoing", "outbound", "out", "ai", "operator", "template", "activity"}
# How chats call those whose messages are read.
_CUSTOMERS = frozenset({"customer", "client", "consumer", "contact", "user", "visitor", "guest", "caller"})


def is_customer(name: str) -> bool:
    """Whether a name in a chat is that of the customers' side."""
    return _said(name) in _CUSTOMERS


def is_other_side(name: Any) -> bool:
    """Whether it is that of bots, agents or programs."""
    return _said(name) in _OTHERS


def is_side(name: str) -> bool:
    """Whether it is that of a side of conversations, and of no person.

    >>> is_side("Visitor"), is_side("Agent"), is_side("Anna")
    (True, True, False)
    """
    return is_customer(name) or is_other_side(name)


def telling(names: Iterable[str]) -> list[str]:
    """Those of some columns or keys that tell who wrote a message.

    >>> telling(["id", "Sender Type", "text", "isBot"])
    ['Sender Type', 'isBot']
    """
    return [name for name in names if plain_column(name) in _ROLES | _NAMES | _TRUTHS]


def is_of_another(name: str, value: Any) -> bool:
    """Whether what stands in such a column says that no customer wrote it.

    >>> [is_of_another("senderType", one) for one in ("AgentBot", "Contact", None)]
    [True, False, False]
    >>> is_of_another("from_me", True), is_of_another("fromMe", "false"), is_of_another("from", "true")
    (True, False, False)
    """
    column = plain_column(name)
    if isinstance(value, Mapping):  # {"id": 7, "type": "bot"}
        return any(_said(value.get(key)) in _OTHERS for key in ("type", "role"))
    if column in _TRUTHS:
        return _said(value) in ("true", "t", "1", "1.0", "yes")
    if column in _NAMES:
        return _said(value) in _BOTS
    return is_other_side(value) or _said(value).startswith("outbound_")


def _said(value: Any) -> str:
    return str(value).strip().casefold().replace(" ", "_").replace("-", "_")
