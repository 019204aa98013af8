"""The values of a bot's entities, and where they occur in messages.

A value is found where it occurs as one or several whole words, in the same case. It is only suggested: a
person marks it, or does not.
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
# Rasa's WhitespaceTokenizer does not split two words at these characters, nor numbers from any punctuation
# around them, and an entity that is a part of a token cannot be learnt. The last three are not even removed
# from the end of a word.
_GLUE = frozenset("._~:/?[]()!$*+,;=-#@&")
_ALWAYS_GLUE = frozenset("#@&")
_DIGITS = frozenset("0123456789")
_JOINERS = frozenset("\u200c\u200d")

_Span = tuple[int, int]


@dataclass(frozen=True)
class AnnotatedText:
    """A training example of the bot with its entities: start, end and annotation.

    The annotation is None where the same part of the text has more than one.
    """

    text: str
    entities: tuple[tuple[int, int, Annotation | None], ...]


@dataclass(frozen=True)
class BotEntities:
    """The entities in a bot's training data.

    Attributes:
        examples: all training examples, also those without entities.
        tables: the lookup tables named after an entity, as entity and entries.
        synonyms: synonym -> the value.
    """

    examples: Sequence[AnnotatedText]
    tables: Sequence[tuple[str, Sequence[str]]] = ()
    synonyms: Mapping[str, str] = field(default_factory=dict)


class EntityFinder:
    """Finds the values it knows in a text.

    Args:
        values: value as it is written -> its annotation. A value with None is not annotated, and no other
            value is found in its place: `York` is not found in `New York`.
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
        """Whether this is the annotation that the value would get."""
        return self._values.get(annotation.text) == annotation

    def find(self, text: str, taken: Iterable[_Span] = ()) -> list[tuple[int, int, Annotation]]:
        """The values in a text, in order. Of overlapping ones the longest is found, of equal ones the first.

        Args:
            taken: spans of the text in which nothing is to be found.
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
        """The marks that could be added to an example; none where they would not be safe."""
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

    Left out are values of two entities; values that the bot's own examples have more often without an
    annotation than with one (`may`); and values that say too little by themselves, such as a number or a
    single letter. The role or group in an annotation depends on the sentence and is not suggested.
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
    """The annotations that examples could have, in Rasa's notation; the most frequent ones first."""
    counts = Counter[Annotation]()
    for example in examples:
        counts.update({annotation: 1 for _, annotation in finder.marks(example)})
    return [str(annotation) for annotation, _ in counts.most_common()]


def finder_of(drafts: Iterable[Draft], *wanted: Annotation) -> EntityFinder:
    """Finds the wanted annotations and those listed in any draft, as examples move between drafts."""
    values: dict[str, Annotation | None] = {one.text: one for one in wanted}
    for draft in drafts:
        for annotation in listed_annotations(draft.evidence):
            values.setdefault(annotation.text, annotation)
    return EntityFinder(values)


def listed_annotations(told: Mapping[str, Any]) -> tuple[Annotation, ...]:
    """The annotations listed in a draft's evidence or in `run.json`; invalid ones are left out."""
    listed = told.get(ENTITIES)
    written = listed if isinstance(listed, (list, tuple)) else ()
    return _read_annotations(tuple(one for one in written if isinstance(one, str)))


@functools.lru_cache(maxsize=1024)  # called with every decision on the desk
def _read_annotations(written: tuple[str, ...]) -> tuple[Annotation, ...]:
    return tuple(one for one in map(read_annotation, written) if one and one.safe)


@dataclass(frozen=True)
class Suggestion:
    """An annotation, how many examples of a draft hold its value, and in how many of them it is marked."""

    annotation: Annotation
    held: int
    marked: int


def suggestions(draft: Draft, finder: EntityFinder) -> list[Suggestion]:
    """What could be marked in a draft or is marked there, the most frequent value first, marked or not."""
    held, unmarked = Counter[Annotation](), Counter[Annotation]()
    for example in draft.examples if finder else ():
        could = {annotation: 1 for _, annotation in finder.marks(example)}
        there = (read_annotation(mark.written) for mark in parse(example)[1])
        unmarked.update(could)
        held.update({**could, **{one: 1 for one in there if one and finder.knows(one)}})
    in_order = sorted(held.items(), key=lambda found: (-found[1], str(found[0])))
    return [Suggestion(one, count, count - unmarked[one]) for one, count in in_order]


def _entities_of(
    bot: BotEntities, written: Mapping[str, Counter[Annotation | None]]
) -> dict[str, set[str | None]]:
    """Text -> the entities whose value it is; with None if it is annotated with several at once."""
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
    """The text with single spaces between words, as in messages."""
    return " ".join(text.split())


def _annotation(
    text: str, entities: set[str | None], written: Counter[Annotation | None] | None
) -> Annotation | None:
    """The most frequent annotation of a value; None where it belongs to several entities."""
    [entity, *others] = entities
    if entity is None or others:
        return None
    often = written.most_common(1)[0][0] if written else None
    annotation = often or Annotation(text, entity)
    return annotation if annotation.safe else None


def _unannotated(examples: Iterable[AnnotatedText], finder: EntityFinder) -> Counter[str]:
    """How often each value occurs in the examples without an annotation."""
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
    """Whether words start and end at the ends of the span, for people and for Rasa's tokenizer."""
    before, after = text[:start][::-1], text[end:]
    opens = _separated(text[start], before) and not (text[start] in _DIGITS and _punctuation(before))
    return opens and _separated(text[end - 1], after)


def _separated(edge: str, beyond: str) -> bool:
    """Whether a word that ends with the character `edge` is separated from the text beyond it."""
    punctuation = _punctuation(beyond)
    word = beyond[len(punctuation) : len(punctuation) + 1]
    if not word or word.isspace():
        return not _ALWAYS_GLUE & {*punctuation}
    separators = list(itertools.takewhile(lambda character: character not in _GLUE, punctuation))
    return bool(separators) and not _DIGITS & {edge, beyond[len(separators)]}


def _punctuation(beyond: str) -> list[str]:
    return list(
        itertools.takewhile(lambda character: not character.isspace() and not _in_word(character), beyond)
    )


def _in_word(character: str) -> bool:
    """Whether it is a part of a word: a letter, a digit, `_`, a joiner or a combining mark."""
    return (
        character.isalnum()
        or character == "_"
        or character in _JOINERS
        or unicodedata.category(character).startswith("M")
    )
