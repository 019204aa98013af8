"""Which proposals are a family, and which are on one subject, on numbers that are written out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from plain_groups import plain_groups

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.groups import Groups
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.datatypes import UNLABELED, DiscoveredIntent, Points
from rasa_intent_discovery.proposals.families import families, subjects
from rasa_intent_discovery.proposals.numbers import PROPOSALS

#: Number of the first new group; 0 is a known intent.
NEW = 1
#: Well above the number from which two may be one wish, just above and below it.
SURE, HARDLY, BELOW = 0.45, GROUPING.sibling + 0.01, GROUPING.sibling - 0.01


def groups(assignments: list[int], likely: dict[tuple[int, int], float]) -> Groups:
    """Groups of rows, row 0 an example; probabilities that are not given are 0."""
    m, k = len(assignments), max(assignments) + 1
    table = np.zeros((k, k))
    for (one, other), value in likely.items():
        table[one, other] = table[other, one] = value
    features = np.ones((m, 2), dtype=np.float32)
    labels = np.array([0, *[UNLABELED] * (m - 1)])
    return plain_groups(features, labels, np.array(assignments), likely=table)


def proposal(name: str, *rows: int, messages: int | None = None) -> DiscoveredIntent:
    count = len(rows) if messages is None else messages
    return DiscoveredIntent(name, rows, rows[:1], count, len(rows), 0.9, 1.0, "greet", 0.2, ())


def found(likely: dict[tuple[int, int], float], messages: list[int]) -> tuple[tuple[str, ...], ...]:
    """The families of the proposals a, b, c, ... of so many messages, one for each group of two rows."""
    count = len(messages)
    rows = [NEW + number for number in range(count) for _ in range(2)]
    intents = [
        proposal("abcdefgh"[number], 1 + 2 * number, 2 + 2 * number, messages=messages[number])
        for number in range(count)
    ]
    return families(sorted(intents, key=lambda one: -one.messages), groups([0, *rows], likely))


def test_two_that_may_be_one_are_a_family_and_the_others_none() -> None:
    assert found({(1, 2): HARDLY, (1, 3): BELOW}, [7, 9, 5]) == (("b", "a"),)


def test_the_largest_comes_first_in_a_family_and_of_the_families() -> None:
    likely = {(1, 2): SURE, (3, 4): SURE, (4, 5): SURE, (3, 5): SURE}
    assert found(likely, [4, 9, 5, 7, 6]) == (("d", "e", "c"), ("b", "a"))


def test_a_chain_is_no_family() -> None:
    # Each may be one with the next, none with the one after that: the likeliest pairs are families.
    likely = {(1, 2): SURE, (2, 3): HARDLY, (3, 4): SURE, (4, 5): HARDLY}
    assert found(likely, [9, 8, 7, 6, 5]) == (("a", "b"), ("c", "d"))


def test_a_proposal_is_of_the_groups_that_its_members_come_from() -> None:
    # The first holds half of group 1 and half of group 2, of which only one may be one wish with group 3; and
    # a message that was in no group, which says nothing.
    likely = {(1, 3): SURE}
    of = groups([0, 1, 1, 2, 2, 3, 3, UNGROUPED], likely)
    assert GROUPING.sibling < SURE / 2
    intents = [proposal("ab", 1, 2, 3, 4, 7), proposal("c", 5, 6)]
    assert families(intents, of) == (("ab", "c"),)
    assert families([replace(intents[0], members=(1, 3, 4)), intents[1]], of) == ()


def test_what_no_group_holds_has_no_family() -> None:
    of = groups([0, 1, 1, UNGROUPED, UNGROUPED], {})
    assert families([proposal("a", 1, 2), proposal("moved", 3, 4)], of) == ()


def test_one_proposal_is_no_family() -> None:
    assert found({}, [3]) == ()
    assert families([], groups([0, 1], {})) == ()


def at(*degrees: float) -> Points:
    """Messages at these angles, the first is row 1. Each is longer than the last, which does not count."""
    angles = np.radians(degrees)
    lengths = np.arange(1, len(degrees) + 1)[:, None]
    features = (lengths * np.stack([np.cos(angles), np.sin(angles)], 1)).astype(np.float32)
    return Points(np.arange(1, len(degrees) + 1), features, np.full(len(degrees), UNLABELED))


#: The widest angle between two proposals on one subject.
WIDEST = float(np.degrees(np.arccos(PROPOSALS.same_subject)))


def test_what_is_alike_is_on_one_subject_the_largest_first() -> None:
    intents = [proposal("a", 1, messages=9), proposal("b", 2, messages=7), proposal("c", 3, messages=5)]
    assert subjects(intents, at(0, 170, WIDEST - 1)) == (("a", "c"),)
    assert subjects(intents, at(0, 170, WIDEST + 1)) == ()
    assert subjects(intents, at(0, WIDEST - 1, 200)) == (("a", "b"),)


def test_the_subject_of_most_messages_comes_first() -> None:
    intents = [proposal(name, row, messages=10 - row) for row, name in enumerate("abcd", 1)]
    assert subjects(intents, at(0, 180, 181, 1)) == (("a", "d"), ("b", "c"))
    assert subjects([*intents[1:], intents[0]], at(90, 180, 181, 1))[0] == ("b", "c")


def test_a_chain_is_no_subject() -> None:
    intents = [proposal(name, row) for row, name in enumerate("abc", 1)]
    assert subjects(intents, at(0, WIDEST - 10, 2 * WIDEST - 30)) == (("b", "c"),)


def test_the_middle_of_the_messages_counts() -> None:
    intents = [proposal("a", 1, 2), proposal("b", 3)]
    assert subjects(intents, at(0, 2 * WIDEST, WIDEST)) == (("a", "b"),)
    assert subjects([proposal("a", 1), proposal("b", 3)], at(0, 2 * WIDEST, WIDEST + 1)) == ()


def test_a_family_is_on_one_subject_however_far_apart() -> None:
    intents = [proposal(name, row) for row, name in enumerate("abc", 1)]
    assert subjects(intents, at(0, 120, 240), (("a", "c"),)) == (("a", "c"),)
    # Of the others, every two have to be alike.
    assert subjects(intents, at(0, 1, 120), (("a", "c"),)) == (("a", "c"),)


def test_what_was_not_learnt_from_is_on_no_subject() -> None:
    assert subjects([proposal("a", 1), proposal("b", 7)], at(0)) == ()
    assert subjects([proposal("a", 1)], at(0)) == subjects([], at(0)) == ()
