"""The rows nearest to a row, and what a row is among them. Arrays only."""

from __future__ import annotations

import math

import numpy as np

from rasa_intent_discovery.clustering.held import hold
from rasa_intent_discovery.clustering.numbers import CLUSTERING
from rasa_intent_discovery.datatypes import Array, normalized

_BLOCK = 512


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
    return hold(among).highest(features, count, itself)


def nearest_examples(
    features: Array, examples: Array, labels: Array, count: int, itself: Array | None, refused: Array
) -> tuple[Array, Array]:
    """The nearest examples of rows, as `nearest_neighbors`, but of no intent that a row is not of.

    Args:
        features: (n, d) of length 1; examples: (e, d), of length 1; labels: (e,) int64, their intents.
        count, itself: as there.
        refused: (r, 2) int64, a row of the features that is no example, and an intent that it is not of.

    Returns:
        As there; -1.0, as far as can be, where there are not so many.
    """
    cosines, rows = nearest_neighbors(features, examples, count, itself)
    for row in np.unique(refused[:, 0]):
        products = examples @ features[row]
        products[np.isin(labels, refused[refused[:, 0] == row, 1])] = -1.0
        rows[row] = np.argsort(-products, kind="stable")[:count]
        cosines[row] = products[rows[row]]
    return cosines, rows


def without_near_duplicates(unit: Array, least: float) -> Array:
    """(k,) int64, ascending: which of rows (n, d), of length 1, have no kept earlier one that is so close."""
    kept = np.zeros(len(unit), dtype=bool)
    for start in range(0, len(unit), _BLOCK):
        close = unit[start : start + _BLOCK] @ unit[: start + _BLOCK].T >= least
        for index, near in enumerate(close, start):
            kept[index] = not (near[:index] & kept[:index]).any()
    return np.flatnonzero(kept)


def averaged_with_neighbors(features: Array, share: float) -> Array:
    """The rows of a log moved towards the mean of the five that are nearest to them, of which each is one.

    A message alone says little of what it wants, and those that are put most like it say the same thing in
    other words: what is by chance in one is averaged out. So are images looked up (average query expansion;
    Chum et al., 2007).

    Args:
        features: (n, d) float32, of length 1. Of a large log a part is looked in.
        share: 0..1, weight of the mean; 0 leaves the rows as they are.

    Returns:
        (n, d) float32, of length 1 unless share is 0.
    """
    if share == 0.0:
        return features
    step = math.ceil(len(features) / CLUSTERING.most_neighbor_rows)
    among = features[::step]
    if step > 1:  # also the rows that are not looked in have themselves
        rows = np.arange(len(features))
        itself = np.where(rows % step == 0, rows // step, -1)
        others = min(CLUSTERING.neighbors, len(among)) - 1
        means = (among[nearest_rows(features, among, others, itself)].sum(1) + features) / (others + 1)
    else:
        means = among[nearest_rows(features, among, min(CLUSTERING.neighbors, len(among)))].mean(1)
    averaged: Array = normalized((1.0 - share) * features + share * means).astype(np.float32)
    return averaged
