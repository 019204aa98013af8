"""YAML readers that refuse what is nested deeper than any training data.

ruamel.yaml takes minutes for some thousand brackets in brackets, and ends in a RecursionError.
"""

from __future__ import annotations

from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
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
            mark = self.reader.get_mark()
            raise TooDeep(problem=f"nested more than {DEEPEST} levels deep", problem_mark=mark)


class _ShallowRoundTripScanner(_ShallowScanner, RoundTripScanner):
    pass


def shallow_yaml(kind: str) -> YAML:
    """A reader of the kind `rt` or `safe`, in pure Python, that raises `TooDeep`."""
    yaml = YAML(typ=kind, pure=True)
    yaml.Scanner = _ShallowRoundTripScanner if kind == "rt" else _ShallowScanner
    return yaml
