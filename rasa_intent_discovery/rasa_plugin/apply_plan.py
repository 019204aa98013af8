"""What applying drafts would do to a bot, for the command and for the review desk. Changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rasa_intent_discovery.datatypes import KNOWN, NEW, KnownExample
from rasa_intent_discovery.drafts.applied_before import taken_out_since
from rasa_intent_discovery.drafts.apply import Plan, plan
from rasa_intent_discovery.drafts.bot_sources import BotSources
from rasa_intent_discovery.drafts.chosen import (
    accepted_before,
    check_made_for,
    chosen_drafts,
    chosen_nlu_file,
    learnt_intents,
)
from rasa_intent_discovery.drafts.file_changes import hard_linked, unchanged_meanwhile
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.rasa_plugin.apply_check import check_plan
from rasa_intent_discovery.rasa_plugin.place import BotPlace
from rasa_intent_discovery.rasa_plugin.project import other_importers, read_bot
from rasa_intent_discovery.rasa_plugin.rasa_versions import KNOWS_FLOWS
from rasa_intent_discovery.rasa_plugin.sources import read_sources
from rasa_intent_discovery.review.applying.applier import ApplyOptions


@dataclass(frozen=True)
class Planned:
    """A plan, and the bot that it is for.

    Attributes:
        sources: the bot's files.
        linked: the files of the plan that have further hard links.
    """

    plan: Plan
    sources: BotSources
    linked: tuple[Path, ...]

    @property
    def known(self) -> Sequence[KnownExample]:
        """The bot's examples before."""
        return self.sources.examples


def plan_drafts(
    place: BotPlace,
    folder: str,
    options: ApplyOptions,
    intents: Sequence[str] = (),
) -> Planned | None:
    """How to put drafts into a bot, checked with Rasa's own readers; None where no draft is accepted.

    Where no intent is named, those of earlier proposals, whose drafts are gone, get rules and flows, too.

    Args:
        folder: of the drafts.
        intents: those whose drafts are applied; empty applies all that are accepted.

    Raises:
        DiscoveryError: the bot or the drafts cannot be read, or the drafts cannot be applied safely.
    """
    with_rules, nlu_file, with_flows = options.with_rules, options.nlu_file, options.with_flows
    if with_flows and not KNOWS_FLOWS:
        raise DataError(
            "this Rasa has no flows, which Rasa Pro has: use --with-rules instead of --with-flows"
        )
    importers = other_importers(place.config)
    if (with_rules or with_flows) and importers:
        raise DataError(
            f"{place.config} > importers: {importers[0]} brings stories and rules of other places, which are "
            "not looked at, so that the bot could have two for an intent: apply without --with-rules and "
            "--with-flows, and write them yourself"
        )
    chosen = chosen_drafts(folder, intents)
    before = accepted_before(folder) if (with_rules or with_flows) and not intents else []
    if not (any(chosen.values()) or before):
        return None
    with unchanged_meanwhile([*place.data, *filter(None, [place.domain])]):
        bot = read_bot(place.config, place.domain, place.data)
        sources = read_sources(place.domain, place.data, bot.examples)
        taken_out = {} if intents else taken_out_since(Path(folder), bot.examples)
    check_made_for(
        folder, {*bot.intents, *(example.intent for example in bot.examples)}, "rasa discover-intents"
    )
    if importers:  # which may list further ones: listed twice, the settings of the other place would be lost
        sources = replace(sources, listed=[*{*sources.listed, *bot.intents}])
    file = None if nlu_file is None else _nlu_file(nlu_file, place.data, sources)
    learnt = learnt_intents(folder)
    planned = plan(
        chosen[NEW], chosen[KNOWN], sources, with_rules, file, with_flows, learnt, taken_out, before
    )
    check_plan(planned, sources)
    return Planned(planned, sources, hard_linked(planned.changes))


def _nlu_file(nlu_file: str, data_paths: Sequence[str], sources: BotSources) -> Path:
    """The file by its path in the sources; DataError where Rasa would not read it as training data."""
    path = chosen_nlu_file(nlu_file, sources.nlu, "no NLU training data of this bot")
    folders = [folder for folder in map(Path, data_paths) if folder.is_dir()]
    if path in sources.nlu or any(folder.resolve() in path.resolve().parents for folder in folders):
        return path
    inside = ", ".join(map(str, folders)) or "a folder given with --data"
    raise DataError(f"--nlu-file {path} is not where Rasa reads training data: put it into {inside}")
