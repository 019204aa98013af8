"""Which examples were taken out of drafts, or put there: by decisions, which changed lines, and before."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from rasa_intent_discovery.datatypes import KNOWN
from rasa_intent_discovery.drafts.folder import TAKEN_OUT
from rasa_intent_discovery.drafts.history import standing as in_effect
from rasa_intent_discovery.drafts.journal import Entry
from rasa_intent_discovery.kept_values import list_in, mapping_in
from rasa_intent_discovery.training_data.text_identity import example_key

# The verbs that put messages into drafts, or write an example otherwise.
_PUTTING = ("move", "add", "merge", "settle", "reword")
_ITEM = "- "


def taken_examples(journal: Sequence[Entry], verbs: Container[str]) -> Iterator[tuple[str, str]]:
    """Path of a draft and an example that it had before, as it stood in the file.

    Args:
        verbs: of the decisions that are asked for. What was undone is none.
    """
    for entry in in_effect(journal):
        if entry.verb in verbs:
            for path, change in entry.files.items():
                kept = {example_key(text) for text in _items(change.new)}
                yield from ((path, text) for text in _items(change.old) if example_key(text) not in kept)


def put_examples(journal: Sequence[Entry]) -> dict[str, frozenset[str]]:
    """Path of a draft of a known intent -> `example_key` of what a person put there; it may be gone again.

    What was taken out before, and put back, is the run's.
    """
    nothing = frozenset[str]()
    put: dict[str, frozenset[str]] = {}
    own: dict[str, frozenset[str]] = {}
    for entry in in_effect(journal):
        for path, change in entry.files.items():
            if path.startswith(KNOWN):
                had, has = (frozenset(map(example_key, _items(lines))) for lines in (change.old, change.new))
                own[path] = own.get(path, nothing) | (had - has - put.get(path, nothing))
                if entry.verb in _PUTTING:
                    put[path] = put.get(path, nothing) | (has - had)
    return {path: texts - own[path] for path, texts in put.items()}


def taken_before(run: Mapping[str, Any], which: str = TAKEN_OUT) -> dict[str, frozenset[str]]:
    """Intent -> `text_key` of what was taken out of it before the run.

    Args:
        run: the content of `run.json`. What cannot be read there is left out.
        which: `TAKEN_OUT`, or `REFUSED` for what of that is not of the intent.
    """
    told = mapping_in(run, which)
    return {intent: frozenset(map(str, list_in(told, intent))) for intent in told}


def _items(lines: Iterable[str]) -> Iterator[str]:
    stripped = (line.strip() for line in lines)
    return (line.removeprefix(_ITEM) for line in stripped if line.startswith(_ITEM))
