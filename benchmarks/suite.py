"""Runs bots of the suite: each is made, a preset or a method works on its log, and what came is scored."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from benchmarks.answering import answers_after_runs
from benchmarks.bots import EXAMPLE_BOT, Bot, BotLog, SuiteBot, Truth, gold_key, make_bot, read_example_bot
from benchmarks.checkout import drafted_by
from benchmarks.methods import METHODS
from benchmarks.methods.log import Log, placements
from benchmarks.provenance import ROOT, commit
from benchmarks.scores import Heard, Judged, Placed, at_work_scores, placement_scores
from benchmarks.second_runs import applied_by_truth, second_run_scores, truths_after
from benchmarks.states import KeptEncoder, kept_corpus
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import KNOWN, NEW, Corpus, normalized
from rasa_intent_discovery.learned_corpus import RowsToRead
from rasa_intent_discovery.proposals.memory.earlier import NOTHING_EARLIER, Earlier
from rasa_intent_discovery.stages import interpret

if TYPE_CHECKING:
    from rasa_intent_discovery.learning.recognizer import Recognizer
    from rasa_intent_discovery.result import Discovery

logger = logging.getLogger("benchmarks")

#: The figures that stand first in what is published; their mean over bots and seeds is written with the runs.
HEADLINE = (
    *("found", "precision", "f1", "effort", "swallowed", "stranded", "draft_acc", "cluster_acc"),
    *("known_kept", "left_over_precision", "left_over_recall", "unlabelled"),
)
#: Those of messages that a bot hears after the run.
AT_WORK = ("precision", "recall")
#: Those of runs after `apply`.
SECOND_RUN = (
    *("proposals", "right", "known", "accepted", "unlabelled", "mixed"),
    *("known_stay", "accepted_right", "known_kept", "swallowed", "came_kept", "came_swallowed"),
)
#: What the mean over the bots should be at least, and at most.
AT_LEAST = {
    **{"found": 0.9, "precision": 0.9, "draft_acc": 0.7, "known_kept": 0.85},
    **{"left_over_precision": 0.8, "left_over_recall": 0.8},
}
AT_MOST = {"effort": 1.3, "swallowed": 0.1, "unlabelled": 0.3}
AT_WORK_AT_LEAST = {"precision": 0.9, "recall": 0.7}
#: The share of the distinct messages that is kept from a run to be heard after it.
HEARD_SHARE = 0.2


@dataclass(frozen=True)
class Job:
    """One run: a bot of the suite, a seed, and a preset or a method.

    Attributes:
        data: the folder of the data sets.
        encoder: a name or path; states: as `kept_learned` takes it.
        changed: settings beside those of the preset.
        python: that of the environment of `make bench-env`.
        at_work: whether part of the log is kept from the run, and heard after it.
        checkout: of another version, whose command does the run; the method is then its commit.
        answers: so many questions of the run, and of the runs after it, are answered before what is scored.
        second_runs: whether its drafts are reviewed and applied, and the log is run again.
        log_share: 0..1, of the distinct messages that are logged at all.
        later_share: 0..1, of the distinct messages that come after the first run only.
        undecided: whether all further examples are gone through before `apply`, not only those that are sure.
    """

    bot: SuiteBot
    seed: int
    method: str
    data: Path
    encoder: str
    states: Path | None
    changed: tuple[tuple[str, Any], ...] = ()
    python: Path = Path()
    at_work: bool = False
    checkout: Path | None = None
    answers: int = 0
    second_runs: bool = False
    log_share: float = 1.0
    later_share: float = 0.0
    undecided: bool = False

    @property
    def key(self) -> tuple[str, int, str]:
        """What tells it from the others of a file."""
        answered = f" + {self.answers} answers" if self.answers else ""
        of_log = f", {self.log_share:g} of the log" if self.log_share < 1 else ""
        later = f", {self.later_share:g} later" if self.later_share else ""
        through = " + all undecided" if self.undecided else ""
        return self.bot.name, self.seed, self.method + answered + through + of_log + later

    @property
    def config(self) -> DiscoveryConfig:
        """The settings; a method of comparison has those of `fast`, which reads the same vectors."""
        preset = "fast" if self.method in METHODS else "default" if self.checkout else self.method
        told = {"language": self.bot.language, **dict(self.changed)}
        return DiscoveryConfig.from_preset(preset, encoder=self.encoder, seed=self.seed, **told)


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of a run over the n rows of a corpus.

    Attributes:
        placements: n, the placement of each row and its intent.
        clusters: (n,) int64, below 0 for a row in none; None if there are none over all rows.
        told: what the run says of itself.
        discovery: of a run of a preset; its recogniser assigns later messages to the proposals.
    """

    placements: Sequence[tuple[str, str | None]]
    clusters: np.ndarray | None
    told: dict[str, Any]
    discovery: Discovery | None = None


def made(bot: SuiteBot, data: Path, seed: int) -> Bot:
    """A bot of the suite; the example bot is the same for every seed."""
    if bot.name == EXAMPLE_BOT:
        return read_example_bot(ROOT / EXAMPLE_BOT)
    return make_bot(data / bot.data, bot.recipe, seed)


def measured(job: Job) -> dict[str, Any]:
    """Makes the bot, discovers, and scores the placements."""
    bot, config, heard = made(job.bot, job.data, job.seed), job.config, dict[str, Truth]()
    if job.log_share < 1:
        bot, _ = bot.without(1.0 - job.log_share, job.seed)
    if job.at_work:
        bot, heard = bot.without(HEARD_SHARE, job.seed)
    log = bot.log
    if job.later_share:
        bot, _ = bot.without(job.later_share, job.seed)
    corpus = bot.corpus(config)
    if job.checkout is not None:
        outcome = _drafted(job, job.checkout, bot, corpus)
    else:
        outcome = _compared(job, corpus) if job.method in METHODS else _discovered(job, corpus, bot.truths())
    placed, rows = _placed(corpus, outcome.placements, bot.truths())
    clusters = None if outcome.clusters is None else outcome.clusters[rows]
    found = {
        **dict(zip(("bot", "seed", "method"), job.key, strict=True)),
        "encoder": Path(job.encoder).name,
        "changed": dict(job.changed),
        "known": len(corpus.intents),
        "examples": int(corpus.labeled.sum()),
        **placement_scores(placed, config.min_messages, clusters=clusters),
        "threads": torch.get_num_threads(),
        **outcome.told,
    }
    if job.at_work:
        recognizer = None if outcome.discovery is None else outcome.discovery.recognizer
        found["at_work"] = _at_work(heard, recognizer, Judged.of(placed))
    if job.second_runs and outcome.discovery is not None:
        found["second_run"] = _second_run(job, bot, log, outcome.discovery, placed)
    return found


def _second_run(
    job: Job, bot: Bot, log: BotLog, discovery: Discovery, first: Sequence[Placed]
) -> dict[str, Any]:
    """What the run after `apply` proposes of the log, to which messages may have come."""
    config = job.config
    applied = applied_by_truth(bot, discovery, config, Judged.of(first).right, job.undecided)
    later = Bot(applied.examples, log)
    corpus = later.corpus(config)
    again = interpret(kept_corpus(corpus, config, job.states), config, earlier=applied.earlier)
    placed, rows = _placed(corpus, _places(again), truths_after(later.truths(), applied.named))
    left = [one for one, row in zip(placed, rows, strict=True) if not corpus.labeled[row]]
    more_of = {one.name: one.nearest_known for one in again.intents if one.more_of_accepted}
    return second_run_scores(first, left, applied, config.min_messages, more_of)


def _discovered(job: Job, corpus: Corpus, truths: dict[str, Truth]) -> Outcome:
    """A run of a preset, after some of the questions were answered by one who knows the truth."""
    read = kept_corpus(corpus, job.config, job.states)
    learned = read.learned
    answers = answers_after_runs(read, job.config, truths, job.answers)
    discovery = interpret(read, job.config, earlier=Earlier(answers=answers))
    clusters = np.full(len(corpus.texts), -1)
    clusters[read.rows] = learned.clustering.assignments
    told = {
        "dtype": _dtype(learned.encoder),
        "estimate": None if learned.estimate is None else vars(learned.estimate),
        "new_range": list(discovery.new_range),
        "answers": len(answers),
        "seconds": {stage: round(value, 2) for stage, value in discovery.seconds.items()},
    }
    return Outcome(_places(discovery), clusters, told, discovery)


def _places(discovery: Discovery) -> list[tuple[str, str | None]]:
    return [(place.placement, place.intent) for place in discovery.placements]


def _drafted(job: Job, checkout: Path, bot: Bot, corpus: Corpus) -> Outcome:
    """A run of the command of another version; what its drafts do not tell of is left over."""
    found, told = drafted_by(checkout, bot, job.config)
    placed = [found.get(gold_key(text), ("left_over", None)) for text in corpus.texts]
    return Outcome(placed, None, {"dtype": None, **told})


def _compared(job: Job, corpus: Corpus) -> Outcome:
    """What a method of comparison makes of the rows that a run would cluster."""
    read = RowsToRead.of(corpus, NOTHING_EARLIER, job.config)
    rows, texts = read.rows, read.texts
    encoder = KeptEncoder.kept(job.config, job.states)
    log = Log(
        texts=tuple(texts),
        vectors=normalized(encoder.read(texts).pretrained).astype(np.float32),
        labels=corpus.labels[rows],
        counts=corpus.counts[rows],
        rejecting=np.array([intent in corpus.rejecting for intent in corpus.intents], dtype=bool),
        least=job.config.min_messages,
        share=DiscoveryConfig.neighbor_share,
        seed=job.seed,
    )
    start = time.perf_counter()
    answer = METHODS[job.method](log, job.python)
    told = {
        "dtype": _dtype(encoder),
        "estimate": None,
        "seconds": {job.method: round(time.perf_counter() - start, 2)},
    }
    placed: list[tuple[str, str | None]] = [("left_over", None)] * len(corpus.texts)
    for row, (placement, number) in zip(rows, placements(answer, log), strict=True):
        name = f"group_{number}" if placement == NEW else None
        placed[row] = placement, corpus.intents[number] if placement == KNOWN else name
    clusters = None
    if answer.clusters is not None:
        clusters = np.full(len(corpus.texts), -1)
        clusters[rows] = answer.clusters
    return Outcome(placed, clusters, told)


def _dtype(encoder: Any) -> str:
    return str(encoder.autocast_dtype).removeprefix("torch.")


def _placed(
    corpus: Corpus, placements: Sequence[tuple[str, str | None]], truths: dict[str, Truth]
) -> tuple[list[Placed], list[int]]:
    """The logged rows of which it is known what they are, and which rows of the corpus these are."""
    rows, found = [], []
    for row, (text, count) in enumerate(zip(corpus.texts, corpus.counts.tolist(), strict=True)):
        truth = truths.get(gold_key(text)) if count else None
        if truth is not None:
            rows.append(row)
            found.append(Placed(truth.placement, truth.intent, *placements[row], count, text))
    return found, rows


def _at_work(heard: dict[str, Truth], recognizer: Recognizer | None, proposals: Judged) -> dict[str, Any]:
    """What the recogniser says of messages that were no part of the run."""
    rows = []
    for text, truth in heard.items():
        given = None if recognizer is None else recognizer.recognize(text)
        rows.append(Heard(truth.placement, truth.intent, None if given is None else given[0]))
    return at_work_scores(rows, proposals)


def run_suite(
    jobs: Sequence[Job], out: Path, at_once: int, measure: Callable[[Job], dict[str, Any]] = measured
) -> dict[str, Any]:
    """Runs what is not in the file yet, and writes the file after each.

    Raises:
        SystemExit: the file holds runs of another commit, other settings or another encoder, or others were
            heard at work or run again after them; or one of the runs failed, which does not stop the others.
    """
    changed = {job.bot.name: json.loads(json.dumps(dict(job.changed))) for job in jobs}
    encoders = {job.bot.name: Path(job.encoder).name for job in jobs}
    found = json.loads(out.read_text(encoding="utf-8"))["runs"] if out.exists() else []
    now = commit()
    for run in found:
        if run["commit"] != now:
            raise SystemExit(f"{out} holds runs of another commit ({run['commit']}): give another --out")
        for job in jobs:
            asked_for = {"at_work": job.at_work, "second_run": job.second_runs}
            if [*asked_for.values()] != [name in run for name in asked_for]:
                raise SystemExit(
                    f"{out} holds runs that were made otherwise (--at-work, --second-runs): "
                    "give another --out"
                )
        for name, asked in (("changed", changed), ("encoder", encoders)):
            if run[name] != asked.get(run["bot"], run[name]):
                raise SystemExit(
                    f"{out} holds runs that were made otherwise ({run['bot']}: {name} {run[name]} there, "
                    f"{asked[run['bot']]} now): give another --out"
                )
    done = {(run["bot"], run["seed"], run["method"]) for run in found}
    waiting = [job for job in jobs if job.key not in done]
    result: dict[str, Any] = {"runs": found, **means(found)}
    failed: list[str] = []
    # A forked process would hang in torch where this one has run torch's threads.
    with ProcessPoolExecutor(at_once, get_context("spawn"), log_to_stderr) as pool:
        started = {pool.submit(measure, job): job for job in waiting}
        for future in as_completed(started):
            if (error := future.exception()) is not None:
                failed.append("{} (seed {}, {})".format(*started[future].key))
                logger.error("%s failed", failed[-1], exc_info=error)
                continue
            found.append({**future.result(), "commit": now})
            result = {"runs": sorted(found, key=_order), **means(found)}
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
            logger.info("%s", {name: found[-1][name] for name in ("bot", "seed", "method", *HEADLINE)})
    if failed:
        raise SystemExit(f"these failed, see above: {', '.join(failed)}; {out} holds the others")
    return result


def log_to_stderr() -> None:
    """Lets this process tell what it does."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)


def _order(run: dict[str, Any]) -> tuple[str, int, str]:
    return run["method"], run["seed"], run["bot"]


def means(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The headline figures of each method: each bot's mean over its seeds, and the mean over the bots.

    Where messages were heard after the runs, `at_work` has their figures in the same way, and `second_run`
    those of runs after `apply`.
    """
    found = {"means": _means(runs, HEADLINE)}
    for part, names in (("at_work", AT_WORK), ("second_run", SECOND_RUN)):
        if of_part := [{**run, **run[part]} for run in runs if part in run]:
            found[part] = _means(of_part, names)
    return found


def _means(runs: Sequence[dict[str, Any]], names: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for method in sorted({run["method"] for run in runs}):
        of_bots = {
            bot: _mean([run for run in runs if (run["method"], run["bot"]) == (method, bot)], names)
            for bot in sorted({run["bot"] for run in runs if run["method"] == method})
        }
        exact = {"all": _mean(list(of_bots.values()), names), **of_bots}
        found[method] = {
            bot: {name: None if value is None else round(value, 3) for name, value in figures.items()}
            for bot, figures in exact.items()
        }
    return found


def _mean(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> dict[str, float | None]:
    """Not rounded: the mean over the bots is one of these, and would be rounded twice."""
    values = {name: [row[name] for row in rows if row[name] is not None] for name in names}
    return {name: float(np.mean(of)) if of else None for name, of in values.items()}


def missed(figures: dict[str, float | None], least: dict[str, float], most: dict[str, float]) -> list[str]:
    """The goals that figures miss: `found 0.79 of at least 0.9`; what could not be measured misses none."""
    goals = [(name, goal, "least", 1) for name, goal in least.items()]
    goals += [(name, goal, "most", -1) for name, goal in most.items()]
    found = []
    for name, goal, bound, sign in goals:
        value = figures[name]
        if value is not None and sign * (value - goal) < 0:
            found.append(f"{name} {value} of at {bound} {goal}")
    return found
