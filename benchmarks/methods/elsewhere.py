"""Runs `clusterers.py` by a Python of another environment: its libraries do not go with Rasa's pins."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.methods.log import Log
from benchmarks.provenance import ROOT

#: The Python of the environment that `make bench-env` makes.
BENCH_PYTHON = ROOT / ".venv-bench" / "bin" / "python"
CLUSTERERS = Path(__file__).with_name("clusterers.py")


def clusters_of(name: str, log: Log, python: Path) -> np.ndarray:
    """(m,) int64: the clusters that `name` of `clusterers.py` makes of a log, below 0 for a row in none.

    Raises:
        SystemExit: there is no such Python.
        RuntimeError: it fails; what it wrote last stands in the message.
    """
    if not python.is_file():
        raise SystemExit(f"{python}: there is no Python for {name}; `make bench-env` installs one")
    with tempfile.TemporaryDirectory() as folder:
        given, found = Path(folder) / "log.npz", Path(folder) / "clusters.npy"
        np.savez(given, vectors=log.vectors, texts=np.array(log.texts), least=log.least, seed=log.seed)
        # Isolated (-I): the folder of the script has modules of the same names as the libraries.
        command = [str(python), "-I", str(CLUSTERERS), name, str(given), str(found)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{name} failed:\n{done.stderr[-2000:]}")
        clusters: np.ndarray = np.load(found).astype(np.int64)
    return clusters
