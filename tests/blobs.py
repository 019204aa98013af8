"""Heaps of points that any clustering finds."""

from __future__ import annotations

import numpy as np


def blobs(count: int, size: int, spread: float = 0.1, width: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Well-separated heaps of points, and which heap each is of."""
    rng = np.random.default_rng(0)
    heaps = np.repeat(np.arange(count), size)
    centers = 10 * rng.permutation(np.eye(count, width) - np.eye(count, width, k=-1))
    return (centers[heaps] + spread * rng.normal(size=(len(heaps), width))).astype(np.float32), heaps
