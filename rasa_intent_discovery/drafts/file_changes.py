"""Changes of several files: shown as a diff, and written all or not at all."""

from __future__ import annotations

import difflib
import logging
import os
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from rasa_intent_discovery.drafts.change_journal import (
    Replacement,
    alone,
    content_hash,
    note,
    roll_back,
    sync_contents,
    sync_folders,
    take_back_locked,
    tidy,
)
from rasa_intent_discovery.errors import DataError

logger = logging.getLogger(__name__)

_NO_LINE_END = "\n\\ No newline at end of file\n"
#: The ends of the names of files that `apply` may change.
_OF_A_BOT = (".yml", ".yaml")


class HalfWritten(DataError):
    """Some files are changed and others are not, as what could not be done could not be undone either."""


@dataclass(frozen=True)
class FileUpdate:
    """A file before and after a change.

    Attributes:
        old: its content, UTF-8; None where there is no such file.
        new: the content to write, UTF-8; None removes the file.
    """

    path: Path
    old: bytes | None
    new: bytes | None


def unified_diff(changes: Sequence[FileUpdate]) -> str:
    """The changes as `diff -u` shows them, fit for `patch -p0`."""
    lines: list[str] = []
    for change in changes:
        old, new = (_lines(content or b"") for content in (change.old, change.new))
        before, after = (
            "/dev/null" if content is None else _ended(str(change.path))
            for content in (change.old, change.new)
        )
        lines += difflib.unified_diff(old, new, before, after)
    return "".join(line if line.endswith("\n") else line + _NO_LINE_END for line in lines)


def hard_linked(changes: Sequence[FileUpdate]) -> tuple[Path, ...]:
    """The files that have further hard links, which part with them when they are written.

    Writing through them would leave half a file after a kill, and change copies that people made as links.
    """
    paths = [change.path for change in changes]
    return tuple(path for path in paths if path.exists() and path.stat().st_nlink > 1)


@contextmanager
def unchanged_meanwhile(paths: Sequence[str]) -> Iterator[None]:
    """What the block reads of a bot is of one moment: a plan must not mix what is from before and after.

    Args:
        paths: its files, and folders of them.

    Raises:
        DataError: another program has changed, made or removed one of the files meanwhile.
    """
    before = _hashes(paths)
    yield
    after = _hashes(paths)
    for path in sorted({*before, *after}):
        if before.get(path) != after.get(path):
            raise _changed_just_now(path)


def _hashes(paths: Sequence[str]) -> dict[Path, str]:
    """Path -> hash of the content; without what cannot be read, of which those tell that need it."""
    found = {}
    for path in (Path(given) for given in paths):
        for file in _below(path) if os.path.isdir(path) else [path]:
            with suppress(OSError):
                if file.suffix in _OF_A_BOT and file.is_file():
                    found[file] = content_hash(file.read_bytes())
    return found


def _below(folder: Path) -> Iterator[Path]:
    """The files in a folder and below it, but for hidden ones, which Rasa does not read either."""
    for root, folders, names in os.walk(folder, followlinks=True):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(root, name) for name in names if not name.startswith("."))


def write_changes(changes: Sequence[FileUpdate], journal: Path | None = None) -> None:
    """Writes and removes all files, or none: after an error every file is as it was before.

    The new contents, and copies of the old files, are written beside the files first and take their places by
    renaming, so that a full disk is noticed before anything has changed. A file keeps its owner, permissions
    and extended attributes, and a symbolic link stays one; further hard links keep the old content. The
    folder of a new file is made, and stays after an error, empty.

    Args:
        journal: the file that `change_journal.take_back` needs to undo a change that is killed. None where
            the caller has a journal of its own: then nothing waits for the disk.

    Raises:
        HalfWritten: a file cannot be written, and another one cannot be put back as it was.
        DataError: a file is not as `old` says, is write-protected, or cannot be written.
    """
    if journal is None:
        _write(changes, None)
    else:
        with alone(journal):
            take_back_locked(journal)
            _write(changes, journal)
    logger.debug("changed %s", ", ".join(str(change.path) for change in changes))


def _write(changes: Sequence[FileUpdate], journal: Path | None) -> None:
    for change in changes:
        _check(change)
    mark = secrets.token_hex(4)
    files = [_replacement(change, mark) for change in changes]
    path = journal or Path()
    try:
        if journal is not None:
            note(journal, files)
        for change, file in zip(changes, files, strict=True):
            path = change.path
            _write_beside(change, file)
            if journal is not None:
                sync_contents(file)
        if journal is not None:
            sync_folders(files)
        for change, file in zip(changes, files, strict=True):
            path = change.path
            _check(change)  # the disk may have taken seconds, in which somebody saved it
            file.carry_out()
        if journal is not None:
            sync_folders(files)
    except BaseException as error:
        _undo(files, journal, path, error)
        if isinstance(error, OSError):
            # A file is replaced, so its folder is written to.
            closed = path if os.access(path.parent, os.W_OK) else path.parent
            raise DataError(
                f"{closed} could not be written ({error.strerror or error}); nothing "
                "was changed: make room, or make it writable"
            ) from error
        raise
    with suppress(OSError, KeyboardInterrupt):  # all is written; no harm if temporary files stay
        tidy(files, journal)


def _undo(files: Sequence[Replacement], journal: Path | None, path: Path, error: BaseException) -> None:
    """Rolls back after an error with a file; raises HalfWritten where that cannot be done either."""
    try:
        roll_back(files, journal)
    except OSError as stuck:
        why = (isinstance(error, OSError) and error.strerror) or error
        said = f"{path} could not be written ({why}), nor {stuck.filename} be put back as it was"
        if journal is not None:
            said += ": when the disk is there again, the next command undoes what is half done"
        raise HalfWritten(said) from error


def _ended(path: str) -> str:
    """The path in the head of a diff: a tab says where one with a space in it ends, as by git and `diff`."""
    return f"{path}\t" if " " in path else path


def _lines(content: bytes) -> list[str]:
    *lines, last = content.decode().split("\n")
    return [*(line + "\n" for line in lines), *([last] if last else [])]


def _check(change: FileUpdate) -> None:
    """Raises DataError for a file that has changed since it was read, or is write-protected."""
    present = change.path.read_bytes() if change.path.exists() else None
    if present != change.old:
        raise _changed_just_now(change.path)
    if present is not None and not os.access(change.path, os.W_OK):
        raise DataError(f"{change.path} is write-protected; nothing was changed: make it writable first")


def _changed_just_now(path: Path) -> DataError:
    return DataError(f"{path} was changed by another program just now: run the command again")


def _replacement(change: FileUpdate, mark: str) -> Replacement:
    path = change.path
    if path.is_symlink() and change.new is not None:  # of a link that is removed the file stays
        path = Path(os.path.realpath(path))
    old, new = (None if content is None else content_hash(content) for content in (change.old, change.new))
    return Replacement(path, old, new, mark)


def _write_beside(change: FileUpdate, file: Replacement) -> None:
    """Writes the new content into a file that is like the old one otherwise, and gives that a second name."""
    if change.new is not None:
        if change.old is None and not file.path.parent.is_dir():
            file.path.parent.mkdir(parents=True)
        file.written.write_bytes(change.new)
    if change.old is None:
        return
    if change.new is not None:
        give_owner(file.path, file.written)
        shutil.copystat(file.path, file.written)
        os.utime(file.written)
    try:
        os.link(file.path, file.copy)  # so that its own hard links are as before after an error, too
    except OSError:  # not every file system has them
        shutil.copy2(file.path, file.copy)
        give_owner(file.path, file.copy)


def give_owner(path: Path, other: Path) -> None:
    """Gives the other file the group and owner of this one, where that is permitted."""
    status = path.stat()
    for owner, group in ((-1, status.st_gid), (status.st_uid, -1)):
        with suppress(OSError):
            os.chown(other, owner, group)
