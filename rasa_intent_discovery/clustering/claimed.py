"""New groups that a known intent claims: what a person said of them, and what to ask. Arrays only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.links import Links
from rasa_intent_discovery.clustering.questions import Doubts, exemplars
from rasa_intent_discovery.datatypes import UNLABELED, Array


@dataclass(frozen=True, eq=False)
class Claimed:
    """Groups of m rows.

    Attributes:
        labels: (m,) int64, known intents, or `UNLABELED`.
        groups: (m,) int64, known intents first, or `UNGROUPED`.
        claimants: (k,) int64, the known intent that claims most of each group.
        links: what a person said of the rows.
    """

    labels: Array
    groups: Array
    claimants: Array
    links: Links

    def newness(self, newness: Array) -> Array:
        """(k,) 0..1: how likely groups are of no known intent, after the answers.

        A group with a message of a known intent is that intent in other words; one with a message that is
        not of the intent that claims it is new.
        """
        newness = newness.copy()
        for row, intent in self._said(self.links.apart):
            if self.groups[row] >= 0 and self.claimants[self.groups[row]] == intent:
                newness[self.groups[row]] = 1.0
        for row, _ in self._said(self.links.together):
            if self.groups[row] >= 0:
                newness[self.groups[row]] = 0.0
        return newness

    def otherwise(self, otherwise: Array) -> Array:
        """(m,) int64: the known intent of each row that is in no new group, after the answers."""
        otherwise = otherwise.copy()
        for row, intent in self._said(self.links.together):
            alike = self.groups == self.groups[row] if self.groups[row] >= 0 else np.array([row])
            otherwise[alike] = intent
        return otherwise

    def doubts(self, untrained: Array, newness: Array) -> Doubts:
        """Whether a typical message of each group is of the intent that claims it, as its nearest example is.

        Args:
            untrained: (m, h) float32, of length 1, in which the intents claim.
            newness: (k,) 0..1, before the answers.
        """
        logged = np.where(self.labels == UNLABELED, self.groups, UNGROUPED)
        typical = exemplars(untrained, logged, len(newness))
        said = [*self._said(self.links.together), *self._said(self.links.apart)]
        answered = {(int(self.groups[row]), intent) for row, intent in said}
        groups = np.flatnonzero(typical >= 0).tolist()
        asked = [group for group in groups if (group, self._claimant(group)) not in answered]
        nearest = [self._nearest(untrained, typical[group], self._claimant(group)) for group in asked]
        rows = np.bincount(logged[logged >= 0], minlength=len(newness))[asked]
        others = np.array(nearest, dtype=np.int64)
        return Doubts.of(typical[asked], others, 1.0 - newness[asked], GROUPING.doubted_newness, rows)

    def _claimant(self, group: int) -> int:
        return int(self.claimants[group])

    def _nearest(self, untrained: Array, row: int, intent: int) -> int:
        examples = np.flatnonzero(self.labels == intent)
        return int(examples[int((untrained[examples] @ untrained[row]).argmax())])

    def _said(self, pairs: Array) -> list[tuple[int, int]]:
        """The rows of messages that a person held against an example, and its intent."""
        found = []
        for one, other in (*pairs.tolist(), *pairs[:, ::-1].tolist()):
            if self.labels[one] == UNLABELED and self.labels[other] != UNLABELED:
                found.append((one, int(self.labels[other])))
        return found
