"""Which Rasa the tests run beside: 3.6, or Rasa Pro, whose program asks for a licence before any command."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

import pytest

IS_PRO = importlib.util.find_spec("rasa.core.tracker_stores") is not None
HAS_LICENSE = not IS_PRO or "RASA_LICENSE" in os.environ

needs_license = pytest.mark.skipif(not HAS_LICENSE, reason="Rasa Pro asks for a licence")
needs_rasa_3 = pytest.mark.skipif(IS_PRO, reason="is about Rasa 3.6")


def rasa_command(*words: str) -> list[str]:
    """The command line of `rasa WORDS`; without a licence, ours by our own program, no others."""
    programs = Path(sys.executable).parent
    if HAS_LICENSE:
        return [str(programs / "rasa"), *words]
    if words[:1] != ("discover-intents",):
        pytest.skip("Rasa Pro asks for a licence")
    return [str(programs / "rasa-discover-intents"), *words[1:]]
