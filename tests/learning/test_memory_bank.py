"""What is remembered of each text while it is learnt from."""

from __future__ import annotations

from copy import deepcopy

import numpy as np
import pytest
import torch

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import UNLABELED
from rasa_intent_discovery.learning import memory_bank
from rasa_intent_discovery.learning.loading import load_encoder
from rasa_intent_discovery.learning.memory_bank import MemoryBank
from rasa_intent_discovery.learning.numbers import LearningNumbers
from rasa_intent_discovery.learning.processes import ALONE
from rasa_intent_discovery.learning.trainer import Trainer

LABELS = np.array([0, UNLABELED, 1, UNLABELED, 0, 1])
TEXTS = [f"message {word}" for word in ("one", "two", "three", "four", "five", "six")]


def bank(labels: np.ndarray = LABELS) -> MemoryBank:
    return MemoryBank(torch.eye(6) * 5, labels, seed=0)


def test_a_batch_is_held_against_itself_and_all_other_examples() -> None:
    assert bank().beside(torch.tensor([3, 4])).tolist() == [3, 4, 0, 2, 5]


def test_of_many_examples_some_serve_every_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_bank, "LEARNING", LearningNumbers(most_remembered=2))

    first, again = (bank(np.zeros(6, dtype=np.int64)).beside(torch.tensor([1])) for _ in range(2))

    assert first.tolist() == again.tolist()
    assert len(set(first.tolist()) - {1}) in (1, 2)


def test_features_are_remembered_by_their_direction() -> None:
    memory = bank()
    memory.remember(torch.tensor([2, 0]), torch.tensor([[0.0, 3, 4, 0, 0, 0], [0, 0, 0, 0, 0, 2]]))

    assert memory.features[2].tolist() == pytest.approx([0, 0.6, 0.8, 0, 0, 0])
    assert memory.features[0].tolist() == [0, 0, 0, 0, 0, 1]
    assert memory.features[1].tolist() == [0, 1, 0, 0, 0, 0]


def trainer(folder: str, batch_size: int = 6) -> Trainer:
    config = DiscoveryConfig(
        encoder=folder,
        device="cpu",
        batch_size=batch_size,
        labeled_share=0.0,
        epoch_steps=1,
        learning_rate=1e-3,
    )
    encoder = load_encoder(config)
    states = encoder.read(TEXTS)
    return Trainer(encoder, states, np.arange(6), LABELS, 2, 2, config, states.pooled, "", ALONE)


def remembered(of: Trainer) -> torch.Tensor:
    (features,) = of.checkpoint()["memory"]
    return features.clone()


@pytest.mark.parametrize("batch_size", [2, 6])
def test_training_remembers_what_it_made_of_the_texts_of_a_batch(folder: str, batch_size: int) -> None:
    learning = trainer(folder, batch_size)
    before = remembered(learning)

    learning.epoch(LABELS)

    after = remembered(learning)
    assert (before != after).any(1).sum() == batch_size
    torch.testing.assert_close(after.norm(dim=1), torch.ones(6))


def test_training_that_goes_on_remembers_the_same(folder: str) -> None:
    learning, other = trainer(folder), trainer(folder)
    learning.epoch(LABELS)
    kept = deepcopy(learning.checkpoint())
    learning.epoch(LABELS)

    other.resume(kept)
    other.epoch(LABELS)

    assert torch.equal(remembered(other), remembered(learning))
    weights, others = (each.checkpoint()["encoder"] for each in (learning, other))
    assert all(torch.equal(one, same) for one, same in zip(weights, others, strict=True))
