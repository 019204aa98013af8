"""Neighbours and the passes of k-means on a device, as `clustering.held` has them in this process."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import partial

import numpy as np
import torch

from rasa_intent_discovery.clustering.held import held_by
from rasa_intent_discovery.datatypes import Array

# Rows that are asked at once: a GPU is quick with many, and their products with 20,000 rows take 330 MB.
_BLOCK = 4096


def computed_on(device: torch.device) -> AbstractContextManager[None]:
    """Within the block, neighbours and k-means are computed on the device; on a CPU, as ever."""
    return nullcontext() if device.type == "cpu" else held_by(partial(HeldOnDevice, device))


class HeldOnDevice:
    """Rows in the memory of a device; see `clustering.held.Held`. Products are of float32, as here."""

    def __init__(self, device: torch.device, rows: Array) -> None:
        self._device = device
        self._rows = self._there(rows)

    def highest(self, asked: Array, count: int, itself: Array | None) -> tuple[Array, Array]:
        """As `Held.highest`."""
        products = np.empty((len(asked), count), dtype=asked.dtype)
        rows = np.empty((len(asked), count), dtype=np.int64)
        for start in range(0, len(asked), _BLOCK):
            block = slice(start, start + _BLOCK)
            similarity = self._there(asked[block]) @ self._rows.T
            if itself is not None:
                own = np.flatnonzero(itself[block] >= 0)
                similarity[torch.from_numpy(own), torch.from_numpy(itself[block][own])] = -torch.inf
            best = similarity.topk(count)
            products[block], rows[block] = best.values.cpu().numpy(), best.indices.cpu().numpy()
        return products, rows

    def nearest(self, centroids: Array) -> Array:
        """As `Held.nearest`."""
        centers = self._there(centroids)
        found: Array = (self._rows @ centers.T - 0.5 * (centers**2).sum(1)).argmax(1).cpu().numpy()
        return found

    def sums(self, assignments: Array, k: int) -> Array:
        """As `Held.sums`."""
        # A product, and not `index_add_`, whose order of sums differs from run to run on a GPU.
        members = torch.nn.functional.one_hot(torch.from_numpy(assignments).to(self._device), k)
        found: Array = (members.T.to(self._rows.dtype) @ self._rows).cpu().numpy()
        return found

    def _there(self, rows: Array) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(rows)).to(self._device)
