"""The tables of the results page are made of the raw figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import tables


def run_of(seed: int, estimate: int, low: int, high: int) -> dict[str, Any]:
    made = {"commit": "5e3ff20aa1b2", "threads": 2, "dtype": "bfloat16"}
    return {"seed": seed, "k_true": 77, "k_pred": estimate, "k_range": [low, high], **made}


def measured(**settings: Any) -> dict[str, Any]:
    """Two runs of `benchmarks.discovery`, with the figures that a table of proposals needs."""
    mean = {"proposed": 70.5, "right": 42.0, "precision": 0.596, "recall": 0.9, "split": 2.25, "purity": 0.86}
    placed = {"swallowed": 0.144, "stranded": 0.06, "known_kept": 0.8}
    return {
        "settings": {"data": "banking", "preset": "fast", "clusters": "estimated", "noise": None, **settings},
        "runs": [run_of(0, 76, 65, 91), run_of(1, 88, 79, 95)],
        "mean": {"proposals": mean, **placed},
        "std": {"proposals": {**dict.fromkeys(mean, 0.05), "proposed": 1.5}, **dict.fromkeys(placed, 0.0)},
    }


def page(name: str) -> str:
    before = "| what stood here |\n|---|\n| before |\n"
    return f"# Results\n\n<!-- table: {name} -->\n\n{before}\nThe text goes on.\n"


def test_a_table_has_means_and_spreads() -> None:
    assert tables.with_tables(page("proposals"), {"banking_fast": measured()}) == (
        "# Results\n\n<!-- table: proposals -->\n\n"
        "| data | preset | seeds | proposals | right | precision | recall | right per intent found | purity "
        "| new swallowed | new stranded | known kept |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
        "| BANKING77 | fast | 0 1 | 70.5 (1.5) | 42.0 (0.1) | 0.60 (0.05) | 0.90 (0.05) | 2.25 (0.05) "
        "| 0.86 (0.05) | 0.14 (0.00) | 0.06 (0.00) | 0.80 (0.00) |\n"
        "\nThe text goes on.\n"
    )


def test_estimates_are_held_against_the_truth() -> None:
    _, rows = tables.TABLES["number"]({"banking_fast": measured()})
    # Wrong by 1 and by 11 of 77, of which the second range does not hold it.
    assert rows == [
        ["BANKING77", "fast", "0 1", "no", "77", "76 (65 to 91), 88 (79 to 95)", "8%", "1 of 2"],
    ]


def test_proposals_are_told_where_the_number_was_estimated_alone() -> None:
    capped = measured(clusters="true")
    assert tables.TABLES["proposals"]({"banking_true": capped})[1] == []


def test_the_suite_has_the_mean_over_the_bots_first() -> None:
    headline = (
        "found",
        "precision",
        "effort",
        "swallowed",
        "stranded",
        "draft_acc",
        "cluster_acc",
        "known_kept",
        "unlabelled",
    )
    counts = {"bank": {"proposed": 9, "found": 2}, "shop": {"proposed": 5, "found": 2}}
    left_over = {"shop": {"precision": 0.5, "recall": 0.25}, "bank": {"precision": 0.0, "recall": None}}
    runs = [
        {
            **{"bot": bot, "seed": seed, "method": "fast"},
            **{
                "placement": {"left_over": left_over[bot]},
                "proposals": {"names_right": 0.5 + seed / 2, **counts[bot]},
            },
        }
        for bot, seed in (("bank", 0), ("shop", 0), ("shop", 1))
    ]
    means = {
        "all": {**dict.fromkeys(headline, 0.625), "f1": 0.5},
        "shop": {**dict.fromkeys(headline, 0.5), "cluster_acc": None},
    }

    _, rows = tables.TABLES["suite"](
        {"suite_now": {"runs": runs, "means": {"fast": means}}, "clinc": measured()}
    )

    assert rows == [
        ["fast", "all", "0 1", "0.62", "0.62", "0.50", "0.62", "3.50", *["0.62"] * 6, "0.50, 0.25", "0.67"],
        [
            "fast",
            "shop",
            "0 1",
            "0.50",
            "0.50",
            "-",
            "0.50",
            "2.50",
            *["0.50"] * 3,
            "-",
            *["0.50"] * 2,
            "0.50, 0.25",
            "0.75",
        ],
    ]


def test_what_is_compared_with_has_no_names_and_an_earlier_version_says_so() -> None:
    run = {
        **{"bot": "shop", "seed": 0, "placement": {"left_over": {"precision": None, "recall": None}}},
        **{"proposals": {"names_right": 0.0}},
    }
    files = {
        file: {"runs": [{**run, "method": method}], "means": {method: {"shop": {"found": 0.5}}}}
        for file, method in (("suite_baselines", "bertopic"), ("suite_before", "default"))
    }

    _, [compared, before] = tables.TABLES["suite"](files)

    assert compared == ["bertopic", "shop", "0", "0.50", *["-"] * 10, "-, -", "-"]
    assert (before[0], before[-1]) == ("default before", "0.00")


@pytest.mark.parametrize(("method", "names"), [("fast", "0.50"), ("bertopic", "-")])
def test_runs_on_small_logs_have_a_table_of_their_own(method: str, names: str) -> None:
    run = {
        **{"bot": "shop", "seed": 0, "placement": {"left_over": {"precision": None, "recall": None}}},
        **{"proposals": {"names_right": 0.5}, "method": f"{method}, 0.25 of the log"},
    }
    files = {"small_logs_before": {"runs": [run], "means": {run["method"]: {"shop": {"swallowed": 0.5}}}}}

    _, [row] = tables.TABLES["small_logs"](files)

    assert (row[0], row[8], row[-1]) == (f"{method}, 0.25 of the log before", "0.50", names)
    assert tables.TABLES["suite"](files)[1] == []


def test_messages_at_work_are_summed_and_shares_are_means() -> None:
    heard = {"messages": 10, "found": 4, "right": 3, "none": 1}
    wrong = {"new": 1, "known": 0, "left_over": 2}
    runs = [
        {"method": "fast", "bot": "shop", "seed": seed, "at_work": {**heard, "wrong": wrong}}
        for seed in (0, 1)
    ]
    means = {"fast": {"all": {"precision": 0.5, "recall": None}}}

    _, rows = tables.TABLES["at_work"](
        {"at_work": {"runs": runs, "at_work": means}, "suite_now": {"runs": [], "means": {}}}
    )

    assert rows == [["fast", "all", "0 1", "0.50", "-", "20", "8", "6", "2", "2, 0, 4"]]


def test_second_runs_are_summed_and_shares_are_means() -> None:
    counts = ("intents", "added", "proposals", "right", "known", "accepted", "unlabelled", "mixed", "hidden")
    counts += ("found",)
    found = {**dict(zip(counts, range(1, 11), strict=True)), "lost": {"new": 0, "known": 1, "left_over": 2}}
    runs = [{"method": "fast", "bot": "shop", "seed": seed, "second_run": found} for seed in (0, 1)]
    shares = {"known_stay": 0.9, "accepted_right": None, "came_kept": 0.75, "came_swallowed": 0.125}
    newer = {**shares, "known_kept": 0.5, "swallowed": 0.25}
    means = {"fast": {"all": shares}}
    results = {
        "second_runs_now": {"runs": runs, "second_run": means},
        "second_weeks_before": {"runs": runs, "second_run": means},
        "suite_now": {"runs": [], "means": {}},
    }

    sums = ["2", "4", "6", "8", "10", "12", "14", "16", "18", "20"]
    head, rows = tables.TABLES["second_runs"](results)
    assert rows == [["fast", "all", "0 1", *sums, "0, 2, 4", "0.90", *"---"]]
    assert len(head) == len(rows[0])
    head, rows = tables.TABLES["second_weeks"](results)
    assert rows == [["fast before", "all", "0 1", *sums, "", "", "0, 2, 4", "0.90", *"---", "0.75", "0.12"]]
    assert len(head) == len(rows[0])
    found |= {"told_more": 5, "told_more_rightly": 3}
    means["fast"]["all"] = newer
    [row] = tables.TABLES["second_weeks"](results)[1]
    assert row[3:] == [*sums, "10", "6", "0, 2, 4", "0.90", "-", "0.50", "0.25", "0.75", "0.12"]


def test_files_that_were_made_alike_are_told_together() -> None:
    bot = {"run": {"commit": "5e3ff20aa1b2"}}
    results = {"banking_fast": measured(), "bot_hwu64_fast": bot, "clinc_fast": measured(data="clinc")}
    assert tables.TABLES["made"](results)[1] == [
        ["5e3ff20aa1b2", "2", "bfloat16", "banking_fast, clinc_fast"],
        ["5e3ff20aa1b2", "not noted", "not noted", "bot_hwu64_fast"],
    ]


def test_a_file_whose_runs_were_not_made_alike_is_told_as_a_part_of_each() -> None:
    later = {"seed": 1, "commit": "0ff8f5800000", "threads": 1, "dtype": "float32"}
    result = measured()
    result["runs"].append(later)
    assert tables.TABLES["made"]({"banking_fast": result})[1] == [
        ["5e3ff20aa1b2", "2", "bfloat16", "banking_fast (in part)"],
        ["0ff8f5800000", "1", "float32", "banking_fast (in part)"],
    ]


def test_no_precision_where_the_noise_holds_requests() -> None:
    result = measured(data="dstc11_banking", noise="other_turns.txt")
    _, [row] = tables.TABLES["noise"]({"dstc11": result})
    assert row == [
        *("DSTC11", "fast", "0 1", "70.5 (1.5)"),
        "not known",
        "0.90 (0.05)",
        "0.86 (0.05)",
        "not known",
        "0.80 (0.00)",
    ]


def test_the_page_says_what_the_raw_figures_say() -> None:
    text = tables.PAGE.read_text(encoding="utf-8")
    assert tables.with_tables(text, tables.read_results(tables.RESULTS)) == text


def test_the_page_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = tmp_path / "results"
    results.mkdir()
    (results / "banking_fast.json").write_text(json.dumps(measured()), encoding="utf-8")
    monkeypatch.setattr(tables, "RESULTS", results)
    monkeypatch.setattr(tables, "PAGE", tmp_path / "RESULTS.md")
    tables.PAGE.write_text(page("made"), encoding="utf-8")
    assert tables.main(["--write"]) == 0
    assert "| 5e3ff20aa1b2 | 2 | bfloat16 | banking_fast |\n" in tables.PAGE.read_text(encoding="utf-8")


def test_memory_is_told_before_on_the_way_and_at_the_end() -> None:
    held = {"megabytes": [500.0 + place for place in range(101)], "fell_back": 62_500, "recognised": 0}
    without, with_it = {**held, "bytes_per_parse": 0.0}, {**held, "bytes_per_parse": 1048.6}
    result = {"run": {"parses": 100_000, "every": 1_000}, "without": without, "with": with_it}
    _, rows = tables.TABLES["memory"]({"memory_at_work": result, "other": {}})
    marks = ["500.0", "510.0", "550.0", "600.0"]
    assert rows == [
        ["without the component", "100,000", "62,500", "0", *marks, "0.0"],
        ["with the component", "100,000", "62,500", "0", *marks, "1,048.6"],
    ]


def test_what_answers_are_worth_stands_by_how_many_there_are() -> None:
    def run(method: str, given: int) -> dict[str, object]:
        return {"method": method, "bot": "clinc", "seed": 0, "answers": given}

    means = {"found": 0.8, "precision": 0.9, "effort": 1.5, "known_kept": None}
    methods = ["default + 100 answers", "default", "default + 25 answers"]
    file = {
        "runs": [run(methods[0], 60), run(methods[0], 100), run(methods[1], 0), run(methods[2], 25)],
        "means": {method: {"all": means} for method in methods},
    }
    head, rows = tables.TABLES["answers"]({"answers_default": file, "suite_now": {}})
    assert [row[0] for row in rows] == [methods[1], methods[2], methods[0]]
    assert [row[2] for row in rows] == ["0", "25", "80"]
    assert dict(zip(head, rows[0], strict=True))["found"] == "0.80" and rows[0][-1] == "-"
