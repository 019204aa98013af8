"""The messages that were dropped from the examples on the desk since the run, by its journal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rasa_intent_discovery.drafts.history import standing as in_effect
from rasa_intent_discovery.drafts.journal import Entry
from rasa_intent_discovery.review.messages.standing import Standing
from rasa_intent_discovery.training_data.text_identity import example_key

_ITEM = "- "


def dropped_rows(journal: Sequence[Entry], standing: Standing) -> list[int]:
    """Their rows, rising. What was undone, or is an example of any draft again, is not dropped."""
    rows = {standing.log.row(text) for entry in in_effect(journal) for text in _dropped(entry)}
    return sorted(row for row in rows if row >= 0 and not standing.listed[row])


def _dropped(entry: Entry) -> Iterator[str]:
    """The examples that a decision dropped, or replaced by others, as they stood in the files."""
    if entry.verb in ("drop", "reword"):
        for change in entry.files.values():
            kept = {example_key(text) for text in _items(change.new)}
            yield from (text for text in _items(change.old) if example_key(text) not in kept)


def _items(lines: Iterable[str]) -> Iterator[str]:
    stripped = (line.strip() for line in lines)
    return (line.removeprefix(_ITEM) for line in stripped if line.startswith(_ITEM))
