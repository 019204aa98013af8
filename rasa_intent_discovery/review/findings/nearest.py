"""The nearest proposal of a draft, as it is called by now: the run knew no decisions. Touches no files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from rasa_intent_discovery.datatypes import NEW
from rasa_intent_discovery.drafts.contents import part_of
from rasa_intent_discovery.review.decisions.verbs import merged_from
from rasa_intent_discovery.review.findings.families import written_paths
from rasa_intent_discovery.training_data.nlu_yaml import Draft

_NEAREST = "nearest_new_intent"
_MEASURED = (_NEAREST, "new_similarity")


def with_nearest_now(run: Mapping[str, Any], drafts: Mapping[str, Draft]) -> dict[str, Draft]:
    """The drafts, their evidence with the name that the nearest proposal has by now.

    That is the name of the draft into which a person merged it; where that is the draft itself, nothing is
    nearest any more. A draft that was kept over several runs may name what an earlier run called so, as its
    file still is. What is nowhere keeps the name that the run gave it.

    Args:
        run: the content of `run.json`. What cannot be read there is left out.
        drafts: path -> draft.
    """
    into = {part: path for path, draft in drafts.items() for part in merged_from(draft)}
    named = {PurePath(path).stem: path for path in drafts if part_of(path) == NEW}
    now = {
        **named,
        **{intent: path if path in drafts else into.get(path) for intent, path in written_paths(run).items()},
    }
    return {path: _told(path, drafts, now) for path in drafts}


def _told(path: str, drafts: Mapping[str, Draft], now: Mapping[str, str | None]) -> Draft:
    draft = drafts[path]
    there = now.get(str(draft.evidence.get(_NEAREST)))
    if there is None or (there != path and drafts[there].intent == draft.evidence[_NEAREST]):
        return draft
    if there == path:
        left = {key: value for key, value in draft.evidence.items() if key not in _MEASURED}
        return replace(draft, evidence=left)
    return replace(draft, evidence={**draft.evidence, _NEAREST: drafts[there].intent})
