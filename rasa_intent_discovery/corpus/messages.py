"""Reads logged messages from files: txt, csv, tsv, jsonl and NLU YAML, as they are, nothing cleaned.

A line that cannot be read is skipped and said so; a file from which nothing can be read ends the run.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rasa_intent_discovery.corpus.events import EventReader, Selection
from rasa_intent_discovery.corpus.message_files import READERS, MessageFile
from rasa_intent_discovery.datatypes import LoggedMessage
from rasa_intent_discovery.errors import DataError

_ENDINGS = ".txt, .csv, .tsv, .jsonl, .yml or .yaml"
_LISTED_FILES = 5


@dataclass(frozen=True)
class MessageLog:
    """What was read.

    Attributes:
        messages: in the order of the files and of their lines.
        skipped: a sentence for each file of which something, or everything, was skipped.
    """

    messages: tuple[LoggedMessage, ...] = ()
    skipped: tuple[str, ...] = ()

    def __add__(self, other: MessageLog) -> MessageLog:
        return MessageLog(self.messages + other.messages, self.skipped + other.skipped)


NO_MESSAGES = MessageLog()


def read_messages(
    paths: Sequence[str | Path], text_column: str = "text", selection: Selection | None = None
) -> MessageLog:
    """Read files, and folders with all the files in them that can hold messages.

    Args:
        paths: txt, csv, tsv, jsonl and NLU YAML files, or folders. A folder is read recursively, sorted,
            without its hidden and its other files; a file that is met twice is read once.
        text_column: the column of csv and tsv files, and the key of jsonl files, that holds the text.
        selection: what is read of conversations.

    Raises:
        DataError: a path does not exist, cannot be read or is of another kind, a folder holds no file of
            messages, a file has content but none that can be read, or no file has any message.
    """
    messages: list[LoggedMessage] = []
    skipped: list[str] = []
    for path in _files(paths):
        file = MessageFile(path, text_column, EventReader(selection or Selection()))
        try:
            found = list(READERS[path.suffix.lower()](file))
        except OSError as error:
            raise _unreadable(path, error) from error
        if file.skipped and not found:
            raise DataError(
                f"{path}: no message can be read from it, {file.skipped_sentence()}; "
                "check its format, its encoding (UTF-8) and --text-column"
            )
        if file.skipped or file.events.left_out:
            skipped.append(f"{path}: {file.skipped_sentence()}")
        elif not found:
            skipped.append(f"{path}: skipped, there is no message in it")
        messages += found
    if paths and not messages:
        raise DataError(f"{listed(skipped)}; name files that hold logged messages")
    return MessageLog(tuple(messages), tuple(skipped))


def listed(skipped: Sequence[str]) -> str:
    """The sentences on the first files, and how many more there are, in one."""
    more = len(skipped) - _LISTED_FILES
    return "; ".join([*skipped[:_LISTED_FILES], *([f"and {more} more files"] if more > 0 else [])])


def _files(paths: Sequence[str | Path]) -> list[Path]:
    files: dict[Path, Path] = {}
    for named in paths:
        if not str(named).strip():
            raise DataError("the name of a file of messages is empty, check --messages and `messages`")
        path = Path(named)
        try:
            found = _files_in(path)
        except OSError as error:
            raise _unreadable(path, error) from error
        for file in found:
            files.setdefault(file.resolve(), file)
    return list(files.values())


def _files_in(path: Path) -> list[Path]:
    if not path.exists():
        raise DataError(f"{path}: there is no such file or folder, check where the messages are")
    if path.is_dir():
        found = _files_below(path)
        if not found:
            raise DataError(f"{path}: the folder holds no file ending in {_ENDINGS}, name one that does")
        return found
    if path.suffix.lower() not in READERS:
        raise DataError(f"{path}: messages are read from files ending in {_ENDINGS}, save it as one of these")
    return [path]


def _files_below(folder: Path) -> list[Path]:
    """What is not hidden and can hold messages. A folder that cannot be opened is not passed over."""

    def stop(error: OSError) -> None:
        raise error

    found: list[Path] = []
    for root, folders, names in os.walk(folder, onerror=stop):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files = [Path(root, name) for name in names if not name.startswith(".")]
        found += [file for file in files if file.suffix.lower() in READERS and file.is_file()]
    return sorted(found)


def _unreadable(path: Path, error: OSError) -> DataError:
    return DataError(f"{error.filename or path}: cannot be read ({error.strerror}), make it readable first")
