"""What was in known intents before others of the drafts were applied, and looks new since, stays there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rasa_intent_discovery.datatypes import Corpus, DiscoveredIntent, Placement
from rasa_intent_discovery.proposals.memory.earlier import Earlier
from rasa_intent_discovery.proposals.memory.known_before import (
    keep_known_before,
    known_before,
    without_known_before,
)
from rasa_intent_discovery.proposals.reasons import IGNORED_BEFORE, STAYS_KNOWN

HOURS = [f"hours {letter}" for letter in "abcdefgh"]
BILLS = [f"bill {letter}" for letter in "ab"]
LOG = Corpus(
    texts=(*HOURS, *BILLS),
    labels=np.full(10, -1),
    counts=np.ones(10, dtype=np.int64),
    spellings=tuple(((text.upper(), 1),) for text in (*HOURS, *BILLS)),
    intents=("greet", "opening_hours"),
)


def ran(known: dict[str, str]) -> Earlier:
    """The last run had the same log."""
    return Earlier(known=known, logged=frozenset(LOG.texts))


def without(
    corpus: Corpus, intents: list[DiscoveredIntent], placements: list[Placement], earlier: Earlier
) -> list[DiscoveredIntent]:
    known = known_before(corpus, earlier.known)
    return without_known_before(corpus, intents, placements, known, earlier.logged)


def found(*rows: int) -> DiscoveredIntent:
    count = len(rows)
    return DiscoveredIntent("ask_hours", rows, rows, count, count, 0.9, 1.0, "greet", 0.2, ())


PLACED = (*[Placement("new", "ask_hours", 0.9, "alike")] * 9, Placement("left_over", None, 1.0, "alone"))


def test_a_group_of_what_was_known_stays_where_it_was_and_the_rest_with_most_of_it() -> None:
    known = {**dict.fromkeys(HOURS[:7], "opening_hours"), HOURS[7]: "greet"}
    placements = [*PLACED]
    assert without(LOG, [found(*range(9))], placements, ran(known)) == []
    assert [one.intent for one in placements] == [*["opening_hours"] * 7, "greet", "opening_hours", None]
    assert {(one.placement, one.confidence, one.reason) for one in placements[:9]} == {
        ("known", 0.5, STAYS_KNOWN)
    }
    assert placements[9] == PLACED[9]


def test_what_is_also_of_messages_that_were_not_known_is_proposed() -> None:
    intents = [found(*range(9))]
    for known in ({}, dict.fromkeys(HOURS[:7], "opening_hours"), dict.fromkeys(HOURS, "no_longer_there")):
        placements = [*PLACED]
        assert without(LOG, intents, placements, ran(known)) == intents
        assert placements == [*PLACED]


@pytest.mark.parametrize(
    ("hours", "greet", "logged", "is_left"),
    [
        (4, 0, 4, False),  # five came since, which are of the same intent then
        (3, 0, 3, True),  # too few to tell
        (4, 0, 5, False),
        (3, 1, 6, True),  # a third was not known
        (3, 3, 6, False),
        (3, 1, 4, False),
        (0, 0, 0, True),
    ],
)
def test_what_came_since_is_of_the_intent_in_which_most_of_its_like_were(
    hours: int, greet: int, logged: int, is_left: bool
) -> None:
    texts = [*HOURS, *BILLS]
    known = dict.fromkeys(texts[:hours], "opening_hours")
    known |= dict.fromkeys(texts[hours : hours + greet], "greet")
    placements, intents = [*PLACED], [found(*range(9))]

    earlier = Earlier(known=known, logged=frozenset(texts[:logged]))
    left = without(LOG, intents, placements, earlier)

    assert left == (intents if is_left else [])
    came = {placement.intent for placement in placements[logged:9]}
    assert came == ({"ask_hours"} if is_left else {"opening_hours"})


def test_what_came_since_is_proposed_where_hardly_anything_that_was_known_looks_new() -> None:
    more = [f"hello {number}" for number in range(14)]
    corpus = replace(
        LOG,
        texts=(*LOG.texts, *more),
        labels=np.full(24, -1),
        counts=np.ones(24, dtype=np.int64),
        spellings=(*LOG.spellings, *[((text, 1),) for text in more]),
    )
    placements = [*PLACED, *[Placement("known", "greet", 0.9, "alike")] * 14]
    for still_known, left in ((12, []), (13, [found(*range(9))])):
        known = {**dict.fromkeys(HOURS[:4], "opening_hours"), **dict.fromkeys(more[:still_known], "greet")}
        earlier = Earlier(known=known, logged=frozenset(known))
        assert without(corpus, [found(*range(9))], [*placements], earlier) == left


def test_a_wish_that_lay_in_several_known_intents_is_proposed_once_more_of_it_came() -> None:
    corpus = replace(LOG, intents=("greet", "opening_hours", "bye"))
    known = dict(zip(HOURS[:5], ["greet", "opening_hours", "bye", "greet", "bye"], strict=True))
    intents = [found(*range(9))]

    earlier = Earlier(known=known, logged=frozenset(HOURS[:5]))
    assert without(corpus, intents, [*PLACED], earlier) == intents


def test_what_is_left_over_stays_where_it_was_but_for_what_was_ignored() -> None:
    alone = Placement("left_over", None, 0.3, "alone")
    placements = [*[alone] * 8, Placement("left_over", None, 0.3, IGNORED_BEFORE), PLACED[0]]
    known = {HOURS[0]: "opening_hours", HOURS[1]: "no_longer_there", BILLS[0]: "greet", BILLS[1]: "greet"}

    keep_known_before(placements, known_before(LOG, known))

    assert placements[0] == Placement("known", "opening_hours", 0.3, STAYS_KNOWN)
    assert placements[1:8] == [alone] * 7
    assert placements[8:] == [Placement("left_over", None, 0.3, IGNORED_BEFORE), PLACED[0]]


def test_an_example_of_the_bot_is_where_it_is() -> None:
    labeled = replace(LOG, labels=np.array([0, *[-1] * 9]))
    placements = [Placement("left_over", None, 0.3, "alone")] * 10

    keep_known_before(placements, known_before(labeled, {HOURS[0]: "opening_hours"}))

    assert {one.placement for one in placements} == {"left_over"}
