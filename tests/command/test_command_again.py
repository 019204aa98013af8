"""The command with the options of the last run: its words, what is not given again, and that it runs."""

from __future__ import annotations

import argparse
import errno
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import rasa_intent_discovery
from rasa_intent_discovery.command import again
from rasa_intent_discovery.command.again import CommandAgain
from rasa_intent_discovery.command.options import add_settings, options_of
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.drafts.folder import GIVEN
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.applying.started import Started

LINES = [
    ["--messages", "logs", "more logs/a.csv", "--since", "2026-11-01", "--below", "0.4", "--preset", "fast"],
    ["--channel", "slack", "rest", "--all-messages", "--num-intents", "auto", "--text-column", "a.b"],
    ["--num-intents", "12", "--min-messages", "3", "--encoder-prompt", "query: ", "--no-mask-personal-data"],
    ["--mask-personal-data", "--seed", "7", "--other-languages", "--language", "pt-BR"],
    [],
]


def parsed(words: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser()
    add_settings(parser)
    parser.add_argument("--endpoints", default=argparse.SUPPRESS)
    return vars(parser.parse_args(words))


@pytest.mark.parametrize("words", LINES)
def test_what_was_given_is_given_again(words: list[str]) -> None:
    given = parsed(words)
    assert parsed(options_of(given)) == given


def test_every_option_is_given_again_but_the_folder() -> None:
    parser = argparse.ArgumentParser(add_help=False)
    add_settings(parser)
    lists = {"messages": ["a"], "writers": ["user"], "channels": ["b"]}
    values = {**lists, "preset": "fast", "device": "cpu", "below": 0.5}
    given = {
        action.dest: values.get(action.dest, True if action.nargs == 0 else "3") for action in parser._actions
    }
    again = parsed([*options_of(given)])
    assert {*again} == {*given} - {"out"} and {*given} <= {*DiscoveryConfig().to_dict()}


def test_the_tracker_store_is_read_again() -> None:
    assert options_of({"endpoints": "my endpoints.yml"}) == ["--endpoints=my endpoints.yml"]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"messages": ["logs", "--encoder=/tmp/evil"]}, "a value of --messages begins with a hyphen"),
        ({"messages": "logs"}, "expected a list of values for --messages"),
        ({"channels": []}, "expected a list of values for --channel"),
    ],
)
def test_what_nobody_could_have_given_is_refused(given: dict[str, Any], why: str) -> None:
    with pytest.raises(DataError, match=why):
        options_of(given)


def test_other_keys_say_nothing() -> None:
    assert options_of({"out": "elsewhere", "exec": "rm", "endpoints": 7, "cache": "/x"}) == []


def test_the_command_as_it_is_typed() -> None:
    one = CommandAgain("rasa discover-intents", ["--data", "my nlu.yml"], ["--out", "drafts"])
    run = {GIVEN: {"messages": ["my logs"], "out": "before"}}
    assert one.command(run) == "rasa discover-intents --data 'my nlu.yml' --messages 'my logs' --out drafts"
    assert CommandAgain("rasa discover-intents", [], []).command({GIVEN: {}}) == "rasa discover-intents"


def test_a_run_of_before_does_not_say_how_it_was_started() -> None:
    one = CommandAgain("rasa discover-intents", [], [])
    for act in (one.command, one.start):
        with pytest.raises(DataError, match="does not say how the last run was started"):
            act({"settings": {}})
    assert one.found() is None


def ended(one: CommandAgain) -> list[Started]:
    """What it says until it ends."""
    seen = []
    while (found := one.found()) is not None and found.running:
        seen += [found] if found not in seen else []
        time.sleep(0.02)
    assert found is not None
    return [*seen, found]


def program(
    monkeypatch: pytest.MonkeyPatch, folder: Path, code: str, line_seconds: int | None = None
) -> CommandAgain:
    """Whose module is one that does this."""
    (folder / "stand_in.py").write_text(f"import sys, time\n{code}")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setattr(again, "_PROGRAM", "stand_in")
    return CommandAgain("rasa discover-intents", [], [], line_seconds)


LOGGED = "2026-11-27 18:09:22 INFO     rasa_intent_discovery.stages  - found that 7 of 9 look new"
PLAIN = "18:09:22 INFO     proposing 3 of 4"


@pytest.mark.parametrize(
    ("line", "says"), [(LOGGED, "found that 7 of 9 look new"), (PLAIN, "proposing 3 of 4")]
)
def test_it_says_what_the_run_is_at(
    line: str, says: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    code = f"print('\\x1b[94m{line}\\x1b[0m'); time.sleep(0.3); print(sys.argv[1:])"
    one = program(monkeypatch, tmp_path, code)
    one.start({GIVEN: {"messages": ["logs"]}})
    seen = ended(one)
    assert Started(True, says) in seen
    assert seen[-1] == Started(False, "The drafts are those of the new run.", True)


@pytest.mark.parametrize(("given", "used"), [(None, 10.0), (1, 1.0)])
def test_a_page_is_told_more_often_how_far_it_is(
    given: int | None, used: float, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = Path(rasa_intent_discovery.__file__).parents[1]
    code = (
        f"sys.path.insert(0, {str(source)!r})\n"
        "from rasa_intent_discovery.progress import ShownProgress\n"
        "print(ShownProgress(())._between)\n"
        "sys.exit(1)"
    )
    one = program(monkeypatch, tmp_path, code, given)
    one.start({GIVEN: {}})
    assert ended(one)[-1].says == str(used)


def test_it_says_why_it_failed_and_can_be_started_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    one = program(monkeypatch, tmp_path, "print('logs: there is no such file'); print(); sys.exit(1)")
    for _ in range(2):
        one.start({GIVEN: {}})
        assert ended(one)[-1] == Started(False, "logs: there is no such file", False)


def test_a_second_start_changes_nothing_and_closing_ends_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    one = program(monkeypatch, tmp_path, "open('started', 'a').write('x'); time.sleep(60)")
    monkeypatch.chdir(tmp_path)
    one.start({GIVEN: {}})
    one.start({GIVEN: {}})
    started = Path("started")
    while not (started.exists() and started.read_text()):
        time.sleep(0.02)
    one.close()
    assert started.read_text() == "x"
    assert one.found() == Started(False, "The run was ended before it was done.", False)
    CommandAgain("rasa discover-intents", [], []).close()


def test_two_who_start_it_at_once_start_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    one = program(monkeypatch, tmp_path, "open('started', 'a').write('x')")
    monkeypatch.chdir(tmp_path)

    def slowly(_: object) -> list[str]:
        time.sleep(0.1)
        return []

    monkeypatch.setattr(again, "options_of", slowly)
    with ThreadPoolExecutor(2) as clicks:
        assert [*clicks.map(one.start, [{GIVEN: {}}] * 2)] == [None, None]
    assert ended(one)[-1].fine
    one.close()
    assert Path("started").read_text() == "x"


def test_a_run_that_could_not_be_started_can_be_started_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As where there was no room for another process."""
    one = program(monkeypatch, tmp_path, "")

    def refuses(*_: object, **__: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    with monkeypatch.context() as now:
        now.setattr(subprocess, "Popen", refuses)
        with pytest.raises(DataError, match="^stand_in cannot be started: Resource temporarily unavailable$"):
            one.start({GIVEN: {}})
    assert one.found() is None
    one.start({GIVEN: {}})
    assert ended(one)[-1].fine
