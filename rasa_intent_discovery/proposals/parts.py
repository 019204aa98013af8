"""Parts of known intents that may be wishes of their own.

What was placed in a known intent stays there. But where a coherent part of it holds none of the intent's
examples, although by chance it would, and the log is denser there than the examples are, a person should
look: an intent for what is out of scope, or for all that people ask about a product, holds many wishes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.inner_parts import parts_without_examples
from rasa_intent_discovery.clustering.novelty import Novelty
from rasa_intent_discovery.clustering.stability import sample
from rasa_intent_discovery.datatypes import (
    KNOWN,
    UNLABELED,
    Array,
    Corpus,
    Placement,
    Points,
    Progress,
)
from rasa_intent_discovery.proposals.memory.earlier import Earlier
from rasa_intent_discovery.proposals.memory.ignored import is_ignored
from rasa_intent_discovery.proposals.naming.names import ClosenessToRows, name_intents
from rasa_intent_discovery.proposals.naming.words import WordStatistics
from rasa_intent_discovery.proposals.numbers import PARTS
from rasa_intent_discovery.proposals.reasons import NEAR_REJECTED, inside
from rasa_intent_discovery.training_data.intent_names import names_of_bot


@dataclass(frozen=True)
class KnownPart:
    """Messages that were placed in a known intent, and may be a wish of their own.

    Attributes:
        intent: the known intent, or one whose messages are left over.
        name: for the proposal that it may become; nothing has it.
        members: rows of the corpus, most typical first.
        messages: number of logged messages of its members.
        novelty: how much denser the log is around them than the examples are, in parts of what is typical of
            messages that are new; drawn towards 0 where they are few.
    """

    intent: str
    name: str
    members: tuple[int, ...]
    messages: int
    novelty: float

    @property
    def says(self) -> str:
        """What it may be, as a sentence."""
        return inside(self.intent, self.messages)


def known_parts(
    corpus: Corpus,
    points: Points,
    novelty: Novelty,
    placements: Sequence[Placement],
    statistics: WordStatistics,
    least_messages: int,
    taken: Sequence[str],
    closeness: ClosenessToRows | None,
    earlier: Earlier,
    seed: int,
    progress: Progress,
) -> tuple[KnownPart, ...]:
    """The parts, those of most messages that are clearly new first; at most `PARTS.most_parts`.

    Args:
        points: the rows of the corpus that have features; these of length 1.
        novelty: of the points.
        placements: of all rows of the corpus; they stay as they are.
        least_messages: fewest of a part.
        taken: names that none may have beside those of the known intents.
        closeness: how close phrases are to points: for the names.
        earlier: what a person ignored is not listed again.
    """
    found: list[tuple[str, Array, float]] = []
    placed = _placed_in(corpus, points, placements)
    for intent, logged in progress(placed.items(), "looking inside known intents", len(placed)):
        examples = np.flatnonzero(points.labels == corpus.intents.index(intent))
        for members in _parts(points, logged, examples, seed):
            rows = points.rows[members]
            strength = _strength(novelty, members)
            if (
                corpus.counts[rows].sum() >= least_messages
                and strength >= PARTS.least_novelty
                and not is_ignored(corpus, rows.tolist(), earlier, least_messages)
            ):
                found.append((intent, members, strength))
    found.sort(key=lambda one: -one[2] * int(corpus.counts[points.rows[one[1]]].sum()))
    names = [*names_of_bot(corpus.intents), *taken]
    listed = found[: PARTS.most_parts]
    rows_of = [points.rows[members].tolist() for _, members, _ in listed]
    close = closeness and partial(closeness, [members for _, members, _ in listed])
    named = name_intents(rows_of, statistics, names, close)
    return tuple(
        KnownPart(intent, name, tuple(rows), int(corpus.counts[rows].sum()), strength)
        for (intent, _, strength), rows, name in zip(listed, rows_of, named, strict=True)
    )


def _placed_in(corpus: Corpus, points: Points, placements: Sequence[Placement]) -> dict[str, Array]:
    """Known intent -> the logged points that were placed in it, or are left over for being closest to it."""
    rejecting = {f"{NEAR_REJECTED} {intent}": intent for intent in corpus.intents}
    inside: dict[str, list[int]] = {}
    for index in np.flatnonzero(points.labels == UNLABELED).tolist():
        place = placements[points.rows[index]]
        intent = place.intent if place.placement == KNOWN else rejecting.get(place.reason)
        if intent is not None:
            inside.setdefault(intent, []).append(index)
    return {intent: np.array(inside[intent]) for intent in sorted(inside)}


def _parts(points: Points, logged: Array, examples: Array, seed: int) -> Iterator[Array]:
    """The logged points of each part of an intent, most typical first."""
    rng = np.random.default_rng(seed)
    logged = logged[sample(len(logged), PARTS.most_rows, rng)]
    examples = examples[sample(len(examples), PARTS.most_rows, rng)]
    rows = np.concatenate([logged, examples])
    if len(logged) < GROUPING.fewest_rows:
        return
    unit, example = points.features[rows], np.arange(len(rows)) >= len(logged)
    for part in parts_without_examples(unit, example, PARTS.distance, PARTS.chance):
        if len(part) >= GROUPING.fewest_rows:
            center = unit[part].mean(0)
            yield rows[part[np.argsort(-(unit[part] @ center), kind="stable")]]


def _strength(novelty: Novelty, members: Array) -> float:
    """How new a part is, of the typical score, drawn towards 0: what a few rows say may be chance."""
    doubted = len(members) + PARTS.rows_in_doubt
    # Where nothing is clearly new, there is no typical score: it would be at least this one.
    return float(novelty.score[members].sum()) / doubted / max(novelty.typical, GROUPING.least_novelty)
