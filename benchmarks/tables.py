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

from benchmarks import bot_tables, cost_tables, method_tables, paper_table
from benchmarks.table_cells import Figures, Table

RESULTS = Path(__file__).with_name("results")
PAGE = Path(__file__).with_name("RESULTS.md")

_TABLE = re.compile(r"^(<!-- table: (\w+) -->\n)\n?(?:\|.*\n)*", re.MULTILINE)


def read_results(folder: Path) -> dict[str, Figures]:
    """The files of a folder, by name without the ending."""
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}


def with_tables(text: str, results: dict[str, Figures]) -> str:
    """A page with each of its tables made of the results.

    Raises:
        KeyError: a table of the page that is none of `TABLES`.
    """
    return _TABLE.sub(lambda found: f"{found[1]}\n{_markdown(*TABLES[found[2]](results))}", text)


_MADE = ("commit", "threads", "dtype")


def made(results: dict[str, Figures]) -> Table:
    """One row for the files that were made alike; one whose runs were not stands in several, as a part."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for name, result in results.items():
        if "times" in result:
            continue  # Of starts, each time bears its commit.
        runs = result["runs"] if "runs" in result else [result["run"]]
        ways = dict.fromkeys(tuple(str(run.get(part) or "not noted") for part in _MADE) for run in runs)
        for how in ways:
            alike.setdefault(how, []).append(name if len(ways) == 1 else f"{name} (in part)")
    rows = [[*how, ", ".join(names)] for how, names in alike.items()]
    return ("commit", "threads", "data type", "files"), rows


#: What a page may ask for.
TABLES: dict[str, Callable[[dict[str, Figures]], Table]] = {
    "proposals": method_tables.proposals,
    "names": method_tables.names,
    "clusters": method_tables.clusters,
    "number": method_tables.number,
    "noise": method_tables.noise,
    "bots": bot_tables.bots,
    "suite": bot_tables.suite,
    "suite_numbers": bot_tables.suite_numbers,
    "answers": bot_tables.answers,
    "at_work": bot_tables.at_work,
    "second_runs": bot_tables.second_runs,
    "second_weeks": bot_tables.second_weeks,
    "small_logs": bot_tables.small_logs,
    "memory": cost_tables.memory,
    "speed": cost_tables.speed,
    "growth": cost_tables.growth,
    "made": made,
    "paper": paper_table.main_results,
    "predicted": paper_table.predicted_numbers,
    "known_ratio": paper_table.by_known_ratio,
    "k_start": paper_table.by_k_start,
}


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
