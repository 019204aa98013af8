"""Rows -> groups, from the bottom: pieces, merged where they are likely one intent. Arrays only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.known_intents import KnownIntents
from rasa_intent_discovery.clustering.linkage import UNGROUPED, average_linkage, cut_pieces
from rasa_intent_discovery.clustering.links import Links
from rasa_intent_discovery.clustering.same_intent import Merged, Pieces, SameIntent, linked_rows
from rasa_intent_discovery.clustering.stability import sample
from rasa_intent_discovery.datatypes import Array


@dataclass(frozen=True, eq=False)
class Grouping:
    """Groups of n rows, and how they came about.

    Attributes:
        groups: (n,) int64, `UNGROUPED` where too few belong together.
        pieces: (n,) int64, what the groups were merged from; merged: how.
        unanswered: (n,) int64, from 0, what would be together had a person said nothing, small or large.
        linked: (n, c) int64, as `linked_rows`, what the pieces were merged by.
    """

    groups: Array
    pieces: Array
    merged: Merged
    unanswered: Array
    linked: Array

    @property
    def k(self) -> int:
        """How many groups there are."""
        return int(self.groups.max(initial=UNGROUPED)) + 1


def group_rows(
    unit: Array,
    untrained: Array,
    width: float,
    same: SameIntent,
    clusters: Array | None = None,
    links: Links | None = None,
    fewest: int = 0,
) -> Grouping:
    """Groups rows. Where too few large groups come of it, it is cut finer, and merged less readily.

    Where few intents are known, and these are far apart, everything between them looks like one. How finely
    is decided before what a person said is heeded, so that it moves only what it was said of.

    Args:
        unit: (n, d) float32, rows of length 1; pieces are made in it.
        untrained: (n, h) float32, their untrained view, in which the pieces are compared.
        width: average cosine distance up to which rows are one piece.
        clusters: (n,) int64, from 0, or None where there are none yet.
        links: of the n rows; None where nothing was said.
        fewest: large groups that there are to be, where that can be.
    """
    n, links = len(unit), links or Links.none()
    if n < GROUPING.fewest_rows:
        each = np.arange(n)
        return Grouping(
            np.full(n, UNGROUPED), each, Merged.nothing(n), each, np.zeros((n, 0), dtype=np.int64)
        )
    tree, linked = average_linkage(unit), linked_rows(untrained, same.taught)
    pieces_of = partial(Pieces.of, untrained, clusters=clusters, linked=linked)
    tried: list[tuple[int, Array, Merged, float]] = []
    for share in GROUPING.widths_tried:
        pieces = cut_pieces(tree, share * width)
        merged, surer = _merged(pieces_of, pieces, same, fewest)
        tried.append((_large(merged, pieces), pieces, merged, surer))
        if tried[-1][0] >= fewest:
            break
    _, pieces, merged, surer = max(tried, key=lambda one: one[0])
    unanswered = merged.parts[pieces]
    if len(links.together) or len(links.apart):
        # Only now: two that a person put together are one group less, and nothing else is cut finer for it.
        pieces = links.united(links.parted(unit, pieces))
        merged = same.merged(pieces_of(pieces), links.held_apart(pieces), surer)
    groups = merged.parts[pieces]
    large = np.flatnonzero(np.bincount(groups) >= GROUPING.fewest_rows)
    number = np.full(int(groups.max()) + 1, UNGROUPED)
    number[large] = np.arange(len(large))
    return Grouping(number[groups], pieces, merged, unanswered, linked)


def _merged(
    pieces_of: Callable[[Array], Pieces], pieces: Array, same: SameIntent, fewest: int
) -> tuple[Merged, float]:
    """What becomes of the pieces, and from which likelihood on large ones were merged (0: from any).

    The most doubtful merges of large ones are not made, as `fewest` asks.

    Args:
        pieces_of: what tells of them; it is used up by merging.
    """
    merged = same.merged(pieces_of(pieces))
    missing = fewest - _large(merged, pieces)
    of_large = merged.rows >= GROUPING.large_rows
    doubtful = np.sort(merged.likely[of_large])[: max(0, missing)]
    if not len(doubtful):
        return merged, 0.0
    surer = float(doubtful[-1])
    return same.merged(pieces_of(pieces), surer=surer), surer


def _large(merged: Merged, pieces: Array) -> int:
    """How many groups are large."""
    return int((np.bincount(merged.parts[pieces]) >= GROUPING.large_rows).sum())


def learnt_same_intent(
    untrained: Array, labels: Array, known: KnownIntents, flagged: Array, rng: np.random.Generator
) -> SameIntent:
    """What the examples and the messages that known intents explain teach of being one intent.

    Args:
        untrained: (n, h) float32, of length 1; labels: (n,) int64, or `UNLABELED`.
        flagged: (n,) bool, the rows that look new: they teach nothing, but are neighbours.
    """
    rows = np.flatnonzero(~flagged)
    rows = rows[sample(len(rows), GROUPING.most_taught_rows, rng)]
    if len(rows) < GROUPING.fewest_rows:
        return SameIntent(None)
    unit, intents = untrained[rows], known.intents[rows]
    pieces = cut_pieces(average_linkage(unit), GROUPING.piece_untrained)
    held = np.zeros((int(pieces.max()) + 1, int(labels.max()) + 1))
    np.add.at(held, (pieces, intents), 1)
    clear = held.max(1) > GROUPING.clear_share * held.sum(1)
    looking_new = np.flatnonzero(flagged)
    looking_new = looking_new[sample(len(looking_new), GROUPING.most_grouped_rows, rng)]
    linked = linked_rows(unit, untrained[looking_new])
    intents_of = np.where(clear, held.argmax(1), UNGROUPED)
    return SameIntent.learnt(Pieces.of(unit, pieces, linked=linked), intents_of, rng, unit)
