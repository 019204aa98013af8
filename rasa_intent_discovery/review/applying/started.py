"""What a program says that was started from a review."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Started:
    """What it says, while it runs and afterwards.

    Attributes:
        running: whether it does.
        says: what it is at, or how it ended.
        fine: whether it ended well; None while that is not known.
    """

    running: bool
    says: str
    fine: bool | None = None
