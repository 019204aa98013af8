"""What a run takes as logs grow: time by stage, memory, and whether its answers stay as good.

    python -m benchmarks.growth --data-dir DATA --sizes 10000 100000 1000000 --preset fast --out results.json

DATA holds train.tsv (`text<TAB>label`, with a header line). The logs are made of it as
`benchmarks.large_logs` says, and a smaller one is the beginning of a larger one. Every run is the command in
a process of its own, from the files of the bot to the folder of drafts, and its peak memory is that of this
process. A call that is interrupted goes on with the runs that are missing in the file.

The floor is one pass of the encoder over all distinct messages; it is measured beside every run, on at most
some thousand of them, of which each takes as long as those of the whole log. `exponent` is the slope of a
straight line through the logarithms of sizes and seconds: 1 where time grows as the log does.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import shutil
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from typing import Any

os.environ.setdefault("USE_TF", "0")

import numpy as np

from benchmarks.bots import gold_key, make_bot, read_assignments, read_gold
from benchmarks.large_logs import RECIPE, write_large_bot
from benchmarks.provenance import commit
from benchmarks.scores import PLACEMENTS, Placed, placement_scores
from rasa_intent_discovery.config import PRESETS, DiscoveryConfig
from rasa_intent_discovery.learning.loading import load_encoder

logger = logging.getLogger("benchmarks")

#: Scores that are told, of all messages and of those that every log has.
QUALITY = ("draft_acc", "found", "precision", "effort", "known_kept", "swallowed", "stranded")
_FLOOR_MESSAGES = 5000
_WARM_UP = 256


def measure(bot: Path, preset: str, seed: int, alike: int) -> dict[str, Any]:
    """One run of a bot in a folder: seconds, memory and quality.

    Args:
        alike: the first messages of the log, so many, are scored by themselves, too.
    """
    before = _floor(bot, preset)
    seconds, busy, peak = _run(bot, preset, seed)
    floor = (before + _floor(bot, preset)) / 2
    drafts = bot / f"drafts_{preset}"
    record = json.loads((drafts / "run.json").read_text(encoding="utf-8"))
    distinct = record["read"]["distinct_messages"]
    stages = dict(record["seconds"])
    stages["everything else"] = round(seconds - sum(stages.values()), 2)
    placed = _placed(bot, drafts)
    return {
        "preset": preset,
        "seed": seed,
        "messages": distinct,
        "sample": record["read"].get("sample"),
        "seconds": round(seconds, 1),
        "cpu_seconds": round(busy, 1),
        "stages": stages,
        "floor_seconds": round(float(floor[0]) * distinct, 1),
        "floor_cpu_seconds": round(float(floor[1]) * distinct, 1),
        "multiple_of_floor": round(seconds / (float(floor[0]) * distinct), 2),
        "multiple_of_cpu_floor": round(busy / (float(floor[1]) * distinct), 2),
        "peak_rss_mb": peak,
        "quality": _quality(placed),
        "quality_of_the_same": _quality(placed[:alike]),
        "megabytes_of_drafts": {
            name: round((drafts / name).stat().st_size / 1e6, 1)
            for name in ("assignments.jsonl", "report.html", "map.json", "vectors.npz")
            if (drafts / name).exists()
        },
        "commit": commit(),
    }


def _floor(bot: Path, preset: str) -> np.ndarray:
    """(2,) seconds, and seconds of all threads, that a message takes in one pass of the encoder."""
    encoder = load_encoder(DiscoveryConfig.from_preset(preset, trained_layers=0, dense=False))
    with (bot / "gold.tsv").open(encoding="utf-8") as gold:
        texts = [line.partition("\t")[0] for line in islice(gold, 1, 1 + _FLOOR_MESSAGES)]
    encoder.read(texts[:_WARM_UP])
    start = np.array([time.perf_counter(), time.process_time()])
    encoder.read(texts)
    return (np.array([time.perf_counter(), time.process_time()]) - start) / len(texts)


def _run(bot: Path, preset: str, seed: int) -> tuple[float, float, int]:
    """The seconds of the command, those of all its threads, and the most memory it had, in megabytes.

    Nothing is there of an earlier run.
    """
    for folder in (".rasa", f"drafts_{preset}"):
        shutil.rmtree(bot / folder, ignore_errors=True)
    options = ["--preset", preset, "--seed", str(seed), "--out", f"drafts_{preset}", "--quiet"]
    command = [sys.executable, "-m", "rasa_intent_discovery", *options]
    start = time.perf_counter()
    program = subprocess.Popen(command, cwd=bot, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(program.pid, 0)
    if status:
        raise SystemExit(f"the run of {bot} failed (exit status {os.waitstatus_to_exitcode(status)})")
    seconds = time.perf_counter() - start
    return seconds, usage.ru_utime + usage.ru_stime, round(usage.ru_maxrss / 1024)


def _placed(bot: Path, drafts: Path) -> list[Placed]:
    """Every message with where it was placed, in the order of the log."""
    lines = {gold_key(line["text"]): line for line in read_assignments(drafts)}
    placed = []
    for key, truth in read_gold(bot / "gold.tsv").items():
        line = lines.get(key)
        if line is not None and truth.placement in PLACEMENTS:
            said = (line["placement"], line["intent"], line["count"], line["text"])
            placed.append(Placed(truth.placement, truth.intent, *said))
    return placed


def _quality(placed: list[Placed]) -> dict[str, Any]:
    scores = placement_scores(placed, DiscoveryConfig.min_messages)
    return {"messages": len(placed), **{name: scores[name] for name in QUALITY}}


def exponents(runs: list[dict[str, Any]], seconds: str = "seconds") -> dict[str, float]:
    """Preset -> how time grows with the log, where there are two sizes.

    Args:
        seconds: or `cpu_seconds`, which other programs on the machine change less.
    """
    found = {}
    for preset in dict.fromkeys(run["preset"] for run in runs):
        of = [(run["messages"], run[seconds]) for run in runs if run["preset"] == preset]
        if len({size for size, _ in of}) > 1:
            sizes, taken = np.log(np.array(of)).T
            found[preset] = round(float(np.polyfit(sizes, taken, 1)[0]), 3)
    return found


def main(argv: list[str] | None = None) -> int:
    """Runs the program; returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.growth",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data-dir", type=Path, required=True, help="of one data set")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--preset", nargs="+", choices=tuple(PRESETS), default=["fast", "default"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--bots", type=Path, help="where the bots are kept (default: beside --out)")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    sizes = sorted(arguments.sizes)
    bots = arguments.bots or arguments.out.parent / "bots"
    data, now = arguments.data_dir.name, commit()
    runs = json.loads(arguments.out.read_text())["runs"] if arguments.out.exists() else []
    for run in runs:
        if (run["data"], run["commit"]) != (data, now):
            raise SystemExit(
                f"{arguments.out} holds runs of {run['data']} and commit {run['commit']}: give another --out"
            )
    done = {(run["asked"], run["preset"], run["seed"]) for run in runs}
    alike = min([*(run["asked"] for run in runs), *sizes])
    if runs and alike not in {run["asked"] for run in runs}:
        raise SystemExit(
            f"{arguments.out} compares the first {min(run['asked'] for run in runs):,} messages: "
            "give another --out, or no smaller size"
        )
    for size in sizes:
        bot = bots / f"{data}_{size}_{arguments.seed}"
        for preset in arguments.preset:
            if (size, preset, arguments.seed) in done:
                continue
            if not bot.exists():
                small, half = make_bot(arguments.data_dir, RECIPE, arguments.seed), bots / ".half"
                shutil.rmtree(half, ignore_errors=True)  # of a call that was interrupted
                write_large_bot(small, size, arguments.seed, half)
                half.rename(bot)
            runs.append({"data": data, "asked": size, **measure(bot, preset, arguments.seed, alike)})
            print(json.dumps(runs[-1], indent=1), flush=True)
            slopes = {name: exponents(runs, name) for name in ("seconds", "cpu_seconds")}
            result = {"exponents": slopes, "runs": runs}
            arguments.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
