"""Which messages lie closely enough together to be one intent. Arrays only.

k-means gives every message to a cluster, small talk and junk too, and a rare intent to the cluster of a
frequent one. So the messages are grouped a second time, from the bottom: the two closest groups are merged
again and again (average linkage), but not beyond a distance, and never the examples of two known intents.
What then stands alone belongs to nothing. Parts of one intent that the distance kept apart are joined where
k-means has them in one cluster.

A rare intent has few messages, and they lie far apart, as no two people put it the same way. So what no group
explains can be looked at again, every message together with the most similar ones.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rasa_intent_discovery.clustering.linkage import UNGROUPED, cut_pieces
from rasa_intent_discovery.clustering.neighbors import averaged_with_neighbors, nearest_rows
from rasa_intent_discovery.clustering.numbers import CLUSTERING
from rasa_intent_discovery.clustering.stability import cluster_stability, sample, stability
from rasa_intent_discovery.datatypes import UNLABELED, Array, Clustering, Points


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of m rows of a corpus: group i < number of known intents is known intent i, the others are new.

    Attributes:
        points: the m rows, their features of length 1.
        assignments: (m,) int64, the group of each row, or `UNGROUPED`.
        stability: (k,) 0..1, how much of a group is found again when part of the rows is left out.
        belonging: (k,) 0..1, the share of its rows' nearest neighbours that are in the group, too.
        near: average cosine distance up to which a row in no group may still join one.
    """

    points: Points
    assignments: Array
    stability: Array
    belonging: Array
    near: float

    @property
    def k(self) -> int:
        """How many there are."""
        return len(self.stability)

    @property
    def rows(self) -> Array:
        """(m,) int64, rows of the corpus."""
        return self.points.rows

    @property
    def features(self) -> Array:
        """(m, d) float32, of length 1."""
        return self.points.features

    def centers(self) -> Array:
        """(k, d) float32, the mean of each group's rows; zero where it has none."""
        return _means(self.features, self.assignments, self.k)

    @property
    def among_neighbors(self) -> tuple[float, ...]:
        """Average cosine distances up to which rows with their neighbours may be grouped, in order."""
        return tuple(part * self.near for part in CLUSTERING.among_neighbors)

    def joined(self, kept: Array) -> Array:
        """(m,) int64: the groups where only some are kept, and the other rows join the nearest of these.

        Args:
            kept: (k,) bool.
        """
        numbers = np.flatnonzero(kept)
        assignments = np.where(np.isin(self.assignments, numbers), self.assignments, UNGROUPED)
        free = np.flatnonzero(assignments == UNGROUPED)
        similarity = self.features[free] @ self.centers()[numbers].T
        if similarity.size:
            close = 1.0 - similarity.max(1) < self.near
            assignments[free[close]] = numbers[similarity.argmax(1)[close]]
        return assignments

    def unexplained(self, kept: Array) -> Array:
        """(m,) bool: the rows in none of the groups that are kept.

        Where there were too many rows to group them all, also not near one.

        Args:
            kept: (k,) bool.
        """
        few = len(self.rows) <= CLUSTERING.most_grouped_rows
        found: Array = ~np.isin(self.assignments, np.flatnonzero(kept)) & (
            few | (self.joined(kept) == UNGROUPED)
        )
        return found

    def with_more(self, more: Groups, chosen: Array) -> Groups:
        """These and some of others after them; a group that loses rows to them is dissolved.

        Args:
            more: groups of the same rows, of which each may be in one.
            chosen: numbers of the groups that are taken over, in their new order.
        """
        taken = np.isin(more.assignments, chosen)
        dissolved = np.unique(self.assignments[taken & (self.assignments != UNGROUPED)])
        assignments = np.where(np.isin(self.assignments, dissolved), UNGROUPED, self.assignments)
        number = np.full(more.k + 1, UNGROUPED)
        number[chosen] = self.k + np.arange(len(chosen))
        return dataclasses.replace(
            self,
            assignments=np.where(taken, number[more.assignments], assignments),
            stability=np.concatenate([self.stability, more.stability[chosen]]),
            belonging=np.concatenate([self.belonging, more.belonging[chosen]]),
        )


def dense_groups(points: Points, clustering: Clustering, untrained_share: float, seed: int) -> Groups:
    """Groups that are no wider than an intent is. Of very many rows a part is grouped, the rest may join.

    Args:
        clustering: of these points; its cluster i < j is known intent i.
        untrained_share: 0..1, weight of the untrained view in the features: it is the wider one.
    """
    rng = np.random.default_rng(seed)
    points = points.normalized()
    wider = untrained_share * (CLUSTERING.core_untrained - CLUSTERING.core_trained)
    core = CLUSTERING.core_trained + wider
    near = core + CLUSTERING.beyond_core
    some = sample(len(points.rows), CLUSTERING.most_grouped_rows, rng)
    part, clusters = points.of(some), clustering.assignments[some]
    grouped = _grouped(part, clusters, points.known, core, near)
    k = max(points.known, int(grouped.max()) + 1)

    def regroup(left: Array) -> Array:
        return _grouped(part.of(left), clusters[left], points.known, core, near)

    stable = _group_stability(grouped, k, regroup, rng)
    assignments = points.labels.copy()
    assignments[some] = grouped
    return Groups(points, assignments, stable, _belonging(part.features, grouped, k), near)


def groups_among_neighbors(groups: Groups, free: Array, distance: float, seed: int) -> Groups:
    """Groups of some rows, each taken together with the rows most similar to it; of very many, of a part.

    Args:
        free: (m,) bool, which rows may be in a group, none of them labelled.
        distance: average cosine distance up to which they are merged, one of `groups.among_neighbors`.

    Returns:
        The groups, new ones from 0 on; all rows that are not free are in none.
    """
    rng = np.random.default_rng(seed)
    rows = np.flatnonzero(free)
    some = rows[sample(len(rows), CLUSTERING.most_grouped_rows, rng)]
    unit = averaged_with_neighbors(groups.features[some], groups.features, CLUSTERING.neighbor_share)
    grouped = _cut(unit, distance)
    k = int(grouped.max(initial=UNGROUPED)) + 1
    stable = _group_stability(grouped, k, lambda left: _cut(unit[left], distance), rng)
    assignments = np.full(len(free), UNGROUPED)
    assignments[some] = grouped
    seen = np.union1d(np.flatnonzero(~free), some)
    belonging = _belonging(groups.features[seen], assignments[seen], k)
    return dataclasses.replace(groups, assignments=assignments, stability=stable, belonging=belonging)


def clusters_as_groups(points: Points, clustering: Clustering, seed: int) -> Groups:
    """The clusters as they are: every row is in one, and stays there."""
    unit = points.normalized()
    belonging = _belonging(unit.features, clustering.assignments, clustering.k)
    stable = cluster_stability(points.features, clustering, seed)
    return Groups(unit, clustering.assignments, stable, belonging, near=0.0)


def _grouped(points: Points, clusters: Array, known: int, core: float, near: float) -> Array:
    """(n,) int64: known intents, then new groups from `known` on, `UNGROUPED` elsewhere.

    Args:
        clusters: (n,) int64, the cluster of each point.
    """
    labels = points.labels
    pieces = cut_pieces(points.features, labels, core)
    n = int(pieces.max()) + 1
    held = np.zeros((n, known))
    labeled = labels != UNLABELED
    np.add.at(held, (pieces[labeled], labels[labeled]), 1)
    of_known = held.sum(1) > 0
    number = np.where(of_known, held.argmax(1), UNGROUPED)
    fresh = np.flatnonzero(~of_known & (np.bincount(pieces, minlength=n) >= CLUSTERING.fewest_rows))
    for new, joined in enumerate(_joined(points.features, pieces, clusters, fresh, known, near)):
        number[joined] = known + new
    return np.where(labeled, labels, number[pieces])


def _cut(unit: Array, distance: float) -> Array:
    """(n,) int64: groups of rows without labels, `UNGROUPED` where too few are close."""
    n = len(unit)
    if n < CLUSTERING.fewest_rows:
        return np.full(n, UNGROUPED)
    pieces = cut_pieces(unit, np.full(n, UNLABELED), distance)
    large = np.flatnonzero(np.bincount(pieces) >= CLUSTERING.fewest_rows)
    number = np.full(int(pieces.max()) + 1, UNGROUPED)
    number[large] = np.arange(len(large))
    grouped: Array = number[pieces]
    return grouped


def _group_stability(
    grouped: Array, k: int, regroup: Callable[[Array], Array], rng: np.random.Generator
) -> Array:
    samples, most_rows = CLUSTERING.group_samples, CLUSTERING.group_sample_rows
    return stability(grouped, k, regroup, rng, samples, most_rows)


def _joined(
    unit: Array, pieces: Array, clusters: Array, fresh: Array, known: int, near: float
) -> list[list[int]]:
    """Pieces that are one: on average nearer than `near`, and mostly in the same new cluster."""
    of_cluster: dict[int, list[list[int]]] = {}
    sums = {piece: unit[pieces == piece].sum(0) for piece in fresh.tolist()}
    sizes = {piece: int((pieces == piece).sum()) for piece in fresh.tolist()}
    for piece in fresh.tolist():
        cluster = int(np.bincount(clusters[pieces == piece]).argmax())
        # A known intent has one cluster, so what lies there beside it says nothing of being one.
        key = cluster if cluster >= known else -1 - piece
        of_cluster.setdefault(key, []).append([piece])
    for parts in of_cluster.values():
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
    return sorted((part for parts in of_cluster.values() for part in parts), key=min)


def _belonging(unit: Array, groups: Array, k: int) -> Array:
    """(k,) 0..1; a group of three can have but two of its own as neighbours, so only as many are asked."""
    n = len(unit)
    sizes = np.bincount(groups[groups != UNGROUPED], minlength=k)
    asked = np.clip(sizes - 1, 1, min(CLUSTERING.neighbors, n - 1))
    rows = np.flatnonzero(groups != UNGROUPED)
    nearest = nearest_rows(unit[rows], unit, min(CLUSTERING.neighbors, n - 1), itself=rows)
    own = groups[rows]
    inside = np.minimum((groups[nearest] == own[:, None]).sum(1) / asked[own], 1.0)
    found: Array = np.bincount(own, inside, minlength=k) / np.maximum(sizes, 1)
    return found


def _means(features: Array, groups: Array, k: int) -> Array:
    means = np.zeros((k, features.shape[1]), dtype=np.float32)
    for group in np.unique(groups[groups != UNGROUPED]):
        means[group] = features[groups == group].mean(0)
    return means
