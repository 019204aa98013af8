"""Discovery and backtest as the command runs them, from arguments to the text that is printed."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rasa_intent_discovery.command.options import COMMAND_LINE, ENDPOINTS, naming_options, out_option
from rasa_intent_discovery.config import DiscoveryConfig, with_names_of_today
from rasa_intent_discovery.errors import ConfigError, DiscoveryError
from rasa_intent_discovery.rasa_plugin.place import BotPlace, settings_place

if TYPE_CHECKING:
    from rasa_intent_discovery.corpus.messages import MessageLog
    from rasa_intent_discovery.rasa_plugin.settings import ComponentSettings

logger = logging.getLogger(__name__)

# Said before anything is loaded: on a busy machine that takes seconds.
_BEGINNING = "reading the bot of %s and the messages"


def discover_intents(place: BotPlace, given: Mapping[str, Any], endpoints: str | None) -> str:
    """Runs a discovery on a bot and writes the drafts.

    What an `apply` that was killed left half-done in the bot's files is undone first.

    Args:
        given: settings from the command line, which override those in the configuration.
        endpoints: an endpoints.yml whose tracker store is read, too.

    Returns:
        The text to print.

    Raises:
        DiscoveryError: anything the person can put right.
        KeyboardInterrupt: with a message if the drafts are written already.
    """
    logger.info(_BEGINNING, place.config)
    from rasa_intent_discovery import run
    from rasa_intent_discovery.corpus.build import check_known
    from rasa_intent_discovery.drafts.change_journal import journal_of, take_back
    from rasa_intent_discovery.progress import ShownProgress
    from rasa_intent_discovery.rasa_plugin import project
    from rasa_intent_discovery.review.findings import summary

    again = {**given, **({ENDPOINTS: endpoints} if endpoints else {})}
    component, config, endpoints = _settings(place.config, given, endpoints)
    if not config.messages and endpoints is None:
        raise ConfigError(
            "there are no messages to look at: give files or folders with --messages, or a tracker store "
            f"with --endpoints, or set {settings_place(place.config)} > messages"
        )
    take_back(journal_of(place.config))
    bot = project.read_bot(place.config, place.domain, place.data)
    check_known((example.intent for example in bot.examples), config, ", ".join(place.data))
    config, stored = _stored(component, config, endpoints, bot.language)
    with _located(place.config, given):
        outcome = run.run_discovery(bot, config, ShownProgress, stored, again)
    try:
        where = place.options() + out_option(given)
        return summary.summarize(outcome.discovery, outcome.skipped, config, where, outcome.warnings)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"the drafts are in {config.out}") from None


#: Settings that a backtest takes and does not ask, and their options.
NOT_OF_BACKTEST = {"out": "--out", "num_intents": "--num-intents"}


def backtest_bot(
    place: BotPlace,
    given: Mapping[str, Any],
    rounds: int | None,
    report: Path,
    endpoints: str | None,
) -> str:
    """Runs a backtest on a bot and writes its report; the rest is as in `discover_intents`.

    Args:
        rounds: how often intents are hidden; None as `backtest` says.
        report: the file that is written.
    """
    logger.info(_BEGINNING, place.config)
    for name, option in NOT_OF_BACKTEST.items():
        if name in given:
            logger.warning(
                f"{option} changes nothing here: a backtest writes no drafts, and always estimates how many "
                "intents there are."
            )
    from rasa_intent_discovery import run
    from rasa_intent_discovery.drafts.change_journal import journal_of, take_back
    from rasa_intent_discovery.rasa_plugin import project

    component, config, endpoints = _settings(place.config, given, endpoints)
    take_back(journal_of(place.config))
    bot = project.read_bot(place.config, place.domain, place.data)
    config, stored = _stored(component, config, endpoints, bot.language)
    only_preset = "preset" in given
    try:
        with _located(place.config, given):
            return run.run_backtest(bot, config, only_preset, rounds, report, stored, given)
    except KeyboardInterrupt:
        raise KeyboardInterrupt("no report was written") from None


def _stored(
    component: ComponentSettings, config: DiscoveryConfig, endpoints: str | None, language: str | None
) -> tuple[DiscoveryConfig, MessageLog]:
    """As `stored.with_store`, which is loaded only where there is a store to read."""
    from rasa_intent_discovery.corpus.messages import NO_MESSAGES

    if endpoints is None:
        return config, NO_MESSAGES
    from rasa_intent_discovery.rasa_plugin.stored import with_store

    return with_store(component, config, endpoints, language)


def _settings(
    config_path: str, given: Mapping[str, Any], endpoints: str | None
) -> tuple[ComponentSettings, DiscoveryConfig, str | None]:
    """The settings of config.yml, overridden by those of the command line, and the endpoints to read.

    Those of config.yml are checked by themselves first, so that an error names the right place. If neither
    gives messages or endpoints, the messages that the bot has collected are read.
    """
    from rasa_intent_discovery import run
    from rasa_intent_discovery.rasa_plugin import project
    from rasa_intent_discovery.rasa_plugin.settings import parse_settings

    run.follow_rasa_log_level()
    place, settings = settings_place(config_path), project.component_settings(config_path)
    parse_settings(settings, place)
    with naming_options(given):
        component, config = parse_settings({**with_names_of_today(settings, place), **given}, COMMAND_LINE)
    if "messages" not in given:
        config = component.without_what_is_to_come(config)
        endpoints = component.endpoints if endpoints is None else endpoints
    if endpoints is None:
        config = component.with_collected(config)
    return component, config, endpoints


@contextmanager
def _located(config_path: str, given: Mapping[str, Any]) -> Iterator[None]:
    """Adds the place in config.yml to an error about a setting from there that is found during the run."""
    from rasa_intent_discovery.rasa_plugin import project

    try:
        yield
    except DiscoveryError as error:
        name = str(error).partition(":")[0]
        if name in given or name not in project.component_settings(config_path):
            raise
        raise type(error)(f"{settings_place(config_path)} > {error}") from error
