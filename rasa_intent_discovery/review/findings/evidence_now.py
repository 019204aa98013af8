"""The evidence of drafts, as it is told: that of the last run, with the names of now. Touches no files.

A run leaves a draft that a person changed as it is, with the figures of the run that wrote it; what it
measured of that stands in `run.json`. And it knew no later decisions: what was nearest may have another name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from rasa_intent_discovery.datatypes import NEW
from rasa_intent_discovery.drafts.contents import MEASURED, part_of
from rasa_intent_discovery.drafts.folder import CARRIED
from rasa_intent_discovery.kept_values import mapping_in
from rasa_intent_discovery.review.decisions.under_review import merged_from
from rasa_intent_discovery.review.findings.families import written_paths
from rasa_intent_discovery.training_data.nlu_yaml import MERGED_FROM, Draft

_NEAREST = "nearest_new_intent"
_OF_NEAREST = (_NEAREST, "new_similarity")


def with_evidence_now(run: Mapping[str, Any], drafts: Mapping[str, Draft]) -> dict[str, Draft]:
    """The drafts, their evidence as the last run measured it, with the name the nearest proposal has by now.

    That is the name of the draft into which a person merged it; where that is the draft itself, nothing is
    nearest any more. A draft of which the run measured nothing has what its file says, and may name what an
    earlier run called so. What is nowhere keeps the name that the run gave it. In `merged_from` are the
    drafts that were put into one since the run.

    Args:
        run: the content of `run.json`. What cannot be read there is left out.
        drafts: path -> draft.
    """
    into = {part: path for path, draft in drafts.items() for part in merged_from(draft)}
    named = {PurePath(path).stem: path for path in drafts if part_of(path) == NEW}
    written = written_paths(run)
    now = {
        **named,
        **{intent: path if path in drafts else into.get(path) for intent, path in written.items()},
    }
    measured, paths = _measured(run), {*written.values()}
    told = {
        path: _as_measured(draft, measured[path], paths) if path in measured else draft
        for path, draft in drafts.items()
    }
    return {path: _told(path, told, now) for path in told}


def kept_unmeasured(run: Mapping[str, Any], drafts: Mapping[str, Draft]) -> frozenset[str]:
    """The paths of drafts that the run carried over, and measured nothing of."""
    return carried_over(run).intersection(drafts) - {*_measured(run)}


def carried_over(run: Mapping[str, Any]) -> frozenset[str]:
    """The paths of what the run left as a person had changed it."""
    return frozenset(map(str, mapping_in(run, CARRIED)))


def _measured(run: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Path of a proposal -> what the run measured of it."""
    evidence = mapping_in(mapping_in(run, "new_intents"), "evidence")
    written = written_paths(run).items()
    return {path: evidence[intent] for intent, path in written if isinstance(evidence.get(intent), Mapping)}


def _as_measured(draft: Draft, measured: Mapping[str, Any], written: set[str]) -> Draft:
    """The draft with what the run measured; what stands there of its examples, or by a person, stays."""
    kept = {key: value for key, value in draft.evidence.items() if key not in MEASURED}
    if MERGED_FROM in kept:
        kept[MERGED_FROM] = [path for path in merged_from(draft) if path in written]
    return replace(draft, evidence={**{key: measured[key] for key in MEASURED if key in measured}, **kept})


def _told(path: str, drafts: Mapping[str, Draft], now: Mapping[str, str | None]) -> Draft:
    draft = drafts[path]
    there = now.get(str(draft.evidence.get(_NEAREST)))
    if there is None or (there != path and drafts[there].intent == draft.evidence[_NEAREST]):
        return draft
    if there == path:
        left = {key: value for key, value in draft.evidence.items() if key not in _OF_NEAREST}
        return replace(draft, evidence=left)
    return replace(draft, evidence={**draft.evidence, _NEAREST: drafts[there].intent})
