"""Plans how accepted drafts change a bot's files. Works on the texts of files only.

A new intent gets a file of its own and a line in the domain; further examples go into the file that has most
of their intent's. What is there already is not added again, so applying drafts twice changes nothing more.
"""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from rasa_intent_discovery.corpus.personal_data import PLACEHOLDER, is_written_out
from rasa_intent_discovery.drafts.apply_replies import (
    AddedReplies,
    add_needed_responses,
    answered_by_flows,
    answered_by_rules,
    missing_responses,
    untriggered_flows,
    unwritten_responses,
    used_in_replies,
    wishes,
)
from rasa_intent_discovery.drafts.bot_sources import BotEdits, BotSources, said
from rasa_intent_discovery.drafts.file_changes import FileUpdate
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data import bot_files
from rasa_intent_discovery.training_data.intent_names import RASA_OWN, name_conflict
from rasa_intent_discovery.training_data.nlu_yaml import Draft, carry_annotated
from rasa_intent_discovery.training_data.text_identity import example_key, text_key
from rasa_intent_discovery.training_data.yaml_edit import CannotEdit

NOTHING_TAKEN_OUT: Mapping[str, frozenset[str]] = MappingProxyType({})


@dataclass(frozen=True)
class AppliedIntent:
    """What becomes of the accepted examples of an intent.

    Attributes:
        known: whether the bot has examples of it already.
        added: examples, as they are written into the file at `path`; it is None where none is added.
        repeated: how many are examples of this intent already, also with something in the place of masks.
        conflicts: examples of other intents, each with that intent; they are not added.
        taken_out: examples that a person took out of the bot after they were put there; they are not added.
        masked: how many of the accepted examples hold a mask and are in the bot afterwards.
    """

    intent: str
    known: bool
    added: tuple[str, ...] = ()
    path: Path | None = None
    repeated: int = 0
    conflicts: tuple[tuple[str, str], ...] = ()
    taken_out: tuple[str, ...] = ()
    masked: int = 0

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
        replies: rules and flows that are added, by their files.
        responses: placeholders that are added, in the file at `responses_path`.
        unanswered: new intents for which a person has to write a rule or story, or a flow, and a response;
            also those that were added before.
        has_flows: whether the bot has flows.
        unwritten: files, with the responses that have a placeholder, also of an earlier `apply`.
        unsaid: responses that a person has to write for new parts of a retrieval intent that is answered.
        clashes: sentences on intents that get no flow, as one of that name is there.
        retrieval: new intents that are a part of a retrieval intent (`faq/x` of `faq`) the bot does not have.
        untriggered: flows whose name is that of an intent with new examples, which does not start them.
        met: proposed intents of whose name the bot has got one since, with other examples.
        lost: intents that the bot had when the drafts were made, and would get anew, of further examples.
        changes: the files with these changes and no others.
    """

    outcomes: tuple[AppliedIntent, ...]
    changes: tuple[FileUpdate, ...] = ()
    listed: tuple[str, ...] = ()
    domain: Path | None = None
    replies: tuple[AddedReplies, ...] = ()
    responses: tuple[str, ...] = ()
    responses_path: Path | None = None
    unanswered: tuple[str, ...] = ()
    unwritten: tuple[tuple[Path, tuple[str, ...]], ...] = ()
    unsaid: tuple[str, ...] = ()
    has_flows: bool = False
    clashes: tuple[str, ...] = ()
    retrieval: tuple[str, ...] = ()
    untriggered: tuple[str, ...] = ()
    met: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


def plan(
    new: Sequence[Draft],
    known: Sequence[Draft],
    bot: BotSources,
    with_rules: bool = False,
    nlu_file: Path | None = None,
    with_flows: bool = False,
    learnt: Collection[str] = (),
    taken_out: Mapping[str, Collection[str]] = NOTHING_TAKEN_OUT,
    accepted_before: Collection[str] = (),
) -> Plan:
    """How to put drafts into a bot.

    Args:
        new, known: drafts of new intents and of intents the bot has. A person may have renamed them, so it
            is looked up which intents the bot has. Drafts of the same intent are joined.
        with_rules: whether new intents that are in no story, rule or flow get a rule and a response.
        nlu_file: where new intents go, one of the bot's or a new one; None for a file of their own each.
        with_flows: whether they get a flow and a response.
        learnt: the intents of the bot for which the drafts were made; empty where they are not known.
        taken_out: as of `applied_before.taken_out_since`.
        accepted_before: intents of the bot that came of proposals whose drafts are gone: they get a rule or a
            flow, too, where they have none.

    Raises:
        DataError: an intent, rule, flow or response cannot be added to the files safely, those that are there
            cannot be read, or the name of a new intent means something else to Rasa.
    """
    files = BotEdits(bot)
    with_examples = {example.intent for example in bot.examples}
    retrieval = {intent.split("/")[0] for intent in with_examples if "/" in intent}
    # The domain also lists intents without examples, such as those of buttons, and `faq` of `faq/hours`.
    present = with_examples | (set(bot.listed) - retrieval - RASA_OWN)
    wanted = _wanted([*new, *known], present)
    taken: dict[str, set[str]] = {}
    for example in bot.examples:
        taken.setdefault(text_key(example.text), set()).add(example.intent)
    planned = [
        _outcome(intent, examples, taken, taken_out.get(intent, ())) for intent, examples in wanted.items()
    ]
    outcomes = _put(tuple(planned), files, nlu_file)
    domain, listed = _list_intents(outcomes, files)
    there = {outcome.intent for outcome in outcomes if outcome.there}
    before = [_of_bot(intent, bot) for intent in accepted_before if intent in with_examples]
    to_reply = [*(draft for draft in new if draft.intent in there), *before]
    answered = [draft.intent for draft in to_reply] if with_rules or with_flows else []
    used = used_in_replies(files, with_rules or with_flows)
    added = [answered_by_rules(answered, used, files)] if with_rules else []
    if with_flows:
        of_others = {outcome.intent: {text for text, _ in outcome.conflicts} for outcome in outcomes}
        added.append(answered_by_flows(wishes(answered, to_reply, of_others), used, files))
    needed = [name for one in added for name in one.responses]
    responses_path, responses = add_needed_responses(needed, files)
    proposed = {draft.intent for draft in new}.difference(learnt) if learnt else set()
    further = {draft.intent for draft in known}.intersection(learnt)
    to_answer = [
        outcome.intent
        for outcome in outcomes
        if outcome.intent not in {*answered, *used}
        and ((outcome.added and not outcome.known) or (outcome.repeated and outcome.intent in proposed))
    ]
    # A rule for a retrieval intent holds for all of its parts, of which each has a response.
    of_a_kind = [intent for intent in to_answer if intent.split("/")[0] in used]
    return Plan(
        outcomes=outcomes,
        changes=files.changes(),
        listed=listed,
        domain=domain,
        replies=tuple(replies for one in added for replies in one.replies),
        responses=responses,
        responses_path=responses_path,
        unanswered=tuple(intent for intent in to_answer if intent not in of_a_kind),
        unwritten=unwritten_responses(files),
        unsaid=missing_responses([f"utter_{intent}" for intent in of_a_kind], files),
        has_flows=bool(bot.flows),
        clashes=tuple(clash for one in added for clash in one.clashes),
        retrieval=tuple(
            outcome.intent
            for outcome in outcomes
            if outcome.added and "/" in outcome.intent and outcome.intent.split("/")[0] not in retrieval
        ),
        untriggered=untriggered_flows([outcome.intent for outcome in outcomes if outcome.added], bot),
        met=_met(outcomes, proposed),
        # What a bot of flows knows are its flows, of which there are no examples.
        lost=() if bot.flows else _lost(outcomes, further, present),
    )


def _of_bot(intent: str, bot: BotSources) -> Draft:
    """A draft of the examples that an intent of the bot has."""
    return Draft(intent, tuple(example.text for example in bot.examples if example.intent == intent))


def _met(outcomes: Iterable[AppliedIntent], proposed: Collection[str]) -> tuple[str, ...]:
    """As `Plan` has it. An intent with an example of the draft is the same one, such as after an `apply`."""
    return tuple(
        outcome.intent
        for outcome in outcomes
        if outcome.intent in proposed and outcome.known and outcome.added and not outcome.repeated
    )


def _lost(
    outcomes: Iterable[AppliedIntent], further: Collection[str], present: Collection[str]
) -> tuple[str, ...]:
    """As `Plan` has it."""
    lost = (outcome for outcome in outcomes if outcome.added and outcome.intent not in present)
    return tuple(outcome.intent for outcome in lost if outcome.intent in further)


def _wanted(drafts: Iterable[Draft], present: Collection[str]) -> dict[str, list[str]]:
    """Intent -> its examples in all drafts.

    Raises:
        DataError: a name means something else to Rasa, beside the intents that are present or another one.
    """
    wanted: dict[str, list[str]] = {}
    for draft in drafts:
        wanted.setdefault(draft.intent, []).extend(draft.examples)
    for intent in wanted:
        if conflict := name_conflict(intent, {*present, *(wanted.keys() - {intent})}):
            raise DataError(conflict)
    return wanted


def _outcome(
    intent: str, examples: Iterable[str], taken: dict[str, set[str]], taken_out: Collection[str]
) -> AppliedIntent:
    """Adds the examples of an intent that are new to `taken`; lists or counts the others."""
    known = any(intent in intents for intents in taken.values())
    added: list[str] = []
    conflicts: list[tuple[str, str]] = []
    gone: list[str] = []
    repeated = masked = 0
    for example in examples:
        written = carry_annotated(example)
        text = example_key(written)
        intents = taken.setdefault(text, set())
        is_there = intent in intents
        if is_there or is_written_out(text, _of(intent, taken)):
            repeated += 1
        elif intents:
            conflicts.append((written, min(intents)))
        elif text in taken_out:
            gone.append(written)
        elif text:
            added.append(written)
            intents.add(intent)
            is_there = True
        masked += is_there and bool(PLACEHOLDER.search(written))
    return AppliedIntent(intent, known, tuple(added), None, repeated, tuple(conflicts), tuple(gone), masked)


def _of(intent: str, taken: dict[str, set[str]]) -> Iterator[str]:
    return (text for text, intents in taken.items() if intent in intents)


def _put(
    outcomes: tuple[AppliedIntent, ...], files: BotEdits, nlu_file: Path | None
) -> tuple[AppliedIntent, ...]:
    """Adds the examples to the files and says to which; those of a file at once where that can be done."""
    wanted: dict[str, Sequence[str]] = {
        outcome.intent: outcome.added for outcome in outcomes if outcome.added
    }
    files_of = _files_of_intents(files)
    largest: dict[Path, dict[str, Sequence[str]]] = {}
    for intent, examples in wanted.items():
        if intent in files_of:
            largest.setdefault(files_of[intent][0], {})[intent] = examples
    batches = [(path, bot_files.add_examples_together, together) for path, together in largest.items()]
    new = {intent: examples for intent, examples in wanted.items() if intent not in files_of}
    if new and nlu_file in files.texts:
        batches.append((nlu_file, bot_files.add_intents, new))
    put: dict[str, Path] = {}
    for path, change, together in batches:
        with suppress(CannotEdit):  # then one after the other, below
            files.edit([path], functools.partial(change, wanted=together))
            put.update(dict.fromkeys(together, path))
    for intent, examples in wanted.items():
        if intent not in put:
            put[intent] = _put_one(intent, examples, files_of.get(intent, ()), files, nlu_file)
    return tuple(dataclasses.replace(outcome, path=put.get(outcome.intent)) for outcome in outcomes)


def _files_of_intents(files: BotEdits) -> dict[str, list[Path]]:
    """Intent -> the files that have it, the one with most of its examples in one place first."""
    counts: dict[str, Counter[Path]] = {}
    for path in files.bot.nlu:
        for intent, count in said(bot_files.places, files.texts[path]) or ():
            of_intent = counts.setdefault(intent, Counter())
            of_intent[path] = max(of_intent[path], count)
    return {intent: [path for path, _ in of_intent.most_common()] for intent, of_intent in counts.items()}


def _put_one(
    intent: str, examples: Sequence[str], paths: Iterable[Path], files: BotEdits, nlu_file: Path | None
) -> Path:
    try:
        return files.edit(paths, functools.partial(bot_files.add_examples, intent=intent, examples=examples))
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
    return files.edit_domain("intents", bot_files.listed_intents, change, unlisted), unlisted
