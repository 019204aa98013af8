"""How many there are of something, in words."""

from __future__ import annotations


def counted(count: int, one: str) -> str:
    """A number with what is counted; the plural is that with an `s`.

    >>> counted(1, "message"), counted(0, "message"), counted(1234, "further example")
    ('1 message', '0 messages', '1,234 further examples')
    """
    return f"1 {one}" if count == 1 else f"{count:,} {one}s"
