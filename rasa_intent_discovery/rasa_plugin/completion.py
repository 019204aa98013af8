"""`rasa discover-intents completion`: a script with which a shell completes commands and options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from rasa_intent_discovery.errors import ConfigError

COMPLETION = "completion"
_SHELLS = ("bash", "zsh", "fish")


def add_action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], parents: list[argparse.ArgumentParser]
) -> None:
    """Adds the action to those of the command."""
    parser = actions.add_parser(
        COMPLETION,
        parents=parents,
        help="Prints a script with which a shell completes commands and options.",
        description="Prints a script that has the shell complete the commands and options of the program it "
        "was called with: `rasa`, Rasa's own commands among them, or `rasa-discover-intents`.",
    )
    parser.add_argument("shell", choices=_SHELLS, help="The shell that the script is for.")
    parser.set_defaults(func=complete_from_arguments)


def completion_script(shell: str, parser: argparse.ArgumentParser) -> str:
    """The script for a shell.

    Args:
        parser: of the whole program that was called: `rasa`, or our command by itself.

    Raises:
        ConfigError: the library that writes it is not installed.
    """
    try:
        import shtab
    except ImportError:
        raise ConfigError(
            "shtab is not installed, which writes the script: pip install 'rasa-intent-discovery[completion]'"
        ) from None
    if " " in parser.prog:  # python -m rasa_intent_discovery
        parser.prog = "rasa-discover-intents"
    if shell == "bash":
        # Files are completed where the script knows nothing better. Were they named in it, as for the others,
        # it would complete no option behind one that takes several values.
        return shtab.complete(parser, shell).replace("-o bashdefault ", "-o bashdefault -o default ")
    for option in _options(parser):
        if option.nargs != 0 and option.choices is None and option.type is None:
            option.complete = shtab.FILE  # type: ignore[attr-defined]
    return shtab.complete(parser, shell)


def _options(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Those of a parser and of all its actions."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from _options(below)
        elif action.option_strings:
            yield action


def complete_from_arguments(arguments: argparse.Namespace) -> None:
    """Called by `rasa`: prints the script. An error is none of it, and goes to stderr."""
    parser = getattr(arguments, "program", None)
    if parser is None:
        from rasa.__main__ import create_argument_parser

        parser = create_argument_parser()
    try:
        sys.stdout.write(f"{completion_script(arguments.shell, parser)}\n")
    except ConfigError as error:
        sys.exit(str(error))
