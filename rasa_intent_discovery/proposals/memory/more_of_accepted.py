"""What is nearest to a wish that was accepted, of all intents, is more of it.

Of a wish that people phrase in many ways a run finds the middle, and other messages of it look new again.
So a group that looks new and is nearest to an intent which came of a proposal is that wish far more often
than a new one (docs/experiments.md). It is placed there to be read, and is no proposal a second time.
"""

from __future__ import annotations

from rasa_intent_discovery.datatypes import KNOWN, Corpus, DiscoveredIntent, Placement
from rasa_intent_discovery.proposals.memory.earlier import Earlier
from rasa_intent_discovery.proposals.memory.log_keys import keys_of
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.proposals.reasons import MORE_OF_ACCEPTED


def is_more_of_accepted(corpus: Corpus, intent: DiscoveredIntent, earlier: Earlier) -> bool:
    """Whether a group is more of a wish that a person accepted, and has not taken out of it."""
    nearest = intent.nearest_known
    if nearest not in earlier.accepted or intent.similarity < PROPOSALS.more_of_accepted * intent.cohesion:
        return False
    keys = [keys_of(corpus, row) for row in intent.members]
    out = earlier.taken_out.get(nearest, frozenset())
    had, taken_out = (sum(not one.isdisjoint(texts) for one in keys) for texts in (earlier.logged, out))
    return taken_out <= PROPOSALS.taken_out_of_accepted * had


def place_with_accepted(placements: list[Placement], intent: DiscoveredIntent) -> None:
    """Places the messages of a group with the intent that is nearest to it, not sure enough to go unread.

    Args:
        placements: of all rows of the corpus; changed in place.
    """
    for row in intent.members:
        sure = min(placements[row].confidence, PROPOSALS.stays_known_confidence)
        placements[row] = Placement(KNOWN, intent.nearest_known, sure, MORE_OF_ACCEPTED)
