"""The folder of what can be made again: whose it is, how large it gets, and what happens without it."""

from __future__ import annotations

import errno
import logging
import os
import time
from pathlib import Path

import pytest

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.learning.cache_folder import NO_CACHE, CacheFolder, part_of_run


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".rasa" / "intent_discovery"


def names(folder: CacheFolder) -> list[str]:
    return [file.stem for file in folder.files("vectors")]


def test_only_the_user_may_read_what_is_kept_and_git_leaves_it_out(path: Path) -> None:
    CacheFolder(path, 1.0).write("vectors", "one", b"1")

    assert [oct((path / name).stat().st_mode & 0o777) for name in (".", "vectors")] == ["0o700", "0o700"]
    assert oct((path / "vectors" / "one.safetensors").stat().st_mode & 0o777) == "0o600"
    assert (path / "vectors" / ".gitignore").read_text() == "*\n"


def test_so_it_is_in_a_folder_that_was_there(path: Path) -> None:
    path.mkdir(parents=True)
    path.chmod(0o755)
    CacheFolder(path, 1.0).write("runs/one", "learnt", b"1")

    modes = [oct((path / name).stat().st_mode & 0o777) for name in (".", "runs", "runs/one")]
    assert modes == ["0o755", "0o700", "0o700"]
    assert [*path.glob(".gitignore")] == [] and (path / "runs" / ".gitignore").read_text() == "*\n"


def test_so_is_what_an_earlier_version_kept_there(path: Path) -> None:
    (path / "vectors").mkdir(parents=True)
    (path / "vectors" / "one.safetensors").write_bytes(b"1")
    CacheFolder(path, 1.0).write("vectors", "two", b"2")
    assert (path / "vectors" / ".gitignore").exists()


def test_nothing_is_made_before_something_is_kept(path: Path) -> None:
    folder = CacheFolder(path, 1.0)

    assert (folder.files("vectors"), folder.read(path / "vectors" / "one.safetensors")) == ([], None)
    folder.remove("vectors")
    assert not path.parent.exists()


def test_no_folder_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in (NO_CACHE, CacheFolder.of(DiscoveryConfig(cache=""))):
        folder.write("vectors", "one", b"1")
        folder.remove("vectors")
        assert folder.files("vectors") == []
    assert list(tmp_path.iterdir()) == []


def test_what_was_not_used_for_longest_is_deleted_beyond_the_limit(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="rasa_intent_discovery")
    folder = CacheFolder(path, 0.003)
    for age, name in enumerate(("a", "b", "c")):
        folder.write("vectors", name, bytes(1000))
        os.utime(path / "vectors" / f"{name}.safetensors", (0, time.time() - 100 + age))
    assert caplog.messages == []
    assert folder.read(path / "vectors" / "a.safetensors") == bytes(1000)
    folder.write("vectors", "d", bytes(1000))

    assert names(folder) == ["a", "c", "d"]
    assert caplog.messages == [
        f"files deleted in {path} that were not used for longest: 1; it holds 0.003 MB at most "
        "(cache_megabytes)"
    ]


def test_a_limit_that_is_too_small_for_one_run_is_said_once(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="rasa_intent_discovery")
    folder = CacheFolder(path, 2.5)
    for name in ("a", "b", "c", "d"):
        folder.write("vectors", name, bytes(1_000_000))
    assert names(folder) == ["c", "d"]
    assert caplog.messages == [
        "cache_megabytes: 2.5 are too few for this run, so that some of what it keeps for the next one is "
        "deleted again; give it at least 3"
    ]


def test_what_a_killed_process_left_is_removed_later_and_what_another_one_writes_is_not(path: Path) -> None:
    folder = CacheFolder(path, 1.0)
    folder.write("vectors", "one", b"1")
    for name, age in (("old", 4000), ("new", 10)):
        file = path / "vectors" / f".unfinished-{name}"
        file.write_bytes(b"half")
        os.utime(file, (0, time.time() - age))
    folder.write("vectors", "two", b"2")

    assert sorted(os.listdir(path / "vectors")) == [
        *(".gitignore", ".unfinished-new", "one.safetensors", "two.safetensors")
    ]


def test_files_of_others_stay(path: Path) -> None:
    folder = CacheFolder(path, 0.001)
    folder.write("vectors", "one", bytes(1000))
    (path / "vectors" / "notes.txt").write_bytes(bytes(5000))
    folder.write("vectors", "two", bytes(1000))
    folder.remove("vectors")

    assert sorted(os.listdir(path / "vectors")) == [".gitignore", "notes.txt"]


def test_a_folder_that_cannot_be_made_is_said_once_and_the_program_goes_on(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path.parent.write_text("a file is in the way")
    folder = CacheFolder(path, 1.0)
    folder.write("vectors", "one", b"1")
    folder.write("vectors", "two", b"2")

    assert caplog.messages == [
        f"{path} cannot be written (Not a directory): going on, but nothing more is kept for the next run"
    ]


def test_what_may_not_be_read_is_said_once_and_the_program_goes_on(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    folder = CacheFolder(path, 1.0)
    folder.write("vectors", "one", b"1")
    [file] = folder.files("vectors")

    def denied(*_: object) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", denied)
    assert (folder.read(file), folder.read(file)) == (None, None)
    assert caplog.messages == [f"{path} cannot be read (Permission denied): going on without it"]


def test_vectors_make_room_for_what_is_on_their_disk(path: Path, tmp_path: Path) -> None:
    folder = CacheFolder(path, 1.0)
    assert not folder.make_room(tmp_path / "drafts"), "there are none"
    folder.write("vectors", "one", b"1")
    folder.write("runs", "learnt", b"2")
    assert not folder.make_room(Path("/proc/self/x")), "another file system"
    assert folder.make_room(tmp_path / "drafts")
    folder.write("vectors", "two", b"2")
    assert [*map(len, (folder.files("vectors"), folder.files("runs")))] == [0, 1]


def test_of_a_full_disk_nothing_is_left(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    folder = CacheFolder(path, 1.0)
    monkeypatch.setattr(os, "replace", full)
    folder.write("vectors", "one", b"1")

    assert os.listdir(path / "vectors") == [".gitignore"]
    assert [line.split(": ")[0] for line in caplog.messages] == [
        f"{path} cannot be written (No space left on device)"
    ]


def test_a_folder_of_drafts_has_a_part_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert part_of_run("drafts") == part_of_run(str(tmp_path / "drafts")) != part_of_run("others")


def test_what_else_lies_in_a_folder_that_was_named_for_the_cache_stays(path: Path) -> None:
    weights = path / "my_encoder" / "model.safetensors"
    weights.parent.mkdir(parents=True)
    weights.write_bytes(bytes(5000))
    os.utime(weights, (0, 0))
    folder = CacheFolder(path, 0.002)
    for name in ("one", "two", "three"):
        folder.write("vectors", name, bytes(1000))

    assert weights.exists()
    assert len(names(folder)) == 2
