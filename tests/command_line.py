"""The command in this process, as the `rasa` program runs it."""

from __future__ import annotations

import argparse

import pytest
from rasa.cli.arguments.default_arguments import add_logging_options

from rasa_intent_discovery.command.names import COMMAND
from rasa_intent_discovery.rasa_plugin import command


def rasa(*words: str) -> None:
    """`rasa discover-intents WORDS`."""
    logging_options = argparse.ArgumentParser(add_help=False)
    add_logging_options(logging_options)
    parser = argparse.ArgumentParser(prog="rasa")
    command.add_subparser(parser.add_subparsers(), [logging_options])
    arguments = parser.parse_args([COMMAND, *words])
    arguments.func(arguments)


def exit_code(*words: str) -> int:
    """The one with which the command ends before its time."""
    with pytest.raises(SystemExit) as caught:
        rasa(*words)
    code = caught.value.code
    assert isinstance(code, int)
    return code


def printed(line: str) -> str:
    """What is read of a line that a command prints where there is no terminal."""
    return f"{line}\n"
