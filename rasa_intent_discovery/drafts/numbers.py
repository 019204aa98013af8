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
        write_tries: how often a run reads drafts anew that a person changed while it wrote: each try takes
            seconds at most, and decisions are made slower than that.
        most_vector_bytes: of `vectors.npz`: 160,000 texts with the embedded encoder. The first
            search reads all of it, and the desk holds it four times as large. Of more texts, some have one.
        most_examples: of a draft: a classifier learns little from more of one intent, people read fewer,
            and Rasa trains on all. No draft of the benchmarks has so many. The other messages of the intent
            are counted in its evidence and stand in `assignments.jsonl`; the desk adds those that are wanted.
        frequent_examples: of these, the part that is logged most often, where there are more messages; the
            others are from all over the intent, from the most typical to the least.
        most_points: on the map: of more, some stand for all, as nobody can tell so many dots apart.
        least_points: of each intent, among them.
        most_told: messages that are listed with what an answer did: as many as a person reads to see whether
            they belong.
        most_conflicts: how many `apply` lists: more are too many to read in a terminal.
    """

    lock_seconds: float = 60.0
    poll_seconds: float = 0.05
    longest_file_name: int = 120
    write_tries: int = 20
    most_vector_bytes: int = 64_000_000
    most_examples: int = 500
    frequent_examples: float = 0.5
    most_points: int = 50_000
    least_points: int = 50
    most_told: int = 50
    most_conflicts: int = 10


DRAFTS = DraftNumbers()
