"""Opens the review desk on a folder of drafts, as a page or in the terminal, until it is closed.

Nothing heavy is imported until it opens.
"""

from __future__ import annotations

import argparse
import logging
import secrets
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.plural import counted
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, OPEN

if TYPE_CHECKING:
    from rasa_intent_discovery.review.applying.end import End
    from rasa_intent_discovery.review.decisions.folder import Desk
    from rasa_intent_discovery.review.next_run.again import Discoverer

logger = logging.getLogger(__name__)

_OPEN_TO_OTHERS = """
Everybody who has this link and reaches this machine can decide, and apply to your bot. It goes over plain
http, which others in between can read and change: use it in a network you trust. Otherwise leave --host out,
and use an ssh tunnel, or a proxy with TLS.
"""


@dataclass(frozen=True)
class DeskOptions:
    """How the desk is opened.

    Attributes:
        port: of the page; 0 takes any free port, None the usual one of the folder where it is free.
        no_browser: does not open the page in a browser.
        terminal: serves no page, but asks in the terminal.
        reviewer: the name that decisions carry; None takes that of git.
        host: an address of this machine, on which others reach the page; None for this machine only.
    """

    port: int | None = None
    no_browser: bool = False
    terminal: bool = False
    reviewer: str | None = None
    host: str | None = None

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> DeskOptions:
        """As the command line gives them."""
        return cls(**{field.name: getattr(arguments, field.name) for field in fields(cls)})


def add_desk_options(parser: argparse.ArgumentParser) -> None:
    """Adds an option for each field of `DeskOptions`, and for the folder of drafts."""
    options = parser.add_argument_group("Intent Discovery")
    options.add_argument(
        "--out", default=argparse.SUPPRESS, help=f"Folder of the drafts (default: {DiscoveryConfig().out})."
    )
    options.add_argument(
        "--port",
        type=_port,
        default=None,
        metavar="N",
        help="Port of the page; 0 is any that is free (default: always the same for a folder, if free).",
    )
    options.add_argument(
        "--no-browser", action="store_true", help="Opens no browser, only prints the address of the page."
    )
    options.add_argument(
        "--terminal", action="store_true", help="Opens no page, but asks about each proposal right here."
    )
    options.add_argument(
        "--reviewer",
        type=_reviewer,
        default=None,
        metavar="NAME",
        help="Whose decisions they are (default: the user.name of git, where the drafts are in git).",
    )
    options.add_argument(
        "--host",
        default=None,
        metavar="ADDRESS",
        help="Serves the page to others, too, on this address of the machine (default: to no others).",
    )


_RUN_STOPPED = "The run that was started on the desk was stopped with it; the drafts are as they were.\n"


def serve_desk(
    folder: Path,
    options: DeskOptions,
    apply_command: str,
    end: End | None = None,
    again: Discoverer | None = None,
) -> str:
    """Serves the review desk until it is interrupted.

    Args:
        folder: of the drafts.
        apply_command: the command that applies what is accepted, for the last line.
        end: applies drafts on the page, and knows what is in the bot; None where there is none.
        again: starts another run; None where that is not known.

    Returns:
        The text to print afterwards.

    Raises:
        DiscoveryError: there are no drafts, they cannot be used, or the port is taken.
        KeyboardInterrupt: with a message if the report may be stale.
    """
    name = _signed(folder) if options.reviewer is None else options.reviewer
    if options.terminal:
        from rasa_intent_discovery.review.terminal.asks import asks_in_terminal
        from rasa_intent_discovery.review.terminal.review import review_in_terminal

        desk = review_in_terminal(folder, asks_in_terminal(), name, again)
        return _closed(desk, apply_command, _in_bot(end, desk), end.to_do if end else ())
    from rasa_intent_discovery.learning.query_encoder import QueryEncoder
    from rasa_intent_discovery.review.decisions.folder import refreshed
    from rasa_intent_discovery.review.decisions.who_decided import decided_so_far
    from rasa_intent_discovery.review.desk import addresses, serving
    from rasa_intent_discovery.review.desk.server import make_app
    from rasa_intent_discovery.review.desk.session import Session
    from rasa_intent_discovery.review.next_run.again import ENDED, Again

    at = options.host or addresses.HOST
    port = options.port
    with addresses.listen_for(folder, at) if port is None else addresses.listen(port, at) as listening:
        number, names = listening.getsockname()[1], addresses.called_by(listening, at)
        is_local = addresses.is_local(listening)
        session = Session(folder, QueryEncoder, end, name if is_local else None, Again(again))
        token, code = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        page = f"http://{names[0]}:{number}/"
        warning = "" if is_local else _OPEN_TO_OTHERS
        if so_far := "\n".join(filter(None, (*session.desk.problems, decided_so_far(session.desk)))):
            sys.stdout.write(f"\n{so_far}\n")
        sys.stdout.write(f"\nThe review desk is open: {page}?token={token}\n{warning}\nCtrl-C closes it.\n")
        sys.stdout.flush()
        try:
            app = make_app(session, token, number, code, names)
            serving.serve(app, listening, None if options.no_browser else f"{page}?code={code}")
        except KeyboardInterrupt:
            pass  # ended by force
    try:
        desk = refreshed(session.desk)
        closed = _closed(desk, apply_command, _in_bot(session.end, desk), session.end.to_do)
        found = None if again is None else again.found()
        stopped = found is not None and (found.running or found.says == ENDED)
        return f"{closed}{_RUN_STOPPED}" if stopped else closed
    except KeyboardInterrupt:
        raise KeyboardInterrupt("all decisions are in the drafts, but the report may not show them") from None


def _signed(folder: Path) -> str:
    """The name that git signs with where the drafts are; empty where there is none that can be told."""
    from rasa_intent_discovery.drafts.git import user_name
    from rasa_intent_discovery.review.decisions.reviewer_name import reviewer_name

    try:
        return reviewer_name(user_name(folder)) if folder.is_dir() else ""
    except (DataError, OSError):  # of what cannot be looked at, what opens it next tells
        return ""


def _in_bot(end: End | None, desk: Desk) -> Collection[str]:
    """The drafts that are in the bot; reads it where one is accepted that is not known to be there."""
    if end is None:
        return ()
    accepted = {path for path, draft in desk.review.drafts.items() if draft.decision == ACCEPTED}
    if not accepted.issubset(end.in_bot(desk)):
        end.read_bot(desk)
    return end.in_bot(desk)


def _closed(desk: Desk, apply_command: str, in_bot: Collection[str], to_do: Sequence[str]) -> str:
    """Writes the report with the decisions, and returns what to do next.

    Args:
        in_bot: the drafts that are in the bot already, as the desk knows.
        to_do: what a person has to write for these.
    """
    from rasa_intent_discovery.drafts.apply_summary import LEFT_TO_DO, numbered
    from rasa_intent_discovery.drafts.folder import left_by_run
    from rasa_intent_discovery.drafts.journal import file_hash
    from rasa_intent_discovery.review.page.report import write_report

    try:
        write_report(desk)
    except DataError as error:
        logger.warning(f"The report does not show what was decided: {error}")
    accepted = [path for path, draft in desk.review.drafts.items() if draft.decision == ACCEPTED]
    applied = sum(path in in_bot for path in accepted)
    waiting = len(accepted) - applied
    parts = [f"{counted(applied, 'draft is', 'drafts are')} in your bot"] if applied else []
    parts += (
        [f"{counted(waiting, 'draft is', 'drafts are')} accepted, for `{apply_command}`"] if waiting else []
    )
    over = f": {'; '.join(parts)}" if parts else ", and all decisions are in the drafts"
    by_run = left_by_run(desk.run)  # a change that was taken back, also by hand, is none
    changed = {path for path, file in desk.files.items() if file_hash(file.text.encode()) != by_run.get(path)}
    names = [
        draft.intent
        for path, draft in desk.review.drafts.items()
        if path in changed and draft.decision == OPEN and draft.examples
    ]
    left = f"Changed, but not accepted, so not applied: {', '.join(names)}.\n" if names else ""
    left += "".join(f"{problem}\n" for problem in desk.problems)
    steps = "\n".join(["", *numbered(LEFT_TO_DO, to_do), ""]) if to_do else ""
    return f"\nThe review is over{over}.\n{left}{steps}"


def _reviewer(text: str) -> str:
    from rasa_intent_discovery.review.decisions.reviewer_name import reviewer_name

    try:
        return reviewer_name(text)
    except DataError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"expected a port from 0 to 65535, got {text!r}")
    return int(text)
