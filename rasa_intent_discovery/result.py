"""The result of a run, which every later step reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rasa_intent_discovery.datatypes import (
    KNOWN,
    Array,
    Corpus,
    DiscoveredIntent,
    Impact,
    KEstimate,
    Placement,
    Points,
)
from rasa_intent_discovery.proposals.answers import AnswerEffect, Joined, Parted, Question
from rasa_intent_discovery.proposals.memory.earlier import Changes
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.proposals.reasons import BORDERLINE, FOREIGN

if TYPE_CHECKING:  # they import torch and scikit-learn
    from rasa_intent_discovery.learning.recognizer import Recognizer
    from rasa_intent_discovery.proposals.parts import KnownPart


@dataclass(frozen=True, eq=False)
class Sample:
    """What was learnt from of a log that is too large to learn from all, and what became of the rest.

    Attributes:
        rows: (m,) int64, ascending: the rows of the corpus that were learnt from, examples among them.
        placed: how many other distinct messages were placed by those.
        far: how many of these are far from all that was learnt, so that they are left over.
    """

    rows: Array
    placed: int
    far: int


@dataclass(frozen=True, eq=False)
class Discovery:
    """The result of a run.

    Attributes:
        corpus: the texts that were clustered.
        intents: the proposals, most messages first.
        placements: n, one for each row of the corpus.
        estimate: the number of intents; None if the user gave it.
        new_range: fewest and most new intents that are plausible, both included.
        coordinates: (n, 2) float32, a map of the messages on which similar ones are close; NaN for those that
            were not learned from.
        seconds: stage -> its duration, in order.
        notes: stage -> its measurements, as plain values for `run.json`.
        impact: of all proposals together; None if there are none or it was not measured.
        nearly: row of a drafted message -> row of the training example that it almost equals.
        paths: row of a drafted message -> its path in the repeated splitting of its group into two: at each
            split `0` for the larger part and `1` for the other.
        families: names of proposals that may be parts of one wish, in each family the largest proposal first;
            the largest family first.
        subjects: the same of proposals that are alike, each family in one of them.
        changes: what became of the proposals of the last run; None if there was none.
        recognizer: assigns future messages to the proposals; None if there are none.
        parts: of known intents, that may be wishes of their own.
        questions: which messages belong together, where that is least sure; what is worth most first.
        answers: what a person answered that may be why a proposal is missing.
        joined, parted: what came into proposals, and went out of them, with what was answered.
        pretrained: what the untrained encoder made of the rows that were learned from, and of those of
            unfamiliar words or in other languages.
        foreign: row -> the language it is in, of those that the bot does not speak.
        sample: of the other messages, where a sample was learned from; None where all were.
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
    families: tuple[tuple[str, ...], ...] = ()
    subjects: tuple[tuple[str, ...], ...] = ()
    changes: Changes | None = None
    recognizer: Recognizer | None = None
    parts: tuple[KnownPart, ...] = ()
    questions: tuple[Question, ...] = ()
    answers: tuple[AnswerEffect, ...] = ()
    joined: tuple[Joined, ...] = ()
    parted: tuple[Parted, ...] = ()
    pretrained: Points | None = None
    foreign: Mapping[int, str] = field(default_factory=dict)
    sample: Sample | None = None

    def learnt_from(self, rows: Sequence[int]) -> list[int]:
        """Those of some placed rows that were learnt from, in their order; no examples are made of others."""
        if self.sample is None:
            return list(rows)
        return [row for row, learnt in zip(rows, np.isin(rows, self.sample.rows), strict=True) if learnt]

    def conflicts(self, rows: Iterable[int]) -> list[tuple[int, int]]:
        """The rows that almost equal an example of another intent than the one they were placed in.

        Returns:
            Pairs of the row and the row of the example, in the order of the rows.
        """
        return [(row, self.nearly[row]) for row in rows if row in self.nearly and not self._same_intent(row)]

    def duplicates(self, rows: Iterable[int]) -> list[tuple[int, int]]:
        """The rows that almost equal an example of the intent they were placed in; as `conflicts`."""
        return [(row, self.nearly[row]) for row in rows if row in self.nearly and self._same_intent(row)]

    def answers_gap(self, name: str) -> float | None:
        """How much less alike what came with answers is to the rest; None where nothing came."""
        return max((one.gap for one in self.joined if one.proposal == name), default=None)

    def siblings(self, name: str) -> tuple[str, ...]:
        """The other proposals of the family of one; none where it has no family."""
        family = next((family for family in self.families if name in family), ())
        return tuple(one for one in family if one != name)

    @property
    def borderline(self) -> dict[str, int]:
        """Known intent -> how many distinct messages placed in it look new, the most first."""
        placed = (place.intent for place in self.placements if place.reason == BORDERLINE)
        return dict(Counter(intent for intent in placed if intent is not None).most_common())

    @property
    def suspicious(self) -> tuple[str, ...]:
        """The known intents that may hold a new one: much of what was placed in them looks new."""
        placed = Counter(
            place.intent
            for place, labeled in zip(self.placements, self.corpus.labeled, strict=True)
            if place.placement == KNOWN and not labeled
        )
        return tuple(
            intent
            for intent, count in self.borderline.items()
            if count >= PROPOSALS.suspicious_rows and count >= PROPOSALS.suspicious_share * placed[intent]
        )

    @property
    def messages_in_other_languages(self) -> dict[str, int]:
        """Language that the bot does not speak -> how many messages were logged in it, the most first."""
        counted = Counter[str]()
        for row, language in self.foreign.items():
            counted[language] += int(self.corpus.counts[row])
        return dict(counted.most_common())

    @property
    def messages_in_foreign_groups(self) -> int:
        """How many more there are in groups of several languages that the bot does not speak, or of noise."""
        rows = [row for row, placed in enumerate(self.placements) if placed.reason == FOREIGN]
        return int(self.corpus.counts[rows].sum())

    def intent_of(self, example: int) -> str:
        """The intent of a training example, by its row."""
        found: str = self.corpus.intents[self.corpus.labels[example]]
        return found

    def _same_intent(self, row: int) -> bool:
        return self.placements[row].intent == self.intent_of(self.nearly[row])
