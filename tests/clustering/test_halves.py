"""How far two parts of a group are apart."""

from __future__ import annotations

import numpy as np
import pytest

from rasa_intent_discovery.clustering.halves import gap

A, B, HALF_WAY = (1.0, 0.0), (0.0, 1.0), (0.6, 0.8)


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        pytest.param([A, A], [B, B, B], 1.0, id="nothing in common"),
        pytest.param([A, A], [HALF_WAY, HALF_WAY], 0.4, id="a cosine of 0.6 instead of 1"),
        # Within the first part 0.6, within the other 1, both of two messages; across 0, 0, 0.8, 0.8.
        pytest.param([A, HALF_WAY], [B, B], 0.5, id="the mean of both parts"),
        pytest.param([A, B], [A, B], 0.0, id="alike across, not within"),
        pytest.param([A, HALF_WAY], [A, HALF_WAY], 0.0, id="more alike across than within"),
    ],
)
def test_the_gap_is_by_how_much_pairs_across_are_less_alike(
    one: list[tuple[float, float]], other: list[tuple[float, float]], found: float
) -> None:
    side = np.array([False] * len(one) + [True] * len(other))
    assert gap(np.array([*one, *other]), side) == pytest.approx(found)
