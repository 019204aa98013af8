"""Labelled data sets, and the splits the papers measure on."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rasa_intent_discovery.datatypes import UNLABELED

#: The truth of a row that belongs to no intent.
NO_INTENT = -1


@dataclass(frozen=True)
class Sampling:
    """Which part of a data set is known, labelled and logged.

    Attributes:
        known_ratio: share of the intents that are known.
        labeled_ratio: share of their training rows that is labelled.
        examples_per_intent: that many of them instead.
        long_tail: the unlabelled rows of the intents fall geometrically, the largest are this many times the
            smallest; None leaves the sizes as they are.
        noise: a file whose lines join the unlabelled rows and belong to no intent.
    """

    known_ratio: float = 0.75
    labeled_ratio: float = 0.1
    examples_per_intent: int | None = None
    long_tail: float | None = None
    noise: Path | None = None


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


def load_split(folder: Path, sampling: Sampling, seed: int) -> Split:
    """Splits as the paper does: `round(known_ratio x intents)` known intents chosen by the seed, of each the
    same share of its training rows labelled, everything else unlabelled.
    """
    train, test = read_rows(folder / "train.tsv"), read_rows(folder / "test.tsv")
    dev = read_rows(folder / "dev.tsv") if (folder / "dev.tsv").exists() else []
    rng = np.random.RandomState(seed)
    names = sorted({label for _, label in train})
    known = sorted(rng.choice(names, round(sampling.known_ratio * len(names)), replace=False).tolist())
    ordered = (*known, *(name for name in names if name not in set(known)))
    number = {name: index for index, name in enumerate(ordered)}
    train_intents = np.array([number[label] for _, label in train])
    labels = _labels(train_intents, len(known), sampling, rng)
    texts = [text for text, _ in train]
    if sampling.long_tail is not None:
        kept = _long_tail(train_intents, labels, sampling.long_tail, rng)
        texts = [texts[row] for row in kept]
        train_intents, labels = train_intents[kept], labels[kept]
    if sampling.noise is not None:
        noise = [" ".join(line.split()) for line in sampling.noise.read_text(encoding="utf-8").splitlines()]
        noise = [line for line in noise if line]
        texts += noise
        train_intents = np.concatenate([train_intents, np.full(len(noise), NO_INTENT)])
        labels = np.concatenate([labels, np.full(len(noise), UNLABELED)])
    test = [row for row in test if row[1] in number]
    dev = [row for row in dev if row[1] in set(known)]
    return Split(
        ordered,
        len(known),
        tuple(texts),
        train_intents,
        labels,
        tuple(text for text, _ in test),
        np.array([number[label] for _, label in test]),
        tuple(text for text, _ in dev),
        np.array([number[label] for _, label in dev], dtype=np.int64),
    )


def _labels(intents: np.ndarray, known: int, sampling: Sampling, rng: np.random.RandomState) -> np.ndarray:
    """(n,) int64: the intents of the rows that are labelled, `UNLABELED` elsewhere."""
    labels = np.full(len(intents), UNLABELED)
    for intent in range(known):
        rows = np.flatnonzero(intents == intent)
        size = sampling.examples_per_intent or max(1, round(sampling.labeled_ratio * len(rows)))
        labels[rng.choice(rows, min(size, len(rows)), replace=False)] = intent
    return labels


def _long_tail(
    intents: np.ndarray, labels: np.ndarray, ratio: float, rng: np.random.RandomState
) -> np.ndarray:
    """The rows that are left, in their order: every labelled one, and of each intent's others as many as
    its place in a random order of the intents leaves it.
    """
    sizes = np.bincount(intents[labels == UNLABELED])
    order = rng.permutation(len(sizes))
    largest = int(sizes.max())
    kept = [np.flatnonzero(labels != UNLABELED)]
    for place, intent in enumerate(order):
        rows = np.flatnonzero((intents == intent) & (labels == UNLABELED))
        size = round(largest * ratio ** (-place / max(1, len(order) - 1)))
        kept.append(rng.choice(rows, min(size, len(rows)), replace=False))
    return np.sort(np.concatenate(kept))
