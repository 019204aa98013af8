"""Measures what people get: the drafts of bots of which some intents were hidden.

    python -m benchmarks.bot run --data-dir DATA --seeds 10 11 --methods default fast --out results.json
    python -m benchmarks.bot make --data-dir DATA/hwu64 --out BOT      # one such bot, for the command
    cd BOT && rasa discover-intents
    python -m benchmarks.bot score --drafts BOT/intent_drafts --gold BOT/gold.tsv

`make` hides intents: their examples are in the log. gold.tsv says of every logged text what it is
(`text<TAB>placement<TAB>intent`). `run` makes, runs and scores many bots without writing any; the number of
intents is always estimated.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from itertools import product
from pathlib import Path
from typing import Any

os.environ.setdefault("USE_TF", "0")

from benchmarks.bots import SUITE, Recipe, gold_key, make_bot, read_assignments, read_gold, write_bot
from benchmarks.checkout import commit_of
from benchmarks.methods import METHODS
from benchmarks.methods.elsewhere import BENCH_PYTHON
from benchmarks.provenance import commit
from benchmarks.scores import PLACEMENTS, Placed, placement_scores
from benchmarks.suite import (
    AT_LEAST,
    AT_MOST,
    AT_WORK_AT_LEAST,
    Job,
    log_to_stderr,
    missed,
    run_suite,
)
from rasa_intent_discovery.config import PRESETS


def score(drafts: Path, gold_path: Path, least: int) -> dict[str, Any]:
    """Scores a folder of drafts against the truth, as `placement_scores` does.

    Returns:
        its scores, and as `run` how the drafts were made and at which `commit` they are scored.
    """
    gold = read_gold(gold_path)
    placed = []
    for line in read_assignments(drafts):
        truth = gold.get(gold_key(line["text"]))
        if truth is not None and truth.placement in PLACEMENTS:
            said = (line["placement"], line["intent"], line["count"], line["text"])
            placed.append(Placed(truth.placement, truth.intent, *said))
    return {**placement_scores(placed, least), "run": _how_made(drafts)}


def _how_made(drafts: Path) -> dict[str, Any]:
    """What `run.json` says of a run that its scores depend on."""
    path = drafts / "run.json"
    run = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    settings = {name: run.get("settings", {}).get(name) for name in ("preset", "encoder", "seed")}
    parts = {name: run.get(name) for name in ("versions", "read", "estimate", "seconds")}
    return {"commit": commit(), **settings, **parts}


def main(argv: list[str] | None = None) -> int:
    """Runs the program; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bot", description=__doc__)
    commands = parser.add_subparsers(required=True, dest="command")
    make = commands.add_parser("make", help="a bot and its log from a data set")
    make.add_argument("--data-dir", type=Path, required=True, help="holds train.tsv, and perhaps log.tsv")
    make.add_argument("--out", type=Path, required=True)
    make.add_argument("--hide", type=float, default=Recipe.hide, help="share of the intents")
    make.add_argument("--examples-per-intent", type=int, help="that stay; the others are logged")
    make.add_argument("--long-tail", type=float, metavar="R", help="largest intent in the log / smallest")
    make.add_argument("--noise", help="a file beside train.tsv whose lines are logged, and out of scope")
    make.add_argument("--seed", type=int, default=0)
    suite = commands.add_parser("run", help="the bots of the suite, made, run and scored")
    suite.add_argument("--data-dir", type=Path, required=True, help="the folder of all data sets")
    suite.add_argument("--bots", nargs="+", choices=[bot.name for bot in SUITE], metavar="BOT", default=None)
    suite.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    suite.add_argument("--methods", nargs="+", choices=(*PRESETS, *METHODS), default=["default"])
    suite.add_argument("--second-encoder", help="a multilingual one, for the bots that are not English")
    suite.add_argument(
        "--at-work", action="store_true", help="keep a fifth of the log from the run, and hear it afterwards"
    )
    suite.add_argument(
        "--second-runs",
        action="store_true",
        help="review and apply the drafts by the truth, and run the same log again",
    )
    suite.add_argument(
        "--undecided",
        action="store_true",
        help="with --second-runs: go through all further examples, not only those that are sure",
    )
    suite.add_argument(
        "--later-share",
        type=float,
        default=0.0,
        metavar="0..1",
        help="with --second-runs: part of the messages that is logged only after the first run",
    )
    suite.add_argument(
        "--answers", type=int, nargs="+", default=[0], metavar="N", help="questions that are answered before"
    )
    suite.add_argument(
        "--log-share",
        type=float,
        default=1.0,
        metavar="0..1",
        help="part of the messages that is logged: a small log beside many examples",
    )
    suite.add_argument(
        "--checkout", type=Path, help="of another version: run its command instead, with its default preset"
    )
    suite.add_argument("--bench-python", type=Path, default=BENCH_PYTHON, help="of `make bench-env`")
    suite.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="settings to try (JSON)")
    suite.add_argument("--states", type=Path, help="what is learnt is kept here (default: beside --out)")
    suite.add_argument("--jobs", type=int, default=1, help="runs at once; each takes OMP_NUM_THREADS")
    suite.add_argument("--out", type=Path, required=True)
    scored = commands.add_parser("score", help="a folder of drafts against the truth")
    scored.add_argument("--drafts", type=Path, required=True)
    scored.add_argument("--gold", type=Path, required=True)
    scored.add_argument("--min-messages", type=int, default=5)
    arguments = parser.parse_args(argv)
    log_to_stderr()
    if arguments.command == "make":
        recipe = Recipe(arguments.hide, arguments.examples_per_intent, arguments.long_tail, arguments.noise)
        write_bot(make_bot(arguments.data_dir, recipe, arguments.seed), arguments.out)
    elif arguments.command == "run":
        _print_means(run_suite(_jobs(arguments), arguments.out, arguments.jobs))
    else:
        result = score(arguments.drafts, arguments.gold, arguments.min_messages)
        sys.stdout.write(json.dumps(result, indent=1) + "\n")
    return 0


def _jobs(arguments: argparse.Namespace) -> list[Job]:
    bots = [bot for bot in SUITE if arguments.bots is None or bot.name in arguments.bots]
    changed = {name: json.loads(value) for name, value in (item.split("=", 1) for item in arguments.set)}
    states = arguments.states or arguments.out.parent / "states"
    checkout = arguments.checkout
    methods = arguments.methods if checkout is None else [commit_of(checkout)]
    if arguments.second_runs and (any(arguments.answers) or not PRESETS.keys() >= set(methods)):
        raise SystemExit("--second-runs is of presets, without --checkout and --answers")
    if (arguments.later_share or arguments.undecided) and not arguments.second_runs:
        raise SystemExit("--later-share and --undecided are of --second-runs")
    return [
        Job(
            bot,
            seed,
            method,
            arguments.data_dir,
            bot.encoder(arguments.second_encoder),
            states,
            tuple(changed.items()),
            arguments.bench_python,
            arguments.at_work,
            checkout,
            answers,
            arguments.second_runs,
            arguments.log_share,
            arguments.later_share,
            arguments.undecided,
        )
        for answers, seed, method, bot in product(arguments.answers, arguments.seeds, methods, bots)
    ]


def _print_means(result: dict[str, Any]) -> None:
    parts = (("means", AT_LEAST, AT_MOST), ("at_work", AT_WORK_AT_LEAST, {}), ("second_run", {}, {}))
    for part, least, most in parts:
        for method, bots in result.get(part, {}).items():
            for bot, figures in bots.items():
                told = (f"{name} {'-' if value is None else value}" for name, value in figures.items())
                sys.stdout.write(f"{method:13} {bot:12} {'  '.join(told)}\n")
            if least:
                goals = ", ".join(missed(bots["all"], least, most)) or "no goal"
                sys.stdout.write(f"{method:13} misses {goals}\n")


if __name__ == "__main__":
    sys.exit(main())
