"""What is noted of a change of files while it is made: if it is killed, the next command undoes it.

The journal is a hidden file with one line, which counts when it has its line end. It is on the disk before
the first temporary file, and removed after the last one. What a person changed since is never overwritten.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rasa_intent_discovery.drafts.folder_exchange import locked
from rasa_intent_discovery.errors import DataError

logger = logging.getLogger(__name__)

_APPLYING = ".discover-intents-apply"
# Bytes of the name of a file up to which the temporary ones begin with it: some disks take no more than 143.
_LONGEST_NAME = 110


@dataclass(frozen=True)
class Replacement:
    """One file of a change, and the two temporary files beside it.

    Attributes:
        path: the file; not a symbolic link, unless that is to be removed.
        old: SHA-256 of what was in it; None where there was no such file.
        new: SHA-256 of what is to be in it; None where it is to be removed.
        mark: 8 hex digits in the names of the temporary files.
    """

    path: Path
    old: str | None
    new: str | None
    mark: str

    @property
    def written(self) -> Path:
        """The new content, until it takes the place of the file.

        A hash stands for a long name. It does not end in `.yml`, so that Rasa does not train on one that is
        left after a kill.
        """
        return self._beside("new")

    @property
    def copy(self) -> Path:
        """The file as it was."""
        return self._beside("old")

    def _beside(self, kind: str) -> Path:
        name = self.path.name
        if len(os.fsencode(name)) > _LONGEST_NAME:
            name = hashlib.sha256(os.fsencode(name)).hexdigest()[:16]
        return self.path.with_name(f".{name}.{kind}-{self.mark}")

    def carry_out(self) -> None:
        """Puts the new content in the place of the old one, or removes the file."""
        if self.new is None:
            self.path.unlink()
        else:
            os.replace(self.written, self.path)

    def put_back(self) -> bool:
        """Puts the old file in the place of the new one; False where neither of them is there."""
        found = _hash(self.path)
        if found == self.old:
            return True
        if found != self.new or self.written.exists():  # it has not been replaced, so somebody else wrote it
            return False
        if self.old is None:
            self.path.unlink()
            return True
        if not self.is_copied():
            return False
        try:
            os.replace(self.copy, self.path)
        except OSError as error:  # it names the copy
            raise OSError(error.errno, error.strerror, str(self.path)) from error
        return True

    def is_copied(self) -> bool:
        """Whether the copy is there, and whole."""
        return self.old is not None and _hash(self.copy) == self.old


def journal_of(config_path: str) -> Path:
    """The journal of `apply` for the bot with this configuration."""
    return Path(config_path).with_name(_APPLYING)


@contextmanager
def alone(journal: Path) -> Iterator[None]:
    """Keeps other processes from the files of a journal; raises DataError where one does not end."""
    busy = f"another command is changing the files of the bot in {journal.parent}: wait until it has ended"
    with locked(journal, busy):
        yield


def note(journal: Path, files: Sequence[Replacement]) -> None:
    """Writes the journal, and returns when it is on the disk; raises OSError where it cannot be written."""
    folder = os.path.realpath(journal.parent)
    hashes = {os.path.relpath(os.path.realpath(file.path), folder): [file.old, file.new] for file in files}
    with open(journal, "xb") as stream:
        stream.write(json.dumps({"mark": files[0].mark, "files": hashes}).encode() + b"\n")
        stream.flush()
        os.fsync(stream.fileno())
    _sync_folders([journal.parent])


def sync_contents(file: Replacement) -> None:
    """Returns when what is in the temporary files is on the disk; raises OSError where there is no room."""
    if file.new is not None:
        _sync(file.written)
    if file.old is not None:
        _sync(file.copy)


def sync_folders(files: Sequence[Replacement]) -> None:
    """Returns when the names of the files and of the temporary ones are on the disk."""
    _sync_folders({file.path.parent for file in files})


def roll_back(files: Sequence[Replacement], journal: Path | None) -> list[Replacement]:
    """Makes all files as they were, and tidies; what somebody changed since it does not touch, and returns.

    Of those that had been replaced by then it leaves the copies.

    Raises:
        OSError: a file could not be put back; nothing is tidied then.
    """
    left = [file for file in files if not file.put_back()]
    sync_folders(files)
    tidy(files, journal, [file for file in left if file.is_copied() and not file.written.exists()])
    return left


def tidy(files: Sequence[Replacement], journal: Path | None, keep: Collection[Replacement] = ()) -> None:
    """Removes the temporary files, but for the copies to keep, and the journal last."""
    for file in files:
        file.written.unlink(missing_ok=True)
        if file not in keep:
            file.copy.unlink(missing_ok=True)
    if journal is not None:
        journal.unlink(missing_ok=True)


def interrupted_files(journal: Path) -> tuple[Path, ...]:
    """The files of a change that was killed; none where there was no such change.

    Raises:
        DataError: as `take_back`.
    """
    if not journal.exists():
        return ()
    with alone(journal):
        return tuple(file.path for file in _read(journal)) if journal.exists() else ()


def take_back(journal: Path) -> None:
    """Undoes a change that was killed, unless all of its files are written, and says so in the log.

    Raises:
        DataError: another process is at it, the journal is not as it was written, or a file cannot be read or
            written.
    """
    if journal.exists():  # the lock is for those who find one only
        with alone(journal):
            take_back_locked(journal)


def take_back_locked(journal: Path) -> None:
    """As `take_back`, for a caller that is `alone` with the journal."""
    if not journal.exists():  # its process may have ended well meanwhile
        return
    files = _read(journal)
    left: list[Replacement] = []
    try:
        if all(_hash(file.path) == file.new for file in files):
            sync_folders(files)
            tidy(files, journal)
            became = "it had changed all it should"
        else:
            left = roll_back(files, journal)
            became = "it is undone"
    except OSError as error:
        raise DataError(
            f"{error.filename} could not be put back as it was before an `apply` that was killed "
            f"({error.strerror or error}): make room, or make it writable"
        ) from error
    if files:
        names = ", ".join(str(file.path) for file in files if file not in left)
        said = [*([f"{became} in {names}"] if names else []), *map(_left_alone, left)]
        logger.warning(f"An earlier `apply` was killed: {'; '.join(said)}.")


def _left_alone(file: Replacement) -> str:
    copy = f" (before that `apply` it was {file.copy})" if file.is_copied() else ""
    return f"{file.path} was changed since and stays as it is{copy}"


def _read(journal: Path) -> list[Replacement]:
    """The files that a journal names; none where nothing was begun."""
    content = journal.read_bytes()
    if not content.endswith(b"\n"):  # killed before it was written, so before anything else was
        return []
    try:
        noted: dict[str, Any] = json.loads(content)
        mark = noted["mark"]
        if not re.fullmatch("[0-9a-f]{8}", mark):
            raise ValueError(mark)
        return [
            Replacement(journal.parent / name, old, new, mark) for name, (old, new) in noted["files"].items()
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise DataError(
            f"{journal}: not as it was written, so it cannot be told what an `apply` that was killed left "
            "half-done; look at your files, with git for instance, and remove it"
        ) from None


def _hash(path: Path) -> str | None:
    """None where there is no such file."""
    try:
        return content_hash(path.read_bytes())
    except FileNotFoundError:
        return None


def content_hash(content: bytes) -> str:
    """SHA-256 of every byte; `journal.file_hash` reads some line ends as others."""
    return hashlib.sha256(content).hexdigest()


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_folders(folders: Collection[Path]) -> None:
    for folder in folders:
        with suppress(OSError):  # some file systems have no such thing for folders
            _sync(folder)
