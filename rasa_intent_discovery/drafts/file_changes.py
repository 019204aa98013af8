"""Changes of several files: shown as a diff, and written all or not at all."""

from __future__ import annotations

import difflib
import logging
import os
import secrets
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rasa_intent_discovery.errors import DataError

logger = logging.getLogger(__name__)

_NO_LINE_END = "\n\\ No newline at end of file\n"


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
            "/dev/null" if content is None else str(change.path) for content in (change.old, change.new)
        )
        lines += difflib.unified_diff(old, new, before, after)
    return "".join(line if line.endswith("\n") else line + _NO_LINE_END for line in lines)


def write_changes(changes: Sequence[FileUpdate]) -> None:
    """Writes and removes all files, or none: after an error every file is as it was before.

    The new contents, and copies of the old ones, are written beside the files first and take their places by
    renaming, so that a full disk is noticed before anything has changed.

    Raises:
        DataError: a file is not as `old` says, is write-protected, or cannot be written.
    """
    begun: list[tuple[FileUpdate, Path]] = []
    beside: list[Path] = []
    path = Path()
    try:
        for change in changes:
            _check(change)
        copies = []
        for change in changes:
            path = change.path
            copies.append(_write_beside(change, beside))
        for change, (written, copy) in zip(changes, copies, strict=True):
            path = change.path
            begun.append((change, copy))
            if change.new is None:
                path.unlink()
            else:
                os.replace(written, path)
    except BaseException as error:
        for change, copy in begun:
            _put_back(change, copy)
        if isinstance(error, OSError):
            raise DataError(
                f"{path} could not be written ({error.strerror or error}); nothing was changed: make room, "
                "or make it writable"
            ) from error
        raise
    finally:
        for temporary in beside:
            with suppress(OSError, KeyboardInterrupt):  # all is written or put back; no harm if it stays
                temporary.unlink(missing_ok=True)
    logger.debug("changed %s", ", ".join(str(change.path) for change in changes))


def _lines(content: bytes) -> list[str]:
    *lines, last = content.decode().split("\n")
    return [*(line + "\n" for line in lines), *([last] if last else [])]


def _check(change: FileUpdate) -> None:
    """Raises DataError for a file that has changed since it was read, or is write-protected."""
    present = change.path.read_bytes() if change.path.exists() else None
    if present != change.old:
        raise DataError(f"{change.path} was changed by another program just now: run the command again")
    if present is not None and not os.access(change.path, os.W_OK):
        raise DataError(f"{change.path} is write-protected; nothing was changed: make it writable first")


def _write_beside(change: FileUpdate, beside: list[Path]) -> tuple[Path, Path]:
    """Writes the new content, and the old one if any, into files beside it.

    Their names do not end in `.yml`, so that Rasa does not train on one that is left after a kill.
    """
    mark = secrets.token_hex(4)
    written, copy = (change.path.with_name(f".{change.path.name}.{kind}-{mark}") for kind in ("new", "old"))
    beside += [written, copy]
    if change.new is not None:
        written.write_bytes(change.new)
    if change.old is not None:
        shutil.copy2(change.path, copy)
    if change.new is not None and change.old is not None:
        shutil.copymode(change.path, written)
    return written, copy


def _put_back(change: FileUpdate, copy: Path) -> None:
    with suppress(FileNotFoundError):  # the renaming that failed may have been the one of this file
        if change.old is None:
            change.path.unlink()
        else:
            os.replace(copy, change.path)
