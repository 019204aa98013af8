"""How many intents are there? Arrays only.

Two answers: the paper's, which counts clusters that are large enough, and one that asks the known intents:
at the right number of clusters, they come out neither split nor merged.
"""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import cut_tree, linkage
from sklearn.metrics import adjusted_rand_score

from rasa_intent_discovery.clusters import constrained_kmeans, kmeans, ward_starts
from rasa_intent_discovery.datatypes import UNLABELED, Clustering, KEstimate

_RESAMPLES = 12
_SAMPLE = 2500
# So much of the way from the least to the best agreement is nearly the best.
_NEARLY = 0.97


def estimate_k_by_size(features: np.ndarray, k_start: int, seed: int) -> KEstimate:
    """The paper's estimate (equation 5): of K' clusters, count those with at least n / K' rows."""
    sizes = np.bincount(kmeans(features, k_start, seed).assignments, minlength=k_start)
    k = max(1, int((sizes >= len(features) / k_start).sum()))
    return KEstimate(k, k, k, k_start)


def estimate_k_by_agreement(features: np.ndarray, labels: np.ndarray, k_start: int, seed: int) -> KEstimate:
    """The number of clusters that agrees best with the known intents, and its range.

    The rows are clustered without their labels (Ward's agglomeration, cut at every number up to K'), and the
    labelled ones are compared with their intents (adjusted Rand index), on average over samples of the rows.
    The number that agrees best is the estimate, those that agree nearly as well are the range. The idea is
    that of Vaze et al., "Generalized Category Discovery" (2022).

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
    agreement = np.zeros(len(candidates))
    for _ in range(_RESAMPLES):
        rows = np.sort(rng.choice(len(features), size, replace=False))
        agreement += _smoothed(_agreement(features[rows], labels[rows], candidates))
    agreement -= agreement.min()
    near = candidates[agreement >= _NEARLY * agreement.max()]
    return KEstimate(int(candidates[agreement.argmax()]), int(near[0]), int(near[-1]), int(candidates[-1]))


def _agreement(features: np.ndarray, labels: np.ndarray, candidates: np.ndarray) -> np.ndarray:
    """Adjusted Rand index of the labelled rows for each number of clusters."""
    labeled = labels != UNLABELED
    cuts = cut_tree(linkage(features, "ward"), candidates)[labeled]
    return np.array([adjusted_rand_score(labels[labeled], cut) for cut in cuts.T])


def _smoothed(values: np.ndarray) -> np.ndarray:
    """Running mean over about a tenth of the curve: a peak counts, a spike does not."""
    width = max(1, len(values) // 10) | 1
    padded = np.pad(values, width // 2, mode="edge")
    return np.convolve(padded, np.ones(width) / width, mode="valid")


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
