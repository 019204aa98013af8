"""Command-line options for the settings of `DiscoveryConfig`. Loads nothing heavy."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rasa_intent_discovery import __version__
from rasa_intent_discovery.command.names import PLUGIN
from rasa_intent_discovery.config import DEVICES, PRESETS, DiscoveryConfig
from rasa_intent_discovery.errors import ConfigError, DataError

#: The option that names the tracker store.
ENDPOINTS = "endpoints"
#: Where the settings are from that the options gave, for errors.
COMMAND_LINE = "command line"


def options_of(given: Mapping[str, Any]) -> list[str]:
    """The words of the command line that give these settings, and `endpoints`; others are left out.

    Args:
        given: as the command line gave them, or as they were kept of an earlier run.

    Raises:
        DataError: a value is none that the command line could have given.
    """
    words = []
    if isinstance(given.get(ENDPOINTS), str):
        words.append(f"--{ENDPOINTS}={given[ENDPOINTS]}")
    for action in _settings_options():
        if action.dest not in given or action.dest == "out":
            continue
        option, value = action.option_strings[0], given[action.dest]
        if action.nargs == 0:
            words += [option] if value is action.const else []
        elif action.nargs == "+":
            words += [option, *_paths_or_names(option, value)]
        else:
            words.append(f"{option}={value}")
    return words


def _settings_options() -> list[argparse.Action]:
    """The options that give settings; each has its name on the command line first."""
    parser = argparse.ArgumentParser(add_help=False)
    add_settings(parser)
    return parser._actions


def _paths_or_names(option: str, values: Any) -> list[str]:
    """Several values of one option; none of them may be taken for another option."""
    if not isinstance(values, list) or not values:
        raise DataError(f"run.json: expected a list of values for {option}")
    if any(str(value).startswith("-") for value in values):
        raise DataError(f"run.json: a value of {option} begins with a hyphen")
    return [str(value) for value in values]


@contextmanager
def naming_options(given: Mapping[str, Any]) -> Iterator[None]:
    """An error about a setting from the command line names its option: `--min-messages: expected ...`.

    Args:
        given: the settings that the command line gave.
    """
    try:
        yield
    except ConfigError as error:
        found = re.match(rf"{COMMAND_LINE} > (\w+)(:.*)", str(error), re.DOTALL)
        if not found or found[1] not in given:
            raise
        options = {action.dest: action.option_strings[0] for action in _settings_options()}
        raise ConfigError(f"{options.get(found[1], found[1])}{found[2]}") from None


def out_option(given: Mapping[str, Any]) -> str:
    """The `--out` option to repeat with the next command; empty if it was not given."""
    return f" --out {shlex.quote(str(given['out']))}" if "out" in given else ""


def add_version(parser: argparse.ArgumentParser) -> None:
    """Adds the option that prints which version this is."""
    parser.add_argument(
        "--version", action="version", version=f"{PLUGIN} {__version__}", help="Prints the version."
    )


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Adds an option for each setting; one that is not given is not in the namespace."""
    default = DiscoveryConfig()
    options = parser.add_argument_group("Intent Discovery", argument_default=argparse.SUPPRESS)
    options.add_argument("--out", help=f"Folder the drafts are written to (default: {default.out}).")
    options.add_argument(
        "--messages",
        nargs="+",
        metavar="PATH",
        help="Logged messages: txt, csv, tsv, jsonl, xlsx or NLU YAML files, or folders of them (default: "
        "`messages` of IntentDiscovery in config.yml).",
    )
    options.add_argument(
        "--text-column",
        metavar="NAME",
        help="Column of csv, tsv and xlsx files, and key of jsonl files, that holds the text "
        f"(default: {default.text_column}).",
    )
    options.add_argument(
        "--time-column",
        metavar="NAME",
        help="The same, that holds the time of a message (default: time, timestamp, created_at and other "
        "usual names).",
    )
    options.add_argument(
        "--writer",
        dest="writers",
        nargs="+",
        metavar="NAME",
        help="Only messages of these, where a column or key says who wrote (default: all but bots and "
        "agents).",
    )
    options.add_argument(
        "--since",
        metavar="DATE",
        help="Only messages from that day or moment on, where their time is known (default: all).",
    )
    options.add_argument(
        "--until",
        metavar="DATE",
        help="Only messages up to that day or moment, where their time is known (default: all).",
    )
    options.add_argument(
        "--channel",
        dest="channels",
        nargs="+",
        metavar="NAME",
        help="Of kept conversations, only messages from these input channels of Rasa's (default: all).",
    )
    options.add_argument(
        "--below",
        type=float,
        metavar="CONFIDENCE",
        help="Of kept conversations, messages recognised with less confidence, 0 to 1 (default: those that "
        "fell back).",
    )
    options.add_argument(
        "--all-messages",
        action="store_true",
        default=argparse.SUPPRESS,
        help="Of kept conversations, all messages, also those the bot recognised.",
    )
    options.add_argument(
        "--preset",
        choices=list(PRESETS),
        help="Method: the best known to us, the published one to the letter, or a first look within "
        f"seconds (default: {default.preset}).",
    )
    options.add_argument(
        "--num-intents",
        type=_auto_or_number,
        metavar="auto|N",
        help="How many new intents to look for (default: auto, estimated from the messages).",
    )
    options.add_argument(
        "--min-messages",
        type=int,
        metavar="N",
        help=f"A new intent needs at least this many logged messages (default: {default.min_messages}).",
    )
    options.add_argument(
        "--encoder",
        metavar="NAME_OR_PATH",
        help=f"Hugging Face encoder, by name or folder, or `{default.encoder}` for the one from the extra "
        f"`embedded` (default: {default.encoder}).",
    )
    options.add_argument(
        "--encoder-prompt",
        metavar="TEXT",
        help="Put before every text that the encoder reads, such as `query: ` for the E5 family (default: "
        "what the encoder's own files name).",
    )
    options.add_argument(
        "--language",
        metavar="CODE",
        help="Of the bot and its messages, such as de or pt-BR (default: that of config.yml).",
    )
    options.add_argument(
        "--other-languages",
        action="store_true",
        default=argparse.SUPPRESS,
        help="Propose messages in languages that the bot does not speak, too (default: they are left over).",
    )
    options.add_argument(
        "--device",
        choices=DEVICES,
        help=f"Where to compute (default: {default.device}, a GPU if there is one).",
    )
    options.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help=f"Every random choice follows from it (default: {default.seed}).",
    )
    options.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="Have the messages read by a Dask cluster, such as tcp://10.0.0.1:8786 (default: read here).",
    )
    masking = options.add_mutually_exclusive_group()
    masking.add_argument(
        "--mask-personal-data",
        action="store_true",
        default=argparse.SUPPRESS,
        help="Replace e-mail addresses, phone, card, IBAN and national numbers before anything is learnt or "
        "written (default: they are replaced).",
    )
    masking.add_argument(
        "--no-mask-personal-data",
        action="store_false",
        dest="mask_personal_data",
        default=argparse.SUPPRESS,
        help="Leave personal data as it is.",
    )


def add_applying(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Adds the options of `apply` and returns their group; one that is not given is not in the namespace."""
    parser.add_argument(
        "intents",
        nargs="*",
        metavar="INTENT",
        default=argparse.SUPPRESS,
        help="Drafts to apply, whatever their decision says (default: all that say `decision: accepted`).",
    )
    options = parser.add_argument_group("Intent Discovery", argument_default=argparse.SUPPRESS)
    options.add_argument("--out", help=f"Folder of the drafts (default: {DiscoveryConfig().out}).")
    options.add_argument(
        "--dry-run", action="store_true", help="Shows what would change, and changes nothing."
    )
    options.add_argument(
        "--nlu-file",
        metavar="FILE",
        help="Where new intents go, one of the bot's files or a new one (default: a file of their own each).",
    )
    options.add_argument(
        "--yes",
        action="store_true",
        help="Does not ask before files with uncommitted changes are changed, or an intent of the bot that "
        "came since and is called as a proposal is.",
    )
    return options


def _auto_or_number(text: str) -> str | int:
    if text == "auto":
        return text
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected auto or a whole number, got {text!r}") from None


def at_least_one(text: str) -> int:
    """A whole number of at least 1, as a `type` for argparse."""
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got {text!r}")
    return number
