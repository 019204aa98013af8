"""How many new intents are counted, on points whose angles are written out."""

from __future__ import annotations

import numpy as np
from plain_groups import around

from rasa_intent_discovery.clustering.new_count import count_new
from rasa_intent_discovery.datatypes import UNLABELED


def heap(start: float, rows: int) -> np.ndarray:
    """So many angles in a row, a tenth of a degree apart."""
    return start + 0.1 * np.arange(rows)


def counted(*sizes: int) -> tuple[int, int, int]:
    """Two known intents of ten examples each, and heaps of new messages, each 75 degrees further."""
    new = [heap(115.0 + 75.0 * place, rows) for place, rows in enumerate(sizes)]
    features = around(*heap(0.0, 10), *heap(40.0, 10), *np.concatenate(new))
    labels = np.array([0] * 10 + [1] * 10 + [UNLABELED] * sum(sizes))
    return count_new(features, features, labels, seed=0)


def test_groups_count_from_ten_rows_on_with_a_range_from_twenty_and_from_five() -> None:
    assert counted(24, 12, 6) == (2, 1, 3)


def test_what_is_too_small_counts_for_nothing() -> None:
    assert counted(4, 4, 4) == (0, 0, 0)
