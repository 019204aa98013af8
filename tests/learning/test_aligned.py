"""The epochs of deep aligned clustering, with an encoder of two layers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pytest
import torch

from rasa_intent_discovery.clustering.features import FeatureSpace
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import UNLABELED, Clustering, no_progress
from rasa_intent_discovery.learning import aligned, trainer
from rasa_intent_discovery.learning.aligned import AlignedResult, continued, train_aligned
from rasa_intent_discovery.learning.checkpoints import NO_CHECKPOINT
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.loading import load_encoder
from rasa_intent_discovery.learning.processes import ALONE

ENDINGS = ["please", "now", "for me", "i say", "again", "today"]
TEXTS = [f"{word} {word} {word} {ending}" for word in ("invoice", "password", "hello") for ending in ENDINGS]
TOPICS = np.repeat([0, 1, 2], 6)
#: The first two texts of the first two topics are known examples.
LABELS = np.where((TOPICS < 2) & (np.arange(18) % 6 < 2), TOPICS, UNLABELED)
PAPER = {
    "constrained": False,
    "keep_known_labels": False,
    "normalize": False,
    "untrained_share": 0.0,
    "neighbor_share": 0.0,
    "pretraining": "cross_entropy",
    "labeled_share": 0.0,
    "dense": True,
}


def run(
    folder: str,
    first: np.ndarray = TOPICS,
    trusted: tuple[bool, ...] = (True, True, True),
    progress: Any = no_progress,
    align: bool = True,
    **settings: Any,
) -> tuple[AlignedResult, Encoder]:
    values = {"learning_rate": 1e-3, "batch_size": 6, "aligned_epochs": 3, **settings}
    config = DiscoveryConfig(encoder=folder, device="cpu", **values)
    torch.manual_seed(config.seed)
    encoder = load_encoder(config)
    states = encoder.read(TEXTS)
    space = FeatureSpace.fit(states.pretrained, LABELS, config)
    embedded = encoder.embed(states)
    features = space(states.pretrained, embedded)
    centroids = np.stack([features[first == cluster].mean(0) for cluster in range(3)])
    result = train_aligned(
        encoder,
        states,
        LABELS,
        embedded,
        Clustering(first, centroids),
        np.array(trusted),
        space,
        config,
        progress,
        align,
        NO_CHECKPOINT,
        ALONE,
    )
    return result, encoder


class Spy:
    """Stands for a loss and keeps what it was asked to learn."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        self.targets: list[dict[int, int]] = []
        self.classifiers: list[Any] = []
        self._loss = getattr(trainer, name)
        monkeypatch.setattr(trainer, name, self)

    def __call__(
        self, encoder: Encoder, classifier: Any, states: Any, batch: Any, labels: Any, *rest: Any
    ) -> Any:
        self.targets.append(dict(zip(batch.tolist(), labels.tolist(), strict=True)))
        self.classifiers.append(classifier)
        return self._loss(encoder, classifier, states, batch, labels, *rest)

    def learnt(self, epochs: int) -> list[list[int]]:
        """For each epoch the label of every row."""
        per_epoch = len(self.targets) // epochs
        merged = []
        for start in range(0, len(self.targets), per_epoch):
            rows = {
                row: label for part in self.targets[start : start + per_epoch] for row, label in part.items()
            }
            merged.append([rows[row] for row in range(len(TEXTS))])
        return merged


# Ids go on


def test_the_paper_s_clusters_keep_their_ids_though_each_epoch_starts_from_scratch(folder: str) -> None:
    # Nothing is learnt, so k-means finds the same clusters again, in another order each time.
    result, _ = run(folder, learning_rate=0.0, aligned_epochs=4, seedings=5, **PAPER)

    assert result.changed == (0.0, 0.0, 0.0, 0.0)


def test_the_paper_s_ids_go_on_from_the_first_clustering(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spy = Spy(monkeypatch, "softmax_loss")
    swapped = np.array([2, 0, 1])[TOPICS]

    run(folder, swapped, learning_rate=0.0, aligned_epochs=2, seedings=5, **PAPER)

    assert spy.learnt(2) == [swapped.tolist()] * 2


def test_constrained_clusters_keep_their_ids_by_themselves(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spy = Spy(monkeypatch, "memory_loss")

    result, _ = run(folder, aligned_epochs=2)

    assert spy.learnt(2) == [TOPICS.tolist()] * 2
    assert result.changed == (0.0, 0.0)


def test_clusters_go_on_from_where_their_members_are_now() -> None:
    last = Clustering(np.array([0, 0, 1, 1]), np.array([[100, 100], [0, 0]], dtype=np.float32))
    features = np.array([[0, 0], [0, 2], [9, 0], [9, 2]], dtype=np.float32)

    clustering = continued(features, np.full(4, UNLABELED), last, 0.0)

    assert clustering.assignments.tolist() == [0, 0, 1, 1]
    assert clustering.centroids.tolist() == [[0, 1], [9, 1]]


def test_a_cluster_without_members_stays_where_it_was() -> None:
    last = Clustering(np.array([0, 0]), np.array([[5, 0], [0, -90]], dtype=np.float32))
    features = np.array([[5, 1], [-5, 1]], dtype=np.float32)

    clustering = continued(features, np.full(2, UNLABELED), last, 0.0)

    # At (0, 0) it would take the second row from the first cluster.
    assert clustering.assignments.tolist() == [0, 0]
    assert clustering.centroids.tolist() == [[0, 1], [0, -90]]


def test_a_known_example_stays_in_its_cluster() -> None:
    last = Clustering(np.array([0, 1, 1]), np.array([[0], [9]], dtype=np.float32))
    features = np.array([[0], [9], [8]], dtype=np.float32)

    clustering = continued(features, np.array([UNLABELED, UNLABELED, 0]), last, 0.0)

    assert clustering.assignments.tolist() == [0, 1, 0]


def test_a_row_between_two_clusters_goes_where_its_neighbours_are() -> None:
    angles = np.deg2rad([0] * 6 + [20, 22, 24, 26] + [45] + [80] * 6)
    features = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    last = Clustering(np.array([0] * 10 + [1] * 7), np.zeros((2, 2), dtype=np.float32))

    alone = continued(features, np.full(17, UNLABELED), last, 0.0)
    among_others = continued(features, np.full(17, UNLABELED), last, 0.5)

    # The row at 45 degrees is nearer to the middle of the second cluster, but like the last of the first.
    assert alone.assignments.tolist() == [0] * 10 + [1] * 7
    assert among_others.assignments.tolist() == [0] * 11 + [1] * 6


# What is learnt


def test_known_examples_are_trained_as_what_they_are(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy(monkeypatch, "memory_loss")
    wrong = TOPICS.copy()
    wrong[LABELS == 0] = 2

    run(folder, wrong, aligned_epochs=1, constrained=False, keep_known_labels=True)

    assert np.array(spy.learnt(1)[0])[LABELS == 0].tolist() == [0, 0]


def test_the_paper_trains_everything_as_its_cluster(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy(monkeypatch, "softmax_loss")
    other = (TOPICS + 1) % 3

    run(folder, other, aligned_epochs=1, learning_rate=0.0, seedings=5, **PAPER)

    assert spy.learnt(1) == [other.tolist()]


def test_messages_of_a_cluster_that_is_not_trusted_have_no_label(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spy = Spy(monkeypatch, "memory_loss")

    run(folder, trusted=(True, False, False), aligned_epochs=1)

    assert spy.learnt(1)[0] == [0] * 6 + [1] * 2 + [UNLABELED] * 10


def test_the_classifier_goes_on_from_epoch_to_epoch(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy(monkeypatch, "softmax_loss")

    run(folder, aligned_epochs=3, **PAPER)

    assert len(spy.classifiers) == 9
    assert len({id(classifier) for classifier in spy.classifiers}) == 1


def test_without_alignment_every_epoch_has_a_new_classifier(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights: list[torch.Tensor] = []
    epoch = trainer.Trainer.epoch

    def spying(self: trainer.Trainer, targets: np.ndarray) -> None:
        weights.append(self._classifier.weight.detach().clone())
        epoch(self, targets)
        weights.append(self._classifier.weight.detach().clone())

    monkeypatch.setattr(trainer.Trainer, "epoch", spying)

    def drift(align: bool) -> float:
        """How much of what an epoch learnt is lost when the next begins: 0 is nothing."""
        weights.clear()
        run(folder, align=align, aligned_epochs=2, **PAPER)
        return float((weights[2] - weights[1]).norm())

    assert drift(align=True) == 0.0
    assert drift(align=False) > 0.1


def test_training_draws_the_clusters_apart(folder: str) -> None:
    result, _ = run(folder, aligned_epochs=8, aligned_patience=0)

    assert len(result.silhouettes) == result.epochs == 8
    assert result.silhouettes[-1] > result.silhouettes[0] + 0.1


@pytest.mark.parametrize("settings", [{}, PAPER], ids=["default", "paper"])
def test_the_same_seed_gives_the_same_weights(folder: str, settings: dict[str, Any]) -> None:
    one, again, other = (run(folder, seed=seed, **settings)[1].trained_state() for seed in (1, 1, 2))

    assert all(torch.equal(a, b) for a, b in zip(one, again, strict=True))
    assert not all(torch.equal(a, b) for a, b in zip(one, other, strict=True))


# When it stops


def test_it_stops_when_the_silhouette_has_not_risen_for_that_long(folder: str) -> None:
    result, _ = run(folder, learning_rate=0.0, aligned_epochs=50, aligned_patience=3)

    assert result.epochs == len(result.silhouettes) == len(result.changed) == 1 + 3


@pytest.mark.parametrize(("patience", "epochs"), [(2, 4), (9, 5)], ids=["stopped early", "ran to the end"])
def test_the_weights_of_the_highest_silhouette_are_kept(
    folder: str, monkeypatch: pytest.MonkeyPatch, patience: int, epochs: int
) -> None:
    values, at_epoch = iter([0.1, 0.4, 0.2, 0.3, 0.2]), []
    monkeypatch.setattr(aligned, "silhouette", lambda *_: next(values))
    states: list[Encoder] = []

    def progress(numbers: Iterable[int], stage: str, total: int) -> Iterator[int]:
        for number in numbers:
            at_epoch.append(states[0].trained_state())
            yield number

    load = load_encoder

    def remembered(config: DiscoveryConfig) -> Encoder:
        states.append(load(config))
        return states[0]

    monkeypatch.setattr(f"{__name__}.load_encoder", remembered)

    result, encoder = run(folder, progress=progress, aligned_epochs=5, aligned_patience=patience)

    assert result.epochs == epochs
    assert all(torch.equal(a, b) for a, b in zip(encoder.trained_state(), at_epoch[1], strict=True))


def test_progress_counts_epochs(folder: str) -> None:
    seen = []

    def progress(epochs: Iterable[int], stage: str, total: int) -> Iterator[int]:
        for epoch in epochs:
            seen.append((stage, epoch, total))
            yield epoch

    run(folder, progress=progress, aligned_epochs=2)

    assert seen == [("aligned clustering", 1, 2), ("aligned clustering", 2, 2)]
