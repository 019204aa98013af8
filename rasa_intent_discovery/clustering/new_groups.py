"""Which messages that are new belong together. Arrays only.

k-means gives every message to a cluster, small talk and junk too, and a rare intent to the cluster of a
frequent one. So what no known intent explains (`novelty`) is grouped from the bottom: average linkage up to a
distance makes pieces, and those that are parts of one intent, as far as the known intents tell
(`same_intent`), are merged. What then stands alone belongs to nothing.
"""

from __future__ import annotations

import numpy as np

from rasa_intent_discovery.clustering.claimed import Claimed
from rasa_intent_discovery.clustering.group_doubts import group_doubts
from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.grouping import Grouping, group_rows, learnt_same_intent
from rasa_intent_discovery.clustering.groups import Groups, belonging
from rasa_intent_discovery.clustering.known_intents import KnownIntents
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.links import Links
from rasa_intent_discovery.clustering.novelty import Novelty
from rasa_intent_discovery.clustering.same_intent import Pieces, SameIntent
from rasa_intent_discovery.clustering.stability import sample, stability
from rasa_intent_discovery.datatypes import UNLABELED, Array, Points, Progress, no_progress, one_step


def new_groups(
    points: Points,
    pretrained: Array,
    untrained: Array,
    untrained_share: float,
    new: Novelty,
    clusters: Array,
    seed: int,
    links: Links | None,
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
    points = points.normalized()
    labels, logged = points.labels, points.labels == UNLABELED
    with one_step(progress, "grouping what is new"):
        known = KnownIntents.of(pretrained, untrained, labels, links.refused)
        same = learnt_same_intent(untrained, labels, known, new.flagged, rng)
        some = _rows_to_group(new.flagged, links, rng)
        unit, view, inside, of_some = (
            points.features[some],
            untrained[some],
            links.among(some),
            clusters[some],
        )
        width = _piece_width(untrained_share)
        large = fewest if len(some) <= GROUPING.most_cut_again_rows else 0

        def group(rows: Array) -> Grouping:
            said = inside.among(rows)
            return group_rows(unit[rows], view[rows], width, same, of_some[rows], said, large)

        grouping = group(np.arange(len(some)))
    samples, most_rows = GROUPING.group_samples, GROUPING.group_sample_rows
    stable = stability(
        *(grouping.groups, grouping.k, lambda rows: group(rows).groups, rng, samples, most_rows),
        fewest_rows=GROUPING.fewest_rows,
        always=np.concatenate([inside.together, inside.apart]).ravel(),
        progress=progress,
    )
    assignments, k = labels.copy(), points.known + grouping.k
    assignments[some] = np.where(grouping.groups == UNGROUPED, UNGROUPED, points.known + grouping.groups)
    claimed = Claimed.of(labels, assignments, k, known, new, links)
    explained = np.where(logged, known.explaining(new.flagged), labels)
    otherwise = claimed.corrected(explained)
    may_join = logged.copy()
    may_join[claimed.told_rows] = False
    asked = group_doubts(grouping, unit, inside, rng, trained=untrained_share < 1.0)
    doubts = asked.at(some).without(claimed.told_rows)
    return Groups(
        points=points,
        assignments=claimed.groups,
        stability=np.concatenate([np.ones(points.known), stable]),
        belonging=belonging(points.features, claimed.groups, k),
        newness=claimed.newness_told(),
        likely=_likely(same, view, grouping, points.known),
        otherwise=otherwise,
        sureness=known.sureness(otherwise),
        pretrained=pretrained,
        reach=_reach(new, known, may_join),
        majority=_majority(new, explained, may_join),
        questions=(doubts + claimed.doubts(untrained)).questions(logged, GROUPING.most_questions),
        told=claimed.told,
        apart=links.apart,
        together=links.together,
        unanswered=_unanswered(grouping, some, links, len(labels)),
    )


def _rows_to_group(flagged: Array, links: Links, rng: np.random.Generator) -> Array:
    """(s,) int64, ascending: the rows that look new; of very many a sample, and all that a person spoke of.

    Args:
        flagged: (m,) bool.
    """
    rows = np.flatnonzero(flagged)
    some = rows[sample(len(rows), GROUPING.most_grouped_rows, rng)]
    said = np.intersect1d(rows, np.concatenate([links.together, links.apart]))
    return np.union1d(some, said)


def _piece_width(untrained_share: float) -> float:
    """Up to which average cosine distance rows are one piece: trained features lie closer together."""
    wider = untrained_share * (GROUPING.piece_untrained - GROUPING.piece_trained)
    return GROUPING.piece_trained + wider


def _reach(new: Novelty, known: KnownIntents, may_join: Array) -> Array:
    """(m,) float32, as `Groups.reach`: what looks new joins what is nearer to it than any example is.

    Args:
        may_join: (m,) bool, messages that a person did not give to a known intent.
    """
    joining = np.maximum(known.closeness, np.quantile(known.usual, GROUPING.far_if_flagged))
    return np.where(new.flagged & may_join, joining, np.inf).astype(np.float32)


def _majority(new: Novelty, explained: Array, may_join: Array) -> Array:
    """(m,) float32, as `Groups.majority`: the less new a row looks, the more votes it takes.

    Args:
        explained: (m,) int64, the known intent that explains a row, or `UNGROUPED`.
        may_join: (m,) bool, as for `_reach`.
    """
    looking_new = np.where(explained == UNGROUPED, GROUPING.majority_left_over, GROUPING.majority_flagged)
    else_new = np.where(new.score > 0.0, GROUPING.majority_else, np.inf)
    found = np.where(new.flagged, looking_new, else_new)
    return np.where(may_join, found, np.inf).astype(np.float32)


def _likely(same: SameIntent, untrained: Array, grouping: Grouping, known: int) -> Array:
    """(k, k) 0..1, as `Groups.likely`; what is in no group counts as a piece beside them.

    Args:
        untrained: (s, h) float32, of the rows that were grouped; known: how many known intents there are.
    """
    groups, count = grouping.groups, grouping.k
    found = np.zeros((known + count, known + count))
    if count > 1:
        in_pieces = np.where(groups == UNGROUPED, count, groups)
        pieces = Pieces.of(untrained, in_pieces, linked=grouping.linked)
        found[known:, known:] = same.likely(pieces)[:count, :count]
    return found


def _unanswered(grouping: Grouping, some: Array, links: Links, m: int) -> Array | None:
    """(m,) int64, as `Groups.unanswered`, where `some` of the rows were grouped."""
    if not len(links.together) + len(links.apart):
        return None
    found = np.full(m, UNGROUPED)
    found[some] = grouping.unanswered
    return found
