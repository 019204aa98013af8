"""What a path that is not there was perhaps meant to be."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path

#: How alike two names have to be, as `difflib` measures it: `logz` and `logs` are 0.75 alike, as two words
#: of four letters that differ in one.
_ALIKE = 0.75


def did_you_mean(path: str | Path, is_one: Callable[[Path], bool] = Path.exists) -> str:
    """` (did you mean logs/?)` of a path that is not there, or nothing where no name beside it is close.

    Where the environment has no way to name the path, it says that: then it is not known whether it is there.

    Args:
        is_one: whether a path that is there can have been meant.
    """
    path = Path(path)
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        encoding = sys.getfilesystemencoding()
        if encoding != "utf-8":
            return f" (this environment names files in {encoding}, which cannot name it: set PYTHONUTF8=1)"
    try:
        missing = next(one for one in (path, *path.parents) if one.parent.is_dir())
        if missing.exists():
            return ""
        beside = [one.name for one in missing.parent.iterdir() if not one.name.startswith(".")]
        near = get_close_matches(missing.name, sorted(beside), cutoff=_ALIKE)
        meant = [missing.with_name(name) / path.relative_to(missing) for name in near]
        found = next((one for one in meant if is_one(one)), None)
        return "" if found is None else f" (did you mean {found}{'/' if found.is_dir() else ''}?)"
    except (OSError, ValueError, StopIteration):  # what cannot be looked at is not suggested
        return ""
