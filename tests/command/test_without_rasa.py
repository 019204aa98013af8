"""The program where there is no Rasa: from NLU YAML and messages to drafts, and from these into NLU YAML."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from rasa_world import HAS_RASA
from real_commands import write_bot

import rasa_intent_discovery
from rasa_intent_discovery.command import without_rasa
from rasa_intent_discovery.drafts import chosen
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.applying.end import End
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.next_run.again import Discoverer
from rasa_intent_discovery.training_data.nlu_files import read_nlu_files

#: Rasa cannot be imported, as if it were not installed.
PROGRAM = (
    "import sys; sys.modules.update(dict.fromkeys(['rasa', 'tensorflow']))\n"
    "from rasa_intent_discovery.rasa_plugin.hooks import main; main()"
)


@pytest.fixture(scope="module")
def drafted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bot of which only `data` and `logs` are looked at, and its drafts. Not to be changed."""
    folder = write_bot(tmp_path_factory.mktemp("drafted") / "bot")
    options = (
        *("--nlu", "data", "--messages", "logs", "--encoder", str(folder / "encoder"), "--preset", "fast"),
        *("--device", "cpu", "--min-messages", "2", "--language", "en"),
    )
    done = program(*options, folder=folder)
    assert done.returncode == 0, done.stderr
    assert "2. decide: rasa-discover-intents review --nlu data\n" in done.stdout
    return folder


@pytest.fixture
def bot(drafted: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(drafted, tmp_path / "bot"))


def program(*words: str, folder: Path, with_rasa: bool = False) -> subprocess.CompletedProcess[str]:
    package = str(Path(rasa_intent_discovery.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": package, "PYTHONWARNINGS": "ignore", "TQDM_DISABLE": "1"}
    start = ["-m", "rasa_intent_discovery"] if with_rasa else ["-c", PROGRAM]
    return subprocess.run(
        [sys.executable, *start, *words], cwd=folder, env=environment, capture_output=True, text=True
    )


@pytest.mark.slow
@pytest.mark.skipif(not HAS_RASA, reason="there is no Rasa in this environment")
def test_the_drafts_are_those_of_the_command_in_rasa(bot: Path) -> None:
    beside = program("--out", "beside", folder=bot, with_rasa=True)
    assert beside.returncode == 0, beside.stderr
    ours, theirs = ((bot / out / "assignments.jsonl").read_text() for out in ("intent_drafts", "beside"))
    assert ours == theirs
    files = [
        sorted(path.name for path in (bot / out / "new").iterdir()) for out in ("intent_drafts", "beside")
    ]
    assert files[0] == files[1] != []


def test_the_version_is_told(tmp_path: Path) -> None:
    done = program("--version", folder=tmp_path)
    assert (done.returncode, done.stdout) == (
        0,
        f"rasa-intent-discovery {rasa_intent_discovery.__version__}\n",
    )


def test_accepted_drafts_go_into_the_nlu_data_and_into_nothing_else(bot: Path) -> None:
    before = {path: path.read_bytes() for path in bot.rglob("*.yml") if "intent_drafts" not in path.parts}
    proposal = next((bot / "intent_drafts" / "new").iterdir())
    proposal.write_text(proposal.read_text().replace("decision: open", "decision: accepted"))
    words = ("apply", "--nlu", "data")
    dry = program(*words, "--dry-run", folder=bot)
    assert (dry.returncode, dry.stderr) == (0, "")
    assert f"- intent: {proposal.stem}\n" in dry.stdout
    assert {path: path.read_bytes() for path in before} == before
    done = program(*words, folder=bot)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{proposal.stem}: new intent" in done.stdout
    assert "rasa data validate" not in done.stdout
    assert {path: path.read_bytes() for path in before} == before
    [new] = [path for path in (bot / "data").rglob("*.yml") if path not in before]
    examples = [text for intent, text in read_nlu_files([str(new)]).examples if intent == proposal.stem]
    assert len(examples) >= 2
    again = program(*words, folder=bot)
    assert "There is nothing to change in the bot." in again.stdout
    line = f"      - {examples[0]}\n"
    assert line in new.read_text()
    new.write_text(new.read_text().replace(line, ""))
    again = program(*words, folder=bot)
    assert "There is nothing to change in the bot." in again.stdout
    assert (
        f"1 example that you took out of your bot after an `apply`, such as {examples[0]} (" in again.stdout
    )
    assert (
        f"{proposal.stem}: 1 further example"
        in program("apply", proposal.stem, *words[1:], folder=bot).stdout
    )


def test_what_another_apply_writes_while_the_nlu_data_is_read_is_not_put_there_twice(
    bot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposal = next((bot / "intent_drafts" / "new").iterdir())
    proposal.write_text(proposal.read_text().replace("decision: open", "decision: accepted"))
    monkeypatch.chdir(bot)
    [nlu] = Path("data").rglob("nlu.yml")
    drafted = proposal.read_text().partition("nlu:\n")[2].partition("  metadata:")[0]
    choose = chosen.chosen_drafts

    def chosen_after_another(*given: object) -> object:
        nlu.write_text(nlu.read_text() + drafted)
        return choose(*given)

    monkeypatch.setattr(chosen, "chosen_drafts", chosen_after_another)
    arguments = without_rasa.parser_of_nlu_program("program").parse_args(["apply", "--nlu", "data"])
    with pytest.raises(DataError, match=f"^{nlu} was changed by another program just now: "):
        arguments.work(arguments, "program")


@pytest.mark.parametrize("words", [["--nlu", "data"], []])
def test_the_desk_sees_what_is_in_the_nlu_data_that_the_run_was_given(
    words: list[str], bot: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    proposal = next((bot / "intent_drafts" / "new").iterdir())
    proposal.write_text(proposal.read_text().replace("decision: open", "decision: accepted"))
    monkeypatch.chdir(bot)
    opened: list[End] = []

    def served(folder: Path, options: object, command: str, end: End, again: Discoverer | None) -> str:
        opened.append(end)
        assert command == "rasa-discover-intents apply --nlu data"
        assert again is not None
        assert " --nlu data " in again.command(open_desk(folder).run)
        return ""

    monkeypatch.setattr(without_rasa, "serve_desk", served)
    review(*words)
    assert opened[0].preview({}, open_desk(Path("intent_drafts")))[0]["in_bot"] == []
    assert program("apply", "--nlu", "data", folder=bot).returncode == 0
    there = opened[0].preview({}, open_desk(Path("intent_drafts")))[0]["in_bot"]
    assert there == [f"new/{proposal.name}"]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("named", [["../gone"], ["../data", "../gone"], ["../--data"], [3], "../data", None])
def test_where_the_nlu_data_are_not_there_a_line_says_that_the_bot_is_not_known(
    named: object, bot: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(bot)
    Path("--data").mkdir()
    record = Path("intent_drafts/run.json")
    content = json.loads(record.read_text())
    assert content["given"]["nlu"] == ["../data"]
    record.write_text(json.dumps({**content, "given": {**content["given"], "nlu": named}}))
    opened: list[End] = []
    monkeypatch.setattr(without_rasa, "serve_desk", lambda *given: opened.append(given[3]) or "")
    review()
    assert [end.told()["reads"] for end in opened] == [False]
    assert capsys.readouterr().out == (
        "Your bot is not known here, so what it has already is not seen: name its NLU data, for example "
        "--nlu data/nlu.yml.\n"
    )


def review(*words: str) -> None:
    """Opens the desk as far as `serve_desk`."""
    arguments = without_rasa.parser_of_nlu_program("rasa-discover-intents").parse_args(["review", *words])
    arguments.work(arguments, "rasa-discover-intents")


def test_into_one_file_and_only_what_is_named(bot: Path) -> None:
    name = next((bot / "intent_drafts" / "new").iterdir()).stem
    words = ("apply", name, "--nlu", "data/nlu.yml")
    done = program(*words, "--nlu-file", "data/rules.yml", folder=bot)
    assert (done.returncode, done.stdout) == (
        1,
        "--nlu-file data/rules.yml is there and is none of the files of --nlu: name another\n",
    )
    done = program(*words, "--dry-run", "--nlu-file", "more.yml", folder=bot)
    assert "more.yml is in no folder of --nlu: name it there, too, from the next run on, or" in done.stderr
    inside = ("apply", name, "--nlu", "data", "--dry-run", "--nlu-file", "data/more.yml")
    assert "no folder of --nlu" not in program(*inside, folder=bot).stderr
    before = (bot / "data" / "nlu.yml").read_text()
    done = program(*words, folder=bot)
    assert done.returncode == 0, done.stdout
    after = (bot / "data" / "nlu.yml").read_text()
    assert after.startswith(before.rstrip("\n"))
    assert f"- intent: {name}" in after


def test_a_proposal_joins_no_intent_that_came_since_unasked(bot: Path) -> None:
    name = next((bot / "intent_drafts" / "new").iterdir()).stem
    with (bot / "data" / "nlu.yml").open("a") as file:
        file.write(f"- intent: {name}\n  examples: |\n    - something else\n")
    done = program("apply", name, "--nlu", "data", folder=bot)
    assert done.returncode == 1
    assert f"which what is accepted would join ({name} in data/nlu.yml)" in done.stdout
    assert program("apply", name, "--nlu", "data", "--yes", folder=bot).returncode == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 1, "there is no Rasa in this Python environment. Install this package where your bot's Rasa is"),
        (("apply",), 1, "name the NLU data: rasa-discover-intents apply --nlu data/nlu.yml"),
        (("--nlu", "data"), 1, "there are no messages to look at: give files or folders with --messages"),
        (("--nlu", "gone", "--messages", "logs"), 1, "gone: there is no such file or folder; behind --nlu"),
        (("--nlu", "data", "review"), 2, "write `rasa-discover-intents review` first"),
        (("review",), 1, "intent_drafts holds no drafts"),
        (("backtest",), 2, "backtest needs Rasa: install it"),
        (("apply", "--nlu", "data", "a_wish"), 1, "a_wish: there is no such file or folder; behind --nlu"),
        (
            ("--nlu", "data", "--messages", "logs", "--min-messages", "1"),
            1,
            "--min-messages: expected a number >= 2",
        ),
        (("--nlu", "data", "--presett", "fast"), 2, "there is no option --presett, did you mean --preset?"),
        (
            ("apply", "--nlu", "data", "--with-rules"),
            2,
            "--with-rules is for a bot of Rasa: run this where Rasa",
        ),
    ],
)
def test_what_is_wrong_is_one_sentence(bot: Path, words: tuple[str, ...], code: int, said: str) -> None:
    shutil.rmtree(bot / "intent_drafts")
    done = program(*words, folder=bot)
    assert done.returncode == code
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert not (bot / "intent_drafts").exists()
