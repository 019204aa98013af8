"""Where the messages of proposals are that are proposals no more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rasa_intent_discovery.datatypes import Corpus, DiscoveredIntent, Placement
from rasa_intent_discovery.proposals.memory.earlier import Earlier, EarlierProposal
from rasa_intent_discovery.proposals.memory.recall import recall
from rasa_intent_discovery.proposals.memory.whereabouts import whereabouts

LOG = Corpus(
    texts=("hello", "send a bill", "a bill", "bill", "a visa", "cards"),
    labels=np.array([0, -1, -1, -1, -1, -1]),
    counts=np.array([2, 3, 9, 1, 1, 4]),
    spellings=((("HELLO", 2),), (("Send a BILL!", 3),), (("a bill", 9),), (("bill", 1),), (), ()),
    intents=("greet",),
)
PLACED = (
    Placement("known", "greet", 1.0, "an example"),
    Placement("known", "greet", 0.5, "near"),
    Placement("left_over", None, 1.0, "alone"),
    Placement("left_over", None, 1.0, "alone"),
    Placement("new", "pay", 0.9, "alike"),
    Placement("new", "pay", 0.9, "alike"),
)


def proposal(name: str, *texts: str) -> EarlierProposal:
    return EarlierProposal(name, frozenset(texts), len(texts))


def test_messages_count_as_often_as_they_were_logged_and_as_they_were_written() -> None:
    bill = proposal("bill", "send a bill!", "a bill", "bill", "a visa", "hello", "not logged any more")
    found = whereabouts(LOG, PLACED, [bill, proposal("cards", "cards", "a visa"), proposal("old", "gone")])
    assert found == {"bill": {"": 10, "greet": 5, "pay": 1}, "cards": {"pay": 5}, "old": {}}
    assert list(found["bill"]) == ["", "greet", "pay"]  # the most first


def test_it_is_told_of_what_is_gone_or_part_of_another_proposal_alone() -> None:
    def describe(name: str, rows: Sequence[int]) -> DiscoveredIntent:
        raise AssertionError(name)

    pay = DiscoveredIntent("pay", (4, 5), (4, 5), 5, 2, 0.9, 1.0, "greet", 0.2, ())
    earlier = Earlier(
        (
            proposal("pay", "a visa", "cards", "more", "still more"),
            proposal("cards", "cards"),
            proposal("bill", "a bill"),
            EarlierProposal("joke", frozenset({"bill"}), 1, ignored=True),
        )
    )
    changes = recall(LOG, [pay], PLACED, earlier, describe, 1, None, lambda name, rows: False)[2]
    assert (changes.gone, changes.joined) == (("bill",), ("cards",))
    assert changes.whereabouts == {"cards": {"pay": 4}, "bill": {"": 9}}
