"""What the component does in a running bot.

It collects the messages that were not understood, and adds the proposed intent that they would belong to.
Nothing here may fail or delay an answer.
"""

from __future__ import annotations

import itertools
import logging
import sys
from collections.abc import Mapping
from datetime import datetime, timezone
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rasa.shared.constants import INTENT_MESSAGE_PREFIX
from rasa.shared.core.constants import REQUESTED_SLOT
from rasa.shared.core.events import BotUttered, UserUttered
from rasa.shared.core.trackers import DialogueStateTracker
from rasa.shared.nlu.constants import INTENT, INTENT_RANKING_KEY, TEXT
from rasa.shared.nlu.training_data.message import Message

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.build import readable
from rasa_intent_discovery.corpus.collection import Collection, Collector
from rasa_intent_discovery.corpus.event_fields import clicks
from rasa_intent_discovery.corpus.events import Guess
from rasa_intent_discovery.locales import language_code
from rasa_intent_discovery.rasa_plugin.rasa_tests import in_a_test
from rasa_intent_discovery.rasa_plugin.settings import ComponentSettings

if TYPE_CHECKING:
    from rasa_intent_discovery.learning.recognizer import Recognizer

logger = logging.getLogger(__name__)

#: Key in the parse result of a message that would belong to a proposed intent.
DISCOVERED_INTENT = "discovered_intent"

# The servers in which Rasa answers users, and the commands in which it is a developer's own chat.
_SERVERS = {"rasa_server", "rasa_core_no_api"}
_OWN_CHATS = (["shell"], ["interactive"])
_MEGABYTE = 1_000_000
_LANGUAGE = "language"


class Listener:
    """Gets every message after the classifiers, and acts on those that were not understood.

    Args:
        settings, config: of the component.
        recognizer: recognises proposed intents; None recognises none.
    """

    def __init__(
        self, settings: ComponentSettings, config: DiscoveryConfig, recognizer: Recognizer | None
    ) -> None:
        self._settings = settings
        self._config = config
        self._recognizer = recognizer
        self._collector: Collector | None = None
        if settings.collect != "never":
            most_bytes = round(settings.collection_megabytes * _MEGABYTE)
            self._collector = _collector(settings.collection, most_bytes, settings.collection_files)
        self._warned: set[str] = set()

    def hear(self, message: Message, tracker: DialogueStateTracker | None = None) -> None:
        """Collects the message and sets `discovered_intent` where that applies. Raises nothing.

        Args:
            tracker: the conversation up to this message, where there is one.
        """
        try:
            self._hear(message, tracker)
        except Exception as error:
            self._warn(f"a message could not be looked at ({type(error).__name__}: {error})")

    def _hear(self, message: Message, tracker: DialogueStateTracker | None) -> None:
        text = message.get(TEXT)
        if not isinstance(text, str) or text.startswith(INTENT_MESSAGE_PREFIX):
            return
        guess = guess_of(message, self._config.out_of_scope_intents)
        if guess.fell_back is None:
            self._warn("no classifier stands before it in the pipeline, put it last")
        if not not_understood(guess, self._settings.threshold) or was_asked_for(text, tracker):
            return
        try:
            self._recognize(message, text)
        finally:  # last: writing must not slow the recogniser
            self._collect(message, guess)

    def _recognize(self, message: Message, text: str) -> None:
        found = self._recognizer.recognize(text) if self._recognizer is not None else None
        if found is not None:
            message.set(
                DISCOVERED_INTENT, {"name": found[0], "confidence": round(found[1], 4)}, add_to_output=True
            )

    def _collect(self, message: Message, guess: Guess) -> None:
        if self._collector is not None and (self._settings.collect == "always" or answers_people()):
            kept = record(message, guess, self._config)
            if kept is not None:
                self._collector.collect(kept)

    def _warn(self, what: str) -> None:
        if what not in self._warned:
            self._warned.add(what)
            logger.warning(f"IntentDiscovery: {what}. The bot answers all the same; this is said once.")


@cache
def _collector(folder: str, most_bytes: int, most_files: int) -> Collector:
    """The one that writes into a folder: each has a thread, and a server may load models again and again."""
    return Collector(Collection(Path(folder), most_bytes, most_files))


def guess_of(message: Message, rejecting: tuple[str, ...]) -> Guess:
    """The intent that the classifiers before this component predicted, and its confidence.

    Args:
        rejecting: further intents for what the bot does not do.
    """
    parsed = {INTENT: message.get(INTENT), INTENT_RANKING_KEY: message.get(INTENT_RANKING_KEY)}
    return Guess.of(parsed, rejecting)


def not_understood(guess: Guess, threshold: float) -> bool:
    """Whether a message fell back, or was recognised with less confidence than the threshold."""
    if guess.fell_back:
        return True
    return guess.confidence is not None and guess.confidence < threshold


def was_asked_for(text: str, tracker: DialogueStateTracker | None) -> bool:
    """Whether the text answers a form or is that of a button just shown: then it is no new request."""
    if tracker is None:
        return False
    requested = tracker.slots.get(REQUESTED_SLOT)
    # A new session carries the slot over, and no form.
    if tracker.active_loop_name and requested is not None and requested.value is not None:
        return True
    said_since = itertools.takewhile(
        lambda event: not isinstance(event, UserUttered), reversed(tracker.events)
    )
    return any(
        text.strip() in clicks(event.as_dict()) for event in said_since if isinstance(event, BotUttered)
    )


def record(message: Message, guess: Guess, config: DiscoveryConfig) -> dict[str, Any] | None:
    """The record that is kept of a message, masked; None for a message that discovery would set aside.

    Returns:
        `{"text", "time", "intent", "confidence"}`, with the best intent other than the fallback and its
        confidence, or None; and `"language"` where the channel gives it.
    """
    read = readable(str(message.get(TEXT) or ""), config)
    if read is None:
        return None
    metadata = message.get("metadata")
    told = metadata.get(_LANGUAGE) if isinstance(metadata, Mapping) else None
    language = language_code(told) if isinstance(told, str) else None  # whoever writes may put anything there
    return {
        "text": read[0],
        "time": datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
        "intent": guess.intent,
        "confidence": None if guess.confidence is None else round(guess.confidence, 4),
        **({"language": language} if language else {}),
    }


def answers_people() -> bool:
    """Whether this process is a Rasa server for users, and not for a developer's own chat or a test.

    `rasa test nlu` and `rasa shell nlu` run a model as a server does, but start none.
    """
    sanic = sys.modules.get("sanic")
    servers = set(sanic.Sanic._app_registry) if sanic is not None else set()
    return bool(servers & _SERVERS) and sys.argv[1:2] not in _OWN_CHATS and not in_a_test()
