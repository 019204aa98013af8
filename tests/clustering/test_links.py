"""What a person said of pairs of rows, on rows and pieces that are written out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rasa_intent_discovery.clustering.links import Links

NOTHING = np.zeros((0, 2), dtype=np.int64)


def links(together: Sequence[tuple[int, int]] = (), apart: Sequence[tuple[int, int]] = ()) -> Links:
    return Links(*(np.array(pairs, dtype=np.int64).reshape(-1, 2) for pairs in (together, apart)))


def test_among_some_rows_the_pairs_are_told_by_their_places() -> None:
    found = links([(7, 2), (2, 3)], [(9, 7)]).among(np.array([9, 7, 2]))

    assert found.together.tolist() == [[1, 2]]
    assert found.apart.tolist() == [[0, 1]]


def test_a_piece_with_rows_of_two_intents_is_divided_between_them() -> None:
    angles = np.radians([0, 5, 20, 30, 90])
    unit = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    pieces = np.array([0, 0, 0, 0, 1])

    assert links(apart=[(0, 3)]).parted(unit, pieces).tolist() == [0, 0, 2, 2, 1]
    assert links(apart=[(0, 4)]).parted(unit, pieces).tolist() == pieces.tolist()


def test_what_was_said_to_be_of_one_intent_is_not_torn_where_a_piece_is_divided() -> None:
    angles = np.radians([0, 30, 20, 29, 2])  # the third is closer to the second, and the last to the first
    unit = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    piece = np.zeros(5, dtype=np.int64)

    assert links(apart=[(0, 1)]).parted(unit, piece).tolist() == [0, 1, 1, 1, 0]
    said = links(together=[(0, 2), (1, 4)], apart=[(0, 1)])
    assert said.parted(unit, piece).tolist() == [0, 1, 0, 1, 1]
    assert said.united(said.parted(unit, piece)).tolist() == [0, 1, 0, 1, 1]
    others = links(together=[(2, 4)], apart=[(0, 1)])  # of one intent with neither: both go to the closer one
    assert others.parted(unit, piece).tolist() == [0, 1, 0, 1, 0]
    against = links(together=[(0, 2), (2, 1)], apart=[(0, 1)])
    assert against.parted(unit, piece)[:2].tolist() == [0, 1], "two that are apart are, whatever else is said"


def test_pieces_with_rows_of_one_intent_are_one() -> None:
    pieces = np.array([0, 1, 2, 3, 3])

    assert links([(0, 2), (2, 3)]).united(pieces).tolist() == [0, 1, 0, 0, 0]
    assert links().united(pieces).tolist() == [0, 1, 2, 3, 3]


def test_what_is_of_two_intents_stays_two_whatever_else_is_said() -> None:
    said = links(together=[(0, 1), (1, 2)], apart=[(0, 2)])

    united = said.united(np.array([0, 1, 2]))

    assert united.tolist() == [0, 0, 1], "the first answer holds, the second would contradict the third"
    assert said.held_apart(united).tolist() == [[False, True], [True, False]]


def test_two_rows_that_are_read_alike_are_two_intents_where_that_was_said() -> None:
    unit = np.ones((4, 2), dtype=np.float32) / np.sqrt(2, dtype=np.float32)

    assert links(apart=[(0, 1)]).parted(unit, np.zeros(4, dtype=np.int64)).tolist() == [0, 1, 0, 0]
    in_one_piece = links(together=[(2, 3)], apart=[(0, 1)]).united(np.array([0, 0, 1, 2]))
    assert in_one_piece.tolist() == [0, 0, 1, 1], "an answer that cannot be kept voids no other"


def test_rounding_does_not_keep_two_in_one_piece_that_were_said_to_be_two() -> None:
    unit = np.array([[1.0, 0.0], [1.0000001, 0.0], [0.0, 1.0]], dtype=np.float32)

    assert links(apart=[(0, 1)]).parted(unit, np.zeros(3, dtype=np.int64)).tolist() == [0, 1, 0]


def test_nothing_holds_apart_where_nothing_was_said() -> None:
    assert Links.none().held_apart(np.array([0, 1])).tolist() == [[False] * 2] * 2
    assert Links.none().among(np.array([4, 5])).together.shape == (0, 2)
