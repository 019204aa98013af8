"""What the rounds of a backtest tell: figures of a round, of all rounds of a preset, which preset to use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from statistics import mean, stdev


@dataclass(frozen=True)
class BacktestNumbers:
    """The numbers that decide what a backtest tells.

    "Chosen on the suite" is: by how close the forecast came to what then happened to other hidden intents, on
    seeds 10 and 11 of the bots of `benchmarks.forecast`.

    Attributes:
        hidden_share: of the intents, hidden in each round. With a quarter of them, the others taught less of
            what an intent is, and in the same log less was found than then happened. Chosen on the suite.
        fewest_hidden: intents in a round.
        enough_hidden: intents in all rounds together, where the number of rounds is not given; fewer tell
            little, and the report says so.
        fewest_rounds, most_rounds: where the number of rounds is not given. Bounded by time.
        logged_share: of the examples of the other intents, logged instead, to see where they are placed: few,
            since a bot with fewer examples is another bot. Chosen on the suite.
        fewest_intents: with examples enough to be hidden; with fewer, there is hardly a bot left.
        most_messages: of the log. An intent with many messages comes as more proposals, so that a small
            sample of the log would promise too little effort. Bounded by time.
        alike: presets whose scores (0..1) differ by less are alike, whatever the rounds say. By hand.
    """

    hidden_share: float = 0.12
    fewest_hidden: int = 2
    enough_hidden: int = 20
    fewest_rounds: int = 2
    most_rounds: int = 8
    logged_share: float = 0.1
    fewest_intents: int = 6
    most_messages: int = 10_000
    alike: float = 0.03


BACKTEST = BacktestNumbers()


@dataclass(frozen=True)
class Round:
    """One round of one preset.

    Attributes:
        hidden: the intents that were hidden.
        right: of these the ones that were found -> the proposals of which more than half are theirs.
        wrong: proposals that belong to intents that were not hidden, or to several.
        unjudged: proposals of which half or more is what nobody can tell: the log's own messages.
        to_read: proposals that fall to the hidden intents: all of them, right or wrong, divided between the
            hidden intents and what else is new by the messages that each has in proposals.
        known_kept: of the examples of other intents in the log, the share that was placed with their intent;
            None where there was none.
        seconds: how long the discovery took.
        swallowed_by: the known intents that hidden examples were placed with -> how many, the most first.
        swallowed: that as a share of the hidden examples, 0..1.
    """

    hidden: tuple[str, ...]
    right: Mapping[str, tuple[str, ...]]
    wrong: tuple[str, ...]
    unjudged: int
    to_read: float
    known_kept: float | None
    seconds: float
    swallowed_by: Mapping[str, int] = field(default_factory=dict)
    swallowed: float = 0.0

    @property
    def judged(self) -> int:
        """How many proposals could be judged."""
        return sum(len(names) for names in self.right.values()) + len(self.wrong)

    @property
    def proposals(self) -> int:
        """How many proposals there were, those that could not be judged included."""
        return self.judged + self.unjudged

    @property
    def found(self) -> float:
        """Share of the hidden intents that was found, 0..1."""
        return len(self.right) / len(self.hidden)

    @property
    def precision(self) -> float | None:
        """Share of the proposals that could be judged and are right, 0..1; None where there was none."""
        return 1.0 - len(self.wrong) / self.judged if self.judged else None

    @property
    def effort(self) -> float | None:
        """Proposals that fall to the hidden intents, per intent found; None where none was found."""
        return self.to_read / len(self.right) if self.right else None

    @property
    def score(self) -> float:
        """The harmonic mean of `precision` and `found`, 0..1."""
        precision = self.precision or 0.0
        return 2 * precision * self.found / (precision + self.found) if precision + self.found else 0.0


@dataclass(frozen=True)
class Figure:
    """A figure of several rounds: of all together, and the lowest and the highest (or inf) of one."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Forecast:
    """What to expect by the rounds of one preset; None where none of them could tell.

    Attributes:
        found: share of the hidden intents that were found; precision: share of the proposals that are right.
        effort: proposals that fall to the hidden intents, per intent found.
        swallowed, known_kept: as in `Round`; seconds: of a discovery.
    """

    found: Figure
    precision: Figure | None
    effort: Figure | None
    swallowed: Figure | None
    known_kept: Figure | None
    seconds: float

    @classmethod
    def of(cls, rounds: Sequence[Round]) -> Forecast:
        """Proposals and intents of all rounds are counted together."""
        judged, right = sum(one.judged for one in rounds), sum(len(one.right) for one in rounds)
        wrong, hidden = sum(len(one.wrong) for one in rounds), sum(len(one.hidden) for one in rounds)
        return cls(
            found=Figure(right / hidden, *_ends([one.found for one in rounds])),
            precision=Figure(1.0 - wrong / judged, *_ends([one.precision for one in rounds]))
            if judged
            else None,
            effort=_effort(rounds),
            swallowed=_mean([one.swallowed for one in rounds]),
            known_kept=_mean([one.known_kept for one in rounds]),
            seconds=mean(one.seconds for one in rounds),
        )


def _effort(rounds: Sequence[Round]) -> Figure | None:
    """Of all rounds; what one that found nothing took has no end. None where no round found any."""
    right = sum(len(one.right) for one in rounds)
    if not right:
        return None
    efforts = [inf if one.effort is None else one.effort for one in rounds]
    return Figure(sum(one.to_read for one in rounds) / right, *_ends(efforts))


def _ends(of_rounds: Sequence[float | None]) -> tuple[float, float]:
    told = [one for one in of_rounds if one is not None]
    return min(told), max(told)


def _mean(of_rounds: Sequence[float | None]) -> Figure | None:
    told = [one for one in of_rounds if one is not None]
    return Figure(mean(told), min(told), max(told)) if told else None


@dataclass(frozen=True)
class Backtest:
    """The rounds of each preset, the same for all, and how many intents could be hidden."""

    rounds: Mapping[str, tuple[Round, ...]]
    intents: int

    def score(self, preset: str) -> float:
        """Mean over the rounds of the harmonic mean of precision and the share that was found."""
        return mean(one.score for one in self.rounds[preset])

    def seconds(self, preset: str) -> float:
        """Mean over the rounds."""
        return mean(one.seconds for one in self.rounds[preset])

    @property
    def ranked(self) -> list[str]:
        """The presets, the one that found most and invented least first; of equal ones the quicker."""
        return sorted(self.rounds, key=lambda preset: (-self.score(preset), self.seconds(preset)))

    @property
    def best(self) -> str:
        """The preset to use: the quickest of those that are as good as the first."""
        first = self.ranked[0]
        return min((preset for preset in self.ranked if self.alike(first, preset)), key=self.seconds)

    def alike(self, better: str, other: str) -> bool:
        """Whether the rounds cannot tell two presets apart: the difference varies more than it is large."""
        pairs = zip(self.rounds[better], self.rounds[other], strict=True)
        ahead = [one.score - two.score for one, two in pairs]
        spread = stdev(ahead) if len(ahead) > 1 else 0.0
        return mean(ahead) <= max(BACKTEST.alike, spread)
