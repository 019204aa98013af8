"""`rasa discover-intents apply`: puts accepted drafts into the bot's own files."""

from __future__ import annotations

import argparse
import logging
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rasa.cli.arguments import default_arguments
from rasa.shared.utils.cli import print_warning

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.errors import DataError

if TYPE_CHECKING:
    from rasa_intent_discovery.drafts.bot_sources import BotSources

logger = logging.getLogger(__name__)

APPLY = "apply"
# At most so many names in an error: there may be hundreds.
_SHOWN = 3


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

    Returns:
        The text to print.

    Raises:
        DiscoveryError: anything the person can put right; nothing is changed then.
    """
    from rasa_intent_discovery.datatypes import KNOWN, NEW
    from rasa_intent_discovery.drafts import apply_summary
    from rasa_intent_discovery.drafts.apply import plan
    from rasa_intent_discovery.drafts.change_journal import interrupted_files, journal_of, take_back
    from rasa_intent_discovery.drafts.file_changes import hard_linked, unified_diff, write_changes
    from rasa_intent_discovery.drafts.folder import read_drafts
    from rasa_intent_discovery.drafts.synchronised import other_versions
    from rasa_intent_discovery.rasa_plugin import project
    from rasa_intent_discovery.rasa_plugin.apply_check import check_plan
    from rasa_intent_discovery.rasa_plugin.sources import read_sources
    from rasa_intent_discovery.settings import parse_settings
    from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED

    _, config = parse_settings({**project.component_settings(config_path), **given}, config_path)
    journal = journal_of(config_path)
    if not dry_run:
        take_back(journal)
    elif half_done := interrupted_files(journal):
        logger.warning(
            f"An earlier `apply` was killed, and this dry run starts from what it left in "
            f"{_listed(half_done)}; the next `apply` first makes them as they were."
        )
    drafts = [(part, draft) for part in (NEW, KNOWN) for draft in read_drafts(Path(config.out), part)]
    for said in other_versions(Path(config.out)):
        logger.warning(said)
    _check_names(intents, {draft.intent for _, draft in drafts}, config.out)
    chosen = [
        (part, draft)
        for part, draft in drafts
        if draft.intent in intents or (not intents and draft.decision == ACCEPTED)
    ]
    if not chosen:
        return apply_summary.nothing_accepted(config.out)
    bot = project.read_bot(config_path, domain_path, data_paths)
    _check_bot(config.out, {*bot.intents, *(example.intent for example in bot.examples)})
    sources = read_sources(domain_path, data_paths, bot.examples)
    place = None if nlu_file is None else _place(nlu_file, data_paths, sources)
    new, known = ([draft for part, draft in chosen if part == one] for one in (NEW, KNOWN))
    planned = plan(new, known, sources, with_rules, place)
    check_plan(planned, sources)
    linked = hard_linked(planned.changes)
    if dry_run:
        return unified_diff(planned.changes) + apply_summary.summarize_plan(planned, linked, dry_run)
    try:
        if not yes:
            _ask([change.path for change in planned.changes if change.old is not None])
        if planned.changes:
            write_changes(planned.changes, journal)
    except KeyboardInterrupt:
        raise KeyboardInterrupt("nothing was changed") from None
    return apply_summary.summarize_plan(planned, linked)


def _place(nlu_file: str, data_paths: Sequence[str], sources: BotSources) -> Path:
    """The file by its path in the sources; DataError where Rasa would not read it as training data."""
    path = Path(nlu_file)
    for known in sources.nlu:
        if known.resolve() == path.resolve():
            return known
    if path.exists():
        raise DataError(f"--nlu-file {path} is there and is no NLU training data of this bot: name another")
    folders = [folder for folder in map(Path, data_paths) if folder.is_dir()]
    if not any(folder.resolve() in path.resolve().parents for folder in folders):
        inside = ", ".join(map(str, folders)) or "a folder given with --data"
        raise DataError(f"--nlu-file {path} is not where Rasa reads training data: put it into {inside}")
    if not path.parent.is_dir():
        raise DataError(f"--nlu-file {path}: there is no folder {path.parent}")
    if path.suffix not in (".yml", ".yaml"):
        raise DataError(f"--nlu-file {path}: expected a name that ends in .yml")
    return path


def _check_bot(folder: str, intents: set[str]) -> None:
    """Raises DataError if this bot lacks most intents of the bot that the drafts were made for."""
    from rasa_intent_discovery.drafts.folder import read_record

    learnt = [str(intent) for intent in (read_record(Path(folder)) or {}).get("intents") or ()]
    missing = [intent for intent in learnt if intent not in intents]
    if 2 * len(missing) > len(learnt):
        shown = ", ".join(missing[:_SHOWN]) + (", ..." if len(missing) > _SHOWN else "")
        raise DataError(
            f"the drafts in {folder} are those of another bot, with intents that this one does not have "
            f"({shown}): run `rasa discover-intents` here, or name another folder with --out"
        )


def _check_names(names: Iterable[str], present: Iterable[str], folder: str) -> None:
    for name in names:
        if name not in present:
            nearest = get_close_matches(name, sorted(present), cutoff=0.5)
            hint = f", did you mean {' or '.join(nearest)}?" if nearest else ""
            raise DataError(f"{folder} has no draft of an intent {name!r}{hint}")


def _ask(paths: Iterable[Path]) -> None:
    """Asks before files with uncommitted changes are changed, as `git diff` would mix the two."""
    changed = _listed(path for path in paths if _is_uncommitted(path))
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


def _is_uncommitted(path: Path) -> bool:
    """Whether the file has uncommitted changes; False where there is no git or no work tree."""
    command = ["git", "--no-optional-locks", "status", "--porcelain", "--", path.name]
    try:
        done = subprocess.run(command, cwd=path.parent, capture_output=True, stdin=subprocess.DEVNULL)
    except OSError:
        return False
    return done.returncode == 0 and bool(done.stdout.strip())
