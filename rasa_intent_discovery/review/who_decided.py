"""Who decided about the drafts, also before the last run, which begins a new journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rasa_intent_discovery.drafts.folder import DECIDED_BEFORE
from rasa_intent_discovery.drafts.history import Decider, deciders
from rasa_intent_discovery.drafts.journal import Entry
from rasa_intent_discovery.training_data.nlu_yaml import OPEN, Draft


def who_decided(
    run: Mapping[str, Any], journal: Sequence[Entry], drafts: Mapping[str, Draft]
) -> dict[str, Decider]:
    """Path -> who decided about a draft last; of those that are open, since the run only.

    Args:
        run: the content of `run.json`.
    """
    kept = run.get(DECIDED_BEFORE)
    before = kept if isinstance(kept, Mapping) else {}
    found = {
        path: Decider(name)
        for path, name in before.items()
        if isinstance(name, str) and path in drafts and drafts[path].decision != OPEN
    }
    return {**found, **deciders(journal)}
