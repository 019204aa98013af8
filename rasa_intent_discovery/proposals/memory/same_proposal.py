"""Which proposal of an earlier run a new one is.

Groups have no lasting number: two proposals are the same when they share at least half of the messages of the
smaller one; of several that a new one could be, it is the one it shares most with. One that no person has
touched keeps its name only where half of it is still the same and the words of the name are still said in it,
or the name is still the best.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rasa_intent_discovery.datatypes import DiscoveredIntent
from rasa_intent_discovery.proposals.memory.earlier import EarlierProposal
from rasa_intent_discovery.proposals.memory.log_keys import LogKeys
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.training_data.intent_names import name_words

#: Name, and rows of the corpus -> whether it is the best name of a proposal of these rows.
IsBestName = Callable[[str, Sequence[int]], bool]


def shares_enough(texts: frozenset[str], proposal: EarlierProposal) -> bool:
    """Whether the texts and the proposal share enough to be the same."""
    common, smaller = len(texts & proposal.texts), min(len(texts), len(proposal.texts))
    return common > 0 and common >= PROPOSALS.same_proposal * smaller


def holds_most(keys: LogKeys, intent: DiscoveredIntent, proposal: EarlierProposal) -> bool:
    """Whether the intent has enough of all that was in the proposal."""
    common = len(keys.of(intent) & proposal.texts)
    return common > 0 and common >= PROPOSALS.same_proposal * len(proposal.texts)


def _is_still(
    keys: LogKeys,
    intent: DiscoveredIntent,
    earlier: EarlierProposal,
    logged: frozenset[str],
    is_best_name: IsBestName,
) -> bool:
    """Whether an intent that shares enough with an earlier proposal is to be called as that was.

    What a person has touched stays. Of any other, half of what it is now was in it, and half of what it was
    is in it; messages that were logged since, or are in the log no more, count for neither. And where the
    words of its name were in many of its messages, they still are: else what bore it has gone elsewhere.

    Args:
        logged: `text_key` of every message of the last run.
    """
    if earlier.edited or earlier.ignored:
        return True
    own, share = keys.of(intent), PROPOSALS.keeps_name
    common = len(own & earlier.texts)
    was = common >= share * len(earlier.texts) or common >= share * len(earlier.texts & keys.of_log)
    same = was and common >= share * len(own & logged) and _is_said_still(earlier, own)
    return same or is_best_name(earlier.name, intent.members)


def _is_said_still(earlier: EarlierProposal, texts: frozenset[str]) -> bool:
    """Whether these texts have the words of its name nearly as often as those it had, if many of them had."""
    words = name_words(earlier.name)
    then, now = (
        sum(any(word in text for word in words) for text in some) / max(1, len(some))
        for some in (earlier.texts, texts)
    )
    return then < PROPOSALS.name_was_said or now >= PROPOSALS.name_still_said * then


def same_proposals(
    keys: LogKeys,
    intents: Sequence[DiscoveredIntent],
    can_be: Sequence[Sequence[EarlierProposal]],
    logged: frozenset[str],
    is_best_name: IsBestName,
) -> list[EarlierProposal | None]:
    """The earlier proposal that each intent is, of those it can be; those that share most go first.

    Several intents can be the same one only where a person has decided of it.

    Args:
        logged: `text_key` of every message of the last run.
    """
    pairs = [
        (-len(keys.of(intent) & proposal.texts), number, place)
        for number, intent in enumerate(intents)
        for place, proposal in enumerate(can_be[number])
        if _is_still(keys, intent, proposal, logged, is_best_name)
    ]
    found: list[EarlierProposal | None] = [None] * len(intents)
    for _, number, place in sorted(pairs):
        proposal = can_be[number][place]
        if found[number] is None and (proposal.edited or proposal.ignored or proposal not in found):
            found[number] = proposal
    return found
