"""Rows where their products are computed: in this process, or on a device that can do many at once.

What takes the square of a log, neighbours, linkage and the passes of k-means, asks `hold` for the rows.
Arrays only: `learning.device` has the same by PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

import numpy as np
from scipy.sparse import csr_matrix

from rasa_intent_discovery.datatypes import Array

_BLOCK = 512
# From more on, they are partitioned.
_FEW = 10
# Columns of a part whose maximum is looked at first. Measured on one core.
_PART = 64


class Held(Protocol):
    """The m rows of a matrix (m, d) of float32. Arrays go in and come out, wherever it is computed."""

    def highest(self, asked: Array, count: int, itself: Array | None) -> tuple[Array, Array]:
        """As `neighbors.nearest_neighbors` among these rows."""

    def products(self, asked: Array) -> Array:
        """(n, m) float32, the scalar products of n rows with these."""

    def nearest(self, centroids: Array) -> Array:
        """(m,) int64, which of k centroids (k, d) is closest to each row (Euclidean)."""

    def sums(self, assignments: Array, k: int) -> Array:
        """(k, d) float32, the sums of the rows of each of k clusters.

        Args:
            assignments: (m,) int64, 0..k - 1.
        """


class HeldHere:
    """Rows in memory, multiplied by numpy."""

    def __init__(self, rows: Array) -> None:
        self._rows = rows

    def multiply(self, ones: Array, others: Array, products: Array) -> None:
        """Writes the scalar products of rows (n, d) and rows (m, d) into (n, m), all of one type."""
        np.matmul(ones, others.T, out=products)

    def highest(self, asked: Array, count: int, itself: Array | None) -> tuple[Array, Array]:
        """As `Held.highest`."""
        products = np.empty((len(asked), count), dtype=asked.dtype)
        rows = np.empty((len(asked), count), dtype=np.int64)
        room = np.empty((min(len(asked), _BLOCK), len(self._rows)), dtype=asked.dtype)
        for start in range(0, len(asked), _BLOCK):
            block = slice(start, start + _BLOCK)
            similarity = room[: len(asked) - start]
            self.multiply(asked[block], self._rows, similarity)
            if itself is not None:
                own = np.flatnonzero(itself[block] >= 0)
                similarity[own, itself[block][own]] = -np.inf
            products[block], rows[block] = _highest(similarity, count)
        return products, rows

    def products(self, asked: Array) -> Array:
        """As `Held.products`."""
        products = np.empty((len(asked), len(self._rows)), dtype=asked.dtype)
        self.multiply(asked, self._rows, products)
        return products

    def nearest(self, centroids: Array) -> Array:
        """As `Held.nearest`."""
        products = np.empty((len(self._rows), len(centroids)), dtype=self._rows.dtype)
        self.multiply(self._rows, centroids, products)
        products -= 0.5 * (centroids**2).sum(1)
        found: Array = products.argmax(1)
        return found

    def sums(self, assignments: Array, k: int) -> Array:
        """As `Held.sums`."""
        n = len(self._rows)
        members = csr_matrix((np.ones(n, dtype=np.float32), (assignments, np.arange(n))), shape=(k, n))
        found: Array = members @ self._rows
        return found


_holding: ContextVar[Callable[[Array], Held]] = ContextVar("holding", default=HeldHere)


def hold(rows: Array) -> Held:
    """The rows where their products are computed."""
    return _holding.get()(rows)


@contextmanager
def held_by(holding: Callable[[Array], Held]) -> Iterator[None]:
    """Within the block, and in its thread, `hold` does this."""
    before = _holding.set(holding)
    try:
        yield
    finally:
        _holding.reset(before)


def _highest(similarity: Array, count: int) -> tuple[Array, Array]:
    """The highest of each row and their columns; `similarity` is used up where that is quicker."""
    every = np.arange(len(similarity))[:, None]
    if count > _FEW:
        columns = _partitioned(similarity, count)
        columns = columns[every, np.argsort(-similarity[every, columns], axis=1, kind="stable")]
        return similarity[every, columns], columns
    # To look for the highest a few times takes half as long as to partition all.
    products = np.empty((len(similarity), count), dtype=similarity.dtype)
    columns = np.empty((len(similarity), count), dtype=np.int64)
    for place in range(count):
        columns[:, place] = similarity.argmax(1)
        products[:, place] = similarity[every[:, 0], columns[:, place]]
        similarity[every[:, 0], columns[:, place]] = -np.inf
    return products, columns


def _partitioned(similarity: Array, count: int) -> Array:
    """(n, count) int64, the columns of the highest of each row of (n, m), in no order.

    They are in the `count` parts of the columns with the highest maxima, so that few columns are partitioned:
    a tenth of the time.
    """
    n, m = similarity.shape
    length = m // _PART * _PART
    if length < 2 * count * _PART:
        return np.argpartition(-similarity, count - 1, axis=1)[:, :count]
    maxima = similarity[:, :length].reshape(n, -1, _PART).max(2)
    parts = np.argpartition(-maxima, count - 1, axis=1)[:, :count]
    columns = (parts[:, :, None] * _PART + np.arange(_PART)).reshape(n, -1)
    columns = np.hstack([columns, np.broadcast_to(np.arange(length, m), (n, m - length))])
    chosen = np.argpartition(-np.take_along_axis(similarity, columns, axis=1), count - 1, axis=1)[:, :count]
    found: Array = np.take_along_axis(columns, chosen, axis=1)
    return found
