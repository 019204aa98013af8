"""How texts of different lengths are read together with little padding. Lengths are in tokens."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

import torch

from rasa_intent_discovery.learning.numbers import LEARNING


def batches_by_length(lengths: torch.Tensor) -> Iterator[list[int]]:
    """Rows of alike length, longest first, some `LEARNING.tokens_per_batch` tokens with padding at a time.

    Args:
        lengths: (n,) int64.
    """
    order = torch.argsort(lengths, descending=True, stable=True).tolist()
    while order:
        size = max(1, LEARNING.tokens_per_batch // int(lengths[order[0]]))
        yield order[:size]
        order = order[size:]


def batch_count(lengths: torch.Tensor) -> int:
    """How many batches that makes."""
    return sum(1 for _ in batches_by_length(lengths))


def alike_lengths(lengths: Sequence[int]) -> list[int]:
    """How many of these ascending lengths at a time are padded by little, in multiples but for the last."""
    sizes, start = [], 0
    while start < len(lengths):
        alike = bisect_right(lengths, LEARNING.longest_to_shortest * lengths[start] + 1) - start
        size = max(1, alike // LEARNING.texts_at_a_time) * LEARNING.texts_at_a_time
        sizes.append(min(size, len(lengths) - start))
        start += size
    return sizes
