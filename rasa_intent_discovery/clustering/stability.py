"""How stable a grouping is. Arrays only."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rasa_intent_discovery.clustering.clusters import constrained_kmeans, ward_starts
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.numbers import CLUSTERING
from rasa_intent_discovery.datatypes import Array, Clustering, Progress, no_progress


def stability(
    assignments: Array,
    k: int,
    regroup: Callable[[Array], Array],
    rng: np.random.Generator,
    samples: int,
    most_rows: int,
    least_rows: int = 0,
    fewest_rows: int = 1,
    always: Array | None = None,
    progress: Progress = no_progress,
) -> Array:
    """How much of each group is found again when part of the rows is left out.

    Hennig, "Cluster-wise assessment of cluster stability" (2007): the best Jaccard overlap with a group of a
    sample that is grouped anew, averaged over the samples in which the group has enough rows. This is the
    quantity that `stability` means everywhere.

    Args:
        assignments: (n,) int64, 0..k - 1, or `UNGROUPED`.
        regroup: groups the rows with these indices anew -> their assignments.
        samples: how many are drawn, of four fifths of the rows.
        most_rows, least_rows: a sample has no more, and no fewer even if that is more than four fifths.
        fewest_rows: fewer rows are no group, so a sample that has fewer of a group tells nothing of it.
        always: rows that every sample has besides, such as those of which a person said what they are one
            with: without them, what that holds together would come apart. None for none.

    Returns:
        (k,) 0..1; 0 for a group without rows, and 1 for one of which no sample tells.
    """
    size = max(least_rows, min(most_rows, int(CLUSTERING.sampled_share * len(assignments))))
    total, seen = np.zeros(k), np.zeros(k)
    for _ in progress(range(samples), "measuring stability", samples) if samples and k else ():
        rows = sample(len(assignments), size, rng)
        rows = rows if always is None else np.union1d(rows, always)
        overlap, sizes = best_overlap(assignments[rows], regroup(rows), k)
        tells = sizes >= fewest_rows
        total += np.where(tells, overlap, 0.0)
        seen += tells
    there = np.bincount(assignments[assignments != UNGROUPED], minlength=k) > 0
    found: Array = np.where(seen > 0, total / np.maximum(seen, 1), there)
    return found


def cluster_stability(
    features: Array, clustering: Clustering, seed: int, progress: Progress = no_progress
) -> Array:
    """The `stability` of clusters, where samples are clustered anew into as many by k-means.

    Args:
        features: (n, d) float32.

    Returns:
        (k,) 0..1.
    """
    k, rng = clustering.k, np.random.default_rng(seed)

    def regroup(rows: Array) -> Array:
        return constrained_kmeans(features[rows], ward_starts(features[rows], k, rng)).assignments

    samples, most_rows = CLUSTERING.cluster_samples, CLUSTERING.cluster_sample_rows
    return stability(clustering.assignments, k, regroup, rng, samples, most_rows, k, progress=progress)


def best_overlap(groups: Array, again: Array, k: int) -> tuple[Array, Array]:
    """The best Jaccard overlap of each group with one of another grouping of the same rows.

    Args:
        groups, again: (n,) int64, or `UNGROUPED`.
        k: number of groups.

    Returns:
        (k,) 0..1, 0 for a group without rows; and (k,) int64, how many rows each has.
    """
    both = (groups != UNGROUPED) & (again != UNGROUPED)
    overlap = np.zeros((k, int(again.max(initial=0)) + 1))
    np.add.at(overlap, (groups[both], again[both]), 1)
    sizes = np.bincount(groups[groups != UNGROUPED], minlength=k)
    sizes_again = np.bincount(again[again != UNGROUPED], minlength=overlap.shape[1])[None, :]
    return (overlap / np.maximum(sizes[:, None] + sizes_again - overlap, 1)).max(1), sizes


def sample(n: int, size: int, rng: np.random.Generator) -> Array:
    """At most `size` of `n` rows, in their order."""
    if n <= size:
        return np.arange(n)
    return np.sort(rng.choice(n, size, replace=False))
