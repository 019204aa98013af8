"""What is around the work of a command."""

from __future__ import annotations

import subprocess
import sys
from subprocess import PIPE

WAITS = (
    "from rasa_intent_discovery.command.program import run_or_exit; run_or_exit(lambda: f'{input()} done')"
)


def test_that_nobody_reads_on_is_no_error() -> None:
    """As where `head` has ended, or a pager is left before the end of a long diff."""
    with subprocess.Popen([sys.executable, "-c", WAITS], stdin=PIPE, stdout=PIPE, stderr=PIPE) as running:
        assert running.stdout is not None
        running.stdout.close()
        running.stdout = None
        assert running.communicate(b"all\n") == (None, b"")
    assert running.returncode == 0
