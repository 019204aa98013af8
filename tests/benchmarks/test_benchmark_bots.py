"""The bots that the headline figures are measured on, what is counted, and runs of many."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_encoder import write_tiny_encoder

from benchmarks import bot
from benchmarks.bots import LOGGED_SHARE, SUITE, Recipe, SuiteBot, Truth, make_bot, read_gold, write_bot
from benchmarks.scores import Placed, placement_scores
from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW

VERBS = "close delete end remove cancel order send get want need".split()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Ten intents of ten examples each, one of them of what is out of scope."""
    folder = tmp_path / "sets" / "little"
    folder.mkdir(parents=True)
    names = [*(f"thing_{number}" for number in range(9)), "out_of_scope"]
    lines = [f"{verb} my {name.split('_')[-1]}\t{name}" for name in names for verb in VERBS]
    (folder / "train.tsv").write_text("\n".join(["text\tlabel", *lines]) + "\n", encoding="utf-8")
    return folder


def test_a_share_of_the_intents_is_hidden_and_a_share_of_the_others_logged(data: Path) -> None:
    made = make_bot(data, Recipe(hide=0.3), seed=0)

    known = {example.intent for example in made.examples}
    hidden = {truth.intent for _, truth in made.log if truth == Truth(NEW, truth.intent)}
    assert (len(known), len(hidden)) == (7, 3)
    assert not known & hidden
    assert len(made.examples) == 7 * (10 - int(10 * LOGGED_SHARE))
    assert len(made.log) == 3 * 10 + 7 * int(10 * LOGGED_SHARE)


def test_what_is_out_of_scope_is_never_hidden_and_left_over_in_the_log(data: Path) -> None:
    for seed in range(10):
        made = make_bot(data, Recipe(hide=0.9), seed)
        assert {example.intent for example in made.examples} == {"out_of_scope"}
        assert {truth for text, truth in made.log if text.endswith("scope")} == {Truth(LEFT_OVER, None)}


def test_the_seed_chooses_what_is_hidden(data: Path) -> None:
    chosen = {frozenset(e.intent for e in make_bot(data, Recipe(), seed).examples) for seed in range(6)}

    assert len(chosen) > 1
    assert make_bot(data, Recipe(), 3) == make_bot(data, Recipe(), 3)


def test_where_people_were_logged_every_example_of_a_known_intent_stays(data: Path) -> None:
    (data / "log.tsv").write_text("text\tlabel\nwhat a day\t\nclose it\tthing_1\n", encoding="utf-8")

    made = make_bot(data, Recipe(), seed=0)

    known = {example.intent for example in made.examples}
    assert len(made.examples) == 7 * 10
    assert len(made.log) == 3 * 10 + 2
    truths = dict(made.log)
    assert truths["what a day"] == Truth(LEFT_OVER, None)
    assert truths["close it"] == Truth(KNOWN if "thing_1" in known else NEW, "thing_1")


def test_noise_and_a_long_tail(data: Path) -> None:
    (data / "noise.txt").write_text("lovely weather\n", encoding="utf-8")

    made = make_bot(data, Recipe(examples=2, long_tail=10.0, noise="noise.txt"), seed=0)

    assert len(made.examples) == 7 * 2
    sizes = sorted(
        sum(truth == Truth(NEW, intent) for _, truth in made.log)
        for intent in {truth.intent for _, truth in made.log if truth and truth.placement == NEW}
    )
    assert sizes[0] < sizes[-1] <= 10
    assert dict(made.log)["lovely weather"] == Truth(LEFT_OVER, None)


def test_a_bot_is_read_back_as_it_was_written(data: Path, tmp_path: Path) -> None:
    made = make_bot(data, Recipe(), seed=0)

    write_bot(made, tmp_path / "bot")

    assert read_gold(tmp_path / "bot" / "gold.tsv") == made.truths()


#: Six messages of one hidden intent, two of another, three known, two out of scope; as they were placed.
PLACED = [
    *[Placed(NEW, "refund", NEW, "ask_refund", 1)] * 4,
    Placed(NEW, "refund", KNOWN, "greet", 1),
    Placed(NEW, "refund", LEFT_OVER, None, 1),
    *[Placed(NEW, "invoice", NEW, "ask_refund", 5)] * 2,
    *[Placed(KNOWN, "greet", KNOWN, "greet", 1)] * 2,
    Placed(KNOWN, "bye", KNOWN, "greet", 1),
    *[Placed(LEFT_OVER, None, NEW, "ask_weather", 1)] * 2,
]


def test_what_people_get_is_counted() -> None:
    scores = placement_scores(PLACED, 5, clusters=np.array([0] * 6 + [1] * 2 + [2] * 3 + [3] * 2))

    assert scores["found"] == 0.5  # refund; invoice was asked for ten times and has no proposal
    assert scores["precision"] == 1.0
    assert scores["effort"] == 1.0  # ask_weather is counted apart
    assert scores["unlabelled"] == 0.5
    assert scores["proposals"]["unlabelled"] == ["ask_weather"]
    assert (scores["swallowed"], scores["stranded"]) == (1 / 8, 1 / 8)
    assert scores["swallowed_by"] == {"greet": 1}
    assert scores["draft_acc"] == 4 / 8
    assert scores["cluster_acc"] == 1.0
    assert scores["known_kept"] == 0.667


def test_two_proposals_of_one_intent_are_counted_twice_and_one_is_matched() -> None:
    placed = [
        *[Placed(NEW, "refund", NEW, "ask_refund", 1)] * 3,
        *[Placed(NEW, "refund", NEW, "get_money", 1)] * 2,
    ]

    scores = placement_scores(placed, 5)

    assert (scores["found"], scores["effort"], scores["draft_acc"]) == (1.0, 2.0, 3 / 5)


@pytest.fixture
def suite(data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Arguments of a run of two bots of one data set, with an encoder that is made here."""
    encoder = tmp_path / "encoder"
    write_tiny_encoder(encoder)
    bots = tuple(SuiteBot(name, "little", multilingual=True) for name in ("one", "two"))
    monkeypatch.setattr(bot, "SUITE", bots)
    folder = ["--data-dir", str(data.parent), "--second-encoder", str(encoder)]
    return ["run", *folder, "--methods", "fast", "--seeds", "0", "1"]


def runs_of(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return found


def test_a_suite_is_run_into_one_file_and_resumed(
    suite: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "results.json"
    assert bot.main([*suite, "--bots", "one", "--out", str(out)]) == 0
    first = runs_of(out)
    assert [(run["bot"], run["seed"]) for run in first["runs"]] == [("one", 0), ("one", 1)]
    assert first["means"]["fast"]["all"].keys() == set(bot.HEADLINE)

    assert bot.main([*suite, "--out", str(out)]) == 0

    both = runs_of(out)
    assert [(run["bot"], run["seed"]) for run in both["runs"]] == [
        ("one", 0), ("two", 0), ("one", 1), ("two", 1),
    ]  # fmt: skip
    assert [run for run in both["runs"] if run["bot"] == "one"] == first["runs"]
    assert "fast       two" in capsys.readouterr().out
    monkeypatch.setattr(bot, "commit", lambda: "another")
    with pytest.raises(SystemExit, match="holds runs of another commit"):
        bot.main([*suite, "--out", str(out)])


def test_what_was_learnt_is_kept_and_gives_the_same(suite: list[str], tmp_path: Path) -> None:
    for name in ("first", "again"):
        bot.main(
            [*suite, "--bots", "one", "--states", str(tmp_path / "states"), "--out", str(tmp_path / name)]
        )

    first, again = (
        [{**run, "seconds": None} for run in runs_of(tmp_path / name)["runs"]] for name in ("first", "again")
    )
    assert first == again
    assert list((tmp_path / "states").glob("learned_*.pt"))


def test_the_mean_over_bots_is_of_the_means_of_each() -> None:
    rows = [
        {"bot": name, "seed": seed, "method": "fast", **dict.fromkeys(bot.HEADLINE), "found": found}
        for name, seed, found in (("one", 0, 1.0), ("one", 1, 0.5), ("two", 0, 0.25))
    ]

    means = bot.means(rows)["means"]["fast"]

    assert (means["one"]["found"], means["two"]["found"], means["all"]["found"]) == (0.75, 0.25, 0.5)
    assert means["all"]["effort"] is None


def test_a_bot_that_is_not_english_needs_the_second_encoder(tmp_path: Path) -> None:
    [german] = [one for one in SUITE if one.multilingual]

    with pytest.raises(SystemExit, match="robo_de is not English: give a multilingual encoder"):
        bot.main(["run", "--data-dir", str(tmp_path), "--bots", german.name, "--out", str(tmp_path / "out")])
