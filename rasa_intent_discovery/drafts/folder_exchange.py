"""A folder that is exchanged for another one at once, by renaming; undone where that was killed half-way.

Who exchanges it holds its lock, so that nobody takes the work of a living process for that of a killed one.
And where it lies, links followed.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import lock_descriptor

from rasa_intent_discovery.drafts.numbers import DRAFTS
from rasa_intent_discovery.errors import DataError

logger = logging.getLogger(__name__)


def real_path(folder: Path) -> Path:
    """Where the folder is, links followed: a symbolic link stays one."""
    return Path(os.path.realpath(folder))


def lies_in(folder: Path, other: Path) -> bool:
    """Whether the folder is the other one or below it, as it is called or as links lead."""
    for path in (Path(os.path.abspath(folder)), real_path(folder)):
        for above in (path, *path.parents):
            if above == real_path(other) or (above.exists() and other.exists() and above.samefile(other)):
                return True
    return False


def beside(target: Path, kind: str) -> Path:
    """A new hidden name beside the folder, for `tmp` or `old`."""
    return target.with_name(f".{target.name}.{kind}-{secrets.token_hex(4)}")


def left_beside(target: Path, kind: str) -> list[Path]:
    """What killed runs left there."""
    ours = re.compile(re.escape(f".{target.name}.{kind}-") + "[0-9a-f]{8}")
    return [path for path in target.parent.iterdir() if ours.fullmatch(path.name)]


def exchange(temporary: Path, target: Path) -> None:
    """Puts `temporary` in the place of `target`; what was there is at `temporary` afterwards."""
    aside = beside(target, "old")
    try:
        if target.exists():
            target.rename(aside)
        temporary.rename(target)
    except BaseException:
        if aside.exists():
            if target.exists():
                target.rename(temporary)
            aside.rename(target)
        raise
    with suppress(OSError, KeyboardInterrupt):  # the drafts are in place; the next run tidies up
        aside.rename(temporary)


@contextmanager
def locked(target: Path) -> Iterator[None]:
    """Holds the lock of the folder, which is that of the one it is in: nothing is left there by it.

    A process that is killed lets go of it. Where the file system has no such locks, as on some network
    drives, it is not held.

    Raises:
        DataError: another process held it for `DraftNumbers.lock_seconds`.
        OSError: the folder it is in cannot be opened.
    """
    descriptor = os.open(target.parent, os.O_RDONLY)
    try:
        until = time.monotonic() + DRAFTS.lock_seconds
        while not _is_locked(descriptor):
            if time.monotonic() > until:
                raise DataError(
                    f"{target} is being written by another run: wait until it has ended, or give another "
                    "folder with --out"
                )
            time.sleep(DRAFTS.poll_seconds)
        yield
    finally:
        os.close(descriptor)  # and with it the lock


def _is_locked(descriptor: int) -> bool:
    try:
        return lock_descriptor(descriptor, blocking=False)
    except OSError as error:
        logger.debug(f"written without a lock, the file system has none: {error}")
        return True


def put_back(target: Path) -> None:
    """Undoes an exchange that was killed half-way, when the folder had been moved aside.

    Raises:
        DataError: as `locked`.
    """
    if target.parent.is_dir() and left_beside(target, "old"):
        with locked(target):
            put_back_locked(target)


def put_back_locked(target: Path) -> None:
    """The same, by who holds the lock."""
    for aside in left_beside(target, "old"):
        if target.exists():
            # By its new name it is known to be rubbish, should this be killed in turn.
            shutil.rmtree(aside.rename(beside(target, "tmp")), ignore_errors=True)
        else:
            aside.rename(target)
