"""Edits a YAML text in place, leaving the rest of it unchanged. Works on texts and opens no file.

Loading and dumping YAML would re-indent a person's files and move their comments. Instead, the parser's
events give the position of every node (`tree`), and a change is a `Patch` at such a position. The caller then
checks with `says` that the result has the old content with the intended change and nothing else.
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

from rasa_intent_discovery.training_data.nlu_yaml import without_escapes
from rasa_intent_discovery.training_data.yaml_depth import check_depth, shallow_yaml

SCALAR, SEQUENCE, MAPPING, ALIAS = "scalar", "sequence", "mapping", "alias"

_LINE = re.compile(r"[^\r\n]*")
_COMMENT_BEHIND = re.compile(r"(?:[ \t]*(?P<comma>,))?(?P<comment>[ \t]*#[^\r\n]*)")
_LINE_END = re.compile(r"\r\n|\n|\r")
_BOM = "\ufeff"
# Default indentation of items below their key.
_INDENT = 2


class CannotEdit(Exception):
    """The text is written in a way that does not allow a safe edit."""


@dataclass(frozen=True, eq=False)
class Node:
    """A value in a YAML text.

    Attributes:
        kind: SCALAR, SEQUENCE, MAPPING or ALIAS.
        start, end: positions in the text; `end` is just after the last non-space character.
        flow: whether a sequence or mapping is in flow style (in brackets).
        style: the character a scalar begins with (`|`, `>`, `'`, `"`); empty if it is plain.
        value: the text of a scalar.
        children: items of a sequence; keys and values of a mapping, alternating.
    """

    kind: str
    start: int
    end: int
    flow: bool = False
    style: str = ""
    value: str = ""
    children: tuple[Node, ...] = ()

    def pair(self, key: str) -> tuple[Node, Node] | None:
        """The nodes of a mapping's key and of its value; None if there is no such key."""
        if self.kind == MAPPING:
            for name, value in zip(self.children[::2], self.children[1::2], strict=True):
                if name.kind == SCALAR and name.value == key:
                    return name, value
        return None

    def get(self, *keys: str) -> Node | None:
        """The value at a path of keys in nested mappings; None if a key is missing."""
        found: Node | None = self
        for key in keys:
            pair = found.pair(key) if found is not None else None
            found = pair[1] if pair is not None else None
        return found


@dataclass(frozen=True)
class YamlEntry:
    """An entry to be added to a sequence or mapping.

    Attributes:
        lines: its lines in block style, indented relative to the first one.
        flow: its text in flow style; empty if it cannot be written in flow style.
        value: its content when loaded; for a mapping, the pair of key and value.
    """

    lines: tuple[str, ...]
    flow: str
    value: Any


class Patch(NamedTuple):
    """Replaces the part of a text from `start` to `end` with `written`."""

    start: int
    end: int
    written: str


def read(text: str) -> Any:
    """The content of a YAML text as Rasa loads it; None if it is empty.

    Raises:
        CannotEdit: it is not valid YAML.
    """
    try:
        return load(without_escapes(text))
    except UnicodeError as error:
        raise CannotEdit(str(error)) from None


def load(text: str) -> Any:
    """The content of a text by the rules of YAML alone; see `read`."""
    yaml = YAML(typ="safe")
    yaml.version = (1, 2)  # type: ignore[assignment]
    try:
        check_depth(text)
        return yaml.load(text)
    except Exception as error:  # the library raises more than YAMLError
        raise CannotEdit(" ".join(str(error).split())) from None


@functools.lru_cache(maxsize=32)  # parsing a large file is slow, and callers ask once per intent
def tree(text: str) -> Node | None:
    """The root node of the text, with the positions of all nodes; None if the text is empty.

    Raises:
        CannotEdit: it is not valid YAML.
    """
    yaml = shallow_yaml("safe")
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
    """The content with blocks of examples as lists of lines: trailing line ends make no difference."""
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
    """The text with patches applied. They must not overlap; those at the same position keep their order."""
    pieces, done = [], 0
    for patch in sorted(patches, key=lambda patch: patch[:2]):
        pieces += [text[done : patch.start], patch.written]
        done = patch.end
    return "".join([*pieces, text[done:]])


def inserted(text: str, position: int, lines: Iterable[str], indent: int = 0) -> Patch:
    """Inserts lines, indented by `indent` spaces, below that of a position, with the line ends used there."""
    at = _end_of_line(text, position)
    mark = _line_end(text, at)
    return Patch(at, at, "".join(f"{mark}{' ' * indent}{line}" if line else mark for line in lines))


def appended(text: str, node: Node, entries: Sequence[YamlEntry], blank: bool = False) -> Patch:
    """Inserts entries at the end of a sequence or mapping, behind the comments on its last entry.

    Args:
        blank: whether to put an empty line before each entry in block style.

    Raises:
        CannotEdit: the node is in flow style, and an entry cannot be written in it.
    """
    if not node.flow:
        indent = entry_column(text, node)
        return inserted(text, _behind_comments(text, node, indent), _lines(entries, blank), indent)
    written = _in_brackets(entries)
    if node.children:
        at = node.children[-1].end
        comment = _COMMENT_BEHIND.match(text, at)
        if comment is None:
            return Patch(at, at, f", {written}")
        first = node.children[-2 if node.kind == MAPPING else -1]
        below = inserted(text, at, [written + (comment["comma"] or "")], column(text, first.start))
        return Patch(at, below.end, f",{comment['comment']}{below.written}")
    return Patch(node.end - 1, node.end - 1, written)  # before the closing bracket


def put(text: str, mapping: Node, entry: YamlEntry) -> Patch:
    """Sets a key of a mapping: replaces the key and its value if present, else appends them.

    Raises:
        CannotEdit: see `appended`.
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
    """Removes the lines from that of `start` to that of `end`; the first line of a text cannot be removed."""
    above = _start_of_line(text, start)
    above -= 2 if text[:above].endswith("\r\n") else 1
    return Patch(above, _end_of_line(text, end), "")


def block_lines(text: str, node: Node) -> list[tuple[int, int]]:
    """The start (after the indentation) and end of each non-empty line of a scalar in `|` style."""
    lines = [line for line in _LINE.finditer(text, node.start, node.end) if line[0].strip()][1:]
    if not lines:
        return []
    indent = _indent(lines[0][0]) - _indent(next(line for line in node.value.splitlines() if line.strip()))
    # Skips a comment below the block, which may be indented less.
    return [(line.start() + indent, line.end()) for line in lines if line[0].startswith(" " * indent)]


def add(text: str, key: str, entries: Sequence[YamlEntry], blank: bool = False) -> str:
    """The text with entries added at the end of the value of a top-level key.

    The key is added where it is missing.

    Args:
        entries: for a sequence, or for a mapping if all their values are pairs (tuples).
        blank: see `appended`.

    Raises:
        CannotEdit: no way to add the entries leads to the old content plus the entries.
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
    """The number of characters before a position in its line."""
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
        # The parser puts an omitted value directly before whatever comes next.
        end = len(text[:end].rstrip(" \t\r\n"))
        return Node(SCALAR, min(start, end), end, style=event.style or "", value=event.value)
    assert isinstance(event, (SequenceStartEvent, MappingStartEvent))
    kind = SEQUENCE if isinstance(event, SequenceStartEvent) else MAPPING
    children: list[Node] = []
    for following in events:
        if isinstance(following, CollectionEndEvent):
            # A single pair in a flow sequence, `[key: value]`, is a mapping without brackets of its own.
            closed = bool(event.flow_style) and following.start_mark.index < following.end_mark.index
            end = following.end_mark.index if closed or not children else children[-1].end
            return Node(kind, start, end, bool(event.flow_style), children=tuple(children))
        children.append(_node(text, following, events))
    raise CannotEdit("it ends in the middle")


def _ways_to_add(text: str, key: str, entries: Sequence[YamlEntry], blank: bool) -> Iterator[str]:
    root = tree(text)
    of_mapping = all(isinstance(entry.value, tuple) for entry in entries)
    indent = _indent_of_keys(text) if of_mapping else _indent_of_items(text)
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
        # First behind a comment at the end, which belongs to what stands above it.
        for place in (len(text.rstrip()), root.end, *([version.end] if version else [])):
            yield patched(text, [inserted(text, place, ["", *section])])


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


def _behind_comments(text: str, node: Node, indent: int) -> int:
    """The end of the comments on the last entry, or else of its line: those that are indented deeper.

    Below a mapping, an item in a comment is of the last key, whose list may be aligned with it.
    """
    last = _end_of_line(text, node.end)
    for line in _LINE.finditer(text, last):
        written = line[0].strip()
        deeper = _indent(line[0]) + (node.kind == MAPPING and written.startswith("# - ")) > indent
        if written and not (written.startswith("#") and deeper):
            break
        last = line.end() if written else last
    return last


def _line_end(text: str, position: int) -> str:
    """The line end after a position; on the last line, that of the first line."""
    match = _LINE_END.search(text, position) or _LINE_END.search(text)
    return match[0] if match else "\n"


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _indent_of_items(text: str) -> int:
    """The indentation of items below a top-level key, as used elsewhere in the text."""
    match = re.search(r"^\w+:[ \t]*(?:\r\n|\n|\r)( *)- ", text, re.MULTILINE)
    return len(match[1]) if match else _INDENT


def _indent_of_keys(text: str) -> int:
    """The indentation of keys below a top-level key, as used elsewhere in the text."""
    match = re.search(r"^\w+:[ \t]*(?:\r\n|\n|\r)( +)[^\s#-]", text, re.MULTILINE)
    return len(match[1]) if match else _INDENT
