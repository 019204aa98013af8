"""What a figure was made with: the commit, and a digest of the code that matters."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.provenance import commit, needed_sources, source_digest
from rasa_intent_discovery import config
from rasa_intent_discovery.learning import padding
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.token_states import TokenStates
from rasa_intent_discovery.proposals import propose


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    done = subprocess.run(["git", "-C", str(folder), *who, *arguments], capture_output=True, check=True)
    return done.stdout.decode().strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "code.py").write_text("a = 1\n")
    git(folder, "add", "code.py")
    git(folder, "commit", "-qm", "a is one")
    return folder


def test_a_commit_is_told_with_what_differs_from_it(checkout: Path) -> None:
    clean = git(checkout, "rev-parse", "HEAD")[:12]
    assert commit(checkout) == clean
    (checkout / "notes.txt").write_text("no part of it\n")
    assert commit(checkout) == clean

    (checkout / "code.py").write_text("a = 2\n")
    two = commit(checkout)
    (checkout / "code.py").write_text("a = 3\n")
    three = commit(checkout)

    assert two is not None and three is not None
    assert two.startswith(f"{clean}+") and three.startswith(f"{clean}+")
    assert two != three
    (checkout / "code.py").write_text("a = 1\n")
    assert commit(checkout) == clean


def test_results_that_are_written_change_no_commit(checkout: Path) -> None:
    results = checkout / "benchmarks/results"
    results.mkdir(parents=True)
    (results / "clinc.json").write_text("{}")
    git(checkout, "add", ".")
    git(checkout, "commit", "-qm", "a result")
    (results / "clinc.json").write_text("[]")
    assert commit(checkout) == git(checkout, "rev-parse", "HEAD")[:12]


def test_outside_of_git_there_is_no_commit(checkout: Path, tmp_path: Path) -> None:
    inside = checkout / "a_copy_in_a_project"
    inside.mkdir()

    assert commit(tmp_path) is None
    assert commit(inside) is None


def test_without_git_there_is_no_commit(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    assert commit(checkout) is None


SOURCES = {
    "start.py": "from food import kitchen\n",
    "food/__init__.py": "",
    "food/kitchen.py": "from .stove import heat\ndef cook():\n    import food.knife\n",
    "food/stove.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from food import menu\n",
    "food/knife.py": "import os, numpy\n",
    "food/menu.py": "",
    "food/waiter.py": "from food import kitchen\n",
}


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in SOURCES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "food", raising=False)  # the one of the test before
    return tmp_path


def test_needed_is_what_is_imported_wherever_it_stands(sources: Path) -> None:
    assert needed_sources("start", "food") == {
        "food": sources / "food/__init__.py",
        "food.kitchen": sources / "food/kitchen.py",
        "food.knife": sources / "food/knife.py",
        "food.stove": sources / "food/stove.py",
        "start": sources / "start.py",
    }


@pytest.mark.parametrize(("file", "matters"), [("knife", True), ("kitchen", True), ("waiter", False)])
def test_a_digest_changes_with_what_is_needed_and_nothing_else(
    file: str, matters: bool, sources: Path
) -> None:
    before = source_digest("start", "food")
    with (sources / f"food/{file}.py").open("a") as text:
        text.write("# changed\n")

    assert (source_digest("start", "food") != before) == matters


def test_what_is_kept_of_the_frozen_layers_depends_on_the_code_that_makes_it() -> None:
    needed = set(needed_sources("benchmarks.states", "rasa_intent_discovery").values())

    for part in (Encoder, TokenStates, padding, config):
        assert Path(inspect.getsourcefile(part) or "") in needed
    assert Path(inspect.getsourcefile(propose) or "") not in needed
