r"""The folder of drafts: all of it is written at once or not at all, and never over a person's edits.

    new/<intent>.yml     one proposed intent, a person's decision and the evidence in `metadata`
    known/<intent>.yml   further examples of an intent the bot has
    domain.yml           the proposed intents, for the domain
    assignments.jsonl    where every distinct logged message was placed, in its original spelling
    run.json             how the run was done, and the SHA-256 of the drafts, to recognise edits
    map.json             the map of the messages, as coordinates
    vectors.npz          the vectors of the messages, for the search by meaning on the review desk
    conversations.jsonl  what was said before and after messages, where these are from conversations
    decisions.jsonl      what was done on the review desk, by whom, and how to undo it
    decided.txt          which of these decisions have reached the drafts
    answers.jsonl        what a person said of messages that belong together; every run reads it and keeps it
    report.html          the page people look at; written again when a review is over
    .gitattributes       tells git how to merge what several reviewers decided

Files are UTF-8 with `\n` line ends.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from rasa_intent_discovery.datatypes import KNOWN, NEW
from rasa_intent_discovery.drafts.file_changes import give_owner
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
from rasa_intent_discovery.drafts.journal_merge import check_merged
from rasa_intent_discovery.drafts.synchronised import ARRIVING, check_whole, is_draft
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.nlu_yaml import Draft, from_yaml

logger = logging.getLogger(__name__)

RUN, JOURNAL = "run.json", "decisions.jsonl"
DOMAIN, ANSWERS = "domain.yml", "answers.jsonl"
ASSIGNMENTS, MAP, REPORT = "assignments.jsonl", "map.json", "report.html"
VECTORS, CONVERSATIONS = "vectors.npz", "conversations.jsonl"
DECIDED, MERGING = "decided.txt", ".gitattributes"
# Made anew by every run, or by the review desk, and not for editing. All other files count as drafts.
_GENERATED = (RUN, JOURNAL, DECIDED, ASSIGNMENTS, MAP, VECTORS, CONVERSATIONS, REPORT)
#: Of what decisions change beside drafts, git keeps all lines of both sides; the desk puts the rest right.
MERGING_RULES = (
    "# The decisions of several reviewers merge line by line; the review desk puts the rest right.\n"
    + "".join(f"{name} merge=union\n" for name in (JOURNAL, DECIDED, ANSWERS, DOMAIN, REPORT))
).encode()
# Files of desktops, network drives and editors that may be lost, and those that may hold a person's text or
# are on their way. Neither are edits.
_REMAINS = (
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
_BACKUPS = ("*~", "*.swp", "*.swo", "#*#", *ARRIVING)
_LITTER = (*_REMAINS, *_BACKUPS)
# Says in `run.json` that the folder is ours; earlier versions of this program said so in `versions` only.
_MADE_BY, _US = "made_by", "rasa-intent-discovery"

_GO_ON = "give another folder with --out"
_KEEP = "move or rename the folder to keep it, or give another one with --out"


class ChangedMeanwhile(DataError):
    """A person changed the drafts after they were read, which writing them would undo."""


@dataclass(frozen=True)
class Edits:
    """What a person did to a folder of drafts.

    Attributes:
        contents: path -> content, of the files that were changed or added.
        written: path -> SHA-256 of the file as the run wrote it, for all that are still there.
        deleted: paths of the files that were deleted.
    """

    contents: Mapping[str, bytes] = field(default_factory=dict)
    written: Mapping[str, str] = field(default_factory=dict)
    deleted: tuple[str, ...] = ()


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
                    f"{folder} lies in {path}, which is training data Rasa would train on: {_GO_ON}"
                )
        target = real_path(folder)
        put_back(target)
        if target.exists() and not target.is_dir():
            raise DataError(f"{folder} is a file, not a folder: {_GO_ON}")
        if target.is_dir():
            _check_is_ours(folder, target)
            _check_writable(folder, target)
        if os.path.ismount(target):
            raise DataError(
                f"{folder} is a mount point, new drafts cannot take its place: give a folder in it with --out"
            )
        _try_to_write(folder, target)
    except OSError as error:
        raise _not_looked_at(folder, error) from error


def write_drafts(
    folder: Path,
    files: Mapping[str, str | bytes],
    run: Mapping[str, Any],
    forbidden: Sequence[str | Path] = (),
    edits: Edits | None = None,
) -> None:
    """Makes the folder hold these files, `run.json` and what git needs only; after an error it is as before.

    Backup and swap files of editors in it stay, as they may hold a person's text.

    All is written to a new folder beside it, then the two are exchanged. A symbolic link stays one.
    If another process is writing the folder, this one waits.

    Args:
        folder: made with its parents where it does not exist.
        files: path below the folder, with `/` -> content. A lone surrogate is written as `?`.
        run: what `run.json` records; `made_by` and `files` are added.
        forbidden: as in `check_folder`.
        edits: a person's edits that `files` carries over. They still count as edits afterwards.

    Raises:
        ChangedMeanwhile: there are edits that are not in `edits`.
        DataError: as in `check_folder`, or the files could not be written (disk full, no permission).
    """
    edits = edits or Edits()
    contents = {
        name: text if isinstance(text, bytes) else text.encode("utf-8", "replace")
        for name, text in files.items()
    }
    theirs = {name for name, content in contents.items() if content == edits.contents.get(name)}
    theirs |= {DOMAIN} & set(edits.contents)  # the run changes the names in it, the rest is theirs
    hashes = {
        name: edits.written.get(name) if name in theirs else file_hash(content)
        for name, content in sorted(contents.items())
        if name not in _GENERATED
    }
    hashes = {name: written for name, written in hashes.items() if written is not None}
    noted = {_MADE_BY: _US, **run, "files": hashes}
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
        raise DataError(
            f"{folder} could not be written ({error.strerror or error}){_left(target)}"
        ) from error
    logger.info(f"wrote {len(contents)} files to {folder}")


def _left(target: Path) -> str:
    """What became of the folder when new drafts could not take its place."""
    with suppress(OSError):
        for aside in left_beside(target, "old"):
            if not target.exists():
                return f": what was in it is in {aside}, and the next command puts it back"
    return f" and is as it was: make room, or {_GO_ON}"


def _write_and_exchange(
    contents: Mapping[str, bytes], folder: Path, target: Path, forbidden: Sequence[str | Path], edits: Edits
) -> None:
    """Writes the files into a new folder and exchanges the two; the caller holds the lock."""
    put_back_locked(target)
    temporary = beside(target, "tmp")
    try:
        for killed in left_beside(target, "tmp"):
            shutil.rmtree(killed, ignore_errors=True)
        for name, content in contents.items():
            path = temporary / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        check_folder(folder, forbidden)
        _check_edits(folder, edits)
        _keep_backups(target, temporary)
        if target.is_dir():
            _make_alike(target, temporary)
        exchange(temporary, target)
        try:
            _check_edits(folder, edits, temporary)  # what was saved in the last moment
        except BaseException:
            exchange(temporary, target)
            raise
    finally:
        with suppress(KeyboardInterrupt):  # the exchange is done or undone; the next run tidies up
            shutil.rmtree(temporary, ignore_errors=True)


def _make_alike(target: Path, temporary: Path) -> None:
    """Lets the same people enter the new folder as the old one, and own what is in it."""
    for path in (temporary, *temporary.rglob("*")):
        if not path.is_symlink():
            give_owner(target, path)
    shutil.copymode(target, temporary)


def _keep_backups(target: Path, temporary: Path) -> None:
    """Copies the backup and swap files, and those on their way, that the new folder does not have."""
    for name in _files(target, _REMAINS) if target.is_dir() else ():
        copy = temporary / name
        if any(_is_like(part, _BACKUPS) for part in Path(name).parts) and not os.path.lexists(copy):
            copy.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):  # it has arrived, or its editor is closed
                shutil.copy2(target / name, copy, follow_symlinks=False)


def read_drafts(folder: Path, part: str = NEW) -> list[Draft]:
    """The drafts in a part of the folder (`new` or `known`) as they are now, in the order of their files.

    Raises:
        DataError: there is no folder of drafts, or a draft cannot be read; names file and line.
    """
    return [from_yaml(whole_text(read_bytes(path), path), str(path)) for path in draft_paths(folder, part)]


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Holds the lock of a folder of drafts: what the block reads and writes is one step to all others.

    An interrupted exchange is undone first. The lock is not reentrant.

    Raises:
        DataError: there is no such folder, or as `locked`.
        OSError: the folder it is in cannot be opened.
    """
    target = real_path(folder)
    if not target.parent.is_dir():
        raise _no_drafts(folder)
    with locked(target):
        put_back_locked(target)
        yield


def draft_paths(folder: Path, part: str) -> list[Path]:
    """The files of a part of the folder, sorted; an interrupted exchange is undone first.

    Raises:
        DataError: there is no folder of drafts, or it cannot be read.
    """
    try:
        put_back(real_path(folder))
        if not (folder / RUN).is_file():
            if _has_parts(folder):
                raise DataError(
                    f"{folder / RUN} is gone, without which its drafts cannot be read: bring it back"
                )
            raise _no_drafts(folder)
    except OSError as error:
        raise _not_looked_at(folder, error) from error
    names = [name for name in _names(folder / part) if not _is_like(name, _LITTER)]
    return [folder / part / name for name in names if is_draft(name, names)]


def _has_parts(folder: Path) -> bool:
    return any((folder / name).is_dir() for name in (NEW, KNOWN))


def _names(folder: Path) -> list[str]:
    """The names of the YAML files in a folder, sorted; none where it is missing.

    Raises:
        DataError: it cannot be read, which `Path.glob` takes for empty.
    """
    try:
        return sorted(name for name in os.listdir(folder) if fnmatch(name, "*.y*ml"))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise DataError(f"{folder} cannot be read: {error.strerror or error}") from None


def _no_drafts(folder: Path) -> DataError:
    return DataError(
        f"{folder} holds no drafts: run the command in the folder of the bot, after `rasa discover-intents`"
    )


def read_bytes(path: Path) -> bytes:
    """Raises DataError where the file cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from None


def decoded(content: bytes, path: Path) -> str:
    """The text of a file, line ends as they are; raises DataError with the line that is not UTF-8."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise DataError(f"{path}, line {line}: not UTF-8; save the file as UTF-8") from None


def whole_text(content: bytes, path: Path) -> str:
    """The text of a draft; raises DataError as `decoded`, or where it is not whole, or not merged."""
    text = decoded(content, path)
    check_whole(text, path)
    check_merged(text, path)
    return text


def _try_to_write(folder: Path, target: Path) -> None:
    """Makes and removes a folder where the new drafts will be made: permissions alone do not tell."""
    parent = next(path for path in target.parents if path.exists())
    trial = parent / beside(target, "tmp").name
    try:
        trial.mkdir()
    except OSError as error:
        raise DataError(
            f"{folder} cannot be written, nothing can be made in {parent} ({error.strerror}): {_GO_ON}"
        ) from error
    finally:
        with suppress(OSError):  # a run that is writing may have tidied it away
            trial.rmdir()


def read_record(folder: Path) -> dict[str, Any] | None:
    """What `run.json` says; None where there is no folder of drafts. Undoes an interrupted exchange first.

    Raises:
        DataError: `run.json` is broken, cannot be read, or is that of another program.
    """
    target = real_path(folder)
    path = target / RUN
    try:
        put_back(target)
        if not path.is_file():
            return None
        record: dict[str, Any] = json.loads(path.read_bytes())
        dict(record["files"])
    except OSError as error:
        raise _not_looked_at(folder, error) from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise DataError(
            f"{folder / RUN} is not as it was written, so edits cannot be told: {_KEEP}"
        ) from None
    versions = record.get("versions")
    if record.get(_MADE_BY) != _US and not (isinstance(versions, dict) and _US in versions):
        raise DataError(f"{folder} is no folder of drafts, its {RUN} is that of another program: {_GO_ON}")
    return record


def _not_looked_at(folder: Path, error: OSError) -> DataError:
    return DataError(f"{folder} cannot be looked at ({error.strerror or error}): {_GO_ON}")


def find_edits(folder: Path, record: Mapping[str, Any]) -> Edits:
    """What a person did to the drafts since they were written.

    Args:
        record: of the run that wrote them, as `read_record` gives it.

    Raises:
        DataError: a file cannot be read, or is a link to a folder.
        OSError: a subfolder cannot be opened.
    """
    target, written = real_path(folder), dict(record["files"])
    contents = {}
    for name in _files(target):
        try:
            if name not in _GENERATED:
                contents[name] = (target / name).read_bytes()
                if contents[name].replace(b"\r\n", b"\n") == MERGING_RULES:
                    del contents[name]
        except FileNotFoundError:
            continue  # it went after it was found
        except OSError as error:
            raise DataError(
                f"{folder / name} cannot be read ({error.strerror}), so it would be lost: {_KEEP}"
            ) from error
    return Edits(
        {name: content for name, content in contents.items() if file_hash(content) != written.get(name)},
        {name: written[name] for name in contents if name in written},
        tuple(sorted(set(written) - set(contents))),
    )


def _check_edits(folder: Path, known: Edits, moved: Path | None = None) -> None:
    """Raises ChangedMeanwhile for edits that the caller does not know of, as they would be lost.

    Args:
        moved: where the folder is, if it is not where it was.
    """
    record = read_record(moved or folder)
    now = find_edits(moved or folder, record) if record is not None else Edits()
    unknown = [f"{name} was deleted" for name in now.deleted if name not in known.deleted]
    unknown += [
        f"{name} was {'changed' if name in now.written else 'added'}"
        for name, content in now.contents.items()
        if known.contents.get(name) != content
    ]
    if unknown:
        more = f" (and {len(unknown) - 1} more)" if len(unknown) > 1 else ""
        raise ChangedMeanwhile(f"{folder} holds changes that would be lost: {min(unknown)}{more}; {_KEEP}")


def _check_is_ours(folder: Path, target: Path) -> None:
    record = read_record(folder)
    if record is not None:
        find_edits(folder, record)  # raises for a file that cannot be read, as it would be lost
    else:
        stranger = next(iter(_files(target, but=())), None)
        if stranger is not None and _has_parts(target):
            raise DataError(f"{folder / RUN} is gone, so edits cannot be told: bring it back, or {_GO_ON}")
        if stranger is not None:
            raise DataError(f"{folder} is no folder of drafts, it holds {stranger}: {_GO_ON}")


def _check_writable(folder: Path, target: Path) -> None:
    """Raises DataError for a write-protected folder, which could not be removed once it is replaced."""
    for path, _, _ in os.walk(target):
        if not os.access(path, os.W_OK):
            protected = folder / os.path.relpath(path, target)
            raise DataError(f"{protected} is write-protected: make it writable, or {_GO_ON}")


def _files(target: Path, but: Sequence[str] = _LITTER) -> Iterable[str]:
    """Paths of the files below the folder, with `/`, but for some names; OSError where it cannot open one."""

    def stop(error: OSError) -> None:
        raise error

    for root, folders, names in os.walk(target, onerror=stop):
        folders[:] = sorted(name for name in folders if not _is_like(name, but))
        names += [name for name in folders if os.path.islink(os.path.join(root, name))]
        for name in sorted(names):
            if not _is_like(name, but):
                yield (Path(root) / name).relative_to(target).as_posix()


def _is_like(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)
