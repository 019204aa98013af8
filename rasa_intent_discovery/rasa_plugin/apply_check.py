"""Checks that Rasa will read the changed files of a bot as intended, before they are written."""

from __future__ import annotations

import warnings
from collections import Counter
from pathlib import Path
from typing import Any

from rasa.shared.core.domain import Domain
from rasa.shared.core.training_data.story_reader.yaml_story_reader import YAMLStoryReader
from rasa.shared.exceptions import RasaException
from rasa.shared.nlu.constants import TEXT
from rasa.shared.nlu.training_data.entities_parser import replace_entities
from rasa.shared.nlu.training_data.formats.rasa_yaml import RasaYAMLReader

from rasa_intent_discovery.drafts.apply import Plan
from rasa_intent_discovery.drafts.apply_replies import FLOW, RULE
from rasa_intent_discovery.drafts.bot_sources import BotSources
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.rasa_plugin.project import one_line
from rasa_intent_discovery.rasa_plugin.rasa_versions import YAMLFlowsReader
from rasa_intent_discovery.training_data.replies import Reply, add_flows


def check_plan(plan: Plan, bot: BotSources) -> None:
    """Has Rasa read the new text of every file: it must find what it found before and the additions, no more.

    Raises:
        DataError: it does not; either a draft has an example that Rasa cannot read, or the change is wrong.
    """
    for change in plan.changes:
        path = change.path
        old, new = (_as_rasa_reads(content) for content in (change.old or b"", change.new or b""))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # said already when the bot was read
                right = _examples(new) == _examples(old) + _added(plan, path)
                if path in {*bot.domain, plan.domain, plan.responses_path}:
                    right &= _domain(new) == _domain(old) | _named(plan, path)
                rules, flows = (_replies(plan, path, kind) for kind in (RULE, FLOW))
                if path in bot.stories or rules:
                    names = [rule.name for rule in rules]
                    right &= Counter(_stories(new)) == Counter([*_stories(old), *names])
                if path in bot.flows or flows:
                    right &= _flows(new) == {**_flows(old), **{flow.name: _content(flow) for flow in flows}}
        except (RasaException, ValueError) as error:
            raise DataError(
                f"{one_line(error, str(path))}: what was accepted would make this file unreadable, so "
                "nothing was changed; correct the draft"
            ) from error
        if not right:
            raise DataError(
                f"{path}: Rasa would not read in it what was accepted, so nothing was changed; add it by hand"
            )


def _as_rasa_reads(content: bytes) -> str:
    return content.decode().replace("\r\n", "\n").replace("\r", "\n")


def _examples(text: str) -> Counter[tuple[str, str]]:
    reader = RasaYAMLReader()
    reader.filename = ""
    if text.strip():
        reader.reads(text)
    return Counter((message.get_full_intent(), message.get(TEXT)) for message in reader.training_examples)


def _added(plan: Plan, path: Path) -> Counter[tuple[str, str]]:
    return Counter(
        (outcome.intent, replace_entities(example))
        for outcome in plan.outcomes
        if outcome.path == path
        for example in outcome.added
    )


def _domain(text: str) -> set[tuple[str, str]]:
    """The intents and responses of a domain."""
    domain = Domain.from_yaml(text) if text.strip() else Domain.empty()
    return {("intent", name) for name in domain.intents} | {("response", name) for name in domain.responses}


def _named(plan: Plan, path: Path) -> set[tuple[str, str]]:
    intents = plan.listed if path == plan.domain else ()
    responses = plan.responses if path == plan.responses_path else ()
    return {("intent", name) for name in intents} | {("response", name) for name in responses}


def _stories(text: str) -> list[str]:
    steps = YAMLStoryReader().read_from_string(text) if text.strip() else []
    return [str(step.block_name) for step in steps]


def _replies(plan: Plan, path: Path, kind: str) -> list[Reply]:
    return [reply for one in plan.replies if (one.path, one.kind) == (path, kind) for reply in one.replies]


def _flows(text: str) -> dict[str, Any]:
    """Id -> content of the flows that Rasa Pro reads."""
    if "flows" not in text:
        return {}
    flows = YAMLFlowsReader.read_from_string(text, add_line_numbers=False)
    return {flow.id: {**flow.as_json(), "id": None} for flow in flows}


def _content(reply: Reply) -> Any:
    """What Rasa Pro has to read of a flow that is added."""
    [content] = _flows(add_flows("", [reply])).values()
    return {**content, "description": reply.description}
