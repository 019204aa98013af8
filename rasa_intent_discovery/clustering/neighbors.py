"""The rows nearest to a row, and what a row is among them. Arrays only."""

from __future__ import annotations

import math

import numpy as np

from rasa_intent_discovery.clustering.features import normalized
from rasa_intent_discovery.clustering.numbers import CLUSTERING
from rasa_intent_discovery.datatypes import Array

_BLOCK = 512
# From more on, they are partitioned.
_FEW = 10
# Columns of a part whose maximum is looked at first. Measured on one core.
_PART = 64


def nearest_rows(features: Array, among: Array, count: int, itself: Array | None = None) -> Array:
    """The rows of `nearest_neighbors`, without their scalar products; (n, count) int64."""
    return nearest_neighbors(features, among, count, itself)[1]


def nearest_neighbors(
    features: Array, among: Array, count: int, itself: Array | None = None
) -> tuple[Array, Array]:
    """The highest scalar products of rows with other rows, the highest first, and with which.

    Args:
        features: (n, d); among: (m, d), the rows to look in.
        count: 1..m, less one with `itself`.
        itself: (n,) int64, which row of `among` each row is, below 0 if it is none: it is none of its own
            neighbours. None leaves all of them.

    Returns:
        (n, count) of the type of the features, and (n, count) int64, rows of `among`.
    """
    products = np.empty((len(features), count), dtype=features.dtype)
    rows = np.empty((len(features), count), dtype=np.int64)
    for start in range(0, len(features), _BLOCK):
        block = slice(start, start + _BLOCK)
        similarity = features[block] @ among.T
        if itself is not None:
            own = np.flatnonzero(itself[block] >= 0)
            similarity[own, itself[block][own]] = -np.inf
        products[block], rows[block] = _highest(similarity, count)
    return products, rows


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


def averaged_with_neighbors(features: Array, log: Array, share: float) -> Array:
    """Rows moved towards the mean of the five rows of a log that are nearest to them.

    A message alone says little of what it wants, and those that are put most like it say the same thing in
    other words: what is by chance in one is averaged out. So are images looked up (average query expansion;
    Chum et al., 2007).

    Args:
        features: (n, d) float32, of length 1.
        log: (m, d) float32, of length 1; a row of it is one of its own five.
        share: 0..1, weight of the mean; 0 leaves the rows as they are.

    Returns:
        (n, d) float32, of length 1 unless share is 0.
    """
    if share == 0.0:
        return features
    among = log[:: math.ceil(len(log) / CLUSTERING.most_neighbor_rows)]
    means = among[nearest_rows(features, among, min(CLUSTERING.neighbors, len(among)))].mean(1)
    averaged: Array = normalized((1.0 - share) * features + share * means).astype(np.float32)
    return averaged
