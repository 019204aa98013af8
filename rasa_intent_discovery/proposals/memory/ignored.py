"""Proposals that a person ignored: what becomes of their messages in a later run.

An ignored one is proposed again only if it has grown by half more than the log, and by enough for a proposal,
and holds messages that are new: groups change between runs on the same log, too. Where a run puts it together
with others, its messages are taken out, and the others are proposed without them. Known intents get none of
them as examples.
"""

from __future__ import annotations

from collections.abc import Sequence

from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW, Corpus, DiscoveredIntent, Placement
from rasa_intent_discovery.proposals.memory.earlier import Earlier, EarlierProposal
from rasa_intent_discovery.proposals.memory.log_keys import LogKeys, keys_of
from rasa_intent_discovery.proposals.memory.moves import leave_over, with_members
from rasa_intent_discovery.proposals.memory.same_proposal import shares_enough
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.proposals.reasons import IGNORED_BEFORE, LIKE_IGNORED, OF_APPLIED, REST


def is_ignored(corpus: Corpus, rows: Sequence[int], earlier: Earlier, min_messages: int) -> bool:
    """Whether a person ignored what these rows are, and they are not to be proposed again."""
    if not earlier.proposals:
        return False
    texts = frozenset[str]().union(*(keys_of(corpus, row) for row in rows))
    alike = [proposal for proposal in earlier.proposals if shares_enough(texts, proposal)]
    same = max(alike, key=lambda proposal: len(texts & proposal.texts), default=None)
    messages = int(corpus.counts[list(rows)].sum())
    return same is not None and stays_ignored(corpus, same, texts, messages, earlier, min_messages)


def stays_ignored(
    corpus: Corpus,
    same: EarlierProposal,
    texts: frozenset[str],
    messages: int,
    earlier: Earlier,
    min_messages: int,
) -> bool:
    """Whether an earlier proposal is ignored, and what it is now has not grown enough to be proposed again.

    In a log to which each week is added all that is said grows as it does.

    Args:
        texts: `text_key` of what it is now; messages: how many these are, with repetitions.
        min_messages: fewest of a proposal: so many have to be more than it would have by the log.
    """
    of_log = corpus.logged_messages / same.of_log if same.of_log else 1.0
    by_log = same.messages * max(1.0, of_log)
    due = max(PROPOSALS.grown_again * by_log, by_log + min_messages)
    grown = messages >= due and bool(texts - earlier.logged)
    return same.ignored and not grown


def without_ignored_examples(
    corpus: Corpus, placements: Sequence[Placement], earlier: Sequence[EarlierProposal]
) -> list[Placement]:
    """The placements, with the logged messages of ignored proposals as what they are, not as examples of
    known intents or too few.
    """
    ignored = frozenset[str]().union(*(proposal.texts for proposal in earlier if proposal.ignored))
    if not ignored:
        return list(placements)
    return [
        Placement(LEFT_OVER, None, placement.confidence, IGNORED_BEFORE)
        if placement.placement != NEW and not corpus.labeled[row] and ignored & keys_of(corpus, row)
        else placement
        for row, placement in enumerate(placements)
    ]


def without_ignored_parts(
    keys: LogKeys,
    intents: Sequence[DiscoveredIntent],
    placements: list[Placement],
    earlier: Earlier,
    min_messages: int,
) -> tuple[list[DiscoveredIntent], dict[str, list[EarlierProposal]], list[str]]:
    """Leaves over messages of ignored proposals that are parts of other intents, and what is too few then.

    Args:
        placements: of all rows; changed in place.

    Returns:
        The intents that are left, which earlier proposals each of them can be, by its name, and the names of
        the ignored ones that were a part of one.
    """
    left, can_be, ignored = list[DiscoveredIntent](), dict[str, list[EarlierProposal]](), list[str]()
    for before in intents:
        intent, ones, taken_out = _without_ignored(keys, before, earlier.proposals, min_messages)
        ignored += [proposal.name for proposal in taken_out]
        leave_over(placements, set(before.members).difference(intent.members), IGNORED_BEFORE)
        if intent is before or (intent.examples and intent.messages >= min_messages):
            left.append(intent)
            can_be[intent.name] = ones
        else:
            leave_over(placements, intent.members, REST)
    return left, can_be, ignored


def _without_ignored(
    keys: LogKeys, intent: DiscoveredIntent, earlier: Sequence[EarlierProposal], min_messages: int
) -> tuple[DiscoveredIntent, list[EarlierProposal], list[EarlierProposal]]:
    """Takes the messages of ignored proposals out of an intent that is another one.

    Returns:
        The intent without them, which earlier proposals it can be, and the ignored ones that were a part of
        it. Where too little would be left beside such a part, it is that one as a whole.
    """
    if not earlier:
        return intent, [], []
    corpus, own = keys.corpus, keys.of(intent)
    same = sorted(
        (proposal for proposal in earlier if shares_enough(own, proposal)),
        key=lambda proposal: -len(own & proposal.texts),
    )
    others = [proposal for proposal in same if not proposal.ignored] or same[:1]
    taken_out = [proposal for proposal in same if proposal.ignored and proposal not in others]
    ignored = [proposal.texts for proposal in earlier if proposal.ignored and proposal not in others]
    theirs = own.intersection(frozenset[str]().union(*ignored))
    if not theirs:
        return intent, others, []
    left = [row for row in intent.members if not theirs & keys_of(corpus, row)]
    if taken_out and corpus.counts[left].sum() < min_messages:
        return intent, [proposal for proposal in same if proposal.ignored][:1], []
    return with_members(corpus, intent, left), others, taken_out


def leave_beside_ignored(
    corpus: Corpus,
    placements: list[Placement],
    intent: DiscoveredIntent,
    same: EarlierProposal,
    earlier: Earlier,
) -> None:
    """Leaves over what is like an ignored group, but for what was in a proposal that is in the bot now.

    Args:
        placements: of all rows; changed in place.
        same: the ignored proposal that the intent is; what was in it needs no place.
    """
    ignored = same.texts | earlier.ignored
    for row in intent.members:
        keys, sure = sorted(keys_of(corpus, row)), placements[row].confidence
        if not ignored.isdisjoint(keys):
            continue
        of_bot = next((earlier.of_applied[key] for key in keys if key in earlier.of_applied), None)
        if of_bot in corpus.intents:
            placements[row] = Placement(KNOWN, of_bot, sure, OF_APPLIED)
        else:
            placements[row] = Placement(LEFT_OVER, None, sure, LIKE_IGNORED)
