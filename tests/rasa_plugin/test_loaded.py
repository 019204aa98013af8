"""What a command loads, in a fresh interpreter: nothing that learns, where it learns nothing."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from example import copy_of_example_bot
from tiny_encoder import write_tiny_encoder

import rasa_intent_discovery

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(rasa_intent_discovery.__file__).parents[1])}
#: As `python -m rasa_intent_discovery`, but tells at its end what was loaded.
_COMMAND = """
import atexit, sys
atexit.register(lambda: print("loaded:", *sorted({name.split(".")[0] for name in sys.modules})))
from rasa_intent_discovery.rasa_plugin.hooks import main
main()
"""
#: As `rasa discover-intents` or the script, but the first import of Rasa ends it.
_BEGINNING = """
import sys
from rasa_intent_discovery.rasa_plugin import hooks

class Stop:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.split(".")[0] == "rasa":
            sys.stderr.write(".")
            sys.exit()

sys.meta_path.insert(0, Stop)
hooks.find_spec = lambda name: object()  # to look whether it is there is no import
if sys.argv[1:2] == ["discover-intents"]:
    hooks.find_rasa_plugin("rasa.plugin", None, None)
hooks.main()
"""
LEARNING = {"torch", "transformers", "sklearn", "tensorflow", "keras", "jax"}


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = copy_of_example_bot(tmp_path_factory.mktemp("loaded") / "bot")
    (folder / "encoder").mkdir()
    write_tiny_encoder(folder / "encoder")
    (folder / "intent_drafts").mkdir()
    (folder / "intent_drafts" / "run.json").write_text("{}")
    return folder


def loaded_by(bot: Path, *words: str, until: str = "") -> set[str]:
    """The packages that were loaded when the command ended, by itself or after it said something."""
    command = [sys.executable, "-c", _COMMAND, *words]
    out = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    process = subprocess.Popen(command, cwd=bot, env=ENVIRONMENT, **out)
    said = ""
    for line in process.stdout:
        said += line
        if until and until in line:
            process.send_signal(signal.SIGINT)
    process.wait()
    assert "DeprecationWarning" not in said, "the user of a command can do nothing about them"
    last = said.splitlines()[-1]
    assert last.startswith("loaded:"), said
    return set(last.split()[1:])


@pytest.mark.parametrize(
    ("words", "until"),
    [(("apply", "--dry-run"), ""), (("review", "--no-browser"), "http://"), (("--help",), "")],
)
def test_what_learns_nothing_loads_nothing_that_learns(bot: Path, words: tuple[str, ...], until: str) -> None:
    assert loaded_by(bot, *words, until=until) & LEARNING == set()


@pytest.mark.slow
def test_a_discovery_loads_pytorch_and_no_tensorflow(bot: Path) -> None:
    words = ("--preset", "fast", "--encoder", "encoder", "--out", "other_drafts")
    assert loaded_by(bot, *words) & {"torch", "tensorflow", "keras", "jax", "flax"} == {"torch"}


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """Both ends of a terminal: ours, and that of a process."""
    ends = pty.openpty()
    yield ends
    for end in ends:
        os.close(end)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["discover-intents"], b"loading Rasa ...\r\n."),
        (["discover-intents", "review"], b"loading Rasa ...\r\n."),
        (["review"], b"loading Rasa ...\r\n."),  # of the script, which has this command only
        (["discover-intents", "--quiet"], b"."),
        (["discover-intents", "review", "--help"], b"."),
        (["discover-intents", "--version"], b"."),
        (["completion", "bash"], b"."),
    ],
)
def test_a_terminal_is_told_at_once_that_rasa_is_loaded(
    terminal: tuple[int, int], words: list[str], said: bytes
) -> None:
    ours, theirs = terminal
    command = [sys.executable, "-c", _BEGINNING, *words]
    subprocess.run(command, stdout=theirs, stderr=theirs, env=ENVIRONMENT, check=True)

    assert os.read(ours, 1000) == said


def test_of_several_processes_the_first_alone_says_so(terminal: tuple[int, int]) -> None:
    ours, theirs = terminal
    command = [sys.executable, "-c", _BEGINNING, "discover-intents"]
    subprocess.run(command, stdout=theirs, stderr=theirs, env={**ENVIRONMENT, "RANK": "1"}, check=True)

    assert os.read(ours, 1000) == b"."


def test_a_pipe_is_told_nothing_before_the_command_speaks() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _BEGINNING, "discover-intents"],
        capture_output=True,
        env=ENVIRONMENT,
        check=True,
    )

    assert done.stdout + done.stderr == b"."
