"""Finds the proposals of earlier runs in a new one, and applies what a person decided about them.

Groups have no lasting number: two proposals are the same when they share at least half of the messages of the
smaller one. A proposal keeps the name that the person knows. An ignored one is proposed again only if it has
grown by half and holds messages that are new: groups change between runs on the same log, too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rasa_intent_discovery.datatypes import LEFT_OVER, NEW, Corpus, DiscoveredIntent, Placement
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.training_data.text_identity import text_key

#: The reason of a message whose group is not proposed again.
IGNORED_BEFORE = "belongs to a group that you ignored"
#: The reasons of a message that is in a draft which a person changed, and of the rest of its group.
PUT_THERE = "is an example of a draft that you changed"
REST = "too few messages want this beside those in drafts that you changed"


@dataclass(frozen=True)
class EarlierProposal:
    """A proposal of an earlier run, as the person left it.

    Attributes:
        name: as the person calls it.
        texts: `text_key` of its examples and of the messages that were placed in it.
        messages: how many there were.
        ignored: whether it is not to be proposed again.
        edited: whether the person changed it or decided something else, so that it stays as it is.
    """

    name: str
    texts: frozenset[str]
    messages: int
    ignored: bool = False
    edited: bool = False


@dataclass(frozen=True)
class Earlier:
    """What a run has to know of earlier ones.

    Attributes:
        proposals: those of earlier runs, each with a name of its own.
        logged: `text_key` of every message of the last run.
        names: those that a new proposal cannot have: of the proposals, and of the files of a person's
            drafts, as a renamed draft keeps its file.
        placed: `text_key` of the examples in drafts that the person changed, and did not ignore -> `new` or
            `known`, and the intent.
    """

    proposals: tuple[EarlierProposal, ...] = ()
    logged: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    placed: Mapping[str, tuple[str, str]] = field(default_factory=dict)


NOTHING_EARLIER = Earlier()


@dataclass(frozen=True)
class Changes:
    """What became of proposals since the last run: names, each in one of the fields.

    Attributes:
        new: not proposed before. grown, shrunk, same: proposed again, with more, fewer or as many messages.
        gone: not found any more. kept: edited, so still there, found again or not.
        ignored: found again, and not proposed. again: ignored before, and grown by half since.
    """

    new: tuple[str, ...] = ()
    grown: tuple[str, ...] = ()
    shrunk: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    again: tuple[str, ...] = ()


def recall(
    corpus: Corpus,
    intents: Sequence[DiscoveredIntent],
    placements: Sequence[Placement],
    earlier: Earlier,
    min_messages: int = 1,
) -> tuple[tuple[DiscoveredIntent, ...], tuple[Placement, ...], Changes]:
    """Matches the proposals of a run with those of earlier ones.

    Args:
        intents: the proposals, most messages first; none has the name of an earlier one.
        placements: of all rows of the corpus.
        min_messages: fewest messages of a proposal, without those that a person has put elsewhere.

    Returns:
        The proposals, the placements, and what has changed. A proposal that matches an earlier one has its
        name; several that match the same edited one are joined. The messages of one that is ignored are
        left over. Messages that a person has put elsewhere are there.
    """
    found: dict[str, DiscoveredIntent] = {}
    names: dict[str, str | None] = {}
    changes: dict[str, list[str]] = {field.name: [] for field in dataclasses.fields(Changes)}
    for intent in intents:
        texts = _texts(corpus, intent)
        same = _same(texts, earlier.proposals)
        if same is None or (same.name in found and not same.edited):
            names[intent.name] = intent.name
            found[intent.name] = intent
            changes["new"].append(intent.name)
        elif _stays_ignored(same, texts, intent.messages, earlier):
            names[intent.name] = None
            changes["ignored"].append(same.name)
        else:
            names[intent.name] = same.name
            if same.name in found:
                found[same.name] = _joined(found[same.name], intent)
            else:
                found[same.name] = dataclasses.replace(intent, name=same.name)
                changes[_change(intent, same)].append(same.name)
    for proposal in earlier.proposals:
        if proposal.name not in found and not proposal.ignored:
            changes["kept" if proposal.edited else "gone"].append(proposal.name)
    placed = [_replaced(placement, names) for placement in placements]
    kept = _with_moves(corpus, found, placed, earlier, min_messages)
    ranked = sorted(kept.values(), key=lambda intent: (-intent.messages, intent.name))
    final = {before: name if name in kept else None for before, name in names.items()}
    renamed = [_renamed_neighbour(intent, final) for intent in ranked]
    dropped = found.keys() - kept.keys()
    listed = {
        what: tuple(name for name in dict.fromkeys(values) if name not in dropped)
        for what, values in changes.items()
    }
    return tuple(renamed), tuple(placed), Changes(**listed)


def is_ignored(corpus: Corpus, rows: Sequence[int], earlier: Earlier) -> bool:
    """Whether a person ignored what these rows are, and they have not grown by half since."""
    texts = frozenset[str]().union(*(_keys(corpus, row) for row in rows))
    same = _same(texts, earlier.proposals)
    messages = int(corpus.counts[list(rows)].sum())
    return same is not None and _stays_ignored(same, texts, messages, earlier)


def _stays_ignored(same: EarlierProposal, texts: frozenset[str], messages: int, earlier: Earlier) -> bool:
    grown = messages >= PROPOSALS.grown_again * same.messages and texts - earlier.logged
    return same.ignored and not grown


def _with_moves(
    corpus: Corpus,
    found: Mapping[str, DiscoveredIntent],
    placements: list[Placement],
    earlier: Earlier,
    min_messages: int,
) -> dict[str, DiscoveredIntent]:
    """Moves messages to where a person has put them, and drops proposals with too few messages left.

    Args:
        placements: of all rows; changed in place.
    """
    moved = _move(corpus, placements, earlier.placed, found)
    edited = {proposal.name for proposal in earlier.proposals if proposal.edited}
    kept = {}
    for name, intent in found.items():
        more = [row for row in sorted(moved) if placements[row].intent == name]
        left = _with_members(corpus, intent, [*(row for row in intent.members if row not in moved), *more])
        if left is intent or name in edited or left.messages >= min_messages:
            kept[name] = left
            continue
        for row in left.members:
            placements[row] = Placement(LEFT_OVER, None, placements[row].confidence, REST)
    return kept


def _move(
    corpus: Corpus,
    placements: list[Placement],
    placed: Mapping[str, tuple[str, str]],
    found: Mapping[str, DiscoveredIntent],
) -> frozenset[int]:
    """Places every message where the person has it as an example; returns the rows that were moved."""
    rows = []
    for row, placement in enumerate(placements if placed else ()):
        if corpus.labeled[row]:
            continue
        part, intent = next((placed[text] for text in sorted(_keys(corpus, row)) if text in placed), ("", ""))
        if not part or (placement.placement, placement.intent) == (part, intent):
            continue
        there = intent in found if part == NEW else intent in corpus.intents
        placements[row] = Placement(part if there else LEFT_OVER, intent if there else None, 1.0, PUT_THERE)
        rows.append(row)
    return frozenset(rows)


def _with_members(corpus: Corpus, intent: DiscoveredIntent, rows: Sequence[int]) -> DiscoveredIntent:
    """The intent with these rows as its members; its other evidence stays."""
    members = tuple(rows)
    if members == intent.members:
        return intent
    return dataclasses.replace(
        intent,
        members=members,
        examples=tuple(row for row in intent.examples if row in members),
        messages=int(corpus.counts[list(members)].sum()),
        distinct=len(members),
    )


def _same(texts: frozenset[str], earlier: Sequence[EarlierProposal]) -> EarlierProposal | None:
    """The earlier proposal with which the texts have most in common, if that is enough."""
    best, shared = None, 0
    for proposal in earlier:
        common = len(texts & proposal.texts)
        smaller = min(len(texts), len(proposal.texts))
        if common > shared and common >= PROPOSALS.same_proposal * smaller:
            best, shared = proposal, common
    return best


def _texts(corpus: Corpus, intent: DiscoveredIntent) -> frozenset[str]:
    return frozenset[str]().union(*(_keys(corpus, row) for row in intent.members))


def _keys(corpus: Corpus, row: int) -> frozenset[str]:
    return frozenset(map(text_key, [*(text for text, _ in corpus.spellings[row]), corpus.texts[row]]))


def _change(intent: DiscoveredIntent, earlier: EarlierProposal) -> str:
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
