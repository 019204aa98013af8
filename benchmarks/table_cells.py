"""What the tables of RESULTS.md have in common: names of data sets, and numbers as they are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

#: A file of results: the output of `benchmarks.discovery`, or of `benchmarks.bot score`.
Figures = dict[str, Any]
#: The heads and the rows.
Table = tuple[Sequence[str], list[list[str]]]

#: What a data set is called, by the name of its folder.
TITLES = {
    "banking": "BANKING77",
    "clinc": "CLINC150",
    "dstc11_banking": "DSTC11",
    "example": "example bot",
    "hwu64": "HWU64",
    "robo_de": "robo.ai FAQ (German)",
}


def two_digits(value: float | None) -> str:
    """A figure with two digits; a dash for none."""
    return "-" if value is None else f"{value:.2f}"


def mean_of(figures: Sequence[Figures], name: str) -> str:
    """The mean of one figure, of those that have it; a dash if none has."""
    values = [found[name] for found in figures if found[name] is not None]
    return f"{sum(values) / len(values):.2f}" if values else "-"


def spread(result: Figures, digits: int, *path: str) -> str:
    """Mean and, of more than one run, standard deviation in brackets: `0.47 (0.05)`."""
    mean, deviation = (_at(result[part], path) for part in ("mean", "std"))
    return f"{mean:.{digits}f} ({deviation:.{digits}f})" if len(result["runs"]) > 1 else f"{mean:.{digits}f}"


def percent(result: Figures, *path: str) -> str:
    """As `spread`, of a share 0..1 in percent: `47% (5)`."""
    mean, deviation = (_at(result[part], path) for part in ("mean", "std"))
    return f"{mean:.0%} ({100 * deviation:.0f})" if len(result["runs"]) > 1 else f"{mean:.0%}"


def _at(figures: Figures, path: Sequence[str]) -> float:
    found: Any = figures
    for part in path:
        found = found[part]
    return float(found)
