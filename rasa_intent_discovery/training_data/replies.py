"""What a bot does for an intent, by a rule or a flow, and what it says: read in its YAML files, and added.

Works on texts and opens no file; additions are as safe as those of `bot_files`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rasa_intent_discovery.training_data.nlu_yaml import flow_text, scalar
from rasa_intent_discovery.training_data.yaml_edit import YamlEntry, add, read

#: The text of a new response until a person has written a better one.
RESPONSE_TO_WRITE = "TODO: write what the bot says here."


@dataclass(frozen=True)
class Reply:
    """What a bot does for an intent.

    Attributes:
        name: of the rule, or the id of the flow.
        intent: which starts it.
        action: what it does.
        description: of a flow, the wish; a rule has none.
    """

    name: str
    intent: str
    action: str
    description: str = ""


def responses(text: str) -> set[str]:
    """The names of the responses in a domain or NLU file."""
    return {str(name) for name in _section(text, "responses", dict)}


def responses_to_write(text: str) -> tuple[str, ...]:
    """The names of the responses in a domain file that a person has yet to write."""
    if RESPONSE_TO_WRITE not in text:
        return ()
    return tuple(
        str(name)
        for name, said in _section(text, "responses", dict).items()
        if isinstance(said, list)
        and any(isinstance(one, dict) and one.get("text") == RESPONSE_TO_WRITE for one in said)
    )


def add_responses(text: str, names: Iterable[str]) -> str:
    """The domain file with these responses added, each with a placeholder text.

    Raises:
        CannotEdit: they cannot be added safely.
    """
    said = json.dumps(RESPONSE_TO_WRITE)
    deeper = _deeper(text, r"(?<= )[^\s#-].*", r"\w+")  # those of responses first
    entries = [
        YamlEntry(
            (f"{scalar(name)}:", f"{deeper}- text: {said}"),
            f"{scalar(name)}: [{{text: {said}}}]",
            (name, [{"text": RESPONSE_TO_WRITE}]),
        )
        for name in names
    ]
    return add(text, "responses", entries)


def used_intents(text: str) -> set[str]:
    """The intents that occur in the stories and rules of a file; `faq/x` counts as `faq`."""
    content = read(text)
    if not isinstance(content, dict):
        return set()
    found = _intents_in([content.get("stories"), content.get("rules")])
    return {name.split("/")[0].strip() for name in found}


def count_rules(text: str) -> int:
    """The number of rules in a file."""
    return len(_section(text, "rules", list))


def add_rules(text: str, replies: Sequence[Reply]) -> str:
    """The rules file with one more rule for each reply.

    Raises:
        CannotEdit: see `add_responses`.
    """
    deeper = _deeper(text, "steps")
    entries = [
        YamlEntry(
            (
                f"- rule: {scalar(reply.name)}",
                "  steps:",
                f"  {deeper}- intent: {scalar(reply.intent)}",
                f"  {deeper}- action: {scalar(reply.action)}",
            ),
            "",
            {"rule": reply.name, "steps": [{"intent": reply.intent}, {"action": reply.action}]},
        )
        for reply in replies
    ]
    return add(text, "rules", entries, blank=True)


def flow_names(text: str) -> dict[str, str]:
    """Id -> name of each flow of a file; without one of its own it is called by its id."""
    return {
        str(flow): str(
            (content.get("name") if isinstance(content, dict) else None) or name_of_flow(str(flow))
        )
        for flow, content in _section(text, "flows", dict).items()
    }


def name_of_flow(flow: str) -> str:
    """What Rasa calls a flow that has an id only."""
    return re.sub("[_-]", " ", flow)


def triggers(text: str) -> set[str]:
    """The intents that start flows of a file."""
    flows = _section(text, "flows", dict).values()
    found = [flow.get("nlu_trigger") for flow in flows if isinstance(flow, dict)]
    named = [
        one.get("intent") for some in found if isinstance(some, list) for one in some if isinstance(one, dict)
    ]
    names = [intent.get("name") if isinstance(intent, dict) else intent for intent in named]
    return {name.strip() for name in names if isinstance(name, str)}


def add_flows(text: str, replies: Sequence[Reply]) -> str:
    """The file of flows with one more flow for each reply, started by its description and its intent.

    Of a retrieval intent Rasa knows the part before `/` alone when it starts flows: there only the
    description does.

    Raises:
        CannotEdit: see `add_responses`.
    """
    deeper = _deeper(text, "(?:steps|nlu_trigger)")
    entries = []
    for reply in replies:
        lists = {"nlu_trigger": ("intent", reply.intent), "steps": ("action", reply.action)}
        if "/" in reply.intent:
            del lists["nlu_trigger"]
        lines = [f"{reply.name}:", f"  description: {scalar(reply.description)}"]
        content: dict[str, Any] = {"description": reply.description}
        for key, (name, value) in lists.items():
            lines += [f"  {key}:", f"  {deeper}- {name}: {scalar(value)}"]
            content[key] = [{name: value}]
        entries.append(YamlEntry(tuple(lines), flow_text({reply.name: content})[1:-1], (reply.name, content)))
    return add(text, "flows", entries, blank=True)


def _section(text: str, key: str, kind: type) -> Any:
    """The value of a top-level key; an empty one where it is not of that kind."""
    content = read(text)
    found = content.get(key) if isinstance(content, dict) else None
    return found if isinstance(found, kind) else kind()


def _deeper(text: str, *keys: str) -> str:
    """How much deeper than its key a list stands in a text: it may be indented below it, or aligned with it.

    Args:
        keys: patterns of keys; the list of the first that has one tells.
    """
    for key in keys:
        match = re.search(rf"^( *)(?:- )?{key}:[ \t]*\r?\n( *)- ", text, re.MULTILINE)
        if match:
            return "  " if len(match[2]) > len(match[1]) else ""
    return "  "


def _intents_in(content: Any) -> Iterator[str]:
    if isinstance(content, dict):
        if isinstance(content.get("intent"), str):
            yield content["intent"]
        content = list(content.values())
    if isinstance(content, list):
        for value in content:
            yield from _intents_in(value)
