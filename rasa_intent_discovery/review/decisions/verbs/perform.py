"""A verb by its name, with arguments as JSON has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, get_origin, get_type_hints

from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.decisions.under_review import Change, Review
from rasa_intent_discovery.review.decisions.verbs.answering import answer, cannot_tell, retract
from rasa_intent_discovery.review.decisions.verbs.deciding import accept_only, decide, settle
from rasa_intent_discovery.review.decisions.verbs.merging import merge, merge_all
from rasa_intent_discovery.review.decisions.verbs.moving import drop, drop_all, move, move_each, split
from rasa_intent_discovery.review.decisions.verbs.naming import rename
from rasa_intent_discovery.review.decisions.verbs.rewriting import annotate, reword
from rasa_intent_discovery.review.decisions.verbs.sentences import enumerated
from rasa_intent_discovery.training_data.nlu_yaml import IGNORED, OPEN

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
    return f"; {enumerated(names, 'drafts')} {are} open again" if names else ""
