"""A setting of the component that cannot be used is told before Rasa trains anything."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest
from example import rasa
from rasa.cli.test import run_nlu_test
from rasa.cli.train import run_core_training, run_nlu_training
from rasa.shared.exceptions import InvalidConfigException
from real_commands import write_bot

from rasa_intent_discovery import config as settings
from rasa_intent_discovery.rasa_plugin import before_training, hooks

MISTAKE = (
    "config.yml > pipeline > IntentDiscovery > min_mesages: there is no such setting, did you mean "
    "min_messages?"
)


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bot with a mistake in a setting, in whose folder we are."""
    folder = write_bot(tmp_path / "bot")
    config = folder / "config.yml"
    trained = "- name: WhitespaceTokenizer\n- name: CountVectorsFeaturizer\n"
    text = config.read_text().replace("- name: WhitespaceTokenizer\n", trained)
    config.write_text(text.replace("min_messages", "min_mesages"))
    monkeypatch.chdir(folder)
    monkeypatch.setattr(hooks, "_told", {})
    monkeypatch.setattr(hooks, "_told_data", [])
    return folder


@pytest.mark.parametrize("words", ["train", "train nlu", "data validate"])
def test_a_mistake_ends_the_command_with_one_line_before_anything_is_trained(bot: Path, words: str) -> None:
    ended = rasa(*words.split(), folder=bot)
    assert ended.returncode == 1
    printed = ended.stdout + ended.stderr
    assert f"InvalidConfigException: {MISTAKE}" in printed
    assert "Starting to train" not in printed


def run(config: object, func: object = run_nlu_training, **more: Any) -> None:
    hooks.configure_commandline(Namespace(func=func, config=config, **more))


def test_the_check_is_of_the_config_that_is_trained_alone(bot: Path) -> None:
    Path("config.yml").rename("mine.yml")
    with pytest.raises(InvalidConfigException) as caught:
        run("mine.yml")
    assert str(caught.value) == MISTAKE.replace("config.yml", "mine.yml")
    run("mine.yml", func=lambda _: None)  # a command that trains nothing
    run("config.yml")  # there is none, which Rasa tells
    run(["mine.yml", "config.yml"], func=run_core_training)  # policies that are compared
    Path("mine.yml").write_text("pipeline: [{name: WhitespaceTokenizer}]\n- :")
    run("mine.yml")


def test_where_a_file_is_missing_the_one_is_checked_that_rasa_takes_instead(bot: Path) -> None:
    ended = rasa("train", "nlu", "--config", "confg.yml", folder=bot)
    assert ended.returncode == 1
    assert f"InvalidConfigException: {MISTAKE}" in ended.stdout + ended.stderr
    with pytest.raises(InvalidConfigException):
        run("confg.yml")
    assert hooks.told_config() == "config.yml"


def test_a_mistake_in_a_pipeline_that_is_tested_is_told_before_the_first_is_trained(bot: Path) -> None:
    """Rasa goes on with the others: it is told after the first is trained, and misses in the plots."""
    Path("config.yml").rename("mine.yml")
    Path("config.yml").write_text("pipeline: [{name: WhitespaceTokenizer}]")
    ended = rasa("test", "nlu", "--config", "config.yml", "mine.yml", folder=bot)
    assert ended.returncode == 1
    assert MISTAKE.replace("config.yml", "mine.yml") in ended.stdout + ended.stderr
    with pytest.raises(InvalidConfigException):
        run(["mine.yml"], func=run_nlu_test, cross_validation=True)
    run(["mine.yml"], func=run_nlu_test, cross_validation=False)  # a model is tested that is there
    run(None, func=run_nlu_test, cross_validation=False)


@pytest.mark.parametrize(
    "name", ["FallbackClassifier", "rasa.nlu.classifiers.diet_classifier.DIETClassifier"]
)
def test_a_component_that_is_not_last_is_told_as_it_sees_nothing_there(
    bot: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    config = Path("config.yml")
    right = config.read_text().replace("min_mesages", "min_messages")
    config.write_text(right)
    run("config.yml")
    assert capsys.readouterr().out == ""
    config.write_text(f"{right}- name: {name}\n")
    run("config.yml")
    assert (
        f"config.yml > pipeline: IntentDiscovery stands before {name.rpartition('.')[2]}, so it does not see "
        "which messages the bot does not understand; put it last"
    ) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("messages", "missing"),
    [
        ("[logs, nowhere, log/log.txt]", ["nowhere", "log/log.txt"]),
        ("[logs/log.txt, collected_messages/]", []),
        ("[may.xlsx#June, june.xlsx#June]", ["june.xlsx#June"]),
        ("[logs, nowhere]\n  discover_on_train: false", []),
    ],
)
def test_messages_that_are_not_there_are_told(
    bot: Path, messages: str, missing: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("may.xlsx").touch()
    config = Path("config.yml")
    right = config.read_text().replace("min_mesages", "min_messages")
    config.write_text(right.replace("messages: [logs]", f"messages: {messages}"))
    run("config.yml")
    told = [line for line in capsys.readouterr().out.splitlines() if "messages: " in line]
    assert len(told) == len(missing)
    for line, source in zip(told, missing, strict=True):
        assert f"config.yml > pipeline > IntentDiscovery > messages: {source}: there is no such file" in line


def test_a_setting_that_is_gone_is_told_and_the_training_goes_on(
    bot: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings._warn_once.cache_clear()
    config = Path("config.yml")
    config.write_text(config.read_text().replace("min_mesages", "align: false\n  min_messages"))
    run("config.yml")
    assert caplog.messages == [
        "config.yml > pipeline > IntentDiscovery > align: this setting is gone and changes nothing, take it "
        "out"
    ]


@pytest.mark.parametrize("words", ["train nlu", "discover-intents"])
def test_a_day_that_is_none_is_told_by_line_and_key(bot: Path, words: str) -> None:
    config = Path("config.yml")
    config.write_text(config.read_text().replace("min_mesages: 2", "since: 2026-13-01  # spring"))
    ended = rasa(*words.split(), folder=bot)
    assert ended.returncode == 1
    printed = ended.stdout + ended.stderr
    # Rasa Pro reads it as a text, which is told like any wrong setting.
    said = (
        "config.yml, line 11: since: there is no day",
        "config.yml > pipeline > IntentDiscovery > since: ",
    )
    assert any(one in printed for one in said)
    assert "2026-13-01" in printed
    assert "Traceback" not in printed


def test_a_component_that_is_there_twice_ends_the_command(bot: Path) -> None:
    """It would collect each message twice, and write two discoveries into one folder."""
    config = Path("config.yml")
    config.write_text(config.read_text() + "- name: rasa_intent_discovery.IntentDiscovery\n")
    with pytest.raises(InvalidConfigException) as caught:
        run("config.yml")
    assert str(caught.value) == "config.yml > pipeline: IntentDiscovery is there 2 times, keep one of them"


@pytest.mark.parametrize(
    ("more", "data"),
    [
        ({"data": ["mine", "yours"]}, ["mine", "yours"]),
        ({"nlu": "mine"}, ["mine"]),
        ({"data": ["data"], "nlu": "mine"}, ["data", "mine"]),
        ({"data": "mine", "nlu": None}, ["mine"]),
        ({}, []),
    ],
)
def test_the_training_data_that_the_command_line_names(more: Any, data: list[str], bot: Path) -> None:
    run("config.yml", func=lambda _: None, nlu="before")
    run("config.yml", func=lambda _: None, **more)
    assert hooks.told_data() == data


def test_it_is_known_whether_a_command_trains_what_has_changed_alone(bot: Path) -> None:
    assert not hooks.trains_what_changed()  # a server, which is asked to train
    Path("config.yml").unlink()
    run("config.yml", force=False)
    assert hooks.trains_what_changed()
    run("config.yml", force=True)
    assert not hooks.trains_what_changed()


def test_a_check_that_breaks_leaves_it_to_the_training(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: str) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr(before_training, "check_settings", broken)
    run("config.yml")
