"""The weekly jobs of docs/ci.md: their steps are run, on a bot with a repository that is a folder."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conversations import fell_back
from rasa.shared.core.domain import Domain
from rasa.shared.core.trackers import DialogueStateTracker
from real_commands import OPENINGS, THINGS, write_bot
from ruamel.yaml import YAML

from rasa_intent_discovery.drafts.folder import read_drafts
from rasa_intent_discovery.rasa_plugin.rasa_versions import SQLTrackerStore
from rasa_intent_discovery.review.decisions.files import act
from rasa_intent_discovery.review.decisions.folder import open_desk

TEXT = (Path(__file__).parents[1] / "docs" / "ci.md").read_text(encoding="utf-8")
#: What is installed on the machine of a job, and is none of this project's: it notes how it was called.
NOTES = '#!/bin/sh\nprintf "%s %s\\n" "$(basename "$0")" "$*" >> "$CALLED"\n'


def shown(language: str, first: str) -> str:
    """The block of a language in the document that begins so."""
    [found] = [
        one for one in re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.S | re.M) if one.startswith(first)
    ]
    return str(found)


def job(first: str, *path: str) -> Any:
    # Rasa's reader, once it is loaded, takes GitHub's expressions for variables of the environment.
    found = YAML(typ="safe").load(re.sub(r"\$\{\{.*?\}\}", "expression", shown("yaml", first)))
    for key in path:
        found = found[key]
    return found


@pytest.fixture
def origin(tmp_path: Path, called: Path) -> Path:
    """The repository of a bot on the server."""
    bot = write_bot(tmp_path / "bot")
    (bot / "ci").mkdir()
    (bot / "ci" / "drafts.sh").write_text(shown("sh", "#!"))
    (bot / ".gitignore").write_text("intent_drafts/\nencoder/\n")
    git("init", "--quiet", "--initial-branch=main", folder=bot)
    git("add", ".", folder=bot)
    git("commit", "--quiet", "-m", "The bot", folder=bot)
    git("clone", "--quiet", "--bare", str(bot), str(tmp_path / "origin.git"), folder=tmp_path)
    return tmp_path / "origin.git"


@pytest.fixture
def called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the programs that are none of ours were called with.

    git does not read the settings of who runs the tests.
    """
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("pip", "gh", "rsync", "apt-get"):
        write_program(programs / name, NOTES)
    path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]])
    for name, value in {
        "PATH": path,
        "CALLED": str(tmp_path / "called.txt"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        **{
            f"GIT_{who}_{what}": "ann@example.org"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        },
        "PYTHONWARNINGS": "ignore",
    }.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "called.txt").touch()
    return tmp_path / "called.txt"


def write_program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def git(*words: str, folder: Path) -> str:
    return subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def checkout(origin: Path, name: str) -> Path:
    git("clone", "--quiet", str(origin), name, folder=origin.parent)
    return origin.parent / name


def drafts(word: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """`bash ci/drafts.sh WORD`."""
    return subprocess.run(["bash", "ci/drafts.sh", word], cwd=folder, capture_output=True, text=True)


def listed(origin: Path) -> list[str]:
    """The commits of the branch, and the files in it."""
    commits = git("rev-list", "--count", "intent-drafts", folder=origin).strip()
    return [commits, *git("ls-tree", "-r", "--name-only", "intent-drafts", folder=origin).splitlines()]


def write_drafts(folder: Path, text: str) -> None:
    (folder / "intent_drafts" / "new").mkdir(parents=True, exist_ok=True)
    (folder / "intent_drafts" / "new" / "a.yml").write_text(text)


def test_drafts_go_to_a_branch_of_one_commit_and_come_back(origin: Path) -> None:
    here, there = checkout(origin, "here"), checkout(origin, "there")
    assert drafts("fetch", here).returncode == 0  # there is no branch yet
    (here / "mine.txt").write_text("not to be in it")
    git("add", "mine.txt", folder=here)
    for text in ("one", "two\r\nthree"):
        write_drafts(here, text)
        assert drafts("push", here).stderr == ""
    assert listed(origin) == ["1", "intent_drafts/new/a.yml"]
    assert git("status", "--porcelain", folder=here) == "A  mine.txt\n"
    assert drafts("fetch", there).stderr == ""
    assert (there / "intent_drafts" / "new" / "a.yml").read_bytes() == b"two\r\nthree"


def test_what_somebody_pushed_meanwhile_is_not_overwritten_and_no_folder_either(origin: Path) -> None:
    here, there = checkout(origin, "here"), checkout(origin, "there")
    for folder in (here, there):
        assert drafts("fetch", folder).returncode == 0
        write_drafts(folder, folder.name)
    assert drafts("push", here).returncode == 0
    refused = drafts("push", there)
    assert refused.returncode == 1
    assert refused.stderr.endswith("move intent_drafts away, fetch, decide again\n")
    refused = drafts("fetch", there)
    assert (refused.returncode, refused.stderr) == (
        1,
        "intent_drafts is there already: push it, or move it away\n",
    )
    assert git("show", "intent-drafts:intent_drafts/new/a.yml", folder=origin) == "here"
    assert (there / "intent_drafts" / "new" / "a.yml").read_text() == "there"


def github(folder: Path) -> int:
    """Runs the steps of the workflow in a checkout, as GitHub does; returns what the run ended with."""
    output = folder.parent / f"{folder.name}.txt"
    steps = job("name: New intents", "jobs", "new-intents", "steps")
    for step in steps:
        waits = "code=3" in (output.read_text() if output.exists() else "")
        assert step.get("if") in (None, "steps.look.outputs.code == '3'")
        if "run" in step and (waits or "if" not in step):
            environment = {**os.environ, "GITHUB_OUTPUT": str(output), "RASA_TELEMETRY_ENABLED": "false"}
            done = subprocess.run(
                ["bash", "-e", "-c", step["run"]], cwd=folder, env=environment, capture_output=True, text=True
            )
            assert done.returncode == 0, done.stdout + done.stderr
    return int(output.read_text().removeprefix("code="))


@pytest.mark.slow
def test_the_workflow_opens_an_issue_until_all_is_decided(origin: Path, called: Path) -> None:
    store = {"type": "SQL", "dialect": "sqlite", "db": str(origin.parent / "tracker.db")}
    first = checkout(origin, "first")
    fill(Path(store["db"]))
    (first / "endpoints.yml").write_text(json.dumps({"tracker_store": store}))
    config = (first / "config.yml").read_text()
    (first / "config.yml").write_text(config.replace("messages: [logs]", "messages: []"))
    git("add", ".", folder=first)
    git("commit", "--quiet", "-m", "The store", folder=first)
    git("push", "--quiet", folder=first)

    assert github(first) == 3
    assert (
        "gh issue create --title New intents wait for a decision --body-file summary.txt\n"
        in called.read_text()
    )
    summary = (first / "summary.txt").read_text()
    assert summary.rstrip().splitlines()[-1].endswith(f"{', '.join(names(first))}.")
    assert not any(f"{opening} my" in summary for opening in OPENINGS)  # no messages in an issue
    assert listed(origin)[0] == "1"

    reviewer = checkout(origin, "reviewer")
    drafts("fetch", reviewer)
    desk = open_desk(reviewer / "intent_drafts")
    for path in sorted((reviewer / "intent_drafts" / "new").iterdir()):
        desk, _ = act(desk, "decide", {"draft": f"new/{path.name}", "decision": "ignored"})
    assert drafts("push", reviewer).stderr == ""

    called.write_text("")
    second = checkout(origin, "second")
    assert github(second) == 0
    assert "gh " not in called.read_text()
    assert {draft.decision for draft in read_drafts(second / "intent_drafts")} == {"ignored"}
    assert listed(origin)[0] == "1"


def names(bot: Path) -> list[str]:
    return [draft.intent for draft in read_drafts(bot / "intent_drafts")]


def fill(path: Path) -> None:
    """A tracker store in which somebody asked for each thing in each way, and was not understood."""
    store = SQLTrackerStore(Domain.empty(), dialect="sqlite", db=str(path))
    conversation = DialogueStateTracker("ann", [])
    for opening in OPENINGS:
        for thing in THINGS:
            conversation.update(fell_back(f"{opening} my {thing}"))
    asyncio.run(store.save(conversation))
    store.engine.dispose()


@pytest.mark.parametrize(("code", "pushed"), [(3, True), (0, True), (1, False)])
def test_the_job_ends_as_the_run_does_and_keeps_drafts_that_were_made(
    origin: Path, called: Path, code: int, pushed: bool
) -> None:
    made = f"{NOTES}mkdir -p intent_drafts && echo x > intent_drafts/run.json\nexit {code}\n"
    write_program(origin.parent / "programs" / "rasa", made)
    described = job("new-intents:", "new-intents")
    variables = {"DRAFTS_TOKEN": "t", "CI_SERVER_HOST": "git.example.org", "CI_PROJECT_PATH": "shop/bot"}
    address = re.sub(r"\$\{(\w+)\}", lambda name: variables[name[1]], described["variables"]["DRAFTS_REMOTE"])
    assert address == "https://drafts:t@git.example.org/shop/bot.git"
    folder = checkout(origin, "job")
    git("config", f"url.{origin}.insteadOf", address, folder=folder)
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", "\n".join(described["script"])],
        cwd=folder,
        env={**os.environ, "DRAFTS_REMOTE": address},
        capture_output=True,
        text=True,
    )
    assert done.returncode == code, done.stderr
    assert "rasa discover-intents --messages collected_messages --exit-code\n" in called.read_text()
    branches = git("branch", "--list", "intent-drafts", folder=origin)
    assert bool(branches) == pushed
