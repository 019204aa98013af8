"""What the last run placed in known intents makes no proposals once others of its drafts were applied.

What was applied brings examples to some intents and none to others. Held against all of them, the log is
dense then where an intent got none, and what was known looks new, though nothing was logged and nobody said
so. A group of such messages stays where it was; a part of it that may be a wish of its own is told as such
(`parts`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rasa_intent_discovery.datatypes import KNOWN, Corpus, DiscoveredIntent, Placement
from rasa_intent_discovery.proposals.log_keys import keys_of
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.proposals.reasons import STAYS_KNOWN


def without_known_before(
    corpus: Corpus,
    intents: Sequence[DiscoveredIntent],
    placements: list[Placement],
    known: Mapping[str, str],
) -> list[DiscoveredIntent]:
    """The proposals without those that are nearly all of what was known.

    Each message is in the intent where it was, what came since in the one where most of its group was.

    Args:
        placements: of all rows of the corpus; changed in place.
        known: as `Earlier.known`.
    """
    if not known:
        return list(intents)
    left = []
    for intent in intents:
        there = {row: known_before(corpus, row, known) for row in intent.members}
        before = {row: name for row, name in there.items() if name is not None}
        if len(before) < PROPOSALS.known_before * len(intent.members):
            left.append(intent)
            continue
        [(most, _)] = Counter(before.values()).most_common(1)
        for row in intent.members:
            placements[row] = stays_known(before.get(row, most), placements[row])
    return left


def known_before(corpus: Corpus, row: int, known: Mapping[str, str]) -> str | None:
    """The intent in which a message was, if the bot still has it.

    Args:
        known: as `Earlier.known`.
    """
    before = (known.get(key) for key in sorted(keys_of(corpus, row)))
    return next((intent for intent in before if intent in corpus.intents), None)


def stays_known(intent: str, now: Placement) -> Placement:
    """The placement of a message in the intent where it was, less sure than where examples are near."""
    sure = min(now.confidence, PROPOSALS.stays_known_confidence)
    return Placement(KNOWN, intent, sure, STAYS_KNOWN)
