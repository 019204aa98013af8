"""Parts of an intent that hold none of its examples."""

from __future__ import annotations

import numpy as np
import pytest

from rasa_intent_discovery.clustering.inner_parts import parts_without_examples


def rows(*directions: tuple[int, int]) -> np.ndarray:
    """So many rows in each direction, all a little apart, of length 1."""
    rng = np.random.default_rng(0)
    unit = np.concatenate([np.eye(8)[[direction] * count] for direction, count in directions])
    unit += 0.05 * rng.standard_normal(unit.shape)
    return (unit / np.linalg.norm(unit, axis=1, keepdims=True)).astype(np.float32)


def parts(unit: np.ndarray, example: list[bool], distance: float = 0.5) -> list[list[int]]:
    return [part.tolist() for part in parts_without_examples(unit, np.array(example), distance, chance=0.05)]


def test_a_part_without_examples_is_found_beside_one_that_has_some() -> None:
    # Of 18 rows 8 are examples: six of them are none by chance in (10 / 18) ** 6 = 3 % of all cases.
    unit = rows((0, 12), (1, 6))
    assert parts(unit, [True] * 8 + [False] * 10) == [[12, 13, 14, 15, 16, 17]]


def test_few_messages_without_an_example_are_chance() -> None:
    # Of 14 rows 4 are examples: (10 / 14) ** 6 = 13 %.
    assert parts(rows((0, 8), (1, 6)), [True] * 4 + [False] * 10) == []


def test_the_least_likely_part_comes_first_and_no_row_is_in_two() -> None:
    unit = rows((0, 14), (1, 6), (2, 9))
    assert parts(unit, [True] * 14 + [False] * 15) == [[*range(20, 29)], [*range(14, 20)]]


def test_what_lies_farther_apart_than_that_is_not_one_part() -> None:
    unit = rows((0, 14), (1, 15))
    unit[20:] = (unit[20:] + np.eye(8)[2]) / np.sqrt(2)  # at a cosine of 0.7 to the six before
    example = [True] * 14 + [False] * 15
    assert parts(unit, example, distance=0.5) == [[*range(14, 29)]]
    assert parts(unit, example, distance=0.15) == [[*range(20, 29)], [*range(14, 20)]]
    assert parts(unit, example, distance=0.0) == []


@pytest.mark.parametrize("example", [[True] * 8, [False] * 8])
def test_an_intent_without_messages_or_without_examples_has_no_parts(example: list[bool]) -> None:
    assert parts(rows((0, 8)), example) == []
