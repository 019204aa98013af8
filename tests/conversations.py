"""Two conversations, as Rasa's own classes keep them, and what is to be read of them."""

from __future__ import annotations

import asyncio
from typing import Any

from rasa.shared.core.domain import Domain
from rasa.shared.core.events import ActionExecuted, ActiveLoop, SessionStarted, SlotSet, UserUttered
from rasa.shared.core.trackers import DialogueStateTracker

from rasa_intent_discovery.corpus.messages import MessageLog
from rasa_intent_discovery.rasa_plugin.rasa_versions import TrackerStore

#: When all of it was, in seconds since 1970.
MOMENT = 1_770_000_000.0
SAID = ["close my account", "the first wish, Grüße", "the second wish, Grüße"]
LEFT_OUT = (
    "left out 3 messages: 2 recognised by the bot (--all-messages reads them), "
    "1 answers to what a form asked for"
)
NO_DOMAIN = Domain.empty()


def fell_back(text: str) -> UserUttered:
    ranking = [{"name": "nlu_fallback", "confidence": 0.7}, {"name": "greet", "confidence": 0.3}]
    parsed: Any = {"intent": ranking[0], "intent_ranking": ranking, "entities": [], "text": text}
    return UserUttered(text, ranking[0], parse_data=parsed, input_channel="rest", timestamp=MOMENT)


def understood(text: str) -> UserUttered:
    return UserUttered(text, {"name": "greet", "confidence": 0.98}, input_channel="rest", timestamp=MOMENT)


def session(wish: str) -> list[Any]:
    start = [ActionExecuted("action_session_start", timestamp=MOMENT), SessionStarted(timestamp=MOMENT)]
    return [*start, understood("hello"), fell_back(wish)]


def fill(store: TrackerStore) -> None:
    """Ann has two sessions and a form, Bob a single message."""
    form = [
        ActiveLoop("booking", timestamp=MOMENT),
        SlotSet("requested_slot", "name", timestamp=MOMENT),
        fell_back("Ann Smith"),
        SlotSet("name", "Ann Smith", timestamp=MOMENT),
        ActiveLoop(None, timestamp=MOMENT),
    ]
    said = {
        "ann": [*session("the first wish, Grüße"), *session("the second wish, Grüße"), *form],
        "bob": [fell_back("close my account")],
    }

    async def save() -> None:
        for sender, events in said.items():
            conversation = DialogueStateTracker(sender, [])
            for event in events:
                conversation.update(event)
            await store.save(conversation)

    asyncio.run(save())


def check(log: MessageLog, where: str = "endpoints.yml > tracker_store") -> None:
    assert sorted(message.text for message in log.messages) == SAID
    assert {message.time for message in log.messages} == {MOMENT}
    assert log.skipped == (f"{where}: {LEFT_OUT}",)
