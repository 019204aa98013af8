"""Makes any text safe to be shown: printed, or put on a page."""

from __future__ import annotations

import json
import re
from typing import Any

_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

# What a terminal obeys, and what turns the order of what follows; a name of a file that is no text is told.
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """The text with control characters, lone surrogates and noncharacters replaced by U+FFFD."""
    return _UNPRINTABLE.sub("\ufffd", text)


def for_terminal(text: str) -> str:
    r"""The text with what would change a terminal, or the order of its characters, replaced by U+FFFD.

    >>> for_terminal("columns: \x1b[2Jname")
    'columns: �[2Jname'
    """
    return _OBEYED.sub("\ufffd", text)


def script_json(value: Any) -> str:
    r"""JSON that is safe inside `<script>`: nothing in it ends the element or opens a comment.

    >>> script_json(["</script>"])
    '["\\u003c/script\\u003e"]'
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
