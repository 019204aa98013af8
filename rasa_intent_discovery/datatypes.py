"""What flows between the stages. Plain data: no file, no weight, no Rasa.

Letters: `n` distinct messages (rows of a corpus), `d` width of a feature, `k` clusters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")

#: An array; its shape and type of number are told where it is used.
Array = NDArray[Any]


class Progress(Protocol):
    """Wraps a loop to show how far it is."""

    def __call__(self, items: Iterable[T], stage: str, total: int, /) -> Iterable[T]:
        """The same items."""
        ...


NEW, KNOWN, LEFT_OVER = "new", "known", "left_over"
UNLABELED = -1


def no_progress(items: Iterable[T], stage: str, total: int) -> Iterable[T]:
    """The progress of who does not want any."""
    return items


@dataclass(frozen=True)
class KnownExample:
    """A training example of the bot: plain text without entity annotations, and its full intent name."""

    text: str
    intent: str


@dataclass(frozen=True, slots=True)
class LoggedMessage:
    """One message as a user of the bot wrote it.

    `source` is where it was read (`logs/may.csv, line 17`); `time` is when it was written, in seconds since
    1970, None where nobody knows.
    """

    text: str
    source: str
    time: float | None = None


@dataclass(frozen=True)
class SetAside:
    """A logged message that is not clustered: its (masked) text, how often it was logged, and why."""

    text: str
    count: int
    reason: str


@dataclass(frozen=True, eq=False)
class Trend:
    """How often the rows of a corpus were logged in periods of equal length, oldest first.

    Attributes:
        first_day: of the first period, `2026-03-01`; the last one ends with the last day of the log.
        days: how long a period is.
        counts: (n, periods) int64, messages whose time is known; not those before the first period.
    """

    first_day: str
    days: int
    counts: Array

    def of(self, rows: Sequence[int]) -> list[int]:
        """The messages of some rows in each period."""
        return [int(count) for count in self.counts[list(rows)].sum(0)]

    @property
    def of_log(self) -> list[int]:
        """The messages of all rows in each period."""
        return [int(count) for count in self.counts.sum(0)]


@dataclass(frozen=True, eq=False)
class Corpus:
    """The distinct texts of a run: the known examples, then the logged messages that are not among them.

    Two texts that differ only in case or white space are one row; `spellings` keeps how each was written.

    Attributes:
        texts: n texts as the encoder reads them: white space collapsed, personal data masked; of several
            spellings the most frequent.
        labels: (n,) int64, index into `intents`, or `UNLABELED` for a logged message.
        counts: (n,) int64, how often the log holds it; 0 for a known example the log does not hold.
        spellings: for each row the logged texts (stripped and masked, otherwise as written), most frequent
            first, each with its count; empty where counts is 0.
        intents: the known intents, sorted.
        set_aside: the logged messages that are not clustered, most frequent first.
        masked: kind of personal data (`email`, `phone`, `card`, `iban`) -> how many were masked.
        times: row -> when it was logged first and last, in seconds since 1970, where that is known.
        trend: how often each row was logged, period by period; None where the log does not tell.
    """

    texts: tuple[str, ...]
    labels: Array
    counts: Array
    spellings: tuple[tuple[tuple[str, int], ...], ...]
    intents: tuple[str, ...]
    set_aside: tuple[SetAside, ...] = ()
    masked: Mapping[str, int] = field(default_factory=dict)
    times: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    trend: Trend | None = None

    @property
    def labeled(self) -> Array:
        """(n,) bool: rows that are known examples."""
        found: Array = self.labels != UNLABELED
        return found

    def logged_between(self, rows: Iterable[int]) -> tuple[float, float] | None:
        """When the rows were logged first and last, in seconds since 1970; None where nobody knows."""
        known = [self.times[row] for row in rows if row in self.times]
        return (min(first for first, _ in known), max(last for _, last in known)) if known else None

    @property
    def logged_messages(self) -> int:
        """How many messages were read from the logs, the ones set aside among them."""
        return int(self.counts.sum()) + sum(item.count for item in self.set_aside)


@dataclass(frozen=True)
class KEstimate:
    """How many intents there are, known and new together.

    Attributes:
        k: the estimate; low, high: the range it may be in, both included.
        k_start: clusters looked at to find it (the paper's K').
    """

    k: int
    low: int
    high: int
    k_start: int


@dataclass(frozen=True, eq=False)
class Points:
    """Some rows of a corpus in a space of features.

    Attributes:
        rows: (m,) int64, ascending, rows of the corpus.
        features: (m, d) float32.
        labels: (m,) int64, known intents 0..j - 1, or `UNLABELED`.
    """

    rows: Array
    features: Array
    labels: Array

    @property
    def known(self) -> int:
        """j, how many intents are known."""
        return int(self.labels.max()) + 1

    def of(self, indices: Array) -> Points:
        """Only these of the m."""
        return Points(self.rows[indices], self.features[indices], self.labels[indices])

    def normalized(self) -> Points:
        """The same with features of length 1."""
        lengths = np.maximum(np.linalg.norm(self.features, axis=1, keepdims=True), 1e-12)
        return Points(self.rows, (self.features / lengths).astype(np.float32), self.labels)


@dataclass(frozen=True, eq=False)
class Clustering:
    """Attributes:
    assignments: (n,) int64, the cluster of each row.
    centroids: (k, d) float32, in the space the features are clustered in.
    """

    assignments: Array
    centroids: Array

    @property
    def k(self) -> int:
        """How many there are."""
        return len(self.centroids)


@dataclass(frozen=True)
class Placement:
    """Where a row of the corpus ended: `new`, `known` or `left_over`.

    `intent` is None when left over; `confidence` is in 0..1; `reason` is a sentence for the reviewer.
    """

    placement: str
    intent: str | None
    confidence: float
    reason: str


@dataclass(frozen=True)
class DiscoveredIntent:
    """A proposed new intent.

    Attributes:
        name: valid for Rasa and unlike every known intent.
        members: rows of the corpus placed in it, most typical first.
        examples: the members worth reading: near-duplicates thinned out, same order.
        messages: logged messages of its members; distinct: number of members.
        cohesion: mean cosine of its members to its centre, -1..1.
        stability: 0..1, how much of it is found again when part of the messages is left out.
        nearest_known: the closest known intent; similarity: cosine of the two centres, -1..1.
        nearest_new: the closest other proposal, None where there is none; new_similarity: as above.
        keywords: the words that set it apart, best first.
        f1_change: what accepting it alone does to the macro F1 of the known intents (0..1) on held-out
            examples, -1..1, negative where it gets worse; None where that was not measured.
        takes_from: known intents, and how many of their held-out examples are recognised without it and
            taken for it with it; most first.
    """

    name: str
    members: tuple[int, ...]
    examples: tuple[int, ...]
    messages: int
    distinct: int
    cohesion: float
    stability: float
    nearest_known: str
    similarity: float
    keywords: tuple[str, ...]
    nearest_new: str | None = None
    new_similarity: float = 0.0
    f1_change: float | None = None
    takes_from: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Impact:
    """What accepting all proposals together would do to the bot.

    Attributes:
        f1_before, f1_after: 0..1, macro F1 of the known intents on held-out examples, without and with the
            proposals; None where no example could be held out.
        covered_before, covered_after: 0..1, share of the logged messages, those set aside among them, that
            belong to known intents (as training examples already, too), and to known or new ones.
    """

    f1_before: float | None
    f1_after: float | None
    covered_before: float
    covered_after: float

    @property
    def f1_change(self) -> float | None:
        """-1..1, negative where the known intents are recognised worse with the proposals."""
        return None if self.f1_before is None or self.f1_after is None else self.f1_after - self.f1_before
