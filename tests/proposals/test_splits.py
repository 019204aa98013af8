"""Into which parts a group of messages falls."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.links import Links
from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW, UNLABELED, Placement, Points
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.proposals.splits import NOTHING_SAID, split_paths, tree_paths


def around(*directions: tuple[float, ...], spread: float = 0.02) -> np.ndarray:
    """(n, d) float32, a message near each direction."""
    noise = np.random.default_rng(0).normal(scale=spread, size=(len(directions), len(directions[0])))
    return (np.array(directions) + noise).astype(np.float32)


A, B, C = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.5, 0.9)


def test_the_larger_part_is_0_and_falls_into_parts_itself() -> None:
    found = tree_paths(around(*[B, C, A] * 3), seed=0)
    assert found in (["00", "01", "1"] * 3, ["01", "00", "1"] * 3)


def test_parts_that_are_hardly_less_alike_than_the_messages_of_one_are_none() -> None:
    # By an angle whose cosine is 0.8 they are less alike by a fifth, and where it is 0.5 by a half.
    assert tree_paths(around(*[B, (0.0, 0.8, 0.6)] * 5), seed=0) == [""] * 10
    assert tree_paths(around(*[B, C] * 5), seed=0) in (["0", "1"] * 5, ["1", "0"] * 5)


def test_what_a_person_said_is_one_is_not_parted() -> None:
    features = around(*[B, C, A] * 3)
    nothing = np.zeros((0, 2), dtype=np.int64)
    # The first A goes with the first B, and the second A with the first; the other three are offered.
    pairs = Links(np.array([[0, 1], [3, 1]]), nothing)
    assert tree_paths(around(*[B, A] * 5, B), 0, pairs) == [*"000", "0", *"0101010"]
    within, across = Links(np.array([[0, 1]]), nothing), Links(np.array([[0, 2]]), nothing)
    assert tree_paths(features, 0, within) in (["0", "0", "1"] * 3, ["1", "1", "0"] * 3)
    assert tree_paths(features, 0, across) == [""] * 9
    # What is said of two draft's messages, or of what is in none, is no matter of one group.
    new = [Placement(NEW, "refund", 1, "")] * 9
    points = Points(np.arange(1, 10), features, np.array([UNLABELED] * 9))
    placements = [Placement(KNOWN, "greet", 1, ""), *new]
    assert len(split_paths(points, placements, 0, within)) == 9
    assert split_paths(points, placements, 0, across) == {}


def test_what_came_with_an_answer_is_a_part_however_alike_it_is() -> None:
    features = around(*[B] * 5, *[(0.0, 0.9, 0.4)] * 4)
    assert tree_paths(features, 0) == [""] * 9
    came = np.arange(9) > 4
    answered = Links(np.array([[0, 5]]), np.zeros((0, 2), dtype=np.int64))
    assert tree_paths(features, 0, answered, [came]) == [*"00000", *"0111"], "the two answered stay together"
    both = Links(np.array([[0, 5], [1, 6]]), answered.apart)
    assert tree_paths(features, 0, both, [came]) == [""] * 9, "what is left of it is too little"
    new, other = Placement(NEW, "refund", 1, ""), Placement(NEW, "visa", 1, "")
    points = Points(np.arange(18), np.concatenate([features] * 2), np.array([UNLABELED] * 18))
    paths = split_paths(points, [*[new] * 9, *[other] * 9], 0, answered, [range(5, 9)])
    assert [paths.get(row, "") for row in range(18)] == [*"000000111", *[""] * 9]


def test_what_lies_apart_in_what_came_with_an_answer_is_a_part_of_that() -> None:
    features = around(*[B] * 8, *[A, A, A, C, C, C, C])
    paths = tree_paths(features, 0, came=[np.arange(15) > 7])
    assert [path[0] for path in paths] == [*"0" * 8, *"1" * 7]
    assert [path[1:] for path in paths] == [*[""] * 8, *["1"] * 3, *["0"] * 4]


def test_fewer_than_two_parts_of_three_fall_apart_into_nothing() -> None:
    assert tree_paths(around(A, A, A, B, B), seed=0) == [""] * 5


def test_what_lies_apart_alone_is_no_part() -> None:
    # The two that lie apart go with the part that they are nearer to.
    found = tree_paths(around(*[A] * 5, *[B] * 4, (-0.2, 1, -1), (1, -0.2, -1)), seed=0)
    assert [path[0] for path in found] == [*"00000", *"1111", *"10"]


def test_messages_that_are_all_the_same_do_not_fall_into_parts() -> None:
    assert tree_paths(np.ones((20, 4), dtype=np.float32), seed=0) == [""] * 20


def test_of_a_large_group_the_others_join_the_nearer_part() -> None:
    found = tree_paths(around(*[A] * 1300, *[B] * 1100, *[C] * 600, spread=0.05), seed=0)
    sides = [
        "".join(sorted({path[:1] for path in found[start:end]})) for start, end in ((0, 1300), (1300, 3000))
    ]
    assert sides == ["1", "0"]
    assert len({path[:2] for path in found[1300:2400]}) == 1


def test_every_draft_is_parted_for_itself() -> None:
    features = around(*[A, B] * 3, *[B, C] * 3, *[A, C] * 6)
    new, known = Placement(NEW, "refund", 1, ""), Placement(KNOWN, "greet", 1, "")
    left, trained = Placement(LEFT_OVER, None, 1, ""), Placement(KNOWN, "greet", 1, "")
    placements = [trained, *[new] * 6, *[known] * 6, *[left] * 6, *[trained] * 6]
    labels = np.array([UNLABELED] * 18 + [0] * 6)
    paths = split_paths(Points(np.arange(1, 25), features, labels), placements, 0, NOTHING_SAID)
    assert sorted(paths) == list(range(1, 13))
    assert {paths[row] for row in (1, 3, 5)} | {paths[row] for row in (2, 4, 6)} == {"0", "1"}
    assert len({paths[row] for row in (7, 9, 11)}) == 1


@settings(deadline=None)
@given(
    st.lists(st.tuples(*[st.integers(-3, 3)] * 3).filter(any), max_size=60),
    st.integers(0, 3),
)
def test_a_path_leads_through_parts_that_are_large_enough(points: list[tuple[int, ...]], seed: int) -> None:
    features = np.array(points, dtype=np.float32).reshape(-1, 3)
    paths = tree_paths(features, seed)
    assert paths == tree_paths(features, seed)
    parts: dict[str, int] = defaultdict(int)
    for path in paths:
        assert len(path) <= PROPOSALS.split_depth
        for length in range(len(path) + 1):
            parts[path[:length]] += 1
    for part, size in parts.items():
        if part:
            assert size >= GROUPING.fewest_rows
        if part + "0" in parts or part + "1" in parts:
            assert parts[part + "0"] + parts[part + "1"] == size
            assert parts[part + "0"] >= parts[part + "1"]


@pytest.mark.parametrize("n", [0, 1])
def test_nothing_to_part(n: int) -> None:
    assert tree_paths(np.ones((n, 3), dtype=np.float32), seed=0) == [""] * n
