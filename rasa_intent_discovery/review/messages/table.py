"""The messages of a log by columns: a million take a few hundred megabytes, and are counted at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from rasa_intent_discovery.datatypes import Array

#: Placement, path of the draft that the run made of it, and reason.
Kind = tuple[str, "str | None", str]


@dataclass(frozen=True)
class Message:
    """A distinct message of the log.

    Attributes:
        text: as it was logged, its most frequent spelling.
        count: how often it was logged, in any spelling.
        placement: `new`, `known` or `left_over`, by the run.
        draft: path of the draft that the run made of its intent, `new/refund.yml`; None if it is left over.
        reason: why it was placed there.
        place: its point on the map, or None.
        path: its part at every fork of the run's draft (`Discovery.paths`); empty where unknown.
        confidence: of the placement, 0..1; 1 where the run did not say.
        came: whether it came since the run before into the proposal in which the run put it.
    """

    text: str
    count: int
    placement: str
    draft: str | None
    reason: str
    place: tuple[float, float] | None = None
    path: str = ""
    confidence: float = 1.0
    came: bool = False


@dataclass(frozen=True, eq=False)
class Messages(Sequence[Message]):
    """n messages.

    Attributes:
        texts: n.
        counts: (n,) int64.
        kind: (n,) int32, row in `kinds`.
        kinds: each once.
        confidences: (n,) float64.
        places: (n, 2) float64, NaN where a message is not on the map.
        fork: (n,) int32, row in `forks`.
        forks: `Message.path`, each once; the first one is empty.
        came: (n,) bool, as `Message.came`.
    """

    texts: Sequence[str]
    counts: Array
    kind: Array
    kinds: Sequence[Kind]
    confidences: Array
    places: Array
    fork: Array
    forks: Sequence[str]
    came: Array

    @classmethod
    def of(cls, messages: Iterable[Message]) -> Messages:
        """The same messages by columns."""
        listed = [*messages]
        kinds: dict[Kind, int] = {}
        forks = {"": 0}
        nowhere = (np.nan, np.nan)
        return cls(
            [one.text for one in listed],
            np.array([one.count for one in listed], dtype=np.int64),
            np.array(
                [kinds.setdefault((one.placement, one.draft, one.reason), len(kinds)) for one in listed],
                dtype=np.int32,
            ),
            [*kinds],
            np.array([one.confidence for one in listed], dtype=np.float64),
            np.array([one.place or nowhere for one in listed], dtype=np.float64).reshape(-1, 2),
            np.array([forks.setdefault(one.path, len(forks)) for one in listed], dtype=np.int32),
            [*forks],
            np.array([one.came for one in listed], dtype=bool),
        )

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, row: int) -> Message: ...
    @overload
    def __getitem__(self, row: slice) -> Messages: ...
    def __getitem__(self, row: int | slice) -> Message | Messages:
        if isinstance(row, slice):
            return self.chosen(np.arange(len(self))[row])
        placement, draft, reason = self.kinds[self.kind[row]]
        x, y = self.places[row].tolist()
        return Message(
            self.texts[row],
            int(self.counts[row]),
            placement,
            draft,
            reason,
            None if x != x else (x, y),
            self.forks[self.fork[row]],
            float(self.confidences[row]),
            bool(self.came[row]),
        )

    def chosen(self, rows: Array) -> Messages:
        """Only these messages, in this order.

        Args:
            rows: (m,) integers.
        """
        return Messages(
            [self.texts[row] for row in rows.tolist()],
            self.counts[rows],
            self.kind[rows],
            self.kinds,
            self.confidences[rows],
            self.places[rows],
            self.fork[rows],
            self.forks,
            self.came[rows],
        )
