"""Which group a message belongs to that was not clustered, by the rows nearest to it that were. Arrays only.

Each of them votes with the place that the run gave it: for its group, or, where it belongs to a known intent
or to nothing, against any. So what a run took for new is new at work, and a message is never given to a group
because its middle happens to be the nearest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.neighbors import nearest_neighbors
from rasa_intent_discovery.clustering.stability import sample
from rasa_intent_discovery.datatypes import Array, normalized


@dataclass(frozen=True, eq=False)
class Votes:
    """How the rows nearest to b messages voted.

    Attributes:
        shares: (b, k + 1) float64, 0..1, of the votes for no group, then for each of the k groups.
        voters: (b, c) int64, the rows that voted, the nearest first.
        nearest: (b,) float32, cosine to the first of them.
    """

    shares: Array
    voters: Array
    nearest: Array


@dataclass(frozen=True, eq=False)
class NeighborVote:
    """Rows that vote on messages.

    Attributes:
        axes: (d, q) float32, the principal axes of the rows, on which nearness is measured.
        rows: (r, q) float32, their places on these axes.
        groups: (r,) int64, the group each votes for, or `UNGROUPED`.
    """

    axes: Array
    rows: Array
    groups: Array

    @classmethod
    def of(cls, unit: Array, groups: Array, seed: int, most: int | None = None) -> NeighborVote:
        """Of the m rows of a run; of very many, a part votes.

        Args:
            unit: (m, d) float32, rows of length 1.
            groups: (m,) int64, 0..k - 1 or `UNGROUPED`.
            seed: of that part.
            most: rows that vote; None for as many as a bot at work has the time for.
        """
        most = GROUPING.most_voting_rows if most is None else most
        some = sample(len(unit), most, np.random.default_rng(seed))
        voting = unit[some]
        _, axes = np.linalg.eigh(voting.T @ voting)
        axes = np.ascontiguousarray(axes[:, -GROUPING.voting_axes :], dtype=np.float32)
        return cls(axes, (voting @ axes).astype(np.float32), groups[some].astype(np.int64))

    def __call__(self, unit: Array) -> tuple[int, float]:
        """The group with most of the votes of the nearest rows, and its share of them, 0..1.

        The closer a row is, the more its vote counts. The group is `UNGROUPED`, with a share of 0, where no
        group has more than half of the votes.

        Args:
            unit: (d,) float32, of length 1.
        """
        shares = self.votes(unit[None]).shares[0]
        best = int(shares[1:].argmax())
        share = float(shares[1 + best])
        return (best, share) if share > 0.5 else (UNGROUPED, 0.0)

    def votes(self, unit: Array, itself: Array | None = None) -> Votes:
        """How the nearest rows vote on each of some messages; the closer a row is, the more its vote counts.

        Args:
            unit: (b, d) float32, rows of length 1.
            itself: (b,) int64, which of the voting rows each message is, below 0 if it is none: it has no
                vote on itself. None where none of them is.
        """
        count = min(GROUPING.voters, max(1, len(self.rows) - (itself is not None)))
        near, voters = nearest_neighbors(unit @ self.axes, self.rows, count, itself)
        weights = np.exp((near - near[:, :1]) / GROUPING.voting_temperature)
        # The first column is that of the rows that vote for no group.
        columns = max(2, int(self.groups.max()) - UNGROUPED + 1)
        cells = np.arange(len(unit))[:, None] * columns + self.groups[voters] - UNGROUPED
        votes = np.bincount(cells.ravel(), weights.ravel(), minlength=len(unit) * columns)
        votes = votes.reshape(len(unit), columns)
        return Votes(votes / votes.sum(1, keepdims=True), voters, near[:, 0])


def side_by_side(features: Array, pretrained: Array) -> Array:
    """Where nearness is measured: (m, d + h) float32 of length 1, in which both views weigh the same.

    Args:
        features: (m, d) float32, in the space of the clusters; pretrained: (m, h) float32.
    """
    both: Array = normalized(np.hstack([normalized(features), normalized(pretrained)])).astype(np.float32)
    return both
