"""What the last run placed in known intents stays there once others of its drafts were applied.

What was applied brings examples to some intents and none to others, and leaves what is far from examples in
the log. Held against all of them, the log is dense then where an intent got none, and what was known looks
new, though nothing was logged and nobody said so. A group of such messages stays where it was, and so does
what is left over of them; a part of a group that may be a wish of its own is told as such (`parts`).

Where messages came since, a group holds those, too, and is judged by the others, if much of what was known
looks new; otherwise it may well be a wish that the last run swallowed, of which there is enough by now. Most
of these others have to have been in one known intent: those of such a wish were in several as a rule, each in
the one next to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, Corpus, DiscoveredIntent, Placement
from rasa_intent_discovery.proposals.memory.log_keys import keys_of
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.proposals.reasons import IGNORED_BEFORE, STAYS_KNOWN


def known_before(corpus: Corpus, known: Mapping[str, str]) -> dict[int, str]:
    """Row of each message that is no example -> the intent in which it was, if the bot still has that.

    Args:
        known: as `Earlier.known`.
    """
    found = {}
    for row in np.flatnonzero(~corpus.labeled).tolist() if known else ():
        before = (known.get(key) for key in sorted(keys_of(corpus, row)))
        intent = next((one for one in before if one in corpus.intents), None)
        if intent is not None:
            found[row] = intent
    return found


def without_known_before(
    corpus: Corpus,
    intents: Sequence[DiscoveredIntent],
    placements: list[Placement],
    known: Mapping[int, str],
    logged: frozenset[str],
) -> list[DiscoveredIntent]:
    """The proposals without those that are of what was known.

    Each message is in the intent where it was, what came since in the one where most of its group was.

    Args:
        placements: of all rows of the corpus; changed in place.
        known: as `known_before` finds it; logged: as `Earlier.logged`.
    """
    if not known:
        return list(intents)
    looking_new = sum(row in known for intent in intents for row in intent.members)
    is_flood = looking_new >= PROPOSALS.flood * len(known)
    left = []
    for intent in intents:
        before = {row: known[row] for row in intent.members if row in known}
        [(most, in_one)] = Counter(before.values()).most_common(1) or [("", 0)]
        had = sum(bool(keys_of(corpus, row) & logged) for row in intent.members)
        nearly_all = len(before) >= PROPOSALS.known_before * had
        of_one = had >= PROPOSALS.fewest_before and in_one >= PROPOSALS.in_one_before * had
        if not nearly_all or not ((is_flood and of_one) or had == len(intent.members)):
            left.append(intent)
            continue
        for row in intent.members:
            placements[row] = _staying(before.get(row, most), placements[row])
    return left


def keep_known_before(placements: list[Placement], known: Mapping[int, str]) -> None:
    """Puts back what is left over now: a message is not less known because the bot has more examples.

    Args:
        placements: of all rows of the corpus; changed in place. What was ignored stays left over.
        known: as `known_before` finds it.
    """
    for row, before in known.items():
        now = placements[row]
        if now.placement == LEFT_OVER and now.reason != IGNORED_BEFORE:
            placements[row] = _staying(before, now)


def _staying(intent: str, now: Placement) -> Placement:
    """The placement of a message in the intent where it was, less sure than where examples are near."""
    sure = min(now.confidence, PROPOSALS.stays_known_confidence)
    return Placement(KNOWN, intent, sure, STAYS_KNOWN)
