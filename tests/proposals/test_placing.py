"""Where messages belong that were not learnt from, by the learnt ones nearest to them."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from rasa_intent_discovery.clustering import neighbor_vote
from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW, UNLABELED, Placement, Points
from rasa_intent_discovery.proposals.placing import Placer
from rasa_intent_discovery.proposals.reasons import BORDERLINE, EXAMPLE, FAR, IN_PROPOSAL, NEAR_KNOWN, RARE


def at(*angles: float) -> np.ndarray:
    """Rows of length 1; (n, 3). From 360 on they stand upright, far from all others."""
    radians = np.radians(angles)
    rows = np.stack([np.cos(radians), np.sin(radians), np.zeros(len(angles))], axis=1)
    rows[np.array(angles) >= 360] = (0.0, 0.0, 1.0)
    return rows.astype(np.float32)


ANGLES = (0, 1, 2, 20, 21, 22, 90, 91, 92, 93, 180, 181, 182, 270, 271, 272)
GIVEN = (
    *[Placement(NEW, "refund", 0.9, IN_PROPOSAL)] * 3,
    *[Placement(NEW, "invoice", 0.9, IN_PROPOSAL)] * 3,
    *[Placement(KNOWN, "greet", 1.0, EXAMPLE)] * 3,
    Placement(KNOWN, "greet", 0.8, BORDERLINE),
    *[Placement(LEFT_OVER, None, 0.5, RARE)] * 3,
    *[Placement(KNOWN, "out_of_scope", 1.0, EXAMPLE)] * 3,
)
REJECTING = ["out_of_scope"]
LABELS = [UNLABELED] * 6 + [0] * 3 + [UNLABELED] * 4 + [1] * 3


def placed(*angles: float, least: float | None = None) -> list[Placement]:
    points = Points(np.arange(len(ANGLES)), at(*ANGLES), np.array(LABELS))
    placer = Placer.of(points, points.features, GIVEN, REJECTING, seed=0)
    placer = placer if least is None else dataclasses.replace(placer, least=least)
    return [*placer.placements(placer(at(*angles), at(*angles)))]


@pytest.fixture(autouse=True)
def three_voters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbor_vote, "GROUPING", dataclasses.replace(GROUPING, voters=3))


@pytest.mark.parametrize(
    ("angle", "placement", "intent", "reason"),
    [
        (1, NEW, "refund", IN_PROPOSAL),
        (21, NEW, "invoice", IN_PROPOSAL),
        (90, KNOWN, "greet", NEAR_KNOWN),
        (93, KNOWN, "greet", BORDERLINE),
        (181, LEFT_OVER, None, RARE),
        (271, LEFT_OVER, None, "is closest to the examples of out_of_scope"),
        (360, LEFT_OVER, None, FAR),
    ],
)
def test_a_message_has_the_place_of_those_nearest_to_it_and_their_reason(
    angle: float, placement: str, intent: str | None, reason: str
) -> None:
    [found] = placed(angle)

    assert (found.placement, found.intent, found.reason) == (placement, intent, reason)
    assert 0.0 <= found.confidence <= 1.0


def test_it_is_surer_in_the_middle_of_a_proposal_than_between_two() -> None:
    middle, between = placed(0, 9)

    assert middle.confidence > between.confidence


def test_it_is_no_surer_of_a_known_intent_than_the_row_that_it_is_like() -> None:
    of_example, of_message = placed(90, 93)

    assert of_example.confidence > 0.9
    assert of_message.confidence == pytest.approx(0.8)


def test_of_several_places_that_with_most_votes_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    every = dataclasses.replace(GROUPING, voters=len(ANGLES), voting_temperature=1000.0)
    monkeypatch.setattr(neighbor_vote, "GROUPING", every)

    [found] = placed(0, least=-1.0)

    # All rows vote alike: three for each proposal, four for the known intent, and six for none.
    assert (found.placement, found.intent) == (LEFT_OVER, None)


def test_a_block_says_which_learnt_message_is_like_each() -> None:
    points = Points(np.arange(len(ANGLES)), at(*ANGLES), np.array(LABELS))
    placer = Placer.of(points, points.features, GIVEN, REJECTING, seed=0)

    block = placer(at(1.1, 270, 360), at(1.1, 270, 360))

    assert block.like.tolist() == [1, 13, -1]
    assert [placer.places[place] for place in block.place] == [(NEW, "refund"), (LEFT_OVER, None)] + [
        (LEFT_OVER, None)
    ]
    assert block.closeness[0] == pytest.approx(1.0, abs=0.001)


def test_what_was_placed_by_others_is_told_apart_from_what_was_placed_by_these() -> None:
    points = Points(np.arange(len(ANGLES)), at(*ANGLES), np.array(LABELS))
    placer = Placer.of(points, points.features, GIVEN, REJECTING, seed=0)
    again = Placer.of(points, points.features, GIVEN, REJECTING, seed=0)
    other_vote = dataclasses.replace(placer.vote, rows=placer.vote.rows[::-1])
    others = [
        dataclasses.replace(placer, least=placer.least + 0.01),
        dataclasses.replace(placer, vote=other_vote),
        dataclasses.replace(placer, of_points=placer.of_points[::-1]),
        dataclasses.replace(placer, centers=-placer.centers),
        *(
            Placer.of(points, points.features, [Placement(NEW, *first), *GIVEN[1:]], REJECTING, seed=0)
            for first in (("refunds", 0.9, IN_PROPOSAL), ("refund", 0.9, BORDERLINE))
        ),
    ]

    assert again.digest() == placer.digest()
    assert len({placer.digest(), *(other.digest() for other in others)}) == 1 + len(others)
