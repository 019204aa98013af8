"""Proposals that may be parts of one wish: a family is shown together, and a person says whether it is one.

What is more likely one intent than two was merged before (`clustering.same_intent`). A family is what is less
likely, but not unlikely. Every two of it have to be: if it were enough that each is like some other one, a
chain of neighbours would tie half of the proposals together, and "merge all" would be no answer to it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.groups import Groups
from rasa_intent_discovery.datatypes import Array, DiscoveredIntent


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
    apart = squareform(1.0 - _likely(intents, groups), checks=False)
    parts = fcluster(linkage(apart, "complete"), 1.0 - GROUPING.sibling, "distance")
    found = [[intent for intent, of in zip(intents, parts, strict=True) if of == part] for part in set(parts)]
    several = [family for family in found if len(family) > 1]
    several.sort(key=lambda family: (-sum(intent.messages for intent in family), family[0].name))
    return tuple(tuple(intent.name for intent in family) for family in several)


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
