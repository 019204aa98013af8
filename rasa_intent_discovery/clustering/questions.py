"""Of which messages to ask a person whether they belong together. Arrays only.

Groups are merged from pieces by what is likely (`same_intent`), and taken for new or known by what is likely
(`groups`). Where that was a near thing and many messages hang on it, one answer of a person does more than
reading fifty messages. (Sampling where a model is least sure: Settles, "Active learning literature survey",
2009; answers as pairs: Basu et al., "Active semi-supervision for pairwise constrained clustering", 2004.)
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.datatypes import Array


@dataclass(frozen=True)
class Question:
    """Which of some rows are of one intent with another one?

    Attributes:
        row: of a message.
        choices: rows of messages or examples, what most hangs on first; at most three.
        worth: how many messages hang on the answer, each counted by how doubtful it is.
    """

    row: int
    choices: tuple[int, ...]
    worth: float


@dataclass(frozen=True, eq=False)
class Doubts:
    """p pairs of rows of which it is not sure that they are of one intent.

    Attributes:
        ones: (p,) int64, rows of messages; others: (p,) int64, rows of messages or examples.
        worth: (p,) above 0, as in `Question`.
    """

    ones: Array
    others: Array
    worth: Array

    @classmethod
    def of(cls, ones: Array, others: Array, likely: Array, least: float, rows: Array) -> Doubts:
        """From how likely each pair is one.

        Args:
            likely: (p,) 0..1; least: 0..1, from where on it was taken for one.
            rows: (p,) how many rows hang on it.
        """
        doubt = np.where(likely < least, likely / least, (1.0 - likely) / (1.0 - least))
        kept = doubt >= GROUPING.least_doubt
        return cls(ones[kept], others[kept], (doubt * rows)[kept])

    def __add__(self, more: Doubts) -> Doubts:
        """Both."""
        return Doubts(
            np.concatenate([self.ones, more.ones]),
            np.concatenate([self.others, more.others]),
            np.concatenate([self.worth, more.worth]),
        )

    def questions(self, logged: Array, most: int) -> tuple[Question, ...]:
        """The questions that are worth most, each pair in one of them.

        Args:
            logged: (m,) bool, rows of messages: only of these is asked.
        """
        waiting: dict[int, dict[int, float]] = defaultdict(dict)
        for one, other, worth in zip(self.ones.tolist(), self.others.tolist(), self.worth.tolist(), strict=True):
            for row, choice in ((one, other), (other, one)):
                if logged[row]:
                    waiting[row][choice] = worth
        found: list[Question] = []
        while waiting and len(found) < most:
            question = max((_asked(row, of) for row, of in waiting.items()), key=lambda one: (one.worth, -one.row))
            found.append(question)
            for choice in question.choices:
                for row, other in ((question.row, choice), (choice, question.row)):
                    if waiting[row].pop(other, None) is not None and not waiting[row]:
                        del waiting[row]
        return tuple(found)


def _asked(row: int, of: dict[int, float]) -> Question:
    ranked = sorted(of, key=lambda choice: (-of[choice], choice))[: GROUPING.most_choices]
    choices = [choice for choice in ranked if of[choice] >= GROUPING.least_choice * of[ranked[0]]]
    return Question(row, tuple(choices), sum(of[choice] for choice in choices))


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
