"""A folder of drafts with the vectors of its messages, in three directions: money, bills, and all else."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from desk_folder import write_folder

from rasa_intent_discovery.drafts.folder import VECTORS
from rasa_intent_discovery.drafts.vectors import vectors_file

TEXTS: Mapping[str, tuple[float, float, float]] = {
    "where is my money": (1.0, 0.0, 0.0),
    "money back please": (0.9, 0.1, 0.0),
    "i want it back": (0.8, 0.0, 0.2),
    "refund now": (1.0, 0.05, 0.0),
    "a bill please": (0.0, 1.0, 0.0),
    "send the invoice": (0.1, 0.9, 0.0),
    "do i need a visa": (0.0, 0.3, 0.8),
    "hey there": (0.0, 0.0, 1.0),
    "good day": (0.1, 0.0, 1.0),
    "lol": (0.7, 0.0, 0.3),
    "my bill [is](late)": (0.2, 0.9, 0.1),
    "hello": (0.0, 0.1, 1.0),
}
#: What is left over -> what it is nearest to.
NEAR_LEFT = {"lol": "new/refund.yml", "my bill [is](late)": "new/invoice.yml"}


def write_near_folder(
    folder: Path, texts: Mapping[str, tuple[float, float, float]] = TEXTS, encoder: str = "tiny"
) -> Path:
    """Writes it and returns it."""
    write_folder(folder, run={"settings": {"encoder": encoder, "max_tokens": 64}})
    content = vectors_file([*texts], np.array([*texts.values()], dtype=np.float32))
    assert content is not None
    (folder / VECTORS).write_bytes(content)
    return folder
