"""Where every message of a run is, after what was decided, and what the drafts have of them.

A message belongs to the draft that has it as an example, or else to the draft the run put it into, or to the
one that this was merged into. To count a million takes some hundredths of a second. Touches no files.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rasa_intent_discovery.datatypes import LEFT_OVER, NEW, Array
from rasa_intent_discovery.drafts.journal import Entry
from rasa_intent_discovery.proposals.reasons import BORDERLINE, EXAMPLE, IGNORED_BEFORE
from rasa_intent_discovery.review.decisions.under_review import Review, merged_from
from rasa_intent_discovery.review.messages.log import Log, kept_of_a_log
from rasa_intent_discovery.review.numbers import REVIEW

#: Why a message is in no draft that the run had put into one.
NO_MORE = "in no draft any more"
#: The same of one that the bot is trained on.
ALREADY = "a training example already"
_NONE = -1  # instead of a draft


@dataclass(frozen=True, eq=False)
class Standing:
    """The drafts of a review, and for each of n messages of the log its draft.

    Attributes:
        paths: of all drafts.
        now: (n,) int32, row in `paths` of the draft that it is in, -1 for none.
        came: (n,) int32, the same of the draft that has what the run put it into.
        run: (n,) int32, the same of the draft that the run put it into; -1 where that is not there any more.
        listed: (n,) bool, whether it is one of the examples of its draft.
    """

    log: Log
    paths: tuple[str, ...]
    now: Array
    came: Array
    run: Array
    listed: Array

    def draft(self, row: int) -> str | None:
        """The path of the draft that a message is in; None for none."""
        at = int(self.now[row])
        return self.paths[at] if at >= 0 else None

    def rows(self, path: str) -> Array:
        """(m,) int64, the messages that are in a draft, in the order of the log."""
        return np.flatnonzero(self.now == self.paths.index(path))

    def others(self, path: str) -> Array:
        """(m,) int64, those of them that are no examples."""
        rows = self.rows(path)
        others: Array = rows[~self.listed[rows]]
        return others

    def left_over(self, reason: str | None = None) -> Array:
        """(m,) int64, the messages in no draft, or those of them for a reason, the most frequent first."""
        rows = np.flatnonzero(self.now == _NONE)
        if reason is not None:
            rows = rows[np.array([one == reason for one in self._reasons()], dtype=bool)[self._kind[rows]]]
            rows = rows[np.argsort(-self.log.messages.counts[rows], kind="stable")]
        return rows

    def reasons(self) -> list[tuple[str, int, int]]:
        """Why messages are in no draft: reason, how many distinct ones, and how often these were logged."""
        left = self.now == _NONE
        kinds = len(self.log.messages.kinds)
        distinct = np.bincount(self._kind[left], minlength=kinds).tolist()
        logged = np.bincount(self._kind[left], self.log.messages.counts[left], minlength=kinds).tolist()
        found: dict[str, tuple[int, int]] = {}
        for reason, one, messages in zip(self._reasons(), distinct, logged, strict=True):
            before = found.get(reason, (0, 0))
            if one:
                found[reason] = (before[0] + one, before[1] + int(messages))
        return [(reason, one, messages) for reason, (one, messages) in found.items()]

    def totals(self) -> dict[str, dict[str, Any]]:
        """What each draft has of the messages, for the page.

        Returns:
            Path -> how often they were logged, and of the distinct ones how many there are, are no examples,
            look new, are less sure, and came or left since the run; and the proposal of the run that most of
            them were in, where a person made this one.
        """
        stayed = self.now == self.run
        strange = self.listed & self.looking_new() & (self.now >= 0)
        unsure = self.listed & stayed & ~strange & self._unsure & (self.now >= 0)
        here, there = self._count(self.now), self._count(self.run)
        moved = here + there - 2 * self._count(self.now[stayed]) - self._count(self.now[self._kept_ignored()])
        counted = zip(
            self.paths,
            np.bincount(self.now + 1, self.log.messages.counts, len(self.paths) + 1)[1:].astype(int).tolist(),
            here.tolist(),
            self._count(self.now[~self.listed]).tolist(),
            self._count(self.now[strange]).tolist(),
            self._count(self.now[unsure]).tolist(),
            moved.tolist(),
            strict=True,
        )
        return {
            path: {
                "messages": messages,
                "distinct": distinct,
                "beside": beside,
                "strange": looking_new,
                "unsure": less_sure,
                "moved": moved,
                "parent": self._parent(path),
            }
            for path, messages, distinct, beside, looking_new, less_sure, moved in counted
        }

    def looking_new(self) -> Array:
        """(n,) bool: they look new, and are where the run put them."""
        strange: Array = (self.now == self.run) & self._borderline
        return strange

    def doubtful(self) -> Array:
        """(n,) bool: the same, or the run was less sure of them, and they are where it put them."""
        doubtful: Array = self.looking_new() | ((self.now == self.run) & self._unsure)
        return doubtful

    def come_beside(self) -> Array:
        """(n,) bool: they came since the last run into their draft, and are none of its examples."""
        come: Array = self.log.messages.came & (self.now == self.run) & (self.now >= 0) & ~self.listed
        return come

    def _kept_ignored(self) -> Array:
        """(n,) bool: they are in a proposal that was ignored before the run, which did not make it."""
        made = _made(self.log)
        kept = np.array([path.startswith(NEW) and path not in made for path in self.paths] + [False])
        before = [reason == IGNORED_BEFORE for *_, reason in self.log.messages.kinds]
        there: Array = _by_kind(self.log, before, bool) & self.listed & kept[self.now]
        return there

    def _count(self, drafts: Array) -> Array:
        return np.bincount(drafts + 1, minlength=len(self.paths) + 1)[1:]

    def _parent(self, path: str) -> str | None:
        """Of a proposal that a person made: the one that most of its messages were in, if that is there."""
        if not path.startswith(NEW) or path in _made(self.log):
            return None
        came = self.came[self.rows(path)]
        found, first, counts = np.unique(came, return_index=True, return_counts=True)
        if not len(found):
            return None
        most = int(found[np.lexsort((first, -counts))[0]])
        parent = self.paths[most] if most >= 0 else ""
        return parent if parent.startswith(NEW) and parent in _made(self.log) else None

    def _reasons(self) -> list[str]:
        """Of every kind of message, why it is in no draft where it is in none."""
        return [
            reason if placement == LEFT_OVER else ALREADY if reason == EXAMPLE else NO_MORE
            for placement, _, reason in self.log.messages.kinds
        ]

    @property
    def _kind(self) -> Array:
        return self.log.messages.kind

    @property
    def _borderline(self) -> Array:
        return _by_kind(self.log, [reason == BORDERLINE for *_, reason in self.log.messages.kinds], bool)

    @property
    def _unsure(self) -> Array:
        least = [
            REVIEW.belongs if placement == NEW else REVIEW.sure for placement, *_ in self.log.messages.kinds
        ]
        unsure: Array = self.log.messages.confidences < _by_kind(self.log, least, np.float64)
        return unsure


def standing_of(review: Review, log: Log) -> Standing:
    """Where the messages are now."""
    return _standing(log, review)


@kept_of_a_log(4)  # with every decision it is asked how it was before, and how it is now
def _standing(log: Log, review: Review) -> Standing:
    paths = tuple(review.drafts)
    number = {path: at for at, path in enumerate(paths)}
    current = {merged: number[path] for path, one in review.drafts.items() for merged in merged_from(one)}
    current.update(number)
    made = [draft or "" for _, draft, _ in log.messages.kinds]
    came = _by_kind(log, [current.get(draft, _NONE) for draft in made])
    run = _by_kind(log, [number.get(draft, _NONE) for draft in made])
    now, listed = came.copy(), np.zeros(len(came), dtype=bool)
    for path, draft in review.drafts.items():
        rows = example_rows(log, draft.examples)
        rows = rows[rows >= 0]
        now[rows] = number[path]
        listed[rows] = True
    return Standing(log, paths, now, came, run, listed)


def said_of(done: Entry, before: Review, after: Review, log: Log) -> str:
    """What was done, in words; of messages that were dropped also where they are now, if they were logged."""
    if done.verb != "drop":
        return done.says
    standing = standing_of(after, log)
    rows = np.flatnonzero(standing_of(before, log).listed & ~standing.listed)
    found = Counter(standing.now[rows].tolist())
    paths = [standing.paths[at] for at, _ in found.most_common() if at != _NONE]
    others = f"the other messages of {', '.join(after.drafts[path].intent for path in paths)}"
    places = [f"among {'its other messages' if paths == [*done.files] else others}"] if paths else []
    places += ["left over"] if _NONE in found else []
    are = "It is" if len(rows) == 1 else "They are"
    return f"{done.says}. {are} now {' or '.join(places)}" if places else done.says


@kept_of_a_log(2048)  # called for every draft with every decision on the desk
def example_rows(log: Log, examples: tuple[str, ...]) -> Array:
    """(m,) int64, the row of the message that each example is, -1 where nobody logged it."""
    return np.array([log.row(example) for example in examples], dtype=np.int64)


def _by_kind(log: Log, values: list[Any], dtype: type = np.int32) -> Array:
    """(n,) the value that a message has by its kind."""
    found: Array = np.array(values, dtype=dtype)[log.messages.kind]
    return found


@functools.lru_cache(maxsize=1)
def _made(log: Log) -> Mapping[str, None]:
    """The paths of the drafts that the run made of messages."""
    return dict.fromkeys(draft for _, draft, _ in log.messages.kinds if draft)
