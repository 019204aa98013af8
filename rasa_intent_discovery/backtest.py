"""What to expect of a discovery on this bot: some of its intents are hidden, and it has to find them again.

In every round a part of the known intents is taken from the bot, and their examples go into the log, together
with a part of the examples of the intents that stay. What then is proposed can be judged, for it is known
what these messages are.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import mean

import numpy as np

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.build import build_corpus
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.datatypes import KNOWN, Corpus, KnownExample, LoggedMessage, Progress, no_progress
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.result import Discovery
from rasa_intent_discovery.training_data.intent_names import is_never_known
from rasa_intent_discovery.training_data.text_identity import text_key

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class BacktestNumbers:
    """The numbers that decide what a backtest tells. All by hand, not tuned.

    Attributes:
        hidden_share: of the intents, hidden in each round: as with 75 % known in the benchmarks.
        logged_share: of the examples of the other intents, logged instead: to see where they are placed.
        fewest_intents: with examples enough to be hidden; with fewer, a round would hide one or two.
        least_judged: a proposal of which fewer messages are examples is one of the log's own: not judged.
        most_messages: of the log. More make it slower and no truer.
        alike: presets whose scores (0..1) differ by less are alike: a few rounds tell no finer.
        few_judged: of fewer judged proposals the report says that they tell little.
    """

    hidden_share: float = 0.25
    logged_share: float = 0.33
    fewest_intents: int = 6
    least_judged: float = 0.2
    most_messages: int = 2000
    alike: float = 0.03
    few_judged: int = 10


BACKTEST = BacktestNumbers()


@dataclass(frozen=True)
class Round:
    """One round of one preset.

    Attributes:
        hidden: the intents that were hidden.
        found: of these the ones that were proposed -> the proposals that hold them.
        invented: proposals of which most messages belong to intents that were not hidden, or to several.
        unjudged: proposals that consist of the bot's own logged messages.
        known_right: of the examples of other intents in the log, the share that was placed with their intent.
        seconds: how long the discovery took.
        swallowed_by: the known intents that hidden examples were placed with -> how many, the most first.
        swallowed: that as a share of the hidden examples, 0..1.
    """

    hidden: tuple[str, ...]
    found: Mapping[str, tuple[str, ...]]
    invented: tuple[str, ...]
    unjudged: int
    known_right: float
    seconds: float
    swallowed_by: Mapping[str, int] = field(default_factory=dict)
    swallowed: float = 0.0

    @property
    def judged(self) -> int:
        """How many proposals could be judged."""
        return sum(len(names) for names in self.found.values()) + len(self.invented)

    @property
    def recall(self) -> float:
        """Share of the hidden intents that was found, 0..1."""
        return len(self.found) / len(self.hidden)

    @property
    def precision(self) -> float:
        """Share of the proposals that could be judged and are right, 0..1; 1 where there was none."""
        return 1.0 - len(self.invented) / self.judged if self.judged else 1.0

    @property
    def k_error(self) -> float:
        """How far the number of judged proposals is from the number of hidden intents, as a share of it."""
        return abs(self.judged - len(self.hidden)) / len(self.hidden)


@dataclass(frozen=True)
class Backtest:
    """The rounds of each preset, and how many intents could be hidden."""

    rounds: Mapping[str, tuple[Round, ...]]
    intents: int

    def score(self, preset: str) -> float:
        """Mean over the rounds of the harmonic mean of precision and recall."""
        pairs = [(one.precision, one.recall) for one in self.rounds[preset]]
        return mean(2 * p * r / (p + r) if p + r else 0.0 for p, r in pairs)

    @property
    def best(self) -> str:
        """The preset to use: the one that found most and invented least; the quicker of two alike ones."""
        ranked = sorted(self.rounds, key=lambda preset: -self.score(preset))
        alike = [preset for preset in ranked if self.score(preset) >= self.score(ranked[0]) - BACKTEST.alike]
        return min(alike, key=lambda preset: mean(one.seconds for one in self.rounds[preset]))


def majority(truths: Sequence[str | None]) -> str | None:
    """The intent that more than half of some messages have; None if there is none, or they have none."""
    if not truths:
        return None
    intent, count = max(Counter(truths).items(), key=lambda item: (item[1], item[0] or ""))
    return intent if count > len(truths) / 2 else None


def backtest(
    known: Sequence[KnownExample],
    logged: Sequence[LoggedMessage],
    configs: Sequence[DiscoveryConfig],
    rounds: int = 3,
    progress: Progress = no_progress,
) -> Backtest:
    """Hides intents, discovers, and compares.

    Args:
        known: the examples of the bot.
        logged: messages of its log, may be none; a sample of them is mixed in, and they are not judged.
        configs: one for each preset to be compared; the number of new intents is always estimated.

    Raises:
        DataError: the bot is too small to hide anything.
    """
    from rasa_intent_discovery.discover import discover

    examples = _distinct(known, configs[0])
    suited = _suited(examples, configs[0].min_messages)
    rng = np.random.default_rng(configs[0].seed)
    sample = [logged[row] for row in sorted(rng.permutation(len(logged))[: BACKTEST.most_messages])]
    done: dict[str, list[Round]] = {config.preset: [] for config in configs}
    plans = _plans(suited, rounds, rng)
    runs = [(plan, config) for plan in plans for config in configs]
    for plan, config in progress(runs, "backtest", len(runs)):
        config = replace(config, num_intents=None)
        corpus, truth = _round_corpus(examples, plan, sample, config)
        result = discover(corpus, config)
        judged = _judged(result, plan, truth)
        done[config.preset].append(judged)
        logger.info("preset %s: %d of %d hidden intents found", config.preset, len(judged.found), len(plan))
    return Backtest({preset: tuple(of) for preset, of in done.items()}, len(suited))


def _distinct(known: Sequence[KnownExample], config: DiscoveryConfig) -> dict[str, list[str]]:
    corpus = build_corpus(known, (), config)
    examples: dict[str, list[str]] = {}
    for text, label in zip(corpus.texts, corpus.labels, strict=True):
        examples.setdefault(corpus.intents[label], []).append(text)
    return examples


def _suited(examples: Mapping[str, Sequence[str]], fewest: int) -> list[str]:
    """The intents that can be hidden: those with so many examples.

    Raises:
        DataError: they are too few.
    """
    suited = sorted(
        intent for intent, texts in examples.items() if not is_never_known(intent) and len(texts) >= fewest
    )
    if len(suited) < BACKTEST.fewest_intents:
        raise DataError(
            f"intents with at least {fewest} different examples: {len(suited)}, "
            f"but a backtest needs {BACKTEST.fewest_intents} to hide some of them; write more examples, "
            "or lower --min-messages"
        )
    return suited


def _plans(suited: Sequence[str], rounds: int, rng: np.random.Generator) -> list[tuple[str, ...]]:
    """The intents each round hides: all of them in turn, before any is hidden again."""
    size = max(2, round(BACKTEST.hidden_share * len(suited)))
    order: list[str] = []
    while len(order) < rounds * size:
        order += [str(intent) for intent in rng.permutation(suited) if str(intent) not in order[-size:]]
    return [tuple(sorted(order[start : start + size])) for start in range(0, rounds * size, size)]


def _round_corpus(
    examples: Mapping[str, Sequence[str]],
    hidden: Sequence[str],
    logged: Sequence[LoggedMessage],
    config: DiscoveryConfig,
) -> tuple[Corpus, dict[str, str]]:
    """The corpus of a round, and the true intent of the examples that are in its log, by `text_key`."""
    rng = np.random.default_rng(config.seed)
    stay: list[KnownExample] = []
    fed: list[LoggedMessage] = []
    truth: dict[str, str] = {}
    for intent, texts in examples.items():
        shuffled = [str(text) for text in rng.permutation(texts)]
        size = len(shuffled) if intent in hidden else int(BACKTEST.logged_share * len(shuffled))
        if is_never_known(intent):  # messages like these are left over, rightly
            size = 0
        truth.update({text_key(text): intent for text in shuffled[:size]})
        fed += [LoggedMessage(text, "backtest") for text in shuffled[:size]]
        stay += [KnownExample(text, intent) for text in shuffled[size:]]
    corpus = build_corpus(stay, [*fed, *logged], config)
    unlabeled = int((~corpus.labeled).sum())
    if unlabeled < CORPUS.fewest_messages:
        raise DataError(
            f"hiding {len(hidden)} intents leaves {unlabeled} messages to find them in, but at least "
            f"{CORPUS.fewest_messages} are needed; give logged messages with --messages, or write more "
            "examples"
        )
    return corpus, truth


def _judged(discovery: Discovery, hidden: Sequence[str], truth: Mapping[str, str]) -> Round:
    corpus = discovery.corpus
    keys = [text_key(text) for text in corpus.texts]
    found: dict[str, tuple[str, ...]] = {}
    invented, unjudged = [], 0
    for proposal in discovery.intents:
        judged = [truth[keys[row]] for row in proposal.members if keys[row] in truth]
        intent = majority(judged)
        # Logged messages of the same intent may stand beside the hidden examples; nobody labelled them.
        if intent in hidden and len(judged) >= BACKTEST.least_judged * proposal.distinct:
            found[str(intent)] = (*found.get(str(intent), ()), proposal.name)
        elif len(judged) >= proposal.distinct / 2:
            invented.append(proposal.name)
        else:
            unjudged += 1
    known_intent = [
        (truth[key], place.intent if place.placement == KNOWN else None)
        for key, place, labeled in zip(keys, discovery.placements, corpus.labeled, strict=True)
        if not labeled and key in truth
    ]
    placed = [(intent, placed_with) for intent, placed_with in known_intent if intent not in hidden]
    right = sum(intent == placed_with for intent, placed_with in placed)
    of_hidden = [placed_with for intent, placed_with in known_intent if intent in hidden]
    swallowed = Counter(placed_with for placed_with in of_hidden if placed_with is not None)
    return Round(
        tuple(hidden),
        found,
        tuple(invented),
        unjudged,
        right / len(placed) if placed else 1.0,
        sum(discovery.seconds.values()),
        dict(swallowed.most_common()),
        swallowed.total() / len(of_hidden) if of_hidden else 0.0,
    )
