"""Reads what a bot's YAML files say about intents, and adds to them. Works on texts and opens no file.

Additions leave the existing text unchanged to the byte. If the text is written in a way that does not allow
this, the functions raise `CannotEdit`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from rasa_intent_discovery.training_data.nlu_yaml import intent_lines, scalar
from rasa_intent_discovery.training_data.yaml_edit import (
    MAPPING,
    SCALAR,
    SEQUENCE,
    CannotEdit,
    Node,
    Patch,
    YamlEntry,
    add,
    appended,
    block_lines,
    column,
    comparable,
    inserted,
    patched,
    read,
    says,
    tree,
)

# Indentation of the first example below its key; later ones follow the examples that are there.
_INDENT = 2


def places(text: str) -> list[tuple[str, int]]:
    """The intent name and the number of examples of each item in NLU YAML; an intent may have several."""
    return [(name, _count(item)) for _, name, item in _items(text)]


def add_examples(text: str, intent: str, examples: Sequence[str]) -> str:
    """NLU YAML with further examples of an intent, at the end of the item that has most of its examples.

    Args:
        examples: as `carry_annotated` gives them.

    Raises:
        CannotEdit: they cannot be added safely, or the intent is not in the text.
    """
    for number, item in _largest_first(text)[intent]:
        with suppress(CannotEdit):
            return _with_examples(text, [(number, item, examples)])
    raise CannotEdit(f"because of the way the examples of {intent} are written in it")


def add_examples_together(text: str, wanted: Mapping[str, Sequence[str]]) -> str:
    """As `add_examples` for each intent of `wanted`, but the text is parsed and checked once for all.

    Raises:
        CannotEdit: this is not possible for one of them, or not in the largest of its items.
    """
    items = _largest_first(text)
    try:
        return _with_examples(text, [(*items[intent][0], examples) for intent, examples in wanted.items()])
    except IndexError:
        raise CannotEdit("because an intent is not in it") from None


def further_examples(text: str, item: Node, examples: Iterable[str], leaving: Collection[int] = ()) -> Patch:
    """Adds examples below the last one of an item of `nlu:`; see `add_examples`.

    Args:
        leaving: start positions of the example lines that are removed in the same edit.
    """
    there = item.get("examples")
    if there is not None and there.kind == SEQUENCE:
        return appended(text, there, [_example_entry(example) for example in examples])
    if there is None or there.style != "|":
        raise CannotEdit("because of the way its examples are written")
    lines = block_lines(text, there)
    indent = column(text, lines[0][0]) if lines else column(text, item.children[0].start) + _INDENT
    stay = [end for start, end in lines if text[start] == "-" and start not in leaving]
    last = max(stay, default=there.start)
    return inserted(text, last, [f"- {example}" for example in examples], indent)


def add_intents(text: str, wanted: Mapping[str, Sequence[str]]) -> str:
    """NLU YAML with more intents and their examples at the end.

    Raises:
        CannotEdit: see `add_examples`.
    """
    entries = []
    for intent, examples in wanted.items():
        block = "".join(f"- {example}\n" for example in examples)
        content = {"intent": intent, "examples": block}
        entries.append(YamlEntry(tuple(intent_lines(intent, examples)), "", content))
    return add(text, "nlu", entries, blank=True)


def listed_intents(text: str) -> list[str]:
    """The intents that a domain file lists."""
    content = read(text)
    intents = content.get("intents") if isinstance(content, dict) else None
    names = [
        next(iter(item)) if isinstance(item, dict) and item else item
        for item in (intents if isinstance(intents, list) else [])
    ]
    return [str(name) for name in names]


def list_intents(text: str, names: Iterable[str]) -> str:
    """The domain file with these intents added to its list.

    Raises:
        CannotEdit: see `add_examples`.
    """
    entries = [YamlEntry((f"- {scalar(name)}",), scalar(name), name) for name in names]
    return add(text, "intents", entries)


def _items(text: str) -> Iterator[tuple[int, str, Node]]:
    """The items of `nlu:` that have an intent: the index of the item, the intent name, the item."""
    root = tree(text)
    nlu = root.get("nlu") if root is not None else None
    if nlu is None or nlu.kind != SEQUENCE:
        return
    for number, item in enumerate(nlu.children):
        name = item.get("intent") if item.kind == MAPPING else None
        if name is not None and name.kind == SCALAR:
            yield number, name.value.strip(), item


def _count(item: Node) -> int:
    examples = item.get("examples")
    if examples is None:
        return 0
    if examples.kind == SEQUENCE:
        return len(examples.children)
    return sum(line.startswith("-") for line in examples.value.splitlines())


def _example_entry(example: str) -> YamlEntry:
    text = json.dumps(example, ensure_ascii=False)
    return YamlEntry((f"- text: {text}",), f"{{text: {text}}}", {"text": example})


def _largest_first(text: str) -> defaultdict[str, list[tuple[int, Node]]]:
    """Intent -> its items of `nlu:`, each with its index; those with most examples first."""
    items = defaultdict(list)
    for number, name, item in _items(text):
        items[name].append((number, item))
    for of_intent in items.values():
        of_intent.sort(key=lambda numbered: -_count(numbered[1]))
    return items


def _with_examples(text: str, additions: Sequence[tuple[int, Node, Sequence[str]]]) -> str:
    """Adds examples to items of `nlu:`, each given with its index; raises CannotEdit if that is not safe."""
    candidate = patched(text, [further_examples(text, item, examples) for _, item, examples in additions])
    content = read(text)
    grown = comparable(content)
    for number, _, examples in additions:
        is_block = isinstance(content["nlu"][number]["examples"], str)
        grown["nlu"][number] = _grown(grown["nlu"][number], examples, is_block)
    if not says(candidate, grown):
        raise CannotEdit("because of the way its examples are written")
    return candidate


def _grown(item: dict[str, Any], examples: Sequence[str], is_block: bool) -> dict[str, Any]:
    """An item as `comparable` gives it, with the examples added and nothing else changed."""
    present = item["examples"]
    if not is_block:
        return {**item, "examples": [*present, *({"text": example} for example in examples)]}
    end = max((index for index, line in enumerate(present, 1) if line.startswith("-")), default=0)
    added = [f"- {example}" for example in examples]
    return {**item, "examples": [*present[:end], *added, *present[end:]]}
