"""The folder of drafts: what is in it, written at once or not at all, and never over a person's edits.

    new/<intent>.yml     one proposed intent, its evidence in `metadata`
    known/<intent>.yml   further examples of an intent the bot has
    domain.yml           the proposed intents, for the domain
    assignments.jsonl    where every distinct logged message was placed, in its original spelling
    run.json             how the run was done, and the SHA-256 of the drafts, to recognise edits
    map.json             the map of the messages
    decisions.jsonl      what was done on the review desk, and how to undo it
    report.html          the page people look at

Files are UTF-8 with `\\n` line ends.
"""

from __future__ import annotations

import json
import logging
import os
import re
import secrets
import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from rasa_intent_discovery.datatypes import NEW
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.nlu_yaml import Draft, from_yaml
from rasa_intent_discovery.review_journal import entries_of, file_hash, standing

logger = logging.getLogger(__name__)

RUN, JOURNAL = "run.json", "decisions.jsonl"
ASSIGNMENTS, MAP = "assignments.jsonl", "map.json"
# Made anew by every run, or by the review desk, and not for editing; everything else a run writes is a draft.
_GENERATED = (RUN, JOURNAL, ASSIGNMENTS, MAP, "report.html")
# What desktops and editors leave behind: no edit, and no loss.
_LITTER = (
    *(".DS_Store", "._*", ".directory", "Thumbs.db", "desktop.ini"),
    *("*~", "*.swp", "*.swo", ".#*", "#*#", ".~lock.*", "__pycache__"),
)

_GO_ON = "give another folder with --out"
_KEEP = "move or rename the folder to keep it, or give another one with --out"


def check_folder(folder: Path, forbidden: Sequence[str | Path] = ()) -> None:
    """Refuses a folder whose drafts must not be written: called before a run starts, and before it writes.

    Where an earlier run was killed while it exchanged the folder, the drafts from before are put back first.

    Args:
        folder: where the drafts are to be; it need not exist, nor its parents.
        forbidden: training data of the bot. Rasa trains on every YAML file below such a folder.

    Raises:
        DataError: the folder lies in training data, is a file, cannot be written or looked at, is not a
            folder of drafts, or holds a person's edits or decisions.
    """
    try:
        for path in forbidden:
            if _lies_in(folder, Path(path)):
                raise DataError(
                    f"{folder} lies in {path}, which is training data Rasa would train on: {_GO_ON}"
                )
        target = _target(folder)
        _put_back(target)
        if target.exists() and not target.is_dir():
            raise DataError(f"{folder} is a file, not a folder: {_GO_ON}")
        if target.is_dir():
            _check_edits(folder, target)
        if os.path.ismount(target):
            raise DataError(
                f"{folder} is a mount point, new drafts cannot take its place: give a folder in it with --out"
            )
        _try_to_write(folder, target)
    except OSError as error:
        raise DataError(f"{folder} cannot be looked at ({error.strerror or error}): {_GO_ON}") from error


def write_drafts(
    folder: Path, files: Mapping[str, str], run: Mapping[str, Any], forbidden: Sequence[str | Path] = ()
) -> None:
    """Makes the folder hold exactly these files and `run.json`; if anything stops it, what it held before.

    All is written beside the folder, then the two are exchanged by renaming. A symbolic link stays one.

    Args:
        folder: made with its parents where it does not exist.
        files: path below the folder, with `/` -> content. A lone surrogate is written as `?`.
        run: what `run.json` records; `files`, and `decisions` where there are none, are added.
        forbidden: as in `check_folder`.

    Raises:
        DataError: as in `check_folder`, or the files could not be written (disk full, no permission).
    """
    contents = {name: text.encode("utf-8", "replace") for name, text in files.items()}
    hashes = {name: file_hash(contents[name]) for name in sorted(contents) if name not in _GENERATED}
    record = json.dumps({"decisions": [], **run, "files": hashes}, ensure_ascii=False, indent=2)
    contents[RUN] = f"{record}\n".encode("utf-8", "replace")
    check_folder(folder, forbidden)
    target = _target(folder)
    temporary = _beside(target, "tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        for killed in _left_beside(target, "tmp"):
            shutil.rmtree(killed, ignore_errors=True)
        for name, content in contents.items():
            path = temporary / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        check_folder(folder, forbidden)
        _exchange(temporary, target)
    except OSError as error:
        what = error.strerror or error
        raise DataError(
            f"{folder} could not be written ({what}) and is as it was: make room, or {_GO_ON}"
        ) from error
    finally:
        with suppress(KeyboardInterrupt):  # the drafts are in place or will not be; the next run tidies up
            shutil.rmtree(temporary, ignore_errors=True)
    logger.info(f"wrote {len(contents)} files to {folder}")


def read_drafts(folder: Path, part: str = NEW) -> list[Draft]:
    """The drafts in a part of the folder (`new` or `known`) as they are now, in the order of their files.

    Raises:
        DataError: there is no folder of drafts, or a draft cannot be read; names file and line.
    """
    paths = draft_paths(folder, part)
    return [from_yaml(decoded(read_bytes(path), path), where=str(path)) for path in paths]


def draft_paths(folder: Path, part: str) -> list[Path]:
    """The files of a part of the folder, sorted; an exchange that was killed half-way is undone first.

    Raises:
        DataError: there is no folder of drafts.
    """
    _put_back(_target(folder))
    if not (folder / RUN).is_file():
        raise DataError(f"{folder} holds no drafts: run `rasa discover-intents` first")
    return [path for path in sorted((folder / part).glob("*.y*ml")) if not _is_litter(path.name)]


def read_bytes(path: Path) -> bytes:
    """Raises DataError where the file cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from None


def decoded(content: bytes, path: Path) -> str:
    """The text of a file, line ends as they are; raises DataError with the line that is no UTF-8."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise DataError(f"{path}, line {line}: not UTF-8; save the file as UTF-8") from None


def _try_to_write(folder: Path, target: Path) -> None:
    """Makes a folder where the new drafts will be made, and removes it: only trying tells."""
    parent = next(path for path in target.parents if path.exists())
    trial = parent / _beside(target, "tmp").name
    try:
        trial.mkdir()
        trial.rmdir()
    except OSError as error:
        raise DataError(
            f"{folder} cannot be written, nothing can be made in {parent} ({error.strerror}): {_GO_ON}"
        ) from error
    finally:
        with suppress(OSError):  # it is there still after an interrupt between the two
            trial.rmdir()


def _check_edits(folder: Path, target: Path) -> None:
    if not (target / RUN).is_file():
        stranger = next(iter(_files(target)), None)
        if stranger is not None:
            raise DataError(f"{folder} is no folder of drafts, it holds {stranger}: {_GO_ON}")
        return
    try:
        run = json.loads((target / RUN).read_text(encoding="utf-8"))
        written = dict(run["files"])
        decisions = len(run.get("decisions") or ()) or _journaled(target)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise DataError(
            f"{folder / RUN} is not as it was written, so edits cannot be told: {_KEEP}"
        ) from None
    if decisions:
        raise DataError(f"{folder / RUN} holds decisions of a review ({decisions}): {_KEEP}")
    present = set(_files(target))
    edits = [f"{name} was deleted" for name in written if name not in present]
    edits += [f"{name} was added" for name in present - set(written) - set(_GENERATED)]
    edits += [
        f"{name} was changed"
        for name in present & set(written)
        if file_hash((target / name).read_bytes()) != written[name]
    ]
    if edits:
        more = f" (and {len(edits) - 1} more)" if len(edits) > 1 else ""
        raise DataError(f"{folder} holds changes that would be lost: {min(edits)}{more}; {_KEEP}")


def _journaled(target: Path) -> int:
    """Decisions that were not undone: after a crash `run.json` may not tell of the last one yet."""
    journal = target / JOURNAL
    return len(standing(entries_of(read_bytes(journal), journal))) if journal.exists() else 0


def _files(target: Path) -> Iterable[str]:
    """Paths of the files below the folder, with `/`, without litter; none is passed over unseen."""

    def stop(error: OSError) -> None:
        raise error

    for root, folders, names in os.walk(target, onerror=stop):
        folders[:] = sorted(name for name in folders if not _is_litter(name))
        names += [name for name in folders if os.path.islink(os.path.join(root, name))]
        for name in sorted(names):
            if not _is_litter(name):
                yield (Path(root) / name).relative_to(target).as_posix()


def _is_litter(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in _LITTER)


def _target(folder: Path) -> Path:
    return Path(os.path.realpath(folder))


def _lies_in(folder: Path, other: Path) -> bool:
    """Whether the folder is the other one or below it, as it is called or as links lead."""
    for path in (Path(os.path.abspath(folder)), _target(folder)):
        for above in (path, *path.parents):
            if above == _target(other) or (above.exists() and other.exists() and above.samefile(other)):
                return True
    return False


def _beside(target: Path, kind: str) -> Path:
    return target.with_name(f".{target.name}.{kind}-{secrets.token_hex(4)}")


def _left_beside(target: Path, kind: str) -> list[Path]:
    ours = re.compile(re.escape(f".{target.name}.{kind}-") + "[0-9a-f]{8}")
    return [path for path in target.parent.iterdir() if ours.fullmatch(path.name)]


def _exchange(temporary: Path, target: Path) -> None:
    """Puts `temporary` in the place of `target`; what was there is at `temporary` afterwards."""
    aside = _beside(target, "old")
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


def _put_back(target: Path) -> None:
    """Undoes an exchange that was killed half-way, when the folder had been moved aside."""
    if not target.parent.is_dir():
        return
    for aside in _left_beside(target, "old"):
        if target.exists():
            # By its new name it is known to be rubbish, should this be killed in turn.
            shutil.rmtree(aside.rename(_beside(target, "tmp")), ignore_errors=True)
        else:
            aside.rename(target)
