"""What several reviewers have decided so far, for whoever opens the drafts next."""

from __future__ import annotations

from collections import Counter

from rasa_intent_discovery.drafts.journal import MERGED
from rasa_intent_discovery.review.folder import Desk
from rasa_intent_discovery.review.who_decided import who_decided


def decided_so_far(desk: Desk) -> str:
    """What named reviewers have decided so far, where one overruled another, and what a merge has changed."""
    drafts = desk.review.drafts
    named = {path: who for path, who in who_decided(desk.run, desk.journal, drafts).items() if path in drafts}
    counts = Counter(who.reviewer for who in named.values() if who.reviewer)
    told = ", ".join(f"{count} by {name}" for name, count in counts.most_common())
    lines = [f"Decided so far: {told}."] if told else []
    lines += [
        f"{desk.review.drafts[path].intent} is {desk.review.drafts[path].decision}, {who.in_words}."
        for path, who in named.items()
        if who.instead_of
    ]
    if desk.journal and desk.journal[-1].verb == MERGED:
        says = desk.journal[-1].says
        lines.append(f"{says[0].upper()}{says[1:]}. Commit the folder of drafts, so that git has it, too.")
    return "\n".join(lines)
