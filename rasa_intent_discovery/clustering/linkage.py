"""A tree of rows that are merged pair by pair, and what is cut from it. Arrays only."""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import squareform
from sklearn.metrics.pairwise import euclidean_distances

from rasa_intent_discovery.datatypes import UNLABELED, Array

#: The number of a row that is in no group.
UNGROUPED = -1

_BLOCK = 512
# Cosine distances end at 2: examples of two intents are farther apart than anything can be. It is an average
# that decides, so among very many rows without labels two of them may be merged all the same.
_APART = 3.0


def cut_pieces(unit: Array, labels: Array, distance: float) -> Array:
    """(n,) int64: the pieces into which `constrained_linkage` falls, numbered by their first rows.

    Args:
        distance: average cosine distance up to which rows are merged.
    """
    tree = constrained_linkage(unit, labels)
    closer = int(
        (tree[:, 2] <= distance).sum()
    )  # In this order they are merged: average linkage has no inversions.
    pieces = cut_into(tree, len(unit) - closer)
    _, first, number = np.unique(pieces, return_index=True, return_inverse=True)
    ordered: Array = first.argsort().argsort()[number]
    return ordered


def constrained_linkage(unit: Array, labels: Array) -> Array:
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
    found: Array = linkage(np.maximum(condensed, 0.0), "average")
    return found


def ward_linkage(features: Array) -> Array:
    """Ward's agglomeration; (n - 1, 4), as `scipy.cluster.hierarchy.linkage` does.

    The distances are made of one product of matrices, which takes a fifth of the time that scipy needs for
    them one by one. So equal rows may be some 1e-8 apart.

    Args:
        features: (n, d).
    """
    found: Array = linkage(squareform(euclidean_distances(features), checks=False), "ward")
    return found


def cut_into(tree: Array, k: int) -> Array:
    """(n,) int64, 0..k - 1: the k parts that are left when the last k - 1 merges are undone.

    Args:
        tree: (n - 1, 4), as `scipy.cluster.hierarchy.linkage` gives it; what is merged later is no closer.
    """
    n = len(tree) + 1
    merged = np.arange(n - k)
    edges = (np.ones(2 * len(merged)), (np.tile(n + merged, 2), tree[merged, :2].T.ravel().astype(np.int64)))
    _, part = connected_components(coo_matrix(edges, shape=(2 * n - 1, 2 * n - 1)), directed=False)
    number: Array = np.unique(part[:n], return_inverse=True)[1]
    return number
