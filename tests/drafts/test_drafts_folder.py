"""The folder of drafts: written at once or not at all, and never over a person's edits."""

from __future__ import annotations

import ctypes
import errno
import hashlib
import json
import os
import shutil
import signal
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from killed import needs_fork

from rasa_intent_discovery.drafts import folder_exchange
from rasa_intent_discovery.drafts import folder_writing as drafts
from rasa_intent_discovery.drafts.edits import ChangedMeanwhile, find_edits
from rasa_intent_discovery.drafts.folder import read_draft, read_drafts, read_record
from rasa_intent_discovery.drafts.folder_exchange import locked
from rasa_intent_discovery.drafts.folder_writing import check_folder, write_drafts
from rasa_intent_discovery.drafts.numbers import DraftNumbers
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.nlu_yaml import Draft, to_yaml

REFUND = to_yaml(Draft("refund", ("my money", "where is it"), {"messages": 2}))
FILES = {
    "new/refund.yml": REFUND,
    "known/greet.yml": to_yaml(Draft("greet", ("hiya",))),
    "domain.yml": "intents:\n- refund\n",
    "assignments.jsonl": '{"text": "\xfc\u2028"}\n',
    "report.html": "<p>report</p>\n",
}
OTHERS = {"new/visa.yml": to_yaml(Draft("visa", ("a visa",))), "domain.yml": "intents:\n- visa\n"}
RUN = {"settings": {"seed": 0}}
KEEP = "move or rename the folder to keep it, or give another one with --out"
GO_ON = "give another folder with --out"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of drafts as a run leaves it."""
    written = tmp_path / "intent_drafts"
    write_drafts(written, FILES, RUN)
    return written


def content(folder: Path) -> dict[str, bytes]:
    """Every file below the folder, hidden ones too, but for the one that is for git."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".gitattributes"
    }


def refused(folder: Path, forbidden: tuple[Path, ...] = ()) -> str:
    with pytest.raises(DataError) as error:
        check_folder(folder, forbidden)
    return str(error.value)


def test_the_folder_holds_the_files_and_how_to_recognise_edits(folder: Path) -> None:
    written = content(folder)
    run = json.loads(written.pop("run.json"))
    assert b"decisions.jsonl merge=union\n" in (folder / ".gitattributes").read_bytes()
    assert written == {name: text.encode() for name, text in FILES.items()}
    assert run == {
        "made_by": "rasa-intent-discovery",
        "settings": {"seed": 0},
        "files": {
            name: hashlib.sha256(FILES[name].encode()).hexdigest()
            for name in ["domain.yml", "known/greet.yml", "new/refund.yml"]
        },
        "placed": hashlib.sha256(FILES["assignments.jsonl"].encode()).hexdigest(),
    }
    assert os.listdir(folder.parent) == ["intent_drafts"]


def test_half_a_character_costs_a_question_mark_and_not_the_run(tmp_path: Path) -> None:
    write_drafts(tmp_path / "out", {"report.html": "<\ud83d>"}, {"note": "\udc00"})
    assert (tmp_path / "out" / "report.html").read_bytes() == b"<?>"
    assert json.loads((tmp_path / "out" / "run.json").read_text())["note"] == "?"


def test_the_drafts_are_read_back(folder: Path) -> None:
    assert read_drafts(folder) == [Draft("refund", ("my money", "where is it"), {"messages": 2})]
    assert read_draft(folder / "known" / "greet.yml") == Draft("greet", ("hiya",))


def test_the_same_again_is_the_same_to_the_byte(folder: Path) -> None:
    before = content(folder)
    write_drafts(folder, dict(reversed(FILES.items())), RUN)
    assert content(folder) == before


def test_a_next_run_replaces_everything(folder: Path) -> None:
    write_drafts(folder, OTHERS, RUN)
    assert sorted(content(folder)) == ["domain.yml", "new/visa.yml", "run.json"]
    assert os.listdir(folder.parent) == ["intent_drafts"]


def test_parents_are_made(tmp_path: Path) -> None:
    write_drafts(tmp_path / "a" / "b" / "out", FILES, RUN)
    assert (tmp_path / "a" / "b" / "out" / "new" / "refund.yml").read_text() == REFUND


def test_a_slash_at_the_end_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_drafts(Path("out/"), FILES, RUN)
    write_drafts(Path("./out//"), FILES, RUN)
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_stays_a_link(exists: bool, tmp_path: Path) -> None:
    target = tmp_path / "disk" / "drafts"
    target.parent.mkdir()
    if exists:
        write_drafts(target, OTHERS, RUN)
    link = tmp_path / "out"
    link.symlink_to(target)
    write_drafts(link, FILES, RUN)
    assert link.is_symlink()
    assert sorted(content(target)) == sorted([*FILES, "run.json"])
    assert os.listdir(target.parent) == ["drafts"]


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "out" / "new").mkdir(parents=True)
    write_drafts(tmp_path / "out", FILES, RUN)
    assert (tmp_path / "out" / "run.json").exists()


# Interrupted: the folder is as it was, and nothing lies about.


def fails(at: int, error: BaseException, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    """Lets the `at`-th call of a method of Path write half of what it should, or nothing, and fail."""
    original = getattr(Path, method)
    calls = iter(range(1000))
    if method == "rename":
        monkeypatch.setattr(folder_exchange, "_exchanged_at_once", lambda *_: False)

    def failing(path: Path, *arguments: object) -> object:
        if next(calls) != at:
            return original(path, *arguments)
        if method == "write_bytes":
            original(path, arguments[0][:5])
        raise error

    monkeypatch.setattr(Path, method, failing)


@pytest.mark.parametrize(
    ("method", "at"), [("write_bytes", 0), ("write_bytes", 2), ("rename", 0), ("rename", 1)]
)
@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left on device")], ids=repr
)
def test_what_stops_the_writing_leaves_the_folder_as_it_was(
    error: BaseException, method: str, at: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(folder.parent)
    fails(at, error, monkeypatch, method)
    with pytest.raises((KeyboardInterrupt, DataError)):
        write_drafts(folder, OTHERS, RUN)
    assert content(folder.parent) == before
    assert os.listdir(folder.parent) == ["intent_drafts"]


def test_where_the_folder_cannot_be_moved_back_either_that_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a network drive that is gone for a while."""
    before, original, calls = content(folder), Path.rename, iter(range(1000))

    def gone(path: Path, *arguments: Any) -> Path:
        if next(calls) >= 1:
            raise OSError(errno.ESTALE, "Stale file handle", str(path))
        return original(path, *arguments)

    monkeypatch.setattr(folder_exchange, "_exchanged_at_once", lambda *_: False)
    monkeypatch.setattr(Path, "rename", gone)
    with pytest.raises(DataError) as error:
        write_drafts(folder, OTHERS, RUN)
    [aside] = folder.parent.iterdir()
    assert str(error.value) == (
        f"{folder} could not be written (Stale file handle): what was in it is in {aside}, and the next "
        "command puts it back"
    )
    monkeypatch.undo()
    assert [draft.intent for draft in read_drafts(folder)] == ["refund"]
    assert content(folder) == before


def test_a_folder_that_only_some_may_enter_stays_one(folder: Path) -> None:
    """The drafts hold what people wrote."""
    folder.chmod(0o2750)
    write_drafts(folder, OTHERS, RUN)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o2750


def test_nobody_else_may_enter_while_it_is_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is killed then leaves the new folder beside it."""
    folder.chmod(0o700)
    modes = set()

    def looked_at(name: str, content: bytes, target: Path, temporary: Path, is_theirs: bool) -> None:
        modes.add(stat.S_IMODE(temporary.stat().st_mode))
        write(name, content, target, temporary, is_theirs)

    write = drafts._write
    monkeypatch.setattr(drafts, "_write", looked_at)
    write_drafts(folder, OTHERS, RUN)
    assert modes == {0o700}


def test_what_is_kept_is_as_it_was_and_who_may_read_a_file_stays_so(folder: Path) -> None:
    """A repository of git needs its empty folders and programs, and a person may have hidden a draft."""
    edited = folder / "new" / "refund.yml"
    edited.write_text(f"# mine\n{REFUND}")
    for name in (".git/HEAD", ".git/hooks/pre-commit", "../linked.yml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    (folder / ".git" / "refs" / "heads").mkdir(parents=True)
    (folder / "new" / "mine.yml").symlink_to("../../linked.yml")
    (folder / "gone.yml").symlink_to("nowhere")
    modes = {"new/refund.yml": 0o600, "domain.yml": 0o640, "new": 0o750, ".git/hooks/pre-commit": 0o755}
    for name, mode in modes.items():
        (folder / name).chmod(mode)
    os.utime(edited, (1_700_000_000, 1_700_000_000))

    record = read_record(folder)
    assert record is not None
    edits = find_edits(folder, record)
    write_drafts(folder, {**OTHERS, **edits.contents}, RUN, edits=edits)
    assert {name: stat.S_IMODE((folder / name).stat().st_mode) for name in modes} == modes
    assert edited.read_text() == f"# mine\n{REFUND}"
    assert edited.stat().st_mtime == 1_700_000_000
    assert (folder / ".git" / "refs" / "heads").is_dir()
    assert os.readlink(folder / "new" / "mine.yml") == "../../linked.yml"
    assert os.readlink(folder / "gone.yml") == "nowhere"
    assert not (folder / "known").exists(), "a part of the drafts that is empty now is none of theirs"


def test_a_file_that_a_network_drive_keeps_until_it_is_closed_is_no_draft(folder: Path) -> None:
    (folder / "new" / ".nfs0000000000c0ffee00000001").write_text(REFUND)
    write_drafts(folder, OTHERS, RUN)
    assert sorted(content(folder)) == ["domain.yml", "new/visa.yml", "run.json"]


def test_an_interrupt_after_the_exchange_takes_it_back(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = Path.rename

    def rename(path: Path, target: Path) -> Path:
        renamed = original(path, target)
        if ".tmp-" in path.name and target == folder:
            raise KeyboardInterrupt
        return renamed

    before = content(folder.parent)
    monkeypatch.setattr(folder_exchange, "_exchanged_at_once", lambda *_: False)
    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(KeyboardInterrupt):
        write_drafts(folder, OTHERS, RUN)
    assert content(folder.parent) == before


def renames(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders that are renamed from now on, each of which is absent for a moment."""
    original = Path.rename
    seen: list[str] = []

    def rename(path: Path, target: Path) -> Path:
        seen.append(path.name.partition("-")[0])
        return original(path, target)

    monkeypatch.setattr(Path, "rename", rename)
    return seen


@pytest.mark.skipif(sys.platform != "linux", reason="the system has no exchange in one step")
def test_the_folder_is_exchanged_in_one_step(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = renames(monkeypatch)
    write_drafts(folder, OTHERS, RUN)
    assert seen == []
    assert sorted(content(folder)) == ["domain.yml", "new/visa.yml", "run.json"]
    assert os.listdir(folder.parent) == ["intent_drafts"]


@pytest.mark.parametrize("answer", [None, errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EIO])
def test_where_the_system_cannot_exchange_in_one_step_the_folder_is_renamed(
    answer: int | None, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def renameat2(*_: object) -> int:
        ctypes.set_errno(answer or 0)
        return -1

    library = SimpleNamespace() if answer is None else SimpleNamespace(renameat2=renameat2)
    monkeypatch.setattr(folder_exchange.ctypes, "CDLL", lambda *_, **__: library)
    monkeypatch.setattr(folder_exchange.sys, "platform", "linux")
    before, seen = content(folder), renames(monkeypatch)
    if answer == errno.EIO:
        with pytest.raises(DataError, match=r"could not be written \(Input/output error\) and is as it was"):
            write_drafts(folder, OTHERS, RUN)
        assert (content(folder), seen) == (before, [])
    else:
        write_drafts(folder, OTHERS, RUN)
        assert sorted(content(folder)) == ["domain.yml", "new/visa.yml", "run.json"]
        assert seen == ["intent_drafts", ".intent_drafts.tmp", ".intent_drafts.old"]
    assert os.listdir(folder.parent) == ["intent_drafts"]


@pytest.mark.skipif(sys.platform != "linux", reason="the system has no exchange in one step")
def test_an_interrupt_after_the_exchange_in_one_step_takes_it_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = folder_exchange._exchanged_at_once

    def interrupted(one: Path, other: Path) -> bool:
        monkeypatch.setattr(folder_exchange, "_exchanged_at_once", original)
        original(one, other)
        raise KeyboardInterrupt

    before = content(folder.parent)
    monkeypatch.setattr(folder_exchange, "_exchanged_at_once", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_drafts(folder, OTHERS, RUN)
    assert content(folder.parent) == before


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(errno.EIO, "Input/output error")], ids=repr)
def test_what_stops_the_tidying_after_the_exchange_changes_nothing(
    error: BaseException, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fails(2, error, monkeypatch, "rename")
    write_drafts(folder, OTHERS, RUN)
    assert sorted(content(folder)) == ["domain.yml", "new/visa.yml", "run.json"]
    check_folder(folder)  # by the next run
    assert os.listdir(folder.parent) == ["intent_drafts"]


def test_an_interrupt_while_it_is_tried_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = Path.mkdir

    def mkdir(path: Path) -> None:
        original(path)
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "mkdir", mkdir)
    with pytest.raises(KeyboardInterrupt):
        check_folder(folder)
    assert os.listdir(folder.parent) == ["intent_drafts"]


def test_a_first_run_that_is_stopped_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fails(1, KeyboardInterrupt(), monkeypatch, "write_bytes")
    with pytest.raises(KeyboardInterrupt):
        write_drafts(tmp_path / "out", FILES, RUN)
    assert os.listdir(tmp_path) == []


# Two at once


def writing(folder: Path, files: dict[str, str], seconds: float) -> int:
    """Writes in a process that stays for a while just before it exchanges the folder.

    Returns:
        The process: it ends with 0, or 1 where it was refused.
    """
    process = os.fork()
    if process:
        return process
    exchange = drafts.exchange

    def slowly(temporary: Path, target: Path) -> None:
        (target.parent / "waits").touch()
        time.sleep(seconds)
        exchange(temporary, target)

    drafts.exchange = slowly
    try:
        write_drafts(folder, files, RUN)
        os._exit(0)
    except DataError:
        os._exit(1)
    finally:
        os._exit(2)


def wait_for(path: Path) -> None:
    until = time.monotonic() + 10
    while not path.exists():
        assert time.monotonic() < until, f"nobody made {path}"
        time.sleep(0.01)


def ended(process: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


@needs_fork
@pytest.mark.parametrize("there", [False, True])
def test_a_run_waits_for_another_that_writes(there: bool, tmp_path: Path) -> None:
    folder = tmp_path / "intent_drafts"
    if there:
        write_drafts(folder, FILES, RUN)
    first = writing(folder, FILES, seconds=0.5)
    wait_for(tmp_path / "waits")

    write_drafts(folder, OTHERS, RUN)

    assert ended(first) == 0
    assert set(content(folder)) == {*OTHERS, "run.json"}
    assert sorted(os.listdir(tmp_path)) == ["intent_drafts", "waits"]


@needs_fork
def test_who_looks_does_not_put_back_what_another_exchanges(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    aside = folder.with_name(".intent_drafts.old-0123abcd")
    holder = os.fork()
    if holder == 0:  # a run between the two renames of the exchange
        with locked(folder):
            folder.rename(aside)
            (folder.parent / "waits").touch()
            time.sleep(0.5)
            aside.rename(folder)
        os._exit(0)
    wait_for(folder.parent / "waits")

    read = read_drafts(folder)

    assert ended(holder) == 0, "it found its folder aside, where it had put it"
    assert [draft.intent for draft in read] == ["refund"]


@needs_fork
def test_the_lock_of_a_killed_run_holds_nobody_up(folder: Path) -> None:
    first = writing(folder, FILES, seconds=60)
    wait_for(folder.parent / "waits")
    os.kill(first, signal.SIGKILL)
    assert ended(first) == -signal.SIGKILL

    write_drafts(folder, OTHERS, RUN)

    assert set(content(folder)) == {*OTHERS, "run.json"}
    assert sorted(os.listdir(folder.parent)) == ["intent_drafts", "waits"]


@needs_fork
def test_who_waited_too_long_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_exchange, "DRAFTS", DraftNumbers(lock_seconds=0.1))
    first = writing(folder, FILES, seconds=1)
    wait_for(folder.parent / "waits")

    with pytest.raises(DataError) as error:
        write_drafts(folder, OTHERS, RUN)

    assert str(error.value) == (
        f"{folder} is being written by another run: wait until it has ended, or {GO_ON}"
    )
    assert ended(first) == 0
    assert set(content(folder)) == {*FILES, "run.json"}


def test_a_full_disk_is_one_clear_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fails(1, OSError(errno.ENOSPC, "No space left on device"), monkeypatch, "write_bytes")
    with pytest.raises(DataError) as error:
        write_drafts(folder, OTHERS, RUN)
    assert str(error.value) == (
        f"{folder} could not be written (No space left on device) and is as it was: make room, or {GO_ON}"
    )


@pytest.mark.parametrize("look", [read_drafts, read_record])
def test_a_folder_that_may_not_be_entered_is_told(
    look: Callable[[Path], object], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status = Path.stat

    def forbidden(path: Path, **options: Any) -> os.stat_result:
        if folder in path.parents:
            raise PermissionError(errno.EACCES, "Permission denied")
        return status(path, **options)

    monkeypatch.setattr(Path, "stat", forbidden)
    with pytest.raises(DataError) as error:
        look(folder)
    assert str(error.value) == f"{folder} cannot be looked at (Permission denied): {GO_ON}"


@pytest.mark.parametrize("look", [check_folder, read_drafts, read_record])
def test_the_folder_is_put_back_after_a_kill_in_the_exchange(look: object, folder: Path) -> None:
    before = content(folder)
    folder.rename(folder.parent / ".intent_drafts.old-0123abcd")
    look(folder)
    assert content(folder) == before


def test_what_killed_runs_left_is_cleared_by_the_next(folder: Path) -> None:
    for left in (".intent_drafts.old-0123abcd", ".intent_drafts.tmp-0123abcd"):
        (folder.parent / left / "new").mkdir(parents=True)
        (folder.parent / left / "new" / "x.yml").write_text("x")
    (folder.parent / ".intent_drafts.tmp-mine").mkdir()
    write_drafts(folder, OTHERS, RUN)
    assert sorted(os.listdir(folder.parent)) == [".intent_drafts.tmp-mine", "intent_drafts"]
    assert "new/visa.yml" in content(folder)


# Edits: never overwritten.


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("new/refund.yml", REFUND.replace("my money", "all my money"), "new/refund.yml was changed"),
        ("known/greet.yml", "", "known/greet.yml was changed"),
        ("domain.yml", "intents: []\n", "domain.yml was changed"),
        ("new/mine.yml", REFUND, "new/mine.yml was added"),
        ("notes.txt", "ask Anna", "notes.txt was added"),
        (".gitignore", "*", ".gitignore was added"),
        ("old/notes.txt", "", "old/notes.txt was added"),
        ("new/refund.yml", None, "new/refund.yml was deleted"),
    ],
)
def test_edits_that_nobody_carries_over_are_not_overwritten(
    name: str, text: str | None, message: str, folder: Path
) -> None:
    path = folder / name
    if text is None:
        path.unlink()
    else:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    before = content(folder)
    with pytest.raises(DataError) as error:
        write_drafts(folder, OTHERS, RUN)
    assert str(error.value) == f"{folder} holds changes that would be lost: {message}; {KEEP}"
    assert content(folder) == before


def test_of_several_edits_one_is_named(folder: Path) -> None:
    (folder / "domain.yml").unlink()
    (folder / "new" / "refund.yml").write_text("")
    (folder / "notes.txt").write_text("ask Anna")
    with pytest.raises(DataError) as error:
        write_drafts(folder, OTHERS, RUN)
    assert str(error.value) == (
        f"{folder} holds changes that would be lost: domain.yml was deleted (and 2 more); {KEEP}"
    )


def test_a_link_to_a_folder_cannot_be_carried_over(folder: Path) -> None:
    (folder / "linked").symlink_to(folder.parent, target_is_directory=True)
    record = read_record(folder)
    assert record is not None
    with pytest.raises(DataError) as error:
        find_edits(folder, record)
    assert str(error.value) == (
        f"{folder / 'linked'} cannot be read (Is a directory), so it would be lost: {KEEP}"
    )


def test_edits_that_are_carried_over_stay_edits(folder: Path) -> None:
    edited = REFUND.replace("my money", "all my money")
    (folder / "new" / "refund.yml").write_text(edited)
    (folder / "notes.txt").write_text("ask Anna")
    (folder / "known" / "greet.yml").unlink()
    record = read_record(folder)
    assert record is not None
    edits = find_edits(folder, record)
    assert edits.contents == {"new/refund.yml": edited.encode(), "notes.txt": b"ask Anna"}
    assert edits.deleted == ("known/greet.yml",)
    write_drafts(folder, {**OTHERS, **edits.contents}, RUN, edits=edits)
    assert content(folder)["new/refund.yml"] == edited.encode()
    record = read_record(folder)
    assert record is not None
    again = find_edits(folder, record)
    assert again.contents == edits.contents
    assert again.deleted == (), "what was deleted is forgotten"


def test_an_edit_during_the_run_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = Path.write_bytes

    def write_bytes(path: Path, data: bytes) -> int:
        (folder / "domain.yml").write_text("intents: [edited]\n")
        return original(path, data)

    monkeypatch.setattr(Path, "write_bytes", write_bytes)
    with pytest.raises(DataError, match=r"domain\.yml was changed"):
        write_drafts(folder, OTHERS, RUN)
    assert (folder / "domain.yml").read_text() == "intents: [edited]\n"
    assert os.listdir(folder.parent) == ["intent_drafts"]


@pytest.mark.parametrize("at_once", [True, False])
def test_what_is_saved_in_the_last_moment_is_refused(
    at_once: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def saved_before(temporary: Path, target: Path) -> None:
        if not (target / "notes.txt").exists():
            (folder / "notes.txt").write_text("ask Anna")
        folder_exchange.exchange(temporary, target)

    before = content(folder)
    monkeypatch.setattr(drafts, "exchange", saved_before)
    if not at_once:
        monkeypatch.setattr(folder_exchange, "_exchanged_at_once", lambda *_: False)
    with pytest.raises(DataError) as error:
        write_drafts(folder, OTHERS, RUN)
    assert str(error.value) == f"{folder} holds changes that would be lost: notes.txt was added; {KEEP}"
    assert content(folder) == {**before, "notes.txt": b"ask Anna"}
    assert os.listdir(folder.parent) == ["intent_drafts"]


@pytest.mark.parametrize(
    ("taken_back", "says"),
    [
        (lambda folder: (folder / "new/refund.yml").write_text(REFUND), "new/refund.yml was changed back"),
        (lambda folder: (folder / "notes.txt").unlink(), "notes.txt was deleted"),
        (
            lambda folder: (folder / "known/greet.yml").write_text(FILES["known/greet.yml"]),
            "known/greet.yml was brought back",
        ),
    ],
)
def test_an_edit_that_was_taken_back_meanwhile_is_not_made_again(
    taken_back: Callable[[Path], object], says: str, folder: Path
) -> None:
    (folder / "new/refund.yml").write_text(f"# mine\n{REFUND}")
    (folder / "notes.txt").write_text("ask Anna")
    (folder / "known/greet.yml").unlink()
    record = read_record(folder)
    assert record is not None
    edits = find_edits(folder, record)
    taken_back(folder)
    before = content(folder)

    with pytest.raises(ChangedMeanwhile) as error:
        write_drafts(folder, OTHERS, RUN, edits=edits)
    assert str(error.value) == f"{folder} holds changes that would be lost: {says}; {KEEP}"
    assert content(folder) == before


def test_where_the_folder_is_gone_meanwhile_what_a_person_wrote_comes_back(folder: Path) -> None:
    (folder / "notes.txt").write_text("ask Anna")
    record = read_record(folder)
    assert record is not None
    edits = find_edits(folder, record)
    shutil.rmtree(folder)
    write_drafts(folder, {**OTHERS, **edits.contents}, RUN, edits=edits)
    assert (folder / "notes.txt").read_text() == "ask Anna"


def test_drafts_without_their_record_are_told(folder: Path) -> None:
    (folder / "run.json").unlink()
    assert refused(folder) == (
        f"{folder / 'run.json'} is gone, so edits cannot be told: bring it back, or {GO_ON}"
    )


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"files": 3}', "\xff", "[" * 100_000])
def test_a_record_that_cannot_be_read_is_refused(text: str, folder: Path) -> None:
    (folder / "run.json").write_bytes(text.encode("latin-1"))
    assert refused(folder) == (
        f"{folder / 'run.json'} is not as it was written, so edits cannot be told: {KEEP}"
    )


def test_what_editors_and_desktops_leave_is_no_edit(folder: Path) -> None:
    for litter in (".DS_Store", "new/._refund.yml", "new/.refund.yml.swp", "new/refund.yml~", "Thumbs.db"):
        (folder / litter).write_bytes(b"\xff")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_bytes(b"")
    check_folder(folder)
    assert [draft.intent for draft in read_drafts(folder)] == ["refund"]


def test_what_editors_saved_of_a_persons_text_stays_and_other_litter_does_not(folder: Path) -> None:
    kept = {
        "notes~": b"notes",
        "new/refund.yml~": b"my text",
        "new/.refund.yml.swp": b"\xff",
        "mine/#draft.yml#": b"saved by itself",
        "old~/refund.yml": b"older",
    }
    lost = (".DS_Store", "new/._refund.yml", "__pycache__/x.pyc", "__pycache__/x~")
    for name, text in {**kept, **dict.fromkeys(lost, b"")}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(text)
    (folder / "gone~").symlink_to("nowhere")
    write_drafts(folder, OTHERS, RUN)
    after = content(folder)
    assert {name: after.pop(name) for name in kept} == kept
    assert sorted(after) == ["domain.yml", "new/visa.yml", "run.json"]
    assert os.readlink(folder / "gone~") == "nowhere"


def test_what_is_on_its_way_is_no_draft_and_no_edit_and_stays(folder: Path) -> None:
    arriving = ("new/.~tmp~/visa.yml", "new/.syncthing.visa.yml.tmp", ".dropbox.cache/x", "new/visa.yml.part")
    for name in arriving:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"half")
    assert [draft.intent for draft in read_drafts(folder)] == ["refund"]
    write_drafts(folder, OTHERS, RUN)
    assert {name: content(folder)[name] for name in arriving} == dict.fromkeys(arriving, b"half")


def test_neither_hidden_files_nor_other_versions_are_drafts(folder: Path) -> None:
    for name in (".refund.yml", "refund (1).yml"):
        (folder / "new" / name).write_text("half")
    assert [draft.intent for draft in read_drafts(folder)] == ["refund"]


def test_half_an_example_is_not_read(folder: Path) -> None:
    (folder / "new" / "refund.yml").write_text(REFUND[:-4])
    with pytest.raises(DataError, match="ends in the middle of a line, as one that was copied halfway"):
        read_drafts(folder)


def test_what_goes_while_edits_are_looked_for_is_deleted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_bytes(path: Path) -> bytes:
        path.unlink(missing_ok=True)
        return path.open("rb").read()

    record = read_record(folder)
    assert record is not None
    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    assert find_edits(folder, record).deleted == ("domain.yml", "known/greet.yml", "new/refund.yml")


def test_line_ends_of_windows_are_no_edit(folder: Path) -> None:
    (folder / "new" / "refund.yml").write_bytes(REFUND.replace("\n", "\r\n").encode())
    check_folder(folder)


def test_a_generated_file_may_change(folder: Path) -> None:
    (folder / "report.html").unlink()
    (folder / "assignments.jsonl").write_text("")
    check_folder(folder)


# Folders that are not for us.


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.py").write_text("")
    (tmp_path / "setup.py").write_text("")
    assert refused(tmp_path) == f"{tmp_path} is no folder of drafts, it holds setup.py: {GO_ON}"


@pytest.mark.parametrize("litter", ["notes~", ".refund.yml.swp", "__pycache__/x.pyc", ".DS_Store"])
def test_a_folder_that_only_holds_litter_is_not_ours(litter: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / litter).parent.mkdir(parents=True)
    (out / litter).write_text("text")
    assert refused(out) == f"{out} is no folder of drafts, it holds {litter}: {GO_ON}"


@pytest.mark.parametrize(
    "record",
    [
        {"files": {}},
        {"files": {"main.py": "0123"}, "versions": {"other": "1.0"}, "made_by": "other"},
        {"files": {}, "versions": "rasa-intent-discovery"},
    ],
)
@pytest.mark.parametrize("look", [check_folder, read_record])
def test_a_record_of_another_program_is_refused(
    look: Callable[[Path], object], record: dict[str, object], tmp_path: Path
) -> None:
    (tmp_path / "run.json").write_text(json.dumps(record))
    (tmp_path / "main.py").write_text("")
    before = content(tmp_path)
    with pytest.raises(DataError) as error:
        look(tmp_path)
    assert str(error.value) == (
        f"{tmp_path} is no folder of drafts, its run.json is that of another program: {GO_ON}"
    )
    assert content(tmp_path) == before


def test_a_record_of_an_earlier_version_is_ours(folder: Path) -> None:
    record = json.loads((folder / "run.json").read_text())
    del record["made_by"]
    record["versions"] = {"rasa-intent-discovery": "0.1.0"}
    (folder / "run.json").write_text(json.dumps(record))
    check_folder(folder)
    write_drafts(folder, OTHERS, RUN)
    assert json.loads((folder / "run.json").read_text())["made_by"] == "rasa-intent-discovery"


def test_the_root_of_the_disk_is_refused() -> None:
    assert refused(Path("/")).startswith("/ is no folder of drafts, it holds ")


def test_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    assert refused(tmp_path / "out") == f"{tmp_path / 'out'} is a file, not a folder: {GO_ON}"


def test_a_folder_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert refused(tmp_path / "file" / "out") == (
        f"{tmp_path / 'file' / 'out'} cannot be written, nothing can be made in {tmp_path / 'file'} "
        f"(Not a directory): {GO_ON}"
    )


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # To the superuser every folder is writable, whatever its mode says.
    fails(0, OSError(errno.EROFS, "Read-only file system"), monkeypatch, "mkdir")
    assert refused(tmp_path / "a" / "out") == (
        f"{tmp_path / 'a' / 'out'} cannot be written, nothing can be made in {tmp_path} "
        f"(Read-only file system): {GO_ON}"
    )
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("part", ["", "new"])
def test_a_write_protected_folder_of_drafts_is_refused(
    part: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # To the superuser every folder is writable, whatever its mode says.
    monkeypatch.setattr(drafts.os, "access", lambda path, _: Path(path) != folder / part)
    line = f"{folder / part} is write-protected: make it writable, or {GO_ON}"
    assert refused(folder) == line
    with pytest.raises(DataError) as error:
        write_drafts(folder, OTHERS, RUN)
    assert str(error.value) == line
    assert os.listdir(folder.parent) == ["intent_drafts"]


def test_a_mount_point_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts.os.path, "ismount", lambda path: Path(path) == folder)
    assert refused(folder) == (
        f"{folder} is a mount point, new drafts cannot take its place: give a folder in it with --out"
    )


@pytest.mark.parametrize(
    "out", ["data", "data/drafts", "data/nlu/../drafts", "link/drafts", "deep/drafts", "data/away"]
)
def test_training_data_is_refused(out: str, tmp_path: Path) -> None:
    (tmp_path / "data" / "nlu").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to("data", target_is_directory=True)
    (tmp_path / "deep").symlink_to("data/nlu", target_is_directory=True)
    (tmp_path / "data" / "away").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    data = tmp_path / "data"
    assert refused(tmp_path / out, (tmp_path / "domain", data)) == (
        f"{tmp_path / out} lies in {data}, which is training data Rasa would train on: {GO_ON}"
    )


def test_a_folder_beside_training_data_is_taken(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "nlu.yml").write_text("")
    check_folder(tmp_path / "data_drafts", (tmp_path / "data",))
    check_folder(tmp_path / "data" / "out", (tmp_path / "data" / "nlu.yml",))


# Reading what is not right.


def test_no_drafts_are_a_clear_line(tmp_path: Path) -> None:
    with pytest.raises(DataError) as error:
        read_drafts(tmp_path / "out")
    assert (
        str(error.value) == f"{tmp_path / 'out'} holds no drafts: run the command in the folder of the bot, "
        "after `rasa discover-intents`"
    )


def test_a_mistyped_folder_of_drafts_is_told_with_the_one_that_has_some(tmp_path: Path) -> None:
    (tmp_path / "drafts").mkdir()
    (tmp_path / "drafts" / "run.json").write_text("{}")
    (tmp_path / "draft").mkdir()  # closer, and not one of drafts
    with pytest.raises(DataError) as error:
        read_drafts(tmp_path / "draftz")
    assert f"draftz holds no drafts (did you mean {tmp_path / 'drafts'}/?): run" in str(error.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"nlu:\n- intent: a\n  examples: |\n    x\n", "line 4: expected `- ` before the example, got 'x'"),
        (b"nlu:\n- intent: a\n  examples: |\n    - caf\xe9\n", "line 4: not UTF-8; save the file as UTF-8"),
    ],
)
def test_a_broken_draft_is_named_with_its_line(data: bytes, message: str, folder: Path) -> None:
    path = folder / "new" / "refund.yml"
    path.write_bytes(data)
    with pytest.raises(DataError) as error:
        read_drafts(folder)
    assert str(error.value) == f"{path}, {message}"


def test_a_byte_order_mark_is_no_matter(folder: Path) -> None:
    (folder / "new" / "refund.yml").write_bytes(b"\xef\xbb\xbf" + REFUND.encode())
    assert [draft.intent for draft in read_drafts(folder)] == ["refund"]


def test_what_a_person_tells_git_in_the_folder_stays(folder: Path) -> None:
    rules = folder / ".gitattributes"
    assert find_edits(folder, read_record(folder) or {}).contents == {}
    rules.write_bytes(rules.read_bytes().replace(b"\n", b"\r\n"))
    assert find_edits(folder, read_record(folder) or {}).contents == {}, "git has checked it out so"
    rules.write_text("*.jsonl binary\n")
    edits = find_edits(folder, read_record(folder) or {})
    write_drafts(folder, {**FILES, **edits.contents}, RUN, edits=edits)
    assert rules.read_text() == "*.jsonl binary\n"
    assert find_edits(folder, read_record(folder) or {}).contents == edits.contents
