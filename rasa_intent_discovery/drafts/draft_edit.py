"""Edits the text of a draft, or of the domain: only the lines that change, the rest stays as it is.

A person may have added comments, keys of their own or entity annotations to a draft.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.bot_files import further_examples
from rasa_intent_discovery.training_data.nlu_yaml import (
    Draft,
    carry_annotated,
    draft_text,
    entry_lines,
    flow_text,
    from_yaml,
    metadata_lines,
    scalar,
)
from rasa_intent_discovery.training_data.text_identity import example_key
from rasa_intent_discovery.training_data.yaml_edit import (
    MAPPING,
    SCALAR,
    SEQUENCE,
    CannotEdit,
    Node,
    Patch,
    YamlEntry,
    appended,
    block_lines,
    column,
    entry_column,
    inserted,
    load,
    patched,
    put,
    removed,
    tree,
)


def edited(text: str, old: Draft, new: Draft, where: str, ours: bool = False) -> str:
    """The text of a draft after a change.

    Args:
        text: what `old` was read from.
        new: the same draft with another intent, decision or evidence, or with examples removed, appended, or
            annotated differently.
        where: the name of the file in errors.
        ours: whether the text is `to_yaml(old)`, with no edits by hand. It is then written anew: to patch ten
            thousand examples and to check that nothing else has changed takes two thirds of a second.

    Raises:
        DataError: the text is written in a way in which the change cannot be made without changing more.
    """
    if ours:
        return draft_text(new)
    try:
        after = patched(text, _patches(text, old, new))
        if from_yaml(after, where) == new and _others(after) == _others(text):
            return after
    except (CannotEdit, DataError):
        pass
    raise DataError(f"{where} is not written as we write drafts and cannot be changed here: edit the file")


def relisted(domain: str, before: Iterable[str], after: Iterable[str]) -> str:
    """A domain file made by `domain_yaml`, with some intents removed, added or renamed.

    A name that has no line of its own there is left alone, and so is a domain that cannot be read.
    """
    old, new = (list(dict.fromkeys(name.split("/")[0] for name in names)) for names in (before, after))
    gone = [name for name in old if name not in new]
    added = [name for name in new if name not in old]
    if not gone and not added:
        return domain
    try:
        after = patched(domain, _list_patches(domain, gone, added))
        load(after)
    except CannotEdit:
        return domain
    return after


def _list_patches(domain: str, gone: Sequence[str], added: Sequence[str]) -> Iterator[Patch]:
    root = tree(domain)
    intents = root.get("intents") if root is not None else None
    if root is None or intents is None or intents.kind != SEQUENCE:
        raise CannotEdit("there is no list of intents")
    alone = [] if intents.flow else [item for item in intents.children if item.kind == SCALAR]
    leaving = [item for item in alone if item.value in gone]
    lines = [f"- {scalar(name)}" for name in added]
    if len(gone) == len(added) == len(leaving) == 1:
        yield Patch(leaving[0].start, leaving[0].end, scalar(added[0]))
    elif len(leaving) == len(intents.children):
        written = ("intents:", *(f"  {line}" for line in lines)) if lines else ("intents: []",)
        yield put(domain, root, YamlEntry(written, "", ("intents", added)))
    else:
        yield from (removed(domain, item.start, item.end) for item in leaving)
        entries = [YamlEntry((line,), line[2:], line[2:]) for line in lines]
        if entries:
            yield appended(domain, intents, entries)


def _patches(text: str, old: Draft, new: Draft) -> Iterator[Patch]:
    root = tree(text)
    items = root.get("nlu") if root is not None else None
    item = items.children[0] if items is not None and items.children else None
    name = item.get("intent") if item is not None else None
    if item is None or name is None:
        raise CannotEdit("there is no intent")
    if new.intent != old.intent:
        yield Patch(name.start, name.end, scalar(new.intent))
    yield from _metadata_patches(text, item, name, old, new)
    yield from _example_patches(text, item, old.examples, new.examples)


def _metadata_patches(text: str, item: Node, name: Node, old: Draft, new: Draft) -> Iterator[Patch]:
    """Replaces the decision and the evidence."""
    was, told = ({"decision": draft.decision, **draft.evidence} for draft in (old, new))
    changed = {key: told.get(key) for key in {**was, **told} if was.get(key) != told.get(key)}
    metadata = item.get("metadata")
    pair = metadata.pair("discovery") if metadata is not None else None
    if not changed:
        return
    if pair is not None and pair[1].kind == MAPPING:
        for key, value in changed.items():
            yield _key_patch(text, pair, key, value, was.get(key))
    elif metadata is None and not item.flow:
        lines = ["metadata:", *(f"  {line}" for line in metadata_lines(new))]
        yield inserted(text, name.end, lines, column(text, item.children[0].start))
    elif metadata is not None and metadata.kind == MAPPING and (pair is None or _is_nothing(pair[1])):
        flow = f"discovery: {flow_text(told)}"
        yield put(text, metadata, YamlEntry(tuple(metadata_lines(new)), flow, ("discovery", told)))
    else:
        raise CannotEdit("its metadata are no mapping")


def _is_nothing(node: Node) -> bool:
    return node.kind == SCALAR and not node.value


def _key_patch(text: str, pair: tuple[Node, Node], key: str, value: Any, was: Any) -> Patch:
    """Replaces one key, or adds it behind all others; a list that has only become longer stays as it is."""
    name, discovery = pair
    there = discovery.pair(key)
    if value is None and there is not None and not discovery.flow:
        return removed(text, there[0].start, there[1].end)
    if key == "decision" and there is None and not discovery.flow:  # at the top, where a person looks for it
        return inserted(text, name.start, entry_lines(key, value), entry_column(text, discovery))
    if there is not None and there[1].kind == SEQUENCE and not there[1].flow and was:
        more = [*value[len(was) :]] if isinstance(value, (list, tuple)) else []
        if more and [*value] == [*was, *more]:
            entries = [YamlEntry((f"- {flow_text(one)}",), flow_text(one), one) for one in more]
            return appended(text, there[1], entries)
    entry = YamlEntry(tuple(entry_lines(key, value)), f"{scalar(key)}: {flow_text(value)}", (key, value))
    return put(text, discovery, entry)


def _example_patches(text: str, item: Node, old: Sequence[str], new: Sequence[str]) -> Iterator[Patch]:
    """Removes the lines of removed examples, and adds new examples behind the last one.

    An example whose annotations have changed stays in its place, and so does a single one that reads
    otherwise.
    """
    gone = Counter(old) - Counter(new)
    again: dict[str, deque[str]] = {example_key(example): deque() for example in gone}
    added: list[str] = []
    leaving: set[int] = set()
    reworded = _reworded(old, new)
    for example in (Counter(new) - Counter(old)).elements():
        again.get(reworded or example_key(example), added).append(carry_annotated(example))
    block = item.get("examples")
    for start, end in block_lines(text, block) if gone and block is not None and block.style == "|" else ():
        example = text[start + 1 : end].strip(" \r")
        if text[start] != "-" or not gone.get(example):
            continue
        gone[example] -= 1
        changed = again[example_key(example)]
        if changed:
            at = text.index(example, start + 1)
            yield Patch(at, at + len(example), changed.popleft())
        else:
            leaving.add(start)
            yield removed(text, start, end)
    added += [example for left in again.values() for example in left]
    if added:
        yield further_examples(text, item, added, leaving)


def _reworded(old: Sequence[str], new: Sequence[str]) -> str | None:
    """The key of the only example that is another one in the same place; None where more has changed."""
    changed = [one for one, other in zip(old, new, strict=False) if one != other]
    return example_key(changed[0]) if len(changed) == 1 and len(old) == len(new) else None


def _others(text: str) -> Any:
    """The content of a draft without intent, examples, decision and evidence."""
    content = load(text)
    [item] = content["nlu"]
    metadata = item.get("metadata")
    kept = {key: value for key, value in item.items() if key not in ("intent", "metadata", "examples")}
    if isinstance(metadata, dict):
        metadata = {key: value for key, value in metadata.items() if key != "discovery"} or None
    return {**content, "nlu": [{**kept, "metadata": metadata}]}
