"""Moves messages to where a person has put them, and what wants the same as they do."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW, Array, Corpus, DiscoveredIntent, Placement
from rasa_intent_discovery.proposals.answers import links_of
from rasa_intent_discovery.proposals.memory.earlier import Earlier
from rasa_intent_discovery.proposals.memory.log_keys import keys_of
from rasa_intent_discovery.proposals.memory.same_place import placed_together
from rasa_intent_discovery.proposals.reasons import PUT_THERE, REST, WITH_THEM

#: Name, and rows of the corpus -> a proposal of these rows.
Describe = Callable[[str, Sequence[int]], DiscoveredIntent]


def with_moves(
    corpus: Corpus,
    found: Mapping[str, DiscoveredIntent],
    placements: list[Placement],
    earlier: Earlier,
    describe: Describe,
    min_messages: int,
    learnt: Array | None,
) -> dict[str, DiscoveredIntent]:
    """Moves messages to where a person has put them, and drops proposals with too few messages left.

    What a person made that is not among the proposals found is described anew.

    Args:
        placements: of all rows; changed in place.
    """
    moved = set(_move(corpus, placements, earlier.placed))
    told = _move_by_answers(corpus, placements, earlier)
    moved |= told
    moved |= _move_with_examples(found.values(), placements, moved)
    edited = {proposal.name for proposal in earlier.proposals if proposal.edited}
    kept, learnt_rows = {}, None if learnt is None else {*learnt.tolist()}
    for name, intent in found.items():
        more = [row for row in sorted(moved) if placements[row].intent == name]
        left = with_members(corpus, intent, [*(row for row in intent.members if row not in moved), *more])
        if left is intent or name in edited or left.messages >= min_messages:
            examples = [row for row in more if row in told and (learnt_rows is None or row in learnt_rows)]
            kept[name] = dataclasses.replace(left, examples=(*left.examples, *examples))
        else:
            leave_over(placements, left.members, REST)
    made: dict[str, list[int]] = {}
    for row in sorted(moved):
        place = placements[row]
        if place.placement == NEW and place.intent is not None and place.intent not in found:
            made.setdefault(place.intent, []).append(row)
    return {**kept, **{name: describe(name, rows) for name, rows in made.items()}}


def _move(
    corpus: Corpus,
    placements: list[Placement],
    placed: Mapping[str, tuple[str, str]],
) -> frozenset[int]:
    """Places every message where the person has it as an example; returns the rows that were moved."""
    rows = []
    for row, placement in enumerate(placements if placed else ()):
        if corpus.labeled[row]:
            continue
        keys = sorted(keys_of(corpus, row))
        part, intent = next((placed[text] for text in keys if text in placed), ("", ""))
        if not part or (placement.placement, placement.intent) == (part, intent):
            continue
        if intent in corpus.intents:
            there = Placement(KNOWN, intent, 1.0, PUT_THERE)
        elif part == NEW:
            there = Placement(NEW, intent, 1.0, PUT_THERE)
        else:
            there = Placement(LEFT_OVER, None, 1.0, PUT_THERE)
        placements[row] = there
        rows.append(row)
    return frozenset(rows)


def _move_by_answers(corpus: Corpus, placements: list[Placement], earlier: Earlier) -> frozenset[int]:
    """Places what wants the same as `placed_together` does; returns the rows that were moved."""
    if not earlier.answers:
        return frozenset()
    decided = {
        row
        for row in range(len(corpus.texts) if earlier.placed else 0)
        if placements[row].placement != LEFT_OVER and not keys_of(corpus, row).isdisjoint(earlier.placed)
    }
    moved = placed_together(corpus, placements, links_of(earlier.answers, corpus.texts), decided)
    for row, placement in moved.items():
        placements[row] = placement
    return frozenset(moved)


def _move_with_examples(
    intents: Iterable[DiscoveredIntent], placements: list[Placement], moved: Collection[int]
) -> frozenset[int]:
    """Places what is left of intents that lost all their examples; returns the rows that were moved.

    What is nearly the same as an example, or one message too many, is none: it goes where most of these went.
    """
    rows: list[int] = []
    for intent in intents:
        rest = [row for row in intent.members if row not in moved]
        if rest and intent.examples and all(row in moved for row in intent.examples):
            theirs = Counter((placements[row].placement, placements[row].intent) for row in intent.examples)
            [((kind, there), _)] = theirs.most_common(1)
            for row in rest:
                placements[row] = Placement(kind, there, placements[row].confidence, WITH_THEM)
            rows += rest
    return frozenset(rows)


def with_members(corpus: Corpus, intent: DiscoveredIntent, rows: Sequence[int]) -> DiscoveredIntent:
    """The intent with these rows as its members; its other evidence stays."""
    members, inside = tuple(rows), set(rows)
    if members == intent.members:
        return intent
    return dataclasses.replace(
        intent,
        members=members,
        examples=tuple(row for row in intent.examples if row in inside),
        messages=int(corpus.counts[list(members)].sum()),
        distinct=len(members),
    )


def leave_over(placements: list[Placement], rows: Iterable[int], reason: str) -> None:
    """Leaves over these rows; the placements, of all rows, are changed in place."""
    for row in rows:
        placements[row] = Placement(LEFT_OVER, None, placements[row].confidence, reason)
