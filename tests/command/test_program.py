"""What is around the work of a command."""

from __future__ import annotations

import shlex
import subprocess
import sys
from subprocess import PIPE

import pytest

from rasa_intent_discovery.command.program import exit_with, run_or_exit

SAYS = "from rasa_intent_discovery.command.program import run_or_exit; run_or_exit(lambda: 'all is done')"
FAILS = "from rasa_intent_discovery.command.program import exit_with; exit_with('give messages', 1)"
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


@pytest.mark.parametrize("to", ["> /dev/full", "> /dev/null", "| true"])
def test_what_is_wrong_is_said_where_errors_go_if_nobody_reads_the_rest(to: str) -> None:
    """As by a job of cron, which throws away what is printed."""
    line = f"set -o pipefail; (sleep 0.3; {shlex.quote(sys.executable)} -c {shlex.quote(FAILS)}) {to}"
    ended = subprocess.run(["bash", "-c", line], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", "give messages\n")


def test_what_may_not_be_entered_is_no_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    def denied() -> str:
        raise PermissionError(13, "Permission denied", "locked/nlu.yml")

    with pytest.raises(SystemExit):
        run_or_exit(denied)
    assert capsys.readouterr().out == "locked/nlu.yml cannot be read or written: Permission denied\n"


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
