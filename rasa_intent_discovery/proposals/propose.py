"""Groups -> proposals: which groups are new intents, and where every message belongs.

Nothing is proposed because it is a group. A proposal has enough messages, comes back when part of them is
left out, keeps its messages' neighbours, and its messages share words; every message says why it ended where
it did.
"""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from rasa_intent_discovery.clustering.features import normalized, shares
from rasa_intent_discovery.clustering.groups import FEWEST, Groups, groups_among_neighbors
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW, Corpus, DiscoveredIntent, Placement
from rasa_intent_discovery.proposals.naming import name_intent
from rasa_intent_discovery.proposals.words import WordStatistics
from rasa_intent_discovery.training_data.intent_names import NEVER_KNOWN

logger = logging.getLogger(__name__)

# A group is an intent when its belonging plus this much of its word coverage reaches the least evidence.
# Either alone lets heaps of small talk through or loses intents that people phrase in many ways.
COVERAGE_WEIGHT = 0.3
LEAST_EVIDENCE = 0.9
# A stricter and a more generous reader would draw the line here.
STRICT_EVIDENCE = 1.05
GENEROUS_EVIDENCE = 0.75
LEAST_STABILITY = 0.4
# Of many messages that belong to nothing, some are alike by chance.
LEAST_SHARE_OF_REST = 0.01
# Of phrases to some of the groups' rows: what `Learned.closeness` is.
_Closeness = Callable[[np.ndarray, Sequence[str]], np.ndarray]
_NEAR_DUPLICATE = 0.97
_KEYWORDS = 8

EXAMPLE = "is already a training example of this intent"
NEAR_KNOWN = "is closest to the examples of this intent"
NEAR_REJECTED = "is closest to the examples of"
IN_PROPOSAL = "belongs to a group of messages that no known intent explains"
FAR = "is not close enough to any intent or group"
HEAP = "is in a loose group: its neighbours belong elsewhere and share no words with it"
UNSTABLE = "is in a group that comes apart when part of the messages is left out"
RARE = "too few messages want this"
SMALLER = "is in a smaller group than the number of new intents you asked for"
UNFAMILIAR = "its words are hardly used elsewhere: typing noise or another language"


def propose_intents(
    corpus: Corpus,
    groups: Groups,
    statistics: WordStatistics,
    config: DiscoveryConfig,
    taken: Sequence[str] = (),
    closeness: _Closeness | None = None,
) -> tuple[tuple[DiscoveredIntent, ...], tuple[Placement, ...]]:
    """The proposals, most messages first, and the placement of every row of the corpus.

    Args:
        taken: names beside those of the known intents that a proposal may not bear.
        closeness: how close phrases are to rows of the groups, as `Learned.closeness`: for the names.
    """
    known = len(corpus.intents)
    refusals = _refusals(corpus, groups, statistics, config)
    if config.num_intents is not None:
        refusals = _without_more_than_asked(refusals, corpus, groups, config)
    kept = np.array([group < known or refusals[group] is None for group in range(groups.k)], dtype=bool)
    homes = groups.joined(kept)
    centers = normalized(groups.centers())
    similarity = groups.features @ centers.T
    confidence = _confidence(similarity, homes, kept)
    members = {}
    for group in np.flatnonzero(kept)[known:].tolist():
        inside = np.flatnonzero((homes == group) & ~corpus.labeled[groups.rows])
        members[group] = inside[np.argsort(-similarity[inside, group], kind="stable")]
    intents = _describe(corpus, groups, statistics, members, similarity, centers, taken, closeness)
    placements = [Placement(LEFT_OVER, None, 1.0, UNFAMILIAR)] * len(corpus.texts)
    for index, row in enumerate(groups.rows):
        home, sure = int(homes[index]), float(confidence[index])
        if home == UNGROUPED:
            reason = refusals.get(int(groups.assignments[index])) or FAR
            placements[row] = Placement(LEFT_OVER, None, sure, reason)
        elif home >= known:
            placements[row] = Placement(NEW, intents[home].name, sure, IN_PROPOSAL)
        elif corpus.intents[home] in NEVER_KNOWN:
            reason = f"{NEAR_REJECTED} {corpus.intents[home]}"
            placements[row] = Placement(LEFT_OVER, None, sure, reason)
        else:
            placements[row] = Placement(KNOWN, corpus.intents[home], sure, NEAR_KNOWN)
    for row in np.flatnonzero(corpus.labeled):
        placements[row] = Placement(KNOWN, corpus.intents[corpus.labels[row]], 1.0, EXAMPLE)
    ranked = sorted(intents.values(), key=lambda intent: (-intent.messages, intent.name))
    return tuple(ranked), tuple(placements)


def look_again(corpus: Corpus, groups: Groups, statistics: WordStatistics, config: DiscoveryConfig) -> Groups:
    """Adds groups of messages that nothing explains yet, each message together with the most similar ones.

    Each group must stand up to what every proposal must, and hold a hundredth of the messages that are left.
    The closest come first, and what is in them is not looked at again.
    """
    refusals = _refusals(corpus, groups, statistics, config)
    kept = np.array([refusals.get(group) is None for group in range(groups.k)], dtype=bool)
    for distance in groups.among_neighbors:
        free = groups.unexplained(kept)
        least = LEAST_SHARE_OF_REST * corpus.counts[groups.rows[free]].sum()
        more = groups_among_neighbors(groups, free, distance, config.seed)
        chosen = [
            group
            for group in range(more.k)
            if _messages(corpus, more, group) >= least
            and _refusal(corpus, more, group, statistics, config) is None
        ]
        groups = groups.with_more(more, np.array(chosen, dtype=np.int64))
        kept = np.append(kept, np.ones(len(chosen), dtype=bool))
    return groups


def plausible_range(
    corpus: Corpus, groups: Groups, statistics: WordStatistics, config: DiscoveryConfig
) -> tuple[int, int]:
    """Fewest and most new intents: with a stricter and with a more generous demand on evidence."""
    evidence = [
        _evidence(rows, statistics, float(groups.belonging[group]))
        for group in range(len(corpus.intents), groups.k)
        if _enough(corpus, rows := _logged(corpus, groups, group), config)
    ]
    strict, generous = (
        sum(value >= least for value in evidence) for least in (STRICT_EVIDENCE, GENEROUS_EVIDENCE)
    )
    return strict, generous


def _logged(corpus: Corpus, groups: Groups, group: int) -> np.ndarray:
    """The rows of a group that are no training example."""
    rows = groups.rows[groups.assignments == group]
    return rows[~corpus.labeled[rows]]


def _messages(corpus: Corpus, groups: Groups, group: int) -> int:
    """How many messages were logged that are in a group."""
    return int(corpus.counts[_logged(corpus, groups, group)].sum())


def _refusals(
    corpus: Corpus, groups: Groups, statistics: WordStatistics, config: DiscoveryConfig
) -> dict[int, str | None]:
    """Why each new group is no proposal; None if it is one."""
    return {
        group: _refusal(corpus, groups, group, statistics, config)
        for group in range(len(corpus.intents), groups.k)
    }


def _without_more_than_asked(
    refusals: Mapping[int, str | None], corpus: Corpus, groups: Groups, config: DiscoveryConfig
) -> dict[int, str | None]:
    """The same, and of the others only the largest, as many as were asked for."""
    fine = [group for group, refusal in refusals.items() if refusal is None]
    fine.sort(key=lambda group: (-_messages(corpus, groups, group), group))
    return {**refusals, **dict.fromkeys(fine[config.num_intents :], SMALLER)}


def _refusal(
    corpus: Corpus,
    groups: Groups,
    group: int,
    statistics: WordStatistics,
    config: DiscoveryConfig,
) -> str | None:
    rows = _logged(corpus, groups, group)
    if not _enough(corpus, rows, config):
        return RARE
    if groups.stability[group] < LEAST_STABILITY:
        return UNSTABLE
    return None if _evidence(rows, statistics, float(groups.belonging[group])) >= LEAST_EVIDENCE else HEAP


def _enough(corpus: Corpus, rows: np.ndarray, config: DiscoveryConfig) -> bool:
    return bool(corpus.counts[rows].sum() >= config.min_messages and len(rows) >= FEWEST)


def _evidence(rows: np.ndarray, statistics: WordStatistics, belonging: float) -> float:
    return belonging + COVERAGE_WEIGHT * statistics.coverage(rows.tolist())


def _confidence(similarity: np.ndarray, homes: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """(m,) 0..1: softmax over the cosines to the centres that are kept, read at the own one.

    Of a row that has none it says how sure it is that it has none: one less the share of the nearest.
    """
    weights = shares(similarity[:, kept])
    column = np.cumsum(kept) - 1
    own = weights[np.arange(len(homes)), column[np.maximum(homes, 0)]]
    return np.where(homes == UNGROUPED, 1.0 - weights.max(1), own)


def _describe(
    corpus: Corpus,
    groups: Groups,
    statistics: WordStatistics,
    members: Mapping[int, np.ndarray],
    similarity: np.ndarray,
    centers: np.ndarray,
    taken: Sequence[str],
    closeness: _Closeness | None,
) -> dict[int, DiscoveredIntent]:
    """A name and the evidence for each accepted group.

    Args:
        members: group -> its messages (indices into the groups' rows), most typical first.
        similarity: (m, k) cosines of the rows to the centres; centers: (k, d), of length 1.
    """
    names = [*corpus.intents, *NEVER_KNOWN, *taken]
    to_known = centers @ centers[: len(corpus.intents)].T
    intents = {}
    for group, inside in sorted(
        members.items(), key=lambda item: -int(corpus.counts[groups.rows[item[1]]].sum())
    ):
        rows = groups.rows[inside]
        name = name_intent(rows.tolist(), statistics, names, closeness and partial(closeness, inside))
        names.append(name)
        nearest_known = int(to_known[group].argmax())
        intents[group] = DiscoveredIntent(
            name=name,
            members=tuple(rows.tolist()),
            examples=tuple(rows[_without_near_duplicates(groups.features[inside])].tolist()),
            messages=int(corpus.counts[rows].sum()),
            distinct=len(rows),
            cohesion=float(similarity[inside, group].mean()),
            stability=float(groups.stability[group]),
            nearest_known=corpus.intents[nearest_known],
            similarity=float(to_known[group, nearest_known]),
            keywords=tuple(statistics.distinctive(rows.tolist())[:_KEYWORDS]),
        )
    return _beside_each_other(intents, centers)


def _beside_each_other(
    intents: Mapping[int, DiscoveredIntent], centers: np.ndarray
) -> dict[int, DiscoveredIntent]:
    """The proposals, each with the other one that is closest: two halves of one wish are to be noticed."""
    numbers = list(intents)
    if len(numbers) < 2:
        return dict(intents)
    similarity = centers[numbers] @ centers[numbers].T
    np.fill_diagonal(similarity, -np.inf)
    closest = similarity.argmax(1)
    return {
        group: dataclasses.replace(
            intents[group],
            nearest_new=intents[numbers[other]].name,
            new_similarity=float(similarity[place, other]),
        )
        for place, (group, other) in enumerate(zip(numbers, closest, strict=True))
    }


def _without_near_duplicates(features: np.ndarray) -> list[int]:
    """Indices of rows that are not nearly the same (cosine) as an earlier one."""
    unit = normalized(features)
    kept: list[int] = []
    for index, row in enumerate(unit):
        if not kept or float((unit[kept] @ row).max()) < _NEAR_DUPLICATE:
            kept.append(index)
    return kept
