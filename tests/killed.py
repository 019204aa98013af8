"""A process that is killed while it works on files, as by `kill -9` or where the memory is too small."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
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


def killed_at(do: Callable[[], object], at: int, steps: tuple[tuple[Any, str], ...] = STEPS) -> bool:
    """Has a forked process do it, killed just before its `at`-th step; False where it has no more than `at`.

    Of a file that it was writing it leaves a half.
    """
    process = os.fork()
    if process:
        return os.WIFSIGNALED(os.waitpid(process, 0)[1])
    try:
        calls = iter(range(1000))
        for holder, name in steps:
            setattr(holder, name, _counted(getattr(holder, name), calls, at))
        do()
    finally:
        os._exit(0)


def _counted(step: Callable[..., Any], calls: Any, at: int) -> Callable[..., Any]:
    def counted(*arguments: Any, **options: Any) -> Any:
        if next(calls) == at:
            if step.__name__ == "write_bytes":
                path, content = arguments
                step(path, content[: len(content) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        return step(*arguments, **options)

    return counted
