"""How many intents are there? Arrays only.

Two answers: the paper's, which counts clusters that are large enough, and one that asks the known intents:
at the right number of clusters, there are as many wrong splits of them as wrong merges.
"""

from __future__ import annotations

import numpy as np

from rasa_intent_discovery.clustering.clusters import kmeans
from rasa_intent_discovery.clustering.linkage import ward_linkage
from rasa_intent_discovery.clustering.numbers import CLUSTERING
from rasa_intent_discovery.datatypes import UNLABELED, Array, KEstimate, Progress, no_progress

#: How the stage is called where it is shown.
ESTIMATING = "estimating the number of intents"


def estimate_k_by_size(features: Array, k_start: int, seed: int) -> KEstimate:
    """The paper's estimate (equation 5): of K' clusters, count those with at least n / K' rows."""
    sizes = np.bincount(kmeans(features, k_start, seed).assignments, minlength=k_start)
    k = max(1, int((sizes >= len(features) / k_start).sum()))
    return KEstimate(k, k, k, k_start)


def estimate_k_by_agreement(
    features: Array, labels: Array, k_start: int, seed: int, progress: Progress = no_progress
) -> KEstimate:
    """The number of clusters at which known intents are split as often as they are merged.

    The rows are clustered without their labels (Ward's agglomeration of samples, cut at every number up to
    K'). Too many clusters split known intents, too few merge them; that labels can tell is the idea of Vaze
    et al., "Generalized Category Discovery" (2022). But a known intent that is merged with a new one is not
    seen: of k intents j are known, so the mistakes seen stand for (k - 1) / (j - 1) times as many.

    The range is what the estimate would be with other known intents: the middle four fifths of a bootstrap
    over them.

    Args:
        features: (n, d) float32, of an encoder that has not learnt the labels: one that has finds the known
            intents whole at any number.
        labels: (n,) int64, labels 0..j - 1, or `UNLABELED`.
        k_start: the most clusters looked at; the fewest is the number of known intents.
    """
    rng = np.random.default_rng(seed)
    known = int(labels.max()) + 1
    size = min(CLUSTERING.cluster_sample_rows, int(CLUSTERING.sampled_share * len(features)))
    size = min(max(size, known + 2), len(features))  # more rows than clusters
    candidates = np.arange(known, max(known + 1, min(k_start, size - 1)) + 1)
    splits, merges = np.zeros((2, len(candidates), known))
    samples = CLUSTERING.cluster_samples
    for _ in progress(range(samples), ESTIMATING, samples):
        rows = np.sort(rng.choice(len(features), size, replace=False))
        made = _mistakes(ward_linkage(features[rows]), labels[rows], known)
        splits += made[0][size - candidates]
        merges += made[1][size - candidates]
    merges *= (CLUSTERING.mixed_weight * (candidates - 1) / max(known - 1, 1))[:, None]
    k = _balance(candidates, splits.sum(1), merges.sum(1))
    draws = rng.multinomial(known, np.full(known, 1 / known), size=CLUSTERING.k_draws)
    low, high = np.quantile(
        [_balance(candidates, splits @ draw, merges @ draw) for draw in draws], CLUSTERING.k_range
    )
    return KEstimate(k, min(k, round(low)), max(k, round(high)), int(candidates[-1]))


def _mistakes(tree: Array, labels: Array, known: int) -> tuple[Array, Array]:
    """Split errors and merge errors, by intent: pairs of rows that are wrongly apart, and wrongly together.

    Args:
        tree: (m - 1, 4), as `ward_linkage` gives it, of m rows.
        labels: (m,) int64, or `UNLABELED` for rows that make no mistakes.

    Returns:
        (m, known) each, after 0..m - 1 merges: pairs of one intent in two clusters; pairs of two intents in
        one cluster, of which each intent has a half.
    """
    m, pairs = len(labels), tree[:, :2].astype(np.int64)
    held = np.zeros((2 * m - 1, known))
    labeled = np.flatnonzero(labels != UNLABELED)
    held[labeled, labels[labeled]] = 1.0
    sizes = held.sum(0)
    for cluster, (one, other) in enumerate(pairs, m):
        np.add(held[one], held[other], out=held[cluster])
    one, other = held[pairs[:, 0]], held[pairs[:, 1]]
    joined = one * other
    mixed = one * other.sum(1, keepdims=True) + other * one.sum(1, keepdims=True) - 2.0 * joined
    splits, merges = np.zeros((2, m, known))
    np.cumsum(joined, axis=0, out=splits[1:])
    np.cumsum(mixed / 2, axis=0, out=merges[1:])
    return sizes * (sizes - 1) / 2 - splits, merges


def _balance(candidates: Array, splits: Array, merges: Array) -> int:
    """The fewest clusters at which split errors are as many as merge errors; the most where they never are.

    One grows with the number of clusters while the other falls. Where neither is made, more clusters are as
    good, but small talk is in those.
    """
    return int(candidates[np.argmax(splits >= merges)] if (splits >= merges).any() else candidates[-1])
