"""Which drafts are in the bot, by their examples, whoever put them there. Touches no files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from rasa_intent_discovery.corpus.personal_data import PLACEHOLDER, is_written_out
from rasa_intent_discovery.datatypes import NEW, KnownExample
from rasa_intent_discovery.drafts.apply import NOTHING_TAKEN_OUT
from rasa_intent_discovery.drafts.contents import part_of
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, IGNORED, Draft
from rasa_intent_discovery.training_data.text_identity import example_key, text_key


def applied_drafts(
    drafts: Mapping[str, Draft],
    known: Iterable[KnownExample],
    taken_out: Mapping[str, Collection[str]],
) -> frozenset[str]:
    """The paths of the accepted drafts that are in the bot: some examples in their intent, all in any intent.

    An example that another intent of the bot has was left out by `apply`; one with a mask may have been
    written out since, or deleted, as `apply` asks. What a person took out of the bot since is not missing.

    Args:
        taken_out: as of `applied_before.taken_out_since`.
    """
    bot = _Bot.of(known, taken_out)
    return frozenset(
        path
        for path, draft in drafts.items()
        if draft.decision == ACCEPTED and bot.has(draft) and not bot.lacks(draft)
    )


def changed_since_applied(
    drafts: Mapping[str, Draft],
    known: Iterable[KnownExample],
    taken_out: Mapping[str, Collection[str]],
) -> dict[str, frozenset[str]]:
    """Drafts of new intents that are in the bot, but not as they are now, as by an undo after an apply.

    The bot has at least half of such a draft: a person may have written an intent of its name by hand, with
    some of the same examples.

    Args:
        taken_out: as for `applied_drafts`.

    Returns:
        Path -> `text_key` of the examples that no intent of the bot has; none where only the decision is
        another one.
    """
    bot = _Bot.of(known, taken_out)
    lacking = {
        path: bot.lacks(draft)
        for path, draft in drafts.items()
        if part_of(path) == NEW and draft.decision != IGNORED and bot.has(draft)
    }
    return {
        path: keys
        for path, keys in lacking.items()
        if (keys or drafts[path].decision != ACCEPTED) and 2 * len(keys) <= len(keys_of_draft(drafts[path]))
    }


def as_named_in_bot(
    drafts: Mapping[str, Draft],
    known: Iterable[KnownExample],
    applied: Collection[str],
    taken_out: Mapping[str, frozenset[str]] = NOTHING_TAKEN_OUT,
) -> tuple[dict[str, Draft], dict[str, frozenset[str]]]:
    """The drafts, an accepted one by the name that its intent has in the bot, where it was renamed there.

    That is so where it was applied, no intent of the bot is called as the draft, one has most of its
    examples, and others have the rest, or it was taken out since.

    Args:
        applied: as of `applied_before.applied_intents`.
        taken_out: as for `applied_drafts`.

    Returns:
        The drafts, and what was taken out by the same names.
    """
    bot = _Bot.of(known, taken_out)
    named, out = dict(drafts), dict(taken_out)
    for path, draft in drafts.items():
        name = bot.name_of(draft) if draft.intent in applied else draft.intent
        if name != draft.intent:
            named[path] = replace(draft, intent=name)
            out[name] = out.get(name, frozenset()) | out.pop(draft.intent, frozenset())
    return named, out


def masked_keys(draft: Draft) -> frozenset[str]:
    """`example_key` of the examples with a mask of personal data."""
    return frozenset(key for key in keys_of_draft(draft) if PLACEHOLDER.search(key))


def keys_of_draft(draft: Draft) -> frozenset[str]:
    """`example_key` of the examples of a draft."""
    return frozenset(example_key(example) for example in draft.examples)


@dataclass(frozen=True)
class _Bot:
    """`text_key` of the bot's examples, of each intent and of all, and of what was taken out of each."""

    by_intent: Mapping[str, set[str]]
    all: frozenset[str]
    taken_out: Mapping[str, Collection[str]]

    @classmethod
    def of(cls, known: Iterable[KnownExample], taken_out: Mapping[str, Collection[str]]) -> _Bot:
        examples: dict[str, set[str]] = {}
        for one in known:
            examples.setdefault(one.intent, set()).add(text_key(one.text))
        return cls(examples, frozenset[str]().union(*examples.values()), taken_out)

    def has(self, draft: Draft) -> bool:
        """Whether the intent of a draft has one of its examples, as it is or with its masks written out."""
        own = self.by_intent.get(draft.intent, set())
        return not keys_of_draft(draft).isdisjoint(own) or any(
            is_written_out(key, own) for key in masked_keys(draft)
        )

    def name_of(self, draft: Draft) -> str:
        """The name that the intent of a draft has in the bot; its own where that cannot be told."""
        if draft.decision != ACCEPTED or draft.intent in self.by_intent or self.lacks(draft):
            return draft.intent
        keys = keys_of_draft(draft)
        shared = Counter({intent: len(keys & texts) for intent, texts in self.by_intent.items()})
        [(most, count)] = shared.most_common(1) or [(draft.intent, 0)]
        return most if 2 * count > len(keys) else draft.intent

    def lacks(self, draft: Draft) -> frozenset[str]:
        """Its examples that are in no intent; those with masks only where all of it has masks."""
        keys = keys_of_draft(draft).difference(self.all, self.taken_out.get(draft.intent, ()))
        masked = masked_keys(draft)
        if keys_of_draft(draft) - masked:
            return keys - masked
        own = self.by_intent.get(draft.intent, set())
        return frozenset(key for key in keys if not is_written_out(key, own))
