"""What a person said of rows: that two are of one intent, or of two, or that one is not of a known intent.
Arrays only.

Wagstaff et al., "Constrained k-means clustering with background knowledge" (2001), call these must-links and
cannot-links. Here they hold for the pieces that groups are merged from (`same_intent`): an answer about one
message moves all that are said alike.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from rasa_intent_discovery.datatypes import Array


@dataclass(frozen=True, eq=False)
class Links:
    """What was said of m rows.

    Attributes:
        together: (p, 2) int64, rows of one intent.
        apart: (q, 2) int64, rows of two.
        refused: (r, 2) int64, a row, and a known intent that it is not of.
    """

    together: Array
    apart: Array
    refused: Array = field(default_factory=lambda: np.zeros((0, 2), dtype=np.int64))

    @classmethod
    def none(cls) -> Links:
        """Nothing was said."""
        return cls(np.zeros((0, 2), dtype=np.int64), np.zeros((0, 2), dtype=np.int64))

    def among(self, rows: Array) -> Links:
        """The pairs of which both rows are among these, as places in `rows`; (n,) int64, each once.

        What is not of a known intent is not told of them.
        """
        return Links(*(_places(pairs, rows) for pairs in (self.together, self.apart)))

    def across(self, rows: Array, side: Array) -> bool:
        """Whether one row of either part was said to be of one intent with one of the other.

        Args:
            rows: (n,) int64, each once; side: (n,) bool, which part each is in.
        """
        one, other = side[self.among(rows).together].T
        return bool((one != other).any())

    def leaving(self, rows: Array, part: Array) -> Array:
        """(n,) bool: the part, without rows that are of one intent with one outside, or that left it.

        Args:
            rows: (n,) int64, each once; part: (n,) bool, which of them are in it.
        """
        pairs, part = self.among(rows).together, part.copy()
        while (across := pairs[part[pairs[:, 0]] != part[pairs[:, 1]]]).size:
            part[across] = False
        return part

    def parted(self, unit: Array, pieces: Array) -> Array:
        """(n,) int64: the pieces; one that holds rows of two intents is divided between them.

        Args:
            unit: (n, d) float32, of length 1. A row goes to the closer one of the two, together with what is
                of one intent with it, and what is of one intent with one of the two to that.
            pieces: (n,) int64, from 0.
        """
        pieces, wishes = pieces.copy(), self.united(np.arange(len(pieces)))
        for one, other in self.apart:
            if pieces[one] == pieces[other]:
                inside = np.flatnonzero(pieces == pieces[one])
                of, weights = wishes[inside], unit[inside] @ (unit[other] - unit[one])
                closer = (np.bincount(of, weights) > 0.0)[of]
                closer[of == wishes[other]], closer[of == wishes[one]] = True, False
                # Two that the encoder reads alike, but for rounding, are two all the same.
                closer[inside == one], closer[inside == other] = False, True
                pieces[inside[closer]] = pieces.max() + 1
        return pieces

    def united(self, pieces: Array) -> Array:
        """(n,) int64: the pieces, numbered by their first rows; those with rows of one intent are one.

        What was said to be of two intents stays two, also where other answers together say that it is one.
        """
        part = np.arange(int(pieces.max()) + 1)
        apart = pieces[self.apart]
        apart = apart[apart[:, 0] != apart[:, 1]]
        for one, other in pieces[self.together]:
            joined = np.where(part == part[other], part[one], part)
            if not (joined[apart[:, 0]] == joined[apart[:, 1]]).any():
                part = joined
        _, first, number = np.unique(part[pieces], return_index=True, return_inverse=True)
        ordered: Array = first.argsort().argsort()[number]
        return ordered

    def held_apart(self, pieces: Array) -> Array:
        """(k, k) bool: which pieces hold rows of two intents."""
        k = int(pieces.max()) + 1
        found = np.zeros((k, k), dtype=bool)
        ones, others = pieces[self.apart].T
        found[ones, others] = found[others, ones] = True
        np.fill_diagonal(found, False)
        return found


def _places(pairs: Array, rows: Array) -> Array:
    inside = np.isin(pairs, rows).all(1)
    order = np.argsort(rows)
    found: Array = order[np.searchsorted(rows, pairs[inside], sorter=order)]
    return found.reshape(-1, 2)
