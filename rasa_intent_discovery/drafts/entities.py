"""The values of entities that a bot knows, and where they stand in what people wrote.

A value is found where it stands as a word of its own, or several, in the same case. What is found is a
suggestion: a person marks it, or does not.
"""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rasa_intent_discovery.corpus.personal_data import PLACEHOLDER
from rasa_intent_discovery.training_data.annotations import (
    Annotation,
    Mark,
    has_brackets,
    parse,
    read_annotation,
    with_marks,
)
from rasa_intent_discovery.training_data.nlu_yaml import Draft

#: The key of a draft's evidence that lists the annotations its examples could have.
ENTITIES = "entities"

_PIECE = re.compile(r"\w+|[^\w\s]")
# Rasa's WhitespaceTokenizer does not part two words with these between them, nor numbers from what surrounds
# them, and an entity that is a part of a token cannot be learnt. The last three it does not even take off the
# end of a word.
_GLUE = frozenset("._~:/?[]()!$*+,;=-#@&")
_ALWAYS_GLUE = frozenset("#@&")
_DIGITS = frozenset("0123456789")
_JOINERS = frozenset("\u200c\u200d")

_Span = tuple[int, int]


@dataclass(frozen=True)
class AnnotatedText:
    """A training example of the bot, and where its entities stand: start, end and what is said there.

    The annotation is None where it says more than one entity.
    """

    text: str
    entities: tuple[tuple[int, int, Annotation | None], ...] = ()


@dataclass(frozen=True)
class BotEntities:
    """What a bot's training data says of its entities.

    Attributes:
        examples: all training examples, those without entities, too.
        tables: the lookup tables that are named after an entity: that and the entries.
        synonyms: another way to write a value -> the value.
    """

    examples: Sequence[AnnotatedText] = ()
    tables: Sequence[tuple[str, Sequence[str]]] = ()
    synonyms: Mapping[str, str] = field(default_factory=dict)


class EntityFinder:
    """Finds the values it knows in a text.

    Args:
        values: value as it is written -> what to mark it as. None for a value that is to stay as it is; it
            keeps others out of its place all the same, `York` out of `New York`.
    """

    def __init__(self, values: Mapping[str, Annotation | None]) -> None:
        self._values = dict(values)
        lengths: dict[str, set[int]] = {}
        for value in self._values:
            words = _PIECE.findall(value)
            if words:
                lengths.setdefault(words[0], set()).add(len(words))
        self._lengths = {word: sorted(those, reverse=True) for word, those in lengths.items()}

    def __bool__(self) -> bool:
        return any(self._values.values())

    def knows(self, annotation: Annotation) -> bool:
        """Whether it would mark this value so."""
        return self._values.get(annotation.text) == annotation

    def find(self, text: str, taken: Iterable[_Span] = ()) -> list[tuple[int, int, Annotation]]:
        """Where the values stand, in order: of those that overlap the longest, of these the first.

        Args:
            taken: where in the text nothing is to be found.
        """
        words = [match.span() for match in _PIECE.finditer(text)]
        hits = []
        for at, (start, stop) in enumerate(words):
            for length in self._lengths.get(text[start:stop], ()):
                if at + length <= len(words):
                    end = words[at + length - 1][1]
                    if text[start:end] in self._values and _stands_alone(text, start, end):
                        hits.append((start, end))
        occupied = list(taken)
        found = []
        for start, end in sorted(hits, key=lambda hit: (hit[0] - hit[1], hit[0])):
            if all(end <= first or last <= start for first, last in occupied):
                occupied.append((start, end))
                annotation = self._values[text[start:end]]
                if annotation is not None:
                    found.append((start, end, annotation))
        return sorted(found, key=lambda hit: hit[0])

    def marks(self, example: str) -> list[tuple[Mark, Annotation]]:
        """The marks that an example could have beside its own; none where they would not be safe."""
        if not self._values:
            return []
        text, marks = parse(example)
        if has_brackets(text, marks):
            return []
        taken = [(mark.start, mark.end) for mark in marks]
        taken += [match.span() for match in PLACEHOLDER.finditer(text)]
        found = [
            (Mark(start, end, str(annotation)), annotation)
            for start, end, annotation in self.find(text, taken)
        ]
        safe = not found or with_marks(example, [mark for mark, _ in found]) != example
        return found if safe else []


NO_ENTITIES = EntityFinder({})


def known_values(bot: BotEntities) -> EntityFinder:
    """The values of a bot that are worth a suggestion.

    Left alone are values that belong to two entities; those that stand in the bot's own examples more often
    without than with an annotation (`may`); and those that say too little by themselves, a number or a single
    letter. What an annotation says beside entity and value, its role or group, depends on the sentence and is
    not carried over.
    """
    written: dict[str, Counter[Annotation | None]] = {}
    for example in bot.examples:
        for start, end, annotation in example.entities:
            written.setdefault(_spaced(example.text[start:end]), Counter())[annotation] += 1
    values = {
        text: _annotation(text, entities, written.get(text))
        for text, entities in _entities_of(bot, written).items()
        if _says_enough(text)
    }
    for text, count in _unannotated(bot.examples, EntityFinder(values)).items():
        if count > sum(written.get(text, Counter()).values()):
            values[text] = None
    return EntityFinder(values)


def suggested(examples: Iterable[str], finder: EntityFinder) -> list[str]:
    """The annotations that examples could have, as Rasa writes them; those of most examples first."""
    counts = Counter[Annotation]()
    for example in examples:
        counts.update({annotation: 1 for _, annotation in finder.marks(example)})
    return [str(annotation) for annotation, _ in counts.most_common()]


def finder_of(drafts: Iterable[Draft], *wanted: Annotation) -> EntityFinder:
    """Finds what is wanted, and what is suggested in any of the drafts: examples move from one to another."""
    values: dict[str, Annotation | None] = {one.text: one for one in wanted}
    for draft in drafts:
        for annotation in listed_annotations(draft.evidence):
            values.setdefault(annotation.text, annotation)
    return EntityFinder(values)


def listed_annotations(told: Mapping[str, Any]) -> tuple[Annotation, ...]:
    """Those in what a draft's evidence, or `run.json`, tells; what somebody broke there is passed over."""
    listed = told.get(ENTITIES)
    written = listed if isinstance(listed, (list, tuple)) else ()
    return _read_annotations(tuple(one for one in written if isinstance(one, str)))


@functools.lru_cache(maxsize=1024)  # they are asked for with every decision on the desk
def _read_annotations(written: tuple[str, ...]) -> tuple[Annotation, ...]:
    return tuple(one for one in map(read_annotation, written) if one and one.safe)


@dataclass(frozen=True)
class Suggestion:
    """An annotation, how many examples of a draft hold its value, and in how many of them it is marked."""

    annotation: Annotation
    held: int
    marked: int


def suggestions(draft: Draft, finder: EntityFinder) -> list[Suggestion]:
    """What could be marked in a draft and what is, the value of most examples first."""
    held, unmarked = Counter[Annotation](), Counter[Annotation]()
    for example in draft.examples if finder else ():
        could = {annotation: 1 for _, annotation in finder.marks(example)}
        there = (read_annotation(mark.written) for mark in parse(example)[1])
        unmarked.update(could)
        held.update({**could, **{one: 1 for one in there if one and finder.knows(one)}})
    return [Suggestion(one, count, count - unmarked[one]) for one, count in held.most_common()]


def _entities_of(
    bot: BotEntities, written: Mapping[str, Counter[Annotation | None]]
) -> dict[str, set[str | None]]:
    """Text -> the entities whose value it is; None among them where several are meant at once."""
    of = {text: {one.entity if one else None for one in said} for text, said in written.items()}
    for entity, entries in bot.tables:
        for entry in entries:
            of.setdefault(_spaced(entry), set()).add(entity)
    meant = {text: set(entities) for text, entities in of.items()}
    for one in filter(None, (one for said in written.values() for one in said)):
        meant.setdefault(one.value or one.text, set()).add(one.entity)
    for text, value in bot.synonyms.items():
        if entities := meant.get(_spaced(value)):
            of.setdefault(_spaced(text), entities)
    return of


def _spaced(text: str) -> str:
    """The text as it stands in messages: with one space between words."""
    return " ".join(text.split())


def _annotation(
    text: str, entities: set[str | None], written: Counter[Annotation | None] | None
) -> Annotation | None:
    """The annotation of a value, as it is written most often; None where it belongs to no single entity."""
    [entity, *others] = entities
    if entity is None or others:
        return None
    often = written.most_common(1)[0][0] if written else None
    annotation = often or Annotation(text, entity)
    return annotation if annotation.safe else None


def _unannotated(examples: Iterable[AnnotatedText], finder: EntityFinder) -> Counter[str]:
    """How often each value stands in the examples without an annotation."""
    return Counter(
        annotation.text
        for example in examples
        for _, _, annotation in finder.find(
            example.text, [(start, end) for start, end, _ in example.entities]
        )
    )


def _says_enough(text: str) -> bool:
    return any(map(str.isalpha, text)) and sum(map(str.isalnum, text)) > 1


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether no word runs on across either end, as people see words and as Rasa's tokenizer does."""
    before, after = text[:start][::-1], text[end:]
    opens = _parted(text[start], before) and not (text[start] in _DIGITS and _punctuation(before))
    return opens and _parted(text[end - 1], after)


def _parted(edge: str, beyond: str) -> bool:
    """Whether a word that ends with the character `edge` is parted from what is beyond it."""
    punctuation = _punctuation(beyond)
    word = beyond[len(punctuation) : len(punctuation) + 1]
    if not word or word.isspace():
        return not _ALWAYS_GLUE & {*punctuation}
    parting = list(itertools.takewhile(lambda character: character not in _GLUE, punctuation))
    return bool(parting) and not _DIGITS & {edge, beyond[len(parting)]}


def _punctuation(beyond: str) -> list[str]:
    return list(
        itertools.takewhile(lambda character: not character.isspace() and not _in_word(character), beyond)
    )


def _in_word(character: str) -> bool:
    """Whether it is a part of a word: a letter, a digit, or an accent or vowel that is written onto one."""
    return (
        character.isalnum()
        or character == "_"
        or character in _JOINERS
        or unicodedata.category(character).startswith("M")
    )
