"""Measures the pipeline the way the papers do.

    python -m benchmarks.discovery --data-dir DIR --seeds 0 1 2 --preset default --out results.json

DIR holds train.tsv, test.tsv and optionally dev.tsv (`text<TAB>label`, with a header line). A run that is
interrupted goes on with the seeds that are missing in the file, if its code and its arithmetic are the same.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ.setdefault("USE_TF", "0")

import torch

from benchmarks.datasets import Sampling, load_split
from benchmarks.methods.published.registry import PUBLISHED
from benchmarks.provenance import commit
from benchmarks.seed_file import SCORED, finished, summarize
from benchmarks.seed_run import COMPARED, configured, run
from rasa_intent_discovery.config import PRESETS, DiscoveryConfig
from rasa_intent_discovery.learning.loading import load_encoder

logger = logging.getLogger("benchmarks")

_SHOWN = (*SCORED, "seconds")


def main(argv: list[str] | None = None) -> int:
    """Runs the program; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.discovery", description=__doc__)
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--known-ratio", type=float, default=0.75)
    parser.add_argument("--labeled-ratio", type=float, default=0.1)
    parser.add_argument("--examples-per-intent", type=int, help="labelled, instead of a share of the rows")
    parser.add_argument(
        "--long-tail", type=float, metavar="R", help="largest intent / smallest, geometrically"
    )
    parser.add_argument("--noise", type=Path, help="a file whose lines join the log and belong to no intent")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument(
        *("--preset", "--method"),
        choices=(*PRESETS, *COMPARED, *PUBLISHED),
        default="default",
        help="a preset of the product, or a method of comparison",
    )
    parser.add_argument(
        "--clusters",
        choices=("true", "estimated"),
        default="estimated",
        help="their number; proposals and names are scored where it is estimated, as people run it",
    )
    parser.add_argument(
        "--k-start-factors",
        type=float,
        nargs="+",
        help="K' in multiples of the truth, where the number is estimated (default: 2 by size, as the "
        "paper, and by agreement what the data says); more than one with `--preset paper --set "
        "aligned_epochs=0` alone",
    )
    parser.add_argument("--encoder", default="embedded")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="settings to try (JSON)")
    parser.add_argument("--states", type=Path, help="what never changes is kept here (default: beside --out)")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--mix", action="store_true", help="go on in --out with other code, threads or data type, too"
    )
    arguments = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)

    changed = {name: json.loads(value) for name, value in (item.split("=", 1) for item in arguments.set)}
    config = configured(arguments.preset, encoder=arguments.encoder, device=arguments.device, **changed)
    by_size = arguments.clusters == "true" or config.k_estimate == "size"
    k_start_factors = arguments.k_start_factors or ([2.0] if by_size else None)
    asked = {
        "data": arguments.data_dir.name,
        "known_ratio": arguments.known_ratio,
        "labeled_ratio": arguments.labeled_ratio,
        "examples_per_intent": arguments.examples_per_intent,
        "long_tail": arguments.long_tail,
        "noise": arguments.noise.name if arguments.noise else None,
        "preset": arguments.preset,
        "clusters": arguments.clusters,
        "k_start_factors": k_start_factors,
        "encoder": arguments.encoder,
        "changed": changed,
    }
    sampling = Sampling(
        arguments.known_ratio,
        arguments.labeled_ratio,
        arguments.examples_per_intent,
        arguments.long_tail,
        arguments.noise,
    )
    states = arguments.states or arguments.out.parent / "states"
    made = _made(config)
    runs = finished(arguments.out, asked, made, arguments.mix)
    for seed in arguments.seeds:
        if any(run["seed"] == seed for run in runs):
            continue
        split = load_split(arguments.data_dir, sampling, seed)
        seeded = replace(config, seed=seed)
        found = run(split, seeded, arguments.clusters, arguments.preset, k_start_factors, states)
        runs.append({**found, **made})
        result = {"settings": asked, "runs": runs, **summarize(runs)}
        arguments.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        logger.info("seed %d: %s", seed, {name: runs[-1][name] for name in _SHOWN})
    return 0


def _made(config: DiscoveryConfig) -> dict[str, Any]:
    """What figures depend on besides the settings: the code, and how this machine computes."""
    encoder = load_encoder(config)
    return {
        "commit": commit(),
        "threads": torch.get_num_threads(),
        "device": encoder.device.type,
        "dtype": str(encoder.autocast_dtype).removeprefix("torch."),
    }


if __name__ == "__main__":
    sys.exit(main())
