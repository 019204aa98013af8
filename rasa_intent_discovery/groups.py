"""Which messages lie closely enough together to be one intent. Arrays only.

k-means gives every message to a cluster, small talk and junk too, and a rare intent to the cluster of a
frequent one. So the messages are grouped a second time, from the bottom: the two closest groups are merged
again and again (average linkage), but not beyond a distance, and never the examples of two known intents.
What then stands alone belongs to nothing. Parts of one intent that the distance kept apart are joined where
k-means has them in one cluster.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage

from rasa_intent_discovery.datatypes import UNLABELED, Clustering
from rasa_intent_discovery.features import normalized

UNGROUPED = -1
#: Fewer messages than this are no group.
FEWEST = 3

_MOST_ROWS = 8000
_RESAMPLES = 5
_RESAMPLED_ROWS = 4000
_NEIGHBOURS = 5
_BLOCK = 512
# Cosine distances end at 2: examples of two intents are farther apart than anything can be.
_APART = 3.0
# The trained view draws messages of one intent together, the untrained one less.
_CORE_TRAINED, _CORE_UNTRAINED = 0.25, 0.55
_NEAR_BEYOND_CORE = 0.1


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of m rows of a corpus: group i < number of known intents is known intent i, the others are new.

    Attributes:
        rows: (m,) int64, rows of the corpus.
        features: (m, d) float32, of length 1.
        assignments: (m,) int64, the group of each row, or `UNGROUPED`.
        stability: (k,) 0..1, how much of a group comes back when part of the rows is left out.
        belonging: (k,) 0..1, the share of its rows' nearest neighbours that are in the group, too.
        near: average cosine distance up to which a row in no group may still join one.
    """

    rows: np.ndarray
    features: np.ndarray
    assignments: np.ndarray
    stability: np.ndarray
    belonging: np.ndarray
    near: float

    @property
    def k(self) -> int:
        return len(self.stability)

    def centers(self) -> np.ndarray:
        """(k, d) float32, the mean of each group's rows; zero where it has none."""
        return _means(self.features, self.assignments, self.k)

    def joined(self, kept: np.ndarray) -> np.ndarray:
        """(m,) int64: the groups where only some are kept, and the other rows join the nearest of these.

        Args:
            kept: (k,) bool.
        """
        numbers = np.flatnonzero(kept)
        homes = np.where(np.isin(self.assignments, numbers), self.assignments, UNGROUPED)
        free = np.flatnonzero(homes == UNGROUPED)
        similarity = self.features[free] @ self.centers()[numbers].T
        if similarity.size:
            close = 1.0 - similarity.max(1) < self.near
            homes[free[close]] = numbers[similarity.argmax(1)[close]]
        return homes


def dense_groups(
    rows: np.ndarray,
    features: np.ndarray,
    labels: np.ndarray,
    clustering: Clustering,
    untrained_share: float,
    seed: int,
) -> Groups:
    """Groups that are no wider than an intent is. Of very many rows a part is grouped, the rest may join.

    Args:
        rows: (m,) int64, rows of the corpus.
        features: (m, d) float32.
        labels: (m,) int64, known intents 0..j - 1, or `UNLABELED`.
        clustering: of these rows; its cluster i < j is known intent i.
        untrained_share: 0..1, weight of the untrained view in the features: it is the wider one.
    """
    rng = np.random.default_rng(seed)
    unit = normalized(features).astype(np.float32)
    core = _CORE_TRAINED + untrained_share * (_CORE_UNTRAINED - _CORE_TRAINED)
    near = core + _NEAR_BEYOND_CORE
    known = int(labels.max()) + 1
    some = _sample(labels, _MOST_ROWS, rng)
    part, homes = unit[some], clustering.assignments[some]
    grouped = _grouped(part, labels[some], homes, known, core, near)
    k = max(known, int(grouped.max()) + 1)
    stability = np.zeros(k)
    for _ in range(_RESAMPLES):
        left = _sample(labels[some], min(_RESAMPLED_ROWS, int(0.8 * len(some))), rng)
        again = _grouped(part[left], labels[some][left], homes[left], known, core, near)
        stability += best_overlap(grouped[left], again, k) / _RESAMPLES
    assignments = labels.copy()
    assignments[some] = grouped
    return Groups(rows, unit, assignments, stability, _belonging(part, grouped, k), near)


def clusters_as_groups(
    rows: np.ndarray, features: np.ndarray, clustering: Clustering, stability: np.ndarray
) -> Groups:
    """The clusters as they are: every row is in one, and stays there.

    Args:
        stability: (k,) of the clusters.
    """
    unit = normalized(features).astype(np.float32)
    belonging = _belonging(unit, clustering.assignments, clustering.k)
    return Groups(rows, unit, clustering.assignments, stability, belonging, near=0.0)


def constrained_linkage(unit: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Average linkage on cosine distances in which examples of two intents are apart.

    A distance for what may not be merged is the way of Klein, Kamvar and Manning, "From Instance-level
    Constraints to Space-level Constraints" (2002).

    Args:
        unit: (n, d) float32, rows of length 1.
        labels: (n,) int64, or `UNLABELED`.

    Returns:
        (n - 1, 4), as `scipy.cluster.hierarchy.linkage` does.
    """
    n = len(unit)
    condensed = np.empty(n * (n - 1) // 2)
    for start in range(0, n, _BLOCK):
        block = 1.0 - unit[start : start + _BLOCK] @ unit[start:].T
        of, others = labels[start : start + _BLOCK, None], labels[None, start:]
        block[(of != others) & (of != UNLABELED) & (others != UNLABELED)] = _APART
        for offset, distances in enumerate(block):
            row = start + offset
            first = row * n - row * (row + 1) // 2
            condensed[first : first + n - row - 1] = distances[offset + 1 :]
    return linkage(np.maximum(condensed, 0.0), "average")


def best_overlap(groups: np.ndarray, again: np.ndarray, k: int) -> np.ndarray:
    """The best Jaccard overlap of each group with one of another grouping of the same rows.

    Args:
        groups, again: (n,) int64, or `UNGROUPED`.
        k: number of groups.

    Returns:
        (k,) 0..1; 1 for a group without rows, which nothing speaks against.
    """
    both = (groups != UNGROUPED) & (again != UNGROUPED)
    overlap = np.zeros((k, int(again.max(initial=0)) + 1))
    np.add.at(overlap, (groups[both], again[both]), 1)
    sizes = np.bincount(groups[groups != UNGROUPED], minlength=k)[:, None]
    sizes_again = np.bincount(again[again != UNGROUPED], minlength=overlap.shape[1])[None, :]
    best: np.ndarray = (overlap / np.maximum(sizes + sizes_again - overlap, 1)).max(1)
    return np.where(sizes[:, 0] > 0, best, 1.0)


def _grouped(
    unit: np.ndarray, labels: np.ndarray, homes: np.ndarray, known: int, core: float, near: float
) -> np.ndarray:
    """(n,) int64: known intents, then new groups from `known` on, `UNGROUPED` elsewhere."""
    cut = fcluster(constrained_linkage(unit, labels), core, "distance")
    _, first, pieces = np.unique(cut, return_index=True, return_inverse=True)
    pieces = first.argsort().argsort()[pieces]  # numbered in the order of the rows
    n = int(pieces.max()) + 1
    held = np.zeros((n, known))
    labeled = labels != UNLABELED
    np.add.at(held, (pieces[labeled], labels[labeled]), 1)
    of_known = held.sum(1) > 0
    number = np.where(of_known, held.argmax(1), UNGROUPED)
    fresh = np.flatnonzero(~of_known & (np.bincount(pieces, minlength=n) >= FEWEST))
    for new, joined in enumerate(_joined(unit, pieces, homes, fresh, known, near)):
        number[joined] = known + new
    return np.where(labeled, labels, number[pieces])


def _joined(
    unit: np.ndarray, pieces: np.ndarray, homes: np.ndarray, fresh: np.ndarray, known: int, near: float
) -> list[list[int]]:
    """Pieces that are one: on average nearer than `near`, and mostly in the same new cluster."""
    of_home: dict[int, list[list[int]]] = {}
    sums = {piece: unit[pieces == piece].sum(0) for piece in fresh.tolist()}
    sizes = {piece: int((pieces == piece).sum()) for piece in fresh.tolist()}
    for piece in fresh.tolist():
        home = int(np.bincount(homes[pieces == piece]).argmax())
        # A known intent has one cluster, so what lies there beside it says nothing of being one.
        key = home if home >= known else -1 - piece
        of_home.setdefault(key, []).append([piece])
    for parts in of_home.values():
        while len(parts) > 1:
            means = np.stack(
                [sum(sums[piece] for piece in part) / sum(sizes[piece] for piece in part) for part in parts]
            )
            distances = 1.0 - means @ means.T
            np.fill_diagonal(distances, np.inf)
            one, other = sorted(divmod(int(distances.argmin()), len(parts)))
            if distances[one, other] >= near:
                break
            parts[one] += parts.pop(other)
    return sorted((part for parts in of_home.values() for part in parts), key=min)


def _belonging(unit: np.ndarray, groups: np.ndarray, k: int) -> np.ndarray:
    """(k,) 0..1; a group of three can have but two of its own as neighbours, so only as many are asked."""
    n = len(unit)
    sizes = np.bincount(groups[groups != UNGROUPED], minlength=k)
    asked = np.clip(sizes - 1, 1, min(_NEIGHBOURS, n - 1))
    total = np.zeros(k)
    for start in range(0, n, _BLOCK):
        block = np.arange(start, min(start + _BLOCK, n))
        similarity = unit[block] @ unit.T
        similarity[np.arange(len(block)), block] = -np.inf
        nearest = np.argpartition(-similarity, min(_NEIGHBOURS, n - 1) - 1, axis=1)[:, :_NEIGHBOURS]
        own = groups[block]
        inside = (groups[nearest] == own[:, None]).sum(1)
        grouped = own != UNGROUPED
        np.add.at(total, own[grouped], np.minimum(inside[grouped] / asked[own[grouped]], 1.0))
    return total / np.maximum(sizes, 1)


def _means(features: np.ndarray, groups: np.ndarray, k: int) -> np.ndarray:
    means = np.zeros((k, features.shape[1]), dtype=np.float32)
    for group in np.unique(groups[groups != UNGROUPED]):
        means[group] = features[groups == group].mean(0)
    return means


def _sample(labels: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """At most `size` rows in their order, labelled and other ones in the same proportion or all of them."""
    if len(labels) <= size:
        return np.arange(len(labels))
    return np.sort(rng.choice(len(labels), size, replace=False))
