"""Performs, undoes and redoes decisions on a folder of drafts; each one is on disk at once.

A change is written to the journal first (`drafts/journal.py`), then to the draft files, then to the list of
decisions in `run.json`. If the desk is killed in between, opening the folder again completes the change
(`review/folder.py`). All of it is one step to other desks and runs, and is done only if the folder is as the
desk has read it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rasa_intent_discovery.datatypes import NEW
from rasa_intent_discovery.drafts.draft_edit import edited, relisted
from rasa_intent_discovery.drafts.file_changes import FileUpdate, HalfWritten, write_changes
from rasa_intent_discovery.drafts.folder import ANSWERS, DOMAIN, JOURNAL, held, read_bytes
from rasa_intent_discovery.drafts.journal import (
    REDO,
    UNDO,
    Entry,
    FileChange,
    applied,
    difference,
    next_redo,
    next_undo,
)
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.answers import answer_line
from rasa_intent_discovery.review.decisions import Change, Review, perform
from rasa_intent_discovery.review.folder import (
    Desk,
    DraftFile,
    append_entry,
    check_unchanged,
    desk_of,
    note_decisions,
)
from rasa_intent_discovery.training_data.nlu_yaml import Draft, draft_text


def act(desk: Desk, verb: str, arguments: Mapping[str, Any]) -> tuple[Desk, str | None]:
    """Performs a verb of `decisions.VERBS` and writes what changes.

    Returns:
        The desk afterwards, and the path of the draft to show next.

    Raises:
        ChangedElsewhere: the folder is not as the desk has read it; nothing is changed then.
        DataError: it cannot be done; nothing is changed then.
    """
    change = perform(desk.review, verb, arguments)
    files = {path: _as_file(desk, path, draft) for path, draft in change.drafts.items()}
    texts = {path: read.text if read else None for path, read in files.items()}
    domain = desk.beside.get(DOMAIN)
    if domain is not None and (listed := relisted(domain, *_names(desk.review, change))) != domain:
        texts[DOMAIN] = listed
    if change.answer is not None:
        texts[ANSWERS] = _whole_lines(desk.beside.get(ANSWERS, "")) + answer_line(change.answer)
    changes = {path: difference(_text(desk, path), text) for path, text in texts.items()}
    return _written(desk, change.verb, change.says, changes, texts, files), change.chosen


def undo(desk: Desk) -> Desk:
    """Takes back the last decision.

    Raises:
        ChangedElsewhere: as `act`.
        DataError: there is none, or a file that it changed was edited by hand since.
    """
    return _again(desk, UNDO, next_undo(desk.journal))


def redo(desk: Desk) -> Desk:
    """Repeats the decision that was undone last; raises as `undo`."""
    return _again(desk, REDO, next_redo(desk.journal))


def _again(desk: Desk, verb: str, entry: Entry | None) -> Desk:
    if entry is None:
        raise DataError(f"there is nothing to {verb}")
    changes = {path: change.reversed() if verb == UNDO else change for path, change in entry.files.items()}
    texts = {}
    for path, change in changes.items():
        try:
            texts[path] = applied(change, _text(desk, path))
        except ValueError:
            raise DataError(f"{entry.says}: {path} was edited by hand since, so that stays") from None
    says = f"{'Undone' if verb == UNDO else 'Done again'}: {entry.says}"
    return _written(desk, verb, says, changes, texts, {}, entry.revision)


def _text(desk: Desk, path: str) -> str | None:
    return desk.files[path].text if path in desk.files else desk.beside.get(path)


def _whole_lines(text: str) -> str:
    """The text with an end to its last line, which an editor may have left without one."""
    return f"{text}\n" if text and not text.endswith("\n") else text


def _as_file(desk: Desk, path: str, draft: Draft | None) -> DraftFile | None:
    if draft is None:
        return None
    old = desk.files.get(path)
    if old is None:
        return DraftFile(draft_text(draft), draft, True)
    text = edited(old.text, old.draft, draft, str(desk.folder / path), old.ours)
    return DraftFile(text, draft, old.ours)


def _names(review: Review, change: Change) -> tuple[list[str], list[str]]:
    """The names of the proposals before and after a change."""
    after = {**review.drafts, **change.drafts}
    before = [draft.intent for path, draft in review.drafts.items() if path.startswith(NEW)]
    return before, [draft.intent for path, draft in after.items() if draft and path.startswith(NEW)]


def _written(
    desk: Desk,
    verb: str,
    says: str,
    changes: dict[str, FileChange],
    texts: Mapping[str, str | None],
    files: Mapping[str, DraftFile | None],
    of: int | None = None,
) -> Desk:
    """Writes journal, files and decisions, in this order; if any of it fails, all of it is as it was.

    Where that cannot be had, the next one who opens the folder completes it.
    """
    journal = desk.folder / JOURNAL
    try:
        with held(desk.folder):
            check_unchanged(desk)
            contents = {path: read_bytes(desk.folder / path) for path in desk.review.unreadable}
            size = journal.stat().st_size if journal.exists() else 0
            try:
                entries = (*desk.journal, append_entry(desk.folder, desk.journal, verb, says, changes, of))
                run, noted = note_decisions(desk.folder, desk.run, entries)
                write_changes([*_updates(desk, texts), *noted])
            except HalfWritten as error:  # the journal tells what is left to do
                raise HalfWritten(
                    f"{error}: when the disk is there again, the next command completes the decision"
                ) from error
            except BaseException:
                if journal.exists():
                    os.truncate(journal, size)
                raise
            for path in {*desk.files, *texts, *desk.beside}:
                text = texts.get(path) if path in texts else _text(desk, path)
                if text is not None:
                    contents[path] = text.encode("utf-8")
            made = {read.text: read for read in files.values() if read}
            return desk_of(desk.folder, contents, run, entries, replace(desk, past={**desk.past, **made}))
    except OSError as error:
        raise DataError(f"{desk.folder} could not be written: {error.strerror or error}") from error


def _updates(desk: Desk, texts: Mapping[str, str | None]) -> list[FileUpdate]:
    """The changes of the files, those that remove one last."""
    changes = []
    for path, text in sorted(texts.items(), key=lambda item: item[1] is None):
        old = _text(desk, path)
        (desk.folder / path).parent.mkdir(exist_ok=True)
        before, after = (None if one is None else one.encode("utf-8") for one in (old, text))
        changes.append(FileUpdate(desk.folder / path, before, after))
    return changes
