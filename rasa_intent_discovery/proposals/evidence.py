"""The evidence for each group of messages being an intent, computed once as one table.

The proposals and the plausible range of their number are filters on this table.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.groups import Groups
from rasa_intent_discovery.datatypes import Array, Corpus
from rasa_intent_discovery.proposals.naming.words import WordStatistics
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.proposals.reasons import FOREIGN, HEAP, NOT_NEW, RARE, UNSTABLE


@dataclass(frozen=True, eq=False)
class GroupEvidence:
    """k groups of messages of a corpus, and the evidence for the new ones among them.

    Attributes:
        corpus, groups: the groups, with their stability and belonging, and the corpus they are of.
        messages: (k,) int64, logged messages of each group.
        large: (k,) bool, whether a group has enough messages, and enough distinct ones.
        shared_words: (k,) 0..1, share of a group's messages that hold one of its distinctive words; 0 for a
            group that is not large.
        held: (k,) bool, whether a person said that they are of one intent, of messages enough for a proposal
            and for their part of the group.
        foreign: groups of messages in languages that the bot does not speak.
    """

    corpus: Corpus
    groups: Groups
    messages: Array
    large: Array
    shared_words: Array
    held: Array
    foreign: frozenset[int] = frozenset()

    @classmethod
    def of(
        cls, corpus: Corpus, groups: Groups, statistics: WordStatistics, least_messages: float
    ) -> GroupEvidence:
        """Computes the evidence.

        Args:
            least_messages: a group with fewer messages is not large.
        """
        messages = np.zeros(groups.k, dtype=np.int64)
        large, held, shared_words = (np.zeros(groups.k, dtype=kind) for kind in (bool, bool, float))
        logged, said = ~corpus.labeled[groups.rows], _said_to_be_one(groups)

        def is_enough(rows: Array) -> bool:
            return bool(corpus.counts[rows].sum() >= least_messages and len(rows) >= GROUPING.fewest_rows)

        for group in range(groups.points.known, groups.k):
            inside = np.flatnonzero((groups.assignments == group) & logged)
            rows = groups.rows[inside]
            messages[group], large[group] = corpus.counts[rows].sum(), is_enough(rows)
            if large[group]:
                shared_words[group] = statistics.coverage(rows.tolist())
                of_one = rows[said[inside] == np.bincount(said[inside]).argmax()]
                held[group] = is_enough(of_one) and len(of_one) >= PROPOSALS.held_share * len(rows)
        return cls(corpus, groups, messages, large, shared_words, held)

    @property
    def first(self) -> int:
        """Number of the first new group; those before it are known intents."""
        return self.groups.points.known

    def words_by_group(self, statistics: WordStatistics) -> WordStatistics:
        """The words of the corpus, where it is known which group each message is in."""
        return statistics.grouped(self.groups.rows, self.groups.assignments)

    def rows(self, group: int) -> list[int]:
        """The logged messages of a group, as rows of the corpus."""
        rows = self.groups.rows[self.groups.assignments == group]
        found: list[int] = rows[~self.corpus.labeled[rows]].tolist()
        return found

    @property
    def strength(self) -> Array:
        """(k,) belonging and shared words combined; of no meaning for groups that are not large."""
        found: Array = self.groups.belonging + PROPOSALS.shared_words_weight * self.shared_words
        return found

    @property
    def stable(self) -> Array:
        """(k,) bool."""
        return self.groups.stability >= PROPOSALS.least_stability

    @property
    def accepted(self) -> Array:
        """(k,) bool, the new groups that may be proposed."""
        return self._sound_and(PROPOSALS.least_evidence, PROPOSALS.least_newness)

    @property
    def plausible_range(self) -> tuple[int, int]:
        """Fewest and most new intents: by stricter and by more generous thresholds."""
        strict = self._sound_and(PROPOSALS.strict_evidence, PROPOSALS.strict_newness)
        generous = self._sound_and(PROPOSALS.generous_evidence, PROPOSALS.generous_newness)
        return int(strict.sum()), int(generous.sum())

    def _sound_and(self, evidence: float, newness: float) -> Array:
        """(k,) bool, the new groups that are large and stable, and have this much evidence and newness.

        One that a person holds together needs neither stability nor evidence.
        """
        sound = (self.stable & (self.strength >= evidence)) | self.held
        found: Array = self.large & sound & (self.groups.newness >= newness)
        found[[*self.foreign]] = False
        return found

    def refusal(self, group: int) -> str | None:
        """Why a new group is not proposed; None where it may be."""
        if not self.large[group]:
            return RARE
        if group in self.foreign:
            return FOREIGN
        if not self.stable[group] and not self.held[group]:
            return UNSTABLE
        if self.groups.newness[group] < PROPOSALS.least_newness:
            return NOT_NEW
        return None if self.accepted[group] else HEAP


def _said_to_be_one(groups: Groups) -> Array:
    """(m,) int64: what a person said to be of one intent has one number, every other row its own."""
    ones, others = groups.together.T
    pairs = coo_array((np.ones(len(ones)), (ones, others)), shape=(len(groups.assignments),) * 2)
    found: Array = connected_components(pairs, directed=False)[1]
    return found
