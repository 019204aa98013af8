"""What a proposal is called: a name is checked, and given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rasa_intent_discovery.datatypes import KNOWN, NEW
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.decisions.under_review import Change, Review
from rasa_intent_discovery.training_data.intent_names import name_conflict
from rasa_intent_discovery.training_data.nlu_yaml import IGNORED, Draft, check_name


def rename(review: Review, draft: str, name: str) -> Change:
    """Gives a proposal another name, which no other draft and no intent of the bot has."""
    found = review.draft(draft)
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
    if conflict := conflict_of_name(review, draft, name):
        return conflict, None
    if draft is not None and draft.startswith(KNOWN):
        return f"{found.intent if found else draft} is an intent your bot has: rename it there", None
    same = review.named(name)
    return None, same if same is not None else name if name in review.known else None


def conflict_of_name(review: Review, draft: str | None, name: str) -> str | None:
    """Why a draft cannot bear a name beside the bot's intents and the drafts that may still become some."""
    others = {one.intent for path, one in review.drafts.items() if path != draft and one.decision != IGNORED}
    return name_conflict(name, review.known | others)


def new_proposals(review: Review, names: Sequence[str]) -> tuple[dict[str, str], Review]:
    """Name -> path of a new proposal, and the review with these, which have no examples yet."""
    paths = dict[str, str]()
    for name in names:
        problem, target = name_problem(review, None, name)
        if problem or target:
            raise DataError(problem or f"{name} is there already: move the messages to it")
        paths[name] = review.new_path(NEW, name.strip())
        review = review.with_drafts({paths[name]: Draft(name.strip(), (), {})})
    return paths, review
