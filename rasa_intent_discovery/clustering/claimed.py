"""Whether new groups are of a known intent, what a person said of that, and what to ask. Arrays only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.known_intents import KnownIntents
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.links import Links
from rasa_intent_discovery.clustering.novelty import Novelty
from rasa_intent_discovery.clustering.questions import Doubts, exemplars
from rasa_intent_discovery.datatypes import UNLABELED, Array


@dataclass(frozen=True, eq=False)
class ToldKnown:
    """Rows that are of a known intent by what a person said of some of them.

    Attributes:
        intent: the known intent; said: the rows that the person said it of.
        rows: (r,) int64, ascending: these, and those that what was said of them holds for, too.
        newness: 0..1, how likely the group they are from was of no known intent; 0 where they were in none.
    """

    intent: int
    said: tuple[int, ...]
    rows: Array
    newness: float


def told_known(
    links: Links, labels: Array, groups: Array, intents: Array, newness: Array
) -> tuple[ToldKnown, ...]:
    """What a person said is of known intents, one for each group and intent.

    What is said of a message holds for those of its group, too, that the classifier of known intents gives
    to the same one, but for those of which the person said otherwise. Of a message that was said to be of
    several, the last counts.

    Args:
        labels: (m,) int64, known intents, or `UNLABELED`.
        groups: (m,) int64, or `UNGROUPED`; intents: (m,) int64, as `KnownIntents.intents`.
        newness: (k,) 0..1, of the groups, before a person said anything.
    """
    intent_of = dict(_said(links.together, labels))
    said: dict[tuple[int, int], list[int]] = {}
    for row, intent in intent_of.items():
        said.setdefault((int(groups[row]), intent), []).append(row)
    free = labels == UNLABELED
    free[[*intent_of, *denied(links, labels, intents)]] = False
    told = []
    for (group, intent), rows in said.items():
        alike = (groups == group) & (intents == intent) & free & (group != UNGROUPED)
        moved = np.union1d(np.flatnonzero(alike), rows)
        before = 0.0 if group == UNGROUPED else float(newness[group])
        told.append(ToldKnown(intent, tuple(sorted(rows)), moved, before))
    return tuple(told)


def denied(links: Links, labels: Array, intents: Array) -> Array:
    """(r,) int64: the rows of messages that a person said are not of the intent they are given to.

    Args:
        labels, intents: (m,) int64, known intents, or `UNLABELED` and `UNGROUPED`.
    """
    rows = {row for row, intent in _said(links.apart, labels) if intents[row] == intent}
    return np.array(sorted(rows), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Claimed:
    """Groups of m rows.

    Attributes:
        labels: (m,) int64, known intents, or `UNLABELED`.
        groups: (m,) int64, known intents first, or `UNGROUPED`.
        claimants: (k,) int64, the known intent that claims most of each group.
        newness: (k,) 0..1, how likely groups are of no known intent, before a person said anything.
        links: what a person said of the rows.
        told: what of that gives rows to a known intent. They are in no group.
    """

    labels: Array
    groups: Array
    claimants: Array
    newness: Array
    links: Links
    told: tuple[ToldKnown, ...] = ()

    @classmethod
    def of(
        cls, labels: Array, groups: Array, k: int, known: KnownIntents, new: Novelty, links: Links
    ) -> Claimed:
        """Groups without what a person said is of a known intent: whose a group is, is asked of the rest.

        Args:
            groups: (m,) int64, 0..k - 1, known intents first, or `UNGROUPED`: before that.
        """
        told = told_known(links, labels, groups, known.intents, _claims(groups, k, known, new)[1])
        rest = groups.copy()
        for one in told:
            rest[one.rows] = UNGROUPED
        return cls(labels, rest, *_claims(rest, k, known, new), links, told)

    @property
    def told_rows(self) -> Array:
        """(t,) int64: the rows that a person gave to a known intent."""
        return np.array([row for one in self.told for row in one.rows], dtype=np.int64)

    def corrected(self, intents: Array) -> Array:
        """(m,) int64: known intents of rows as a person said, `UNGROUPED` where it is another one.

        Args:
            intents: (m,) int64, or `UNGROUPED`: before.
        """
        found = intents.copy()
        found[denied(self.links, self.labels, intents)] = UNGROUPED
        for one in self.told:
            found[one.rows] = one.intent
        return found

    def newness_told(self) -> Array:
        """(k,) 0..1: a group with a message that is not of the intent that claims it is new."""
        told = self.newness.copy()
        told[
            [group for group, intent in self._answered(self.links.apart) if self._claimant(group) == intent]
        ] = 1.0
        return told

    def doubts(self, untrained: Array) -> Doubts:
        """Whether a typical message of each group is of the intent that claims it, as its nearest example is.

        Args:
            untrained: (m, h) float32, of length 1, in which the intents claim.
        """
        logged = np.where(self.labels == UNLABELED, self.groups, UNGROUPED)
        typical = exemplars(untrained, logged, len(self.newness))
        answered = {*self._answered(self.links.together), *self._answered(self.links.apart)}
        groups = np.flatnonzero(typical >= 0).tolist()
        asked = [group for group in groups if (group, self._claimant(group)) not in answered]
        nearest = [self._nearest(untrained, typical[group], self._claimant(group)) for group in asked]
        rows = np.bincount(logged[logged >= 0], minlength=len(self.newness))[asked]
        known = expit(GROUPING.claimed_slope * (GROUPING.claimed_even - self.newness[asked]))
        surprising, others = np.minimum(known, 1.0 - known), np.array(nearest, dtype=np.int64)
        return Doubts.of(typical[asked], others, surprising, GROUPING.claimed_worth * rows)

    def _claimant(self, group: int) -> int:
        return int(self.claimants[group])

    def _nearest(self, untrained: Array, row: int, intent: int) -> int:
        examples = np.flatnonzero(self.labels == intent)
        return int(examples[int((untrained[examples] @ untrained[row]).argmax())])

    def _answered(self, pairs: Array) -> list[tuple[int, int]]:
        """The groups of which a message was held against an example, and its intent."""
        said = [(int(self.groups[row]), intent) for row, intent in _said(pairs, self.labels)]
        return [(group, intent) for group, intent in said if group != UNGROUPED]


def _claims(groups: Array, k: int, known: KnownIntents, new: Novelty) -> tuple[Array, Array]:
    """`Claimed.claimants` and `Claimed.newness` of groups.

    A known intent in other words looks new message by message, too; but a classifier of the known intents
    takes the whole group for the same one. Of a wish that is new it says now this, now that.
    """
    claims = known.claims(groups, k)
    score, claimed = new.mean_score(groups, k), claims.max(1, initial=0.0)
    logit = GROUPING.newness_base + GROUPING.newness_score * score - GROUPING.newness_claimed * claimed
    return claims.argmax(1), 1.0 / (1.0 + np.exp(-logit))


def _said(pairs: Array, labels: Array) -> list[tuple[int, int]]:
    """The rows of messages that a person held against an example, and its intent."""
    both = [*pairs.tolist(), *pairs[:, ::-1].tolist()]
    return [(one, int(labels[other])) for one, other in both if labels[one] == UNLABELED != labels[other]]
