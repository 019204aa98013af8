"""Entities in an example, as Rasa writes them, `to [Berlin](city)`: reads, adds and takes off the marks.

Knows one example at a time; which values are worth a mark, `entities` knows.

>>> parse("to [Berlin](city)")
('to Berlin', (Mark(start=3, end=9, written='[Berlin](city)'),))
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from rasa_intent_discovery.training_data.nlu_yaml import carry_annotated

# What Rasa takes for a mark, with names for its parts.
_MARK = re.compile(
    r"\[(?P<text>[^\]]+?)\]"
    r"(?:\((?P<entity>[^:)]+?)(?::(?P<value>[^)]+))?\)|(?P<one>\{[^}]+?\})|\[(?P<several>.*?)\])"
)
# Lookup tables are long, and most of their entries are of this kind, which needs no parsing.
_HARMLESS = re.compile(r"\w(?:[\w ]*\w)?")
_ONE = re.compile(r"\{[^}]+?\}")


@dataclass(frozen=True)
class Annotation:
    """A value as it stands in a text, its entity, and what it means where that is another value.

    >>> str(Annotation("nyc", "city", "New York City"))
    '[nyc]{"entity": "city", "value": "New York City"}'
    """

    text: str
    entity: str
    value: str | None = None

    def __str__(self) -> str:
        if self.value is None and not {":", ")"} & {*self.entity}:
            return f"[{self.text}]({self.entity})"
        value = {} if self.value is None else {"value": self.value}
        return f"[{self.text}]{json.dumps({'entity': self.entity, **value}, ensure_ascii=False)}"

    @property
    def safe(self) -> bool:
        """Whether Rasa reads it as what it is, wherever it stands."""
        if self.value is None and _HARMLESS.fullmatch(self.text) and _HARMLESS.fullmatch(self.entity):
            return True
        written = str(self)
        return (
            not {"[", "]"} & {*self.text}
            and self.text == self.text.strip()
            and carry_annotated(written) == written
            and read_annotation(written) == self
        )


class Mark(NamedTuple):
    """Where an entity stands in the plain text of an example, and the mark as it is written."""

    start: int
    end: int
    written: str


def read_annotation(written: str) -> Annotation | None:
    """A mark by itself; None for all else, and where it says more, such as a role."""
    match = _MARK.match(written)
    if match is None or match.end() != len(written) or match["several"] is not None:
        return None
    said = _said(match)
    if len(said) != 1 or not {*said[0]} <= {"entity", "value"}:
        return None
    entity, value = said[0].get("entity"), said[0].get("value", match["text"])
    if not (isinstance(entity, str) and isinstance(value, str)):
        return None
    return Annotation(match["text"], entity, None if value == match["text"] else value)


def label(written: str) -> str:
    """What to show beside a marked value: its entity, and what it means where that is another value."""
    match = _MARK.match(written)
    said = _said(match) if match else []
    return ", ".join(
        f"{one.get('entity')}{''.join(f', {one[key]}' for key in ('role', 'group', 'value') if key in one)}"
        for one in said
    )


def parse(example: str) -> tuple[str, tuple[Mark, ...]]:
    """The text of an example without marks, and its marks in order."""
    pieces: list[str] = []
    marks: list[Mark] = []
    length = end = 0
    for match in _MARK.finditer(example):
        before = example[end : match.start()]
        start = length + len(before)
        length = start + len(match["text"])
        end = match.end()
        pieces += [before, match["text"]]
        marks.append(Mark(start, length, match[0]))
    return "".join([*pieces, example[end:]]), tuple(marks)


def without_annotations(example: str) -> str:
    """The text of an example: `to [Berlin](city)` is what somebody wrote as `to Berlin`."""
    return _MARK.sub(r"\g<text>", example)


def write(text: str, marks: Iterable[Mark]) -> str:
    """The reverse of `parse`."""
    pieces: list[str] = []
    end = 0
    for mark in sorted(marks):
        pieces += [text[end : mark.start], mark.written]
        end = mark.end
    return "".join([*pieces, text[end:]])


def pieces(example: str) -> list[tuple[str, str | None]]:
    """An example in pieces, each with what to show beside it where it is marked.

    >>> pieces("to [Berlin](city)")
    [('to ', None), ('Berlin', 'city')]
    """
    text, marks = parse(example)
    found: list[tuple[str, str | None]] = []
    end = 0
    for mark in marks:
        found += [(text[end : mark.start], None), (text[mark.start : mark.end], label(mark.written))]
        end = mark.end
    return [piece for piece in [*found, (text[end:], None)] if piece[0]]


def has_brackets(text: str, marks: Iterable[Mark]) -> bool:
    """Whether there are some beside the marks, that further marks could run into."""
    return any(bracket in write(text, [mark._replace(written="") for mark in marks]) for bracket in "[]")


def with_marks(example: str, more: Iterable[Mark]) -> str:
    """The example with these marks, too; as it is where Rasa would not read them so."""
    text, marks = parse(example)
    return _rewritten(example, text, (*marks, *more))


def without(example: str, annotation: Annotation) -> str:
    """The example with the marks of an annotation taken off, however they are written."""
    text, marks = parse(example)
    kept = [mark for mark in marks if read_annotation(mark.written) != annotation]
    return _rewritten(example, text, kept)


def _rewritten(example: str, text: str, marks: Iterable[Mark]) -> str:
    ordered = tuple(sorted(marks))
    written = write(text, ordered)
    same = parse(written) == (text, ordered) and carry_annotated(written) == written
    return written if same else example


def _said(match: re.Match[str]) -> list[dict[str, Any]]:
    """What a mark says, empty where Rasa could not read it."""
    if match["entity"] is not None:
        value = {} if match["value"] is None else {"value": match["value"]}
        return [{"entity": match["entity"], **value}]
    try:
        found = [json.loads(one) for one in _ONE.findall(match["one"] or match["several"])]
    except ValueError:
        return []
    return [one for one in found if isinstance(one, dict)]
