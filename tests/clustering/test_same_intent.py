"""Whether two pieces are one intent, on pieces whose angles are written out."""

from __future__ import annotations

import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest

from rasa_intent_discovery.clustering import same_intent
from rasa_intent_discovery.clustering.same_intent import Pieces, SameIntent, linked_rows


def rows_of(n: int, seed: int) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(n, 5))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def tables(pieces: Pieces) -> list[np.ndarray]:
    return [pieces.sizes, pieces.products, pieces.links, pieces.clusters]


def test_products_and_links_are_those_written_out() -> None:
    unit = rows_of(30, seed=0)
    numbers = np.arange(30) % 4

    pieces = Pieces.of(unit, numbers)

    cosines = unit @ unit.T
    for one in range(4):
        for other in range(4):
            inside, there = numbers == one, numbers == other
            assert pieces.products[one, other] == pytest.approx(cosines[inside][:, there].sum(), abs=1e-4)
            links = 0
            for row in np.flatnonzero(inside):
                nearest = [other_row for other_row in np.argsort(-cosines[row]) if other_row != row][:10]
                links += int((numbers[nearest] == other).sum())
            assert pieces.links[one, other] == links


def test_pieces_that_are_united_are_as_if_they_had_been_one() -> None:
    unit, numbers = rows_of(40, seed=1), np.arange(40) % 5
    parts = np.array([0, 1, 0, 2, 1])

    clusters = np.arange(40) % 3
    united = Pieces.of(unit, numbers, clusters).united(parts)

    for ours, theirs in zip(tables(united), tables(Pieces.of(unit, parts[numbers], clusters)), strict=True):
        assert ours == pytest.approx(theirs, abs=1e-4)


def test_uniting_in_place_says_the_same() -> None:
    unit, numbers = rows_of(40, seed=2), np.arange(40) % 4
    pieces = Pieces.of(unit, numbers)

    pieces.unite(1, 3)

    expected = Pieces.of(unit, np.where(numbers == 3, 1, numbers))
    for ours, theirs in zip(tables(pieces), tables(expected), strict=True):
        assert ours[:3][..., :3] == pytest.approx(theirs, abs=1e-4)


def test_evidence_after_uniting_in_place_is_that_of_pieces_that_had_been_one() -> None:
    unit, numbers = rows_of(40, seed=3), np.arange(40) % 5
    linked = linked_rows(unit, beside=rows_of(20, seed=4))
    pieces = Pieces.of(unit, numbers, linked=linked)

    pieces.unite(0, 4)
    pieces.unite(1, 3)

    as_one = Pieces.of(unit, np.array([0, 1, 2, 1, 0])[numbers], linked=linked)
    ones, others = np.array([0, 0, 1]), np.array([1, 2, 2])
    assert pieces.evidence(ones, others) == pytest.approx(as_one.evidence(ones, others), abs=1e-4)


def test_evidence_is_symmetric_and_tells_near_from_far() -> None:
    unit = np.eye(4, dtype=np.float32)[[0, 0, 0, 0, 1, 1]]
    unit[2:4] += 0.5 * np.eye(4, dtype=np.float32)[2]
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    pieces = Pieces.of(unit, np.array([0, 0, 1, 1, 2, 2]))

    near, far = pieces.evidence(np.array([0, 0]), np.array([1, 2]))

    assert near.tolist() == pieces.evidence(np.array([1]), np.array([0]))[0].tolist()
    assert near[0] == pytest.approx(1 / np.sqrt(1.25), abs=1e-5)
    assert near[1] == pytest.approx(near[0], abs=1e-5)  # within both pieces all rows are the same
    assert far[0] == far[1] == 0.0
    assert near[6:].tolist() == [np.log(2)] * 2


def clumps(pairs: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of intents of two pieces each; the piece and the intent of each row."""
    rng = np.random.default_rng(seed)
    of_piece = np.repeat(np.arange(2 * pairs), 6)
    centers = (
        np.eye(pairs)[np.arange(2 * pairs) // 2] + 0.25 * rng.normal(size=(2 * pairs, pairs)) / pairs**0.5
    )
    rows = centers[of_piece] + 0.1 * rng.normal(size=(len(of_piece), pairs))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32), of_piece, of_piece // 2


def test_pieces_are_merged_as_those_of_known_intents_belong_together() -> None:
    rng = np.random.default_rng(0)
    unit, pieces, _ = clumps(20, seed=0)
    new, new_pieces, new_intents = clumps(12, seed=1)

    same = SameIntent.learnt(Pieces.of(unit, pieces), np.arange(40) // 2, rng)
    merged = same.merged(Pieces.of(new, new_pieces)).parts

    assert [merged[piece] == merged[piece + 1] for piece in range(0, 24, 2)] == [True] * 12
    assert len(np.unique(merged)) == 12
    assert len(np.unique(new_intents)) == 12


def test_where_known_intents_are_narrow_the_same_pieces_stay_apart() -> None:
    rng = np.random.default_rng(0)
    unit, pieces, _ = clumps(20, seed=0)
    # Each piece is an intent of its own here; a few of them were cut in two by chance.
    halved = np.where(np.arange(len(pieces)) % 2, pieces, pieces + 40)
    intents = np.concatenate([np.arange(40), np.arange(40)])
    new, new_pieces, _ = clumps(12, seed=1)

    same = SameIntent.learnt(Pieces.of(unit, halved), intents, rng)

    assert len(np.unique(same.merged(Pieces.of(new, new_pieces)).parts)) == 24


def test_odds_fall_where_two_large_pieces_lie_in_different_clusters() -> None:
    numbers = np.repeat([0, 1, 2], [60, 30, 5])
    in_two_clusters = np.repeat([0, 1, 0, 1], [60, 15, 15, 5])
    unit = rows_of(95, seed=4)
    ones, others = np.array([0, 0, 1]), np.array([1, 2, 2])

    left = Pieces.of(unit, numbers, in_two_clusters).odds_left(ones, others)

    assert left[0] == pytest.approx(15 / 30), "half of the smaller one lies in the other one's cluster"
    assert left[1:].tolist() == [1.0, 1.0], "of five rows the clusters know nothing"
    assert Pieces.of(unit, numbers).odds_left(ones, others).tolist() == [1.0] * 3


def test_large_pieces_that_may_be_one_stay_apart_where_the_clusters_tell_them_apart() -> None:
    unit, pieces = rows_of(80, seed=5), np.repeat([0, 1], 40)
    likely_one = SameIntent(SimpleNamespace(predict_proba=lambda rows: np.tile([0.4, 0.6], (len(rows), 1))))

    assert likely_one.merged(Pieces.of(unit, pieces)).parts.tolist() == [0, 0]
    assert likely_one.merged(Pieces.of(unit, pieces, clusters=pieces)).parts.tolist() == [0, 1]
    assert likely_one.likely(Pieces.of(unit, pieces, clusters=pieces))[0, 1] == 0.6, "a family all the same"


def test_what_is_beside_the_pieces_is_among_what_leads_outside_them() -> None:
    """Two pieces of six rows with four others behind each: a row has ten neighbours, five in its own piece.

    The tenth of the first piece is in the second one, that of the second one behind the first.
    """
    angles = np.radians([*range(0, 6), *range(90, 96), *range(6, 10), *range(96, 100)])
    unit = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    pieces, beside = np.arange(12) // 6, unit[12:]
    ones, others = np.array([0]), np.array([1])

    alone = Pieces.of(unit[:12], pieces)
    among = Pieces.of(unit[:12], pieces, linked=linked_rows(unit[:12], beside))

    assert alone.evidence(ones, others)[0, 3:6].tolist() == [1.0] * 3
    assert among.links.diagonal().tolist() == alone.links.diagonal().tolist() == [30.0, 30.0]
    assert among.evidence(ones, others)[0, 3:6] == pytest.approx([0 / 30, 6 / 30, 6 / 60])


def test_pairs_are_told_of_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    unit, pieces = rows_of(60, seed=5), np.arange(60) % 30

    def by_cosine(rows: np.ndarray) -> np.ndarray:
        likely = np.clip(rows[:, 0] * 0.3 + 0.1, 0, 0.34)
        return np.stack([1 - likely, likely], axis=1)

    same = SameIntent(SimpleNamespace(predict_proba=by_cosine))
    whole = same.likely(Pieces.of(unit, pieces))
    monkeypatch.setattr(same_intent, "_PAIRS_AT_A_TIME", 7)

    assert same.likely(Pieces.of(unit, pieces)).tolist() == whole.tolist()
    merged = same.merged(Pieces.of(unit, pieces))
    assert merged.parts.tolist() == list(range(30)), "nothing is likely enough"
    assert len(merged.ones) == 0


def test_beside_what_tells_of_pieces_there_is_one_table_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    k = 1000
    pieces = Pieces.of(rows_of(k, seed=5), np.arange(k))
    unlikely = SimpleNamespace(predict_proba=lambda rows: np.tile([0.9, 0.1], (len(rows), 1)))
    monkeypatch.setattr(same_intent, "_PAIRS_AT_A_TIME", 1000)
    tracemalloc.start()
    try:
        SameIntent(unlikely).merged(pieces)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 1.5 * 8 * k**2


def test_sizes_are_not_asked_where_large_pieces_would_be_merged_the_sooner(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fitted, original, larger = [], same_intent._fitted, [0.0]

    def watched(evidence: np.ndarray, same: np.ndarray, *first: object) -> object:
        evidence = evidence.copy()
        evidence[:, same_intent._SIZES] += larger[-1] * same[:, None]
        fitted.append(original(evidence, same, *first))
        return fitted[-1]

    monkeypatch.setattr(same_intent, "_fitted", watched)
    unit, pieces, _ = clumps(20, seed=0)
    for more in (0.0, 5.0):  # by which what is of one intent is larger than all else
        larger.append(more)
        SameIntent.learnt(Pieces.of(unit, pieces), np.arange(40) // 2, np.random.default_rng(0))
    without, first, second = (model[-1].coef_[0] for model in fitted)
    assert without[same_intent._SIZES].sum() <= 0 < first[same_intent._SIZES].sum()
    assert (len(without), len(first), len(second)) == (8, 8, 6)


def test_of_too_few_known_intents_nothing_is_learnt_and_nothing_merged() -> None:
    unit, pieces, _ = clumps(2, seed=0)

    same = SameIntent.learnt(Pieces.of(unit, pieces), np.array([0, 0, 1, 1]), np.random.default_rng(0))

    assert same.model is None
    assert same.merged(Pieces.of(unit, pieces)).parts.tolist() == [0, 1, 2, 3]


def test_two_parts_of_one_intent_are_likely_one_and_two_intents_are_not() -> None:
    unit, pieces, _ = clumps(20, seed=0)
    new, new_pieces, _ = clumps(3, seed=1)

    same = SameIntent.learnt(Pieces.of(unit, pieces), np.arange(40) // 2, np.random.default_rng(0))
    likely = same.likely(Pieces.of(new, new_pieces))

    parts = np.array([[one // 2 == other // 2 for other in range(6)] for one in range(6)])
    np.fill_diagonal(parts, False)
    assert (likely > 0.5).tolist() == parts.tolist()
    assert likely.tolist() == likely.T.tolist()
    assert np.diag(likely).tolist() == [0.0] * 6


def test_of_what_is_not_learnt_nothing_is_likely() -> None:
    unit, pieces, _ = clumps(2, seed=0)
    assert SameIntent(None).likely(Pieces.of(unit, pieces)).tolist() == [[0.0] * 4] * 4
