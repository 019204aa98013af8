"""BERTopic (Grootendorst, 2022) as it comes, on the same vectors."""

from __future__ import annotations

from pathlib import Path

from benchmarks.methods.elsewhere import clusters_of
from benchmarks.methods.log import Answer, Log, told_by_examples


def bertopic(log: Log, python: Path) -> Answer:
    """Its topics of logged messages and examples together; its outliers are left over.

    All its settings are its own (UMAP to five dimensions, HDBSCAN with ten rows or more in a topic), but
    UMAP is given the seed.
    """
    return told_by_examples(clusters_of("bertopic", log, python), log)
