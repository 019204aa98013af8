"""What is known of groups, on points whose angles are written out."""

from __future__ import annotations

import numpy as np
import pytest
from plain_groups import around

from rasa_intent_discovery.clustering.groups import belonging, clusters_as_groups
from rasa_intent_discovery.clustering.joining import join_kept
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.stability import cluster_stability
from rasa_intent_discovery.datatypes import UNLABELED, Clustering, Points, no_progress


def test_neighbours_elsewhere_lower_the_belonging() -> None:
    # The third of the first group lies nearer to the second one than to its own.
    unit = around(0, 1, 9, 10, 11)

    few = belonging(unit, np.array([0, 0, 0, 1, 1]), 2)

    assert few[0] == 1.0  # of five rows every other one is a neighbour
    assert few[1] == 1.0
    many = belonging(around(0, 1, 9, *np.linspace(10, 11, 10)), np.array([0, 0, 0] + [1] * 10), 2)
    assert many[0] == pytest.approx((1 + 1 + 0) / 3)
    assert many[1] == 1.0


def test_clusters_as_groups_hold_every_row() -> None:
    features = around(0, 2, 4, 100, 102, 104, 200, 280)
    labels = [0, 0, 0, 1, 1, 1]
    clustering = Clustering(np.array([*labels, 2, 2]), np.zeros((3, 2), dtype=np.float32))
    points = Points(np.arange(8), features, np.array([*labels, UNLABELED, UNLABELED]))

    found = clusters_as_groups(points, clustering, 0, no_progress)

    assert found.assignments.tolist() == [*labels, 2, 2]
    assert found.stability.tolist() == cluster_stability(features, clustering, seed=0).tolist()
    assert found.stability[2] < min(found.stability[:2]), "its two rows lie far apart"
    assert join_kept(found, np.array([True, True, False])).tolist() == [*labels, UNGROUPED, UNGROUPED]
    assert found.likely.tolist() == [[0.0] * 3] * 3
