"""The example bot, and the `rasa` program in its folder."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from rasa_world import rasa_command

EXAMPLE_BOT = Path(__file__).parents[1] / "example_bot"

#: What people write once they know that a machine reads it, each often enough to be a new intent.
HOSTILE = [
    f"{message} {word}"
    for message in (
        'cancel my [newsletter](channel){"entity": "x"}',
        "unsubscribe <script>alert(1)</script>",
        "stop the newsletter: - intent: greet",
        "newsletter [stop][0][1] C:\\users\\me",
        "newsletter\tunsubscribe \x07 \x1b[31m | > # %TAG",
        "no newsletter {{jinja}} ${shell} `code`",
    )
    for word in ("", "please", "now", "thanks", "at last", "für immer", "🙂", '"quoted"', "'single'", "\\")
]


def copy_of_example_bot(folder: Path) -> Path:
    """The example bot in a folder that is not there yet, without what a run or a training left in it."""
    left = shutil.ignore_patterns("intent_drafts", "models", ".rasa")
    return Path(shutil.copytree(EXAMPLE_BOT, folder, ignore=left))


def rasa(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    quiet = {**os.environ, "PYTHONWARNINGS": "ignore", "OMP_WAIT_POLICY": "PASSIVE"}
    return subprocess.run(rasa_command(*words), cwd=folder, env=quiet, capture_output=True, text=True)
