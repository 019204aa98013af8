"""`--exit-code`: tells a script whether there are proposals that nobody has decided about."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rasa_intent_discovery.command.names import WAITING
from rasa_intent_discovery.plural import counted


def add_option(parser: argparse.ArgumentParser) -> None:
    """Adds the option."""
    parser.add_argument(
        "--exit-code",
        action="store_true",
        help=f"Ends with exit code {WAITING} if proposals wait for a decision, also those of earlier runs.",
    )


def exit_if_any_waits(folder: Path) -> str:
    """Exits with `WAITING`, and names them, if proposals in the folder of drafts are still open.

    Returns:
        Nothing to print, if none waits.

    Raises:
        DataError: a draft cannot be read, so what it says is not known.
    """
    from rasa_intent_discovery.drafts.folder import read_drafts
    from rasa_intent_discovery.training_data.nlu_yaml import OPEN

    names = [draft.intent for draft in read_drafts(folder) if draft.decision == OPEN]
    if not names:
        return ""
    wait = counted(len(names), "proposal waits", "proposals wait")
    sys.stdout.write(f"\n{wait} for a decision: {', '.join(names)}.\n")
    sys.exit(WAITING)
