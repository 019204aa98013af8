"""The paper's tables and curves are made of the raw figures, ours beside theirs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import paper_table, plot_curves, tables
from benchmarks.methods.published.registry import PUBLISHED
from benchmarks.protocols import PROTOCOLS
from benchmarks.seed_run import COMPARED

SCORES = {"nmi": 80.0, "ari": 50.0, "acc": 60.0, "known_acc": 65.0, "novel_acc": 45.0}


def result_of(method: str, clusters: str = "true", acc: float = 60.0, **settings: Any) -> dict[str, Any]:
    """Two runs of a method, in which the protocols differ."""
    scores = {name: {**SCORES, "acc": acc + place} for place, name in enumerate(PROTOCOLS)}
    return {
        "settings": {
            **{"preset": method, "data": "banking", "clusters": clusters, "encoder": "embedded"},
            **{"known_ratio": 0.75, "labeled_ratio": 0.1, "k_start_factors": [2.0], "changed": {}},
            **{"noise": None, "long_tail": None, "examples_per_intent": None, **settings},
        },
        "runs": [
            {
                **{"seed": seed, "k_true": 50, "k_pred": 50 + 10 * seed},
                **{
                    protocol: {name: score - 0.5 + seed for name, score in figures.items()}
                    for protocol, figures in scores.items()
                },
            }
            for seed in (0, 1)
        ],
        "mean": scores,
        "std": {name: dict.fromkeys(SCORES, 0.5) for name in PROTOCOLS},
    }


def test_every_method_has_a_row_of_the_main_table() -> None:
    ours = {*PUBLISHED, *COMPARED, "paper", "default"}

    assert set(paper_table.ROWS) == ours
    assert {row.protocol for row in paper_table.ROWS.values()} <= set(PROTOCOLS)
    # Thirteen rows and USNID have been published for both data sets.
    assert sum(None not in (row.banking, row.clinc) for row in paper_table.ROWS.values()) == 14


def test_the_main_table_has_theirs_beside_ours_by_the_protocol_of_the_method() -> None:
    results = {
        "later": result_of("dwgf", changed={"aligned_epochs": 5}),
        "first": result_of("dec", encoder="data/multilingual/"),
        "other_share": result_of("dec", known_ratio=0.5),
        "fewer_labels": result_of("dec", labeled_ratio=0.2),
        "noisy": result_of("dec", noise="noise.txt"),
        "estimated": result_of("dec", clusters="estimated"),
    }

    head, rows = paper_table.main_results(results)

    assert {len(row) for row in rows} == {len(head)}
    measured = [row for row in rows if row[2] != "-"]
    ours = ["80.0 (0.5)", "50.0 (0.5)"]
    parts = ["65.0 (0.5)", "45.0 (0.5)"]
    assert measured == [
        ["BANKING77", "DEC", "multilingual", "", "0 1", "inductive", *ours, "62.0 (0.5)", *parts]
        + ["67.78", "27.21", "41.29"],
        ["BANKING77", "DWGF", "MiniLM-L6", "aligned_epochs 5", "0 1", "cold", *ours, "60.0 (0.5)", *parts]
        + ["-", "-", "-"],
    ]
    # What is published has a row all the same: the others of the fourteen, and all for CLINC150.
    assert len(rows) - len(measured) == 13 + 14
    assert rows[0] == ["BANKING77", "KM", *["-"] * 9, "54.57", "12.18", "29.55"]


def test_predicted_numbers_are_held_against_the_truth() -> None:
    results = {
        "from_twice": result_of("mcl", clusters="estimated", known_ratio=0.25),
        "from_three_times": result_of("mcl", clusters="estimated", k_start_factors=[3.0]),
        "from_what_the_data_says": result_of("default", clusters="estimated", k_start_factors=None),
        "not_predicted_there": result_of("dec", clusters="estimated"),
    }

    [row] = paper_table.predicted_numbers(results)[1]

    # Wrong by 0 and by 10 of 50.
    assert row[:3] == ["BANKING77", "BERT-MCL", "25%"]
    assert row[6:9] == ["50", "55", "10%"]


def test_a_curve_has_the_results_that_differ_in_one_setting() -> None:
    results = {
        **{f"known_{share}": result_of("dtc", known_ratio=share, acc=100 * share) for share in (0.25, 0.5)},
        "alone": result_of("mcl", known_ratio=0.25),
        **{f"start_{x}": result_of("mcl", "estimated", k_start_factors=[x], acc=10 * x) for x in (1.0, 4.0)},
        "as_a_user": result_of("mcl", "estimated", k_start_factors=None),
    }

    assert paper_table.by_known_ratio(results) == (
        ("data", "method", "encoder and settings", "25%", "50%"),
        [["BANKING77", "BERT-DTC", "MiniLM-L6", "27.0 (0.5)", "52.0 (0.5)"]],
    )
    assert paper_table.by_k_start(results) == (
        ("data", "method", "encoder and settings", "1 K", "4 K"),
        [["BANKING77", "BERT-MCL", "MiniLM-L6", "12.0 (0.5)", "42.0 (0.5)"]],
    )


def test_the_other_tables_have_no_rows_of_published_methods_nor_of_other_shares() -> None:
    results = {
        "method": result_of("dec"),
        "share": result_of("default", known_ratio=0.25),
        "default": result_of("default"),
    }

    assert [row[1] for row in tables.TABLES["clusters"](results)[1]] == ["default"] * 3


def test_curves_are_drawn(tmp_path: Path) -> None:
    for share in (0.25, 0.75):
        (tmp_path / f"{share}.json").write_text(json.dumps(result_of("dtc", known_ratio=share)))

    assert plot_curves.main(["--results", str(tmp_path), "--out", str(tmp_path / "curves.svg")]) == 0

    drawn = (tmp_path / "curves.svg").read_text(encoding="utf-8")
    assert drawn.lstrip().startswith("<?xml")
    assert "BERT-DTC" in drawn  # the legend, which is a comment beside its outlines


def test_there_is_no_picture_of_nothing(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="nothing to draw"):
        plot_curves.main(["--results", str(tmp_path), "--out", str(tmp_path / "curves.svg")])
    assert list(tmp_path.iterdir()) == []
