"""The verbs of the review desk, each a function from drafts to changed drafts. Touches no files.

Two texts that differ in case, white space or annotations only are the same message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, get_origin, get_type_hints

from rasa_intent_discovery.datatypes import KNOWN, NEW
from rasa_intent_discovery.drafts.contents import file_names
from rasa_intent_discovery.drafts.entities import ENTITIES, finder_of
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.plural import counted
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.review.numbers import REVIEW
from rasa_intent_discovery.training_data.annotations import (
    read_annotation,
    unreadable_annotation,
    with_marks,
    without,
)
from rasa_intent_discovery.training_data.intent_names import name_conflict
from rasa_intent_discovery.training_data.nlu_yaml import (
    ACCEPTED,
    DECISIONS,
    IGNORED,
    MERGED_FROM,
    OPEN,
    Draft,
    carry_annotated,
    check_name,
)
from rasa_intent_discovery.training_data.text_identity import example_key, example_keys

#: The key of a draft's evidence that lists the messages that a person refused for it.
REFUSED = "refused"
_CONFLICTS = "conflicts"
_DONE = {"accepted": "accepted", "ignored": "ignored", "later": "left for later", OPEN: "open again"}


@dataclass(frozen=True, eq=False)
class Review:
    """The drafts under review.

    Attributes:
        drafts: path below the folder (`new/refund.yml`) -> draft. The path stays when the intent is renamed.
        known: names of the intents the bot has.
        unreadable: paths of drafts that cannot be read; new drafts must not take them.
        put: path -> `example_key` of what a person put into drafts of known intents since the run.
    """

    drafts: Mapping[str, Draft]
    known: frozenset[str] = frozenset()
    unreadable: frozenset[str] = frozenset()
    put: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def named(self, intent: str, part: str = "") -> str | None:
        """The path of a draft of this intent below `part`; one in `known` goes before one in `new`."""
        paths = sorted(path for path, draft in self.drafts.items() if draft.intent == intent)
        return next((path for path in paths if path.startswith(part)), None)


@dataclass(frozen=True)
class Change:
    """What a verb does.

    Attributes:
        says: the change as a sentence.
        drafts: path -> draft as it becomes, None for one that is removed.
        chosen: path of the draft to show next.
        answer: what was said of messages, to be kept for the next run.
        taken_back: the message of which nothing is said any more.
    """

    verb: str
    says: str
    drafts: Mapping[str, Draft | None] = field(default_factory=dict)
    chosen: str | None = None
    answer: Answer | None = None
    taken_back: str | None = None


def merged_from(draft: Draft) -> tuple[str, ...]:
    """The paths of the drafts that a person put into this one."""
    return tuple(map(str, draft.listed(MERGED_FROM)))


def refused_of(draft: Draft) -> tuple[str, ...]:
    """The messages that a person refused for a draft."""
    return tuple(map(str, draft.listed(REFUSED)))


def put_there(review: Review, path: str) -> frozenset[str]:
    """`example_key` of what a person put into a draft of a known intent; nothing where it has no others."""
    put = review.put.get(path, frozenset())
    return frozenset() if put.issuperset(example_keys(review.drafts[path].examples)) else put


def conflicts_of(draft: Draft) -> list[tuple[str, str, str]]:
    """Messages of a draft that are nearly an example of the bot: message, that example, its intent.

    It may be the intent of the draft by now, where messages were merged into it.
    """
    found = (one for one in draft.listed(_CONFLICTS) if isinstance(one, dict))
    return [(str(one.get("text")), str(one.get("example")), str(one.get("intent"))) for one in found]


def decide(review: Review, draft: str, decision: str) -> Change:
    """Accepts, ignores, puts off or reopens a draft."""
    found = _draft(review, draft)
    if decision not in DECISIONS:
        raise DataError(f"a decision is one of {', '.join(DECISIONS)}, not {decision!r}")
    if decision == ACCEPTED and not found.examples:
        raise DataError(f"{found.intent} has no examples, so there is nothing to accept")
    if found.decision == decision:
        raise DataError(f"{found.intent} is {_DONE[decision]} already")
    if decision == ACCEPTED and (conflict := _conflict(review, draft, found.intent)):
        raise DataError(f"{found.intent} is not accepted: {conflict}")
    says = f"{found.intent} {'is ' if decision == OPEN else ''}{_DONE[decision]}"
    return Change("decide", says, {draft: replace(found, decision=decision)}, draft)


def accept_only(review: Review, texts: Sequence[str], targets: Sequence[str]) -> Change:
    """Accepts these messages, each as an example of a target of its own, as one decision.

    Of a draft that was not accepted yet the other examples are taken out, but for those that a person put
    there; one that was keeps all.
    """
    changed, accepted, dropped = _accepting(review, _by_target(texts, targets))
    says = _accepted_of(accepted, len(changed)) + (f", {dropped:,} left out" if dropped else "")
    return Change("accept_only", says, changed, next(iter(changed)))


def settle(
    review: Review,
    texts: Sequence[str],
    targets: Sequence[str],
    refused: Sequence[str],
    refused_by: Sequence[str],
    moved: Sequence[str],
    moved_to: Sequence[str],
    made: Sequence[str],
) -> Change:
    """Accepts messages as `accept_only` does, refuses others, and moves others: one decision.

    What is refused is offered for that intent no more; the draft keeps it in its evidence. What is moved to
    an intent of the bot is accepted there, as if it had been among its examples.

    Args:
        texts, targets: what is accepted, and the draft of each; so for the others.
        made: names in `moved_to` of proposals that are not there yet.
    """
    paths, with_made = _making(review, made)
    moving = _moving(with_made, _by_target(moved, [paths.get(target, target) for target in moved_to]))
    changed, says, now = dict(moving.drafts), list[str](), _with(review, moving.drafts)
    refusing = {
        path: _refusing(_draft(now, path), mine) for path, mine in _by_target(refused, refused_by).items()
    }
    now = _with(now, refusing)
    ticked = _by_target(texts, targets)
    wanted, come = {**ticked}, 0
    for path, mine in moving.into.items():
        if path.startswith(KNOWN) and now.drafts[path].decision != ACCEPTED:
            wanted[path] = [*ticked.get(path, ()), *mine]
            come += len(mine)
    if wanted or not (refused or moved):
        drafts, accepted, _ = _accepting(now, wanted)
        changed.update(drafts)
        says += [_accepted_of(accepted - come, len(ticked))] if ticked else []
    changed.update({path: draft for path, draft in refusing.items() if path not in wanted})
    says += [f"{counted(len(refused), 'example')} refused"] if refused else []
    says += [moving.says] if moved else []
    return Change("settle", ", ".join(says), changed, next(iter(changed)))


def _by_target(texts: Sequence[str], targets: Sequence[str]) -> dict[str, list[str]]:
    """Target -> its messages."""
    if len(texts) != len(targets):
        raise DataError("each message needs a target")
    found: dict[str, list[str]] = {}
    for text, target in zip(texts, targets, strict=True):
        found.setdefault(target, []).append(text)
    return found


def _accepting(review: Review, wanted: Mapping[str, Sequence[str]]) -> tuple[dict[str, Draft], int, int]:
    """Accepts only these messages of each target, and what a person put there beside the run's own.

    Returns:
        The drafts that change, how many messages are accepted, and how many examples are taken out.
    """
    there = {key for draft in review.drafts.values() for key in example_keys(draft.examples)}
    changed, kept, dropped = dict[str, Draft](), 0, 0
    for path, mine in wanted.items():
        found = _draft(review, path)
        if found.decision == ACCEPTED:
            accepted = _added(found, [carry_annotated(one) for one in mine if example_key(one) not in there])
            examples = (*found.examples, *accepted)
        else:
            keys = {example_key(one) for one in mine}
            if not keys.isdisjoint(example_keys(found.examples)):
                keys |= put_there(review, path)
            examples = accepted = tuple(one for one in found.examples if example_key(one) in keys)
        if not accepted:
            raise DataError(f"{found.intent} has no such example")
        kept += len(accepted)
        dropped += max(0, len(found.examples) - len(examples))
        changed[path] = replace(found, examples=examples, decision=ACCEPTED)
    if not changed:
        raise DataError("there is nothing to accept")
    return changed, kept, dropped


def _accepted_of(examples: int, intents: int) -> str:
    return f"{counted(examples, 'example')} of {counted(intents, 'intent')} accepted"


def _refusing(draft: Draft, texts: Sequence[str]) -> Draft:
    keys = {example_key(text) for text in texts}
    left = replace(draft, examples=tuple(one for one in draft.examples if example_key(one) not in keys))
    told = dict.fromkeys([*refused_of(draft), *texts])
    return replace(left, evidence={**draft.evidence, REFUSED: [*told]})


def rename(review: Review, draft: str, name: str) -> Change:
    """Gives a proposal another name, which no other draft and no intent of the bot has."""
    found = _draft(review, draft)
    name = name.strip()
    problem, target = name_problem(review, draft, name)
    if problem or target:
        raise DataError(problem or f"{name} is there already: merge {found.intent} into it")
    return Change("rename", f"{found.intent} renamed to {name}", {draft: replace(found, intent=name)}, draft)


def name_problem(review: Review, draft: str | None, name: str) -> tuple[str | None, str | None]:
    """Checks a name for a draft, or for a new draft if that is None.

    Returns:
        Why the name cannot be used, or None; and the draft or intent that has it already, or None.
    """
    name = name.strip()
    found = review.drafts.get(draft or "")
    if not name:
        return "an intent needs a name", None
    try:
        check_name(name)
    except DataError:
        return f"{name!r} is no name that Rasa can read", None
    if found is not None and found.intent == name:
        return "that is its name already", None
    if conflict := _conflict(review, draft, name):
        return conflict, None
    if draft is not None and draft.startswith(KNOWN):
        return f"{found.intent if found else draft} is an intent your bot has: rename it there", None
    same = review.named(name)
    return None, same if same is not None else name if name in review.known else None


def _conflict(review: Review, draft: str | None, name: str) -> str | None:
    """Why a draft cannot bear a name beside the bot's intents and the drafts that may still become some."""
    others = {one.intent for path, one in review.drafts.items() if path != draft and one.decision != IGNORED}
    return name_conflict(name, review.known | others)


def merge(review: Review, draft: str, target: str) -> Change:
    """Puts all of a proposal into another draft, or into an intent of the bot, and removes it."""
    source = _draft(review, draft)
    path, into = _target(review, target)
    if path == draft:
        raise DataError(f"{source.intent} cannot be merged into itself")
    if draft.startswith(KNOWN):
        raise DataError(f"{source.intent} is an intent your bot has: move its examples, or leave them out")
    evidence: dict[str, Any] = {**into.evidence}
    for key in (ENTITIES, _CONFLICTS):
        there = into.listed(key)
        more = [one for one in source.listed(key) if one not in there]
        if more:
            evidence[key] = [*there, *more]
    evidence[MERGED_FROM] = [*into.listed(MERGED_FROM), draft, *source.listed(MERGED_FROM)]
    examples = (*into.examples, *_added(into, source.examples))
    merged = replace(into, examples=examples, evidence=evidence)
    says = f"{source.intent} merged into {into.intent}"
    if into.decision != ACCEPTED and path.startswith(KNOWN):
        says += ", still to be accepted there"
    elif into.decision != ACCEPTED == source.decision:
        says += ", which is not accepted"
    return Change("merge", says, {path: merged, draft: None}, path)


def merge_all(review: Review, drafts: Sequence[str], target: str) -> Change:
    """Puts several proposals into another draft, or into an intent of the bot: as one decision."""
    sources = {path: _draft(review, path) for path in drafts}
    if not sources:
        raise DataError("there is nothing to merge")
    path, into = _target(review, target)
    changed: dict[str, Draft | None] = {}
    for draft in sources:
        there = {one: after for one, after in changed.items() if after is not None}
        changed.update(merge(replace(review, drafts={**review.drafts, **there}), draft, target).drafts)
    says = f"{_enumerated([draft.intent for draft in sources.values()])} merged into {into.intent}"
    if into.decision == ACCEPTED:
        says += ", which is accepted"
    elif any(draft.decision == ACCEPTED for draft in sources.values()):
        says += ", which is not accepted"
    return Change("merge", says, changed, path)


def move(review: Review, texts: Sequence[str], target: str) -> Change:
    """Moves messages into a draft, or into an intent of the bot, out of all other drafts.

    The texts are examples as they stand in a draft, or messages as `carry` returns them.
    """
    path, into = _target(review, target)
    drafts, written = _taken(review, texts, path)
    more = _added(into, written)
    if not more:
        raise DataError(f"{into.intent} has {'it' if len(texts) == 1 else 'them'} already")
    drafts[path] = replace(into, examples=(*into.examples, *more))
    verb, says = ("move", "moved") if len(drafts) > 1 else ("add", "added")
    return Change(verb, f"{counted(len(more), 'message')} {says} to {into.intent}", drafts)


def drop(review: Review, draft: str, texts: Sequence[str]) -> Change:
    """Takes examples out of a draft."""
    found = _draft(review, draft)
    gone = {example_key(text) for text in texts}
    kept = tuple(example for example in found.examples if example_key(example) not in gone)
    dropped = found.examples[len(kept) :]
    if not dropped:
        raise DataError(f"{found.intent} has no such example")
    says = f"{counted(len(dropped), 'message')} dropped from {found.intent}"
    return Change("drop", says, {draft: replace(found, examples=kept)}, draft)


def move_each(review: Review, texts: Sequence[str], targets: Sequence[str]) -> Change:
    """Moves each message to a target of its own, as one decision; what is there already stays."""
    if not texts:
        raise DataError("there is no message to move")
    moving = _moving(review, _by_target(texts, targets))
    return Change("move", moving.says, moving.drafts)


@dataclass(frozen=True)
class _Moving:
    """Messages that go to targets of their own.

    Attributes:
        drafts: as of a `Change`.
        into: path of each target that gets some -> what it gets.
        says: as of a `Change`.
    """

    drafts: Mapping[str, Draft]
    into: Mapping[str, Sequence[str]]
    says: str


def _moving(review: Review, wanted: Mapping[str, Sequence[str]]) -> _Moving:
    """Moves the messages of each target there; what is there already stays.

    Raises:
        DataError: all are where they are wanted.
    """
    now, drafts, into = review, dict[str, Draft](), dict[str, Sequence[str]]()
    for target, mine in wanted.items():
        path, there = _target(now, target)
        taken, written = _taken(now, mine, path)
        if more := _added(there, written):
            drafts.update({**taken, path: replace(there, examples=(*there.examples, *more))})
            now = _with(review, drafts)
            into[path] = more
    if wanted and not into:
        raise DataError("they are all there already")
    names = _enumerated([drafts[path].intent for path in into], "drafts")
    return _Moving(drafts, into, f"{counted(sum(map(len, into.values())), 'message')} moved to {names}")


def _making(review: Review, names: Sequence[str]) -> tuple[dict[str, str], Review]:
    """Name -> path of a new proposal, and the review with these, which have no examples yet."""
    paths = dict[str, str]()
    for name in names:
        problem, target = name_problem(review, None, name)
        if problem or target:
            raise DataError(problem or f"{name} is there already: move the messages to it")
        paths[name] = _new_path(review, NEW, name.strip())
        review = _with(review, {paths[name]: Draft(name.strip(), (), {})})
    return paths, review


def _with(review: Review, drafts: Mapping[str, Draft]) -> Review:
    return replace(review, drafts={**review.drafts, **drafts})


def drop_all(review: Review, texts: Sequence[str]) -> Change:
    """Takes messages out of the examples of all drafts, as one decision."""
    drafts, _ = _taken(review, texts, "")
    if not drafts:
        raise DataError("none of them is an example of a draft")
    dropped = sum(len(review.drafts[path].examples) - len(draft.examples) for path, draft in drafts.items())
    where = _enumerated([draft.intent for draft in drafts.values()], "drafts")
    return Change("drop", f"{counted(dropped, 'message')} dropped from {where}", drafts)


def reword(review: Review, draft: str, text: str, wording: str) -> Change:
    """Writes an example otherwise, where it stands: with something made up instead of a mask, for instance.

    Args:
        wording: as it is to stand in the file, entity annotations included.
    """
    found, key, written = _draft(review, draft), example_key(text), carry_annotated(wording)
    if key not in (keys := example_keys(found.examples)):
        raise DataError(f"{found.intent} has no such example any more")
    if not example_key(written):
        raise DataError("an example needs words: drop it instead")
    if wrong := unreadable_annotation(written):
        raise DataError(f"Rasa could not read {wrong}: an annotation is written [Berlin](city)")
    at = keys.index(key)
    if written == found.examples[at]:
        raise DataError("that is how it stands there already")
    if example_key(written) != key and (has := _having(review, written)):
        raise DataError(f"{has} has that already: drop this one instead")
    examples = (*found.examples[:at], written, *found.examples[at + 1 :])
    says = f"an example of {found.intent} is now “{_shortened(written)}”"
    return Change("reword", says, {draft: replace(found, examples=examples)}, draft)


def split(review: Review, texts: Sequence[str], name: str) -> Change:
    """Makes a new proposal of messages, wherever they are now."""
    name = name.strip()
    [path], made = _making(review, [name])[0].values(), Draft(name, (), {})
    drafts, written = _taken(review, texts, path)
    more = _added(made, written)
    if not more:
        raise DataError("a proposal needs messages: tick some first")
    drafts[path] = replace(made, examples=more)
    return Change("split", f"{counted(len(more), 'message')} made a new proposal, {name}", drafts, path)


def annotate(review: Review, draft: str, annotation: str, on: bool) -> Change:
    """Marks a value in all examples of a draft that hold it, or takes these marks off again.

    Args:
        annotation: the annotated value: `[Berlin](city)`. Other annotations stay.
    """
    found = _draft(review, draft)
    one = read_annotation(annotation)
    if one is None or not one.safe:
        raise DataError(f"an annotation is written [Berlin](city), not {annotation}")
    finder = finder_of(review.drafts.values(), one)

    def marked(example: str) -> str:
        return with_marks(example, [mark for mark, what in finder.marks(example) if what == one])

    examples = tuple(marked(example) if on else without(example, one) for example in found.examples)
    changed = [new for new, old in zip(examples, found.examples, strict=True) if new != old]
    if not changed:
        raise DataError(f"{found.intent} has no example with {one.text} {'to mark' if on else 'marked so'}")
    where = f"in {counted(len(changed), 'example')} of {found.intent}"
    says = f"{one.text} {'' if on else 'no longer '}marked as {one.entity} {where}"
    return Change("annotate", says, {draft: replace(found, examples=examples)}, draft)


def answer(review: Review, text: str, together: Sequence[str], apart: Sequence[str]) -> Change:
    """Says which messages or examples want the same as a message, and which do not: no draft changes."""
    _check_asked(text, *together, *apart)
    same = counted(len(together), "message") if together else "none of those shown"
    says = f"answered: “{_shortened(text)}” wants the same as {same}"
    return Change("answer", says, answer=Answer(text, tuple(together), tuple(apart)))


def cannot_tell(review: Review, text: str, others: Sequence[str]) -> Change:
    """Says that one cannot tell which messages or examples want the same as a message: no draft changes."""
    _check_asked(text, *others)
    says = f"answered: cannot tell what wants the same as “{_shortened(text)}”"
    return Change("cannot_tell", says, answer=Answer(text, unsure=tuple(others)))


def _check_asked(*texts: str) -> None:
    keys = [*map(example_key, texts)]
    if len(keys) < 2 or len(set(keys)) < len(keys) or "" in keys:
        raise DataError("an answer names a message and others, each once: choose among those shown")


def retract(review: Review, text: str) -> Change:
    """Takes back what was answered of a message, also before an earlier run: no draft changes."""
    return Change("retract", f"taken back: what was answered of “{_shortened(text)}”", taken_back=text)


#: Name -> verb.
VERBS: dict[str, Callable[..., Change]] = {
    verb.__name__: verb
    for verb in (
        *(decide, accept_only, settle, rename, merge, merge_all, move, move_each, drop, drop_all, reword),
        *(split, annotate, answer, cannot_tell, retract),
    )
}


@cache
def _types(verb: str) -> dict[str, type]:
    """What JSON has for each argument of a verb: a text, true or false, or a list of texts."""
    hints = get_type_hints(VERBS[verb])
    return {
        name: list if get_origin(hint) else hint
        for name, hint in hints.items()
        if name not in ("review", "return")
    }


def perform(review: Review, verb: str, arguments: Mapping[str, Any]) -> Change:
    """Performs a verb of `VERBS`.

    Raises:
        DataError: there is no such verb, its arguments are wrong, or it cannot be done.
    """
    if verb not in VERBS:
        raise DataError(f"there is no verb {verb!r}")
    types = _types(verb)
    fit = set(arguments) == set(types) and all(
        isinstance(value, types[name]) for name, value in arguments.items()
    )
    listed = [one for value in arguments.values() if isinstance(value, list) for one in value]
    if not fit or not all(isinstance(one, str) for one in listed):
        raise DataError(f"{verb} needs {', '.join(types)}")
    change = VERBS[verb](review, **arguments)
    return change if verb == "decide" else replace(change, says=change.says + _reopened(review, change))


def _reopened(review: Review, change: Change) -> str:
    """What was ignored and is open again, since something was put there; in words to follow others."""
    names = [
        draft.intent
        for path, draft in change.drafts.items()
        if draft is not None
        and draft.decision == OPEN
        and path in review.drafts
        and review.drafts[path].decision == IGNORED
    ]
    are = "was ignored and is" if len(names) == 1 else "were ignored and are"
    return f"; {_enumerated(names, 'drafts')} {are} open again" if names else ""


def _draft(review: Review, path: str) -> Draft:
    if path not in review.drafts:
        raise DataError(f"the draft {path} is not there any more")
    return review.drafts[path]


def _target(review: Review, target: str) -> tuple[str, Draft]:
    """A draft by its path, or the draft of an intent of the bot by its name, a new one if there is none.

    One that was ignored is open again: what is put there is not to be ignored with it.
    """
    path = target if target in review.drafts else review.named(target, KNOWN)
    if target not in review.drafts and target not in review.known:
        raise DataError(f"there is no proposal or intent {target} any more: choose another")
    if path is None:
        return _new_path(review, KNOWN, target), Draft(target, ())
    found = review.drafts[path]
    return path, replace(found, decision=OPEN) if found.decision == IGNORED else found


def _new_path(review: Review, part: str, intent: str) -> str:
    """A path that no draft has, nor had before it was merged: by that its messages are told."""
    merged = [path for draft in review.drafts.values() for path in merged_from(draft)]
    taken = (*review.drafts, *review.unreadable, *merged)
    present = [path.partition("/")[2] for path in taken if path.startswith(part)]
    [name] = file_names([intent], present)
    return f"{part}/{name}"


def _taken(review: Review, texts: Sequence[str], but: str) -> tuple[dict[str, Draft], list[str]]:
    """Takes messages out of all drafts but one.

    Returns:
        The drafts that change; and the messages as they stood in a draft, or else as they are given.
    """
    wanted = {example_key(text): carry_annotated(text) for text in texts}
    wanted.pop("", None)
    drafts: dict[str, Draft] = {}
    for path, draft in review.drafts.items():
        keys = example_keys(draft.examples)
        if wanted.keys().isdisjoint(keys):
            continue
        found = {key: example for key, example in zip(keys, draft.examples, strict=True) if key in wanted}
        if found and path != but:
            wanted.update(found)
            kept = tuple(example for example in draft.examples if example_key(example) not in found)
            drafts[path] = replace(draft, examples=kept)
    return drafts, list(wanted.values())


def _having(review: Review, text: str) -> str | None:
    """The intent of a draft that has a text among its examples."""
    drafts = review.drafts.values()
    return next((one.intent for one in drafts if example_key(text) in example_keys(one.examples)), None)


def _added(draft: Draft, texts: Sequence[str]) -> tuple[str, ...]:
    """The texts that the draft does not have yet, each once."""
    present = {*example_keys(draft.examples)}
    more = {example_key(text): text for text in texts}
    return tuple(text for key, text in more.items() if key and key not in present)


def _enumerated(names: Sequence[str], many: str = "proposals") -> str:
    """The names in a sentence, or how many they are where that would be long."""
    if len(names) > REVIEW.named_at_once:
        return f"{len(names)} {many}"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _shortened(text: str) -> str:
    return text if len(text) <= REVIEW.told_of_text else f"{text[: REVIEW.told_of_text - 1]}…"
