"""The result of a run: what was found in the corpus, and what every later step reads from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rasa_intent_discovery.datatypes import Array, Corpus, DiscoveredIntent, Impact, KEstimate, Placement
from rasa_intent_discovery.proposals.memory import Changes

if TYPE_CHECKING:  # it brings torch
    from rasa_intent_discovery.learning.recognizer import Recognizer


@dataclass(frozen=True, eq=False)
class Discovery:
    """The result of a run.

    Attributes:
        corpus: what was clustered.
        intents: the proposals, most messages first.
        placements: n, one for each row of the corpus.
        estimate: how many intents there are; None where the user said it.
        new_range: fewest and most new intents that are plausible, both included.
        coordinates: (n, 2) float32, a map of the messages on which alike ones are close.
        seconds: stage -> how long it took, in order.
        notes: stage -> what it found, plain values for `run.json`.
        impact: of all proposals together; None where there are none or it was not measured.
        nearly: row of a drafted message -> row of the training example that it nearly is.
        paths: row of a drafted message -> its path where its group falls into two again and again: at every
            fork `0` for the larger part and `1` for the other.
        changes: what became of the proposals of the last run; None where there was none.
        recognizer: tells the proposals in messages to come; None where there are none.
    """

    corpus: Corpus
    intents: tuple[DiscoveredIntent, ...]
    placements: tuple[Placement, ...]
    estimate: KEstimate | None
    new_range: tuple[int, int]
    coordinates: Array
    seconds: Mapping[str, float]
    notes: Mapping[str, Any]
    impact: Impact | None = None
    nearly: Mapping[int, int] = field(default_factory=dict)
    paths: Mapping[int, str] = field(default_factory=dict)
    changes: Changes | None = None
    recognizer: Recognizer | None = None

    def conflicts(self, rows: Iterable[int]) -> list[tuple[int, int]]:
        """Which of the rows are nearly an example of another intent than the one they were placed in.

        Returns:
            The row and that of the example, in the order of the rows.
        """
        return [(row, self.nearly[row]) for row in rows if row in self.nearly and not self._at_home(row)]

    def duplicates(self, rows: Iterable[int]) -> list[tuple[int, int]]:
        """Which of the rows are nearly an example of the intent they were placed in; as `conflicts`."""
        return [(row, self.nearly[row]) for row in rows if row in self.nearly and self._at_home(row)]

    def intent_of(self, example: int) -> str:
        """The intent of a training example, by its row."""
        found: str = self.corpus.intents[self.corpus.labels[example]]
        return found

    def _at_home(self, row: int) -> bool:
        return self.placements[row].intent == self.intent_of(self.nearly[row])
