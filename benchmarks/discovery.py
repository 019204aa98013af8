"""Measures the pipeline the way the papers do.

    python -m benchmarks.discovery --data-dir DIR --seeds 0 1 2 --preset default --out results.json

DIR holds train.tsv, test.tsv and optionally dev.tsv (`text<TAB>label`, with a header line). A run that is
interrupted goes on with the seeds that are missing in the file.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("USE_TF", "0")

import numpy as np

from benchmarks.datasets import Split, load_split
from benchmarks.scores import clustering_scores
from rasa_intent_discovery.clusters import constrained_kmeans, kmeans, nearest
from rasa_intent_discovery.config import PRESETS, DiscoveryConfig
from rasa_intent_discovery.discover import Learned, learn

logger = logging.getLogger("benchmarks")

PROTOCOLS = ("cold", "warm", "inductive")
SCORES = ("nmi", "ari", "acc", "known_acc", "novel_acc")


def run(split: Split, config: DiscoveryConfig, clusters: str) -> dict[str, Any]:
    """One seed: learns from the training texts and scores the clusters of the test texts."""
    k_true = len(split.intents)
    overrides: dict[str, Any] = {}
    if clusters == "true":
        overrides["num_intents"] = k_true - split.known
    elif config.preset == "paper":
        # The paper's own choice of K' is twice the truth.
        overrides["k_start"] = 2 * k_true
    config = DiscoveryConfig.from_mapping({**config.to_dict(), **overrides, "messages": []})
    started = time.perf_counter()
    held_out = (split.dev, split.dev_intents) if len(split.dev) else None
    learned = learn(split.train, split.labels, config, held_out=held_out)
    seconds = {**learned.seconds, "total": time.perf_counter() - started}
    return {
        "seed": config.seed,
        "preset": config.preset,
        "encoder": config.encoder,
        "k_true": k_true,
        "k_pred": learned.clustering.k,
        "k_range": [learned.estimate.low, learned.estimate.high] if learned.estimate else None,
        **_scores(split, learned, config),
        "seconds": {stage: round(value, 2) for stage, value in seconds.items()},
        "peak_rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def _scores(split: Split, learned: Learned, config: DiscoveryConfig) -> dict[str, dict[str, float]]:
    states = learned.encoder.freeze(split.test)
    features = learned.space(states.frozen, learned.encoder.embed(states))
    centroids = learned.clustering.centroids
    found = {
        "cold": kmeans(features, len(centroids), config.seed, 10).assignments,
        "warm": constrained_kmeans(features, centroids)[0].assignments,
        "inductive": nearest(features, centroids),
    }
    return {name: clustering_scores(split.test_intents, found[name], split.known) for name in PROTOCOLS}


def summarize(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Mean and standard deviation over the seeds, of every score under every protocol."""
    summary: dict[str, Any] = {}
    for name, function in (("mean", np.mean), ("std", np.std)):
        summary[name] = {
            protocol: {
                score: round(float(function([run[protocol][score] for run in runs])), 2) for score in SCORES
            }
            for protocol in PROTOCOLS
        }
    return summary


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.discovery", description=__doc__)
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--known-ratio", type=float, default=0.75)
    parser.add_argument("--labeled-ratio", type=float, default=0.1)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--preset", choices=tuple(PRESETS), default="default")
    parser.add_argument("--clusters", choices=("true", "estimated"), default="true")
    parser.add_argument("--encoder", default="embedded")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="settings to try (JSON)")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)

    changed = {name: json.loads(value) for name, value in (item.split("=", 1) for item in arguments.set)}
    asked = {
        "data": arguments.data_dir.name,
        "known_ratio": arguments.known_ratio,
        "labeled_ratio": arguments.labeled_ratio,
        "preset": arguments.preset,
        "clusters": arguments.clusters,
        "encoder": arguments.encoder,
        "changed": changed,
    }
    runs = _finished(arguments.out, asked)
    for seed in arguments.seeds:
        if any(run["seed"] == seed for run in runs):
            continue
        split = load_split(arguments.data_dir, arguments.known_ratio, arguments.labeled_ratio, seed)
        config = DiscoveryConfig.from_preset(
            arguments.preset, encoder=arguments.encoder, device=arguments.device, seed=seed, **changed
        )
        runs.append(run(split, config, arguments.clusters))
        result = {"settings": asked, "runs": runs, **summarize(runs)}
        arguments.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        logger.info("seed %d: %s", seed, {name: runs[-1][name] for name in (*PROTOCOLS, "seconds")})
    return 0


def _finished(path: Path, asked: dict[str, Any]) -> list[dict[str, Any]]:
    """The runs an interrupted call with the same settings has left behind."""
    if not path.exists():
        return []
    result = json.loads(path.read_text(encoding="utf-8"))
    if result["settings"] != asked:
        raise SystemExit(f"{path} holds results of other settings ({result['settings']}): give another --out")
    return list(result["runs"])


if __name__ == "__main__":
    sys.exit(main())
