"""Merging in the terminal: what goes into what is said first, and with an Enter alone nothing is merged."""

from __future__ import annotations

from collections.abc import Sequence

from rasa_intent_discovery.datatypes import KNOWN
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.plural import counted
from rasa_intent_discovery.review.decisions.folder import Desk
from rasa_intent_discovery.review.findings.evidence_now import with_evidence_now
from rasa_intent_discovery.review.findings.families import Family, Together, families_of
from rasa_intent_discovery.review.messages.brought import brought_examples
from rasa_intent_discovery.review.messages.log import Log
from rasa_intent_discovery.review.messages.standing import standing_of
from rasa_intent_discovery.review.safe_text import printable
from rasa_intent_discovery.review.terminal.asks import Reviewer, acted, named_some, tell
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED

NO_MERGE, YES_MERGE = "no: leave it as it is", "yes: merge it"
MERGE_AND_ACCEPT = "yes: merge it and accept it: apply adds its examples to that intent"
MERGE_ONLY = "yes: merge it, and accept it later on the review desk: until then apply adds nothing of it"


def ask_merge(desk: Desk, log: Log, path: str, who: Reviewer) -> Desk | None:
    """The drafts after a proposal was merged into the one that is asked for; None where it was not.

    Raises:
        DataError: it cannot be done, or there is nothing to merge it into.
    """
    evidence = with_evidence_now(desk.run, desk.review.drafts)[path].evidence
    nearest = ("nearest_known_intent", "nearest_new_intent")
    known, new = ([str(evidence[key])] if key in evidence else [] for key in nearest)
    proposals = [draft.intent for other, draft in desk.review.drafts.items() if other != path]
    likely = Together.of(desk.run, desk.review.drafts).merged_first(path, desk.review.drafts)
    names = dict.fromkeys([*known, *likely, *new, *sorted({*proposals, *desk.review.known})])
    there = [name for name in names if name in proposals or name in desk.review.known]
    if not there:
        raise DataError("there is nothing to merge it into")
    name = who.asks.name("Into which one?", there)
    if name is None:
        return None
    target = desk.review.named(name) or name
    if name in desk.review.known:
        return _merge_into_known(desk, log, path, name, target, who)
    if _asked_of_merge(desk, log, [path], name, who) != YES_MERGE:
        return None
    return acted(desk, who, "merge", draft=path, target=target)


def _merge_into_known(desk: Desk, log: Log, path: str, name: str, target: str, who: Reviewer) -> Desk | None:
    """The drafts after a merge into an intent of the bot, which nothing here asks to accept later."""
    into, draft = f"{name}, an intent your bot has", desk.review.drafts.get(target)
    is_accepted = draft is not None and draft.decision == ACCEPTED
    if draft is not None and draft.examples and not is_accepted:
        into += f", with {counted(len(draft.examples), 'further example')} that nobody accepted"
    yes = (MERGE_AND_ACCEPT,) if is_accepted else (MERGE_AND_ACCEPT, MERGE_ONLY)
    answer = _asked_of_merge(desk, log, [path], into, who, yes)
    if answer not in yes:
        return None
    after = acted(desk, who, "merge", draft=path, target=target)
    if is_accepted or answer == MERGE_ONLY:
        return after
    tell(f"{desk.review.drafts[path].intent} merged into {name}.")
    merged = after.review.named(name, KNOWN)
    brought = brought_examples(after.review, standing_of(after.review, log)).get(merged or "")
    if brought is None:
        return acted(after, who, "decide", draft=merged, decision=ACCEPTED)
    return acted(after, who, "accept_only", texts=[*brought], targets=[merged] * len(brought))


def ask_merge_family(desk: Desk, log: Log, path: str, who: Reviewer) -> Desk | None:
    """The same after all that is open of the family of a proposal was merged."""
    family = family_to_merge(desk, path)
    if family is None or family.target is None:
        return None
    into = desk.review.drafts[family.target].intent
    if _asked_of_merge(desk, log, family.parts, into, who) != YES_MERGE:
        return None
    return acted(desk, who, "merge_all", drafts=[*family.parts], target=family.target)


def family_to_merge(desk: Desk, path: str) -> Family | None:
    """The family of a draft, where there is something to merge in it."""
    return next((family for family in _families(desk) if path in family.members and family.parts), None)


def _families(desk: Desk) -> tuple[Family, ...]:
    return families_of(desk.run, desk.review.drafts)


def _asked_of_merge(
    desk: Desk, log: Log, paths: Sequence[str], into: str, who: Reviewer, yes: Sequence[str] = (YES_MERGE,)
) -> str | None:
    """What the person wants of a merge that is told: with an Enter alone there is none."""
    totals = standing_of(desk.review, log).totals()
    messages = counted(sum(totals[path]["messages"] for path in paths), "message")
    if any(totals[path]["beside"] for path in paths):
        examples = sum(len(desk.review.drafts[path].examples) for path in paths)
        messages = f"{counted(examples, 'example')} of {messages}"
    merged = f"{named_some(desk, paths)} ({messages})"
    return who.asks.select(printable(f"Merge {merged} into {into}?"), [NO_MERGE, *yes])
