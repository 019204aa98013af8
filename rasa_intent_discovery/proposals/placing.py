"""Where messages belong that were not learnt from: the learnt ones nearest to them vote. Works on blocks.

Each learnt message and example votes for the place it was given, and a message gets the place with most
votes: a proposal, a known intent, or none, where those like it are left over. What is placed so is as often
right as what is learnt from (docs/experiments.md, "Growth").
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rasa_intent_discovery.clustering.features import shares
from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.neighbor_vote import NeighborVote, side_by_side
from rasa_intent_discovery.clustering.neighbors import nearest_neighbors
from rasa_intent_discovery.clustering.stability import sample
from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, UNLABELED, Array, Placement, Points, normalized
from rasa_intent_discovery.proposals.reasons import EXAMPLE, FAR, NEAR_KNOWN, NEAR_REJECTED

#: Whether something is new, known or left over, and its intent.
Place = tuple[str, str | None]

#: Where what is left over is.
NOWHERE: Place = (LEFT_OVER, None)


@dataclass(frozen=True, eq=False)
class PlacedBlock:
    """Where b messages were placed.

    Attributes:
        place: (b,) int64, an index into `Placer.places`.
        like: (b,) int64, the nearest point that has this place; -1 where a message is far from all.
        confidence: (b,) float32, 0..1, in the sense of every other placement.
        closeness: (b,) float32, cosine to the centre of the place; 0 where a message is left over.
    """

    place: Array
    like: Array
    confidence: Array
    closeness: Array


@dataclass(frozen=True, eq=False)
class Placer:
    """Places messages by m learnt rows.

    Attributes:
        places: p different ones; the first is that of what is left over.
        of_points: (m,) int64, the place of each learnt row.
        reasons: m, why a message is placed like this row.
        confidences: (m,) float32, 0..1, of the placement of each row with a known intent; 1 of all others.
        vote: of the rows.
        centers: (p, d) float32, of length 1, the mean of each place's rows; zero for the first.
        least: cosine to the nearest row below which a message is far from all.
    """

    places: tuple[Place, ...]
    of_points: Array
    reasons: tuple[str, ...]
    confidences: Array
    vote: NeighborVote
    centers: Array
    least: float

    @classmethod
    def of(
        cls,
        points: Points,
        pretrained: Array,
        placements: Sequence[Placement],
        rejecting: Collection[str],
        seed: int,
    ) -> Placer:
        """From the places that a run gave to what it learnt from.

        Args:
            points: the m learnt rows, in the space they were clustered in.
            pretrained: (m, h) float32, their pretrained features.
            placements: of all rows of the corpus.
            rejecting: the intents that reject messages.
            seed: of the rows that are asked how close others usually are.
        """
        placed = [placements[row] for row in points.rows.tolist()]
        given = [_given(placement, rejecting) for placement in placed]
        places = (NOWHERE, *sorted({place for place, _ in given} - {NOWHERE}, key=str))
        number = {place: index for index, place in enumerate(places)}
        of_points = np.array([number[place] for place, _ in given], dtype=np.int64)
        unit = points.normalized().features
        sums = np.zeros((len(places), unit.shape[1]), dtype=np.float32)
        np.add.at(sums, of_points, unit)
        sums[0] = 0.0
        vote = NeighborVote.of(side_by_side(points.features, pretrained), of_points - 1, seed, len(unit))
        logged = np.flatnonzero((points.labels == UNLABELED) & (of_points > 0))
        some = logged[sample(len(logged), GROUPING.most_log_rows, np.random.default_rng(seed))]
        usual = nearest_neighbors(vote.rows[some], vote.rows, 1, some)[0] if len(some) else np.zeros(1)
        least = float(np.quantile(usual, GROUPING.far_from_all))
        reasons = tuple(reason for _, reason in given)
        confidences = [one.confidence if one.placement == KNOWN else 1.0 for one in placed]
        sure = np.array(confidences, dtype=np.float32)
        return cls(places, of_points, reasons, sure, vote, normalized(sums), least)

    def __call__(self, features: Array, pretrained: Array) -> PlacedBlock:
        """Places b messages.

        Args:
            features, pretrained: (b, d) and (b, h) float32, as of the learnt rows.
        """
        votes = self.vote.votes(side_by_side(features, pretrained))
        every = np.arange(len(features))
        place = votes.shares.argmax(1)
        same = self.of_points[votes.voters] == place[:, None]
        like = votes.voters[every, same.argmax(1)]
        far = votes.nearest < self.least
        place[far], like[far] = 0, -1
        similarity = normalized(features) @ self.centers.T
        sure = shares(similarity[:, 1:]) if len(self.places) > 1 else np.zeros((len(features), 1))
        own = np.minimum(sure[every, np.maximum(place - 1, 0)], self.confidences[like])
        confidence = np.where(place > 0, own, 1.0 - sure.max(1))
        return PlacedBlock(place, like, confidence, similarity[every, place])

    def digest(self) -> str:
        """A hash of all that decides on where a message is placed."""
        found = hashlib.sha256(json.dumps([self.places, self.reasons, self.least]).encode())
        for array in (self.of_points, self.confidences, *vars(self.vote).values(), self.centers):
            found.update(f"{array.dtype} {array.shape}".encode() + np.ascontiguousarray(array).tobytes())
        return found.hexdigest()

    def placements(self, block: PlacedBlock) -> Iterator[Placement]:
        """Of each message of a block, with a reason."""
        columns = (block.place.tolist(), block.like.tolist(), block.confidence.tolist())
        for place, like, confidence in zip(*columns, strict=True):
            kind, intent = self.places[place]
            yield Placement(kind, intent, confidence, FAR if like < 0 else self.reasons[like])


def placed_arrays(placer: Placer, features: Array, pretrained: Array) -> dict[str, Array]:
    """The arrays of a `PlacedBlock`, by name: what another process can send and a file can hold."""
    return vars(placer(features, pretrained))


def _given(placement: Placement, rejecting: Collection[str]) -> tuple[Place, str]:
    """The place a learnt row votes for, and why a message is there that is like it."""
    kind, intent, reason = placement.placement, placement.intent, placement.reason
    if reason != EXAMPLE:
        return (kind, intent), reason
    if intent in rejecting:
        return NOWHERE, f"{NEAR_REJECTED} {intent}"
    return (kind, intent), NEAR_KNOWN
