"""Branches are switched and changes stashed in the repository of a bot, at any moment of the work on drafts.

What git refuses, because it would overwrite something, is not done then.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from attack_table import Outcome
from desk_server import ask
from drafted_bot import DRAFTS, bot_files, decide, decisions
from killed import needs_fork
from real_commands import NLU, REVIEW, Ended, desk_of, rasa, start

from rasa_intent_discovery.training_data.nlu_yaml import from_yaml

pytestmark = [needs_fork, pytest.mark.timeout(1800)]

#: What of the drafts is in the repository.
COMMITTED, WRITTEN, UNTRACKED, IGNORED = KINDS = (
    *("all, decisions too", "the drafts as a run wrote them"),
    *("nothing", "nothing, and git ignores them"),
)
#: The way to another state of the repository, and back.
MOVES = {
    "a branch switch": (("switch", "-q", "other"), ("switch", "-q", "main")),
    "a stash": (("stash", "-q"), ("stash", "pop", "-q")),
    "a stash of untracked files, too": (("stash", "-q", "-u"), ("stash", "pop", "-q")),
}
OTHER_NLU = NLU.replace("- hello", "- hello\n    - moin\n    - servus")
IDENTITY = ("-c", "user.name=a", "-c", "user.email=a@example.org")


def git(bot: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *IDENTITY, *words], cwd=bot, capture_output=True, text=True)


def said(bot: Path, *words: str) -> str:
    """What git says where it does what it should."""
    done = git(bot, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def commit(bot: Path) -> None:
    said(bot, "add", "--all")
    said(bot, "commit", "-qm", "as it is", "--allow-empty")


def cases(
    drafted: Path, bot: Path
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], set[tuple[str, str]]]]:
    """The ways of each move, and the decisions; each time with a bot in git; a branch has no drafts."""
    for kind, (away, back) in product(KINDS, MOVES.values()):
        shutil.rmtree(bot, ignore_errors=True)
        shutil.copytree(drafted, bot, ignore=shutil.ignore_patterns(DRAFTS))
        (bot / ".gitignore").write_text(f"encoder\n{DRAFTS if kind == IGNORED else ''}\n")
        said(bot, "init", "-q", "-b", "main")
        commit(bot)
        said(bot, "switch", "-qc", "other")
        (bot / "data" / "nlu.yml").write_text(OTHER_NLU)
        commit(bot)
        said(bot, "switch", "-q", "main")
        shutil.copytree(drafted / DRAFTS, bot / DRAFTS)
        if kind == WRITTEN:
            commit(bot)
        decide(bot)
        if kind == COMMITTED:
            commit(bot)
        yield away, back, {*decisions(bot).items()}


def kept(bot: Path) -> set[tuple[str, str]]:
    """The decisions in the folder, on all branches and in all stashes."""
    found = {*decisions(bot).items()} if (bot / DRAFTS / "run.json").exists() else set()
    for commit in said(bot, "rev-list", "--all", "--reflog").split():
        names = said(bot, "ls-tree", "-r", "--name-only", commit, "--", f"{DRAFTS}/new").splitlines()
        drafts = [from_yaml(said(bot, "show", f"{commit}:{name}"), name) for name in names]
        found |= {(draft.intent, draft.decision) for draft in drafts}
    return found


def in_words(ended: Ended) -> bool:
    """Whether a command did what it should or ended with a sentence."""
    assert ended.code in (0, 1), ended.output
    assert "Traceback" not in ended.output
    return ended.code == 1


@pytest.mark.tried(
    "Git",
    "a branch switch, a stash, and back, between run and `apply`, which works in between and afterwards",
)
def test_between_run_and_apply(drafted: Path, tmp_path: Path, outcome: Outcome) -> None:
    bot, tried, refused, held = tmp_path / "bot", 0, 0, 0
    for away, back, expected in cases(drafted, bot):
        moved = git(bot, *away).returncode == 0
        before = bot_files(bot)
        for words in (("--dry-run",), ("--yes", "--with-rules")):
            ended = rasa("discover-intents", "apply", *words, folder=bot)
            refused += in_words(ended)
            tried += 1
            if words == ("--dry-run",) or ended.code:
                assert bot_files(bot) == before
        for name, text in before.items():
            assert {*text.splitlines()} <= {*bot_files(bot)[name].splitlines()}, name
        if moved:
            commit(bot)
            held += git(bot, *back).returncode != 0
        refused += in_words(rasa("discover-intents", "apply", "--yes", folder=bot))
        tried += 1
        assert kept(bot) >= expected
    outcome(
        f"{tried} commands, {refused} of them refused with a sentence; git refused the way back {held} times",
        "every decision is in the folder, on a branch or in the stash, every line in the bot's files",
    )


@pytest.mark.tried("Git", "a branch switch, a stash, and back, while the desk is open")
def test_while_the_desk_is_open(drafted: Path, tmp_path: Path, outcome: Outcome) -> None:
    bot, tried, acknowledged, gone = tmp_path / "bot", 0, 0, 0
    for away, back, expected in cases(drafted, bot):
        command = start(*REVIEW, folder=bot)
        server, token = desk_of(command)
        draft = f"new/{max(os.listdir(bot / DRAFTS / 'new'))}"
        seen = ask(server, "/api/page", token=token)[1]["state"]
        moved = git(bot, *away).returncode == 0
        for way in (back, None):
            for state in (seen, None):
                status, page, _ = ask(server, "/api/page", token=token)
                assert status in (200, 410), page
                gone += status == 410
                tried += 1
                state = state or (page["state"] if status == 200 else seen)
                arguments = {"draft": draft, "decision": "later" if way else "accepted"}
                body = {
                    **{key: state[key] for key in ("revision", "run")},
                    "verb": "decide",
                    "arguments": arguments,
                }
                code, answer, _ = ask(server, "/api/act", body, token=token)
                assert code in (200, 409, 410, 422), answer
                if code == 200:
                    acknowledged += 1
                    said_now = f"decision: {arguments['decision']}".encode()
                    assert said_now in (bot / DRAFTS / draft).read_bytes()
            if way and moved:
                moved = git(bot, *way).returncode == 0
        command.interrupt()
        in_words(command.ended())
        assert kept(bot) >= expected
    outcome(
        f"{tried} looks, {acknowledged} decisions; the page said {gone} times that the drafts are gone",
        "every decision is in the folder, on a branch or in the stash",
    )


@pytest.mark.tried("Git", "a branch switch, a stash, and back, while a run computes")
def test_while_a_run_computes(drafted: Path, tmp_path: Path, outcome: Outcome) -> None:
    bot, tried, refused = tmp_path / "bot", 0, 0
    for is_back in (True, False):
        for away, back, expected in cases(drafted, bot):
            go = tmp_path / "go"
            go.unlink(missing_ok=True)
            command = start("discover-intents", folder=bot, before=partial(waits_for, go))
            command.waits_for(WAITING)
            moved = git(bot, *away).returncode == 0
            if moved and is_back:
                moved = git(bot, *back).returncode != 0
            go.touch()
            ended = command.ended()
            refused += in_words(ended)
            tried += 1
            if moved:
                git(bot, *back)
            assert kept(bot) >= expected, ended.output
    outcome(
        f"{tried} runs, {refused} of them refused with a sentence",
        "every decision is in the folder, on a branch or in the stash",
    )


WAITING = "the run waits for the test"


def waits_for(file: Path) -> None:
    """Has the method of this process wait for a file before it begins."""
    from rasa_intent_discovery import stages

    method = stages.discover_in

    def waits(*arguments: Any) -> Any:
        sys.stdout.write(f"{WAITING}\n")
        sys.stdout.flush()
        while not file.exists():
            time.sleep(0.01)
        return method(*arguments)

    stages.discover_in = waits
