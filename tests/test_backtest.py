"""`rasa discover-intents backtest`: what is hidden, how it is judged, what the report says, exit codes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from command_line import exit_code, printed, rasa
from threadpoolctl import threadpool_limits
from tiny_encoder import write_tiny_encoder

from rasa_intent_discovery import backtest as backtest_module
from rasa_intent_discovery.backtest import backtest, majority
from rasa_intent_discovery.backtest_figures import Backtest, BacktestNumbers, Figure, Forecast, Round
from rasa_intent_discovery.backtest_report import render_backtest, write_backtest
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import (
    KNOWN,
    LEFT_OVER,
    NEW,
    Boilerplate,
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
    return [LoggedMessage(text) for text in texts]


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

    monkeypatch.setattr("rasa_intent_discovery.stages.discover_in", fake)
    return calls


@pytest.fixture(autouse=True)
def _a_quarter_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left to chance: a quarter of twelve examples is a whole number."""
    with_numbers(monkeypatch, logged_share=0.25)


def with_numbers(monkeypatch: pytest.MonkeyPatch, **numbers: Any) -> None:
    monkeypatch.setattr(backtest_module, "BACKTEST", BacktestNumbers(**numbers))


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
    with_numbers(monkeypatch, logged_share=0.2)
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


@pytest.mark.parametrize("intents", [6, 7, 8, 11])
def test_all_intents_are_hidden_in_turn(intents: int, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_discovery(monkeypatch)
    bot = {f"{name}{copy}": texts for copy in "ab" for name, texts in BOT.items()}
    bot = {intent: [f"{text} {intent}" for text in texts] for intent, texts in list(bot.items())[:intents]}

    result = backtest(examples_of(bot), messages_of(CHAT), [DiscoveryConfig()], rounds=9)

    rounds = result.rounds["default"]
    assert all(len(set(one.hidden)) == 2 for one in rounds)
    times = Counter(intent for one in rounds for intent in one.hidden)
    assert len(times) == intents
    assert max(times.values()) - min(times.values()) <= 1


# The corpus of a round


@pytest.mark.parametrize("rejecting", ["out_of_scope", "chit_chat"])
def test_hidden_examples_are_in_the_log_and_nowhere_else(
    monkeypatch: pytest.MonkeyPatch, rejecting: str
) -> None:
    calls = fake_discovery(monkeypatch)
    known = examples_of({**BOT, rejecting: [f"tell me a joke {letter}" for letter in "abcdef"]})
    logged = messages_of([*CHAT, CHAT[0]])

    result = backtest(known, logged, [DiscoveryConfig(out_of_scope_intents=("chit_chat",))], rounds=4)

    assert result.intents == 8
    assert len(calls) == len(result.rounds["default"]) == 4
    for (corpus, _), one in zip(calls, result.rounds["default"], strict=True):
        hidden = hidden_in(corpus)
        assert one.hidden == tuple(hidden)
        assert len(hidden) == 2
        log = {text for text, labeled in zip(corpus.texts, corpus.labeled, strict=True) if not labeled}
        taught = Counter(corpus.intents[label] for label in corpus.labels[corpus.labeled])
        assert taught == {intent: 9 for intent in BOT if intent not in hidden} | {rejecting: 6}
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
    with_numbers(monkeypatch, most_messages=7)
    backtest(examples_of(BOT), messages_of(CHAT), [DiscoveryConfig()], rounds=2)
    samples = [[text for text in corpus.texts if text in CHAT] for corpus, _ in calls]
    assert samples[0] == samples[1] == sorted(samples[0], key=CHAT.index)
    assert len(samples[0]) == 7


# Judging


@pytest.mark.parametrize(
    ("propose", "right", "wrong", "unjudged", "to_read"),
    [
        pytest.param(lambda a, b, other, chat: [], {}, (), 0, 0.0, id="nothing"),
        pytest.param(
            lambda a, b, other, chat: [("one", a), ("two", b)],
            {0: ("one",), 1: ("two",)},
            (),
            0,
            2.0,
            id="both found",
        ),
        pytest.param(
            lambda a, b, other, chat: [("one", a[:6]), ("two", a[6:]), ("three", b)],
            {0: ("one", "two"), 1: ("three",)},
            (),
            0,
            3.0,
            id="one of them in two pieces",
        ),
        pytest.param(
            lambda a, b, other, chat: [("one", other[:3]), ("two", a[:5] + b[:5]), ("three", b[5:])],
            {1: ("three",)},
            ("one", "two"),
            0,
            3.0,
            id="wrong: known messages, and two intents in one",
        ),
        pytest.param(
            lambda a, b, other, chat: [("one", a[:5] + chat[:4]), ("two", b[:5] + chat[4:9])],
            {0: ("one",)},
            (),
            1,
            # The ten examples, of nineteen messages in two proposals.
            2 * 10 / 19,
            id="more than half must be the intent's",
        ),
        pytest.param(
            lambda a, b, other, chat: [("one", a[:4] + b[:4] + chat[:7]), ("two", chat[7:])],
            {},
            ("one",),
            1,
            2 * 8 / 28,
            id="wrong: more than half is known to be of several",
        ),
        pytest.param(
            lambda a, b, other, chat: [("one", chat[:10]), ("two", chat[10:16] + other[:5])],
            {},
            (),
            2,
            0.0,
            id="messages of the log",
        ),
    ],
)
def test_proposals_are_judged(
    propose: Callable[..., list[tuple[str, list[int]]]],
    right: dict[int, tuple[str, ...]],
    wrong: tuple[str, ...],
    unjudged: int,
    to_read: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of the log no message was placed with a known intent: an example stands for itself alone."""

    def find(corpus: Corpus) -> Found:
        one, two = hidden_in(corpus)
        others = [text for intent in corpus.intents for text in BOT[intent]]
        return propose(*(rows_of(corpus, texts) for texts in (BOT[one], BOT[two], others, CHAT))), {}

    fake_discovery(monkeypatch, find)
    result = backtest(examples_of(BOT), messages_of(CHAT), [DiscoveryConfig()], rounds=1)

    judged = result.rounds["default"][0]
    assert judged.right == {judged.hidden[number]: names for number, names in right.items()}
    assert judged.wrong == wrong
    assert judged.unjudged == unjudged
    assert judged.to_read == pytest.approx(to_read)
    assert judged.seconds == 3.5


def test_a_hidden_example_is_told_without_the_boilerplate_of_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "rasa_intent_discovery.corpus.build.find_boilerplate", lambda *_: Boilerplate({}, {"see you, …": 20})
    )
    signed = {intent: [f"{text}. See you, Ann" for text in texts] for intent, texts in BOT.items()}

    def find(corpus: Corpus) -> Found:
        return [(name, rows_of(corpus, BOT[name])) for name in hidden_in(corpus)], {}

    fake_discovery(monkeypatch, find)
    judged = backtest(examples_of(signed), messages_of(CHAT), [DiscoveryConfig()], rounds=1).rounds[
        "default"
    ][0]
    assert judged.right == {name: (name,) for name in judged.hidden}


#: 72 examples of the intents that stay; of the log, 36 messages are placed with them.
BILLS = [f"please send the bill {number} again" for number in range(36)]


@pytest.mark.parametrize(
    ("examples", "others", "chat", "right", "wrong"),
    [
        # All of a hidden intent's examples are in the log: each stands for 1 + 36 / 72 messages.
        pytest.param(4, 0, 7, 1, 0, id="six of eleven"),
        pytest.param(4, 0, 8, 0, 0, id="six of twelve"),
        # Of the others a quarter are, 18: each stands for 1 + 36 / 18.
        pytest.param(0, 4, 19, 0, 1, id="twelve of 23"),
        pytest.param(0, 4, 20, 0, 0, id="twelve of 24"),
        pytest.param(3, 2, 12, 0, 1, id="four and a half, and six, of 17"),
    ],
)
def test_an_example_stands_for_messages_that_nobody_labelled(
    examples: int, others: int, chat: int, right: int, wrong: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(corpus: Corpus) -> Found:
        own = rows_of(corpus, BOT[hidden_in(corpus)[0]])
        known = rows_of(corpus, [text for intent in corpus.intents for text in BOT[intent]])
        group = own[:examples] + known[:others] + rows_of(corpus, CHAT)[:chat]
        return [("one", group)], dict.fromkeys(rows_of(corpus, BILLS), corpus.intents[0])

    fake_discovery(monkeypatch, find)
    result = backtest(examples_of(BOT), messages_of([*CHAT, *BILLS]), [DiscoveryConfig()], rounds=1)

    judged = result.rounds["default"][0]
    assert (len(judged.right), len(judged.wrong), judged.unjudged) == (right, wrong, 1 - right - wrong)


def test_messages_of_known_intents_make_every_proposal_dearer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve messages of what is hidden, six of the rest, three proposals: the six are spread over all."""

    def find(corpus: Corpus) -> Found:
        own = rows_of(corpus, BOT[hidden_in(corpus)[0]])
        known = rows_of(corpus, [text for intent in corpus.intents for text in BOT[intent]])
        return [("one", own[:6]), ("two", own[6:]), ("three", known[:6])], {}

    fake_discovery(monkeypatch, find)
    result = backtest(examples_of(BOT), (), [DiscoveryConfig()], rounds=1)

    [judged] = result.rounds["default"]
    assert (judged.found, judged.precision, judged.effort) == (0.5, pytest.approx(2 / 3), 3.0)


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
    assert result.rounds["default"][0].known_kept == pytest.approx(share)


def test_an_example_that_a_proposal_took_is_not_placed_right(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(corpus: Corpus) -> Found:
        placed = {row: intent for intent in corpus.intents for row in rows_of(corpus, BOT[intent])}
        return [("one", sorted(placed)[:9])], placed

    fake_discovery(monkeypatch, find)
    result = backtest(examples_of(BOT), (), [DiscoveryConfig()], rounds=1)
    assert result.rounds["default"][0].known_kept == 0.5


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
    wrong = tuple(f"other_{number}" for number in range(invented))
    return Round(hidden, names, wrong, unjudged=0, to_read=10.0, known_kept=1.0, seconds=seconds)


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
        # It found 0.2 more, with a spread of 0.2 where it found less once, and of 0 where it always did.
        ({"default": [round_of(9, 0, 60.0), round_of(5)], "fast": [round_of(5), round_of(7)]}, "fast"),
        ({"default": [round_of(9, 0, 60.0), round_of(9)], "fast": [round_of(7), round_of(7)]}, "default"),
    ],
)
def test_the_best_preset_is_the_quicker_of_two_alike_ones(rounds: dict[str, list[Round]], best: str) -> None:
    result = Backtest({preset: tuple(of) for preset, of in rounds.items()}, 40)
    assert result.best == best


def test_the_score_is_the_mean_of_the_harmonic_means() -> None:
    result = Backtest({"fast": (round_of(5, 5), round_of(10), round_of(0))}, 40)
    assert result.score("fast") == pytest.approx((0.5 + 1.0 + 0.0) / 3)


def test_proposals_and_intents_of_all_rounds_are_counted_together() -> None:
    rounds = (
        Round(("bill", "loan"), {"bill": ("a", "b")}, ("c",), 1, 3.0, 0.75, 12.0, {"card": 3}, 0.5),
        Round(("card", "loan"), {}, (), 4, 0.0, None, 10.0),
    )
    assert Forecast.of(rounds) == Forecast(
        found=Figure(0.25, 0.0, 0.5),
        precision=Figure(pytest.approx(2 / 3), pytest.approx(2 / 3), pytest.approx(2 / 3)),
        effort=Figure(3.0, 3.0, inf),
        swallowed=Figure(0.25, 0.0, 0.5),
        known_kept=Figure(0.75, 0.75, 0.75),
        seconds=11.0,
    )


def test_what_no_round_could_tell_is_none() -> None:
    told = Forecast.of([Round(("card", "loan"), {}, (), 4, 0.0, None, 10.0)])
    assert (told.found, told.precision, told.effort, told.known_kept) == (
        Figure(0.0, 0.0, 0.0),
        *(None, None, None),
    )


# The report

BILL, CARD = ("bill", "loan"), ("bill", "card")
TWO_PRESETS = Backtest(
    {
        "default": (
            Round(
                *(BILL, {"bill": ("ask_bill", "pay_bill")}, ("hello_you",), 1, 3.0, 0.75, 12.0),
                *({"card": 3, "greet": 2, "thank": 2, "goodbye": 1}, 0.4),
            ),
            Round(CARD, {"card": ("lost_card",), "bill": ("ask_bill",)}, (), 2, 2.4, 1.0, 10.0),
        ),
        "fast": (
            Round(BILL, {}, ("thanks_bot", "hello_you"), 2, 0.4, 0.5, 0.6),
            Round(CARD, {"card": ("lost_card",)}, (), 0, 1.0, 0.5, 1.4),
        ),
    },
    8,
)
MEANING = """\
Found: hidden intents with a right proposal, one of which more than half of the messages are theirs. \
Proposals right: of those that could be judged. Effort: how many proposals you would read for each hidden \
intent that was found. As your log holds other new wishes, too, all proposals, wrong ones as well, are \
divided between the hidden intents and these, by the messages that each has in proposals. Swallowed: \
examples of hidden intents that were placed with an intent that was not hidden. Known \
kept: examples of the other intents, given as logged messages, that were placed with their intent. In \
brackets: the lowest and the highest of the rounds; there is no highest effort where one of them found \
nothing.
"""
CAUTION = """\
Nobody labelled the log's own messages: how many of them belong with an example is estimated, and proposals \
of messages that belong to no intent are not counted. People may word a wish in more ways than the examples \
of a bot do: take it for the bright side.
"""
TWO_PRESETS_TEXT = f"""\
# What to expect of a discovery on this bot

2 times, 2 of the 8 intents with enough examples were hidden, and these mixed into the log. The discovery \
then had to find them again.

| preset  | found         | proposals right | effort            | swallowed   | known kept    | seconds |
|---------|---------------|-----------------|-------------------|-------------|---------------|---------|
| default | 75 % (50-100) | 80 % (67-100)   | 1.8 (1.2-3.0)     | 20 % (0-40) | 88 % (75-100) | 11      |
| fast    | 25 % (0-50)   | 33 % (0-100)    | 1.4 (1.0 or more) | 0 %         | 50 %          | 1       |

{MEANING}
Use the preset `default`: it found most and invented least.

At best, it finds about 8 in 10 of the new intents in your log, and 1.8 proposals for each; about 2 in 10 \
of the proposals that could be judged were no new intent. That rests on 4 hidden intents only: more \
--rounds say more. \
{CAUTION}
## Preset default, round by round

1. found 1 of 2: bill (as ask_bill, pay_bill)
   - missed: loan
   - known intents that took most of the hidden examples: card (3), greet (2), thank (2)
   - proposed, though no new intent: hello_you
   - proposals that fall to the hidden intents: 3.0 of 4
   - 1 proposal of the log's own messages, not judged
2. found 2 of 2: bill (as ask_bill); card (as lost_card)
   - proposals that fall to the hidden intents: 2.4 of 4
   - 2 proposals of the log's own messages, not judged

## Preset fast, round by round

1. found 0 of 2: none
   - missed: bill, loan
   - proposed, though no new intent: thanks_bot, hello_you
   - proposals that fall to the hidden intents: 0.4 of 4
   - 2 proposals of the log's own messages, not judged
2. found 1 of 2: card (as lost_card)
   - missed: bill
   - proposals that fall to the hidden intents: 1.0 of 1

Never found when they were hidden: loan. Wishes as small, or as close to others as these, are likely to be \
missed in the log as well.
"""
NOTHING = Backtest({"fast": (Round(BILL, {}, (), 0, 0.0, None, 1.0),)}, 8)
NOTHING_TEXT = f"""\
# What to expect of a discovery on this bot

1 time, 2 of the 8 intents with enough examples were hidden, and these mixed into the log. The discovery \
then had to find them again.

| preset | found | proposals right | effort | swallowed | known kept | seconds |
|--------|-------|-----------------|--------|-----------|------------|---------|
| fast   | 0 %   | -               | -      | 0 %       | -          | 1       |

{MEANING}
Only the preset `fast` was tried. A backtest without `--preset` tells which finds more.

At best, it finds about 0 in 10 of the new intents in your log. That rests on 2 hidden intents only: more \
--rounds say more. {CAUTION}
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
        (
            (round_of(10), round_of(10)),
            "`fast`: it found most and invented least, though the rounds cannot tell it from `default`",
        ),
        ((round_of(7), round_of(7)), "`default`: it found most and invented least"),
        (
            (round_of(10, 1), round_of(10)),
            "`fast`: it is quicker, and what `default` is better by varies more between the rounds than it "
            "is large",
        ),
    ],
)
def test_the_report_says_why_to_use_a_preset(fast: tuple[Round, ...], advice: str) -> None:
    result = Backtest({"default": (round_of(10, 0, 60.0),) * 2, "fast": fast}, 40)
    assert f"\nUse the preset {advice}.\n" in render_backtest(result)


def test_the_report_names_what_the_rounds_cannot_tell_apart() -> None:
    quick = (round_of(9, seconds=1.0), round_of(5, seconds=1.0))
    slow = (round_of(5, seconds=60.0), round_of(7, seconds=60.0))
    result = Backtest({"default": slow, "fast": quick}, 40)
    assert (
        "\nUse the preset `fast`: it found most and invented least, though the rounds cannot tell it from "
        "`default`.\n" in render_backtest(result)
    )


# How many rounds


@pytest.mark.parametrize(
    ("intents", "rounds", "hidden"),
    [(6, 8, 2), (20, 8, 2), (25, 7, 3), (45, 4, 5), (150, 2, 18)],
)
def test_as_many_rounds_as_hide_twenty_intents(
    intents: int, rounds: int, hidden: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_discovery(monkeypatch)
    bot = {f"intent_{number}": [f"{number} {text}" for text in BOT["bill"]] for number in range(intents)}
    result = backtest(examples_of(bot), (), [DiscoveryConfig()])
    assert [len(one.hidden) for one in result.rounds["default"]] == [hidden] * rounds


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


def test_of_two_backtests_into_one_report_the_later_one_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, replace = tmp_path / "report.md", os.replace

    def late(one: Path, other: Path) -> None:
        monkeypatch.setattr(os, "replace", replace)
        write_backtest(path, f"{TITLE}first\n")
        replace(one, other)

    monkeypatch.setattr(os, "replace", late)
    write_backtest(path, f"{TITLE}second\n")
    assert path.read_text() == f"{TITLE}second\n"
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
    assert report.startswith(f"{TITLE}\n2 times, 2 of the 8 intents with enough examples were hidden, ")
    assert (
        "\nOnly the preset `fast` was tried. A backtest without `--preset` tells which finds more.\n"
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
    assert [config.preset for config in configs] == presets * 8
    own = DiscoveryConfig.from_mapping({"seed": 7} if settings == "seed: 7" else {})
    for config in configs:
        expected = DiscoveryConfig.from_preset(
            config.preset, messages=["may.txt"], min_messages=6, seed=own.seed, language="en"
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
            "dta: there is no such file or folder (did you mean data/?); say with --data where "
            "the bot's training data is",
        ),
        (BOT, ["--min-messages", "1"], "--min-messages: expected a number >= 2, got 1"),
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
    with_numbers(monkeypatch, logged_share=0.2)
    write_nlu(examples)
    before = {path: path.read_bytes() for path in Path().iterdir() if path.is_file()}
    assert exit_code("backtest", *words) == 1
    assert capsys.readouterr() == (printed(line), "")
    assert {path: path.read_bytes() for path in Path().iterdir() if path.is_file()} == before


@pytest.mark.usefixtures("bot")
def test_options_that_a_backtest_does_not_ask_are_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fake_discovery(monkeypatch)
    rasa("backtest", "--messages", "may.txt", "--num-intents", "3", "--out", "elsewhere")
    said = (
        "changes nothing here: a backtest writes no drafts, and always estimates how many intents there are."
    )
    told = [one for one in caplog.messages if "changes nothing" in one]
    assert told == [f"--out {said}", f"--num-intents {said}"]


@pytest.mark.usefixtures("bot")
def test_a_log_that_is_not_there(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    calls = fake_discovery(monkeypatch)
    assert exit_code("backtest", "--messages", "june.txt") == 1
    out, err = capsys.readouterr()
    assert out.startswith("june.txt: ")
    assert (out.count("\n"), err, calls) == (1, "", [])


@pytest.mark.parametrize("number", ["0", "-1", "two", "1.5", ""])
def test_rounds_are_at_least_one(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("backtest", f"--rounds={number}") == 2
    line = f"argument --rounds: expected a whole number of at least 1, got {number!r}\n"
    assert capsys.readouterr().err.endswith(line)


def test_help_says_the_real_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("backtest", "--help") == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "How often intents are hidden (default: so often that 20 are hidden in all, 2 to 8 times)." in text
    assert text.count("How often intents are hidden") == 1
    assert "Where it is written. (default: intent_backtest.md)" in text
    tries = "(default: `default` and `fast`, and the one that config.yml names)."
    assert f"Tries this method alone {tries}" in text
    assert "(default: default)" not in text
