"""What each `apply` put into a bot, noted beside the drafts.

By that, an example that a person took out of the bot since is told from one that was never there: it is not
put back, and the next run, which notes that for good, does not propose it again.
"""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from rasa_intent_discovery.corpus.line_files import append_line
from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.drafts.apply import AppliedIntent
from rasa_intent_discovery.drafts.change_journal import content_hash
from rasa_intent_discovery.drafts.folder import APPLIED, held
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.text_identity import example_key, text_key

logger = logging.getLogger(__name__)


# In a line of `applied.jsonl`: what an `apply` added, what no other line has, and the hashes of the lines of
# those that had been taken back by then.
_ADDED, _NUMBER, _TAKEN_BACK = "added", "number", "taken_back"


def note_applied(folder: Path, outcomes: Iterable[AppliedIntent], bot: Iterable[KnownExample]) -> None:
    """Notes what was put into a bot, as a line; where it cannot be noted, a warning says so.

    It is also noted there which earlier ones had been taken back by then: afterwards, some of what they added
    may be in the bot again, and the rest would look as if a person had taken it out.

    Args:
        folder: of the drafts.
        bot: its examples before.
    """
    added = {outcome.intent: list(outcome.added) for outcome in outcomes if outcome.added}
    if not added:
        return
    path, there = folder / APPLIED, _keys(bot)
    try:
        with held(folder):
            line: dict[str, object] = {_ADDED: added, _NUMBER: secrets.token_hex(4)}
            lines, here = _lines(folder), [*_applied(folder, there)]
            back = {one for written in lines for one in _taken_back(written)}
            absent = (one for one in lines if (texts := _added(one)) and texts not in here)
            if gone := {*map(content_hash, absent)} - back:
                line[_TAKEN_BACK] = sorted(gone)
            append_line(path, json.dumps(line).encode() + b"\n")
    except (DataError, OSError) as error:
        logger.warning(
            f"What was applied could not be noted in {path} ({error}): what you take out of your "
            "bot, the next `apply` puts back as long as its drafts are there."
        )


def taken_out_since(folder: Path, bot: Iterable[KnownExample]) -> dict[str, frozenset[str]]:
    """Intent -> `text_key` of the examples that were put into the bot, and are in none of its intents now.

    An `apply` of which the bot has nothing any more was taken back as a whole, and counts for nothing.

    Args:
        folder: of the drafts.
        bot: its examples.
    """
    there = _keys(bot)
    found: dict[str, frozenset[str]] = {}
    for added in _applied(folder, there):
        for intent, texts in added.items():
            found[intent] = found.get(intent, frozenset()) | (texts - there)
    return {intent: texts for intent, texts in found.items() if texts}


def applied_intents(folder: Path, bot: Iterable[KnownExample]) -> frozenset[str]:
    """The intents into which some `apply` put examples that was not taken back; arguments as above."""
    return frozenset(intent for added in _applied(folder, _keys(bot)) for intent in added)


def _keys(bot: Iterable[KnownExample]) -> frozenset[str]:
    return frozenset(text_key(example.text) for example in bot)


def _lines(folder: Path) -> list[bytes]:
    try:
        return (folder / APPLIED).read_bytes().splitlines()
    except OSError:
        return []


def _applied(folder: Path, bot: frozenset[str]) -> Iterator[Mapping[str, frozenset[str]]]:
    """What each `apply` added that is in a bot with these examples, in all or in part.

    It is not there where a later `apply` found nothing of it, unless the bot has all of it now, or something
    that no other has added, as where it is of another branch; nor where earlier ones of another branch, which
    are there as a whole, have added all that the bot has of it.
    """
    lines = _lines(folder)
    back = {one for line in lines for one in _taken_back(line)}
    applied = [(content_hash(line) in back, added) for line in lines if (added := _added(line))]
    of_others = frozenset[str]().union(
        *(_texts(added) for is_back, added in applied if not is_back or _texts(added) <= bot)
    )
    whole = frozenset[str]()
    for is_back, added in applied:
        texts = _texts(added)
        if texts <= bot:
            whole |= texts if is_back else frozenset()
            yield added
        elif not (is_back and bot.isdisjoint(texts - of_others)) and not texts & bot <= whole:
            yield added


def _texts(added: Mapping[str, frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*added.values())


def _added(line: bytes) -> Mapping[str, frozenset[str]]:
    """Intent -> `text_key` of what an `apply` added; nothing where its line is not as it was written."""
    try:
        return {
            str(intent): frozenset(example_key(str(text)) for text in texts)
            for intent, texts in json.loads(line)[_ADDED].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _taken_back(line: bytes) -> tuple[str, ...]:
    """The hashes of the lines that were taken back by then, as an `apply` noted them."""
    try:
        return tuple(map(str, json.loads(line)[_TAKEN_BACK]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return ()
