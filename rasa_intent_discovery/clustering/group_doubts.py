"""What a person could tell of groups: which were wrongly merged, which wrongly left apart, which are two.

Each is asked of the most typical rows. How likely two are of one intent by the cosine of their pretrained
features differs from bot to bot, and the answers so far tell it. Arrays only.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.grouping import Grouping
from rasa_intent_discovery.clustering.halves import halves
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.links import Links
from rasa_intent_discovery.clustering.questions import Doubts, exemplars
from rasa_intent_discovery.datatypes import Array

_Likely = Callable[[Array], Array]


def group_doubts(
    grouping: Grouping, unit: Array, links: Links, rng: np.random.Generator, trained: bool
) -> Doubts:
    """The pairs of rows that may be of one intent, or of two, other than the groups have it.

    Args:
        grouping: of n rows.
        unit: (n, d) float32, of length 1, what they were grouped by.
        links: of the n rows; what was answered is not asked again.
        rng: of a very large group a sample is looked at.
        trained: whether `unit` was, at least in part, learnt from the bot's examples.
    """
    groups, likely_one = grouping.groups, _likely_one(unit, Links.none() if trained else links)
    merged, apart = _merged(grouping, unit, likely_one), _left_apart(groups, unit, links, likely_one)
    return merged + apart + _inside(groups, unit, links, rng, likely_one)


def _likely_one(unit: Array, links: Links) -> _Likely:
    """By the cosines of typical rows, 0..1: how likely they are of one intent, after these answers.

    Logistic regression, of which the answers move the intercept: where it is likeliest, if before them it is
    normally distributed around `GROUPING.typical_one`.
    """
    pairs = np.concatenate([links.together, links.apart])
    together = np.arange(len(pairs)) < len(links.together)
    slope = GROUPING.typical_cosine * _cosines(unit, *pairs.T)
    usual, variance = GROUPING.typical_one, GROUPING.typical_spread**2

    def gradient(at: float) -> float:
        return float((together - expit(at + slope)).sum() - (at - usual) / variance)

    most = len(pairs) * variance + 1.0
    intercept = brentq(gradient, usual - most, usual + most)

    def likely(cosines: Array) -> Array:
        found: Array = expit(intercept + GROUPING.typical_cosine * cosines)
        return found

    return likely


def _merged(grouping: Grouping, unit: Array, likely_one: _Likely) -> Doubts:
    """The pieces that were merged."""
    merged = grouping.merged
    typical = exemplars(unit, grouping.pieces, len(merged.parts))
    ones, others = typical[merged.ones], typical[merged.others]
    return Doubts.of(ones, others, 1.0 - likely_one(_cosines(unit, ones, others)), merged.rows)


def _left_apart(groups: Array, unit: Array, links: Links, likely_one: _Likely) -> Doubts:
    """The groups, each held against every other one."""
    k = int(groups.max(initial=UNGROUPED)) + 1
    typical = exemplars(unit, groups, k)
    sizes = np.bincount(groups[groups != UNGROUPED], minlength=k)
    likely = likely_one(unit[typical] @ unit[typical].T)
    said = groups[np.concatenate([links.together, links.apart])]
    one, other = said[(said != UNGROUPED).all(1)].T
    likely[one, other] = likely[other, one] = 0.0
    ones, others = np.triu_indices(k, 1)
    rows = np.minimum(sizes[ones], sizes[others])
    return Doubts.of(typical[ones], typical[others], likely[ones, others], rows)


def _inside(
    groups: Array, unit: Array, links: Links, rng: np.random.Generator, likely_one: _Likely
) -> Doubts:
    """The two halves of each group."""
    ones, others, rows = [], [], []
    for group in range(int(groups.max(initial=UNGROUPED)) + 1):
        inside = np.flatnonzero(groups == group)
        side = halves(unit[inside], rng)
        if side is None or links.across(inside, side):
            continue
        one, other = inside[exemplars(unit[inside], side.astype(np.int64), 2)]
        ones.append(one)
        others.append(other)
        rows.append(min(int(side.sum()), int((~side).sum())))
    pairs = np.array(ones, dtype=np.int64), np.array(others, dtype=np.int64)
    surprising = 1.0 - likely_one(_cosines(unit, *pairs))
    return Doubts.of(*pairs, surprising, np.array(rows, dtype=np.int64))


def _cosines(unit: Array, ones: Array, others: Array) -> Array:
    found: Array = np.einsum("ij,ij->i", unit[ones], unit[others])
    return found
