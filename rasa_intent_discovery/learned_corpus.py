"""A corpus and what was learnt of it: what the stages after the learning work on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from rasa_intent_discovery.clustering.features import normalized
from rasa_intent_discovery.datatypes import Array, Corpus, Points
from rasa_intent_discovery.learning.learned import Learned
from rasa_intent_discovery.proposals.words import WordStatistics


@dataclass(frozen=True, eq=False)
class LearnedCorpus:
    """A corpus, and what was learnt of some of its rows; every other one is left over.

    Attributes:
        statistics: of the words of the corpus.
        rows: (m,) int64, ascending, the rows that were learned from.
        others: (r,) int64, ascending, those that are placed by them.
        foreign: row -> the language it is in, which the bot does not speak.
    """

    corpus: Corpus
    statistics: WordStatistics
    rows: Array
    learned: Learned
    others: Array = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    foreign: Mapping[int, str] = field(default_factory=dict)

    @property
    def points(self) -> Points:
        """The rows in the space they were clustered in."""
        return Points(self.rows, self.learned.features, self.corpus.labels[self.rows])

    @property
    def left_out(self) -> int:
        """How many rows are neither learnt from nor placed: of unfamiliar words, or in other languages."""
        return len(self.corpus.texts) - len(self.rows) - len(self.others)

    @property
    def pretrained(self) -> Points:
        """The rows with their pretrained features, of length 1."""
        return Points(self.rows, normalized(self.learned.pretrained), self.corpus.labels[self.rows])
