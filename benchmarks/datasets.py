"""Labelled data sets, and the splits the papers measure on."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rasa_intent_discovery.datatypes import UNLABELED


@dataclass(frozen=True, eq=False)
class Split:
    """A data set of which some intents are known, and some of their examples labelled.

    Intents are numbers: 0..known - 1 are the known ones.

    Attributes:
        intents: names by number.
        known: how many are known.
        train, test, dev: texts; dev holds known intents only, and only tunes.
        train_intents, test_intents, dev_intents: the truth, (n,) int64.
        labels: (n,) int64, of the train texts: what the method may see, or `UNLABELED`.
    """

    intents: tuple[str, ...]
    known: int
    train: tuple[str, ...]
    train_intents: np.ndarray
    labels: np.ndarray
    test: tuple[str, ...]
    test_intents: np.ndarray
    dev: tuple[str, ...]
    dev_intents: np.ndarray


def read_rows(path: Path) -> list[tuple[str, str]]:
    """The rows of a `text<TAB>label` file with a header line; white space in a text is collapsed."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t")
        next(rows)
        return [(" ".join(text.split()), label) for text, label in rows]


def load_split(folder: Path, known_ratio: float, labeled_ratio: float, seed: int) -> Split:
    """Splits as the paper does: `round(known_ratio x intents)` known intents chosen by the seed, of each the
    same share of its training rows labelled, everything else unlabelled."""
    train, test = read_rows(folder / "train.tsv"), read_rows(folder / "test.tsv")
    dev = read_rows(folder / "dev.tsv") if (folder / "dev.tsv").exists() else []
    rng = np.random.RandomState(seed)
    names = sorted({label for _, label in train})
    known = sorted(rng.choice(names, round(known_ratio * len(names)), replace=False).tolist())
    ordered = (*known, *(name for name in names if name not in set(known)))
    number = {name: index for index, name in enumerate(ordered)}
    train_intents = np.array([number[label] for _, label in train])
    labels = np.full(len(train), UNLABELED)
    for intent in range(len(known)):
        rows = np.flatnonzero(train_intents == intent)
        chosen = rng.choice(rows, max(1, round(labeled_ratio * len(rows))), replace=False)
        labels[chosen] = intent
    test = [row for row in test if row[1] in number]
    dev = [row for row in dev if row[1] in set(known)]
    return Split(
        ordered,
        len(known),
        tuple(text for text, _ in train),
        train_intents,
        labels,
        tuple(text for text, _ in test),
        np.array([number[label] for _, label in test]),
        tuple(text for text, _ in dev),
        np.array([number[label] for _, label in dev], dtype=np.int64),
    )
