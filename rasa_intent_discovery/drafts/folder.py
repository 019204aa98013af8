r"""The folder of drafts: what is in it, and how it is read (`folder_writing` writes it).

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
    applied.jsonl        what each `apply` put into the bot
    report.html          the page people look at; written again when a review is over
    .gitattributes       tells git how to merge what several reviewers decided

Files are UTF-8 with `\n` line ends.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from rasa_intent_discovery import __version__
from rasa_intent_discovery.datatypes import KNOWN, NEW
from rasa_intent_discovery.drafts.folder_exchange import locked, put_back, put_back_locked, real_path
from rasa_intent_discovery.drafts.journal_merge import check_merged
from rasa_intent_discovery.drafts.litter import LITTER, is_like
from rasa_intent_discovery.drafts.synchronised import check_whole, is_draft
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.kept_values import mapping_in
from rasa_intent_discovery.training_data.near_path import did_you_mean
from rasa_intent_discovery.training_data.nlu_yaml import Draft, from_yaml

RUN, JOURNAL = "run.json", "decisions.jsonl"
DOMAIN, ANSWERS = "domain.yml", "answers.jsonl"
ASSIGNMENTS, MAP, REPORT = "assignments.jsonl", "map.json", "report.html"
VECTORS, CONVERSATIONS = "vectors.npz", "conversations.jsonl"
DECIDED, MERGING = "decided.txt", ".gitattributes"
APPLIED = "applied.jsonl"
#: Made anew by every run, or by the review desk, and not for editing. All others are a person's, and kept.
GENERATED = (RUN, JOURNAL, DECIDED, ASSIGNMENTS, MAP, VECTORS, CONVERSATIONS, REPORT)
#: Of what decisions change beside drafts, git keeps all lines of both sides; the desk puts the rest right.
MERGING_RULES = (
    "# The decisions of several reviewers merge line by line; the review desk puts the rest right.\n"
    + "".join(f"{name} merge=union\n" for name in (JOURNAL, DECIDED, ANSWERS, APPLIED, DOMAIN, REPORT))
).encode()
#: Says in `run.json` that the folder is ours; earlier versions of this program said so in `versions` only.
MADE_BY, US = "made_by", "rasa-intent-discovery"
#: The key of `run.json` with what the command line gave, so that the command can be given again.
GIVEN = "given"
#: And that with a hash of the answers which the run took into account.
ANSWERED = "answered"
#: And that with who decided before the run: path of a draft -> name of the reviewer.
DECIDED_BEFORE = "decided_before"
#: And that with the ignored proposals: name -> how many messages were logged when it was ignored.
LOG_OF_IGNORED = "log_of_ignored"
#: And that with those of them that have a draft: name -> how many messages it had when it was ignored.
MESSAGES_OF_IGNORED = "messages_of_ignored"
#: And that with the drafts and the domain that the run carried over as a person had changed them: path ->
#: SHA-256, while `files` has that of the file as a run wrote it.
CARRIED = "carried"
#: And that with what a person took out of drafts of known intents: intent -> `text_key` of the examples.
TAKEN_OUT = "taken_out"
#: And that with what of it a person said is not of the intent, in the same form.
REFUSED = "refused"
#: And that with the intents of the bot that came of proposals, as far as their drafts were applied.
ACCEPTED_BEFORE = "accepted_before"

#: What to do where a folder cannot be used, and where it holds what would be lost.
GO_ON = "give another folder with --out"
KEEP = "move or rename the folder to keep it, or give another one with --out"


def read_drafts(folder: Path) -> list[Draft]:
    """The drafts of new intents in the folder as they are now, in the order of their files.

    Raises:
        DataError: there is no folder of drafts, or a draft cannot be read; names file and line.
    """
    return [read_draft(path) for path in draft_paths(folder, NEW)]


def read_draft(path: Path) -> Draft:
    """The draft in a file; raises DataError where it cannot be read, with file and line."""
    return from_yaml(whole_text(read_bytes(path), path), str(path))


def draft_paths(folder: Path, part: str) -> list[Path]:
    """The files of a part of the folder, sorted; an interrupted exchange is undone first.

    Raises:
        DataError: there is no folder of drafts, or it cannot be read.
    """
    try:
        put_back(real_path(folder))
        if not (folder / RUN).is_file():
            if has_parts(folder):
                raise DataError(
                    f"{folder / RUN} is gone, without which its drafts cannot be read: bring it back"
                )
            raise _no_drafts(folder)
    except OSError as error:
        raise not_looked_at(folder, error) from error
    paths = [f"{part}/{name}" for name in _names(folder / part) if not is_like(name, LITTER)]
    return [folder / path for path in paths if is_draft(path, paths)]


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


def read_record(folder: Path) -> dict[str, Any] | None:
    """What `run.json` says; None where there is no folder of drafts. Undoes an interrupted exchange first.

    Raises:
        DataError: `run.json` is broken, cannot be read, or is that of another program or of a later version
            of this one.
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
        raise not_looked_at(folder, error) from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise DataError(f"{folder / RUN} is not as it was written, so edits cannot be told: {KEEP}") from None
    versions = record.get("versions")
    if record.get(MADE_BY) != US and not (isinstance(versions, dict) and US in versions):
        raise DataError(f"{folder} is no folder of drafts, its {RUN} is that of another program: {GO_ON}")
    made = str(versions.get(US)) if isinstance(versions, dict) else ""
    if _minor(made) > _minor(__version__):
        raise DataError(
            f"{folder} was made by the later version {made} of this program, and this is {__version__}: "
            f"install that one, or, for new drafts, {GO_ON}"
        )
    return record


def _minor(version: str) -> tuple[int, ...]:
    """`1.2.3` -> 1, 2: what a folder holds is the same in all versions that begin so, or known to later ones.

    What is no version is earlier than all.
    """
    try:
        return Version(version).release[:2]
    except InvalidVersion:
        return ()


def left_by_run(record: Mapping[str, Any]) -> dict[str, str]:
    """Path -> SHA-256 of a file as the last run left it, also of one that it carried over.

    Args:
        record: of the run, as `read_record` gives it.
    """
    return {**record["files"], **mapping_in(record, CARRIED)}


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


def has_parts(folder: Path) -> bool:
    """Whether there is a part of a folder of drafts, with or without a `run.json`."""
    return any((folder / name).is_dir() for name in (NEW, KNOWN))


def _no_drafts(folder: Path) -> DataError:
    return DataError(
        f"{folder} holds no drafts{did_you_mean(folder, _has_drafts)}: run the command in the folder of the "
        "bot, after `rasa discover-intents`"
    )


def _has_drafts(folder: Path) -> bool:
    return (folder / RUN).is_file()


def not_looked_at(folder: Path, error: OSError) -> DataError:
    """The error for a folder that the system does not show."""
    return DataError(f"{folder} cannot be looked at ({error.strerror or error}): {GO_ON}")
