"""`rasa discover-intents` and its actions: what they run, what they print, their exit codes.

Nothing heavy is imported until the command runs: `rasa --help` reads this module too.
"""

from __future__ import annotations

import argparse
import functools
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from rasa.cli.arguments import default_arguments
from rasa.shared.exceptions import RasaException

from rasa_intent_discovery.command import waiting
from rasa_intent_discovery.command.desk import DeskOptions, add_desk_options
from rasa_intent_discovery.command.launched import helped
from rasa_intent_discovery.command.names import APPLY, COMMAND, REVIEW
from rasa_intent_discovery.command.options import add_settings, add_version, at_least_one
from rasa_intent_discovery.command.program import run_or_exit
from rasa_intent_discovery.command.stray_words import ACTION, explain_stray_words
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.rasa_plugin import completion
from rasa_intent_discovery.rasa_plugin.actions import NOT_OF_BACKTEST, backtest_bot, discover_intents
from rasa_intent_discovery.rasa_plugin.apply_command import add_options, apply_drafts
from rasa_intent_discovery.rasa_plugin.completion import COMPLETION
from rasa_intent_discovery.rasa_plugin.place import BotPlace, domain_there, drafts_folder
from rasa_intent_discovery.rasa_plugin.review_command import review_drafts

BACKTEST = "backtest"

_EPILOG = (
    "Settings of IntentDiscovery in config.yml are the defaults of these options, and the command line wins. "
    "Relative paths in both are looked up from the folder the command runs in."
)


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
    add_version(parser)
    add_settings(parser)
    waiting.add_option(parser)
    _add_endpoints(parser)
    actions = parser.add_subparsers(
        title="Other actions", dest=ACTION, metavar=f"[{REVIEW}|{APPLY}|{BACKTEST}|{COMPLETION}]"
    )
    _add_review(actions, parents)
    _add_apply(actions, parents)
    _add_backtest(actions, parents)
    completion.add_action(actions, parents)
    explain_stray_words(parser, actions.choices)


class _HelpWithDefaults(argparse.ArgumentDefaultsHelpFormatter):
    """Adds the default of an option that takes a value, where there is one and its help does not tell it."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        if action.default in (None, False) or "(default:" in (action.help or ""):
            return action.help
        return super()._get_help_string(action)


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
        formatter_class=_HelpWithDefaults,
        epilog=_EPILOG,
        **texts,
    )
    default_arguments.add_config_param(parser)
    default_arguments.add_domain_param(parser)
    default_arguments.add_data_param(parser, data_type="Rasa training")
    return parser


def _add_endpoints(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    text = "Reads the messages in the tracker store that this file names, too."
    default_arguments.add_endpoint_param(parser, help_text=text, default=default)


def _add_action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    parents: list[argparse.ArgumentParser],
    run: Callable[[argparse.Namespace], None],
    **texts: Any,
) -> argparse.ArgumentParser:
    """The parser of an action. Options given before the action still count."""
    parser = _add_parser(actions, name, parents, **texts)
    for action in parser._actions:
        if action.dest in ("config", "domain", "data"):
            action.default = argparse.SUPPRESS
    parser.set_defaults(func=run)
    return parser


def _add_review(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], parents: list[argparse.ArgumentParser]
) -> None:
    parser = _add_action(
        actions,
        REVIEW,
        parents,
        review_from_arguments,
        help="Opens a page on which the drafts are read and decided about.",
        description="Serves a page on this machine on which proposals are accepted, renamed, merged, split "
        "or ignored. The bot changes only when Apply is pressed at its end, or with `apply`.",
    )
    add_desk_options(parser)


def _add_apply(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], parents: list[argparse.ArgumentParser]
) -> None:
    parser = _add_action(
        actions,
        APPLY,
        parents,
        apply_from_arguments,
        help="Puts accepted drafts into the bot's own files.",
        description="Puts the drafts that say `decision: accepted` into the bot's training data and domain. "
        "What is in these files stays as it is; what the bot has already is not added again.",
    )
    add_options(parser)


def _add_backtest(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], parents: list[argparse.ArgumentParser]
) -> None:
    parser = _add_action(
        actions,
        BACKTEST,
        parents,
        backtest_from_arguments,
        help="Tells what to expect of a discovery on this bot.",
        description="Hides some of the bot's intents, mixes their examples into the log, and reports how "
        "many are found again, what is invented, and which preset to use.",
    )
    _add_endpoints(parser, default=argparse.SUPPRESS)
    parser.add_argument(
        "--rounds",
        type=at_least_one,
        default=argparse.SUPPRESS,
        metavar="N",
        help="How often intents are hidden (default: so often that 20 are hidden in all, 2 to 8 times).",
    )
    parser.add_argument("--report", default="intent_backtest.md", metavar="FILE", help="Where it is written.")
    add_settings(parser)
    for action in parser._actions:
        if action.dest in NOT_OF_BACKTEST:
            action.help = argparse.SUPPRESS
        elif action.dest == "preset":
            action.help = (
                "Tries this method alone (default: `default` and `fast`, and the one that config.yml names)."
            )


def run_from_arguments(arguments: argparse.Namespace) -> None:
    """Called by `rasa`: runs the command, and turns errors into one line and an exit code."""
    _run(helped(RasaException)(functools.partial(discover_intents, endpoints=arguments.endpoints)), arguments)
    if arguments.exit_code:
        _run(_exit_if_any_waits, arguments)


def _exit_if_any_waits(place: BotPlace, given: Mapping[str, Any]) -> str:
    return waiting.exit_if_any_waits(Path(drafts_folder(place.config, given)))


def backtest_from_arguments(arguments: argparse.Namespace) -> None:
    """The same for the backtest."""
    rounds, report = getattr(arguments, "rounds", None), Path(arguments.report)
    run = functools.partial(backtest_bot, endpoints=arguments.endpoints, rounds=rounds, report=report)
    _run(helped(RasaException)(run), arguments)


def review_from_arguments(arguments: argparse.Namespace) -> None:
    """The same for the review desk."""
    _run(functools.partial(review_drafts, options=DeskOptions.of(arguments)), arguments)


def apply_from_arguments(arguments: argparse.Namespace) -> None:
    """The same for applying drafts."""
    from rasa_intent_discovery.review.applying.applier import ApplyOptions

    options = ApplyOptions(**_given(arguments, ("with_rules", "nlu_file", "with_flows")))
    given = _given(arguments, ("intents", "dry_run", "yes"))
    _run(functools.partial(apply_drafts, options=options, **given), arguments)


def _given(arguments: argparse.Namespace, names: Collection[str]) -> dict[str, Any]:
    """Those of the arguments that are there."""
    return {name: value for name, value in vars(arguments).items() if name in names}


def _run(action: Callable[[BotPlace, Mapping[str, Any]], str], arguments: Any) -> None:
    given = _given(arguments, DiscoveryConfig().to_dict())
    data = (arguments.data,) if isinstance(arguments.data, str) else tuple(arguments.data)

    def act() -> str:
        return action(BotPlace(arguments.config, domain_there(arguments.domain), data), given)

    run_or_exit(act, RasaException)
