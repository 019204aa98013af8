"""`rasa discover-intents review`: opens the review desk on a folder of drafts of a bot."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rasa_intent_discovery.command.desk import DeskOptions, serve_desk
from rasa_intent_discovery.command.options import out_option
from rasa_intent_discovery.rasa_plugin.place import BotPlace, drafts_folder

if TYPE_CHECKING:
    from rasa_intent_discovery.rasa_plugin.desk_applier import DeskApplier


def review_drafts(place: BotPlace, given: Mapping[str, Any], options: DeskOptions) -> str:
    """Serves the review desk until it is interrupted.

    What an `apply` that was killed left half-done in the bot's files is undone first.

    Args:
        place: of the bot, whose configuration may name the folder of drafts.
        given: settings from the command line, which override those in the configuration.
        options: how the desk is opened.

    Returns:
        The text to print afterwards.

    Raises:
        DiscoveryError: there are no drafts, they cannot be used, or the port is taken.
    """
    folder = Path(drafts_folder(place.config, given))
    apply = f"rasa discover-intents apply{place.options()}{out_option(given)}"
    from rasa_intent_discovery.review.applying.end import End

    if not Path(place.config).exists():  # as for a folder that somebody sent
        there = f"rasa discover-intents apply --out {shlex.quote(str(folder.resolve()))}"
        return serve_desk(folder, options, apply, End(command=there))
    from rasa_intent_discovery.command.again import CommandAgain
    from rasa_intent_discovery.drafts.bot_changes import before_review
    from rasa_intent_discovery.drafts.change_journal import journal_of

    before_review(journal_of(place.config))
    out = shlex.split(out_option(given))
    # A page shows the last line only; a terminal keeps all.
    line_seconds = None if options.terminal else 1
    again = CommandAgain("rasa discover-intents", shlex.split(place.options()), out, line_seconds)
    with closing(again), closing(_applier(place, folder, apply)) as applier:
        return serve_desk(folder, options, apply, End(applier), again)


def _applier(place: BotPlace, folder: Path, apply: str) -> DeskApplier:
    """What applies drafts for the desk; `apply` is the command that does it."""
    from rasa_intent_discovery.rasa_plugin.desk_applier import DeskApplier

    validate, train = place.by_rasa()
    return DeskApplier(place, str(folder), {"apply": apply, "validate": validate, "train": train})
