"""Each published method, from the command line on a toy data set, with an encoder that has learnt nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tiny_encoder import write_tiny_encoder

from benchmarks import discovery
from benchmarks.datasets import Sampling, Split, load_split
from benchmarks.methods.published import dwgf, sae_k_means, similarity
from benchmarks.methods.published.registry import PUBLISHED
from benchmarks.methods.published.task import Fitted, Task
from benchmarks.protocols import PROTOCOLS
from benchmarks.seed_run import configured
from benchmarks.states import KeptEncoder
from rasa_intent_discovery.datatypes import Array, normalized

#: Intents that share no word: an encoder that knows the words tells them apart without having learnt
#: anything.
WORDS = {
    "greet": "hello hello hello hello hello",
    "leave": "bye bye bye bye bye",
    "pay": "invoice invoice invoice invoice invoice",
    "forget": "password password password password password",
}
FILLERS = "please the my a i".split()


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_tiny_encoder(tmp_path_factory.mktemp("encoder"))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four intents of twenty training and ten test messages each: a word of its own among fillers."""
    folder = tmp_path_factory.mktemp("data")
    for file, size in (("train.tsv", 20), ("test.tsv", 10)):
        lines = [
            f"{FILLERS[row % 5]} {words} {FILLERS[row // 5 % 5]} {file[:2]}\t{name}"
            for name, words in WORDS.items()
            for row in range(size)
        ]
        (folder / file).write_text("\n".join(["text\tlabel", *lines]) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Networks small enough for eighty messages."""
    monkeypatch.setattr(sae_k_means, "WIDTHS", (16, 16, 32, 4))
    monkeypatch.setattr(sae_k_means, "EPOCHS", 20)
    monkeypatch.setattr(similarity, "HIDDEN", 16)
    monkeypatch.setattr(dwgf, "NEIGHBORS", 5)


def run_of(method: str, data: Path, encoder: str, out: Path, *options: str) -> dict[str, Any]:
    # Faster, views alone would make an encoder of random weights forget what tells words apart.
    rate = 1e-4 if method in ("usnid", "dwgf") else 1e-3
    few = ("--set", "pretrain_epochs=5", "aligned_epochs=4", "batch_size=16", f"learning_rate={rate}")
    arguments = ["--data-dir", str(data), "--encoder", encoder, "--out", str(out), "--method", method]
    assert discovery.main([*arguments, "--labeled-ratio", "0.2", *options, *few]) == 0
    result: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    assert result["settings"]["preset"] == method
    run: dict[str, Any] = result["runs"][0]
    return run


@pytest.mark.parametrize("method", PUBLISHED)
def test_a_method_finds_intents_that_share_no_word(
    method: str, data: Path, encoder: str, tmp_path: Path
) -> None:
    # What CDAC+ makes of eighty messages in four epochs depends on its random numbers.
    seed = "3" if method == "cdac+" else "0"
    run = run_of(method, data, encoder, tmp_path / "out.json", "--clusters", "true", "--seeds", seed)

    assert run["k_pred"] == run["clusters"] == run["k_true"] == 4
    assert {"representation", "learning", "total"} <= set(run["seconds"])
    for protocol in PROTOCOLS:
        assert set(run[protocol]) == {"nmi", "ari", "acc", "known_acc", "novel_acc"}
    assert run["cold"]["acc"] >= 90
    # One cluster for all has 25, and two intents in one of four clusters 75.
    assert run["inductive"]["acc"] >= 75
    assert run["warm"]["acc"] >= 75


@pytest.mark.parametrize("method", ["mcl", "dtc", "usnid"])
def test_the_number_of_clusters_is_estimated_from_twice_the_truth(
    method: str, data: Path, encoder: str, tmp_path: Path
) -> None:
    run = run_of(method, data, encoder, tmp_path / "out.json", "--k-start-factors", "2")

    assert run["k_true"] == 4
    assert 3 <= run["k_pred"] == run["clusters"] <= 8
    assert run["proposals"] is None


def test_a_method_gives_the_same_figures_each_time(data: Path, encoder: str, tmp_path: Path) -> None:
    first, again = (
        run_of("kcl", data, encoder, tmp_path / name, "--clusters", "true") for name in ("1.json", "2.json")
    )

    assert [first[protocol] for protocol in PROTOCOLS] == [again[protocol] for protocol in PROTOCOLS]


def learnt(method: str, data: Path, encoder: str, epochs: int) -> tuple[Split, Task, Fitted]:
    """A method that has learnt the toy data set, told the number, for so many epochs of its last stage."""
    split = load_split(data, Sampling(labeled_ratio=0.2), seed=0)
    settings = {"pretrain_epochs": 0, "batch_size": 16, "learning_rate": 1e-3, "aligned_epochs": epochs}
    config = configured(method, encoder=encoder, **settings)
    kept = KeptEncoder.kept(config, None)
    task = Task(kept, kept.read(split.train), split.labels, None, config, len(split.intents), 8)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return split, task, PUBLISHED[method].fit(task)


def looseness(features: Array, intents: Array) -> float:
    """Which share of the scatter of features (n, d) is within the intents, (n,): 0 where each is a point."""
    unit = normalized(features)
    within = sum(len(part) * part.var(0).sum() for part in (unit[intents == i] for i in np.unique(intents)))
    return float(within / (len(unit) * unit.var(0).sum()))


def drawn_together(method: str, data: Path, encoder: str) -> float:
    """The looseness of the training texts after six epochs of the last stage, as a share of that before."""
    before, after = (
        looseness(task.features(), split.train_intents)
        for split, task, _ in (learnt(method, data, encoder, epochs) for epochs in (0, 6))
    )
    return after / before


def test_cdac_plus_clusters_the_outputs_that_it_compares(data: Path, encoder: str) -> None:
    split, task, fitted = learnt("cdac+", data, encoder, epochs=2)

    found = fitted.features(task.encoder.read(split.test))

    assert found.shape == (len(split.test), len(split.intents))
    assert found.min() < 0.0  # before any softmax


def test_usnid_draws_the_texts_of_a_cluster_together(data: Path, encoder: str) -> None:
    # The pass over labelled texts alone leaves 0.97.
    assert drawn_together("usnid", data, encoder) < 0.5


@pytest.mark.parametrize(("self_trained", "most"), [(0.0, 0.7), (100.0, 0.35)])
def test_dwgf_draws_texts_to_their_ties_and_to_their_centroids(
    self_trained: float, most: float, data: Path, encoder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Ties alone leave 0.49; where hardly anything but the centroids counts, 0.28 are left.
    monkeypatch.setattr(dwgf, "SELF_TRAINED", self_trained)

    assert drawn_together("dwgf", data, encoder) < most


def test_what_dwgf_clusters_is_smoothed(data: Path, encoder: str) -> None:
    split, task, fitted = learnt("dwgf", data, encoder, epochs=0)
    test = task.encoder.read(split.test)
    plain = task.encoder.embed(test)

    found = fitted.features(test)

    # Of 40 texts and four clusters, ceil(0.62 x 10) = 7 neighbours.
    assert found == pytest.approx(dwgf.smoothed(plain, dwgf.neighbor_graph(normalized(plain), 7)), abs=1e-5)
    assert looseness(found, split.test_intents) < 0.5 * looseness(plain, split.test_intents)
