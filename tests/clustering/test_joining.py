"""Where rows belong when only some groups are kept, on points whose angles are written out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from plain_groups import around, plain_groups

from rasa_intent_discovery.clustering import neighbor_vote
from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.groups import Groups
from rasa_intent_discovery.clustering.joining import join_kept
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.datatypes import UNLABELED

KNOWN = [0, 2, 4, 100, 102, 104]
LABELS = [0, 0, 0, 1, 1, 1]


def groups_of(assignments: list[int], features: np.ndarray, otherwise: list[int], reach: float) -> Groups:
    """Groups of rows of which 0 and 1 are known intents; only a row in neither joins others."""
    labels = np.array([group if group < 2 else UNLABELED for group in assignments])
    return plain_groups(
        features,
        labels,
        np.array(assignments),
        otherwise=np.array(otherwise),
        sureness=np.ones(len(otherwise)),
        reach=np.where(labels == UNLABELED, reach, np.inf),
    )


def test_rows_of_groups_that_are_not_kept_join_one_that_is_within_reach() -> None:
    features = around(*KNOWN, 200, 202, 204, 207, 209, 260)
    found = groups_of([*LABELS, 2, 2, 2, 3, 3, 3], features, [*LABELS, *[UNGROUPED] * 6], reach=0.99)

    joined = join_kept(found, np.array([True, True, True, False]))

    assert joined.tolist() == [*LABELS, 2, 2, 2, 2, 2, UNGROUPED]


def test_where_none_is_kept_they_belong_where_the_known_intents_say() -> None:
    features = around(*KNOWN, 10, 12, 14, 200, 202, 204)
    otherwise = [*LABELS, 0, 0, 0, UNGROUPED, UNGROUPED, 1]
    found = groups_of([*LABELS, 2, 2, 2, 3, 3, 3], features, otherwise, reach=0.5)

    assert join_kept(found, np.array([True, True, False, False])).tolist() == otherwise


def voted(angle: float, assigned: int, majority: float = 0.5, sureness: float = 1.0) -> int:
    """The group of a row of intent 0 or none, where its neighbours are three of a kept group and one of 1."""
    features = around(0, 2, 4, 206, 208, 215, 204, 202, 200, 198, angle)
    groups = np.array([0, 0, 0, 1, 1, UNGROUPED, 2, 2, 2, 2, UNGROUPED])
    labels = np.array([0, 0, 0, 1, 1, *[UNLABELED] * 6])
    found = plain_groups(
        features,
        labels,
        groups,
        otherwise=np.array([0, 0, 0, 1, 1, 1, *[UNGROUPED] * 4, assigned]),
        sureness=np.array([*[1.0] * 5, sureness, *[1.0] * 5]),
        majority=np.array([*[np.inf] * 10, majority]),
    )
    assert join_kept(found, np.array([True, True, False]))[-1] == assigned, "no group is kept"
    return int(join_kept(found, np.ones(3, dtype=bool))[-1])


def test_what_a_person_held_apart_does_not_join_what_it_was_held_apart_from() -> None:
    features = around(*KNOWN, 200, 202, 204, 207, 209, 260)
    found = groups_of([*LABELS, 2, 2, 2, 3, 3, 3], features, [*LABELS, *[UNGROUPED] * 6], reach=0.99)
    kept = np.array([True, True, True, False])
    assert join_kept(found, kept)[6:].tolist() == [2, 2, 2, 2, 2, UNGROUPED]

    told = replace(found, apart=np.array([[7, 9], [9, 11], [0, 10], [6, 8]]))

    assert join_kept(told, kept)[6:].tolist() == [2, 2, 2, *[UNGROUPED] * 3], "what is alike goes along"


def test_what_was_held_apart_and_is_too_few_joins_what_stands_beside_it() -> None:
    """Of two rows that are no group, the one nearer to group 2 was held apart from it; 3 is not far."""
    features = around(*KNOWN, 200, 202, 204, 206, 212, 214, 223, 225, 227, 300)
    groups = [*LABELS, 2, 2, 2, 2, 4, 4, 3, 3, 3, UNGROUPED]
    found = replace(
        groups_of(groups, features, [*LABELS, *[UNGROUPED] * 10], reach=0.999),
        majority=np.array([np.inf] * 6 + [GROUPING.majority_left_over] * 10),
    )
    kept = np.array([True, True, True, True, False])
    assert join_kept(found, kept)[6:].tolist() == [2, 2, 2, 2, *[UNGROUPED] * 2, 3, 3, 3, UNGROUPED]

    told = replace(found, apart=np.array([[9, 10]]))
    assert join_kept(told, kept)[6:].tolist() == [2, 2, 2, 2, 3, 3, 3, 3, 3, UNGROUPED]
    back = replace(found, apart=np.array([[10, 9], [12, 11]]))
    assert join_kept(back, kept)[6:].tolist() == [2, 2, 2, 2, *[UNGROUPED] * 2, 3, 3, 3, UNGROUPED]


@pytest.mark.parametrize("assigned", [0, UNGROUPED])
def test_a_row_joins_the_group_that_most_rows_near_it_are_in(assigned: int) -> None:
    assert voted(200.5, assigned) == 2
    assert voted(1.0, assigned) == assigned, "those near it are examples"
    assert voted(200.5, assigned, majority=np.inf) == assigned, "it was told, or does not look new"


def test_rows_near_it_vote_only_where_they_are_sure_of_their_intent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the three rows nearest to it one is an example, one of the group, and one, the nearest, logged."""
    monkeypatch.setattr(neighbor_vote, "GROUPING", replace(GROUPING, voters=3))
    assert voted(211.0, UNGROUPED, majority=0.3, sureness=1.0) == UNGROUPED
    assert voted(211.0, UNGROUPED, majority=0.3, sureness=0.4) == 2


def test_a_row_has_no_vote_on_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbor_vote, "GROUPING", replace(GROUPING, voters=1))
    assert voted(200.5, assigned=0) == 2
