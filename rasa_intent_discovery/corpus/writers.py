"""Who wrote a message, in exports that have both sides of conversations: what customers wrote is read.

What is in doubt is read and told: an admin may be who a bot is for.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from rasa_intent_discovery.corpus.column_names import plain_column
from rasa_intent_discovery.corpus.numbers import CORPUS

# Columns of a table and keys of an object that tell it, as `plain_column` makes them, in the languages of
# `time_columns`: by a role, by a name, by whether it is so or is not, or as something stands there.
_ROLES = frozenset(
    {
        *("sender_type", "sender_role", "message_type", "direction", "message_direction", "role", "event"),
        *("author_type", "author_role", "participant_type", "participant_role", "user_type", "actor_type"),
        *("from_type", "speaker_type", "speaker_role"),
        *("rolle", "richtung", "rol", "richting", "rôle", "papel", "ruolo", "direzione", "rola"),
    }
)
_NAMES = frozenset(
    {
        *("sender", "sender_name", "sent_by", "author", "speaker", "from", "actor"),
        *("absender", "verfasser", "autor", "afzender", "auteur", "expéditeur", "remitente", "remetente"),
        *("mittente", "autore", "nadawca", "送信者", "发送者", "发送人", "發送者", "발신자", "보낸_사람"),
    }
)
_TRUTHS = frozenset({"from_me", "is_bot", "from_bot", "is_agent", "from_agent", "is_outgoing"})
_UNTRUTHS = frozenset({"incoming", "is_incoming", "from_customer", "is_from_customer"})
_KNOWN = _ROLES | _NAMES | _TRUTHS | _UNTRUTHS
# Messages of Slack have these keys, and others that tell it there alone: elsewhere a `bot_id` may say who was
# asked, and a `subtype` what about. An `application` tells it in an object such as the `from` of Teams.
_OF_SLACK = frozenset({"ts", "type"})
_OF_SLACK_ALONE = frozenset({"bot_profile", "bot_id", "subtype"})
_PRESENT = frozenset({"bot_profile", "bot_id", "application"})
_TYPES = frozenset({"type", "role"})  # keys of an object under one of these: {"id": 7, "type": "bot"}
# What stands there of all others than customers. No `employee` or `admin`: they may be who a bot is for.
_BOTS = frozenset(
    {
        *("bot", "chatbot", "agent_bot", "agentbot", "custom_bot", "assistant", "agent", "human_agent"),
        *("live_agent", "support_agent", "virtual_agent", "virtual_assistant", "ai_agent", "ai_assistant"),
        *("captain::assistant", "system"),
    }
)
_OTHERS = _BOTS | {"outgoing", "outbound", "out", "ai", "operator", "template", "activity"}
# The same where a column says so; a line of text may begin with `Model:` and be a customer's.
_OTHER_ROLES = _OTHERS | {"model", "tool", "function", "mt", "ausgehend", "systemeventmessage"}
# Each `subtype` of Slack for what nobody wrote.
_SLACK_NOTICES = re.compile(
    r"bot_(message|add|remove)"
    r"|(channel|group)_(join|leave|topic|purpose|name|archive|unarchive|posting_permissions|convert_to_private)"
)
# How chats and exports call those whose messages are read.
_CUSTOMERS = frozenset(
    {
        *("customer", "client", "consumer", "contact", "user", "visitor", "guest", "caller"),
        *("end_user", "lead", "kunde", "klant", "cliente", "klient"),
        *("お客様", "顧客", "客户", "客戶", "고객"),
    }
)
_INBOUND = frozenset({"incoming", "inbound", "in", "received", "mo", "eingehend"})
# Those who answer where customers write, too, and may write themselves where none do.
_STAFF = frozenset(
    {
        *("admin", "operator", "business", "employee", "staff", "support", "team"),
        *("mitarbeiter", "medewerker", "conseiller", "agente", "operador", "operatore", "konsultant"),
        *("担当者", "客服", "상담원"),
    }
)
_SIDES = _CUSTOMERS | _STAFF
_TELL_A_SIDE = _ROLES | _NAMES | _TYPES
_OTHER_USES = frozenset({"message_type", "event"})  # columns that may say something else
_OF_USERS = frozenset({"user_type"})  # and those that may tell customers apart
# Words in the names of columns that are surely about the two sides of conversations.
_WRITING = frozenset({"sender", "author", "speaker", "from", "participant", "actor"})


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


@lru_cache(maxsize=256)
def telling(names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of some columns or keys that tell who wrote a message.

    >>> telling(("id", "Sender Type", "text", "isBot"))
    ('Sender Type', 'isBot')
    """
    known = _KNOWN | (_OF_SLACK_ALONE if _OF_SLACK <= {*names} else frozenset())
    return tuple(name for name in names if plain_column(name) in known)


def is_of_another(name: str, value: Any) -> bool:
    """Whether what stands in such a column says that no customer wrote it.

    >>> [is_of_another("senderType", one) for one in ("AgentBot", "Contact", None)]
    [True, False, False]
    >>> is_of_another("from_me", True), is_of_another("fromMe", "false"), is_of_another("from", "true")
    (True, False, False)
    """
    column, said = _column(name), _said(value)
    if not said:
        return False
    if column in _PRESENT:
        return True
    if column in _TRUTHS:
        return said in ("true", "t", "1", "yes")
    if column in _UNTRUTHS:
        return said in ("false", "f", "0", "no")
    if column in _NAMES:
        return said in _BOTS
    if column == "subtype":
        return _SLACK_NOTICES.fullmatch(said) is not None
    others = _OTHERS if column == "event" else _OTHER_ROLES  # of an app, it may be `function`
    return said in others or said.startswith("outbound_")


@dataclass
class Writers:
    """Who wrote the messages of a file, as its columns or keys say.

    Attributes:
        others: columns and what stands there of no customers: what only the file as a whole tells.
        read: column -> what stands there -> at how many messages that are read.
        skipped: the same of those that are skipped, whichever column says so.
    """

    others: frozenset[tuple[str, str]] = frozenset()
    read: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    skipped: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def telling_another(self, given: Iterable[tuple[str, Any]], chosen: Collection[str] = ()) -> str | None:
        """The column or key that says that no customer wrote a message; None if none does.

        Args:
            given: names that may tell it, with what stands there.
            chosen: whose messages are read, whatever else is known of them; empty means all customers'.
        """
        stand = [(name, value) for one in given for name, value in _within(*one) if _said(value)]
        sides = {name: _said(value) for name, value in stand if chosen and _column(name) in _TELL_A_SIDE}
        sure = [name for name in sides if _column(name) not in _OTHER_USES]
        if {*sides.values()} & {*map(_said, chosen)}:
            found = None
        elif sure:
            found = sure[0]
        else:
            found = next((name for name, value in stand if self._is_of_another(name, value)), None)
        for name, value in stand:
            counts = (self.read if found is None else self.skipped)[name]
            written = str(value).strip()
            known = written in counts or len(counts) <= CORPUS.most_writers or _said(value) in _SIDES
            counts[written if known else ""] += 1
        return found

    def others_beside(self) -> frozenset[tuple[str, str]]:
        """Columns and what stands there of messages that were read, and are no customers' beside the others.

        A `User` is an agent beside a `Contact`, as is an `admin` beside a `user`.
        """
        found = set()
        for name, counts in self.read.items():
            values = {*map(_said, [*counts, *self.skipped[name]])}
            found |= {(name, said) for said in _others_among(name, values) & {*map(_said, counts)}}
        return frozenset(found)

    @property
    def tell_sides(self) -> bool:
        """Whether a column or key says on which side they are."""
        return any(_column(name) in _TELL_A_SIDE for name in {*self.read, *self.skipped})

    def doubtful(self) -> list[str]:
        """The columns with a few writers, of some of whom no word says, or only the others, who they are."""
        return [name for name in self.read if self._is_doubtful(name)]

    def _is_of_another(self, name: str, value: Any) -> bool:
        return (name, _said(value)) in self.others or is_of_another(name, value)

    def _is_doubtful(self, name: str) -> bool:
        read, column = self.read[name], _column(name)
        if column not in _TELL_A_SIDE or len({*read, *self.skipped[name]}) > CORPUS.most_writers:
            return False
        if any(name == one for one, _ in self.others):
            return True
        unknown = [value for value in read if _said(value) not in _CUSTOMERS | _INBOUND]
        is_told = column not in _OTHER_USES or len(unknown) < len(read)
        return len(read) > 1 and bool(unknown) and is_told  # what is read alone is the customers'


def _others_among(name: str, values: Set[str]) -> Set[str]:
    """Those of the values in a column that are no customers' as the others are there, too.

    The `admin` beside a `user` answers where the column is about conversations, as its name says, or a bot
    that stands there; else both may be users of a program.
    """
    column = _column(name)
    if column == "message_type" and {"0", "1"} <= values <= {"0", "1", "2", "3"}:  # those of Chatwoot
        return values - {"0"}
    others = {"sent"} if "received" in values else set()
    is_of_conversations = column in _NAMES or not _WRITING.isdisjoint(plain_column(name).split("_"))
    if column in _OF_USERS | _OTHER_USES or not (is_of_conversations or values & _OTHER_ROLES):
        return values & others
    if values - _OTHER_ROLES == {"contact", "user"}:  # of Chatwoot, too
        others.add("user")
    elif values & _CUSTOMERS:
        others |= _STAFF - ({"business"} if values & _CUSTOMERS == {"consumer"} else set())
    return values & others


def _within(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """What tells who wrote in a column, also where an object stands there: `author.type`."""
    if not isinstance(value, Mapping):
        yield name, value
    elif _column(name) in _PRESENT:
        yield name, True
    else:
        yield from ((f"{name}.{key}", value[key]) for key in sorted(_TYPES) if key in value)
        if isinstance(value.get("application"), Mapping):
            yield f"{name}.application", True


@lru_cache(maxsize=256)
def _column(name: str) -> str:
    """The plain name of a column or key, also of one in any object: `_source.role` as `role`."""
    plain = plain_column(name)
    return plain if plain in _KNOWN else plain_column(name.rpartition(".")[2])


def _said(value: Any) -> str:
    """What stands in a column, plainly; empty where nothing does."""
    return _plainly(str(value))


@lru_cache(maxsize=1024)
def _plainly(written: str) -> str:
    said = written.strip().casefold().replace(" ", "_").replace("-", "_").removesuffix(".0")
    return "" if said in ("none", "null", "nan") else said
