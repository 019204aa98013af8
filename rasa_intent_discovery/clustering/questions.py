"""Of which messages to ask a person whether they belong together. Arrays only.

Groups are merged from pieces by what is likely (`same_intent`), and taken for new or known by what is likely
(`claimed`). Where an answer is likely to be another than that, and many different messages hang on it, one
answer of a person does more than reading fifty messages. (What an answer is expected to change: Settles,
"Active learning literature survey", 2009, section 3.3; answers as pairs: Basu et al., "Active
semi-supervision for pairwise constrained clustering", 2004.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.datatypes import Array


@dataclass(frozen=True, eq=False)
class Doubts:
    """p pairs of rows of which it is not sure that they are of one intent.

    Attributes:
        ones: (p,) int64, rows of messages; others: (p,) int64, rows of messages or examples.
        worth: (p,) above 0, how many rows an answer is expected to move: a message that was logged often is
            one.
    """

    ones: Array
    others: Array
    worth: Array

    @classmethod
    def of(cls, ones: Array, others: Array, surprising: Array, rows: Array) -> Doubts:
        """From how likely the answer is another than what was taken for true.

        Args:
            surprising: (p,) 0..1; rows: (p,) how many rows hang on it.
        """
        kept = surprising >= GROUPING.least_surprise
        return cls(ones[kept], others[kept], (surprising * rows)[kept])

    def without(self, rows: Array) -> Doubts:
        """Those of which no row is among these."""
        kept = ~(np.isin(self.ones, rows) | np.isin(self.others, rows))
        return Doubts(self.ones[kept], self.others[kept], self.worth[kept])

    def at(self, rows: Array) -> Doubts:
        """The same of n rows that are called otherwise outside: (n,) int64."""
        return Doubts(rows[self.ones], rows[self.others], self.worth)

    def __add__(self, more: Doubts) -> Doubts:
        """Both."""
        return Doubts(
            np.concatenate([self.ones, more.ones]),
            np.concatenate([self.others, more.others]),
            np.concatenate([self.worth, more.worth]),
        )

    def questions(self, logged: Array, most: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """The questions that are worth most, each pair in one of them.

        Args:
            logged: (m,) bool, rows of messages: only of these is asked.

        Returns:
            Each as a row, and the rows that may be of one intent with it, what is worth most first.
        """
        waiting: dict[int, dict[int, float]] = {}
        most_worth = np.sort(np.argsort(-self.worth, kind="stable")[: GROUPING.most_pairs])
        for one, other, worth in zip(
            *(of[most_worth].tolist() for of in (self.ones, self.others, self.worth)), strict=True
        ):
            for row, choice in ((one, other), (other, one)):
                if logged[row]:
                    waiting.setdefault(row, {})[choice] = worth
        found: list[tuple[int, tuple[int, ...]]] = []
        while waiting and len(found) < most:
            chosen = {row: _choices(of) for row, of in waiting.items()}
            row = min(chosen, key=lambda one: (-sum(waiting[one][choice] for choice in chosen[one]), one))
            found.append((row, chosen[row]))
            for choice in chosen[row]:
                del waiting[row][choice]
                waiting.get(choice, {}).pop(row, None)
            waiting = {one: of for one, of in waiting.items() if of}
        return tuple(found)


def _choices(of: dict[int, float]) -> tuple[int, ...]:
    """What may be chosen: little that hangs on one choice does not make it worth reading."""
    ranked = sorted(of, key=lambda choice: (-of[choice], choice))[: GROUPING.most_choices]
    return tuple(choice for choice in ranked if of[choice] >= GROUPING.least_choice * of[ranked[0]])


def exemplars(unit: Array, groups: Array, k: int) -> Array:
    """(k,) int64: the row of each group that is closest to its mean; -1 where it has none.

    Args:
        unit: (n, d) float32, of length 1; groups: (n,) int64, 0..k - 1 or below 0 for a row in none.
    """
    found = np.full(k, -1)
    for group in np.unique(groups[groups >= 0]).tolist():
        rows = np.flatnonzero(groups == group)
        found[group] = rows[int((unit[rows] @ unit[rows].mean(0)).argmax())]
    return found
