"""The protocols by which clusters are scored on test messages, and the runs of published methods."""

from __future__ import annotations

import resource
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.datasets import Split
from benchmarks.methods.published.registry import PUBLISHED
from benchmarks.methods.published.task import Task
from benchmarks.scores import clustering_scores
from benchmarks.states import KeptEncoder
from rasa_intent_discovery.clustering.clusters import constrained_kmeans, kmeans
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import Array
from rasa_intent_discovery.learning.learn import timed

PROTOCOLS = ("cold", "warm", "inductive")
#: What is said of proposals, where a run makes some.
OF_PROPOSALS = ("proposals", "placement", "known_right", "known_kept", "swallowed", "stranded")
# k-means from scratch on the test messages is the best of so many starts.
_COLD_STARTS = 10


def protocol_scores(
    split: Split, features: Array, centroids: Array, assigned: Array, seed: int
) -> dict[str, dict[str, float]]:
    """The scores of the test messages by protocol.

    Args:
        features: (m, d) float32, of the test messages.
        centroids: (k, d) float32, learnt from the training messages.
        assigned: (m,) int64, the learnt cluster that each test message goes to.
        seed: of k-means from scratch.
    """
    found = {
        "cold": kmeans(features, len(centroids), seed, _COLD_STARTS).assignments,
        "warm": constrained_kmeans(features, centroids).assignments,
        "inductive": assigned,
    }
    return {name: clustering_scores(split.test_intents, found[name], split.known) for name in PROTOCOLS}


def run_published(
    split: Split,
    config: DiscoveryConfig,
    clusters: str,
    method: str,
    k_start_factor: float = 2.0,
    states: Path | None = None,
) -> dict[str, Any]:
    """One seed of a method of `PUBLISHED`; what is returned is as of `benchmarks.seed_run.run`.

    Args:
        clusters: `true` or `estimated` number of them.
        k_start_factor: K' in multiples of the truth, from which the number is estimated.
        states: the folder in which what the frozen layers say is kept for other runs; None keeps nothing.
    """
    started, k_true, seconds = time.perf_counter(), len(split.intents), dict[str, float]()
    encoder = KeptEncoder.kept(config, states)
    with timed(seconds, "representation"):
        train, test = encoder.read(split.train), encoder.read(split.test)
        held_out = (encoder.read(split.dev), split.dev_intents) if len(split.dev) else None
    given = k_true if clusters == "true" else None
    task = Task(encoder, train, split.labels, held_out, config, given, round(k_start_factor * k_true))
    is_cpu = encoder.device.type == "cpu"
    # Networks are initialised and trained with torch's global generators: within this block only.
    with timed(seconds, "learning"), torch.random.fork_rng([] if is_cpu else [encoder.device]):
        torch.manual_seed(config.seed)
        fitted = PUBLISHED[method].fit(task)
    with timed(seconds, "scoring"):
        scores = protocol_scores(
            split, fitted.features(test), fitted.centroids, np.asarray(fitted.assign(test)), config.seed
        )
    seconds["total"] = time.perf_counter() - started
    return {
        "seed": config.seed,
        "preset": method,
        "encoder": config.encoder,
        "k_true": k_true,
        "k_pred": fitted.k,
        "clusters": fitted.k,
        "k_range": None,
        "k_by_start": None,
        **scores,
        **dict.fromkeys((*OF_PROPOSALS, "names")),
        "seconds": {stage: round(value, 2) for stage, value in seconds.items()},
        "peak_rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }
