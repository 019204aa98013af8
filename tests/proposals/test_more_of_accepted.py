"""A proposal that is nearest to an accepted wish may be more of it, and that is told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rasa_intent_discovery.datatypes import Corpus, DiscoveredIntent, Placement
from rasa_intent_discovery.proposals.memory.earlier import Earlier, EarlierProposal
from rasa_intent_discovery.proposals.memory.recall import recall

TEXTS = [f"my parcel {letter}" for letter in "abcdef"]
LOG = Corpus(
    texts=(*TEXTS, "hello"),
    labels=np.full(7, -1),
    counts=np.ones(7, dtype=np.int64),
    spellings=tuple(((text.upper(), 1),) for text in (*TEXTS, "hello")),
    intents=("greet", "track_order"),
)
GROUP = DiscoveredIntent("parcel", tuple(range(6)), (0, 1), 6, 6, 0.9, 1.0, "track_order", 0.5, ())
ACCEPTED = Earlier(logged=frozenset(TEXTS[:4]), accepted=frozenset({"track_order"}))


def proposed(earlier: Earlier, group: DiscoveredIntent = GROUP) -> tuple[str, bool]:
    """What the group is called, and whether it may be more of an accepted wish."""
    placed = [*[Placement("new", "parcel", 0.9, "alike")] * 6, Placement("left_over", None, 1.0, "alone")]
    [found], placements, _ = recall(
        LOG, [group], placed, earlier, lambda name, rows: group, 1, None, lambda name, rows: False
    )
    assert [place.intent for place in placements] == [*[found.name] * 6, None]
    return found.name, found.more_of_accepted


@pytest.mark.parametrize(
    ("group", "is_more"),
    [
        (GROUP, True),
        (replace(GROUP, nearest_known="greet"), False),
        (replace(GROUP, similarity=0.4), False),
        (replace(GROUP, similarity=0.4, cohesion=0.8), True),
    ],
    ids=["near", "nearest to an intent of the bot's own", "near to nothing", "as loose as it is far"],
)
def test_a_proposal_nearest_to_an_accepted_wish_may_be_more_of_it(
    group: DiscoveredIntent, is_more: bool
) -> None:
    assert proposed(ACCEPTED, group) == ("parcel", is_more)
    assert proposed(Earlier(logged=ACCEPTED.logged), group) == ("parcel", False)


@pytest.mark.parametrize(("out", "is_more"), [(2, True), (3, False)])
def test_what_was_taken_out_of_the_accepted_wish_is_not_more_of_it(out: int, is_more: bool) -> None:
    """Of the group, the last run had four messages."""
    earlier = replace(ACCEPTED, taken_out={"track_order": frozenset(TEXTS[:out]), "greet": frozenset(TEXTS)})
    assert proposed(earlier) == ("parcel", is_more)


@pytest.mark.parametrize("edited", [False, True])
def test_it_is_told_in_every_later_run(edited: bool) -> None:
    open_one = EarlierProposal("lost_parcel", frozenset(TEXTS), 6, edited=edited)
    assert proposed(replace(ACCEPTED, proposals=(open_one,))) == ("lost_parcel", True)
