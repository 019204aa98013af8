"""The bots that the headline figures are measured on, what is counted, and runs of many."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_encoder import write_tiny_encoder

from benchmarks import bot, suite
from benchmarks.answering import answered
from benchmarks.bots import (
    LOGGED_SHARE,
    SUITE,
    Bot,
    Recipe,
    SuiteBot,
    Truth,
    make_bot,
    read_gold,
    write_bot,
)
from benchmarks.checkout import commit_of, drafted_by
from benchmarks.scores import Heard, Judged, Placed, at_work_scores, placement_scores
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.build import build_corpus
from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW, KnownExample, LoggedMessage
from rasa_intent_discovery.proposals.answers import Answer, Question

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


def test_part_of_a_log_is_kept_back_with_what_it_is() -> None:
    log = [(f"where is parcel {number}", Truth(NEW, "parcel")) for number in range(8)]
    bot = Bot((KnownExample("hi", "greet"),), (*log, ("Hm", None), *log, ("hm", None)))

    stays, heard = bot.without(1 / 3, seed=0)

    assert len(heard) in (2, 3)  # a third of nine distinct messages; of one it is not known what it is
    assert set(heard.values()) == {Truth(NEW, "parcel")}
    assert stays.examples == bot.examples
    assert [line for line in bot.log if line[0] in heard or line in stays.log] == [
        line for line in bot.log if len(heard) == 3 or line[1]
    ]
    assert not heard.keys() & {text for text, _ in stays.log}
    assert bot.without(1 / 3, seed=0) == (stays, heard)
    assert any(bot.without(1 / 3, seed) != (stays, heard) for seed in range(1, 5))


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
    Placed(LEFT_OVER, None, NEW, "ask_weather", 1, "is it cold"),
    Placed(LEFT_OVER, None, NEW, "ask_weather", 3, "is it warm"),
]


def test_what_people_get_is_counted() -> None:
    scores = placement_scores(PLACED, 5, clusters=np.array([0] * 6 + [1] * 2 + [2] * 3 + [3] * 2))

    assert scores["found"] == 0.5  # refund; invoice was asked for ten times and has no proposal
    assert scores["precision"] == 1.0
    assert scores["f1"] == 0.667  # of a half and of all
    assert scores["effort"] == 1.0  # ask_weather is counted apart
    assert scores["unlabelled"] == 0.5
    assert scores["proposals"]["unlabelled"] == [
        {"name": "ask_weather", "messages": ["is it warm", "is it cold"]}
    ]
    assert (scores["swallowed"], scores["stranded"]) == (1 / 8, 1 / 8)
    assert scores["swallowed_by"] == {"greet": 1}
    assert scores["draft_acc"] == 4 / 8
    assert scores["cluster_acc"] == 1.0
    assert scores["known_kept"] == 0.667
    assert (scores["left_over_precision"], scores["left_over_recall"]) == (0.0, 0.0)


def test_what_is_left_over_is_judged_where_something_should_be() -> None:
    new = [Placed(NEW, "refund", NEW, "ask_refund")] * 2 + [Placed(NEW, "refund", LEFT_OVER, None)]
    junk = [Placed(LEFT_OVER, None, LEFT_OVER, None)] * 2 + [Placed(LEFT_OVER, None, KNOWN, "greet")]

    scores, without = placement_scores([*new, *junk], 3), placement_scores(new, 3)

    assert (scores["left_over_precision"], scores["left_over_recall"]) == (0.667, 0.667)
    assert (without["left_over_precision"], without["left_over_recall"]) == (None, None)


def test_no_more_than_five_messages_of_an_unlabelled_proposal_are_listed() -> None:
    junk = [Placed(LEFT_OVER, None, NEW, "chat", 1, f"{letter} day") for letter in "abcdefg"]

    [listed] = placement_scores(junk, 3)["proposals"]["unlabelled"]

    assert listed == {"name": "chat", "messages": [f"{letter} day" for letter in "abcde"]}


def test_without_a_proposal_there_is_no_precision_and_an_f1_of_zero() -> None:
    scores = placement_scores([Placed(NEW, "refund", LEFT_OVER, None)] * 5, 5)

    assert (scores["found"], scores["precision"], scores["f1"], scores["effort"]) == (0.0, None, 0.0, None)


def test_a_message_in_no_cluster_is_wrong_and_its_cluster_no_intents() -> None:
    placed = [Placed(NEW, "refund", LEFT_OVER, None)] * 3 + [Placed(NEW, "invoice", LEFT_OVER, None)]

    assert placement_scores(placed, 3, clusters=np.array([-1, -1, 0, -1]))["cluster_acc"] == 1 / 4


PROPOSALS = Judged(
    right={"ask_refund": "refund", "get_money": "refund", "ask_invoice": "invoice"},
    unlabelled={"chat": ["nice day"]},
    wrong=["mixed"],
)


def test_what_a_bot_at_work_is_told_is_counted() -> None:
    heard = [
        *[Heard(NEW, "refund", "ask_refund"), Heard(NEW, "refund", "get_money")],
        *[Heard(NEW, "refund", "ask_invoice"), Heard(NEW, "invoice", None), Heard(NEW, "invoice", "chat")],
        *[Heard(NEW, "never_found", "ask_refund"), Heard(NEW, "never_found", None)],
        *[Heard(KNOWN, "greet", "mixed"), Heard(KNOWN, "greet", None)],
        *[Heard(LEFT_OVER, None, "chat"), Heard(LEFT_OVER, None, "mixed"), Heard(LEFT_OVER, None, None)],
    ]

    assert at_work_scores(heard, PROPOSALS) == {
        "messages": 12,
        "found": 5,
        "precision": 0.286,  # two right; two refunds and invoices, one of never_found, mixed twice
        "recall": 0.4,
        "right": 2,
        "other": 2,
        "none": 1,
        "wrong": {NEW: 3, KNOWN: 1, LEFT_OVER: 1},
        "unlabelled": 1,
    }


def test_where_nothing_is_told_there_is_no_precision() -> None:
    scores = at_work_scores([Heard(NEW, "refund", None)], PROPOSALS)

    assert (scores["precision"], scores["recall"]) == (None, 0.0)


def test_two_proposals_of_one_intent_are_counted_twice_and_one_is_matched() -> None:
    placed = [
        *[Placed(NEW, "refund", NEW, "ask_refund", 1)] * 3,
        *[Placed(NEW, "refund", NEW, "get_money", 1)] * 2,
    ]

    scores = placement_scores(placed, 5)

    assert (scores["found"], scores["effort"], scores["draft_acc"]) == (1.0, 2.0, 3 / 5)


@pytest.fixture
def two_bots(data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
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


@pytest.mark.slow  # three runs
def test_a_run_after_answers_stands_beside_the_one_without(two_bots: list[str], tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    arguments = [*two_bots, "--bots", "one", "--seeds", "0", "--answers", "0", "3", "--out", str(out)]

    assert bot.main(arguments) == 0

    found = runs_of(out)
    assert [(run["method"], run["answers"] <= 3) for run in found["runs"]] == [
        ("fast", True),
        ("fast + 3 answers", True),
    ]
    assert found["runs"][0]["answers"] == 0
    assert set(found["means"]) == {"fast", "fast + 3 answers"}


def test_a_person_who_knows_the_truth_answers() -> None:
    texts = ["refund me", "money back", "hi", "lol", "haha", "good day"]
    corpus = build_corpus(
        [KnownExample("hi", "greet"), KnownExample("haha", "out_of_scope")],
        [LoggedMessage(text) for text in texts if text not in ("hi", "haha")],
        DiscoveryConfig(),
    )
    truths = {
        **{text: Truth(NEW, "refund") for text in texts[:2]},
        "lol": Truth(LEFT_OVER, None),
        "good day": Truth(KNOWN, "greet"),
    }

    def asked(text: str, *choices: str) -> Answer:
        rows = [corpus.texts.index(one) for one in (text, *choices)]
        [answer] = answered([Question(rows[0], tuple(rows[1:]))], corpus, truths)
        return answer

    assert asked("refund me", "money back", "hi") == Answer("refund me", ("money back",), ("hi",))
    assert asked("good day", "hi", "lol") == Answer("good day", ("hi",), ("lol",))
    assert asked("lol", "haha", "hi") == Answer("lol", ("haha",), ("hi",)), "nothing that the bot does"


@pytest.mark.slow
def test_a_suite_is_run_into_one_file_and_resumed(
    two_bots: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "results.json"
    assert bot.main([*two_bots, "--bots", "one", "--out", str(out)]) == 0
    first = runs_of(out)
    assert [(run["bot"], run["seed"]) for run in first["runs"]] == [("one", 0), ("one", 1)]
    assert first["means"]["fast"]["all"].keys() == set(suite.HEADLINE)

    assert bot.main([*two_bots, "--out", str(out)]) == 0

    both = runs_of(out)
    assert [(run["bot"], run["seed"]) for run in both["runs"]] == [
        ("one", 0), ("two", 0), ("one", 1), ("two", 1),
    ]  # fmt: skip
    assert [run for run in both["runs"] if run["bot"] == "one"] == first["runs"]
    assert "fast          two" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="made otherwise .--at-work, --second-runs."):
        bot.main([*two_bots, "--out", str(out), "--at-work"])
    with pytest.raises(SystemExit, match=r"otherwise \(one: changed \{\} there, \{'seedings': 3\} now\)"):
        bot.main([*two_bots, "--out", str(out), "--set", "seedings=3"])
    monkeypatch.setattr(suite, "commit", lambda: "another")
    with pytest.raises(SystemExit, match="holds runs of another commit"):
        bot.main([*two_bots, "--out", str(out)])


def fails_on_two(job: suite.Job) -> dict[str, Any]:
    if job.bot.name == "two":
        raise SystemExit("BERTopic is not there")
    figures = dict.fromkeys(suite.HEADLINE, 0.5)
    return {
        "bot": job.bot.name,
        "seed": job.seed,
        "method": job.method,
        "changed": {},
        "encoder": "e",
        **figures,
    }


def test_a_run_that_fails_does_not_stop_the_others(tmp_path: Path) -> None:
    jobs = [
        suite.Job(SuiteBot(name, name, Recipe()), seed, "fast", tmp_path, "e", None)
        for name in ("two", "one")
        for seed in (0, 1)
    ]
    out = tmp_path / "results.json"
    with pytest.raises(
        SystemExit, match=r"failed, see above: two \(seed \d, fast\), two .* holds the others"
    ):
        suite.run_suite(jobs, out, 1, fails_on_two)
    assert [(run["bot"], run["seed"]) for run in runs_of(out)["runs"]] == [("one", 0), ("one", 1)]


@pytest.mark.slow
def test_what_was_learnt_is_kept_and_gives_the_same(two_bots: list[str], tmp_path: Path) -> None:
    for name in ("first", "again"):
        bot.main(
            [*two_bots, "--bots", "one", "--states", str(tmp_path / "states"), "--out", str(tmp_path / name)]
        )

    first, again = (
        [{**run, "seconds": None} for run in runs_of(tmp_path / name)["runs"]] for name in ("first", "again")
    )
    assert first == again
    assert list((tmp_path / "states").glob("learned_*.pt"))


@pytest.mark.slow
def test_messages_are_kept_back_and_heard_after_the_run(
    two_bots: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot.main([*two_bots, "--bots", "one", "--out", str(tmp_path / "out.json"), "--at-work"])

    found = runs_of(tmp_path / "out.json")
    for run in found["runs"]:
        assert run["messages"] + run["at_work"]["messages"] == 3 * 10 + 6 * 3 + 3
        assert run["at_work"]["messages"] == 10
    assert found["at_work"]["fast"].keys() == {"all", "one"}
    assert found["at_work"]["fast"]["one"].keys() == set(suite.AT_WORK)
    assert "recall" in capsys.readouterr().out


@pytest.mark.slow
def test_a_part_of_the_messages_is_logged(two_bots: list[str], tmp_path: Path) -> None:
    part = ["--bots", "one", "--seeds", "0", "--log-share", "0.5"]
    bot.main([*two_bots, *part, "--out", str(tmp_path / "out.json")])

    [run] = runs_of(tmp_path / "out.json")["runs"]
    assert run["method"] == "fast, 0.5 of the log"
    assert run["messages"] == (3 * 10 + 7 * 3) // 2


@pytest.mark.slow  # two runs, and an `apply` between them
def test_the_log_is_run_again_after_its_drafts_were_applied(
    two_bots: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    bot.main([*two_bots, "--bots", "one", "--seeds", "0", "--out", str(out), "--second-runs"])

    found = runs_of(out)
    [run] = found["runs"]
    second = run["second_run"]
    hidden, sure = 3 * 10, 9  # all that were hidden, and what is sure of the intents that the bot has
    assert (second["intents"], second["added"], second["hidden"]) == (3, hidden + sure, 0)
    assert found["second_run"]["fast"].keys() == {"all", "one"}
    assert found["second_run"]["fast"]["one"].keys() == set(suite.SECOND_RUN)
    assert "known_stay" in capsys.readouterr().out
    with pytest.raises(SystemExit, match=r"made otherwise \(--at-work, --second-runs\)"):
        bot.main([*two_bots, "--bots", "one", "--out", str(out)])


@pytest.mark.slow
def test_part_of_the_messages_comes_after_the_first_run(two_bots: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    week = ["--bots", "one", "--seeds", "0", "--second-runs", "--undecided", "--later-share", "0.5"]
    bot.main([*two_bots, *week, "--out", str(out)])

    [run] = runs_of(out)["runs"]
    assert run["method"] == "fast + all undecided, 0.5 later"
    assert run["messages"] == (3 * 10 + 7 * 3) // 2, "of the first run"
    assert run["second_run"]["came_kept"] is not None


@pytest.mark.parametrize("what", [["--later-share", "0.5"], ["--undecided"]])
def test_how_a_second_run_is_made_is_of_second_runs(
    two_bots: list[str], tmp_path: Path, what: list[str]
) -> None:
    with pytest.raises(SystemExit, match="--later-share and --undecided are of --second-runs"):
        bot.main([*two_bots, *what, "--out", str(tmp_path / "out.json")])


@pytest.mark.parametrize("more", [["--answers", "25"], ["--methods", "trial_ward"]])
def test_second_runs_are_of_presets_without_answers(
    two_bots: list[str], tmp_path: Path, more: list[str]
) -> None:
    with pytest.raises(SystemExit, match="--second-runs is of presets, without --checkout and --answers"):
        bot.main([*two_bots, "--second-runs", *more, "--out", str(tmp_path / "out.json")])


@pytest.mark.slow
def test_methods_of_comparison_stand_in_the_same_table(
    two_bots: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    methods = ["--methods", "trial_linkage", "trial_ward"]
    bot.main([*two_bots, *methods, "--bots", "one", "--out", str(tmp_path / "out.json")])

    found = runs_of(tmp_path / "out.json")
    assert [(run["method"], run["seed"]) for run in found["runs"]] == [
        (method, seed) for method in methods[1:] for seed in (0, 1)
    ]
    for run in found["runs"]:
        assert run["messages"] == 3 * 10 + 7 * 3
        assert run["proposals"]["hidden"] == 3
        assert list(run["seconds"]) == [run["method"]]
    assert "trial_ward    one" in capsys.readouterr().out


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Another version: its command drafts every message as `wish`, and fails on a bot without a log."""
    folder = tmp_path / "checkout"
    (folder / "rasa_intent_discovery").mkdir(parents=True)
    (folder / "rasa_intent_discovery" / "__init__.py").touch()
    (folder / "rasa_intent_discovery" / "__main__.py").write_text(
        "import json, pathlib, sys\n"
        "texts = sorted(set(pathlib.Path('logs/messages.txt').read_text().splitlines()))\n"
        "out = pathlib.Path('intent_drafts')\n"
        "out.mkdir()\n"
        "rows = [json.dumps({'text': text, 'placement': 'new', 'intent': 'wish'}) for text in texts]\n"
        "(out / 'assignments.jsonl').write_text('\\n'.join(rows))\n"
        "(out / 'run.json').write_text(json.dumps({'estimate': {'k': 7}}))\n"
        "sys.exit(sys.argv[1:3] != ['--preset', 'default'] and 'no such preset')\n",
        encoding="utf-8",
    )
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "old"]):
        identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
        subprocess.run(["git", "-C", str(folder), *identity, *command], check=True)
    return folder


@pytest.mark.slow
def test_another_version_stands_in_the_same_table(
    two_bots: list[str], checkout: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.json"
    bot.main([*two_bots, "--bots", "one", "--checkout", str(checkout), "--out", str(out)])

    found = runs_of(out)
    assert [(run["method"], run["seed"]) for run in found["runs"]] == [
        (commit_of(checkout), seed) for seed in (0, 1)
    ]
    for run in found["runs"]:
        assert (run["proposals"]["proposed"], run["stranded"], run["estimate"]) == (1, 0.0, {"k": 7})
        assert run["cluster_acc"] is None


def test_another_version_that_fails_says_what_it_said(checkout: Path) -> None:
    with pytest.raises(SystemExit, match="--preset fast .* failed:\n.*no such preset"):
        drafted_by(checkout, Bot((), ()), DiscoveryConfig.from_preset("fast"))


@pytest.mark.slow
def test_what_is_compared_in_another_environment_asks_for_it(two_bots: list[str], tmp_path: Path) -> None:
    nowhere = ["--bench-python", str(tmp_path / "python"), "--out", str(tmp_path / "out.json")]

    with pytest.raises(SystemExit, match="there is no Python for hdbscan; `make bench-env` installs one"):
        bot.main([*two_bots, "--methods", "hdbscan", *nowhere])


def test_goals_that_are_missed_are_told() -> None:
    figures = {"found": 0.0, "precision": 0.9, "effort": 1.31, "swallowed": 0.1, "left_over_recall": None}
    least = {"found": 0.9, "precision": 0.9, "left_over_recall": 0.8}

    assert suite.missed(figures, least, {"effort": 1.3, "swallowed": 0.1}) == [
        "found 0.0 of at least 0.9",
        "effort 1.31 of at most 1.3",
    ]


def test_the_mean_over_bots_is_of_the_means_of_each() -> None:
    rows = [
        {"bot": name, "seed": seed, "method": "fast", **dict.fromkeys(suite.HEADLINE), "found": found}
        for name, seed, found in (("one", 0, 1.0), ("one", 1, 0.5), ("two", 0, 0.25))
    ]

    means = suite.means(rows)["means"]["fast"]

    assert (means["one"]["found"], means["two"]["found"], means["all"]["found"]) == (0.75, 0.25, 0.5)
    assert means["all"]["effort"] is None


def test_the_mean_over_bots_is_rounded_once() -> None:
    rows = [
        {"bot": name, "seed": 0, "method": "fast", **dict.fromkeys(suite.HEADLINE), "found": found}
        for name, found in (("one", 0.1234), ("two", 0.1234), ("three", 0.1239))
    ]

    means = suite.means(rows)["means"]["fast"]

    # Of 0.123, 0.123 and 0.124, the mean would be 0.123.
    assert (means["one"]["found"], means["three"]["found"], means["all"]["found"]) == (0.123, 0.124, 0.124)


def test_a_bot_that_is_not_english_needs_the_second_encoder(tmp_path: Path) -> None:
    [german] = [one for one in SUITE if one.multilingual]

    with pytest.raises(SystemExit, match="robo_de is not English: give a multilingual encoder"):
        bot.main(["run", "--data-dir", str(tmp_path), "--bots", german.name, "--out", str(tmp_path / "out")])
