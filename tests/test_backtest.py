"""`rasa discover-intents backtest`: what is hidden, how it is judged, what the report says, exit codes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from command_line import exit_code, rasa, red
from threadpoolctl import threadpool_limits
from tiny_encoder import write_tiny_encoder

from rasa_intent_discovery import backtest as backtest_module
from rasa_intent_discovery.backtest import Backtest, BacktestNumbers, Round, backtest, majority
from rasa_intent_discovery.backtest_report import render_backtest, write_backtest
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import (
    KNOWN,
    LEFT_OVER,
    NEW,
    Corpus,
    DiscoveredIntent,
    KnownExample,
    LoggedMessage,
    Placement,
)
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.rasa_plugin import command
from rasa_intent_discovery.result import Discovery

WISHES = {
    "bill": "my invoice please",
    "bye": "see you later",
    "cancel": "cancel the contract",
    "card": "my card is lost",
    "greet": "hello there",
    "hours": "when do you open",
    "loan": "can i get a loan",
    "password": "what is the password",
}
#: Eight intents with twelve distinct examples each: two are hidden, three examples of each other are logged.
BOT = {intent: [f"{wish} {letter * 3}" for letter in "abcdefghijkl"] for intent, wish in WISHES.items()}
CHAT = [f"purple elephants dance {letter * 2}" for letter in "abcdefghijklmnopqrst"]
TITLE = "# What to expect of a discovery on this bot\n"
TOO_SMALL = (
    "intents with at least 5 different examples: {}, but a backtest needs 6 to hide some of them; "
    "write more examples, or lower --min-messages"
)

#: What a faked discovery comes to: proposals as (name, rows), and the intents that rows are placed with.
Found = tuple[Sequence[tuple[str, Sequence[int]]], Mapping[int, str]]


def examples_of(bot: Mapping[str, Sequence[str]]) -> list[KnownExample]:
    return [KnownExample(text, intent) for intent, texts in bot.items() for text in texts]


def messages_of(texts: Sequence[str]) -> list[LoggedMessage]:
    return [LoggedMessage(text, "log.txt") for text in texts]


def rows_of(corpus: Corpus, texts: Sequence[str]) -> list[int]:
    """The rows of the log that hold one of some texts."""
    return [row for row, text in enumerate(corpus.texts) if text in texts and not corpus.labeled[row]]


def hidden_in(corpus: Corpus) -> list[str]:
    return sorted(set(BOT) - set(corpus.intents))


def discovery_of(corpus: Corpus, found: Found) -> Discovery:
    proposals, placed = found
    new = {row: name for name, rows in proposals for row in rows}
    placements = []
    for row, label in enumerate(corpus.labels):
        known = corpus.intents[label] if corpus.labeled[row] else placed.get(row)
        if row in new:
            placements.append(Placement(NEW, new[row], 1.0, "close"))
        elif known is not None:
            placements.append(Placement(KNOWN, known, 1.0, "same"))
        else:
            placements.append(Placement(LEFT_OVER, None, 0.0, "alone"))
    intents = [
        DiscoveredIntent(name, (*rows,), (*rows,), len(rows), len(rows), 1.0, 1.0, "bye", 0.0, ())
        for name, rows in proposals
    ]
    return Discovery(
        corpus=corpus,
        intents=tuple(intents),
        placements=tuple(placements),
        estimate=None,
        new_range=(0, len(intents)),
        coordinates=np.zeros((len(corpus.texts), 2), dtype=np.float32),
        seconds={"representation": 1.5, "clustering": 2.0},
        notes={},
    )


def fake_discovery(
    monkeypatch: pytest.MonkeyPatch, find: Callable[[Corpus], Found] = lambda _: ([], {})
) -> list[tuple[Corpus, DiscoveryConfig]]:
    """The discovery takes no time, finds what it is told, and notes what it was asked for."""
    calls: list[tuple[Corpus, DiscoveryConfig]] = []

    def fake(corpus: Corpus, config: DiscoveryConfig, *_: Any) -> Discovery:
        calls.append((corpus, config))
        return discovery_of(corpus, find(corpus))

    monkeypatch.setattr("rasa_intent_discovery.discover.discover", fake)
    return calls


# What most messages are


@pytest.mark.parametrize(
    ("truths", "intent"),
    [
        ([], None),
        (["bye"], "bye"),
        (["bye", "bye", "greet"], "bye"),
        (["greet", "bye"], None),
        (["bye", "greet", "loan", "bye"], None),
        ([None, None, "bye"], None),
        ([None, "bye", "bye"], "bye"),
        ([None, "bye"], None),
        ([None], None),
    ],
)
def test_the_majority_is_more_than_half(truths: list[str | None], intent: str | None) -> None:
    assert majority(truths) == intent


# What can be hidden


@pytest.mark.parametrize(
    "sixth",
    [
        pytest.param({}, id="none"),
        pytest.param({"loan": BOT["loan"][:4]}, id="of four examples"),
        pytest.param({"loan": [*BOT["loan"][:4], BOT["loan"][0].upper()]}, id="of four different ones"),
        pytest.param({"loan": BOT["bill"]}, id="with the examples of another"),
        pytest.param({"out_of_scope": BOT["loan"]}, id="that is no wish"),
    ],
)
def test_a_bot_that_is_too_small_is_refused(
    sixth: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = fake_discovery(monkeypatch)
    five = {intent: BOT[intent] for intent in ("bill", "bye", "cancel", "card", "greet")}
    with pytest.raises(DataError) as caught:
        backtest(examples_of({**five, **sixth}), messages_of(CHAT), [DiscoveryConfig()])
    assert str(caught.value) == TOO_SMALL.format(5)
    assert calls == []


def test_hiding_must_leave_messages_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = fake_discovery(monkeypatch)
    # 2 * 5 hidden, and one of each of the other four.
    six = examples_of({intent: texts[:5] for intent, texts in list(BOT.items())[:6]})
    with pytest.raises(DataError) as caught:
        backtest(six, messages_of(CHAT[:5]), [DiscoveryConfig()])
    assert str(caught.value) == (
        "hiding 2 intents leaves 19 messages to find them in, but at least 20 are needed; give logged "
        "messages with --messages, or write more examples"
    )
    assert calls == []

    assert backtest(six, messages_of(CHAT[:6]), [DiscoveryConfig()], rounds=1).intents == 6
    assert len(calls) == 1


# The corpus of a round


def test_hidden_examples_are_in_the_log_and_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = fake_discovery(monkeypatch)
    known = examples_of({**BOT, "out_of_scope": [f"tell me a joke {letter}" for letter in "abcdef"]})
    logged = messages_of([*CHAT, CHAT[0]])

    result = backtest(known, logged, [DiscoveryConfig()], rounds=4)

    assert result.intents == 8
    assert len(calls) == len(result.rounds["default"]) == 4
    for (corpus, _), one in zip(calls, result.rounds["default"], strict=True):
        hidden = hidden_in(corpus)
        assert one.hidden == tuple(hidden)
        assert len(hidden) == 2
        log = {text for text, labeled in zip(corpus.texts, corpus.labeled, strict=True) if not labeled}
        taught = Counter(corpus.intents[label] for label in corpus.labels[corpus.labeled])
        assert taught == {intent: 9 for intent in BOT if intent not in hidden} | {"out_of_scope": 6}
        assert {text for intent in hidden for text in BOT[intent]} <= log
        assert {intent: len(log.intersection(texts)) for intent, texts in BOT.items()} == {
            intent: 12 if intent in hidden else 3 for intent in BOT
        }
        assert log.issuperset(CHAT)
        assert corpus.counts[corpus.texts.index(CHAT[0])] == 2
        # Every text is there once, and all of them are.
        assert len(corpus.texts) == 8 * 12 + 6 + len(CHAT)
    assert len({one.hidden for one in result.rounds["default"]}) > 1


def test_every_preset_gets_the_same_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = fake_discovery(monkeypatch)
    configs = [DiscoveryConfig.from_preset(preset, seed=5) for preset in ("default", "fast")]
    seen: list[tuple[str, int]] = []

    def progress(items: Any, stage: str, total: int) -> Any:
        seen.append((stage, total))
        return items

    result = backtest(examples_of(BOT), (), configs, 2, progress)

    assert [config.preset for _, config in calls] == ["default", "fast"] * 2
    assert calls[0][0].texts == calls[1][0].texts != calls[2][0].texts == calls[3][0].texts
    assert result.rounds["default"] == result.rounds["fast"]
    assert seen == [("backtest", 4)]


def test_of_a_long_log_a_sample_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = fake_discovery(monkeypatch)
    monkeypatch.setattr(backtest_module, "BACKTEST", BacktestNumbers(most_messages=7))
    backtest(examples_of(BOT), messages_of(CHAT), [DiscoveryConfig()], rounds=2)
    samples = [[text for text in corpus.texts if text in CHAT] for corpus, _ in calls]
    assert samples[0] == samples[1] == sorted(samples[0], key=CHAT.index)
    assert len(samples[0]) == 7


# Judging


def both_found(a: list[int], b: list[int], other: list[int], chat: list[int]) -> list[tuple[str, list[int]]]:
    return [("one", a), ("two", b)]


@pytest.mark.parametrize(
    ("propose", "found", "invented", "unjudged", "recall", "precision", "k_error"),
    [
        pytest.param(lambda a, b, other, chat: [], {}, (), 0, 0.0, 1.0, 1.0, id="nothing"),
        pytest.param(both_found, {0: ("one",), 1: ("two",)}, (), 0, 1.0, 1.0, 0.0, id="both found"),
        pytest.param(
            lambda a, b, other, chat: [("one", a[:6]), ("two", a[6:]), ("three", b)],
            {0: ("one", "two"), 1: ("three",)},
            (),
            0,
            1.0,
            1.0,
            0.5,
            id="one of them in two pieces",
        ),
        pytest.param(
            lambda a, b, other, chat: [("one", other[:3]), ("two", a[:5] + b[:5]), ("three", b[5:])],
            {1: ("three",)},
            ("one", "two"),
            0,
            0.5,
            1 / 3,
            0.5,
            id="invented: known messages, and two intents in one",
        ),
        pytest.param(
            lambda a, b, other, chat: [("one", chat[:5] + other[:5]), ("two", chat[5:10] + a[:3] + b[:3])],
            {},
            ("one", "two"),
            0,
            0.0,
            0.0,
            0.0,
            id="invented: half of it can be judged",
        ),
        pytest.param(
            lambda a, b, other, chat: [("one", chat[:10]), ("two", chat[10:16] + other[:5])],
            {},
            (),
            2,
            0.0,
            1.0,
            1.0,
            id="messages of the log",
        ),
        pytest.param(
            lambda a, b, other, chat: [("one", a[:2] + chat[:8]), ("two", b[:1] + chat[8:13])],
            {0: ("one",)},
            (),
            1,
            0.5,
            1.0,
            0.5,
            id="a fifth must be examples",
        ),
    ],
)
def test_proposals_are_judged(
    propose: Callable[..., list[tuple[str, list[int]]]],
    found: dict[int, tuple[str, ...]],
    invented: tuple[str, ...],
    unjudged: int,
    recall: float,
    precision: float,
    k_error: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def find(corpus: Corpus) -> Found:
        one, two = hidden_in(corpus)
        others = [text for intent in corpus.intents for text in BOT[intent]]
        return propose(*(rows_of(corpus, texts) for texts in (BOT[one], BOT[two], others, CHAT))), {}

    fake_discovery(monkeypatch, find)
    result = backtest(examples_of(BOT), messages_of(CHAT), [DiscoveryConfig()], rounds=1)

    judged = result.rounds["default"][0]
    assert judged.found == {judged.hidden[number]: names for number, names in found.items()}
    assert judged.invented == invented
    assert judged.unjudged == unjudged
    assert judged.recall == recall
    assert judged.precision == pytest.approx(precision)
    assert judged.k_error == k_error
    assert judged.seconds == 3.5


@pytest.mark.parametrize(
    ("place", "share"),
    [
        pytest.param(lambda right, row: right, 1.0, id="all right"),
        pytest.param(lambda right, row: None, 0.0, id="left over"),
        pytest.param(lambda right, row: "bill" if right != "bill" else "bye", 0.0, id="with another"),
        pytest.param(lambda right, row: right if row % 3 else None, 12 / 18, id="a third is left over"),
    ],
)
def test_examples_of_other_intents_should_be_placed_with_them(
    place: Callable[[str, int], str | None], share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(corpus: Corpus) -> Found:
        placed = {
            row: intent for intent in corpus.intents for row in sorted(rows_of(corpus, BOT[intent]))
        } | {row: "bye" for row in rows_of(corpus, CHAT)}
        own = [row for row in sorted(placed) if corpus.texts[row] not in CHAT]
        chosen = {row: place(placed[row], number) for number, row in enumerate(own)}
        return [], {row: intent for row, intent in chosen.items() if intent is not None}

    fake_discovery(monkeypatch, find)
    result = backtest(examples_of(BOT), messages_of(CHAT), [DiscoveryConfig()], rounds=1)
    assert result.rounds["default"][0].known_right == pytest.approx(share)


def test_an_example_that_a_proposal_took_is_not_placed_right(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(corpus: Corpus) -> Found:
        placed = {row: intent for intent in corpus.intents for row in rows_of(corpus, BOT[intent])}
        return [("one", sorted(placed)[:9])], placed

    fake_discovery(monkeypatch, find)
    result = backtest(examples_of(BOT), (), [DiscoveryConfig()], rounds=1)
    assert result.rounds["default"][0].known_right == 0.5


def test_hidden_examples_that_known_intents_took_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(corpus: Corpus) -> Found:
        hidden = sorted(
            row for intent in BOT if intent not in corpus.intents for row in rows_of(corpus, BOT[intent])
        )
        taken = {
            row: corpus.intents[number % 3 == 0] for number, row in enumerate(hidden[: len(hidden) // 2])
        }
        return [], taken

    fake_discovery(monkeypatch, find)
    result = backtest(examples_of(BOT), (), [DiscoveryConfig()], rounds=1)
    [found] = result.rounds["default"]
    assert found.swallowed == 0.5
    taken = list(found.swallowed_by.values())
    assert (len(taken), taken) == (2, sorted(taken, reverse=True))


# Which preset to use


def round_of(found: int = 0, invented: int = 0, seconds: float = 1.0) -> Round:
    """A round in which ten intents were hidden."""
    hidden = tuple(f"intent_{number}" for number in range(10))
    names = {intent: (f"new_{intent}",) for intent in hidden[:found]}
    return Round(hidden, names, tuple(f"other_{number}" for number in range(invented)), 0, 1.0, seconds)


@pytest.mark.parametrize(
    ("rounds", "best"),
    [
        ({"fast": [round_of(3)]}, "fast"),
        ({"default": [round_of(9, 0, 60.0)], "fast": [round_of(3)]}, "default"),
        ({"default": [round_of(9, 9, 60.0)], "fast": [round_of(9)]}, "fast"),
        ({"default": [round_of(9, 0, 60.0)], "fast": [round_of(9)]}, "fast"),
        # 20 / 21 in both rounds is worse than 1, and in one of them hardly.
        ({"default": [round_of(10, 0, 60.0), round_of(10)], "fast": [round_of(10, 1)] * 2}, "default"),
        ({"default": [round_of(10, 0, 60.0), round_of(10)], "fast": [round_of(10, 1), round_of(10)]}, "fast"),
        ({"default": [round_of(0, 0, 60.0)], "fast": [round_of(0, 4)]}, "fast"),
    ],
)
def test_the_best_preset_is_the_quicker_of_two_alike_ones(rounds: dict[str, list[Round]], best: str) -> None:
    result = Backtest({preset: tuple(of) for preset, of in rounds.items()}, 40)
    assert result.best == best


def test_the_score_is_the_mean_of_the_harmonic_means() -> None:
    result = Backtest({"fast": (round_of(5, 5), round_of(10), round_of(0))}, 40)
    assert result.score("fast") == pytest.approx((0.5 + 1.0 + 0.0) / 3)


# The report

BILL, CARD = ("bill", "loan"), ("bill", "card")
TWO_PRESETS = Backtest(
    {
        "default": (
            Round(
                *(BILL, {"bill": ("ask_bill", "pay_bill")}, ("hello_you",), 1, 0.75, 12.0),
                *({"card": 3, "greet": 2, "thank": 2, "goodbye": 1}, 0.4),
            ),
            Round(CARD, {"card": ("lost_card",), "bill": ("ask_bill",)}, (), 0, 1.0, 10.0),
        ),
        "fast": (
            Round(BILL, {}, ("thanks_bot", "hello_you"), 2, 0.5, 0.6),
            Round(CARD, {"card": ("lost_card",)}, (), 0, 0.5, 1.4),
        ),
    },
    8,
)
TWO_PRESETS_TEXT = """\
# What to expect of a discovery on this bot

2 times, 2 of the bot's 8 intents were hidden, and their examples mixed into the log. The discovery then \
had to find them again.

| preset  | hidden found | proposals right | K error | known placed right | hidden swallowed | seconds |
|---------|--------------|-----------------|---------|--------------------|------------------|---------|
| default | 75 %         | 80 %            | 25 %    | 88 %               | 20 %             | 11      |
| fast    | 25 %         | 33 %            | 25 %    | 50 %               | 0 %              | 1       |

K error: how far the number of proposals is from the number of hidden intents. Known placed right: examples \
of the other intents, given as logged messages, that were placed with their intent. Hidden swallowed: \
examples of hidden intents that were placed with an intent that was not hidden.

Use the preset `default`: it found most and invented least.

Expect it to find about 8 in 10 of the new intents in your log, each as 1.3 proposals on average, and about \
2 in 10 proposals to be no new intent. That rests on 5 proposals only: more --rounds say more. \
Your own messages may be messier than the examples of a bot: take it \
for the bright side.

## Preset default, round by round

1. found 1 of 2: bill (as ask_bill, pay_bill)
   - missed: loan
   - known intents that took most of the hidden examples: card (3), greet (2), thank (2)
   - proposed, though no new intent: hello_you
   - 1 proposal from the log itself, not judged
2. found 2 of 2: bill (as ask_bill); card (as lost_card)

## Preset fast, round by round

1. found 0 of 2: none
   - missed: bill, loan
   - proposed, though no new intent: thanks_bot, hello_you
   - 2 proposals from the log itself, not judged
2. found 1 of 2: card (as lost_card)
   - missed: bill

Never found when they were hidden: loan. Wishes as small, or as close to others as these, are likely to be \
missed in the log as well.
"""
NOTHING = Backtest({"fast": (Round(BILL, {}, (), 0, 0.0, 1.0),)}, 8)
NOTHING_TEXT = """\
# What to expect of a discovery on this bot

1 time, 2 of the bot's 8 intents were hidden, and their examples mixed into the log. The discovery then \
had to find them again.

| preset | hidden found | proposals right | K error | known placed right | hidden swallowed | seconds |
|--------|--------------|-----------------|---------|--------------------|------------------|---------|
| fast   | 0 %          | -               | 100 %   | 0 %                | 0 %              | 1       |

K error: how far the number of proposals is from the number of hidden intents. Known placed right: examples \
of the other intents, given as logged messages, that were placed with their intent. Hidden swallowed: \
examples of hidden intents that were placed with an intent that was not hidden.

Use the preset `fast`: no other one was tried, so it is not known whether another finds more.

Expect it to find about 0 in 10 of the new intents in your log. That rests on 0 proposals only: more \
--rounds say more. Your own messages may be messier than the \
examples of a bot: take it for the bright side.

## Preset fast, round by round

1. found 0 of 2: none
   - missed: bill, loan

Never found when they were hidden: bill, loan. Wishes as small, or as close to others as these, are likely \
to be missed in the log as well.
"""


@pytest.mark.parametrize(("result", "text"), [(TWO_PRESETS, TWO_PRESETS_TEXT), (NOTHING, NOTHING_TEXT)])
def test_the_report(result: Backtest, text: str) -> None:
    assert render_backtest(result) == text


@pytest.mark.parametrize(
    ("fast", "advice"),
    [
        ((round_of(10), round_of(10)), "`fast`: it found most and invented least"),
        ((round_of(10, 1), round_of(10, 1)), "`default`: it found most and invented least"),
        ((round_of(10, 1), round_of(10)), "`fast`: it is the quicker one, and hardly worse"),
    ],
)
def test_the_report_says_why_to_use_a_preset(fast: tuple[Round, ...], advice: str) -> None:
    result = Backtest({"default": (round_of(10, 0, 60.0),) * 2, "fast": fast}, 40)
    assert f"\nUse the preset {advice}.\n" in render_backtest(result)


# Writing it


@pytest.mark.parametrize("content", ["# My notes\n", "", " " + TITLE, "\udcff\udcfe"])
def test_nothing_but_a_report_is_overwritten(content: str, tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(DataError) as caught:
        write_backtest(path, TITLE)
    assert str(caught.value) == (f"{path}: is no report of a backtest, so it stays; give another --report")
    assert path.read_bytes() == content.encode("utf-8", "surrogateescape")
    assert list(tmp_path.iterdir()) == [path]


def test_an_older_report_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    for text in (TWO_PRESETS_TEXT, f"{TITLE}\nGrüße\n"):
        write_backtest(path, text)
        assert path.read_text(encoding="utf-8") == text
        assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "reason"),
    [("missing/report.md", "No such file or directory"), (".", "Is a directory"), ("a/b", "Not a directory")],
)
def test_a_place_that_cannot_be_written_is_an_error_of_one_line(
    name: str, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "a").touch()
    with pytest.raises(DataError) as caught:
        write_backtest(tmp_path / name, TITLE)
    assert str(caught.value) == f"{tmp_path / name}: cannot be written ({reason}); give another --report"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("older", [None, f"{TITLE}older\n"])
@pytest.mark.parametrize(
    ("error", "raised"), [(OSError(28, "No space left on device"), DataError), (KeyboardInterrupt(), None)]
)
def test_an_error_leaves_nothing_behind(
    error: BaseException,
    raised: type[BaseException] | None,
    older: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "report.md"
    if older is not None:
        path.write_text(older)

    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(raised or type(error)) as caught:
        write_backtest(path, TITLE)
    if raised is not None:
        assert (
            str(caught.value) == f"{path}: cannot be written (No space left on device); give another --report"
        )
    assert [file.read_text() for file in tmp_path.iterdir()] == ([] if older is None else [older])


# The command


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bot with the eight intents, a quick configuration and a log that it does not name."""
    monkeypatch.chdir(tmp_path)
    # The command sets variables, which are not to last.
    monkeypatch.setattr(os, "environ", {**os.environ})
    with_settings("device: cpu, encoder: encoder")
    Path("data").mkdir()
    write_nlu(BOT)
    Path("may.txt").write_text("\n".join(CHAT) + "\n")
    return tmp_path


def with_settings(settings: str) -> None:
    Path("config.yml").write_text(f"language: en\npipeline:\n- {{name: IntentDiscovery, {settings}}}\n")


def write_nlu(examples: Mapping[str, Sequence[str]]) -> None:
    lines = ['version: "3.1"', "nlu:"]
    for intent, texts in examples.items():
        lines += [f"- intent: {intent}", "  examples: |", *(f"    - {text}" for text in texts)]
    Path("data/nlu.yml").write_text("\n".join(lines) + "\n")


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Threads that wait for each other cost a model this small more than all the rest."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with threadpool_limits(1):
        yield
    torch.set_num_threads(threads)


def without_seconds(report: str) -> str:
    return re.sub(r"\d+ *\|$", "|", report, flags=re.MULTILINE)


@pytest.mark.slow  # half a minute, and the parts are tested above
def test_a_whole_backtest_without_a_log(bot: Path) -> None:
    write_tiny_encoder(Path("encoder"))
    root = str(Path(command.__file__).parents[2])
    words = ["backtest", "--preset", "fast", "--rounds", "2"]
    done = subprocess.run(
        [sys.executable, "-m", "rasa_intent_discovery", *words],
        env={**os.environ, "PYTHONPATH": root, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    report = Path("intent_backtest.md").read_text()
    assert done.stdout == f"\n{report}\nThis is in intent_backtest.md, too.\n"
    assert report.startswith(f"{TITLE}\n2 times, 2 of the bot's 8 intents were hidden, ")
    assert (
        "\nUse the preset `fast`: no other one was tried, so it is not known whether another finds more.\n"
        in report
    )
    assert "from the log itself" not in report
    assert sorted(path.name for path in bot.iterdir() if path.name != ".rasa") == [
        "config.yml",
        "data",
        "encoder",
        "intent_backtest.md",
        "may.txt",
    ]


@pytest.mark.usefixtures("bot", "one_thread")
def test_the_same_backtest_twice_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    write_tiny_encoder(Path("encoder"))
    reports = []
    for name in ("one.md", "two.md"):
        rasa(
            "backtest",
            "--messages",
            "may.txt",
            "--preset",
            "fast",
            "--seed",
            "3",
            "--rounds",
            "2",
            "--report",
            name,
        )
        reports.append(Path(name).read_text())
        assert capsys.readouterr().out == f"\n{reports[-1]}\nThis is in {name}, too.\n"
    assert without_seconds(reports[0]) == without_seconds(reports[1])
    assert len(re.findall(r"^\d\. found \d of 2: ", reports[0], flags=re.MULTILINE)) == 2


@pytest.mark.parametrize(
    ("settings", "words", "presets"),
    [
        ("seed: 7", [], ["default", "fast"]),
        ("preset: fast", [], ["fast", "default"]),
        ("preset: paper", [], ["paper", "default", "fast"]),
        ("preset: paper", ["--preset", "fast"], ["fast"]),
    ],
)
@pytest.mark.usefixtures("bot")
def test_the_preset_is_compared_with_the_others(
    settings: str, words: list[str], presets: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = fake_discovery(monkeypatch)
    with_settings(f"{settings}, messages: may.txt, min_messages: 6")
    rasa("backtest", *words)
    configs = [config for _, config in calls]
    assert [config.preset for config in configs] == presets * command.ROUNDS
    own = DiscoveryConfig.from_mapping({"seed": 7} if settings == "seed: 7" else {})
    for config in configs:
        expected = DiscoveryConfig.from_preset(
            config.preset, messages=["may.txt"], min_messages=6, seed=own.seed
        )
        assert config == expected
    assert all(set(CHAT) <= set(corpus.texts) for corpus, _ in calls)


@pytest.mark.parametrize(
    ("examples", "words", "line"),
    [
        (dict(list(BOT.items())[:3]), [], TOO_SMALL.format(3)),
        (
            {intent: texts[:5] for intent, texts in BOT.items()},
            [],
            "hiding 2 intents leaves 16 messages to find them in, but at least 20 are needed; give logged "
            "messages with --messages, or write more examples",
        ),
        (
            BOT,
            ["--report", "may.txt"],
            "may.txt: is no report of a backtest, so it stays; give another --report",
        ),
        (
            BOT,
            ["--report", "reports/may.md"],
            "reports/may.md: cannot be written (No such file or directory); give another --report",
        ),
        (
            BOT,
            ["--data", "dta"],
            "dta: there is no such file or folder; say with --data where the bot's training data is",
        ),
        (BOT, ["--min-messages", "1"], "command line > min_messages: expected a number >= 2, got 1"),
    ],
)
@pytest.mark.usefixtures("bot")
def test_expected_errors_are_one_red_line_and_exit_code_1(
    examples: dict[str, list[str]],
    words: list[str],
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    fake_discovery(monkeypatch)
    write_nlu(examples)
    before = {path: path.read_bytes() for path in Path().iterdir() if path.is_file()}
    assert exit_code("backtest", *words) == 1
    assert capsys.readouterr() == (red(line), "")
    assert {path: path.read_bytes() for path in Path().iterdir() if path.is_file()} == before


@pytest.mark.usefixtures("bot")
def test_a_log_that_is_not_there(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    calls = fake_discovery(monkeypatch)
    assert exit_code("backtest", "--messages", "june.txt") == 1
    out, err = capsys.readouterr()
    assert out.startswith("\033[91mjune.txt: ")
    assert (out.count("\n"), err, calls) == (1, "", [])


@pytest.mark.parametrize("number", ["0", "-1", "two", "1.5", ""])
def test_rounds_are_at_least_one(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("backtest", f"--rounds={number}") == 2
    line = f"argument --rounds: expected a whole number of at least 1, got {number!r}\n"
    assert capsys.readouterr().err.endswith(line)


def test_help_says_the_real_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("backtest", "--help") == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "How often intents are hidden. (default: 3)" in text
    assert "Where it is written. (default: intent_backtest.md)" in text
