"""The command, killed by `kill -9` after each thing that it keeps: the next one goes on and ends the same."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from drafted_bot import CACHE, DRAFTS, drafts
from killed import needs_fork
from real_commands import discover, write_bot

from rasa_intent_discovery.learning.cache_folder import CacheFolder

pytestmark = [needs_fork, pytest.mark.slow]

#: What is written, one after the other, with the preset `default` and these epochs.
FILES = [
    *("vectors", "pre-training", "pre-training", "predict-K", "clustering"),
    *("aligned-clustering", "aligned-clustering", "learnt"),
]
LINES = "preset: default\n  pretrain_epochs: 2\n  aligned_epochs: 2\n  epoch_steps: 2\n  batch_size: 16\n"


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With settings that train a little."""
    bot = write_bot(tmp_path_factory.mktemp("bot") / "bot")
    config = bot / "config.yml"
    config.write_text(config.read_text().replace("preset: fast\n", LINES))
    return bot


@pytest.fixture(scope="module")
def whole(bot: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with the drafts of a run that was not interrupted."""
    whole = copied(bot, tmp_path_factory.mktemp("whole"))
    assert discover(whole).code == 0
    return whole


def copied(bot: Path, to: Path) -> Path:
    """Under the same name: the path is in the folder of drafts."""
    return shutil.copytree(bot, to / bot.name)


def record(bot: Path) -> dict[str, Any]:
    """What is in `run.json` and does not depend on the time."""
    record = json.loads((bot / DRAFTS / "run.json").read_text())
    return {name: value for name, value in record.items() if name not in ("seconds", "files")}


def dies_after(files: int, in_the_middle: bool = False) -> None:
    """Has this process killed as soon as so many files were kept, or while it writes the last of them."""
    write, replace, left = CacheFolder.write, os.replace, [files]

    def killed(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def counted(folder: CacheFolder, part: str, name: str, content: bytes) -> None:
        left[0] -= 1
        if in_the_middle and left[0] == 0:
            os.replace = killed
        write(folder, part, name, content)
        os.replace = replace
        if left[0] == 0:
            killed()

    CacheFolder.write = counted


def kept(bot: Path) -> list[str]:
    return sorted(path.name for path in (bot / CACHE / "intent_discovery").glob("*/*/*"))


def not_read_again(output: str) -> tuple[int, int]:
    [(there, of)] = re.findall(r"(\d+) of (\d+) texts are not read again", output)
    return int(there), int(of)


@pytest.mark.parametrize("files", range(1, len(FILES) + 1))
def test_a_run_that_was_killed_is_continued(files: int, bot: Path, whole: Path, tmp_path: Path) -> None:
    killed = copied(bot, tmp_path)
    assert discover(killed, before=partial(dies_after, files)).code == -signal.SIGKILL
    assert kept(killed) == sorted(f"{name}.safetensors" for name in {*FILES[1:files]})
    assert not (killed / DRAFTS).exists() or not os.listdir(killed / DRAFTS)
    ended = discover(killed)

    assert ended.code == 0, ended.output
    assert drafts(killed) == drafts(whole)
    assert record(killed) == record(whole)
    there, of = not_read_again(ended.output)
    assert there == of
    assert ("going on with the run that was interrupted" in ended.output) == (1 < files < len(FILES))
    assert ("nothing has to be learnt" in ended.output) == (files == len(FILES))
    assert kept(killed) == ["learnt.safetensors"]


@pytest.mark.parametrize("files", [1, 3])
def test_half_a_file_counts_for_nothing(files: int, bot: Path, whole: Path, tmp_path: Path) -> None:
    killed = copied(bot, tmp_path)
    assert discover(killed, before=partial(dies_after, files, in_the_middle=True)).code == -signal.SIGKILL
    assert discover(killed).code == 0
    assert (drafts(killed), record(killed)) == (drafts(whole), record(whole))


def test_the_next_run_reads_only_what_is_new(whole: Path, tmp_path: Path) -> None:
    bot = copied(whole, tmp_path)
    log = bot / "logs" / "log.txt"
    log.write_text(log.read_text() + "what is my balance\nwhere is my balance\n")
    ended = discover(bot)

    assert ended.code == 0
    there, of = not_read_again(ended.output)
    assert there + 2 == of


def test_without_a_cache_nothing_is_kept(bot: Path, whole: Path, tmp_path: Path) -> None:
    other = copied(bot, tmp_path)
    config = other / "config.yml"
    config.write_text(config.read_text().replace("preset: default\n", 'preset: default\n  cache: ""\n'))
    assert discover(other).code == 0
    assert not (other / CACHE).exists()
    assert drafts(other) == drafts(whole)


def test_where_the_folder_cannot_be_written_the_run_goes_on(bot: Path, whole: Path, tmp_path: Path) -> None:
    other = copied(bot, tmp_path)
    (other / CACHE).write_text("a file is in the way")
    ended = discover(other)

    assert ended.code == 0
    assert "nothing more is kept for the next run" in ended.output
    assert drafts(other) == drafts(whole)
