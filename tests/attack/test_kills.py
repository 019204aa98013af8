"""`kill -9` of the commands themselves, at every step at which they change something on the disk."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from functools import partial
from http.client import HTTPException
from itertools import count
from pathlib import Path

import pytest
from attack_table import Outcome
from desk_server import ask
from drafted_bot import DRAFTS, bot_files, drafts, tree
from killed import dies_at, needs_fork
from real_commands import REVIEW, Command, desk_of, discover, rasa, start

from rasa_intent_discovery.drafts.folder import read_drafts
from rasa_intent_discovery.review.decisions.files import act
from rasa_intent_discovery.review.decisions.folder import open_desk

pytestmark = [needs_fork, pytest.mark.timeout(1800)]

NO_DRAFTS = (
    f"{DRAFTS} holds no drafts: run the command in the folder of the bot, after `rasa discover-intents`"
)


def moments(before: Path, bot: Path, *words: str) -> Iterator[int]:
    """All moments at which a command can be killed; at each one the bot is as that left it."""
    for at in count():
        shutil.rmtree(bot, ignore_errors=True)
        shutil.copytree(before, bot, symlinks=True)
        ended = rasa("discover-intents", *words, folder=bot, before=partial(dies_at, at, bot))
        if ended.code == 0:
            assert at > 10
            return
        assert ended.code == -9, ended.output
        yield at


@pytest.mark.tried("Kills", "`kill -9` of a first `rasa discover-intents`, before every change on the disk")
def test_a_first_run(tmp_path: Path, drafted: Path, outcome: Outcome) -> None:
    bare = shutil.copytree(drafted, tmp_path / "bare")
    shutil.rmtree(bare / DRAFTS)
    bot, whole = tmp_path / "bot", drafts(drafted)
    complete = points = 0
    for at in moments(bare, bot):
        points += 1
        assert bot_files(bot).items() >= bot_files(bare).items()
        there = drafts(bot)
        assert there in ({}, whole), at
        complete += there == whole
        if not there:
            said = rasa("discover-intents", "apply", folder=bot)
            assert (said.code, said.last_line) == (1, NO_DRAFTS)
            if at % 4 == 0:
                assert discover(bot).code == 0
                assert drafts(bot) == whole
                assert sorted(os.listdir(bot)) == sorted(os.listdir(drafted))
    outcome(
        f"{points} kills", f"no drafts {points - complete} times, all of them {complete} times; none half"
    )


@pytest.mark.tried(
    "Kills", "`kill -9` of `rasa discover-intents` over reviewed drafts, before every change on the disk"
)
def test_a_next_run(tmp_path: Path, decided: Path, outcome: Outcome) -> None:
    after = shutil.copytree(decided, tmp_path / "after")
    assert discover(after).code == 0
    new, old, bot = drafts(after), drafts(decided), tmp_path / "bot"
    decisions = {draft.intent: draft.decision for draft in read_drafts(decided / DRAFTS)}
    assert {"accepted", "ignored"} < {*decisions.values()}
    points = complete = 0
    for at in moments(decided, bot):
        points += 1
        assert bot_files(bot) == bot_files(decided)
        if at % 8 == 0:
            assert discover(bot).code == 0
            assert drafts(bot) == new
        else:
            assert rasa("discover-intents", "apply", "--dry-run", folder=bot).code == 0
            there = drafts(bot)
            assert there in (old, new), at
            complete += there == new
            assert tree(bot / DRAFTS)["notes.txt"] == b"ask Anna\n"
        found = {draft.intent: draft.decision for draft in read_drafts(bot / DRAFTS)}
        assert found.items() >= {name: said for name, said in decisions.items() if said != "open"}.items()
    outcome(f"{points} kills", "the drafts of before or the new ones, every decision and edit in them")


@pytest.mark.tried(
    "Kills", "`kill -9` of `rasa discover-intents apply --with-rules`, before every change on the disk"
)
def test_an_apply(tmp_path: Path, decided: Path, outcome: Outcome) -> None:
    words = ("apply", "--with-rules", "--yes")
    after = shutil.copytree(decided, tmp_path / "after")
    assert rasa("discover-intents", *words, folder=after).code == 0
    old, new, bot = bot_files(decided), bot_files(after), tmp_path / "bot"
    points = undone = 0
    for at in moments(decided, bot, *words):
        points += 1
        assert tree(bot / DRAFTS) == tree(decided / DRAFTS)
        if at % 2:
            # A run takes back what was half done; it finds too few messages, so that it is quick.
            ended = rasa("discover-intents", "--min-messages", "1000", folder=bot)
            assert ended.code in (0, 1), ended.output
            assert bot_files(bot) in (old, new), at
            undone += bot_files(bot) == old
        else:
            assert rasa("discover-intents", *words, folder=bot).code == 0
            assert bot_files(bot) == new, at
    outcome(
        f"{points} kills",
        "after the next command all files are changed or none, and nothing lies about but copies of before",
    )


@pytest.mark.tried(
    "Kills",
    "`kill -9` of `rasa discover-intents review` while decisions are made, before every change on the disk",
)
def test_a_review(tmp_path: Path, drafted: Path, outcome: Outcome) -> None:
    bot, points, acknowledged = tmp_path / "bot", 0, 0
    states = states_of(drafted, tmp_path / "expected")
    for at in count():
        shutil.rmtree(bot, ignore_errors=True)
        shutil.copytree(drafted, bot)
        command = start(*REVIEW, folder=bot, before=partial(dies_at, at, bot))
        said = decide_until_it_ends(command, bot / DRAFTS)
        code = command.ended().code
        desk = open_desk(bot / DRAFTS)
        assert not desk.problems
        assert [entry.says for entry in desk.journal][: len(said)] == said, at
        assert drafts(bot) == states[desk.revision], at
        assert rasa("discover-intents", "apply", "--dry-run", folder=bot).code == 0
        if code == 0:
            break
        assert code == -9
        points += 1
        acknowledged += len(said)
    assert points > 10
    outcome(f"{points} kills", f"all {acknowledged} decisions that were acknowledged are in the drafts")


def decisions_on(folder: Path) -> list[tuple[str, dict[str, object]]]:
    """What is decided, one after the other."""
    first, second, third, fourth, *_ = [f"new/{path.name}" for path in sorted((folder / "new").iterdir())]
    return [
        ("decide", {"draft": first, "decision": "accepted"}),
        ("rename", {"draft": second, "name": "my_name"}),
        ("merge", {"draft": third, "target": first}),
        ("decide", {"draft": fourth, "decision": "ignored"}),
    ]


def states_of(drafted: Path, bot: Path) -> list[dict[str, bytes]]:
    """The drafts before and after each of the decisions."""
    shutil.copytree(drafted, bot)
    desk, states = open_desk(bot / DRAFTS), [drafts(bot)]
    for verb, arguments in decisions_on(bot / DRAFTS):
        desk, _ = act(desk, verb, arguments)
        states.append(drafts(bot))
    return states


def decide_until_it_ends(command: Command, folder: Path) -> list[str]:
    """Decides on a desk until it is gone, then ends it; returns what it acknowledged."""
    said: list[str] = []
    decisions = decisions_on(folder)
    try:
        server, token = desk_of(command)
        for revision, (verb, arguments) in enumerate(decisions):
            body = {"revision": revision, "verb": verb, "arguments": arguments}
            status, answer, _ = ask(server, "/api/act", body, token=token)
            assert status == 200, answer
            said.append(answer["says"])
    except (OSError, HTTPException):
        return said
    command.interrupt()
    return said
