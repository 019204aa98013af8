"""Groups of points that are close enough, on points whose angles are written out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rasa_intent_discovery.clustering import groups as module
from rasa_intent_discovery.clustering.groups import (
    Groups,
    clusters_as_groups,
    dense_groups,
    groups_among_neighbors,
)
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.numbers import CLUSTERING
from rasa_intent_discovery.clustering.stability import cluster_stability
from rasa_intent_discovery.datatypes import UNLABELED, Clustering, Points


def around(*degrees: float) -> np.ndarray:
    """Points on the unit circle."""
    angles = np.radians(degrees)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def grouped(
    features: np.ndarray, labels: list[int], clusters: list[int] | None = None, share: float = 0.5
) -> Groups:
    """The groups of all rows; unless said each row's cluster is its own intent, or the first new one."""
    known = max(labels) + 1
    if clusters is None:
        clusters = [known if label == UNLABELED else label for label in labels]
    clustering = Clustering(np.array(clusters), np.zeros((max(clusters) + 1, 2), dtype=np.float32))
    points = Points(np.arange(len(labels)), features, np.array(labels))
    return dense_groups(points, clustering, share, seed=0)


def groups_of(features: np.ndarray, assignments: np.ndarray, near: float) -> Groups:
    """Groups of rows without labels, all of them stable and belonging together."""
    k = int(assignments.max(initial=1)) + 1
    points = Points(np.arange(len(features)), features, np.full(len(features), UNLABELED))
    return Groups(points, assignments, np.ones(k), np.ones(k), near)


KNOWN = [0, 2, 4, 100, 102, 104]
LABELS = [0, 0, 0, 1, 1, 1]


def test_what_is_close_is_a_group_and_what_is_alone_is_none() -> None:
    found = grouped(around(*KNOWN, 200, 203, 206, 280), LABELS + [UNLABELED] * 4)

    assert found.assignments.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, UNGROUPED]
    assert found.k == 3
    assert found.stability.shape == found.belonging.shape == (3,)


def test_a_message_close_to_known_examples_is_in_their_group() -> None:
    found = grouped(around(*KNOWN, 6, 96), LABELS + [UNLABELED] * 2)

    assert found.assignments.tolist() == [0, 0, 0, 1, 1, 1, 0, 1]


def test_two_are_no_group() -> None:
    found = grouped(around(*KNOWN, 200, 201), LABELS + [UNLABELED] * 2)

    assert found.assignments.tolist()[6:] == [UNGROUPED] * 2
    assert found.k == 2


def test_examples_of_two_intents_are_never_in_one_group() -> None:
    found = grouped(around(0, 1, 2, 3), [0, 1, 0, 1])

    assert found.assignments.tolist() == [0, 1, 0, 1]


def test_an_example_keeps_its_intent_wherever_it_lies() -> None:
    found = grouped(around(*KNOWN, 103.0), [*LABELS, 0])

    assert found.assignments[-1] == 0


def test_parts_are_joined_where_they_are_near_and_share_a_cluster() -> None:
    # Two groups of three, 56 degrees apart: a cosine distance of 0.44, beyond a core's 0.4, within 0.5.
    features = around(*KNOWN, 198, 200, 202, 254, 256, 258)
    labels = LABELS + [UNLABELED] * 6

    together = grouped(features, labels, [*LABELS, 2, 2, 2, 2, 2, 2])
    apart = grouped(features, labels, [*LABELS, 2, 2, 2, 3, 3, 3])

    assert together.assignments.tolist()[6:] == [2] * 6
    assert apart.assignments.tolist()[6:] == [2, 2, 2, 3, 3, 3]


def test_parts_that_lie_in_the_cluster_of_a_known_intent_stay_apart() -> None:
    features = around(*KNOWN, 198, 200, 202, 254, 256, 258)

    found = grouped(features, LABELS + [UNLABELED] * 6, [*LABELS, 0, 0, 0, 0, 0, 0])

    assert found.assignments.tolist()[6:] == [2, 2, 2, 3, 3, 3]


def test_the_untrained_view_is_wider() -> None:
    # 62 degrees apart: a cosine distance of 0.53.
    features = around(*KNOWN, 200, 201, 202, 262, 263, 264)
    labels, clusters = LABELS + [UNLABELED] * 6, [*LABELS, 2, 2, 2, 2, 2, 2]

    assert grouped(features, labels, clusters, share=0.5).k == 4
    assert grouped(features, labels, clusters, share=1.0).k == 3


def test_a_tight_group_comes_back_and_belongs_together() -> None:
    found = grouped(around(*KNOWN, *np.linspace(200, 206, 20)), LABELS + [UNLABELED] * 20)

    assert found.stability[2] > 0.9
    assert found.belonging[2] == 1.0


def test_neighbours_elsewhere_lower_the_belonging() -> None:
    # The third of the first group lies nearer to the second one than to its own.
    unit = around(0, 1, 9, 10, 11)

    belonging = module._belonging(unit, np.array([0, 0, 0, 1, 1]), 2)

    assert belonging[0] == 1.0  # of five rows every other one is a neighbour
    assert belonging[1] == 1.0
    many = module._belonging(around(0, 1, 9, *np.linspace(10, 11, 10)), np.array([0, 0, 0] + [1] * 10), 2)
    assert many[0] == pytest.approx((1 + 1 + 0) / 3)
    assert many[1] == 1.0


def test_of_very_many_rows_a_part_is_grouped_and_the_rest_may_join(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CLUSTERING", replace(CLUSTERING, most_grouped_rows=30))
    features = around(*KNOWN, *np.linspace(200, 206, 54))

    found = grouped(features, LABELS + [UNLABELED] * 54)

    assert 0 < (found.assignments == UNGROUPED).sum() < 54
    assert found.assignments[:6].tolist() == LABELS
    assert found.joined(np.ones(found.k, dtype=bool)).tolist() == LABELS + [2] * 54


def test_rows_of_groups_that_are_not_kept_join_what_is_near_or_nothing() -> None:
    features = around(*KNOWN, 10, 12, 14, 200, 202, 204)
    found = groups_of(features, np.repeat([0, 1, 2, 3], 3), near=0.1)

    assert found.joined(np.array([True, True, False, False])).tolist() == [
        *LABELS,
        *[0] * 3,
        *[UNGROUPED] * 3,
    ]


def test_groups_among_neighbors_are_of_free_rows_alone() -> None:
    features = around(*KNOWN, 180, 200, 220, 240, 300)
    found = groups_of(features, np.repeat([0, 1, 2], [3, 3, 5]), near=0.2)
    free = np.arange(11) >= 7

    more = groups_among_neighbors(found, free, 0.2, seed=0)

    assert more.assignments.tolist() == [UNGROUPED] * 7 + [0] * 3 + [UNGROUPED]
    assert more.k == len(more.stability) == len(more.belonging) == 1
    assert groups_among_neighbors(found, free, 0.01, seed=0).k == 0
    assert groups_among_neighbors(found, np.zeros(11, dtype=bool), 0.2, seed=0).k == 0


def test_of_very_many_free_rows_a_part_is_grouped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CLUSTERING", replace(CLUSTERING, most_grouped_rows=20))
    features = around(*KNOWN, *np.linspace(200, 206, 54))
    found = groups_of(features, np.full(60, UNGROUPED), near=0.2)

    more = groups_among_neighbors(found, np.arange(60) >= 6, 0.1, seed=0)

    assert more.k == 1
    assert (more.assignments == 0).sum() == 20
    assert more.belonging[0] == 1.0  # the rows that had no part in it are not asked for


def test_a_group_that_loses_rows_is_dissolved_and_the_others_stay() -> None:
    features = around(*KNOWN, 10, 12, 14, 200, 202, 204)
    found = groups_of(features, np.repeat([0, 1, 2, 3], 3), near=0.1)
    more = np.array([UNGROUPED] * 7 + [1, 1, 0, 0, 0])
    others = replace(found, assignments=more, stability=np.array([0.1, 0.5]), belonging=np.array([0.2, 0.6]))

    both = found.with_more(others, np.array([1]))

    assert both.assignments.tolist() == [*LABELS, UNGROUPED, 4, 4, 3, 3, 3]
    assert both.k == 5
    assert (both.stability[4], both.belonging[4]) == (0.5, 0.6)
    assert found.with_more(others, np.array([], dtype=int)).assignments.tolist() == found.assignments.tolist()


def test_what_no_kept_group_holds_is_unexplained(monkeypatch: pytest.MonkeyPatch) -> None:
    features = around(*KNOWN, 10, 12, 14, 200, 202, 204)
    found = groups_of(features, np.repeat([0, 1, 2, 3], 3), near=0.1)
    kept = np.array([True, True, False, False])

    assert found.unexplained(kept).tolist() == [False] * 6 + [True] * 6
    monkeypatch.setattr(module, "CLUSTERING", replace(CLUSTERING, most_grouped_rows=11))
    # Not all were looked at, so some are in none by chance.
    assert found.unexplained(kept).tolist() == [False] * 9 + [True] * 3


def test_clusters_as_groups_hold_every_row() -> None:
    features = around(*KNOWN, 200, 280)
    clustering = Clustering(np.array([*LABELS, 2, 2]), np.zeros((3, 2), dtype=np.float32))
    points = Points(np.arange(8), features, np.array([*LABELS, UNLABELED, UNLABELED]))

    found = clusters_as_groups(points, clustering, seed=0)

    assert found.assignments.tolist() == [*LABELS, 2, 2]
    assert found.stability.tolist() == cluster_stability(features, clustering, seed=0).tolist()
    assert found.stability[2] < min(found.stability[:2]), "its two rows lie far apart"
    assert found.joined(np.array([True, True, False])).tolist() == [*LABELS, UNGROUPED, UNGROUPED]
