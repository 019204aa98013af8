"""IntentDiscovery in a pipeline that Rasa itself trains, caches, loads and runs."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import json
import logging
import os
import re
import shutil
import sys
import tarfile
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from encoder_readings import WantedReading, each_reading
from failing import failing
from rasa.core.agent import Agent
from rasa.core.channels.channel import UserMessage
from rasa.engine.graph import ExecutionContext, GraphComponent, GraphSchema
from rasa.engine.loader import load_predict_graph_runner
from rasa.engine.recipes.default_recipe import DefaultV1Recipe
from rasa.engine.runner.dask import DaskGraphRunner
from rasa.engine.storage.local_model_storage import LocalModelStorage
from rasa.engine.storage.resource import Resource
from rasa.engine.storage.storage import ModelStorage
from rasa.model_training import train_nlu
from rasa.nlu.classifiers.classifier import IntentClassifier
from rasa.shared.core.domain import Domain
from rasa.shared.core.events import UserUttered
from rasa.shared.core.trackers import DialogueStateTracker
from rasa.shared.exceptions import InvalidConfigException, RasaException
from rasa.shared.nlu.training_data.message import Message
from rasa.shared.nlu.training_data.training_data import TrainingData
from rasa_world import PRO_VERSION, as_of, done
from tiny_encoder import write_tiny_encoder

import rasa_intent_discovery
from rasa_intent_discovery.config import PRESETS, DiscoveryConfig
from rasa_intent_discovery.corpus.messages import NO_MESSAGES
from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.drafts.entities import NO_ENTITIES
from rasa_intent_discovery.drafts.folder import ANSWERS, RUN
from rasa_intent_discovery.drafts.known_bot import KnownBot
from rasa_intent_discovery.drafts.outcome import Outcome
from rasa_intent_discovery.errors import DataError, TooFewMessages
from rasa_intent_discovery.learning import loading
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.token_states import TokenStates
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.rasa_plugin import component, hooks, latest_training
from rasa_intent_discovery.rasa_plugin.component import IntentDiscovery
from rasa_intent_discovery.rasa_plugin.rasa_versions import SQLTrackerStore
from rasa_intent_discovery.rasa_plugin.settings import ComponentSettings
from rasa_intent_discovery.review.decisions.answers import answer_line
from rasa_intent_discovery.training_data.nlu_yaml import IGNORED, Draft, to_yaml

NLU = """\
version: "3.1"
nlu:
- intent: greet
  examples: |
    - hello [Ann](name)
    - good morning
- intent: faq/hours
  examples: |
    - when do you open
    - are you open
"""

Calls = list[tuple[Any, ...]]


@pytest.fixture(autouse=True)
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny bot and its log; the test runs in its folder, with a cache of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RASA_TELEMETRY_ENABLED", "false")
    Path("data").mkdir()
    Path("data/nlu.yml").write_text(NLU)
    Path("logs").mkdir()
    Path("logs/may.txt").write_text("send me the bill\n")
    return tmp_path


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Discoveries take no time and find nothing; each notes what it was asked for."""
    made: Calls = []

    def nothing(*arguments: Any) -> Outcome:
        made.append(arguments)
        return Outcome(SimpleNamespace(recognizer=None), ())

    monkeypatch.setattr(component, "_discover", nothing)
    return made


def train(
    settings: str = "messages: logs",
    pipeline: str = "- name: KeywordIntentClassifier",
    before: str = "- name: WhitespaceTokenizer",
) -> str:
    """`rasa train nlu`; the path of the model."""
    Path("config.yml").write_text(
        "recipe: default.v1\nlanguage: en\npipeline:\n"
        f"{before}\n- {{name: rasa_intent_discovery.IntentDiscovery, {settings}}}\n{pipeline}\n"
    )
    model = done(train_nlu("config.yml", "data", "models"))
    assert model is not None
    return model


def test_what_a_form_asked_for_is_no_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    left_out = "logs/may.jsonl: left out 9 messages: 9 answers to what a form asked for"
    nothing = SimpleNamespace(recognizer=None, intents=(), corpus=SimpleNamespace(logged_messages=7))
    monkeypatch.setattr(component, "run_discovery", lambda *_, **__: Outcome(nothing, (left_out,)))
    with caplog.at_level(logging.INFO, "rasa_intent_discovery"):
        train()
    ours = [(one.levelname, one.message) for one in caplog.records if one.name == component.__name__]
    assert ours == [
        ("INFO", f"IntentDiscovery: not all was read: {left_out}."),
        ("INFO", "IntentDiscovery: 0 new intents in 7 messages, the drafts are in intent_drafts."),
    ]


@pytest.mark.parametrize("kind", [DataError, TooFewMessages])
def test_what_stands_in_a_log_commands_no_terminal(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, kind: type[DataError]
) -> None:
    nothing = SimpleNamespace(recognizer=None, intents=(), corpus=SimpleNamespace(logged_messages=7))
    left_out = "logs: left out a file of another kind, logs/\x1b[2J\u202ea.log"
    shown = "logs: left out a file of another kind, logs/\ufffd[2J\ufffda.log"

    def fail(*_: Any, **__: Any) -> None:
        raise kind(left_out)

    with caplog.at_level(logging.INFO, "rasa_intent_discovery"):
        monkeypatch.setattr(component, "run_discovery", lambda *_, **__: Outcome(nothing, (left_out,)))
        train()
        monkeypatch.setattr(component, "run_discovery", fail)
        train("messages: logs, min_messages: 4")
    with pytest.raises(RasaException, match=re.escape(shown)):
        train("messages: logs, min_messages: 4, strict: true")
    ours = [one.message for one in caplog.records if one.name == component.__name__]
    assert f"IntentDiscovery: not all was read: {shown}." in ours
    assert any(one.startswith(f"IntentDiscovery: {shown}") for one in ours)


def test_training_discovers_in_the_training_data_with_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Calls = []

    def fail(*arguments: Any) -> None:
        asked.append((replace(arguments[0], entities=NO_ENTITIES), *arguments[1:]))
        raise DataError("enough")

    monkeypatch.setattr(component, "run_discovery", fail)
    train("messages: [logs, june.csv], preset: fast, min_messages: 3, num_intents: 4, trained_layers: 2")
    assert asked == [
        (
            KnownBot(
                [
                    KnownExample("hello Ann", "greet"),
                    KnownExample("good morning", "greet"),
                    KnownExample("when do you open", "faq/hours"),
                    KnownExample("are you open", "faq/hours"),
                ],
                ["faq", "greet"],
                NO_ENTITIES,
                ["data"],
            ),
            DiscoveryConfig.from_preset(
                "fast", messages=["logs", "june.csv"], min_messages=3, num_intents=4, trained_layers=2
            ),
            component.ShownProgress,
            NO_MESSAGES,
        )
    ]


def test_training_looks_for_the_entities_of_the_training_data(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def fail(bot: KnownBot, *_: Any) -> None:
        asked.append([str(one) for _, _, one in bot.entities.find("Ann, meet Bob and the postman")])
        raise DataError("enough")

    monkeypatch.setattr(component, "run_discovery", fail)
    table = "- lookup: name\n  examples: |\n    - Bob\n- lookup: profession\n  examples: |\n    - postman\n"
    Path("data/nlu.yml").write_text(NLU + table)
    train()
    assert asked == [["[Ann](name)", "[Bob](name)"]]


def test_a_real_training_writes_drafts() -> None:
    encoder = write_tiny_encoder(Path("encoder"))
    logged = [
        f"{wish} {letter * 3}"
        for wish in ("my invoice please", "the password is")
        for letter in "abcdefghijkl"
    ]
    Path("logs/may.txt").write_text("\n".join(logged) + "\n")
    train(f"messages: logs, preset: fast, encoder: {encoder}, device: cpu, num_intents: 2, seed: 1")
    lines = Path("intent_drafts/assignments.jsonl").read_text().splitlines()
    assert sorted(json.loads(line)["text"] for line in lines) == sorted(logged)
    assert json.loads(Path("intent_drafts/run.json").read_text())["settings"]["num_intents"] == 2


def test_without_messages_training_does_nothing(calls: Calls, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "rasa_intent_discovery"):
        train("seed: 3")
    assert calls == []
    ours = [record.message for record in caplog.records if record.name.startswith("rasa_intent_discovery")]
    assert ours == [
        "IntentDiscovery: no messages are collected yet and no other `messages` are set, so no new intents "
        "are looked for."
    ]


@pytest.mark.parametrize(("pipeline", "warned"), [("", True), ("- name: KeywordIntentClassifier", False)])
def test_a_pipeline_that_learns_no_intent_is_told_of_in_training(
    pipeline: str, warned: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Rasa has a pipeline of its own only where none is given: with this component alone nothing is known."""
    with caplog.at_level(logging.WARNING, "rasa_intent_discovery"):
        train("seed: 3", pipeline)
    said = [one.message for one in caplog.records if "no classifier is trained" in one.message]
    assert len(said) == warned


def test_a_training_that_is_told_so_does_not_discover(calls: Calls) -> None:
    train("messages: logs, discover_on_train: false")
    assert calls == []


def test_without_messages_those_collected_are_read(calls: Calls) -> None:
    Path("collected_messages").mkdir()
    Path("collected_messages/messages.jsonl").write_text('{"text": "send me the bill"}\n')
    train("seed: 3")
    [(_, _, settings, config)] = calls
    assert settings == ComponentSettings()
    assert config.messages == ("collected_messages",)


def test_before_anything_is_collected_the_other_messages_are_read(calls: Calls) -> None:
    train("messages: [logs, kept], collection: kept")
    assert calls[0][3].messages == ("logs",)


@pytest.mark.parametrize("settings", ["seed: 3", "messages: [collected_messages/], strict: true"])
def test_too_few_collected_messages_are_no_reason_to_warn(
    settings: str, caplog: pytest.LogCaptureFixture
) -> None:
    Path("collected_messages").mkdir()
    Path("collected_messages/messages.jsonl").write_text('{"text": "send me the bill"}\n')
    with caplog.at_level(logging.INFO, "rasa_intent_discovery"):
        train(settings)
    ours = [record for record in caplog.records if record.name == component.__name__]
    assert [(record.levelname, record.message) for record in ours] == [
        (
            "INFO",
            "IntentDiscovery: not enough messages are collected yet: different texts to look at: 1, but at "
            "least 20 are needed (logged: 1); give more messages.",
        )
    ]
    assert not Path("intent_drafts").exists()


def test_the_tracker_store_is_read_where_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def fail(*given: Any) -> None:
        asked.append(given[-1].messages)
        raise DataError("enough")

    monkeypatch.setattr(component, "run_discovery", fail)
    say("send me the bill")
    Path("endpoints.yml").write_text("tracker_store: {type: SQL, dialect: sqlite, db: tracker.db}\n")
    train("endpoints: endpoints.yml")
    assert [[message.text for message in messages] for messages in asked] == [["send me the bill"]]


def test_a_store_that_no_bot_has_used_yet_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A bot cannot be talked to before it is trained."""
    monkeypatch.setattr(component, "run_discovery", lambda *_, **__: pytest.fail("there is nothing to read"))
    Path("endpoints.yml").write_text("tracker_store: {type: SQL, dialect: sqlite, db: tracker.db}\n")
    train("endpoints: endpoints.yml, strict: true")
    [said] = [one.message for one in caplog.records if one.name == component.__name__]
    assert "there is no database" in said
    assert said.endswith("No new intents are looked for.")


def test_too_few_messages_in_a_store_are_a_failure(caplog: pytest.LogCaptureFixture) -> None:
    say("send me the bill")
    Path("endpoints.yml").write_text("tracker_store: {type: SQL, dialect: sqlite, db: tracker.db}\n")
    with pytest.raises(RasaException, match="different texts to look at: 1"):
        train("endpoints: endpoints.yml, strict: true")


def test_a_model_without_proposed_intents_loads_nothing_to_recognise_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "rasa_intent_discovery.learning.recognizer", None)
    assert component._recognizer(tmp_path) is None
    assert caplog.messages == []


def test_a_test_by_a_server_trains_without_a_discovery(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    as_of("rasa.nlu.test", train)()
    assert calls == []


def test_nothing_changed_is_restored_from_the_cache(calls: Calls) -> None:
    train()
    train()
    assert len(calls) == 1


def test_a_changed_log_is_looked_at_again(calls: Calls) -> None:
    train()
    Path("logs/may.txt").write_text("send me the bill\ninvoice?\n")
    train()
    assert len(calls) == 2


def test_a_log_at_home_is_looked_at_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(Path.cwd()))
    before = component.IntentDiscovery.fingerprint_addon({"messages": "~/logs"})
    Path("logs/may.txt").write_text("send me the bill\ninvoice?\n")
    assert component.IntentDiscovery.fingerprint_addon({"messages": "~/logs"}) != before


def test_a_changed_setting_is_looked_at_again(calls: Calls) -> None:
    train("messages: logs")
    train("messages: logs, min_messages: 7")
    assert len(calls) == 2


def test_a_test_of_the_bot_looks_for_nothing_and_leaves_the_next_training_to_do_it(
    calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`rasa test nlu --cross-validation` trains bots of a part of the examples."""
    monkeypatch.setattr(sys, "argv", ["rasa", "test", "nlu", "--cross-validation"])
    train()
    assert calls == []
    monkeypatch.setattr(sys, "argv", ["rasa", "train"])
    train()
    assert len(calls) == 1


def test_what_is_collected_is_masked_as_the_language_of_the_bot_has_its_numbers(
    calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dutch(config: DiscoveryConfig, *_: object) -> DiscoveryConfig:
        return config if config.language else replace(config, language="nl")

    monkeypatch.setattr(component, "in_language", dutch)
    model, _ = train_listening("embedded", {"collection": "kept"})
    asyncio.run(Agent.load(model).parse_message("mijn bsn is 123456782"))
    kept = Path("kept/messages.jsonl")
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and not (kept.exists() and kept.read_text()):
        time.sleep(0.05)
    assert json.loads(kept.read_text())["text"] == "mijn bsn is <id>"


def test_the_language_of_the_bot_is_that_of_the_config_that_is_trained(
    calls: Calls, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Rasa tells a component nothing of what stands above the pipeline."""
    Path("polish.yml").write_text("recipe: default.v1\nlanguage: pl\npipeline: []\n")
    before = IntentDiscovery.fingerprint_addon({})
    told = Namespace(func=lambda: None, config="polish.yml")
    monkeypatch.setattr(hooks, "_told", {})
    hooks.configure_commandline(told)
    assert IntentDiscovery.fingerprint_addon({}) != before
    train()
    assert calls[0][3].language == "pl"

    Path("polish.yml").write_text("recipe: default.v1\nlanguage: klingon\npipeline: []\n")
    train()
    assert calls[1][3].language is None
    assert (
        "`language: klingon` is not known, so that of the examples is taken: none that could be told"
        in caplog.messages
    )


def test_inputs_that_are_again_as_before_the_latest_training_are_discovered_in_again(calls: Calls) -> None:
    """Rasa would take the result of the first one, and leave the drafts those of the second."""
    train()
    train()
    assert len(calls) == 1
    Path("intent_drafts").mkdir()
    answers = Path("intent_drafts", ANSWERS)
    answers.write_text(answer_line(Answer("a", ("b",))))
    for trainings in (2, 3, 4):
        train()
        train()
        assert len(calls) == trainings
        answers.unlink() if answers.exists() else answers.write_text(answer_line(Answer("a", ("b",))))


def test_settings_that_are_again_as_before_the_latest_training_too(calls: Calls) -> None:
    for trainings, least in enumerate((5, 8, 5, 8), 1):
        train(f"messages: logs, min_messages: {least}")
        train(f"messages: logs, min_messages: {least}")
        assert len(calls) == trainings


def test_examples_that_are_again_as_before_the_latest_training_too(calls: Calls) -> None:
    for trainings, more in enumerate(("", "    - what is new\n", "", "    - what is new\n"), 1):
        Path("data/nlu.yml").write_text(NLU + more)
        train()
        train()
        assert len(calls) == trainings


GIFT_CARD = Draft("gift_card", ("balance of my card", "what is on my card"))


def write_draft(draft: Draft = GIFT_CARD, path: str = "new/gift_card.yml", note: str = "") -> None:
    """Writes a draft into the folder of drafts, as if a run had made that."""
    file = Path("intent_drafts", path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(note + to_yaml(draft))
    Path("intent_drafts", RUN).write_text("{}")


@pytest.mark.parametrize(
    "edit",
    [
        lambda: write_draft(replace(GIFT_CARD, intent="voucher_balance")),
        lambda: write_draft(replace(GIFT_CARD, decision=IGNORED)),
        lambda: write_draft(replace(GIFT_CARD, examples=GIFT_CARD.examples[:1])),
        lambda: write_draft(Draft("greet", ("hiya",)), "known/greet.yml"),
        lambda: write_draft(note="<<<<<<< HEAD\n"),
        lambda: Path("intent_drafts/new/gift_card.yml").unlink(),
    ],
    ids=["renamed", "ignored", "example taken out", "of a known intent", "not merged", "deleted"],
)
def test_what_was_done_to_the_drafts_reaches_the_bot(edit: Callable[[], object], calls: Calls) -> None:
    """Rasa would take the result of the training before, which recognises what was ignored since."""

    def as_before() -> None:
        shutil.rmtree("intent_drafts", ignore_errors=True)
        write_draft()

    for trainings, done_to_them in enumerate((as_before, edit, as_before, edit), 1):
        done_to_them()
        train()
        train()
        assert len(calls) == trainings


@pytest.mark.parametrize(
    "edit",
    [
        lambda: write_draft(replace(GIFT_CARD, evidence={"messages": 9}), note="# ask Anna\n"),
        lambda: Path("intent_drafts/notes.txt").write_text("ask Anna\n"),
        lambda: shutil.rmtree("intent_drafts"),
        lambda: Path("intent_drafts", RUN).unlink(),
    ],
    ids=["comment", "other file", "no folder", "not a folder of drafts"],
)
def test_what_a_discovery_would_make_nothing_of_is_no_reason_for_one(
    edit: Callable[[], object], calls: Calls
) -> None:
    write_draft()
    train()
    edit()
    train()
    assert len(calls) == 1


@DefaultV1Recipe.register(DefaultV1Recipe.ComponentType.INTENT_CLASSIFIER, is_trainable=True)
class Scribbler(IntentClassifier, GraphComponent):
    """Writes into the training data while it learns, as DIET does with annotated entities."""

    def __init__(self, resource: Resource) -> None:
        self._resource = resource

    @classmethod
    def create(
        cls,
        config: dict[str, Any],
        model_storage: ModelStorage,
        resource: Resource,
        execution_context: ExecutionContext,
    ) -> Scribbler:
        return cls(resource)

    def train(self, training_data: TrainingData) -> Resource:
        for message in training_data.training_examples:
            message.set("bilou_entities", ["O"])
        return self._resource

    def process(self, messages: list[Message]) -> list[Message]:
        return messages


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What the command line says, of `rasa train nlu`."""
    told = {"config": "config.yml"}
    monkeypatch.setattr(hooks, "_told", told)
    return told


SCRIBBLED = "- name: WhitespaceTokenizer\n- name: Scribbler"  # Rasa trains in the order of such names


def kept_in(model: str, name: str) -> str:
    """The content of a file that the component keeps in a model."""
    with tarfile.open(model) as archive:
        [member] = [one for one in archive.getmembers() if f"IntentDiscovery2/{name}" in one.name]
        content = archive.extractfile(member)
        assert content is not None
        return content.read().decode()


@pytest.mark.skipif(bool(PRO_VERSION), reason="Rasa Pro restores what has not changed by itself there")
def test_nothing_has_changed_where_a_classifier_has_written_into_the_training_data(
    calls: Calls, command: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    said = "IntentDiscovery: nothing has changed since the latest training, so its result is taken."
    caplog.set_level(logging.INFO, "rasa_intent_discovery")
    models = [train(before=SCRIBBLED) for _ in range(3)]
    assert len(calls) == 1
    assert caplog.messages.count(said) == 1  # the third is restored by Rasa
    assert [kept_in(model, "language.json") for model in models] == ['{"language": "en"}'] * 3

    Path("data/nlu.yml").write_text(NLU.replace("are you open", "are you open on [Sunday](day)"))
    train(before=SCRIBBLED)
    assert len(calls) == 2
    command["force"] = "--force"
    train(before=SCRIBBLED)
    assert len(calls) == 3
    command["force"] = ""
    Path("data/nlu.yml").write_text(NLU)
    train(before=SCRIBBLED)
    write_draft()
    train(before=SCRIBBLED)
    assert len(calls) == 5


def test_stories_are_no_reason_to_discover_again() -> None:
    before = IntentDiscovery.fingerprint_addon({})
    latest_training.note_latest("intent_drafts", "", "")
    Path("data/stories.yml").write_text("stories:\n- story: one\n  steps:\n  - intent: greet\n")
    assert IntentDiscovery.fingerprint_addon({}) == before
    assert component._examples_digest() == hashlib.sha256(Path("data/nlu.yml").read_bytes()).hexdigest()


def test_two_trainings_that_end_at_once_are_both_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".rasa/cache").mkdir(parents=True)
    for out in ("one", "other"):
        IntentDiscovery.fingerprint_addon({"out": out})
    read, other = latest_training._noted, Thread(target=latest_training.note_latest, args=("other", "", ""))

    def meanwhile() -> Any:
        found = read()
        monkeypatch.setattr(latest_training, "_noted", read)
        other.start()
        other.join(0.2)  # seconds: it has to wait for this one
        return found

    monkeypatch.setattr(latest_training, "_noted", meanwhile)
    latest_training.note_latest("one", "", "")
    other.join()
    assert sorted(map(os.path.basename, read())) == ["one", "other"]


def test_a_training_with_nothing_to_read_is_skipped_the_next_time(
    calls: Calls, caplog: pytest.LogCaptureFixture
) -> None:
    train()
    with caplog.at_level(logging.INFO, "rasa_intent_discovery"):
        for _ in range(3):
            train("messages: []")
    said = [one.message for one in caplog.records if "no messages are collected yet" in one.message]
    assert (len(said), len(calls)) == (1, 1)


def test_nor_does_the_discovery_write_into_the_training_data_that_was_named(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(hooks, "_told_data", ["mydata"])
    Path("mydata").mkdir()
    train("messages: logs, out: mydata/drafts")
    assert "mydata/drafts lies in mydata, which is training data Rasa would train on" in caplog.text
    assert not list(Path("mydata").iterdir())


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("messages: locked/in", ["locked/in: cannot be read (Permission denied), make it readable first"]),
        ("messages: logs, out: locked/x", ["locked/x cannot be looked at (Permission denied): "]),
        ("messages: [logs, collected_messages], collection: locked/in", []),
        (f"messages: [logs, {300 * 'a'}]", [f"{300 * 'a'}: cannot be read (File name too long), make it "]),
    ],
)
def test_what_may_not_be_entered_is_a_warning_and_the_bot_is_trained(
    settings: str, said: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # To the superuser every folder is open, whatever its mode says.
    failing("pathlib.Path.stat", PermissionError(errno.EACCES, "Permission denied"), "locked/")(monkeypatch)
    failing("os.listdir", PermissionError(errno.EACCES, "Permission denied"), "locked/")(monkeypatch)
    train(settings)
    for one in said:
        assert one in caplog.text
    assert not any(one.exc_info for one in caplog.records)


def test_the_fingerprint_looks_for_answers_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", os.getcwd())
    Path("drafts").mkdir()
    before = IntentDiscovery.fingerprint_addon({"out": "~/drafts"})
    Path("drafts/answers.jsonl").write_text("{}\n")
    assert IntentDiscovery.fingerprint_addon({"out": "~/drafts"}) != before


def test_a_language_that_is_set_is_not_that_of_the_training(tmp_path: Path) -> None:
    (tmp_path / "language.json").write_text('{"language": "nl"}')
    kept = component._in_kept_language
    assert kept(DiscoveryConfig(), tmp_path).language == "nl"
    assert kept(DiscoveryConfig(language="en"), tmp_path).language == "en"
    assert kept(DiscoveryConfig(), tmp_path / "of_an_earlier_version").language is None


def test_the_fingerprint_knows_the_file_of_a_sheet() -> None:
    Path("may.xlsx").write_bytes(b"one")
    one = IntentDiscovery.fingerprint_addon({"messages": ["may.xlsx#June"]})
    assert IntentDiscovery.fingerprint_addon({"messages": ["may.xlsx#June"]}) == one
    Path("may.xlsx").write_bytes(b"another")
    assert IntentDiscovery.fingerprint_addon({"messages": ["may.xlsx#June"]}) != one


def test_a_failed_discovery_is_a_warning_and_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise DataError("intent_drafts holds your edits")

    monkeypatch.setattr(component, "_discover", fail)
    train()
    train()
    warnings = [record for record in caplog.records if record.name.startswith("rasa_intent_discovery")]
    assert [record.message for record in warnings] == [
        "IntentDiscovery: intent_drafts holds your edits "
        "(The bot is trained all the same; `strict: true` stops here.)"
    ] * 2
    assert [record.levelno for record in warnings] == [logging.WARNING] * 2
    assert not any(record.exc_info for record in warnings)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_a_mistake_of_ours_does_not_stop_the_training_but_shows(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(component, "_discover", lambda *_: 1 / 0)
    train()
    [warning] = [record for record in caplog.records if record.name.startswith("rasa_intent_discovery")]
    assert warning.message.startswith("IntentDiscovery: division by zero")
    assert warning.exc_info is not None


def test_strict_makes_a_failed_discovery_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise DataError("intent_drafts holds your edits")

    monkeypatch.setattr(component, "_discover", fail)
    with pytest.raises(RasaException) as caught:
        train("messages: logs, strict: true")
    assert str(caught.value) == "IntentDiscovery: intent_drafts holds your edits"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            "min_message: 3",
            "config.yml > pipeline > IntentDiscovery > min_message: there is no such setting, "
            "did you mean min_messages?",
        ),
        (
            "min_messages: ten",
            "config.yml > pipeline > IntentDiscovery > min_messages: expected an integer, got 'ten'",
        ),
        ("strict: 1", "config.yml > pipeline > IntentDiscovery > strict: expected true or false, got 1"),
        (
            "messages: 5",
            "config.yml > pipeline > IntentDiscovery > messages: expected a list of texts, got 5",
        ),
    ],
)
def test_wrong_settings_are_refused(settings: str, message: str, calls: Calls) -> None:
    with pytest.raises(InvalidConfigException) as caught:
        train(settings)
    assert str(caught.value) == message


@pytest.mark.parametrize("outcome", ["found", "failed"])
def test_a_trained_model_loads_and_leaves_messages_alone(
    outcome: str, calls: Calls, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if outcome == "failed":
        monkeypatch.setattr(component, "_discover", lambda *_: 1 / 0)
    model = train()
    seen: list[dict[str, Any]] = []
    process = IntentDiscovery.process

    def watched(
        self: IntentDiscovery, messages: list[Message], tracker: DialogueStateTracker | None = None
    ) -> list[Message]:
        before = [dict(message.data) for message in messages]
        after = process(self, messages, tracker)
        assert [dict(message.data) for message in after] == before
        seen.extend(before)
        return after

    monkeypatch.setattr(IntentDiscovery, "process", watched)
    (tmp_path / "unpacked").mkdir()
    _, runner = load_predict_graph_runner(
        tmp_path / "unpacked", Path(model), LocalModelStorage, DaskGraphRunner
    )
    answer = done(
        runner.run(
            inputs={"__message__": [UserMessage("send me the bill")], "__tracker__": None},
            targets=["run_RegexMessageHandler"],
        )
    )
    assert [message["text"] for message in seen] == ["send me the bill"]
    assert answer["run_RegexMessageHandler"][0].get("text") == "send me the bill"


def train_listening(encoder: str, settings: dict[str, str]) -> tuple[str, list[str]]:
    """Trains a bot that understands nothing of its log; the path of the model, and the log."""
    logged = [f"my invoice please {letter}" for letter in "abcdefghijkl"]
    logged += [f"the password is not {letter * 3}" for letter in "abcdefghijkl"]
    Path("logs/may.txt").write_text("\n".join(logged) + "\n")
    Path("config.yml").write_text(
        "recipe: default.v1\nlanguage: en\npipeline:\n"
        "- name: WhitespaceTokenizer\n- name: KeywordIntentClassifier\n- name: FallbackClassifier\n"
        "- {name: rasa_intent_discovery.IntentDiscovery, messages: logs, preset: fast, min_messages: 3, "
        f"encoder: {encoder}, device: cpu, collect: always, {json.dumps(settings)[1:-1]}}}\n"
    )
    return done(train_nlu("config.yml", "data", "models")), logged


def test_a_bot_at_work_collects_and_recognises() -> None:
    model, logged = train_listening(write_tiny_encoder(Path("encoder")), {})
    proposed = {path.stem for path in Path("intent_drafts/new").glob("*.yml")}
    assert proposed, "this log holds something"
    agent = Agent.load(model)
    answers = {text: asyncio.run(agent.parse_message(text)) for text in ["good morning", "/greet", *logged]}
    assert [text for text, answer in answers.items() if answer["intent"]["name"] == "nlu_fallback"] == logged
    recognized = {
        text: answer["discovered_intent"] for text, answer in answers.items() if "discovered_intent" in answer
    }
    assert len(recognized) > len(logged) / 3  # weights that matter nothing may find one of the two
    assert {found["name"] for found in recognized.values()} == proposed
    assert json.loads(json.dumps(recognized)) == recognized
    kept = Path("collected_messages/messages.jsonl")
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and not (kept.exists() and len(kept.read_text().splitlines()) >= 24):
        time.sleep(0.05)
    assert [json.loads(line)["text"] for line in kept.read_text().splitlines()] == logged


def loaded(settings: dict[str, Any]) -> IntentDiscovery:
    """The component of a model that was trained with these settings, in which nothing was discovered."""
    config = {**IntentDiscovery.get_default_config(), "collect": "always", **settings}
    context = ExecutionContext(GraphSchema({}), "model")
    return IntentDiscovery.load(config, LocalModelStorage(Path()), Resource("discovery"), context)


def collected_by(bot: IntentDiscovery) -> list[str]:
    """What it collects of a message that was not understood."""
    guesses = [{"name": "nlu_fallback", "confidence": 0.3}, {"name": "greet", "confidence": 0.2}]
    said = {"text": "the bill to ann@example.org", "intent": guesses[0], "intent_ranking": guesses}
    bot.process([Message(data=said)])
    if bot._listener is None:
        return []
    bot._listener._collector.wait(20)
    return [json.loads(line)["text"] for line in Path("collected_messages/messages.jsonl").open()]


@pytest.mark.parametrize(
    ("settings", "wrong"),
    [
        ({"alignment": True}, "alignment: there is no such setting"),
        ({"align": True, "sed": 1}, "sed: there is no such setting, did you mean seed?"),
        (
            {"normalize": False},
            "normalize: with false, untrained_share and neighbor_share have to be 0, as with paper",
        ),
        (
            {"preset": "paper", "frozen_share": 0.5},
            "normalize: with false, frozen_share and neighbor_share have to be 0, as with paper",
        ),
        (
            {"since": "2026-03-02", "until": "2026-03-01"},
            "until: expected a day or moment after `since`, '2026-03-02', got '2026-03-01'",
        ),
    ],
)
def test_a_bot_at_work_does_without_the_settings_that_a_training_would_refuse(
    settings: dict[str, Any], wrong: str, caplog: pytest.LogCaptureFixture
) -> None:
    """As in a model that an earlier version has trained; nobody can correct it there."""
    assert collected_by(loaded(settings)) == ["the bill to <email>"]
    assert caplog.messages == [
        f"IntentDiscovery: config.yml > pipeline > IntentDiscovery > {wrong}. The model was trained by "
        "another version of this program: correct that, and train again. The bot works all the same."
    ]


@pytest.mark.parametrize(
    ("settings", "wrong"),
    [
        ({"threshold": 2}, "threshold: expected a number from 0 to 1, got 2"),
        ({"max_characters": 9, "sed": 1}, "max_characters: expected a number >= 10, got 9"),
    ],
)
def test_a_bot_at_work_collects_nothing_where_it_cannot_be_known_what(
    settings: dict[str, Any], wrong: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert collected_by(loaded(settings)) == []
    assert caplog.messages == [
        f"IntentDiscovery: config.yml > pipeline > IntentDiscovery > {wrong}. The bot answers, and nothing "
        "is collected."
    ]


@each_reading
def test_training_and_a_bot_at_work_read_with_the_prompt_and_pooling(
    wanted: WantedReading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "_autocast_dtype", lambda _: torch.float32)
    read: dict[str, np.ndarray] = {}
    heard: dict[str, np.ndarray] = {}
    read_all, views = Encoder.read, Encoder.views

    def noting_all(encoder: Encoder, texts: Sequence[str], *rest: Any) -> TokenStates:
        states = read_all(encoder, texts, *rest)
        read.update(zip(texts, states.pretrained, strict=True))
        return states

    def noting_one(encoder: Encoder, text: str) -> tuple[np.ndarray, np.ndarray]:
        found = views(encoder, text)
        heard[text] = found[0][0]
        return found

    monkeypatch.setattr(Encoder, "read", noting_all)
    monkeypatch.setattr(Encoder, "views", noting_one)
    encoder = wanted.write(Path("encoder"))

    model, logged = train_listening(encoder, wanted.settings)
    agent = Agent.load(model)
    answers = [asyncio.run(agent.parse_message(text)) for text in logged]

    proposed = {path.stem for path in Path("intent_drafts/new").glob("*.yml")}
    recognized = [answer["discovered_intent"]["name"] for answer in answers if "discovered_intent" in answer]
    assert set(recognized) == proposed != set()
    assert read.keys() > {*logged, "hello Ann", "are you open"}
    assert [*heard] == logged
    for texts in (read, heard):
        np.testing.assert_allclose(np.stack([*texts.values()]), wanted.features(encoder, [*texts]), atol=1e-5)


def test_a_bot_that_is_finetuned_discovers_again(calls: Calls) -> None:
    model = train("messages: logs")
    Path("logs/may.txt").write_text("send me the bill\ninvoice?\n")
    finetuned = done(
        train_nlu("config.yml", "data", "models", model_to_finetune=model, finetuning_epoch_fraction=1.0)
    )
    assert finetuned is not None
    assert len(calls) == 2


def test_defaults_are_those_of_the_discovery() -> None:
    defaults = IntentDiscovery.get_default_config()
    own = {
        "discover_on_train": True,
        "strict": False,
        "endpoints": None,
        "collect": "auto",
        "collection": "collected_messages",
        "collection_megabytes": 10.0,
        "collection_files": 10,
        "threshold": 0.0,
        "recognize": True,
    }
    assert defaults == {
        **own,
        "messages": [],
        "text_column": "text",
        "out": "intent_drafts",
        "preset": "default",
        "num_intents": "auto",
        "min_messages": 5,
        "max_characters": 1000,
        "mask_personal_data": True,
        "encoder": "embedded",
        "device": "auto",
        "seed": 0,
    }
    assert component.checked_settings(defaults) == (ComponentSettings(), DiscoveryConfig())


@pytest.mark.parametrize("preset", PRESETS)
def test_no_default_stands_in_the_way_of_a_preset(preset: str) -> None:
    assert not set(PRESETS[preset]) & set(IntentDiscovery.get_default_config())
    settings = {**IntentDiscovery.get_default_config(), "preset": preset}
    assert component.checked_settings(settings)[1] == DiscoveryConfig.from_preset(preset)


def test_the_fingerprint_knows_the_logs_and_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    one = IntentDiscovery.fingerprint_addon({"messages": ["logs"]})
    assert IntentDiscovery.fingerprint_addon({"messages": "logs"}) == one
    assert IntentDiscovery.fingerprint_addon({"messages": ["logs", "june.csv"]}) != one
    Path("logs/may.txt").write_text("send me the Bill\n")
    two = IntentDiscovery.fingerprint_addon({"messages": ["logs"]})
    assert two != one
    monkeypatch.setattr(component, "__version__", "9.9")
    assert IntentDiscovery.fingerprint_addon({"messages": ["logs"]}) != two


def test_the_fingerprint_knows_the_answers_in_the_drafts() -> None:
    one = IntentDiscovery.fingerprint_addon({"messages": ["logs"], "out": "drafts"})
    Path("drafts").mkdir()
    (Path("drafts") / ANSWERS).write_text(answer_line(Answer("a", ("b",))))
    two = IntentDiscovery.fingerprint_addon({"messages": ["logs"], "out": "drafts"})
    assert two != one
    (Path("drafts") / ANSWERS).write_text(answer_line(Answer("a", (), ("b",))))
    assert IntentDiscovery.fingerprint_addon({"messages": ["logs"], "out": "drafts"}) != two
    assert IntentDiscovery.fingerprint_addon({"messages": ["logs"]}) == one


def say(text: str) -> None:
    """Somebody says something to the bot, which does not understand and keeps it in its tracker store."""
    said = UserUttered(text, {"name": "nlu_fallback", "confidence": 0.3})
    store = SQLTrackerStore(Domain.empty(), db="tracker.db")
    asyncio.run(store.save(DialogueStateTracker.from_events(text, [said])))


def test_the_fingerprint_knows_the_tracker_store() -> None:
    say("send me the bill")
    Path("endpoints.yml").write_text("tracker_store: {type: SQL, dialect: sqlite, db: tracker.db}\n")
    one = IntentDiscovery.fingerprint_addon({"endpoints": "endpoints.yml"})
    assert IntentDiscovery.fingerprint_addon({"endpoints": "endpoints.yml"}) == one
    say("and the invoice")
    assert IntentDiscovery.fingerprint_addon({"endpoints": "endpoints.yml"}) != one
    idle = {"endpoints": "endpoints.yml", "discover_on_train": False}
    assert IntentDiscovery.fingerprint_addon(idle) == IntentDiscovery.fingerprint_addon({"messages": []})


@pytest.mark.parametrize("store", ["", "tracker_store: {type: redis, url: localhost}\n"])
def test_a_store_that_cannot_be_asked_is_looked_at_each_time(store: str) -> None:
    Path("endpoints.yml").write_text(store)
    asked = [IntentDiscovery.fingerprint_addon({"endpoints": "endpoints.yml"}) for _ in range(2)]
    assert asked[0] != asked[1]


def test_the_fingerprint_knows_what_was_collected() -> None:
    before = IntentDiscovery.fingerprint_addon({"collection": "kept"})
    Path("kept").mkdir()
    Path("kept/messages.jsonl").write_text('{"text": "send me the bill"}\n')
    assert IntentDiscovery.fingerprint_addon({"collection": "kept"}) != before
    assert IntentDiscovery.fingerprint_addon({"collection": "kept", "messages": "logs"}) == (
        IntentDiscovery.fingerprint_addon({"messages": "logs"})
    )


@pytest.mark.parametrize(
    "config", [{}, {"output": Resource("train_IntentDiscovery")}, {"messages": None}, {"messages": 5}]
)
def test_the_fingerprint_copes_with_anything(config: dict[str, Any]) -> None:
    assert isinstance(IntentDiscovery.fingerprint_addon(config), str)


def test_the_class_is_found_by_its_short_path() -> None:
    assert rasa_intent_discovery.IntentDiscovery is IntentDiscovery
