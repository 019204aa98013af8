"""The `rasa` program in a process that has everything imported: started in a blink, not in ten seconds.

The process is forked from this one and goes through Rasa's own entry point: parser, plug-ins, our command.
"""

from __future__ import annotations

import importlib
import io
import logging
import os
import re
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from desk_server import Server
from threadpoolctl import threadpool_limits
from tiny_encoder import write_tiny_encoder

#: The words of the command that serves the review desk.
REVIEW = ("discover-intents", "review", "--no-browser")
#: What the commands load while they run, which is quick in each process that is forked afterwards.
_LOADED = (
    "rasa.__main__",
    "rasa.core.training.story_conflict",
    "rasa.shared.importers.rasa",
    "rasa.validator",
    "rasa_intent_discovery.stages",
    "rasa_intent_discovery.drafts.apply",
    "rasa_intent_discovery.drafts.apply_summary",
    "rasa_intent_discovery.rasa_plugin.command",
    "rasa_intent_discovery.rasa_plugin.project",
    "rasa_intent_discovery.rasa_plugin.sources",
    "rasa_intent_discovery.rasa_plugin.tracker",
    "rasa_intent_discovery.review.page.report",
    "rasa_intent_discovery.review.desk.server",
    "rasa_intent_discovery.review.desk.serving",
    "rasa_intent_discovery.review.findings.summary",
    "rasa_intent_discovery.review.terminal.review",
    "sklearn.linear_model",
    "transformers.models.bert.modeling_bert",
    "transformers.models.bert.tokenization_bert_fast",
)


@cache
def _load() -> None:
    os.environ["TQDM_DISABLE"] = "1"
    for name in _LOADED:
        importlib.import_module(name)


@dataclass(frozen=True)
class Ended:
    """The exit code of a command, or the signal that killed it as a negative number, and what it printed."""

    code: int
    output: str

    @property
    def last_line(self) -> str:
        """What a person reads last."""
        lines = self.output.strip().splitlines()
        return lines[-1] if lines else ""


@dataclass(frozen=True)
class Command:
    """A command that was started."""

    process: int
    printed: Path

    def output(self) -> str:
        """What it has printed so far, errors and log among it."""
        return self.printed.read_text(encoding="utf-8", errors="replace")

    def waits_for(self, text: str, seconds: float = 30) -> str:
        """Returns its output as soon as it holds the text; raises ProcessLookupError where it ends before."""
        until = time.monotonic() + seconds
        while text not in self.output():
            if os.waitid(os.P_PID, self.process, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                raise ProcessLookupError(self.output())
            assert time.monotonic() < until, self.output()
            time.sleep(0.01)
        return self.output()

    def interrupt(self) -> None:
        """Ctrl-C."""
        os.kill(self.process, signal.SIGINT)

    def kill(self) -> None:
        """`kill -9`."""
        os.kill(self.process, signal.SIGKILL)

    def ended(self) -> Ended:
        """Waits until it ends."""
        code = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        text = self.output()
        self.printed.unlink()
        return Ended(code, text)


def start(*words: str, folder: Path, before: Callable[[], object] = lambda: None, typed: str = "") -> Command:
    """Starts `rasa WORDS` in a folder.

    Args:
        before: is called in the process before the command.
        typed: what a person types.
    """
    _load()
    descriptor, name = tempfile.mkstemp()
    process = os.fork()
    if process:
        os.close(descriptor)
        return Command(process, Path(name))
    code = 70
    try:
        os.setpgid(0, 0)
        keyboard, hand = os.pipe()
        os.write(hand, typed.encode())
        os.close(hand)
        for number, one in ((0, keyboard), (1, descriptor), (2, descriptor)):
            os.dup2(one, number)
        sys.stdin = io.TextIOWrapper(open(0, "rb", closefd=False))
        sys.stdout = io.TextIOWrapper(open(1, "wb", closefd=False), line_buffering=True)
        sys.stderr = io.TextIOWrapper(open(2, "wb", closefd=False), line_buffering=True)
        os.chdir(folder)
        sys.argv = ["rasa", *words]
        # The threads of the process that was forked are not in this one, which would wait for them.
        threadpool_limits(1)
        sys.modules["torch"].set_num_threads(1)
        # As in a program that was just started: a test before may have run a command in this process.
        logging.getLogger("rasa_intent_discovery").setLevel(logging.NOTSET)
        before()
        code = _main()
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


def _main() -> int:
    import rasa.__main__

    try:
        rasa.__main__.main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def rasa(*words: str, folder: Path, before: Callable[[], object] = lambda: None, typed: str = "") -> Ended:
    """Runs `rasa WORDS` in a folder to its end."""
    return start(*words, folder=folder, before=before, typed=typed).ended()


def discover(folder: Path, before: Callable[[], object] = lambda: None) -> Ended:
    """Runs `rasa discover-intents` on a bot that `write_bot` made."""
    return rasa("discover-intents", folder=folder, before=before)


NLU = """\
version: "3.1"

nlu:
- intent: greet  # hello
  examples: |
    - hello
    - hi there
    - hey you
    - good morning
- intent: bye
  examples: |
    - bye
    - see you
    - good bye
"""
DOMAIN = (
    'version: "3.1"\n\nintents:\n- greet\n- bye  # the last\n\nresponses:\n  utter_greet:\n  - text: Hi\n'
)
RULES = 'version: "3.1"\n\nrules:\n- rule: Greet\n  steps:\n  - intent: greet\n  - action: utter_greet\n'
OPENINGS = ("please open", "where is", "i forgot", "can you send", "when do i get")
THINGS = ("invoice", "password", "order", "parcel", "voucher", "receipt")


def write_bot(folder: Path) -> Path:
    """Writes a bot of two intents with a log, and settings with which a run takes a second."""
    (folder / "data").mkdir(parents=True)
    (folder / "logs").mkdir()
    encoder = write_tiny_encoder(folder / "encoder")
    settings = f"encoder: {encoder}\n  preset: fast\n  device: cpu\n  min_messages: 2\n  messages: [logs]\n"
    (folder / "config.yml").write_text(
        "recipe: default.v1\nassistant_id: tiny\nlanguage: en\npipeline:\n- name: WhitespaceTokenizer\n"
        f"- name: rasa_intent_discovery.IntentDiscovery\n  {settings}"
    )
    (folder / "data" / "nlu.yml").write_text(NLU)
    (folder / "data" / "rules.yml").write_text(RULES)
    (folder / "domain.yml").write_text(DOMAIN)
    messages = [f"{opening} my {thing}" for opening in OPENINGS for thing in THINGS]
    (folder / "logs" / "log.txt").write_text("\n".join(messages) + "\n")
    return folder


def desk_of(command: Command) -> tuple[Server, str]:
    """The desk that `REVIEW` serves, and its token.

    Raises:
        ProcessLookupError: it has ended before.
    """
    output = command.waits_for("Ctrl-C closes it")
    [(port, token)] = re.findall(r"http://127.0.0.1:(\d+)/\?token=(\S+)", output)
    return Server(int(port)), token
