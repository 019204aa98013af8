"""Entity annotations in an example, written as in Rasa, `to [Berlin](city)`: parses, adds and removes them.

Works on one example at a time; `drafts.entities` decides which values to annotate. A `Mark` is an
annotation with its position in the plain text.

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

# What Rasa parses as an entity annotation, with its parts as named groups.
_MARK = re.compile(
    r"\[(?P<text>[^\]]+?)\]"
    r"(?:\((?P<entity>[^:)]+?)(?::(?P<value>[^)]+))?\)|(?P<one>\{[^}]+?\})|\[(?P<several>.*?)\])"
)
# What `carry` never leaves in a message.
_BEGUN = re.compile(r"\[[^\[\]]*\][({]")
# A shortcut: most entries of a long lookup table match this and need no parsing.
_HARMLESS = re.compile(r"\w(?:[\w ]*\w)?")
_ONE = re.compile(r"\{[^}]+?\}")


@dataclass(frozen=True)
class Annotation:
    """A value as written in a text, its entity, and the value it stands for if that differs (a synonym).

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
        """Whether Rasa parses it back unchanged, wherever in an example it stands."""
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
    """The span of an entity in the plain text of an example, and the annotation as it is written."""

    start: int
    end: int
    written: str


def read_annotation(written: str) -> Annotation | None:
    """Parses one annotation; None if it is anything else, or also has a role or a group."""
    match = _MARK.match(written)
    if match is None or match.end() != len(written) or match["several"] is not None:
        return None
    entities = _entities(match)
    if len(entities) != 1 or not {*entities[0]} <= {"entity", "value"}:
        return None
    entity, value = entities[0].get("entity"), entities[0].get("value", match["text"])
    if not (isinstance(entity, str) and isinstance(value, str)):
        return None
    return Annotation(match["text"], entity, None if value == match["text"] else value)


def label(written: str) -> str:
    """What to show beside an annotated value: its entity, and its role, group and value where it has them."""
    match = _MARK.match(written)
    entities = _entities(match) if match else []
    return ", ".join(
        f"{one.get('entity')}{''.join(f', {one[key]}' for key in ('role', 'group', 'value') if key in one)}"
        for one in entities
    )


def parse(example: str) -> tuple[str, tuple[Mark, ...]]:
    """The plain text of an example, and its marks in order."""
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


def annotated(example: str) -> tuple[str, tuple[tuple[int, int, Annotation | None], ...]]:
    """The plain text of an example, and its entities: start, end and annotation, without role and group.

    The annotation is None where the same part of the text has more than one.
    """
    text, marks = parse(example)
    spans: list[tuple[int, int, Annotation | None]] = []
    for mark in marks:
        match = _MARK.match(mark.written)
        entities = _entities(match) if match else []
        said = [one for one in entities if isinstance(one.get("entity"), str)]
        written = " ".join(text[mark.start : mark.end].split())
        found = [
            Annotation(written, one["entity"], value if isinstance(value, str) and value != written else None)
            for one in said
            for value in (one.get("value"),)
        ]
        if found:
            spans.append((mark.start, mark.end, found[0] if len(found) == 1 else None))
    return text, tuple(spans)


def is_half_annotated(example: str) -> bool:
    """Whether an annotation was begun that Rasa reads as words: `[Berlin](city`. No logged message is."""
    return _BEGUN.search(without_annotations(example)) is not None


def unreadable_annotation(example: str) -> str | None:
    """The first annotation whose properties Rasa refuses to read, which ends a training; None without one.

    >>> unreadable_annotation('to [Berlin]{"entity": city}')
    '[Berlin]{"entity": city}'
    """
    for match in _MARK.finditer(example):
        if not all(map(_is_entity, _ONE.findall(match["one"] or match["several"] or ""))):
            return match[0]
    return None


def without_annotations(example: str) -> str:
    """The plain text of an example: `to Berlin` for `to [Berlin](city)`."""
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
    """An example in pieces, each with its label if it is annotated, else None.

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
    """Whether the text outside the marks has brackets, which could be confused with further annotations."""
    return any(bracket in write(text, [mark._replace(written="") for mark in marks]) for bracket in "[]")


def with_marks(example: str, more: Iterable[Mark]) -> str:
    """The example with these marks added; unchanged if Rasa would not parse the result back to them."""
    text, marks = parse(example)
    return _rewritten(example, text, (*marks, *more))


def without(example: str, annotation: Annotation) -> str:
    """The example without the marks of an annotation, whichever of Rasa's notations they use."""
    text, marks = parse(example)
    kept = [mark for mark in marks if read_annotation(mark.written) != annotation]
    return _rewritten(example, text, kept)


def _rewritten(example: str, text: str, marks: Iterable[Mark]) -> str:
    ordered = tuple(sorted(marks))
    written = write(text, ordered)
    same = parse(written) == (text, ordered) and carry_annotated(written) == written
    return written if same else example


def _is_entity(written: str) -> bool:
    """Whether Rasa can read the properties of an entity, by the schema it has for them."""
    try:
        found = json.loads(written)
    except ValueError:
        return False
    texts = all(isinstance(found.get(key, ""), str) for key in ("entity", "role", "group"))
    value = found.get("value", "")
    return (
        "entity" in found and texts and isinstance(value, (str, int, float)) and not isinstance(value, bool)
    )


def _entities(match: re.Match[str]) -> list[dict[str, Any]]:
    """The properties of each entity in an annotation; empty if Rasa could not parse it."""
    if match["entity"] is not None:
        value = {} if match["value"] is None else {"value": match["value"]}
        return [{"entity": match["entity"], **value}]
    try:
        found = [json.loads(one) for one in _ONE.findall(match["one"] or match["several"])]
    except ValueError:
        return []
    return [one for one in found if isinstance(one, dict)]
