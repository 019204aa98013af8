"""The journal of the review desk as text: what was done, and what is needed to undo it. Touches no files.

A line of `decisions.jsonl` is one entry, numbered from 1; its number is the revision of the drafts after it.
Undoing and redoing add entries, too, so the journal only grows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rasa_intent_discovery.errors import DataError

UNDO, REDO, EDITED = "undo", "redo", "edited"


@dataclass(frozen=True)
class FileChange:
    """What becomes of one file: from line `at` on (0 first), the lines `old` are replaced by `new`.

    `before` and `after` are the `file_hash` of the whole file, None where there is none. A change that was
    made by hand has no lines.
    """

    before: str | None
    after: str | None
    at: int = 0
    old: tuple[str, ...] = ()
    new: tuple[str, ...] = ()

    def reversed(self) -> FileChange:
        """The change that takes this one back."""
        return FileChange(self.after, self.before, self.at, self.new, self.old)


@dataclass(frozen=True)
class Entry:
    """One line of the journal.

    Attributes:
        revision: its number, from 1.
        time: when it was done, ISO 8601 with the zone.
        verb: what was done: a verb of `decisions.VERBS`, `undo`, `redo`, or `edited` (by hand).
        says: the same as a sentence.
        files: path below the folder -> its change.
        of: the entry that is undone or redone.
    """

    revision: int
    time: str
    verb: str
    says: str
    files: dict[str, FileChange] = field(default_factory=dict)
    of: int | None = None


def file_hash(content: bytes) -> str:
    """SHA-256 of a file, with CRLF read as LF: a checkout with other line ends is no edit."""
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()


def difference(before: str | None, after: str | None) -> FileChange:
    """The change from one text of a file to another; None is no file."""
    old, new = _lines(before), _lines(after)
    most = min(len(old), len(new))
    start = next((number for number in range(most) if old[number] != new[number]), most)
    end = next(
        (number for number in range(most - start) if old[-1 - number] != new[-1 - number]), most - start
    )
    return FileChange(
        _hash(before),
        _hash(after),
        start,
        tuple(old[start : len(old) - end]),
        tuple(new[start : len(new) - end]),
    )


def applied(change: FileChange, before: str | None) -> str | None:
    """The text after the change.

    Raises:
        ValueError: `before` is not the text that was changed, or the change was made by hand.
    """
    lines = _lines(before)
    end = change.at + len(change.old)
    if change.before != _hash(before) or tuple(lines[change.at : end]) != change.old:
        raise ValueError("the file is another one")
    after = None if change.after is None else "\n".join([*lines[: change.at], *change.new, *lines[end:]])
    if _hash(after) != change.after:
        raise ValueError("the change was made by hand")
    return after


def entry_line(entry: Entry) -> str:
    """The entry as a line of the journal."""
    content = {name: value for name, value in vars(entry).items() if value is not None}
    content["files"] = {path: vars(change) for path, change in entry.files.items()}
    return json.dumps(content, ensure_ascii=True) + "\n"


def entries_of(content: bytes, path: Path) -> tuple[Entry, ...]:
    """The entries of a journal. A last line without its line end is from a crash and does not count.

    Raises:
        DataError: a line is not as it was written, or is missing; names file and line.
    """
    entries = []
    for number, line in enumerate(content.split(b"\n")[:-1], 1):
        try:
            entries.append(_entry(json.loads(line)))
            if entries[-1].revision != number:
                raise ValueError("a line is missing")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise DataError(f"{path}, line {number}: not as it was written") from None
    return tuple(entries)


def standing(entries: Sequence[Entry]) -> list[Entry]:
    """The entries in effect: those that were not undone, and edits by hand, in the order they were made."""
    done, _ = _stacks(entries)
    edits = [entry for entry in entries if entry.verb == EDITED]
    return sorted([*done, *edits], key=lambda entry: entry.revision)


def next_undo(entries: Sequence[Entry]) -> Entry | None:
    """The entry that an undo would take back."""
    done, _ = _stacks(entries)
    return done[-1] if done else None


def next_redo(entries: Sequence[Entry]) -> Entry | None:
    """The entry that a redo would do again."""
    _, undone = _stacks(entries)
    return undone[-1] if undone else None


def _stacks(entries: Sequence[Entry]) -> tuple[list[Entry], list[Entry]]:
    """What can be undone and what can be redone, the next one last. Edits by hand are in neither."""
    done: list[Entry] = []
    undone: list[Entry] = []
    for entry in entries:
        if entry.verb == UNDO:
            undone.append(done.pop())
        elif entry.verb == REDO:
            done.append(undone.pop())
        elif entry.verb != EDITED:
            done.append(entry)
            undone.clear()
    return done, undone


def _entry(content: dict[str, Any]) -> Entry:
    files = {str(path): _change(**change) for path, change in content.pop("files").items()}
    return Entry(**content, files=files)


def _change(before: str | None, after: str | None, at: int, old: list[str], new: list[str]) -> FileChange:
    return FileChange(before, after, int(at), tuple(old), tuple(new))


def _lines(text: str | None) -> list[str]:
    return [] if text is None else text.split("\n")


def _hash(text: str | None) -> str | None:
    return None if text is None else file_hash(text.encode("utf-8"))
