"""Whether a new proposal is more of a wish that a person has accepted.

Of a wish that people phrase in many ways a run finds the middle, and other messages of it look new again.
So a group that looks new and is nearest to an intent which came of a proposal is more of that as a rule
(docs/experiments.md). It is proposed all the same: now and then it is a wish beside the accepted one.
"""

from __future__ import annotations

from rasa_intent_discovery.datatypes import Corpus, DiscoveredIntent
from rasa_intent_discovery.proposals.memory.earlier import Earlier
from rasa_intent_discovery.proposals.memory.log_keys import keys_of
from rasa_intent_discovery.proposals.numbers import PROPOSALS


def is_more_of_accepted(corpus: Corpus, intent: DiscoveredIntent, earlier: Earlier) -> bool:
    """Whether it is near to an intent that came of a proposal, and the person did not take it out of that."""
    nearest = intent.nearest_known
    if nearest not in earlier.accepted or intent.similarity < PROPOSALS.more_of_accepted * intent.cohesion:
        return False
    keys = [keys_of(corpus, row) for row in intent.members]
    out = earlier.taken_out.get(nearest, frozenset())
    had, taken_out = (sum(not one.isdisjoint(texts) for one in keys) for texts in (earlier.logged, out))
    return taken_out <= PROPOSALS.taken_out_of_accepted * had
