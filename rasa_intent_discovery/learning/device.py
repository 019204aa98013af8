"""What is computed otherwise on a device than in this process.

Neighbours, linkage and the passes of k-means, which `clustering.held` has here, and attention.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial

import numpy as np
import torch

from rasa_intent_discovery.clustering.held import HeldHere, held_by
from rasa_intent_discovery.datatypes import Array

# Rows that are asked at once: a GPU is quick with many, and their products with 20,000 rows take 330 MB.
_BLOCK = 4096


def computed_on(device: torch.device) -> AbstractContextManager[None]:
    """Within the block, products of rows with rows are computed on the device."""
    return held_by(HeldByTorch if device.type == "cpu" else partial(HeldOnDevice, device))


@contextmanager
def unplanned_attention(device: torch.device) -> Iterator[None]:
    """Within the block, attention on a GPU is not computed by cuDNN.

    cuDNN plans for milliseconds whenever a batch has a shape that it has not seen, which nearly every batch
    of texts has: on an H200 that was two thirds of pre-training. PyTorch's own kernels do not.
    """
    # Versions of PyTorch that have no such switch do not use cuDNN.
    if device.type == "cpu" or not hasattr(torch.backends.cuda, "enable_cudnn_sdp"):
        yield
        return
    before = torch.backends.cuda.cudnn_sdp_enabled()
    torch.backends.cuda.enable_cudnn_sdp(False)
    try:
        yield
    finally:
        torch.backends.cuda.enable_cudnn_sdp(before)


class HeldByTorch(HeldHere):
    """Rows in memory, multiplied by PyTorch.

    The numpy that Rasa 3.6 asks for brings a library of early 2022. A processor that this does not know, it
    takes for one of 2004: products took five times as long on one of 2023.
    """

    def __init__(self, rows: Array) -> None:
        super().__init__(np.ascontiguousarray(rows))  # once, and not for each block that is asked

    def multiply(self, ones: Array, others: Array, products: Array) -> None:
        """As `HeldHere.multiply`."""
        torch.mm(_tensor(ones), _tensor(others).T, out=torch.from_numpy(products))


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

    def products(self, asked: Array) -> Array:
        """As `Held.products`."""
        found: Array = (self._there(asked) @ self._rows.T).cpu().numpy()
        return found

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
        return _tensor(rows).to(self._device)


def _tensor(rows: Array) -> torch.Tensor:
    return torch.from_numpy(np.ascontiguousarray(rows))
