"""Groups of points that are close enough, on points whose angles are written out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from plain_groups import around

from rasa_intent_discovery.clustering import known_intents
from rasa_intent_discovery.clustering import new_groups as module
from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.groups import Groups
from rasa_intent_discovery.clustering.joining import join_kept
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.links import Links
from rasa_intent_discovery.clustering.new_groups import new_groups
from rasa_intent_discovery.clustering.novelty import Novelty
from rasa_intent_discovery.clustering.questions import Doubts
from rasa_intent_discovery.datatypes import UNLABELED, Points


def grouped(
    features: np.ndarray,
    labels: list[int],
    flagged: list[bool] | None = None,
    share: float = 0.5,
    links: Links | None = None,
    score: float = 1.0,
) -> Groups:
    """The groups of all rows in one view; unless said every logged row looks new, and all alike."""
    new = np.array(labels) == UNLABELED if flagged is None else np.array(flagged)
    points = Points(np.arange(len(labels)), features, np.array(labels))
    novelty = Novelty(score * new.astype(np.float32), new, 1.0)
    one_cluster = np.zeros(len(labels), dtype=np.int64)
    return new_groups(points, features, features, share, novelty, one_cluster, 0, links)


def test_rows_that_a_person_put_together_are_one_group_and_those_held_apart_are_two() -> None:
    features = around(*KNOWN, 200, 203, 206, 280, 283, 286)
    labels = LABELS + [UNLABELED] * 6

    def said(**links: list[tuple[int, int]]) -> list[int]:
        pairs = (
            np.array(links.get(which, []), dtype=np.int64).reshape(-1, 2) for which in ("together", "apart")
        )
        found: list[int] = grouped(features, labels, links=Links(*pairs)).assignments[6:].tolist()
        return found

    def unanswered(**links: list[tuple[int, int]]) -> list[bool]:
        pairs = (
            np.array(links.get(which, []), dtype=np.int64).reshape(-1, 2) for which in ("together", "apart")
        )
        found = grouped(features, labels, links=Links(*pairs)).unanswered
        assert found is not None and found[:6].tolist() == [UNGROUPED] * 6
        return [*(found[6:] == found[6])]

    assert said() == [2, 2, 2, 3, 3, 3]
    assert grouped(features, labels).unanswered is None
    assert unanswered(together=[(7, 10)]) == unanswered(apart=[(6, 8)]) == [True] * 3 + [False] * 3
    assert said(together=[(7, 10)]) == [2] * 6
    assert said(apart=[(6, 8)]) == [UNGROUPED] * 3 + [2] * 3, "two and one are too few for a group"


def test_what_a_person_gives_to_a_known_intent_is_in_no_group_and_has_its_place_there() -> None:
    features = around(*KNOWN, 30, 33, 36)
    links = Links(np.array([[7, 0]]), np.zeros((0, 2), dtype=np.int64))

    found = grouped(features, LABELS + [UNLABELED] * 3, links=links)

    assert found.assignments[6:].tolist() == [UNGROUPED] * 3
    assert found.otherwise[6:].tolist() == [0, 0, 0]
    [told] = found.told
    assert (told.intent, told.said, told.rows.tolist()) == (0, (7,), [6, 7, 8])
    without = grouped(features, LABELS + [UNLABELED] * 3)
    assert without.assignments[6:].tolist() == [2, 2, 2]
    assert (without.told, told.newness) == ((), without.newness[2])
    assert without.questions == (), "it is surely new"
    doubtful = grouped(features, LABELS + [UNLABELED] * 3, score=0.8)
    assert doubtful.questions == ((7, (2,)),), "its most typical message, and the nearest example"
    apart = Links(np.zeros((0, 2), dtype=np.int64), np.array([[7, 2]]))
    held = grouped(features, LABELS + [UNLABELED] * 3, links=apart, score=0.8)
    assert held.newness[2] == 1.0 > doubtful.newness[2]
    assert held.questions == ()


def test_what_a_person_says_is_not_of_a_known_intent_is_not_placed_there() -> None:
    features = around(*KNOWN, 2.5, 3.5)
    labels = LABELS + [UNLABELED] * 2
    apart = Links(np.zeros((0, 2), dtype=np.int64), np.array([[6, 1]]))
    another = Links(apart.together, np.array([[6, 4]]))
    told_too = Links(np.array([[0, 6]]), apart.apart)

    assert grouped(features, labels, [False] * 8).otherwise[6:].tolist() == [0, 0]
    assert grouped(features, labels, [False] * 8, links=apart).otherwise[6:].tolist() == [UNGROUPED, 0]
    assert grouped(features, labels, [False] * 8, links=another).otherwise[6:].tolist() == [0, 0]
    assert grouped(features, labels, [False] * 8, links=told_too).otherwise[6:].tolist() == [0, 0]
    refused = replace(Links.none(), refused=np.array([[6, 0]]))
    assert grouped(features, labels, [False] * 8, links=refused).otherwise[6:].tolist() == [UNGROUPED, 0]


KNOWN = [0, 2, 4, 100, 102, 104]
LABELS = [0, 0, 0, 1, 1, 1]


def test_what_a_person_gives_to_a_known_intent_joins_no_group_near_it() -> None:
    known = [0, 12, 24, 110, 122, 134]
    features = around(*known, *range(56, 80, 2))
    links = Links(np.array([[9, 2]]), np.zeros((0, 2), dtype=np.int64))

    found = grouped(features, LABELS + [UNLABELED] * 12, links=links)

    [told] = found.told
    assert told.rows.tolist() == [6, 7, 8, 9, 10, 11]
    assert join_kept(found, np.ones(found.k, dtype=bool))[6:].tolist() == [0] * 6 + [2] * 6


def test_what_is_close_is_a_group_and_what_is_alone_is_none() -> None:
    found = grouped(around(*KNOWN, 200, 203, 206, 280), LABELS + [UNLABELED] * 4)

    assert found.assignments.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, UNGROUPED]
    assert found.k == 3
    assert found.stability.shape == found.belonging.shape == (3,)
    assert found.likely.tolist() == [[0.0] * 3] * 3, "one new group, and too few examples to learn from"


def test_what_does_not_look_new_is_in_no_group_and_belongs_to_the_known_intent_beside_it() -> None:
    labels = LABELS + [UNLABELED] * 5
    found = grouped(around(*KNOWN, 200, 203, 206, 3, 103), labels, [False] * 6 + [True] * 3 + [False] * 2)

    assert found.assignments.tolist() == [*LABELS, 2, 2, 2, UNGROUPED, UNGROUPED]
    assert join_kept(found, np.ones(3, dtype=bool)).tolist() == [*LABELS, 2, 2, 2, 0, 1]


def test_two_are_no_group() -> None:
    found = grouped(around(*KNOWN, 200, 201), LABELS + [UNLABELED] * 2)

    assert found.assignments.tolist()[6:] == [UNGROUPED] * 2
    assert found.k == 2


def test_an_example_keeps_its_intent_wherever_it_lies() -> None:
    found = grouped(around(*KNOWN, 103.0), [*LABELS, 0])

    assert found.assignments[-1] == join_kept(found, np.ones(2, dtype=bool))[-1] == 0


def test_the_untrained_view_is_wider() -> None:
    # 62 degrees apart: a cosine distance of 0.53.
    features = around(*KNOWN, 200, 201, 202, 262, 263, 264)
    labels = LABELS + [UNLABELED] * 6

    assert grouped(features, labels, share=0.5).k == 4
    assert grouped(features, labels, share=1.0).k == 3


def test_pieces_are_merged_as_the_known_intents_teach() -> None:
    # Every known intent is of two pieces, 80 degrees apart, and so is what is new: without its teaching none
    # of them would be merged. In four dimensions, of which two hold one intent.
    def two_pieces(first: int, second: int) -> np.ndarray:
        rng = np.random.default_rng(first)
        middle = np.eye(16)[[first] * 8 + [second] * 8] + 0.2 * np.eye(16)[[second] * 8 + [first] * 8]
        noisy = middle + rng.normal(0, 0.05, middle.shape)
        return noisy / np.linalg.norm(noisy, axis=1, keepdims=True)

    intents = [two_pieces(axis, axis + 1) for axis in range(0, 16, 2)]
    features = np.concatenate(intents).astype(np.float32)
    labels = np.repeat(np.arange(8), 16)
    labels[labels >= 6] = UNLABELED

    found = grouped(features, labels.tolist())

    assert found.assignments[-32:].tolist() == [6] * 16 + [7] * 16
    assert 0.0 < found.likely[6, 7] == found.likely[7, 6] < GROUPING.same_intent
    assert found.likely.sum() == 2 * found.likely[6, 7], "no known intent, and no group with itself"


def test_a_tight_group_is_stable_and_belongs_together() -> None:
    found = grouped(around(*KNOWN, *np.linspace(200, 206, 20)), LABELS + [UNLABELED] * 20)

    assert found.stability[2] > 0.9
    assert found.belonging[2] == 1.0


def test_what_answers_hold_together_does_not_come_apart_in_the_samples_of_its_stability() -> None:
    """Three groups of six, which two answers make one: a sample without one of the four rows had three."""
    features = around(*KNOWN, *(middle + 2 * at for middle in (200, 250, 300) for at in range(6)))
    labels = LABELS + [UNLABELED] * 18
    together, none = np.array([(6, 12), (13, 18)]), np.zeros((0, 2), dtype=np.int64)

    found = grouped(features, labels, links=Links(together, none))

    assert found.assignments[6:].tolist() == [2] * 18
    assert found.stability[2] == 1.0


@pytest.mark.parametrize(("share", "trained"), [(0.5, True), (1.0, False)])
def test_answers_say_how_likely_groups_are_one_where_nothing_is_trained(
    share: float, trained: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, told = module.group_doubts, []

    def noted(*arguments: Any, trained: bool) -> Doubts:
        told.append(trained)
        return asked(*arguments, trained=trained)

    monkeypatch.setattr(module, "group_doubts", noted)
    grouped(around(*KNOWN, *np.linspace(200, 206, 20)), LABELS + [UNLABELED] * 20, share=share)
    assert told == [trained]


def test_of_very_many_rows_a_part_is_grouped_and_the_rest_may_join(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GROUPING", replace(GROUPING, most_grouped_rows=30))
    features = around(*KNOWN, *np.linspace(200, 206, 54))

    found = grouped(features, LABELS + [UNLABELED] * 54)

    assert 0 < (found.assignments == UNGROUPED).sum() < 54
    assert found.assignments[:6].tolist() == LABELS
    assert join_kept(found, np.ones(found.k, dtype=bool)).tolist() == LABELS + [2] * 54


def test_how_many_votes_a_row_needs_depends_on_how_new_it_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_intents, "GROUPING", replace(GROUPING, near_duplicate=0.0))
    features = around(*KNOWN, 30, 33, 36, 200, 3, 103)
    labels = np.array(LABELS + [UNLABELED] * 6)
    new = Novelty(
        np.array([0.0] * 6 + [0.9] * 4 + [0.02, -0.3]), np.array([False] * 6 + [True] * 4 + [False] * 2), 0.9
    )
    links = Links(np.array([[7, 0]]), np.zeros((0, 2), dtype=np.int64))
    points = Points(np.arange(12), features, labels)

    found = new_groups(points, features, features, 0.5, new, np.zeros(12, dtype=np.int64), 0, None)
    told = new_groups(points, features, features, 0.5, new, np.zeros(12, dtype=np.int64), 0, links)

    left_over, little_new = GROUPING.majority_left_over, GROUPING.majority_else
    assert found.otherwise[6:].tolist() == [UNGROUPED] * 4 + [0, 1]
    assert found.majority.tolist() == pytest.approx([np.inf] * 6 + [left_over] * 4 + [little_new, np.inf])
    assert told.majority[6:9].tolist() == [np.inf] * 3
    near = Novelty(new.score, new.flagged | (np.arange(12) == 10), 0.9)
    found = new_groups(points, features, features, 0.5, near, np.zeros(12, dtype=np.int64), 0, None)
    assert found.majority[10] == GROUPING.majority_flagged


def test_what_one_known_intent_claims_as_a_whole_is_less_likely_to_be_new() -> None:
    """As new by density: one heap lies beyond the examples of intent 0, the other between both."""
    features = around(*KNOWN, 330, 333, 336, 50, 53, 56)
    found = grouped(features, LABELS + [UNLABELED] * 6)

    beyond, between = found.newness[2:]
    assert beyond < between
    assert found.newness[:2].tolist() == pytest.approx([1 / (1 + np.exp(-GROUPING.newness_base))] * 2)
