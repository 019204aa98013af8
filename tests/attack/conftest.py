"""What lies here is run by `make attack` alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from drafted_bot import decide
from real_commands import discover, write_bot


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("attack")


@pytest.fixture(scope="session")
def drafted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bot with the drafts of a run. Not to be changed."""
    bot = write_bot(tmp_path_factory.mktemp("drafted") / "bot")
    assert discover(bot).code == 0
    return bot


@pytest.fixture(scope="session")
def decided(drafted: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with decisions, an edit and a note of a person. Not to be changed."""
    bot = shutil.copytree(drafted, tmp_path_factory.mktemp("decided") / "bot")
    decide(bot)
    return bot
