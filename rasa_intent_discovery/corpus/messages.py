"""Reads logged messages from files: txt, csv, tsv, json, jsonl, NLU YAML and Excel. Cleans nothing.

Lines that cannot be read are skipped and reported; a file of which no line can be read is an error.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from rasa_intent_discovery.corpus.events import OTHER_TIME, EventReader, Selection
from rasa_intent_discovery.corpus.excel_files import BESIDE_AN_OPEN_ONE, EXCEL, read_excel, sheet_of
from rasa_intent_discovery.corpus.json_files import are_wrapped, object_in, read_json, read_jsonl
from rasa_intent_discovery.corpus.message_files import MessageFile, identity_of, read_nlu_yaml, shown
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.corpus.remarks import LISTED_FILES, Remark, added_up
from rasa_intent_discovery.corpus.table_files import read_table
from rasa_intent_discovery.corpus.time_columns import TimeOrder
from rasa_intent_discovery.corpus.transcripts import read_txt
from rasa_intent_discovery.corpus.turns import Turns
from rasa_intent_discovery.datatypes import LoggedMessage
from rasa_intent_discovery.errors import DataError, unreadable
from rasa_intent_discovery.plural import counted
from rasa_intent_discovery.training_data.near_path import did_you_mean

#: Suffix of a file -> the function that reads it.
READERS: dict[str, Callable[[MessageFile], Iterator[LoggedMessage]]] = {
    ".txt": read_txt,
    ".csv": read_table,
    ".tsv": read_table,
    ".jsonl": read_jsonl,
    ".json": read_json,
    ".yml": read_nlu_yaml,
    ".yaml": read_nlu_yaml,
    EXCEL: read_excel,
}
_ENDINGS = ".txt, .csv, .tsv, .jsonl, .yml, .yaml or .xlsx"
# Many programs keep such files, of which few hold messages: they are read where they are named.
_NAMED_ALONE = ".json"
_OF_JSON = (".jsonl", _NAMED_ALONE)
_WITH_COLUMNS = (".csv", ".tsv", *_OF_JSON, EXCEL)
_OLD_EXCEL = ".xls"
_COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".zip")


@dataclass(frozen=True)
class MessageLog:
    """The messages that were read, and what was skipped.

    Attributes:
        messages: in the order of the files and of their lines.
        skipped: a sentence for each file of which some or all lines were skipped, and before these one for
            what is the same in many.
        turns: what was said around the messages that are from conversations.
        others: whether further ones were left out as they are of another time than was asked for.
        unread_times: a sentence for each file with times that cannot be read.
        has_conversations: whether some of what was read are conversations.
    """

    messages: tuple[LoggedMessage, ...] = ()
    skipped: tuple[str, ...] = ()
    turns: Turns = field(default_factory=Turns, compare=False)
    others: bool = False
    unread_times: tuple[str, ...] = ()
    has_conversations: bool = field(default=False, compare=False)

    def __add__(self, other: MessageLog) -> MessageLog:
        return MessageLog(
            self.messages + other.messages,
            self.skipped + other.skipped,
            self.turns + other.turns,
            self.others or other.others,
            self.unread_times + other.unread_times,
            self.has_conversations or other.has_conversations,
        )


NO_MESSAGES = MessageLog()


def read_messages(
    paths: Sequence[str | Path],
    text_column: str = "text",
    selection: Selection | None = None,
    time_column: str | None = None,
) -> MessageLog:
    """Reads files of messages, and all such files in folders.

    Args:
        paths: txt, csv, tsv, json, jsonl, NLU YAML and xlsx files, or folders. A folder is read recursively
            and in sorted order, but hidden files, json files and other formats. A file named twice is read
            once. `may.xlsx#June` is the sheet `June` of an xlsx file.
        text_column: the column of csv, tsv and xlsx files, and the key of jsonl files, that holds the text.
        selection: which messages of conversations are read; None for those the bot did not recognise. Its
            times hold for all messages that have one.
        time_column: the same as `text_column`, of the times; None looks for the usual names.

    Raises:
        DataError: a path does not exist, cannot be read or is of another format; a folder holds no file of
            messages; a file has content of which nothing can be read; or no file holds any message.
    """
    found: dict[Path, list[LoggedMessage]] = {}
    files: list[MessageFile] = []
    turns = Turns()
    read: set[tuple[int, int] | None] = {None}
    for path in _to_read(paths, read):
        file = MessageFile(path, text_column, EventReader(selection or Selection(), turns), time_column)
        try:
            file, found[path] = _read(file)
        except FileNotFoundError as error:
            if str(path) in map(str, paths):
                raise _unreadable(path, error) from error
            continue  # the bot has removed the oldest file of what it collects since the folder was listed
        except OSError as error:
            raise _unreadable(path, error) from error
        read.add(file.identity)
        if file.skipped and not (found[path] or file.others or any(file.events.left_out.values())):
            raise DataError(
                f"{path}: no message can be read from it, {'; '.join(one.alone for one in file.remarks())}; "
                "check its format, its encoding (UTF-8) and --text-column"
            )
        _check_objects(found[path], file)
        files.append(file)
    found |= _dated_by_others(files, found)
    skipped = [
        *added_up({file.path: _remarks(found[file.path], file) for file in files}),
        *filter(None, map(_left_out, paths)),
    ]
    messages = tuple(chain.from_iterable(found.values()))
    if paths and not messages:
        raise DataError(f"{listed(skipped)}; name files that hold logged messages")
    return MessageLog(
        messages,
        tuple(skipped),
        turns,
        others=any(file.events.left_out[OTHER_TIME] for file in files),
        unread_times=tuple(f"{file.path}: {unread}" for file in files if (unread := file.unread())),
        has_conversations=any(file.events.has_any for file in files),
    )


def _read(file: MessageFile) -> tuple[MessageFile, list[LoggedMessage]]:
    """The messages of a file that are not of another time, and the file as it was read in the end."""
    found = _messages_of(file)
    if not file.events.has_any and _format(file.path) in _OF_JSON and are_wrapped(found, file):
        file = file.anew(is_wrapped=True)
        found = _messages_of(file)
    if not file.events.has_any and file.writers.others_beside():
        file = file.anew(file.is_wrapped)
        found = _messages_of(file)
    return file, found


def _messages_of(file: MessageFile) -> list[LoggedMessage]:
    """The same of one way to read the file."""
    found: list[LoggedMessage] = []
    for message in _in_time(READERS[_format(file.path)](file), file.events):
        found.append(message)
        file.messages += 1
    if not (file.seeming_times and _format(file.path) in _WITH_COLUMNS):
        return found
    file.tell_order()
    return list(_in_time(file.with_times(found), file.events))


def _dated_by_others(
    files: Sequence[MessageFile], found: Mapping[Path, Sequence[LoggedMessage]]
) -> dict[Path, list[LoggedMessage]]:
    """Messages with times as the other files of their folder are meant, where they tell nothing themselves.

    So `3/4/2026` in the export of one day is read where that of another has `3/14/2026`.
    """
    told: dict[tuple[Path, str], set[bool]] = {}
    for file in files:
        if file.order.day_first is not None:
            told.setdefault((file.path.parent, _format(file.path)), set()).add(file.order.day_first)
    dated = {}
    for file in files:
        beside = told.get((file.path.parent, _format(file.path)), set())
        if file.seeming_times and file.order == TimeOrder() and len(beside) == 1:
            file.order = TimeOrder(day_first=next(iter(beside)))
            dated[file.path] = list(_in_time(file.with_times(found[file.path]), file.events))
    return dated


def choices_in_vain(log: MessageLog, given: Collection[str]) -> str | None:
    """That options choose among conversations, and none were read; None where that is not so.

    Args:
        given: the settings that the command line gave.
    """
    options = {"channels": "--channel", "below": "--below", "all_messages": "--all-messages"}
    chosen = [option for name, option in options.items() if name in given]
    if not chosen or log.has_conversations or not log.messages:
        return None
    choose = f"{' and '.join(chosen)} {'chooses' if len(chosen) == 1 else 'choose'}"
    return f"{choose} among the messages of conversations alone, and none were read: all others are"


def missing_source(path: Path) -> str:
    """The sentence on a path at which there is nothing to read; empty where there is a file or folder.

    Raises:
        OSError: it cannot be looked at.
    """
    if sheet_of(path)[0].exists():
        return ""
    return f"{path}: there is no such file or folder{did_you_mean(path)}, check where the messages are"


def check_times(log: MessageLog, selection: Selection) -> None:
    """Raises DataError where only messages of some time are asked for, and the time of none is known."""
    is_dated = log.others or not log.messages or any(one.time is not None for one in log.messages)
    if selection.has_times and not is_dated:
        unread = f"; {listed(log.unread_times)}" if log.unread_times else ""
        raise DataError(
            "no message has a known time, so --since and --until cannot choose any: name the column of the "
            f"times with --time-column, or leave both out{unread}"
        )


def _to_read(paths: Sequence[str | Path], read: Container[tuple[int, int] | None]) -> Iterator[Path]:
    """The files, each to be read before the next one is asked for; also those that come up meanwhile.

    A bot that collects messages renames the file it writes, and begins another one.

    Args:
        read: the `identity` of what has been read, maybe under another name: that is not read again.
    """
    yield from _files(paths)
    folders = [path for path in paths if Path(path).is_dir()]
    with suppress(DataError):  # a folder is empty by now
        for path in _files(folders):
            with suppress(FileNotFoundError):
                if path.suffix == ".jsonl" and identity_of(path.stat()) not in read:
                    yield path


def _in_time(messages: Iterable[LoggedMessage], events: EventReader) -> Iterator[LoggedMessage]:
    """The messages that are not of another time; the others are counted with those of conversations."""
    for message in messages:
        if events.selection.is_other_time(message.time):
            events.left_out[OTHER_TIME] += 1
        else:
            yield message


def _check_objects(messages: Sequence[LoggedMessage], file: MessageFile) -> None:
    """Raises DataError where what was read as messages are JSON objects, and not what people wrote."""
    objects = [one for message in messages if (one := object_in(message.text)) is not None]
    if len(objects) > CORPUS.object_share * len(messages):
        is_json = _format(file.path) in _OF_JSON
        key = "name that of the text with the one it is under (--text-column OUTER.INNER)"
        advice = key if is_json else "save them in a file ending in .jsonl, one on a line"
        raise DataError(
            f"{file.path}: its messages are JSON objects, with the keys {shown(objects[0])}; {advice}"
        )


def _remarks(messages: Sequence[LoggedMessage], file: MessageFile) -> list[Remark]:
    """What is to be said of a file that was read."""
    remarks = [*file.remarks(), *_undated(messages, file), *_blank(messages, file)]
    if not (remarks or messages):
        remarks.append(Remark.plain("skipped, there is no message in it"))
    return remarks


def _undated(messages: Sequence[LoggedMessage], file: MessageFile) -> Iterator[Remark]:
    """What is to be said of messages that no time could leave out; nothing where that was not asked for."""
    count = sum(message.time is None for message in messages) if file.events.selection.has_times else 0
    if not count:
        return
    unnamed = file.time_column is None and _format(file.path) in _WITH_COLUMNS and not file.unread()
    advice = " (--time-column names the column of the times)" if unnamed else ""
    said = f"without a known time are read, whatever --since and --until say{advice}"
    yield Remark(f"{count:,} {said}", ("", said), count)


def _blank(messages: Sequence[LoggedMessage], file: MessageFile) -> Iterator[Remark]:
    """What is to be said of a file without any text where it should be, and another such column or key."""
    if file.other_texts and messages and not any(message.text.strip() for message in messages):
        others = shown(file.other_texts)
        yield Remark.plain(f"no {file.unit} has a text, name another one with --text-column ({others})")


def listed(skipped: Sequence[str]) -> str:
    """Joins the sentences on the first files into one, with the number of further files."""
    more = len(skipped) - LISTED_FILES
    return "; ".join([*skipped[:LISTED_FILES], *([f"and {counted(more, 'more file')}"] if more > 0 else [])])


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


def _format(path: Path) -> str:
    """The suffix of a file."""
    return sheet_of(path)[0].suffix.lower()


def _files_in(path: Path) -> list[Path]:
    if missing := missing_source(path):
        raise DataError(missing)
    if path.is_dir():
        found = _files_below(path)
        if not found:
            raise DataError(f"{path}: the folder holds no file ending in {_ENDINGS}, name one that does")
        return found
    if not sheet_of(path)[0].is_file():
        raise DataError(
            f"{path}: it is neither a file nor a folder but a pipe or device, save what comes from it in a "
            "file"
        )
    if _format(path) in _COMPRESSED:
        raise DataError(f"{path}: it is compressed, unpack it first")
    if _format(path) == _OLD_EXCEL:
        raise DataError(f"{path}: it is of the form that Excel wrote until 2003, save it as {EXCEL}")
    if _format(path) not in READERS:
        raise DataError(f"{path}: messages are read from files ending in {_ENDINGS}, save it as one of these")
    return [path]


def _left_out(path: str | Path) -> str:
    """`logs: left out 2 files of other kinds, logs/a.log, logs/b.gz`; empty where there is none."""
    folder = Path(path)
    others = [file for file in _below(folder) if not _is_read_in_folders(file)] if folder.is_dir() else []
    if not others:
        return ""
    named = ", ".join(map(str, others[:LISTED_FILES]))
    more = f" and {len(others) - LISTED_FILES} more" if len(others) > LISTED_FILES else ""
    what = "a file of another kind" if len(others) == 1 else f"{len(others)} files of other kinds"
    is_json = any(_format(file) == _NAMED_ALONE for file in others)
    advice = " (a .json file is read where it is named)" if is_json else ""
    if not all(file.is_file() for file in others):
        advice += " (links to nothing, pipes and devices are not read)"
    return f"{path}: left out {what}, {named}{more}{advice}"


def _is_read_in_folders(file: Path) -> bool:
    return file.suffix.lower() in READERS and file.suffix.lower() != _NAMED_ALONE and file.is_file()


def _files_below(folder: Path) -> list[Path]:
    """The files of a folder that can hold messages, hidden ones excluded.

    Raises:
        OSError: a folder cannot be opened.
    """
    return [file for file in _below(folder) if _is_read_in_folders(file)]


def _below(folder: Path) -> list[Path]:
    """All that is no folder in a folder, hidden ones excluded; a folder that cannot be opened is an error."""

    def stop(error: OSError) -> None:
        raise error

    found: list[Path] = []
    seen: set[tuple[int, int]] = set()
    for root, folders, names in os.walk(folder, onerror=stop, followlinks=True):
        here = identity_of(os.stat(root))
        if here in seen:  # linked to from a folder that is in it
            folders.clear()
            continue
        seen.add(here)
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(root, name) for name in names if not name.startswith((".", BESIDE_AN_OPEN_ONE))]
    return sorted(found)


def _unreadable(path: Path, error: OSError) -> DataError:
    return DataError(unreadable(error.filename or path, error))
