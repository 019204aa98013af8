"""By which texts the messages of two runs are the same ones."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

import numpy as np

from rasa_intent_discovery.datatypes import Array, Corpus, DiscoveredIntent
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.training_data.text_identity import text_key, without_numbers


def keys_of(corpus: Corpus, row: int) -> frozenset[str]:
    """`text_key` of a row of a corpus, as it is read and as it was written."""
    # Most are read as they were written, and it is asked of all rows of a log several times.
    return frozenset(map(text_key, {corpus.texts[row], *(text for text, _ in corpus.spellings[row])}))


def repeated_rows(corpus: Corpus, rows: Array) -> Array:
    """(m,) int64: of some rows of a corpus, (m,) int64, many that differ in numbers alone have the same."""
    texts = [without_numbers(corpus.texts[row]) for row in rows.tolist()]
    first: dict[str, int] = {}
    many = {text for text, count in Counter(texts).items() if count >= PROPOSALS.template_rows}
    found = [first.setdefault(text, at) if text in many else at for at, text in enumerate(texts)]
    return np.array(found, dtype=np.int64)


class LogKeys:
    """The keys of many rows, each set worked out once: of a large log it takes seconds."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self._found: dict[tuple[int, ...], frozenset[str]] = {}

    def of(self, intent: DiscoveredIntent) -> frozenset[str]:
        """Those of the members of an intent."""
        if intent.members not in self._found:
            keys = (keys_of(self.corpus, row) for row in intent.members)
            self._found[intent.members] = frozenset[str]().union(*keys)
        return self._found[intent.members]

    @cached_property
    def of_log(self) -> frozenset[str]:
        """Those of all that is logged."""
        rows = np.flatnonzero(self.corpus.counts).tolist()
        return frozenset[str]().union(*(keys_of(self.corpus, row) for row in rows))
