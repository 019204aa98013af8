"""How a group of messages splits in two, and each part again: for a proposal that mixes two intents.

The parts of `halves`, and theirs in turn, where they are clearly less alike than the messages of one part:
every group has halves, also one that is a single wish. Messages that a person said are of one intent stay
together; what came along with them is a part, however alike it is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.halves import gap, halves
from rasa_intent_discovery.clustering.links import Links
from rasa_intent_discovery.datatypes import KNOWN, NEW, UNLABELED, Array, Placement, Points, normalized
from rasa_intent_discovery.proposals.numbers import PROPOSALS

NOTHING_SAID = Links.none()


def split_paths(
    points: Points,
    placements: Sequence[Placement],
    seed: int,
    links: Links,
    came: Sequence[Sequence[int]] = (),
) -> dict[int, str]:
    """The path of each drafted message: at every fork of its group `0` for the larger part, else `1`.

    Args:
        points: rows of a corpus.
        placements: of all rows of the corpus.
        links: of the points.
        came: rows of the corpus, each a part of a group that came with what a person said.

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
        rows = points.rows[inside]
        parts = [part for part in (np.isin(rows, one) for one in came) if part.any()]
        found = tree_paths(points.features[inside], seed, links.among(np.array(inside)), parts)
        paths.update(
            {int(points.rows[index]): path for index, path in zip(inside, found, strict=True) if path}
        )
    return paths


def tree_paths(
    features: Array, seed: int, links: Links = NOTHING_SAID, came: Sequence[Array] = ()
) -> list[str]:
    """The path of each message of one group; empty where it is too small to be split, or nothing stands out.

    Args:
        features: (n, d) float32.
        links: of the n rows.
        came: (n,) bool each, a part that came with what a person said: there it forks first.
    """
    unit = normalized(features).astype(np.float64)
    paths = [""] * len(unit)
    rng = np.random.default_rng(seed)
    _descend(unit, np.arange(len(unit)), PROPOSALS.split_depth, paths, links, came, rng)
    return paths


def _descend(
    unit: Array,
    rows: Array,
    forks: int,
    paths: list[str],
    links: Links,
    came: Sequence[Array],
    rng: np.random.Generator,
) -> None:
    side = _came_along(rows, links, came) if forks else None
    if forks and side is None:
        side = _apart(unit[rows], rows, links, rng)
    if side is None:
        return
    for digit, part in (("0", rows[~side]), ("1", rows[side])):
        for row in part.tolist():
            paths[row] += digit
        _descend(unit, part, forks - 1, paths, links, came, rng)


def _came_along(rows: Array, links: Links, came: Sequence[Array]) -> Array | None:
    """(n,) bool, the smaller part: what came with answered messages, or the rest; None where that is too few.

    The answered messages themselves stay together.
    """
    for part in came:
        side = links.leaving(rows, part[rows])
        if min(side.sum(), (~side).sum()) >= GROUPING.fewest_rows:
            return _smaller(side)
    return None


def _apart(unit: Array, rows: Array, links: Links, rng: np.random.Generator) -> Array | None:
    """(n,) bool, the smaller of two parts that are clearly less alike; None where there are none."""
    side = halves(unit, rng)
    if side is None:
        return None
    side = links.leaving(rows, _smaller(side))
    if side.sum() < GROUPING.fewest_rows or gap(unit, side) < PROPOSALS.split_gap:
        return None
    return side


def _smaller(side: Array) -> Array:
    return ~side if 2 * side.sum() > len(side) else side
