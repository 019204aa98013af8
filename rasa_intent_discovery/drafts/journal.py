"""The journal of the review desk as text: what was done, and what is needed to undo it. Touches no files.

A line of `decisions.jsonl` is one entry. It names the one it came after, so that a line that is lost is
noticed, and so that git may put the lines of several reviewers together in any order. Undoing and redoing add
entries, too, so the journal only grows.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from rasa_intent_discovery.datatypes import KNOWN, NEW
from rasa_intent_discovery.errors import DataError

UNDO, REDO, EDITED, MERGED = "undo", "redo", "edited", "merged"
#: What the lines begin with by which git parts two versions of a passage.
GIT_MARKS = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")
# What decisions change: the drafts and what is beside them. A journal may come from somebody else, and is not
# to name any other file.
_CHANGED = re.compile(rf"domain\.yml|answers\.jsonl|(?:{NEW}|{KNOWN})/[^./\\\0][^/\\\0]*\.ya?ml")


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

    def without_returns(self) -> FileChange:
        """The same change of a file whose lines end with LF, where they ended with CRLF."""
        old, new = (tuple(line.removesuffix("\r") for line in lines) for lines in (self.old, self.new))
        return replace(self, old=old, new=new)


@dataclass(frozen=True)
class Entry:
    """One line of the journal.

    Attributes:
        id: names it, whoever wrote it where.
        after: the id of the last entry when it was written; empty for the first one.
        time: when it was done, ISO 8601 with the zone.
        verb: what was done: what a `Change` calls itself (`move_each` of `verbs.VERBS` is `move`, and `add`
            where nothing is taken out of another draft), `undo`, `redo`, `edited` (by hand), or `merged`: the
            drafts as the decisions of several reviewers make them.
        says: the same as a sentence.
        files: path below the folder -> its change.
        of: the id of the entry that is undone or redone.
        reviewer: who did it; empty where that was not said.
    """

    id: str
    after: str
    time: str
    verb: str
    says: str
    files: dict[str, FileChange] = field(default_factory=dict)
    of: str | None = None
    reviewer: str = ""


def file_hash(content: bytes) -> str:
    """SHA-256 of a file, with CRLF read as LF: a checkout with other line ends is no edit."""
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()


def common_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many are the same at the beginning of two sequences, and of the others how many at their end.

    >>> common_ends(["a", "b", "b"], ["a", "b"])
    (2, 0)
    """
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    end = next((at for at in range(most - start) if old[-1 - at] != new[-1 - at]), most - start)
    return start, end


def difference(before: str | None, after: str | None) -> FileChange:
    """The change from one text of a file to another; None is no file."""
    old, new = _lines(before), _lines(after)
    start, end = common_ends(old, new)
    return FileChange(
        _hash(before),
        _hash(after),
        start,
        tuple(old[start : len(old) - end]),
        tuple(new[start : len(new) - end]),
    )


def applied(change: FileChange, before: str | None) -> str | None:
    """The text after the change, with the line ends of the text before, which a checkout may have changed.

    Raises:
        ValueError: `before` is not the text that was changed, or the change was made by hand.
    """
    lines, end, line_end = _lines(before), change.at + len(change.old), "\n"
    if tuple(lines[change.at : end]) != change.old and before is not None:
        change, line_end = change.without_returns(), "\r\n" if "\r\n" in before else "\n"
        lines = _lines(before.replace("\r\n", "\n"))
    if change.before != _hash(before) or tuple(lines[change.at : end]) != change.old:
        raise ValueError("the file is another one")
    after = None if change.after is None else line_end.join([*lines[: change.at], *change.new, *lines[end:]])
    if _hash(after) != change.after:
        raise ValueError("the change was made by hand")
    return after


def entry_line(entry: Entry) -> str:
    """The entry as a line of the journal."""
    content = {name: value for name, value in vars(entry).items() if value not in (None, "")}
    content["files"] = {path: vars(change) for path, change in entry.files.items()}
    return json.dumps(content, ensure_ascii=True) + "\n"


def entries_of(content: bytes, path: Path) -> tuple[Entry, ...]:
    """The entries of a journal, each behind the one it came after, else by time and reviewer.

    Lines by which git parts two versions are passed over, and so is a last line without its line end, which
    is from a crash.

    Raises:
        DataError: a line is not as it was written, or is missing; names file and line.
    """
    found: dict[str, tuple[int, Entry]] = {}
    for number, line in enumerate(content.split(b"\n")[:-1], 1):
        try:
            if line.startswith(tuple(mark.encode() for mark in GIT_MARKS)):
                continue
            entry = _entry(json.loads(line))
            if found.setdefault(entry.id, (number, entry))[1] != entry:
                raise ValueError("two entries of one id")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise DataError(f"{path}, line {number}: not as it was written") from None
    ordered = _ordered({name: entry for name, (_, entry) in found.items()})
    lost = [number for name, (number, _) in found.items() if name not in ordered]
    if lost:
        raise DataError(f"{path}, line {lost[0]}: not as it was written")
    return tuple(ordered.values())


def _ordered(entries: Mapping[str, Entry]) -> dict[str, Entry]:
    """The entries in their order, without those that come after one that is missing.

    None stands before what it came after, even where a clock was wrong: its time is at least that of all
    before it. So two entries keep their order, whatever is put between them later.
    """
    following = defaultdict(list)
    for entry in entries.values():
        following[entry.after].append(entry)
    places: dict[str, tuple[Any, int, Any]] = {}
    waiting: list[tuple[Entry, Any, int]] = [(entry, None, 0) for entry in following[""]]
    while waiting:
        entry, latest, depth = waiting.pop()
        own = (datetime.fromisoformat(entry.time).astimezone(), entry.reviewer, entry.id)
        latest = own if latest is None else max(latest, own)
        places[entry.id] = (latest, depth, own)
        waiting += [(one, latest, depth + 1) for one in following[entry.id]]
    return {name: entries[name] for name in sorted(places, key=lambda name: places[name])}


def _entry(content: dict[str, Any]) -> Entry:
    """Reads what `entry_line` writes, and the numbered entries of earlier versions of this program."""
    if "revision" in content:
        number = int(content.pop("revision"))
        if number < 1:
            raise ValueError("numbers begin with 1")
        content.update(id=str(number), after=str(number - 1) if number > 1 else "")
        if "of" in content:
            content["of"] = str(int(content["of"]))
    files = {str(path): _change(**change) for path, change in content.pop("files").items()}
    entry = Entry(**{"after": "", **content}, files=files)
    datetime.fromisoformat(entry.time)
    if not all(_CHANGED.fullmatch(path) for path in files):
        raise ValueError("no file that decisions change")
    texts = (entry.id, entry.after, entry.verb, entry.says, entry.reviewer, entry.of or "")
    if not entry.id or not all(isinstance(text, str) for text in texts):
        raise TypeError
    return entry


def _change(before: str | None, after: str | None, at: int, old: list[str], new: list[str]) -> FileChange:
    return FileChange(before, after, int(at), tuple(old), tuple(new))


def _lines(text: str | None) -> list[str]:
    return [] if text is None else text.split("\n")


def _hash(text: str | None) -> str | None:
    return None if text is None else file_hash(text.encode("utf-8"))
