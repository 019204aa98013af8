"""What the tables of RESULTS.md have in common: names of data sets, and numbers as they are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean, pstdev
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


# What floating point may take from a half, which is rounded up: the mean of 0.12 and 0.13 is 0.125, or less.
_TINY = 1e-9


def two_digits(value: float | None) -> str:
    """A figure with two digits; a dash for none."""
    return "-" if value is None else f"{value + _TINY:.2f}"


def over_bots(runs: Sequence[Figures], figure: Callable[[Figures], float | None]) -> float | None:
    """The mean over the bots of their means over seeds, of the runs that have the figure; None if none has.

    It is made of the runs: the means in a file are rounded, and would be rounded twice.
    """
    of_bots: dict[str, list[float]] = {}
    for run in runs:
        if (value := figure(run)) is not None:
            of_bots.setdefault(run["bot"], []).append(value)
    return fmean(fmean(values) for values in of_bots.values()) if of_bots else None


def spread(result: Figures, digits: int, *path: str) -> str:
    """Mean and, of more than one run, standard deviation in brackets: `0.47 (0.05)`."""
    mean, deviation = _spread(result["runs"], path)
    told = f"{mean + _TINY:.{digits}f}"
    return f"{told} ({deviation + _TINY:.{digits}f})" if len(result["runs"]) > 1 else told


def percent(result: Figures, *path: str) -> str:
    """As `spread`, of a share 0..1 in percent: `47% (5)`."""
    mean, deviation = _spread(result["runs"], path)
    told = f"{mean + _TINY:.0%}"
    return f"{told} ({100 * deviation + _TINY:.0f})" if len(result["runs"]) > 1 else told


def _spread(runs: Sequence[Figures], path: Sequence[str]) -> tuple[float, float]:
    """Mean and standard deviation of what the runs have at a place; those in the file are rounded."""
    values = [_at(run, path) for run in runs]
    return fmean(values), pstdev(values)


def _at(figures: Figures, path: Sequence[str]) -> float:
    found: Any = figures
    for part in path:
        found = found[part]
    return float(found)
