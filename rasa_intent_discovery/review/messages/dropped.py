"""The messages that were dropped from the examples on the desk since the run, or refused for an intent."""

from __future__ import annotations

from rasa_intent_discovery.review.decisions.folder import Desk
from rasa_intent_discovery.review.decisions.taken_examples import taken_examples
from rasa_intent_discovery.review.decisions.under_review import refused_of
from rasa_intent_discovery.review.messages.standing import Standing


def dropped_rows(desk: Desk, standing: Standing) -> list[int]:
    """Their rows, rising. What was undone, or is an example of any draft again, is not dropped.

    Nor is what was refused for another intent than the one it is with now.
    """
    log = standing.log
    rows = {log.row(text) for _, text in taken_examples(desk.journal, ("drop", "reword"))}
    for path, draft in desk.review.drafts.items():
        refused = map(log.row, refused_of(draft))
        rows.update(row for row in refused if row >= 0 and standing.draft(row) == path)
    return sorted(row for row in rows if row >= 0 and not standing.listed[row])
