"""What is alike in meaning: the messages near to one or to a query, and the draft that each is nearest to.

By the vectors that the run has kept in `vectors.npz`, which are read when they are first needed. What a
person types gets its vector from an encoder that the desk is given; messages have theirs, and need none.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from rasa_intent_discovery.datatypes import KNOWN, Array, normalized
from rasa_intent_discovery.drafts.folder import VECTORS, read_bytes
from rasa_intent_discovery.drafts.vectors import Vectors, read_vectors
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.kept_values import mapping_in
from rasa_intent_discovery.proposals.naming.languages import Language, language_of
from rasa_intent_discovery.proposals.reasons import EXAMPLE, is_unfamiliar
from rasa_intent_discovery.review.decisions.taken_examples import taken_before
from rasa_intent_discovery.review.decisions.under_review import Review, refused_of
from rasa_intent_discovery.review.messages.log import Log
from rasa_intent_discovery.review.messages.standing import example_rows, standing_of
from rasa_intent_discovery.review.messages.table import Message
from rasa_intent_discovery.review.numbers import DESK
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, IGNORED
from rasa_intent_discovery.training_data.text_identity import example_key, text_key

_NO_CENTER = -1


class TextEncoder(Protocol):
    """Makes a vector of a text, in the background."""

    def encode(self, text: str) -> Future[list[float]]:
        """Its vector, or a DiscoveryError that says why there is none."""
        ...

    def close(self) -> None:
        """Ends it."""
        ...


MakeEncoder = Callable[[Mapping[str, Any]], TextEncoder]


@dataclass(frozen=True, eq=False)
class Index:
    """The messages of a run with their vectors. A nearness is a cosine in per cent, 0 where it is negative.

    Attributes:
        rows: (n,) int64, row in `vectors` of every message, -1 where it has none.
        training: (m,) int64, the same of every training example.
        taken_out: intent -> `text_key` of what a person took out of it before the run.
    """

    log: Log
    vectors: Vectors
    rows: Array
    training: Array
    taken_out: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, log: Log, vectors: Vectors, run: Mapping[str, Any]) -> Index:
        """Finds the vectors of all messages and training examples."""
        rows = vectors.find(log.messages.texts)
        training = vectors.find(one.text for one in log.training)
        return cls(log, vectors, rows, training, taken_before(run))

    def vector(self, row: int) -> Array | None:
        """(d,) float32, of a message; None where none was kept, as of most where a sample was learnt from.

        Raises:
            DataError: there is no such message.
        """
        if not 0 <= row < len(self.rows):
            raise DataError("there is no such message any more: load the page again")
        found: Array = self.vectors.features[self.rows[row]]
        return found if self.rows[row] >= 0 else None

    def near(self, one: Array, first: int = -1) -> list[tuple[int, int]]:
        """Rows of messages and their nearness, nearest first; of equals `first`, then the most frequent."""
        having = np.flatnonzero(self.rows >= 0)
        nearness = percent((self.vectors.features @ one)[self.rows[having]])
        counts = self.log.messages.counts[having]
        order = np.lexsort((having, -counts, having != first, -nearness))[: DESK.most_near]
        return [(int(having[at]), int(nearness[at])) for at in order if nearness[at] > 0]

    def centers(self, review: Review) -> tuple[list[str], Array]:
        """The middles of all drafts that are not ignored and of the bot's intents, and their vectors.

        Returns:
            Paths of drafts, or names of intents that have none; and (k, d) float32, rows of length 1.
        """
        members: dict[str, list[int]] = {}
        for path, draft in review.drafts.items():
            if draft.decision != IGNORED:
                listed = example_rows(self.log, draft.examples)
                members[path] = self.rows[listed[listed >= 0]].tolist()
        for example, row in zip(self.log.training, self.training, strict=True):
            path = review.named(example.intent, KNOWN) or example.intent
            members.setdefault(path, []).append(row)
        there = {path: [row for row in rows if row >= 0] for path, rows in members.items()}
        there = {path: rows for path, rows in there.items() if rows}
        width = self.vectors.features.shape[1]
        middles = [self.vectors.features[rows].mean(0) for rows in there.values()]
        centers = np.array(middles, dtype=np.float32).reshape(-1, width)
        return [*there], normalized(centers)

    def intents_near(self, one: Array, review: Review) -> list[tuple[str, int]]:
        """The drafts and intents nearest to a vector, nearest first."""
        targets, centers = self.centers(review)
        nearness = percent(centers @ one)
        order = np.argsort(-nearness, kind="stable")[: DESK.near_intents]
        return [(targets[at], int(nearness[at])) for at in order if nearness[at] > 0]

    def elsewhere(self, review: Review, path: str) -> list[tuple[int, int]]:
        """Messages that are near to the middle of a draft and not in it, and how near.

        Those that are near to it and not as near to the middle of where they are. Nothing that the bot
        has as an example or that says nothing, and nothing that a person ignored, put where it is, accepted
        there, or said is not of that intent.

        Args:
            path: of the draft.

        Returns:
            Row of each message and its nearness to the middle of the draft, the nearest first; at most
            `DESK.most_elsewhere`.
        """
        targets, centers = self.centers(review)
        if path not in review.drafts or path not in targets:
            return []
        number = {target: at for at, target in enumerate(targets)}
        standing = standing_of(review, self.log)
        of_draft = np.array([number.get(one, _NO_CENTER) for one in standing.paths])
        # Of a message in no draft there is no such place either, but it may go anywhere.
        place = np.where(standing.now >= 0, of_draft[standing.now], _NO_CENTER)
        asked = (self.rows >= 0) & (place != number[path]) & ((standing.now < 0) | (place != _NO_CENTER))
        accepted = np.array([review.drafts[one].decision == ACCEPTED for one in standing.paths], dtype=bool)
        asked &= (standing.now == standing.run) & ~(standing.listed & accepted[standing.now])
        rows = np.flatnonzero(asked)
        rows = rows[~self._is_refused(review, path, rows)]
        nearness = percent((self.vectors.features @ centers[number[path]])[self.rows[rows]])
        near = nearness >= DESK.least_hint
        rows, nearness = rows[near], nearness[near]
        there = percent((self.vectors.features[self.rows[rows]] * centers[place[rows]]).sum(1))
        there = np.where(place[rows] == _NO_CENTER, DESK.least_hint, there)
        order = np.lexsort((rows, there - 2 * nearness))
        found = ((int(rows[at]), int(nearness[at])) for at in order)
        chosen = islice((one for one in found if self._may_go(one[0])), DESK.most_elsewhere)
        return sorted(chosen, key=lambda one: -one[1])

    def likely(self, review: Review, rows: Sequence[int]) -> dict[int, list[str]]:
        """Row of a message -> the drafts and intents that it is nearest to, beside the one it is in.

        None that a person took it out of, and none that it is not near to.

        Args:
            rows: what is no row, has no vector, or was put where it is by a person, is passed over.
        """
        targets, centers = self.centers(review)
        standing = standing_of(review, self.log)
        asked = np.array([row for row in rows if 0 <= row < len(self.rows)], dtype=np.int64)
        asked = asked[(self.rows[asked] >= 0) & (standing.now[asked] == standing.run[asked])]
        nearness = percent(self.vectors.features[self.rows[asked]] @ centers.T)
        for at, target in enumerate(targets):
            nearness[self._is_refused(review, target, asked), at] = 0
            if target in review.drafts:
                nearness[standing.now[asked] == standing.paths.index(target), at] = 0
        order = np.argsort(-nearness, axis=1, kind="stable")[:, : DESK.likely_targets].tolist()
        return {
            row: [targets[one] for one in best if nearness[at, one] >= DESK.least_hint]
            for at, (row, best) in enumerate(zip(asked.tolist(), order, strict=True))
        }

    def _is_refused(self, review: Review, target: str, rows: Sequence[int] | Array) -> Array:
        """(n,) bool, which of some messages a person took out of a draft, or of the intent of that name."""
        draft = review.drafts.get(target)
        said = self.taken_out.get(target if draft is None else draft.intent, frozenset())
        said |= frozenset(map(example_key, () if draft is None else refused_of(draft)))
        if not said:
            return np.zeros(len(rows), dtype=bool)
        return np.array([text_key(self.log.messages.texts[row]) in said for row in rows], dtype=bool)

    def _may_go(self, row: int) -> bool:
        message = self.log.messages[row]
        return message.reason != EXAMPLE and _says_something(message, language_of(self.log.language))

    def left_over(self, review: Review, wanted: Sequence[int] | None = None) -> dict[int, tuple[str, int]]:
        """Row of each message that is in no draft and near to something -> what that is, and how near.

        Those that say nothing are left out: what is near to `haha` is so by chance. No intent that a person
        took the message out of is said to be near.

        Args:
            wanted: rows; None for all.
        """
        targets, centers = self.centers(review)
        rows = standing_of(review, self.log).left_over()
        if wanted is not None:
            rows = rows[np.isin(rows, [row for row in wanted if 0 <= row < len(self.rows)])]
        left = rows[self.rows[rows] >= 0].tolist()
        if not targets or not left:
            return {}
        nearness = percent(self.vectors.features[self.rows[left]] @ centers.T)
        for at, target in enumerate(targets):
            nearness[self._is_refused(review, target, left), at] = 0
        best = nearness.argmax(1)
        found = zip(left, best, nearness.max(1).tolist(), strict=True)
        spoken = language_of(self.log.language)
        return {
            row: (targets[at], near)
            for row, at, near in found
            if near >= DESK.least_hint and _says_something(self.log.messages[row], spoken)
        }


def _says_something(message: Message, spoken: Language) -> bool:
    """Whether a message may say what it is about: by a content word, and not by one unfamiliar word, `um`."""
    words = {*spoken.words(message.text)}
    return any(map(spoken.is_content, words)) and (len(words) > 1 or not is_unfamiliar(message.reason))


def percent(cosines: Array) -> Array:
    """Cosines as whole numbers, 0..100."""
    found: Array = np.rint(100 * np.clip(cosines, 0, 1)).astype(np.int64)
    return found


class Meaning:
    """The search by meaning of one run: what it needs is read and started when somebody searches.

    Args:
        make_encoder: of the settings of a run; None where there is nothing that makes vectors of texts.
    """

    def __init__(
        self, folder: Path, log: Log, run: Mapping[str, Any], make_encoder: MakeEncoder | None
    ) -> None:
        self._folder, self._log, self._run = folder, log, run
        self._settings = mapping_in(run, "settings")
        self._make_encoder = make_encoder
        self._index: Index | None = None
        self._reading = threading.Lock()
        self._encoder: TextEncoder | None = None
        self._asked: dict[str, Future[list[float]]] = {}
        self._closed = False

    def index(self) -> Index:
        """The messages with their vectors.

        Raises:
            DataError: the run kept none, or they cannot be read.
        """
        with self._reading:
            return self._read()

    def _read(self) -> Index:
        if self._index is None:
            path = self._folder / VECTORS
            if not path.exists():
                raise DataError("this run has kept no vectors of its messages: they come with the next run")
            try:
                vectors = read_vectors(read_bytes(path), path)
            except DataError as error:
                raise DataError(f"{error}: it comes again with the next run") from None
            self._index = Index.of(self._log, vectors, self._run)
        return self._index

    def of_text(self, text: str) -> Future[list[float]]:
        """What the encoder of the run makes of a text; a future that is done where it was asked before.

        One that failed is given once: who asks for the text again has it tried again.

        Raises:
            DataError: as `index`, there is no encoder, or this was closed.
        """
        self.index()
        if self._closed:
            raise DataError("the drafts are those of another run now: load the page again")
        if text not in self._asked:
            if self._make_encoder is None or "encoder" not in self._settings:
                raise DataError("what was typed cannot be compared: run.json names no encoder")
            self._encoder = self._encoder or self._make_encoder(self._settings)
            self._asked[text] = self._encoder.encode(text)
            for oldest in [*self._asked][: -DESK.remembered_texts]:
                del self._asked[oldest]
        found = self._asked[text]
        if found.done() and found.exception() is not None:
            del self._asked[text]
        return found

    def close(self) -> None:
        """Ends the encoder, if there is one; no other is started."""
        self._closed = True
        if self._encoder is not None:
            self._encoder.close()
