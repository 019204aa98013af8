"""Selects user messages from the events of stored conversations; by default the unrecognised ones.

An event is a dict in the format of tracker stores, event brokers and `rasa export` alike. This module
neither imports Rasa nor depends on where the events are read.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.event_fields import (
    as_mapping,
    as_number,
    clicks,
    commands_of,
    is_an_entity,
    is_from_outside,
    time_of,
    utterance,
)
from rasa_intent_discovery.corpus.turns import BOT, USER, Occurrence, Turns
from rasa_intent_discovery.datatypes import LoggedMessage
from rasa_intent_discovery.dates import moment
from rasa_intent_discovery.plural import counted
from rasa_intent_discovery.training_data.intent_names import is_out_of_scope

_LOOPS = ("active_loop", "form")  # `form` until Rasa 2
_FRESH_STARTS = ("restart", "session_started")
#: Kinds of events that are read; a store may leave out all others.
KINDS = ("user", "bot", "slot", *_LOOPS, *_FRESH_STARTS)
FALLBACK = "nlu_fallback"
#: Commands of Rasa Pro that start no flow and serve none: the bot answers freely, asks back, or cannot answer
#: (`rasa.dialogue_understanding.commands`).
UNSERVED = frozenset({"cannot handle", "chitchat", "clarify", "error", "knowledge", "noop"})

RECOGNIZED = "recognised by the bot (--all-messages reads them)"
SURE = "recognised with that confidence or a higher one"
ANSWER = "answers to what a form asked for"
CLICK = "clicks on a button"
OTHER_TIME = "of another time"
OTHER_CHANNEL = "of another channel"
FROM_OUTSIDE = "triggered by a program"

_REQUESTED = "requested_slot"


@dataclass(frozen=True)
class Selection:
    """Which user messages of a conversation are read. The times hold for other messages, too.

    Attributes:
        since, until: seconds since 1970, `since` included, `until` excluded; None means no bound.
        channels: names of Rasa's input channels; empty means all.
        below: 0..1, reads messages whose best intent has a lower confidence; None reads those that ended
            in the fallback, or in what the bot does not do. Messages that Rasa Pro made commands of are told
            by these, whatever it says.
        everything: reads all messages, whatever the bot recognised in them.
        rejecting: further intents for what the bot does not do.
        writers: of messages in files that say who wrote, only these; empty means all but bots and agents.
    """

    since: float | None = None
    until: float | None = None
    channels: tuple[str, ...] = ()
    below: float | None = None
    everything: bool = False
    rejecting: tuple[str, ...] = ()
    writers: tuple[str, ...] = ()

    @classmethod
    def of(cls, config: DiscoveryConfig) -> Selection:
        """The selection that the settings describe."""
        return cls(
            since=moment(config.since) if config.since is not None else None,
            until=moment(config.until, end=True) if config.until is not None else None,
            channels=config.channels,
            below=config.below,
            everything=config.all_messages,
            rejecting=config.out_of_scope_intents,
            writers=config.writers,
        )

    @property
    def has_times(self) -> bool:
        """Whether there is a bound in time."""
        return self.since is not None or self.until is not None

    def is_other_time(self, time: float | None) -> bool:
        """Whether a moment, in seconds since 1970, is out of the bounds; one that is unknown is not."""
        if time is None:
            return False
        return (self.since is not None and time < self.since) or (
            self.until is not None and time >= self.until
        )

    def refusal(self, event: Mapping[str, Any]) -> str | None:
        """The reason for which a user event is left out; None if it is read."""
        if self.is_other_time(time_of(event)):
            return OTHER_TIME
        if self.channels and event.get("input_channel") not in self.channels:
            return OTHER_CHANNEL
        if is_from_outside(event):
            return FROM_OUTSIDE
        if self.everything:
            return None
        parsed = as_mapping(event.get("parse_data"))
        if commands := commands_of(parsed):
            return RECOGNIZED if commands - UNSERVED else None
        guess = Guess.of(parsed, self.rejecting)
        if self.below is not None:
            return SURE if guess.confidence is not None and guess.confidence >= self.below else None
        return RECOGNIZED if guess.fell_back is False else None


@dataclass(frozen=True)
class Guess:
    """The prediction of a bot for a message.

    Attributes:
        fell_back: whether it ended in the fallback, or in an intent for what the bot does not do; None if
            unknown because no NLU model processed it.
        intent: the best one other than these; None if unknown.
        confidence: 0..1, of that intent; None if unknown.
    """

    fell_back: bool | None = None
    intent: str | None = None
    confidence: float | None = None

    @classmethod
    def of(cls, parsed: Mapping[str, Any], rejecting: Collection[str] = ()) -> Guess:
        """Reads the prediction from an event's `parse_data`, and tolerates any malformed content.

        Args:
            rejecting: further intents for what the bot does not do.
        """

        def rejects(intent: Any) -> bool:
            return intent == FALLBACK or (isinstance(intent, str) and is_out_of_scope(intent, rejecting))

        top = as_mapping(parsed.get("intent"))
        if not top.get("name"):
            return cls()
        ranking = parsed.get("intent_ranking") or [top]
        guesses = [as_mapping(guess) for guess in ranking] if isinstance(ranking, list) else [top]
        best = next((guess for guess in guesses if not rejects(guess.get("name"))), {})
        name = best.get("name")
        return cls(
            fell_back=rejects(top["name"]),
            intent=name if isinstance(name, str) else None,
            confidence=as_number(best.get("confidence")),
        )


@dataclass
class _Form:
    """The state of an active form in one conversation.

    Attributes:
        requested: the slot that the form asks for now.
        asked: the slot that it asked for when `waiting` was written.
        waiting: a message held back because it may be the answer, and the turns around it.
    """

    requested: str | None = None
    asked: str | None = None
    waiting: tuple[LoggedMessage, Occurrence] | None = None


@dataclass
class EventReader:
    """Reads the events of many conversations, in order, and counts the messages it leaves out.

    A message that answers a form has no intent of its own and is left out: it fills the slot that the form
    asked for, or consists of one entity only. To find out, a message in a form is held back until the next
    message of its conversation. The payload or title of a button that was offered is left out, too.

    Attributes:
        turns: the turns around the messages.
        left_out: reason -> number of messages.
        channels: those of the messages that are left out as they are of another one.
        has_any: whether there was a message of a user.
    """

    selection: Selection
    turns: Turns = field(default_factory=Turns)
    left_out: Counter[str] = field(default_factory=Counter)
    channels: set[str] = field(default_factory=set)
    has_any: bool = False
    _forms: dict[str, _Form] = field(default_factory=dict)
    _buttons: dict[str, set[str]] = field(default_factory=dict)

    def read(self, event: Mapping[str, Any], conversation: str) -> Iterator[LoggedMessage]:
        """The messages to read that this event settles: its own, or one that was held back before.

        Args:
            event: as Rasa writes it; malformed events and other kinds have no effect.
            conversation: the sender id.
        """
        kind = event.get("event")
        if kind == "user":
            yield from self._utterance(event, conversation)
        elif kind == "bot":
            self.turns.say(conversation, BOT, utterance(event))
            if sent := clicks(event):
                self._buttons.setdefault(conversation, set()).update(sent)
        elif kind in _LOOPS and event.get("name"):
            self._forms.setdefault(conversation, _Form())
        elif kind in _LOOPS or kind in _FRESH_STARTS:
            yield from self._released(conversation)
            self._forms.pop(conversation, None)
            if kind in _FRESH_STARTS:
                self.turns.end(conversation)
        elif kind == "slot" and conversation in self._forms:
            self._filled(event, self._forms[conversation])

    def rest(self) -> Iterator[LoggedMessage]:
        """The messages still held back after the last event."""
        for conversation in list(self._forms):
            yield from self._released(conversation)
        self.turns.end()

    def summary(self) -> str:
        """`left out 3 messages: 2 recognised by the bot, 1 of another channel`; empty where none was."""
        ranked = sorted(self.left_out.items(), key=lambda item: (-item[1], item[0]))
        reasons = ", ".join(f"{count:,} {why}" for why, count in ranked)
        return f"left out {counted(self.left_out.total(), 'message')}: {reasons}" if reasons else ""

    def advice(self) -> str:
        """What to choose differently where every message was left out."""
        ways = []
        if self.left_out[OTHER_TIME]:
            ways.append("give other days with --since and --until")
        if self.left_out[OTHER_CHANNEL]:
            ways.append(f"name a channel that there is with --channel ({', '.join(sorted(self.channels))})")
        if self.left_out[RECOGNIZED] or self.left_out[SURE]:
            ways.append("read all with --all-messages")
        return f"there are no others{': ' if ways else ''}{', or '.join(ways)}"

    def _utterance(self, event: Mapping[str, Any], conversation: str) -> Iterator[LoggedMessage]:
        yield from self._released(conversation)
        buttons = () if is_from_outside(event) else self._buttons.pop(conversation, ())
        text = event.get("text")
        if not isinstance(text, str):
            return
        self.has_any = True
        form = self._forms.get(conversation)
        asked = form.requested if form is not None else None
        refusal = self.selection.refusal(event)
        if refusal is None and text.strip() in buttons:
            refusal = CLICK
        if refusal is None and asked and is_an_entity(event, text):
            refusal = ANSWER
        if refusal is not None:
            self.left_out[refusal] += 1
            if refusal == OTHER_CHANNEL:
                self.channels.add(str(event.get("input_channel")))
            if not is_from_outside(event):
                self.turns.say(conversation, USER, text)
            return
        # Many messages have the same text: it is kept in memory once.
        message = LoggedMessage(sys.intern(text), time_of(event))
        around = self.turns.around(conversation, message)
        if form is None or not asked:
            self.turns.keep(message, around)
            yield message
        else:
            form.asked, form.waiting = asked, (message, around)

    def _filled(self, event: Mapping[str, Any], form: _Form) -> None:
        name, value = event.get("name"), event.get("value")
        if name == _REQUESTED:
            form.requested = value if isinstance(value, str) else None
        elif name == form.asked and value is not None and form.waiting is not None:
            form.waiting = None
            self.left_out[ANSWER] += 1

    def _released(self, conversation: str) -> Iterator[LoggedMessage]:
        form = self._forms.get(conversation)
        if form is not None and form.waiting is not None:
            self.turns.keep(*form.waiting)
            yield form.waiting[0]
            form.waiting = None
