"""What stands under a key of a JSON file that a person, git or an earlier version may have changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def mapping_in(content: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The object there; an empty one where there is none, or something else.

    >>> mapping_in({"read": {"messages": 3}}, "read"), mapping_in({"read": [3]}, "read")
    ({'messages': 3}, {})
    """
    value = content.get(key)
    return value if isinstance(value, Mapping) else {}


def list_in(content: Mapping[str, Any], key: str) -> list[Any]:
    """The list there; an empty one where there is none, or something else.

    >>> list_in({"families": [["a", "b"]]}, "families"), list_in({"families": None}, "families")
    ([['a', 'b']], [])
    """
    value = content.get(key)
    return value if isinstance(value, list) else []
