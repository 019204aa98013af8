"""A tree of rows that are merged pair by pair, and what is cut from it. Arrays only."""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import squareform

from rasa_intent_discovery.clustering.held import hold
from rasa_intent_discovery.datatypes import Array

#: The number of a row that is in no group.
UNGROUPED = -1

_BLOCK = 512


def cut_pieces(tree: Array, distance: float) -> Array:
    """(n,) int64: the pieces into which a tree of `average_linkage` falls, numbered by their first rows.

    Args:
        tree: (n - 1, 4).
        distance: average cosine distance up to which rows are merged.
    """
    # The merges of the tree are in order of distance: average linkage has no inversions.
    closer = int((tree[:, 2] <= distance).sum())
    pieces = cut_into(tree, len(tree) + 1 - closer)
    _, first, number = np.unique(pieces, return_index=True, return_inverse=True)
    ordered: Array = first.argsort().argsort()[number]
    return ordered


def average_linkage(unit: Array) -> Array:
    """Average linkage on cosine distances; (n - 1, 4), as `scipy.cluster.hierarchy.linkage` does.

    The distances are products of blocks of rows, which takes less time and memory than one by one.

    Args:
        unit: (n, d) float32, rows of length 1.
    """
    n = len(unit)
    condensed = np.empty(n * (n - 1) // 2)
    for start in range(0, n, _BLOCK):
        block = 1.0 - hold(unit[start:]).products(unit[start : start + _BLOCK])
        for offset, distances in enumerate(block):
            row = start + offset
            first = row * n - row * (row + 1) // 2
            condensed[first : first + n - row - 1] = distances[offset + 1 :]
    found: Array = linkage(np.maximum(condensed, 0.0), "average")
    return found


def ward_linkage(features: Array) -> Array:
    """Ward's agglomeration; (n - 1, 4), as `scipy.cluster.hierarchy.linkage` does.

    The distances are made of one product of matrices in float32, which takes a tenth of the time that scipy
    needs for them one by one. So equal rows may be some 0.001 of their length apart.

    Args:
        features: (n, d).
    """
    rows = (features - features.mean(0)).astype(np.float32)
    squares = np.einsum("ij,ij->i", rows, rows)
    distances = hold(rows).products(rows)
    distances *= -2.0
    distances += squares
    distances += squares[:, None]
    np.sqrt(np.maximum(distances, 0.0, out=distances), out=distances)
    found: Array = linkage(squareform(distances, checks=False), "ward")
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
