"""What the proposals of a run on a split are worth: its training messages as a bot's examples and its log."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.datasets import NO_INTENT, Split
from benchmarks.scores import Placed, placement_scores
from rasa_intent_discovery.backtest import majority
from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW, UNLABELED, Corpus
from rasa_intent_discovery.result import Discovery


def proposal_figures(split: Split, discovery: Discovery, least: int) -> dict[str, Any]:
    """How good the proposals are, and what they are called.

    Args:
        least: as of `placement_scores`.
    """
    scores = placement_scores(_placed(split, discovery), least)
    return {**scores, "names": _names(split, discovery)}


def corpus_of(split: Split) -> Corpus:
    """The training texts as a bot's examples and its log, in which every message stands once."""
    logged = split.labels == UNLABELED
    return Corpus(
        texts=split.train,
        labels=split.labels,
        counts=logged.astype(np.int64),
        spellings=tuple(((text, 1),) if new else () for text, new in zip(split.train, logged, strict=True)),
        intents=split.intents[: split.known],
    )


def _truth(split: Split, row: int) -> tuple[str, str | None]:
    intent = int(split.train_intents[row])
    if intent == NO_INTENT:
        return LEFT_OVER, None
    return (KNOWN if intent < split.known else NEW), split.intents[intent]


def _placed(split: Split, discovery: Discovery) -> list[Placed]:
    return [
        Placed(*_truth(split, row), discovery.placements[row].placement, discovery.placements[row].intent)
        for row in np.flatnonzero(split.labels == UNLABELED)
    ]


def _names(split: Split, discovery: Discovery) -> dict[str, str | None]:
    """The name of each proposal, and of the hidden intent most of its messages have."""
    found: dict[str, str | None] = {}
    for intent in discovery.intents:
        truths = [_truth(split, row) for row in intent.members]
        found[intent.name] = majority([name if placement == NEW else None for placement, name in truths])
    return found
