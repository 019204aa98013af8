"""Other names for a draft, by the words of the messages that are in it now. Touches no files."""

from __future__ import annotations

from rasa_intent_discovery.proposals.naming.names import names_of
from rasa_intent_discovery.review.decisions.under_review import Review
from rasa_intent_discovery.review.decisions.verbs.naming import name_problem
from rasa_intent_discovery.review.messages.split import rows_of, taken_names, worded
from rasa_intent_discovery.review.messages.standing import Standing
from rasa_intent_discovery.review.numbers import REVIEW


def other_names(review: Review, standing: Standing, draft: str) -> list[str]:
    """The best names that nothing has yet: at most `REVIEW.other_names`; none for a draft that is gone."""
    rows = rows_of(review, standing, draft) if draft in review.drafts else []
    if not rows:
        return []
    names = names_of(*worded(standing.log, rows), taken_names(review), most=REVIEW.other_names)
    return [name for name in names if name_problem(review, draft, name) == (None, None)]
