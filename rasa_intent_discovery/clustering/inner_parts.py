"""Parts of what was placed in one intent of which its examples say little. Arrays only.

The messages of an intent and its examples are merged from the bottom. Were all of them of one wish, the
examples would be spread over the tree as chance has it. A part that holds none, and by chance would hold
some, may be another wish. (A scan over a tree, as in Kulldorff et al., "A tree-based scan statistic for
database disease surveillance", 2003.)
"""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import leaves_list
from scipy.stats import binom

from rasa_intent_discovery.clustering.linkage import average_linkage
from rasa_intent_discovery.datatypes import Array


def parts_without_examples(unit: Array, example: Array, distance: float, chance: float) -> list[Array]:
    """The parts that hold none of the examples, and would by chance hold some.

    Args:
        unit: (n, d) float32, of length 1, the messages of an intent and its examples, n at least 2.
        example: (n,) bool.
        distance: average cosine distance up to which rows are one part.
        chance: 0..1, a part is one where it is less likely than that to draw as many rows of the n and no
            example.

    Returns:
        The rows of each part, the least likely one first. None is in two.
    """
    n = len(unit)
    tree = average_linkage(unit)
    order = leaves_list(tree)
    # Every node of the tree is a piece of the order: where it starts, and how many rows it holds.
    start, size = np.empty(2 * n - 1, dtype=np.int64), np.ones(2 * n - 1, dtype=np.int64)
    start[order] = np.arange(n)
    size[n:] = tree[:, 3]
    for node, (one, other) in enumerate(tree[:, :2].astype(np.int64), n):
        start[node] = min(start[one], start[other])
    before = np.concatenate([[0], np.cumsum(example[order])])
    examples = before[start + size] - before[start]
    likely = binom.cdf(examples, size, example.mean())
    nodes = np.flatnonzero((likely < chance) & (examples == 0))
    nodes = nodes[(nodes >= n) & (tree[np.maximum(nodes - n, 0), 2] <= distance)]
    taken = np.zeros(n, dtype=bool)
    parts = []
    for node in nodes[np.lexsort((-size[nodes], likely[nodes]))]:
        piece = slice(start[node], start[node] + size[node])
        if not taken[piece].any():
            taken[piece] = True
            parts.append(np.sort(order[piece]))
    return parts
