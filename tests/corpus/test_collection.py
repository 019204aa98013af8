"""Collected messages: what is in the folder, whoever writes to it and whatever happens meanwhile."""

from __future__ import annotations

import errno
import fcntl
import json
import logging
import multiprocessing
import os
import signal
import threading
import time
from collections import Counter
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from attack_table import Outcome

from rasa_intent_discovery.corpus import collection
from rasa_intent_discovery.corpus.collection import Collection, Collector
from rasa_intent_discovery.corpus.messages import read_messages

PLENTY = 10_000_000


def lines(folder: Path) -> list[Any]:
    """All of them, the oldest file first."""
    files = sorted(folder.glob("messages-*.jsonl")) + list(folder.glob("messages.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def test_a_line_for_each_message(tmp_path: Path) -> None:
    collection = Collection(tmp_path / "kept/here", PLENTY, 3)
    collection.add({"text": "where is my ordér"})
    collection.add({"text": "two\nlines \ud83d"})
    assert (tmp_path / "kept/here/messages.jsonl").read_bytes() == (
        b'{"text": "where is my ord\xc3\xa9r"}\n{"text": "two\\nlines \\ud83d"}\n'
    )


def test_git_leaves_a_folder_out_that_was_made_for_messages(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    collection = Collection(folder, PLENTY, 3)
    collection.add({"text": "where is my order"})
    assert (folder / ".gitignore").read_text() == "*\n"
    assert [message.text for message in read_messages([folder]).messages] == ["where is my order"]
    (folder / ".gitignore").write_text("!*\n")
    collection.add({"text": "where is my parcel"})
    assert (folder / ".gitignore").read_text() == "!*\n", "what the user wrote stays"


@pytest.mark.parametrize(
    "there", [[], ["messages.jsonl", ".lock"], ["messages.jsonl", "messages-20261101T101112131415.jsonl"]]
)
def test_git_leaves_a_folder_out_that_has_only_messages(there: list[str], tmp_path: Path) -> None:
    """As version 0.1.0 made it, without a `.gitignore`."""
    for name in there:
        (tmp_path / name).touch()
    Collection(tmp_path, PLENTY, 3).add({"text": "where is my order"})
    assert (tmp_path / ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize("theirs", ["notes.txt", ".gitkeep", "messages-mine.jsonl", "messages.jsonl.bak"])
def test_a_folder_of_the_user_gets_no_gitignore(theirs: str, tmp_path: Path) -> None:
    (tmp_path / theirs).touch()
    (tmp_path / "messages.jsonl").touch()
    Collection(tmp_path, PLENTY, 3).add({"text": "where is my order"})
    assert not (tmp_path / ".gitignore").exists()


def test_a_full_file_is_put_aside_and_the_oldest_goes(tmp_path: Path) -> None:
    collection = Collection(tmp_path, 2 * len(b'{"number": 1}\n'), 3)
    for number in range(9):
        collection.add({"number": number})
    assert [line["number"] for line in lines(tmp_path)] == [4, 5, 6, 7, 8]
    assert len(list(tmp_path.glob("*.jsonl"))) == 3
    assert all(file.stat().st_size <= 28 for file in tmp_path.glob("*.jsonl"))


@pytest.mark.tried("Collecting", "a clock that is put back, or stands still, while a bot collects messages")
@pytest.mark.parametrize("seconds", [0, -1, -1_000_000_000], ids=["still", "a second back", "decades back"])
def test_a_clock_that_is_put_back_costs_no_message(
    seconds: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, outcome: Outcome
) -> None:
    now = datetime.now(timezone.utc)

    class Clock(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:
            nonlocal now
            now += timedelta(seconds=seconds)
            return now

    monkeypatch.setattr(collection, "datetime", Clock)
    (tmp_path / "messages-mine.jsonl").write_text('{"number": "mine"}\n')
    collected = Collection(tmp_path, len(b'{"number": 1}\n'), 5)
    for number in range(4):
        collected.add({"number": number})
    assert [line["number"] for line in lines(tmp_path)] == [0, 1, 2, "mine", 3]
    collected.add({"number": 4})
    assert [line["number"] for line in lines(tmp_path)] == [1, 2, 3, "mine", 4]
    outcome("3 clocks", "the oldest file goes, never a new one, and none is written over")


def test_a_line_larger_than_a_file_is_kept_all_the_same(tmp_path: Path) -> None:
    collection = Collection(tmp_path, 10, 2)
    collection.add({"text": "a long story"})
    collection.add({"text": "and another"})
    assert [line["text"] for line in lines(tmp_path)] == ["a long story", "and another"]


def test_half_a_line_of_a_killed_process_stays_alone(tmp_path: Path) -> None:
    collection = Collection(tmp_path, PLENTY, 3)
    collection.add({"text": "first"})
    with (tmp_path / "messages.jsonl").open("a") as file:
        file.write('{"text": "half of a mess')
    collection.add({"text": "second"})
    log = read_messages([tmp_path])
    assert [message.text for message in log.messages] == ["first", "second"]
    assert log.skipped == (f"{tmp_path}/messages.jsonl: skipped line 2, which is not JSON",)


def test_half_a_line_at_the_end_is_no_message(tmp_path: Path) -> None:
    Collection(tmp_path, PLENTY, 3).add({"text": "first"})
    whole = (tmp_path / "messages.jsonl").read_bytes()
    for cut in range(1, len(whole) - 1):
        (tmp_path / "messages.jsonl").write_bytes(whole + whole[:cut])
        assert [message.text for message in read_messages([tmp_path]).messages] == ["first"]


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOTSUP])
def test_a_file_system_without_locks_collects_all_the_same(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_here(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", none_here)
    collection = Collection(tmp_path, PLENTY, 3)
    for text in ("first", "second"):
        collection.add({"text": text})
    assert lines(tmp_path) == [{"text": "first"}, {"text": "second"}]


def test_nothing_of_a_line_that_finds_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full takes a part of a line: `write` says how much."""
    collection = Collection(tmp_path, PLENTY, 3)
    collection.add({"text": "first"})
    real_open = Path.open

    class Full:
        def __init__(self, file: Any) -> None:
            self._file = file

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None:
            self._file.close()

        def __getattr__(self, name: str) -> Any:
            return getattr(self._file, name)

        def write(self, line: bytes) -> int:
            return int(self._file.write(line[:7]))

    monkeypatch.setattr(Path, "open", lambda path, *args, **more: Full(real_open(path, *args, **more)))
    with pytest.raises(OSError, match="no room is left"):
        collection.add({"text": "second"})
    monkeypatch.undo()
    assert lines(tmp_path) == [{"text": "first"}]


def write_many(folder: Path, process: int, count: int) -> None:
    collection = Collection(folder, 2_000, 1_000)
    threads = [
        threading.Thread(
            target=lambda name: [collection.add({"by": name, "number": i}) for i in range(count)],
            args=(f"{process}.{thread}",),
        )
        for thread in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_many_processes_and_threads_lose_nothing(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=write_many, args=(tmp_path, process, 100)) for process in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert len(list(tmp_path.glob("messages-*.jsonl"))) > 3, "files were put aside meanwhile"
    found = [(line["by"], line["number"]) for line in lines(tmp_path)]
    assert Counter(found) == Counter((f"{p}.{t}", i) for p in range(3) for t in range(2) for i in range(100))


def write_for_ever(folder: Path) -> None:
    collection = Collection(folder, PLENTY, 3)
    for number in range(10**9):
        collection.add({"text": f"message {number} " + "x" * 5_000})


def test_killed_processes_leave_whole_lines(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    for _ in range(3):
        process = context.Process(target=write_for_ever, args=(tmp_path,))
        process.start()
        assert process.pid is not None
        before = len(list(tmp_path.glob("*.jsonl"))) and (tmp_path / "messages.jsonl").stat().st_size
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            file = tmp_path / "messages.jsonl"
            if file.exists() and file.stat().st_size > before + 100_000:
                break
            time.sleep(0.005)
        os.kill(process.pid, signal.SIGKILL)
        process.join()
    texts = [message.text for message in read_messages([tmp_path]).messages]
    assert len(texts) > 60
    assert all(len(text.rpartition(" ")[2]) == 5_000 for text in texts)


def test_a_collector_writes_in_the_background(tmp_path: Path) -> None:
    collector = Collector(Collection(tmp_path, PLENTY, 3))
    for number in range(50):
        collector.collect({"number": number})
    collector.wait(10)
    assert [line["number"] for line in lines(tmp_path)] == list(range(50))


def test_a_collector_does_not_wait_for_who_holds_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = threading.Event()
    monkeypatch.setattr(Collection, "add", lambda self, record: held.wait(30))
    collector = Collector(Collection(tmp_path, PLENTY, 3))
    collector.collect({"text": "hello"})
    collector.wait(0.01)
    assert not held.is_set(), "it came back while the line was still being written"
    held.set()


def test_a_failure_is_one_warning_and_no_more(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kept").write_text("a file where the folder should be")
    collector = Collector(Collection(tmp_path / "kept", PLENTY, 3))
    with caplog.at_level(logging.INFO, "rasa_intent_discovery"):
        for _ in range(3):
            collector.collect({"text": "hello"})
        collector.wait(10)
    assert [record.getMessage() for record in caplog.records] == [
        f"messages that were not understood cannot be kept ({tmp_path}/kept: File exists); "
        "the bot goes on without"
    ]


def test_a_copy_of_the_process_has_a_thread_of_its_own(tmp_path: Path) -> None:
    """What a server does: it loads the model, then makes workers by copying itself."""
    collector = Collector(Collection(tmp_path, PLENTY, 3))
    collector.collect({"by": "parent"})
    collector.wait(10)
    child = os.fork()
    if child == 0:
        collector.collect({"by": "child"})
        collector.wait(10)
        os._exit(0)
    os.waitpid(child, 0)
    collector.collect({"by": "parent"})
    collector.wait(10)
    assert [line["by"] for line in lines(tmp_path)] == ["parent", "child", "parent"]
