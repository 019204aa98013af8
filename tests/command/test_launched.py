"""The command as `accelerate launch` starts it in two processes: one speaks, both learn."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import exit_code, printed
from launch import free_port
from real_commands import write_bot

import rasa_intent_discovery

# The batch is that of the preset: half the work each is promised of it; a small one has too few parts.
SETTINGS = "preset: default\n  pretrain_epochs: 2\n  aligned_epochs: 2\n  epoch_steps: 3\n"
LAUNCH = (str(Path(sys.executable).parent / "accelerate"), "launch", "--multi-gpu", "--num-processes", "2")


def command(*words: str, folder: Path, launch: bool) -> subprocess.CompletedProcess[str]:
    package = str(Path(rasa_intent_discovery.__file__).parents[1])
    start = (*LAUNCH, "--main-process-port", str(free_port())) if launch else (sys.executable,)
    return subprocess.run(
        [*start, "-m", "rasa_intent_discovery", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": package, "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
    )


def bot(folder: Path) -> Path:
    bot = write_bot(folder / "bot")
    config = bot / "config.yml"
    config.write_text(config.read_text().replace("preset: fast\n", SETTINGS))
    return bot


def placements(bot: Path) -> dict[str, tuple[str, str]]:
    lines = (bot / "intent_drafts" / "assignments.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    return {row["text"]: (row["placement"], row["intent"]) for row in rows}


def record(bot: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((bot / "intent_drafts" / "run.json").read_text())
    return found


@pytest.mark.slow
def test_two_processes_write_the_drafts_of_one(tmp_path: Path) -> None:
    one, two = bot(tmp_path / "one"), bot(tmp_path / "two")
    alone, launched = command(folder=one, launch=False), command(folder=two, launch=True)

    assert (alone.returncode, launched.returncode) == (0, 0), launched.stderr
    assert launched.stdout == alone.stdout
    assert launched.stderr.count("read 37 distinct texts") == 1
    assert "Traceback" not in launched.stderr
    expected, found = placements(one), placements(two)
    assert found.keys() == expected.keys()
    assert sum(found[text] != expected[text] for text in found) <= 0.01 * len(found)
    tokens = record(two)["stages"]["processes"]["tokens"]
    assert 0.4 < tokens[0] / sum(tokens) < 0.6


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ["--messages", "none.txt"],
            "none.txt: there is no such file or folder, check where the messages are",
        ),
        (["--encoder", "./none"], "encoder: there is no folder none."),
    ],
)
def test_an_error_is_one_line_of_the_first(words: list[str], line: str, tmp_path: Path) -> None:
    """What follows it is the launcher's."""
    ended = command(*words, folder=bot(tmp_path), launch=True)

    assert ended.returncode == 1
    assert ended.stdout.startswith(line)
    assert ended.stdout.count("\n") == 1
    assert f'File "{Path(rasa_intent_discovery.__file__).parent}' not in ended.stderr


@pytest.mark.parametrize(
    ("number", "code", "line"),
    [
        (
            0,
            1,
            "several processes need a package that is not installed; run "
            "pip install 'rasa-intent-discovery[accelerate]', or start the command without a launcher",
        ),
        (1, 0, ""),
    ],
)
@pytest.mark.parametrize("words", [[], ["backtest"]])
def test_without_the_package_the_first_says_so(
    words: list[str],
    number: int,
    code: int,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "accelerate", None)
    monkeypatch.setattr("logging.disable", lambda _: None)  # of this process, which goes on
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("RANK", str(number))

    assert exit_code(*words) == code
    assert capsys.readouterr().out == (printed(line) if line else "")
