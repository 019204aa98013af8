"""Learning from the known intents, with an encoder of two layers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pytest
import torch

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import UNLABELED, no_progress
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.loading import load_encoder
from rasa_intent_discovery.learning.pretrain import PretrainResult, hold_out, pretrain
from rasa_intent_discovery.learning.trainer import Batches, Trainer

ENDINGS = ["please", "now", "for me", "i say", "again", "my dear", "today", "you", "a lot", "then"]
LABELED = [f"{word} {ending}" for word in ("invoice", "password") for ending in ENDINGS]
UNLABELED_TEXTS = ["what is open", "how can i order", "bye bye", "hello you"]
LABELS = np.array([0] * 10 + [1] * 10 + [UNLABELED] * 4)
NOTHING = np.zeros(24, dtype=bool)


def train(
    folder: str,
    held_out: np.ndarray = NOTHING,
    labels: np.ndarray = LABELS,
    unlabeled: list[str] = UNLABELED_TEXTS,
    **settings: Any,
) -> tuple[PretrainResult, Encoder, np.ndarray]:
    """What pre-training said, the encoder, and the features of all texts after it."""
    values = {
        "pretraining": "cross_entropy",
        "learning_rate": 2e-3,
        "batch_size": 8,
        "labeled_share": 0.0,
        **settings,
    }
    config = DiscoveryConfig(encoder=folder, device="cpu", **values)
    torch.manual_seed(config.seed)
    encoder = load_encoder(config)
    states = encoder.read([*LABELED, *unlabeled])
    result = pretrain(encoder, states, labels, held_out, config, no_progress)
    return result, encoder, encoder.embed(states)


def held(*rows: int) -> np.ndarray:
    mask = NOTHING.copy()
    mask[list(rows)] = True
    return mask


# Holding out


@pytest.mark.parametrize(("examples", "held_out"), [(1, 0), (4, 0), (5, 1), (14, 1), (16, 2), (40, 4)])
def test_a_tenth_of_an_intent_is_held_out_and_one_of_five(examples: int, held_out: int) -> None:
    labels = np.array([0] * examples + [1] * 20 + [UNLABELED] * 30)

    mask = hold_out(labels, seed=0)

    assert [int(mask[labels == label].sum()) for label in (0, 1, UNLABELED)] == [held_out, 2, 0]


def test_what_is_held_out_follows_from_the_seed() -> None:
    labels = np.repeat(np.arange(5), 20)

    assert (hold_out(labels, seed=1) == hold_out(labels, seed=1)).all()
    assert (hold_out(labels, seed=1) != hold_out(labels, seed=2)).any()


# Batches


def batches(epoch_steps: int | None, labeled_share: float, labeled: int = 0) -> Batches:
    """Of rows 100..122, the first ones labelled, five at a time."""
    labels = np.full(123, UNLABELED)
    labels[100 : 100 + labeled] = 0
    config = DiscoveryConfig(batch_size=5, epoch_steps=epoch_steps, labeled_share=labeled_share)
    return Batches(np.arange(100, 123), labels, config)


def test_every_row_is_in_one_batch_and_the_order_is_new_each_time() -> None:
    epochs = batches(None, 0.0)

    first, second = list(epochs), list(epochs)

    assert [len(batch) for batch in first] == [5, 5, 5, 5, 3]
    assert len(epochs) == 5
    assert sorted(torch.cat(first).tolist()) == sorted(torch.cat(second).tolist()) == list(range(100, 123))
    assert torch.cat(first).tolist() != torch.cat(second).tolist() != list(range(100, 123))


def test_short_epochs_go_on_with_the_rows_that_are_left() -> None:
    epochs = batches(3, 0.0)

    rows = torch.cat([*epochs, *epochs]).tolist()

    assert len(epochs) == 3
    assert sorted(rows[:23]) == list(range(100, 123))


def test_some_of_a_batch_stays_without_labels_whatever_the_share() -> None:
    rows = [batch.tolist() for batch in batches(None, 1.0, labeled=4)]

    assert len(rows) == 19
    assert all(sum(row < 104 for row in batch) == 4 for batch in rows)
    assert sorted(row for batch in rows for row in batch if row >= 104) == list(range(104, 123))


def test_labelled_rows_have_their_share_of_every_batch() -> None:
    epochs = batches(None, 0.4, labeled=4)

    rows = [batch.tolist() for batch in epochs]

    assert len(rows) == len(epochs) == 7  # the 19 others, three at a time
    assert all(sum(row < 104 for row in batch) == 2 for batch in rows)
    assert sorted(row for batch in rows for row in batch if row >= 104) == list(range(104, 123))


# Training


@pytest.mark.parametrize("pretraining", ["cross_entropy", "contrastive"])
def test_messages_of_one_intent_move_together(folder: str, pretraining: str) -> None:
    def closeness(features: np.ndarray) -> float:
        unit = features[:20] / np.linalg.norm(features[:20], axis=1, keepdims=True)
        cosines = unit @ unit.T
        return float(cosines[:10, :10].mean() + cosines[10:, 10:].mean() - 2 * cosines[:10, 10:].mean())

    _, _, before = train(folder, pretraining=pretraining, pretrain_epochs=1, learning_rate=0.0)
    _, _, after = train(folder, pretraining=pretraining, pretrain_epochs=10)

    assert closeness(after) > closeness(before) + 0.3


def test_held_out_examples_are_recognised_in_the_end(folder: str) -> None:
    result, _, _ = train(folder, held(0, 1, 10, 11), pretrain_epochs=12, pretrain_patience=12)

    assert result.held_out_accuracy == 1.0
    assert 2 <= result.epochs <= 12


def test_without_patience_every_epoch_is_run_and_nothing_is_measured(folder: str) -> None:
    assert train(folder, held(0, 10), pretrain_epochs=3, pretrain_patience=0)[0] == PretrainResult(3, None)


def test_without_held_out_examples_nothing_can_be_measured(folder: str) -> None:
    assert train(folder, pretrain_epochs=3, pretrain_patience=1)[0] == PretrainResult(3, None)


def test_it_stops_when_the_accuracy_has_not_risen_for_that_long(folder: str) -> None:
    result, _, _ = train(folder, held(0, 10), pretrain_epochs=50, pretrain_patience=4, learning_rate=0.0)

    assert result.epochs == 1 + 4


@pytest.mark.parametrize(("patience", "epochs"), [(2, 4), (9, 6)], ids=["stopped early", "ran to the end"])
def test_the_weights_of_the_best_epoch_are_kept(
    folder: str, monkeypatch: pytest.MonkeyPatch, patience: int, epochs: int
) -> None:
    accuracies = iter([0.5, 0.75, 0.25, 0.75, 0.5, 0.5])
    seen = []

    def accuracy(self: Trainer, rows: np.ndarray, labels: np.ndarray) -> float:
        seen.append(self._encoder.trained_state())
        return next(accuracies)

    monkeypatch.setattr(Trainer, "accuracy", accuracy)

    result, encoder, _ = train(folder, held(0, 10), pretrain_epochs=6, pretrain_patience=patience)

    assert result == PretrainResult(epochs, 0.75)
    assert all(torch.equal(kept, best) for kept, best in zip(encoder.trained_state(), seen[1], strict=True))


def test_held_out_examples_are_not_learnt(folder: str) -> None:
    other_labels = LABELS.copy()
    other_labels[[0, 10]] = [1, 0]

    _, _, one = train(folder, held(0, 10), pretrain_epochs=2)
    _, _, other = train(folder, held(0, 10), other_labels, pretrain_epochs=2)

    np.testing.assert_array_equal(one, other)


def test_the_paper_reads_the_labelled_messages_alone(folder: str) -> None:
    _, _, one = train(folder, pretrain_epochs=2)
    _, _, other = train(folder, unlabeled=["a", "b", "c", "d"], pretrain_epochs=2)

    np.testing.assert_allclose(one[:20], other[:20], atol=1e-6)


def test_contrast_reads_the_unlabelled_ones_too(folder: str) -> None:
    _, _, one = train(folder, pretrain_epochs=2, pretraining="contrastive")
    _, _, other = train(folder, unlabeled=["a", "b", "c", "d"], pretrain_epochs=2, pretraining="contrastive")

    assert np.abs(one[:20] - other[:20]).max() > 1e-3


@pytest.mark.parametrize("pretraining", ["cross_entropy", "contrastive"])
def test_the_same_seed_gives_the_same_features(folder: str, pretraining: str) -> None:
    _, _, one = train(folder, pretrain_epochs=2, pretraining=pretraining, seed=1)
    _, _, again = train(folder, pretrain_epochs=2, pretraining=pretraining, seed=1)
    _, _, other = train(folder, pretrain_epochs=2, pretraining=pretraining, seed=2)

    np.testing.assert_array_equal(one, again)
    assert (one != other).any()


def test_intents_with_one_example_can_be_learnt_from(folder: str) -> None:
    labels = np.full(24, UNLABELED)
    labels[[0, 10]] = [0, 1]

    result, _, features = train(
        folder, hold_out(labels, 0), labels, pretrain_epochs=2, pretraining="contrastive"
    )

    assert result == PretrainResult(2, None)
    assert np.isfinite(features).all()


def test_progress_counts_epochs(folder: str) -> None:
    config = DiscoveryConfig(encoder=folder, device="cpu", pretrain_epochs=3)
    encoder, seen = load_encoder(config), []

    def progress(epochs: Iterable[int], stage: str, total: int) -> Iterator[int]:
        for epoch in epochs:
            seen.append((stage, total))
            yield epoch

    pretrain(encoder, encoder.read(LABELED), LABELS[:20], NOTHING[:20], config, progress)

    assert seen == [("learning known intents", 3)] * 3
