"""YAML readers that refuse what is nested deeper than any training data.

ruamel.yaml takes minutes for some thousand brackets in brackets, and ends in a RecursionError; its reader in
C crashes the process where there are more.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import (
    Event,
    MappingEndEvent,
    MappingStartEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from ruamel.yaml.scanner import RoundTripScanner, Scanner

#: Most levels of lists and mappings. Rasa's files have a dozen, and the time grows with the cube. By hand.
DEEPEST = 30


class TooDeep(MarkedYAMLError):
    """The text is nested deeper than `DEEPEST`."""


class _ShallowScanner(Scanner):
    """Counts the levels in brackets and those by indentation."""

    def fetch_flow_collection_start(self, *arguments: Any, **options: Any) -> None:
        self._check(len(self.flow_context))
        super().fetch_flow_collection_start(*arguments, **options)

    def add_indent(self, column: int) -> bool:
        self._check(len(self.indents))
        added: bool = super().add_indent(column)
        return added

    def _check(self, levels: int) -> None:
        if levels >= DEEPEST:
            raise _too_deep(self.reader.get_mark())


class _ShallowRoundTripScanner(_ShallowScanner, RoundTripScanner):
    pass


def check_depth(text: str) -> None:
    """For other readers, who report themselves what is no YAML. Takes 0.03 s for a megabyte of examples.

    Raises:
        TooDeep: the text is nested deeper than `DEEPEST`.
    """
    try:
        _check_events(YAML(typ="safe").parse(text))
    except TooDeep:
        raise
    except Exception:  # in Python, the library may read what its C part does not
        try:
            for _ in shallow_yaml("safe").scan(text):
                pass
        except TooDeep:
            raise
        except Exception:  # the library raises more than YAMLError
            return


def _check_events(events: Iterable[Event]) -> None:
    depth = 0
    for event in events:
        if isinstance(event, (MappingStartEvent, SequenceStartEvent)):
            depth += 1
            if depth > DEEPEST:
                raise _too_deep(event.start_mark)
        elif isinstance(event, (MappingEndEvent, SequenceEndEvent)):
            depth -= 1


def _too_deep(mark: Any) -> TooDeep:
    return TooDeep(problem=f"nested more than {DEEPEST} levels deep", problem_mark=mark)


def shallow_yaml(kind: str) -> YAML:
    """A reader of the kind `rt` or `safe`, in pure Python, that raises `TooDeep`."""
    yaml = YAML(typ=kind, pure=True)
    yaml.Scanner = _ShallowRoundTripScanner if kind == "rt" else _ShallowScanner
    return yaml
