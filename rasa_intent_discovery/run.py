"""Runs a discovery or a backtest and writes its files; shared by the command and the component."""

from __future__ import annotations

import dataclasses
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rasa_intent_discovery import __version__
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.build import build_corpus, check_corpus, known_intents
from rasa_intent_discovery.corpus.events import Selection
from rasa_intent_discovery.corpus.language import LanguageFit, corpus_fit, language_fit, main_language
from rasa_intent_discovery.corpus.messages import NO_MESSAGES, MessageLog, listed, read_messages
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.datatypes import NEW, Corpus, KnownExample, Progress, one_step
from rasa_intent_discovery.drafts.contents import draft_files, drafts_of, part_of, with_paths
from rasa_intent_discovery.drafts.conversations import conversations_file
from rasa_intent_discovery.drafts.edits import ChangedMeanwhile
from rasa_intent_discovery.drafts.entities import ENTITIES, NO_ENTITIES, EntityFinder, suggested
from rasa_intent_discovery.drafts.folder import CONVERSATIONS, REPORT, VECTORS
from rasa_intent_discovery.drafts.folder_exchange import only_run, real_path
from rasa_intent_discovery.drafts.folder_writing import check_folder, write_drafts
from rasa_intent_discovery.drafts.numbers import DRAFTS
from rasa_intent_discovery.drafts.synchronised import other_versions
from rasa_intent_discovery.drafts.vectors import vectors_file
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.learning.cache_folder import CacheFolder, part_of_run
from rasa_intent_discovery.locales import language_code
from rasa_intent_discovery.progress import Plan, ShownProgress, planned, unseen
from rasa_intent_discovery.proposals.memory import Changes
from rasa_intent_discovery.result import Discovery
from rasa_intent_discovery.review.previous_run import read_previous
from rasa_intent_discovery.review.report import render_report
from rasa_intent_discovery.training_data.nlu_yaml import Draft, carry

logger = logging.getLogger(__name__)

_DEPENDENCIES = ("rasa", "rasa-pro", "torch", "transformers", "scikit-learn", "numpy")


@dataclass(frozen=True, eq=False)
class Outcome:
    """The outcome of a run.

    Attributes:
        discovery: the result.
        skipped: a sentence for each file of logged messages that was not read in full.
        entities: finds the values of the bot's entities in messages.
        languages: of the logged messages and the bot's examples, and whether they fit.
        conversations: the file of what was said around messages; None where none is from a conversation.
    """

    discovery: Discovery
    skipped: tuple[str, ...]
    entities: EntityFinder = NO_ENTITIES
    languages: LanguageFit = LanguageFit()
    conversations: bytes | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on what may make the result worthless."""
        return (self.languages.warning,) if self.languages.warning else ()

    @cached_property
    def drafts(self) -> dict[str, Draft]:
        """Path relative to the folder of drafts -> draft."""
        return with_paths(*drafts_of(self.discovery, self.entities))


def run_discovery(
    known: Sequence[KnownExample],
    config: DiscoveryConfig,
    training_data: Sequence[str] = (),
    progress: Callable[[Plan], Progress] = unseen,
    taken: Sequence[str] = (),
    stored: MessageLog = NO_MESSAGES,
    entities: EntityFinder = NO_ENTITIES,
    language: str | None = None,
) -> Outcome:
    """Reads the logged messages that `config` names, discovers intents, and writes the folder of drafts.

    The folder is checked first, and all drafts are written at once at the end: a run that fails or is
    interrupted leaves the folder unchanged. The decisions and edits of a person in it are kept. A second run
    into the folder is refused meanwhile; it can be read, reviewed and applied.

    Args:
        known: the examples of the bot's intents.
        config: settings; `messages` may be empty if there are stored messages.
        training_data: files and folders that the bot is trained on; the drafts must not be written into them.
        progress: makes of the stages that are expected what shows them.
        taken: names of intents without examples, which no new intent may get.
        stored: further messages, beside those of the files.
        entities: finds the values of the bot's entities, which the drafts suggest to annotate.
        language: that of the bot, as its config.yml names it; None if that is not known.

    Raises:
        DataError: the messages or examples cannot be used, the folder of drafts must not be written, or
            another run into it is under way.
        ConfigError: the encoder or device is not available.
    """
    folder = Path(config.out)
    check_folder(folder, forbidden=training_data)
    language = config.language or language
    config = in_language(config, language, known)
    with only_run(real_path(folder)):
        return _run(folder, known, config, training_data, progress, taken, stored, entities, language)


def _run(
    folder: Path,
    known: Sequence[KnownExample],
    config: DiscoveryConfig,
    training_data: Sequence[str],
    progress: Callable[[Plan], Progress],
    taken: Sequence[str],
    stored: MessageLog,
    entities: EntityFinder,
    language: str | None,
) -> Outcome:
    """As `run_discovery`, for a folder that is checked and held for this run."""
    earlier = read_previous(folder, known).earlier
    for said in other_versions(folder):
        logger.warning(said)
    with one_step(progress(()), "reading the log"):
        log = read_messages(config.messages, config.text_column, Selection.of(config)) + stored
        corpus = build_corpus(known, log.messages, config)
    try:
        check_corpus(corpus, config)
    except DataError as error:
        if not log.skipped:
            raise
        raise type(error)(f"{listed(log.skipped)}; of what could be read: {error}") from error

    turns, skipped = log.turns, log.skipped
    del log, stored  # The messages are in the corpus: as they were read, they would take as much again.
    languages = _warned(corpus_fit(corpus, language, config.encoder))
    conversations = conversations_file(turns, config)

    # Imports torch, which takes seconds: the checks above come first.
    with one_step(progress(()), "loading the encoder"):
        from rasa_intent_discovery.stages import discover_in

    logged = int((~corpus.labeled).sum())
    others = max(0, logged - CORPUS.most_learnt)
    shown = progress(planned(config, len(corpus.texts) - others, others))
    cache = CacheFolder.of(config)
    discovery = discover_in(corpus, config, shown, taken, earlier, cache)
    outcome = Outcome(discovery, skipped, entities, languages, conversations)
    for tries_left in reversed(range(DRAFTS.write_tries)):
        try:
            with one_step(progress(()), "writing the drafts"):
                _write(folder, outcome, config, known, training_data)
            break
        except ChangedMeanwhile:
            if not tries_left:
                raise
            logger.info("the drafts were changed just now, so they are read again")
    cache.remove(part_of_run(config.out))
    return outcome


def in_language(
    config: DiscoveryConfig, language: str | None, known: Sequence[KnownExample]
) -> DiscoveryConfig:
    """The settings with a language: the one that is set, that of config.yml, or that of the examples."""
    if language_code(language) is None:
        language = main_language([example.text for example in known])
    return dataclasses.replace(config, language=language)


def _warned(languages: LanguageFit) -> LanguageFit:
    """The same. Warns at once if they do not fit: what follows takes long."""
    if languages.warning:
        logger.warning(languages.warning)
    return languages


def _write(
    folder: Path,
    outcome: Outcome,
    config: DiscoveryConfig,
    known: Sequence[KnownExample],
    training_data: Sequence[str],
) -> None:
    """Writes the drafts together with a person's edits in the folder, also those made during the run."""
    previous = read_previous(folder, known)
    changes = outcome.discovery.changes
    again = changes.again if changes else ()
    record = {**run_record(outcome, config), "ignored": previous.ignored_record(again)}
    files = draft_files(outcome.discovery, outcome.drafts)
    intents = {path: draft.intent for path, draft in outcome.drafts.items()}
    carried, record["drafts"] = previous.carried_into(files, intents, again)
    contents = {
        path: text if isinstance(text, bytes) else text.encode("utf-8", "replace")
        for path, text in carried.items()
    }
    report = render_report(contents, record, folder)
    generated = {**_vectors(outcome.discovery), REPORT: report}
    if outcome.conversations is not None:
        generated[CONVERSATIONS] = outcome.conversations
    write_drafts(folder, {**contents, **generated}, record, training_data, previous.edits)


def _vectors(discovery: Discovery) -> dict[str, str | bytes]:
    """The file of the vectors; nothing where there are none."""
    pretrained, texts = discovery.pretrained, discovery.corpus.texts
    if pretrained is None:
        return {}
    content = vectors_file([texts[row] for row in pretrained.rows], pretrained.features)
    return {} if content is None else {VECTORS: content}


def run_backtest(
    known: Sequence[KnownExample],
    config: DiscoveryConfig,
    only_preset: bool,
    rounds: int | None,
    report: Path,
    stored: MessageLog = NO_MESSAGES,
    language: str | None = None,
) -> str:
    """Backtests the preset of `config`, and also `default` and `fast`, and writes the report.

    Args:
        known: the examples of the bot's intents.
        config: settings of the discoveries.
        only_preset: whether to try no other preset.
        rounds: number of rounds with different hidden intents; None as `backtest` says.
        report: file to write.
        stored: further messages, beside those of the files.
        language: that of the bot, as its config.yml names it; None if that is not known.

    Returns:
        The text to show to the user.

    Raises:
        DataError: the messages or examples cannot be used, or the report cannot be written.
    """
    from rasa_intent_discovery.backtest import backtest
    from rasa_intent_discovery.backtest_report import check_report, render_backtest, write_backtest

    check_report(report)
    language = config.language or language
    config = in_language(config, language, known)
    others = () if only_preset else ("default", "fast")
    configs = [config, *(config.with_preset(preset) for preset in others if preset != config.preset)]
    log = read_messages(config.messages, config.text_column, Selection.of(config)) + stored
    texts = list(dict.fromkeys(message.text for message in log.messages))
    fit = _warned(language_fit([example.text for example in known], texts, language, config.encoder))
    shown = ShownProgress([("backtest", 1.0)])
    text = render_backtest(backtest(known, log.messages, configs, rounds, shown))
    write_backtest(report, text)
    not_read = f"\nNot all messages were read: {listed(log.skipped)}.\n" if log.skipped else ""
    warning = f"\n{fit.warning}\n" if fit.warning else ""
    return f"\n{text}{warning}{not_read}\nThis is in {report}, too.\n"


def _installed() -> dict[str, str]:
    """The versions of what results depend on; there is one Rasa, or none."""
    found = {}
    for name in _DEPENDENCIES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def run_record(outcome: Outcome, config: DiscoveryConfig) -> dict[str, Any]:
    """The content of `run.json`: enough to repeat the run, and to see what each stage did."""
    discovery, corpus = outcome.discovery, outcome.discovery.corpus
    return {
        "settings": config.to_dict(),
        "versions": {"rasa-intent-discovery": __version__, **_installed()},
        "read": {
            **_counts(corpus),
            **_sample(discovery),
            "skipped": list(outcome.skipped),
            "languages": outcome.languages.log.record,
            "other_languages": outcome.discovery.messages_in_other_languages,
        },
        "warnings": list(outcome.warnings),
        "trend": _trend(corpus),
        "intents": known_intents(corpus),
        ENTITIES: suggested(map(carry, corpus.texts), outcome.entities),
        "estimate": dataclasses.asdict(discovery.estimate) if discovery.estimate else None,
        "new_intents": {
            "proposed": len(discovery.intents),
            "range": list(discovery.new_range),
            "evidence": {
                draft.intent: dict(draft.evidence)
                for path, draft in outcome.drafts.items()
                if part_of(path) == NEW
            },
        },
        "families": [list(family) for family in discovery.families],
        "borderline": {"messages": discovery.borderline, "suspicious": list(discovery.suspicious)},
        "parts": _parts(discovery),
        "questions": _questions(discovery),
        "answers": [
            {
                "texts": [carry(corpus.texts[row]) for row in effect.rows],
                "intent": effect.intent,
                "messages": effect.messages,
            }
            for effect in discovery.answers
        ],
        "changes": _listed(discovery.changes),
        "impact": _rounded(dataclasses.asdict(discovery.impact)) if discovery.impact else None,
        "nearly_examples": {
            "of_another_intent": len(discovery.conflicts(discovery.nearly)),
            "of_their_own": len(discovery.duplicates(discovery.nearly)),
        },
        "seconds": {stage: round(seconds, 2) for stage, seconds in discovery.seconds.items()},
        "stages": dict(discovery.notes),
    }


def _counts(corpus: Corpus) -> dict[str, Any]:
    """The numbers of intents, examples and messages read, and of messages set aside."""
    set_aside = Counter[str]()
    for item in corpus.set_aside:
        set_aside[item.reason] += item.count
    return {
        "known_intents": len(known_intents(corpus)),
        "known_examples": int(corpus.labeled.sum()),
        "messages": corpus.logged_messages,
        "distinct_messages": int((corpus.counts > 0).sum()),
        "set_aside": dict(set_aside.most_common()),
        "masked": dict(corpus.masked),
    }


def _sample(discovery: Discovery) -> dict[str, Any]:
    """How many distinct messages were learnt from, and how many placed by those; nothing where all were."""
    sample = discovery.sample
    if sample is None:
        return {}
    learnt = int((~discovery.corpus.labeled[sample.rows]).sum())
    return {"sample": {"learnt": learnt, "placed": sample.placed, "far": sample.far}}


def _trend(corpus: Corpus) -> dict[str, Any] | None:
    """The periods of the trends, and the number of messages logged in each."""
    trend = corpus.trend
    if trend is None:
        return None
    return {"first_day": trend.first_day, "days": trend.days, "messages": trend.of_log}


def _parts(discovery: Discovery) -> list[dict[str, Any]]:
    """The parts of known intents, with their messages written as in drafts."""
    texts = discovery.corpus.texts
    return [
        {
            "intent": part.intent,
            "name": part.name,
            "messages": part.messages,
            "novelty": round(part.novelty, 4),
            "texts": [carry(texts[row]) for row in part.members],
        }
        for part in discovery.parts
    ]


def _questions(discovery: Discovery) -> list[dict[str, Any]]:
    """What a person may answer for the next run: a message, and what may want the same."""
    texts = discovery.corpus.texts
    return [
        {
            "text": carry(texts[question.row]),
            "intent": discovery.placements[question.row].intent,
            "choices": [
                {"text": carry(texts[row]), "intent": discovery.placements[row].intent}
                for row in question.choices
            ],
        }
        for question in discovery.questions
    ]


def _listed(changes: Changes | None) -> dict[str, list[str]] | None:
    """The changes as plain lists, without the empty ones."""
    if changes is None:
        return None
    return {what: list(names) for what, names in dataclasses.asdict(changes).items() if names}


def _rounded(shares: dict[str, float | None]) -> dict[str, float | None]:
    return {name: None if share is None else round(share, 4) for name, share in shares.items()}


def follow_rasa_log_level() -> None:
    """Gives our logger the level of Rasa's, unless it has one.

    Our logger is not below the logger `rasa`, and it cannot rely on the root logger's level: numpy.distutils,
    which some classifiers import, raises that to WARNING in the middle of a training.
    """
    ours = logging.getLogger("rasa_intent_discovery")
    if ours.level == logging.NOTSET:
        ours.setLevel(logging.getLogger("rasa").getEffectiveLevel())
