"""Into which parts a group of messages falls, and these into which: for who finds two wishes in one proposal.

Ward's agglomeration of the group's features, read from the top. Arrays only.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.cluster.hierarchy import linkage

from rasa_intent_discovery.clustering.features import normalized
from rasa_intent_discovery.clustering.groups import FEWEST
from rasa_intent_discovery.datatypes import KNOWN, NEW, Placement

DEPTH = 4
# Agglomeration takes n squared: of a larger group so many are taken, and the others join the nearer part.
_MOST_ROWS = 1000


def split_paths(
    rows: np.ndarray, features: np.ndarray, placements: Sequence[Placement], labeled: np.ndarray, seed: int
) -> dict[int, str]:
    """The path of each drafted message: at every fork of its group `0` for the larger part, else `1`.

    Args:
        rows: (m,) int64, rows of a corpus; features: (m, d) float32, of these rows.
        placements: of all n rows of the corpus; labeled: (n,) bool, which are training examples.

    Returns:
        Row -> path, of up to `DEPTH` digits; without the rows of groups that do not fall into two.
    """
    groups: dict[tuple[str, str | None], list[int]] = {}
    for index, row in enumerate(rows.tolist()):
        place = placements[row]
        if place.placement == NEW or (place.placement == KNOWN and not labeled[row]):
            groups.setdefault((place.placement, place.intent), []).append(index)
    paths: dict[int, str] = {}
    for inside in groups.values():
        found = paths_of(features[inside], seed)
        paths.update({int(rows[index]): path for index, path in zip(inside, found, strict=True) if path})
    return paths


def paths_of(features: np.ndarray, seed: int) -> list[str]:
    """The path of each message of one group; empty ones where it is too small to be parted.

    A part has at least `FEWEST` messages: fewer that lie apart from all others are no part of their own.

    Args:
        features: (n, d) float32.
    """
    unit = normalized(features).astype(np.float64)
    paths = [""] * len(unit)
    _descend(unit, np.arange(len(unit)), paths, np.random.default_rng(seed))
    return paths


def _descend(unit: np.ndarray, rows: np.ndarray, paths: list[str], rng: np.random.Generator) -> None:
    if len(rows) < 2 * FEWEST or len(paths[rows[0]]) == DEPTH:
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


def _halves(unit: np.ndarray, rng: np.random.Generator) -> np.ndarray | None:
    """(n,) bool, the two parts of which Ward's agglomeration consists at last; None where there are none."""
    some = np.arange(len(unit))
    if len(some) > _MOST_ROWS:
        some = np.sort(rng.choice(len(unit), _MOST_ROWS, replace=False))
    parts = _top(linkage(unit[some], "ward"), len(some))
    if parts is None:
        return None
    centers = [unit[some[part]].mean(0) for part in parts]
    # |x - a|^2 - |x - b|^2, without what both have in common
    nearer: np.ndarray = (
        unit @ (centers[1] - centers[0]) > (centers[1] @ centers[1] - centers[0] @ centers[0]) / 2
    )
    for part, value in zip(parts, (False, True), strict=True):
        nearer[some[part]] = value
    return nearer if FEWEST <= nearer.sum() <= len(nearer) - FEWEST else None


def _top(merges: np.ndarray, n: int) -> tuple[list[int], list[int]] | None:
    """The two parts that were merged last, of those that are no mere outliers.

    Args:
        merges: (n - 1, 4), as `scipy.cluster.hierarchy.linkage` gives it.
    """
    node = 2 * n - 2
    while node >= n:
        one, other, height, _ = merges[node - n]
        if height <= 0.0:
            return None
        small, large = sorted((int(one), int(other)), key=lambda part: _size(merges, part, n))
        if _size(merges, small, n) >= FEWEST:
            return _leaves(merges, large, n), _leaves(merges, small, n)
        node = large
    return None


def _size(merges: np.ndarray, node: int, n: int) -> int:
    return 1 if node < n else int(merges[node - n, 3])


def _leaves(merges: np.ndarray, node: int, n: int) -> list[int]:
    waiting, found = [node], []
    while waiting:
        node = waiting.pop()
        if node < n:
            found.append(node)
        else:
            waiting += [int(merges[node - n, 0]), int(merges[node - n, 1])]
    return sorted(found)
