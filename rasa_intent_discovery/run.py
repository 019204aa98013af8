"""Runs a discovery or a backtest and writes its files; shared by the command and the component."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.build import build_corpus, check_corpus
from rasa_intent_discovery.corpus.events import Selection
from rasa_intent_discovery.corpus.language import LanguageFit, corpus_fit, in_language, language_fit
from rasa_intent_discovery.corpus.messages import (
    NO_MESSAGES,
    MessageLog,
    check_times,
    choices_in_vain,
    listed,
    read_messages,
)
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.datatypes import Progress, one_step
from rasa_intent_discovery.drafts.contents import draft_files
from rasa_intent_discovery.drafts.conversations import conversations_file
from rasa_intent_discovery.drafts.edits import ChangedMeanwhile
from rasa_intent_discovery.drafts.folder import (
    ACCEPTED_BEFORE,
    ANSWERED,
    CONVERSATIONS,
    DECIDED_BEFORE,
    GIVEN,
    LOG_OF_IGNORED,
    MESSAGES_OF_IGNORED,
    REFUSED,
    REPORT,
    TAKEN_OUT,
    VECTORS,
)
from rasa_intent_discovery.drafts.folder_exchange import lies_in, only_run, real_path
from rasa_intent_discovery.drafts.folder_writing import NoRoom, check_folder, write_drafts
from rasa_intent_discovery.drafts.known_bot import KnownBot
from rasa_intent_discovery.drafts.numbers import DRAFTS
from rasa_intent_discovery.drafts.outcome import Outcome, run_record
from rasa_intent_discovery.drafts.synchronised import other_versions
from rasa_intent_discovery.drafts.vectors import vectors_file
from rasa_intent_discovery.errors import ConfigError, DataError
from rasa_intent_discovery.learning.cache_folder import LEARNT, CacheFolder, part_of_run
from rasa_intent_discovery.progress import Plan, ShownProgress, planned, unseen
from rasa_intent_discovery.result import Discovery
from rasa_intent_discovery.review.decisions.answers import answers_digest
from rasa_intent_discovery.review.next_run.previous_run import read_previous
from rasa_intent_discovery.review.next_run.taken_out import without_taken_out
from rasa_intent_discovery.review.page.report import render_report

logger = logging.getLogger(__name__)


def run_discovery(
    bot: KnownBot,
    config: DiscoveryConfig,
    progress: Callable[[Plan], Progress] = unseen,
    stored: MessageLog = NO_MESSAGES,
    given: Mapping[str, Any] | None = None,
) -> Outcome:
    """Reads the logged messages that `config` names, discovers intents, and writes the folder of drafts.

    The folder is checked first, and all drafts are written at once at the end: a run that fails or is
    interrupted leaves the folder unchanged. The decisions and edits of a person in it are kept. A second run
    into the folder is refused meanwhile; it can be read, reviewed and applied.

    Args:
        config: settings; `messages` may be empty if there are stored messages.
        progress: makes of the stages that are expected what shows them.
        stored: further messages, beside those of the files.
        given: what the command line gave, kept so that the command can be given again.

    Raises:
        DataError: the messages or examples cannot be used, the folder of drafts must not be written, or
            another run into it is under way.
        ConfigError: the encoder or device is not available, or the cache is in the folder of drafts.
    """
    folder = Path(config.out)
    check_folder(folder, forbidden=bot.training_data)
    if config.cache and lies_in(Path(config.cache), folder):
        raise ConfigError(f"cache: {config.cache} is in the folder of the drafts, name another one")
    language = config.language or bot.language
    config = in_language(config, language, bot.examples)
    with only_run(real_path(folder)):
        return _run(folder, replace(bot, language=language), config, progress, stored, given)


def _run(
    folder: Path,
    bot: KnownBot,
    config: DiscoveryConfig,
    progress: Callable[[Plan], Progress],
    stored: MessageLog,
    given: Mapping[str, Any] | None,
) -> Outcome:
    """As `run_discovery`, for a folder that is checked and held for this run."""
    previous = read_previous(folder, bot.examples)
    earlier = previous.earlier
    for said in (*other_versions(folder), *previous.elsewhere, *previous.lost):
        logger.warning(said)
    for said in previous.unreadable:
        logger.warning("a draft cannot be read, and stays as it is: %s", said)
    with one_step(progress(()), "reading the log"):
        log = _log_of(config, stored, given or ())
        corpus = build_corpus(bot.examples, log.messages, config)
    try:
        check_corpus(corpus, config)
    except DataError as error:
        if not log.skipped:
            raise
        raise type(error)(f"{listed(log.skipped)}; of what could be read: {error}") from error

    turns, skipped = log.turns, log.skipped
    del log, stored  # The messages are in the corpus: as they were read, they would take as much again.
    languages = _warned(corpus_fit(corpus, bot.language, config.encoder))
    conversations = conversations_file(turns, config, corpus.boilerplate)

    # Imports torch, which takes seconds: the checks above come first.
    with one_step(progress(()), "loading the libraries"):
        from rasa_intent_discovery.stages import discover_in

    logged = int((~corpus.labeled).sum())
    others = max(0, logged - CORPUS.most_learnt)
    shown = progress(planned(config, len(corpus.texts) - others, others))
    cache = CacheFolder.of(config)
    discovery = discover_in(corpus, config, shown, bot.intents, earlier, cache)
    answered = answers_digest(earlier.answers)
    outcome = Outcome(discovery, skipped, bot.entities, languages, conversations)
    for tries_left in reversed(range(DRAFTS.write_tries)):
        try:
            with one_step(progress(()), "writing the drafts"):
                write_outcome(folder, outcome, config, bot, given, answered)
            break
        except ChangedMeanwhile:
            if not tries_left:
                raise
            logger.info("the drafts were changed just now, so they are read again")
        except NoRoom:
            if not tries_left or not cache.make_room(folder):
                raise
            logger.warning("no room is left for the drafts: the vectors kept in %s are deleted", cache.path)
    cache.remove(part_of_run(config.out), but=LEARNT)
    return outcome


def _warned(languages: LanguageFit) -> LanguageFit:
    """The same. Warns at once if they do not fit: what follows takes long."""
    if languages.warning:
        logger.warning(languages.warning)
    return languages


def write_outcome(
    folder: Path,
    outcome: Outcome,
    config: DiscoveryConfig,
    bot: KnownBot,
    given: Mapping[str, Any] | None,
    answered: str,
) -> None:
    """Writes the drafts together with a person's edits in the folder, also those made during the run.

    Args:
        answered: a hash of the answers that the run took into account.
    """
    previous = read_previous(folder, bot.examples)
    changes = outcome.discovery.changes
    again = changes.again if changes else ()
    taken_out = previous.earlier.taken_out
    record = {GIVEN: dict(given or {}), **run_record(outcome, config)}
    record["ignored"] = previous.ignored_record(again)
    record[LOG_OF_IGNORED] = previous.log_of_ignored(again)
    record[MESSAGES_OF_IGNORED] = previous.messages_of_ignored(again)
    record[ACCEPTED_BEFORE] = sorted(previous.earlier.accepted)
    record[ANSWERED], record[DECIDED_BEFORE] = answered, dict(previous.deciders)
    for name, told in ((TAKEN_OUT, taken_out), (REFUSED, previous.earlier.refused)):
        record[name] = {intent: sorted(texts) for intent, texts in told.items()}
    drafts = without_taken_out(outcome.drafts, taken_out)
    files = draft_files(outcome.discovery, drafts, previous.came_since(outcome.discovery))
    intents = {path: draft.intent for path, draft in drafts.items()}
    carried, record["drafts"] = previous.carried_into(files, intents, again)
    contents = {
        path: text if isinstance(text, bytes) else text.encode("utf-8", "replace")
        for path, text in carried.items()
    }
    report = render_report(contents, record, folder)
    generated = {**_vectors(outcome.discovery), REPORT: report}
    if outcome.conversations is not None:
        generated[CONVERSATIONS] = outcome.conversations
    write_drafts(folder, {**contents, **generated}, record, bot.training_data, previous.edits)


def _vectors(discovery: Discovery) -> dict[str, str | bytes]:
    """The file of the vectors; nothing where there are none."""
    pretrained, texts = discovery.pretrained, discovery.corpus.texts
    if pretrained is None:
        return {}
    content = vectors_file([texts[row] for row in pretrained.rows], pretrained.features)
    return {} if content is None else {VECTORS: content}


def run_backtest(
    bot: KnownBot,
    config: DiscoveryConfig,
    only_preset: bool,
    rounds: int | None,
    report: Path,
    stored: MessageLog,
    given: Collection[str],
) -> str:
    """Backtests the preset of `config`, and also `default` and `fast`, and writes the report.

    Args:
        config: settings of the discoveries.
        only_preset: whether to try no other preset.
        rounds: number of rounds with different hidden intents; None as `backtest` says.
        report: file to write.
        stored: further messages, beside those of the files.
        given: the settings that the command line gave.

    Returns:
        The text to show to the user.

    Raises:
        DataError: the messages or examples cannot be used, or the report cannot be written.
    """
    from rasa_intent_discovery.backtest import backtest
    from rasa_intent_discovery.backtest_report import check_report, render_backtest, write_backtest

    check_report(report)
    language = config.language or bot.language
    config = in_language(config, language, bot.examples)
    others = () if only_preset else ("default", "fast")
    configs = [config, *(config.with_preset(preset) for preset in others if preset != config.preset)]
    log = _log_of(config, stored, given)
    texts = list(dict.fromkeys(message.text for message in log.messages))
    fit = _warned(language_fit([one.text for one in bot.examples], texts, language, config.encoder))
    shown = ShownProgress([("backtest", 1.0)])
    text = render_backtest(backtest(bot.examples, log.messages, configs, rounds, shown))
    write_backtest(report, text)
    not_read = f"\nNot all messages were read: {listed(log.skipped)}.\n" if log.skipped else ""
    warning = f"\n{fit.warning}\n" if fit.warning else ""
    return f"\n{text}{warning}{not_read}\nThis is in {report}, too.\n"


def _log_of(config: DiscoveryConfig, stored: MessageLog, given: Collection[str]) -> MessageLog:
    """The messages in the files that the settings name, and the stored ones.

    Args:
        given: the settings that the command line gave: those that choose in vain are told.

    Raises:
        DataError: they cannot be read, or only those of some time are wanted and none has a known one.
    """
    selection = Selection.of(config)
    files = read_messages(config.messages, config.text_column, selection, config.time_column)
    # Of many files those at the end are only counted (`listed`), so what the store left out stands first.
    log = replace(files + stored, skipped=(*stored.skipped, *files.skipped))
    check_times(log, selection)
    if in_vain := choices_in_vain(log, given):
        logger.warning(f"{in_vain}.")
    return log


def follow_rasa_log_level() -> None:
    """Gives our logger the level of Rasa's, unless it has one.

    Our logger is not below the logger `rasa`, and it cannot rely on the root logger's level: numpy.distutils,
    which some classifiers import, raises that to WARNING in the middle of a training.
    """
    ours = logging.getLogger("rasa_intent_discovery")
    if ours.level == logging.NOTSET:
        ours.setLevel(logging.getLogger("rasa").getEffectiveLevel())
