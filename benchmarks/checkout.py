"""Runs the command of another checkout, so that an older version stands in the same table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.bots import Bot, gold_key, read_assignments, write_bot
from rasa_intent_discovery.config import DiscoveryConfig

#: gold_key of a logged text -> its placement and its intent.
Drafted = dict[str, tuple[str, str | None]]


def drafted_by(checkout: Path, bot: Bot, config: DiscoveryConfig) -> tuple[Drafted, dict[str, Any]]:
    """Writes the bot into a folder, runs `discover-intents` of the checkout on it, and reads its drafts.

    The checkout's code runs in this environment. It is given preset, encoder and seed.

    Returns:
        where the logged messages went, and `estimate` and `seconds` of the run.

    Raises:
        SystemExit: the command failed; the message is what it said last.
    """
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "bot"
        write_bot(bot, place)
        options = {"preset": config.preset, "encoder": _absolute(config.encoder), "seed": str(config.seed)}
        command = [sys.executable, "-m", "rasa_intent_discovery"]
        command += [word for name, value in options.items() for word in (f"--{name}", value)]
        env = {**os.environ, "PYTHONPATH": str(checkout.resolve())}
        start = time.perf_counter()
        done = subprocess.run(command, cwd=place, env=env, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{checkout}: {' '.join(command)} failed:\n{done.stderr[-2000:]}")
        drafts = place / "intent_drafts"
        rows = read_assignments(drafts)
        found = {gold_key(row["text"]): (row["placement"], row["intent"]) for row in rows}
        told = {
            "estimate": json.loads((drafts / "run.json").read_text(encoding="utf-8")).get("estimate"),
            "seconds": {"command": round(time.perf_counter() - start, 2)},
        }
    return found, told


def commit_of(checkout: Path) -> str:
    """The short name of the commit that is checked out there."""
    command = ["git", "-C", str(checkout), "rev-parse", "--short=7", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _absolute(encoder: str) -> str:
    return str(Path(encoder).resolve()) if Path(encoder).is_dir() else encoder
