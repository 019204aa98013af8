"""Which messages a run has to learn from to go on with earlier ones, where it cannot learn from all."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from rasa_intent_discovery.datatypes import Array, Corpus
from rasa_intent_discovery.proposals.memory.earlier import Earlier
from rasa_intent_discovery.proposals.memory.log_keys import keys_of
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.training_data.text_identity import text_key


def rows_said(corpus: Corpus, earlier: Earlier) -> Array:
    """(n,) bool: what a person answered about, or refused: where it is alone, nothing is known of that."""
    answers = [(one.text, *one.together, *one.apart) for one in earlier.answers]
    said = {text_key(text) for texts in answers for text in texts}.union(*earlier.refused.values())
    found = np.zeros(len(corpus.texts), dtype=bool)
    for row in range(len(corpus.texts) if said else 0):
        found[row] = not said.isdisjoint(keys_of(corpus, row))
    return found


def rows_missing(corpus: Corpus, drawn: Array, earlier: Earlier, least: int) -> Array:
    """(n,) bool: the most frequent messages of each earlier proposal of which a sample has hardly any.

    Of the others it has enough to find them again: to learn from more of these, instead of what was drawn,
    would change what is found.

    Args:
        drawn: rows of the sample.
        least: fewest messages of a proposal.
    """
    proposals_of = defaultdict[str, list[int]](list)
    for number, one in enumerate(earlier.proposals):
        for text in one.texts:
            proposals_of[text].append(number)

    def of(row: int) -> set[int]:
        return {number for key in keys_of(corpus, row) for number in proposals_of.get(key, ())}

    found, had = np.zeros(len(corpus.texts), dtype=bool), np.zeros(len(earlier.proposals), dtype=np.int64)
    for row in drawn.tolist() if proposals_of else ():
        had[[*of(row)]] += corpus.counts[row]
    left = np.where(had < min(least, PROPOSALS.evident_messages), PROPOSALS.learnt_again, 0)
    for row in np.argsort(-corpus.counts, kind="stable").tolist() if left.any() else ():
        if not left.any():
            break
        wanted = [number for number in of(row) if left[number]]
        left[wanted] -= 1
        found[row] = bool(wanted)
    return found
