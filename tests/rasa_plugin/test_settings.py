"""What may stand below `IntentDiscovery` in config.yml."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.rasa_plugin.settings import ComponentSettings, parse_settings


def test_settings_go_where_they_belong() -> None:
    settings = {"strict": True, "threshold": 0, "min_messages": 8, "num_intents": "auto"}
    assert parse_settings(settings, "here") == (
        ComponentSettings(strict=True, threshold=0),
        DiscoveryConfig(min_messages=8),
    )


def test_paths_may_begin_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    component, config = parse_settings(
        {"collection": "~/kept", "endpoints": "~/endpoints.yml", "out": "~/new"}, "here"
    )
    assert (component.collection, component.endpoints, config.out) == (
        "/home/ann/kept",
        "/home/ann/endpoints.yml",
        "/home/ann/new",
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"strict": "yes"}, "here > strict: expected true or false, got 'yes'"),
        ({"min_message": 8}, "here > min_message: there is no such setting, did you mean min_messages?"),
        ({"colect": "never"}, "here > colect: there is no such setting, did you mean collect?"),
        ({"min_messages": "ten"}, "here > min_messages: expected an integer, got 'ten'"),
        ({"collect": "sometimes"}, "here > collect: expected one of auto, always, never, got 'sometimes'"),
        ({"collect": False}, "here > collect: expected a text, got false"),
        ({"collection": " "}, "here > collection: expected the name of a folder, got ' '"),
        ({"threshold": 2}, "here > threshold: expected a number from 0 to 1, got 2"),
        ({"collection_files": 0}, "here > collection_files: expected a number >= 1, got 0"),
        (
            {"collection_megabytes": 0},
            "here > collection_megabytes: expected a number from 0.001 to 100000, got 0",
        ),
        ({"endpoints": 3}, "here > endpoints: expected a text or auto, got 3"),
    ],
)
def test_settings_that_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_settings(settings, "here")
    assert str(caught.value) == message


def test_collected_messages_are_read_where_nothing_else_is_named(tmp_path: Path) -> None:
    settings = ComponentSettings(collection=str(tmp_path / "kept"))
    config = DiscoveryConfig()
    assert settings.with_collected(config) == config, "there are none yet"
    (tmp_path / "kept").mkdir()
    assert settings.with_collected(config) == config, "nor now"
    (tmp_path / "kept/messages.jsonl").touch()
    assert settings.with_collected(config).messages == (settings.collection,)
    named = DiscoveryConfig(messages=("logs",))
    assert settings.with_collected(named) == named
    stored = ComponentSettings(collection=settings.collection, endpoints="endpoints.yml")
    assert stored.with_collected(config) == config


def test_a_folder_that_nothing_was_collected_in_yet_is_left_out_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "rasa_intent_discovery")
    monkeypatch.chdir(tmp_path)
    settings = ComponentSettings()
    both = DiscoveryConfig(messages=("logs", "./collected_messages/"))
    logs = DiscoveryConfig(messages=("logs",))
    assert settings.without_what_is_to_come(both) == logs
    Path("collected_messages").mkdir()
    Path("collected_messages/.gitignore").touch()
    assert settings.without_what_is_to_come(both) == logs, "as the component makes it"
    assert caplog.messages == ["Nothing has been collected in collected_messages yet, so it is not read."] * 2
    assert settings.without_what_is_to_come(logs) == logs, "another folder that is not there"
    Path("collected_messages/messages.jsonl").touch()
    assert settings.without_what_is_to_come(both) == both
    assert len(caplog.messages) == 2


def test_that_collected_messages_are_not_read_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "rasa_intent_discovery")
    kept = tmp_path / "kept"
    settings = ComponentSettings(collection=str(kept))
    settings.with_collected(DiscoveryConfig(messages=("logs",)))
    kept.mkdir()
    (kept / "messages.jsonl").touch()
    for read in ((str(kept),), ("logs", str(kept / "messages.jsonl")), (str(tmp_path),), ()):
        settings.with_collected(DiscoveryConfig(messages=read))
    assert caplog.messages == []
    settings.with_collected(DiscoveryConfig(messages=("logs",)))
    assert caplog.messages == [
        f"What the bot has collected in {kept} is not read, as `messages` names something else: name that "
        "folder there, too, to read both."
    ]
