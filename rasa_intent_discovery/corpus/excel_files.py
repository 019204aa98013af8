"""Reads one Excel file of logged messages, with openpyxl, which is loaded only then.

A sheet is read as a csv file is: its first row that is not empty names the columns.
"""

from __future__ import annotations

import re
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from rasa_intent_discovery.corpus.message_files import MessageFile
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.corpus.table_files import Columns, columns_of, no_text_column
from rasa_intent_discovery.corpus.transcripts import read_cells
from rasa_intent_discovery.datatypes import LoggedMessage
from rasa_intent_discovery.errors import DataError

EXCEL = ".xlsx"
#: How the name begins of the file that Excel puts beside one that it has open.
BESIDE_AN_OPEN_ONE = "~$"
_WITH_SHEET = re.compile(rf"(.+?{re.escape(EXCEL)})#(.+)", re.IGNORECASE | re.DOTALL)
#: The first bytes of what Excel writes with a password, and of its files until 2003.
_NO_ZIP = b"\xd0\xcf\x11\xe0"
_ERRORS = ("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A")
_NAMED = 10  # sheets in an error or a note

_Row = Sequence[Any]


def sheet_of(path: Path) -> tuple[Path, str | None]:
    """The Excel file and the sheet that `may.xlsx#June` names; the path and None for any other path."""
    named = None if path.exists() else _WITH_SHEET.fullmatch(str(path))
    return (Path(named[1]), named[2]) if named else (path, None)


def read_excel(file: MessageFile) -> Iterator[LoggedMessage]:
    """The messages in the first sheet of a file, or in the one that its path names.

    Where its path names none, a note tells which sheets are left out.

    Numbers, dates and truth values are read as text, and of a formula the value that was saved with it.

    Raises:
        DataError: it is no Excel file, it has not the sheet or the column, or openpyxl is not installed.
        OSError: it cannot be opened.
    """
    file.unit = "row"
    path, sheet = sheet_of(file.path)
    name, rows, others = _read(path, sheet)
    number, header = next(rows, (0, ()))
    if others and sheet is None:
        first = f"read the sheet {name}" if number else f"the sheet {name} is empty"
        advice = f"name one to read it: {path}#{others[0]}"
        file.notes.append(f"{first}, left out {_listed(others)} ({advice})")
    names = [_text(value).strip() for value in header]
    columns = columns_of(file, names)
    if columns is None:
        if not number:  # the sheet is empty
            return
        another = f"read another sheet ({path}#{others[0]}), " if others else ""
        raise no_text_column(file, filter(None, names), another)
    yield from read_cells(file, _cells(file, rows, columns))


def _cells(
    file: MessageFile, rows: Iterable[tuple[int, _Row]], columns: Columns
) -> Iterator[tuple[int, str, list[Any]]]:
    """The number of each row that may have a message, its text, and what its columns of times hold."""
    for number, row in rows:
        text = _text(_cell(row, columns.text))
        if text in _ERRORS:
            file.skip("the error of a formula", number)
        elif not file.is_of_another(((name, _cell(row, at)) for name, at in columns.who), number):
            cells = [_cell(row, at) for at in columns.when]
            yield number, text, [cell.isoformat() if isinstance(cell, date) else cell for cell in cells]


def _read(path: Path, sheet: str | None) -> tuple[str, Iterator[tuple[int, _Row]], list[str]]:
    """The name of a sheet, its rows that are not empty, with numbers from 1, and the others with any."""
    _check(path)
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise DataError(
            f"{path}: Excel files are read with openpyxl, which is not installed; run "
            "pip install 'rasa-intent-discovery[excel]', or save the file as .csv"
        ) from error
    try:
        with path.open("rb") as content, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what the file holds beside its cells
            workbook = load_workbook(content, read_only=True, data_only=True, keep_links=False)
            sheets = {one.title: one for one in workbook.worksheets}
            name = _named(path, sheet, list(sheets))
            sheets[name].reset_dimensions()  # some programs write wrong ones, which cut the rows
            rows = list(_rows(sheets[name], path))
            others = [title for title, one in sheets.items() if title != name and any(_rows(one, path))]
    except (OSError, DataError, MemoryError):
        raise
    except Exception as error:  # a broken file breaks openpyxl in many ways
        raise _broken(path) from error
    return name, iter(rows), others


def _rows(sheet: Any, path: Path) -> Iterator[tuple[int, _Row]]:
    """The rows of a sheet that are not empty, with numbers from 1. Those between them cost a moment each."""
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        if number > CORPUS.most_rows:
            raise DataError(
                f"{path}: the sheet {sheet.title} has more than {CORPUS.most_rows:,} rows, save its messages "
                "as .csv"
            )
        if any(value is not None for value in row):
            yield number, row


def _check(path: Path) -> None:
    """Refuses what no Excel workbook is, and what would not fit into memory."""
    with path.open("rb") as content:
        start = content.read(len(_NO_ZIP))
        if start == _NO_ZIP:
            raise DataError(
                f"{path}: it is protected with a password, or of the form that Excel wrote until 2003; save "
                f"it as {EXCEL} without a password"
            )
        try:
            size = sum(part.file_size for part in zipfile.ZipFile(content).infolist())
        except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise _broken(path) from error
    if size > CORPUS.largest_workbook:
        raise DataError(
            f"{path}: unpacked it has more than {CORPUS.largest_workbook:,} bytes, save its messages as .csv"
        )


def _broken(path: Path) -> DataError:
    return DataError(
        f"{path}: it is no Excel file, or broken; open it in a spreadsheet program and save it as {EXCEL} "
        "or .csv"
    )


def _named(path: Path, sheet: str | None, sheets: list[str]) -> str:
    """The sheet to read."""
    if not sheets:
        raise _broken(path)
    if sheet is not None and sheet not in sheets:
        raise DataError(f"{path}: there is no sheet {sheet!r}, its sheets are: {_listed(sheets)}")
    return sheets[0] if sheet is None else sheet


def _listed(sheets: Sequence[str]) -> str:
    more = f" and {len(sheets) - _NAMED} more" if len(sheets) > _NAMED else ""
    return ", ".join(sheets[:_NAMED]) + more


def _cell(row: _Row, column: int) -> Any:
    return row[column] if column < len(row) else None


def _text(value: Any) -> str:
    """The text of a cell, as Excel shows it or nearly so."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, (date, time)):
        return value.isoformat()
    # XML cannot hold the first character of a line end of Windows: some programs write what it is.
    return str(value).replace("_x000D_\n", "\n").replace("_x000D_", "\n")
