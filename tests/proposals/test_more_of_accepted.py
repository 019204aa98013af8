"""What looks new and is nearest to an accepted wish is placed with it, and not proposed again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rasa_intent_discovery.datatypes import Corpus, DiscoveredIntent, Placement
from rasa_intent_discovery.proposals.memory.earlier import Changes, Earlier, EarlierProposal
from rasa_intent_discovery.proposals.memory.recall import recall
from rasa_intent_discovery.proposals.reasons import MORE_OF_ACCEPTED

TEXTS = [f"my parcel {letter}" for letter in "abcdef"]
LOG = Corpus(
    texts=(*TEXTS, "hello"),
    labels=np.full(7, -1),
    counts=np.ones(7, dtype=np.int64),
    spellings=tuple(((text.upper(), 1),) for text in (*TEXTS, "hello")),
    intents=("greet", "track_order"),
)
GROUP = DiscoveredIntent("parcel", tuple(range(6)), (0, 1), 6, 6, 0.9, 1.0, "track_order", 0.5, ())
PLACED = (*[Placement("new", "parcel", 0.9, "alike")] * 6, Placement("left_over", None, 1.0, "alone"))
ACCEPTED = Earlier(logged=frozenset(TEXTS[:4]), accepted=frozenset({"track_order"}))


def recalled(
    earlier: Earlier, group: DiscoveredIntent = GROUP
) -> tuple[list[str], list[Placement], Changes | None]:
    found, placements, changes = recall(LOG, [group], PLACED, earlier, lambda name, rows: group)
    return [intent.name for intent in found], [*placements], changes


def test_a_group_nearest_to_an_accepted_wish_is_placed_with_it_not_sure_enough_to_go_unread() -> None:
    names, placements, changes = recalled(ACCEPTED)
    assert names == []
    assert placements[:6] == [Placement("known", "track_order", 0.5, MORE_OF_ACCEPTED)] * 6
    assert placements[6] == PLACED[6]
    assert changes == Changes()


@pytest.mark.parametrize(
    "group",
    [replace(GROUP, nearest_known="greet"), replace(GROUP, similarity=0.4)],
    ids=["nearest to an intent of the bot's own", "near to nothing"],
)
def test_a_group_that_is_not_near_to_an_accepted_wish_is_proposed(group: DiscoveredIntent) -> None:
    assert recalled(ACCEPTED, group)[:2] == (["parcel"], [*PLACED])


@pytest.mark.parametrize(("out", "names"), [(2, []), (3, ["parcel"])])
def test_what_was_taken_out_of_the_accepted_wish_makes_a_proposal(out: int, names: list[str]) -> None:
    """Of the group, the last run had four messages."""
    earlier = replace(ACCEPTED, taken_out={"track_order": frozenset(TEXTS[:out]), "greet": frozenset(TEXTS)})
    assert recalled(earlier)[0] == names


@pytest.mark.parametrize("edited", [False, True])
def test_a_proposal_that_was_left_open_beside_the_accepted_one_stays_one(edited: bool) -> None:
    open_one = EarlierProposal("lost_parcel", frozenset(TEXTS[:4]), 4, edited=edited)
    assert recalled(replace(ACCEPTED, proposals=(open_one,)))[0] == ["lost_parcel"]
