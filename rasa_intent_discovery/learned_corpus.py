"""Which rows of a corpus are learnt from, and what was learnt of them."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from rasa_intent_discovery.clustering.links import Links
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.other_languages import rows_in_other_languages
from rasa_intent_discovery.corpus.personal_data import without_placeholders
from rasa_intent_discovery.corpus.sampling import is_too_large, sampled
from rasa_intent_discovery.datatypes import Array, Corpus, Points, normalized
from rasa_intent_discovery.learning.learned import Learned
from rasa_intent_discovery.locales import language_code
from rasa_intent_discovery.proposals.answers import links_of
from rasa_intent_discovery.proposals.memory.continuing import rows_missing, rows_said
from rasa_intent_discovery.proposals.memory.earlier import Earlier
from rasa_intent_discovery.proposals.memory.log_keys import keys_of, repeated_rows
from rasa_intent_discovery.proposals.naming.words import WordStatistics, familiar_rows
from rasa_intent_discovery.proposals.near_examples import near_examples
from rasa_intent_discovery.proposals.numbers import PROPOSALS

logger = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class RowsToRead:
    """Which rows of a corpus are learnt from, and which are placed by them. What is in neither is left over.

    Attributes:
        rows: (m,) int64, ascending: all examples and at most `CORPUS.most_learnt` logged messages.
        others: (r,) int64, ascending: messages that are placed. Those of unfamiliar words, and those in
            languages that the bot does not speak, are in neither.
        foreign: row -> the language it is in, which the bot does not speak.
        statistics: of the words of the corpus.
    """

    corpus: Corpus
    rows: Array
    others: Array
    foreign: Mapping[int, str]
    statistics: WordStatistics

    @classmethod
    def of(cls, corpus: Corpus, earlier: Earlier, config: DiscoveryConfig) -> RowsToRead:
        """Chooses them.

        Args:
            earlier: what the run continues: a sample has some of all that was found.
        """
        foreign = rows_in_other_languages(corpus, config.language)
        language = language_code(config.language)
        familiar = familiar_rows(corpus, config.min_messages, language)
        familiar[[] if config.other_languages else [*foreign]] = False
        logged = np.flatnonzero(familiar & ~corpus.labeled)
        some = logged
        if is_too_large(len(logged)):
            some = _sampled(corpus, logged, earlier, config)
            logger.info("learning from a sample of %d of %d distinct messages", len(some), len(logged))
        rows = np.union1d(np.flatnonzero(corpus.labeled), some)
        others = np.setdiff1d(logged, some, assume_unique=True)
        statistics = WordStatistics(corpus, rows if len(others) else None, language)
        return cls(corpus, rows, others, foreign, statistics)

    @property
    def texts(self) -> list[str]:
        """m, as they are read."""
        return [without_placeholders(self.corpus.texts[row]) for row in self.rows]

    @property
    def labels(self) -> Array:
        """(m,) int64, their known intents, or `UNLABELED`."""
        found: Array = self.corpus.labels[self.rows]
        return found

    def learned(self, learned: Learned) -> LearnedCorpus:
        """The corpus, with what was learnt of these rows."""
        return LearnedCorpus(self.corpus, self.statistics, self.rows, learned, self.others, self.foreign)


def _sampled(corpus: Corpus, logged: Array, earlier: Earlier, config: DiscoveryConfig) -> Array:
    """(s,) int64, some of the logged rows, ascending."""
    counts, certain = corpus.counts[logged], rows_said(corpus, earlier)
    drawn = logged[sampled(counts, certain[logged], config.seed)]
    certain |= rows_missing(corpus, drawn, earlier, config.min_messages)
    found: Array = logged[sampled(counts, certain[logged], config.seed)]
    return found


@dataclass(frozen=True, eq=False)
class LearnedCorpus:
    """A corpus, and what was learnt of some of its rows. What is in neither `rows` nor `others` is left over.

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

    @cached_property
    def pretrained(self) -> Points:
        """The rows with their pretrained features, of length 1."""
        return Points(self.rows, normalized(self.learned.pretrained), self.corpus.labels[self.rows])

    @cached_property
    def repeated(self) -> Array:
        """(m,) int64, the same number for those of the rows that differ in numbers alone."""
        return repeated_rows(self.corpus, self.rows)

    def links(self, earlier: Earlier) -> Links:
        """What a person answered and refused, by places in `rows`."""
        said = links_of(earlier.answers, [self.corpus.texts[row] for row in self.rows])
        return replace(said, refused=self._refused(earlier.refused)) if earlier.refused else said

    def _refused(self, refused: Mapping[str, Iterable[str]]) -> Array:
        """As `Links.refused`. What nearly repeats an example of that intent is of it all the same."""
        corpus, intents_of = self.corpus, defaultdict[str, set[int]](set)
        for intent, name in enumerate(corpus.intents):
            for text in refused.get(name, ()):
                intents_of[text].add(intent)
        said = {
            row: intents
            for row in self.rows[~corpus.labeled[self.rows]].tolist()
            if (intents := set[int]().union(*(intents_of.get(key, ()) for key in keys_of(corpus, row))))
        }
        near = near_examples(corpus, np.array([*said], dtype=np.int64), self.pretrained)
        for row, example in near.items():
            said[row].discard(int(corpus.labels[example]))
        pairs = [(row, intent) for row, intents in said.items() for intent in sorted(intents)]
        found = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        found[:, 0] = np.searchsorted(self.rows, found[:, 0])
        return found


def with_left_out(learned: LearnedCorpus) -> Points:
    """`pretrained`, and the same of rows that are left out: a person may search for those by meaning, too."""
    corpus, pretrained = learned.corpus, learned.pretrained
    read = np.concatenate([learned.rows, learned.others])
    left_out = np.setdiff1d(np.arange(len(corpus.texts)), read, assume_unique=True)
    frequent = left_out[np.argsort(-corpus.counts[left_out], kind="stable")]
    more = np.sort(frequent[: PROPOSALS.most_left_out])
    if not len(more):
        return pretrained
    features = learned.learned.pretrained_of([without_placeholders(corpus.texts[row]) for row in more])
    rows = np.concatenate([learned.rows, more])
    both = np.concatenate([pretrained.features, normalized(features)])
    return Points(rows, both, corpus.labels[rows]).of(np.argsort(rows))
