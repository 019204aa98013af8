"""From known examples and files of messages to the folder of drafts, with the method itself left out."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import (
    Corpus,
    DiscoveredIntent,
    Discovery,
    Impact,
    KEstimate,
    KnownExample,
    Placement,
)
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.rasa_plugin import run
from rasa_intent_discovery.rasa_plugin.run import follow_rasa_log_level, progress_bar, run_discovery

KNOWN = [KnownExample("hello", "greet"), KnownExample("see you", "bye")]
MESSAGES = ["hello", "/greet", *(f"invoice for the {word} please" for word in "abcdefghijklmnopqrstuvwxyz")]


def found(corpus: Corpus) -> Discovery:
    """Every logged message is of one new intent."""
    rows = tuple(int(row) for row in np.flatnonzero(~corpus.labeled))
    n = len(corpus.texts)
    intent = DiscoveredIntent(
        "invoice", rows, rows[:3], len(rows), len(rows), 0.9, 1.0, "greet", 0.2, ("invoice",)
    )
    new, known = Placement("new", "invoice", 0.9, "alike"), Placement("known", "greet", 1.0, "an example")
    return Discovery(
        corpus=corpus,
        intents=(intent,),
        placements=tuple(known if labeled else new for labeled in corpus.labeled),
        estimate=KEstimate(3, 3, 4, 8),
        new_range=(1, 2),
        coordinates=np.zeros((n, 2), dtype=np.float32),
        seconds={"embed": 1.23456},
        notes={"embed": {"texts": n}},
    )


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The test runs in a folder with a log and training data."""
    monkeypatch.chdir(tmp_path)
    Path("data").mkdir()
    Path("log.txt").write_text("\n".join(MESSAGES) + "\n")
    return tmp_path


def method(monkeypatch: pytest.MonkeyPatch, discover: Any) -> None:
    monkeypatch.setitem(sys.modules, "rasa_intent_discovery.discover", SimpleNamespace(discover=discover))


CONFIG = DiscoveryConfig(messages=("log.txt",))


def test_the_drafts_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, lambda corpus, *_: found(corpus))
    outcome = run_discovery(KNOWN, CONFIG, ["data"])
    assert outcome.discovery.corpus.logged_messages == 28
    assert outcome.skipped == ()
    files = sorted(str(file.relative_to("intent_drafts")) for file in Path("intent_drafts").rglob("*.*"))
    assert files == [
        *("assignments.jsonl", "domain.yml", "map.json"),
        *("new/invoice.yml", "report.html", "run.json"),
    ]


def test_the_method_gets_the_corpus_the_settings_and_the_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[Any, ...]] = []

    def discover(*arguments: Any) -> Discovery:
        calls.append(arguments)
        return found(arguments[0])

    method(monkeypatch, discover)
    run_discovery(KNOWN, CONFIG, ["data"], progress_bar, ["help"])
    [(corpus, config, progress, taken)] = calls
    assert corpus.intents == ("bye", "greet")
    assert corpus.texts[:3] == ("hello", "see you", "invoice for the a please")
    assert (config, progress, taken) == (CONFIG, progress_bar, ["help"])


def test_the_record_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, lambda corpus, *_: found(corpus))
    Path("log.txt").write_bytes(Path("log.txt").read_bytes() + b"caf\xe9\n")
    run_discovery(KNOWN, CONFIG, ["data"])
    record = json.loads(Path("intent_drafts/run.json").read_text())
    versions = record.pop("versions")
    assert {name for name, version in versions.items() if version[0].isdigit()} == {
        *("rasa-intent-discovery", "rasa", "torch", "transformers", "scikit-learn", "numpy")
    }
    del record["files"]
    assert record == {
        "decisions": [],
        "settings": {**CONFIG.to_dict(), "messages": ["log.txt"], "channels": []},
        "read": {
            "known_intents": 2,
            "known_examples": 2,
            "messages": 28,
            "distinct_messages": 27,
            "set_aside": {"bot payload": 1},
            "masked": {},
            "skipped": ["log.txt: skipped line 29, which is not UTF-8"],
        },
        "intents": ["bye", "greet"],
        "estimate": {"k": 3, "low": 3, "high": 4, "k_start": 8},
        "new_intents": {
            "proposed": 1,
            "range": [1, 2],
            "evidence": {
                "invoice": {
                    "messages": 26,
                    "distinct_messages": 26,
                    "share_of_log": 0.9286,
                    "cohesion": 0.9,
                    "stability": 1.0,
                    "nearest_known_intent": "greet",
                    "similarity": 0.2,
                    "keywords": ["invoice"],
                }
            },
        },
        "impact": None,
        "nearly_examples": {"of_another_intent": 0, "of_their_own": 0},
        "seconds": {"embed": 1.23},
        "stages": {"embed": {"texts": 28}},
    }


def test_the_record_of_what_accepting_all_would_do() -> None:
    corpus = run.build_corpus(KNOWN, run.read_messages(["log.txt"]).messages, CONFIG)
    discovery = found(corpus)
    rows = np.flatnonzero(~corpus.labeled).tolist()
    places = list(discovery.placements)
    places[rows[2]] = Placement("known", "greet", 0.8, "near")
    measured = replace(
        discovery,
        placements=tuple(places),
        impact=Impact(0.98765432, None, 1 / 3, 2 / 3),
        nearly={rows[0]: 0, rows[1]: 1, rows[2]: 0},
    )
    record = run.run_record(run.Outcome(measured, ()), CONFIG)
    assert record["impact"] == {
        "f1_before": 0.9877,
        "f1_after": None,
        "covered_before": 0.3333,
        "covered_after": 0.6667,
    }
    assert record["nearly_examples"] == {"of_another_intent": 2, "of_their_own": 1}
    json.dumps(record)


def test_a_number_that_was_given_is_not_estimated() -> None:
    corpus = run.build_corpus(KNOWN, run.read_messages(["log.txt"]).messages, CONFIG)
    discovery = found(corpus)
    object.__setattr__(discovery, "estimate", None)
    assert run.run_record(run.Outcome(discovery, ()), CONFIG)["estimate"] is None


@pytest.mark.parametrize("stop", [DataError("enough"), KeyboardInterrupt(), MemoryError()])
def test_a_run_that_does_not_end_leaves_the_drafts_as_they_were(
    stop: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    method(monkeypatch, lambda corpus, *_: found(corpus))
    run_discovery(KNOWN, CONFIG, ["data"])
    before = content("intent_drafts")

    def discover(*_: Any) -> Discovery:
        raise stop

    method(monkeypatch, discover)
    with pytest.raises(type(stop)):
        run_discovery(KNOWN, CONFIG, ["data"])
    assert content("intent_drafts") == before
    assert sorted(path.name for path in Path.cwd().iterdir()) == ["data", "intent_drafts", "log.txt"]


def content(folder: str) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in Path(folder).rglob("*") if file.is_file()}


def never(*_: Any) -> Discovery:
    raise AssertionError("discovered")


def test_edited_drafts_are_noticed_before_anything_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, lambda corpus, *_: found(corpus))
    run_discovery(KNOWN, CONFIG, ["data"])
    Path("intent_drafts/new/invoice.yml").unlink()
    Path("log.txt").unlink()
    method(monkeypatch, never)
    with pytest.raises(DataError, match="new/invoice.yml was deleted"):
        run_discovery(KNOWN, CONFIG, ["data"])


def test_drafts_are_not_written_into_training_data(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, never)
    config = DiscoveryConfig(messages=("log.txt",), out="data/drafts")
    with pytest.raises(DataError, match="data/drafts lies in data, which is training data"):
        run_discovery(KNOWN, config, ["data"])


def test_a_corpus_in_which_nothing_can_be_found_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, never)
    with pytest.raises(DataError, match=r"only one intent that counts \(greet\)"):
        run_discovery(KNOWN[:1], CONFIG, ["data"])


def test_what_could_not_be_read_is_said_where_too_little_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, never)
    Path("log.txt").write_bytes(b"invoice\nhello\n" + b"caf\xe9\n" * 30)
    with pytest.raises(DataError) as error:
        run_discovery(KNOWN, CONFIG, ["data"])
    assert str(error.value) == (
        "distinct messages to cluster: 1, but at least 20 are needed (logged: 2, "
        "training examples already: 1); "
        "give more messages with --messages (not all was read: log.txt: skipped 30 lines that are not UTF-8, "
        "the first is line 3)"
    )


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def level() -> Iterator[logging.Logger]:
    """Our logger; its level, and that of Rasa's, are put back."""
    loggers = [logging.getLogger("rasa_intent_discovery"), logging.getLogger("rasa")]
    levels = [logger.level for logger in loggers]
    yield loggers[0]
    for logger, before in zip(loggers, levels, strict=True):
        logger.setLevel(before)


def test_a_terminal_gets_a_bar_that_goes_again(
    monkeypatch: pytest.MonkeyPatch, level: logging.Logger
) -> None:
    level.setLevel(logging.INFO)
    monkeypatch.setattr(sys, "stderr", Terminal())
    items = progress_bar([1, 2, 3], "pre-training", 3)
    assert list(items) == [1, 2, 3]
    written = sys.stderr.getvalue()
    assert written.startswith("\rpre-training:   0%|")
    assert written.rsplit("\r", 2)[1].strip() == ""


def test_a_bar_goes_when_a_stage_ends_early(monkeypatch: pytest.MonkeyPatch, level: logging.Logger) -> None:
    level.setLevel(logging.INFO)
    monkeypatch.setattr(sys, "stderr", Terminal())
    for _ in progress_bar([1, 2, 3], "pre-training", 3):
        break
    assert sys.stderr.getvalue().rsplit("\r", 2)[1].strip() == ""


def test_a_pipe_gets_no_bar(monkeypatch: pytest.MonkeyPatch, level: logging.Logger) -> None:
    level.setLevel(logging.INFO)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert list(progress_bar([1, 2, 3], "pre-training", 3)) == [1, 2, 3]
    assert sys.stderr.getvalue() == ""


def test_quiet_means_no_bar(monkeypatch: pytest.MonkeyPatch, level: logging.Logger) -> None:
    level.setLevel(logging.WARNING)
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert list(progress_bar([1, 2, 3], "pre-training", 3)) == [1, 2, 3]
    assert sys.stderr.getvalue() == ""


@pytest.mark.parametrize("rasa_level", [logging.DEBUG, logging.INFO, logging.WARNING])
def test_our_lines_are_as_many_as_those_of_rasa(rasa_level: int, level: logging.Logger) -> None:
    level.setLevel(logging.NOTSET)
    logging.getLogger("rasa").setLevel(rasa_level)
    follow_rasa_log_level()
    assert level.level == rasa_level


def test_a_level_that_was_set_stays(level: logging.Logger) -> None:
    level.setLevel(logging.DEBUG)
    logging.getLogger("rasa").setLevel(logging.WARNING)
    follow_rasa_log_level()
    assert level.level == logging.DEBUG
