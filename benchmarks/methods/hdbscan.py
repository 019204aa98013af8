"""HDBSCAN (Campello et al., 2013) on the vectors as they are."""

from __future__ import annotations

from pathlib import Path

from benchmarks.methods.elsewhere import clusters_of
from benchmarks.methods.log import Answer, Log, told_by_examples


def hdbscan(log: Log, python: Path) -> Answer:
    """Its clusters of logged messages and examples together, in all dimensions; its noise is left over.

    A cluster has `log.least` rows or more; all other settings are its own. BERTopic has it after UMAP.
    """
    return told_by_examples(clusters_of("hdbscan", log, python), log)
