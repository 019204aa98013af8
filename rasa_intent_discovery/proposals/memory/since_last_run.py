"""What was logged since the last run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rasa_intent_discovery.datatypes import KNOWN, NEW, Came, Corpus, Placement
from rasa_intent_discovery.proposals.memory.earlier import Earlier
from rasa_intent_discovery.proposals.memory.log_keys import keys_of


def nothing_was_logged(corpus: Corpus, earlier: Earlier) -> bool:
    """Whether the last run had all messages of this one."""
    return all(keys_of(corpus, row) <= earlier.logged for row in np.flatnonzero(corpus.counts))


def came_into(corpus: Corpus, placements: Sequence[Placement], earlier: Earlier) -> Came:
    """What came since the last run; where nothing was logged since, what had come then is among it.

    Args:
        placements: of all rows of the corpus, as `recall` returns them.
        earlier: where it has no messages of the last run, nothing can be told.
    """
    if not earlier.logged:
        return Came()
    before = {place: earlier.logged for place in earlier.placed.values() if place[0] == KNOWN}
    before.update({(NEW, one.name): one.texts for one in earlier.proposals})
    had = earlier.logged
    if before and earlier.came and nothing_was_logged(corpus, earlier):
        before = {place: texts - earlier.came for place, texts in before.items()}
        had -= earlier.came - earlier.moved
    places = ((one.placement, one.intent or "") for one in placements)
    there = [(row, before[place]) for row, place in enumerate(places) if place in before]
    rows = frozenset(
        row for row, texts in there if not corpus.labeled[row] and texts.isdisjoint(keys_of(corpus, row))
    )
    logged = frozenset(row for row in rows if had.isdisjoint(keys_of(corpus, row)))
    return Came(logged, rows - logged)
