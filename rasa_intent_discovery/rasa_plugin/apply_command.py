"""`rasa discover-intents apply`: puts accepted drafts into the bot's own files."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rasa_intent_discovery.command.options import add_applying
from rasa_intent_discovery.rasa_plugin.place import BotPlace, settings_place

if TYPE_CHECKING:
    from rasa_intent_discovery.review.applying.applier import ApplyOptions


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `apply`, beside those that say where the bot is."""
    options = add_applying(parser)
    options.add_argument(
        "--with-rules",
        action="store_true",
        help="Gives new intents, also of earlier runs, that no story or rule is about a rule, and a response "
        "to fill in.",
    )
    options.add_argument(
        "--with-flows",
        action="store_true",
        help="Gives new intents, also of earlier runs, that no story, rule or flow is about a flow, and a "
        "response to fill in (Rasa Pro).",
    )


def apply_drafts(
    place: BotPlace,
    given: Mapping[str, Any],
    options: ApplyOptions,
    intents: Sequence[str] = (),
    dry_run: bool = False,
    yes: bool = False,
) -> str:
    """Applies drafts to a bot; what an `apply` that was killed left half-done is undone first.

    Args:
        given: settings from the command line, which override those in the configuration.
        intents: those whose drafts are applied; empty applies all that are accepted.
        dry_run: changes nothing.
        yes: changes files with uncommitted changes without asking.

    Returns:
        The text to print.

    Raises:
        DiscoveryError: anything the person can put right; nothing is changed then.
    """
    from rasa_intent_discovery.drafts import apply_summary
    from rasa_intent_discovery.drafts.apply_replies import RULE
    from rasa_intent_discovery.drafts.bot_changes import before_applying, change_files
    from rasa_intent_discovery.drafts.change_journal import journal_of
    from rasa_intent_discovery.rasa_plugin.apply_plan import plan_drafts
    from rasa_intent_discovery.rasa_plugin.project import component_settings, has_rule_policy
    from rasa_intent_discovery.rasa_plugin.settings import parse_settings

    settings = {**component_settings(place.config), **given}
    _, config = parse_settings(settings, settings_place(place.config))
    journal = journal_of(place.config)
    before_applying(journal, Path(config.out), dry_run)
    planned = plan_drafts(place, config.out, options, intents)
    if planned is None:
        return apply_summary.nothing_accepted(config.out)
    then = [*place.by_rasa()]
    if any(added.kind == RULE for added in planned.plan.replies) and not has_rule_policy(place.config):
        then.insert(0, f"add RulePolicy to `policies` in {place.config}: without it, no rule is followed")
    return change_files(planned.plan, planned.known, Path(config.out), journal, dry_run, yes, then)
