"""How many of the logged messages are where now, in the words that the tabs and the summary of a run have.

What each name counts is disjoint from the others, and all together are the messages that were read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW, SET_ASIDE
from rasa_intent_discovery.drafts.contents import part_of
from rasa_intent_discovery.kept_values import mapping_in
from rasa_intent_discovery.proposals.reasons import IGNORED_BEFORE
from rasa_intent_discovery.review.decisions.under_review import Review
from rasa_intent_discovery.review.messages.standing import ALREADY, Standing
from rasa_intent_discovery.training_data.nlu_yaml import IGNORED

_TRAINING, _SET_ASIDE = "training", "set_aside"  # kinds, as the page colours them
#: Kind -> what it is called.
_SHARES = {
    NEW: "New intents",
    IGNORED: "Ignored proposals",
    KNOWN: "Known intents",
    _TRAINING: "Training examples already",
    LEFT_OVER: "Left over",
    _SET_ASIDE: "Set aside",
}


def message_shares(run: Mapping[str, Any], review: Review, standing: Standing) -> list[tuple[str, str, int]]:
    """`[kind, words, messages]` of all messages that were read; none where that is not known.

    Where nothing was ignored, or none is a training example already, that is left out.

    Args:
        run: the content of `run.json`.
    """
    now = Counter[str]()
    for path, total in standing.totals().items():
        part = part_of(path)
        is_ignored = part == NEW and review.drafts[path].decision == IGNORED
        now[IGNORED if is_ignored else part] += total["messages"]
    for reason, _, messages in standing.reasons():
        now[kind_of(reason)] += messages
    now[_SET_ASIDE] = max(now[_SET_ASIDE], _set_aside(run))  # empty messages have no line of their own
    told = [kind for kind in _SHARES if now[kind] or kind not in (IGNORED, _TRAINING)] if now.total() else []
    return [(kind, _SHARES[kind], now[kind]) for kind in told]


def kind_of(reason: str) -> str:
    """As what a message counts that is in no draft, for a reason."""
    if reason.startswith(SET_ASIDE):
        return _SET_ASIDE
    return {ALREADY: _TRAINING, IGNORED_BEFORE: IGNORED}.get(reason, LEFT_OVER)


def _set_aside(run: Mapping[str, Any]) -> int:
    return sum(mapping_in(mapping_in(run, "read"), "set_aside").values())
