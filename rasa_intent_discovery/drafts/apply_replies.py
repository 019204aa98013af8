"""What accepted intents are answered with: rules or flows, and the responses that these utter.

Both are skeletons for a person to fill in. What a bot has for an intent already stays the only one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rasa_intent_discovery.corpus.personal_data import PLACEHOLDER
from rasa_intent_discovery.drafts.bot_sources import BotEdits, BotSources, said
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data import replies as texts
from rasa_intent_discovery.training_data.annotations import without_annotations
from rasa_intent_discovery.training_data.intent_names import flow_id, name_words, response_name
from rasa_intent_discovery.training_data.nlu_yaml import Draft, carry_annotated, load_yaml
from rasa_intent_discovery.training_data.replies import Reply
from rasa_intent_discovery.training_data.yaml_edit import CannotEdit

RULE, FLOW = "rule", "flow"

# Of the examples in the description of a flow: how many, and how long each.
_EXAMPLES, _LONGEST = 3, 80


@dataclass(frozen=True)
class AddedReplies:
    """Replies of one kind, RULE or FLOW, that are added to a file."""

    kind: str
    path: Path
    replies: tuple[Reply, ...]

    @property
    def intents(self) -> tuple[str, ...]:
        """Those that are answered."""
        return tuple(reply.intent for reply in self.replies)


@dataclass(frozen=True)
class Answered:
    """What is added for intents.

    Attributes:
        replies: by the files they are added to.
        responses: the names of those that are needed.
        clashes: sentences on intents that get no flow, as one of that name is there.
    """

    replies: tuple[AddedReplies, ...] = ()
    responses: tuple[str, ...] = ()
    clashes: tuple[str, ...] = ()


def used_in_replies(files: BotEdits, to_add: bool) -> set[str]:
    """The intents that a story, rule or flow is about; `faq/x` counts as `faq` in stories and rules.

    Args:
        to_add: whether replies are to be added to these, which all have to be known then.

    Raises:
        DataError: they are to be added, and one of the files cannot be read; names its line.
    """
    bot = files.bot
    found = [(path, said(texts.used_intents, text)) for path, text in bot.stories.items()]
    found += [(path, said(texts.triggers, text)) for path, text in bot.flows.items()]
    unread = next((path for path, intents in found if intents is None), None)
    if to_add and unread is not None:
        load_yaml(files.texts[unread], str(unread))
        raise DataError(f"{unread} cannot be read, so that an intent could get a second reply: correct it")
    return set[str]().union(*(intents or () for _, intents in found))


def untriggered_flows(intents: Iterable[str], bot: BotSources) -> tuple[str, ...]:
    """Flows of the bot that have the name of one of the intents, and do not start with it."""
    flows = set[str]().union(*(said(texts.flow_names, text) or () for text in bot.flows.values()))
    started = set[str]().union(*(said(texts.triggers, text) or () for text in bot.flows.values()))
    return tuple(intent for intent in intents if intent in flows - started)


def answered_by_rules(intents: Iterable[str], used: set[str], files: BotEdits) -> Answered:
    """Adds a rule for each intent that is not used yet; the parts of a retrieval intent share one.

    A response is needed for each rule, and for each part of a retrieval intent.

    Raises:
        DataError: no file can take them.
    """
    intents, bot = [*intents], files.bot
    names = dict.fromkeys(intent.split("/")[0] for intent in intents)
    rules = [Reply(f"Answer {name}", name, response_name(name)) for name in names if name not in used]
    ruled = {rule.intent for rule in rules}
    needed = tuple(
        f"utter_{intent}" if "/" in intent else response_name(intent)
        for intent in intents
        if "/" in intent or intent in ruled
    )
    if not rules:
        return Answered(responses=needed)
    paths = files.most_first(bot.stories, texts.count_rules)
    if bot.rules_folder is None:
        paths = [*bot.stories, *bot.nlu]
    new = files.new_path(bot.rules_folder, "rules")
    return Answered((_add(RULE, texts.add_rules, rules, paths, new, files),), needed)


def answered_by_flows(descriptions: Mapping[str, str], used: set[str], files: BotEdits) -> Answered:
    """Adds a flow for each intent that is not used yet.

    Where a file holds several flows, it takes more; where each has a file of its own, so have the new ones.

    Args:
        descriptions: intent -> the description of its flow.

    Raises:
        DataError: no file can take them.
    """
    bot = files.bot
    found = {path: said(texts.flow_names, text) or {} for path, text in bot.flows.items()}
    # Rasa wants the ids to differ, and the names.
    taken = {name: path for path, flows in found.items() for pair in flows.items() for name in pair}
    paths = _shared(found)
    if bot.flows_folder is None:
        paths = [*paths, *bot.flows, *bot.stories, *bot.nlu]
    put: dict[Path, list[Reply]] = {}
    clashes = []
    for intent, description in descriptions.items():
        flow = flow_id(intent)
        there = taken.get(flow) or taken.get(texts.name_of_flow(flow))
        if intent in used:
            continue
        if there is not None:
            clashes.append(
                f"{intent}: there is a flow {flow} in {there}, which stays as it is; have it start with that "
                "intent, or rename that"
            )
            continue
        reply = Reply(flow, intent, response_name(flow), description)
        added = _add(FLOW, texts.add_flows, [reply], paths, files.new_path(bot.flows_folder, flow), files)
        put.setdefault(added.path, []).append(reply)
        taken.update(dict.fromkeys((flow, texts.name_of_flow(flow)), added.path))
    return Answered(
        tuple(AddedReplies(FLOW, path, tuple(flows)) for path, flows in put.items()),
        tuple(reply.action for flows in put.values() for reply in flows),
        tuple(clashes),
    )


def add_needed_responses(needed: Iterable[str], files: BotEdits) -> tuple[Path | None, tuple[str, ...]]:
    """Adds the responses that are not there to the domain, each to be written by a person."""
    missing = missing_responses(needed, files)
    if not missing:
        return None, ()
    change = functools.partial(texts.add_responses, names=missing)
    return files.edit_domain("responses", texts.responses, change, missing), missing


def missing_responses(names: Iterable[str], files: BotEdits) -> tuple[str, ...]:
    """Those of the responses that the bot does not have."""
    present = set[str]().union(*(said(texts.responses, text) or set() for text in files.texts.values()))
    return tuple(name for name in dict.fromkeys(names) if name not in present)


def unwritten_responses(files: BotEdits) -> tuple[tuple[Path, tuple[str, ...]], ...]:
    """The files, as they will be, with the responses that a person has yet to write there."""
    found = ((path, said(texts.responses_to_write, text)) for path, text in files.texts.items())
    return tuple((path, names) for path, names in found if names)


def wishes(
    intents: Iterable[str], drafts: Iterable[Draft], of_others: Mapping[str, Collection[str]]
) -> dict[str, str]:
    """Intent -> what its flow is for, in the words of its drafts.

    Args:
        of_others: intent -> examples in its drafts that are none of its own.
    """
    examples, notes = dict[str, list[str]](), dict[str, object]()
    for draft in drafts:
        written = map(carry_annotated, draft.examples)
        own = [text for text in written if text and text not in of_others.get(draft.intent, ())]
        examples.setdefault(draft.intent, []).extend(own)
        if notes.get(draft.intent) is None:
            notes[draft.intent] = draft.evidence.get("note")
    return {intent: wish_in_words(intent, notes[intent], examples[intent]) for intent in intents}


def wish_in_words(intent: str, note: object, examples: Iterable[str]) -> str:
    """The description of a flow: what a person noted in the draft, else the intent's name and some examples.

    >>> wish_in_words("lost_card", None, ["my [visa](card) is gone", "where is my card"])
    "Lost card, for users who write 'my visa is gone', 'where is my card' or the like."
    """
    if isinstance(note, str) and note.strip():
        return _plain(note)
    plain = [_plain(without_annotations(example)) for example in examples]
    some = [f"'{text}'" for text in plain if len(text) <= _LONGEST and not PLACEHOLDER.search(text)][
        :_EXAMPLES
    ]
    name = " ".join(name_words(intent)).capitalize() or intent
    return f"{name}, for users who write {', '.join(some)} or the like." if some else f"{name}."


def _plain(text: str) -> str:
    """On one line, and nothing that Rasa Pro takes for the name of an environment variable."""
    return " ".join(text.replace("${", "$ {").split())


def _add(
    kind: str,
    change: Callable[[str, Sequence[Reply]], str],
    replies: Sequence[Reply],
    paths: Iterable[Path],
    new: Path | None,
    files: BotEdits,
) -> AddedReplies:
    try:
        path = files.edit(paths, lambda text: change(text, replies), new)
    except CannotEdit as error:
        raise DataError(
            f"no {kind} can be added to the files given with --data ({error}); give the folder they are in"
        ) from None
    return AddedReplies(kind, path, tuple(replies))


def _shared(found: Mapping[Path, Collection[str]]) -> list[Path]:
    """The files that hold several flows, most first, or the only one, unless that is called like its flow."""
    several = [path for path in found if len(found[path]) > 1]
    if not several:
        several = [path for path in found if len(found) == 1 and path.stem not in found[path]]
    return sorted(several, key=lambda path: -len(found[path]))
