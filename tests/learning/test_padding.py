"""Which texts are read together."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from rasa_intent_discovery.learning import padding
from rasa_intent_discovery.learning.numbers import LEARNING
from rasa_intent_discovery.learning.padding import alike_lengths, batch_count, batches_by_length, dealt


def test_batches_hold_so_many_tokens_longest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(padding, "LEARNING", replace(LEARNING, tokens_per_batch=10))
    lengths = torch.tensor([3, 5, 2, 5, 30])

    assert list(batches_by_length(lengths)) == [[4], [1, 3], [0, 2]]
    assert batch_count(lengths) == 3


@pytest.mark.parametrize(
    ("lengths", "sizes"),
    [([], []), ([9], [1]), ([3] * 40 + [5] * 9 + [6] * 40, [16] * 5 + [9]), ([3, 9, 27] * 8, [16, 8])],
)
def test_texts_of_alike_length_are_a_part_of_a_round_number(lengths: list[int], sizes: list[int]) -> None:
    assert alike_lengths(sorted(lengths), "cpu") == sizes


def test_no_part_has_much_more_than_a_quarter_of_the_tokens() -> None:
    # 4050 tokens, a quarter are 1012: 202 texts of 5, 168 of 6
    lengths = [3] * 400 + [5] * 90 + [6] * 400

    assert alike_lengths(lengths, "cpu") == [192, 192, 96, 160, 160, 80, 10]


def test_a_gpu_has_fewer_parts_and_two_of_them_half_of_the_tokens_each() -> None:
    lengths = [3] * 400 + [5] * 90 + [6] * 400

    sizes = alike_lengths(lengths, "cuda")

    # Half of the 4050 tokens are 337 texts of 6, of which a multiple of 16 is taken.
    assert sizes == [336, 336, 208, 10]
    tokens = [336 * 3, 336 * 6, 208 * 6, 10 * 6]
    load = [0, 0]
    for part, owner in enumerate(dealt(tokens, 2)):
        load[owner] += tokens[part]
    assert max(load) < 0.54 * sum(load)


@pytest.mark.parametrize(
    ("tokens", "processes", "owners"),
    [([], 2, []), ([5, 9, 4, 1], 1, [0] * 4), ([5, 9, 4, 1], 2, [1, 0, 1, 0]), ([7, 7], 3, [0, 1])],
)
def test_parts_are_dealt_so_that_the_processes_have_as_many_tokens(
    tokens: list[int], processes: int, owners: list[int]
) -> None:
    assert dealt(tokens, processes) == owners
