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
import logging
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

os.environ.setdefault("USE_TF", "0")

import numpy as np
import torch

from benchmarks.bots import (
    EXAMPLE_BOT,
    SUITE,
    Bot,
    Recipe,
    SuiteBot,
    gold_key,
    make_bot,
    read_example_bot,
    read_gold,
    write_bot,
)
from benchmarks.provenance import ROOT, commit
from benchmarks.scores import PLACEMENTS, Placed, placement_scores
from benchmarks.states import kept_learned
from rasa_intent_discovery.config import PRESETS, DiscoveryConfig

logger = logging.getLogger("benchmarks")

#: The figures that stand first in what is published; their mean over bots and seeds is written with the runs.
HEADLINE = (
    *("found", "precision", "effort", "swallowed", "stranded", "draft_acc", "cluster_acc", "known_kept"),
    "unlabelled",
)


@dataclass(frozen=True)
class Job:
    """One run: a bot of the suite, a seed, and a preset.

    Attributes:
        data: the folder of the data sets.
        encoder: a name or path; states: as `kept_learned` takes it.
        changed: settings beside those of the preset.
    """

    bot: SuiteBot
    seed: int
    method: str
    data: Path
    encoder: str
    states: Path | None
    changed: tuple[tuple[str, Any], ...] = ()

    @property
    def key(self) -> tuple[str, int, str]:
        """What tells it from the others of a file."""
        return self.bot.name, self.seed, self.method


def made(bot: SuiteBot, data: Path, seed: int) -> Bot:
    """A bot of the suite; the example bot is the same for every seed."""
    if bot.name == EXAMPLE_BOT:
        return read_example_bot(ROOT / EXAMPLE_BOT)
    return make_bot(data / bot.data, bot.recipe, seed)


def measured(job: Job) -> dict[str, Any]:
    """Makes the bot, discovers, and scores the placements."""
    from rasa_intent_discovery.corpus.personal_data import without_placeholders
    from rasa_intent_discovery.discover import LearnedCorpus, interpret
    from rasa_intent_discovery.proposals.words import WordStatistics

    bot = made(job.bot, job.data, job.seed)
    config = DiscoveryConfig.from_preset(job.method, encoder=job.encoder, seed=job.seed, **dict(job.changed))
    corpus = bot.corpus(config)
    statistics = WordStatistics(corpus)
    rows = np.flatnonzero(statistics.familiar)
    texts = [without_placeholders(corpus.texts[row]) for row in rows]
    learned = kept_learned(texts, corpus.labels[rows], config, job.states)
    discovery = interpret(LearnedCorpus(corpus, statistics, rows, learned), config)
    truths = bot.truths()
    cluster = np.full(len(corpus.texts), -1)
    cluster[rows] = learned.clustering.assignments
    logged = [
        row
        for row in range(len(corpus.texts))
        if corpus.counts[row] and gold_key(corpus.texts[row]) in truths
    ]
    placed = []
    for row in logged:
        truth, place = truths[gold_key(corpus.texts[row])], discovery.placements[row]
        placed.append(
            Placed(truth.placement, truth.intent, place.placement, place.intent, int(corpus.counts[row]))
        )
    scores = placement_scores(placed, config.min_messages, clusters=cluster[logged])
    return {
        **dict(zip(("bot", "seed", "method"), job.key, strict=True)),
        "encoder": Path(job.encoder).name,
        "changed": dict(job.changed),
        "known": len(corpus.intents),
        "examples": int(corpus.labeled.sum()),
        **scores,
        "threads": torch.get_num_threads(),
        "dtype": str(learned.encoder.autocast_dtype).removeprefix("torch."),
        "estimate": None if learned.estimate is None else vars(learned.estimate),
        "new_range": list(discovery.new_range),
        "seconds": {stage: round(value, 2) for stage, value in discovery.seconds.items()},
    }


def run_suite(jobs: Sequence[Job], out: Path, at_once: int) -> dict[str, Any]:
    """Runs what is not in the file yet, and writes the file after each."""
    found = json.loads(out.read_text(encoding="utf-8"))["runs"] if out.exists() else []
    now = commit()
    for run in found:
        if run["commit"] != now:
            raise SystemExit(f"{out} holds runs of another commit ({run['commit']}): give another --out")
    done = {(run["bot"], run["seed"], run["method"]) for run in found}
    waiting = [job for job in jobs if job.key not in done]
    result: dict[str, Any] = {"runs": found, **means(found)}
    # A forked process would hang in torch where this one has run torch's threads.
    with ProcessPoolExecutor(at_once, get_context("spawn"), _log_to_stderr) as pool:
        for future in as_completed([pool.submit(measured, job) for job in waiting]):
            found.append({**future.result(), "commit": now})
            result = {"runs": sorted(found, key=_order), **means(found)}
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
            logger.info("%s", {name: found[-1][name] for name in ("bot", "seed", "method", *HEADLINE)})
    return result


def _log_to_stderr() -> None:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)


def _order(run: dict[str, Any]) -> tuple[str, int, str]:
    return run["method"], run["seed"], run["bot"]


def means(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The headline figures of each method: each bot's mean over its seeds, and the mean over the bots."""
    found: dict[str, Any] = {}
    for method in sorted({run["method"] for run in runs}):
        of_bots = {
            bot: _mean([run for run in runs if (run["method"], run["bot"]) == (method, bot)])
            for bot in sorted({run["bot"] for run in runs if run["method"] == method})
        }
        found[method] = {"all": _mean(list(of_bots.values())), **of_bots}
    return {"means": found}


def _mean(rows: Sequence[dict[str, Any]]) -> dict[str, float | None]:
    values = {name: [row[name] for row in rows if row[name] is not None] for name in HEADLINE}
    return {name: round(float(np.mean(of)), 3) if of else None for name, of in values.items()}


def score(drafts: Path, gold_path: Path, least: int) -> dict[str, Any]:
    """Scores a folder of drafts against the truth, as `placement_scores` does.

    Returns:
        its scores, and as `run` how the drafts were made and at which `commit` they are scored.
    """
    gold = read_gold(gold_path)
    placed = []
    for line in map(json.loads, (drafts / "assignments.jsonl").read_text(encoding="utf-8").splitlines()):
        truth = gold.get(gold_key(line["text"]))
        if truth is not None and truth.placement in PLACEMENTS:
            placed.append(
                Placed(truth.placement, truth.intent, line["placement"], line["intent"], line["count"])
            )
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
    suite.add_argument("--methods", nargs="+", choices=tuple(PRESETS), default=["default"])
    suite.add_argument("--second-encoder", help="a multilingual one, for the bots that are not English")
    suite.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="settings to try (JSON)")
    suite.add_argument("--states", type=Path, help="what is learnt is kept here (default: beside --out)")
    suite.add_argument("--jobs", type=int, default=1, help="runs at once; each takes OMP_NUM_THREADS")
    suite.add_argument("--out", type=Path, required=True)
    scored = commands.add_parser("score", help="a folder of drafts against the truth")
    scored.add_argument("--drafts", type=Path, required=True)
    scored.add_argument("--gold", type=Path, required=True)
    scored.add_argument("--min-messages", type=int, default=5)
    arguments = parser.parse_args(argv)
    _log_to_stderr()
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
    return [
        Job(
            bot,
            seed,
            method,
            arguments.data_dir,
            bot.encoder(arguments.second_encoder),
            states,
            tuple(changed.items()),
        )
        for seed, method, bot in product(arguments.seeds, arguments.methods, bots)
    ]


def _print_means(result: dict[str, Any]) -> None:
    for method, bots in result["means"].items():
        for bot, figures in bots.items():
            cells = "  ".join(f"{name} {'-' if value is None else value}" for name, value in figures.items())
            sys.stdout.write(f"{method:10} {bot:12} {cells}\n")


if __name__ == "__main__":
    sys.exit(main())
