"""The limits of this room, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DraftNumbers:
    """Limits of writing the folder of drafts, and of what `apply` prints. All set by hand.

    Attributes:
        lock_seconds: how long a run waits for another that writes the same folder: the drafts of a large log
            take seconds.
        poll_seconds: how often it looks again.
        longest_file_name: bytes. File systems end at 255, and people move folders around.
        most_conflicts: how many `apply` lists: more are too many to read in a terminal.
    """

    lock_seconds: float = 60.0
    poll_seconds: float = 0.05
    longest_file_name: int = 120
    most_conflicts: int = 10


DRAFTS = DraftNumbers()
