"""What came since the last run for drafts that a person is done with, and would not look at again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rasa_intent_discovery.datatypes import KNOWN
from rasa_intent_discovery.kept_values import list_in, mapping_in
from rasa_intent_discovery.review.decisions.under_review import Review
from rasa_intent_discovery.review.messages.standing import Standing
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, OPEN


def waiting_messages(run: Mapping[str, Any], review: Review, standing: Standing) -> dict[str, int]:
    """Path of a draft -> distinct messages that wait there, the most first.

    Of an accepted draft these are no examples yet. Of a proposal that was applied before the run they are the
    further examples of its intent, as long as that is open.

    Args:
        run: the content of `run.json`. What cannot be read there is left out.
        standing: of the review.
    """
    names = set(map(str, list_in(mapping_in(run, "changes"), "applied")))
    come = np.bincount(standing.now[standing.come_beside()], minlength=len(standing.paths)).tolist()
    found = dict.fromkeys(standing.paths, 0)
    for path, count in zip(standing.paths, come, strict=True):
        draft = review.drafts[path]
        if draft.decision == ACCEPTED:
            found[path] = count
        elif draft.decision == OPEN and path.startswith(KNOWN) and draft.intent in names:
            found[path] = len(draft.examples)
    return {path: count for path, count in sorted(found.items(), key=lambda one: -one[1]) if count}
