"""Finds the proposals of earlier runs in a new one, and applies what a person decided about them.

Groups have no lasting number: two proposals are the same when they share at least half of the messages of the
smaller one; of several that a new one could be, it is the one it shares most with. A proposal keeps the name
that the person knows; one that no person has touched, only where half of it is still the same, or the name is
still the best. An ignored one is proposed again only if it has grown by half and holds messages that
are new: groups change between runs on the same log, too. Where a run puts it together with others, its
messages are taken out, and the others are proposed without them. Known intents get none of them as examples.
What a person made, or decided of, is a proposal also where a run finds no such group: its messages are those
that the person put there.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np

from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW, Array, Corpus, DiscoveredIntent, Placement
from rasa_intent_discovery.proposals.answers import links_of
from rasa_intent_discovery.proposals.earlier import Changes, Earlier, EarlierProposal
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.proposals.reasons import IGNORED_BEFORE, LIKE_IGNORED, OF_APPLIED
from rasa_intent_discovery.proposals.same_place import placed_together
from rasa_intent_discovery.training_data.text_identity import text_key

#: The reasons of a message that is in a draft which a person changed, and of the rest of its group.
PUT_THERE = "is an example of a draft that you changed"
WITH_THEM = "is like examples that you put there"
REST = "others of its group are in drafts that you changed or ignored, and too few are left for a proposal"

#: Name, and rows of the corpus -> a proposal of these rows.
Describe = Callable[[str, Sequence[int]], DiscoveredIntent]
#: Name, and rows of the corpus -> whether it is the best name of a proposal of these rows.
IsBestName = Callable[[str, Sequence[int]], bool]


def recall(
    corpus: Corpus,
    intents: Sequence[DiscoveredIntent],
    placements: Sequence[Placement],
    earlier: Earlier,
    describe: Describe,
    min_messages: int = 1,
    learnt: Array | None = None,
    is_best_name: IsBestName = lambda name, rows: False,
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
    found: dict[str, DiscoveredIntent] = {}
    names: dict[str, str | None] = {}
    again: dict[str, EarlierProposal] = {}
    changes: dict[str, list[str]] = {field.name: [] for field in dataclasses.fields(Changes)}
    changes["applied"] = [*earlier.applied]
    texts = _Texts(corpus)
    placements = _without_ignored_examples(corpus, placements, earlier.proposals)
    parted: list[tuple[DiscoveredIntent, list[EarlierProposal]]] = []
    for before in intents:
        intent, can_be, taken_out = _without_ignored(texts, before, earlier.proposals, min_messages)
        changes["ignored"] += [proposal.name for proposal in taken_out]
        _leave_over(placements, set(before.members).difference(intent.members), IGNORED_BEFORE)
        if intent is before or (intent.examples and intent.messages >= min_messages):
            parted.append((intent, can_be))
        else:
            _leave_over(placements, intent.members, REST)
    intents = [intent for intent, _ in parted]
    still = [
        [one for one in can_be if _is_still(texts, intent, one, earlier.logged, is_best_name)]
        for intent, can_be in parted
    ]
    found_again = _same(texts, intents, still)
    for intent, same in zip(intents, found_again, strict=True):
        if same is None:
            names[intent.name] = intent.name
            found[intent.name] = intent
            changes["new"].append(intent.name)
        elif _stays_ignored(same, texts.of(intent), intent.messages, earlier):
            names[intent.name] = None
            changes["ignored"].append(same.name)
            ignored = same.texts | earlier.ignored
            beside = [row for row in intent.members if not ignored & keys_of(corpus, row)]
            _leave_beside_ignored(corpus, placements, beside, earlier)
        else:
            names[intent.name] = same.name
            again[same.name] = same
            if same.name in found:
                found[same.name] = _joined(found[same.name], intent)
            else:
                found[same.name] = dataclasses.replace(intent, name=same.name)
    for proposal in earlier.proposals:
        if proposal.name not in found and not proposal.ignored:
            joined = any(_holds(texts, intent, proposal) for intent in found.values())
            changes["kept" if proposal.edited else "joined" if joined else "gone"].append(proposal.name)
    placed = [_replaced(placement, names) for placement in placements]
    kept = _with_moves(corpus, found, placed, earlier, describe, min_messages, learnt)
    told = earlier.told if earlier.told and _nothing_was_logged(corpus, earlier) else {}
    for name, same in again.items():
        change = _change(kept.get(name), same)
        changes[told.get(name, change) if change == "same" else change].append(name)
    changes["new"] = [name for name in changes["new"] if name in kept]
    ranked = sorted(kept.values(), key=lambda intent: (-intent.messages, intent.name))
    final = {before: name if name in kept else None for before, name in names.items()}
    renamed = [_renamed_neighbour(intent, final) for intent in ranked]
    listed = {what: tuple(dict.fromkeys(values)) for what, values in changes.items()}
    return tuple(renamed), tuple(placed), Changes(**listed)


def is_ignored(corpus: Corpus, rows: Sequence[int], earlier: Earlier) -> bool:
    """Whether a person ignored what these rows are, and they have not grown by half since."""
    if not earlier.proposals:
        return False
    texts = frozenset[str]().union(*(keys_of(corpus, row) for row in rows))
    alike = [proposal for proposal in earlier.proposals if _shares(texts, proposal)]
    same = max(alike, key=lambda proposal: len(texts & proposal.texts), default=None)
    messages = int(corpus.counts[list(rows)].sum())
    return same is not None and _stays_ignored(same, texts, messages, earlier)


def _stays_ignored(same: EarlierProposal, texts: frozenset[str], messages: int, earlier: Earlier) -> bool:
    grown = messages >= PROPOSALS.grown_again * same.messages and bool(texts - earlier.logged)
    return same.ignored and not grown


class _Texts:
    """`text_key` of all members of intents, worked out once: of a large log it takes seconds."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self._found: dict[tuple[int, ...], frozenset[str]] = {}

    def of(self, intent: DiscoveredIntent) -> frozenset[str]:
        """Those of one intent."""
        if intent.members not in self._found:
            keys = (keys_of(self.corpus, row) for row in intent.members)
            self._found[intent.members] = frozenset[str]().union(*keys)
        return self._found[intent.members]

    @cached_property
    def of_log(self) -> frozenset[str]:
        """Those of all that is logged."""
        rows = np.flatnonzero(self.corpus.counts).tolist()
        return frozenset[str]().union(*(keys_of(self.corpus, row) for row in rows))


def _with_moves(
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
    for intent in found.values():
        # What is nearly the same as an example, or one message too many, is none: it goes where these went.
        rest = [row for row in intent.members if row not in moved]
        if rest and intent.examples and moved.issuperset(intent.examples):
            theirs = Counter((placements[row].placement, placements[row].intent) for row in intent.examples)
            [((kind, there), _)] = theirs.most_common(1)
            for row in rest:
                placements[row] = Placement(kind, there, placements[row].confidence, WITH_THEM)
            moved.update(rest)
    edited = {proposal.name for proposal in earlier.proposals if proposal.edited}
    kept = {}
    for name, intent in found.items():
        more = [row for row in sorted(moved) if placements[row].intent == name]
        left = _with_members(corpus, intent, [*(row for row in intent.members if row not in moved), *more])
        if left is intent or name in edited or left.messages >= min_messages:
            examples = [row for row in more if row in told and (learnt is None or row in learnt)]
            kept[name] = dataclasses.replace(left, examples=(*left.examples, *examples))
            continue
        _leave_over(placements, left.members, REST)
    made: dict[str, list[int]] = {}
    for row in sorted(moved):
        place = placements[row]
        if place.placement == NEW and place.intent is not None and place.intent not in found:
            made.setdefault(place.intent, []).append(row)
    return {**kept, **{name: describe(name, rows) for name, rows in made.items()}}


def _leave_over(placements: list[Placement], rows: Iterable[int], reason: str) -> None:
    for row in rows:
        placements[row] = Placement(LEFT_OVER, None, placements[row].confidence, reason)


def _leave_beside_ignored(
    corpus: Corpus, placements: list[Placement], rows: Iterable[int], earlier: Earlier
) -> None:
    """Leaves over what is like an ignored group, but for what was in a proposal that is in the bot now."""
    for row in rows:
        keys, sure = sorted(keys_of(corpus, row)), placements[row].confidence
        intent = next((earlier.of_applied[key] for key in keys if key in earlier.of_applied), None)
        if intent in corpus.intents:
            placements[row] = Placement(KNOWN, intent, sure, OF_APPLIED)
        else:
            placements[row] = Placement(LEFT_OVER, None, sure, LIKE_IGNORED)


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


def _with_members(corpus: Corpus, intent: DiscoveredIntent, rows: Sequence[int]) -> DiscoveredIntent:
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


def _without_ignored_examples(
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


def _without_ignored(
    texts: _Texts, intent: DiscoveredIntent, earlier: Sequence[EarlierProposal], min_messages: int
) -> tuple[DiscoveredIntent, list[EarlierProposal], list[EarlierProposal]]:
    """Takes the messages of ignored proposals out of an intent that is another one.

    Returns:
        The intent without them, which earlier proposals it can be, and the ignored ones that were a part of
        it. Where too little would be left beside such a part, it is that one as a whole.
    """
    if not earlier:
        return intent, [], []
    corpus, own = texts.corpus, texts.of(intent)
    same = sorted(
        (proposal for proposal in earlier if _shares(own, proposal)),
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
    return _with_members(corpus, intent, left), others, taken_out


def _same(
    texts: _Texts, intents: Sequence[DiscoveredIntent], can_be: Sequence[Sequence[EarlierProposal]]
) -> list[EarlierProposal | None]:
    """The earlier proposal that each intent is, of those it can be; those that share most go first.

    Several intents can be the same one only where a person has decided of it.
    """
    pairs = [
        (-len(texts.of(intent) & proposal.texts), number, place)
        for number, intent in enumerate(intents)
        for place, proposal in enumerate(can_be[number])
    ]
    found: list[EarlierProposal | None] = [None] * len(intents)
    for _, number, place in sorted(pairs):
        proposal = can_be[number][place]
        if found[number] is None and (proposal.edited or proposal.ignored or proposal not in found):
            found[number] = proposal
    return found


def _shares(texts: frozenset[str], proposal: EarlierProposal) -> bool:
    """Whether the texts and the proposal share enough to be the same."""
    common, smaller = len(texts & proposal.texts), min(len(texts), len(proposal.texts))
    return common > 0 and common >= PROPOSALS.same_proposal * smaller


def _is_still(
    texts: _Texts,
    intent: DiscoveredIntent,
    earlier: EarlierProposal,
    logged: frozenset[str],
    is_best_name: IsBestName,
) -> bool:
    """Whether an intent that shares enough with an earlier proposal is to be called as that was.

    What a person has touched stays. Of any other, half of what it is now was in it, and half of what it was
    is in it; messages that were logged since, or are in the log no more, count for neither.

    Args:
        logged: `text_key` of every message of the last run.
    """
    if earlier.edited or earlier.ignored:
        return True
    own, share = texts.of(intent), PROPOSALS.keeps_name
    common = len(own & earlier.texts)
    was = common >= share * len(earlier.texts) or common >= share * len(earlier.texts & texts.of_log)
    return (was and common >= share * len(own & logged)) or is_best_name(earlier.name, intent.members)


def _holds(texts: _Texts, intent: DiscoveredIntent, proposal: EarlierProposal) -> bool:
    """Whether the intent has enough of all that was in the proposal."""
    common = len(texts.of(intent) & proposal.texts)
    return common > 0 and common >= PROPOSALS.same_proposal * len(proposal.texts)


def came_into(corpus: Corpus, placements: Sequence[Placement], earlier: Earlier) -> frozenset[int]:
    """Rows of the messages that came since the last run into what was there then.

    That is a proposal, where they were logged since, or were elsewhere; or a draft of a known intent that the
    person changed, where they were logged since. Where nothing was logged since, those that had come then are
    among them.

    Args:
        placements: of all rows of the corpus, as `recall` returns them.
        earlier: where it has no messages of the last run, nothing can be told.
    """
    if not earlier.logged:
        return frozenset()
    before = {place: earlier.logged for place in earlier.placed.values() if place[0] == KNOWN}
    before.update({(NEW, one.name): one.texts for one in earlier.proposals})
    if before and earlier.came and _nothing_was_logged(corpus, earlier):
        before = {place: texts - earlier.came for place, texts in before.items()}
    places = ((one.placement, one.intent or "") for one in placements)
    there = [(row, before[place]) for row, place in enumerate(places) if place in before]
    return frozenset(
        row for row, texts in there if not corpus.labeled[row] and texts.isdisjoint(keys_of(corpus, row))
    )


def _nothing_was_logged(corpus: Corpus, earlier: Earlier) -> bool:
    """Whether the last run had all messages of this one."""
    return all(keys_of(corpus, row) <= earlier.logged for row in np.flatnonzero(corpus.counts))


def keys_of(corpus: Corpus, row: int) -> frozenset[str]:
    """`text_key` of a row of a corpus, as it is read and as it was written."""
    # Most are read as they were written, and it is asked of all rows of a log several times.
    return frozenset(map(text_key, {corpus.texts[row], *(text for text, _ in corpus.spellings[row])}))


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
