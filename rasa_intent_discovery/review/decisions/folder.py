"""Reads a folder of drafts for the review desk, completes it after a crash, and writes its journal.

What is changed with another program is never overwritten: it is read, and noted in the journal. Another desk
or a run may work on the same folder: what is read, checked and written belongs into one `held` block.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rasa_intent_discovery.datatypes import KNOWN, NEW
from rasa_intent_discovery.drafts.entities import EntityFinder, finder_of, listed_annotations
from rasa_intent_discovery.drafts.file_changes import FileUpdate, write_changes
from rasa_intent_discovery.drafts.folder import (
    ANSWERS,
    DECIDED,
    DOMAIN,
    JOURNAL,
    RUN,
    draft_paths,
    held,
    left_by_run,
    read_bytes,
    read_record,
    whole_text,
)
from rasa_intent_discovery.drafts.journal import EDITED, MERGED, Entry, FileChange, applied, file_hash
from rasa_intent_discovery.drafts.synchronised import is_draft, other_versions
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.decisions.journal_file import (
    append_entry,
    decisions_noted,
    interrupted,
    merging_told,
    read_journal,
)
from rasa_intent_discovery.review.decisions.several_reviewers import put_together
from rasa_intent_discovery.review.decisions.taken_examples import put_examples
from rasa_intent_discovery.review.decisions.under_review import Review
from rasa_intent_discovery.review.numbers import DESK
from rasa_intent_discovery.training_data.nlu_yaml import Draft, from_yaml, to_yaml

logger = logging.getLogger(__name__)

#: What a decision may change beside drafts.
BESIDE = (DOMAIN, ANSWERS)
# Temporary files of `file_changes`, and of earlier versions of this program.
_BESIDE = re.compile(r"\..+\.(?:new|old)-[0-9a-f]{8}|\.run\.json\.new~")


class ChangedElsewhere(DataError):
    """The folder is not as the desk has read it: another desk, a run or an editor has changed it since."""


@dataclass(frozen=True)
class DraftFile:
    """A draft file: its text, the draft in it, and whether the text is exactly what `to_yaml` writes."""

    text: str
    draft: Draft
    ours: bool


@dataclass(frozen=True, eq=False)
class Desk:
    """A folder under review, as it was last read.

    Attributes:
        folder: where it is.
        review: the drafts that can be read.
        problems: a sentence with file and line for each draft that cannot be read, for a journal that was set
            aside, and for other versions of files.
        journal: all entries.
        run: the content of `run.json`.
        files: path -> draft file, of the drafts that can be read.
        past: text -> draft file, of texts that were read lately, so that they are not parsed again.
        beside: the texts of the domain file and of what was answered, where they are there.
        seen: path -> inode, time and size of the files when they were read.
        set_aside: the sentences about journals among the problems, which stay until the desk is closed.
        history: how often the journal was replaced by another one since the desk was opened.
    """

    folder: Path
    review: Review
    problems: tuple[str, ...]
    journal: tuple[Entry, ...]
    run: Mapping[str, Any]
    files: Mapping[str, DraftFile] = field(repr=False)
    past: Mapping[str, DraftFile] = field(repr=False)
    beside: Mapping[str, str] = field(repr=False)
    seen: Mapping[str, tuple[int, int, int]] = field(repr=False)
    set_aside: tuple[str, ...] = ()
    history: int = 0

    @property
    def revision(self) -> int:
        """How many entries the journal has; it grows with every change."""
        return len(self.journal)

    def entity_finder(self) -> EntityFinder:
        """Finds the annotations that are listed in `run.json` or in any draft."""
        return finder_of(self.review.drafts.values(), *listed_annotations(self.run))


def open_desk(folder: Path, last: Desk | None = None) -> Desk:
    """Reads a folder, completes an interrupted decision, and notes edits by hand in the journal.

    A journal that is not as it was written is set aside, and a new one begun: the drafts need none.

    Args:
        last: the same folder as it was read before, so that only changed files are parsed.

    Raises:
        DataError: it is no folder of drafts, was made by a later version, or cannot be read or written.
    """
    try:
        with held(folder):
            contents = draft_contents(folder)
            run = read_record(folder) or {}
            if last is None:
                _tidy(folder)
            entries, set_aside = read_journal(folder, run)
            contents, entries = _completed(folder, contents, run, entries)
            by_hand = _edits(contents, run, entries)
            if by_hand:
                entries = (*entries, append_entry(folder, entries, EDITED, _edit_says(by_hand), by_hand))
            write_changes([*decisions_noted(folder, entries), *merging_told(folder)])
            desk = desk_of(folder, contents, run, entries, last)
    except OSError as error:
        raise DataError(f"{folder} cannot be read or written: {error.strerror or error}") from error
    return replace(desk, problems=(*set_aside, *desk.problems), set_aside=(*desk.set_aside, *set_aside))


def complete(folder: Path) -> tuple[Entry, ...]:
    """Completes the last decision, from the journal, where a crash kept it from the files.

    What git has merged of several reviewers is put together, too. A journal that is not as it was written is
    set aside, so that the next run keeps it.

    Returns:
        The journal.

    Raises:
        DataError: the journal or a draft cannot be read or written.
    """
    try:
        with held(folder):
            _tidy(folder)
            run = read_record(folder) or {}
            entries, set_aside = read_journal(folder, run)
            for said in set_aside:
                logger.warning(said)
            return _completed(folder, draft_contents(folder), run, entries)[1]
    except OSError as error:
        raise DataError(f"{folder} cannot be read or written: {error.strerror or error}") from error


def refreshed(desk: Desk) -> Desk:
    """The same desk if nothing changed on disk; otherwise the folder read again."""
    return desk if _signature(desk.folder) == desk.seen else open_desk(desk.folder, desk)


def check_unchanged(desk: Desk) -> None:
    """Raises ChangedElsewhere where the folder is not as the desk has read it; the caller holds the lock."""
    if _signature(desk.folder) != desk.seen:
        raise ChangedElsewhere(
            "the drafts were changed elsewhere just now: look at them again, nothing was done"
        )


def desk_of(
    folder: Path,
    contents: Mapping[str, bytes],
    run: Mapping[str, Any],
    entries: tuple[Entry, ...] = (),
    last: Desk | None = None,
) -> Desk:
    """The desk with these files.

    Args:
        contents: path below the folder -> content; other files than drafts and those of `BESIDE` are ignored.
        last: as in `open_desk`.
    """
    files: dict[str, DraftFile] = {}
    problems: dict[str, str] = {}
    past = {**last.past} if last else {}
    for path, content in contents.items():
        if not is_draft(path, contents):
            continue
        try:
            text = whole_text(content, folder / path)
            read = past.pop(text, None) or _read_one(text, folder / path)
            files[path] = past[text] = read
        except DataError as error:
            problems[path] = str(error)
    known = {read.draft.intent for path, read in files.items() if path.startswith(KNOWN)}
    known.update(run.get("intents", ()), run.get("rejecting", ()))
    drafts = {path: read.draft for path, read in sorted(files.items())}
    set_aside = last.set_aside if last else ()
    return Desk(
        folder,
        Review(drafts, frozenset(known), frozenset(problems), put_examples(entries)),
        (*set_aside, *other_versions(folder), *problems.values()),
        entries,
        run,
        files,
        dict(list(past.items())[-max(DESK.remembered_drafts, 2 * len(files)) :]),
        {path: contents[path].decode("utf-8", "replace") for path in BESIDE if path in contents},
        _signature(folder),
        set_aside,
        0 if last is None else last.history + (entries[: last.revision] != last.journal),
    )


def _read_one(text: str, path: Path) -> DraftFile:
    draft = from_yaml(text, where=str(path))
    return DraftFile(text, draft, text == to_yaml(draft))


def draft_contents(folder: Path) -> dict[str, bytes]:
    """Path below the folder -> content, of the drafts and what is beside them."""
    paths = [path for part in (NEW, KNOWN) for path in draft_paths(folder, part)]
    found = [*paths, *(folder / name for name in BESIDE if (folder / name).exists())]
    return {path.relative_to(folder).as_posix(): read_bytes(path) for path in found}


def _completed(
    folder: Path, contents: dict[str, bytes], run: Mapping[str, Any], entries: tuple[Entry, ...]
) -> tuple[dict[str, bytes], tuple[Entry, ...]]:
    """Contents and entries after what was interrupted is done, and what git merged is put together."""
    last = interrupted(folder, run, entries)
    if last is not None:
        _tidy(folder)
        if last.verb != MERGED:
            contents = _complete(folder, contents, last)
    return put_together(folder, contents, run, entries, last if last and last.verb == MERGED else None)


def _complete(folder: Path, contents: dict[str, bytes], entry: Entry) -> dict[str, bytes]:
    """Applies an interrupted entry to the files that do not have it yet."""
    contents = dict(contents)
    for path, change in entry.files.items():
        found = contents.get(path)
        if change.before == change.after or (found and file_hash(found)) != change.before:
            continue
        with suppress(ValueError):
            text = applied(change, None if found is None else found.decode("utf-8"))
            logger.info(f"completed {path}, which was left when the desk ended")
            if text is None:
                (folder / path).unlink()
                del contents[path]
            else:
                (folder / path).parent.mkdir(exist_ok=True)
                contents[path] = text.encode("utf-8")
                write_changes([FileUpdate(folder / path, found, contents[path])])
    return contents


def _tidy(folder: Path) -> None:
    """Removes the temporary files of a desk that was killed."""
    for part in (folder, folder / NEW, folder / KNOWN):
        for path in part.glob(".*"):
            if _BESIDE.fullmatch(path.name):
                path.unlink(missing_ok=True)


def _edits(
    contents: Mapping[str, bytes], run: Mapping[str, Any], entries: Iterable[Entry]
) -> dict[str, FileChange]:
    """The files that are not as a run or the desk wrote them last, each with its change."""
    left: dict[str, str | None] = {
        path: digest for path, digest in left_by_run(run).items() if path.startswith((f"{NEW}/", f"{KNOWN}/"))
    }
    for entry in entries:
        left.update({path: change.after for path, change in entry.files.items()})
    found = {path: file_hash(content) for path, content in contents.items()}
    for path in BESIDE:
        if path not in left:
            found.pop(path, None)
    return {
        path: FileChange(left.get(path), found.get(path))
        for path in sorted({*left, *found})
        if left.get(path) != found.get(path)
    }


def _edit_says(changes: Mapping[str, FileChange]) -> str:
    names = ", ".join(changes)
    return f"edited by hand: {names}" if len(changes) < 4 else f"{len(changes)} files edited by hand"


def _signature(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Path -> inode, time and size of the files: these change when a file is written."""
    paths = [path for part in (NEW, KNOWN) for path in (folder / part).glob("*.y*ml")]
    found = {}
    for path in (*paths, *(folder / name for name in (RUN, JOURNAL, DECIDED, *BESIDE))):
        with suppress(FileNotFoundError):
            status = path.stat()
            found[str(path)] = (status.st_ino, status.st_mtime_ns, status.st_size)
    return found
