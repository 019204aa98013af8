"""New groups that a known intent claims, and what a person says of them."""

from __future__ import annotations

import numpy as np
import pytest

from rasa_intent_discovery.clustering.claimed import Claimed, told_known
from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.links import Links
from rasa_intent_discovery.datatypes import UNLABELED

# Two known intents with two examples each, a new group of three messages and a message in none.
LABELS = np.array([0, 0, 1, 1, *[UNLABELED] * 4])
GROUPS = np.array([0, 0, 1, 1, 2, 2, 2, UNGROUPED])
NEWNESS = np.array([0.0, 0.0, 0.9])
ANGLES = np.radians([0, 20, 90, 100, 40, 44, 50, 200])
UNTRAINED = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1).astype(np.float32)


def links(together: tuple[int, int] | None = None, apart: tuple[int, int] | None = None) -> Links:
    pairs = ([] if pair is None else [pair] for pair in (together, apart))
    return Links(*(np.array(one, dtype=np.int64).reshape(-1, 2) for one in pairs))


def claimed(said: Links) -> Claimed:
    """Intent 0 claims the new group, which is as likely new as not."""
    return Claimed(LABELS, GROUPS, np.array([0, 1, 0]), np.array([0.0, 0.0, 0.5]), said)


def test_of_a_message_of_a_known_intent_are_those_of_its_group_that_the_classifier_says_too() -> None:
    intents = np.array([0, 0, 1, 1, 0, 1, 0, 0])

    [told] = told_known(links(together=(0, 4)), LABELS, GROUPS, intents, NEWNESS)

    assert (told.intent, told.said, told.rows.tolist(), told.newness) == (0, (4,), [4, 6], 0.9)


def test_a_message_in_no_group_is_told_alone() -> None:
    [told] = told_known(links(together=(7, 2)), LABELS, GROUPS, np.zeros(8, dtype=np.int64), NEWNESS)

    assert (told.intent, told.said, told.rows.tolist(), told.newness) == (1, (7,), [7], 0.0)


def test_what_is_said_of_two_messages_of_a_group_is_told_once() -> None:
    said = Links(np.array([[0, 4], [6, 1], [5, 2]]), links().apart)

    one, other = told_known(said, LABELS, GROUPS, np.array([0, 0, 1, 1, 0, 1, 0, 0]), NEWNESS)

    assert (one.intent, one.said, one.rows.tolist()) == (0, (4, 6), [4, 6])
    assert (other.intent, other.said, other.rows.tolist()) == (1, (5,), [5])


def test_of_a_message_that_was_said_to_be_of_two_intents_the_last_counts() -> None:
    intents = np.array([0, 0, 1, 1, 0, 1, 0, 0])
    said = Links(np.array([[0, 4], [2, 4], [0, 6]]), links().apart)

    last, other = told_known(said, LABELS, GROUPS, intents, NEWNESS)

    assert (last.intent, last.said, last.rows.tolist()) == (1, (4,), [4, 5])
    assert (other.intent, other.said, other.rows.tolist()) == (0, (6,), [6])


def test_what_is_said_of_a_message_does_not_hold_for_one_of_which_something_else_was_said() -> None:
    intents = np.array([0, 0, 1, 1, 0, 0, 0, 0])
    all_alike = told_known(links(together=(0, 4)), LABELS, GROUPS, intents, NEWNESS)
    assert [told.rows.tolist() for told in all_alike] == [[4, 5, 6]]

    of_another = Links(np.array([[2, 5], [0, 4]]), links().apart)
    other, one = told_known(of_another, LABELS, GROUPS, intents, NEWNESS)
    assert (one.intent, one.rows.tolist(), other.intent, other.rows.tolist()) == (0, [4, 6], 1, [5])

    not_there = links(together=(0, 4), apart=(1, 5))
    [told] = told_known(not_there, LABELS, GROUPS, intents, NEWNESS)
    assert (told.intent, told.rows.tolist()) == (0, [4, 6])


def test_a_message_that_was_held_against_two_examples_of_an_intent_is_told_once() -> None:
    said = Links(np.array([[0, 4], [1, 4]]), links().apart)

    [told] = told_known(said, LABELS, GROUPS, np.array([0, 0, 1, 1, 0, 1, 0, 0]), NEWNESS)

    assert (told.said, told.rows.tolist()) == ((4,), [4, 6])


def test_a_group_that_is_not_of_the_intent_that_claims_it_is_new() -> None:
    assert claimed(links(apart=(4, 0))).newness_told().tolist() == [0.0, 0.0, 1.0]
    assert claimed(links(apart=(4, 2))).newness_told().tolist() == [0.0, 0.0, 0.5], "another intent"
    assert claimed(links(apart=(4, 5))).newness_told().tolist() == [0.0, 0.0, 0.5], "another message"


def test_the_most_typical_message_is_held_against_the_nearest_example_of_the_claimant() -> None:
    doubts = claimed(Links.none()).doubts(UNTRAINED)

    assert (doubts.ones.tolist(), doubts.others.tolist()) == ([5], [1])


def test_a_group_of_which_it_is_surely_known_whose_it_is_is_not_asked_about() -> None:
    def worth(newness: float) -> list[float]:
        told = Claimed(LABELS, GROUPS, np.array([0, 1, 0]), np.array([0.0, 0.0, newness]), Links.none())
        found: list[float] = told.doubts(UNTRAINED).worth.tolist()
        return found

    [even], [less] = worth(0.4), worth(0.55)
    assert even == pytest.approx(GROUPING.claimed_worth * 3 / 2), "three messages, and as likely as not"
    assert less < even
    assert worth(0.1) == worth(0.9) == []


def test_what_was_answered_is_not_asked_again() -> None:
    assert len(claimed(links(together=(6, 0))).doubts(UNTRAINED).ones) == 0
    assert len(claimed(links(apart=(6, 0))).doubts(UNTRAINED).ones) == 0
    assert len(claimed(links(apart=(6, 2))).doubts(UNTRAINED).ones) == 1
