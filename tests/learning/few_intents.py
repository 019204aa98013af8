"""A small corpus of five intents that their first words tell apart, and quick settings to learn it by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import UNLABELED
from rasa_intent_discovery.learning.cache_folder import CacheFolder

KNOWN = ["open", "hello", "invoice"]


def few_intents(each: int, examples: int, lengths: int) -> tuple[list[str], np.ndarray]:
    """Texts and their labels.

    Args:
        each: texts of each intent; examples: so many of each known intent are labelled.
        lengths: how many different lengths the texts have.
    """
    words = (*KNOWN, "password", "bye")
    texts = [f"{word} the {'my ' * (number % lengths)}{number}" for word in words for number in range(each)]
    labels = [
        words.index(word) if number < examples and word in KNOWN else UNLABELED
        for word in words
        for number in range(each)
    ]
    return texts, np.array(labels)


def quick_settings(batch: int, steps: int, rate: float) -> dict[str, dict[str, Any]]:
    """Of each preset: every stage, with and without labels in the batches, an early stop, a plain k-means."""
    default = {"batch_size": batch, "epoch_steps": steps, "pretrain_epochs": 3, "aligned_epochs": 2}
    paper = {
        **{"batch_size": batch, "pretrain_epochs": 4, "pretrain_patience": 1},
        **{"aligned_epochs": 3, "aligned_patience": 2, "learning_rate": rate},
    }
    return {"default": default, "paper": paper, "fast": {}}


def quick_config(
    folder: str, preset: str, settings: dict[str, dict[str, Any]], more: dict[str, Any]
) -> DiscoveryConfig:
    """One of `quick_settings`, for the encoder in a folder, with further ones."""
    given = {"preset": preset, "encoder": folder, "device": "cpu", **settings[preset], **more}
    return DiscoveryConfig.from_mapping(given)


class Interrupted(Exception):
    """The run is over."""


class InterruptedFolder(CacheFolder):
    """Has the run end directly after so many files were written."""

    def __init__(self, path: Path, files: int) -> None:
        super().__init__(path, 10.0)
        self.left = files

    def write(self, part: str, name: str, content: bytes) -> None:
        super().write(part, name, content)
        self.left -= 1
        if self.left == 0:
            raise Interrupted(name)
