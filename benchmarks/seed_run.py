"""One seed of a preset or of a method: learns from the training texts and scores the clusters of the test."""

from __future__ import annotations

import resource
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.cluster import AgglomerativeClustering

from benchmarks.datasets import NO_INTENT, Split
from benchmarks.methods.published.registry import PUBLISHED
from benchmarks.protocols import OF_PROPOSALS, protocol_scores, run_published
from benchmarks.scores import clustering_scores
from benchmarks.split_proposals import corpus_of, proposal_figures
from benchmarks.states import KeptEncoder
from rasa_intent_discovery.clustering.clusters import nearest
from rasa_intent_discovery.clustering.k_estimate import estimate_k_by_size
from rasa_intent_discovery.clustering.neighbors import nearest_rows
from rasa_intent_discovery.clustering.new_count import count_new
from rasa_intent_discovery.clustering.numbers import CLUSTERING
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import Array, normalized
from rasa_intent_discovery.learned_corpus import LearnedCorpus
from rasa_intent_discovery.learning.learn import learn
from rasa_intent_discovery.learning.learned import Learned
from rasa_intent_discovery.proposals.naming.words import WordStatistics, familiar_rows
from rasa_intent_discovery.stages import interpret

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
    k_start_factors: Sequence[float] | None = (2.0,),
    states: Path | None = None,
) -> dict[str, Any]:
    """One seed: learns from the training texts and scores the clusters of the test texts.

    Args:
        clusters: `true` or `estimated` number of them; proposals are scored with the latter alone.
        method: a preset, or a key of `COMPARED` or of `PUBLISHED`.
        k_start_factors: the paper's K' in multiples of the truth, where their number is estimated. The first
            one counts; what the others would give is told in `k_by_start`. None looks as far as a user's run.
        states: the folder in which what the frozen layers say is kept for other runs; None keeps nothing.
    """
    if method in PUBLISHED:
        factor = k_start_factors[0] if k_start_factors else 2.0
        return run_published(split, config, clusters, method, factor, states)
    k_true = len(split.intents)
    overrides: dict[str, Any] = {}
    if clusters == "true":
        overrides["num_intents"] = k_true - split.known
    elif k_start_factors:
        overrides["k_start"] = round(k_start_factors[0] * k_true)
    config = DiscoveryConfig.from_mapping({**config.to_dict(), **overrides, "messages": []})
    started = time.perf_counter()
    corpus = corpus_of(split)
    statistics = WordStatistics(corpus)
    # What a log holds besides wishes is sorted out as for a user; the papers' data has no such thing.
    noisy = bool((split.train_intents == NO_INTENT).any())
    rows = (
        np.flatnonzero(familiar_rows(corpus, config.min_messages)) if noisy else np.arange(len(split.train))
    )
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
        "k_by_start": _k_by_start(learned, k_true, config, k_start_factors or ()),
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
    features = _averaged_with_log(features, config.neighbor_share, learned.features)
    centroids = learned.clustering.centroids
    if method == AGGLOMERATIVE:
        grouped = AgglomerativeClustering(n_clusters=len(centroids), linkage="ward").fit(features)
        cold = clustering_scores(split.test_intents, grouped.labels_, split.known)
        return {"cold": cold, "warm": None, "inductive": None}
    return {**protocol_scores(split, features, centroids, nearest(features, centroids), config.seed)}


def _averaged_with_log(features: Array, share: float, log: Array) -> Array:
    """As `averaged_with_neighbors`, for rows that are not of the log."""
    if share == 0.0:
        return features
    means = log[nearest_rows(features, log, CLUSTERING.neighbors)].mean(1)
    averaged: Array = normalized((1.0 - share) * features + share * means).astype(np.float32)
    return averaged
