"""A run of a real bot, started once more as the review desk does it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from drafted_bot import DRAFTS
from real_commands import write_bot

from rasa_intent_discovery.command.again import CommandAgain
from rasa_intent_discovery.drafts.folder import ANSWERS
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.review.applying.started import Started
from rasa_intent_discovery.review.decisions.answers import answer_line


def record(bot: Path) -> dict[str, Any]:
    run: dict[str, Any] = json.loads((bot / DRAFTS / "run.json").read_text())
    return run


@pytest.mark.slow
def test_the_options_are_those_of_the_last_run_and_the_answers_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = write_bot(tmp_path / "bot")
    words = ("--messages", "logs/log.txt", "--min-messages", "3")
    program = [sys.executable, "-m", "rasa_intent_discovery", *words]
    ended = subprocess.run(program, cwd=bot, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout
    first = record(bot)
    assert first["given"] == {"messages": ["logs/log.txt"], "min_messages": 3}
    draft = next((bot / DRAFTS / "new").glob("*.yml")).stem
    texts = [line["text"] for line in placed(bot) if line["intent"] == draft]
    (bot / DRAFTS / ANSWERS).write_text(answer_line(Answer(texts[0], ("hello",))))

    monkeypatch.chdir(bot)
    again = CommandAgain("rasa discover-intents", [], [])
    again.start(first)
    while (found := again.found()) is not None and found.running:
        time.sleep(0.1)

    assert found == Started(False, "The drafts are those of the new run.", True)
    second = record(bot)
    assert (second["given"], second["settings"]) == (first["given"], first["settings"])
    assert {line["text"]: line["intent"] for line in placed(bot)}[texts[0]] == "greet"


def placed(bot: Path) -> list[dict[str, Any]]:
    lines = (bot / DRAFTS / "assignments.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]
