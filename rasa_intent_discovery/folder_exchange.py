"""A folder that is exchanged for another one at once, by renaming; undone where that was killed half-way.

And where it lies, links followed.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from contextlib import suppress
from pathlib import Path


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


def put_back(target: Path) -> None:
    """Undoes an exchange that was killed half-way, when the folder had been moved aside."""
    if not target.parent.is_dir():
        return
    for aside in left_beside(target, "old"):
        if target.exists():
            # By its new name it is known to be rubbish, should this be killed in turn.
            shutil.rmtree(aside.rename(beside(target, "tmp")), ignore_errors=True)
        else:
            aside.rename(target)
