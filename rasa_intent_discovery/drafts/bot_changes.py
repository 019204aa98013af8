"""Carries out what was planned for a bot's files, for `apply` in a terminal."""

from __future__ import annotations

import logging
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.drafts.applied_before import note_applied
from rasa_intent_discovery.drafts.apply import Plan
from rasa_intent_discovery.drafts.apply_summary import lost_before, met_before, summarize_plan
from rasa_intent_discovery.drafts.change_journal import interrupted_files, take_back
from rasa_intent_discovery.drafts.file_changes import hard_linked, unified_diff
from rasa_intent_discovery.drafts.git import is_in_git, is_uncommitted, trusting
from rasa_intent_discovery.drafts.synchronised import other_versions
from rasa_intent_discovery.drafts.way_back import WayBack, write_with_way_back
from rasa_intent_discovery.errors import DataError

logger = logging.getLogger(__name__)

_NO_GIT = "\nThese files are in no git repository: `apply` keeps a copy of them, and says how to go back.\n"


def before_applying(journal: Path, folder: Path, dry_run: bool) -> None:
    """Undoes what an `apply` that was killed left half-done; warns of what is to be known before.

    Args:
        folder: of the drafts.
    """
    if not dry_run:
        take_back(journal)
    elif half_done := interrupted_files(journal):
        logger.warning(
            f"An earlier `apply` was killed, and this dry run starts from what it left in "
            f"{_listed(half_done)}; the next `apply` first makes them as they were."
        )
    for said in other_versions(folder):
        logger.warning(said)


def before_review(journal: Path) -> None:
    """Undoes what an `apply` that was killed left half-done; where that cannot be, only applying needs it."""
    try:
        take_back(journal)
    except DataError as error:
        logger.warning(f"{error}.")


def change_files(
    plan: Plan,
    bot: Iterable[KnownExample],
    folder: Path,
    journal: Path,
    dry_run: bool,
    yes: bool,
    then: Sequence[str],
) -> str:
    """Makes the changes of a plan, or shows them.

    Args:
        bot: its examples, as they are.
        folder: of the drafts.
        dry_run: changes nothing.
        yes: goes on without asking where files have uncommitted changes, or an intent came since that is
            called as a proposal is.
        then: what is to be done next, after what the plan leaves to do.

    Returns:
        The text to print.

    Raises:
        DataError: it was not allowed, or a file cannot be written; nothing is changed then.
    """
    linked = hard_linked(plan.changes)
    changed = [change.path for change in plan.changes if change.old is not None]
    if dry_run:
        shown = unified_diff(plan.changes) + summarize_plan(plan, linked, then, dry_run)
        in_git = not changed or is_in_git(changed[0].absolute().parent)
        return shown + (_would_ask(plan, changed) or ("" if in_git else _NO_GIT))
    try:
        if not yes:
            _ask(plan, changed)
        back = write_with_way_back(plan.changes, journal) if plan.changes else None
    except KeyboardInterrupt:
        raise KeyboardInterrupt("nothing was changed") from None
    note_applied(folder, plan.outcomes, bot)
    return summarize_plan(plan, linked, then) + ("" if back is None else _told(back))


def _told(back: WayBack) -> str:
    kept = "" if back.copies is None else f"\nThe files as they were are in {back.copies}."
    return f"{kept}\nTo take it back: {back.command}\n"


def _would_ask(plan: Plan, paths: Collection[Path]) -> str:
    """What a dry run says where `apply` would ask."""
    return "".join(
        f"\n{why[0].upper()}{why[1:]}: {first}, or `apply` asks, or needs --yes.\n"
        for why, first, _ in _doubts(plan, paths)
    )


def _doubts(plan: Plan, paths: Collection[Path]) -> Iterator[tuple[str, str, str]]:
    """Why `apply` asks before it changes files, what to do first, and the question."""
    if (met := met_before(plan)) is not None:
        yield met, "rename the draft if it means something else", "Add to them all the same?"
    if (lost := lost_before(plan)) is not None:
        yield (
            lost,
            "write the name it has now into the draft, if it was renamed",
            "Make it anew all the same?",
        )
    if (unseen := _unseen(paths)) is not None:
        yield *unseen, "Change what is in them all the same?"


def _unseen(paths: Collection[Path]) -> tuple[str, str] | None:
    """Why `git diff` would not show what is changed in files, and what to do first; None where it would."""
    changed = _listed(path for path in paths if is_uncommitted(path))
    if changed:
        return f"there are uncommitted changes in {changed}", "commit them first"
    untold = {path: command for path in paths if (command := trusting(path.parent))}
    if untold:
        why = f"git does not tell of changes in {_listed(untold)}, as the repository is another user's"
        return why, f"run `{' && '.join(dict.fromkeys(untold.values()))}` first"
    return None


def _ask(plan: Plan, paths: Collection[Path]) -> None:
    """Asks before two intents, or changes that `git diff` would not tell from these, are mixed."""
    for why, first, question in _doubts(plan, paths):
        if not _is_terminal():
            raise DataError(f"{why}: {first}, or go on with --yes")
        sys.stdout.write(f"\033[93m{why[0].upper()}{why[1:]}.\033[0m\n")
        try:
            answer = input(f"{question} [y/N] ")
        except EOFError:
            answer = ""
        if answer.strip().lower() not in ("y", "yes"):
            raise DataError("nothing was changed")


def _listed(paths: Iterable[Path]) -> str:
    return ", ".join(map(str, paths))


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()
