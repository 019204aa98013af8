"""A bot that is known by its NLU YAML alone: its examples, its entities, and drafts put into its files."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from rasa_intent_discovery.datatypes import KNOWN, NEW, KnownExample
from rasa_intent_discovery.drafts.apply import NOTHING_TAKEN_OUT, Plan, plan
from rasa_intent_discovery.drafts.bot_sources import BotSources
from rasa_intent_discovery.drafts.change_journal import journal_of
from rasa_intent_discovery.drafts.chosen import chosen_nlu_file
from rasa_intent_discovery.drafts.entities import AnnotatedText, BotEntities, known_values
from rasa_intent_discovery.drafts.known_bot import KnownBot
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.annotations import annotated, without_annotations
from rasa_intent_discovery.training_data.nlu_files import NluData, nlu_examples, read_nlu_files
from rasa_intent_discovery.training_data.nlu_yaml import Draft


@dataclass(frozen=True)
class NluBot:
    """What the files of NLU YAML say; see `read_nlu_bot`."""

    paths: Sequence[str]
    data: NluData

    @cached_property
    def examples(self) -> tuple[KnownExample, ...]:
        """The training examples, without annotations."""
        return tuple(
            KnownExample(without_annotations(example), intent) for intent, example in self.data.examples
        )

    def known(self) -> KnownBot:
        """What a run knows of it. It finds the values that are annotated, or in a lookup table named
        after an annotated entity.
        """
        read = [annotated(example) for _, example in self.data.examples]
        said = [one for _, spans in read for *_, one in spans if one is not None]
        names = {one.entity for one in said}
        synonyms = {one.text: one.value for one in said if one.value is not None}
        tables = [(name, entries) for name, entries in self.data.lookups.items() if name in names]
        examples = [AnnotatedText(text, spans) for text, spans in read]
        entities = BotEntities(examples, tables, {**synonyms, **self.data.synonyms})
        return KnownBot(self.examples, entities=known_values(entities), training_data=self.paths)

    def planned(
        self,
        drafts: dict[str, list[Draft]],
        nlu_file: str | None = None,
        learnt: Collection[str] = (),
        taken_out: Mapping[str, Collection[str]] = NOTHING_TAKEN_OUT,
    ) -> Plan:
        """How to put drafts into the files; each file is read again as it would be.

        Args:
            drafts: as `chosen_drafts` gives them.
            nlu_file: where new intents go, one of the files or a new one.
            learnt, taken_out: as for `plan`.

        Raises:
            DataError: they cannot be added safely.
        """
        sources = self._sources([draft.intent for of_part in drafts.values() for draft in of_part])
        file = None
        if nlu_file is not None:
            file = _relative(chosen_nlu_file(nlu_file, sources.nlu, "none of the files of --nlu"))
        made = plan(drafts[NEW], drafts[KNOWN], sources, nlu_file=file, learnt=learnt, taken_out=taken_out)
        _check(made)
        return replace(made, unanswered=())

    def unread(self, made: Plan) -> tuple[Path, ...]:
        """The new files of a plan that are in no folder of these paths: the next run does not read them."""
        folders = {Path(path).resolve() for path in self.paths}
        created = (change.path for change in made.changes if change.old is None)
        return tuple(path for path in created if folders.isdisjoint(path.resolve().parents))

    def _sources(self, listed: Sequence[str]) -> BotSources:
        """The files, and a domain that lists all of these intents, so that none is to be written."""
        folders = [Path(os.path.relpath(path)) for path in self.paths if Path(path).is_dir()]
        texts = {_relative(path): path.read_bytes().decode() for path in self.data.files}
        return BotSources(
            nlu=texts,
            stories={},
            domain={},
            nlu_folder=folders[0] if folders else None,
            rules_folder=None,
            domain_folder=None,
            present={folder: os.listdir(folder) for folder in folders[:1]},
            examples=self.examples,
            listed=[name.split("/")[0] for name in listed],
        )


def read_nlu_bot(paths: Sequence[str]) -> NluBot:
    """Reads files and folders of NLU YAML.

    Raises:
        DataError: a path is missing or not readable, a file is not NLU YAML, or there is no example.
    """
    bot = NluBot(tuple(paths), read_nlu_files(paths))
    if not bot.examples:
        raise DataError(
            f"{', '.join(paths)}: no NLU example was found; the discovery learns from the intents that there "
            "are, so name their files with --nlu"
        )
    return bot


def journal_of_nlu(paths: Sequence[str]) -> Path:
    """The journal of `apply` for these files and folders: beside the first of them."""
    return journal_of(os.path.abspath(paths[0]))


def _relative(path: Path) -> Path:
    return Path(os.path.relpath(os.path.realpath(path)))


def _check(made: Plan) -> None:
    """Raises DataError where a file would not hold what it held before and the additions, and no more."""
    for change in made.changes:
        added = Counter(
            (outcome.intent, example)
            for outcome in made.outcomes
            if outcome.path == change.path
            for example in outcome.added
        )
        before, after = (Counter(_read(content, change.path)) for content in (change.old, change.new))
        if after != before + added:
            raise DataError(
                f"{change.path}: what was accepted would not be read from it, so nothing was changed; add it "
                "by hand"
            )


def _read(content: bytes | None, path: Path) -> Iterator[tuple[str, str]]:
    if content:
        yield from nlu_examples(content.decode(), str(path))
