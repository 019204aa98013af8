"""What programs that synchronise folders (Dropbox, Nextcloud, Syncthing, rsync) do to a folder of drafts.

A file arrives in part, or later than one that belongs to it. Where it was changed in two places, both
versions are kept: one of them beside the file, under a longer name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from rasa_intent_discovery.datatypes import KNOWN, NEW
from rasa_intent_discovery.errors import DataError

#: Files that are on their way. None are drafts, nor edits; some belong to other programs, so they stay.
ARRIVING = (".~tmp~", ".syncthing.*", "~syncthing~*", ".dropbox*", "*.tmp", "*.part", "*.partial")

# No name that a run gives a draft has a space in it, so that most of these cannot be one.
_COPY = re.compile(
    r"(.+?)(?: \(.+\)| \[.+\]| \d+|\.sync-conflict-\d{8}-\d{6}-\w+|_conflict-\d{8}-\d{6}|\.Conflict)(\.\w+)"
)


def copied_from(path: str, present: Collection[str]) -> str | None:
    """The file of which this one is another version; None where it is none, or that file is not there.

    >>> copied_from("new/visa (1).yml", ["new/visa.yml", "new/visa (1).yml"])
    'new/visa.yml'
    """
    match = _COPY.fullmatch(path)
    file = match and match[1] + match[2]
    return file if file in present else None


def is_draft(path: str, present: Collection[str]) -> bool:
    """Whether a file is read as a draft: YAML in `new` or `known` itself, not hidden, nor another version.

    >>> is_draft("new/visa.yml", []), is_draft("new/old/visa.yml", [])
    (True, False)
    """
    part, _, name = path.rpartition("/")
    is_yaml = name.endswith((".yml", ".yaml")) and not name.startswith(".")
    return part in (NEW, KNOWN) and is_yaml and copied_from(path, present) is None


def other_versions(folder: Path) -> tuple[str, ...]:
    """A sentence where there are other versions of files, as what is in them counts for nothing."""
    present = list(_names(folder))
    found = [(path, file) for path in present if (file := copied_from(path, present)) is not None]
    if not found:
        return ()
    path, file = found[0]
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return (
        f"{folder / path}{more} is not read: a program that synchronises folders made it beside {file}, "
        "which was changed in two places; take over from it what you miss, and remove it",
    )


def check_whole(text: str, path: Path) -> None:
    """Raises DataError for a draft that ends in the middle of a line, as half an example would be learnt."""
    if text and not text.endswith(("\n", "\r")):
        line = text.count("\n") + 1
        raise DataError(
            f"{path}, line {line}: the file ends in the middle of a line, as one that was copied halfway: "
            "wait until it is whole, or add a line end if it is"
        )


def _names(folder: Path) -> Iterator[str]:
    """The paths of the files in the folder and its parts, sorted; without what cannot be listed."""
    for part in ("", f"{KNOWN}/", f"{NEW}/"):
        with suppress(OSError):
            yield from (f"{part}{name}" for name in sorted(os.listdir(folder / part)))
