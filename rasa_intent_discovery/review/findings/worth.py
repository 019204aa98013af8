"""How much a proposal promises, by which proposals are put into an order."""

from __future__ import annotations

from rasa_intent_discovery.review.findings.evidence_words import number
from rasa_intent_discovery.training_data.nlu_yaml import Draft


def worth(draft: Draft) -> float:
    """How much a proposal promises: messages x (1 - similarity to the nearest known intent) x cohesion.

    Missing evidence counts in the proposal's favour.
    """
    messages, similarity, cohesion = (
        number(draft.evidence, key) for key in ("messages", "similarity", "cohesion")
    )
    promised = len(draft.examples) if messages is None else messages
    return promised * (1 - (similarity or 0.0)) * (1.0 if cohesion is None else cohesion)
