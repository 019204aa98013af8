"""The data that the stages pass on: plain values and arrays only.

In shapes, `n` is the number of distinct texts (rows of a corpus), `d` the width of features, and `k` the
number of clusters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")

#: An array; its shape and dtype are documented where it is used.
Array = NDArray[Any]


class Progress(Protocol):
    """Wraps an iterable to show the progress of a loop. Stages follow one another; none is inside another."""

    def __call__(self, items: Iterable[T], stage: str, total: int, /) -> Iterable[T]:
        """Yields the same items."""
        ...


NEW, KNOWN, LEFT_OVER = "new", "known", "left_over"
UNLABELED = -1


def no_progress(items: Iterable[T], stage: str, total: int) -> Iterable[T]:
    """A `Progress` that shows nothing."""
    return items


@contextmanager
def one_step(progress: Progress, stage: str) -> Iterator[None]:
    """Shows the block as a stage of which nobody knows how far it is."""
    for _ in progress((None,), stage, 1):
        yield


@dataclass(frozen=True)
class KnownExample:
    """A training example of the bot: plain text without entity annotations, and its full intent name."""

    text: str
    intent: str


@dataclass(frozen=True, slots=True)
class LoggedMessage:
    """One message as a user of the bot wrote it.

    Attributes:
        text: unchanged.
        time: when it was written, in seconds since 1970; None if unknown.
    """

    text: str
    time: float | None = None


@dataclass(frozen=True)
class SetAside:
    """A logged message that is not clustered: its (masked) text, how often it was logged, and why."""

    text: str
    count: int
    reason: str


#: The beginning of the reason that is written for such a message.
SET_ASIDE = "set aside: "


@dataclass(frozen=True)
class Boilerplate:
    """What messages of a log begin or end with whatever they are about, so that it is not read.

    Attributes:
        starts, ends: each segment, with `…` for names and numbers -> how many messages it was found in, most
            frequent first.
    """

    starts: Mapping[str, int] = field(default_factory=dict)
    ends: Mapping[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.starts or self.ends)


NO_BOILERPLATE = Boilerplate()


@dataclass(frozen=True, eq=False)
class Trend:
    """How often the rows of a corpus were logged in periods of equal length, oldest first.

    Attributes:
        first_day: of the first period, `2026-03-01`; the last one ends with the last day of the log.
        days: length of a period in days.
        counts: (n, periods) int64, messages with a known time; those before the first period are left out.
    """

    first_day: str
    days: int
    counts: Array

    def of(self, rows: Sequence[int]) -> list[int]:
        """The number of messages of some rows in each period."""
        return [int(count) for count in self.counts[list(rows)].sum(0)]

    @property
    def of_log(self) -> list[int]:
        """The number of messages of all rows in each period."""
        return [int(count) for count in self.counts.sum(0)]


@dataclass(frozen=True, eq=False)
class Corpus:
    """The distinct texts of a run: the known examples, then the logged messages that equal none of them.

    Texts that differ only in case or white space are one row; `spellings` keeps how each was written.

    Attributes:
        texts: n texts as the encoder reads them: the most frequent spelling, with white space collapsed and
            personal data masked.
        labels: (n,) int64, index into `intents`, or `UNLABELED` for a logged message.
        counts: (n,) int64, how often each text was logged; 0 for a known example that was not logged.
        spellings: for each row, the logged texts (stripped and masked, otherwise as written), most frequent
            first, each with its count; empty where counts is 0.
        intents: the known intents, sorted.
        rejecting: those of them that stand for what the bot does not do: messages like theirs are left over.
        set_aside: the logged messages that are not clustered, most frequent first.
        masked: kind of personal data (`email`, `iban`, `card`, `phone`, `id`) -> how many were masked.
        shortened: how many logged messages are read without what they quote, their header or their signature.
        boilerplate: without what else they are read.
        times: row -> when it was first and last logged, in seconds since 1970; only rows with a known time.
        trend: how often each row was logged, period by period; None if too few times are known.
    """

    texts: tuple[str, ...]
    labels: Array
    counts: Array
    spellings: tuple[tuple[tuple[str, int], ...], ...]
    intents: tuple[str, ...]
    rejecting: frozenset[str] = frozenset()
    set_aside: tuple[SetAside, ...] = ()
    masked: Mapping[str, int] = field(default_factory=dict)
    shortened: int = 0
    boilerplate: Boilerplate = NO_BOILERPLATE
    times: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    trend: Trend | None = None

    @cached_property
    def labeled(self) -> Array:
        """(n,) bool, the rows that are known examples."""
        found: Array = self.labels != UNLABELED
        return found

    def logged_between(self, rows: Iterable[int]) -> tuple[float, float] | None:
        """When the rows were first and last logged, in seconds since 1970; None if unknown."""
        known = [found for found in map(self.times.get, rows) if found is not None]
        return (min(first for first, _ in known), max(last for _, last in known)) if known else None

    @property
    def logged_messages(self) -> int:
        """The number of messages read from the logs, including those set aside."""
        return int(self.counts.sum()) + sum(item.count for item in self.set_aside)


@dataclass(frozen=True)
class KEstimate:
    """An estimate of the number of intents, known and new together.

    Attributes:
        k: the estimate.
        low, high: the plausible range, both included.
        k_start: number of clusters that the estimate starts from (the paper's K').
    """

    k: int
    low: int
    high: int
    k_start: int


def normalized(features: Array) -> Array:
    """Rows scaled to length 1, those of zeros as they are; (n, d), of the type of the features."""
    found: Array = features / np.maximum(np.linalg.norm(features, axis=1, keepdims=True), 1e-12)
    return found


@dataclass(frozen=True, eq=False)
class Points:
    """Some rows of a corpus with their features.

    Attributes:
        rows: (m,) int64, rows of the corpus, ascending.
        features: (m, d) float32.
        labels: (m,) int64, known intents 0..j - 1, or `UNLABELED`.
    """

    rows: Array
    features: Array
    labels: Array

    @property
    def known(self) -> int:
        """j, the number of known intents."""
        return int(self.labels.max()) + 1

    def of(self, indices: Array) -> Points:
        """The points at these indices (into the m)."""
        return Points(self.rows[indices], self.features[indices], self.labels[indices])

    def normalized(self) -> Points:
        """The same points with features scaled to length 1."""
        return Points(self.rows, normalized(self.features).astype(np.float32), self.labels)


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
        """The number of clusters."""
        return len(self.centroids)


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a row of the corpus was placed.

    Attributes:
        placement: `NEW`, `KNOWN` or `LEFT_OVER`.
        intent: its name; None if left over.
        confidence: 0..1.
        reason: a sentence for the reviewer.
    """

    placement: str
    intent: str | None
    confidence: float
    reason: str


@dataclass(frozen=True)
class QuickTest:
    """What a quick test says of how the bot's own examples are understood with drafts, and without them.

    Attributes:
        asked: how many examples of known intents were held out and asked about.
        more_wrong: how many more of them are taken for another intent with the drafts; negative for fewer.
    """

    asked: int
    more_wrong: int


@dataclass(frozen=True)
class DiscoveredIntent:
    """A proposed new intent.

    Attributes:
        name: valid for Rasa and different from every known intent.
        members: rows of the corpus placed in it, most typical first.
        examples: the members that were learnt from, without near-duplicates, in the same order.
        messages: number of logged messages of its members.
        distinct: number of members.
        cohesion: mean cosine of its members to its centre, -1..1.
        stability: 0..1, how much of it is found again when part of the messages is left out.
        nearest_known: the closest known intent.
        similarity: cosine of its centre and that of `nearest_known`, -1..1.
        nearest_new: the closest other proposal; None if there is none.
        new_similarity: cosine of its centre and that of `nearest_new`, -1..1.
        keywords: its most distinctive words, best first.
        more_of_accepted: whether it may be more of `nearest_known`, a wish that a person has accepted before.
        f1_change: change of the macro F1 (0..1) of the known intents on held-out examples if it alone is
            accepted, -1..1, negative if worse; None if not measured.
        takes_from: known intents, and how many of their held-out examples are recognised correctly without
            it but assigned to it with it; most first.
        quick_test: the same test in numbers of examples; None if not measured.
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
    more_of_accepted: bool = False
    f1_change: float | None = None
    takes_from: tuple[tuple[str, int], ...] = ()
    quick_test: QuickTest | None = None


@dataclass(frozen=True)
class Impact:
    """The effect on the bot of accepting all proposals together.

    Attributes:
        f1_before, f1_after: 0..1, macro F1 of the known intents on held-out examples, without and with the
            proposals; None if no example could be held out.
        covered_before: 0..1, share of the logged messages, including those set aside, that belong to known
            intents; messages that equal training examples count, too.
        covered_after: the same for known and new intents together.
        quick_test: how the held-out examples are understood with all of them; None as for `f1_before`.
    """

    f1_before: float | None
    f1_after: float | None
    covered_before: float
    covered_after: float
    quick_test: QuickTest | None = None


class Came(NamedTuple):
    """Rows of the messages that came since the last run into what was there then.

    Attributes:
        logged: into a proposal, or a draft of a known intent that the person changed: logged since.
        moved: into a proposal: the last run had them, but elsewhere.
    """

    logged: frozenset[int] = frozenset()
    moved: frozenset[int] = frozenset()


NOTHING_CAME = Came()
