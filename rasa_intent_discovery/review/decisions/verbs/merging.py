"""A whole proposal goes into another one, or into an intent of the bot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rasa_intent_discovery.datatypes import KNOWN
from rasa_intent_discovery.drafts.entities import ENTITIES
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.decisions.under_review import CONFLICTS, Change, Review, added
from rasa_intent_discovery.review.decisions.verbs.sentences import enumerated
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, MERGED_FROM, Draft


def merge(review: Review, draft: str, target: str) -> Change:
    """Puts all of a proposal into another draft, or into an intent of the bot, and removes it."""
    source = review.draft(draft)
    path, into = review.target(target)
    if path == draft:
        raise DataError(f"{source.intent} cannot be merged into itself")
    if draft.startswith(KNOWN):
        raise DataError(f"{source.intent} is an intent your bot has: move its examples, or leave them out")
    evidence: dict[str, Any] = {**into.evidence}
    for key in (ENTITIES, CONFLICTS):
        there = into.listed(key)
        more = [one for one in source.listed(key) if one not in there]
        if more:
            evidence[key] = [*there, *more]
    evidence[MERGED_FROM] = [*into.listed(MERGED_FROM), draft, *source.listed(MERGED_FROM)]
    examples = (*into.examples, *added(into, source.examples))
    merged = replace(into, examples=examples, evidence=evidence)
    says = f"{source.intent} merged into {into.intent}"
    if into.decision != ACCEPTED and path.startswith(KNOWN):
        says += ", still to be accepted there"
    elif into.decision != ACCEPTED == source.decision:
        says += ", which is not accepted"
    return Change("merge", says, {path: merged, draft: None}, path)


def merge_all(review: Review, drafts: Sequence[str], target: str) -> Change:
    """Puts several proposals into another draft, or into an intent of the bot: as one decision."""
    sources = {path: review.draft(path) for path in drafts}
    if not sources:
        raise DataError("there is nothing to merge")
    path, into = review.target(target)
    changed: dict[str, Draft | None] = {}
    for draft in sources:
        there = {one: after for one, after in changed.items() if after is not None}
        changed.update(merge(review.with_drafts(there), draft, target).drafts)
    says = f"{enumerated([draft.intent for draft in sources.values()])} merged into {into.intent}"
    if into.decision == ACCEPTED:
        says += ", which is accepted"
    elif any(draft.decision == ACCEPTED for draft in sources.values()):
        says += ", which is not accepted"
    return Change("merge", says, changed, path)
