"""What holds for every test: nothing is sent, nothing is fetched, no clock decides."""

from __future__ import annotations

import gc
import json
import logging
import os
from pathlib import Path

import pytest
from example import HOSTILE, copy_of_example_bot, rasa
from filelock import FileLock
from hypothesis import settings
from rasa_world import HAS_RASA, IS_PRO, OTHERWISE_IN_PRO, needs_rasa

#: Where further fixtures are.
pytest_plugins = ["attack_table", "browser", "servers"]

# Before anything imports Rasa or transformers.
os.environ["RASA_TELEMETRY_ENABLED"] = "false"
os.environ["SQLALCHEMY_SILENCE_UBER_WARNING"] = "1"
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["USE_TF"] = "0"
os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
# There are as many workers as processors.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# The same examples each time where a failure would surprise someone who changed something else.
settings.register_profile("project", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("project")


def pytest_configure() -> None:
    if IS_PRO:  # its log is otherwise set up by the program alone, and is on stdout
        from rasa.utils.log_utils import configure_structlog

        configure_structlog(logging.WARNING)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Without Rasa, only the tests of what needs none are there."""
    if HAS_RASA:
        return None
    if collection_path.is_dir() and collection_path.name in ("attack", "benchmarks", "rasa_plugin"):
        return True
    return True if collection_path.name.startswith("test_") and needs_rasa(collection_path) else None


def pytest_collection_finish() -> None:
    """What is loaded by now stays: not to look through it at every collection spares seconds."""
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in () if HAS_RASA else items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.skip(reason="what a page does is looked at beside Rasa"))
    for item in items if IS_PRO else ():
        for name, why in OTHERWISE_IN_PRO.items():
            if name in item.nodeid:
                item.add_marker(pytest.mark.skip(reason=f"Rasa Pro: {why}"))


@pytest.fixture(scope="session")
def drafted_example_bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example bot with hostile messages in its logs, and the drafts of a quick run. Not to be changed."""
    place = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent  # of all workers: what the first one makes is there for the others
    folder = place / "drafted_example_bot"
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            making = tmp_path_factory.mktemp("drafted") / "bot"
            copy_of_example_bot(making)
            lines = "".join(json.dumps({"text": text}) + "\n" for text in HOSTILE)
            (making / "logs" / "hostile.jsonl").write_text(lines, encoding="utf-8")
            done = rasa("discover-intents", "--preset", "fast", folder=making)
            assert done.returncode == 0, done.stderr
            assert "tensorflow" not in done.stderr
            making.rename(folder)
    return folder
