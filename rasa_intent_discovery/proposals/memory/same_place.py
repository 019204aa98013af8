"""Messages that a person said want the same, placed together where the grouping left them apart.

Only what looks new is grouped (`clustering/new_groups.py`): an answer that such a message wants the same as
one that the run placed with a known intent, or left over, does nothing there. They go to the place of the one
of which the run is surest, if it is sure of that: two messages of which it is not are no surer together.
Where a person put a message, it stays, and so does what was ignored; no other answer is broken.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from rasa_intent_discovery.clustering.links import Links
from rasa_intent_discovery.datatypes import LEFT_OVER, Array, Corpus, Placement
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.proposals.placing import NOWHERE, Place
from rasa_intent_discovery.proposals.reasons import IGNORED_BEFORE, SAME_AS_THERE


def placed_together(
    corpus: Corpus, placements: Sequence[Placement], links: Links, decided: Collection[int]
) -> dict[int, Placement]:
    """Row -> its new place, of the messages that are elsewhere than what they want the same as.

    Args:
        placements: of all rows of the corpus.
        links: what a person said of the rows.
        decided: rows that are where a person put them.
    """
    said = np.unique(links.together)
    rows = said[[placements[row].reason != IGNORED_BEFORE for row in said.tolist()]]
    place = {row: _place(corpus, placements[row]) for row in {*rows.tolist(), *links.apart.ravel().tolist()}}
    fixed = _fixed(corpus, rows, place, links, decided)

    def sureness(row: int) -> tuple[bool, bool, float]:
        return row in fixed, place[row][0] != LEFT_OVER, placements[row].confidence

    moved: dict[int, Placement] = {}
    for wish in _wishes(rows, links):
        surest = max(wish, key=sureness)
        if surest not in fixed and placements[surest].confidence <= PROPOSALS.unsure_of_place:
            continue
        for row in wish:
            there = place[surest]
            if row not in fixed and place[row] != there and not _held_apart(row, there, place, links):
                place[row] = there
                moved[row] = Placement(*there, placements[surest].confidence, SAME_AS_THERE)
    return moved


def _fixed(
    corpus: Corpus, rows: Array, place: Mapping[int, Place], links: Links, decided: Collection[int]
) -> frozenset[int]:
    """Rows that stay: examples, what is with an example by an answer, and what a person put there."""
    pairs = links.together[np.isin(links.together, rows).all(1)].tolist()
    both = [*pairs, *(pair[::-1] for pair in pairs)]
    told = {one for one, other in both if corpus.labeled[other] and place[one] == place[other]}
    return frozenset({row for row in rows.tolist() if corpus.labeled[row]} | told).union(decided)


def _wishes(rows: Array, links: Links) -> Iterator[list[int]]:
    """The rows that want the same, where no answer contradicts that."""
    if len(rows):
        wishes = links.among(rows).united(np.arange(len(rows)))
        for wish in range(int(wishes.max()) + 1):
            yield rows[wishes == wish].tolist()


def _held_apart(row: int, there: Place, place: Mapping[int, Place], links: Links) -> bool:
    """Whether a row wants something else than one that is there, as a person said."""
    others = [*links.apart[links.apart[:, 0] == row, 1].tolist()]
    others += links.apart[links.apart[:, 1] == row, 0].tolist()
    return any(place[other] == there for other in others)


def _place(corpus: Corpus, placement: Placement) -> Place:
    """Where a row is; an example of an intent that rejects messages is nowhere."""
    return NOWHERE if placement.intent in corpus.rejecting else (placement.placement, placement.intent)
