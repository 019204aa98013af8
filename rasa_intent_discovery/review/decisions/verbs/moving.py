"""Messages go from draft to draft, or out of all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.plural import counted
from rasa_intent_discovery.review.decisions.under_review import Change, Review, added
from rasa_intent_discovery.review.decisions.verbs.naming import new_proposals
from rasa_intent_discovery.review.decisions.verbs.sentences import enumerated
from rasa_intent_discovery.training_data.nlu_yaml import Draft
from rasa_intent_discovery.training_data.text_identity import example_key


def move(review: Review, texts: Sequence[str], target: str) -> Change:
    """Moves messages into a draft, or into an intent of the bot, out of all other drafts.

    The texts are examples as they stand in a draft, or messages as `carry` returns them.
    """
    path, into = review.target(target)
    drafts, written = review.taken_out(texts, path)
    more = added(into, written)
    if not more:
        raise DataError(f"{into.intent} has {'it' if len(texts) == 1 else 'them'} already")
    drafts[path] = replace(into, examples=(*into.examples, *more))
    verb, says = ("move", "moved") if len(drafts) > 1 else ("add", "added")
    return Change(verb, f"{counted(len(more), 'message')} {says} to {into.intent}", drafts)


def move_each(review: Review, texts: Sequence[str], targets: Sequence[str]) -> Change:
    """Moves each message to a target of its own, as one decision; what is there already stays."""
    if not texts:
        raise DataError("there is no message to move")
    moving = Moving.of(review, by_target(texts, targets))
    return Change("move", moving.says, moving.drafts)


def split(review: Review, texts: Sequence[str], name: str) -> Change:
    """Makes a new proposal of messages, wherever they are now."""
    name = name.strip()
    [path], made = new_proposals(review, [name])[0].values(), Draft(name, (), {})
    drafts, written = review.taken_out(texts, path)
    more = added(made, written)
    if not more:
        raise DataError("a proposal needs messages: tick some first")
    drafts[path] = replace(made, examples=more)
    return Change("split", f"{counted(len(more), 'message')} made a new proposal, {name}", drafts, path)


def drop(review: Review, draft: str, texts: Sequence[str]) -> Change:
    """Takes examples out of a draft."""
    found = review.draft(draft)
    gone = {example_key(text) for text in texts}
    kept = tuple(example for example in found.examples if example_key(example) not in gone)
    dropped = found.examples[len(kept) :]
    if not dropped:
        raise DataError(f"{found.intent} has no such example")
    says = f"{counted(len(dropped), 'message')} dropped from {found.intent}"
    return Change("drop", says, {draft: replace(found, examples=kept)}, draft)


def drop_all(review: Review, texts: Sequence[str]) -> Change:
    """Takes messages out of the examples of all drafts, as one decision."""
    drafts, _ = review.taken_out(texts, "")
    if not drafts:
        raise DataError("none of them is an example of a draft")
    dropped = sum(len(review.drafts[path].examples) - len(draft.examples) for path, draft in drafts.items())
    where = enumerated([draft.intent for draft in drafts.values()], "drafts")
    return Change("drop", f"{counted(dropped, 'message')} dropped from {where}", drafts)


def by_target(texts: Sequence[str], targets: Sequence[str]) -> dict[str, list[str]]:
    """Target -> its messages."""
    if len(texts) != len(targets):
        raise DataError("each message needs a target")
    found: dict[str, list[str]] = {}
    for text, target in zip(texts, targets, strict=True):
        found.setdefault(target, []).append(text)
    return found


@dataclass(frozen=True)
class Moving:
    """Messages that go to targets of their own.

    Attributes:
        drafts: as of a `Change`.
        into: path of each target that gets some -> what it gets.
        says: as of a `Change`.
    """

    drafts: Mapping[str, Draft]
    into: Mapping[str, Sequence[str]]
    says: str

    @classmethod
    def of(cls, review: Review, wanted: Mapping[str, Sequence[str]]) -> Moving:
        """Moves the messages of each target there; what is there already stays.

        Raises:
            DataError: all are where they are wanted.
        """
        now, drafts, into = review, dict[str, Draft](), dict[str, Sequence[str]]()
        for target, mine in wanted.items():
            path, there = now.target(target)
            taken, written = now.taken_out(mine, path)
            if more := added(there, written):
                drafts.update({**taken, path: replace(there, examples=(*there.examples, *more))})
                now = review.with_drafts(drafts)
                into[path] = more
        if wanted and not into:
            raise DataError("they are all there already")
        names = enumerated([drafts[path].intent for path in into], "drafts")
        return cls(drafts, into, f"{counted(sum(map(len, into.values())), 'message')} moved to {names}")
