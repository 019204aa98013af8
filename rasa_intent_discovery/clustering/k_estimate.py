"""How many intents are there? Arrays only.

Two answers: the paper's, which counts clusters that are large enough, and one that asks the known intents:
at the right number of clusters, they are torn apart no more than they are mixed up.
"""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import cut_tree

from rasa_intent_discovery.clustering.clusters import constrained_kmeans, kmeans, ward_starts
from rasa_intent_discovery.clustering.linkage import ward_linkage
from rasa_intent_discovery.datatypes import UNLABELED, Clustering, KEstimate

_RESAMPLES = 12
_SAMPLE = 2500
# At the right number, the mistakes that join two intents are more than those that tear one apart, by this
# factor. It was found on other seeds of BANKING77 and CLINC150 than those reported, with 25 to 75 % known.
_TORN_PER_MIXED = 0.7
_DRAWS = 200
_RANGE = (0.1, 0.9)


def estimate_k_by_size(features: np.ndarray, k_start: int, seed: int) -> KEstimate:
    """The paper's estimate (equation 5): of K' clusters, count those with at least n / K' rows."""
    sizes = np.bincount(kmeans(features, k_start, seed).assignments, minlength=k_start)
    k = max(1, int((sizes >= len(features) / k_start).sum()))
    return KEstimate(k, k, k, k_start)


def estimate_k_by_agreement(features: np.ndarray, labels: np.ndarray, k_start: int, seed: int) -> KEstimate:
    """The number of clusters at which known intents are torn apart as much as they are mixed up.

    The rows are clustered without their labels (Ward's agglomeration of samples, cut at every number up to
    K'). Too many clusters tear known intents apart, too few mix them up; that labels can tell is the idea of
    Vaze et al., "Generalized Category Discovery" (2022). But a known intent that is mixed up with a new one
    is not seen: of k intents j are known, so the mistakes seen stand for (k - 1) / (j - 1) times as many.

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
    size = min(_SAMPLE, int(0.8 * len(features)))
    candidates = np.arange(known, max(known + 1, min(k_start, size - 1)) + 1)
    torn, mixed = np.zeros((2, len(candidates), known))
    for _ in range(_RESAMPLES):
        rows = np.sort(rng.choice(len(features), size, replace=False))
        labeled = labels[rows] != UNLABELED
        cuts = cut_tree(ward_linkage(features[rows]), candidates)[labeled]
        for index, cut in enumerate(cuts.T):
            apart, together = _mistakes(labels[rows][labeled], cut, known)
            torn[index] += apart
            mixed[index] += together
    mixed *= (_TORN_PER_MIXED * (candidates - 1) / max(known - 1, 1))[:, None]
    k = _balance(candidates, torn.sum(1), mixed.sum(1))
    draws = rng.multinomial(known, np.full(known, 1 / known), size=_DRAWS)
    low, high = np.quantile([_balance(candidates, torn @ draw, mixed @ draw) for draw in draws], _RANGE)
    return KEstimate(k, min(k, round(low)), max(k, round(high)), int(candidates[-1]))


def _mistakes(labels: np.ndarray, clusters: np.ndarray, known: int) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of rows that are wrongly apart and wrongly together, by intent.

    Args:
        labels, clusters: (m,) int64.

    Returns:
        (known,) pairs of one intent in two clusters; (known,) pairs of two intents in one cluster, of which
        each intent has a half.
    """
    table = np.zeros((int(clusters.max(initial=-1)) + 1, known))
    np.add.at(table, (clusters, labels), 1)
    sizes, cluster_sizes = table.sum(0), table.sum(1, keepdims=True)
    together = (table * (table - 1)).sum(0) / 2
    return sizes * (sizes - 1) / 2 - together, (table * (cluster_sizes - table)).sum(0) / 2


def _balance(candidates: np.ndarray, torn: np.ndarray, mixed: np.ndarray) -> int:
    """The fewest clusters at which as much is torn apart as is mixed up; the most where it never is.

    One grows with the number of clusters while the other falls. Where neither is made, more clusters are as
    good, but small talk is in those.
    """
    return int(candidates[np.argmax(torn >= mixed)] if (torn >= mixed).any() else candidates[-1])


def stability(features: np.ndarray, clustering: Clustering, seed: int) -> np.ndarray:
    """How much of each cluster comes back when part of the rows is left out.

    Hennig, "Cluster-wise assessment of cluster stability" (2007): the mean, over samples of four fifths of
    the rows (of some thousand at most) clustered anew, of the best Jaccard overlap.

    Args:
        features: (n, d) float32; best ones that know nothing of the clustering.

    Returns:
        (k,) float in 0..1.
    """
    rng = np.random.default_rng(seed)
    k = clustering.k
    size = max(k, min(_SAMPLE, int(0.8 * len(features))))
    total, seen = np.zeros(k), np.zeros(k)
    for _ in range(_RESAMPLES):
        rows = np.sort(rng.choice(len(features), size, replace=False))
        again, _ = constrained_kmeans(features[rows], ward_starts(features[rows], k, rng))
        overlap = np.zeros((k, k))
        np.add.at(overlap, (clustering.assignments[rows], again.assignments), 1)
        sizes, sizes_again = overlap.sum(1, keepdims=True), overlap.sum(0, keepdims=True)
        jaccard = overlap / np.maximum(sizes + sizes_again - overlap, 1)
        present = sizes[:, 0] > 0
        total[present] += jaccard.max(1)[present]
        seen += present
    return total / np.maximum(seen, 1)
