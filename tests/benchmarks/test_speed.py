"""What a run takes is told in multiples of reading its messages once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tiny_encoder import write_tiny_encoder

from benchmarks import speed, tables

WISHES = ("close account", "order card", "reset password", "see balance")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("speed") / "banking"
    folder.mkdir()
    lines = [
        f"{'please' if row % 2 else 'i want to'} {wish} number {row}\t{wish.replace(' ', '_')}"
        for wish in WISHES
        for row in range(40)
    ]
    for part in ("train", "test"):
        (folder / f"{part}.tsv").write_text("\n".join(["text\tlabel", *lines]) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def runs(data: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, float]]:
    folder = tmp_path_factory.mktemp("speed")
    encoder, out = write_tiny_encoder(folder / "encoder"), folder / "results.json"
    given = ["--data-dir", str(data), "--preset", "fast", "paper", "--encoder", encoder, "--out", str(out)]
    few = ["--set", "pretrain_epochs=1", "aligned_epochs=2", "aligned_patience=9"]
    assert speed.main([*given, *few, "--compare", "kmeans"]) == 0
    runs: list[dict[str, float]] = json.loads(out.read_text())["runs"]
    return runs


def test_the_run_is_told_in_multiples_of_the_floor(runs: list[dict[str, float]]) -> None:
    assert [run["preset"] for run in runs] == ["fast", "paper"]
    for run in runs:
        total = run["seconds"]["total"]
        assert run["messages"] == 160
        # Seconds are told in hundredths, and the floor of so few messages is one or two of these.
        floor, told = run["floor_seconds"], 0.006
        assert (total - told) / (floor + told) < run["multiple_of_floor"] < (total + told) / (floor - told)
        assert sum(run["stages"].values()) == pytest.approx(total, abs=0.1)
        assert {"representation", "proposals", "map", "corpus and drafts"} <= run["stages"].keys()
        assert run["seconds"]["kmeans"] >= run["floor_seconds"] - 0.01


def test_of_the_paper_s_method_ten_aligned_epochs_are_told(runs: list[dict[str, float]]) -> None:
    run = runs[1]

    assert run["aligned_epochs"] == 2
    assert run["multiple_per_10_epochs"] == pytest.approx(5 * run["multiple_of_floor"], rel=0.01)


def test_the_table_of_speed(runs: list[dict[str, float]]) -> None:
    head, rows = tables.TABLES["speed"]({"speed_banking": {"runs": runs}})

    assert len(rows) == 2
    assert all(len(row) == len(head) for row in rows)
    assert rows[0][:3] == ["BANKING77", "fast", "160"]
