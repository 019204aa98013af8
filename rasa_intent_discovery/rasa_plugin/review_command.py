"""`rasa discover-intents review`: opens the review desk on a folder of drafts."""

from __future__ import annotations

import argparse
import logging
import secrets
import shlex
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rasa.cli.arguments import default_arguments
from rasa.shared.constants import DEFAULT_DATA_PATH

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.drafts.history import standing
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.rasa_plugin.options import out_option
from rasa_intent_discovery.rasa_plugin.place import BotPlace, drafts_folder
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, OPEN

if TYPE_CHECKING:
    from rasa_intent_discovery.rasa_plugin.desk_applier import DeskApplier
    from rasa_intent_discovery.review.folder import Desk

logger = logging.getLogger(__name__)

REVIEW = "review"
_OPEN_TO_OTHERS = """
Everybody who has this link and reaches this machine can decide, and apply to your bot. It goes over plain
http, which others in between can read and change: use it in a network you trust. Otherwise leave --host out,
and use an ssh tunnel, or a proxy with TLS.
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `review`, beside those that say where the bot is."""
    options = parser.add_argument_group("Intent Discovery")
    default_arguments.add_out_param(
        options, f"Folder of the drafts (default: {DiscoveryConfig().out}).", default=argparse.SUPPRESS
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


def review_drafts(
    config_path: str,
    given: Mapping[str, Any],
    port: int | None = None,
    no_browser: bool = False,
    terminal: bool = False,
    reviewer: str | None = None,
    host: str | None = None,
    domain_path: str | None = None,
    data_paths: Sequence[str] = (DEFAULT_DATA_PATH,),
) -> str:
    """Serves the review desk until it is interrupted.

    Args:
        config_path: the bot's configuration, which may name the folder of drafts.
        given: settings from the command line, which override those in the configuration.
        port: of the page; 0 takes any free port, None the usual one of the folder where it is free.
        no_browser: does not open the page in a browser.
        terminal: serves no page, but asks in the terminal.
        reviewer: the name that decisions carry; None takes that of git.
        host: an address of this machine, on which others reach the page; None for this machine only.
        domain_path, data_paths: the bot's domain and training data, for what is applied on the page.

    Returns:
        The text to print afterwards.

    Raises:
        DiscoveryError: there are no drafts, they cannot be used, or the port is taken.
    """
    folder = Path(drafts_folder(config_path, given))
    name = _signed(folder) if reviewer is None else reviewer
    if terminal:
        from rasa_intent_discovery.review.terminal import review_in_terminal

        return _closed(review_in_terminal(folder, reviewer=name), out_option(given))
    from rasa_intent_discovery.learning.query_encoder import QueryEncoder
    from rasa_intent_discovery.review import addresses, serving
    from rasa_intent_discovery.review.decided_so_far import decided_so_far
    from rasa_intent_discovery.review.end import End
    from rasa_intent_discovery.review.folder import refreshed
    from rasa_intent_discovery.review.server import make_app
    from rasa_intent_discovery.review.session import Session

    applier = _applier(BotPlace(config_path, domain_path, tuple(data_paths)), folder, given)
    there = f"rasa discover-intents apply --out {shlex.quote(str(folder.resolve()))}"
    at = host or addresses.HOST
    with addresses.listen_for(folder, at) if port is None else addresses.listen(port, at) as listening:
        number, names = listening.getsockname()[1], addresses.called_by(listening, at)
        is_local = addresses.is_local(listening)
        session = Session(folder, QueryEncoder, End(applier, there), name if is_local else None)
        token, code = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        page = f"http://{names[0]}:{number}/"
        warning = "" if is_local else _OPEN_TO_OTHERS
        if so_far := decided_so_far(session.desk):
            sys.stdout.write(f"\n{so_far}\n")
        sys.stdout.write(f"\nThe review desk is open: {page}?token={token}\n{warning}\nCtrl-C closes it.\n")
        sys.stdout.flush()
        try:
            app = make_app(session, token, number, code, names)
            serving.serve(app, listening, None if no_browser else f"{page}?code={code}")
        except KeyboardInterrupt:
            pass  # ended by force
        finally:
            if applier is not None:
                applier.close()
    try:
        return _closed(refreshed(session.desk), out_option(given))
    except KeyboardInterrupt:
        raise KeyboardInterrupt("all decisions are in the drafts, but the report may not show them") from None


def _signed(folder: Path) -> str:
    """The name that git signs with where the drafts are; empty where there is none that can be told."""
    from rasa_intent_discovery.rasa_plugin.git import user_name
    from rasa_intent_discovery.review.reviewer_name import reviewer_name

    try:
        return reviewer_name(user_name(folder)) if folder.is_dir() else ""
    except DataError:
        return ""


def _applier(place: BotPlace, folder: Path, given: Mapping[str, Any]) -> DeskApplier | None:
    """What applies drafts for the desk; None where there is no bot, as for a folder that somebody sent."""
    if not Path(place.config).exists():
        return None
    from rasa_intent_discovery.rasa_plugin.desk_applier import DeskApplier

    commands = {
        "apply": f"rasa discover-intents apply{place.options()}{out_option(given)}",
        "validate": f"rasa data validate{place.options(with_config=False)}",
        "train": f"rasa train{place.options()}",
    }
    return DeskApplier(place, str(folder), commands)


def _closed(desk: Desk, where: str) -> str:
    """Writes the report with the decisions, and returns what to do next."""
    from rasa_intent_discovery.review.report import write_report

    try:
        write_report(desk)
    except DataError as error:
        logger.warning(f"The report does not show what was decided: {error}")
    accepted = Counter(draft.decision for draft in desk.review.drafts.values())[ACCEPTED]
    if not accepted:
        over = "The review is over, and all decisions are in the drafts."
    else:
        drafts = "1 draft is" if accepted == 1 else f"{accepted} drafts are"
        over = f"The review is over: {drafts} accepted, for `rasa discover-intents apply{where}`."
    changed = {path for entry in standing(desk.journal) for path in entry.files}
    names = [
        draft.intent
        for path, draft in desk.review.drafts.items()
        if path in changed and draft.decision == OPEN and draft.examples
    ]
    left = f"Changed, but not accepted, so not applied: {', '.join(names)}.\n" if names else ""
    return f"\n{over}\n{left}"


def _reviewer(text: str) -> str:
    from rasa_intent_discovery.review.reviewer_name import reviewer_name

    try:
        return reviewer_name(text)
    except DataError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"expected a port from 0 to 65535, got {text!r}")
    return int(text)
