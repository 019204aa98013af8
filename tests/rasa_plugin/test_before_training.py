"""A setting of the component that cannot be used is told before Rasa trains anything."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest
from example import rasa
from rasa.cli.train import run_nlu_training
from rasa.shared.exceptions import InvalidConfigException
from real_commands import write_bot

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
    return folder


@pytest.mark.parametrize("words", ["train", "train nlu", "data validate"])
def test_a_mistake_ends_the_command_with_one_line_before_anything_is_trained(bot: Path, words: str) -> None:
    ended = rasa(*words.split(), folder=bot)
    assert ended.returncode == 1
    printed = ended.stdout + ended.stderr
    assert f"InvalidConfigException: {MISTAKE}" in printed
    assert "Starting to train" not in printed


def run(config: object, func: object = run_nlu_training) -> None:
    hooks.configure_commandline(Namespace(func=func, config=config))


def test_the_check_is_of_the_config_that_is_trained_alone(bot: Path) -> None:
    Path("config.yml").rename("mine.yml")
    with pytest.raises(InvalidConfigException) as caught:
        run("mine.yml")
    assert str(caught.value) == MISTAKE.replace("config.yml", "mine.yml")
    run("mine.yml", func=lambda _: None)  # a command that trains nothing
    run("config.yml")  # there is none, which Rasa tells
    run(["mine.yml", "config.yml"])  # policies that are compared
    Path("mine.yml").write_text("pipeline: [{name: WhitespaceTokenizer}]\n- :")
    run("mine.yml")


def test_a_check_that_breaks_leaves_it_to_the_training(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: str) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr(before_training, "check_settings", broken)
    run("config.yml")
