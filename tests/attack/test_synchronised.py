"""The drafts in a folder that is synchronised: halves, wrong orders, other versions, files on their way.

No such program is run: a test writes what it would leave. Each command gets a copy of the bot of its own.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from attack_table import Outcome
from desk_server import ask
from drafted_bot import DRAFTS, bot_files, decisions, tree
from killed import needs_fork
from real_commands import REVIEW, desk_of, discover, rasa, start

pytestmark = [needs_fork, pytest.mark.timeout(1800)]

RUN, DRY, APPLY, DESK = (), ("apply", "--dry-run"), ("apply", "--yes"), ("review",)
COMMANDS = (RUN, DRY, APPLY, DESK)


@dataclass(frozen=True)
class After:
    """What a command left of a bot, and what it said: all of it, and what it ended with."""

    words: tuple[str, ...]
    bot: Path
    code: int
    output: str

    @property
    def refused(self) -> bool:
        return self.code == 1


@pytest.fixture(scope="module")
def applied(decided: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the bot after `apply`, where nothing comes in between."""
    bot = shutil.copytree(decided, tmp_path_factory.mktemp("applied") / "bot")
    assert rasa("discover-intents", *APPLY, folder=bot).code == 0
    return bot_files(bot)


@pytest.fixture
def again(decided: Path, tmp_path: Path) -> Path:
    """The drafts of the next run, of another log."""
    bot = shutil.copytree(decided, tmp_path / "again")
    log = bot / "logs" / "log.txt"
    log.write_text(log.read_text().replace("voucher", "gift card"))
    assert discover(bot).code == 0
    return bot / DRAFTS


def after_each(
    before: Path, change: Callable[[Path], object], commands: tuple[tuple[str, ...], ...] = COMMANDS
) -> Iterator[After]:
    """What each command does with a copy of the bot whose drafts were changed."""
    for words in commands:
        bot = before.parent / "attacked"
        shutil.rmtree(bot, ignore_errors=True)
        shutil.copytree(before, bot)
        change(bot / DRAFTS)
        code, output = decide_one(bot) if words == DESK else run(bot, words)
        assert code in (0, 1), output
        assert "Traceback" not in output
        if code:
            last = output.strip().splitlines()[-1]
            assert last.startswith(DRAFTS), last
        yield After(words, bot, code, output)


def arriving(name: str, content: bytes) -> Callable[[Path], object]:
    """Puts a file into a folder."""
    return lambda folder: (folder / name).write_bytes(content)


def run(bot: Path, words: tuple[str, ...]) -> tuple[int, str]:
    ended = rasa("discover-intents", *words, folder=bot)
    return ended.code, ended.output


def decide_one(bot: Path) -> tuple[int, str]:
    """Accepts the last draft on the desk and closes it; exit code, and output with the problems it told."""
    command = start(*REVIEW, folder=bot)
    said: list[str] = []
    try:
        server, token = desk_of(command)
        status, page, _ = ask(server, "/api/page", token=token)
        assert status == 200, page
        state = page["state"]
        said += state["problems"]
        draft = max(state["drafts"], default=None)
        if draft is not None:
            decide = {"draft": draft, "decision": "accepted"}
            body = {"revision": state["revision"], "verb": "decide", "arguments": decide}
            status, answer, _ = ask(server, "/api/act", body, token=token)
            assert status == 200, answer
            (bot / "acknowledged").write_text(draft)
        command.interrupt()
    except ProcessLookupError:
        pass
    ended = command.ended()
    return ended.code, "\n".join([*said, ended.output])


def is_all_there(after: After, expected: dict[str, str]) -> None:
    """All decisions from before are in the drafts, and the one that the desk acknowledged."""
    there = decisions(after.bot)
    assert there.items() >= expected.items(), after
    if (after.bot / "acknowledged").exists():
        draft = (after.bot / "acknowledged").read_text()
        assert b"decision: accepted" in (after.bot / DRAFTS / draft).read_bytes()


def halves(whole: bytes) -> list[bytes]:
    """What may be there of a file that is on its way."""
    half = whole[: len(whole) // 2]
    return [b"", whole[: len(whole) // 3], half, whole[:-9], whole[:-1], half + bytes(len(whole) - len(half))]


@pytest.mark.tried(
    "Synchronised", "a file of the drafts is there by half, or ends in zeros, and arrives afterwards"
)
def test_a_file_that_is_copied_halfway(decided: Path, applied: dict[str, bytes], outcome: Outcome) -> None:
    files, expected, tried, refused = tree(decided / DRAFTS), decisions(decided), 0, 0
    accepted = next(name for name in files if name.startswith("new/") and b"accepted" in files[name])
    examples = {line for line in files[accepted].splitlines() if line.startswith(b"    - ")}
    names = [accepted, "run.json", "decisions.jsonl", "domain.yml", "assignments.jsonl", "map.json"]
    for name in names:
        for half in halves(files[name]):
            for after in after_each(decided, arriving(name, half)):
                tried += 1
                refused += after.refused
                there = tree(after.bot / DRAFTS)
                if after.words in (DRY, APPLY):
                    assert there[name] == half
                if after.refused:
                    assert bot_files(after.bot) == bot_files(decided)
                if name == "decisions.jsonl" and after.words == DESK:
                    kept = there.get("decisions.broken-1.jsonl", there[name])
                    assert kept.startswith(half)
                learnt = (
                    bot_files(after.bot)
                    .get(f"data/{Path(accepted).name}", b"")
                    .replace(b"      - ", b"    - ")
                )
                assert {line for line in learnt.splitlines() if line.startswith(b"    - ")} <= examples
                (after.bot / DRAFTS / name).write_bytes(files[name])
                is_all_there(after, expected)
                if after.words == APPLY:
                    assert run(after.bot, APPLY)[0] == 0
                    new = set(bot_files(after.bot)[f"data/{Path(accepted).name}"].splitlines())
                    assert new == set(applied[f"data/{Path(accepted).name}"].splitlines())
    outcome(
        f"{tried} commands, {refused} of them refused with a sentence",
        "every decision is there, no half example was learnt, and `apply` again adds what was missing",
    )


def mixed(old: Path, new: Path, names: tuple[str, ...]) -> Callable[[Path], None]:
    """The new folder of drafts, but for the files that match these names: they are the old ones."""

    def change(folder: Path) -> None:
        shutil.rmtree(folder)
        shutil.copytree(new, folder)
        for name in names:
            for path in folder.glob(name):
                path.unlink()
            for path in old.glob(name):
                shutil.copy2(path, folder / path.relative_to(old))

    return change


PARTS = ("run.json", "decisions*.jsonl", "new/*.yml", "domain.yml", "[am]*.json*")


@pytest.mark.tried(
    "Synchronised", "decisions arrive in any order: new and old files of the drafts beside each other"
)
def test_decisions_in_any_order(drafted: Path, decided: Path, outcome: Outcome) -> None:
    tried, expected = 0, decisions(decided)
    for late in product((True, False), repeat=4):
        names = tuple(part for part, is_late in zip(PARTS, late, strict=False) if is_late)
        for after in after_each(decided, mixed(drafted / DRAFTS, decided / DRAFTS, names)):
            tried += 1
            assert after.code == 0, after
            acknowledged = after.bot / "acknowledged"
            draft = acknowledged.read_text() if acknowledged.exists() else ""
            for name in names:  # the rest arrives, but for what was decided here since
                for path in (decided / DRAFTS).glob(name):
                    if path.relative_to(decided / DRAFTS).as_posix() != draft:
                        shutil.copy2(path, after.bot / DRAFTS / path.relative_to(decided / DRAFTS))
            is_all_there(after, expected)
    outcome(f"{tried} commands", "every decision is in the drafts when all has arrived")


@pytest.mark.tried(
    "Synchronised", "a next run arrives in any order: its files beside those of the run before"
)
def test_a_run_in_any_order(decided: Path, again: Path, outcome: Outcome) -> None:
    tried, expected = 0, decisions(decided)
    for late in product((True, False), repeat=len(PARTS)):
        names = tuple(part for part, is_late in zip(PARTS, late, strict=True) if is_late)
        for after in after_each(decided, mixed(decided / DRAFTS, again, names), (RUN, DESK)):
            tried += 1
            assert after.code == 0, after
            is_all_there(after, expected)
            assert tree(after.bot / DRAFTS)["notes.txt"] == b"ask Anna\n"
    outcome(f"{tried} commands", "every decision, the edit and the note of a person are there")


VERSIONS = (
    "{} (conflicted copy 2026-11-24){}",
    "{} (Anna's conflicted copy 2026-11-24){}",
    "{} (SFConflict anna@example.org 2026-11-24-10-10-10){}",
    "{}.sync-conflict-20261124-101010-ABCDEFG{}",
    "{}_conflict-20261124-101010{}",
    "{} [Conflict]{}",
    "{} (1){}",
    "{} 2{}",
)


@pytest.mark.tried(
    "Synchronised", "other versions of drafts, domain, journal and record, under eight kinds of names"
)
def test_other_versions(decided: Path, applied: dict[str, bytes], outcome: Outcome) -> None:
    tried, expected, files = 0, decisions(decided), tree(decided / DRAFTS)
    undecided = next(name for name in files if name.startswith("new/") and b"decision: open" in files[name])
    others = [(file, kind) for file in ("domain.yml", "decisions.jsonl", "run.json") for kind in VERSIONS[:2]]
    for file, kind in [*((undecided, kind) for kind in VERSIONS), *others]:
        path = Path(file)
        name = str(path.with_name(kind.format(path.stem, path.suffix)))
        version = files[file].replace(b"decision: open", b"decision: accepted")
        for after in after_each(decided, arriving(name, version)):
            tried += 1
            assert after.code == 0, after
            assert f"{DRAFTS}/{name} is not read" in after.output
            assert tree(after.bot / DRAFTS)[name] == version
            is_all_there(after, expected)
            if after.words == APPLY:
                assert bot_files(after.bot) == applied
    outcome(f"{tried} commands", "each names the version and leaves it alone; none is applied")


ARRIVING = (
    "new/.~tmp~/{}",
    "new/.syncthing.{}.tmp",
    "new/~syncthing~{}.tmp",
    "new/.{}",
    "new/.{}.Xk29bT",
    "new/{}.part",
    ".dropbox.cache/{}",
    ".{}.icloud",
)


@pytest.mark.tried("Synchronised", "files on their way among the drafts, under eight kinds of names")
def test_files_on_their_way(decided: Path, applied: dict[str, bytes], outcome: Outcome) -> None:
    tried, expected, files = 0, decisions(decided), tree(decided / DRAFTS)
    first = next(name for name in files if name.startswith("new/"))
    for kind in ARRIVING:
        name = kind.format(Path(first).name)

        def arrives(folder: Path, name: str = name) -> None:
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(files[first][:100])

        for after in after_each(decided, arrives):
            tried += 1
            assert after.code == 0, after
            assert tree(after.bot / DRAFTS)[name] == files[first][:100]
            is_all_there(after, expected)
            if after.words == APPLY:
                assert bot_files(after.bot) == applied
    outcome(f"{tried} commands", "none is read, none hinders a command, and all stay")


@pytest.mark.tried("Synchronised", "the files of the drafts vanish for moments while a command works on them")
def test_files_that_vanish_for_a_moment(decided: Path, tmp_path: Path, outcome: Outcome) -> None:
    tried = refused = 0
    expected, bot = decisions(decided), tmp_path / "bot"
    for words in 6 * (RUN, APPLY, DRY):
        shutil.rmtree(bot, ignore_errors=True)
        shutil.copytree(decided, bot)
        with vanishing(bot / DRAFTS):
            ended = rasa("discover-intents", *words, folder=bot)
        tried += 1
        refused += ended.code
        assert ended.code in (0, 1), ended.output
        assert "Traceback" not in ended.output
        if ended.code:
            assert ended.last_line.startswith(DRAFTS), ended.output
            assert bot_files(bot) == bot_files(decided)
        assert decisions(bot).items() >= expected.items(), ended.output
    outcome(
        f"{tried} commands, {refused} of them refused with a sentence", "every decision is in the drafts then"
    )


@contextmanager
def vanishing(folder: Path) -> Iterator[None]:
    """Takes one draft after the other away and brings it back, for as long as the block takes."""
    over = threading.Event()

    def take_away() -> None:
        names = [name for name in tree(folder) if name.startswith(("new/", "domain", "notes"))]
        while not over.is_set():
            for name in names:
                with suppress(FileNotFoundError):
                    content = (folder / name).read_bytes()
                    (folder / name).unlink()
                    time.sleep(0.005)
                    (folder / name).write_bytes(content)

    thread = threading.Thread(target=take_away)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.mark.tried("Synchronised", "files of the drafts vanish, or are there by half, while the desk is open")
def test_an_open_desk(decided: Path, tmp_path: Path, outcome: Outcome) -> None:
    bot, tried, told, decided_here = shutil.copytree(decided, tmp_path / "bot"), 0, 0, 0
    expected = decisions(bot)
    draft = f"new/{max(path.name for path in (bot / DRAFTS / 'new').iterdir())}"
    command = start(*REVIEW, folder=bot)
    server, token = desk_of(command)
    for name in tree(bot / DRAFTS):
        whole = (bot / DRAFTS / name).read_bytes()
        for half in (None, *halves(whole)):
            (bot / DRAFTS / name).unlink()
            if half is not None:
                (bot / DRAFTS / name).write_bytes(half)
            status, page, _ = ask(server, "/api/page", token=token)
            assert status in (200, 410), page
            if status == 410:
                assert page["error"].startswith(DRAFTS)
                told += 1
            tried += 1
            now = (bot / DRAFTS / name).read_bytes() if (bot / DRAFTS / name).exists() else b""
            if name != "run.json" or half is None or now == half:
                (bot / DRAFTS / name).write_bytes(whole)
            status, page, _ = ask(server, "/api/page", token=token)
            assert status == 200, page
        for decision in ("accepted", "later"):
            _, page, _ = ask(server, "/api/page", token=token)
            state = page["state"]
            arguments = {"draft": draft, "decision": decision}
            body = {
                "revision": state["revision"],
                "run": state["run"],
                "verb": "decide",
                "arguments": arguments,
            }
            status, answer, _ = ask(server, "/api/act", body, token=token)
            assert status == 200, answer
            decided_here += 1
    command.interrupt()
    ended = command.ended()
    assert ended.code == 0, ended.output
    assert "Traceback" not in ended.output
    assert decisions(bot).items() >= expected.items()
    assert b"decision: later" in (bot / DRAFTS / draft).read_bytes()
    outcome(
        f"{tried} times, {told} of them told as an error on the page",
        f"the page shows the drafts when the file is there, and takes {decided_here} decisions in between",
    )
