"""Which group a later message belongs to, by the rows of the run that are nearest to it. Arrays only.

Each of them votes with the place that the run gave it: for its group, or, where it belongs to a known intent
or to nothing, against any. So what a run took for new is new at work, and a message is never given to a group
because its middle happens to be the nearest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.stability import sample
from rasa_intent_discovery.datatypes import Array


@dataclass(frozen=True, eq=False)
class NeighborVote:
    """Rows that vote on a message.

    Attributes:
        axes: (d, q) float32, the principal axes of the rows, on which nearness is measured.
        rows: (r, q) float32, their places on these axes.
        groups: (r,) int64, the group each votes for, or `UNGROUPED`.
    """

    axes: Array
    rows: Array
    groups: Array

    @classmethod
    def of(cls, unit: Array, groups: Array, seed: int) -> NeighborVote:
        """Of the m rows of a run; of very many, a part votes.

        Args:
            unit: (m, d) float32, rows of length 1.
            groups: (m,) int64, 0..k - 1 or `UNGROUPED`.
            seed: of that part.
        """
        some = sample(len(unit), GROUPING.most_voting_rows, np.random.default_rng(seed))
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
        cosines = self.rows @ (unit @ self.axes)
        count = min(GROUPING.voters, len(cosines))
        nearest = np.argpartition(-cosines, count - 1)[:count]
        weights = np.exp((cosines[nearest] - cosines.max()) / GROUPING.voting_temperature)
        # The first place is that of the rows that vote for no group.
        votes = np.bincount(self.groups[nearest] - UNGROUPED, weights, minlength=2)
        best = int(votes[1:].argmax())
        share = float(votes[1 + best] / votes.sum())
        return (best, share) if share > 0.5 else (UNGROUPED, 0.0)
