"""What to expect of a discovery on this bot: some of its intents are hidden, and it has to find them again.

In every round a few of the known intents are taken from the bot, and their examples go into the log, together
with a few examples of the intents that stay. It is known what these messages are, so they tell what became of
the log's own, which nobody labelled: where the log holds three messages of an intent for each example, every
example in a proposal stands for four of its messages.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import ceil
from statistics import mean

import numpy as np

from rasa_intent_discovery.backtest_figures import BACKTEST, Backtest, Round
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.boilerplate import without_boilerplate
from rasa_intent_discovery.corpus.build import build_corpus
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.datatypes import KNOWN, Corpus, KnownExample, LoggedMessage, Progress, no_progress
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.result import Discovery
from rasa_intent_discovery.training_data.intent_names import is_never_known
from rasa_intent_discovery.training_data.text_identity import text_key

logger = logging.getLogger(__name__)


#: Runs a discovery, as `discover_in` does.
Discover = Callable[[Corpus, DiscoveryConfig], Discovery]


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
    rounds: int | None = None,
    progress: Progress = no_progress,
    run: Discover | None = None,
) -> Backtest:
    """Hides intents, discovers, and compares.

    Args:
        known: the examples of the bot.
        logged: messages of its log, may be none; a sample of them is mixed in.
        configs: one for each preset to be compared; the number of new intents is always estimated.
        rounds: how often intents are hidden; None derives it from how many are hidden each time.
        run: runs a discovery; None runs `discover_in`.

    Raises:
        DataError: the bot is too small to hide anything.
    """
    if run is None:
        from rasa_intent_discovery.stages import discover_in

        run = discover_in

    examples = _distinct(known, configs[0])
    suited = _suited(examples, configs[0])
    rng = np.random.default_rng(configs[0].seed)
    sample = [logged[row] for row in sorted(rng.permutation(len(logged))[: BACKTEST.most_messages])]
    done: dict[str, list[Round]] = {config.preset: [] for config in configs}
    plans = _plans(suited, rounds, rng)
    runs = [(plan, config) for plan in plans for config in configs]
    for plan, config in progress(runs, "backtest", len(runs)):
        config = replace(config, num_intents=None)
        corpus, truth = _round_corpus(examples, plan, sample, config)
        judged = _judged(run(corpus, config), plan, truth)
        done[config.preset].append(judged)
        logger.info("preset %s: %d of %d hidden intents found", config.preset, len(judged.right), len(plan))
    return Backtest({preset: tuple(of) for preset, of in done.items()}, len(suited))


def _distinct(known: Sequence[KnownExample], config: DiscoveryConfig) -> dict[str, list[str]]:
    corpus = build_corpus(known, (), config)
    examples: dict[str, list[str]] = {}
    for text, label in zip(corpus.texts, corpus.labels, strict=True):
        examples.setdefault(corpus.intents[label], []).append(text)
    return examples


def _suited(examples: Mapping[str, Sequence[str]], config: DiscoveryConfig) -> list[str]:
    """The intents that can be hidden: those with as many examples as a proposal needs messages.

    Raises:
        DataError: they are too few.
    """
    fewest, rejecting = config.min_messages, config.out_of_scope_intents
    suited = sorted(
        intent
        for intent, texts in examples.items()
        if not is_never_known(intent, rejecting) and len(texts) >= fewest
    )
    if len(suited) < BACKTEST.fewest_intents:
        raise DataError(
            f"intents with at least {fewest} different examples: {len(suited)}, "
            f"but a backtest needs {BACKTEST.fewest_intents} to hide some of them; write more examples, "
            "or lower --min-messages"
        )
    return suited


def _plans(suited: Sequence[str], rounds: int | None, rng: np.random.Generator) -> list[tuple[str, ...]]:
    """The intents each round hides: all of them in turn, before any is hidden again."""
    size = max(BACKTEST.fewest_hidden, round(BACKTEST.hidden_share * len(suited)))
    if rounds is None:
        rounds = ceil(BACKTEST.enough_hidden / size)
        rounds = min(max(rounds, BACKTEST.fewest_rounds), BACKTEST.most_rounds)
    order: list[str] = []
    while len(order) < rounds * size:
        shuffled, last = [str(intent) for intent in rng.permutation(suited)], order[-size:]
        order += sorted(shuffled, key=lambda intent: intent in last)  # those hidden just now come last
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
        size = len(shuffled)
        if intent not in hidden:  # rounded at random: of intents with few examples none would be logged
            size = min(int(BACKTEST.logged_share * size + rng.random()), size - 1)
        if is_never_known(intent, config.out_of_scope_intents):  # messages like these are left over, rightly
            size = 0
        truth.update({text: intent for text in shuffled[:size]})
        fed += [LoggedMessage(text) for text in shuffled[:size]]
        stay += [KnownExample(text, intent) for text in shuffled[size:]]
    corpus = build_corpus(stay, [*fed, *logged], config)
    unlabeled = int((~corpus.labeled).sum())
    if unlabeled < CORPUS.fewest_messages:
        raise DataError(
            f"hiding {len(hidden)} intents leaves {unlabeled} messages to find them in, but at least "
            f"{CORPUS.fewest_messages} are needed; give logged messages with --messages, or write more "
            "examples"
        )
    read = partial(without_boilerplate, boilerplate=corpus.boilerplate)
    return corpus, {text_key(read(text)): intent for text, intent in truth.items()}


def _judged(discovery: Discovery, hidden: Sequence[str], truth: Mapping[str, str]) -> Round:
    keys = [text_key(text) for text in discovery.corpus.texts]
    placed = [
        (truth.get(key), place.intent if place.placement == KNOWN else None)
        for key, place, labeled in zip(keys, discovery.placements, discovery.corpus.labeled, strict=True)
        if not labeled
    ]
    of_hidden, others = _stand_for(placed, int(discovery.corpus.labeled.sum()), hidden)
    right: dict[str, tuple[str, ...]] = {}
    wrong, unjudged, new, not_new = [], 0, 0.0, 0.0
    for proposal in discovery.intents:
        intents = Counter(truth[keys[row]] for row in proposal.members if keys[row] in truth)
        messages = {
            name: count * (of_hidden if name in hidden else others) for name, count in intents.items()
        }
        intent, half = majority(list(intents.elements())), proposal.distinct / 2
        if intent is not None and intent in hidden and messages[intent] > half:
            right[intent] = (*right.get(intent, ()), proposal.name)
        elif sum(messages.values()) > half:
            wrong.append(proposal.name)
        else:
            unjudged += 1
        new += sum(count for name, count in messages.items() if name in hidden)
        not_new += sum(count for name, count in messages.items() if name not in hidden)
    proposed = sum(proposal.distinct for proposal in discovery.intents)
    kept = [intent == known for intent, known in placed if intent is not None and intent not in hidden]
    taken = [known for intent, known in placed if intent in hidden]
    swallowed = Counter(known for known in taken if known is not None)
    return Round(
        hidden=tuple(hidden),
        right=right,
        wrong=tuple(wrong),
        unjudged=unjudged,
        to_read=len(discovery.intents) * new / max(proposed - not_new, new) if new else 0.0,
        known_kept=mean(kept) if kept else None,
        seconds=sum(discovery.seconds.values()),
        swallowed_by=dict(swallowed.most_common()),
        swallowed=swallowed.total() / len(taken) if taken else 0.0,
    )


def _stand_for(
    placed: Sequence[tuple[str | None, str | None]], taught: int, hidden: Sequence[str]
) -> tuple[float, float]:
    """How many distinct messages an example in the log stands for, itself included.

    That the log holds as many messages for each example of what is hidden as of the rest is assumed, and that
    the others are right where they were placed.

    Args:
        placed: of the rows of the log, their true intent, where they are examples, and the known intent they
            were placed with.
        taught: examples that are not in the log.

    Returns:
        For an example of a hidden intent, all of which are in the log, and for one of another.
    """
    own = sum(intent is None and known is not None for intent, known in placed)
    fed = sum(intent is not None and intent not in hidden for intent, _ in placed)
    return 1.0 + own / (taught + fed), 1.0 + own / max(fed, 1)
