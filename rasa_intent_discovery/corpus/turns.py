"""What was said directly before and after messages of stored conversations. In memory only, not masked.

However large a store is, this stays small: of every message the latest times are kept, of all messages those
read last, of a conversation its last turns, and of an utterance its beginning.
"""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from rasa_intent_discovery.corpus.cleaning import longest_excerpt
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.datatypes import LoggedMessage

USER, BOT = "user", "bot"

_KEPT = longest_excerpt(CORPUS.utterance_characters)  # characters of an utterance


class Turn(NamedTuple):
    """What the user or the bot said before the other one spoke again: one or more utterances."""

    speaker: str
    said: tuple[str, ...]


@dataclass(slots=True, eq=False)
class Occurrence:
    """One time a message was logged: when, in seconds since 1970, and the turns around it, oldest first."""

    time: float | None = None
    before: tuple[Turn, ...] = ()
    after: tuple[Turn, ...] = ()

    def add(self, turn: Turn) -> bool:
        """Takes what was said next; whether more would be taken."""
        if self.after and self.after[-1].speaker == turn.speaker:
            *others, last = self.after
            turn = Turn(turn.speaker, (last.said + turn.said)[: CORPUS.most_utterances])
            self.after = (*others, turn)
        elif len(self.after) == CORPUS.turns_around:
            return False
        else:
            self.after = (*self.after, turn)
        return True


@dataclass(slots=True, eq=False)
class _Talk:
    """The last turns of a conversation, and the messages in it after which too little was said yet."""

    recent: tuple[Turn, ...] = ()
    waiting: list[Occurrence] = field(default_factory=list)

    def add(self, turn: Turn) -> None:
        if self.waiting:
            self.waiting = [one for one in self.waiting if one.add(turn)]
        if self.recent and self.recent[-1].speaker == turn.speaker:
            *others, last = self.recent
            turn = Turn(turn.speaker, (last.said + turn.said)[-CORPUS.most_utterances :])
            self.recent = (*others, turn)
        else:
            self.recent = (*self.recent, turn)[-CORPUS.turns_around :]


class Turns:
    """The turns around messages, by the text of the message."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, list[Occurrence]] = OrderedDict()
        self._count = 0
        self._talks: OrderedDict[str, _Talk] = OrderedDict()

    def say(self, conversation: str, speaker: str, text: str) -> None:
        """Takes what was said next in a conversation, and is no message that is read."""
        if conversation and (said := text[:_KEPT].strip()):
            self._talk(conversation).add(Turn(speaker, (sys.intern(said),)))

    def around(self, conversation: str, message: LoggedMessage) -> Occurrence:
        """Takes a message that was said next; what comes after it in the conversation is added to its turns.

        It is for the caller to `keep` them: a message may turn out to be none that is read.
        """
        if not conversation:
            return Occurrence(message.time)
        talk = self._talk(conversation)
        one = Occurrence(message.time, talk.recent)
        talk.add(Turn(USER, (sys.intern(message.text[:_KEPT].strip()),)))
        talk.waiting.append(one)
        return one

    def keep(self, message: LoggedMessage, one: Occurrence) -> None:
        """Keeps the turns around a message."""
        kept = self._kept.setdefault(message.text, [])
        self._kept.move_to_end(message.text)
        kept.append(one)
        if len(kept) > CORPUS.most_occurrences:
            kept.remove(min(kept, key=_when))
            return
        self._count += 1
        while self._count > CORPUS.most_kept_occurrences:
            self._count -= len(self._kept.popitem(last=False)[1])

    def end(self, conversation: str | None = None) -> None:
        """Ends a conversation, or all of them: what is said later is not around what was said before."""
        if conversation is None:
            self._talks.clear()
        else:
            self._talks.pop(conversation, None)

    def occurrences(self) -> Iterator[tuple[str, list[Occurrence]]]:
        """Each message as it was logged, with the times that were kept, the latest first."""
        for text, kept in self._kept.items():
            yield text, sorted(kept, key=_when, reverse=True)

    def __add__(self, other: Turns) -> Turns:
        both = Turns()
        for turns in (self, other):
            for text, kept in turns._kept.items():
                for one in kept:
                    both.keep(LoggedMessage(text), one)
        return both

    def _talk(self, conversation: str) -> _Talk:
        talk = self._talks.get(conversation)
        if talk is not None:
            self._talks.move_to_end(conversation)
            return talk
        if len(self._talks) == CORPUS.most_conversations:
            self._talks.popitem(last=False)
        talk = self._talks[conversation] = _Talk()
        return talk


def _when(one: Occurrence) -> float:
    return float("-inf") if one.time is None else one.time
