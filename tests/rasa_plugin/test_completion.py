"""`rasa discover-intents completion`: what a person gets who presses the tabulator."""

from __future__ import annotations

import importlib
import os
import pty
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from command_line import exit_code, rasa

from rasa_intent_discovery.rasa_plugin import hooks
from rasa_intent_discovery.rasa_plugin.completion import completion_script
from rasa_intent_discovery.rasa_plugin.own_program import parser_of_program

#: What is typed before the tabulator, and what its last word then is.
TYPED = [
    ("rasa disc", "discover-intents"),
    ("rasa data v", "validate"),
    ("rasa discover-intents back", "backtest"),
    ("rasa discover-intents --mess", "--messages"),
    ("rasa discover-intents --preset pa", "paper"),
    ("rasa discover-intents --messages logs/may", "logs/may.csv"),
    ("rasa discover-intents apply --dry", "--dry-run"),
    ("rasa discover-intents completion z", "zsh"),
]
#: The same, which the zsh script does not know: an option behind one that takes several values.
BEHIND_SEVERAL = ("rasa discover-intents --messages a b --dev", "--device")
#: A shell without the settings of who runs the tests, and what has it read the script.
STARTED = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "source {script}"),
    "zsh": (["zsh", "-f"], "fpath=({folder} $fpath); autoload -U compinit; compinit -u -D"),
}


def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


@pytest.fixture
def whole_rasa(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rasa's parser has our command, also where the hook has not been read."""
    hooks.attach(importlib.import_module("rasa.plugin"))


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    rasa("completion", shell)
    return capsys.readouterr().out


@contextmanager
def terminal(words: list[str], folder: Path) -> Iterator[int]:
    """A program in a terminal of its own; its keyboard and screen are the file that is given."""
    here, there = pty.openpty()
    quiet = {**os.environ, "PS1": "> ", "TERM": "dumb", "HOME": str(folder), "INPUTRC": os.devnull}
    program = subprocess.Popen(
        words, cwd=folder, env=quiet, stdin=there, stdout=there, stderr=there, start_new_session=True
    )
    os.close(there)
    try:
        yield here
    finally:
        program.kill()
        program.wait()
        os.close(here)


def types(screen: int, text: str, until: str) -> str:
    """Types a text, and returns what stands on the screen as soon as it holds another."""
    os.write(screen, text.encode())
    shown, end = "", time.monotonic() + 30
    while until not in shown and time.monotonic() < end:
        if select.select([screen], [], [], 0.1)[0]:
            shown += os.read(screen, 65536).decode(errors="replace")
    return shown


@pytest.mark.usefixtures("whole_rasa")
@pytest.mark.parametrize("shell", [pytest.param(name, marks=needs(name)) for name in STARTED])
def test_the_tabulator_completes_commands_options_and_files(
    shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "may.csv").touch()
    (tmp_path / "_rasa").write_text(script(shell, capsys))
    words, reads = STARTED[shell]
    with terminal(words, tmp_path) as screen:
        reads = reads.format(script=tmp_path / "_rasa", folder=tmp_path)
        assert "ready" in types(screen, f"{reads}; echo rea''dy\n", "ready")
        for typed, word in [*TYPED, *([BEHIND_SEVERAL] if shell == "bash" else [])]:
            assert word in types(screen, f"{typed}\t", word)
            types(screen, "\x15\necho nex''t\n", "next")


@needs("fish")
@pytest.mark.usefixtures("whole_rasa")
def test_fish_completes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "may.csv").touch()
    (tmp_path / "rasa.fish").write_text(script("fish", capsys))
    for typed, word in [*TYPED, BEHIND_SEVERAL]:
        done = subprocess.run(
            ["fish", "--no-config", "-c", f"source rasa.fish; complete -C '{typed}'"],
            cwd=tmp_path,
            env={**os.environ, "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
        )
        assert [line.split("\t")[0] for line in done.stdout.splitlines()] == [word]


@pytest.mark.parametrize("program", ["rasa-discover-intents", "python -m rasa_intent_discovery"])
def test_our_program_by_itself_is_completed_by_its_name(program: str) -> None:
    written = completion_script("bash", parser_of_program(program))
    assert written.rstrip().endswith(" rasa-discover-intents")


def test_without_the_library_the_error_is_not_in_the_script(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    with pytest.raises(SystemExit) as ended:
        rasa("completion", "bash")
    assert ended.value.code == (
        "shtab is not installed, which writes the script: pip install 'rasa-intent-discovery[completion]'"
    )
    assert capsys.readouterr().out == ""


def test_another_shell_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("completion", "csh") == 2
    assert "invalid choice: 'csh'" in capsys.readouterr().err
