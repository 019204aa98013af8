"""Writes the folder of drafts: all of it at once or not at all, and never over a person's edits."""

from __future__ import annotations

import errno
import json
import logging
import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from rasa_intent_discovery.datatypes import KNOWN, NEW
from rasa_intent_discovery.drafts.edits import Edits, check_edits, find_edits
from rasa_intent_discovery.drafts.file_changes import give_owner
from rasa_intent_discovery.drafts.folder import (
    ASSIGNMENTS,
    CARRIED,
    DOMAIN,
    GENERATED,
    GO_ON,
    MADE_BY,
    MERGING,
    MERGING_RULES,
    RUN,
    US,
    has_parts,
    not_looked_at,
    read_record,
)
from rasa_intent_discovery.drafts.folder_exchange import (
    beside,
    exchange,
    left_beside,
    lies_in,
    locked,
    put_back,
    put_back_locked,
    real_path,
)
from rasa_intent_discovery.drafts.journal import file_hash
from rasa_intent_discovery.drafts.litter import BACKUPS, REMAINS, files_below, folders_below, is_like
from rasa_intent_discovery.drafts.synchronised import is_draft
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.nlu_yaml import from_yaml

logger = logging.getLogger(__name__)


def check_folder(folder: Path, forbidden: Sequence[str | Path] = ()) -> None:
    """Refuses a folder in which drafts must not be written: called before a run starts, and before it writes.

    If an earlier run was killed while it exchanged the folder, the drafts before that run are put back first.

    Args:
        folder: where the drafts are to be; it need not exist, nor its parents.
        forbidden: training data of the bot. Rasa trains on every YAML file below such a folder.

    Raises:
        DataError: the folder lies in training data, is a file, cannot be written or read, is not a folder of
            drafts, or has a `run.json` from which edits cannot be told.
    """
    try:
        for path in forbidden:
            if lies_in(folder, Path(path)):
                raise DataError(
                    f"{folder} lies in {path}, which is training data Rasa would train on: {GO_ON}"
                )
        target = real_path(folder)
        put_back(target)
        if target.exists() and not target.is_dir():
            raise DataError(f"{folder} is a file, not a folder: {GO_ON}")
        if target.is_dir():
            _check_is_ours(folder, target)
            _check_writable(folder, target)
        if os.path.ismount(target):
            raise DataError(
                f"{folder} is a mount point, new drafts cannot take its place: give a folder in it with --out"
            )
        _try_to_write(folder, target)
    except OSError as error:
        raise not_looked_at(folder, error) from error


def _check_is_ours(folder: Path, target: Path) -> None:
    record = read_record(folder)
    if record is not None:
        find_edits(folder, record)  # raises for a file that cannot be read, as it would be lost
    else:
        stranger = next(iter(files_below(target, but=())), None)
        if stranger is not None and has_parts(target):
            raise DataError(f"{folder / RUN} is gone, so edits cannot be told: bring it back, or {GO_ON}")
        if stranger is not None:
            raise DataError(f"{folder} is no folder of drafts, it holds {stranger}: {GO_ON}")


def _check_writable(folder: Path, target: Path) -> None:
    """Raises DataError for a write-protected folder, which could not be removed once it is replaced."""
    for path, _, _ in os.walk(target):
        if not os.access(path, os.W_OK):
            protected = folder / os.path.relpath(path, target)
            raise DataError(f"{protected} is write-protected: make it writable, or {GO_ON}")


def _try_to_write(folder: Path, target: Path) -> None:
    """Makes and removes a folder where the new drafts will be made: permissions alone do not tell."""
    parent = next(path for path in target.parents if path.exists())
    trial = parent / beside(target, "tmp").name
    try:
        trial.mkdir()
    except OSError as error:
        raise DataError(
            f"{folder} cannot be written, nothing can be made in {parent} ({error.strerror}): {GO_ON}"
        ) from error
    finally:
        with suppress(OSError):  # a run that is writing may have tidied it away
            trial.rmdir()


class NoRoom(DataError):
    """The disk is full, and the folder of drafts as it was."""


def write_drafts(
    folder: Path,
    files: Mapping[str, str | bytes],
    run: Mapping[str, Any],
    forbidden: Sequence[str | Path] = (),
    edits: Edits | None = None,
) -> None:
    """Makes the folder hold these files, `run.json` and what git needs only; after an error it is as before.

    Backup and swap files of editors in it stay, as they may hold a person's text, and so do
    further folders. Files keep their permissions, and those of the person their times, too.

    All is written to a new folder beside it, then the two are exchanged. A symbolic link stays one.
    If another process is writing the folder, this one waits.

    Args:
        folder: made with its parents where it does not exist.
        files: path below the folder, with `/` -> content. A lone surrogate is written as `?`.
        run: what `run.json` records; `made_by`, `files`, `placed` (the hash of the assignments) and `carried`
            are added.
        forbidden: as in `check_folder`.
        edits: a person's edits that `files` carries over. They still count as edits afterwards.

    Raises:
        ChangedMeanwhile: there are edits that are not in `edits`.
        NoRoom: the disk is full.
        DataError: as in `check_folder`, or the files could not be written (no permission).
    """
    edits = edits or Edits()
    contents = {
        name: text if isinstance(text, bytes) else text.encode("utf-8", "replace")
        for name, text in files.items()
    }
    theirs = {name for name, content in contents.items() if content == edits.contents.get(name)}
    theirs |= {DOMAIN} & set(edits.contents)  # the run changes the names in it, the rest is theirs
    theirs |= {name for name in contents if _is_opened(name, contents, edits)}
    hashes = {
        name: edits.written.get(name) if name in theirs else file_hash(content)
        for name, content in sorted(contents.items())
        if name not in GENERATED
    }
    hashes = {name: written for name, written in hashes.items() if written is not None}
    carried = {
        name: file_hash(contents[name])
        for name in sorted(theirs & {*contents})
        if name == DOMAIN or is_draft(name, contents)
    }
    placed = file_hash(contents.get(ASSIGNMENTS, b""))
    noted = {MADE_BY: US, **run, "files": hashes, "placed": placed, **({CARRIED: carried} if carried else {})}
    record = json.dumps(noted, ensure_ascii=False, indent=2)
    contents[RUN] = f"{record}\n".encode("utf-8", "replace")
    contents.setdefault(MERGING, MERGING_RULES)
    check_folder(folder, forbidden)
    target = real_path(folder)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with locked(target):
            _write_and_exchange(contents, folder, target, forbidden, edits)
    except OSError as error:
        kind = NoRoom if error.errno in (errno.ENOSPC, errno.EDQUOT) else DataError
        raise kind(f"{folder} could not be written ({error.strerror or error}){_left(target)}") from error
    logger.info(f"wrote {len(contents)} files to {folder}")


def _is_opened(name: str, contents: Mapping[str, bytes], edits: Edits) -> bool:
    """Whether the run changed nothing in a person's draft but its decision: the rest is theirs."""
    if name not in edits.contents or not is_draft(name, contents):
        return False
    try:
        old, new = (from_yaml(content.decode("utf-8")) for content in (edits.contents[name], contents[name]))
    except (UnicodeDecodeError, DataError):
        return False
    return replace(old, decision=new.decision) == new


def _left(target: Path) -> str:
    """What became of the folder when new drafts could not take its place."""
    with suppress(OSError):
        for aside in left_beside(target, "old"):
            if not target.exists():
                return f": what was in it is in {aside}, and the next command puts it back"
    return f" and is as it was: make room, or {GO_ON}"


def _write_and_exchange(
    contents: Mapping[str, bytes], folder: Path, target: Path, forbidden: Sequence[str | Path], edits: Edits
) -> None:
    """Writes the files into a new folder and exchanges the two; the caller holds the lock."""
    put_back_locked(target)
    temporary = beside(target, "tmp")
    try:
        for killed in left_beside(target, "tmp"):
            shutil.rmtree(killed, ignore_errors=True)
        temporary.mkdir(mode=target.stat().st_mode if target.is_dir() else 0o777)  # whom the old one lets in
        for name, content in contents.items():
            _write(name, content, target, temporary, is_theirs=content == edits.contents.get(name))
        check_folder(folder, forbidden)
        check_edits(folder, edits)
        if target.is_dir():
            _keep_backups(target, temporary)
            _make_alike(target, temporary)
        exchange(temporary, target)
        try:
            check_edits(folder, edits, temporary)  # what was saved in the last moment
        except BaseException:
            exchange(temporary, target)
            raise
    finally:
        with suppress(KeyboardInterrupt):  # the exchange is done or undone; the next run tidies up
            shutil.rmtree(temporary, ignore_errors=True)


def _write(name: str, content: bytes, target: Path, temporary: Path, is_theirs: bool) -> None:
    """Writes a file that the same people may read as the old one.

    Args:
        is_theirs: whether a person's file is kept: so are its times then, or the link to one elsewhere.
    """
    old, path = target / name, temporary / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if is_theirs and old.is_symlink() and not lies_in(real_path(old), target):
        path.symlink_to(os.readlink(old))
        return
    path.write_bytes(content)
    with suppress(FileNotFoundError):  # there is no old one, or no longer
        (shutil.copystat if is_theirs else shutil.copymode)(old, path)


def _make_alike(target: Path, temporary: Path) -> None:
    """Makes the folders of the old folder, too, lets the same people enter, and own what is in it."""
    for name in folders_below(target, REMAINS):
        if name not in (NEW, KNOWN):
            (temporary / name).mkdir(parents=True, exist_ok=True)
        if (temporary / name).is_dir():
            shutil.copymode(target / name, temporary / name)
    for path in (temporary, *temporary.rglob("*")):
        if not path.is_symlink():
            give_owner(target, path)
    shutil.copymode(target, temporary)


def _keep_backups(target: Path, temporary: Path) -> None:
    """Copies what the new folder lacks of backup and swap files, files on their way, and links to nowhere."""
    for name in files_below(target, REMAINS):
        copy = temporary / name
        is_backup = any(is_like(part, BACKUPS) for part in Path(name).parts)
        if (is_backup or not (target / name).exists()) and not os.path.lexists(copy):
            copy.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):  # it has arrived, or its editor is closed
                shutil.copy2(target / name, copy, follow_symlinks=False)
