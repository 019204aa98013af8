"""Bots made of data sets: some intents are hidden, and have to be found again in a log of messages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.datasets import read_rows
from rasa_intent_discovery.config import EMBEDDED_ENCODER, DiscoveryConfig
from rasa_intent_discovery.corpus.build import build_corpus
from rasa_intent_discovery.corpus.events import Selection
from rasa_intent_discovery.corpus.messages import read_messages
from rasa_intent_discovery.corpus.personal_data import mask_personal_data
from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW, Corpus, KnownExample, LoggedMessage
from rasa_intent_discovery.training_data.intent_names import is_never_known
from rasa_intent_discovery.training_data.nlu_yaml import Draft, domain_yaml, to_yaml
from rasa_intent_discovery.training_data.text_identity import text_key

#: The share of each other intent's examples that is logged where the data set has no log.
LOGGED_SHARE = 0.3


@dataclass(frozen=True)
class Recipe:
    """How a bot is made of a data set.

    Attributes:
        hide: share of the intents that are hidden; never one of messages that are out of scope.
        examples: of each known intent, that many stay with the bot; None leaves it `1 - LOGGED_SHARE` of
            them, or all where the data set has a log.
        long_tail: as in `datasets.Sampling`, of the logged messages.
        noise: a file whose lines are logged, too, and belong to no intent.
    """

    hide: float = 0.3
    examples: int | None = None
    long_tail: float | None = None
    noise: str | None = None


@dataclass(frozen=True)
class SuiteBot:
    """A bot that the headline figures are measured on.

    Attributes:
        name: of the bot; data: the folder below the data folder; recipe: how it is made.
        multilingual: whether it needs the second encoder.
        language: of its config.yml.
    """

    name: str
    data: str
    recipe: Recipe = Recipe()
    multilingual: bool = False
    language: str = "en"

    def encoder(self, second: str | None) -> str:
        """The encoder it is measured with; `second` is the multilingual one.

        Raises:
            SystemExit: it needs the second one, and there is none.
        """
        if self.multilingual and second is None:
            raise SystemExit(f"{self.name} is not English: give a multilingual encoder with --second-encoder")
        return second if self.multilingual and second else EMBEDDED_ENCODER


#: The example bot is measured as it is: its log and its gold are there.
EXAMPLE_BOT = "example_bot"
SUITE = (
    SuiteBot("hwu64", "hwu64"),
    SuiteBot("curekart", "hint3_curekart"),
    SuiteBot("powerplay11", "hint3_powerplay11"),
    SuiteBot("robo_de", "robo_de", multilingual=True, language="de"),
    SuiteBot("banking", "banking", Recipe(examples=20)),
    SuiteBot("clinc", "clinc", Recipe(examples=15, long_tail=20.0, noise="out_of_scope.txt")),
    SuiteBot(EXAMPLE_BOT, EXAMPLE_BOT),
)


@dataclass(frozen=True)
class Truth:
    """What a logged message is: `new`, `known` or `left_over`; and its intent, None where left over."""

    placement: str
    intent: str | None


#: Every message with what it is, None where nobody said.
BotLog = tuple[tuple[str, Truth | None], ...]


@dataclass(frozen=True)
class Bot:
    """A bot with a log of which it is known what every message is.

    Attributes:
        examples: of the known intents.
        log: its messages.
    """

    examples: tuple[KnownExample, ...]
    log: BotLog

    def corpus(self, config: DiscoveryConfig) -> Corpus:
        """What a run works on."""
        return build_corpus(self.examples, [LoggedMessage(text) for text, _ in self.log], config)

    def without(self, share: float, seed: int) -> tuple[Bot, dict[str, Truth]]:
        """The bot with part of its log kept back, and what that part is.

        Args:
            share: 0..1, of the distinct messages.

        Returns:
            the bot, and each message that was kept back of which it is known what it is, once.
        """
        first: dict[str, str] = {}
        for text, _ in self.log:
            first.setdefault(gold_key(text), text)
        keys = sorted(first)
        rng = np.random.default_rng(seed)
        back = {keys[row] for row in rng.choice(len(keys), round(share * len(keys)), replace=False)}
        truths = self.truths()
        stays = tuple((text, truth) for text, truth in self.log if gold_key(text) not in back)
        heard = {first[key]: truths[key] for key in sorted(back) if key in truths}
        return Bot(self.examples, stays), heard

    def truths(self) -> dict[str, Truth]:
        """By `gold_key`; a text that was logged as several things is what it was first."""
        found: dict[str, Truth] = {}
        for text, truth in self.log:
            if truth is not None:
                found.setdefault(gold_key(text), truth)
        return found


def gold_key(text: str) -> str:
    """What identifies a logged text in the truth, masked or not."""
    return text_key(mask_personal_data(text)[0])


def make_bot(folder: Path, recipe: Recipe, seed: int) -> Bot:
    """A bot of the data set in a folder: `train.tsv`, and `log.tsv` where people's messages are there.

    A label that is empty in the log is out of scope; one that no example has is of a hidden intent.
    """
    rng = np.random.default_rng(seed)
    rows = _distinct(read_rows(folder / "train.tsv"))
    names = sorted({label for _, label in rows})
    suited = [name for name in names if not is_never_known(name)]
    hidden = set(
        rng.choice(suited, min(len(suited), round(recipe.hide * len(names))), replace=False).tolist()
    )
    has_log = (folder / "log.tsv").exists()
    examples: list[KnownExample] = []
    log: list[tuple[str, str]] = []
    for name in names:
        texts = [str(text) for text in rng.permutation([text for text, label in rows if label == name])]
        stay = 0 if name in hidden else _staying(len(texts), recipe, has_log)
        examples += [KnownExample(text, name) for text in texts[:stay]]
        log += [(text, name) for text in texts[stay:]]
    if recipe.long_tail is not None:
        log = _thinned(log, recipe.long_tail, rng)
    if has_log:
        log += read_rows(folder / "log.tsv")
    if recipe.noise is not None:
        log += [(line, "") for line in _lines(folder / recipe.noise)]
    taught = {example.intent for example in examples}
    order = rng.permutation(len(log))
    return Bot(tuple(examples), tuple((log[row][0], _truth(log[row][1], taught)) for row in order))


def read_example_bot(folder: Path) -> Bot:
    """The bot in a folder with its logs and `gold.tsv`, as the command reads it."""
    from rasa_intent_discovery.rasa_plugin.project import read_bot

    known = read_bot(str(folder / "config.yml"), str(folder / "domain.yml"), [str(folder / "data")])
    gold = read_gold(folder / "gold.tsv")
    messages = read_messages(
        [str(folder / "logs")], DiscoveryConfig.text_column, Selection.of(DiscoveryConfig())
    )
    return Bot(known.examples, tuple((one.text, gold.get(gold_key(one.text))) for one in messages.messages))


def read_gold(path: Path) -> dict[str, Truth]:
    """What every logged text is, by `gold_key`."""
    return {
        gold_key(text): Truth(placement, intent or None)
        for text, placement, intent in (line.split("\t") for line in _lines(path)[1:])
    }


def read_assignments(drafts: Path) -> list[dict[str, Any]]:
    """Where a run put each logged message: the lines of `assignments.jsonl`."""
    lines = (drafts / "assignments.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def write_bot(bot: Bot, out: Path) -> None:
    """Writes config.yml, domain.yml, data/, logs/messages.txt and gold.tsv; `out` must not exist."""
    (out / "data").mkdir(parents=True)
    intents = sorted({example.intent for example in bot.examples})
    for number, intent in enumerate(intents):
        draft = Draft(intent, tuple(one.text for one in bot.examples if one.intent == intent))
        (out / "data" / f"intent_{number}.yml").write_text(to_yaml(draft), encoding="utf-8")
    (out / "domain.yml").write_text(domain_yaml(intents), encoding="utf-8")
    (out / "config.yml").write_text(
        "recipe: default.v1\nlanguage: en\npipeline:\n"
        "  - name: WhitespaceTokenizer\n"
        "  - name: rasa_intent_discovery.IntentDiscovery\n"
        "    messages: [logs]\n",
        encoding="utf-8",
    )
    (out / "logs").mkdir()
    (out / "logs" / "messages.txt").write_text("".join(f"{text}\n" for text, _ in bot.log), encoding="utf-8")
    truths = [(text, truth) for text, truth in bot.log if truth is not None]
    gold = "".join(f"{text}\t{truth.placement}\t{truth.intent or ''}\n" for text, truth in truths)
    (out / "gold.tsv").write_text(f"text\tplacement\tintent\n{gold}", encoding="utf-8")


def _distinct(rows: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for text, label in rows:
        if text:
            found.setdefault(text_key(text), (text, label))
    return list(found.values())


def _staying(rows: int, recipe: Recipe, has_log: bool) -> int:
    """How many of a known intent's messages stay with the bot, one at least."""
    if recipe.examples is not None:
        return min(recipe.examples, rows)
    return rows if has_log else max(1, rows - int(LOGGED_SHARE * rows))


def _thinned(log: Sequence[tuple[str, str]], ratio: float, rng: np.random.Generator) -> list[tuple[str, str]]:
    """As many messages of each intent as its place in a random order leaves it: sizes fall geometrically."""
    labels = np.array([label for _, label in log])
    names, sizes = np.unique(labels, return_counts=True)
    kept: list[int] = []
    for place, name in enumerate(rng.permutation(names)):
        rows = np.flatnonzero(labels == name)
        size = round(float(sizes.max()) * ratio ** (-place / max(1, len(names) - 1)))
        kept += rng.choice(rows, min(size, len(rows)), replace=False).tolist()
    return [log[row] for row in sorted(kept)]


def _truth(label: str, taught: set[str]) -> Truth:
    if not label or is_never_known(label):
        return Truth(LEFT_OVER, None)
    return Truth(KNOWN if label in taught else NEW, label)


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
