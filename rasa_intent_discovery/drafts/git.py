"""What git knows of a bot's files; a bot need not be in git."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

# How the line begins in which git says what has it trust a repository, in whatever language the others are.
_TRUSTING = "git config --global --add safe.directory "


def is_uncommitted(path: Path) -> bool:
    """Whether the file has uncommitted changes; False where there is no git or no work tree."""
    return bool(_output(["--no-optional-locks", "status", "--porcelain", "--", path.name], path.parent))


def is_committed(path: Path) -> bool:
    """Whether git has the file exactly as it is; False for one that it ignores, or is told not to look at."""
    listed = _output(["ls-files", "-v", "--", path.name], path.parent)
    if not listed.startswith(b"H ") or is_uncommitted(path):
        return False
    # It may write other line ends than are there: `core.autocrlf`.
    written = _run(["cat-file", "--filters", f"HEAD:./{path.name}"], path.parent)
    return written is not None and written.stdout == path.read_bytes()


def is_in_git(folder: Path) -> bool:
    """Whether the folder is in a work tree of git."""
    return _output(["rev-parse", "--is-inside-work-tree"], folder) == b"true"


def trusting(folder: Path) -> str:
    """The command after which git tells of a folder whose repository is another user's; empty if it does."""
    done = _run(["rev-parse", "--is-inside-work-tree"], folder)
    said = [] if done is None else done.stderr.decode("utf-8", "replace").splitlines()
    return next((line.strip() for line in said if line.strip().startswith(_TRUSTING)), "")


def work_tree(folder: Path) -> Path | None:
    """The folder of the work tree that a folder is in; that of a submodule is its own."""
    top = _output(["rev-parse", "--show-toplevel"], folder)
    return Path(os.fsdecode(top)) if top else None


def user_name(folder: Path) -> str:
    """The name that git signs commits with in the folder; empty where it is in no work tree, or has none."""
    if not is_in_git(folder):
        return ""
    return _output(["config", "user.name"], folder).decode("utf-8", "replace")


def _output(words: list[str], folder: Path) -> bytes:
    """Empty where git fails, or is not there."""
    done = _run(words, folder)
    return done.stdout.strip() if done is not None and done.returncode == 0 else b""


def _run(words: list[str], folder: Path) -> subprocess.CompletedProcess[bytes] | None:
    """What git says, to which names of files are no patterns; None where it is not there."""
    command = ["git", "--literal-pathspecs", *words]
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL)
    except OSError:
        return None
