"""`rasa-discover-intents --nlu data/nlu.yml`: the command for NLU data in Rasa's format, without any Rasa.

    NLU YAML, messages -> run_discovery -> folder of drafts -> review -> apply, into the NLU YAML

What reads a bot's configuration, domain or tracker store stays with Rasa. Nothing heavy is imported until the
command runs.
"""

from __future__ import annotations

import argparse
import functools
import logging
import os
import shlex
import sys
import warnings
from collections.abc import Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rasa_intent_discovery.command import waiting
from rasa_intent_discovery.command.desk import DeskOptions, add_desk_options, serve_desk
from rasa_intent_discovery.command.launched import helped
from rasa_intent_discovery.command.names import APPLY, NLU, REVIEW
from rasa_intent_discovery.command.options import (
    COMMAND_LINE,
    add_applying,
    add_settings,
    add_version,
    naming_options,
    out_option,
)
from rasa_intent_discovery.command.program import exit_with, run_or_exit
from rasa_intent_discovery.command.stray_words import ACTION, explain_stray_words
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.kept_values import list_in, mapping_in

if TYPE_CHECKING:
    from rasa_intent_discovery.datatypes import KnownExample

logger = logging.getLogger(__name__)

_BOT_UNKNOWN = (
    "Your bot is not known here, so what it has already is not seen: name its NLU data, for example "
    f"{NLU} data/nlu.yml."
)

# The key of what is kept of the command line that names the files of --nlu, seen from the folder of drafts.
_NLU = "nlu"
#: Actions that there are beside Rasa only.
_WITH_RASA_ALONE = ("backtest", "completion")
#: Options that there are for a bot of Rasa only.
ONLY_WITH_RASA = ("--with-rules", "--with-flows", "--config", "--domain", "--data", "--endpoints")


def run_nlu_program(prog: str) -> None:
    """Runs the command with the arguments of the command line.

    Args:
        prog: what the program is called in its help and its errors.
    """
    for word in sys.argv[1:2]:
        if word in _WITH_RASA_ALONE:
            exit_with(f"{word} needs Rasa: install it, or leave {NLU} out where it is installed", 2)
    arguments = parser_of_nlu_program(prog).parse_args()
    given = vars(arguments)
    level = logging.DEBUG if "debug" in given else logging.WARNING if "quiet" in given else logging.INFO
    logging.basicConfig(format="%(asctime)s %(levelname)-8s %(message)s", datefmt="%H:%M:%S")
    logging.getLogger("rasa_intent_discovery").setLevel(level)
    if "debug" not in given:
        warnings.simplefilter("ignore")
    run_or_exit(functools.partial(arguments.work, arguments, prog))
    if given.get("exit_code"):
        run_or_exit(functools.partial(waiting.exit_if_any_waits, _folder(given)))


def parser_of_nlu_program(prog: str) -> argparse.ArgumentParser:
    """The parser of the command; `work` of what it parses does what was asked for."""
    every = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    every.add_argument(
        NLU, nargs="+", metavar="PATH", help="NLU YAML of the known intents: files, or folders of them."
    )
    every.add_argument("--debug", action="store_true", help="Prints everything that is logged.")
    every.add_argument("--quiet", action="store_true", help="Prints warnings and the result only.")
    parser = argparse.ArgumentParser(
        prog=prog,
        parents=[every],
        description="Reads NLU data in Rasa's format and logged messages, and writes a folder of drafts: "
        "proposed new intents, further examples of existing ones, and a page to look at. With --nlu, no Rasa "
        "is needed. Where the bot is one of Rasa's, leave --nlu out, and run it in the folder of the bot.",
    )
    parser.set_defaults(work=_discover)
    add_version(parser)
    add_settings(parser)
    waiting.add_option(parser)
    actions = parser.add_subparsers(title="Other actions", dest=ACTION, metavar=f"[{REVIEW}|{APPLY}]")
    review = actions.add_parser(
        REVIEW,
        prog=f"{prog} {REVIEW}",
        parents=[every],
        help="Opens a page on which the drafts are read and decided about.",
        description="Serves a page on this machine on which proposals are accepted, renamed, merged, split "
        "or ignored. It changes the drafts only; what is accepted, `apply` puts into the NLU data.",
    )
    add_desk_options(review)
    review.set_defaults(work=_review)
    apply = actions.add_parser(
        APPLY,
        prog=f"{prog} {APPLY}",
        parents=[every],
        help="Puts accepted drafts into the NLU data.",
        description="Puts the drafts that say `decision: accepted` into the files of --nlu. What is in them "
        "stays as it is; what is there already is not added again.",
    )
    add_applying(apply)
    apply.set_defaults(work=_apply)
    explain_stray_words(parser, actions.choices, ONLY_WITH_RASA)
    return parser


def _discover(arguments: argparse.Namespace, prog: str) -> str:
    given = vars(arguments)
    paths = _paths(given, prog)
    with helped():
        logger.info("reading %s and the messages", ", ".join(paths))
        from rasa_intent_discovery import run
        from rasa_intent_discovery.command.nlu_bot import journal_of_nlu, read_nlu_bot
        from rasa_intent_discovery.corpus.build import check_known
        from rasa_intent_discovery.drafts.change_journal import take_back
        from rasa_intent_discovery.progress import ShownProgress
        from rasa_intent_discovery.review.findings import summary

        names = DiscoveryConfig().to_dict()
        settings = {name: value for name, value in given.items() if name in names}
        with naming_options(settings):
            config = DiscoveryConfig.from_mapping(settings, COMMAND_LINE)
        if not config.messages:
            raise ConfigError("there are no messages to look at: give files or folders with --messages")
        take_back(journal_of_nlu(paths))
        bot = read_nlu_bot(paths)
        check_known((example.intent for example in bot.examples), config, ", ".join(paths))
        outcome = run.run_discovery(
            bot.known(),
            config,
            ShownProgress,
            given={**settings, _NLU: [os.path.relpath(path, config.out) for path in paths]},
        )
    try:
        return summary.summarize(
            outcome.discovery, outcome.skipped, config, _options(given), outcome.warnings, prog
        )
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"the drafts are in {config.out}") from None


def _review(arguments: argparse.Namespace, prog: str) -> str:
    from rasa_intent_discovery.command.again import CommandAgain
    from rasa_intent_discovery.command.nlu_bot import journal_of_nlu
    from rasa_intent_discovery.drafts.bot_changes import before_review
    from rasa_intent_discovery.review.applying.end import End

    given = vars(arguments)
    if "nlu" not in given:
        given = {**given, **_as_at_the_run(_folder(given))}
    command = f"{prog} {APPLY}{_options(given)}"
    end, again = End(None, command), None
    if "nlu" in given:
        before_review(journal_of_nlu(given["nlu"]))
        line_seconds = None if given["terminal"] else 1
        end = End(None, command, functools.partial(_examples, given["nlu"]))
        again = CommandAgain(prog, [NLU, *given["nlu"]], shlex.split(out_option(given)), line_seconds)
    with nullcontext() if again is None else closing(again):
        return serve_desk(_folder(given), DeskOptions.of(arguments), command, end, again)


def _as_at_the_run(folder: Path) -> dict[str, list[str]]:
    """The files of --nlu that the run was given; where they are not there, nothing, and a line says so."""
    from rasa_intent_discovery.drafts.folder import GIVEN, read_record

    record = read_record(folder)
    named = list_in(mapping_in(record or {}, GIVEN), _NLU)
    texts = [one for one in named if isinstance(one, str)]
    paths = [os.path.relpath(folder / one) for one in texts]
    if paths and all(os.path.exists(path) and not path.startswith("-") for path in paths):
        return {_NLU: paths}
    if record is not None:
        sys.stdout.write(f"{_BOT_UNKNOWN}\n")
    return {}


def _examples(paths: list[str]) -> Sequence[KnownExample]:
    from rasa_intent_discovery.command.nlu_bot import read_nlu_bot

    return read_nlu_bot(paths).examples


def _apply(arguments: argparse.Namespace, prog: str) -> str:
    from rasa_intent_discovery.command.nlu_bot import journal_of_nlu, read_nlu_bot
    from rasa_intent_discovery.drafts.applied_before import taken_out_since
    from rasa_intent_discovery.drafts.apply_summary import nothing_accepted
    from rasa_intent_discovery.drafts.bot_changes import before_applying, change_files
    from rasa_intent_discovery.drafts.chosen import check_made_for, chosen_drafts, learnt_intents
    from rasa_intent_discovery.drafts.file_changes import unchanged_meanwhile

    given = vars(arguments)
    paths, folder, dry_run = _paths(given, f"{prog} {APPLY}"), _folder(given), "dry_run" in given
    journal = journal_of_nlu(paths)
    before_applying(journal, folder, dry_run)
    with unchanged_meanwhile(paths):
        bot = read_nlu_bot(paths)
        drafts = chosen_drafts(str(folder), given.get("intents", ()))
        if not any(drafts.values()):
            return nothing_accepted(str(folder), prog, _options(given))
        check_made_for(str(folder), {example.intent for example in bot.examples}, prog)
        taken_out = {} if given.get("intents") else taken_out_since(folder, bot.examples)
        planned = bot.planned(drafts, given.get("nlu_file"), learnt_intents(str(folder)), taken_out)
    for path in bot.unread(planned):
        logger.warning(
            f"{path} is in no folder of {NLU}: name it there, too, from the next run on, or its intents are "
            "proposed again."
        )
    return change_files(planned, bot.examples, folder, journal, dry_run, "yes" in given, then=())


def _paths(given: dict[str, Any], command: str) -> list[str]:
    """The files and folders of NLU YAML, which have to be named."""
    if "nlu" not in given:
        raise ConfigError(
            "there is no Rasa in this Python environment. Install this package where your bot's Rasa is, or "
            "Rasa beside it: pip install 'rasa-intent-discovery[rasa]' (Rasa 3.6, Python 3.10). Without it, "
            f"name the NLU data: {command} {NLU} data/nlu.yml"
        )
    paths: list[str] = given["nlu"]
    return paths


def _folder(given: dict[str, Any]) -> Path:
    return Path(given.get("out", DiscoveryConfig().out))


def _options(given: dict[str, Any]) -> str:
    """The options to repeat with the next command."""
    return f" {NLU} {shlex.join(given['nlu'])}{out_option(given)}" if "nlu" in given else out_option(given)
