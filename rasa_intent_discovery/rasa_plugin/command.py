"""`rasa discover-intents` and its actions: what they run, what they print, their exit codes.

Nothing heavy is imported until the command runs: `rasa --help` reads this module too.
"""

from __future__ import annotations

import argparse
import functools
import io
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from rasa.cli.arguments import default_arguments
from rasa.shared.exceptions import RasaException
from rasa.shared.utils.cli import print_error

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.errors import ConfigError, DiscoveryError
from rasa_intent_discovery.rasa_plugin import review_command
from rasa_intent_discovery.rasa_plugin.apply_command import APPLY, add_options, apply_drafts
from rasa_intent_discovery.rasa_plugin.hooks import COMMAND, INTERRUPTED
from rasa_intent_discovery.rasa_plugin.options import add_settings, at_least_one
from rasa_intent_discovery.rasa_plugin.review_command import REVIEW, review_drafts

if TYPE_CHECKING:
    from rasa_intent_discovery.messages import MessageLog

BACKTEST = "backtest"
#: How often a backtest hides intents.
ROUNDS = 3

_EPILOG = (
    "Settings of IntentDiscovery in config.yml are the defaults of these options, and the command line wins. "
    "Relative paths in both are looked up from the folder the command runs in."
)

#: Read by libraries when they are loaded.
_ENVIRONMENT = {
    # transformers imports TensorFlow wherever it finds it, and Rasa brings it: 8 s for nothing.
    "USE_TF": "0",
    # Nobody needs to know which weights of an encoder are of no use here.
    "TRANSFORMERS_VERBOSITY": "error",
    # Threads that wait for each other otherwise spin, and on a busy machine that takes the others' time.
    "OMP_WAIT_POLICY": "PASSIVE",
}


def add_subparser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser], parents: list[argparse.ArgumentParser]
) -> None:
    """Adds the command to the `rasa` program.

    Args:
        subparsers: where Rasa's own commands are.
        parents: the parsers of the options that every command has.
    """
    parser = _add_parser(
        subparsers,
        COMMAND,
        parents,
        help="Finds new intents in logged messages and drafts NLU data for them.",
        description="Reads the bot's NLU data and logged messages, and writes a folder of drafts: proposed "
        "new intents, further examples of existing ones, and a page to look at.",
    )
    parser.set_defaults(func=run_from_arguments)
    add_settings(parser)
    _add_endpoints(parser)
    actions = parser.add_subparsers(title="Other actions", metavar=f"[{REVIEW}|{APPLY}|{BACKTEST}]")
    _add_review(actions, parents)
    _add_apply(actions, parents)
    _add_backtest(actions, parents)
    parser.error = functools.partial(_explain, parser.error)  # type: ignore[method-assign]


def _explain(error: Callable[[str], NoReturn], message: str) -> NoReturn:
    """Says what a stray word is, which argparse takes for an action that it does not know."""
    stray = re.match(r"argument \[.*\]: invalid choice: ('.*') \(", message)
    if stray:
        message = (
            f"{stray[1]} belongs to no option here: messages are given with --messages, and if an option "
            "stands before it, is that one spelt right?"
        )
    error(message)


def _add_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    parents: list[argparse.ArgumentParser],
    **texts: Any,
) -> argparse.ArgumentParser:
    """A parser with the options that say where the bot is."""
    parser = subparsers.add_parser(
        name,
        parents=parents,
        conflict_handler="resolve",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        epilog=_EPILOG,
        **texts,
    )
    default_arguments.add_config_param(parser)
    default_arguments.add_domain_param(parser)
    default_arguments.add_data_param(parser, data_type="Rasa training")
    return parser


def _add_endpoints(parser: argparse.ArgumentParser) -> None:
    default_arguments.add_endpoint_param(
        parser, help_text="Reads the messages in the tracker store that this file names, too.", default=None
    )


def _keep_given(parser: argparse.ArgumentParser) -> None:
    """What was given before the action still counts."""
    for action in parser._actions:
        if action.dest in ("config", "domain", "data", "endpoints"):
            action.default = argparse.SUPPRESS


def _add_review(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], parents: list[argparse.ArgumentParser]
) -> None:
    parser = _add_parser(
        actions,
        REVIEW,
        parents,
        help="Opens a page on which the drafts are read and decided about.",
        description="Serves a page on this machine on which proposals are accepted, renamed, merged, split "
        "or ignored. It changes the drafts only; what is accepted, `apply` puts into the bot.",
    )
    parser.set_defaults(func=review_from_arguments)
    _keep_given(parser)
    review_command.add_options(parser)


def _add_apply(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], parents: list[argparse.ArgumentParser]
) -> None:
    parser = _add_parser(
        actions,
        APPLY,
        parents,
        help="Puts accepted drafts into the bot's own files.",
        description="Puts the drafts that say `decision: accepted` into the bot's training data and domain. "
        "What is in these files stays as it is; what the bot has already is not added again.",
    )
    parser.set_defaults(func=apply_from_arguments)
    _keep_given(parser)
    add_options(parser)


def _add_backtest(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], parents: list[argparse.ArgumentParser]
) -> None:
    parser = _add_parser(
        actions,
        BACKTEST,
        parents,
        help="Tells what to expect of a discovery on this bot.",
        description="Hides some of the bot's intents, mixes their examples into the log, and reports how "
        "many are found again, what is invented, and which preset to use.",
    )
    parser.set_defaults(func=backtest_from_arguments)
    _add_endpoints(parser)
    _keep_given(parser)
    parser.add_argument(
        "--rounds", type=at_least_one, default=ROUNDS, metavar="N", help="How often intents are hidden."
    )
    parser.add_argument("--report", default="intent_backtest.md", metavar="FILE", help="Where it is written.")
    add_settings(parser)


def run_from_arguments(arguments: argparse.Namespace) -> None:
    """What `rasa` calls: runs the command and turns what can go wrong into one line and an exit code."""
    _run(functools.partial(discover_intents, endpoints=arguments.endpoints), arguments)


def backtest_from_arguments(arguments: argparse.Namespace) -> None:
    """The same for the backtest."""
    options = {"rounds": arguments.rounds, "report": Path(arguments.report)}
    _run(functools.partial(backtest_bot, endpoints=arguments.endpoints, **options), arguments)


def review_from_arguments(arguments: argparse.Namespace) -> None:
    """The same for the review desk."""
    options = {"port": arguments.port, "no_browser": arguments.no_browser}
    _run(functools.partial(review_drafts, **options), arguments)


def apply_from_arguments(arguments: argparse.Namespace) -> None:
    """The same for applying drafts."""
    names = ("intents", "dry_run", "with_rules", "yes")
    given = {name: value for name, value in vars(arguments).items() if name in names}
    _run(functools.partial(apply_drafts, **given), arguments)


def _run(action: Callable[[str, str | None, Sequence[str], Mapping[str, Any]], str], arguments: Any) -> None:
    names = DiscoveryConfig().to_dict()
    given = {name: value for name, value in vars(arguments).items() if name in names}
    data = [arguments.data] if isinstance(arguments.data, str) else arguments.data
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names of files need not be text
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    try:
        text = action(arguments.config, arguments.domain, data, given)
    except (DiscoveryError, RasaException) as error:
        _exit(" ".join(str(error).split()), 1)
    except KeyboardInterrupt as interrupt:
        _exit(f"Interrupted; {str(interrupt) or 'the folder of drafts is as it was'}.", INTERRUPTED)
    sys.stdout.write(text)


def _exit(line: str, code: int) -> NoReturn:
    print_error(line)
    sys.exit(code)


def discover_intents(
    config_path: str,
    domain_path: str | None,
    data_paths: Sequence[str],
    given: Mapping[str, Any],
    endpoints: str | None = None,
) -> str:
    """Runs a discovery on a bot's folder and writes the drafts.

    Args:
        config_path, domain_path, data_paths: the bot's configuration, domain and training data.
        given: settings from the command line; they go before those in the configuration.
        endpoints: an endpoints.yml whose tracker store is read, too.

    Returns:
        What to tell the person.

    Raises:
        DiscoveryError: anything the person can put right.
        KeyboardInterrupt: with a text where the drafts are written already.
    """
    from rasa_intent_discovery.corpus import check_known
    from rasa_intent_discovery.rasa_plugin import project, run, summary

    config, endpoints = _settings(config_path, given, endpoints)
    if not config.messages and endpoints is None:
        raise ConfigError(
            "there are no messages to look at: give files or folders with --messages, or a tracker store "
            f"with --endpoints, or set {_place(config_path)} > messages"
        )
    bot = project.read_bot(config_path, domain_path, data_paths)
    check_known((example.intent for example in bot.examples), ", ".join(data_paths))
    stored = _stored(endpoints, config)
    with _placed(config_path, given):
        outcome = run.run_discovery(bot.examples, config, data_paths, run.progress_bar, bot.intents, stored)
    try:
        return summary.summarize(outcome.discovery, outcome.skipped, config)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"the drafts are in {config.out}") from None


def backtest_bot(
    config_path: str,
    domain_path: str | None,
    data_paths: Sequence[str],
    given: Mapping[str, Any],
    rounds: int,
    report: Path,
    endpoints: str | None = None,
) -> str:
    """Runs a backtest on a bot's folder and writes its report; the rest is as in `discover_intents`.

    Args:
        rounds: how often intents are hidden.
        report: the file that is written.
    """
    from rasa_intent_discovery.rasa_plugin import project, run

    config, endpoints = _settings(config_path, given, endpoints)
    bot = project.read_bot(config_path, domain_path, data_paths)
    stored = _stored(endpoints, config)
    try:
        with _placed(config_path, given):
            return run.run_backtest(bot.examples, config, "preset" in given, rounds, report, stored)
    except KeyboardInterrupt:
        raise KeyboardInterrupt("no report was written") from None


def _stored(endpoints: str | None, config: DiscoveryConfig) -> MessageLog:
    from rasa_intent_discovery.events import Selection
    from rasa_intent_discovery.messages import NO_MESSAGES

    if endpoints is None:
        return NO_MESSAGES
    from rasa_intent_discovery.rasa_plugin.tracker import read_tracker_store

    return read_tracker_store(endpoints, Selection.of(config))


def _settings(
    config_path: str, given: Mapping[str, Any], endpoints: str | None
) -> tuple[DiscoveryConfig, str | None]:
    """The settings of config.yml with those of the command line before them, and the endpoints to read.

    Those of config.yml are checked by themselves first, so that an error says where it is. Where neither
    names messages nor endpoints, the messages are those that the bot has collected.
    """
    from rasa_intent_discovery.rasa_plugin import project, run
    from rasa_intent_discovery.rasa_plugin.settings import parse

    run.follow_rasa_log_level()
    settings = project.component_settings(config_path)
    parse(settings, _place(config_path))
    component, config = parse({**settings, **given}, "command line")
    if endpoints is None and "messages" not in given:
        endpoints = component.endpoints
    if endpoints is None:
        config = component.with_collected(config)
    project.check_language(config_path, config.encoder)
    return config, endpoints


@contextmanager
def _placed(config_path: str, given: Mapping[str, Any]) -> Iterator[None]:
    """Says of a setting that turns out wrong in the middle of a run where it is, if that is config.yml."""
    from rasa_intent_discovery.rasa_plugin import project

    try:
        yield
    except DiscoveryError as error:
        name = str(error).partition(":")[0]
        if name in given or name not in project.component_settings(config_path):
            raise
        raise type(error)(f"{_place(config_path)} > {error}") from error


def _place(config_path: str) -> str:
    return f"{config_path} > pipeline > IntentDiscovery"
