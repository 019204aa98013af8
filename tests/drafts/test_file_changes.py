"""Changes of several files: what is shown, and that all are written or none."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from rasa_intent_discovery.drafts import file_changes
from rasa_intent_discovery.drafts.change_journal import take_back
from rasa_intent_discovery.drafts.file_changes import (
    FileUpdate,
    HalfWritten,
    hard_linked,
    unified_diff,
    write_changes,
)
from rasa_intent_discovery.errors import DataError


@pytest.fixture
def changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[FileUpdate]:
    """Two files that change and one that is new, seen from the folder they are in."""
    monkeypatch.chdir(tmp_path)
    Path("nlu").mkdir()
    made = []
    for name, old, new in (
        ("domain.yml", "a\nb\n", "a\nb\nc\n"),
        ("nlu/new.yml", None, "\xe9\n"),
        ("nlu/old.yml", "x\r\ny", "x\r\nz\r\ny"),
    ):
        if old is not None:
            Path(name).write_bytes(old.encode())
        made.append(FileUpdate(Path(name), None if old is None else old.encode(), new.encode()))
    return made


def content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_all_files_are_written(changes: list[FileUpdate], tmp_path: Path) -> None:
    write_changes(changes)
    assert content(tmp_path) == {
        "domain.yml": b"a\nb\nc\n",
        "nlu/new.yml": "\xe9\n".encode(),
        "nlu/old.yml": b"x\r\nz\r\ny",
    }


def test_a_file_is_removed(changes: list[FileUpdate], tmp_path: Path) -> None:
    removed = FileUpdate(Path("domain.yml"), b"a\nb\n", None)
    assert unified_diff([removed]) == "--- domain.yml\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n"
    write_changes([removed])
    assert content(tmp_path) == {"nlu/old.yml": b"x\r\ny"}


@pytest.mark.parametrize("half", [False, True], ids=["before", "after"])
def test_a_file_that_is_removed_comes_back_where_another_cannot_be_written(
    half: bool, changes: list[FileUpdate], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(tmp_path)
    error = OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr(os, "replace", failing(os.replace, 0, half, error))
    with pytest.raises(DataError):
        write_changes([FileUpdate(Path("domain.yml"), b"a\nb\n", None), changes[2]])
    assert content(tmp_path) == before


def test_a_file_keeps_its_permissions(changes: list[FileUpdate]) -> None:
    changes[0].path.chmod(0o640)
    write_changes(changes)
    assert stat.S_IMODE(changes[0].path.stat().st_mode) == 0o640


def test_a_file_keeps_its_owner_where_that_is_permitted(
    changes: list[FileUpdate], monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() == 0:
        os.chown(changes[0].path, 1234, 1235)
    before = changes[0].path.stat()
    write_changes(changes)
    after = changes[0].path.stat()
    assert (after.st_uid, after.st_gid) == (before.st_uid, before.st_gid)
    assert after.st_mtime_ns > before.st_mtime_ns

    monkeypatch.setattr(os, "chown", not_permitted)
    write_changes([FileUpdate(changes[0].path, changes[0].new, b"more\n")])
    assert changes[0].path.read_bytes() == b"more\n"


def test_a_file_keeps_its_extended_attributes(changes: list[FileUpdate]) -> None:
    try:
        os.setxattr(changes[0].path, "user.origin", b"export")
    except OSError:
        pytest.skip("this file system has no extended attributes")
    write_changes(changes)
    assert os.getxattr(changes[0].path, "user.origin") == b"export"


def test_a_symbolic_link_stays_one(changes: list[FileUpdate], tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    for change in changes:
        real = tmp_path / "real" / change.path.name
        if change.old is not None:
            change.path.rename(real)
        change.path.symlink_to(real)
    write_changes(changes)
    assert all(change.path.is_symlink() for change in changes)
    real_names = {f"real/{change.path.name}": change.new for change in changes}
    assert content(tmp_path) == {**{str(change.path): change.new for change in changes}, **real_names}


def test_of_a_symbolic_link_that_is_removed_the_file_stays(changes: list[FileUpdate], tmp_path: Path) -> None:
    Path("link.yml").symlink_to("domain.yml")
    before = content(tmp_path)
    gone = [FileUpdate(Path("link.yml"), changes[0].old, None)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", failing(os.replace, 0, False, OSError(errno.ENOSPC, "No space")))
        with pytest.raises(DataError):
            write_changes([*gone, changes[2]])
    assert content(tmp_path) == before
    assert Path("link.yml").is_symlink()
    write_changes(gone)
    assert not Path("link.yml").is_symlink()
    assert Path("domain.yml").read_bytes() == changes[0].old


def test_further_hard_links_keep_the_old_content(changes: list[FileUpdate], tmp_path: Path) -> None:
    os.link("domain.yml", "other")
    assert hard_linked(changes) == (Path("domain.yml"),)
    write_changes(changes)
    assert Path("other").read_bytes() == changes[0].old
    assert hard_linked(changes) == ()


def test_after_an_error_a_file_is_the_same_to_its_hard_links(
    changes: list[FileUpdate], monkeypatch: pytest.MonkeyPatch
) -> None:
    os.link("domain.yml", "other")
    monkeypatch.setattr(os, "replace", failing(os.replace, 1, False, OSError(errno.ENOSPC, "No space")))
    with pytest.raises(DataError):
        write_changes(changes)
    assert Path("domain.yml").samefile("other")


def test_where_there_are_no_hard_links_the_old_file_is_copied(
    changes: list[FileUpdate], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(tmp_path)
    monkeypatch.setattr(os, "link", not_permitted)
    monkeypatch.setattr(os, "replace", failing(os.replace, 1, False, OSError(errno.ENOSPC, "No space")))
    with pytest.raises(DataError):
        write_changes(changes)
    assert content(tmp_path) == before


def not_permitted(*_: object) -> None:
    raise PermissionError(errno.EPERM, "Operation not permitted")


CALLS = [
    *(("pathlib.Path.write_bytes", at) for at in range(3)),
    *(("shutil.copy2", at) for at in range(2)),
    *(("os.replace", at) for at in range(3)),
]


@pytest.mark.parametrize(("function", "at"), CALLS)
@pytest.mark.parametrize("half", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left on device")], ids=repr
)
def test_what_stops_the_writing_leaves_every_file_as_it_was(
    function: str,
    at: int,
    half: bool,
    error: BaseException,
    changes: list[FileUpdate],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = content(tmp_path)
    holders: dict[str, Any] = {"pathlib": Path, "shutil": shutil, "os": os}
    holder, name = holders[function.split(".")[0]], function.split(".")[-1]
    original = getattr(holder, name)
    monkeypatch.setattr(os, "link", not_permitted)  # so that all is copied
    monkeypatch.setattr(holder, name, failing(original, at, half, error))
    with pytest.raises((KeyboardInterrupt, DataError)):
        write_changes(changes)
    monkeypatch.setattr(holder, name, original)
    assert content(tmp_path) == before


def failing(original: Callable[..., Any], at: int, half: bool, error: BaseException) -> Callable[..., Any]:
    """The function, whose `at`-th call fails, before it has done anything or after."""
    calls = iter(range(1000))

    def fail(*arguments: Any, **options: Any) -> Any:
        if next(calls) != at:
            return original(*arguments, **options)
        if half:
            original(*arguments, **options)
        raise error

    return fail


def test_an_interrupt_while_it_is_tidied_up_changes_nothing(
    changes: list[FileUpdate], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "unlink", failing(Path.unlink, 0, False, KeyboardInterrupt()))
    write_changes(changes)
    assert [change.path.read_bytes() for change in changes] == [change.new for change in changes]


def test_a_full_disk_is_one_clear_line(changes: list[FileUpdate], monkeypatch: pytest.MonkeyPatch) -> None:
    error = OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr(os, "replace", failing(os.replace, 1, False, error))
    with pytest.raises(DataError) as caught:
        write_changes(changes)
    assert str(caught.value) == (
        "nlu/new.yml could not be written (No space left on device); nothing was changed: make room, or "
        "make it writable"
    )


@pytest.mark.parametrize("at", [1, 2])
def test_what_can_neither_be_written_nor_put_back_is_told_and_undone_by_the_next_command(
    at: int, changes: list[FileUpdate], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a network drive that is gone for a while."""
    before, calls, replace = content(tmp_path), count(), os.replace

    def gone(*arguments: Any) -> None:
        if next(calls) >= at:
            raise OSError(errno.EIO, "Input/output error", arguments[0])
        replace(*arguments)

    monkeypatch.setattr(os, "replace", gone)
    with pytest.raises(HalfWritten) as caught:
        write_changes(changes, Path(".journal"))
    assert str(caught.value) == (
        f"{changes[at].path} could not be written (Input/output error), nor domain.yml be put back as it was"
        ": when the disk is there again, the next command undoes what is half done"
    )
    monkeypatch.undo()
    take_back(tmp_path / ".journal")
    assert content(tmp_path) == before


def test_a_write_protected_file_is_left_alone(
    changes: list[FileUpdate], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(tmp_path)
    # To the superuser every file is writable, whatever its mode says.
    monkeypatch.setattr(file_changes.os, "access", lambda path, _: path != changes[2].path)
    with pytest.raises(DataError) as caught:
        write_changes(changes)
    assert str(caught.value) == (
        f"{changes[2].path} is write-protected; nothing was changed: make it writable first"
    )
    assert content(tmp_path) == before


@pytest.mark.parametrize("name", ["domain.yml", "nlu/new.yml"])
def test_what_somebody_else_wrote_meanwhile_is_left_alone(
    name: str, changes: list[FileUpdate], tmp_path: Path
) -> None:
    Path(name).write_text("mine")
    before = content(tmp_path)
    with pytest.raises(DataError) as caught:
        write_changes(changes)
    assert str(caught.value) == (f"{name} was changed by another program just now: run the command again")
    assert content(tmp_path) == before


@pytest.mark.parametrize("at", range(6))
def test_what_somebody_saves_in_the_last_moment_is_left_alone(
    at: int, changes: list[FileUpdate], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files wait for the disk, which can take seconds."""
    before, sync, calls = content(tmp_path), os.fsync, count()

    def fsync(descriptor: int) -> None:
        sync(descriptor)
        if next(calls) == at:
            Path("mine").write_bytes(b"mine\n")
            Path("mine").replace("nlu/old.yml")

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(DataError) as caught:
        write_changes(changes, Path(".journal"))
    assert str(caught.value) == "nlu/old.yml was changed by another program just now: run the command again"
    assert content(tmp_path) == {**before, "nlu/old.yml": b"mine\n"}


def test_the_diff_shows_what_is_added(changes: list[FileUpdate]) -> None:
    assert unified_diff(changes) == (
        "--- domain.yml\n+++ domain.yml\n@@ -1,2 +1,3 @@\n a\n b\n+c\n"
        "--- /dev/null\n+++ nlu/new.yml\n@@ -0,0 +1 @@\n+\xe9\n"
        "--- nlu/old.yml\n+++ nlu/old.yml\n@@ -1,2 +1,3 @@\n x\r\n+z\r\n y\n\\ No newline at end of file\n"
    )


def test_the_diff_can_be_applied(changes: list[FileUpdate], tmp_path: Path) -> None:
    (tmp_path / "a.patch").write_bytes(unified_diff(changes).encode())
    command = ["git", "apply", "-p0", "--whitespace=nowarn", "a.patch"]
    subprocess.run(command, cwd=tmp_path, check=True, env={**os.environ, "GIT_DIR": str(tmp_path / "none")})
    assert {change.path: change.path.read_bytes() for change in changes} == {
        change.path: change.new for change in changes
    }


@pytest.mark.skipif(shutil.which("patch") is None, reason="the program patch is not installed")
def test_the_diff_of_files_with_a_space_in_their_names_can_be_applied(tmp_path: Path) -> None:
    folder = tmp_path / "my bot"
    folder.mkdir()
    (folder / "old file.yml").write_bytes(b"a\n")
    relative = Path("my bot")
    diff = unified_diff(
        [
            FileUpdate(relative / "old file.yml", b"a\n", b"a\nb\n"),
            FileUpdate(relative / "new.yml", None, b"c\n"),
        ]
    )
    subprocess.run(["patch", "-p0"], input=diff.encode(), cwd=tmp_path, check=True)
    assert content(tmp_path) == {"my bot/old file.yml": b"a\nb\n", "my bot/new.yml": b"c\n"}
