"""Which messages a run has to learn from to go on with earlier ones, where it cannot learn from all."""

from __future__ import annotations

import numpy as np

from rasa_intent_discovery.datatypes import Array, Corpus
from rasa_intent_discovery.proposals.memory.earlier import Earlier
from rasa_intent_discovery.proposals.memory.log_keys import keys_of
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.training_data.text_identity import text_key


def rows_to_go_on(corpus: Corpus, earlier: Earlier) -> Array:
    """(n,) bool: what a person answered about, and the most frequent messages of each earlier proposal."""
    found = np.zeros(len(corpus.texts), dtype=bool)
    answers = [(one.text, *one.together, *one.apart) for one in earlier.answers]
    answered = {text_key(text) for texts in answers for text in texts}
    proposal_of = {text: number for number, one in enumerate(earlier.proposals) for text in one.texts}
    if not answered and not proposal_of:
        return found
    left = [PROPOSALS.learnt_again] * len(earlier.proposals)
    for row in np.argsort(-corpus.counts, kind="stable").tolist():
        keys = keys_of(corpus, row)
        found[row] = not answered.isdisjoint(keys)
        proposal = next((proposal_of[key] for key in sorted(keys) if key in proposal_of), None)
        if proposal is not None and left[proposal]:
            left[proposal] -= 1
            found[row] = True
    return found
