"""Files of lines to which one is added at a time, and of which a killed process leaves all others whole."""

from __future__ import annotations

import os
from pathlib import Path


def append_line(path: Path, line: bytes, lasting: bool = False) -> None:
    """Appends all of a line or nothing of it; where half a line is at the end, it begins a new one.

    Args:
        line: with its end.
        lasting: whether to wait until the disk has it.

    Raises:
        OSError: the file cannot be written.
    """
    with path.open("ab+", buffering=0) as file:
        end = file.seek(0, os.SEEK_END)
        if end:
            file.seek(end - 1)
            if file.read(1) != b"\n":  # a killed process left an incomplete line
                line = b"\n" + line
        try:
            written = file.write(line)
            if written != len(line):
                raise OSError("no room is left")
            if lasting:
                os.fsync(file.fileno())
        except OSError:
            file.truncate(end)
            raise
