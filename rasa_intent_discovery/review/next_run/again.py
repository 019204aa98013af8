"""The run that a person starts from a review, so that what was answered and decided is in the drafts at once.

Who starts it knows the command; this room knows what it says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from rasa_intent_discovery.errors import DiscoveryError
from rasa_intent_discovery.review.applying.end import Answer, refused
from rasa_intent_discovery.review.applying.started import Started
from rasa_intent_discovery.review.decisions.folder import Desk

#: How a run ended that was stopped, as where the desk was closed.
ENDED = "The run was ended before it was done."


class Discoverer(Protocol):
    """Runs the discovery as the last run was started.

    Every method that takes the content of the `run.json` of that run raises DiscoveryError where it cannot be
    told how it was started.
    """

    def command(self, run: Mapping[str, Any]) -> str:
        """What does the same in a terminal."""

    def start(self, run: Mapping[str, Any]) -> None:
        """Starts it, unless it runs; does not wait for its end."""

    def found(self) -> Started | None:
        """What came of the run that was started last; None where there was none."""

    def close(self) -> None:
        """Ends what still runs."""


class Again:
    """The runs that are started from the desk of one folder.

    Args:
        discoverer: starts them; None where the folder was opened without a bot.
    """

    def __init__(self, discoverer: Discoverer | None = None) -> None:
        self._discoverer = discoverer

    def answers(self) -> dict[str, Callable[[Any, Desk], Answer]]:
        """Name of a request -> what answers it."""
        return {"again": self.again}

    def told(self, desk: Desk) -> str | None:
        """The command of the run that can be started; None where none can be."""
        try:
            return None if self._discoverer is None else self._discoverer.command(desk.run)
        except DiscoveryError:
            return None

    def again(self, asked: Any, desk: Desk) -> Answer:
        """Starts the run, or tells how far it is where `start` is not given."""
        if self._discoverer is None:
            return {"error": "this desk was opened without a bot: run the discovery in a terminal"}, 422
        if isinstance(asked, dict) and asked.get("start") is True:
            try:
                self._discoverer.start(desk.run)
            except DiscoveryError as error:
                return refused(error)
        found = self._discoverer.found()
        return {"again": vars(found) if found else None}, 200
