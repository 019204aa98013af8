"""Where the messages of earlier proposals are that are proposals no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from rasa_intent_discovery.datatypes import Corpus, Placement
from rasa_intent_discovery.proposals.memory.earlier import EarlierProposal
from rasa_intent_discovery.proposals.memory.log_keys import keys_of


def whereabouts(
    corpus: Corpus, placements: Sequence[Placement], proposals: Sequence[EarlierProposal]
) -> Mapping[str, Mapping[str, int]]:
    """How many logged messages of each proposal are where now.

    Args:
        placements: of all rows of the corpus.

    Returns:
        Name of the proposal -> proposal or known intent, or "" for those left over -> messages, the most
        first; nothing where none of its messages is in the log.
    """
    if not proposals:
        return {}
    found = {proposal.name: Counter[str]() for proposal in proposals}
    having: dict[str, list[str]] = {}
    for proposal in proposals:
        for text in proposal.texts:
            having.setdefault(text, []).append(proposal.name)
    for row in np.flatnonzero(corpus.counts).tolist():
        for name in {name for key in keys_of(corpus, row) for name in having.get(key, ())}:
            found[name][placements[row].intent or ""] += int(corpus.counts[row])
    return {name: dict(counts.most_common()) for name, counts in found.items()}
