"""Performs, undoes and redoes decisions on a folder of drafts; each one is on disk at once.

A change is written to the journal first (`drafts/journal.py`), then to the draft files, then to the list of
what has reached them. If the desk is killed in between, opening the folder again completes the change
(`folder.py`). All of it is one step to other desks and runs, and is done only if the folder is as the desk
has read it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rasa_intent_discovery.datatypes import NEW
from rasa_intent_discovery.drafts.draft_edit import edited, relisted
from rasa_intent_discovery.drafts.draft_merge import merged
from rasa_intent_discovery.drafts.file_changes import FileUpdate, HalfWritten, write_changes
from rasa_intent_discovery.drafts.folder import ANSWERS, DOMAIN, JOURNAL, held, read_bytes
from rasa_intent_discovery.drafts.history import last_decision, next_redo, next_undo, not_yours
from rasa_intent_discovery.drafts.journal import (
    EDITED,
    MERGED,
    REDO,
    UNDO,
    Entry,
    FileChange,
    applied,
    difference,
)
from rasa_intent_discovery.drafts.journal_merge import known_texts
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.decisions.answers import answer_line, without_answers
from rasa_intent_discovery.review.decisions.folder import (
    BESIDE,
    ChangedElsewhere,
    Desk,
    DraftFile,
    check_unchanged,
    desk_of,
)
from rasa_intent_discovery.review.decisions.journal_file import (
    append_entry,
    decisions_noted,
    whole_lines,
)
from rasa_intent_discovery.review.decisions.under_review import Review
from rasa_intent_discovery.review.decisions.verbs.perform import perform
from rasa_intent_discovery.training_data.nlu_yaml import Draft, draft_text, from_yaml


@dataclass(frozen=True)
class Doing:
    """What is done, as the journal tells it: as in `drafts.journal.Entry`."""

    verb: str
    says: str
    reviewer: str
    of: str | None = None


def act(
    desk: Desk, verb: str, arguments: Mapping[str, Any], reviewer: str = "", seen: int | None = None
) -> tuple[Desk, str | None]:
    """Performs a verb of `verbs.VERBS` and writes what changes.

    Args:
        reviewer: the name of who does it; empty where that is not said.
        seen: the revision that the reviewer has seen; None for the current one.

    Returns:
        The desk afterwards, and the path of the draft to show next.

    Raises:
        ChangedElsewhere: the folder is not as the desk has read it, or a draft that would change has changed
            since it was seen; nothing is changed then.
        DataError: it cannot be done; nothing is changed then.
    """
    change = perform(desk.review, verb, arguments)
    files = {path: _as_file(desk, path, draft) for path, draft in change.drafts.items()}
    texts = {path: read.text if read else None for path, read in files.items()}
    domain = desk.beside.get(DOMAIN)
    if domain is not None and (listed := relisted(domain, *_names(desk.review, change.drafts))) != domain:
        texts[DOMAIN] = listed
    if change.answer is not None:
        texts[ANSWERS] = _whole_lines(desk.beside.get(ANSWERS, "")) + answer_line(change.answer, reviewer)
    if change.taken_back is not None:
        before = desk.beside.get(ANSWERS, "")
        texts[ANSWERS] = without_answers(before, change.taken_back) or None
        if texts[ANSWERS] == (before or None):
            raise DataError("nothing is answered of that message any more")
    changes = {path: difference(_text(desk, path), text) for path, text in texts.items()}
    _check_seen(desk, changes, seen)
    done = Doing(change.verb, change.says, reviewer)
    return _written(desk, done, changes, texts, files), change.chosen


def undo(desk: Desk, reviewer: str = "", seen: int | None = None) -> Desk:
    """Takes back the last decision of this reviewer.

    Raises:
        ChangedElsewhere: as `act`.
        DataError: there is none, or what it changed was changed again since.
    """
    entry = next_undo(desk.journal, reviewer)
    if entry is None and (last := last_decision(desk.journal)) is not None:
        raise DataError(not_yours(last))
    return _again(desk, UNDO, entry, reviewer, seen)


def redo(desk: Desk, reviewer: str = "", seen: int | None = None) -> Desk:
    """Repeats the decision that this reviewer has undone last; raises as `undo`."""
    return _again(desk, REDO, next_redo(desk.journal, reviewer), reviewer, seen)


def _again(desk: Desk, verb: str, entry: Entry | None, reviewer: str, seen: int | None) -> Desk:
    if entry is None:
        raise DataError(f"there is nothing to {verb}")
    changes = {path: change.reversed() if verb == UNDO else change for path, change in entry.files.items()}
    texts: dict[str, str | None] = {}
    files: dict[str, DraftFile | None] = {}
    for path, change in sorted(changes.items(), key=lambda item: item[0] == DOMAIN):
        try:
            texts[path] = applied(change, _text(desk, path))
        except ValueError:
            texts[path] = _put_in(desk, path, change, texts, entry)
            changes[path] = difference(_text(desk, path), texts[path])
    _check_seen(desk, changes, seen)
    says = f"{'Undone' if verb == UNDO else 'Done again'}: {entry.says}"
    return _written(desk, Doing(verb, says, reviewer, entry.id), changes, texts, files)


def _check_seen(desk: Desk, changes: Mapping[str, FileChange], seen: int | None) -> None:
    """Raises ChangedElsewhere where a draft that would change has changed since a revision."""
    since = () if seen is None else desk.journal[seen:]
    changed = {path for entry in since for path in entry.files} - {*BESIDE}
    if changed & {*changes}:
        raise ChangedElsewhere("somebody else has changed that just now: look at it again, nothing was done")


def _put_in(
    desk: Desk, path: str, change: FileChange, texts: Mapping[str, str | None], entry: Entry
) -> str | None:
    """The file with a change that was made to another text of it, where nothing of that was changed since.

    Args:
        texts: what the other files become.
        entry: whose change it is.
    """
    if path == ANSWERS:
        lines = _whole_lines(desk.beside.get(ANSWERS, "")).split("\n")[:-1]
        kept = [line for line in lines if line not in change.old or line in change.new]
        lines = [*kept, *(line for line in change.new if line and line not in kept)]
        return "".join(f"{line}\n" for line in lines) or None
    if path == DOMAIN and DOMAIN in desk.beside:
        drafts = {
            one: None if text is None else from_yaml(text, one)
            for one, text in texts.items()
            if one not in (DOMAIN, ANSWERS)
        }
        return relisted(desk.beside[DOMAIN], *_names(desk.review, drafts))
    known = known_texts([one.files[path] for one in desk.journal if path in one.files], _text(desk, path))
    if change.before in known and change.after in known:
        text, lost = merged(known[change.before], _text(desk, path), known[change.after], path)
        if not lost:
            return text
    raise DataError(f"{entry.says}: {_changed_since(desk, path, entry)}, so that stays")


def _changed_since(desk: Desk, path: str, entry: Entry) -> str:
    """Who has changed a file after an entry."""
    since = desk.journal[desk.journal.index(entry) + 1 :]
    later = [one for one in since if path in one.files and one.verb != MERGED]
    if not later or later[-1].verb == EDITED:
        return f"{path} was edited by hand since"
    who = later[-1].reviewer or "somebody else"
    return f"{who} has changed {path} since ({later[-1].says})"


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


def _names(review: Review, changed: Mapping[str, Draft | None]) -> tuple[list[str], list[str]]:
    """The names of the proposals before and after drafts are changed."""
    after = {**review.drafts, **changed}
    before = [draft.intent for path, draft in review.drafts.items() if path.startswith(NEW)]
    return before, [draft.intent for path, draft in after.items() if draft and path.startswith(NEW)]


def _written(
    desk: Desk,
    done: Doing,
    changes: dict[str, FileChange],
    texts: Mapping[str, str | None],
    files: Mapping[str, DraftFile | None],
) -> Desk:
    """Writes journal, files and what has reached them, in this order; if any fails, all of it is as it was.

    Where that cannot be had, the next one who opens the folder completes it.
    """
    journal = desk.folder / JOURNAL
    try:
        with held(desk.folder):
            check_unchanged(desk)
            contents = {path: read_bytes(desk.folder / path) for path in desk.review.unreadable}
            size = whole_lines(desk.folder)
            try:
                entry = append_entry(
                    desk.folder, desk.journal, done.verb, done.says, changes, done.of, done.reviewer
                )
                entries = (*desk.journal, entry)
                write_changes([*_updates(desk, texts), *decisions_noted(desk.folder, entries)])
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
            return desk_of(
                desk.folder, contents, desk.run, entries, replace(desk, past={**desk.past, **made})
            )
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
