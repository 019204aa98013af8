"""Says of a word on the command line that belongs nowhere what was perhaps meant.

argparse by itself takes the value behind an unknown option for the name of an action, and an option before an
action that does not have it for one that is given.
"""

from __future__ import annotations

import argparse
import functools
import re
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from rasa_intent_discovery.command.names import COMMAND, NLU

#: Where the parsed command line has the name of the action; None for a run.
ACTION = "action"


def explain_stray_words(
    parser: argparse.ArgumentParser,
    actions: Mapping[str, argparse.ArgumentParser],
    only_with_rasa: Collection[str] = (),
) -> None:
    """Has the parser of the command explain them. Changes the parser.

    Args:
        actions: name -> parser, of the actions of the command.
        only_with_rasa: options that the command would have for a bot of Rasa.
    """
    briefly = functools.partial(_end_briefly, parser)
    parser.error = functools.partial(_explain, briefly, actions)  # type: ignore[method-assign]
    for action in actions.values():
        action.error = functools.partial(_end_briefly, action)  # type: ignore[method-assign]
    own = set(parser._option_string_actions)
    several = {name for name, of in parser._option_string_actions.items() if of.nargs in ("+", "*")}
    options_of = {name: set(of._option_string_actions) for name, of in actions.items()}
    parser.parse_known_args = functools.partial(  # type: ignore[method-assign]
        _parse, parser.parse_known_args, briefly, own, several, options_of, only_with_rasa, parser.prog
    )


def _parse(
    parse: Callable[..., Any],
    briefly: Callable[[str], NoReturn],
    own: Collection[str],
    several: Collection[str],
    options_of: Mapping[str, Collection[str]],
    only_with_rasa: Collection[str],
    command: str,
    words: Sequence[str] | None = None,
    namespace: argparse.Namespace | None = None,
) -> Any:
    """Parses the command line, but first refuses an option that no action has, and suggests the closest.

    Args:
        own: the options of the command itself; several: those that take several values.
        options_of: action -> its options.
    """
    words = sys.argv[1:] if words is None else words
    if swallowed := _swallowed(words, several, options_of):
        action, option = swallowed
        briefly(
            f"{action} was read as one of the values of {option}: write `{command} {action}` first, and the "
            "options behind it"
        )
    options, acts = {*own}.union(*options_of.values()), False
    for word in words:
        acts = acts or word in options_of
        option = word.partition("=")[0]
        has_it = [action for action, its in options_of.items() if option in its]
        if has_it and option not in own and not acts:
            briefly(f"{option} is an option of {has_it[0]}: write it behind that word")
        if option in only_with_rasa:
            briefly(f"{option} is for a bot of Rasa: run this where Rasa is installed, and without --nlu")
        if option == NLU and NLU not in options:
            briefly(
                f"{NLU} is for NLU data without a bot, rasa-{COMMAND} {NLU} PATH: here the bot's own data is "
                "read, and --data names another folder of it"
            )
        if option.startswith("--") and not any(known.startswith(option) for known in options):
            nearest = get_close_matches(option[2:], sorted(known.lstrip("-") for known in options), n=1)
            if nearest:
                briefly(f"there is no option {option}, did you mean --{nearest[0]}?")
            briefly(f"there is no option {option}: --help lists those there are")
    found = parse(words, namespace)
    acting = getattr(found[0], ACTION, None)
    if acting is not None and (stray := _of_the_run(words, own, options_of[acting])):
        briefly(f"{stray} is an option of a run, and {acting} starts none: leave it out")
    if acting is not None and found[1]:
        briefly(_stray(found[1][0], reads="--messages" in options_of[acting]))
    return found


def _stray(word: str, reads: bool) -> str:
    """What is said of a word that is neither an option nor an action; `reads` as where messages are read."""
    return f"{word!r} belongs to no option here{': messages are given with --messages' if reads else ''}"


def _swallowed(
    words: Sequence[str], several: Collection[str], actions: Collection[str]
) -> tuple[str, str] | None:
    """The action that an option of several values takes for one of them, and the option."""
    taking = ""
    for word in words:
        if word in actions and not (taking and Path(word).exists()):
            return (word, taking) if taking else None
        if word.startswith("-") and word.strip("-"):
            taking = word if any(one.startswith(word) for one in several) else ""
    return None


def _of_the_run(words: Sequence[str], own: Collection[str], its: Collection[str]) -> str | None:
    """The first option among the words, in full or in short, that the command has and its action has not."""
    for word in words:
        option = word.partition("=")[0]
        meant = [one for one in own if one == option or (option[2:] and one.startswith(option))]
        if option.startswith("-") and meant and not any(one.startswith(option) for one in its):
            return option
    return None


def _end_briefly(parser: argparse.ArgumentParser, message: str) -> NoReturn:
    """Ends as for a wrong command line, but without all the options: the message says what is wrong."""
    parser.exit(2, f"{parser.prog}: error: {message}\n")


def _explain(
    briefly: Callable[[str], NoReturn],
    actions: Collection[str],
    message: str,
) -> NoReturn:
    """Explains a stray word on the command line, which argparse takes for an unknown action."""
    stray = re.match(r"argument \[.*\]: invalid choice: '(.*)' \(", message)
    if stray:
        nearest = get_close_matches(stray[1], sorted(actions), n=1)
        message = _stray(stray[1], reads=True)
        if nearest:
            message = f"{stray[1]!r} is no action: did you mean {nearest[0]}?"
    briefly(message)
