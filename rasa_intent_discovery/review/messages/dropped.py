"""The messages that were dropped from the examples on the desk since the run, by its journal."""

from __future__ import annotations

from collections.abc import Sequence

from rasa_intent_discovery.drafts.journal import Entry
from rasa_intent_discovery.review.decisions.taken_examples import taken_examples
from rasa_intent_discovery.review.messages.standing import Standing


def dropped_rows(journal: Sequence[Entry], standing: Standing) -> list[int]:
    """Their rows, rising. What was undone, or is an example of any draft again, is not dropped."""
    rows = {standing.log.row(text) for _, text in taken_examples(journal, ("drop", "reword", "settle"))}
    return sorted(row for row in rows if row >= 0 and not standing.listed[row])
