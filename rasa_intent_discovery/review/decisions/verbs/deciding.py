"""A draft, or some of its examples, is accepted, refused, ignored or put off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rasa_intent_discovery.datatypes import KNOWN
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.plural import counted
from rasa_intent_discovery.review.decisions.under_review import (
    REFUSED,
    Change,
    Review,
    added,
    put_there,
    refused_of,
)
from rasa_intent_discovery.review.decisions.verbs.moving import Moving, by_target
from rasa_intent_discovery.review.decisions.verbs.naming import conflict_of_name, new_proposals
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, DECISIONS, OPEN, Draft, carry_annotated
from rasa_intent_discovery.training_data.text_identity import example_key, example_keys

_DONE = {"accepted": "accepted", "ignored": "ignored", "later": "left for later", OPEN: "open again"}


def decide(review: Review, draft: str, decision: str) -> Change:
    """Accepts, ignores, puts off or reopens a draft."""
    found = review.draft(draft)
    if decision not in DECISIONS:
        raise DataError(f"a decision is one of {', '.join(DECISIONS)}, not {decision!r}")
    if decision == ACCEPTED and not found.examples:
        raise DataError(f"{found.intent} has no examples, so there is nothing to accept")
    if found.decision == decision:
        raise DataError(f"{found.intent} is {_DONE[decision]} already")
    if decision == ACCEPTED and (conflict := conflict_of_name(review, draft, found.intent)):
        raise DataError(f"{found.intent} is not accepted: {conflict}")
    says = f"{found.intent} {'is ' if decision == OPEN else ''}{_DONE[decision]}"
    return Change("decide", says, {draft: replace(found, decision=decision)}, draft)


def accept_only(review: Review, texts: Sequence[str], targets: Sequence[str]) -> Change:
    """Accepts these messages, each as an example of a target of its own, as one decision.

    Of a draft that was not accepted yet the other examples are taken out, but for those that a person put
    there; one that was keeps all.
    """
    changed, accepted, dropped = _accepting(review, by_target(texts, targets))
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
    paths, with_made = new_proposals(review, made)
    moving = Moving.of(with_made, by_target(moved, [paths.get(target, target) for target in moved_to]))
    changed, says, now = dict(moving.drafts), list[str](), review.with_drafts(moving.drafts)
    refusing = {
        path: _refusing(now.draft(path), mine) for path, mine in by_target(refused, refused_by).items()
    }
    now = now.with_drafts(refusing)
    ticked = by_target(texts, targets)
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


def _accepting(review: Review, wanted: Mapping[str, Sequence[str]]) -> tuple[dict[str, Draft], int, int]:
    """Accepts only these messages of each target, and what a person put there beside the run's own.

    Returns:
        The drafts that change, how many messages are accepted, and how many examples are taken out.
    """
    there = {key for draft in review.drafts.values() for key in example_keys(draft.examples)}
    changed, kept, dropped = dict[str, Draft](), 0, 0
    for path, mine in wanted.items():
        found = review.draft(path)
        if found.decision == ACCEPTED:
            accepted = added(found, [carry_annotated(one) for one in mine if example_key(one) not in there])
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
