"""Draws the paper's two curves from the raw figures: accuracy by share of known intents, and by K'.

    python -m benchmarks.plot_curves --results benchmarks/results --out curves.svg

A curve has at least two points, files of `benchmarks.discovery` that differ in one option alone:
`--known-ratio` with `--clusters true`, or `--k-start-factors` with `--clusters estimated`. Settings are named
where a method has several curves. The ending of the file says whether it is SVG or PNG.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.paper_table import DATA, ROWS, points
from benchmarks.tables import RESULTS, read_results

#: The setting, the number of clusters, and what stands under the axis.
CURVES = (
    ("known_ratio", "true", "share of the intents that are known"),
    ("k_start_factors", "estimated", "K' / true number of intents"),
)
_INCHES = (5.0, 3.6)


def drawn(results: dict[str, Any], out: Path) -> int:
    """Writes the picture: one row for each curve, one column for each data set.

    Returns:
        How many lines there are.

    Raises:
        SystemExit: no file of the results has a neighbour to draw a line to.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_INCHES[0] * len(DATA), _INCHES[1] * len(CURVES)), layout="constrained")
    axes = figure.subplots(len(CURVES), len(DATA), squeeze=False)
    lines = 0
    for row, (setting, clusters, label) in enumerate(CURVES):
        for column, (data, title) in enumerate(DATA.items()):
            axis = axes[row][column]
            axis.set(title=title, xlabel=label, ylabel="ACC, %")
            lines += _lines(axis, results, setting, clusters, data)
    if not lines:
        raise SystemExit(
            "nothing to draw: no two results differ in --known-ratio or in --k-start-factors alone; "
            "run benchmarks.discovery with several"
        )
    figure.savefig(out)
    return lines


def _lines(axis: Any, results: dict[str, Any], setting: str, clusters: str, data: str) -> int:
    drawn_lines = 0
    curves = {
        (method, made): curve
        for (of, method, made), curve in points(setting, clusters, results).items()
        if of == data and len(curve) > 1
    }
    made_of = Counter(method for method, _ in curves)
    for (method, made), curve in curves.items():
        row, values = ROWS[method], sorted(curve)
        mean, spread = (
            [curve[value][part][row.protocol]["acc"] for value in values] for part in ("mean", "std")
        )
        label = row.title if made_of[method] == 1 else f"{row.title}, {made}"
        axis.errorbar(values, mean, spread, marker="o", capsize=2, label=label)
        drawn_lines += 1
    if drawn_lines:
        axis.legend(fontsize="small")
    return drawn_lines


def main(argv: list[str] | None = None) -> int:
    """Runs the program; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.plot_curves", description=__doc__)
    parser.add_argument("--results", type=Path, default=RESULTS, help="a folder of files of results")
    parser.add_argument("--out", type=Path, required=True, help="*.svg or *.png")
    arguments = parser.parse_args(argv)
    print(f"{drawn(read_results(arguments.results), arguments.out)} lines in {arguments.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
