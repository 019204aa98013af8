"""The journal of a folder of drafts on disk, and the list of the decisions that have reached the drafts.

Both only grow by lines that name their decision, so that git can put together those of several reviewers.
Who calls this holds the lock of the folder.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

from rasa_intent_discovery.corpus.line_files import append_line
from rasa_intent_discovery.drafts.file_changes import FileUpdate
from rasa_intent_discovery.drafts.folder import (
    DECIDED,
    JOURNAL,
    MERGING,
    MERGING_RULES,
    RUN,
    read_bytes,
)
from rasa_intent_discovery.drafts.history import standing
from rasa_intent_discovery.drafts.journal import (
    EDITED,
    GIT_MARKS,
    Entry,
    FileChange,
    entries_of,
    entry_line,
)
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.kept_values import list_in


def read_journal(folder: Path, run: Mapping[str, Any]) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """The entries of the journal, and a sentence if it is not as it was written, and is set aside.

    That is said once: of the journal that begins anew, nothing is noted to be in the drafts.
    """
    path = folder / JOURNAL
    content = read_bytes(path) if path.exists() else None
    try:
        entries = entries_of(content or b"", path)
        told, where = _told(folder, run)
        missing = told - {entry.id for entry in entries}
        if not missing:
            return entries, ()
        said = f"{path}: {len(missing)} of the {len(told)} decisions that {where} tells of are missing"
    except DataError as error:
        said = str(error)
    if content is None:
        _forget_told(folder)
        return (), (f"{said}: the drafts are as they were, and undo begins anew",)
    names = (f"{path.stem}.broken-{number}{path.suffix}" for number in count(1))
    name = next(name for name in names if not os.path.lexists(folder / name))
    path.rename(folder / name)
    _forget_told(folder)
    return (), (f"{said}, so it was renamed to {name}: the drafts are as they were, and undo begins anew",)


def append_entry(
    folder: Path,
    entries: Sequence[Entry],
    verb: str,
    says: str,
    changes: dict[str, FileChange],
    of: str | None = None,
    reviewer: str = "",
) -> Entry:
    """Appends an entry to the journal on disk, after removing half a line that a crash left.

    Args:
        entries: those that are on disk.

    Raises:
        OSError: it cannot be written, and nothing of it is there.
    """
    after = entries[-1].id if entries else ""
    entry = Entry(secrets.token_hex(6), after, now(), verb, says, changes, of, reviewer)
    journal = folder / JOURNAL
    if journal.exists():
        os.truncate(journal, whole_lines(folder))
    append_line(journal, entry_line(entry).encode("utf-8"), lasting=True)
    return entry


def whole_lines(folder: Path) -> int:
    """The bytes of the journal on disk without half a line that a crash left at its end."""
    journal = folder / JOURNAL
    return journal.read_bytes().rfind(b"\n") + 1 if journal.exists() else 0


def now() -> str:
    """The time as entries tell it."""
    return datetime.now().astimezone().isoformat(timespec="seconds")


def interrupted(folder: Path, run: Mapping[str, Any], entries: Sequence[Entry]) -> Entry | None:
    """The last entry, if its files were being written when the desk was killed.

    That it has reached the drafts is noted last. If others are not noted, either, a person has restored older
    files. An edit by hand is in the files already.
    """
    if not entries or entries[-1].verb == EDITED:
        return None
    path = folder / DECIDED
    if not path.exists() and run.get("decisions"):  # an earlier version of this program
        numbers = [str(one.get("revision")) for one in run["decisions"] if isinstance(one, dict)]
        return entries[-1] if numbers == [entry.id for entry in standing(entries[:-1])] else None
    told, _ = _told(folder, run)
    return entries[-1] if told == {entry.id for entry in entries[:-1]} else None


def decisions_noted(folder: Path, entries: Sequence[Entry]) -> list[FileUpdate]:
    """The change to write, if any, so that all these entries are noted to be in the drafts."""
    path = folder / DECIDED
    before = read_bytes(path) if path.exists() else None
    ids = dict.fromkeys(entry.id for entry in entries)
    kept = [one for one in _ids(before or b"") if one in ids]
    text = "".join(f"{one}\n" for one in dict.fromkeys([*kept, *ids]))
    after = text.encode("ascii", "replace")
    return [] if after == (before or b"") else [FileUpdate(path, before, after)]


def merging_told(folder: Path) -> list[FileUpdate]:
    """The change to write, if any, so that git is told how to merge; what is there already is left alone."""
    path = folder / MERGING
    return [] if os.path.lexists(path) else [FileUpdate(path, None, MERGING_RULES)]


def _told(folder: Path, run: Mapping[str, Any]) -> tuple[set[str], str]:
    """The ids of the decisions that are noted to be in the drafts, and the file that says so."""
    path = folder / DECIDED
    if path.exists():
        return {*_ids(read_bytes(path))}, DECIDED
    told = list_in(run, "decisions")  # an earlier version of this program, which gave numbers
    numbers = [one.get("revision") for one in told if isinstance(one, dict)]
    last = max((number for number in numbers if isinstance(number, int)), default=0)
    return {str(number) for number in range(1, last + 1)}, RUN


def _forget_told(folder: Path) -> None:
    """Notes that no decision is in the drafts; also where an earlier version of this program told of some."""
    (folder / DECIDED).write_bytes(b"")


def _ids(content: bytes) -> list[str]:
    lines = map(str.strip, content.decode("utf-8", "replace").split("\n"))
    return [line for line in lines if line and not line.startswith(GIT_MARKS)]
