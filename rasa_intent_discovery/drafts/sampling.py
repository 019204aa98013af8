"""Which messages stand for all of a large log, where nobody could look at each. Draws nothing by chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from rasa_intent_discovery.datatypes import Array

T = TypeVar("T")


def spaced(ones: Sequence[T], most: int) -> Sequence[T]:
    """At most `most` of some ones, from the first to the last at even distances.

    >>> spaced("abcdefgh", 3)
    ['a', 'd', 'h']
    """
    if len(ones) <= most:
        return ones
    return [ones[at] for at in np.linspace(0, len(ones) - 1, most).astype(int).tolist()]


def spread(groups: Array, most: int, least: int) -> Array:
    """(m,) int64, rising: rows that stand for all, the first of every group and others at even distances.

    Args:
        groups: (n,) integers, the group of every row.
        most: rows in all, at most.
        least: of every group, as far as it has so many and there is room for all groups.
    """
    if len(groups) <= most:
        return np.arange(len(groups))
    found, member, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    order = np.argsort(member, kind="stable")
    place = np.empty(len(groups), dtype=np.int64)
    place[order] = np.arange(len(groups)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    first = place < min(least, most // len(found))
    rest = np.flatnonzero(~first)
    room = most - int(first.sum())
    kept = rest[np.linspace(0, len(rest) - 1, room).astype(np.int64)] if room else rest[:0]
    rows: Array = np.sort(np.concatenate([np.flatnonzero(first), kept]))
    return rows
