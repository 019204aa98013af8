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
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from rasa.cli.arguments import default_arguments
from rasa.shared.exceptions import RasaException
from rasa.shared.utils.cli import print_error

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.errors import DiscoveryError
from rasa_intent_discovery.rasa_plugin import review_command
from rasa_intent_discovery.rasa_plugin.actions import backtest_bot, discover_intents
from rasa_intent_discovery.rasa_plugin.apply_command import APPLY, add_options, apply_drafts
from rasa_intent_discovery.rasa_plugin.names import COMMAND, INTERRUPTED
from rasa_intent_discovery.rasa_plugin.options import add_settings, at_least_one
from rasa_intent_discovery.rasa_plugin.review_command import REVIEW, review_drafts

BACKTEST = "backtest"
_ACTIONS = (APPLY, BACKTEST, REVIEW)

_EPILOG = (
    "Settings of IntentDiscovery in config.yml are the defaults of these options, and the command line wins. "
    "Relative paths in both are looked up from the folder the command runs in."
)

#: Environment variables that libraries read when they are loaded.
_ENVIRONMENT = {
    # transformers imports TensorFlow where it is installed, as with Rasa: 8 s for nothing.
    "USE_TF": "0",
    # No warnings about weights of an encoder that are not used here.
    "TRANSFORMERS_VERBOSITY": "error",
    # Otherwise waiting threads spin, which slows the working ones on a busy machine.
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
    every = {option for of in (parser, *actions.choices.values()) for option in of._option_string_actions}
    parser.parse_known_args = functools.partial(  # type: ignore[method-assign]
        _parse, parser.parse_known_args, parser.error, every
    )


def _parse(
    parse: Callable[..., Any],
    error: Callable[[str], NoReturn],
    options: set[str],
    words: Sequence[str] | None = None,
    namespace: argparse.Namespace | None = None,
) -> Any:
    """Parses the command line, but first refuses an option that no action has, and suggests the closest.

    argparse by itself would take the value behind it for the name of an action.
    """
    words = sys.argv[1:] if words is None else words
    for word in words:
        option = word.partition("=")[0]
        if option.startswith("--") and not any(known.startswith(option) for known in options):
            nearest = get_close_matches(option[2:], sorted(known.lstrip("-") for known in options), n=1)
            error(f"there is no option {option}" + (f", did you mean --{nearest[0]}?" if nearest else ""))
    return parse(words, namespace)


def _explain(error: Callable[[str], NoReturn], message: str) -> NoReturn:
    """Explains a stray word on the command line, which argparse takes for an unknown action."""
    stray = re.match(r"argument \[.*\]: invalid choice: '(.*)' \(", message)
    if stray:
        nearest = get_close_matches(stray[1], _ACTIONS, n=1)
        message = f"{stray[1]!r} belongs to no option here: messages are given with --messages"
        if nearest:
            message = f"{stray[1]!r} is no action: did you mean {nearest[0]}?"
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
        "or ignored. It changes the drafts only; what is accepted, `apply` puts into the bot.",
    )
    review_command.add_options(parser)


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


def run_from_arguments(arguments: argparse.Namespace) -> None:
    """Called by `rasa`: runs the command, and turns errors into one line and an exit code."""
    _refuse_swallowed_action(arguments)
    _run(functools.partial(discover_intents, endpoints=arguments.endpoints), arguments)


def _refuse_swallowed_action(arguments: argparse.Namespace) -> None:
    """Exits if an option of several values has taken the action behind it for one of them."""
    for name, values in vars(arguments).items():
        for action in _ACTIONS:
            if isinstance(values, list) and action in values and not Path(action).exists():
                _exit(
                    f"{action} was read as one of the values of --{name}: write `rasa {COMMAND} {action}` "
                    "first, and the options behind it",
                    2,
                )


def backtest_from_arguments(arguments: argparse.Namespace) -> None:
    """The same for the backtest."""
    rounds, report = getattr(arguments, "rounds", None), Path(arguments.report)
    _run(
        functools.partial(backtest_bot, endpoints=arguments.endpoints, rounds=rounds, report=report),
        arguments,
    )


def review_from_arguments(arguments: argparse.Namespace) -> None:
    """The same for the review desk."""
    options = {
        name: getattr(arguments, name) for name in ("port", "no_browser", "terminal", "reviewer", "host")
    }

    def review(config: str, domain: str | None, data: Sequence[str], given: Mapping[str, Any]) -> str:
        return review_drafts(config, given, **options, domain_path=domain, data_paths=data)

    _run(review, arguments)


def apply_from_arguments(arguments: argparse.Namespace) -> None:
    """The same for applying drafts."""
    names = ("intents", "dry_run", "with_rules", "nlu_file", "yes")
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
    """Ends with the line, as Rasa prints an error; without its colour where no person reads it."""
    if sys.stdout.isatty():
        print_error(line)
    else:
        sys.stdout.write(f"{line}\n")
    sys.exit(code)
