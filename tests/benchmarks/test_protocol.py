"""What may be seen for the tables of the papers, and when: each test fails when something else is seen."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tiny_encoder import write_tiny_encoder

from benchmarks import protocols, seed_run
from benchmarks.datasets import Sampling, Split, load_split
from benchmarks.methods.published.pck_means import pck_means
from benchmarks.methods.published.registry import Method
from benchmarks.methods.published.task import Fitted, Task, by_shares
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import UNLABELED

WISHES = ("close account", "order card", "reset password", "see balance")
ROWS, ASKED = 20, 6


@pytest.fixture(scope="module")
def split(tmp_path_factory: pytest.TempPathFactory) -> Split:
    """Four intents, two of them known: of each, twenty training, six test and three development messages."""
    folder = tmp_path_factory.mktemp("data")
    for part, size in (("train", ROWS), ("test", ASKED), ("dev", 3)):
        lines = [
            f"{'please' if row % 2 else 'i want to'} {wish} {part} {row}\t{wish.replace(' ', '_')}"
            for wish in WISHES
            for row in range(size)
        ]
        (folder / f"{part}.tsv").write_text("\n".join(["text\tlabel", *lines]) + "\n", encoding="utf-8")
    return load_split(folder, Sampling(known_ratio=0.5, labeled_ratio=0.2), seed=0)


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> DiscoveryConfig:
    encoder = write_tiny_encoder(tmp_path_factory.mktemp("encoder"))
    return seed_run.configured("fast", encoder=encoder, device="cpu", seedings=2)


@pytest.fixture
def learnt(monkeypatch: pytest.MonkeyPatch) -> list[tuple[tuple[Any, ...], dict[str, Any], Any]]:
    """What `learn` was given, and what it made of it."""
    calls: list[tuple[tuple[Any, ...], dict[str, Any], Any]] = []
    learn = seed_run.learn

    def spying(*arguments: Any, **more: Any) -> Any:
        calls.append((arguments, more, learn(*arguments, **more)))
        return calls[-1][2]

    monkeypatch.setattr(seed_run, "learn", spying)
    return calls


@pytest.fixture
def scored(monkeypatch: pytest.MonkeyPatch) -> dict[str, np.ndarray]:
    """The clusters of the test messages that are scored, by protocol."""
    found: dict[str, np.ndarray] = {}
    scores = protocols.clustering_scores

    def spying(truth: np.ndarray, predicted: np.ndarray, known: int) -> dict[str, float]:
        found[protocols.PROTOCOLS[len(found) % len(protocols.PROTOCOLS)]] = np.asarray(predicted)
        return scores(truth, predicted, known)

    monkeypatch.setattr(protocols, "clustering_scores", spying)
    return found


def test_development_messages_of_novel_intents_are_not_kept(split: Split) -> None:
    assert len(split.dev) == 2 * 3
    assert set(split.dev_intents.tolist()) == {0, 1}
    for text, intent in zip(split.dev, split.dev_intents, strict=True):
        assert split.intents[intent].replace("_", " ") in text


def test_learning_sees_the_labels_of_the_known_examples_and_no_other(
    split: Split, config: DiscoveryConfig, learnt: list[Any]
) -> None:
    seed_run.run(split, config, "estimated", "fast")

    [((texts, labels, _), more, _)] = learnt
    assert sorted(texts) == sorted(split.train)
    assert set(labels[labels != UNLABELED].tolist()) == {0, 1}
    assert int((labels != UNLABELED).sum()) == 2 * round(0.2 * ROWS)
    held_out_texts, held_out_labels = more["held_out"]
    assert (tuple(held_out_texts), held_out_labels.tolist()) == (split.dev, split.dev_intents.tolist())
    assert set(split.test).isdisjoint({*texts, *held_out_texts})


@pytest.mark.parametrize("clusters", ["true", "estimated"])
def test_a_published_method_is_given_the_same(
    split: Split, config: DiscoveryConfig, clusters: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks: list[Task] = []

    def fit(task: Task) -> Fitted:
        tasks.append(task)
        return pck_means(task)

    monkeypatch.setitem(protocols.PUBLISHED, "mcl", Method(fit))
    seed_run.run(split, config, clusters, "mcl", [1.5])

    [task] = tasks
    assert task.labels is split.labels
    assert (len(task.states), task.k, task.k_start) == (
        len(split.train),
        4 if clusters == "true" else None,
        6,
    )
    assert task.held_out is not None
    assert (len(task.held_out[0]), task.held_out[1].tolist()) == (len(split.dev), split.dev_intents.tolist())


@pytest.mark.parametrize(
    ("method", "clusters"), [("fast", "true"), ("fast", "estimated"), ("mcl", "estimated")]
)
def test_the_labels_of_the_test_change_nothing_but_the_scores(
    split: Split, config: DiscoveryConfig, method: str, clusters: str, scored: dict[str, np.ndarray]
) -> None:
    one = seed_run.run(split, config, clusters, method)
    clusters_of_one = dict(scored)
    scored.clear()
    others = np.random.default_rng(0).permutation(split.test_intents)
    assert (others != split.test_intents).any()

    other = seed_run.run(replace(split, test_intents=others), config, clusters, method)

    told = ("k_pred", "clusters", "k_range", "proposals", "placement", "names")
    assert {name: one[name] for name in told} == {name: other[name] for name in told}
    for protocol in protocols.PROTOCOLS:
        np.testing.assert_array_equal(clusters_of_one[protocol], scored[protocol])
    assert one["warm"] != other["warm"]


def test_warm_starts_from_the_trained_centroids(
    split: Split, config: DiscoveryConfig, learnt: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[Any, ...]] = []
    constrained_kmeans = protocols.constrained_kmeans

    def spying(*arguments: Any) -> Any:
        started.append(arguments)
        return constrained_kmeans(*arguments)

    monkeypatch.setattr(protocols, "constrained_kmeans", spying)
    seed_run.run(split, config, "true", "fast")

    [(features, starts)] = started
    assert len(features) == len(split.test)
    assert starts is learnt[0][2].clustering.centroids


def test_inductive_looks_at_each_test_message_by_itself(
    split: Split, config: DiscoveryConfig, scored: dict[str, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither are the test messages clustered, nor are neighbours looked for among them."""
    looked_at: list[np.ndarray] = []
    nearest = seed_run.nearest

    def spying(features: np.ndarray, centroids: np.ndarray) -> np.ndarray:
        looked_at.append(features)
        return nearest(features, centroids)

    monkeypatch.setattr(seed_run, "nearest", spying)
    seed_run.run(split, config, "true", "fast")
    whole = scored["inductive"]
    scored.clear()
    some = np.array([19, 2, 7])
    few = replace(split, test=tuple(split.test[row] for row in some), test_intents=split.test_intents[some])

    class Nothing:
        """The other protocols cannot make as many clusters of three messages."""

        assignments = np.zeros(len(some), dtype=np.int64)

    monkeypatch.setattr(protocols, "kmeans", lambda *_: Nothing)
    monkeypatch.setattr(protocols, "constrained_kmeans", lambda *_: Nothing)
    seed_run.run(few, config, "true", "fast")

    np.testing.assert_array_equal(scored["inductive"], whole[some])
    np.testing.assert_allclose(looked_at[1], looked_at[0][some], atol=1e-4)


def test_outputs_are_counted_where_there_are_more_of_them_than_clusters() -> None:
    """Of a method that has estimated the number before, none of its clusters is taken away afterwards."""
    shares = np.eye(4, dtype=np.float32)[[0] * 6 + [1] * 3 + [2]]
    task: Any = SimpleNamespace(k=None, k_start=4, states=shares)
    same: Any = np.asarray
    assert by_shares(task, same, same, counted=True).k == 2
    assert by_shares(task, same, same).k == 4
