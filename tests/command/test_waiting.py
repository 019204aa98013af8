"""`rasa discover-intents --exit-code`: whether proposals wait for a decision."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command_line import exit_code, printed, rasa

from rasa_intent_discovery.drafts.folder_writing import write_drafts
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.rasa_plugin import command
from rasa_intent_discovery.training_data.nlu_yaml import Draft, to_yaml


@pytest.fixture(autouse=True)
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test runs in the folder of a bot, and a run takes no time and writes nothing."""
    monkeypatch.chdir(tmp_path)
    Path("config.yml").write_text("language: en\npipeline:\n- name: WhitespaceTokenizer\n")
    monkeypatch.setattr(command, "discover_intents", lambda *_, **__: "\nWhat was found.\n")


def drafts(*decisions: str, folder: str = "intent_drafts", known: str = "open") -> None:
    """Proposals `wish_0`, `wish_1` and so on, with these decisions, and further examples of an intent."""
    parts = {f"new/wish_{n}.yml": Draft(f"wish_{n}", ("x",), {}, said) for n, said in enumerate(decisions)}
    parts["known/greet.yml"] = Draft("greet", ("hey",), {}, known)
    write_drafts(Path(folder), {path: to_yaml(draft) for path, draft in parts.items()}, {"intents": []})


def test_open_proposals_are_exit_code_3_and_named(capsys: pytest.CaptureFixture[str]) -> None:
    drafts("open", "accepted", "open", "ignored", "later")
    assert exit_code("--messages", "logs", "--exit-code") == 3
    assert capsys.readouterr().out == (
        "\nWhat was found.\n\n2 proposals wait for a decision: wish_0, wish_2.\n"
    )


@pytest.mark.parametrize("decisions", [(), ("accepted", "ignored", "later")])
def test_where_all_is_decided_or_nothing_was_found_it_is_0(
    capsys: pytest.CaptureFixture[str], decisions: tuple[str, ...]
) -> None:
    drafts(*decisions)
    rasa("--messages", "logs", "--exit-code")
    assert capsys.readouterr().out == "\nWhat was found.\n"


def test_without_the_option_it_is_0(capsys: pytest.CaptureFixture[str]) -> None:
    drafts("open")
    rasa("--messages", "logs")
    assert capsys.readouterr().out == "\nWhat was found.\n"


@pytest.mark.parametrize("words", [("--out", "other"), ("--config", "here.yml")])
def test_the_folder_is_that_of_the_run(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    Path("here.yml").write_text("pipeline:\n- {name: IntentDiscovery, out: other}\n")
    drafts("accepted")
    drafts("open", folder="other")
    assert exit_code("--messages", "logs", "--exit-code", *words) == 3
    assert capsys.readouterr().out.endswith("\n1 proposal waits for a decision: wish_0.\n")


def test_an_error_of_the_run_stays_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: Any, **__: Any) -> str:
        raise DataError("there are too few messages")

    drafts("open")
    monkeypatch.setattr(command, "discover_intents", fail)
    assert exit_code("--messages", "logs", "--exit-code") == 1
    assert capsys.readouterr().out == printed("there are too few messages")


def test_a_draft_that_cannot_be_read_is_exit_code_1_and_named(capsys: pytest.CaptureFixture[str]) -> None:
    drafts("accepted", "accepted")
    path = Path("intent_drafts/new/wish_1.yml")
    path.write_text(path.read_text().replace("accepted", "perhaps"))
    assert exit_code("--messages", "logs", "--exit-code") == 1
    assert "intent_drafts/new/wish_1.yml, line " in capsys.readouterr().out
