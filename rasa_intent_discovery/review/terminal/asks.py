"""How the review in the terminal asks a person, and tells what was done."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.decisions.files import act
from rasa_intent_discovery.review.decisions.folder import Desk, refreshed
from rasa_intent_discovery.review.numbers import REVIEW
from rasa_intent_discovery.review.safe_text import for_terminal, printable
from rasa_intent_discovery.review.terminal.lists import (
    POINT_HELP,
    TICK_HELP,
    heed_arrows_alone,
    meant,
    one_of,
    open_list,
)

UNDO, QUIT = "undo the last decision", "stop here"
KEYS = "(arrow keys, then Enter)"
KEYS_TO_TYPE = "(type its name or use arrow keys; empty: none)"


class Asks(Protocol):
    """Asks a person; None means no answer."""

    def select(self, question: str, choices: Sequence[str]) -> str | None:
        """One of the choices."""
        ...

    def name(self, question: str, names: Sequence[str]) -> str | None:
        """One of many names, chosen or typed as far as it is clear; None also where the person gives none."""
        ...

    def several(self, question: str, choices: Sequence[str]) -> list[str] | None:
        """Any of the choices."""
        ...

    def text(self, question: str, proposed: str) -> str | None:
        """The text that the person enters, `proposed` by default; empty changes nothing."""
        ...


class Questionary:
    """Asks as `rasa interactive` does. Ctrl-C is a KeyboardInterrupt."""

    def select(self, question: str, choices: Sequence[str]) -> str | None:
        """As the protocol says."""
        import questionary

        asked = questionary.select(question, list(choices), instruction=KEYS, use_jk_keys=False)
        heed_arrows_alone(asked, POINT_HELP)
        answer: str | None = asked.unsafe_ask()
        return answer

    def name(self, question: str, names: Sequence[str]) -> str | None:
        """As the protocol says."""
        import questionary

        shown = {printable(name): name for name in names}
        asked = questionary.autocomplete(
            f"{question} {KEYS_TO_TYPE}", [*shown], validate=one_of(shown), validate_while_typing=False
        )
        open_list(asked)
        name = meant(asked.unsafe_ask(), shown)
        return None if name is None else shown[name]

    def several(self, question: str, choices: Sequence[str]) -> list[str] | None:
        """As the protocol says."""
        import questionary

        asked = questionary.checkbox(question, list(choices), use_jk_keys=False)
        heed_arrows_alone(asked, TICK_HELP, ticks=True)
        answer: list[str] | None = asked.unsafe_ask()
        return answer

    def text(self, question: str, proposed: str) -> str | None:
        """As the protocol says."""
        import questionary

        answer: str | None = questionary.text(question, proposed).unsafe_ask()
        return answer


def asks_in_terminal() -> Asks:
    """What asks in the terminal of this process; raises DataError where there is none."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise DataError("there is no terminal to ask in: run the command in one, or leave --terminal out")
    _forget_typed()
    return Questionary()


def _forget_typed() -> None:
    """Forgets what was typed before anything was asked: an Enter would decide what nobody has read."""
    try:
        import termios
    except ImportError:
        return  # on Windows
    with suppress(termios.error, ValueError):
        termios.tcflush(sys.stdin, termios.TCIFLUSH)


@dataclass(frozen=True)
class Reviewer:
    """Who is asked, and the name that the decisions carry; empty for none."""

    asks: Asks
    name: str


def tell(text: str) -> None:
    """Prints a text on a line of its own."""
    sys.stdout.write(f"{for_terminal(text)}\n")


class AnotherRun(Exception):
    """Another run has made drafts in the middle of a review: what was asked was not about these."""


def current(desk: Desk) -> Desk:
    """The drafts as they are on the disk now; raises AnotherRun where they are those of another run."""
    now = refreshed(desk)
    if now.run != desk.run:
        raise AnotherRun
    return now


def acted(desk: Desk, who: Reviewer, verb: str, **arguments: Any) -> Desk:
    """The drafts after a verb, as `current` gives them; raises DataError where it cannot be done."""
    return act(current(desk), verb, arguments, who.name)[0]


def named_some(desk: Desk, paths: Sequence[str]) -> str:
    """The intents of the first of some drafts, and how many more there are."""
    names = [printable(desk.review.drafts[path].intent) for path in paths[: REVIEW.named_at_once]]
    more = len(paths) - len(names)
    return ", ".join(names) + (f" and {more:,} more" if more else "")
