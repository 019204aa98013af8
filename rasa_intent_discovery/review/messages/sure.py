"""The further examples of known intents that are offered together: nothing is to be said against them."""

from __future__ import annotations

import functools

import numpy as np

from rasa_intent_discovery.corpus.personal_data import PLACEHOLDER
from rasa_intent_discovery.datatypes import KNOWN, Array
from rasa_intent_discovery.review.decisions.verbs import Review
from rasa_intent_discovery.review.messages.standing import Standing, example_rows
from rasa_intent_discovery.training_data.nlu_yaml import OPEN
from rasa_intent_discovery.training_data.text_identity import example_key, example_keys


def sure_examples(review: Review, standing: Standing) -> dict[str, tuple[str, ...]]:
    """Path -> examples that are sure, of the known intents that are open and have some.

    One that looks new, that the run was less sure of, that holds a mask, or that is nearly an example of
    another intent, is not.
    """
    conflicts = frozenset(
        example_key(str(one.get("text")))
        for draft in review.drafts.values()
        for one in _listed(draft.evidence.get("conflicts"))
        if isinstance(one, dict)
    )
    doubtful = standing.doubtful()
    found = {}
    for path, draft in review.drafts.items():
        if path.startswith(KNOWN) and draft.decision == OPEN:
            rows = example_rows(standing.log, draft.examples)
            strange = doubtful[rows] & (rows >= 0) if len(doubtful) else np.zeros(len(rows), dtype=bool)
            sure = np.flatnonzero(_clean(draft.examples, conflicts) & ~strange).tolist()
            found.update({path: tuple(draft.examples[at] for at in sure)} if sure else {})
    return found


@functools.lru_cache(maxsize=1024)  # called for every draft with every decision on the desk
def _clean(examples: tuple[str, ...], conflicts: frozenset[str]) -> Array:
    """(m,) bool, whether an example holds no mask, and is not nearly one of another intent.

    Args:
        conflicts: `example_key` of those that are.
    """
    both = zip(example_keys(examples), examples, strict=True)
    return np.array([key not in conflicts and not PLACEHOLDER.search(one) for key, one in both], dtype=bool)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []
