"""What is around the work of a command."""

from __future__ import annotations

import shlex
import subprocess
import sys
from subprocess import PIPE

import pytest

from rasa_intent_discovery.command.program import exit_with, run_or_exit

SAYS = "from rasa_intent_discovery.command.program import run_or_exit; run_or_exit(lambda: 'all is done')"
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


def test_what_stands_in_a_log_or_is_a_name_commands_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    run_or_exit(lambda: "`\x1b]0;x\x07who` says who wrote:\n\u202euser\n")
    assert capsys.readouterr().out == "`\ufffd]0;x\ufffdwho` says who wrote:\n\ufffduser\n"
    with pytest.raises(SystemExit):
        exit_with("its columns are: \x1b[2Jtext", 1)
    assert capsys.readouterr().out == "its columns are: \ufffd[2Jtext\n"


@pytest.mark.parametrize(
    ("to", "code", "said"),
    [(">&-", 0, ""), ("> /dev/full", 1, "its summary could not be written (No space left on device)")],
)
def test_that_nothing_can_be_said_is_no_traceback(to: str, code: int, said: str) -> None:
    ended = subprocess.run(
        f"{shlex.quote(sys.executable)} -c {shlex.quote(SAYS)} {to}", shell=True, stderr=PIPE, text=True
    )
    assert (ended.returncode, said in ended.stderr, len(ended.stderr.splitlines())) == (
        code,
        True,
        bool(said),
    )
