"""What is new by the densities of log and examples."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from plain_groups import around

from rasa_intent_discovery.clustering import novelty as module
from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.novelty import Novelty, novelty
from rasa_intent_discovery.datatypes import UNLABELED


def random_rows(n: int, seed: int) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(n, 6))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def labels_of(examples: int, logged: int) -> np.ndarray:
    return np.array([0] * examples + [UNLABELED] * logged)


def test_where_the_log_is_denser_than_the_examples_is_new() -> None:
    among_examples, elsewhere = np.linspace(0, 20, 12), np.linspace(180, 200, 12)
    features = around(*np.linspace(1, 19, 12), *among_examples, *elsewhere)

    found = novelty([features], labels_of(12, 24), seed=0)

    assert found.flagged.tolist() == [False] * 24 + [True] * 12
    assert found.score[:12].tolist() == [0.0] * 12
    assert found.typical == pytest.approx(float(np.median(found.score[24:])))


def test_a_known_intent_that_is_wide_is_not_new_where_its_examples_are() -> None:
    # No example is nearer than 12 degrees: as far as from one message to the next.
    features = around(*np.linspace(0, 264, 12), *np.linspace(12, 276, 12))

    assert not novelty([features], labels_of(12, 12), seed=0).flagged.any()


def test_what_is_not_of_the_intent_around_it_is_new() -> None:
    features = around(*np.linspace(0, 20, 12), *np.linspace(180, 200, 12), *np.linspace(1, 19, 12))
    labels = np.array([0] * 12 + [1] * 12 + [UNLABELED] * 12)
    every = np.arange(24, 36)

    def flagged(*intents: int) -> list[bool]:
        refused = [(row, intent) for row in every.tolist() for intent in intents]
        found = novelty([features], labels, 0, np.array(refused, dtype=np.int64).reshape(-1, 2))
        return found.flagged[24:].tolist()

    assert flagged() == flagged(1) == [False] * 12
    assert flagged(0) == flagged(0, 1) == [True] * 12


def test_many_that_repeat_each_other_make_the_log_no_denser() -> None:
    """Among the examples twelve messages, and sixty that differ in a number alone; twelve elsewhere."""
    among_examples = [*np.linspace(1, 19, 12), *np.linspace(9, 9.4, 60)]
    features = around(*np.linspace(0, 20, 12), *among_examples, *np.linspace(180, 200, 12))
    labels = labels_of(12, 84)
    repeated = np.array([*range(24), *[24] * 60, *range(25, 37)])

    assert novelty([features], labels, seed=0).flagged[24:84].all()
    found = novelty([features], labels, seed=0, repeated=repeated)
    assert found.flagged.tolist() == [False] * 84 + [True] * 12
    one_template = novelty([features], labels, seed=0, repeated=np.zeros(96, dtype=np.int64))
    assert one_template.score.tolist() == novelty([features], labels, seed=0).score.tolist()


@pytest.mark.parametrize(("examples", "logged"), [(10, 30), (30, 10), (5, 70), (7, 7)])
def test_the_score_is_the_one_written_out(examples: int, logged: int) -> None:
    features, labels = random_rows(examples + logged, seed=examples), labels_of(examples, logged)
    known, log = features[:examples], features[examples:]
    ranks = range(1, min(GROUPING.novelty_ranks, examples) + 1)
    own, nearest = [], []
    for row, message in enumerate(log):
        to_known = sorted(known @ message, reverse=True)
        others = sorted(((other @ message, place) for place, other in enumerate(log) if place != row))[::-1]
        matched = [min(max(round(rank * logged / examples), 1), logged - 1) for rank in ranks]
        pairs = zip(ranks, matched, strict=True)
        own.append(np.mean([others[to - 1][0] - to_known[rank - 1] for rank, to in pairs]))
        nearest.append(others)
    unit = 1.0 - np.median([others[0][0] for others in nearest])
    smoothed = min(GROUPING.novelty_neighbors, max(1, logged // GROUPING.rows_for_neighbor))
    around_it = [np.mean([own[place] for _, place in others[:smoothed]]) for others in nearest]
    share = GROUPING.novelty_smoothing

    found = novelty([features], labels, seed=0)

    expected = ((1 - share) * np.array(own) + share * np.array(around_it)) / unit
    if examples > logged:
        weight = GROUPING.novelty_apart * (1.0 - logged / examples)
        far = np.array([apart(message, known, len(ranks)) for message in log])
        expected += weight * (far - max(0.0, np.quantile(far, GROUPING.surely_known))) / unit
    assert found.score[examples:] == pytest.approx(expected, abs=1e-4)


def apart(message: np.ndarray, known: np.ndarray, ranks: int) -> float:
    """How much farther a message is from its nearest examples than these are from theirs."""
    nearest = np.argsort(-(known @ message))[:ranks]
    theirs = [np.sort(np.delete(known @ known[place], place))[::-1][:ranks].mean() for place in nearest]
    return float(np.mean(theirs) - np.mean(known[nearest] @ message))


def test_beside_many_examples_a_lone_message_far_from_all_is_new() -> None:
    # It is nearer to an example than to any message, but the examples are much nearer to each other.
    features = around(*np.linspace(0, 30, 31), 4.5, 11.5, 15.5, 22.5, 60.0)

    found = novelty([features], labels_of(31, 5), seed=0)

    assert found.flagged.tolist() == [False] * 35 + [True]


def test_that_people_write_otherwise_than_the_examples_is_not_new(monkeypatch: pytest.MonkeyPatch) -> None:
    # All messages are as far beside the line on which the examples are.
    turns = np.deg2rad([*range(31), 2, 9, 15, 22, 29])
    rows = np.stack([np.cos(turns), np.sin(turns), [0.0] * 31 + [0.05] * 5], axis=1)
    features = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    monkeypatch.setattr(module, "GROUPING", replace(GROUPING, novelty_apart=100.0))

    assert not novelty([features], labels_of(31, 5), seed=0).flagged.any()


def test_views_are_averaged() -> None:
    one, other, labels = random_rows(40, seed=1), random_rows(40, seed=2), labels_of(10, 30)

    both = novelty([one, other], labels, seed=0).score

    expected = (novelty([one], labels, seed=0).score + novelty([other], labels, seed=0).score) / 2
    assert both == pytest.approx(expected, abs=1e-5)


def test_what_is_asked_grows_with_what_is_typical() -> None:
    found = novelty([around(0, 1, *np.linspace(180, 181, 30), 3, 5)], labels_of(2, 32), seed=0)

    least = max(GROUPING.least_novelty, GROUPING.least_of_typical * found.typical)
    assert found.flagged.tolist() == (found.score > least).tolist()
    assert found.typical * GROUPING.least_of_typical > GROUPING.least_novelty


@pytest.mark.parametrize(("examples", "logged"), [(3, 0), (3, 1), (0, 3)])
def test_without_log_or_examples_nothing_is_new(examples: int, logged: int) -> None:
    found = novelty([random_rows(examples + logged, seed=0)], labels_of(examples, logged), seed=0)

    assert not found.flagged.any()
    assert found.typical == 0.0


def test_a_large_log_is_held_against_a_part_of_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GROUPING", replace(GROUPING, most_log_rows=40))
    features = around(*np.linspace(0, 80, 80), *np.linspace(0, 80, 60), *np.linspace(180, 260, 60))

    found = novelty([features], labels_of(80, 120), seed=0)

    assert found.flagged.tolist() == [False] * 140 + [True] * 60
    # It is large all the same: what tells of a small one has no say.
    monkeypatch.setattr(module, "GROUPING", replace(GROUPING, most_log_rows=40, novelty_apart=100.0))
    assert novelty([features], labels_of(80, 120), seed=0).score.tolist() == found.score.tolist()


def test_the_mean_score_of_groups() -> None:
    found = Novelty(np.array([1.0, 3.0, 2.0, 9.0], dtype=np.float32), np.ones(4, dtype=bool), typical=2.0)

    assert found.mean_score(np.array([0, 0, 1, -1]), 3).tolist() == [2.0, 2.0, 0.0]
