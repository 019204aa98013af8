"""What a path that is not there was perhaps meant to be."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import rasa_intent_discovery
from rasa_intent_discovery.training_data.near_path import did_you_mean


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("logs", "data/nlu", ".dta"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("config.yml", "logs/may.txt", "domain.yml"):
        (tmp_path / file).touch()


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("logz", "logs/"),
        ("logz/", "logs/"),
        ("confg.yml", "config.yml"),
        ("logs/mai.txt", "logs/may.txt"),
        ("log/may.txt", "logs/may.txt"),
        ("dta/nlu", "data/nlu/"),
    ],
)
def test_the_closest_name_beside_it_is_suggested(given: str, meant: str) -> None:
    assert did_you_mean(given) == f" (did you mean {meant}?)"


def test_a_full_path_is_suggested_in_full(tmp_path: Path) -> None:
    assert did_you_mean(tmp_path / "logz") == f" (did you mean {tmp_path / 'logs'}/?)"


@pytest.mark.parametrize(
    "given", ["logs", "messages", "log/june.txt", "nowhere/at/all", "logs/may.txt/x", "x" * 300, "a\0b", ""]
)
def test_nothing_is_suggested_where_no_name_is_close(given: str) -> None:
    assert did_you_mean(given) == ""


def test_an_environment_that_cannot_name_it_is_told() -> None:
    """Python says of such a path that it is not there."""
    Path("lögs").mkdir()
    code = (
        "from rasa_intent_discovery.training_data.near_path import did_you_mean\n"
        "print(did_you_mean('l\\xf6gs'))"
    )
    package = str(Path(rasa_intent_discovery.__file__).parents[1])
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONPATH": package}
    done = subprocess.run([sys.executable, "-c", code], env=ascii_only, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (
        " (this environment names files in ascii, which cannot name it: set PYTHONUTF8=1)\n",
        "",
    )


def test_only_what_can_have_been_meant_is_suggested() -> None:
    assert did_you_mean("logz", Path.is_file) == ""
