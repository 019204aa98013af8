"""Adds to a YAML text without touching the rest of it: knows positions, not what a bot is. Knows no files.

A library that reads and writes YAML would re-indent a bot's files and move its comments. So the place where
something belongs is looked up among the parser's events, lines are inserted there as text, and the result is
read again: it has to say what the old text said and what was added, nothing else.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

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

_LINE_END = re.compile(r"\r\n|\n|\r")
_BOM = "\ufeff"
# How far items stand from the key above them, where there is nothing to go by.
_INDENT = 2


class CannotAdd(Exception):
    """The text is written in a way in which nothing can be added safely."""


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

    def get(self, key: str) -> Node | None:
        """The value of a mapping's key."""
        if self.kind == MAPPING:
            for name, value in zip(self.children[::2], self.children[1::2], strict=True):
                if name.kind == SCALAR and name.value == key:
                    return value
        return None


@dataclass(frozen=True)
class Entry:
    """Something to add to a sequence or mapping.

    Attributes:
        lines: in block style, the first one not indented.
        flow: in flow style; nothing where it cannot be written so.
        value: what it loads as; in a mapping, the key and its value.
    """

    lines: tuple[str, ...]
    flow: str
    value: Any


def read(text: str) -> Any:
    """What a YAML text says to Rasa; None where it says nothing.

    Raises:
        CannotAdd: it is not valid YAML.
    """
    if text.isascii():  # Rasa's way to have \uXXXX read outside of quotes, too
        try:
            decoded = text.encode().decode("raw_unicode_escape")
            text = decoded.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeError as error:
            raise CannotAdd(str(error)) from None
    yaml = YAML(typ="safe")
    yaml.version = (1, 2)  # type: ignore[assignment]
    try:
        return yaml.load(text)
    except Exception as error:  # beside YAMLError the library raises what its code runs into
        raise CannotAdd(" ".join(str(error).split())) from None


@functools.lru_cache(maxsize=32)  # a large file takes seconds, and is asked about for each intent
def tree(text: str) -> Node | None:
    """Where everything in the text stands; None where it says nothing.

    Raises:
        CannotAdd: it is not valid YAML.
    """
    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 2)  # type: ignore[assignment]
    try:
        events = (event for event in yaml.parse(text) if isinstance(event, (NodeEvent, CollectionEndEvent)))
        first = next(events, None)
        return None if first is None else _node(text, first, events)
    except YAMLError as error:
        raise CannotAdd(" ".join(str(error).split())) from None


def add(text: str, key: str, entries: Sequence[Entry], blank: bool = False) -> str:
    """The text with entries added at the end of what stands below a key at its top.

    The key is added where it is missing.

    Args:
        entries: of a sequence, or of a mapping where their values are pairs.
        blank: puts an empty line before each entry in block style.

    Raises:
        CannotAdd: the text with the entries would not say what it says now and the entries.
    """
    old = read(text)
    if old is None:
        old = {}
    mapping = bool(entries) and all(isinstance(entry.value, tuple) for entry in entries)
    present = old.get(key) if isinstance(old, dict) else old
    if not isinstance(old, dict) or not isinstance(present, (type(None), dict if mapping else list)):
        raise CannotAdd(f"because `{key}` is not what Rasa expects")
    values = [entry.value for entry in entries]
    grown: Any = [*(present or []), *values]
    if mapping:
        grown = {**(old.get(key) or {}), **dict(values)}
    for candidate in _ways_to_add(text, key, entries, blank):
        if says(candidate, {**old, key: grown}):
            return candidate
    raise CannotAdd(f"because of the way `{key}` is written in it")


def says(text: str, content: Any) -> bool:
    """Whether the text is YAML with this content."""
    try:
        found: bool = comparable(read(text)) == comparable(content)
        return found
    except CannotAdd:
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


def add_to(text: str, node: Node, entries: Sequence[Entry], blank: bool = False) -> str | None:
    """The text with entries at the end of a sequence or mapping; None where this cannot be."""
    if not node.flow:
        return insert_lines(text, node.end, _indented(entries, entry_column(text, node), blank))
    if not all(entry.flow for entry in entries):
        return None
    written = ", ".join(entry.flow for entry in entries)
    if node.children:
        at = node.children[-1].end
        return f"{text[:at]}, {written}{text[at:]}"
    at = node.end - 1  # before the closing bracket
    return f"{text[:at]}{written}{text[at:]}"


def insert_lines(text: str, position: int, lines: Sequence[str]) -> str:
    """The text with lines below the one of a position, ending as its neighbours do."""
    match = _LINE_END.search(text, position)
    at = match.start() if match else len(text)
    line_end = match or _LINE_END.search(text)
    mark = line_end[0] if line_end else "\n"
    return text[:at] + "".join(mark + line for line in lines) + text[at:]


def column(text: str, position: int) -> int:
    """How many characters stand before a position in its line."""
    start = max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1
    return len(text[start:position].lstrip(_BOM))


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
    raise CannotAdd("it ends in the middle")


def _ways_to_add(text: str, key: str, entries: Sequence[Entry], blank: bool) -> Iterator[str]:
    root = tree(text)
    section = [f"{key}:", *_indented(entries, _indent_of_items(text), False)]
    if root is None or (root.kind == SCALAR and not root.value):
        end = len(text.rstrip())
        yield insert_lines(text, end, section) if end else f"{text}{chr(10).join(section)}\n"
        return
    node = root.get(key)
    if node is not None and node.kind == SCALAR:
        start = column(text, root.children[0].start)
        yield insert_lines(text, node.end, _indented(entries, start + _indent_of_items(text), False))
    elif node is not None and node.kind != ALIAS:
        yield add_to(text, node, entries, blank) or text
    elif node is None and not root.flow:
        version = root.get("version")
        for place in (root, version):
            if place is not None:
                yield insert_lines(text, place.end, ["", *section])


def _indented(entries: Sequence[Entry], spaces: int, blank: bool) -> list[str]:
    lines = [line for entry in entries for line in (*([""] if blank else []), *entry.lines)]
    return [" " * spaces + line if line else "" for line in lines]


def _indent_of_items(text: str) -> int:
    """How far items are indented below a key at the top, as it is done elsewhere in the text."""
    match = re.search(r"^\w+:[ \t]*(?:\r\n|\n|\r)( *)- ", text, re.MULTILINE)
    return len(match[1]) if match else _INDENT
