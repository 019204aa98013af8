"""Which drafts are in the bot, by their examples: nothing else tells who applied them. Touches no files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rasa_intent_discovery.datatypes import NEW, KnownExample
from rasa_intent_discovery.drafts.contents import part_of
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, IGNORED, Draft
from rasa_intent_discovery.training_data.text_identity import example_key, text_key


def applied_drafts(drafts: Mapping[str, Draft], known: Iterable[KnownExample]) -> frozenset[str]:
    """The paths of the accepted drafts that are in the bot: some examples in their intent, all in any intent.

    An example that another intent of the bot has was left out by `apply`.
    """
    examples = _by_intent(known)
    everywhere = set[str]().union(*examples.values())
    return frozenset(
        path
        for path, draft in drafts.items()
        if draft.decision == ACCEPTED
        and (keys := keys_of_draft(draft)) <= everywhere
        and not keys.isdisjoint(examples.get(draft.intent, ()))
    )


def changed_since_applied(
    drafts: Mapping[str, Draft], known: Iterable[KnownExample]
) -> dict[str, frozenset[str]]:
    """Drafts of new intents that are in the bot, but not as they are now, as by an undo after an apply.

    Returns:
        Path -> `text_key` of the examples that no intent of the bot has; none where only the decision is
        another one.
    """
    examples = _by_intent(known)
    everywhere = frozenset[str]().union(*examples.values())
    applied = applied_drafts(drafts, known)
    return {
        path: keys - everywhere
        for path, draft in drafts.items()
        if part_of(path) == NEW
        and path not in applied
        and draft.decision != IGNORED
        and not (keys := keys_of_draft(draft)).isdisjoint(examples.get(draft.intent, ()))
    }


def keys_of_draft(draft: Draft) -> frozenset[str]:
    """`example_key` of the examples of a draft."""
    return frozenset(example_key(example) for example in draft.examples)


def _by_intent(known: Iterable[KnownExample]) -> dict[str, set[str]]:
    examples: dict[str, set[str]] = {}
    for one in known:
        examples.setdefault(one.intent, set()).add(text_key(one.text))
    return examples
