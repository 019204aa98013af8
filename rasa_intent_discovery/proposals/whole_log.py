"""Proposals found in a sample of a log that is too large to learn from all of it -> those of the whole log.

What takes time that grows faster than the log sees the sample alone. Of every other message nothing is kept
but its place.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from rasa_intent_discovery.datatypes import (
    LEFT_OVER,
    NEW,
    Array,
    Corpus,
    DiscoveredIntent,
    Placement,
    Points,
)
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.proposals.placing import PlacedBlock, Placer
from rasa_intent_discovery.proposals.reasons import RARE


@dataclass(frozen=True, eq=False)
class WholeLog:
    """What a run found, of all messages of a log.

    Attributes:
        intents: the proposals; their examples are of the sample.
        placements: of all rows of the corpus.
        stands_for: (n,) int64, the logged messages that a row of the sample stands for: its own, and those of
            the rows that were placed like it; of these 0.
        far: (f,) int64, rows that are far from all that was learnt.
    """

    intents: tuple[DiscoveredIntent, ...]
    placements: tuple[Placement, ...]
    stands_for: Array
    far: Array = field(default_factory=lambda: np.zeros(0, dtype=np.int64))


def least_messages(corpus: Corpus, learnt: Array, others: Array, least: int) -> float:
    """How many messages of a sample a proposal needs that is to have at least so many in the log.

    The sample has nearly all messages that were logged often: by these alone its share would be too high.

    Args:
        learnt: the rows of the sample; messages that equal an example of the bot are not counted, as no
            proposal has any of them.
        others: all other rows.
    """
    if not len(others):
        return least
    counts = np.where(corpus.labeled, 0, corpus.counts)
    of_messages = counts[learnt].sum() / max(counts[learnt].sum() + counts[others].sum(), 1)
    logged = np.count_nonzero(~corpus.labeled[learnt])
    share = min(of_messages, logged / (logged + len(others)))
    return float(max(share * least, min(least, PROPOSALS.evident_messages)))


def whole_log(
    corpus: Corpus,
    intents: Sequence[DiscoveredIntent],
    placements: Sequence[Placement],
    points: Points,
    placer: Placer,
    blocks: Iterable[tuple[Array, PlacedBlock]],
    least: int,
) -> WholeLog:
    """The proposals and placements of a sample, with those of all other messages.

    Args:
        intents: found in the sample; placements: of all rows, of those of the sample they count.
        points: the rows of the sample.
        blocks: of every other message.
        least: a proposal with fewer messages is none.
    """
    placed, stands_for, far = list(placements), corpus.counts.copy(), [np.zeros(0, dtype=np.int64)]
    place_of = np.zeros(len(corpus.texts), dtype=np.int64)
    closeness = np.zeros(len(corpus.texts), dtype=np.float32)
    place_of[points.rows] = np.where(corpus.labeled[points.rows], 0, placer.of_points)
    closeness[points.rows] = (points.normalized().features * placer.centers[placer.of_points]).sum(1)
    for rows, block in blocks:
        place_of[rows], closeness[rows] = block.place, block.closeness
        like = block.like >= 0
        far.append(rows[~like])
        stands_for[rows[like]] = 0
        np.add.at(stands_for, points.rows[block.like[like]], corpus.counts[rows[like]])
        for row, placement in zip(rows.tolist(), placer.placements(block), strict=True):
            placed[row] = placement
    found = []
    for intent in intents:
        members = np.flatnonzero(place_of == placer.places.index((NEW, intent.name)))
        members = members[np.argsort(-closeness[members], kind="stable")]
        messages = int(corpus.counts[members].sum())
        if messages < least:
            for row in members.tolist():
                placed[row] = Placement(LEFT_OVER, None, placed[row].confidence, RARE)
            continue
        found.append(
            dataclasses.replace(
                intent,
                members=tuple(members.tolist()),
                messages=messages,
                distinct=len(members),
                cohesion=float(closeness[members].mean()),
            )
        )
    found.sort(key=lambda intent: (-intent.messages, intent.name))
    return WholeLog(tuple(found), tuple(placed), stands_for, np.concatenate(far))
