"""The command as a program of its own, which does what `rasa` does before and after a command of its own.

`rasa` itself is not started: Rasa Pro's loads all of its commands, and asks for a licence before any of them.
"""

from __future__ import annotations

import argparse
import functools
import os
import sys

from rasa.cli.arguments.default_arguments import add_logging_options
from rasa.shared.exceptions import RasaException
from rasa.shared.utils.cli import print_error
from rasa.utils.common import configure_logging_and_warnings
from rasa.utils.io import configure_colored_logging
from rasa.utils.log_utils import configure_structlog

from rasa_intent_discovery.command.names import NLU
from rasa_intent_discovery.command.program import mute_deprecations
from rasa_intent_discovery.rasa_plugin.command import add_subparser


def run_program(prog: str) -> None:
    """Runs the command with the arguments of the command line.

    Args:
        prog: what the program is called in its help and its errors.
    """
    parser = parser_of_program(prog)
    arguments = parser.parse_args()
    arguments.program = parser
    level = getattr(arguments, "loglevel", None)
    file = getattr(arguments, "logging_config_file", None)
    configure_logging_and_warnings(level, file, warn_only_once=True, filter_repeated_logs=True)
    configure_colored_logging(level)
    configure_structlog(level)
    import sanic.app  # noqa: F401  # Rasa's web server: when it is loaded, it has all deprecations shown

    mute_deprecations()
    sys.path.insert(1, os.getcwd())  # for the modules of a bot's own components
    try:
        arguments.func(arguments)
    except RasaException as error:
        print_error(f"{type(error).__name__}: {error}")
        sys.exit(1)


def parser_of_program(prog: str) -> argparse.ArgumentParser:
    """The parser of our command by itself."""
    every_command = argparse.ArgumentParser(add_help=False)
    add_logging_options(every_command)
    commands = argparse.ArgumentParser().add_subparsers()
    commands.add_parser = functools.partial(commands.add_parser, prog=prog)  # type: ignore[method-assign]
    add_subparser(commands, parents=[every_command])
    [parser] = commands.choices.values()
    parser.epilog = f"{parser.epilog or ''} Without a bot: {prog} {NLU} PATH --help".strip()
    return parser
