"""What each `apply` put into a bot, noted beside the drafts.

By that, an example that a person took out of the bot since is told from one that was never there: it is not
put back, and the next run, which notes that for good, does not propose it again.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from pathlib import Path

from rasa_intent_discovery.corpus.line_files import append_line
from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.drafts.apply import AppliedIntent
from rasa_intent_discovery.drafts.folder import APPLIED, held
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.text_identity import example_key, text_key

logger = logging.getLogger(__name__)


def note_applied(folder: Path, outcomes: Iterable[AppliedIntent]) -> None:
    """Notes what was put into a bot, as a line; where it cannot be noted, a warning says so."""
    added = {outcome.intent: list(outcome.added) for outcome in outcomes if outcome.added}
    if not added:
        return
    path = folder / APPLIED
    try:
        with held(folder):
            append_line(path, json.dumps({"added": added}).encode() + b"\n")
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
    there = frozenset(text_key(example.text) for example in bot)
    found: dict[str, frozenset[str]] = {}
    for added in _applied(folder):
        if not _is_taken_back(added, there):
            for intent, texts in added.items():
                found[intent] = found.get(intent, frozenset()) | (texts - there)
    return {intent: texts for intent, texts in found.items() if texts}


def _applied(folder: Path) -> list[Mapping[str, frozenset[str]]]:
    """Of each `apply`, what it added."""
    try:
        return [*map(_added, (folder / APPLIED).read_bytes().splitlines())]
    except OSError:
        return []


def _is_taken_back(added: Mapping[str, frozenset[str]], bot: frozenset[str]) -> bool:
    """Whether a bot with these examples has nothing of what an `apply` added; no where it added nothing."""
    return bool(added) and bot.isdisjoint(frozenset[str]().union(*added.values()))


def _added(line: bytes) -> Mapping[str, frozenset[str]]:
    """Intent -> `text_key` of what an `apply` added; nothing where its line is not as it was written."""
    try:
        return {
            str(intent): frozenset(example_key(str(text)) for text in texts)
            for intent, texts in json.loads(line)["added"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
