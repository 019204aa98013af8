"""Measures the naming by itself: how often the name of a group fits where the group is a true one.

    python -m benchmarks.naming --data-dir DIR --seeds 10 11 12 13 14
    python -m benchmarks.naming --data-dir DATA/robo_de --language de --encoder DATA/multilingual \
      --encoder-prompt "query: "

DIR holds train.tsv. Half of its intents are known, so that their names are taken. Of each other one so many
messages are named, of which 15 % are strangers; once by their words alone, and once as a run does it. Names
in another language are judged by translations of the English ones and by the encoder that is given.
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
from benchmarks.translated_names import translated_scores
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import UNLABELED, Corpus, normalized
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.loading import load_encoder
from rasa_intent_discovery.proposals.naming.names import name_intents
from rasa_intent_discovery.proposals.naming.words import WordStatistics

_KNOWN = 0.5
_STRANGERS = 0.15


def measure(
    folder: Path, seeds: Sequence[int], messages: int, config: DiscoveryConfig, show: bool = False
) -> dict[str, dict[str, float]]:
    """Means over the seeds of what `name_scores` says.

    Args:
        messages: of each group, at most.
        config: with the language and the encoder.
        show: whether each name is printed beside that of its intent.
    """
    truth = dict(read_rows(folder / "train.tsv"))
    texts, intents = tuple(truth), np.array(list(truth.values()))
    n = len(texts)
    counts, spellings = np.ones(n, dtype=np.int64), tuple(((text, 1),) for text in texts)
    corpus = Corpus(texts, np.full(n, UNLABELED), counts, spellings, ())
    statistics = WordStatistics(corpus, language=config.language)
    encoder = load_encoder(config)
    frozen = encoder.read(texts).pretrained
    scores: dict[str, list[dict[str, float | None]]] = {"by words alone": [], "by words and meaning": []}
    for seed in seeds:
        for way, found in scores.items():
            rng = np.random.default_rng(seed)
            known = rng.choice(np.unique(intents), int(_KNOWN * len(np.unique(intents))), replace=False)
            hidden, groups = zip(*_groups(intents, known, messages, rng), strict=True)
            of_group = np.repeat(np.arange(len(groups)), [len(rows) for rows in groups])
            words = statistics.grouped(np.concatenate(groups), of_group)
            close = None
            if way == "by words and meaning":
                close = partial(encoder.closeness, [frozen[rows] for rows in groups])
            taken = [str(intent) for intent in known]
            names = name_intents([rows.tolist() for rows in groups], words, taken, close)
            named = dict(zip(names, hidden, strict=True))
            found.append(_scores(named, config, encoder))
            if show:
                sys.stderr.writelines(f"{way}: {intent} -> {name}\n" for name, intent in named.items())
    return {
        way: {key: round(float(np.mean([one[key] for one in found])), 3) for key in found[0]}
        for way, found in scores.items()
    }


def _scores(named: dict[str, str], config: DiscoveryConfig, encoder: Encoder) -> dict[str, float | None]:
    if config.language in (None, "en"):
        return name_scores(named, embed_texts)
    return {
        **translated_scores(
            named, config.language, lambda texts: normalized(encoder.read(list(texts)).pretrained)
        )
    }


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
    parser.add_argument("--language", help="of the messages (default: English)")
    parser.add_argument("--encoder", default=DiscoveryConfig.encoder)
    parser.add_argument("--encoder-prompt")
    parser.add_argument("--show", action="store_true", help="print each name on stderr")
    arguments = parser.parse_args(argv)
    config = DiscoveryConfig(
        device="cpu",
        language=arguments.language,
        encoder=arguments.encoder,
        encoder_prompt=arguments.encoder_prompt,
    )
    scores = measure(arguments.data_dir, arguments.seeds, arguments.messages, config, arguments.show)
    sys.stdout.write(json.dumps(scores, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
