"""The command in several processes, as `accelerate launch` starts it: the first does it, the others help it.

What is not learning, the first does by itself: it alone reads the bot and the log, writes, prints and asks.
"""

from __future__ import annotations

import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from rasa_intent_discovery.command.names import INTERRUPTED
from rasa_intent_discovery.errors import ConfigError, DiscoveryError


@contextmanager
def helped(*expected: type[Exception]) -> Iterator[None]:
    """Within the block, the other processes of the launch help this one; there, it is not entered.

    Args:
        expected: errors that end the block as they should, beside our own.

    Raises:
        ConfigError: a package is missing; in a process that helps, also what keeps it from helping.
        SystemExit: this process was one that helps, and the first needs no more of it.
    """
    if not _is_one_of_several():
        yield
        return
    if os.environ["RANK"] != "0":
        _help()
    from rasa_intent_discovery.learning.processes import join

    processes = join()
    errors: tuple[type[Exception], ...] = (DiscoveryError, *expected)
    try:
        yield
    except errors:
        processes.dismiss()
        raise
    processes.dismiss()


def _is_one_of_several() -> bool:
    """Whether a launcher has started this process as one of several."""
    count = os.environ.get("WORLD_SIZE", "1")
    return "RANK" in os.environ and count.isdecimal() and int(count) > 1


def _help() -> None:
    """Helps the first process to learn until it ends, and says nothing meanwhile."""
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    from rasa_intent_discovery.learning.learn import help_to_learn
    from rasa_intent_discovery.learning.processes import ProcessLost, join

    try:
        processes = join()
    except ConfigError:
        sys.exit(0)  # The first process says it.
    try:
        with suppress(ProcessLost):
            help_to_learn(processes)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    sys.exit(0)
