"""Files beside the drafts that are none: those of desktops, network drives and editors."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from fnmatch import fnmatch
from pathlib import Path

from rasa_intent_discovery.drafts.synchronised import ARRIVING

#: Files of desktops, network drives and editors that may be lost, and those that may hold a person's text or
#: are on their way. Neither are edits.
REMAINS = (
    ".DS_Store",
    "._*",
    ".directory",
    "Thumbs.db",
    "desktop.ini",
    ".nfs*",
    ".#*",
    ".~lock.*",
    "__pycache__",
)
BACKUPS = ("*~", "*.swp", "*.swo", "#*#", *ARRIVING)
LITTER = (*REMAINS, *BACKUPS)


def files_below(target: Path, but: Sequence[str] = LITTER) -> Iterable[str]:
    """Paths of the files below the folder, with `/`, but for some names; OSError where it cannot open one."""

    def stop(error: OSError) -> None:
        raise error

    for root, folders, names in os.walk(target, onerror=stop):
        folders[:] = sorted(name for name in folders if not is_like(name, but))
        names += [name for name in folders if os.path.islink(os.path.join(root, name))]
        for name in sorted(names):
            if not is_like(name, but):
                yield (Path(root) / name).relative_to(target).as_posix()


def folders_below(target: Path, but: Sequence[str]) -> Iterable[str]:
    """Paths of the folders below the folder, with `/`, those above others first; not of links to folders."""
    for root, folders, _ in os.walk(target):
        folders[:] = sorted(name for name in folders if not is_like(name, but))
        for name in folders:
            if not os.path.islink(os.path.join(root, name)):
                yield (Path(root) / name).relative_to(target).as_posix()


def is_like(name: str, patterns: Iterable[str]) -> bool:
    """Whether a name is like one of some patterns of the shell."""
    return any(fnmatch(name, pattern) for pattern in patterns)
