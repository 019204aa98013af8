"""`rasa discover-intents`: options, which setting wins, what is printed, exit codes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import exit_code, printed, rasa
from rasa.shared.exceptions import RasaException
from tiny_encoder import write_tiny_encoder

from rasa_intent_discovery import __version__, config, run
from rasa_intent_discovery.command.without_rasa import ONLY_WITH_RASA
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.messages import NO_MESSAGES
from rasa_intent_discovery.datatypes import Corpus, KnownExample, Placement
from rasa_intent_discovery.drafts.outcome import Outcome
from rasa_intent_discovery.errors import DataError, DiscoveryError
from rasa_intent_discovery.progress import ShownProgress
from rasa_intent_discovery.rasa_plugin import command
from rasa_intent_discovery.result import Discovery
from rasa_intent_discovery.review.findings import summary

NLU = """\
version: "3.1"
nlu:
- intent: greet
  examples: |
    - hello
- intent: bye
  examples: |
    - see you
"""


FOUND = Discovery(
    corpus=Corpus(
        texts=("hello", "see you"),
        labels=np.array([1, 0]),
        counts=np.array([1, 0]),
        spellings=((("hello", 1),), ()),
        intents=("bye", "greet"),
    ),
    intents=(),
    placements=(Placement("known", "greet", 1.0, "same"), Placement("known", "bye", 1.0, "same")),
    estimate=None,
    new_range=(0, 0),
    coordinates=np.zeros((2, 2), dtype=np.float32),
    seconds={},
    notes={},
)


@pytest.fixture(autouse=True)
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bot with two intents, no component and no logs; the test runs in its folder."""
    monkeypatch.chdir(tmp_path)
    Path("config.yml").write_text("language: en\npipeline:\n- name: WhitespaceTokenizer\n")
    Path("data").mkdir()
    Path("data/nlu.yml").write_text(NLU)
    return tmp_path


def with_settings(settings: str) -> None:
    Path("config.yml").write_text(f"language: en\npipeline:\n- {{name: IntentDiscovery, {settings}}}\n")


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The discovery takes no time, finds nothing, and notes what it was asked for."""
    calls: list[tuple[Any, ...]] = []

    def fake(*arguments: Any) -> Outcome:
        calls.append(arguments)
        return Outcome(FOUND, ("logs/a.txt: skipped line 3",))

    monkeypatch.setattr(run, "run_discovery", fake)
    return calls


def test_the_defaults_are_those_of_rasa_and_of_the_discovery(ran: list[tuple[Any, ...]]) -> None:
    rasa("--messages", "logs")
    bot, config, progress, stored, given = ran[0]
    assert given == {"messages": ["logs"]}
    assert stored == NO_MESSAGES
    assert bot.examples == (KnownExample("hello", "greet"), KnownExample("see you", "bye"))
    assert config == DiscoveryConfig(messages=("logs",))
    assert bot.training_data == ("data",)
    assert progress is ShownProgress
    assert set(bot.intents) >= {"nlu_fallback", "out_of_scope"}
    assert not bot.entities
    assert bot.language == "en"


def test_what_was_not_collected_yet_is_read_where_the_command_itself_names_it(
    ran: list[tuple[Any, ...]],
) -> None:
    with_settings("messages: [logs, kept], collection: kept")
    rasa()
    rasa("--messages", "kept")
    assert [config.messages for _, config, *_ in ran] == [("logs",), ("kept",)]


def test_the_entities_of_the_bot_are_looked_for(ran: list[tuple[Any, ...]]) -> None:
    Path("data/nlu.yml").write_text(NLU.replace("see you", "see you in [Cork](city)"))
    Path("data/cities.yml").write_text('version: "3.1"\nnlu:\n- lookup: city\n  examples: |\n    - Galway\n')
    rasa("--messages", "logs")
    entities = ran[0][0].entities
    assert [one.text for _, _, one in entities.find("from Cork to Galway")] == ["Cork", "Galway"]


def test_every_option_is_a_setting(ran: list[tuple[Any, ...]]) -> None:
    options = (
        "--messages a.csv b --text-column said --time-column at --writer user lead --preset fast "
        "--num-intents 7 --min-messages 4 --encoder models/e5 --device cpu --seed 3 --out drafts "
        "--no-mask-personal-data --config config.yml -d domain.yml --data data data/nlu.yml"
    )
    rasa(*options.split())
    bot, config, *_ = ran[0]
    assert config == DiscoveryConfig.from_preset(
        "fast",
        messages=["a.csv", "b"],
        text_column="said",
        time_column="at",
        writers=["user", "lead"],
        num_intents=7,
        min_messages=4,
        encoder="models/e5",
        device="cpu",
        seed=3,
        out="drafts",
        mask_personal_data=False,
    )
    assert bot.training_data == ("data", "data/nlu.yml")


def test_settings_of_the_component_are_the_defaults(ran: list[tuple[Any, ...]]) -> None:
    with_settings("messages: logs, min_messages: 8, mask_personal_data: false, num_intents: 4, strict: true")
    rasa()
    assert ran[0][1] == DiscoveryConfig(
        messages=("logs",), min_messages=8, mask_personal_data=False, num_intents=4
    )


def test_a_setting_that_is_gone_is_told_once_and_the_command_goes_on(
    ran: list[tuple[Any, ...]], caplog: pytest.LogCaptureFixture
) -> None:
    config._warn_once.cache_clear()
    with_settings("messages: logs, align: true, frozen_share: 0.25")
    rasa("--min-messages", "8")
    assert ran[0][1] == DiscoveryConfig(messages=("logs",), untrained_share=0.25, min_messages=8)
    assert [record.message for record in caplog.records if record.levelname == "WARNING"] == [
        "config.yml > pipeline > IntentDiscovery > align: this setting is gone and changes nothing, take it "
        "out"
    ]


def test_the_command_line_wins(ran: list[tuple[Any, ...]]) -> None:
    with_settings("messages: logs, min_messages: 8, mask_personal_data: false, num_intents: 4, preset: fast")
    rasa("--messages", "may.csv", "--mask-personal-data", "--num-intents", "auto", "--preset", "paper")
    assert ran[0][1] == DiscoveryConfig.from_preset("paper", messages=["may.csv"], min_messages=8)


def test_libraries_are_told_to_be_light_and_quiet(
    ran: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    environment: dict[str, str] = {}
    monkeypatch.setattr(os, "environ", environment)
    rasa("--messages", "logs")
    assert environment == {
        "USE_TF": "0",
        "OMP_WAIT_POLICY": "PASSIVE",
        "GOMP_SPINCOUNT": "1000",
    }


def test_how_threads_wait_is_left_to_the_person_who_has_set_it(
    ran: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = {"OMP_WAIT_POLICY": "ACTIVE"}
    monkeypatch.setattr(os, "environ", environment)
    rasa("--messages", "logs")
    assert environment == {"OMP_WAIT_POLICY": "ACTIVE", "USE_TF": "0"}


def test_the_summary_goes_to_stdout(ran: list[tuple[Any, ...]], capsys: pytest.CaptureFixture[str]) -> None:
    rasa("--messages", "logs", "--out", "drafts")
    config = DiscoveryConfig(messages=("logs",), out="drafts")
    text = summary.summarize(FOUND, ("logs/a.txt: skipped line 3",), config)
    assert capsys.readouterr() == (text, "")


@pytest.mark.parametrize(
    ("words", "settings", "line"),
    [
        (
            [],
            "seed: 1",
            "there are no messages to look at: give files or folders with --messages, or a tracker store "
            "with --endpoints, or set config.yml > pipeline > IntentDiscovery > messages",
        ),
        (
            ["--messages", "logs"],
            "min_messages: ten",
            "config.yml > pipeline > IntentDiscovery > min_messages: expected an integer, got 'ten'",
        ),
        (
            ["--messages", "logs"],
            "min_mesages: 3",
            "config.yml > pipeline > IntentDiscovery > min_mesages: there is no such setting, did you mean "
            "min_messages?",
        ),
        (
            ["--messages", "logs", "--min-messages", "1"],
            "seed: 1",
            "--min-messages: expected a number >= 2, got 1",
        ),
        (
            ["--messages", "logs", "--until", "2026-03-01"],
            "since: 2026-04-01",
            "--until: expected a day or moment after `since`, '2026-04-01', got '2026-03-01'",
        ),
        (
            ["--messages", "logs", "--since", "2026-04-01"],
            "until: 2026-03-01",
            "command line > until: expected a day or moment after `since`, '2026-04-01', got '2026-03-01'",
        ),
        (
            ["--messages", "logs", "--data", "dta"],
            "seed: 1",
            "dta: there is no such file or folder (did you mean data/?); say with --data where "
            "the bot's training data is",
        ),
    ],
)
def test_expected_errors_are_one_line_and_exit_code_1(
    words: list[str], settings: str, line: str, ran: list[tuple[Any, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    with_settings(settings)
    assert exit_code(*words) == 1
    assert capsys.readouterr() == (printed(line), "")
    assert ran == []


def test_an_error_is_red_on_a_terminal_alone(
    ran: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--config", "nowhere.yml")
    assert exit_code(*words) == 1
    plain = capsys.readouterr().out

    monkeypatch.setattr("sys.stdout.isatty", lambda: True)

    assert exit_code(*words) == 1
    assert capsys.readouterr().out == f"\033[91m{plain.rstrip()}\033[0m\n"
    assert "\033" not in plain


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (DataError("logs: there is no such file"), 1, "logs: there is no such file"),
        (DiscoveryError("no room\nleft"), 1, "no room left"),
        (RasaException("Rasa says\n  so"), 1, "Rasa says so"),
        (KeyboardInterrupt(), 130, "Interrupted; the folder of drafts is as it was."),
    ],
)
def test_what_ends_a_run_early(
    error: BaseException,
    code: int,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: Any) -> Outcome:
        raise error

    monkeypatch.setattr(run, "run_discovery", fail)
    assert exit_code("--messages", "logs") == code
    assert capsys.readouterr() == (printed(line), "")


def test_a_mistake_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "run_discovery", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        rasa("--messages", "logs")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--num-intents", "many"], "argument --num-intents: expected auto or a whole number, got 'many'"),
        (["--preset", "best"], "argument --preset: invalid choice: 'best'"),
        (["--device", "tpu"], "argument --device: invalid choice: 'tpu'"),
        (["--endpointz"], "there is no option --endpointz, did you mean --endpoints?"),
        (["--mesages", "chats.csv"], "there is no option --mesages, did you mean --messages?"),
        (["--dry-run", "apply"], "--dry-run is an option of apply: write it behind that word"),
        (["--rounds=3"], "--rounds is an option of backtest: write it behind that word"),
        (["apply", "--dry-rum"], "there is no option --dry-rum, did you mean --dry-run?"),
        (["--colour=red"], "there is no option --colour: --help lists those there are"),
        (["review", "--port", "x"], "argument --port: expected a port from 0 to 65535, got 'x'"),
        (
            ["--preset", "fast", "review"],
            "--preset is an option of a run, and review starts none: leave it out",
        ),
        (
            ["--out=here", "--see=1", "apply"],
            "--see is an option of a run, and apply starts none: leave it out",
        ),
        (
            ["review", "--messages", "logs"],
            "--messages is an option of a run, and review starts none: leave it out",
        ),
        (["reviw"], "'reviw' is no action: did you mean review?"),
        (
            ["--nlu", "data/nlu"],
            "--nlu is for NLU data without a bot, rasa-discover-intents --nlu PATH: here the bot's own data "
            "is read, and --data names another folder of it",
        ),
        (["logs/"], "'logs/' belongs to no option here: messages are given with --messages"),
        (["backtest", "logs"], "'logs' belongs to no option here: messages are given with --messages"),
        (["review", "drafts"], "'drafts' belongs to no option here\n"),
        (["--presett", "fast"], "there is no option --presett, did you mean --preset?"),
        (
            ["--mask-personal-data", "--no-mask-personal-data"],
            "not allowed with argument --mask-personal-data",
        ),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(
    words: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(*words) == 2
    said = capsys.readouterr().err
    assert line in said
    assert len(said.splitlines()) == 1, "without all the options"


def test_an_action_behind_an_option_of_several_values_is_not_taken_for_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert exit_code("--messages", "logs", "backtest") == 2
    assert "backtest was read as one of the values of --messages: write" in capsys.readouterr().err
    assert exit_code("--", "review") == 2
    assert "was read as one of the values" not in capsys.readouterr().err
    assert exit_code("--messages", "logs", "backtest", "--rounds", "1") == 2
    assert "backtest was read as one of the values of --messages: write" in capsys.readouterr().err


def test_rasa_has_the_command_by_its_hook() -> None:
    from rasa.__main__ import create_argument_parser

    assert " discover-intents " in create_argument_parser().format_help()


@pytest.mark.parametrize("action", ["review", "apply", "backtest"])
def test_the_help_of_an_action_says_no_default_twice_and_none_that_is_none(
    action: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(action, "--help") == 0
    text = " ".join(capsys.readouterr().out.split())
    ours = text[text.index("Intent Discovery:") :]
    assert "(default: None)" not in ours
    assert "(default: False)" not in ours
    assert ". (default:" not in ours.replace("Where it is written. (default:", "")
    # A backtest writes no drafts, and estimates the number of new intents whatever is given.
    assert ("--out " in ours, "--num-intents" in ours) == (action != "backtest", False)


@pytest.mark.parametrize("option", ONLY_WITH_RASA)
def test_what_is_told_to_be_for_a_bot_of_rasa_is_there_for_one(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    action = ("apply",) if option.startswith("--with-") else ()
    assert exit_code(*action, "--help") == 0
    assert option in capsys.readouterr().out.split()


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("--version") == 0
    assert capsys.readouterr().out == printed(f"rasa-intent-discovery {__version__}")


def test_help_says_the_real_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("--help") == 0
    text = " ".join(capsys.readouterr().out.split())
    for words in (
        "(default: config.yml)",
        "(default: domain.yml)",
        "(default: data)",
        "(default: intent_drafts)",
        "(default: `messages` of IntentDiscovery in config.yml)",
        "(default: text)",
        "(default: default)",
        "(default: auto, estimated from the messages)",
        "(default: 5)",
        "(default: embedded)",
        "(default: auto, a GPU if there is one)",
        "(default: 0)",
        "(default: they are replaced)",
    ):
        assert words in text
    ours = text[text.index("Intent Discovery: --out") :]
    assert "SUPPRESS" not in ours
    assert "(default: None)" not in ours


@pytest.fixture
def logs() -> str:
    """Messages enough, and a configuration with which the whole method takes seconds."""
    encoder = write_tiny_encoder(Path("encoder"))
    Path("logs").mkdir()
    wishes = [
        f"{wish} {letter * 3}"
        for wish in ("my invoice please", "the password is")
        for letter in "abcdefghijkl"
    ]
    Path("logs/may.txt").write_text("\n".join(wishes) + "\n")
    Path("logs/june.jsonl").write_text('{"text": "invoice"}\n{broken\n')
    with_settings(f"preset: paper, encoder: {encoder}, messages: logs, pretrain_epochs: 3, aligned_epochs: 2")
    return "logs"


def program(*words: str) -> subprocess.Popen[str]:
    here = {**os.environ, "PYTHONPATH": str(Path(command.__file__).parents[2])}
    return subprocess.Popen(
        [sys.executable, "-m", "rasa_intent_discovery", *words],
        env=here,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever runs the tests in the background has it ignored, and so would the program.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def test_a_whole_run(logs: str, capsys: pytest.CaptureFixture[str]) -> None:
    rasa()
    out = capsys.readouterr().out
    assert "\nOf 25 logged messages:\n" in out
    assert "\nNot all was read: logs/june.jsonl: skipped line 2, which is not JSON.\n" in out
    assert "\nThe drafts are in intent_drafts. What to do next:\n" in out
    assert Path("intent_drafts/report.html").is_file()


def test_the_next_commands_know_where_the_bot_is(logs: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("domain").mkdir()
    Path("domain/all.yml").write_text("intents:\n- greet\n- bye\n")
    rasa("--domain", "domain", "--out", "drafts")
    out = capsys.readouterr().out
    assert " decide: rasa discover-intents review --domain domain --out drafts\n" in out
    assert " rasa discover-intents apply --domain domain --out drafts --dry-run, then without" in out


@pytest.mark.slow
def test_the_same_run_twice_writes_the_same_drafts(logs: str) -> None:
    written = []
    for _ in range(2):
        running = program("--quiet")
        err = running.communicate()[1]
        assert running.returncode == 0, err
        # run.json has the time of each stage.
        files = [
            file for file in Path("intent_drafts").rglob("*") if file.is_file() and file.name != "run.json"
        ]
        written.append({file: file.read_bytes() for file in files})
        shutil.rmtree("intent_drafts")
    assert len(written[0]) > 3
    assert written[0] == written[1]


@pytest.mark.slow
def test_ctrl_c_in_the_middle_of_the_method(logs: str) -> None:
    config = Path("config.yml").read_text()
    Path("config.yml").write_text(config.replace("pretrain_epochs: 3", "pretrain_epochs: 1000000"))
    before = sorted(Path.cwd().rglob("*"))
    running = program()
    assert running.stderr is not None
    said = []
    for line in running.stderr:
        said.append(line)
        if " distinct texts with " in line:
            break
    assert "INFO     rasa_intent_discovery.corpus.build  - 25 logged messages: " in "".join(said)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate()
    assert (running.returncode, out) == (130, printed("Interrupted; the folder of drafts is as it was.")), err
    left = (path for path in Path.cwd().rglob("*") if {".rasa", "__pycache__"}.isdisjoint(path.parts))
    assert sorted(left) == before


def test_nothing_heavy_is_imported_to_show_the_command() -> None:
    program = (
        "import argparse, sys\n"
        "from rasa_intent_discovery.rasa_plugin import command\n"
        "command.add_subparser(argparse.ArgumentParser().add_subparsers(), [])\n"
        "heavy = {'torch', 'transformers', 'tensorflow', 'sklearn'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    here = {**os.environ, "PYTHONPATH": str(Path(command.__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", program], env=here, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
