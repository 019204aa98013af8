"""Which drafts of a folder are applied: the accepted ones, or those that are named."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path

from rasa_intent_discovery.datatypes import KNOWN, NEW
from rasa_intent_discovery.drafts.folder import read_drafts, read_record
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.annotations import is_half_annotated
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, Draft

# At most so many names in an error: there may be hundreds.
_SHOWN = 3


def chosen_drafts(folder: str, intents: Sequence[str] = ()) -> dict[str, list[Draft]]:
    """The part of the folder, `new` or `known` -> its drafts that are to be applied.

    Args:
        intents: those whose drafts are applied, whatever they say; empty chooses all that are accepted.

    Raises:
        DataError: the drafts cannot be read, there is none of an intent, or an example of one that is
            chosen is annotated by half.
    """
    drafts = [(part, draft) for part in (NEW, KNOWN) for draft in read_drafts(Path(folder), part)]
    _check_names(intents, {draft.intent for _, draft in drafts}, folder)
    chosen: dict[str, list[Draft]] = {NEW: [], KNOWN: []}
    for part, draft in drafts:
        if draft.intent in intents or (not intents and draft.decision == ACCEPTED):
            _check_annotations(draft, folder, part)
            chosen[part].append(draft)
    return chosen


def check_made_for(folder: str, intents: Collection[str], command: str) -> None:
    """Raises DataError if a bot lacks most intents of the bot that the drafts were made for.

    Args:
        intents: of the bot.
        command: makes drafts of this bot.
    """
    learnt = [str(intent) for intent in (read_record(Path(folder)) or {}).get("intents") or ()]
    missing = [intent for intent in learnt if intent not in intents]
    if 2 * len(missing) > len(learnt):
        shown = ", ".join(missing[:_SHOWN]) + (", ..." if len(missing) > _SHOWN else "")
        raise DataError(
            f"the drafts in {folder} are those of another bot, with intents that this one does not have "
            f"({shown}): run `{command}` here, or name another folder with --out"
        )


def _check_annotations(draft: Draft, folder: str, part: str) -> None:
    for example in draft.examples:
        if is_half_annotated(example):
            raise DataError(
                f"{folder}/{part}: an example of {draft.intent} has half an annotation, which Rasa would "
                f"read as words: {example!r}; write [value](entity), or put a space behind the bracket"
            )


def _check_names(names: Iterable[str], present: Iterable[str], folder: str) -> None:
    for name in names:
        if name not in present:
            nearest = get_close_matches(name, sorted(present), cutoff=0.5)
            hint = f", did you mean {' or '.join(nearest)}?" if nearest else ""
            raise DataError(f"{folder} has no draft of an intent {name!r}{hint}")
