"""Groups texts of similar length into batches with little padding. Lengths are in tokens."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

import torch

from rasa_intent_discovery.learning.numbers import LEARNING


def batches_by_length(lengths: torch.Tensor) -> Iterator[list[int]]:
    """Batches of rows of similar length, longest first, each of at most `LEARNING.tokens_per_batch` tokens.

    Padding counts as tokens. A batch has at least one row.

    Args:
        lengths: (n,) int64.
    """
    order = torch.argsort(lengths, descending=True, stable=True).tolist()
    while order:
        size = max(1, LEARNING.tokens_per_batch // int(lengths[order[0]]))
        yield order[:size]
        order = order[size:]


def batch_count(lengths: torch.Tensor) -> int:
    """The number of batches that `batches_by_length` yields."""
    return sum(1 for _ in batches_by_length(lengths))


def alike_lengths(lengths: Sequence[int], device: str) -> list[int]:
    """Splits ascending lengths into consecutive parts that need little padding, and on a GPU less little.

    None has much more than `LEARNING.largest_part` of the tokens, so that several processes can share them.
    The parts are the same for any number of processes, as what dropout draws follows from them.

    Args:
        device: `cpu`, or the type of another one, which has done the padding sooner than it is told of more
            parts.

    Returns:
        The size of each part; all but the last are multiples of `LEARNING.texts_at_a_time`.
    """
    ratio, share = LEARNING.longest_to_shortest, LEARNING.largest_part
    if device != "cpu":
        ratio, share = LEARNING.gpu_longest_to_shortest, LEARNING.gpu_largest_part
    sizes, start = [], 0
    most = share * sum(lengths)
    while start < len(lengths):
        alike = bisect_right(lengths, ratio * lengths[start] + 1) - start
        alike = min(alike, int(most / lengths[start + alike - 1]))
        size = max(1, alike // LEARNING.texts_at_a_time) * LEARNING.texts_at_a_time
        sizes.append(min(size, len(lengths) - start))
        start += size
    return sizes


def dealt(tokens: Sequence[int], processes: int) -> list[int]:
    """Deals parts to processes: the largest first, each to the one that has the fewest tokens so far.

    Args:
        tokens: of each part.
        processes: how many there are.

    Returns:
        The number of the process of each part.
    """
    found, load = [0] * len(tokens), [0] * processes
    for part in sorted(range(len(tokens)), key=lambda part: -tokens[part]):
        found[part] = load.index(min(load))
        load[found[part]] += tokens[part]
    return found
