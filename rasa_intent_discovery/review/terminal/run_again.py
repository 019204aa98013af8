"""A run with the answers of a review in the terminal, which waits for it and goes on with its drafts."""

from __future__ import annotations

import time

from rasa_intent_discovery.errors import DiscoveryError
from rasa_intent_discovery.review.decisions.folder import Desk
from rasa_intent_discovery.review.next_run.again import Discoverer
from rasa_intent_discovery.review.numbers import REVIEW
from rasa_intent_discovery.review.safe_text import printable
from rasa_intent_discovery.review.terminal.asks import Reviewer, tell

NOT_NOW, NOW = "not now", "yes: group the messages anew with my answers"


def run_again(desk: Desk, who: Reviewer, discoverer: Discoverer) -> bool:
    """Offers to run the discovery again, and waits for its end.

    Returns:
        Whether the drafts are those of another run now.
    """
    try:
        command = printable(discoverer.command(desk.run))
        if who.asks.select(f"Run `{command}` now?", [NOT_NOW, NOW]) != NOW:
            return False
        discoverer.start(desk.run)
    except DiscoveryError as error:
        tell(f"{error}.")
        return False
    try:
        return _waited(discoverer)
    except KeyboardInterrupt:
        discoverer.close()
        raise


def _waited(discoverer: Discoverer) -> bool:
    said = ""
    while (found := discoverer.found()) is not None:
        if found.says != said:
            said = found.says
            tell(f"  {printable(said)}")
        if not found.running:
            return found.fine is True
        time.sleep(REVIEW.run_seconds)
    return False
