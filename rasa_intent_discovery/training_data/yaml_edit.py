"""Changes a YAML text without touching the rest of it: knows positions, not what a bot is. Knows no files.

A library that reads and writes YAML would re-indent a person's files and move their comments. So the place
where something belongs is looked up among the parser's events (`tree`), and a change is a `Patch` of the text
there. Whoever patches a text reads the result again: it has to say what the old text said and what was
changed, nothing else.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceStartEvent,
)

SCALAR, SEQUENCE, MAPPING, ALIAS = "scalar", "sequence", "mapping", "alias"

_LINE = re.compile(r"[^\r\n]*")
_LINE_END = re.compile(r"\r\n|\n|\r")
_BOM = "\ufeff"
# How far items stand from the key above them, where there is nothing to go by.
_INDENT = 2


class CannotEdit(Exception):
    """The text is written in a way in which it cannot be changed safely."""


@dataclass(frozen=True, eq=False)
class Node:
    """A value in a YAML text.

    Attributes:
        kind: SCALAR, SEQUENCE, MAPPING or ALIAS.
        start, end: positions in the text; `end` is behind the last character that is no white space.
        flow: whether a sequence or mapping is in brackets.
        style: of a scalar, the character it begins with (`|`, `>`, `'`, `"`), or nothing.
        value: the text of a scalar.
        children: items of a sequence; keys and values of a mapping in turns.
    """

    kind: str
    start: int
    end: int
    flow: bool = False
    style: str = ""
    value: str = ""
    children: tuple[Node, ...] = ()

    def pair(self, key: str) -> tuple[Node, Node] | None:
        """A mapping's key of this name, and its value."""
        if self.kind == MAPPING:
            for name, value in zip(self.children[::2], self.children[1::2], strict=True):
                if name.kind == SCALAR and name.value == key:
                    return name, value
        return None

    def get(self, *keys: str) -> Node | None:
        """The value of a mapping's key, or of a key in that value, and so on."""
        found: Node | None = self
        for key in keys:
            pair = found.pair(key) if found is not None else None
            found = pair[1] if pair is not None else None
        return found


@dataclass(frozen=True)
class YamlEntry:
    """Something to put into a sequence or mapping.

    Attributes:
        lines: in block style, the first one not indented.
        flow: in flow style; nothing where it cannot be written so.
        value: what it loads as; in a mapping, the key and its value.
    """

    lines: tuple[str, ...]
    flow: str
    value: Any


class Patch(NamedTuple):
    """What is written in the place of a part of a text."""

    start: int
    end: int
    written: str


def read(text: str) -> Any:
    """What a YAML text says to Rasa; None where it says nothing.

    Raises:
        CannotEdit: it is not valid YAML.
    """
    if text.isascii():  # Rasa's way to have \uXXXX read outside of quotes, too
        try:
            decoded = text.encode().decode("raw_unicode_escape")
            text = decoded.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeError as error:
            raise CannotEdit(str(error)) from None
    return load(text)


def load(text: str) -> Any:
    """What a YAML text says as YAML; see `read`."""
    yaml = YAML(typ="safe")
    yaml.version = (1, 2)  # type: ignore[assignment]
    try:
        return yaml.load(text)
    except Exception as error:  # beside YAMLError the library raises what its code runs into
        raise CannotEdit(" ".join(str(error).split())) from None


@functools.lru_cache(maxsize=32)  # a large file takes long, and is asked about for each intent
def tree(text: str) -> Node | None:
    """Where everything in the text stands; None where it says nothing.

    Raises:
        CannotEdit: it is not valid YAML.
    """
    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 2)  # type: ignore[assignment]
    try:
        events = (event for event in yaml.parse(text) if isinstance(event, (NodeEvent, CollectionEndEvent)))
        first = next(events, None)
        return None if first is None else _node(text, first, events)
    except YAMLError as error:
        raise CannotEdit(" ".join(str(error).split())) from None


def says(text: str, content: Any) -> bool:
    """Whether the text is YAML with this content."""
    try:
        found: bool = comparable(read(text)) == comparable(content)
        return found
    except CannotEdit:
        return False


def comparable(content: Any) -> Any:
    """The content, with examples in blocks as lists: a line end more or less is of no meaning there."""
    if not isinstance(content, dict) or not isinstance(content.get("nlu"), list):
        return content
    items = [
        {**item, "examples": item["examples"].splitlines()}
        if isinstance(item, dict) and isinstance(item.get("examples"), str)
        else item
        for item in content["nlu"]
    ]
    return {**content, "nlu": items}


def patched(text: str, patches: Iterable[Patch]) -> str:
    """The text after some patches, of which no two touch the same part; those of one place in their order."""
    pieces, done = [], 0
    for patch in sorted(patches, key=lambda patch: patch[:2]):
        pieces += [text[done : patch.start], patch.written]
        done = patch.end
    return "".join([*pieces, text[done:]])


def inserted(text: str, position: int, lines: Iterable[str], indent: int = 0) -> Patch:
    """Puts lines, so many spaces further in, below the one of a position; they end as their neighbours do."""
    at = _end_of_line(text, position)
    mark = _mark(text, at)
    return Patch(at, at, "".join(f"{mark}{' ' * indent}{line}" if line else mark for line in lines))


def appended(text: str, node: Node, entries: Sequence[YamlEntry], blank: bool = False) -> Patch:
    """Puts entries at the end of a sequence or mapping.

    Args:
        blank: puts an empty line before each entry in block style.

    Raises:
        CannotEdit: it is in brackets, and an entry cannot be written so.
    """
    if not node.flow:
        return inserted(text, node.end, _lines(entries, blank), entry_column(text, node))
    written = _in_brackets(entries)
    if node.children:
        at = node.children[-1].end
        return Patch(at, at, f", {written}")
    return Patch(node.end - 1, node.end - 1, written)  # before the closing bracket


def put(text: str, mapping: Node, entry: YamlEntry) -> Patch:
    """Puts a key and its value in the place of those a mapping has, or behind all others.

    Raises:
        CannotEdit: as `appended`.
    """
    pair = mapping.pair(entry.value[0])
    if pair is None:
        return appended(text, mapping, [entry])
    key, value = pair
    if mapping.flow:
        return Patch(key.start, value.end, _in_brackets([entry]))
    first, *rest = entry.lines
    below = inserted(text, value.end, rest, column(text, key.start)).written
    return Patch(key.start, value.end, first + below)


def removed(text: str, start: int, end: int) -> Patch:
    """Takes out all lines from that of one position to that of another; not the first line of a text."""
    above = _start_of_line(text, start)
    above -= 2 if text[:above].endswith("\r\n") else 1
    return Patch(above, _end_of_line(text, end), "")


def block_lines(text: str, node: Node) -> list[tuple[int, int]]:
    """Start, behind the indentation, and end of each line that is not empty in a scalar written as `|`."""
    lines = [line for line in _LINE.finditer(text, node.start, node.end) if line[0].strip()][1:]
    if not lines:
        return []
    indent = _indent(lines[0][0]) - _indent(next(line for line in node.value.splitlines() if line.strip()))
    # A comment below the block may stand farther out.
    return [(line.start() + indent, line.end()) for line in lines if line[0].startswith(" " * indent)]


def add(text: str, key: str, entries: Sequence[YamlEntry], blank: bool = False) -> str:
    """The text with entries added at the end of what stands below a key at its top.

    The key is added where it is missing.

    Args:
        entries: of a sequence, or of a mapping where their values are pairs.
        blank: as for `appended`.

    Raises:
        CannotEdit: the text with the entries would not say what it says now and the entries.
    """
    old = read(text)
    if old is None:
        old = {}
    mapping = bool(entries) and all(isinstance(entry.value, tuple) for entry in entries)
    present = old.get(key) if isinstance(old, dict) else old
    if not isinstance(old, dict) or not isinstance(present, (type(None), dict if mapping else list)):
        raise CannotEdit(f"because `{key}` is not what Rasa expects")
    values = [entry.value for entry in entries]
    grown: Any = [*(present or []), *values]
    if mapping:
        grown = {**(old.get(key) or {}), **dict(values)}
    for candidate in _ways_to_add(text, key, entries, blank):
        if says(candidate, {**old, key: grown}):
            return candidate
    raise CannotEdit(f"because of the way `{key}` is written in it")


def column(text: str, position: int) -> int:
    """How many characters stand before a position in its line."""
    return len(text[_start_of_line(text, position) : position].lstrip(_BOM))


def entry_column(text: str, node: Node) -> int:
    """The column in which the entries of a sequence or mapping in block style begin."""
    first = node.children[0].start
    return column(text, text.rindex("-", 0, first) if node.kind == SEQUENCE else first)


def _node(text: str, event: Any, events: Iterator[Any]) -> Node:
    start, end = event.start_mark.index, event.end_mark.index
    if isinstance(event, AliasEvent):
        return Node(ALIAS, start, end)
    if isinstance(event, ScalarEvent):
        # The parser puts a value that is not written before whatever comes next.
        end = len(text[:end].rstrip(" \t\r\n"))
        return Node(SCALAR, min(start, end), end, style=event.style or "", value=event.value)
    assert isinstance(event, (SequenceStartEvent, MappingStartEvent))
    kind = SEQUENCE if isinstance(event, SequenceStartEvent) else MAPPING
    children: list[Node] = []
    for following in events:
        if isinstance(following, CollectionEndEvent):
            # A mapping of one key may stand in a sequence in brackets without brackets of its own.
            closed = bool(event.flow_style) and following.start_mark.index < following.end_mark.index
            end = following.end_mark.index if closed or not children else children[-1].end
            return Node(kind, start, end, bool(event.flow_style), children=tuple(children))
        children.append(_node(text, following, events))
    raise CannotEdit("it ends in the middle")


def _ways_to_add(text: str, key: str, entries: Sequence[YamlEntry], blank: bool) -> Iterator[str]:
    root = tree(text)
    indent = _indent_of_items(text)
    section = [f"{key}:", *(" " * indent + line for line in _lines(entries))]
    if root is None or (root.kind == SCALAR and not root.value):
        end = len(text.rstrip())
        yield patched(text, [inserted(text, end, section)]) if end else f"{text}{chr(10).join(section)}\n"
        return
    node = root.get(key)
    if node is not None and node.kind == SCALAR:
        below = inserted(text, node.end, _lines(entries), column(text, root.children[0].start) + indent)
        yield patched(text, [below])
    elif node is not None and node.kind != ALIAS:
        with suppress(CannotEdit):
            yield patched(text, [appended(text, node, entries, blank)])
    elif node is None and not root.flow:
        version = root.get("version")
        for place in (root, version):
            if place is not None:
                yield patched(text, [inserted(text, place.end, ["", *section])])


def _lines(entries: Iterable[YamlEntry], blank: bool = False) -> list[str]:
    return [line for entry in entries for line in (*([""] if blank else []), *entry.lines)]


def _in_brackets(entries: Sequence[YamlEntry]) -> str:
    if not all(entry.flow for entry in entries):
        raise CannotEdit("because it is in brackets")
    return ", ".join(entry.flow for entry in entries)


def _start_of_line(text: str, position: int) -> int:
    return max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1


def _end_of_line(text: str, position: int) -> int:
    match = _LINE_END.search(text, position)
    return match.start() if match else len(text)


def _mark(text: str, position: int) -> str:
    """How the line of a position ends, or the first one where that is the last."""
    match = _LINE_END.search(text, position) or _LINE_END.search(text)
    return match[0] if match else "\n"


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _indent_of_items(text: str) -> int:
    """How far items are indented below a key at the top, as it is done elsewhere in the text."""
    match = re.search(r"^\w+:[ \t]*(?:\r\n|\n|\r)( *)- ", text, re.MULTILINE)
    return len(match[1]) if match else _INDENT
