"""Writes the tables of RESULTS.md from the raw figures, so that no figure is copied by hand.

    python -m benchmarks.tables            # prints RESULTS.md with its tables made anew
    python -m benchmarks.tables --write    # and writes it

A table follows a line `<!-- table: NAME -->`. What files of `benchmarks/results/` hold is one row of it each.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks import paper_table
from benchmarks.methods import METHODS

RESULTS = Path(__file__).with_name("results")
PAGE = Path(__file__).with_name("RESULTS.md")

#: A file of results: the output of `benchmarks.discovery`, or of `benchmarks.bot score`.
Figures = dict[str, Any]

_TABLE = re.compile(r"^(<!-- table: (\w+) -->\n)\n?(?:\|.*\n)*", re.MULTILINE)
_TITLES = {
    "banking": "BANKING77",
    "clinc": "CLINC150",
    "dstc11_banking": "DSTC11",
    "example": "example bot",
    "hwu64": "HWU64",
    "robo_de": "robo.ai FAQ (German)",
}
#: The presets, and the methods that have stood in these tables from the first.
_IN_TABLES = ("default", "fast", "k-means", "agglomerative")
_TRUTHS = ("new", "known", "left_over")
# The papers give the true number; what the estimated one costs, one protocol shows.
_PROTOCOLS = {"true": ("cold", "warm", "inductive"), "estimated": ("warm",)}


def read_results(folder: Path) -> dict[str, Figures]:
    """The files of a folder, by name without the ending."""
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}


def with_tables(text: str, results: dict[str, Figures]) -> str:
    """A page with each of its tables made of the results.

    Raises:
        KeyError: a table of the page that is none of `TABLES`.
    """
    return _TABLE.sub(lambda found: f"{found[1]}\n{_markdown(*TABLES[found[2]](results))}", text)


def _proposals(results: dict[str, Figures]) -> tuple[Sequence[str], list[list[str]]]:
    rows = [
        [
            *_what(result),
            *(_spread(result, 1, "proposals", name) for name in ("proposed", "right")),
            *(_spread(result, 2, "proposals", name) for name in ("precision", "recall", "split", "purity")),
            *(_spread(result, 2, name) for name in ("swallowed", "stranded", "known_kept")),
        ]
        for result in _runs(results, clusters="estimated", noise=False)
    ]
    head = ("data", "preset", "seeds", "proposals", "right", "precision", "recall", "right per intent found")
    return (*head, "purity", "new swallowed", "new stranded", "known kept"), rows


def _names(results: dict[str, Figures]) -> tuple[Sequence[str], list[list[str]]]:
    judged = ("names_right", "names_right_by_constant", "names_half_right", "names_half_right_by_constant")
    rows = [
        [*_what(result), *(_percent(result, "proposals", name) for name in (*judged, "intents_named_right"))]
        for result in _runs(results, clusters="estimated", noise=False)
    ]
    head = ("share a word", "best constant name", "half right", "best constant name", "intents named")
    return ("data", "preset", "seeds", *head), rows


def _clusters(results: dict[str, Figures]) -> tuple[Sequence[str], list[list[str]]]:
    rows = [
        [*_what(result), result["settings"]["clusters"], protocol, *_scores(result, protocol)]
        for clusters, protocols in _PROTOCOLS.items()
        for result in _runs(results, clusters, noise=False)
        for protocol in protocols
        if result["runs"][0][protocol] is not None
    ]
    head = ("data", "preset or method", "seeds", "number", "protocol", "NMI", "ARI", "ACC")
    return (*head, "ACC known", "ACC novel"), rows


def _number(results: dict[str, Figures]) -> tuple[Sequence[str], list[list[str]]]:
    rows = []
    for result in _runs(results, clusters="estimated"):
        runs = result["runs"]
        truth = runs[0]["k_true"]
        estimates = ", ".join("{} ({} to {})".format(run["k_pred"], *run["k_range"]) for run in runs)
        error = sum(abs(run["k_pred"] - truth) for run in runs) / len(runs) / truth
        inside = sum(low <= truth <= high for low, high in (run["k_range"] for run in runs))
        noise = "yes" if result["settings"]["noise"] else "no"
        rows.append(
            [*_what(result), noise, str(truth), estimates, f"{error:.0%}", f"{inside} of {len(runs)}"]
        )
    head = ("data", "preset", "seeds", "noise", "truth", "estimate (range), by seed", "mean error")
    return (*head, "range holds the truth"), rows


def _bots(results: dict[str, Figures]) -> tuple[Sequence[str], list[list[str]]]:
    rows = []
    for name, result in results.items():
        if not name.startswith("bot_"):
            continue
        found = result["proposals"]
        rows.append(
            [
                _TITLES[name.removeprefix("bot_").rpartition("_")[0]],
                result["run"]["preset"],
                f"{result['messages']:,}",
                f"{found['found']} of {found['hidden']}",
                f"{found['right']} of {found['proposed']}",
                f"{found['split']:.1f}",
                f"{found['names_right']:.0%} ({found['names_right_by_constant']:.0%})",
                f"{found['names_half_right']:.0%} ({found['names_half_right_by_constant']:.0%})",
                *(f"{result[part]:.2f}" for part in ("swallowed", "stranded", "known_kept")),
            ]
        )
    head = ("bot", "preset", "distinct messages", "hidden intents found", "proposals right")
    names = ("names that share a word (best constant)", "names half right (best constant)")
    return (*head, "right per intent found", *names, "new swallowed", "new stranded", "known kept"), rows


def _suite(results: dict[str, Figures]) -> tuple[Sequence[str], list[list[str]]]:
    """The mean of each method over the bots and seeds first, then each bot."""
    names = (
        "found",
        "precision",
        "f1",
        "effort",
        "swallowed",
        "stranded",
        "draft_acc",
        "cluster_acc",
        "known_kept",
        "unlabelled",
    )
    rows = []
    for file, result in results.items():
        if not file.startswith("suite_"):
            continue
        version = file.removeprefix("suite_").replace("_", " ")
        version = "" if version in ("now", "baselines") else version
        for method, bots in result["means"].items():
            for bot, figures in bots.items():
                runs = [
                    run for run in result["runs"] if run["method"] == method and bot in ("all", run["bot"])
                ]
                seeds = " ".join(str(seed) for seed in sorted({run["seed"] for run in runs}))
                cells = [_two_digits(figures.get(name)) for name in names]
                left_over = [run["placement"]["left_over"] for run in runs]
                judged = [found for found in left_over if found["recall"] is not None]
                cells.append(", ".join(_mean_of(judged, part) for part in ("precision", "recall")))
                # What is compared with names nothing: its groups have numbers.
                named = [] if method in METHODS else [run["proposals"] for run in runs]
                cells.append(_mean_of(named, "names_right"))
                rows.append([f"{method} {version}".strip(), bot, seeds, *cells])
    head = ("method", "bot", "seeds", *(name.replace("_", " ") for name in names))
    return (*head, "left over: precision, recall", "names that share a word"), rows


def _at_work(results: dict[str, Figures]) -> tuple[Sequence[str], list[list[str]]]:
    """What the recogniser says of messages that were kept from the runs, by file, method and bot."""
    rows = []
    for file, result in results.items():
        for method, bots in result.get("at_work", {}).items():
            for bot, figures in bots.items():
                runs = [
                    run for run in result["runs"] if run["method"] == method and bot in ("all", run["bot"])
                ]
                seeds = " ".join(str(seed) for seed in sorted({run["seed"] for run in runs}))
                heard = [run["at_work"] for run in runs]
                counts = (
                    sum(found[name] for found in heard) for name in ("messages", "found", "right", "none")
                )
                wrong = (str(sum(found["wrong"][name] for found in heard)) for name in _TRUTHS)
                version = file.removeprefix("at_work").strip("_").replace("_", " ")
                cells = (_two_digits(figures["precision"]), _two_digits(figures["recall"]))
                rows.append(
                    [f"{method} {version}".strip(), bot, seeds, *cells, *map(str, counts), ", ".join(wrong)]
                )
    head = ("method", "bot", "seeds", "precision", "recall", "messages", "of intents found", "right", "none")
    return (*head, "wrong: new, known, left over"), rows


def _memory(results: dict[str, Figures]) -> tuple[Sequence[str], list[list[str]]]:
    """What a bot holds in RAM before, on the way and at the end, with the component and without it."""
    rows = []
    for result in results.values():
        for name in ("without", "with"):
            if name not in result:
                continue
            figures, run = result[name], result["run"]
            held = figures["megabytes"]
            marks = [held[place * (len(held) - 1) // 10] for place in (0, 1, 5, 10)]
            counts = (f"{count:,}" for count in (run["parses"], figures["fell_back"], figures["recognised"]))
            slope = f"{figures['bytes_per_parse']:,.1f}"
            rows.append([f"{name} the component", *counts, *(f"{held:,.1f}" for held in marks), slope])
    head = (
        "bot",
        "messages",
        "fell back",
        "recognised",
        "MB at first",
        "after a tenth",
        "after half",
        "at the end",
    )
    return (*head, "bytes per message, second half"), rows


def _speed(results: dict[str, Figures]) -> tuple[Sequence[str], list[list[str]]]:
    """What runs take, in multiples of one pass of the encoder over the messages."""
    rows = []
    for file, result in results.items():
        version = " before" if file.endswith("_before") else ""
        for run in result["runs"] if file.startswith("speed_") else ():
            seconds, ten = run["seconds"], run.get("multiple_per_10_epochs")
            others = [f"{seconds[name]:,.0f}" if name in seconds else "-" for name in ("kmeans", "bertopic")]
            stages = ", ".join(f"{stage} {multiple:.1f}" for stage, multiple in run["multiples"].items())
            rows.append(
                [
                    *(
                        _TITLES[run["data"]],
                        run["preset"] + version,
                        f"{run['messages']:,}",
                        str(run["beside"]),
                    ),
                    *(f"{run['floor_seconds']:,.1f}", f"{seconds['total']:,.0f}"),
                    *(f"{run['multiple_of_floor']:.1f}", "-" if ten is None else f"{ten:.1f}", stages),
                    *(f"{run['messages_per_second']:,}", f"{run['peak_rss_mb']:,}", *others),
                ]
            )
    head = ("data", "preset", "messages", "busy programs beside", "floor, s", "run, s", "times the floor")
    parts = ("per ten aligned epochs", "of which", "messages per s", "peak MB")
    return (*head, *parts, "k-means, s", "BERTopic, s"), rows


def _growth(results: dict[str, Figures]) -> tuple[Sequence[str], list[list[str]]]:
    """What runs take as the log grows, and how good they stay on the messages that every log has."""
    rows = []
    for file, result in results.items():
        for run in result["runs"] if file.startswith("growth_") else ():
            quality = run["quality_of_the_same"]
            rows.append(
                [
                    *(_TITLES[run["data"]], run["preset"], f"{run['messages']:,}"),
                    *(f"{run['seconds']:,.0f}", f"{run['cpu_seconds']:,.0f}"),
                    *(f"{run['multiple_of_floor']:.1f}", f"{run['stages'].get('other messages', 0.0):,.0f}"),
                    *(f"{run['stages']['everything else']:,.0f}", f"{run['peak_rss_mb'] / 1000:.1f}"),
                    *(f"{100 * quality[name]:.1f}" for name in ("draft_acc", "found", "precision")),
                    *(f"{100 * quality[name]:.1f}" for name in ("known_kept", "swallowed", "stranded")),
                ]
            )
    head = ("data", "preset", "messages", "run, s", "s of all threads", "times the floor")
    parts = ("of which placing others, s", "start, corpus and drafts, s", "peak GB")
    scores = ("draft accuracy", "found", "precision", "known kept", "new swallowed", "new stranded")
    return (*head, *parts, *scores), rows


def _two_digits(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _mean_of(figures: Sequence[Figures], name: str) -> str:
    values = [found[name] for found in figures if found[name] is not None]
    return f"{sum(values) / len(values):.2f}" if values else "-"


def _noise(results: dict[str, Figures]) -> tuple[Sequence[str], list[list[str]]]:
    rows = []
    for result in _runs(results, clusters="estimated", noise=True):
        # DSTC11's unlabelled turns hold requests: whether a proposal of them is right, nobody knows.
        withheld = result["settings"]["data"] == "dstc11_banking"
        precision = "not known" if withheld else _spread(result, 2, "proposals", "precision")
        left_over = "not known" if withheld else _spread(result, 2, "placement", "left_over", "recall")
        recall, purity = (_spread(result, 2, "proposals", part) for part in ("recall", "purity"))
        proposed = _spread(result, 1, "proposals", "proposed")
        kept = _spread(result, 2, "known_kept")
        rows.append([*_what(result), proposed, precision, recall, purity, left_over, kept])
    head = ("data", "preset", "seeds", "proposals", "precision", "recall", "purity", "noise left over")
    return (*head, "known kept"), rows


def _made(results: dict[str, Figures]) -> tuple[Sequence[str], list[list[str]]]:
    """One row for the files that were made alike."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for name, result in results.items():
        if "times" in result:
            continue  # Of starts, each time bears its commit.
        run = result["runs"][0] if "runs" in result else result["run"]
        made = tuple(str(run.get(part) or "not noted") for part in ("commit", "threads", "dtype"))
        alike.setdefault(made, []).append(name)
    rows = [[*made, ", ".join(names)] for made, names in alike.items()]
    return ("commit", "threads", "data type", "files"), rows


#: What a page may ask for: the heads and the rows of a table.
TABLES: dict[str, Callable[[dict[str, Figures]], tuple[Sequence[str], list[list[str]]]]] = {
    "proposals": _proposals,
    "names": _names,
    "clusters": _clusters,
    "number": _number,
    "bots": _bots,
    "suite": _suite,
    "at_work": _at_work,
    "memory": _memory,
    "speed": _speed,
    "growth": _growth,
    "noise": _noise,
    "made": _made,
    "paper": paper_table.main_results,
    "predicted": paper_table.predicted_numbers,
    "known_ratio": paper_table.by_known_ratio,
    "k_start": paper_table.by_k_start,
}


def _runs(results: dict[str, Figures], clusters: str, noise: bool | None = None) -> list[Figures]:
    """The results of `benchmarks.discovery` with that number of clusters, with noise or without, or both.

    Those of preset `paper`, of published methods and of other shares of known intents are left out:
    `paper_table` has tables of them.
    """
    found = [result for result in results.values() if "settings" in result]
    return [
        result
        for result in found
        if result["settings"]["clusters"] == clusters
        and noise in (None, bool(result["settings"]["noise"]))
        and result["settings"]["preset"] in _IN_TABLES
        and result["settings"].get("known_ratio", paper_table.KNOWN) == paper_table.KNOWN
    ]


def _what(result: Figures) -> list[str]:
    """The data, the preset and the seeds of a result."""
    seeds = " ".join(str(run["seed"]) for run in result["runs"])
    return [_TITLES[result["settings"]["data"]], result["settings"]["preset"], seeds]


def _scores(result: Figures, protocol: str) -> list[str]:
    return [_spread(result, 1, protocol, score) for score in ("nmi", "ari", "acc", "known_acc", "novel_acc")]


def _spread(result: Figures, digits: int, *path: str) -> str:
    """Mean and, of more than one run, standard deviation in brackets: `0.47 (0.05)`."""
    mean, spread = (_at(result[part], path) for part in ("mean", "std"))
    return f"{mean:.{digits}f} ({spread:.{digits}f})" if len(result["runs"]) > 1 else f"{mean:.{digits}f}"


def _percent(result: Figures, *path: str) -> str:
    mean, spread = (_at(result[part], path) for part in ("mean", "std"))
    return f"{mean:.0%} ({100 * spread:.0f})" if len(result["runs"]) > 1 else f"{mean:.0%}"


def _at(figures: Figures, path: Sequence[str]) -> float:
    found: Any = figures
    for part in path:
        found = found[part]
    return float(found)


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def main(argv: list[str] | None = None) -> int:
    """Runs the program; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tables", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the page, do not print it")
    arguments = parser.parse_args(argv)
    page = with_tables(PAGE.read_text(encoding="utf-8"), read_results(RESULTS))
    if arguments.write:
        PAGE.write_text(page, encoding="utf-8")
    else:
        sys.stdout.write(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
