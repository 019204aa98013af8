"""How a bot's files get as they were before `apply`: by git, or by copies of what git does not have."""

from __future__ import annotations

import os
import shlex
import shutil
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rasa_intent_discovery.drafts.file_changes import FileUpdate, write_changes
from rasa_intent_discovery.drafts.git import is_committed, work_tree
from rasa_intent_discovery.errors import DataError

#: Beside the journal of `apply`.
COPIES = ".discover-intents-before-apply"


@dataclass(frozen=True)
class WayBack:
    """How files get as they were.

    Attributes:
        command: for a shell, in the folder in which the paths of the changes hold.
        copies: the folder with archives of the files as they were; None where git has them.
    """

    command: str
    copies: Path | None = None


def write_with_way_back(changes: Sequence[FileUpdate], journal: Path) -> WayBack:
    """Makes changes as `write_changes` does; of files that git does not have as they are, it keeps copies.

    Args:
        journal: as for `write_changes`; the copies are in its folder.

    Raises:
        DataError: as `write_changes`, or the files cannot be copied; nothing is changed then.
    """
    if all(is_committed(change.path) for change in changes if change.old is not None):
        command = _by_git(changes)
        write_changes(changes, journal)
        return WayBack(command)
    try:
        copies = _new_folder(journal.parent / COPIES)
    except OSError as error:
        raise _not_kept(error, journal.parent / COPIES) from error
    try:
        command = _by_copies(changes, copies, journal.parent)
        write_changes(changes, journal)
    except BaseException as error:
        shutil.rmtree(copies, ignore_errors=True)
        if isinstance(error, OSError):
            raise _not_kept(error, copies) from error
        raise
    return WayBack(command, copies)


def _by_git(changes: Sequence[FileUpdate]) -> str:
    here = work_tree(Path())
    commands: dict[str, list[str]] = {}
    for path in (change.path for change in changes if change.old is not None):
        tree = work_tree(path.parent)
        if tree is None or tree == here:
            commands.setdefault("git checkout --", []).append(str(path))
        else:
            inside = os.path.relpath(os.path.realpath(path), tree)
            commands.setdefault(f"git -C {shlex.quote(str(tree))} checkout --", []).append(inside)
    written = (f"{command} {' '.join(map(shlex.quote, paths))}" for command, paths in commands.items())
    return " && ".join([*written, *_removed(changes)])


def _new_folder(parent: Path) -> Path:
    """A folder for copies, named by the time, which git does not look at."""
    parent.mkdir(exist_ok=True)
    (parent / ".gitignore").write_text("*\n", encoding="utf-8")
    return Path(tempfile.mkdtemp(prefix=f"{datetime.now():%Y%m%d-%H%M%S}-", dir=parent))


def _by_copies(changes: Sequence[FileUpdate], copies: Path, bot: Path) -> str:
    """Keeps the files as they are, in an archive for each folder: Rasa reads YAML in hidden folders, too.

    Returns:
        The command that takes the files out of the archives.
    """
    files: dict[str, list[str]] = {}
    for path in (os.path.realpath(change.path) for change in changes if change.old is not None):
        inside = os.path.relpath(path, os.path.realpath(bot))
        folder, name = os.path.split(path) if inside.startswith(os.pardir) else (str(bot), inside)
        files.setdefault(folder, []).append(name)
    commands = list[str]()
    for number, (folder, names) in enumerate(files.items(), 1):
        archive = copies / f"{number}.tar"
        with tarfile.open(archive, "x") as opened:
            for name in names:
                opened.add(Path(folder, name), name)
        commands.append(f"tar -xf {_quoted(archive)} -C {shlex.quote(folder)}")
    return " && ".join([*commands, *_removed(changes)])


def _removed(changes: Sequence[FileUpdate]) -> Iterator[str]:
    if new := [_quoted(change.path) for change in changes if change.old is None]:
        yield f"rm {' '.join(new)}"


def _quoted(path: Path) -> str:
    """A path as a word of a shell: a hyphen in front begins no option, a colon ends no host."""
    name = str(path)
    return shlex.quote(f"./{name}" if name.startswith("-") or (":" in name and name[0] != "/") else name)


def _not_kept(error: OSError, copies: Path) -> DataError:
    return DataError(
        f"what the files are now could not be kept in {copies} ({error.strerror or error}); nothing was "
        "changed: make room, or make the folder writable"
    )
