"""The tables of the results page are made of the raw figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import tables
from benchmarks.table_cells import two_digits


def run_of(seed: int, estimate: int, low: int, high: int) -> dict[str, Any]:
    made = {"commit": "5e3ff20aa1b2", "threads": 2, "dtype": "bfloat16"}
    step = 0.05 if seed else -0.05
    shares = {"precision": 0.596, "recall": 0.9, "split": 2.25, "purity": 0.86, "right": 42.0}
    found = {"proposed": 70.5 + 30 * step, **{name: share + step for name, share in shares.items()}}
    placed = {"swallowed": 0.144, "stranded": 0.06, "known_kept": 0.8, "proposals": found}
    return {"seed": seed, "k_true": 77, "k_pred": estimate, "k_range": [low, high], **placed, **made}


def measured(**settings: Any) -> dict[str, Any]:
    """Two runs of `benchmarks.discovery`, with the figures that a table of proposals needs."""
    return {
        "settings": {"data": "banking", "preset": "fast", "clusters": "estimated", "noise": None, **settings},
        "runs": [run_of(0, 76, 65, 91), run_of(1, 88, 79, 95)],
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


def bot_run(bot: str, seed: int, method: str, **figures: Any) -> dict[str, Any]:
    """A run of `benchmarks.bot`, in whose log nothing is out of scope."""
    left_over = {"precision": None, "recall": None}
    placement = {"placement": {"left_over": left_over}, "proposals": {"names_right": 0.5}}
    return {"bot": bot, "seed": seed, "method": method, **placement, **figures}


def test_the_suite_has_the_mean_over_the_bots_first() -> None:
    left_over = {"left_over": {"precision": 0.5, "recall": 0.25}}
    bank = {"found": 1.0, "f1": 0.25, "cluster_acc": 0.5}
    shop = {"found": 0.5, "f1": 0.75, "cluster_acc": None, "placement": left_over}
    runs = [
        bot_run("bank", 0, "fast", **bank, proposals={"names_right": 0.25, "proposed": 9, "found": 2}),
        *(
            bot_run(
                *("shop", seed, "fast"),
                **{**shop, "proposals": {"names_right": 0.5 + seed / 2, "proposed": 5, "found": 2}},
            )
            for seed in (0, 1)
        ),
    ]

    head, rows = tables.TABLES["suite"]({"suite_now": {"runs": runs}, "clinc": measured()})

    told = [
        {name: cell for name, cell in zip(head, row, strict=True) if cell not in ("-", "-, -")}
        for row in rows
    ]
    # Two bots, one of which has two seeds: each counts once, its names, too.
    assert told == [
        {
            **{"method": "fast", "bot": "all", "seeds": "0 1", "found": "0.75", "f1": "0.50"},
            **{
                "with unlabelled": "3.50",
                "cluster acc": "0.50",
                "left over: precision, recall": "0.50, 0.25",
            },
            "names that share a word": "0.50",
        },
        {
            **{"method": "fast", "bot": "bank", "seeds": "0", "found": "1.00", "f1": "0.25"},
            **{"with unlabelled": "4.50", "cluster acc": "0.50", "names that share a word": "0.25"},
        },
        {
            **{"method": "fast", "bot": "shop", "seeds": "0 1", "found": "0.50", "f1": "0.75"},
            **{"with unlabelled": "2.50", "left over: precision, recall": "0.50, 0.25"},
            "names that share a word": "0.75",
        },
    ]


def test_a_mean_is_rounded_once_and_made_of_the_runs() -> None:
    """Of the rounded means of the bots, 0.799 and 0.791, the mean would be shown as 0.80."""
    found = {"bank": (0.7985, 0.7985, 0.7988), "shop": (0.7907, 0.7907, 0.7907)}
    runs = [
        bot_run(bot, seed, "fast", found=share)
        for bot, shares in found.items()
        for seed, share in enumerate(shares)
    ]

    _, rows = tables.TABLES["suite"]({"suite_now": {"runs": runs, "means": {"fast": {"all": {"found": 9}}}}})

    assert [row[3] for row in rows] == ["0.79", "0.80", "0.79"]
    assert (two_digits(0.1 + 0.025), two_digits((0.96 + 0.97) / 2)) == ("0.13", "0.97")


def test_the_numbers_of_the_suite_stand_beside_what_can_be_found() -> None:
    def run(bot: str, seed: int, method: str, k: int) -> dict[str, Any]:
        estimate = {"k": k, "low": k - 5, "high": k + 5, "k_start": 90}
        hidden = 12 if bot == "bank" else 6 + seed
        return {
            **{**bot_run(bot, seed, method), "known": 20, "estimate": estimate},
            "proposals": {"hidden": hidden},
        }

    runs = [run("bank", seed, "fast", 30 + 8 * seed) for seed in (1, 0)]
    runs += [run("shop", seed, method, 26) for seed in (0, 1) for method in ("fast", "default")]
    results = {
        "suite_now": {"runs": runs},
        "suite_before": {"runs": [run("bank", 0, "fast", 99)]},
        "suite_baselines": {"runs": [{**bot_run("bank", 0, "bertopic"), "estimate": None}]},
        "small_logs_now": {"runs": runs},
    }

    head, rows = tables.TABLES["suite_numbers"](results)

    assert rows == [
        ["fast", "bank", "0 1", "32", "12", "30 (25 to 35), 38 (33 to 43)", "1 of 2"],
        ["default, fast", "shop", "0 1", "26, 27", "6, 7", "26 (21 to 31), 26 (21 to 31)", "2 of 2"],
    ]
    assert len(head) == len(rows[0])


def test_what_is_compared_with_has_no_names_and_an_earlier_version_says_so() -> None:
    files = {
        file: {"runs": [bot_run("shop", 0, method, found=0.5)]}
        for file, method in (("suite_baselines", "bertopic"), ("suite_before", "default"))
    }

    _, [_, compared, _, before] = tables.TABLES["suite"](files)

    assert compared == ["bertopic", "shop", "0", "0.50", *["-"] * 10, "-, -", "-"]
    assert (before[0], before[-1]) == ("default before", "0.50")


@pytest.mark.parametrize(("method", "names"), [("fast", "0.50"), ("bertopic", "-")])
def test_runs_on_small_logs_have_a_table_of_their_own(method: str, names: str) -> None:
    run = bot_run("shop", 0, f"{method}, 0.25 of the log", swallowed=0.5)
    files = {"small_logs_before": {"runs": [run]}}

    _, [_, row] = tables.TABLES["small_logs"](files)

    assert (row[0], row[8], row[-1]) == (f"{method}, 0.25 of the log before", "0.50", names)
    assert tables.TABLES["suite"](files)[1] == []


def test_messages_at_work_are_summed_and_shares_are_means() -> None:
    heard = {"messages": 10, "found": 4, "right": 3, "none": 1, "recall": None}
    wrong = {"new": 1, "known": 0, "left_over": 2}
    runs = [
        bot_run(bot, seed, "fast", at_work={**heard, "wrong": wrong, "precision": precision})
        for bot, seed, precision in (("bank", 0, 0.25), ("shop", 0, 1.0), ("shop", 1, 0.5))
    ]

    _, rows = tables.TABLES["at_work"](
        {"at_work": {"runs": runs}, "suite_now": {"runs": [bot_run("shop", 0, "default")]}}
    )

    assert rows == [
        ["fast", "all", "0 1", "0.50", "-", "30", "12", "9", "3", "3, 0, 6"],
        ["fast", "bank", "0", "0.25", "-", "10", "4", "3", "1", "1, 0, 2"],
        ["fast", "shop", "0 1", "0.75", "-", "20", "8", "6", "2", "2, 0, 4"],
    ]


def test_second_runs_are_summed_and_shares_are_means() -> None:
    counts = ("intents", "added", "proposals", "right", "known", "accepted", "unlabelled", "mixed", "hidden")
    counts += ("found",)
    found = {**dict(zip(counts, range(1, 11), strict=True)), "lost": {"new": 0, "known": 1, "left_over": 2}}
    found |= {"known_stay": 0.9, "accepted_right": None, "came_kept": 0.75, "came_swallowed": 0.125}
    runs = [bot_run("shop", seed, "fast", known_kept=1.0, second_run=found) for seed in (0, 1)]
    results = {
        "second_runs_now": {"runs": runs},
        "second_weeks_before": {"runs": runs},
        "suite_now": {"runs": [bot_run("shop", 0, "fast")]},
    }

    sums = ["2", "4", "6", "8", "10", "12", "14", "16", "18", "20"]
    head, rows = tables.TABLES["second_runs"](results)
    # Older runs have no `known_kept` after `apply`; that of the first run is another figure.
    told = ["0 1", *sums, "0, 2, 4", "0.90", *"---"]
    assert rows == [["fast", "all", *told], ["fast", "shop", *told]]
    assert len(head) == len(rows[0])
    head, rows = tables.TABLES["second_weeks"](results)
    told = ["0 1", *sums, "", "", "0, 2, 4", "0.90", *"---", "0.75", "0.13"]
    assert rows == [["fast before", "all", *told], ["fast before", "shop", *told]]
    assert len(head) == len(rows[0])
    found |= {"told_more": 5, "told_more_rightly": 3, "known_kept": 0.5, "swallowed": 0.25}
    [row, _] = tables.TABLES["second_weeks"](results)[1]
    assert row[3:] == [*sums, "10", "6", "0, 2, 4", "0.90", "-", "0.50", "0.25", "0.75", "0.13"]


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


def test_a_growing_log_is_told_with_all_scores() -> None:
    shares = dict.fromkeys(("draft_acc", "found", "precision", "known_kept", "swallowed", "stranded"), 0.5)
    run = {
        **{"data": "banking", "preset": "fast", "messages": 10_000, "seconds": 49.2, "cpu_seconds": 74.7},
        **{"multiple_of_floor": 3.25, "peak_rss_mb": 1764, "stages": {"everything else": 14.42}},
        "quality_of_the_same": {**shares, "effort": 3.455},
    }
    head, [row] = tables.TABLES["growth"]({"growth_banking": {"runs": [run]}, "suite_now": {"runs": [{}]}})
    told = dict(zip(head, row, strict=True))
    assert (told["precision"], told["effort"], told["known kept"]) == ("50.0", "3.46", "50.0")


def test_what_answers_are_worth_stands_by_how_many_there_are() -> None:
    figures = {"found": 0.8, "precision": 0.9, "effort": 1.5, "known_kept": None}
    methods = ["default + 100 answers", "default", "default + 25 answers"]
    given = ((methods[0], 60), (methods[0], 100), (methods[1], 0), (methods[2], 25))
    runs = [bot_run("clinc", 0, method, answers=answers, **figures) for method, answers in given]
    head, rows = tables.TABLES["answers"]({"answers_default": {"runs": runs}, "suite_now": {}})
    assert [row[0] for row in rows] == [methods[1], methods[2], methods[0]]
    assert [row[2] for row in rows] == ["0", "25", "80"]
    assert dict(zip(head, rows[0], strict=True))["found"] == "0.80" and rows[0][-1] == "-"
