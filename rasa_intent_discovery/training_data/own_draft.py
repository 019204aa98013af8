"""Reads a draft that is written as this program writes it, without a YAML library: a hundred times as fast.

What is read here is written again by the caller and compared, so what a person has changed is never misread:
it takes the other way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_START = 'version: "3.1"\nnlu:\n- intent: '
_EXAMPLES = "\n  examples: |\n"
_EXAMPLE = "    - "
_METADATA = "\n  metadata:\n    discovery:\n      "
# A text in quotes, a number without an exponent, or a plain word.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?![\w.+-])|[^\W\d_](?:[\w./-]*\w)?|[^\[\]{},: ]')
_KEY = re.compile(r'("(?:[^"\\]|\\.)*"|[^\W\d_](?:[\w./-]*\w)?):(?: |$)')
_CONSTANTS = {"true", "false", "null"}


def read_own(text: str, header: str) -> tuple[str, dict[str, Any], list[str]] | None:
    """Intent, what stands below `discovery:`, and examples; None where it is not as this program writes it.

    Args:
        header: the comment at its beginning.
    """
    head, found, block = text.partition(_EXAMPLES)
    if not (found and head.startswith(header + _START) and (not block or block.endswith("\n"))):
        return None
    intent, found, told = head[len(header + _START) :].partition(_METADATA)
    lines = block.split("\n")[:-1]
    if not found or "\n" in intent or not all(line.startswith(_EXAMPLE) for line in lines):
        return None
    try:
        metadata = dict(_entries(told.split("\n")))
        return str(_value(intent)), metadata, [line[len(_EXAMPLE) :] for line in lines]
    except (ValueError, RecursionError):
        return None


def _entries(lines: list[str]) -> Iterator[tuple[str, Any]]:
    """The keys and values of the evidence; a list of mappings has one mapping in each line."""
    at = 0
    while at < len(lines):
        key = _KEY.match(line := lines[at].strip(" "))
        if key is None:
            raise ValueError
        at += 1
        items = []
        while at < len(lines) and lines[at].lstrip(" ").startswith("- "):
            items.append(_value(lines[at].lstrip(" ")[2:]))
            at += 1
        written = line[key.end() :]
        if bool(items) == bool(written):
            raise ValueError
        yield str(_value(key[1])), items or _value(written)


def _value(written: str) -> Any:
    """A value in flow style: JSON in which words without quotes are texts."""
    return json.loads(_TOKEN.sub(_quoted, written))


def _quoted(token: re.Match[str]) -> str:
    found = token[0]
    if found[0] == '"' or found[0] in "-0123456789" or found in _CONSTANTS:
        return found
    if not found[0].isalpha():
        raise ValueError
    return json.dumps(found)
