"""Who decided about the drafts, also before the last run, which begins a new journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rasa_intent_discovery.drafts.folder import DECIDED_BEFORE
from rasa_intent_discovery.drafts.history import Decider, deciders, overruled_names
from rasa_intent_discovery.drafts.journal import MERGED, Entry
from rasa_intent_discovery.kept_values import mapping_in
from rasa_intent_discovery.review.decisions.folder import Desk
from rasa_intent_discovery.training_data.nlu_yaml import OPEN, Draft


def who_decided(
    run: Mapping[str, Any], journal: Sequence[Entry], drafts: Mapping[str, Draft]
) -> dict[str, Decider]:
    """Path -> who decided about a draft last; of those that are open, since the run only.

    Args:
        run: the content of `run.json`.
    """
    found = {
        path: Decider(name)
        for path, name in mapping_in(run, DECIDED_BEFORE).items()
        if isinstance(name, str) and path in drafts and drafts[path].decision != OPEN
    }
    return {**found, **deciders(journal)}


def decided_so_far(desk: Desk) -> str:
    """What named reviewers have decided so far, where one overruled another, and what a merge has changed."""
    drafts = desk.review.drafts
    named = {path: who for path, who in who_decided(desk.run, desk.journal, drafts).items() if path in drafts}
    counts = Counter(who.reviewer for who in named.values() if who.reviewer)
    told = ", ".join(f"{count} by {name}" for name, count in counts.most_common())
    lines = [f"Decided so far: {told}."] if told else []
    lines += [
        f"{drafts[path].intent} is {drafts[path].decision}, {who.in_words}."
        for path, who in named.items()
        if who.instead_of
    ]
    lines += [
        f"{drafts[path].intent} is the later of two names; {says}."
        for path, says in overruled_names(desk.journal).items()
        if path in drafts
    ]
    if desk.journal and desk.journal[-1].verb == MERGED:
        says = desk.journal[-1].says
        lines.append(f"{says[0].upper()}{says[1:]}. Commit the folder of drafts, so that git has it, too.")
    return "\n".join(lines)
