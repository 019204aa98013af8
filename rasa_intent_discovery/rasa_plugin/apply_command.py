"""`rasa discover-intents apply`: puts accepted drafts into the bot's own files."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rasa.cli.arguments import default_arguments
from rasa.shared.utils.cli import print_warning

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.errors import DataError

logger = logging.getLogger(__name__)

APPLY = "apply"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `apply`, beside those that say where the bot is."""
    parser.add_argument(
        "intents",
        nargs="*",
        metavar="INTENT",
        default=argparse.SUPPRESS,
        help="Drafts to apply, whatever their decision says (default: all that say `decision: accepted`).",
    )
    options = parser.add_argument_group("Intent Discovery", argument_default=argparse.SUPPRESS)
    default_arguments.add_out_param(
        options, f"Folder of the drafts (default: {DiscoveryConfig().out}).", default=argparse.SUPPRESS
    )
    options.add_argument(
        "--dry-run", action="store_true", help="Shows what would change, and changes nothing."
    )
    options.add_argument(
        "--with-rules",
        action="store_true",
        help="Gives new intents that no story or rule is about a rule, and a response to fill in.",
    )
    options.add_argument(
        "--with-flows",
        action="store_true",
        help="Gives new intents that no story, rule or flow is about a flow, and a response to fill in (Rasa "
        "Pro).",
    )
    options.add_argument(
        "--nlu-file",
        metavar="FILE",
        help="Where new intents go, one of the bot's files or a new one (default: a file of their own each).",
    )
    options.add_argument(
        "--yes", action="store_true", help="Does not ask before files with uncommitted changes are changed."
    )


def apply_drafts(
    config_path: str,
    domain_path: str | None,
    data_paths: Sequence[str],
    given: Mapping[str, Any],
    intents: Sequence[str] = (),
    dry_run: bool = False,
    with_rules: bool = False,
    nlu_file: str | None = None,
    yes: bool = False,
    with_flows: bool = False,
) -> str:
    """Applies drafts to a bot; what an `apply` that was killed left half-done is undone first.

    Args:
        config_path, domain_path, data_paths: the bot's configuration, domain and training data.
        given: settings from the command line, which override those in the configuration.
        intents: those whose drafts are applied; empty applies all that are accepted.
        dry_run: changes nothing.
        with_rules: adds rules and responses for new intents, too.
        nlu_file: the file for new intents; None gives each a file of its own.
        yes: changes files with uncommitted changes without asking.
        with_flows: adds flows and responses for new intents, too.

    Returns:
        The text to print.

    Raises:
        DiscoveryError: anything the person can put right; nothing is changed then.
    """
    from rasa_intent_discovery.drafts import apply_summary
    from rasa_intent_discovery.drafts.change_journal import interrupted_files, journal_of, take_back
    from rasa_intent_discovery.drafts.file_changes import unified_diff, write_changes
    from rasa_intent_discovery.drafts.synchronised import other_versions
    from rasa_intent_discovery.rasa_plugin.apply_plan import plan_drafts
    from rasa_intent_discovery.rasa_plugin.place import BotPlace
    from rasa_intent_discovery.rasa_plugin.project import component_settings
    from rasa_intent_discovery.rasa_plugin.settings import parse_settings

    _, config = parse_settings({**component_settings(config_path), **given}, config_path)
    journal = journal_of(config_path)
    if not dry_run:
        take_back(journal)
    elif half_done := interrupted_files(journal):
        logger.warning(
            f"An earlier `apply` was killed, and this dry run starts from what it left in "
            f"{_listed(half_done)}; the next `apply` first makes them as they were."
        )
    for said in other_versions(Path(config.out)):
        logger.warning(said)
    place = BotPlace(config_path, domain_path, tuple(data_paths))
    planned = plan_drafts(place, config.out, intents, with_rules, nlu_file, with_flows)
    if planned is None:
        return apply_summary.nothing_accepted(config.out)
    changes = planned.plan.changes
    if dry_run:
        return unified_diff(changes) + apply_summary.summarize_plan(planned.plan, planned.linked, dry_run)
    try:
        if not yes:
            _ask([change.path for change in changes if change.old is not None])
        if changes:
            write_changes(changes, journal)
    except KeyboardInterrupt:
        raise KeyboardInterrupt("nothing was changed") from None
    return apply_summary.summarize_plan(planned.plan, planned.linked)


def _ask(paths: Iterable[Path]) -> None:
    """Asks before files with uncommitted changes are changed, as `git diff` would mix the two."""
    from rasa_intent_discovery.rasa_plugin.git import is_uncommitted

    changed = _listed(path for path in paths if is_uncommitted(path))
    if not changed:
        return
    if not _is_terminal():
        raise DataError(f"there are uncommitted changes in {changed}: commit them first, or go on with --yes")
    print_warning(f"There are uncommitted changes in {changed}.")
    try:
        answer = input("Change what is in them all the same? [y/N] ")
    except EOFError:
        answer = ""
    if answer.strip().lower() not in ("y", "yes"):
        raise DataError("nothing was changed")


def _listed(paths: Iterable[Path]) -> str:
    return ", ".join(map(str, paths))


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()
