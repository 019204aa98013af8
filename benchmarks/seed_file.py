"""The file of the runs of several seeds: which are there already, and the mean over them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.protocols import OF_PROPOSALS, PROTOCOLS

#: What is told of each run, and of all.
SCORED = (*PROTOCOLS, "k_true", "k_pred", "k_by_start", *OF_PROPOSALS)


def summarize(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Mean and standard deviation over the seeds, of every score."""
    return {
        name: _over([{part: run[part] for part in SCORED} for run in runs], function)
        for name, function in (("mean", np.mean), ("std", np.std))
    }


def _over(values: list[Any], function: Callable[[list[float]], Any]) -> Any:
    """One value for the numbers that stand at the same place of every run; None where one has none."""
    if isinstance(values[0], dict):
        return {key: _over([value[key] for value in values], function) for key in values[0]}
    if any(value is None or isinstance(value, (list, str)) for value in values):
        return None
    return round(float(function(values)), 3)


def finished(path: Path, asked: dict[str, Any], made: dict[str, Any], mix: bool) -> list[dict[str, Any]]:
    """The runs an interrupted call has left behind.

    Raises:
        SystemExit: they were made with other settings, or without `mix` otherwise than `made` says.
    """
    if not path.exists():
        return []
    result = json.loads(path.read_text(encoding="utf-8"))
    if other := _differences(result["settings"], asked):
        raise SystemExit(f"{path} holds runs with other settings ({other}): give another --out")
    runs: list[dict[str, Any]] = result["runs"]
    for run in runs:
        if not mix and (other := _differences(run, made)):
            raise SystemExit(
                f"{path} holds runs that were made otherwise (seed {run['seed']}: {other}): give another "
                "--out, or --mix to have both in one file"
            )
    return runs


def _differences(there: dict[str, Any], now: dict[str, Any]) -> str:
    """What differs, by name: `threads 2 there, 1 now`; empty where nothing does."""
    different = [name for name in now if there.get(name) != now[name]]
    return "; ".join(f"{name} {there.get(name)} there, {now[name]} now" for name in different)
