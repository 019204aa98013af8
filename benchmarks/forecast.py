"""Whether `rasa discover-intents backtest` foretells what a discovery then finds.

    python -m benchmarks.forecast --data-dir DATA --seeds 10 11 --preset fast --out results.json

Each bot of the suite is backtested as it is, with its examples and its log; then the discovery runs on it,
and finds what it finds of the intents that the suite had hidden. The two know nothing of each other.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Sequence
from itertools import product
from math import isfinite
from pathlib import Path
from typing import Any

from benchmarks.bots import SUITE
from benchmarks.provenance import commit
from benchmarks.states import kept_corpus
from benchmarks.suite import Job, made, measured
from rasa_intent_discovery.backtest import backtest
from rasa_intent_discovery.backtest_figures import Forecast
from rasa_intent_discovery.config import PRESETS, DiscoveryConfig
from rasa_intent_discovery.datatypes import Corpus, LoggedMessage
from rasa_intent_discovery.result import Discovery
from rasa_intent_discovery.stages import interpret

logger = logging.getLogger("benchmarks")

#: Figure -> how far a forecast may be from what happens.
CLOSE = {"found": 0.15, "effort": 0.5}
FIGURES = ("found", "effort", "precision", "swallowed")


def forecast(job: Job, rounds: int | None) -> dict[str, Any]:
    """What the backtest says: each of `FIGURES` as a list of all rounds', the lowest and the highest."""
    bot = made(job.bot, job.data, job.seed)
    config = DiscoveryConfig.from_preset(job.method, encoder=job.encoder, seed=job.seed)
    logged = [LoggedMessage(text) for text, _ in bot.log]
    result = backtest(
        bot.examples, logged, [config], rounds, run=lambda *given: kept_discovery(*given, job.states)
    )
    [done] = result.rounds.values()
    told = Forecast.of(done)
    figures = {name: getattr(told, name) for name in FIGURES}
    return {
        "rounds": len(done),
        "hidden": sum(len(one.hidden) for one in done),
        **{
            name: figure and [_told(value) for value in (figure.value, figure.low, figure.high)]
            for name, figure in figures.items()
        },
    }


def _told(value: float) -> float | None:
    """A figure for JSON, which has no infinite ones."""
    return round(value, 3) if isfinite(value) else None


def kept_discovery(corpus: Corpus, config: DiscoveryConfig, states: Path | None) -> Discovery:
    """As `discover`, with what was learnt kept as `kept_learned` does."""
    return interpret(kept_corpus(corpus, config, states), config)


def run(jobs: Sequence[Job], rounds: int | None, out: Path) -> list[dict[str, Any]]:
    """Runs what is not in the file yet, and writes the file after each.

    Raises:
        SystemExit: the file holds runs of another commit, another encoder or other rounds.
    """
    encoders = {job.bot.name: Path(job.encoder).name for job in jobs}
    found = json.loads(out.read_text(encoding="utf-8"))["runs"] if out.exists() else []
    now = commit()
    for one in found:
        if one["commit"] != now:
            raise SystemExit(f"{out} holds runs of another commit ({one['commit']}): give another --out")
        encoder = one.get("encoder", encoders.get(one["bot"]))  # files of before do not tell
        if one.get("asked_rounds") != rounds or encoder != encoders.get(one["bot"], encoder):
            raise SystemExit(f"{out} holds runs of other --rounds or another encoder: give another --out")
    done = {(one["bot"], one["seed"], one["preset"]) for one in found}
    for job in jobs:
        if job.key in done:
            continue
        then = measured(job)
        found.append(
            {
                **dict(zip(("bot", "seed", "preset"), job.key, strict=True)),
                "forecast": forecast(job, rounds),
                "happened": {"hidden": then["proposals"]["hidden"], **{name: then[name] for name in FIGURES}},
                "encoder": encoders[job.bot.name],
                "asked_rounds": rounds,
                "commit": now,
            }
        )
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps({"runs": found, "close": close(found)}, indent=1) + "\n", encoding="utf-8")
        logger.info("%s", line(found[-1]))
    return found


def close(runs: Sequence[dict[str, Any]]) -> dict[str, dict[str, str]]:
    """Preset and seed -> of how many bots each figure of `CLOSE` was foretold (`6 of 7`)."""
    counted: dict[str, dict[str, str]] = {}
    for preset, seed in sorted({(run["preset"], run["seed"]) for run in runs}):
        of = [run for run in runs if (run["preset"], run["seed"]) == (preset, seed)]
        counted[f"{preset} {seed}"] = {
            name: f"{sum(is_close(run, name) for run in of)} of {len(of)}" for name in CLOSE
        }
    return counted


def is_close(run: dict[str, Any], name: str) -> bool:
    """Whether a figure was foretold; where nothing is found there is no effort, and both have to say so."""
    told, then = run["forecast"][name], run["happened"][name]
    if told is None or then is None:
        return told is then
    # A few more digits than the figures have: 0.15 is close, though 0.9 - 0.75 is more in floats.
    return abs(round(told[0] - then, 6)) <= CLOSE[name]


def line(run: dict[str, Any]) -> str:
    """`fast 10 hwu64: found 0.9 (0.8 to 1.0) forecast, 0.947 happened; effort ...`."""
    cells = []
    for name in FIGURES:
        told = run["forecast"][name]
        shown = "-" if told is None else f"{told[0]} ({told[1]} to {told[2]})"
        cells.append(f"{name} {shown} forecast, {run['happened'][name]} happened")
    return f"{run['preset']} {run['seed']} {run['bot']}: {'; '.join(cells)}"


def main(argv: list[str] | None = None) -> int:
    """Runs the program; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.forecast", description=__doc__)
    parser.add_argument("--data-dir", type=Path, required=True, help="the folder of all data sets")
    names = [bot.name for bot in SUITE]
    parser.add_argument("--bots", nargs="+", choices=names, metavar="BOT", default=names)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--preset", nargs="+", choices=tuple(PRESETS), default=["default"])
    parser.add_argument("--rounds", type=int, help="of each backtest (default: as in the command)")
    parser.add_argument("--second-encoder", help="a multilingual one, for the bots that are not English")
    parser.add_argument("--states", type=Path, help="what is learnt is kept here (default: beside --out)")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    states = given.states or given.out.parent / "states"
    jobs = [
        Job(bot, seed, preset, given.data_dir, bot.encoder(given.second_encoder), states)
        for seed, preset, bot in product(given.seeds, given.preset, SUITE)
        if bot.name in given.bots
    ]
    runs = run(jobs, given.rounds, given.out)
    for one in runs:
        sys.stdout.write(line(one) + "\n")
    for which, counted in close(runs).items():
        sys.stdout.write(
            f"{which}: found within {CLOSE['found']} on {counted['found']} bots, "
            f"effort within {CLOSE['effort']} on {counted['effort']}\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
