"""Measures how long the command takes until it says something, and until it shows how far it is.

    python -m benchmarks.startup --bot example_bot --checkout ../before . --out startup.json

Each command is started in a terminal of its own, in a copy of the bot's folder, and ended when it has said
the last of what is waited for. Seconds of the processor stand beside those that a person waits: on a machine
that is busy, they are the ones to compare. The checkouts take turns.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.checkout import commit_of

_CLOCK_TICKS = os.sysconf("SC_CLK_TCK")
_MODULE = [sys.executable, "-m", "rasa_intent_discovery"]
_RASA = [sys.executable, "-m", "rasa", "discover-intents"]
#: What is waited for: the first line, the first sign of how far a run is, and that it reads messages.
_RUN = {
    "first line": re.compile(r"\w"),
    "first progress": re.compile(r"(loading the (?:libraries|encoder)|reading messages): "),
    "reading messages": re.compile(r"reading messages: "),
}
#: The same of the other commands: that the desk is open, or what would be applied.
_OTHER = {"first line": re.compile(r"\w"), "answer": re.compile(r"http://|accepted")}
#: Command -> its words, and what is waited for.
COMMANDS = {
    "rasa discover-intents": ([*_RASA, "--preset", "fast"], _RUN),
    "python -m rasa_intent_discovery": ([*_MODULE, "--preset", "fast"], _RUN),
    "rasa discover-intents review": ([*_RASA, "review", "--no-browser"], _OTHER),
    "rasa discover-intents apply --dry-run": ([*_RASA, "apply", "--dry-run"], _OTHER),
}


@dataclass(frozen=True)
class Waited:
    """Seconds until something was said: those that passed, and those of the processor."""

    wall: float
    processor: float


def measure(
    words: Sequence[str], checkout: Path, bot: Path, patterns: dict[str, re.Pattern[str]]
) -> dict[str, Waited]:
    """Starts the command with the code of a checkout, and ends it when all patterns have been seen."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 160, 0, 0))
    env = {**os.environ, "PYTHONPATH": str(checkout.resolve())}
    began = time.perf_counter()
    process = subprocess.Popen(words, cwd=bot, env=env, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    said, seen = "", dict[str, Waited]()
    try:
        while len(seen) < len(patterns):
            if not select.select([ours], [], [], 120)[0]:
                break
            try:
                said += os.read(ours, 65536).decode(errors="replace")
            except OSError:
                break
            now = Waited(time.perf_counter() - began, _processor_seconds(process.pid))
            seen.update(
                {name: now for name, what in patterns.items() if name not in seen and what.search(said)}
            )
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        os.close(ours)
    if len(seen) < len(patterns):
        raise SystemExit(f"{' '.join(words)} did not say all that was waited for:\n{said[-2000:]}")
    return seen


def _processor_seconds(process: int) -> float:
    """User and system time of a process of ours until now."""
    values = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(values[11]) + int(values[12])) / _CLOCK_TICKS


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the median of each time, for each command and checkout."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.startup", description=__doc__)
    parser.add_argument(
        "--bot", type=Path, default=Path("example_bot"), help="A folder with config.yml and logs."
    )
    parser.add_argument(
        "--checkout", type=Path, nargs="+", default=[Path(".")], help="Those that are compared."
    )
    parser.add_argument("--times", type=int, default=5, help="How often each command is started.")
    parser.add_argument("--out", type=Path, help="Where the times are written, as JSON.")
    options = parser.parse_args(arguments)
    found: dict[tuple[str, str, str], list[Waited]] = {}
    with tempfile.TemporaryDirectory() as folder:
        bot = Path(shutil.copytree(options.bot, Path(folder) / "bot"))
        subprocess.run([*_MODULE, "--preset", "fast"], cwd=bot, capture_output=True, check=True)
        for _ in range(options.times):
            for command, (words, patterns) in COMMANDS.items():
                for checkout in options.checkout:
                    for what, waited in measure(words, checkout, bot, patterns).items():
                        found.setdefault((command, what, commit_of(checkout)), []).append(waited)
    rows = [_row(*key, waited) for key, waited in found.items()]
    sys.stdout.write("".join(f"{_as_line(row)}\n" for row in rows))
    if options.out:
        options.out.write_text(
            json.dumps({"load": os.getloadavg(), "times": rows}, indent=1), encoding="utf-8"
        )
    return 0


def _row(command: str, what: str, commit: str, waited: Sequence[Waited]) -> dict[str, Any]:
    return {
        "command": command,
        "until": what,
        "commit": commit,
        "wall": round(statistics.median(one.wall for one in waited), 2),
        "processor": round(statistics.median(one.processor for one in waited), 2),
        "times": len(waited),
    }


def _as_line(row: dict[str, Any]) -> str:
    return (
        f"{row['command']:40}{row['until']:18}{row['commit']:10}{row['wall']:7.2f} s"
        f"{row['processor']:8.2f} s of the processor"
    )


if __name__ == "__main__":
    sys.exit(main())
