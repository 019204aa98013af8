"""Each published method, from the command line on a toy data set, with an encoder that has learnt nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tiny_encoder import write_tiny_encoder

from benchmarks import discovery
from benchmarks.methods.published import dwgf, sae_k_means, similarity
from benchmarks.methods.published.registry import PUBLISHED
from benchmarks.protocols import PROTOCOLS

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
    run = run_of(method, data, encoder, tmp_path / "out.json", "--clusters", "true")

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
