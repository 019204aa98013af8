"""What a person did to a folder of drafts since it was written: nothing of it may be lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rasa_intent_discovery.drafts.folder import GENERATED, KEEP, MERGING_RULES, read_record
from rasa_intent_discovery.drafts.folder_exchange import real_path
from rasa_intent_discovery.drafts.journal import file_hash
from rasa_intent_discovery.drafts.litter import files_below
from rasa_intent_discovery.errors import DataError


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
    for name in files_below(target):
        try:
            if name not in GENERATED:
                contents[name] = (target / name).read_bytes()
                if contents[name].replace(b"\r\n", b"\n") == MERGING_RULES:
                    del contents[name]
        except FileNotFoundError:
            continue  # it went after it was found
        except OSError as error:
            raise DataError(
                f"{folder / name} cannot be read ({error.strerror}), so it would be lost: {KEEP}"
            ) from error
    return Edits(
        {name: content for name, content in contents.items() if file_hash(content) != written.get(name)},
        {name: written[name] for name in contents if name in written},
        tuple(sorted(set(written) - set(contents))),
    )


def check_edits(folder: Path, known: Edits, moved: Path | None = None) -> None:
    """Raises ChangedMeanwhile for edits that the caller does not know of, as they would be lost.

    An edit that was taken back is one, too: the caller would make it again. Where the whole folder is gone,
    what the caller knows of it is to be kept.

    Args:
        moved: where the folder is, if it is not where it was.
    """
    record = read_record(moved or folder)
    if record is None:
        return
    now = find_edits(moved or folder, record)
    unknown = [f"{name} was deleted" for name in now.deleted if name not in known.deleted]
    unknown += [
        f"{name} was {'changed' if name in now.written else 'added'}"
        for name, content in now.contents.items()
        if known.contents.get(name) != content
    ]
    gone = {*known.contents} - {*now.contents, *now.deleted}
    unknown += [f"{name} was changed back" if name in now.written else f"{name} was deleted" for name in gone]
    unknown += [f"{name} was brought back" for name in {*known.deleted} & {*now.written} - {*now.contents}]
    if unknown:
        more = f" (and {len(unknown) - 1} more)" if len(unknown) > 1 else ""
        raise ChangedMeanwhile(f"{folder} holds changes that would be lost: {min(unknown)}{more}; {KEEP}")
