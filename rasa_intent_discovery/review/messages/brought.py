"""What a person put into drafts of known intents, beside the further examples that the run proposed."""

from __future__ import annotations

from rasa_intent_discovery.datatypes import KNOWN
from rasa_intent_discovery.review.decisions.under_review import Review
from rasa_intent_discovery.review.messages.standing import Standing, example_rows
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED


def brought_examples(review: Review, standing: Standing) -> dict[str, tuple[str, ...]]:
    """Path -> examples that a person merged or moved there, of known intents that are not accepted.

    Only where the run proposed others, too: who accepts what was merged need not have read these.
    """
    found = {}
    for path, draft in review.drafts.items():
        if not path.startswith(KNOWN) or draft.decision == ACCEPTED:
            continue
        rows = example_rows(standing.log, draft.examples)
        proposed = (rows >= 0) & (standing.run[rows] == standing.paths.index(path))
        if proposed.any() and (~proposed & (rows >= 0)).any():
            both = zip(draft.examples, proposed.tolist(), strict=True)
            found[path] = tuple(example for example, of_run in both if not of_run)
    return found
