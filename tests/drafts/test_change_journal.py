"""Changes that are killed: what the next command makes of what they left."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from killed import killed_at, needs_fork

from rasa_intent_discovery.drafts.change_journal import alone, interrupted_files, journal_of, take_back
from rasa_intent_discovery.drafts.file_changes import FileUpdate, write_changes
from rasa_intent_discovery.drafts.numbers import DRAFTS, DraftNumbers
from rasa_intent_discovery.errors import DataError

pytestmark = needs_fork

BEFORE = {"domain.yml": b"a\n", "nlu/old.yml": b"x\n"}
AFTER = {"domain.yml": b"a\nb\n", "nlu/new.yml": b"n\n", "nlu/old.yml": b"x\ny\n"}
CHANGES = [FileUpdate(Path(name), BEFORE.get(name), new) for name, new in AFTER.items()]
NAMES = "domain.yml, nlu/new.yml, nlu/old.yml"
JOURNAL = journal_of("config.yml")
REPLACE, UNLINK = ((os, "replace"),), ((Path, "unlink"),)


@pytest.fixture(autouse=True)
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a bot with the files before the change; the test runs in it."""
    monkeypatch.chdir(tmp_path)
    Path("nlu").mkdir()
    put(BEFORE)
    return tmp_path


def put(files: dict[str, bytes]) -> None:
    """Makes these the only files."""
    for name in set(content()) - set(files):
        Path(name).unlink()
    for name, text in files.items():
        Path(name).write_bytes(text)


def content() -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(Path().rglob("*")) if path.is_file()}


def killed_writing(at: int) -> bool:
    return killed_at(lambda: write_changes(CHANGES, JOURNAL), at)


def moments() -> Iterator[int]:
    """All moments at which a change can be killed; each starts with the files before it."""
    for at in itertools.count():
        put(BEFORE)
        if not killed_writing(at):
            assert content() == AFTER
            assert at > 20
            return
        yield at


def test_whenever_it_is_killed_all_files_are_changed_or_none() -> None:
    found = []
    for at in moments():
        take_back(JOURNAL)
        assert content() in (BEFORE, AFTER), at
        found.append(content() == AFTER)
    assert found == sorted(found)
    assert {*found} == {False, True}


@pytest.mark.slow  # At each moment of one, each moment of the next.
def test_what_is_killed_while_it_is_undone_is_undone_by_the_next() -> None:
    for at in moments():
        for again in itertools.count():
            put(BEFORE)
            killed_writing(at)
            if not killed_at(lambda: take_back(JOURNAL), again):
                break
            take_back(JOURNAL)
            assert content() in (BEFORE, AFTER), (at, again)


def test_the_name_of_a_file_may_be_as_long_as_can_be() -> None:
    name = f"nlu/{'質' * 83}.yml"
    changes = [
        FileUpdate(Path("domain.yml"), BEFORE["domain.yml"], b"d\n"),
        FileUpdate(Path(name), b"old\n", b"new\n"),
    ]
    assert len(Path(name).name.encode()) == 253
    for at in itertools.count():
        put({**BEFORE, name: b"old\n"})
        if not killed_at(lambda: write_changes(changes, JOURNAL), at):
            break
        take_back(JOURNAL)
        there = content()
        assert (there["domain.yml"], there[name]) in ((BEFORE["domain.yml"], b"old\n"), (b"d\n", b"new\n")), (
            at
        )
        assert not [*Path().rglob(".*.new-*"), *Path().rglob(".*.old-*")]
    assert content()[name] == b"new\n"


def test_a_new_file_may_be_the_first_of_its_folder() -> None:
    changes = [*CHANGES, FileUpdate(Path("nlu/flows/new.yml"), None, b"f\n")]
    for at in itertools.count():
        put(BEFORE)
        if Path("nlu/flows").exists():
            Path("nlu/flows").rmdir()
        if not killed_at(lambda: write_changes(changes, JOURNAL), at):
            break
        take_back(JOURNAL)
        assert content() in (BEFORE, {**AFTER, "nlu/flows/new.yml": b"f\n"}), at
    assert content() == {**AFTER, "nlu/flows/new.yml": b"f\n"}


def test_the_next_change_undoes_what_was_killed_before_it() -> None:
    for at in moments():
        try:
            write_changes(CHANGES, JOURNAL)
        except DataError as error:
            assert str(error) == "domain.yml was changed by another program just now: run the command again"
            assert content() == AFTER
        assert content() == AFTER, at


def test_one_line_names_the_files(caplog: pytest.LogCaptureFixture) -> None:
    assert killed_at(lambda: write_changes(CHANGES, JOURNAL), 1, REPLACE)
    assert content()["domain.yml"] == AFTER["domain.yml"]
    assert ", ".join(map(str, interrupted_files(JOURNAL))) == NAMES
    take_back(JOURNAL)
    assert caplog.messages == [f"An earlier `apply` was killed: it is undone in {NAMES}."]
    caplog.clear()
    assert killed_at(lambda: write_changes(CHANGES, JOURNAL), 0, UNLINK)
    take_back(JOURNAL)
    assert caplog.messages == [f"An earlier `apply` was killed: it had changed all it should in {NAMES}."]
    caplog.clear()
    take_back(JOURNAL)
    assert (interrupted_files(JOURNAL), caplog.messages) == ((), [])


@pytest.mark.parametrize("name", list(AFTER))
def test_what_a_person_changed_since_is_left_alone(name: str, caplog: pytest.LogCaptureFixture) -> None:
    assert killed_at(lambda: write_changes(CHANGES, JOURNAL), 2, REPLACE)
    Path("mine").write_bytes(b"mine\n")
    Path("mine").replace(name)
    take_back(JOURNAL)
    expected = {**BEFORE, name: b"mine\n"}
    copies = {copy: text for copy, text in content().items() if copy not in expected}
    assert content() == expected | copies
    kept = ""
    if name == "domain.yml":  # which had been replaced
        [copy] = copies
        assert copies[copy] == BEFORE[name]
        kept = f" (before that `apply` it was {copy})"
    assert caplog.messages == [
        f"An earlier `apply` was killed: it is undone in {', '.join(one for one in AFTER if one != name)}; "
        f"{name} was changed since and stays as it is{kept}."
    ]
    assert not JOURNAL.exists()


def test_a_file_that_came_by_other_ways_is_not_removed() -> None:
    assert killed_at(lambda: write_changes(CHANGES, JOURNAL), 1, REPLACE)
    Path("nlu/new.yml").write_bytes(AFTER["nlu/new.yml"])  # from a colleague, with `git pull`
    take_back(JOURNAL)
    assert content() == {**BEFORE, "nlu/new.yml": AFTER["nlu/new.yml"]}


def test_half_a_journal_is_one_of_a_change_that_did_not_begin(caplog: pytest.LogCaptureFixture) -> None:
    killed_writing(0)
    whole = JOURNAL.read_bytes()
    for end in (0, 1, len(whole) // 2, len(whole) - 1):
        JOURNAL.write_bytes(whole[:end])
        take_back(JOURNAL)
        assert content() == BEFORE
    assert caplog.messages == []


@pytest.mark.parametrize(
    "text", ["{}", "[]", '{"mark": "../../../a", "files": {"domain.yml": [null, "b"]}}', "[" * 100_000]
)
def test_a_journal_that_is_none_of_ours_is_left_alone(text: str) -> None:
    JOURNAL.write_text(text + "\n")
    with pytest.raises(DataError) as caught:
        take_back(JOURNAL)
    assert str(caught.value) == (
        ".discover-intents-apply: not as it was written, so it cannot be told what an `apply` that was "
        "killed left half-done; look at your files, with git for instance, and remove it"
    )
    assert content() == {**BEFORE, str(JOURNAL): f"{text}\n".encode()}


def test_the_work_of_another_process_is_not_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert DRAFTS == DraftNumbers()
    monkeypatch.setattr("rasa_intent_discovery.drafts.folder_exchange.DRAFTS", DraftNumbers(lock_seconds=0))
    killed_writing(12)
    before = content()
    with alone(JOURNAL), pytest.raises(DataError) as caught:
        take_back(JOURNAL)
    assert (
        str(caught.value) == "another command is changing the files of the bot in .: wait until it has ended"
    )
    assert content() == before


def test_the_bot_may_be_in_another_folder_and_be_moved(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(bot.parent)
    changes = [FileUpdate(bot / one.path, one.old, one.new) for one in CHANGES]
    assert killed_at(lambda: write_changes(changes, journal_of(f"{bot}/config.yml")), 1, REPLACE)
    moved = bot.rename(bot.with_name("moved"))
    take_back(journal_of("moved/config.yml"))
    monkeypatch.chdir(moved)
    assert content() == BEFORE


def test_without_a_journal_nothing_waits_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The review desk has one of its own, and answers within the blink of an eye."""
    monkeypatch.setattr(os, "fsync", lambda _: pytest.fail("it waits"))
    write_changes(CHANGES)
    assert content() == AFTER
