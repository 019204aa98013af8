"""Which messages that are new belong together. Arrays only.

k-means gives every message to a cluster, small talk and junk too, and a rare intent to the cluster of a
frequent one. So what no known intent explains (`novelty`) is grouped from the bottom: average linkage up to a
distance makes pieces, and those that are parts of one intent, as far as the known intents tell
(`same_intent`), are merged. What then stands alone belongs to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from rasa_intent_discovery.clustering.claimed import Claimed, ToldKnown, denied, told_known
from rasa_intent_discovery.clustering.group_doubts import group_doubts
from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.grouping import Grouping, group_rows, learnt_same_intent
from rasa_intent_discovery.clustering.known_intents import KnownIntents
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.links import Links
from rasa_intent_discovery.clustering.neighbors import nearest_rows
from rasa_intent_discovery.clustering.novelty import Novelty
from rasa_intent_discovery.clustering.numbers import CLUSTERING
from rasa_intent_discovery.clustering.same_intent import Pieces, SameIntent
from rasa_intent_discovery.clustering.stability import cluster_stability, sample, stability
from rasa_intent_discovery.datatypes import (
    UNLABELED,
    Array,
    Clustering,
    Points,
    Progress,
    no_progress,
    one_step,
)


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
        return _means(self.features, self.assignments, self.k)


def new_groups(
    points: Points,
    pretrained: Array,
    untrained: Array,
    untrained_share: float,
    new: Novelty,
    clusters: Array,
    seed: int,
    links: Links | None = None,
    fewest: int = 0,
    progress: Progress = no_progress,
) -> Groups:
    """Groups of the rows that are flagged as new. Of very many a part is grouped, the rest may join.

    Args:
        pretrained: (m, h) float32, the pretrained features of the points, of length 1.
        untrained: (m, h) float32, their untrained view, of length 1. The known intents are asked
            in it: where an encoder has learnt them, they are closer together than any new one can be.
        untrained_share: 0..1, its weight in the features of the points.
        new: which of the points are.
        clusters: (m,) int64, from 0, the clusters of the points: a second answer, which holds large pieces
            apart.
        links: what a person said of the points, or None where that is nothing. What is of a known
            intent is in no group, and a group that is not of the intent that claims it is new.
        fewest: new intents that are plausible: so many large groups there are to be, where that can be, and
            there are few enough rows to try.
    """
    links = links or Links.none()
    rng = np.random.default_rng(seed)
    wider = untrained_share * (GROUPING.piece_untrained - GROUPING.piece_trained)
    width = GROUPING.piece_trained + wider
    points = points.normalized()
    labels = points.labels
    with one_step(progress, "grouping what is new"):
        known = KnownIntents.of(pretrained, untrained, labels)
        same = learnt_same_intent(untrained, labels, known, new.flagged, rng)
        flagged = np.flatnonzero(new.flagged)
        some = flagged[sample(len(flagged), GROUPING.most_grouped_rows, rng)]
        some = np.union1d(some, np.intersect1d(flagged, np.concatenate([links.together, links.apart])))
        if len(some) > GROUPING.most_cut_again_rows:
            fewest = 0

        def group(rows: Array) -> Grouping:
            asked = some[rows]
            unit, view, inside = points.features[asked], untrained[asked], links.among(asked)
            return group_rows(unit, view, width, same, clusters[asked], inside, fewest)

        grouping = group(np.arange(len(some)))
    grouped = grouping.groups
    k = int(grouped.max(initial=UNGROUPED)) + 1
    samples, most_rows = GROUPING.group_samples, GROUPING.group_sample_rows
    stable = stability(
        *(grouped, k, lambda rows: group(rows).groups, rng, samples, most_rows),
        fewest_rows=GROUPING.fewest_rows,
        progress=progress,
    )
    assignments = labels.copy()
    assignments[some] = np.where(grouped == UNGROUPED, UNGROUPED, points.known + grouped)
    k += points.known
    claims, newness = _claims_and_newness(new, known, assignments, k)
    told = told_known(links, labels, assignments, known.intents, newness)
    otherwise = np.where(labels == UNLABELED, known.explaining(new.flagged), labels)
    untold = labels == UNLABELED
    for one in told:
        assignments[one.rows], otherwise[one.rows], untold[one.rows] = UNGROUPED, one.intent, False
    if told:
        claims, newness = _claims_and_newness(new, known, assignments, k)
    claimed = Claimed(labels, assignments, claims.argmax(1), newness, links)
    doubts = group_doubts(grouping, points.features[some], links.among(some), rng).at(some)
    doubts = doubts.without(np.array([row for one in told for row in one.rows], dtype=np.int64))
    doubts += claimed.doubts(untrained)
    joining = np.maximum(known.closeness, np.quantile(known.usual, GROUPING.far_if_flagged))
    majority = np.where(untold, _majority(new, otherwise), np.inf).astype(np.float32)
    not_there = denied(links, labels, otherwise)
    otherwise[not_there[untold[not_there]]] = UNGROUPED
    return Groups(
        points=points,
        assignments=assignments,
        stability=np.concatenate([np.ones(points.known), stable]),
        belonging=_belonging(points.features, assignments, k),
        newness=claimed.newness_told(),
        likely=_likely(same, untrained[some], grouping, points.known),
        otherwise=otherwise,
        sureness=known.sureness(otherwise),
        pretrained=pretrained,
        reach=np.where(new.flagged & untold, joining, np.inf).astype(np.float32),
        majority=majority,
        questions=doubts.questions(labels == UNLABELED, GROUPING.most_questions),
        told=told,
        apart=links.apart,
        together=links.together,
        unanswered=_unanswered(grouping, some, len(labels))
        if len(links.together) + len(links.apart)
        else None,
    )


def clusters_as_groups(
    points: Points, clustering: Clustering, seed: int, progress: Progress = no_progress
) -> Groups:
    """The clusters as they are: every row is in one, and joins no other: pretrained features are not used."""
    unit = points.normalized()
    m, k = len(points.rows), clustering.k
    return Groups(
        points=unit,
        assignments=clustering.assignments,
        stability=cluster_stability(points.features, clustering, seed, progress),
        belonging=_belonging(unit.features, clustering.assignments, k),
        newness=np.ones(k),
        likely=np.zeros((k, k)),
        otherwise=np.full(m, UNGROUPED),
        sureness=np.ones(m),
        pretrained=unit.features,
        reach=np.full(m, np.inf, dtype=np.float32),
        majority=np.full(m, np.inf, dtype=np.float32),
    )


def _unanswered(grouping: Grouping, some: Array, m: int) -> Array:
    """(m,) int64, as `Groups.unanswered`, where `some` of the rows were grouped."""
    found = np.full(m, UNGROUPED)
    found[some] = grouping.unanswered
    return found


def _majority(new: Novelty, otherwise: Array) -> Array:
    """(m,) as `Groups.majority`, of rows of which a person said nothing."""
    looking_new = np.where(otherwise == UNGROUPED, GROUPING.majority_left_over, GROUPING.majority_flagged)
    found: Array = np.where(
        new.flagged, looking_new, np.where(new.score > 0.0, GROUPING.majority_else, np.inf)
    )
    return found


def _likely(same: SameIntent, untrained: Array, grouping: Grouping, known: int) -> Array:
    """(k, k) 0..1, as `Groups.likely`; what is in no group counts as a piece beside them."""
    groups, count = grouping.groups, int(grouping.groups.max(initial=UNGROUPED)) + 1
    found = np.zeros((known + count, known + count))
    if count > 1:
        in_pieces = np.where(groups == UNGROUPED, count, groups)
        pieces = Pieces.of(untrained, in_pieces, linked=grouping.linked)
        found[known:, known:] = same.likely(pieces)[:count, :count]
    return found


def _claims_and_newness(new: Novelty, known: KnownIntents, assignments: Array, k: int) -> tuple[Array, Array]:
    """(k, j) as `KnownIntents.claims`, and (k,) 0..1 as `_newness`, of groups."""
    claims = known.claims(assignments, k)
    return claims, _newness(new.mean_score(assignments, k), claims.max(1, initial=0.0))


def _newness(score: Array, claimed: Array) -> Array:
    """(k,) 0..1: how likely groups are of no known intent.

    A known intent in other words looks new message by message, too; but a classifier of the known intents
    takes the whole group for the same one. Of a wish that is new it says now this, now that.

    Args:
        score: (k,) `Novelty.mean_score`.
        claimed: (k,) 0..1, how much of each group the likeliest known intent claims.
    """
    logit = GROUPING.newness_base + GROUPING.newness_score * score - GROUPING.newness_claimed * claimed
    found: Array = 1.0 / (1.0 + np.exp(-logit))
    return found


def _belonging(unit: Array, groups: Array, k: int) -> Array:
    """(k,) 0..1; a group of three can have but two of its own as neighbours, so only as many are asked."""
    n = len(unit)
    sizes = np.bincount(groups[groups != UNGROUPED], minlength=k)
    asked = np.clip(sizes - 1, 1, min(CLUSTERING.neighbors, n - 1))
    rows = np.flatnonzero(groups != UNGROUPED)
    nearest = nearest_rows(unit[rows], unit, min(CLUSTERING.neighbors, n - 1), itself=rows)
    own = groups[rows]
    inside = np.minimum((groups[nearest] == own[:, None]).sum(1) / asked[own], 1.0)
    found: Array = np.bincount(own, inside, minlength=k) / np.maximum(sizes, 1)
    return found


def _means(features: Array, groups: Array, k: int) -> Array:
    means = np.zeros((k, features.shape[1]), dtype=np.float32)
    for group in np.unique(groups[groups != UNGROUPED]):
        means[group] = features[groups == group].mean(0)
    return means
