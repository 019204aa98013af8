"""The two parts of a group that mixes two things: Ward's agglomeration, read from the top. Arrays only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.cluster.hierarchy import linkage

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.stability import sample
from rasa_intent_discovery.datatypes import Array


def halves(unit: Array, rng: np.random.Generator) -> Array | None:
    """(n,) bool, the two parts that Ward's agglomeration merges last; None where there are none.

    A part has at least `fewest_rows` rows: a smaller number of outliers is no part of its own.

    Args:
        unit: (n, d), of length 1.
    """
    if len(unit) < 2 * GROUPING.fewest_rows:
        return None
    some = sample(len(unit), GROUPING.most_split_rows, rng)
    parts = _last_merged(linkage(unit[some], "ward"))
    if parts is None:
        return None
    centers = [unit[some[part]].mean(0) for part in parts]
    # |x - a|^2 - |x - b|^2, without what both have in common
    nearer: Array = unit @ (centers[1] - centers[0]) > (centers[1] @ centers[1] - centers[0] @ centers[0]) / 2
    for part, value in zip(parts, (False, True), strict=True):
        nearer[some[part]] = value
    return nearer if GROUPING.fewest_rows <= nearer.sum() <= len(nearer) - GROUPING.fewest_rows else None


def gap(unit: Array, side: Array) -> float:
    """How much less alike messages of two parts are than those of one: 0 not at all, 1 or more: not alike.

    It is by mean cosines of pairs; 0 too where the messages of a part have nothing in common, either.

    Args:
        unit: (n, d), of length 1; side: (n,) bool, which part each is in, two or more in each.
    """
    parts = unit[side], unit[~side]
    totals = [part.sum(0) for part in parts]
    inside = sum(
        (total @ total - len(part)) / (len(part) - 1) for part, total in zip(parts, totals, strict=True)
    ) / len(unit)
    across = totals[0] @ totals[1] / (len(parts[0]) * len(parts[1]))
    return float(max(0.0, 1.0 - across / inside)) if inside > 0.0 else 0.0


def _last_merged(tree: Array) -> tuple[list[int], list[int]] | None:
    """The two parts that were merged last, leaving out small ones (outliers); the larger one first.

    Args:
        tree: (n - 1, 4), as `scipy.cluster.hierarchy.linkage` gives it.
    """
    n = len(tree) + 1
    sizes = [1] * n + tree[:, 3].astype(int).tolist()
    merged = tree[:, :2].astype(int).tolist()
    node = len(sizes) - 1
    while node >= n and tree[node - n, 2] > 0.0:
        small, large = sorted(merged[node - n], key=sizes.__getitem__)
        if sizes[small] >= GROUPING.fewest_rows:
            return _leaves(large, merged), _leaves(small, merged)
        node = large
    return None


def _leaves(node: int, merged: Sequence[Sequence[int]]) -> list[int]:
    """The rows under a node of a tree of n rows, ascending; node n + i is made of the two of `merged[i]`."""
    n, found, left = len(merged) + 1, [], [node]
    while left:
        node = left.pop()
        if node < n:
            found.append(node)
        else:
            left += merged[node - n]
    return sorted(found)
