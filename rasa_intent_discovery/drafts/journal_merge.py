"""What git made of a file that several reviewers changed, and the texts of it that the journal knows.

Touches no files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rasa_intent_discovery.drafts.journal import GIT_MARKS, FileChange, applied, file_hash
from rasa_intent_discovery.errors import DataError

_OURS, _BASE, _PARTS, _THEIRS = GIT_MARKS


def is_forked(changes: Sequence[FileChange], written: str | None) -> bool:
    """Whether one of the changes of a file was made to another text than the one before it left.

    Args:
        changes: those of the file, in the order of the journal.
        written: the hash of the file before them.
    """
    for change in changes:
        if written not in (change.before, change.after):
            return True
        written = change.after
    return False


def has_marks(text: str) -> bool:
    """Whether git has left two versions of a passage in it."""
    return _OURS in text and any(line.startswith(_OURS) for line in text.split("\n"))


def check_merged(text: str, path: Path) -> None:
    """Raises DataError for a draft in which git has left two versions of a passage."""
    if has_marks(text):
        line = next(n for n, one in enumerate(text.split("\n"), 1) if one.startswith(_OURS))
        raise DataError(
            f"{path}, line {line}: git has left two versions here: `rasa discover-intents review` puts them "
            "together where both are its own; otherwise keep one, and remove the lines that begin with "
            f"{_OURS}, {_PARTS} and {_THEIRS}"
        )


def without_marks(text: str) -> str:
    """The text with both versions of each passage, one behind the other, and without git's own lines."""
    return "\n".join(line for line in text.split("\n") if not line.startswith(GIT_MARKS))


def known_texts(changes: Sequence[FileChange], found: str | None) -> dict[str | None, str | None]:
    """Hash -> text, of all texts of a file that its changes lead to from what git left.

    Args:
        changes: in the order of the journal.
        found: the content of the file as it is; None where there is none.
    """
    texts: dict[str | None, str | None] = {None: None}
    known = {one for change in changes for one in (change.before, change.after)}
    for text in () if found is None else (found, *_sides(found), *_taken_off(changes, found)):
        digest = file_hash(text.encode("utf-8"))
        if digest in known:
            texts[digest] = text
    grown = 0
    while grown != len(texts):
        grown = len(texts)
        for change in changes:
            for way in (change, change.reversed()):
                if way.before in texts and way.after not in texts:
                    try:
                        texts[way.after] = applied(way, texts[way.before])
                    except ValueError:
                        continue  # it was made by hand
    return texts


def _sides(text: str) -> Iterator[str]:
    """The two versions that git has left in a text."""
    for kept in (_OURS, _THEIRS) if has_marks(text) else ():
        lines, part = [], ""
        for line in text.split("\n"):
            mark = next((mark for mark in GIT_MARKS if line.startswith(mark)), None)
            if mark is not None:
                part = {_OURS: _OURS, _BASE: _BASE, _PARTS: _THEIRS, _THEIRS: ""}[mark]
            elif part in ("", kept):
                lines.append(line)
        yield "\n".join(lines)


def _taken_off(changes: Sequence[FileChange], found: str) -> Iterator[str]:
    """What is left when the changes are taken off again, the last first, from where git has moved them to.

    That is a guess: the caller knows the text by its hash.
    """
    lines = found.split("\n")
    shifts = sorted({0, *(len(change.new) - len(change.old) for change in changes)}, key=abs)
    for change in reversed(changes):
        size = len(change.new)
        places = range(len(lines) - size + 1) if size else [change.at + shift for shift in shifts]
        fit = [at for at in places if at >= 0 and tuple(lines[at : at + size]) == change.new]
        if not fit:
            return
        at = min(fit, key=lambda place: abs(place - change.at)) if size else fit[0]
        lines[at : at + size] = change.old
        yield "\n".join(lines)
