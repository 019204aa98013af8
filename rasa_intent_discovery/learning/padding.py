"""How texts of different lengths are read together with little padding. Lengths are in tokens."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

import torch

_TOKENS_PER_BATCH = 4096
# How much longer the longest text of a part may be than its shortest, and how many more texts make a part.
# For every new number of tokens, oneDNN prepares and keeps other programs: the fewer numbers, the better.
_LONGEST_TO_SHORTEST = 1.4
_TEXTS_AT_A_TIME = 16


def batches_by_length(lengths: torch.Tensor) -> Iterator[list[int]]:
    """Rows of alike length, longest first, some `_TOKENS_PER_BATCH` tokens with padding at a time.

    Args:
        lengths: (n,) int64.
    """
    order = torch.argsort(lengths, descending=True, stable=True).tolist()
    while order:
        size = max(1, _TOKENS_PER_BATCH // int(lengths[order[0]]))
        yield order[:size]
        order = order[size:]


def batch_count(lengths: torch.Tensor) -> int:
    """How many batches that makes."""
    return sum(1 for _ in batches_by_length(lengths))


def alike_lengths(lengths: Sequence[int]) -> list[int]:
    """How many of these ascending lengths at a time are padded by little, in multiples but for the last."""
    sizes, start = [], 0
    while start < len(lengths):
        alike = bisect_right(lengths, _LONGEST_TO_SHORTEST * lengths[start] + 1) - start
        size = max(1, alike // _TEXTS_AT_A_TIME) * _TEXTS_AT_A_TIME
        sizes.append(min(size, len(lengths) - start))
        start += size
    return sizes
