"""How a group of messages splits in two, and each part again: for a proposal that mixes two intents.

Ward's agglomeration of the group's features, read from the top. Arrays only.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.cluster.hierarchy import linkage

from rasa_intent_discovery.clustering.features import normalized
from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.stability import sample
from rasa_intent_discovery.datatypes import KNOWN, NEW, UNLABELED, Array, Placement, Points
from rasa_intent_discovery.proposals.numbers import PROPOSALS


def split_paths(points: Points, placements: Sequence[Placement], seed: int) -> dict[int, str]:
    """The path of each drafted message: at every fork of its group `0` for the larger part, else `1`.

    Args:
        points: rows of a corpus.
        placements: of all rows of the corpus.

    Returns:
        Row -> path, of up to `split_depth` digits; without the rows of groups that do not split.
    """
    groups: dict[tuple[str, str | None], list[int]] = {}
    for index, row in enumerate(points.rows.tolist()):
        place = placements[row]
        if place.placement == NEW or (place.placement == KNOWN and points.labels[index] == UNLABELED):
            groups.setdefault((place.placement, place.intent), []).append(index)
    paths: dict[int, str] = {}
    for inside in groups.values():
        found = tree_paths(points.features[inside], seed)
        paths.update(
            {int(points.rows[index]): path for index, path in zip(inside, found, strict=True) if path}
        )
    return paths


def tree_paths(features: Array, seed: int) -> list[str]:
    """The path of each message of one group; empty where it is too small to be split.

    A part has at least `fewest_rows` messages: a smaller number of outliers is no part of its own.

    Args:
        features: (n, d) float32.
    """
    unit = normalized(features).astype(np.float64)
    paths = [""] * len(unit)
    _descend(unit, np.arange(len(unit)), paths, np.random.default_rng(seed))
    return paths


def _descend(unit: Array, rows: Array, paths: list[str], rng: np.random.Generator) -> None:
    if len(rows) < 2 * GROUPING.fewest_rows or len(paths[rows[0]]) == PROPOSALS.split_depth:
        return
    side = _halves(unit[rows], rng)
    if side is None:
        return
    if 2 * side.sum() > len(side):
        side = ~side
    for digit, part in (("0", rows[~side]), ("1", rows[side])):
        for row in part.tolist():
            paths[row] += digit
        _descend(unit, part, paths, rng)


def _halves(unit: Array, rng: np.random.Generator) -> Array | None:
    """(n,) bool, the two parts that Ward's agglomeration merges last; None where there are none."""
    some = sample(len(unit), PROPOSALS.most_split_rows, rng)
    parts = _last_merged(linkage(unit[some], "ward"))
    if parts is None:
        return None
    centers = [unit[some[part]].mean(0) for part in parts]
    # |x - a|^2 - |x - b|^2, without what both have in common
    nearer: Array = unit @ (centers[1] - centers[0]) > (centers[1] @ centers[1] - centers[0] @ centers[0]) / 2
    for part, value in zip(parts, (False, True), strict=True):
        nearer[some[part]] = value
    return nearer if GROUPING.fewest_rows <= nearer.sum() <= len(nearer) - GROUPING.fewest_rows else None


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
