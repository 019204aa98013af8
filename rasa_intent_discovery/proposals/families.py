"""Proposals that may be parts of one wish, and those on one subject, which are shown together.

What is more likely one intent than two was merged before (`clustering.same_intent`). A family is what is less
likely, but not unlikely, and a person says whether it is one. A subject is wider: where a wish is in parts,
most of them have another part of it on their subject, so a person reads these one after the other. Every two
of a family, or of a subject, have to be alike: if it were enough that each is like some other one, a chain of
neighbours would tie half of the proposals together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.groups import Groups
from rasa_intent_discovery.datatypes import Array, DiscoveredIntent, Points, normalized
from rasa_intent_discovery.proposals.numbers import PROPOSALS


def families(intents: Sequence[DiscoveredIntent], groups: Groups) -> tuple[tuple[str, ...], ...]:
    """The names of the proposals in each family of at least two, the largest proposal first.

    Args:
        intents: the proposals as they are at the end, most messages first: their members may come from
            several groups.
        groups: those that the proposals were made of.

    Returns:
        The families, most messages first.
    """
    if len(intents) < 2:
        return ()
    return _several(intents, _likely(intents, groups), GROUPING.sibling)


def subjects(
    intents: Sequence[DiscoveredIntent], points: Points, families: Sequence[Sequence[str]] = ()
) -> tuple[tuple[str, ...], ...]:
    """The names of the proposals on each subject of at least two, the largest proposal first.

    Args:
        intents: as above.
        points: features of the messages; one of which there are none is on no subject with another.
        families: those of the proposals: each is on one subject.

    Returns:
        The subjects, most messages first.
    """
    if len(intents) < 2:
        return ()
    unit = points.normalized().features
    centres = np.zeros((len(intents), unit.shape[1]), dtype=np.float32)
    for number, intent in enumerate(intents):
        there = np.flatnonzero(np.isin(points.rows, intent.members))
        centres[number] = unit[there].mean(0) if len(there) else 0.0
    centres = normalized(centres)
    alike = centres @ centres.T
    family_of = {name: number for number, family in enumerate(families) for name in family}
    of = np.array([family_of.get(intent.name, -1) for intent in intents])
    alike[(of[:, None] == of) & (of >= 0)] = 1.0
    return _several(intents, alike, PROPOSALS.same_subject)


def _several(
    intents: Sequence[DiscoveredIntent], alike: Array, at_least: float
) -> tuple[tuple[str, ...], ...]:
    """The names of the proposals of which every two are so much alike, of at least two each."""
    apart = np.clip(1.0 - alike, 0.0, None)
    np.fill_diagonal(apart, 0.0)
    parts = fcluster(linkage(squareform(apart, checks=False), "complete"), 1.0 - at_least, "distance")
    found = [[intent for intent, of in zip(intents, parts, strict=True) if of == part] for part in set(parts)]
    several = [together for together in found if len(together) > 1]
    several.sort(key=lambda together: (-sum(intent.messages for intent in together), together[0].name))
    return tuple(tuple(intent.name for intent in together) for together in several)


def _likely(intents: Sequence[DiscoveredIntent], groups: Groups) -> Array:
    """(n, n) 0..1: how likely each two of n proposals are one, on average over their members' groups."""
    group_of = dict(zip(groups.rows.tolist(), groups.assignments.tolist(), strict=True))
    held = np.zeros((len(intents), groups.k))
    for number, intent in enumerate(intents):
        of = [group_of[row] for row in intent.members if group_of.get(row, -1) >= groups.points.known]
        held[number] = np.bincount(of, minlength=groups.k)
    shares = held / np.maximum(held.sum(1, keepdims=True), 1.0)
    found: Array = shares @ groups.likely @ shares.T
    return found
