"""Whether Rasa tests a bot: what it is asked then, nobody said, and what is trained then is thrown away."""

from __future__ import annotations

import sys

# Where Rasa tests a model, from the command line and from a server (`POST /model/test/...`).
_TESTS = {"rasa.nlu.test", "rasa.core.test", "rasa.model_testing"}


def in_a_test() -> bool:
    """Whether the caller is at work for a test of Rasa's: it is told by who has called whom."""
    frame = sys._getframe()
    while (caller := frame.f_back) is not None:
        frame = caller
        if frame.f_globals.get("__name__") in _TESTS:
            return True
    return False
