"""What is around the work of a command: the process is prepared, an error is one line and an exit code."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Callable
from typing import NoReturn, TextIO

from rasa_intent_discovery.command.names import INTERRUPTED
from rasa_intent_discovery.errors import DiscoveryError
from rasa_intent_discovery.review.safe_text import for_terminal

#: Environment variables that libraries read when they are loaded.
_ENVIRONMENT = {
    # transformers imports TensorFlow where it is installed, as with Rasa: 8 s for nothing.
    "USE_TF": "0",
}
#: The same, of threads that wait for each other: they spin for some microseconds, then sleep. If they slept
#: at once, training on two idle cores would take a third longer; if they spun for long, it would hardly go
#: on where other programs run.
_WAITING = {"OMP_WAIT_POLICY": "PASSIVE", "GOMP_SPINCOUNT": "1000"}


def run_or_exit(work: Callable[[], str], *expected: type[Exception]) -> None:
    """Does the work of a command and prints the text that it returns.

    Args:
        expected: errors that the person can put right, beside our own.

    Raises:
        SystemExit: it cannot be done, or was interrupted; one line has said why.
    """
    if sys.stdout is None:  # it was closed: `>&-`
        sys.stdout = open(os.devnull, "w")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names of files need not be text
    chosen = any(name in os.environ for name in _WAITING)
    for name, value in {**_ENVIRONMENT, **({} if chosen else _WAITING)}.items():
        os.environ.setdefault(name, value)
    errors: tuple[type[Exception], ...] = (DiscoveryError, *expected)
    try:
        text = work()
    except errors as error:
        exit_with(" ".join(str(error).split()), 1)
    except PermissionError as error:
        exit_with(f"{error.filename or 'a file'} cannot be read or written: {error.strerror}", 1)
    except KeyboardInterrupt as interrupt:
        exit_with(f"Interrupted; {str(interrupt) or 'the folder of drafts is as it was'}.", INTERRUPTED)
    try:
        sys.stdout.write(for_terminal(text))
        sys.stdout.flush()
    except OSError as error:
        _throw_away_the_rest()
        if not isinstance(error, BrokenPipeError):  # it was read as far as somebody wanted, as by `head`
            sys.stderr.write(f"All is done, but its summary could not be written ({error.strerror}).\n")
            sys.exit(1)


def mute_deprecations() -> None:
    """Mutes deprecation warnings of libraries: the user of a command can do nothing about them."""
    for category in (DeprecationWarning, PendingDeprecationWarning, FutureWarning):
        warnings.simplefilter("ignore", category)


def exit_with(line: str, code: int) -> NoReturn:
    """Ends with the line, in red as Rasa prints an error, but without colour where no person reads it.

    Where it cannot be printed, or what is printed is thrown away, it goes where errors go.
    """
    line = for_terminal(line)
    try:
        if _is_thrown_away(sys.stdout):
            sys.stderr.write(f"{line}\n")
        else:
            sys.stdout.write(f"\033[91m{line}\033[0m\n" if sys.stdout.isatty() else f"{line}\n")
            sys.stdout.flush()
    except OSError:
        _throw_away_the_rest()
        sys.stderr.write(f"{line}\n")
    sys.exit(code)


def _is_thrown_away(stream: TextIO) -> bool:
    try:
        return os.path.samestat(os.fstat(stream.fileno()), os.stat(os.devnull))
    except (OSError, ValueError):  # one without a file, as in a notebook
        return False


def _throw_away_the_rest() -> None:
    """For what Python flushes at the end, and could not be written either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
