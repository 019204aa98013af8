"""Groups of rows, and what is known of each. Arrays only."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from rasa_intent_discovery.clustering.claimed import ToldKnown
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.links import Links
from rasa_intent_discovery.clustering.neighbors import nearest_rows
from rasa_intent_discovery.clustering.numbers import CLUSTERING
from rasa_intent_discovery.clustering.stability import cluster_stability
from rasa_intent_discovery.datatypes import Array, Clustering, Points, Progress


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of m rows of a corpus: group i < number of known intents is known intent i, the others are new.

    Attributes:
        points: the m rows, their features of length 1.
        assignments: (m,) int64, the group of each row, or `UNGROUPED`.
        stability: (k,) 0..1, how much of a group is found again when part of the rows is left out.
        belonging: (k,) 0..1, the share of its rows' nearest neighbours that are in the group, too.
        newness: (k,) 0..1, how likely a new group is of no known intent; 1 where it is not asked.
        likely: (k, k) 0..1, how likely two new groups are parts of one intent all the same; 0 where it is not
            asked, as of known intents.
        otherwise: (m,) int64, the known intent of a row that is in no group that is kept, or `UNGROUPED`.
        sureness: (m,) 0..1, how likely that row is of that intent, as far as the known intents can be told
            apart; 1 where that is not asked.
        pretrained: (m, h) float32, the pretrained features of the rows, of length 1.
        reach: (m,) float32, cosine of pretrained features from which a row joins the group of the nearest
            row that is in one; infinite where it never does.
        majority: (m,) float32, 0..1, share of the votes of the rows nearest to it from which a row joins a
            group all the same; infinite where it never does.
        questions: as `Doubts.questions`, those whose answers are expected to change most.
        told: what a person said is of known intents, and so in no group.
        apart: (q, 2) int64, two of the m rows that a person said are of two intents.
        together: (p, 2) int64, two of them that a person said are of one.
        unanswered: (m,) int64, from 0, what would be together had a person said nothing, or `UNGROUPED` where
            a row was not grouped; None where nothing was said.
    """

    points: Points
    assignments: Array
    stability: Array
    belonging: Array
    newness: Array
    likely: Array
    otherwise: Array
    sureness: Array
    pretrained: Array
    reach: Array
    majority: Array
    questions: tuple[tuple[int, tuple[int, ...]], ...] = ()
    told: tuple[ToldKnown, ...] = ()
    apart: Array = field(default_factory=lambda: Links.none().apart)
    together: Array = field(default_factory=lambda: Links.none().together)
    unanswered: Array | None = None

    @property
    def k(self) -> int:
        """How many there are."""
        return len(self.stability)

    @property
    def rows(self) -> Array:
        """(m,) int64, rows of the corpus."""
        return self.points.rows

    @property
    def features(self) -> Array:
        """(m, d) float32, of length 1."""
        return self.points.features

    def centers(self) -> Array:
        """(k, d) float32, the mean of each group's rows; zero where it has none."""
        found = np.zeros((self.k, self.features.shape[1]), dtype=np.float32)
        for group in np.unique(self.assignments[self.assignments != UNGROUPED]):
            found[group] = self.features[self.assignments == group].mean(0)
        return found


def clusters_as_groups(points: Points, clustering: Clustering, seed: int, progress: Progress) -> Groups:
    """The clusters as they are: every row is in one, and joins no other: pretrained features are not used."""
    unit = points.normalized()
    m, k = len(points.rows), clustering.k
    return Groups(
        points=unit,
        assignments=clustering.assignments,
        stability=cluster_stability(points.features, clustering, seed, progress),
        belonging=belonging(unit.features, clustering.assignments, k),
        newness=np.ones(k),
        likely=np.zeros((k, k)),
        otherwise=np.full(m, UNGROUPED),
        sureness=np.ones(m),
        pretrained=unit.features,
        reach=np.full(m, np.inf, dtype=np.float32),
        majority=np.full(m, np.inf, dtype=np.float32),
    )


def belonging(unit: Array, groups: Array, k: int) -> Array:
    """As `Groups.belonging`; a group of three can have but two of its own as neighbours: no more are asked.

    Args:
        unit: (m, d) float32, of length 1; groups: (m,) int64, 0..k - 1 or `UNGROUPED`.
    """
    n = len(unit)
    sizes = np.bincount(groups[groups != UNGROUPED], minlength=k)
    asked = np.clip(sizes - 1, 1, min(CLUSTERING.neighbors, n - 1))
    rows = np.flatnonzero(groups != UNGROUPED)
    nearest = nearest_rows(unit[rows], unit, min(CLUSTERING.neighbors, n - 1), itself=rows)
    own = groups[rows]
    inside = np.minimum((groups[nearest] == own[:, None]).sum(1) / asked[own], 1.0)
    found: Array = np.bincount(own, inside, minlength=k) / np.maximum(sizes, 1)
    return found
