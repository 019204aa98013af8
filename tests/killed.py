"""A process that is killed while it works on files, as by `kill -9` or where the memory is too small."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no process can be forked here")

#: What changes something on the disk, or waits for it.
STEPS: tuple[tuple[Any, str], ...] = (
    (os, "chown"),
    (os, "fsync"),
    (os, "link"),
    (os, "replace"),
    (shutil, "copy2"),
    (Path, "write_bytes"),
    (Path, "unlink"),
)

#: What Python tells its audit hooks of before it does it; that a file is opened it tells, too.
_CHANGES = tuple(
    f"os.{name}"
    for name in ("chmod", "chown", "link", "mkdir", "remove", "rename", "rmdir", "truncate", "utime")
)


def killed_at(do: Callable[[], object], at: int, steps: tuple[tuple[Any, str], ...] = STEPS) -> bool:
    """Has a forked process do it, killed just before its `at`-th step; False where it has no more than `at`.

    Of a file that it was writing it leaves a half.
    """
    process = os.fork()
    if process:
        return os.WIFSIGNALED(os.waitpid(process, 0)[1])
    try:
        _count(steps, count(), at)
        do()
    finally:
        os._exit(0)


def dies_at(at: int, folder: Path) -> None:
    """Has this process killed just before its `at`-th step that changes something below a folder.

    All of Python's own functions for files are heard of, whoever calls them. Of a file that is written as a
    whole a half is left.
    """
    calls = count()
    _count(((Path, "write_bytes"), (os, "fsync")), calls, at)

    def heard(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _CHANGES or (event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)):
            paths = [os.fsdecode(one) for one in arguments[:2] if isinstance(one, (str, bytes, os.PathLike))]
            if any(folder in Path(os.path.abspath(path)).parents for path in paths) and next(calls) == at:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(heard)


def _count(steps: tuple[tuple[Any, str], ...], calls: Iterator[int], at: int) -> None:
    for holder, name in steps:
        setattr(holder, name, _counted(getattr(holder, name), calls, at))


def _counted(step: Callable[..., Any], calls: Any, at: int) -> Callable[..., Any]:
    def counted(*arguments: Any, **options: Any) -> Any:
        if next(calls) == at:
            if step.__name__ == "write_bytes":
                path, content = arguments
                step(path, content[: len(content) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        return step(*arguments, **options)

    return counted
