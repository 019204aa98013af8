"""What the component does with the messages of a bot at work, which never notices."""

from __future__ import annotations

import json
import logging
import sys
import tracemalloc
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from rasa.shared.core.domain import Domain
from rasa.shared.core.events import ActiveLoop, BotUttered, Event, SessionStarted, SlotSet, UserUttered
from rasa.shared.core.trackers import DialogueStateTracker
from rasa.shared.nlu.training_data.message import Message
from rasa_world import as_of
from sanic import Sanic

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.rasa_plugin import listening
from rasa_intent_discovery.rasa_plugin.listening import Listener, answers_people
from rasa_intent_discovery.rasa_plugin.settings import ComponentSettings

FELL_BACK = [("nlu_fallback", 0.3), ("greet", 0.21), ("bye", 0.2)]


class Invoices:
    """A recogniser to which everything is about invoices."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def recognize(self, text: str) -> tuple[str, float] | None:
        self.asked.append(text)
        return ("send_invoice", 0.87654321) if "invoice" in text else None


def message(text: str, ranking: list[tuple[str, float]], **metadata: Any) -> Message:
    """As it comes from the classifiers."""
    guesses = [{"name": name, "confidence": confidence} for name, confidence in ranking]
    data: dict[str, Any] = {"text": text, "metadata": metadata or None}
    return Message(data=data if not guesses else {**data, "intent": guesses[0], "intent_ranking": guesses})


def listener(tmp_path: Path, recognizer: Any = None, **settings: Any) -> Listener:
    own = ComponentSettings(**{"collect": "always", "collection": str(tmp_path / "kept"), **settings})
    return Listener(own, DiscoveryConfig(), recognizer)


def kept(heard: Listener, tmp_path: Path) -> list[dict[str, Any]]:
    if heard._collector is not None:
        heard._collector.wait(10)
    file = tmp_path / "kept/messages.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def test_a_message_that_fell_back_is_kept(tmp_path: Path) -> None:
    heard = listener(tmp_path)
    before = datetime.now(timezone.utc)
    heard.hear(message("send me the bill", FELL_BACK, language="en", channel="web"))
    [line] = kept(heard, tmp_path)
    time = datetime.fromisoformat(line.pop("time"))
    assert line == {"text": "send me the bill", "intent": "greet", "confidence": 0.21, "language": "en"}
    assert abs((time - before).total_seconds()) < 60


@pytest.mark.parametrize(
    ("told", "there"),
    [("pt-BR", "pt"), ("ann@example.org " + "x" * 1000, None), ("en " * 9, None), (7, None)],
)
def test_of_what_the_channel_tells_only_the_code_of_a_language_is_kept(
    tmp_path: Path, told: object, there: str | None
) -> None:
    heard = listener(tmp_path)
    heard.hear(message("send me the bill", FELL_BACK, language=told))
    [line] = kept(heard, tmp_path)
    assert line.get("language") == there


def test_a_name_of_a_language_of_any_length_is_not_taken_apart(tmp_path: Path) -> None:
    heard = listener(tmp_path)
    told = message("send me the bill", FELL_BACK, language="-" * 1_000_000)
    tracemalloc.start()
    try:
        heard.hear(told)
        _, most_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most_bytes < 4_000_000


def test_a_message_that_the_bot_does_not_serve_is_kept_as_one_that_fell_back(tmp_path: Path) -> None:
    heard = listener(tmp_path)
    heard.hear(message("send me the bill", [("out_of_scope", 0.9), ("greet", 0.05)]))
    [line] = kept(heard, tmp_path)
    assert (line["text"], line["intent"], line["confidence"]) == ("send me the bill", "greet", 0.05)


def test_personal_data_is_masked(tmp_path: Path) -> None:
    heard = listener(tmp_path)
    heard.hear(message("mail it to ann@example.org", FELL_BACK))
    assert [line["text"] for line in kept(heard, tmp_path)] == ["mail it to <email>"]


@pytest.mark.parametrize(
    ("text", "ranking"),
    [
        ("good morning", [("greet", 0.9), ("bye", 0.1)]),
        ("/greet", FELL_BACK),
        ("EXTERNAL: reminder", FELL_BACK),
        ("4711", FELL_BACK),
        ("", FELL_BACK),
        ("no classifier has seen this", []),
    ],
)
def test_what_is_not_kept(tmp_path: Path, text: str, ranking: list[tuple[str, float]]) -> None:
    recognizer = Invoices()
    heard = listener(tmp_path, recognizer)
    said = message(text, ranking)
    heard.hear(said)
    assert kept(heard, tmp_path) == []
    assert said.get("discovered_intent") is None


ASKING = [ActiveLoop("booking"), SlotSet("requested_slot", "people"), BotUttered("For how many?")]
OFFERING = [
    UserUttered("hello"),
    BotUttered("Shall I?", {"buttons": [{"title": "Call me", "payload": "somebody should ring me"}]}),
    BotUttered("Or write to us."),
]


@pytest.mark.parametrize(
    ("events", "text", "count"),
    [
        (ASKING, "for the four of us", 0),
        ([*ASKING, SlotSet("requested_slot", None)], "for the four of us", 1),
        ([*ASKING, SessionStarted(), SlotSet("requested_slot", "people")], "for the four of us", 1),
        ([*ASKING, ActiveLoop(None)], "for the four of us", 1),
        (OFFERING, "somebody should ring me", 0),
        (OFFERING, "Call me ", 0),
        (OFFERING, "ring me tomorrow", 1),
        ([*OFFERING, UserUttered("hm"), BotUttered("Yes?")], "Call me", 1),
        ([], "Call me", 1),
    ],
)
def test_answers_to_forms_and_clicks_are_not_kept(
    tmp_path: Path, events: list[Event], text: str, count: int
) -> None:
    domain = Domain.from_dict({"forms": {"booking": {"required_slots": ["people"]}}})
    tracker = DialogueStateTracker.from_events("ann", events, domain.slots)
    heard = listener(tmp_path)
    heard.hear(message(text, FELL_BACK), tracker)
    assert len(kept(heard, tmp_path)) == count


def test_a_threshold_keeps_what_was_recognised_with_less(tmp_path: Path) -> None:
    heard = listener(tmp_path, threshold=0.5)
    heard.hear(message("morning", [("greet", 0.49), ("bye", 0.4)]))
    heard.hear(message("hello", [("greet", 0.5), ("bye", 0.4)]))
    heard.hear(message("bill", [("nlu_fallback", 0.7), ("greet", 0.6)]))
    assert [(line["text"], line["confidence"]) for line in kept(heard, tmp_path)] == [
        ("morning", 0.49),
        ("bill", 0.6),
    ]


def test_what_would_belong_to_a_proposed_intent_says_so(tmp_path: Path) -> None:
    heard = listener(tmp_path, Invoices())
    said, other = message("my invoice", FELL_BACK), message("my cat", FELL_BACK)
    heard.hear(said)
    heard.hear(other)
    answer = said.as_dict(only_output_properties=True)
    assert answer["discovered_intent"] == {"name": "send_invoice", "confidence": 0.8765}
    assert json.dumps(answer["discovered_intent"]), "Rasa has to be able to write it"
    assert other.get("discovered_intent") is None


def test_a_message_that_was_understood_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recognizer = Invoices()
    monkeypatch.setattr(listening, "record", lambda *_: pytest.fail("it was looked at"))
    listener(tmp_path, recognizer).hear(message("my invoice", [("greet", 0.9)]))
    assert recognizer.asked == []


def test_our_own_mistakes_stay_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(listening, "record", lambda *_: 1 / 0)
    heard = listener(tmp_path)
    for _ in range(3):
        heard.hear(message("send me the bill", FELL_BACK))
    assert [record.message for record in caplog.records] == [
        "IntentDiscovery: a message could not be looked at (ZeroDivisionError: division by zero). The bot "
        "answers all the same; this is said once."
    ]


def test_standing_before_the_classifiers_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    heard = listener(tmp_path)
    for _ in range(2):
        heard.hear(message("send me the bill", []))
    assert [record.message for record in caplog.records] == [
        "IntentDiscovery: no classifier stands before it in the pipeline, put it last. The bot answers all "
        "the same; this is said once."
    ]


@pytest.mark.parametrize(
    ("collect", "live", "count"),
    [("auto", True, 1), ("auto", False, 0), ("always", False, 1), ("never", True, 0)],
)
def test_what_is_collected_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, collect: str, live: bool, count: int
) -> None:
    monkeypatch.setattr(listening, "answers_people", lambda: live)
    heard = listener(tmp_path, collect=collect)
    heard.hear(message("send me the bill", FELL_BACK))
    assert len(kept(heard, tmp_path)) == count


@pytest.mark.parametrize(
    ("servers", "arguments", "live"),
    [
        ([], ["rasa", "test", "nlu"], False),
        ([], ["rasa", "shell", "nlu"], False),
        (["rasa_core_no_api"], ["rasa", "run"], True),
        (["rasa_server"], ["rasa", "run", "--enable-api"], True),
        (["rasa_server"], ["rasa", "shell"], False),
        (["rasa_server"], ["rasa", "interactive"], False),
    ],
)
def test_where_people_are_answered(
    monkeypatch: pytest.MonkeyPatch, servers: list[str], arguments: list[str], live: bool
) -> None:
    monkeypatch.setattr(Sanic, "_app_registry", dict.fromkeys(servers))
    monkeypatch.setattr(sys, "argv", arguments)
    assert answers_people() == live


@pytest.mark.parametrize("module", ["rasa.nlu.test", "rasa.core.test"])
def test_what_a_server_is_tested_with_nobody_said(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    """By `POST /model/test/intents` and `/model/test/stories`."""
    monkeypatch.setattr(Sanic, "_app_registry", {"rasa_server": None})
    monkeypatch.setattr(sys, "argv", ["rasa", "run", "--enable-api"])
    assert not as_of(module, answers_people)()
    assert answers_people()


def test_models_that_are_loaded_one_after_the_other_write_by_one_thread(tmp_path: Path) -> None:
    one, other = listener(tmp_path), listener(tmp_path)
    assert one._collector is other._collector
    assert listener(tmp_path, collection_files=3)._collector is not one._collector


def test_logging_is_quiet_otherwise(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    heard = listener(tmp_path, Invoices())
    with caplog.at_level(logging.INFO):
        heard.hear(message("my invoice", FELL_BACK))
        kept(heard, tmp_path)
    assert [record for record in caplog.records if record.name.startswith("rasa_intent_discovery")] == []
