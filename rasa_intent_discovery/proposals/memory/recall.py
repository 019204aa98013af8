"""Finds the proposals of earlier runs in a new one, and applies what a person decided about them.

A proposal that is an earlier one (`same_proposal`) keeps the name that the person knows. What was ignored is
not proposed again (`ignored`), nor is what was known before drafts were applied (`known_before`), and
messages are where the person put them (`moves`): what a person made, or decided of, is a proposal also where
a run finds no such group. It is told of a proposal that may be more of an accepted wish
(`more_of_accepted`).
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from rasa_intent_discovery.datatypes import LEFT_OVER, NEW, Array, Corpus, DiscoveredIntent, Placement
from rasa_intent_discovery.proposals.memory.earlier import Changes, Earlier, EarlierProposal
from rasa_intent_discovery.proposals.memory.ignored import (
    leave_beside_ignored,
    stays_ignored,
    without_ignored_examples,
    without_ignored_parts,
)
from rasa_intent_discovery.proposals.memory.known_before import (
    keep_known_before,
    known_before,
    without_known_before,
)
from rasa_intent_discovery.proposals.memory.log_keys import LogKeys, keys_of
from rasa_intent_discovery.proposals.memory.more_of_accepted import is_more_of_accepted
from rasa_intent_discovery.proposals.memory.moves import Describe, with_moves
from rasa_intent_discovery.proposals.memory.same_proposal import IsBestName, holds_most, same_proposals
from rasa_intent_discovery.proposals.memory.since_last_run import nothing_was_logged
from rasa_intent_discovery.proposals.memory.whereabouts import whereabouts
from rasa_intent_discovery.proposals.reasons import IGNORED_BEFORE


def recall(
    corpus: Corpus,
    intents: Sequence[DiscoveredIntent],
    placements: Sequence[Placement],
    earlier: Earlier,
    describe: Describe,
    min_messages: int,
    learnt: Array | None,
    is_best_name: IsBestName,
) -> tuple[tuple[DiscoveredIntent, ...], tuple[Placement, ...], Changes]:
    """Matches the proposals of a run with those of earlier ones.

    Args:
        intents: the proposals, most messages first; none has the name of an earlier one.
        placements: of all rows of the corpus.
        describe: makes a proposal of what a person put together and the run has not found.
        min_messages: fewest messages of a proposal, without those that a person has put elsewhere.
        learnt: (m,) int64, rows that can be examples of a proposal; None where all can.
        is_best_name: whether a name that is free is the best one: an earlier proposal that no person has
            touched keeps it then, though it has become something else.

    Returns:
        The proposals, the placements, and what has changed. A proposal that matches an earlier one has its
        name; several that match the same edited one are joined. The messages of one that is ignored are
        left over, also where they were placed with a known intent. Messages that a person has put elsewhere
        are there, and so is what wants the same as they do, by what the person answered.
    """
    keys = LogKeys(corpus)
    placements = without_ignored_examples(corpus, placements, earlier.proposals)
    intents, can_be, ignored = without_ignored_parts(keys, intents, placements, earlier, min_messages)
    # After what is ignored was taken out: beside it, what was known would look like less than it is.
    known = known_before(corpus, earlier.known)
    intents = without_known_before(corpus, intents, placements, known, earlier.logged)
    intents = [
        dataclasses.replace(intent, more_of_accepted=is_more_of_accepted(corpus, intent, earlier))
        for intent in intents
    ]
    ones = [can_be[intent.name] for intent in intents]
    same = same_proposals(keys, intents, ones, earlier.logged, is_best_name)
    found: dict[str, DiscoveredIntent] = {}
    names: dict[str, str | None] = {}
    again: dict[str, EarlierProposal] = {}
    for intent, one in zip(intents, same, strict=True):
        if one is None:
            names[intent.name] = intent.name
            found[intent.name] = intent
        elif stays_ignored(corpus, one, keys.of(intent), intent.messages, earlier, min_messages):
            names[intent.name] = None
            ignored.append(one.name)
            leave_beside_ignored(corpus, placements, intent, one, earlier)
        else:
            names[intent.name] = one.name
            again[one.name] = one
            named = dataclasses.replace(intent, name=one.name)
            found[one.name] = _joined(found[one.name], named) if one.name in found else named
    placed = [_replaced(placement, names) for placement in placements]
    keep_known_before(placed, known)
    kept = with_moves(corpus, found, placed, earlier, describe, min_messages, learnt)
    ranked = sorted(kept.values(), key=lambda intent: (-intent.messages, intent.name))
    final = {before: name if name in kept else None for before, name in names.items()}
    renamed = [_renamed_neighbour(intent, final) for intent in ranked]
    return tuple(renamed), tuple(placed), _changes(keys, found, kept, placed, again, ignored, earlier)


def _changes(
    keys: LogKeys,
    found: Mapping[str, DiscoveredIntent],
    kept: Mapping[str, DiscoveredIntent],
    placements: Sequence[Placement],
    again: Mapping[str, EarlierProposal],
    ignored: Sequence[str],
    earlier: Earlier,
) -> Changes:
    """What became of proposals since the last run.

    Args:
        found: name -> a proposal of this run; kept: those that are left, as they are proposed.
        placements: of all rows of the corpus, at the end.
        again: name -> the earlier proposal that one of `found` is.
        ignored: names of those that were found and are not proposed.
    """
    changes: dict[str, list[str]] = defaultdict(list)
    changes["applied"] += earlier.applied
    kept_out = _kept_out(keys.corpus, placements, earlier.proposals)
    changes["ignored"] += [*ignored, *(name for name in kept_out if name not in again)]
    changes["new"] += [name for name in found if name not in again and name in kept]
    for proposal in earlier.proposals:
        can_be_told = proposal.edited or proposal.texts  # else nobody knows what was in it
        if proposal.name not in found and not proposal.ignored and can_be_told:
            joined = any(holds_most(keys, intent, proposal) for intent in found.values())
            changes["kept" if proposal.edited else "joined" if joined else "gone"].append(proposal.name)
    same_log = bool(earlier.told) and nothing_was_logged(keys.corpus, earlier)
    told = earlier.told if same_log else {}
    for name, same in again.items():
        change, before = _change(kept.get(name), same), told.get(name)
        # One that is back is kept where a person had written into its draft.
        still = before if change == "same" or (change, before) == ("kept", "again") else None
        changes[still or change].append(name)
    missed = {*changes["joined"], *changes["gone"]}
    there = whereabouts(keys.corpus, placements, [one for one in earlier.proposals if one.name in missed])
    fields: dict[str, Any] = {what: tuple(dict.fromkeys(names)) for what, names in changes.items()}
    return Changes(whereabouts=there, same_log=same_log, **fields)


def _kept_out(
    corpus: Corpus, placements: Sequence[Placement], earlier: Sequence[EarlierProposal]
) -> list[str]:
    """The names of ignored proposals of which most messages are left over for that reason."""
    rows = [row for row, place in enumerate(placements) if place.reason == IGNORED_BEFORE]
    texts = frozenset[str]().union(*(keys_of(corpus, row) for row in rows))
    return [one.name for one in earlier if one.ignored and 2 * len(texts & one.texts) > len(one.texts)]


def _change(intent: DiscoveredIntent | None, earlier: EarlierProposal) -> str:
    """What became of an earlier proposal that was found again, as a field of `Changes`.

    Args:
        intent: what it is now; None where too few messages are left of it.
    """
    if intent is None:
        return "ignored" if earlier.ignored else "gone"
    if earlier.ignored:
        return "again"
    if earlier.edited:
        return "kept"
    if intent.messages == earlier.messages:
        return "same"
    return "grown" if intent.messages > earlier.messages else "shrunk"


def _joined(one: DiscoveredIntent, other: DiscoveredIntent) -> DiscoveredIntent:
    return dataclasses.replace(
        one,
        members=(*one.members, *other.members),
        examples=(*one.examples, *other.examples),
        messages=one.messages + other.messages,
        distinct=one.distinct + other.distinct,
    )


def _renamed_neighbour(intent: DiscoveredIntent, names: dict[str, str | None]) -> DiscoveredIntent:
    """The intent with the new name of its nearest proposal, or without one where that was dropped."""
    if intent.nearest_new is None:
        return intent
    neighbour = names.get(intent.nearest_new)
    return dataclasses.replace(intent, nearest_new=neighbour if neighbour != intent.name else None)


def _replaced(placement: Placement, names: dict[str, str | None]) -> Placement:
    if placement.placement != NEW or placement.intent is None:
        return placement
    name = names[placement.intent]
    if name is None:
        return Placement(LEFT_OVER, None, placement.confidence, IGNORED_BEFORE)
    return dataclasses.replace(placement, intent=name)
