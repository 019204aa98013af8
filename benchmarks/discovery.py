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
import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ.setdefault("USE_TF", "0")

import numpy as np
import torch
from sklearn.cluster import AgglomerativeClustering

from benchmarks.datasets import NO_INTENT, Sampling, Split, load_split
from benchmarks.methods.published.registry import PUBLISHED
from benchmarks.protocols import OF_PROPOSALS, PROTOCOLS, protocol_scores, run_published
from benchmarks.provenance import commit
from benchmarks.scores import clustering_scores
from benchmarks.split_proposals import corpus_of, proposal_figures
from benchmarks.states import KeptEncoder
from rasa_intent_discovery.clustering.clusters import nearest
from rasa_intent_discovery.clustering.k_estimate import estimate_k_by_size
from rasa_intent_discovery.clustering.neighbors import averaged_with_neighbors
from rasa_intent_discovery.clustering.new_count import count_new
from rasa_intent_discovery.config import PRESETS, DiscoveryConfig
from rasa_intent_discovery.learning.learn import Learned, learn
from rasa_intent_discovery.learning.loading import load_encoder
from rasa_intent_discovery.proposals.words import WordStatistics, familiar_rows
from rasa_intent_discovery.stages import LearnedCorpus, interpret

logger = logging.getLogger("benchmarks")

AGGLOMERATIVE = "agglomerative"
DEEPCLUSTER = "deepcluster"
_UNTRAINED = {"pretraining": "none", "aligned_epochs": 0, "dense": False}
#: Methods the paper compares itself with that are settings of its preset; `PUBLISHED` has the others.
COMPARED: dict[str, dict[str, Any]] = {
    "k-means": _UNTRAINED,
    AGGLOMERATIVE: _UNTRAINED,
    # The paper's pipeline without what it added: nothing is learnt from known intents, nothing is aligned.
    DEEPCLUSTER: {"pretraining": "none"},
}
_SCORED = (*PROTOCOLS, "k_true", "k_pred", "k_by_start", *OF_PROPOSALS)
_SHOWN = (*_SCORED, "seconds")


def configured(method: str, **settings: Any) -> DiscoveryConfig:
    """The settings of a preset, or of a method that is compared with it."""
    changes = COMPARED.get(method) or (PUBLISHED[method].settings if method in PUBLISHED else None)
    if changes is not None:
        return DiscoveryConfig.from_preset("paper", **{**changes, **settings})
    return DiscoveryConfig.from_preset(method, **settings)


def run(
    split: Split,
    config: DiscoveryConfig,
    clusters: str,
    method: str,
    k_start_factors: Sequence[float] = (2.0,),
    states: Path | None = None,
) -> dict[str, Any]:
    """One seed: learns from the training texts and scores the clusters of the test texts.

    Args:
        clusters: `true` or `estimated` number of them; proposals are scored with the latter alone.
        method: a preset, or a key of `COMPARED` or of `PUBLISHED`.
        k_start_factors: the paper's K' in multiples of the truth, where it is estimated by size. The first
            one counts; what the others would give is told in `k_by_start`.
        states: the folder in which what the frozen layers say is kept for other runs; None keeps nothing.
    """
    if method in PUBLISHED:
        return run_published(split, config, clusters, method, k_start_factors[0], states)
    k_true = len(split.intents)
    overrides: dict[str, Any] = {}
    if clusters == "true":
        overrides["num_intents"] = k_true - split.known
    elif config.k_estimate == "size":
        overrides["k_start"] = round(k_start_factors[0] * k_true)
    config = DiscoveryConfig.from_mapping({**config.to_dict(), **overrides, "messages": []})
    started = time.perf_counter()
    corpus = corpus_of(split)
    statistics = WordStatistics(corpus)
    # What a log holds besides wishes is sorted out as for a user; the papers' data has no such thing.
    noisy = bool((split.train_intents == NO_INTENT).any())
    rows = np.flatnonzero(familiar_rows(corpus)) if noisy else np.arange(len(split.train))
    held_out = (split.dev, split.dev_intents) if len(split.dev) else None
    encoder = KeptEncoder.kept(config, states)
    learned = learn(
        [split.train[row] for row in rows],
        split.labels[rows],
        config,
        held_out=held_out,
        encoder=encoder,
        align=method != DEEPCLUSTER,
        count_new=count_new,
    )
    # The true number, which people do not know, caps how much is proposed: nothing is scored then.
    discovery, proposals = None, dict.fromkeys((*OF_PROPOSALS, "names"))
    if clusters == "estimated":
        discovery = interpret(LearnedCorpus(corpus, statistics, rows, learned), config)
        proposals = proposal_figures(split, discovery, config.min_messages)
    seconds = dict(discovery.seconds if discovery else learned.seconds)
    seconds["total"] = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "seed": config.seed,
        "preset": method,
        "encoder": config.encoder,
        "k_true": k_true,
        "k_pred": learned.estimate.k if learned.estimate else learned.clustering.k,
        "clusters": learned.clustering.k,
        "k_range": [learned.estimate.low, learned.estimate.high] if learned.estimate else None,
        "k_by_start": _k_by_start(learned, k_true, config, k_start_factors),
        **_scores(split, learned, config, method),
        **proposals,
        "seconds": {stage: round(value, 2) for stage, value in seconds.items()},
        "peak_rss_mb": round(peak / 1024),
    }


def _k_by_start(
    learned: Learned, k_true: int, config: DiscoveryConfig, factors: Sequence[float]
) -> dict[str, int] | None:
    """What the paper's estimate is for each K' / truth; None where the clusters were aligned since."""
    if learned.estimate is None or config.k_estimate != "size" or config.aligned_epochs:
        return None
    starts = {f"{factor:g}": round(factor * k_true) for factor in factors}
    return {
        factor: estimate_k_by_size(learned.features, start, config.seed).k for factor, start in starts.items()
    }


def _scores(
    split: Split, learned: Learned, config: DiscoveryConfig, method: str
) -> dict[str, dict[str, float] | None]:
    """The scores by protocol; None where a method has no centroids to start from."""
    states = learned.encoder.read(split.test)
    features = learned.space(states.pretrained, learned.encoder.embed(states))
    features = averaged_with_neighbors(features, learned.features, config.neighbor_share)
    centroids = learned.clustering.centroids
    if method == AGGLOMERATIVE:
        grouped = AgglomerativeClustering(n_clusters=len(centroids), linkage="ward").fit(features)
        cold = clustering_scores(split.test_intents, grouped.labels_, split.known)
        return {"cold": cold, "warm": None, "inductive": None}
    return {**protocol_scores(split, features, centroids, nearest(features, centroids), config.seed)}


def summarize(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Mean and standard deviation over the seeds, of every score."""
    return {
        name: _over([{part: run[part] for part in _SCORED} for run in runs], function)
        for name, function in (("mean", np.mean), ("std", np.std))
    }


def _over(values: list[Any], function: Callable[[list[float]], Any]) -> Any:
    """One value for the numbers that stand at the same place of every run; None where one has none."""
    if isinstance(values[0], dict):
        return {key: _over([value[key] for value in values], function) for key in values[0]}
    if any(value is None or isinstance(value, (list, str)) for value in values):
        return None
    return round(float(function(values)), 3)


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
        default=[2.0],
        help="K' in multiples of the truth, where the number is estimated by size; more than one with "
        "`--preset paper --set aligned_epochs=0` alone",
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
    asked = {
        "data": arguments.data_dir.name,
        "known_ratio": arguments.known_ratio,
        "labeled_ratio": arguments.labeled_ratio,
        "examples_per_intent": arguments.examples_per_intent,
        "long_tail": arguments.long_tail,
        "noise": arguments.noise.name if arguments.noise else None,
        "preset": arguments.preset,
        "clusters": arguments.clusters,
        "k_start_factors": arguments.k_start_factors,
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
    config = configured(arguments.preset, encoder=arguments.encoder, device=arguments.device, **changed)
    made = _made(config)
    runs = _finished(arguments.out, asked, made, arguments.mix)
    for seed in arguments.seeds:
        if any(run["seed"] == seed for run in runs):
            continue
        split = load_split(arguments.data_dir, sampling, seed)
        seeded = replace(config, seed=seed)
        found = run(split, seeded, arguments.clusters, arguments.preset, arguments.k_start_factors, states)
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


def _finished(path: Path, asked: dict[str, Any], made: dict[str, Any], mix: bool) -> list[dict[str, Any]]:
    """The runs an interrupted call has left behind.

    Raises:
        SystemExit: they were made with other settings, or without `mix` otherwise than `made` says.
    """
    if not path.exists():
        return []
    result = json.loads(path.read_text(encoding="utf-8"))
    if other := _differences(result["settings"], asked):
        raise SystemExit(f"{path} holds runs with other settings ({other}): give another --out")
    runs: list[dict[str, Any]] = result["runs"]
    for run in runs:
        if not mix and (other := _differences(run, made)):
            raise SystemExit(
                f"{path} holds runs that were made otherwise (seed {run['seed']}: {other}): give another "
                "--out, or --mix to have both in one file"
            )
    return runs


def _differences(there: dict[str, Any], now: dict[str, Any]) -> str:
    """What differs, by name: `threads 2 there, 1 now`; empty where nothing does."""
    different = [name for name in now if there.get(name) != now[name]]
    return "; ".join(f"{name} {there.get(name)} there, {now[name]} now" for name in different)


if __name__ == "__main__":
    sys.exit(main())
