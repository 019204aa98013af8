"""A device whose memory is too small for a batch computes it in parts, and says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import UNLABELED
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.learning import loading
from rasa_intent_discovery.learning.device_memory import Halving, told_when_full
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.loading import check_in_two_parts, load_encoder
from rasa_intent_discovery.learning.processes import ALONE
from rasa_intent_discovery.learning.trainer import Trainer

TEXTS = [f"{'please ' * (number % 4)}open invoice number {number}" for number in range(24)]
LABELS = np.array([number % 3 if number < 12 else UNLABELED for number in range(24)])


@pytest.fixture(autouse=True)
def exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "_autocast_dtype", lambda _: torch.float32)


@pytest.fixture
def encoder(folder: str) -> Encoder:
    return load_encoder(DiscoveryConfig(encoder=folder, device="cpu"))


def small_memory(encoder: Encoder, most: int) -> None:
    """From now on, the model has not enough memory for more rows than that."""

    def check(_: Any, __: Any, given: dict[str, torch.Tensor]) -> None:
        if len(given["input_ids"]) > most:
            raise torch.cuda.OutOfMemoryError("CUDA out of memory")

    encoder.model.register_forward_pre_hook(check, with_kwargs=True)


def test_a_batch_is_halved_until_it_fits_and_later_ones_are_from_the_start(
    caplog: pytest.LogCaptureFixture,
) -> None:
    halving, tried = Halving(), list[list[list[int]]]()

    def compute(parts: Sequence[list[int]]) -> None:
        tried.append([list(part) for part in parts])
        if max(map(len, parts)) > 2:
            raise torch.cuda.OutOfMemoryError

    halving([1, 2, 3, 4, 5, 6, 7], compute)
    halving([8, 9, 10], compute)

    assert tried == [
        [[1, 2, 3, 4, 5, 6, 7]],
        [[1, 3, 5, 7], [2, 4, 6]],
        [[1, 5], [2, 6], [3, 7], [4]],
        [[8], [9], [10]],
    ]
    assert caplog.messages == [
        "the memory of the device is full: going on with batches of 4 instead of 7",
        "the memory of the device is full: going on with batches of 2 instead of 4",
    ]


def test_where_a_single_row_does_not_fit_it_ends() -> None:
    def compute(_: Sequence[list[int]]) -> None:
        raise torch.cuda.OutOfMemoryError

    with pytest.raises(torch.cuda.OutOfMemoryError):
        Halving()([1, 2, 3], compute)


def test_memory_that_is_not_enough_is_one_line() -> None:
    with pytest.raises(
        ConfigError, match=r"^device: the memory of the GPU is not enough \(8 GiB\): end what"
    ):
        with told_when_full():
            raise torch.cuda.OutOfMemoryError("8 GiB\nand more")


def test_a_model_that_has_no_room_is_not_taken_for_another_kind(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise torch.cuda.OutOfMemoryError

    monkeypatch.setattr(encoder, "read", full)
    with pytest.raises(torch.cuda.OutOfMemoryError):
        check_in_two_parts(encoder)


def test_what_is_read_and_embedded_is_the_same(folder: str, encoder: Encoder) -> None:
    whole = encoder.read(TEXTS)
    features = encoder.embed(whole)
    short_of_memory = load_encoder(DiscoveryConfig(encoder=folder, device="cpu"))
    small_memory(short_of_memory, 5)

    states = short_of_memory.read(TEXTS)

    torch.testing.assert_close(states.states, whole.states)
    torch.testing.assert_close(states.pooled, whole.pooled)
    np.testing.assert_allclose(short_of_memory.embed(states), features, atol=1e-5)


def test_training_goes_on_in_parts_with_as_many_steps(
    encoder: Encoder, caplog: pytest.LogCaptureFixture
) -> None:
    config = DiscoveryConfig(device="cpu", batch_size=8, epoch_steps=3, learning_rate=1e-3)
    states, before = encoder.read(TEXTS), encoder.trained_state()
    trainer = Trainer(encoder, states, np.arange(24), LABELS, 3, 2, config, states.pooled, "", ALONE)
    small_memory(encoder, 3)

    trainer.epoch(LABELS)
    trainer.epoch(LABELS)

    assert caplog.messages == [
        "the memory of the device is full: going on with batches of 4 instead of 8",
        "the memory of the device is full: going on with batches of 2 instead of 4",
    ]
    after = encoder.trained_state()
    assert all(torch.isfinite(weights).all() for weights in after)
    assert any((one != other).any() for one, other in zip(before, after, strict=True))
