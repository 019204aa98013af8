"""From known examples and files of messages to the folder of drafts, with the method itself left out."""

from __future__ import annotations

import errno
import json
import logging
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from attack_table import Outcome
from killed import needs_fork
from rasa_world import HAS_RASA, IS_PRO

from rasa_intent_discovery import run
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.messages import MessageLog
from rasa_intent_discovery.datatypes import (
    Corpus,
    DiscoveredIntent,
    Impact,
    KEstimate,
    KnownExample,
    LoggedMessage,
    Placement,
    Points,
    Progress,
    QuickTest,
    no_progress,
)
from rasa_intent_discovery.dates import moment
from rasa_intent_discovery.drafts import outcome
from rasa_intent_discovery.drafts.applied_before import note_applied, taken_out_since
from rasa_intent_discovery.drafts.apply import AppliedIntent
from rasa_intent_discovery.drafts.entities import EntityFinder
from rasa_intent_discovery.drafts.folder import read_drafts
from rasa_intent_discovery.drafts.known_bot import KnownBot
from rasa_intent_discovery.drafts.numbers import DraftNumbers
from rasa_intent_discovery.drafts.vectors import read_vectors
from rasa_intent_discovery.errors import ConfigError, DataError
from rasa_intent_discovery.learning.cache_folder import VECTORS, CacheFolder
from rasa_intent_discovery.progress import Plan, planned
from rasa_intent_discovery.proposals.answers import AnswerEffect, Joined, Parted, Question
from rasa_intent_discovery.proposals.memory.earlier import Changes, Earlier
from rasa_intent_discovery.proposals.memory.recall import recall
from rasa_intent_discovery.proposals.parts import KnownPart
from rasa_intent_discovery.proposals.reasons import EXAMPLE, IGNORED_BEFORE, LIKE_IGNORED, PUT_THERE
from rasa_intent_discovery.result import Discovery
from rasa_intent_discovery.review.decisions.answers import answers_digest
from rasa_intent_discovery.review.decisions.files import act, undo
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.decisions.who_decided import decided_so_far
from rasa_intent_discovery.review.findings.overview import overview
from rasa_intent_discovery.review.findings.summary import summarize
from rasa_intent_discovery.review.messages.log import read_log
from rasa_intent_discovery.review.messages.standing import standing_of
from rasa_intent_discovery.review.messages.sure import undecided_examples
from rasa_intent_discovery.review.next_run.previous_run import read_previous
from rasa_intent_discovery.review.page.data import page_state
from rasa_intent_discovery.run import follow_rasa_log_level, run_discovery
from rasa_intent_discovery.training_data.annotations import Annotation
from rasa_intent_discovery.training_data.bot_files import listed_intents
from rasa_intent_discovery.training_data.nlu_yaml import Draft, domain_yaml, from_yaml, to_yaml

KNOWN = [KnownExample("hello", "greet"), KnownExample("see you", "bye")]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MESSAGES = ["hello", "/greet", *(f"invoice for the {letter} please" for letter in LETTERS)]


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


def recalled(
    corpus: Corpus,
    intents: Sequence[DiscoveredIntent],
    placements: Sequence[Placement],
    earlier: Earlier,
    made: Callable[[str, Sequence[int]], DiscoveredIntent],
) -> tuple[tuple[DiscoveredIntent, ...], tuple[Placement, ...], Changes]:
    """Matched with earlier proposals: one message is enough, all can be examples, no free name is best."""
    return recall(corpus, intents, placements, earlier, made, 1, None, lambda name, rows: False)


def found_as_before(corpus: Corpus, *arguments: Any) -> Discovery:
    """The same, as the method continues earlier proposals: no new one bears the name of one of these."""
    earlier: Earlier = arguments[3]
    discovery = found(corpus)
    if not earlier.proposals:
        return discovery
    intents = [replace(intent, name="a_group") for intent in discovery.intents]
    placements = [
        replace(place, intent="a_group") if place.placement == "new" else place
        for place in discovery.placements
    ]

    def made(name: str, rows: Sequence[int]) -> DiscoveredIntent:
        one = replace(found(corpus).intents[0], name=name, members=tuple(rows), examples=tuple(rows))
        return replace(one, messages=int(corpus.counts[list(rows)].sum()), distinct=len(rows))

    continued, placed, changes = recalled(corpus, intents, placements, earlier, made)
    return replace(discovery, intents=continued, placements=placed, changes=changes)


def nothing_found(corpus: Corpus) -> Discovery:
    left_over = Placement("left_over", None, 1.0, "alone")
    placements = tuple(left_over if place.placement == "new" else place for place in found(corpus).placements)
    return replace(found(corpus), intents=(), placements=placements)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The test runs in a folder with a log and training data."""
    monkeypatch.chdir(tmp_path)
    Path("data").mkdir()
    Path("log.txt").write_text("\n".join(MESSAGES) + "\n")
    return tmp_path


def method(monkeypatch: pytest.MonkeyPatch, discover: Any) -> None:
    monkeypatch.setitem(sys.modules, "rasa_intent_discovery.stages", SimpleNamespace(discover_in=discover))


CONFIG = DiscoveryConfig(messages=("log.txt",))


def bot(examples: Sequence[KnownExample] = KNOWN, **more: Any) -> KnownBot:
    return KnownBot(examples, training_data=("data",), **more)


def test_what_a_period_of_the_trends_is_stands_in_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, lambda corpus, *_: found(corpus))
    logged = [f"2026-03-0{number % 3 + 1},{text}" for number, text in enumerate(MESSAGES)]
    Path("log.csv").write_text("\n".join(["time,text", *logged]) + "\n")
    run_discovery(bot(), replace(CONFIG, messages=("log.csv",)))
    record = json.loads(Path("intent_drafts/run.json").read_text())
    assert record["trend"] == {"first_day": "2026-03-01", "days": 1, "messages": [10, 8, 9]}
    assert record["new_intents"]["evidence"]["invoice"]["trend"] == [9, 8, 9]


def test_the_drafts_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, lambda corpus, *_: found(corpus))
    outcome = run_discovery(bot(), CONFIG)
    assert outcome.discovery.corpus.logged_messages == 28
    assert outcome.skipped == ()
    files = sorted(str(file.relative_to("intent_drafts")) for file in Path("intent_drafts").rglob("*.*"))
    assert files == [
        *(".gitattributes", "assignments.jsonl", "domain.yml", "map.json"),
        *("new/invoice.yml", "report.html", "run.json"),
    ]


def test_the_vectors_of_a_run_go_with_its_drafts(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are made anew by every run, and nobody's edit."""

    def with_vectors(corpus: Corpus, *_: object) -> Discovery:
        rows = np.flatnonzero(~corpus.labeled)
        features = np.eye(len(rows), 30, dtype=np.float32)
        return replace(found(corpus), pretrained=Points(rows, features, corpus.labels[rows]))

    method(monkeypatch, with_vectors)
    drafts = Path("intent_drafts")
    run_discovery(bot(), CONFIG)
    read = read_vectors((drafts / "vectors.npz").read_bytes(), drafts)
    assert read.features.shape == (26, 30)
    assert read.find(["Invoice for the B please", "hello"]).tolist() == [1, -1]
    assert "vectors.npz" not in json.loads((drafts / "run.json").read_text())["files"]
    (drafts / "vectors.npz").write_bytes(b"touched")
    method(monkeypatch, lambda corpus, *_: found(corpus))
    run_discovery(bot(), CONFIG)
    assert not (drafts / "vectors.npz").exists()


def test_a_log_in_another_language_than_the_bot_is_said_at_once_and_recorded(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    said: list[list[str]] = []
    method(monkeypatch, lambda corpus, *_: said.append(caplog.messages[:]) or found(corpus))
    german = [f"ich hätte bitte gerne eine Rechnung für Bestellung {letter}" for letter in 2 * LETTERS]
    Path("log.txt").write_text("".join(f"{text} {row}\n" for row, text in enumerate(german)))
    outcome = run_discovery(bot(language="en"), CONFIG)
    warning = (
        "`language` in config.yml is `en`, but only 0 % of the logged messages seem to be in it, and 100 % "
        "in `de`; the encoder (embedded) knows English only. Check the messages, and `language` and "
        "`encoder` in config.yml."
    )
    assert warning in said[0]  # before it takes long
    assert outcome.warnings == (warning,)
    assert (record()["warnings"], record()["read"]["languages"]) == ([warning], {"de": 1.0})


def test_a_log_in_the_language_of_the_bot_is_no_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, lambda corpus, *_: found(corpus))
    Path("log.txt").write_text("".join(f"{text} as soon as you can\n{text}\n" for text in MESSAGES))
    assert run_discovery(bot(language="en"), CONFIG).warnings == ()
    assert (record()["warnings"], record()["read"]["languages"]) == ([], {"en": 1.0})


def test_drafts_and_record_have_the_entities_of_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, lambda corpus, *_: found(corpus))
    finder = EntityFinder({"invoice": Annotation("invoice", "paper")})
    run_discovery(bot(entities=finder), CONFIG)
    draft = from_yaml(Path("intent_drafts/new/invoice.yml").read_text())
    assert draft.evidence["entities"] == ["[invoice](paper)"]
    assert draft.examples[0] == "invoice for the a please"
    assert record()["new_intents"]["evidence"]["invoice"] == draft.evidence
    assert record()["entities"] == ["[invoice](paper)"]


def test_marked_entities_are_kept_by_the_next_run(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    step = {"draft": "new/invoice.yml", "annotation": "[invoice](paper)", "on": True}
    act(open_desk(Path("intent_drafts")), "annotate", step)
    marked = Path("intent_drafts/new/invoice.yml").read_bytes()
    run_discovery(bot(), CONFIG)
    assert Path("intent_drafts/new/invoice.yml").read_bytes() == marked
    assert b"- [invoice](paper) for the a please" in marked


def test_the_method_gets_the_corpus_the_settings_and_the_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[Any, ...]] = []

    def discover(*arguments: Any) -> Discovery:
        calls.append(arguments)
        return found(arguments[0])

    method(monkeypatch, discover)
    plans: list[Plan] = []

    def shown(plan: Plan) -> Progress:
        plans.append(plan)
        return no_progress

    run_discovery(bot(intents=["help"]), CONFIG, shown)
    [(corpus, config, progress, taken, earlier, cache)] = calls
    assert corpus.intents == ("bye", "greet")
    assert corpus.texts[:3] == ("hello", "see you", "invoice for the a please")
    assert (config, progress, taken, earlier) == (CONFIG, no_progress, ["help"], Earlier())
    assert cache.path == Path(CONFIG.cache)
    assert planned(CONFIG, len(corpus.texts)) in plans


def test_the_record_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, lambda corpus, *_: found(corpus))
    Path("log.txt").write_bytes(Path("log.txt").read_bytes() + b"caf\xe9\n")
    run_discovery(bot(), CONFIG)
    record = json.loads(Path("intent_drafts/run.json").read_text())
    versions = record.pop("versions")
    assert {name for name, version in versions.items() if version[0].isdigit()} == {
        *("rasa-intent-discovery", "torch", "transformers", "scikit-learn", "numpy"),
        *(["rasa-pro" if IS_PRO else "rasa"] if HAS_RASA else []),
    }
    del record["files"]
    assert record.pop("placed") == sha256(Path("intent_drafts/assignments.jsonl").read_bytes()).hexdigest()
    assert record.pop("answered") == answers_digest([])
    assert record == {
        "made_by": "rasa-intent-discovery",
        "given": {},
        "decided_before": {},
        "changes": None,
        "ignored": [],
        "taken_out": {},
        "refused": {},
        "accepted_before": [],
        "log_of_ignored": {},
        "messages_of_ignored": {},
        "settings": {
            **CONFIG.to_dict(),
            "messages": ["log.txt"],
            **{name: [] for name in ("writers", "channels", "regions", "out_of_scope_intents")},
        },
        "read": {
            "known_intents": 2,
            "known_examples": 2,
            "messages": 28,
            "distinct_messages": 27,
            "set_aside": {"bot payload": 1},
            "masked": {},
            "shortened": 0,
            "boilerplate": {"starts": {}, "ends": {}},
            "skipped": ["log.txt: skipped line 29, which is not UTF-8 (save the file with that encoding)"],
            "languages": {},
            "other_languages": {},
            "foreign_groups": 0,
        },
        "warnings": [],
        "trend": None,
        "intents": ["bye", "greet"],
        "rejecting": [],
        "entities": [],
        "drafts": {"new/invoice.yml": "invoice"},
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
        "families": [],
        "subjects": [],
        "borderline": {"messages": {}, "suspicious": []},
        "parts": [],
        "questions": [],
        "answers": [],
        "nearly_examples": {"of_another_intent": 0, "of_their_own": 0},
        "seconds": {"embed": 1.23},
        "stages": {"embed": {"texts": 28}},
    }


def test_the_parts_of_known_intents_are_in_the_record_as_drafts_write_them() -> None:
    Path("log.txt").write_text("hello [you](name)\nwrite to ann@example.com\n")
    corpus = run.build_corpus(KNOWN, run.read_messages(["log.txt"]).messages, CONFIG)
    part = KnownPart("greet", "write_hello", (3, 2), 2, 0.123456)
    record = outcome.run_record(outcome.Outcome(replace(nothing_found(corpus), parts=(part,)), ()), CONFIG)
    assert record["parts"] == [
        {
            "intent": "greet",
            "name": "write_hello",
            "messages": 2,
            "novelty": 0.1235,
            "texts": ["write to <email>", "hello [you] (name)"],
        }
    ]


def test_what_a_person_may_answer_is_in_the_record_with_where_it_is_placed() -> None:
    Path("log.txt").write_text("hello [you](name)\nwrite to ann@example.com\n")
    corpus = run.build_corpus(KNOWN, run.read_messages(["log.txt"]).messages, CONFIG)
    discovery = replace(nothing_found(corpus), questions=(Question(3, (2, 0)),))
    record = outcome.run_record(outcome.Outcome(discovery, ()), CONFIG)
    greeting = {"text": corpus.texts[0], "intent": corpus.intents[corpus.labels[0]]}
    assert record["questions"] == [
        {
            "text": "write to <email>",
            "intent": None,
            "choices": [{"text": "hello [you] (name)", "intent": None}, greeting],
        }
    ]


def test_what_answers_did_is_in_the_record() -> None:
    Path("log.txt").write_text("hello [you](name)\nwrite to ann@example.com\n")
    corpus = run.build_corpus(KNOWN, run.read_messages(["log.txt"]).messages, CONFIG)
    discovery = replace(nothing_found(corpus), answers=(AnswerEffect((3, 2), "greet", 43, (2, 3)),))
    which = {"distinct_messages": 2, "which": ["hello [you] (name)", "write to <email>"]}
    assert outcome.run_record(outcome.Outcome(discovery, ()), CONFIG)["answers"] == [
        {"texts": ["write to <email>", "hello [you] (name)"], "intent": "greet", "messages": 43, **which}
    ]
    joined = Joined((3, 2), "write", (3,), 12, 9, 0.123456)
    parted = Parted((3,), (2,), "write", None, 9, (2, 3))
    discovery = replace(nothing_found(corpus), joined=(joined,), parted=(parted,))
    assert outcome.run_record(outcome.Outcome(discovery, ()), CONFIG)["answers"] == [
        {
            "texts": ["write to <email>", "hello [you] (name)"],
            "proposal": "write",
            "gap": 0.1235,
            "messages": 12,
            "distinct_messages": 1,
            "which": ["write to <email>"],
            "since_last_run": 9,
        },
        {
            "texts": ["hello [you] (name)"],
            "apart_from": ["write to <email>"],
            "proposal": "write",
            "other": None,
            "messages": 9,
            **which,
        },
    ]


def test_the_record_of_what_accepting_all_would_do() -> None:
    corpus = run.build_corpus(KNOWN, run.read_messages(["log.txt"]).messages, CONFIG)
    discovery = found(corpus)
    rows = np.flatnonzero(~corpus.labeled).tolist()
    places = list(discovery.placements)
    places[rows[2]] = Placement("known", "greet", 0.8, "near")
    measured = replace(
        discovery,
        placements=tuple(places),
        impact=Impact(0.98765432, None, 1 / 3, 2 / 3, QuickTest(518, -2)),
        nearly={rows[0]: 0, rows[1]: 1, rows[2]: 0},
    )
    record = outcome.run_record(outcome.Outcome(measured, ()), CONFIG)
    assert record["impact"] == {
        "f1_before": 0.98765432,
        "f1_after": None,
        "covered_before": 1 / 3,
        "covered_after": 2 / 3,
        "quick_test": {"asked": 518, "more_wrong": -2},
    }
    assert record["nearly_examples"] == {"of_another_intent": 2, "of_their_own": 1}
    json.dumps(record)


def test_the_share_that_would_be_covered_is_the_same_in_the_summary_and_on_the_overview() -> None:
    corpus = run.build_corpus(KNOWN, run.read_messages(["log.txt"]).messages, CONFIG)
    # 81.495 %: rounded to four digits first, it would be 81.5 and then 82.
    measured = replace(found(corpus), impact=Impact(None, None, 111 / 535, 436 / 535))
    record = json.loads(json.dumps(outcome.run_record(outcome.Outcome(measured, ()), CONFIG)))
    told = "81 % of the log would belong to intents of your bot instead of 21 %"
    assert told in summarize(measured, [], CONFIG)
    assert told in overview(record)["impact"]


def test_a_number_that_was_given_is_not_estimated() -> None:
    corpus = run.build_corpus(KNOWN, run.read_messages(["log.txt"]).messages, CONFIG)
    discovery = found(corpus)
    object.__setattr__(discovery, "estimate", None)
    assert outcome.run_record(outcome.Outcome(discovery, ()), CONFIG)["estimate"] is None


@pytest.mark.parametrize("stop", [DataError("enough"), KeyboardInterrupt(), MemoryError()])
def test_a_run_that_does_not_end_leaves_the_drafts_as_they_were(
    stop: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    method(monkeypatch, lambda corpus, *_: found(corpus))
    run_discovery(bot(), CONFIG)
    before = content("intent_drafts")

    def discover(*_: Any) -> Discovery:
        raise stop

    method(monkeypatch, discover)
    with pytest.raises(type(stop)):
        run_discovery(bot(), CONFIG)
    assert content("intent_drafts") == before
    assert sorted(path.name for path in Path.cwd().iterdir()) == ["data", "intent_drafts", "log.txt"]


@pytest.mark.parametrize("there", [False, True])
def test_a_second_run_into_the_folder_is_refused_at_once_and_all_else_goes_on(
    there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path("intent_drafts")
    refused: list[str] = []

    def discover(corpus: Corpus, *_: Any) -> Discovery:
        method(monkeypatch, never)
        with pytest.raises(DataError) as error:
            run_discovery(bot(), CONFIG)
        refused.append(str(error.value))
        if there:
            step = {"draft": "new/invoice.yml", "decision": "accepted"}
            act(open_desk(folder), "decide", step)
            assert [draft.decision for draft in read_drafts(folder)] == ["accepted"]
        run_at_once(monkeypatch, replace(CONFIG, out="elsewhere"))
        return found(corpus)

    if there:
        run_at_once(monkeypatch, CONFIG)
    method(monkeypatch, discover)
    run_discovery(bot(), CONFIG)

    assert refused == [
        f"another run into {folder.resolve()} is under way: wait until it has ended, or give another folder "
        "with --out"
    ]
    assert sorted(path.name for path in Path.cwd().iterdir()) == [
        *("data", "elsewhere", "intent_drafts", "log.txt")
    ]
    assert [draft.decision for draft in read_drafts(folder)] == (["accepted"] if there else ["open"])
    run_at_once(monkeypatch, CONFIG)


def run_at_once(monkeypatch: pytest.MonkeyPatch, config: DiscoveryConfig) -> None:
    method(monkeypatch, lambda corpus, *_: found(corpus))
    run_discovery(bot(), config)


def test_a_run_of_some_time_is_refused_where_no_time_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    some = replace(CONFIG, since="2026-03-01")
    with pytest.raises(DataError) as error:
        run_at_once(monkeypatch, some)
    assert str(error.value).startswith(
        "no message has a known time, so --since and --until cannot choose any"
    )
    dated = MessageLog((LoggedMessage("hello", moment("2026-03-02")),))
    run_discovery(bot(), some, stored=dated)


def test_what_chooses_among_conversations_is_said_to_be_in_vain_without_any(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    method(monkeypatch, lambda corpus, *_: found(corpus))
    given = {"channels": ["rest"], "all_messages": True}
    some = replace(CONFIG, channels=("rest",), all_messages=True)
    run_discovery(bot(), some, given=given)
    said = (
        "--channel and --all-messages choose among the messages of conversations alone, and none were read: "
        "all others are."
    )
    assert said in caplog.messages
    caplog.clear()
    run_discovery(bot(), some)  # as a training of the bot, whose settings are the command's as well
    event = {"event": "user", "text": "hello you", "input_channel": "rest", "parse_data": {}}
    Path("events.jsonl").write_text(json.dumps({"sender_id": "ann", **event}) + "\n")
    more = replace(some, messages=(*CONFIG.messages, "events.jsonl"))
    run_discovery(bot(), more, given=given)
    assert not any("in vain" in one or "--channel" in one for one in caplog.messages)


@needs_fork
def test_a_run_that_was_killed_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    first = os.fork()
    if first == 0:
        try:
            method(monkeypatch, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
            run_discovery(bot(), CONFIG)
        finally:
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(first, 0)[1]) == -signal.SIGKILL
    run_at_once(monkeypatch, CONFIG)
    assert [draft.intent for draft in read_drafts(Path("intent_drafts"))] == ["invoice"]


def test_a_first_run_that_fails_leaves_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def discover(*_: Any) -> Discovery:
        raise DataError("enough")

    method(monkeypatch, discover)
    with pytest.raises(DataError, match="enough"):
        run_discovery(bot(), replace(CONFIG, out="a/b/out"))
    assert sorted(path.name for path in Path.cwd().iterdir()) == ["data", "log.txt"]


def content(folder: str) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in Path(folder).rglob("*") if file.is_file()}


def never(*_: Any) -> Discovery:
    raise AssertionError("discovered")


def edit(path: str, old: str, new: str) -> bytes:
    text = Path(path).read_text()
    assert old in text
    Path(path).write_text(text.replace(old, new))
    return Path(path).read_bytes()


def record() -> dict[str, Any]:
    content = json.loads(Path("intent_drafts/run.json").read_text())
    assert isinstance(content, dict)
    return content


def test_what_a_person_changed_is_there_after_the_next_run(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    theirs = edit("intent_drafts/new/invoice.yml", "decision: open", "decision: accepted")
    Path("intent_drafts/notes.txt").write_text("ask Anna")
    for _ in range(2):
        run_discovery(bot(), CONFIG)
        assert Path("intent_drafts/new/invoice.yml").read_bytes() == theirs
        assert Path("intent_drafts/notes.txt").read_text() == "ask Anna"
        assert sorted(os.listdir("intent_drafts/new")) == ["invoice.yml"]
        assert record()["changes"] == {"kept": ["invoice"]}
        assert "- invoice\n" in Path("intent_drafts/domain.yml").read_text()


def test_a_copy_of_the_drafts_has_no_say(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    for copy in (".before", "backup", "new/sub"):
        shutil.copytree("intent_drafts/new", f"intent_drafts/{copy}")
    before = content("intent_drafts")
    for _ in range(2):
        caplog.clear()
        run_discovery(bot(), CONFIG)
        after = content("intent_drafts")
        assert after.keys() == before.keys()
        assert {path: after[path] for path in after if path.endswith("invoice.yml")} == {
            path: before[path] for path in before if path.endswith("invoice.yml")
        }
        assert record()["drafts"] == {"new/invoice.yml": "invoice"}
        assert record()["changes"] == {"same": ["invoice"]}
        assert [message for message in caplog.messages if "is not read" in message] == [
            "intent_drafts/backup/invoice.yml (and 1 more) is not read as a draft, and stays as it is: "
            "drafts are the files in new/ and known/ themselves, not in folders below or beside them"
        ]


def test_a_new_name_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    edit("intent_drafts/new/invoice.yml", "intent: invoice", "intent: send_bill")
    for _ in range(3):
        run_discovery(bot(), CONFIG)
        assert sorted(os.listdir("intent_drafts/new")) == ["invoice.yml"]
        assert record()["changes"] == {"kept": ["send_bill"]}
        lines = map(json.loads, Path("intent_drafts/assignments.jsonl").read_text().splitlines())
        assert {line["intent"] for line in lines if line["placement"] == "new"} == {"send_bill"}
        assert record()["drafts"] == {"new/invoice.yml": "send_bill"}
        log = read_log(Path("intent_drafts"), record())
        assert {one.draft for one in log.messages if one.placement == "new"} == {"new/invoice.yml"}


def test_a_name_that_git_brought_back_into_the_domain_is_gone_after_the_next_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It keeps the lines of both, where one reviewer renames a proposal and another changes the list, too."""
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    folder = Path("intent_drafts")
    act(open_desk(folder), "rename", {"draft": "new/invoice.yml", "name": "send_bill"})
    edit("intent_drafts/domain.yml", "  - send_bill\n", "  - invoice\n  - send_bill\n  - of_mine\n")
    run_discovery(bot(), CONFIG)
    assert listed_intents((folder / "domain.yml").read_text()) == ["send_bill", "of_mine"]


def test_who_decided_is_known_after_the_next_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    folder, path = Path("intent_drafts"), "new/invoice.yml"
    act(open_desk(folder), "decide", {"draft": path, "decision": "accepted"}, "Ana")

    def told() -> tuple[object, str]:
        desk = open_desk(folder)
        return page_state(desk, read_log(folder, desk.run))["deciders"], decided_so_far(desk)

    for _ in range(2):
        run_discovery(bot(), CONFIG)
        assert told() == ({path: {"reviewer": "Ana", "instead_of": ""}}, "Decided so far: 1 by Ana.")
    act(open_desk(folder), "decide", {"draft": path, "decision": "ignored"}, "Bob")
    assert told() == ({path: {"reviewer": "Bob", "instead_of": ""}}, "Decided so far: 1 by Bob.")
    edit(f"intent_drafts/{path}", "decision: ignored", "decision: open")
    run_discovery(bot(), CONFIG)
    assert told() == ({}, "")


@pytest.mark.parametrize("decision", ["open", "accepted"])
def test_what_came_into_a_proposal_since_the_last_run_is_told(
    decision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    edit("intent_drafts/new/invoice.yml", "decision: open", f"decision: {decision}")
    logged = [*MESSAGES, "another invoice", "one more bill"]
    # A run over the same messages, such as that of a training, is no reason to forget what came.
    for more, came in (([], logged[-2:]), ([], logged[-2:]), (["one invoice"], ["one invoice"])):
        Path("log.txt").write_text("\n".join([*logged, *more]) + "\n")
        run_discovery(bot(), CONFIG)
        messages = read_log(Path("intent_drafts"), record()).messages
        assert [one.text for one in messages if one.came] == came
        assert {one.draft for one in messages if one.came} <= {"new/invoice.yml"}


def test_what_only_moved_into_a_proposal_is_not_told_to_have_come(monkeypatch: pytest.MonkeyPatch) -> None:
    def found_but_one(corpus: Corpus, *arguments: Any) -> Discovery:
        """The last message of the proposal is left over."""
        discovery = found_as_before(corpus, *arguments)
        [intent], placements = discovery.intents, list(discovery.placements)
        placements[intent.members[-1]] = Placement("left_over", None, 1.0, "alone")
        return replace(
            discovery,
            intents=(replace(intent, members=intent.members[:-1], examples=intent.members[:-1]),),
            placements=tuple(placements),
        )

    method(monkeypatch, found_but_one)
    run_discovery(bot(), CONFIG)
    method(monkeypatch, found_as_before)
    for _ in range(2):  # the second run says again what the first did
        run_discovery(bot(), CONFIG)
        lines = [
            json.loads(line) for line in Path("intent_drafts/assignments.jsonl").read_text().splitlines()
        ]
        told = [(line["intent"], line.get("came"), line.get("moved")) for line in lines]
        assert told.count(("invoice", None, True)) == 1
        assert {(came, moved) for _, came, moved in told} == {(None, None), (None, True)}


def test_what_a_person_split_off_is_a_proposal_of_the_next_run(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    before = record()
    assert before["new_intents"]["proposed"] == 1
    desk = open_desk(Path("intent_drafts"))
    texts = list(desk.review.drafts["new/invoice.yml"].examples[:2])
    act(desk, "split", {"texts": texts, "name": "mine"})
    for _ in range(2):
        run_discovery(bot(), CONFIG)
        lines = [*map(json.loads, Path("intent_drafts/assignments.jsonl").read_text().splitlines())]
        assert {line["text"] for line in lines if line["intent"] == "mine"} >= {*texts}
        assert not [line for line in lines if line["placement"] == "left_over" and line["text"] in texts]
        assert record()["new_intents"]["proposed"] == 2
        assert {*record()["new_intents"]["evidence"]} == {"invoice", "mine"}
        assert record()["changes"] == {"kept": ["mine", "invoice"]}
        assert sorted(os.listdir("intent_drafts/new")) == ["invoice.yml", "mine.yml"]


def test_a_message_that_a_person_put_elsewhere_stays_there(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    text = MESSAGES[2]
    act(open_desk(Path("intent_drafts")), "move", {"texts": [text], "target": "greet"})
    for _ in range(2):
        run_discovery(bot(), CONFIG)
        assert text in from_yaml(Path("intent_drafts/known/greet.yml").read_text()).examples
        lines = map(json.loads, Path("intent_drafts/assignments.jsonl").read_text().splitlines())
        [line] = [line for line in lines if line["text"] == text]
        assert (line["placement"], line["intent"], line["reason"]) == ("known", "greet", PUT_THERE)


def all_known(corpus: Corpus, *arguments: Any, intent: str = "greet") -> Discovery:
    """Every logged message is a further example of an intent, but for those that a person put elsewhere."""
    discovery = nothing_found(corpus)
    known, example = Placement("known", intent, 0.9, "alike"), Placement("known", intent, 1.0, EXAMPLE)
    places = [example if labeled else known for labeled in corpus.labeled]

    def made(name: str, rows: Sequence[int]) -> DiscoveredIntent:
        return replace(found(corpus).intents[0], name=name, members=tuple(rows), examples=tuple(rows))

    intents, placed, changes = recalled(corpus, (), places, arguments[3], made)
    return replace(discovery, intents=intents, placements=placed, changes=changes)


def greetings() -> set[str]:
    return {*from_yaml(Path("intent_drafts/known/greet.yml").read_text()).examples}


def test_a_draft_out_of_which_examples_were_taken_follows_the_next_runs_without_these(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    method(monkeypatch, all_known)
    run_discovery(bot(), CONFIG)
    out = MESSAGES[2:4]
    act(open_desk(Path("intent_drafts")), "drop", {"draft": "known/greet.yml", "texts": out})
    log = [*MESSAGES]
    for text in ("hi there", "good day"):
        log.append(text)
        Path("log.txt").write_text("\n".join(log) + "\n")
        run_discovery(bot(), CONFIG)
        assert greetings() == {*log[2:]} - {*out}
        assert record()["taken_out"] == record()["refused"] == {"greet": sorted(out)}
        assert read_previous(Path("intent_drafts")).edits.contents == {}
    act(open_desk(Path("intent_drafts")), "move", {"texts": out[:1], "target": "greet"})
    run_discovery(bot(), CONFIG)
    assert greetings() == {*log[2:]} - {*out[1:]}
    assert record()["taken_out"] == record()["refused"] == {"greet": out[1:]}


def test_what_was_taken_out_of_a_proposal_before_it_was_applied_is_no_further_example_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What nearly repeats another example of the proposal is taken out of it, but not said to be of none."""
    method(monkeypatch, lambda corpus, *_: with_all_examples(found(corpus)))
    run_discovery(bot(), CONFIG)
    out, path = MESSAGES[2:4], "new/invoice.yml"
    act(open_desk(Path("intent_drafts")), "drop", {"draft": path, "texts": [out[0], MESSAGES[4]]})
    act(open_desk(Path("intent_drafts")), "move", {"texts": [MESSAGES[4]], "target": path})
    edit(f"intent_drafts/{path}", f"    - {out[1]}\n", "")
    act(open_desk(Path("intent_drafts")), "decide", {"draft": path, "decision": "accepted"})
    examples = from_yaml(Path("intent_drafts", path).read_text()).examples
    assert {*examples} == {*MESSAGES[4:]}
    in_bot = [*KNOWN, *(KnownExample(text, "invoice") for text in examples)]
    method(monkeypatch, partial(all_known, intent="invoice"))
    more = [f"bill of the {letter} please" for letter in LETTERS]
    for number in (20, 26):
        Path("log.txt").write_text("\n".join([*MESSAGES, *more[:number]]) + "\n")
        run_discovery(bot(in_bot), CONFIG)
        assert record()["taken_out"] == {"invoice": sorted(out)}
        assert record()["refused"] == {"invoice": out[:1]}
        further = from_yaml(Path("intent_drafts/known/invoice.yml").read_text()).examples
        assert {*further} == {*more[:number]}


@pytest.mark.parametrize("how", ["dropped", "deleted", "left out"])
def test_what_was_taken_out_of_further_examples_before_they_were_applied_is_none_again(
    how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was only left out when others were accepted is offered again."""
    method(monkeypatch, all_known)
    run_discovery(bot(), CONFIG)
    out, path = MESSAGES[2:4], "known/greet.yml"
    if how == "left out":
        texts = MESSAGES[4:]
        targets = [path] * len(texts)
        act(open_desk(Path("intent_drafts")), "accept_only", {"texts": texts, "targets": targets})
    else:
        if how == "dropped":
            act(open_desk(Path("intent_drafts")), "drop", {"draft": path, "texts": out})
        else:
            edit(f"intent_drafts/{path}", "".join(f"    - {text}\n" for text in out), "")
        act(open_desk(Path("intent_drafts")), "decide", {"draft": path, "decision": "accepted"})
    assert {*from_yaml(Path("intent_drafts", path).read_text()).examples} == {*MESSAGES[4:]}
    in_bot = [*KNOWN, *(KnownExample(text, "greet") for text in MESSAGES[4:])]
    again = out if how == "left out" else []
    more = [f"bill of the {letter} please" for letter in LETTERS]
    for number in (20, 26):
        Path("log.txt").write_text("\n".join([*MESSAGES, *more[:number]]) + "\n")
        run_discovery(bot(in_bot), CONFIG)
        assert record()["taken_out"] == record()["refused"] == ({} if again else {"greet": sorted(out)})
        assert greetings() == {*again, *more[:number]}
        act(open_desk(Path("intent_drafts")), "decide", {"draft": path, "decision": "accepted"})
        desk, log = open_desk(Path("intent_drafts")), read_log(Path("intent_drafts"))
        assert undecided_examples(desk, standing_of(desk.review, log)) == {}
        act(desk, "decide", {"draft": path, "decision": "open"})


def test_an_example_that_was_written_otherwise_is_not_refused_and_not_offered_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    method(monkeypatch, all_known)
    run_discovery(bot(), CONFIG)
    path, old, wording = "known/greet.yml", MESSAGES[2], "in words that nobody wrote"
    act(open_desk(Path("intent_drafts")), "reword", {"draft": path, "text": old, "wording": wording})
    act(open_desk(Path("intent_drafts")), "decide", {"draft": path, "decision": "accepted"})
    in_bot = [*KNOWN, *(KnownExample(text, "greet") for text in (*MESSAGES[3:], wording))]
    more = [f"bill of the {letter} please" for letter in LETTERS]
    Path("log.txt").write_text("\n".join([*MESSAGES, *more]) + "\n")
    for _ in range(2):
        run_discovery(bot(in_bot), CONFIG)
        assert (record()["taken_out"], record()["refused"]) == ({"greet": [old]}, {})
        assert greetings() == {*more}


@pytest.mark.parametrize("written", [["my new mail is a@b.org", "call 1 at once"], ["call 1 at once"], []])
def test_masks_that_were_written_out_or_deleted_in_the_bot_do_not_come_back(
    written: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `apply` asks for it."""
    masked = ["call <phone> at once", "my new mail is <email>"]
    method(monkeypatch, all_known)
    Path("log.txt").write_text("\n".join([*masked, *MESSAGES[4:]]) + "\n")
    run_discovery(bot(), CONFIG)
    act(open_desk(Path("intent_drafts")), "decide", {"draft": "known/greet.yml", "decision": "accepted"})
    assert greetings() == {*masked, *MESSAGES[4:]}
    in_bot = [*KNOWN, *(KnownExample(text, "greet") for text in [*written, *MESSAGES[4:]])]
    more = [f"bill of the {letter} please" for letter in LETTERS]
    Path("log.txt").write_text("\n".join([*masked, *MESSAGES[4:], *more]) + "\n")
    for _ in range(2):
        run_discovery(bot(in_bot), CONFIG)
        assert record()["taken_out"] == {"greet": masked}
        assert record()["refused"] == {}
        assert greetings() == {*more}
        assert "decision: open" in Path("intent_drafts/known/greet.yml").read_text()
    method(monkeypatch, partial(all_known, intent="bye"))
    run_discovery(bot(in_bot), CONFIG)
    assert {*from_yaml(Path("intent_drafts/known/bye.yml").read_text()).examples} == {*more}, "nor elsewhere"


def test_what_was_deleted_in_the_bot_after_it_was_applied_does_not_come_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    method(monkeypatch, all_known)
    run_discovery(bot(), CONFIG)
    folder = Path("intent_drafts")
    act(open_desk(folder), "decide", {"draft": "known/greet.yml", "decision": "accepted"})
    deleted, kept = MESSAGES[2:4], MESSAGES[4:]
    note_applied(folder, [AppliedIntent("greet", known=True, added=(*deleted, *kept))], KNOWN)
    in_bot = [*KNOWN, *(KnownExample(text, "greet") for text in kept)]
    more = [f"bill of the {letter} please" for letter in LETTERS]
    Path("log.txt").write_text("\n".join([*MESSAGES, *more]) + "\n")
    for _ in range(2):
        run_discovery(bot(in_bot), CONFIG)
        assert record()["taken_out"] == {"greet": sorted(deleted)}
        assert record()["refused"] == {}
        assert greetings() == {*more}
        assert "decision: open" in (folder / "known/greet.yml").read_text()
        # A draft that was wholly taken out of the bot is not in it, and so is still there: `apply` asks this.
        assert taken_out_since(folder, in_bot) == {"greet": frozenset(deleted)}
    act(open_desk(folder), "move", {"texts": deleted[:1], "target": "greet"})
    run_discovery(bot(in_bot), CONFIG)
    assert greetings() == {deleted[0], *more}, "a person put it there after all"


def with_all_examples(discovery: Discovery) -> Discovery:
    """All messages of the proposals are examples."""
    return replace(discovery, intents=tuple(replace(one, examples=one.members) for one in discovery.intents))


def some_known(corpus: Corpus, *arguments: Any) -> Discovery:
    """All logged messages but one are further examples of `greet`."""
    discovery = all_known(corpus, *arguments)
    left = Placement("left_over", None, 1.0, "alone")
    places = [*discovery.placements]
    places[corpus.texts.index(MESSAGES[2])] = left
    return replace(discovery, placements=recalled(corpus, (), places, arguments[3], never)[1])


@pytest.mark.parametrize("earlier_version", [False, True])
def test_what_a_person_put_there_stays_though_a_run_placed_it_there_too(
    earlier_version: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    method(monkeypatch, some_known)
    run_discovery(bot(), CONFIG)
    act(open_desk(Path("intent_drafts")), "move", {"texts": [MESSAGES[2]], "target": "known/greet.yml"})
    theirs = Path("intent_drafts/known/greet.yml").read_bytes()
    for again in (some_known if earlier_version else all_known, some_known):
        method(monkeypatch, again)
        run_discovery(bot(), CONFIG)
        assert Path("intent_drafts/known/greet.yml").read_bytes() == theirs
        if earlier_version:
            edit("intent_drafts/run.json", '"carried"', '"something"')


def test_where_all_examples_were_taken_out_none_is_offered_again(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, all_known)
    run_discovery(bot(), CONFIG)
    act(open_desk(Path("intent_drafts")), "drop", {"draft": "known/greet.yml", "texts": MESSAGES[2:]})
    run_discovery(bot(), CONFIG)
    assert not Path("intent_drafts/known").exists()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("decision: open", "decision: accepted"),
        ("  examples", "  # Anna\n  examples"),
        ("invoice for the c", "invoice for my cat"),
    ],
    ids=["decided", "comment", "written"],
)
def test_a_draft_that_a_person_changed_otherwise_stays_as_it_is(
    old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    method(monkeypatch, all_known)
    run_discovery(bot(), CONFIG)
    act(open_desk(Path("intent_drafts")), "drop", {"draft": "known/greet.yml", "texts": MESSAGES[2:4]})
    theirs = edit("intent_drafts/known/greet.yml", old, new)
    Path("log.txt").write_text("\n".join([*MESSAGES, "hi there"]) + "\n")
    for _ in range(2):
        run_discovery(bot(), CONFIG)
        assert Path("intent_drafts/known/greet.yml").read_bytes() == theirs


@pytest.mark.parametrize("key", ["note", "merged_from", None])
def test_nor_is_a_note_a_merge_or_a_marked_entity_lost(
    key: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a file as the desk writes it."""
    method(monkeypatch, all_known)
    run_discovery(bot(), CONFIG)
    path = Path("intent_drafts/known/greet.yml")
    desk = open_desk(Path("intent_drafts"))
    if key is None:
        marks = {"draft": "known/greet.yml", "annotation": "[invoice](paper)", "on": True}
        act(desk, "annotate", marks)
    else:
        draft = desk.review.drafts["known/greet.yml"]
        path.write_text(to_yaml(replace(draft, evidence={**draft.evidence, key: ["new/x.yml"]})))
    theirs = path.read_bytes()
    run_discovery(bot(), CONFIG)
    assert path.read_bytes() == theirs


def test_of_a_log_of_which_a_sample_was_learnt_from_a_changed_draft_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    method(monkeypatch, all_known)
    run_discovery(bot(), CONFIG)
    edit("intent_drafts/run.json", '"read": {', '"read": {"sample": {},')
    act(open_desk(Path("intent_drafts")), "drop", {"draft": "known/greet.yml", "texts": MESSAGES[2:4]})
    theirs = Path("intent_drafts/known/greet.yml").read_bytes()
    Path("log.txt").write_text("\n".join([*MESSAGES, "hi there"]) + "\n")
    run_discovery(bot(), CONFIG)
    assert Path("intent_drafts/known/greet.yml").read_bytes() == theirs


def test_a_domain_that_a_person_changed_gets_and_loses_only_names(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    theirs = 'version: "3.1"\nintents:  # mine\n  - help\n  - invoice\nsession_config: {}  # mine, too\n'
    Path("intent_drafts/domain.yml").write_text(theirs)
    edit("intent_drafts/new/invoice.yml", "intent: invoice", "intent: send_bill")
    expected = theirs.replace("  - invoice\n", "  - send_bill\n")
    for _ in range(2):
        run_discovery(bot(), CONFIG)
        assert Path("intent_drafts/domain.yml").read_text().replace("  - invoice\n", "") == expected


def test_what_was_applied_is_not_in_the_domain_of_the_next_drafts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the desk changed it: a name that a person wrote there stays."""
    method(monkeypatch, lambda corpus, *_: with_all_examples(found(corpus)))
    run_discovery(bot(), CONFIG)
    folder, path = Path("intent_drafts"), "new/invoice.yml"
    desk, _ = act(open_desk(folder), "rename", {"draft": path, "name": "send_bill"})
    act(desk, "decide", {"draft": path, "decision": "accepted"})
    (folder / "domain.yml").write_text((folder / "domain.yml").read_text() + "  - help\n")
    assert listed_intents((folder / "domain.yml").read_text()) == ["send_bill", "help"]
    examples = from_yaml((folder / path).read_text()).examples
    in_bot = [*KNOWN, *(KnownExample(text, "send_bill") for text in examples)]
    more = [f"bill of the {letter} please" for letter in LETTERS]
    Path("log.txt").write_text("\n".join([*MESSAGES, *more]) + "\n")
    method(monkeypatch, partial(all_known, intent="send_bill"))
    run_discovery(bot(in_bot), CONFIG)
    assert listed_intents((folder / "domain.yml").read_text()) == ["help"]


def test_what_was_merged_on_the_review_desk_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    bill = Draft("bill", ("my bill please", "the bill"), {"messages": 2})
    Path("intent_drafts/new/bill.yml").write_text(to_yaml(bill))
    act(open_desk(Path("intent_drafts")), "merge", {"draft": "new/invoice.yml", "target": "new/bill.yml"})
    assert not Path("intent_drafts/new/invoice.yml").exists()
    for _ in range(2):
        run_discovery(bot(), CONFIG)
        assert sorted(os.listdir("intent_drafts/new")) == ["bill.yml"]
        assert record()["changes"] == {"kept": ["bill"]}
        assert record()["ignored"] == []
        assert listed_intents(Path("intent_drafts/domain.yml").read_text()) == ["bill"]
        lines = map(json.loads, Path("intent_drafts/assignments.jsonl").read_text().splitlines())
        assert {line["intent"] for line in lines if line["placement"] == "new"} == {"bill"}


def test_what_was_merged_is_known_by_its_messages_also_when_its_examples_are_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    Path("intent_drafts/new/bill.yml").write_text(to_yaml(Draft("bill", ("my bill please",))))
    desk, _ = act(
        open_desk(Path("intent_drafts")), "merge", {"draft": "new/invoice.yml", "target": "new/bill.yml"}
    )
    merged = desk.review.drafts["new/bill.yml"].examples[1:]
    act(desk, "drop", {"draft": "new/bill.yml", "texts": list(merged)})
    run_discovery(bot(), CONFIG)
    assert record()["changes"] == {"kept": ["bill"]}


def test_a_new_draft_does_not_take_the_file_of_one_that_a_person_renamed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    theirs = edit("intent_drafts/new/invoice.yml", "intent: invoice", "intent: send_bill")
    previous = read_previous(Path("intent_drafts"))
    assert set(previous.earlier.names) == {"send_bill", "invoice"}, "no new proposal is called so"
    carried, drafts = previous.carried_into({"new/invoice.yml": "another"}, {"new/invoice.yml": "invoice"})
    assert carried == {
        "new/invoice.yml": theirs,
        "new/invoice-2.yml": "another",
        "domain.yml": domain_yaml(["invoice", "send_bill"]),
    }
    assert drafts == {"new/invoice.yml": "send_bill", "new/invoice-2.yml": "invoice"}


@pytest.mark.parametrize("how", ["ignored", "deleted"])
def test_what_was_ignored_is_not_proposed_again_unless_it_grows_more_than_the_log(
    how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def log(invoices: int, greetings: int) -> None:
        texts = [f"invoice for the {one}{other} please" for one in LETTERS for other in LETTERS]
        Path("log.txt").write_text("\n".join([*MESSAGES, *texts[:invoices], *["hello"] * greetings]) + "\n")

    method(monkeypatch, found_as_before)
    log(0, 100)
    run_discovery(bot(), CONFIG)
    logged = record()["read"]["messages"]
    if how == "deleted":
        Path("intent_drafts/new/invoice.yml").unlink()
    else:
        edit("intent_drafts/new/invoice.yml", "decision: open", "decision: ignored")
    for invoices, greetings in ((0, 100), (30, 220), (60, 340)):
        log(invoices, greetings)
        discovery = run_discovery(bot(), CONFIG).discovery
        assert discovery.intents == ()
        assert discovery.changes == Changes(ignored=("invoice",))
        assert Path("intent_drafts/new/invoice.yml").exists() == (how == "ignored")
        assert "invoice" not in Path("intent_drafts/domain.yml").read_text()
        lines = map(json.loads, Path("intent_drafts/assignments.jsonl").read_text().splitlines())
        reasons = {line["reason"] for line in lines if "invoice" in line["text"]}
        assert reasons <= {IGNORED_BEFORE, LIKE_IGNORED}
        assert record()["log_of_ignored"] == {"invoice": logged}
    log(200, 340)
    discovery = run_discovery(bot(), CONFIG).discovery
    assert discovery.changes == Changes(again=("invoice",))
    assert "decision: open" in Path("intent_drafts/new/invoice.yml").read_text()
    assert (record()["ignored"], record()["log_of_ignored"]) == ([], {})


@pytest.mark.parametrize(
    "edits",
    [
        [("decision: open", "decision: later")],
        [("intent: invoice", "intent: send_bill")],
        [("examples: |\n", "examples: |\n    - my own\n")],
    ],
    ids=["later", "renamed", "an example added"],
)
def test_what_was_ignored_runs_after_it_was_changed_is_as_large_as_the_last_of_these_found_it(
    edits: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def log(invoices: int, greetings: int) -> None:
        texts = [f"invoice for the {one}{other} please" for one in LETTERS for other in LETTERS]
        Path("log.txt").write_text("\n".join([*MESSAGES, *texts[:invoices], *["hello"] * greetings]) + "\n")

    method(monkeypatch, found_as_before)
    path = "intent_drafts/new/invoice.yml"
    run_discovery(bot(), CONFIG)
    for old, new in edits:
        edit(path, old, new)
    log(50, 100)
    run_discovery(bot(), CONFIG)
    draft = from_yaml(Path(path).read_text())
    assert draft.evidence["messages"] == 26
    messages = record()["new_intents"]["evidence"][draft.intent]["messages"]
    assert messages >= 76
    edit(path, f"decision: {draft.decision}", "decision: ignored")
    for invoices, greetings in ((51, 100), (52, 101), (100, 200)):
        log(invoices, greetings)
        changes = run_discovery(bot(), CONFIG).discovery.changes
        assert changes == Changes(ignored=(draft.intent,))
        assert record()["messages_of_ignored"] == {draft.intent: messages}
    log(400, 200)
    changes = run_discovery(bot(), CONFIG).discovery.changes
    assert changes == Changes(again=(draft.intent,))
    assert record()["messages_of_ignored"] == {}


def test_what_was_written_into_an_ignored_draft_stays_when_it_is_proposed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    method(monkeypatch, found_as_before)
    greetings = ["hello"] * 900
    Path("log.txt").write_text("\n".join([*MESSAGES, *greetings]) + "\n")
    run_discovery(bot(), CONFIG)
    path = Path("intent_drafts/new/invoice.yml")
    edit(str(path), "examples: |\n", "examples: |\n    - my own\n")
    theirs = edit(str(path), "decision: open", "decision: ignored  # wait for the shop")
    texts = [f"invoice for the {one}{other} please" for one in LETTERS for other in LETTERS]
    Path("log.txt").write_text("\n".join([*MESSAGES, *texts, *greetings]) + "\n")
    run_discovery(bot(), CONFIG)
    assert record()["changes"] == {"again": ["invoice"]}
    for _ in range(2):
        assert path.read_bytes() == theirs.replace(b"decision: ignored", b"decision: open")
        run_discovery(bot(), CONFIG)
        changes = record()["changes"]
        assert (changes["again"], changes["same_log"]) == (["invoice"], True), "the same log says it again"
    Path("log.txt").write_text("\n".join([*MESSAGES, *texts, *greetings, "one more invoice"]) + "\n")
    run_discovery(bot(), CONFIG)
    assert record()["changes"] == {"kept": ["invoice"]}


@pytest.mark.parametrize("edited", [False, True])
def test_where_it_is_lost_what_was_in_a_proposal_nothing_is_said_of_where_that_is(
    edited: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    if edited:
        edit("intent_drafts/new/invoice.yml", "decision: open", "decision: later")
    Path("intent_drafts/assignments.jsonl").unlink()
    caplog.clear()
    run_discovery(bot(), CONFIG)
    assert record()["changes"] == ({"kept": ["invoice"]} if edited else {"new": ["a_group"]})
    assert [said for said in caplog.messages if "is gone" in said] == [
        "intent_drafts/assignments.jsonl is gone: what was in proposals that you have not touched cannot be "
        "told, nor found again"
    ]


def in_two(corpus: Corpus, *arguments: Any) -> Discovery:
    """Two proposals that may be one wish at first; from then on the method takes them for one."""
    earlier: Earlier = arguments[3]
    discovery = found_as_before(corpus, *arguments)
    if earlier.proposals:
        return discovery
    [intent] = discovery.intents
    invoice, bill = intent.members[:16], intent.members[16:]
    intents = (
        replace(intent, members=invoice, examples=invoice, messages=16, distinct=16),
        replace(intent, name="bill", members=bill, examples=bill, messages=10, distinct=10),
    )
    placements = tuple(
        replace(place, intent="bill") if row in bill else place
        for row, place in enumerate(discovery.placements)
    )
    return replace(discovery, intents=intents, placements=placements, families=(("invoice", "bill"),))


@pytest.mark.parametrize("decision", ["accepted", "ignored"])
def test_a_decision_stays_when_the_method_takes_two_proposals_for_one(
    decision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    method(monkeypatch, in_two)
    run_discovery(bot(), CONFIG)
    assert record()["families"] == [["invoice", "bill"]]
    theirs = edit("intent_drafts/new/bill.yml", "decision: open", f"decision: {decision}")
    assert b"family: [invoice]" in theirs
    invoice = from_yaml(Path("intent_drafts/new/invoice.yml").read_text()).examples
    for _ in range(2):
        run_discovery(bot(), CONFIG)
        assert record()["families"] == []
        assert record()["changes"] == {
            "same": ["invoice"],
            {"accepted": "kept", "ignored": "ignored"}[decision]: ["bill"],
        }
        assert Path("intent_drafts/new/bill.yml").read_bytes() == theirs
        assert set(from_yaml(Path("intent_drafts/new/invoice.yml").read_text()).examples) <= set(invoice)
        lines = map(json.loads, Path("intent_drafts/assignments.jsonl").read_text().splitlines())
        reasons = {line["reason"] for line in lines if line["text"] in from_yaml(theirs.decode()).examples}
        assert reasons == {{"accepted": PUT_THERE, "ignored": IGNORED_BEFORE}[decision]}


def test_an_open_proposal_that_is_part_of_a_larger_one_now_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, in_two)
    run_discovery(bot(), CONFIG)
    bill = from_yaml(Path("intent_drafts/new/bill.yml").read_text()).evidence["messages"]
    run_discovery(bot(), CONFIG)
    assert record()["changes"] == {
        **{"grown": ["invoice"], "joined": ["bill"]},
        "whereabouts": {"bill": {"invoice": bill}},
    }
    assert sorted(os.listdir("intent_drafts/new")) == ["invoice.yml"]


def test_what_was_applied_is_done_with(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    edit("intent_drafts/new/invoice.yml", "decision: open", "decision: accepted")
    drafted = from_yaml(Path("intent_drafts/new/invoice.yml").read_text()).examples
    known = [*KNOWN, *(KnownExample(text, "invoice") for text in drafted)]
    Path("log.txt").write_text("\n".join(f"the password is {letter * 3}" for letter in LETTERS) + "\n")
    told: list[Earlier] = []

    def nothing(corpus: Corpus, *arguments: Any) -> Discovery:
        told.append(arguments[3])
        return nothing_found(corpus)

    method(monkeypatch, nothing)
    for _ in range(2):
        run_discovery(bot(known), CONFIG)
        assert not Path("intent_drafts/new").exists()
    assert [(earlier.proposals, earlier.applied) for earlier in told] == [((), ("invoice",)), ((), ())]
    assert [earlier.accepted for earlier in told] == [{"invoice"}, {"invoice"}], "it is remembered"


@pytest.mark.parametrize("applied", [True, False])
def test_what_was_applied_by_name_is_done_with_though_its_draft_is_open(
    applied: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    drafted = from_yaml(Path("intent_drafts/new/invoice.yml").read_text()).examples
    if applied:  # else a person wrote the same by hand
        note_applied(Path("intent_drafts"), [AppliedIntent("invoice", known=False, added=drafted)], KNOWN)
    known = [*KNOWN, *(KnownExample(text, "invoice") for text in drafted)]
    method(monkeypatch, left_over_as_before)
    run_discovery(bot(known), CONFIG)
    assert not Path("intent_drafts/new").exists()
    changes = record()["changes"]
    assert changes == {"applied": ["invoice"]} if applied else changes["gone"] == ["invoice"]
    assert record()["accepted_before"] == (["invoice"] if applied else [])


def test_what_was_applied_renamed_in_the_bot_and_lost_an_example_there_is_done_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    edit("intent_drafts/new/invoice.yml", "decision: open", "decision: accepted")
    drafted = from_yaml(Path("intent_drafts/new/invoice.yml").read_text()).examples
    note_applied(Path("intent_drafts"), [AppliedIntent("invoice", known=False, added=drafted)], KNOWN)
    known = [*KNOWN, *(KnownExample(text, "send_bill") for text in drafted[1:])]
    method(monkeypatch, left_over_as_before)
    for changes in ({"applied": ["send_bill"]}, {}):
        run_discovery(bot(known), CONFIG)
        assert not Path("intent_drafts/new").exists()
        assert record()["changes"] == changes
        assert drafted[0] in record()["taken_out"]["send_bill"]
        assert record()["accepted_before"] == ["send_bill"]


def left_over_as_before(corpus: Corpus, *arguments: Any) -> Discovery:
    """No new intent is found, and messages that a person put somewhere are there."""
    discovery = nothing_found(corpus)
    _, placed, changes = recalled(corpus, (), discovery.placements, arguments[3], never)
    return replace(discovery, placements=placed, changes=changes)


@pytest.mark.parametrize(("decision", "lacking"), [("accepted", 1), ("open", 0), ("open", 1)])
def test_what_was_changed_after_it_was_applied_is_no_new_intent(
    decision: str, lacking: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by an undo on the desk: what the bot lacks of it are further examples of an intent that it has."""
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    edit("intent_drafts/new/invoice.yml", "decision: open", f"decision: {decision}")
    edit("intent_drafts/new/invoice.yml", "      cohesion: 0.9\n", "")
    drafted = from_yaml(Path("intent_drafts/new/invoice.yml").read_text()).examples
    known = [*KNOWN, *(KnownExample(text, "invoice") for text in drafted[lacking:])]
    method(monkeypatch, left_over_as_before)
    for changes in ({"applied": ["invoice"]}, {}):
        run_discovery(bot(known), CONFIG)
        assert not Path("intent_drafts/new").exists()
        assert record()["changes"] == changes
        if lacking and changes:
            further = from_yaml(Path("intent_drafts/known/invoice.yml").read_text())
            assert (set(further.examples), further.decision) == (set(drafted[:lacking]), "open")
        elif not lacking:
            assert not Path("intent_drafts/known").exists()


@pytest.mark.parametrize(
    ("old", "new", "lacking"),
    [
        ("examples: |\n", "examples: |\n    - my own\n", 0),
        ("decision: open", "decision: open  # Anna", 1),
        ("decision: open", "decision: later", 2),
    ],
)
def test_what_was_written_by_hand_after_it_was_applied_stays(
    old: str, new: str, lacking: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    drafted = from_yaml(Path("intent_drafts/new/invoice.yml").read_text()).examples
    known = [*KNOWN, *(KnownExample(text, "invoice") for text in drafted[lacking:])]
    theirs = edit("intent_drafts/new/invoice.yml", old, new)
    method(monkeypatch, left_over_as_before)
    for _ in range(2):
        run_discovery(bot(known), CONFIG)
        assert Path("intent_drafts/new/invoice.yml").read_bytes() == theirs
        assert not Path("intent_drafts/known").exists(), "no message is in two drafts"


@pytest.mark.parametrize("place", ["applied", "new/applied"])
def test_what_was_applied_and_put_aside_stays_there(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    edit("intent_drafts/new/invoice.yml", "decision: open", "decision: accepted")
    drafted = from_yaml(Path("intent_drafts/new/invoice.yml").read_text()).examples
    Path("intent_drafts", place).mkdir()
    aside = Path("intent_drafts/new/invoice.yml").rename(f"intent_drafts/{place}/invoice.yml")
    theirs = edit(str(aside), "nlu:", "# asked for by the sales team\nnlu:")
    known = [*KNOWN, *(KnownExample(text, "invoice") for text in drafted)]
    Path("log.txt").write_text("\n".join(f"the password is {letter * 3}" for letter in LETTERS) + "\n")
    method(monkeypatch, lambda corpus, *_: nothing_found(corpus))
    for _ in range(2):
        run_discovery(bot(known), CONFIG)
        assert aside.read_bytes() == theirs


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"nlu: [\xff", "line 1: not UTF-8; save the file as UTF-8"),
        (
            b"nlu:\n- intent: invoice\n  metadata:\n    decision accepted\n    messages: 5\n",
            "line 5: not valid YAML (mapping values are not allowed here; the colon of the line before "
            "may be missing); correct it",
        ),
    ],
)
def test_a_draft_broken_by_hand_is_told_and_kept_as_it_is(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, content: bytes, told: str
) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    Path("intent_drafts/new/invoice.yml").write_bytes(content)
    run_discovery(bot(), CONFIG)
    assert Path("intent_drafts/new/invoice.yml").read_bytes() == content
    warning = f"a draft cannot be read, and stays as it is: intent_drafts/new/invoice.yml, {told}"
    assert [message for message in caplog.messages if "cannot be read" in message] == [warning]


def test_an_edit_while_the_run_goes_on_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    theirs: list[bytes] = []

    def meanwhile(corpus: Corpus, *arguments: Any) -> Discovery:
        theirs.append(edit("intent_drafts/new/invoice.yml", "decision: open", "decision: later"))
        return found_as_before(corpus, *arguments)

    method(monkeypatch, meanwhile)
    run_discovery(bot(), CONFIG)
    assert [Path("intent_drafts/new/invoice.yml").read_bytes()] == theirs


@pytest.mark.tried("Drafts", "a decision on the desk in the very moment in which a run writes its drafts")
def test_a_decision_while_the_drafts_are_written_costs_neither_it_nor_the_run(
    monkeypatch: pytest.MonkeyPatch, outcome: Outcome
) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    decisions = iter(["accepted", "ignored", "later"])
    report = run.render_report

    def decided_meanwhile(*arguments: Any) -> bytes:
        for decision in decisions:
            step = {"draft": "new/invoice.yml", "decision": decision}
            act(open_desk(Path("intent_drafts")), "decide", step)
            break
        return report(*arguments)

    monkeypatch.setattr(run, "render_report", decided_meanwhile)
    run_discovery(bot(), CONFIG)
    assert next(decisions, None) is None
    [draft] = read_drafts(Path("intent_drafts"))
    assert (draft.intent, draft.decision) == ("invoice", "later")
    assert b'"decision":"later"' in Path("intent_drafts/report.html").read_bytes()
    outcome("3 decisions, one after the other", "the run takes them over and writes its drafts")


def test_a_decision_that_is_taken_back_while_the_drafts_are_written_stays_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    folder, report = Path("intent_drafts"), run.render_report
    act(open_desk(folder), "decide", {"draft": "new/invoice.yml", "decision": "later"})

    def taken_back_meanwhile(*arguments: Any) -> bytes:
        desk = open_desk(folder)
        if desk.review.drafts["new/invoice.yml"].decision == "later":
            undo(desk)
        return report(*arguments)

    monkeypatch.setattr(run, "render_report", taken_back_meanwhile)
    run_discovery(bot(), CONFIG)
    assert [draft.decision for draft in read_drafts(folder)] == ["open"]


def test_who_changes_the_drafts_without_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, found_as_before)
    run_discovery(bot(), CONFIG)
    monkeypatch.setattr(run, "DRAFTS", DraftNumbers(write_tries=2))
    report, tries = run.render_report, []

    def edited_meanwhile(*arguments: Any) -> bytes:
        tries.append(edit("intent_drafts/new/invoice.yml", "decision: ", "decision:  "))
        return report(*arguments)

    monkeypatch.setattr(run, "render_report", edited_meanwhile)
    with pytest.raises(
        DataError, match="intent_drafts holds changes that would be lost: new/invoice.yml was"
    ):
        run_discovery(bot(), CONFIG)
    assert [Path("intent_drafts/new/invoice.yml").read_bytes()] == tries[1:]


def test_drafts_are_not_written_into_training_data(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, never)
    config = DiscoveryConfig(messages=("log.txt",), out="data/drafts")
    with pytest.raises(DataError, match="data/drafts lies in data, which is training data"):
        run_discovery(bot(), config)


@pytest.mark.parametrize("cache", ["drafts", "drafts/cache", "./drafts/../drafts"])
def test_nor_the_cache_into_the_folder_of_drafts(cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, never)
    config = DiscoveryConfig(messages=("log.txt",), out="drafts", cache=cache)
    with pytest.raises(ConfigError, match=f"^cache: {cache} is in the folder of the drafts, name another"):
        run_discovery(bot(), config)


def test_what_is_kept_for_the_next_run_makes_room_for_the_drafts(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    method(monkeypatch, lambda corpus, *_: found(corpus))
    write, config = Path.write_bytes, replace(CONFIG, cache="kept")
    kept = CacheFolder.of(config)

    def full_beside_vectors(path: Path, content: bytes) -> int:
        if kept.files(VECTORS):
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", full_beside_vectors)
    kept.write(VECTORS, "one", b"1")
    run_discovery(bot(), config)
    assert Path("intent_drafts/new/invoice.yml").exists()
    assert "no room is left for the drafts: the vectors kept in kept are deleted" in caplog.messages


def test_a_corpus_in_which_nothing_can_be_found_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, never)
    with pytest.raises(DataError, match=r"only one intent that counts \(greet\)"):
        run_discovery(bot(KNOWN[:1]), CONFIG)


def test_what_could_not_be_read_is_said_where_too_little_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    method(monkeypatch, never)
    Path("log.txt").write_bytes("invoice\nhello\ngrüße\n".encode() + b"caf\xe9\n" * 30)
    with pytest.raises(DataError) as error:
        run_discovery(bot(), CONFIG)
    assert str(error.value) == (
        "log.txt: skipped 30 lines that are not UTF-8 (save the file with that encoding), "
        "the first is line 4; "
        "of what could be read: different texts to look at: 2, but at least 20 are needed (logged: 3, "
        "training examples already: 1); give more messages"
    )


@pytest.fixture
def level() -> Iterator[logging.Logger]:
    """Our logger; its level, and that of Rasa's, are put back."""
    loggers = [logging.getLogger("rasa_intent_discovery"), logging.getLogger("rasa")]
    levels = [logger.level for logger in loggers]
    yield loggers[0]
    for logger, before in zip(loggers, levels, strict=True):
        logger.setLevel(before)


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
