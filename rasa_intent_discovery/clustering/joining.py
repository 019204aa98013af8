"""Where rows belong when only some of the groups are kept. Arrays only.

A row whose group is not kept, or that was in none, joins the kept group of the nearest row, where that is
close enough; else the kept group that most of the rows around it are in. What joins none is of its known
intent, or left over. What a person held apart stays apart.
"""

from __future__ import annotations

import numpy as np

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.groups import Groups
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.neighbor_vote import NeighborVote, side_by_side
from rasa_intent_discovery.clustering.neighbors import nearest_neighbors
from rasa_intent_discovery.datatypes import UNLABELED, Array


def join_kept(groups: Groups, kept: Array) -> Array:
    """(m,) int64: the group of each row, a kept one or a known intent, or `UNGROUPED`.

    Args:
        kept: (k,) bool, which groups are.
    """
    of_kept = np.isin(groups.assignments, np.flatnonzero(kept))
    barred = _barred(groups, of_kept)
    assignments = np.where(of_kept, groups.assignments, groups.otherwise)
    assignments = _joined_nearest(groups, assignments, of_kept, barred)
    assignments = _joined_by_vote(groups, assignments, barred)
    return _parted(groups, assignments, of_kept)


def _barred(groups: Groups, of_kept: Array) -> Array:
    """(b, 2) int64: rows that are in no group that is kept, and a group each was held apart from.

    Those that are alike go along: what was said of one holds for all that were in a group with it.

    Args:
        of_kept: (m,) bool, which rows are in a group that is kept.
    """
    assignments = groups.assignments
    new = assignments >= groups.points.known
    found = [np.zeros((0, 2), dtype=np.int64)]
    for one, other in [*groups.apart, *groups.apart[:, ::-1]]:
        if not of_kept[one] and of_kept[other] and new[other]:
            alike = assignments == assignments[one] if new[one] else np.arange(len(new)) == one
            rows = np.flatnonzero(alike)
            found.append(np.column_stack([rows, np.full(len(rows), assignments[other])]))
    return np.concatenate(found)


def _joined_nearest(groups: Groups, assignments: Array, of_kept: Array, barred: Array) -> Array:
    """(m,) int64: the groups of rows, once each is in that of the nearest row which is within its reach.

    Args:
        assignments: (m,) int64, before; of_kept: (m,) bool; barred: (b, 2) int64, as `_barred`.
    """
    known = groups.points.known
    inside = np.flatnonzero(of_kept & (groups.assignments >= known))
    free = np.flatnonzero(np.isfinite(groups.reach) & (assignments < known))
    if not len(inside) or not len(free):
        return assignments
    cosines, rows = nearest_neighbors(groups.pretrained[free], groups.pretrained[inside], 1)
    close = cosines[:, 0] > groups.reach[free]
    joined = assignments.copy()
    joined[free[close]] = groups.assignments[inside[rows[close, 0]]]
    back = barred[joined[barred[:, 0]] == barred[:, 1], 0]
    joined[back] = groups.otherwise[back]
    return joined


def _joined_by_vote(groups: Groups, assignments: Array, barred: Array) -> Array:
    """(m,) int64: the groups of rows, once those are known, and by the rows nearest to each.

    For a group that a row was held apart from no vote counts; it is of another one then, if of any, and
    fewer votes tell which.

    Args:
        assignments: (m,) int64; barred: (b, 2) int64, as `_barred`.
    """
    known = groups.points.known
    free = np.flatnonzero(np.isfinite(groups.majority) & (assignments < known))
    if not len(free) or not (assignments >= known).any():
        return assignments
    shares = _votes(groups, assignments, free)
    held_apart = np.zeros((len(assignments), shares.shape[1]), dtype=bool)
    held_apart[barred[:, 0], barred[:, 1] - known + 1] = True
    held_apart = held_apart[free]
    shares[held_apart] = 0.0
    for_groups = (shares / np.maximum(shares.sum(1, keepdims=True), 1e-12))[:, 1:]
    majority = groups.majority[free]
    fewer = np.minimum(majority, GROUPING.majority_held_apart)
    moved = for_groups.max(1) > np.where(held_apart.any(1), fewer, majority)
    joined = assignments.copy()
    joined[free[moved]] = known + for_groups[moved].argmax(1)
    return joined


def _votes(groups: Groups, assignments: Array, asked: Array) -> Array:
    """(a, g + 1) 0..1, as `Votes.shares`, of some rows: for no new group, then for each up to the last.

    Examples, messages that are sure of their known intent and rows of new groups vote; what is left over
    and what is doubtful does not.

    Args:
        assignments: (m,) int64; asked: (a,) int64, which of the m rows.
    """
    known = groups.points.known
    sure = (groups.points.labels != UNLABELED) | (groups.sureness >= GROUPING.sure_voter)
    voters = np.flatnonzero((assignments >= known) | ((assignments >= 0) & sure))
    votes_for = np.where(assignments >= known, assignments - known, UNGROUPED)[voters]
    both = side_by_side(groups.features, groups.pretrained)
    itself = np.full(len(both), -1)
    itself[voters] = np.arange(len(voters))
    vote = NeighborVote.of(both[voters], votes_for, 0, len(voters))
    return vote.votes(both[asked], itself[asked]).shares


def _parted(groups: Groups, assignments: Array, of_kept: Array) -> Array:
    """(m,) int64: the same, where of two rows that were held apart and joined one group neither did."""
    held = assignments[groups.apart]
    together = groups.apart[(held[:, 0] == held[:, 1]) & (held[:, 0] >= groups.points.known)]
    back = np.setdiff1d(together, np.flatnonzero(of_kept))
    parted = assignments.copy()
    parted[back] = groups.otherwise[back]
    return parted
