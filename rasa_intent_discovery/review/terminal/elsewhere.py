"""Messages that are near to a proposal, but elsewhere, in the terminal: they are shown, and can be added."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path

from rasa_intent_discovery.drafts.folder import read_record
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.decisions.folder import Desk
from rasa_intent_discovery.review.messages.log import Log
from rasa_intent_discovery.review.messages.meaning import Index, Meaning
from rasa_intent_discovery.review.messages.standing import standing_of
from rasa_intent_discovery.review.safe_text import printable
from rasa_intent_discovery.review.terminal.asks import Reviewer, acted
from rasa_intent_discovery.training_data.nlu_yaml import carry


def near_elsewhere(desk: Desk, log: Log, path: str) -> dict[str, int]:
    """The messages of `Index.elsewhere`, with where they are as they are printed -> row of each.

    There are none where the run kept no vectors.
    """
    index = _index(log, desk.folder)
    if index is None:
        return {}
    standing = standing_of(desk.review, log)
    found = {}
    for row, _ in index.elsewhere(desk.review, path):
        place = standing.draft(row)
        where = "left over" if place is None else desk.review.drafts[place].intent
        found[printable(f"{log.messages[row].text} ({where})")] = row
    return found


def ask_to_add(desk: Desk, log: Log, path: str, near: Mapping[str, int], who: Reviewer) -> Desk | None:
    """The drafts after those that the person chose were added; None where none was.

    Args:
        near: as `near_elsewhere`.

    Raises:
        DataError: it cannot be done.
    """
    chosen = who.asks.several("Which belong here?", list(near))
    texts = [carry(log.messages[near[one]].text) for one in chosen or ()]
    return acted(desk, who, "move", texts=texts, target=path) if texts else None


@functools.lru_cache(maxsize=1)  # the vectors of a large log take seconds to be read
def _index(log: Log, folder: Path) -> Index | None:
    try:
        return Meaning(folder, log, read_record(folder) or {}, None).index()
    except DataError:
        return None
