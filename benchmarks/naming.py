"""Measures the naming by itself: how often the name of a group fits where the group is a true one.

    python -m benchmarks.naming --data-dir DIR --seeds 10 11 12 13 14

DIR holds train.tsv. Half of its intents are known, so that their names are taken. Of each other one so many
messages are named, of which 15 % are strangers; once by their words alone, and once as a run does it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

os.environ.setdefault("USE_TF", "0")

import numpy as np

from benchmarks.datasets import read_rows
from benchmarks.names import embed_texts, name_scores
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import UNLABELED, Corpus
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.loading import load_encoder
from rasa_intent_discovery.proposals.naming import name_intent
from rasa_intent_discovery.proposals.words import WordStatistics

_KNOWN = 0.5
_STRANGERS = 0.15


def measure(folder: Path, seeds: Sequence[int], messages: int) -> dict[str, dict[str, float]]:
    """Means over the seeds of what `name_scores` says.

    Args:
        messages: of each group, at most.
    """
    truth = dict(read_rows(folder / "train.tsv"))
    texts, intents = tuple(truth), np.array(list(truth.values()))
    n = len(texts)
    counts, spellings = np.ones(n, dtype=np.int64), tuple(((text, 1),) for text in texts)
    statistics = WordStatistics(Corpus(texts, np.full(n, UNLABELED), counts, spellings, ()))
    encoder = load_encoder(DiscoveryConfig(device="cpu"))
    frozen = encoder.read(texts).pretrained
    scores: dict[str, list[dict[str, float | None]]] = {"by words alone": [], "by words and meaning": []}
    for seed in seeds:
        for way, found in scores.items():
            rng = np.random.default_rng(seed)
            known = rng.choice(np.unique(intents), int(_KNOWN * len(np.unique(intents))), replace=False)
            taken, named = [str(intent) for intent in known], {}
            for intent, rows in _groups(intents, known, messages, rng):
                close = partial(_closeness, encoder, frozen[rows]) if way == "by words and meaning" else None
                name = name_intent(rows.tolist(), statistics, taken, close)
                taken.append(name)
                named[name] = intent
            found.append(name_scores(named, embed_texts))
    return {
        way: {key: round(float(np.mean([one[key] for one in found])), 3) for key in found[0]}
        for way, found in scores.items()
    }


def _closeness(encoder: Encoder, of: np.ndarray, phrases: Sequence[str]) -> np.ndarray:
    """(n,) cosines of n phrases to messages with these features."""
    found: np.ndarray = encoder.closeness([of], [phrases])[0]
    return found


def _groups(
    intents: np.ndarray, known: np.ndarray, messages: int, rng: np.random.Generator
) -> Iterator[tuple[str, np.ndarray]]:
    """Each intent that is not known, and rows of it with some of others."""
    for intent in np.setdiff1d(intents, known):
        inside = np.flatnonzero(intents == intent)
        rows = rng.choice(inside, min(messages, len(inside)), replace=False)
        strangers = int(_STRANGERS * len(rows))
        rows[len(rows) - strangers :] = rng.choice(
            np.flatnonzero(intents != intent), strangers, replace=False
        )
        yield str(intent), rows


def main(argv: list[str] | None = None) -> int:
    """Runs the program; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.naming", description=__doc__)
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--messages", type=int, default=60, help="of each group, at most")
    arguments = parser.parse_args(argv)
    scores = measure(arguments.data_dir, arguments.seeds, arguments.messages)
    sys.stdout.write(json.dumps(scores, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
