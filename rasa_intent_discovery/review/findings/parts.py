"""The parts of known intents that may be wishes of their own, as they stand after a person's decisions.

A run lists them in `run.json` (`proposals/parts.py`). A part is on the list while most of its messages are
where the run put them: what is split off leaves it, and comes back when that is undone. Touches no files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rasa_intent_discovery.kept_values import list_in, mapping_in
from rasa_intent_discovery.proposals.reasons import inside
from rasa_intent_discovery.review.decisions.under_review import Review
from rasa_intent_discovery.review.decisions.verbs.naming import name_problem
from rasa_intent_discovery.review.findings.evidence_words import number
from rasa_intent_discovery.review.messages.standing import Standing


@dataclass(frozen=True)
class Part:
    """Some messages of a known intent.

    Attributes:
        intent: the known intent, or one whose messages are left over, such as `out_of_scope`.
        name: for the proposal that it may become; nothing has it.
        rows: of the log, most typical first, those that are where the run put them.
        messages: how often these were logged.
        numbered: its place in the list of the run.
    """

    intent: str
    name: str
    rows: tuple[int, ...]
    messages: int
    numbered: int

    @property
    def says(self) -> str:
        """What it may be, as a sentence."""
        return inside(self.intent, self.messages)


def open_parts(run: Mapping[str, Any], review: Review, standing: Standing) -> list[Part]:
    """The parts of a run that are on the list, in its order.

    Args:
        run: the content of `run.json`. What cannot be read there is left out.
    """
    found, log = [], standing.log
    for numbered, one in enumerate(list_in(run, "parts")):
        if not isinstance(one, Mapping) or not isinstance(one.get("texts"), list):
            continue
        every = [row for row in map(log.row, map(str, one["texts"])) if row >= 0]
        rows = tuple(row for row in every if standing.now[row] == standing.run[row])
        name = _free(review, str(one.get("name"))) if 2 * len(rows) > len(every) else None
        if name is not None:
            messages = int(log.messages.counts[[*rows]].sum())
            found.append(Part(str(one.get("intent")), name, rows, messages, numbered))
    return found


def borderline(run: Mapping[str, Any]) -> list[tuple[str, int, bool]]:
    """The known intents in which messages were placed that look new, and how many distinct ones, most first.

    The last part says whether they are suspiciously many. What `run.json` does not tell is left out.
    """
    told = mapping_in(run, "borderline")
    counts, many = mapping_in(told, "messages"), set(map(str, list_in(told, "suspicious")))
    found = [(str(intent), int(number(counts, intent) or 0), str(intent) in many) for intent in counts]
    return sorted((one for one in found if one[1]), key=lambda one: (not one[2], -one[1], one[0]))


def _free(review: Review, name: str) -> str | None:
    """The name, or the first of `name_2`, `name_3`, ... that a proposal can have; None where none can."""
    most = len(review.drafts) + len(review.known) + 2
    names = [name, *(f"{name}_{number}" for number in range(2, most))]
    return next((one for one in names if name_problem(review, None, one) == (None, None)), None)
