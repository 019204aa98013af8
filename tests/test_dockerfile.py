"""The Dockerfile, as far as can be told without Docker: what it copies is there and gets into the image."""

from __future__ import annotations

import re
import shlex
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

import pytest
from test_readme import parser, snippets

import rasa_intent_discovery

ROOT = Path(__file__).parents[1]
#: Where the package is, which is elsewhere if it is tested as it is installed.
PACKAGE = Path(rasa_intent_discovery.__file__).parents[1]


def instructions(name: str) -> list[str]:
    """What stands behind an instruction, each time it is there."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    return re.findall(rf"^{name} (.*)$", text, re.MULTILINE)


def copied() -> list[str]:
    """The sources of all COPY instructions."""
    words = [[word for word in line.split() if not word.startswith("--")] for line in instructions("COPY")]
    return [source for *sources, _ in words for source in sources]


def is_kept_out(path: str) -> bool:
    """Whether `.dockerignore` keeps a file out: the last pattern decides that fits it or a parent."""
    names, out = PurePosixPath(path), False
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        pattern = line.removeprefix("!").split("/")
        if not line.startswith("#") and any(fits(pattern, one.parts) for one in (names, *names.parents)):
            out = not line.startswith("!")
    return out


def fits(pattern: list[str], parts: tuple[str, ...]) -> bool:
    """As Docker matches: `*` within a name, `**` for any number of names."""
    if not pattern or not parts:
        return not pattern and not parts
    if pattern[0] == "**":
        return fits(pattern[1:], parts) or fits(pattern, parts[1:])
    return fnmatchcase(parts[0], pattern[0]) and fits(pattern[1:], parts[1:])


def tracked(path: str) -> list[str]:
    listed = subprocess.run(["git", "ls-files", path], cwd=ROOT, capture_output=True, text=True)
    found = [str(one.relative_to(ROOT)) for one in (ROOT / path).rglob("*") if one.is_file()]
    return listed.stdout.splitlines() or [one for one in found or [path] if "__pycache__" not in one]


def test_what_is_copied_is_there_and_gets_into_the_image() -> None:
    assert len(copied()) >= 6
    for source in copied():
        assert (ROOT / source).exists() or (PACKAGE / source).exists(), source
        assert [path for path in tracked(source) if is_kept_out(path)] == []


def test_all_that_the_package_is_built_of_is_copied() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    built = re.findall(r'"(LICENSE|README.md|rasa_intent_discovery\w*(?:\.pth)?)"', project)
    assert {"LICENSE", "README.md", "rasa_intent_discovery", "rasa_intent_discovery_hook.pth"} == set(built)
    assert {*built, "pyproject.toml", "constraints.txt", "example_bot"} == set(copied())


@pytest.mark.parametrize(
    "path",
    [
        ".git/config",
        ".venv/bin/python",
        "benchmarks/data/train.tsv",
        "docs/review.md",
        "intent_drafts/run.json",
        "example_bot/intent_drafts/new/a.yml",
        "example_bot/models/a.tar.gz",
        "rasa_intent_discovery/__pycache__/run.pyc",
        ".env",
    ],
)
def test_what_is_not_needed_or_private_stays_out(path: str) -> None:
    assert is_kept_out(path)


def test_it_runs_the_command_as_no_root() -> None:
    assert instructions("FROM") == ["python:3.10-slim"]
    assert instructions("ENTRYPOINT") == ['["rasa", "discover-intents"]']
    assert instructions("USER")[-1] == "bot"


def test_the_versions_are_pinned() -> None:
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert len(re.findall("^uv==[^ ]*", pins, re.MULTILINE)) == 1
    installs = [line for line in instructions("RUN") if "uv pip install" in line]
    assert all("--constraint constraints.txt" in line or "--no-deps" in line for line in installs)
    assert "--extra rasa " in installs[0]  # it is not required, as it may be there already


def test_what_the_documents_give_the_container_are_options_of_ours() -> None:
    lines = [line for code in snippets("docs/install.md", "sh") for line in code.splitlines()]
    runs = [shlex.split(line) for line in lines if line.startswith("docker run")]
    assert len(runs) >= 4
    for words in runs:
        parser().parse_args(words[words.index("intent-discovery") + 1 :])
