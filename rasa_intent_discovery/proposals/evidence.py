"""The evidence for each group of messages being an intent, computed once as one table.

The proposals, the plausible range of their number, and the second look are filters on this table.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from rasa_intent_discovery.clustering.groups import Groups, groups_among_neighbors
from rasa_intent_discovery.clustering.numbers import CLUSTERING
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import Array, Corpus
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.proposals.words import WordStatistics

HEAP = "is in a loose group: its neighbours belong elsewhere and share no words with it"
UNSTABLE = "is in a group that comes apart when part of the messages is left out"
RARE = "too few messages want this"


@dataclass(frozen=True, eq=False)
class GroupEvidence:
    """k groups of messages of a corpus, and the evidence for the new ones among them.

    Attributes:
        corpus, groups: the groups, with their stability and belonging, and the corpus they are of.
        first: number of the first new group; those before it are known intents.
        messages: (k,) int64, logged messages of each group.
        large: (k,) bool, whether a group has enough messages, and enough distinct ones.
        shared_words: (k,) 0..1, share of a group's messages that hold one of its distinctive words; 0 for a
            group that is not large.
    """

    corpus: Corpus
    groups: Groups
    first: int
    messages: Array
    large: Array
    shared_words: Array

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        groups: Groups,
        statistics: WordStatistics,
        first: int,
        least_messages: float,
    ) -> GroupEvidence:
        """Computes the evidence.

        Args:
            first: as in the class.
            least_messages: a group with fewer messages is not large.
        """
        messages = np.zeros(groups.k, dtype=np.int64)
        large, shared_words = np.zeros(groups.k, dtype=bool), np.zeros(groups.k)
        logged = ~corpus.labeled[groups.rows]
        for group in range(first, groups.k):
            rows = groups.rows[(groups.assignments == group) & logged]
            messages[group] = corpus.counts[rows].sum()
            large[group] = messages[group] >= least_messages and len(rows) >= CLUSTERING.fewest_rows
            if large[group]:
                shared_words[group] = statistics.coverage(rows.tolist())
        return cls(corpus, groups, first, messages, large, shared_words)

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
        return self.large & self.stable & (self.strength >= PROPOSALS.least_evidence)

    @property
    def kept(self) -> Array:
        """(k,) bool, the accepted groups and the known intents."""
        return self.accepted | (np.arange(self.groups.k) < self.first)

    @property
    def plausible_range(self) -> tuple[int, int]:
        """Fewest and most new intents: by a stricter and by a more generous threshold."""
        strict, generous = (
            int((self.large & (self.strength >= least)).sum())
            for least in (PROPOSALS.strict_evidence, PROPOSALS.generous_evidence)
        )
        return strict, generous

    def refusal(self, group: int) -> str | None:
        """Why a new group is not proposed; None where it may be."""
        if not self.large[group]:
            return RARE
        if not self.stable[group]:
            return UNSTABLE
        return None if self.accepted[group] else HEAP

    def with_more(self, more: GroupEvidence, chosen: Array) -> GroupEvidence:
        """This evidence with the chosen groups of `more` added.

        A group that loses messages to them is dissolved (`Groups.with_more`).
        """
        groups = self.groups.with_more(more.groups, chosen)
        remaining = np.isin(np.arange(self.groups.k), groups.assignments)

        def appended(ours: Array, theirs: Array) -> Array:
            return np.concatenate([np.where(remaining, ours, 0).astype(ours.dtype), theirs[chosen]])

        return dataclasses.replace(
            self,
            groups=groups,
            messages=appended(self.messages, more.messages),
            large=appended(self.large, more.large),
            shared_words=appended(self.shared_words, more.shared_words),
        )


def look_again(evidence: GroupEvidence, statistics: WordStatistics, config: DiscoveryConfig) -> GroupEvidence:
    """The second look: adds groups found among the messages that no kept group explains.

    Each message is grouped with the most similar ones. A group must pass the tests of every proposal, and
    hold a minimum share of the messages that are left. The closest groups are formed first, and their
    messages are not grouped again.
    """
    corpus = evidence.corpus
    kept = evidence.kept
    for distance in evidence.groups.among_neighbors:
        groups = evidence.groups
        free = groups.unexplained(kept)
        least = PROPOSALS.least_share_of_rest * corpus.counts[groups.rows[free]].sum()
        more = GroupEvidence.of(
            corpus,
            groups_among_neighbors(groups, free, distance, config.seed),
            statistics,
            first=0,
            least_messages=max(least, config.min_messages),
        )
        chosen = np.flatnonzero(more.accepted)
        evidence = evidence.with_more(more, chosen)
        kept = np.append(kept, np.ones(len(chosen), dtype=bool))
    return evidence
