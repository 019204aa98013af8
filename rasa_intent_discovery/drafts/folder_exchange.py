"""Exchanges a folder for another one, and undoes an exchange by renaming that was killed half-way.

The process that exchanges a folder holds its lock, so that no other one takes its work for a killed one's.
"""

from __future__ import annotations

import ctypes
import errno
import logging
import os
import re
import secrets
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import lock_descriptor

from rasa_intent_discovery.drafts.numbers import DRAFTS
from rasa_intent_discovery.errors import DataError

logger = logging.getLogger(__name__)

# From <fcntl.h> and <linux/fs.h>: paths are relative to the working directory, and both names stay.
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2
# What kernels and file systems answer that have no such exchange.
_NO_EXCHANGE = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP)


def real_path(folder: Path) -> Path:
    """Where the folder is after symbolic links are followed."""
    return Path(os.path.realpath(folder))


def lies_in(folder: Path, other: Path) -> bool:
    """Whether the folder is the other one or below it, by its path or with links followed."""
    for path in (Path(os.path.abspath(folder)), real_path(folder)):
        for above in (path, *path.parents):
            if above == real_path(other):
                return True
            with suppress(OSError):  # not there, or below what one may not enter
                if above.samefile(other):
                    return True
    return False


def beside(target: Path, kind: str) -> Path:
    """A new hidden path beside the folder; `kind` is `tmp` or `old`."""
    return target.with_name(f".{target.name}.{kind}-{secrets.token_hex(4)}")


def left_beside(target: Path, kind: str) -> list[Path]:
    """The folders of this kind that killed runs left beside the folder."""
    ours = re.compile(re.escape(f".{target.name}.{kind}-") + "[0-9a-f]{8}")
    return [path for path in target.parent.iterdir() if ours.fullmatch(path.name)]


def exchange(temporary: Path, target: Path) -> None:
    """Puts `temporary` in the place of `target`, and what was there in the place of `temporary`.

    In one step where the system can do that. Otherwise the folder is absent between two renames.

    Raises:
        OSError: it cannot be done; both are where they were then.
    """
    new = temporary.stat()
    try:
        if target.exists() and _exchanged_at_once(temporary, target):
            return
    except BaseException:
        if target.exists() and os.path.samestat(target.stat(), new):
            _exchanged_at_once(temporary, target)
        raise
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


def _exchanged_at_once(one: Path, other: Path) -> bool:
    """Exchanges two folders in one step, by the system call `renameat2`, for which Python has no function.

    Returns:
        False where the C library, the kernel or the file system cannot do that; nothing is changed then.

    Raises:
        OSError: it can, and failed.
    """
    if sys.platform != "linux":
        return False
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return False
    if rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in _NO_EXCHANGE:
        return False
    raise OSError(number, os.strerror(number), str(one))


@contextmanager
def locked(target: Path, busy: str | None = None) -> Iterator[None]:
    """Holds the lock of the folder. It is a lock on the parent folder, so no lock file is left.

    The lock ends with the process. On a file system without such locks (some network drives) there is none.

    Args:
        busy: what to say where the lock is not to be had; None speaks of a folder of drafts.

    Raises:
        DataError: another process held it for `DraftNumbers.lock_seconds`.
        OSError: the parent folder cannot be opened.
    """
    descriptor = os.open(target.parent, os.O_RDONLY)
    try:
        until = time.monotonic() + DRAFTS.lock_seconds
        while not _takes_lock(descriptor):
            if time.monotonic() > until:
                raise DataError(
                    busy
                    or f"{target} is being written by another run: wait until it has ended, or give another "
                    "folder with --out"
                )
            time.sleep(DRAFTS.poll_seconds)
        yield
    finally:
        os.close(descriptor)  # this releases the lock


@contextmanager
def only_run(target: Path) -> Iterator[None]:
    """Holds the folder for one run, so that a second one is refused at its start and not after its work.

    The lock is on the folder itself, which is made where it is missing, and removed again if it stays empty.
    So there is no lock file that could be left behind, or that another user may not open, and it ends with
    the process however that ends. Desks, readers and the writing at the end need `locked` only, which is on
    the parent folder.

    Raises:
        DataError: another run is under way, or as `locked`.
        OSError: the folder cannot be made or opened.
    """
    missing = [path for path in (target, *target.parents) if not path.exists()]
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor = None
    try:
        with locked(target):
            put_back_locked(target)
            target.mkdir(exist_ok=True)
            descriptor = os.open(target, os.O_RDONLY)
            if not _takes_lock(descriptor):
                raise DataError(
                    f"another run into {target} is under way: wait until it has ended, or give another "
                    "folder with --out"
                )
        yield
    finally:
        with suppress(OSError, DataError), locked(target):
            for path in missing:
                path.rmdir()  # only what is empty
        if descriptor is not None:
            os.close(descriptor)  # this releases the lock


def _takes_lock(descriptor: int) -> bool:
    """Takes the lock of a folder; whether it was free. So it is where the file system has no locks."""
    try:
        return lock_descriptor(descriptor, blocking=False)
    except OSError as error:
        logger.debug(f"written without a lock, the file system has none: {error}")
        return True


def put_back(target: Path) -> None:
    """Undoes an exchange that was killed after the folder had been moved aside.

    Raises:
        DataError: as `locked`.
    """
    if target.parent.is_dir() and left_beside(target, "old"):
        with locked(target):
            put_back_locked(target)


def put_back_locked(target: Path) -> None:
    """As `put_back`, for a caller that holds the lock."""
    for aside in left_beside(target, "old"):
        if target.exists():
            # Renamed first, so that the next run removes it if this one is killed meanwhile.
            shutil.rmtree(aside.rename(beside(target, "tmp")), ignore_errors=True)
        else:
            aside.rename(target)
