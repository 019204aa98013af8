"""Whether two pieces of a log are parts of one intent, learnt from the known intents. Arrays only.

How far apart two phrasings of one intent may lie differs from bot to bot: the intents of one are narrow,
those of the next wide. The known intents show it: their messages are cut into pieces in the same way, and a
logistic regression learns from pairs of pieces which belong together. Then the pieces of what is new are
merged, the most certain pair first, while the two are likely to be one. The clusters of the whole log are a
second answer to the same question: two large pieces that lie in different ones must be likelier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.neighbors import nearest_rows
from rasa_intent_discovery.datatypes import Array

_PAIRS_AT_A_TIME = 1 << 18
_SIZES = slice(6, 8)  # columns of `Pieces.evidence`


@dataclass(eq=False)
class Pieces:
    """k pieces of some rows, and what tells of two of them whether they are one; all of it is additive.

    Attributes:
        sizes: (k,) float64, how many rows.
        products: (k, k) float64, the sum of the scalar products of every row of one with every row of the
            other.
        links: (k, k) float64, how many nearest neighbours of the rows of one lie in the other.
        clusters: (k, c) float64, how many rows are in each of c clusters.
        neighbors: how many nearest neighbours each row has, in a piece or beside all of them.
    """

    sizes: Array
    products: Array
    links: Array
    clusters: Array
    neighbors: int

    @classmethod
    def of(
        cls, unit: Array, pieces: Array, clusters: Array | None = None, linked: Array | None = None
    ) -> Pieces:
        """Counts and sums.

        Args:
            unit: (n, d) float32, rows of length 1, n at least 2.
            pieces: (n,) int64, 0..k - 1.
            clusters: (n,) int64, 0..c - 1, or None where all rows are in one.
            linked: as `linked_rows` of `unit`; None looks for them among these rows alone.
        """
        if clusters is None:
            clusters = np.zeros(len(pieces), dtype=np.int64)
        k = int(pieces.max()) + 1
        inside = np.zeros((k, int(clusters.max()) + 1))
        np.add.at(inside, (pieces, clusters), 1.0)
        sums = np.zeros((k, unit.shape[1]))
        np.add.at(sums, pieces, unit)
        linked = linked_rows(unit) if linked is None else linked
        links = np.zeros((k, k))
        rows, places = np.nonzero(linked != UNGROUPED)
        np.add.at(links, (pieces[rows], pieces[linked[rows, places]]), 1.0)
        sizes = np.bincount(pieces).astype(np.float64)
        return cls(sizes, sums @ sums.T, links, inside, linked.shape[1])

    @property
    def k(self) -> int:
        """How many pieces."""
        return len(self.sizes)

    def united(self, parts: Array) -> Pieces:
        """The pieces with some of them taken together; (k,) int64, 0..number of parts - 1."""
        member = np.zeros((int(parts.max()) + 1, self.k))
        member[parts, np.arange(self.k)] = 1.0
        return Pieces(
            member @ self.sizes,
            member @ self.products @ member.T,
            member @ self.links @ member.T,
            member @ self.clusters,
            self.neighbors,
        )

    def unite(self, one: int, other: int) -> None:
        """Adds one piece to another in place; `other` is then linked to nothing."""
        self.sizes[one] += self.sizes[other]
        self.clusters[one] += self.clusters[other]
        for table in (self.products, self.links):
            table[one] += table[other]
            table[:, one] += table[:, other]
            table[other] = table[:, other] = 0.0

    def evidence(self, ones: Array, others: Array) -> Array:
        """What tells of p pairs of pieces whether they are one.

        Args:
            ones, others: (p,) int64.

        Returns:
            (p, 8), at `_SIZES` the sizes: the mean cosine between them; the same by the mean and by the lower
            of the mean cosines within them; the smaller, larger and mean share of the neighbours outside a
            piece that lie in the other; the logarithms of the smaller and the larger size.
        """
        size, size_of_other = self.sizes[ones], self.sizes[others]
        across = self.products[ones, others] / (size * size_of_other)
        within, within_other = self._within(ones, others), self._within(others, ones)
        outside, outside_other = (np.maximum(self._outside(pieces), 1.0) for pieces in (ones, others))
        there, back = self.links[ones, others], self.links[others, ones]
        share, share_back = there / outside, back / outside_other
        columns = (
            across,
            across / np.sqrt(within * within_other),
            across / np.minimum(within, within_other),
            np.minimum(share, share_back),
            np.maximum(share, share_back),
            (there + back) / (outside + outside_other),
            np.log(np.minimum(size, size_of_other)),
            np.log(np.maximum(size, size_of_other)),
        )
        return np.stack(columns, axis=1)

    def odds_left(self, ones: Array, others: Array) -> Array:
        """What is left of the odds that two pieces are one, since their rows lie in different clusters.

        Of small pieces the clusters know little, and nothing is taken; of large ones that share no cluster it
        falls with a power of the smaller one's size.

        Args:
            ones, others: (p,) int64.

        Returns:
            (p,) above 0, at most 1.
        """
        smaller = np.minimum(self.sizes[ones], self.sizes[others])
        left = np.ones(len(ones))
        large = np.flatnonzero(smaller > GROUPING.apart_rows)
        # Of these alone, and not of all pieces: it is asked after every merge.
        shares, shares_of_other = (
            self.clusters[pieces] / self.sizes[pieces, None] for pieces in (ones[large], others[large])
        )
        overlap = np.minimum(shares, shares_of_other).sum(1)
        left[large] = (GROUPING.apart_rows / smaller[large]) ** (GROUPING.apart_power * (1.0 - overlap))
        return left

    def _outside(self, of: Array) -> Array:
        """(p,) how many nearest neighbours of the rows of some pieces, (p,) int64, are not in it."""
        found: Array = self.neighbors * self.sizes[of] - self.links[of, of]
        return found

    def _within(self, of: Array, instead: Array) -> Array:
        """(p,) the mean cosine between two rows of a piece; of a single row, that of the other piece.

        It is no less than `least_within`, and `within_alone` where both are single rows.
        """

        def mean_cosine(piece: Array) -> Array:
            size = self.sizes[piece]
            pairs = np.maximum(size * (size - 1.0), 1.0)
            found: Array = np.where(size > 1, (self.products[piece, piece] - size) / pairs, np.nan)
            return found

        own, other = mean_cosine(of), mean_cosine(instead)
        either = np.where(np.isnan(own), other, own)
        found: Array = np.where(np.isnan(either), GROUPING.within_alone, either)
        return np.maximum(found, GROUPING.least_within)


@dataclass(frozen=True, eq=False)
class Merged:
    """What became of k pieces.

    Attributes:
        parts: (k,) int64, the pieces that are one have the same number.
        ones, others: (p,) int64, pairs of pieces that were merged. A part is told of by the largest of its
            pieces.
        likely: (p,) 0..1, how likely the two were one when it was decided.
        rows: (p,) how many rows the smaller one had.
    """

    parts: Array
    ones: Array
    others: Array
    likely: Array
    rows: Array

    @classmethod
    def of(cls, parts: Array, decided: Sequence[tuple[int, int, float, float]]) -> Merged:
        """From the decisions one by one: (p, 4), the columns `ones`, `others`, `likely` and `rows`."""
        ones, others, likely, rows = np.array(decided, dtype=np.float64).reshape(-1, 4).T
        return cls(parts, ones.astype(np.int64), others.astype(np.int64), likely, rows.astype(np.int64))

    @classmethod
    def nothing(cls, k: int) -> Merged:
        """K pieces stay as they are."""
        return cls.of(np.arange(k), ())


@dataclass(frozen=True, eq=False)
class SameIntent:
    """How likely two pieces are of one intent, as the known intents of a bot teach it.

    Attributes:
        model: a classifier of `Pieces.evidence`; None where the known intents are too few to learn from:
            nothing is merged then.
        taught: (t, h) float32, the rows it was learnt from, among which what is new has neighbours, too: held
            against each other alone, of two groups each would be the only one beside the other.
    """

    model: Any
    taught: Array | None = None

    @classmethod
    def learnt(
        cls, pieces: Pieces, intents: Array, rng: np.random.Generator, taught: Array | None = None
    ) -> SameIntent:
        """Learns from the pieces of known intents, and from what becomes of them on the way to one.

        How large two pieces are is not asked where the known intents would have large ones merged.

        Args:
            intents: (k,) int64, the intent that most rows of a piece have; below 0 where most have none.
            taught: (t, h) float32, the rows of the pieces.
        """
        evidence, same = [], []
        for grown in GROUPING.grown_shares:
            parts, of = _grown(intents, grown, rng)
            united = pieces.united(parts)
            ones, others = _near_pairs(united)
            evidence.append(united.evidence(ones, others))
            same.append((of[ones] == of[others]) & (of[ones] >= 0))
        learnt, answers = np.concatenate(evidence), np.concatenate(same)
        if min(answers.sum(), (~answers).sum()) < GROUPING.fewest_pairs:
            return cls(None)
        model = _fitted(learnt, answers)
        if model[-1].coef_[0, _SIZES].sum() > 0:  # each merge would make the next one likelier, to the last
            model = _fitted(learnt, answers, FunctionTransformer(_without_sizes))
        return cls(model, taught)

    def merged(self, pieces: Pieces, apart: Array | None = None, surer: float = 0.0) -> Merged:
        """The most certain pair first, while two are likely to be one; `pieces` is used up.

        Args:
            apart: (k, k) bool, pieces that are never one; None where there are none.
            surer: 0..1, two that are large are merged only where they are likelier than that to be one.
        """
        parts, largest = np.arange(pieces.k), np.arange(pieces.k)
        decided: list[tuple[int, int, float, float]] = []
        if self.model is None or pieces.k < 2:
            return Merged.of(parts, decided)
        sizes = pieces.sizes.copy()
        apart = np.zeros((pieces.k, pieces.k), dtype=bool) if apart is None else apart.copy()
        likely = self._table(pieces, self._merging)
        likely[apart] = 0.0
        best, partner = likely.max(1), likely.argmax(1)
        while best.max() >= GROUPING.same_intent:
            one = int(best.argmax())
            other = int(partner[one])
            if pieces.sizes[one] < pieces.sizes[other]:
                one, other = other, one
            if likely[one, other] <= surer and pieces.sizes[other] >= GROUPING.large_rows:
                likely[one, other] = likely[other, one] = 0.0  # until one of them has grown
                for piece in (one, other):
                    best[piece], partner[piece] = likely[piece].max(), likely[piece].argmax()
                continue
            decided.append((largest[one], largest[other], likely[one, other], pieces.sizes[other]))
            pieces.unite(one, other)
            parts[parts == other] = one
            largest[one] = max(largest[one], largest[other], key=lambda piece: sizes[piece])
            apart[one] |= apart[other]
            apart[:, one] |= apart[:, other]
            likely[other] = likely[:, other] = 0.0
            rest = np.setdiff1d(np.unique(parts), [one])
            again = np.where(apart[one, rest], 0.0, self._merging(pieces, np.full(len(rest), one), rest))
            likely[one, rest] = likely[rest, one] = again
            changed = np.union1d(np.flatnonzero(np.isin(partner, (one, other))), (one, other))
            best[changed], partner[changed] = likely[changed].max(1), likely[changed].argmax(1)
            better = likely[:, one] > best
            best[better], partner[better] = likely[better, one], one
        return Merged.of(parts, decided)

    def likely(self, pieces: Pieces) -> Array:
        """(k, k) 0..1: how likely each two pieces are one; 0 on the diagonal, and where nothing is learnt.

        The clusters are not asked.
        """
        return self._table(pieces, self._probability)

    def _table(self, pieces: Pieces, of: Callable[[Pieces, Array, Array], Array]) -> Array:
        """(k, k) what is said of each two pieces, whichever comes first."""
        found = np.zeros((pieces.k, pieces.k))
        if self.model is not None:
            for ones, others in _pairs(pieces.k):
                found[ones, others] = found[others, ones] = of(pieces, ones, others)
        return found

    def _merging(self, pieces: Pieces, ones: Array, others: Array) -> Array:
        likely = self._probability(pieces, ones, others)
        left = pieces.odds_left(ones, others)
        found: Array = likely * left / (likely * left + (1.0 - likely))
        return found

    def _probability(self, pieces: Pieces, ones: Array, others: Array) -> Array:
        if not len(ones):
            return np.zeros(0)
        found: Array = self.model.predict_proba(pieces.evidence(ones, others))[:, 1]
        return found


def _pairs(k: int) -> Iterator[tuple[Array, Array]]:
    """Every two of k pieces once, row by row, some at a time: what tells of all would fill the memory."""
    first = np.cumsum(np.arange(k, 0, -1)) - k  # the number of the first pair of each piece with a later one
    for start in range(0, k * (k - 1) // 2, _PAIRS_AT_A_TIME):
        numbers = np.arange(start, min(start + _PAIRS_AT_A_TIME, k * (k - 1) // 2))
        ones = np.searchsorted(first, numbers, "right") - 1
        yield ones, numbers - first[ones] + ones + 1


def linked_rows(unit: Array, beside: Array | None = None) -> Array:
    """(n, c) int64: the nearest other rows of each row, which are counted as links between pieces.

    Args:
        unit: (n, d) float32, rows of length 1, n at least 2.
        beside: (m, d) float32, further rows that are in no piece: a neighbour among them is `UNGROUPED`.
    """
    among = unit if beside is None else np.concatenate([unit, beside])
    count = min(GROUPING.link_neighbors, len(among) - 1)
    found = nearest_rows(unit, among, count, itself=np.arange(len(unit)))
    return np.where(found < len(unit), found, UNGROUPED)


def _fitted(evidence: Array, same: Array, *first: Any) -> Pipeline:
    """A classifier of `Pieces.evidence`, behind what comes first."""
    return make_pipeline(*first, StandardScaler(), LogisticRegression(max_iter=1000)).fit(evidence, same)


def _without_sizes(evidence: Array) -> Array:
    return evidence[:, : _SIZES.start]


def _grown(intents: Array, share: float, rng: np.random.Generator) -> tuple[Array, Array]:
    """Some pieces of each intent united: (k,) int64, the part each piece is in; and the intent of each part.

    Args:
        share: 0..1, of the pieces of an intent, how many are taken together into one part.
    """
    parts = np.arange(len(intents))
    for intent in np.unique(intents[intents >= 0]):
        of = np.flatnonzero(intents == intent)
        taken = of[rng.random(len(of)) < share]
        parts[taken] = taken[0] if len(taken) else 0
    kept, parts = np.unique(parts, return_inverse=True)
    return parts, intents[kept]


def _near_pairs(pieces: Pieces) -> tuple[Array, Array]:
    """Each piece with those that are closest to it on average; every pair once."""
    closeness = pieces.products / np.outer(pieces.sizes, pieces.sizes)
    np.fill_diagonal(closeness, -np.inf)
    count = min(GROUPING.compared_pieces, pieces.k - 1)
    near = np.argsort(-closeness, axis=1)[:, :count]
    pairs = np.stack([np.repeat(np.arange(pieces.k), count), near.ravel()], axis=1)
    ones, others = np.unique(np.sort(pairs, axis=1), axis=0).T
    return ones, others
