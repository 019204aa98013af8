"""Which known intent a message would belong to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from plain_groups import around

from rasa_intent_discovery.clustering import known_intents
from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.known_intents import KnownIntents
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.datatypes import UNLABELED


def known_of(features: np.ndarray, labels: list[int]) -> KnownIntents:
    """In one view."""
    return KnownIntents.of(features, features, np.array(labels))


@pytest.fixture(autouse=True)
def all_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples that are a few degrees apart are different ones."""
    monkeypatch.setattr(known_intents, "GROUPING", replace(GROUPING, near_duplicate=0.0))


LABELS = [0, 0, 0, 1, 1, 1]
EXAMPLES = [0, 4, 8, 100, 104, 108]


def test_a_message_belongs_to_the_intent_on_its_side() -> None:
    known = known_of(around(*EXAMPLES, 30, 70), [*LABELS, UNLABELED, UNLABELED])

    assert known.intents.tolist() == [*LABELS, 0, 1]
    assert known.closeness[6:] == pytest.approx(np.cos(np.radians([22, 30])))
    assert known.usual == pytest.approx(np.cos(np.radians([4] * 6)))


def test_examples_that_nearly_repeat_each_other_say_nothing_of_how_close_messages_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(known_intents, "GROUPING", GROUPING)
    apart = [0, 50, 100, 180, 230, 280]
    twice = [angle + more for angle in apart for more in (0, 5)]

    known = known_of(around(*twice, 25), [*np.repeat(LABELS, 2).tolist(), UNLABELED])

    assert known.usual == pytest.approx(np.cos(np.radians([50] * 6)))
    assert known.closeness[:12] == pytest.approx(np.cos(np.radians([5] * 12)))
    assert known.explaining(np.zeros(13, dtype=bool))[12] == 0
    unlike = known_of(around(*apart, 25), [*LABELS, UNLABELED])
    assert unlike.usual == pytest.approx(known.usual)


def test_an_intent_of_many_things_has_no_centre_to_be_near_to() -> None:
    # Intent 0 lies on both sides of intent 1: its centre is in the middle of the other one.
    features = around(0, 3, 6, 74, 77, 80, 37, 40, 43, 5, 75, 41)

    known = known_of(features, [0] * 6 + [1] * 3 + [UNLABELED] * 3)

    assert known.closeness[9:] == pytest.approx(np.cos(np.radians([1, 1, 1])))
    assert known.intents[-1] == 1


def test_a_message_that_is_not_of_its_intent_is_of_the_next_one_but_no_surer() -> None:
    features, labels = around(*EXAMPLES, 45, 45), np.array([*LABELS, UNLABELED, UNLABELED])

    known = KnownIntents.of(features, features, labels, np.array([[7, 0]]))

    assert known.intents[6:].tolist() == [0, 1]
    assert known.likely[7, 0] == 0.0 and known.likely[7, 1] == known.likely[6, 1] < 0.5
    assert known.closeness[6:] == pytest.approx(np.cos(np.radians([37, 55])))
    assert known.explaining(np.zeros(8, dtype=bool))[7] == UNGROUPED
    of_none = KnownIntents.of(features, features, labels, np.array([[7, 0], [7, 1]]))
    assert of_none.explaining(np.zeros(8, dtype=bool))[7] == UNGROUPED


def test_a_message_that_is_not_of_its_intent_is_near_to_no_other_unless_that_one_is_likely() -> None:
    def close(degrees: float) -> float:
        features, labels = around(*EXAMPLES, degrees), np.array([*LABELS, UNLABELED])
        return float(KnownIntents.of(features, features, labels, np.array([[6, 0]])).closeness[6])

    assert close(50) == pytest.approx(np.cos(np.radians(50)))
    assert close(20) == -1.0


def test_a_message_between_two_intents_is_less_surely_of_one_than_one_beyond() -> None:
    known = known_of(around(*EXAMPLES, -20, 52, 52), [*LABELS, *[UNLABELED] * 3])

    sure = known.sureness(np.array([*LABELS, 0, 0, UNGROUPED]))
    assert sure[:6].tolist() == [1.0] * 6, "examples"
    assert 0.9 < sure[6] < 1.0
    assert 0.4 < sure[7] < 0.6
    assert sure[8] == 1.0, "asked of no intent"


def test_what_is_farther_than_examples_are_from_each_other_is_explained_by_none() -> None:
    known = known_of(around(*EXAMPLES, 6, 20, 106), [*LABELS, *[UNLABELED] * 3])

    assert known.explaining(np.zeros(9, dtype=bool)).tolist() == [*LABELS, 0, UNGROUPED, 1]


def test_of_what_looks_new_more_closeness_is_asked() -> None:
    # One example in five is 30 degrees from the next: as close as that is enough unless it looks new.
    features = around(0, 1, 2, 3, 4, 5, 6, 7, 8, 38, 30, 30)
    labels = [0] * 10 + [UNLABELED] * 2

    flagged = np.array([False] * 11 + [True])
    found = known_of(features, labels).explaining(flagged)

    assert found[10:].tolist() == [0, 0]
    far = known_of(around(0, 1, 2, 3, 4, 5, 6, 7, 8, 38, 57, 57), labels).explaining(flagged)
    assert far[10:].tolist() == [0, UNGROUPED]


def test_one_intent_with_one_example_takes_all() -> None:
    known = known_of(around(0, 90), [0, UNLABELED])

    assert known.intents.tolist() == [0, 0]
    assert known.sureness(known.intents).tolist() == [1.0, 1.0]


def test_an_intent_claims_the_group_that_lies_beyond_its_examples_more_than_one_between() -> None:
    known = known_of(around(*EXAMPLES, -20, -22, 50, 62), [*LABELS, *[UNLABELED] * 4])

    beyond, between, nothing = known.claims(np.array([*[UNGROUPED] * 6, 0, 0, 1, 1]), 3).max(1)
    assert 0.5 <= between < beyond
    assert nothing == 0.0
