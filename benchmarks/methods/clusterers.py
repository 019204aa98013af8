"""The clusterings of other libraries, for the Python of an environment of their own (`make bench-env`).

    .venv-bench/bin/python -I benchmarks/methods/clusterers.py bertopic log.npz clusters.npy

Knows nothing of the other modules. Reads `vectors` ((m, d) float32), `texts` (m), `least` and `seed`, and
writes the cluster of each row, (m,) int64, -1 for a row in none.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def bertopic(log: Any) -> np.ndarray:
    """BERTopic with its own settings; UMAP's are spelt out, since it is given a seed."""
    from bertopic import BERTopic
    from umap import UMAP

    seeded = UMAP(
        n_neighbors=15,
        n_components=5,
        min_dist=0.0,
        metric="cosine",
        low_memory=False,
        random_state=int(log["seed"]),
    )
    topics, _ = BERTopic(umap_model=seeded).fit_transform(
        [str(text) for text in log["texts"]], log["vectors"]
    )
    return np.array(topics)


def hdbscan(log: Any) -> np.ndarray:
    """HDBSCAN with its own settings but the least size of a cluster."""
    from hdbscan import HDBSCAN

    found: np.ndarray = HDBSCAN(min_cluster_size=int(log["least"])).fit_predict(log["vectors"])
    return found


def main(name: str, given: str, found: str) -> int:
    """Runs one of them; returns the exit status."""
    with np.load(given) as log:
        clusters = {"bertopic": bertopic, "hdbscan": hdbscan}[name](log)
    np.save(found, clusters.astype(np.int64))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
