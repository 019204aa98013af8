"""The messages that were dropped from the examples on the desk since the run, or refused for an intent."""

from __future__ import annotations

from rasa_intent_discovery.review.decisions.folder import Desk
from rasa_intent_discovery.review.decisions.taken_examples import taken_examples
from rasa_intent_discovery.review.decisions.verbs import refused_of
from rasa_intent_discovery.review.messages.standing import Standing


def dropped_rows(desk: Desk, standing: Standing) -> list[int]:
    """Their rows, rising. What was undone, or is an example of any draft again, is not dropped."""
    texts = {text for _, text in taken_examples(desk.journal, ("drop", "reword", "settle"))}
    texts.update(text for draft in desk.review.drafts.values() for text in refused_of(draft))
    rows = map(standing.log.row, texts)
    return sorted(row for row in rows if row >= 0 and not standing.listed[row])
