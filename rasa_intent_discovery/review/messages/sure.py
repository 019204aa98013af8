"""The further examples of known intents that nobody has decided about, and those of them that are sure."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from rasa_intent_discovery.corpus.personal_data import PLACEHOLDER
from rasa_intent_discovery.datatypes import KNOWN, Array
from rasa_intent_discovery.drafts.folder import REFUSED
from rasa_intent_discovery.drafts.numbers import DRAFTS
from rasa_intent_discovery.review.decisions.folder import Desk
from rasa_intent_discovery.review.decisions.taken_examples import taken_before, taken_examples
from rasa_intent_discovery.review.decisions.under_review import Review, conflicts_of, put_there, refused_of
from rasa_intent_discovery.review.messages.dropped import dropped_rows
from rasa_intent_discovery.review.messages.standing import Standing, example_rows
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, OPEN, carry
from rasa_intent_discovery.training_data.text_identity import example_key, example_keys, text_key


def sure_examples(review: Review, standing: Standing) -> dict[str, tuple[str, ...]]:
    """Path -> examples that are sure, of the known intents that are open and have some.

    One that looks new, that the run was less sure of, that holds a mask, or that is nearly an example of
    another intent, is not; nor what a person put beside others, which is accepted with the first of them.
    """
    conflicts: dict[str, set[str]] = {}
    for draft in review.drafts.values():
        for text, _, intent in conflicts_of(draft):
            conflicts.setdefault(intent, set()).add(example_key(text))
    doubtful = standing.doubtful()
    found = {}
    for path, draft in review.drafts.items():
        if path.startswith(KNOWN) and draft.decision == OPEN:
            put = put_there(review, path)
            proposed = tuple(one for one in draft.examples if example_key(one) not in put)
            rows = example_rows(standing.log, proposed)
            strange = doubtful[rows] & (rows >= 0) if len(doubtful) else np.zeros(len(rows), dtype=bool)
            others = (keys for intent, keys in conflicts.items() if intent != draft.intent)
            nearly = frozenset[str]().union(*others)
            sure = np.flatnonzero(_clean(proposed, nearly) & ~strange).tolist()
            found.update({path: tuple(proposed[at] for at in sure)} if sure else {})
    return found


def left_out(desk: Desk, standing: Standing, dropped: Sequence[int]) -> dict[str, list[int]]:
    """Path of a known intent that is accepted -> rows, rising, of its messages that are no examples of it.

    They were left out when the others were accepted, in this run or before, or came later: nobody has said
    that they do not belong. Of one with more messages than a draft takes, none needs to be added.

    Args:
        standing: of the review; dropped: as `dropped_rows` finds them.
    """
    review, taken_out = desk.review, taken_before(desk.run)
    messages = np.bincount(standing.now + 1, minlength=len(standing.paths) + 1)[1:].tolist()
    takes = [
        path.startswith(KNOWN) and review.drafts[path].decision == ACCEPTED and count <= DRAFTS.most_examples
        for path, count in zip(standing.paths, messages, strict=True)
    ]
    apart = ~standing.listed & np.array([*takes, False])[standing.now]  # the last is that of no draft
    apart[dropped] = False
    found: dict[str, list[int]] = {}
    for row in np.flatnonzero(apart).tolist():
        path, key = standing.paths[standing.now[row]], text_key(standing.log.messages.texts[row])
        if key not in taken_out.get(review.drafts[path].intent, ()):
            found.setdefault(path, []).append(row)
    return found


def refused_since(desk: Desk) -> int:
    """How many further examples a person refused or dropped since the run, which the next one places anew.

    What has gone to another draft has its place.
    """
    before = taken_before(desk.run, REFUSED)
    known = {path: draft for path, draft in desk.review.drafts.items() if path.startswith(KNOWN)}
    taken = {path: {*map(example_key, refused_of(draft))} for path, draft in known.items()}
    for path, text in taken_examples(desk.journal, ("drop",)):
        if path in taken:
            taken[path].add(example_key(text))
    if not any(taken.values()):
        return 0
    placed = {key for draft in desk.review.drafts.values() for key in example_keys(draft.examples)}
    return sum(
        len(keys.difference(placed, before.get(known[path].intent, ()))) for path, keys in taken.items()
    )


def undecided_examples(desk: Desk, standing: Standing) -> dict[str, list[tuple[str, int]]]:
    """Path of a known intent -> its examples that nobody has decided about, those it is surest of first.

    These are all of an intent that is open, and of an accepted one what was left out then. Each is with the
    row of its message, -1 where nobody logged it.

    Args:
        standing: of the review.
    """
    review, messages, strange = desk.review, standing.log.messages, standing.looking_new()
    found = {path: _open_ones(review, standing, path) for path in review.drafts if path.startswith(KNOWN)}
    for path, rows in left_out(desk, standing, dropped_rows(desk, standing)).items():
        found[path] = [(carry(messages.texts[row]), row) for row in rows]

    def sureness(one: tuple[str, int]) -> tuple[bool, float]:
        _, row = one
        return row >= 0 and bool(strange[row]), -float(messages.confidences[row]) if row >= 0 else -1.0

    return {path: sorted(examples, key=sureness) for path, examples in found.items() if examples}


def _open_ones(review: Review, standing: Standing, path: str) -> list[tuple[str, int]]:
    """The examples of a draft that is open, with their rows; of another one none."""
    draft = review.drafts[path]
    rows = example_rows(standing.log, draft.examples).tolist()
    return [*zip(draft.examples, rows, strict=True)] if draft.decision == OPEN else []


@functools.lru_cache(maxsize=1024)  # called for every draft with every decision on the desk
def _clean(examples: tuple[str, ...], conflicts: frozenset[str]) -> Array:
    """(m,) bool, whether an example holds no mask, and is not nearly one of another intent.

    Args:
        conflicts: `example_key` of those that are.
    """
    both = zip(example_keys(examples), examples, strict=True)
    return np.array([key not in conflicts and not PLACEHOLDER.search(one) for key, one in both], dtype=bool)
