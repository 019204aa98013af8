"""Plans how accepted drafts change a bot's files. Works on the texts of files only.

A new intent gets a file of its own and a line in the domain; further examples go into the file that has most
of their intent's. What is there already is not added again, so applying drafts twice changes nothing more.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rasa_intent_discovery.drafts.bot_sources import BotEdits, BotSources, said
from rasa_intent_discovery.drafts.file_changes import FileUpdate
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data import bot_files
from rasa_intent_discovery.training_data.intent_names import name_conflict
from rasa_intent_discovery.training_data.nlu_yaml import Draft, carry_annotated
from rasa_intent_discovery.training_data.text_identity import example_key, text_key
from rasa_intent_discovery.training_data.yaml_edit import CannotEdit


@dataclass(frozen=True)
class AppliedIntent:
    """What becomes of the accepted examples of an intent.

    Attributes:
        known: whether the bot has examples of it already.
        added: examples, as they are written into the file at `path`; it is None where none is added.
        repeated: how many are examples of this intent already.
        conflicts: examples of other intents, each with that intent; they are not added.
    """

    intent: str
    known: bool
    added: tuple[str, ...] = ()
    path: Path | None = None
    repeated: int = 0
    conflicts: tuple[tuple[str, str], ...] = ()

    @property
    def there(self) -> bool:
        """Whether the bot has the intent afterwards."""
        return self.known or bool(self.added)


@dataclass(frozen=True)
class Plan:
    """Everything that is to be done.

    Attributes:
        outcomes: one for each intent with accepted drafts.
        listed: intents that are added to the domain, in the file at `domain`.
        rules: intents that get a rule, each with its action, in the file at `rules_path`.
        responses: placeholders that are added, in the file at `responses_path`.
        unanswered: new intents for which a person has to write a rule or story, and a response.
        changes: the files with these changes and no others.
    """

    outcomes: tuple[AppliedIntent, ...]
    changes: tuple[FileUpdate, ...] = ()
    listed: tuple[str, ...] = ()
    domain: Path | None = None
    rules: tuple[tuple[str, str], ...] = ()
    rules_path: Path | None = None
    responses: tuple[str, ...] = ()
    responses_path: Path | None = None
    unanswered: tuple[str, ...] = ()


def plan(
    new: Sequence[Draft],
    known: Sequence[Draft],
    bot: BotSources,
    with_rules: bool = False,
    nlu_file: Path | None = None,
) -> Plan:
    """How to put drafts into a bot.

    Args:
        new, known: drafts of new intents and of intents the bot has. A person may have renamed them, so it
            is looked up which intents the bot has. Drafts of the same intent are joined.
        with_rules: whether new intents that are in no story or rule get a rule and a response.
        nlu_file: where new intents go, one of the bot's or a new one; None for a file of their own each.

    Raises:
        DataError: an intent, rule or response cannot be added to the files safely, or the name of a new
            intent means something else to Rasa.
    """
    files = BotEdits(bot)
    wanted = _wanted([*new, *known], {example.intent for example in bot.examples})
    taken: dict[str, set[str]] = {}
    for example in bot.examples:
        taken.setdefault(text_key(example.text), set()).add(example.intent)
    outcomes = _put(
        tuple(_outcome(intent, examples, taken) for intent, examples in wanted.items()), files, nlu_file
    )
    domain, listed = _list_intents(outcomes, files)
    there = {outcome.intent for outcome in outcomes if outcome.there}
    answered = [draft.intent for draft in new if draft.intent in there] if with_rules else []
    used = set[str]().union(*(said(bot_files.used_intents, text) or set() for text in bot.stories.values()))
    rules_path, rules = _add_rules(answered, used, files)
    responses_path, responses = _add_responses(answered, dict(rules), files)
    return Plan(
        outcomes=outcomes,
        changes=files.changes(),
        listed=listed,
        domain=domain,
        rules=rules,
        rules_path=rules_path,
        responses=responses,
        responses_path=responses_path,
        unanswered=tuple(
            outcome.intent
            for outcome in outcomes
            if outcome.added and not outcome.known and outcome.intent not in {*answered, *used}
        ),
    )


def _wanted(drafts: Iterable[Draft], present: Collection[str]) -> dict[str, list[str]]:
    """Intent -> its examples in all drafts; raises DataError where its name means something else to Rasa."""
    wanted: dict[str, list[str]] = {}
    for draft in drafts:
        if conflict := name_conflict(draft.intent, present):
            raise DataError(conflict)
        wanted.setdefault(draft.intent, []).extend(draft.examples)
    return wanted


def _outcome(intent: str, examples: Iterable[str], taken: dict[str, set[str]]) -> AppliedIntent:
    """Adds the examples of an intent that are new to `taken`; lists or counts the others."""
    known = any(intent in intents for intents in taken.values())
    added: list[str] = []
    conflicts: list[tuple[str, str]] = []
    repeated = 0
    for example in examples:
        written = carry_annotated(example)
        text = example_key(written)
        intents = taken.setdefault(text, set())
        if intent in intents:
            repeated += 1
        elif intents:
            conflicts.append((written, min(intents)))
        elif text:
            added.append(written)
            intents.add(intent)
    return AppliedIntent(intent, known, tuple(added), None, repeated, tuple(conflicts))


def _put(
    outcomes: tuple[AppliedIntent, ...], files: BotEdits, nlu_file: Path | None
) -> tuple[AppliedIntent, ...]:
    """Adds the examples to the files and says to which; those of a file at once where that can be done."""
    wanted: dict[str, Sequence[str]] = {
        outcome.intent: outcome.added for outcome in outcomes if outcome.added
    }
    homes = _homes(files)
    largest: dict[Path, dict[str, Sequence[str]]] = {}
    for intent, examples in wanted.items():
        if intent in homes:
            largest.setdefault(homes[intent][0], {})[intent] = examples
    batches = [(path, bot_files.add_examples_together, together) for path, together in largest.items()]
    new = {intent: examples for intent, examples in wanted.items() if intent not in homes}
    if new and nlu_file in files.texts:
        batches.append((nlu_file, bot_files.add_intents, new))
    put: dict[str, Path] = {}
    for path, change, together in batches:
        with suppress(CannotEdit):  # then one after the other, below
            files.edit([path], functools.partial(change, wanted=together))
            put.update(dict.fromkeys(together, path))
    for intent, examples in wanted.items():
        if intent not in put:
            put[intent] = _put_one(intent, examples, homes.get(intent, ()), files, nlu_file)
    return tuple(dataclasses.replace(outcome, path=put.get(outcome.intent)) for outcome in outcomes)


def _homes(files: BotEdits) -> dict[str, list[Path]]:
    """Intent -> the files that have it, the one with most of its examples in one place first."""
    counts: dict[str, Counter[Path]] = {}
    for path in files.bot.nlu:
        for intent, count in said(bot_files.places, files.texts[path]) or ():
            of_intent = counts.setdefault(intent, Counter())
            of_intent[path] = max(of_intent[path], count)
    return {intent: [path for path, _ in of_intent.most_common()] for intent, of_intent in counts.items()}


def _put_one(
    intent: str, examples: Sequence[str], homes: Iterable[Path], files: BotEdits, nlu_file: Path | None
) -> Path:
    try:
        return files.edit(homes, functools.partial(bot_files.add_examples, intent=intent, examples=examples))
    except CannotEdit:
        change = functools.partial(bot_files.add_intents, wanted={intent: examples})
    if nlu_file is not None:
        there = nlu_file in files.texts
        try:
            return files.edit([nlu_file] if there else [], change, None if there else nlu_file)
        except CannotEdit as error:
            raise DataError(f"{nlu_file} cannot take {intent} ({error}): name another file") from None
    folder = files.bot.nlu_folder
    beside = () if folder else files.most_first(files.bot.nlu, lambda text: len(bot_files.places(text)))
    try:
        return files.edit(beside, change, files.new_path(folder, intent))
    except CannotEdit as error:
        raise DataError(
            f"{intent}: none of the files given with --data can take its examples ({error}); give the folder "
            "they are in"
        ) from None


def _list_intents(outcomes: Iterable[AppliedIntent], files: BotEdits) -> tuple[Path | None, tuple[str, ...]]:
    bot = files.bot
    there = [outcome for outcome in outcomes if outcome.there]
    names = dict.fromkeys(outcome.intent.split("/")[0] for outcome in there)
    unlisted = tuple(name for name in names if name not in bot.listed)
    if not unlisted or (not bot.domain and all(outcome.known for outcome in there)):
        return None, ()
    change = functools.partial(bot_files.list_intents, names=unlisted)
    return _edit_domain(files, "intents", bot_files.listed_intents, change, unlisted), unlisted


def _add_rules(
    intents: Iterable[str], used: set[str], files: BotEdits
) -> tuple[Path | None, tuple[tuple[str, str], ...]]:
    bot = files.bot
    names = {intent.split("/")[0]: _action(intent) for intent in intents}
    rules = tuple((name, action) for name, action in names.items() if name not in used)
    if not rules:
        return None, ()
    paths = files.most_first(bot.stories, bot_files.count_rules)
    if bot.rules_folder is None:
        paths = [*bot.stories, *bot.nlu]
    try:
        change = functools.partial(bot_files.add_rules, answers=rules)
        return files.edit(paths, change, files.new_path(bot.rules_folder, "rules")), rules
    except CannotEdit as error:
        raise DataError(
            f"no rule can be added to the files given with --data ({error}); give the folder they are in"
        ) from None


def _add_responses(
    intents: Iterable[str], actions: Mapping[str, str], files: BotEdits
) -> tuple[Path | None, tuple[str, ...]]:
    """Adds a response for each rule; a retrieval intent gets one for each of its parts."""
    names = [
        f"utter_{intent}" if "/" in intent else actions[intent]
        for intent in intents
        if "/" in intent or intent in actions
    ]
    present = set[str]().union(*(said(bot_files.responses, text) or set() for text in files.texts.values()))
    missing = tuple(name for name in dict.fromkeys(names) if name not in present)
    if not missing:
        return None, ()
    change = functools.partial(bot_files.add_responses, names=missing)
    return _edit_domain(files, "responses", bot_files.responses, change, missing), missing


def _edit_domain(
    files: BotEdits,
    key: str,
    present: Callable[[str], Collection[str]],
    change: Callable[[str], str],
    names: Iterable[str],
) -> Path:
    """Adds names below a key of the domain; of several files, to the one with most names below this key."""
    bot = files.bot
    if not bot.domain and bot.domain_folder is None:
        raise DataError("there is no domain to list new intents in; say with --domain where it is")
    in_folder = files.most_first(bot.domain, lambda text: len(present(text)))
    try:
        paths = in_folder if bot.domain_folder else bot.domain
        return files.edit(paths, change, files.new_path(bot.domain_folder, key))
    except CannotEdit as error:
        [path] = bot.domain
        by_hand = ", ".join(names)
        raise DataError(f"{path}: {key} cannot be added safely ({error}); add by hand: {by_hand}") from None


def _action(intent: str) -> str:
    """The action that answers an intent; Rasa prescribes that of a retrieval intent."""
    if "/" in intent:
        return f"utter_{intent.split('/')[0]}"
    return "utter_" + re.sub(r"[^\w.-]", "_", intent)
