"""How many there are of something, in words."""

from __future__ import annotations


def counted(count: int, one: str, many: str | None = None) -> str:
    """A number with what is counted.

    Args:
        many: what is said of several, where that is not what is said of one with an `s` behind it.

    >>> counted(1, "message"), counted(0, "message"), counted(1234, "further example")
    ('1 message', '0 messages', '1,234 further examples')
    >>> counted(1, "draft is", "drafts are"), counted(2, "draft is", "drafts are")
    ('1 draft is', '2 drafts are')
    """
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"
