"""What people said in conversations that Rasa kept, and which of it the bot did not understand.

An event is a dict as Rasa writes it everywhere: in tracker stores, by event brokers, in `rasa export`. Knows
neither where it came from nor Rasa itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import LoggedMessage
from rasa_intent_discovery.dates import moment

#: Events that are looked at; a store need not give the others.
KINDS = ("user", "active_loop", "slot")
FALLBACK = "nlu_fallback"

RECOGNIZED = "recognised by the bot (--all-messages reads them)"
SURE = "recognised with that confidence or a higher one"
ANSWER = "answers to what a form asked for"
OTHER_TIME = "of another time"
OTHER_CHANNEL = "of another channel"
FROM_OUTSIDE = "triggered by a program"

_REQUESTED = "requested_slot"


@dataclass(frozen=True)
class Selection:
    """Which messages of a conversation are read.

    Attributes:
        since, until: seconds since 1970, the first included, the last not; None where there is no bound.
        channels: names of Rasa's input channels; none means all.
        below: 0..1, messages whose best guess has a lower confidence; None takes those that fell back.
        everything: whatever the bot took them for.
    """

    since: float | None = None
    until: float | None = None
    channels: tuple[str, ...] = ()
    below: float | None = None
    everything: bool = False

    @classmethod
    def of(cls, config: DiscoveryConfig) -> Selection:
        return cls(
            since=moment(config.since) if config.since is not None else None,
            until=moment(config.until, end=True) if config.until is not None else None,
            channels=config.channels,
            below=config.below,
            everything=config.all_messages,
        )

    def refusal(self, event: Mapping[str, Any]) -> str | None:
        """Why a user's message is not read; None if it is."""
        time = _number(event.get("timestamp"))
        if time is not None and (
            (self.since is not None and time < self.since) or (self.until is not None and time >= self.until)
        ):
            return OTHER_TIME
        if self.channels and event.get("input_channel") not in self.channels:
            return OTHER_CHANNEL
        if (event.get("metadata") or {}).get("is_external"):
            return FROM_OUTSIDE
        if self.everything:
            return None
        guess = Guess.of(_mapping(event.get("parse_data")))
        if self.below is not None:
            return SURE if guess.confidence is not None and guess.confidence >= self.below else None
        return RECOGNIZED if guess.fell_back is False else None


@dataclass(frozen=True)
class Guess:
    """What a bot took a message for.

    Attributes:
        fell_back: whether it ended in the fallback; None where the bot does not say, as no NLU model saw it.
        intent: the best one beside the fallback; confidence: 0..1. Both are None where they are not told.
    """

    fell_back: bool | None = None
    intent: str | None = None
    confidence: float | None = None

    @classmethod
    def of(cls, parsed: Mapping[str, Any]) -> Guess:
        """Reads it from `parse_data`, whatever else that holds."""
        top = _mapping(parsed.get("intent"))
        if not top.get("name"):
            return cls()
        ranking = parsed.get("intent_ranking") or [top]
        guesses = [_mapping(guess) for guess in ranking] if isinstance(ranking, list) else [top]
        best = next((guess for guess in guesses if guess.get("name") != FALLBACK), {})
        name = best.get("name")
        return cls(
            fell_back=top["name"] == FALLBACK,
            intent=name if isinstance(name, str) else None,
            confidence=_number(best.get("confidence")),
        )


@dataclass
class _Conversation:
    """What a form is waiting for, and the message that may be the answer."""

    requested: str | None = None
    asked: str | None = None
    waiting: LoggedMessage | None = None


@dataclass
class EventReader:
    """Reads the events of many conversations, in their order, and counts what it leaves out.

    A message in a form is held back until the next one of its conversation: if it filled the slot that was
    asked for, it is an answer and no wish.

    Attributes:
        left_out: why -> how many messages.
    """

    selection: Selection
    left_out: Counter[str] = field(default_factory=Counter)
    _conversations: dict[str, _Conversation] = field(default_factory=dict)

    def read(self, event: Mapping[str, Any], conversation: str, source: str) -> Iterator[LoggedMessage]:
        """The messages that are certain with this event.

        Args:
            event: as Rasa writes it; one of another kind than `KINDS` has no effect.
            conversation: its sender id. source: where it was read.
        """
        kind = event.get("event")
        if kind == "user":
            yield from self._said(event, conversation, source)
        elif kind == "active_loop" and event.get("name"):
            self._conversations.setdefault(conversation, _Conversation())
        elif kind == "active_loop" and conversation in self._conversations:
            yield from self._released(conversation)
            del self._conversations[conversation]
        elif kind == "slot" and conversation in self._conversations:
            self._filled(event, self._conversations[conversation])

    def rest(self) -> Iterator[LoggedMessage]:
        """The messages that were still held back when the events ended."""
        for conversation in list(self._conversations):
            yield from self._released(conversation)

    def summary(self) -> str:
        """`left out 3 messages: 2 recognised by the bot, 1 of another channel`; empty where none was."""
        reasons = ", ".join(f"{count:,} {why}" for why, count in self.left_out.most_common())
        return f"left out {self.left_out.total():,} messages: {reasons}" if reasons else ""

    def _said(self, event: Mapping[str, Any], conversation: str, source: str) -> Iterator[LoggedMessage]:
        yield from self._released(conversation)
        text = event.get("text")
        if not isinstance(text, str):
            return
        refusal = self.selection.refusal(event)
        if refusal is not None:
            self.left_out[refusal] += 1
            return
        message = LoggedMessage(text, source, _number(event.get("timestamp")))
        form = self._conversations.get(conversation)
        if form is None or not form.requested:
            yield message
        else:
            form.asked, form.waiting = form.requested, message

    def _filled(self, event: Mapping[str, Any], form: _Conversation) -> None:
        name, value = event.get("name"), event.get("value")
        if name == _REQUESTED:
            form.requested = value if isinstance(value, str) else None
        elif name == form.asked and value is not None and form.waiting is not None:
            form.waiting = None
            self.left_out[ANSWER] += 1

    def _released(self, conversation: str) -> Iterator[LoggedMessage]:
        form = self._conversations.get(conversation)
        if form is not None and form.waiting is not None:
            yield form.waiting
            form.waiting = None


def _mapping(value: Any) -> Mapping[str, Any]:
    """The value, or nothing where it is something else: what others wrote may hold anything."""
    return value if isinstance(value, Mapping) else {}


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
