"""Changes in the text of a draft, or of the domain: only the lines that have to, the rest stays as it is.

A draft may have been edited by hand, with comments, keys of its own or entity annotations.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import Any

from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.nlu_yaml import (
    Draft,
    carry_annotated,
    entry_lines,
    from_yaml,
    scalar,
)
from rasa_intent_discovery.training_data.text_identity import example_key

_INTENT = re.compile(r"(\s*- intent: *)(\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^#]*?)(\s*(?: #.*)?)")
_METADATA = re.compile(r"\s*metadata:\s*")
_DISCOVERY = re.compile(r"(\s*)discovery:\s*")
_DECISION = re.compile(r"(\s*decision: *)([\"']?\w+[\"']?)(\s*(?: #.*)?)")
_EXAMPLES = re.compile(r"\s*examples: *[|]\S*\s*")


def edited(text: str, old: Draft, new: Draft, where: str, ours: bool = False) -> str:
    """The text of a draft after a change.

    Args:
        text: what `old` was read from.
        new: the same draft with another intent, decision or evidence, or with examples left out, with more of
            them at the end, or with other annotations in them.
        where: what to call it in an error.
        ours: the text is `to_yaml(old)`, so that it need not be proved that the change can be read back:
            with ten thousand examples that takes a third of a second.

    Raises:
        DataError: it is written in a way in which the change cannot be made without changing more.
    """
    lines = text.split("\n")
    end = "\r" if lines[0].endswith("\r") else ""
    try:
        if new.intent != old.intent:
            _replace(lines, _INTENT, scalar(new.intent))
        if new.decision != old.decision:
            _decide(lines, new.decision, end)
        for key in {**old.evidence, **new.evidence}:
            if old.evidence.get(key) != new.evidence.get(key):
                _tell(lines, key, new.evidence.get(key), end)
        if new.examples != old.examples:
            if ours:
                _list_anew(lines, old.examples, new.examples)
            else:
                _list(lines, old.examples, new.examples, end)
    except StopIteration:
        raise _cannot(where) from None
    after = "\n".join(lines)
    if not ours:
        _prove(after, new, where)
    return after


def relisted(domain: str, before: Iterable[str], after: Iterable[str]) -> str:
    """A domain file of `domain_yaml` after some of its intents have gone, come or got another name.

    A name that is not on a line of its own there is left alone.
    """
    old, new = (list(dict.fromkeys(name.split("/")[0] for name in names)) for names in (before, after))
    gone = [name for name in old if name not in new]
    added = [name for name in new if name not in old]
    text = domain.replace("intents: []\n", "intents:\n") if added else domain
    for name in gone:
        line = f"  - {scalar(name)}\n"
        if len(gone) == len(added) == 1 and line in text:
            return text.replace(line, f"  - {scalar(added[0])}\n")
        text = text.replace(line, "")
    text += "".join(f"  - {scalar(name)}\n" for name in added)
    return text.replace("intents:\n", "intents: []\n") if text.endswith("intents:\n") else text


def _prove(text: str, draft: Draft, where: str) -> None:
    try:
        same = from_yaml(text, where) == draft
    except DataError:
        same = False
    if not same:
        raise _cannot(where)


def _cannot(where: str) -> DataError:
    return DataError(f"{where} is not written as we write drafts and cannot be changed here: edit the file")


def _find(lines: list[str], pattern: re.Pattern[str], start: int = 0) -> tuple[int, re.Match[str]]:
    return next(
        (number, match) for number in range(start, len(lines)) if (match := pattern.fullmatch(lines[number]))
    )


def _replace(lines: list[str], pattern: re.Pattern[str], value: str) -> None:
    number, match = _find(lines, pattern)
    lines[number] = f"{match[1]}{value}{match[3]}"


def _decide(lines: list[str], decision: str, end: str) -> None:
    """Writes the decision over the one that is there, or adds it where somebody deleted it."""
    examples, _ = _find(lines, _EXAMPLES)
    for pattern, indent in ((_DECISION, ""), (_DISCOVERY, "  ")):
        for number in range(examples):
            match = pattern.fullmatch(lines[number])
            if match and pattern is _DECISION:
                lines[number] = f"{match[1]}{decision}{match[3]}"
                return
            if match:
                lines.insert(number + 1, f"{match[1]}{indent}decision: {decision}{end}")
                return
    if any(_METADATA.fullmatch(line) for line in lines[:examples]):
        raise StopIteration
    number, _ = _find(lines, _INTENT)
    added = ["  metadata:", "    discovery:", f"      decision: {decision}"]
    lines[number + 1 : number + 1] = [line + end for line in added]


def _tell(lines: list[str], key: str, value: Any, end: str) -> None:
    """Puts a key of the evidence in the place of the one that is there, or behind all others."""
    start, match = _find(lines, _DISCOVERY)
    indent = len(match[1]) + 2
    last = start + 1
    while last < len(lines) and lines[last].strip() and _indent(lines[last]) >= indent:
        last += 1
    first = next((n for n in range(start + 1, last) if lines[n][indent:].startswith(f"{scalar(key)}:")), last)
    after = min(first + 1, last)
    while after < last and lines[after][indent:].startswith(("- ", " ")):
        after += 1
    written = [] if value is None else entry_lines(key, value)
    lines[first:after] = [" " * indent + line + end for line in written]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _list_anew(lines: list[str], old: Sequence[str], new: Sequence[str]) -> None:
    """Writes the examples of a text that is `to_yaml` of a draft: nothing but them stands between them."""
    number, _ = _find(lines, _EXAMPLES)
    indent = " " * (_indent(lines[number]) + 2)
    lines[number + 1 : number + 1 + len(old)] = [f"{indent}- {carry_annotated(text)}" for text in new]


def _list(lines: list[str], old: Iterable[str], new: tuple[str, ...], end: str) -> None:
    """Takes the lines of examples out that are gone, and adds new ones behind the last.

    One that comes back with other annotations stays in its place.
    """
    number, _ = _find(lines, _EXAMPLES)
    gone = Counter(old) - Counter(new)
    again: dict[str, deque[str]] = {example_key(text): deque() for text in gone}
    added: list[str] = []
    for text in (Counter(new) - Counter(old)).elements():
        again.get(example_key(text), added).append(text)
    last = 0
    kept = [lines[number]]
    for line in lines[number + 1 :]:
        # No pattern where it can be helped: there may be ten thousand lines.
        body = line.lstrip()
        if body and body[0] not in "-#":
            raise StopIteration
        text = body[1:].strip(" \r")
        if body.startswith("-") and gone.get(text):
            gone[text] -= 1
            changed = again[example_key(text)]
            if not changed:
                continue
            before, _, after = line.rpartition(text)
            line = f"{before}{carry_annotated(changed.popleft())}{after}"
        if body.startswith("-"):
            last = len(kept)
        kept.append(line)
    indent = " " * (_indent(kept[last]) + (0 if last else 2))
    added += [text for left in again.values() for text in left]
    lines[number:] = kept
    place = number + last + 1
    lines[place:place] = [f"{indent}- {carry_annotated(text)}{end}" for text in added]
