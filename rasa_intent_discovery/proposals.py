"""Clusters -> proposals: which clusters are new intents, and where every message belongs.

Nothing is proposed because it is a cluster. A proposal has enough messages, comes back when part of them is
left out, and its messages share words; every message says why it ended where it did.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus import NEVER_KNOWN
from rasa_intent_discovery.datatypes import (
    KNOWN,
    LEFT_OVER,
    NEW,
    Clustering,
    Corpus,
    DiscoveredIntent,
    Placement,
)
from rasa_intent_discovery.features import normalized
from rasa_intent_discovery.naming import name_intent
from rasa_intent_discovery.words import WordStatistics

logger = logging.getLogger(__name__)

# A cluster is an intent when its stability plus this much of its word coverage reaches the least evidence.
# Either alone lets heaps of small talk through or loses intents that people phrase in many ways.
COVERAGE_WEIGHT = 0.3
LEAST_EVIDENCE = 0.5
# A stricter and a more generous reader would draw the line here.
STRICT_EVIDENCE = 0.65
GENEROUS_EVIDENCE = 0.35
# A message this unsure of its known intent is no further example of it.
LEAST_CONFIDENCE = 0.45
_FEWEST_DISTINCT = 3
_OUTLIER_DEVIATIONS = 2.0
_CONFIDENCE_TEMPERATURE = 0.07
_NEAR_DUPLICATE = 0.97
_KEYWORDS = 8

EXAMPLE = "is already a training example of this intent"
NEAR_KNOWN = "is closest to the examples of this intent"
NEAR_REJECTED = "is closest to the examples of"
IN_PROPOSAL = "belongs to a group of messages that no known intent explains"
UNCLEAR = "might be one of several intents"
FAR = "is unlike everything else around it"
HEAP = "its group falls apart when part of the messages is left out, or shares no words"
RARE = "too few messages want this"
UNFAMILIAR = "its words are hardly used elsewhere: typing noise or another language"


@dataclass(frozen=True, eq=False)
class Groups:
    """The clusters of a corpus: cluster i < number of known intents is known intent i, the others are new.

    Attributes:
        rows: (m,) int64, the rows of the corpus that were clustered.
        features: (m, d) float32 and clustering of these rows.
        stability: (k,) 0..1.
    """

    rows: np.ndarray
    features: np.ndarray
    clustering: Clustering
    stability: np.ndarray


def propose_intents(
    corpus: Corpus,
    groups: Groups,
    statistics: WordStatistics,
    config: DiscoveryConfig,
    taken: Sequence[str] = (),
) -> tuple[tuple[DiscoveredIntent, ...], tuple[Placement, ...]]:
    """The proposals, most messages first, and the placement of every row of the corpus.

    Args:
        taken: names beside those of the known intents that a proposal may not bear.
    """
    similarity = normalized(groups.features) @ normalized(groups.clustering.centroids).T
    own = similarity[np.arange(len(groups.rows)), groups.clustering.assignments]
    near = _near_their_own(groups, own)
    confidence = _confidence(similarity, groups.clustering.assignments)
    placements = [Placement(LEFT_OVER, None, 1.0, UNFAMILIAR)] * len(corpus.texts)
    found = []
    for cluster in range(groups.clustering.k):
        inside = np.flatnonzero(groups.clustering.assignments == cluster)
        if cluster < len(corpus.intents):
            _place_known(groups, inside, near, confidence, corpus.intents[cluster], placements)
            continue
        core = inside[near[inside] & ~corpus.labeled[groups.rows[inside]]]
        core = core[np.argsort(-own[core], kind="stable")]
        refusal = _refusal(corpus, groups.rows[core], statistics, float(groups.stability[cluster]), config)
        for index in inside:
            reason = refusal if near[index] and refusal else FAR
            placements[groups.rows[index]] = Placement(LEFT_OVER, None, float(confidence[index]), reason)
        if refusal is None:
            found.append((cluster, core))
    intents = _describe(corpus, groups, statistics, found, similarity, taken)
    for intent, (_, core) in zip(intents, found, strict=True):
        for index in core:
            place = Placement(NEW, intent.name, float(confidence[index]), IN_PROPOSAL)
            placements[groups.rows[index]] = place
    for row in np.flatnonzero(corpus.labeled):
        placements[row] = Placement(KNOWN, corpus.intents[corpus.labels[row]], 1.0, EXAMPLE)
    ranked = sorted(intents, key=lambda intent: (-intent.messages, intent.name))
    return tuple(ranked), tuple(placements)


def _place_known(
    groups: Groups,
    inside: np.ndarray,
    near: np.ndarray,
    confidence: np.ndarray,
    intent: str,
    placements: list[Placement],
) -> None:
    for index in inside:
        row = groups.rows[index]
        if intent in NEVER_KNOWN:
            reason = f"{NEAR_REJECTED} {intent}" if near[index] else FAR
            placements[row] = Placement(LEFT_OVER, None, float(confidence[index]), reason)
        elif near[index] and confidence[index] >= LEAST_CONFIDENCE:
            placements[row] = Placement(KNOWN, intent, float(confidence[index]), NEAR_KNOWN)
        else:
            reason = UNCLEAR if near[index] else FAR
            placements[row] = Placement(LEFT_OVER, None, float(confidence[index]), reason)


def _near_their_own(groups: Groups, own: np.ndarray) -> np.ndarray:
    """(m,) bool: rows not much farther from their centre than the rows of their cluster usually are."""
    near = np.ones(len(own), dtype=bool)
    for cluster in range(groups.clustering.k):
        inside = groups.clustering.assignments == cluster
        if inside.sum() > 2:
            near[inside] = own[inside] >= own[inside].mean() - _OUTLIER_DEVIATIONS * own[inside].std()
    return near


def _confidence(similarity: np.ndarray, assignments: np.ndarray) -> np.ndarray:
    """(m,) 0..1: softmax over the cosines to all centres, read at the own one."""
    logits = similarity / _CONFIDENCE_TEMPERATURE
    weights = np.exp(logits - logits.max(1, keepdims=True))
    return weights[np.arange(len(weights)), assignments] / weights.sum(1)


def plausible_range(
    corpus: Corpus, groups: Groups, statistics: WordStatistics, config: DiscoveryConfig
) -> tuple[int, int]:
    """Fewest and most new intents: with a stricter and with a more generous demand on evidence."""
    evidence = []
    for cluster in range(len(corpus.intents), groups.clustering.k):
        rows = groups.rows[groups.clustering.assignments == cluster]
        rows = rows[~corpus.labeled[rows]]
        if _enough(corpus, rows, config):
            evidence.append(_evidence(rows, statistics, float(groups.stability[cluster])))
    strict, generous = (
        sum(value >= least for value in evidence) for least in (STRICT_EVIDENCE, GENEROUS_EVIDENCE)
    )
    return strict, generous


def _refusal(
    corpus: Corpus, rows: np.ndarray, statistics: WordStatistics, stability: float, config: DiscoveryConfig
) -> str | None:
    """Why these rows are no proposal; None if they are one."""
    if not _enough(corpus, rows, config):
        return RARE
    return None if _evidence(rows, statistics, stability) >= LEAST_EVIDENCE else HEAP


def _enough(corpus: Corpus, rows: np.ndarray, config: DiscoveryConfig) -> bool:
    return bool(corpus.counts[rows].sum() >= config.min_messages and len(rows) >= _FEWEST_DISTINCT)


def _evidence(rows: np.ndarray, statistics: WordStatistics, stability: float) -> float:
    return stability + COVERAGE_WEIGHT * statistics.coverage(rows.tolist())


def _describe(
    corpus: Corpus,
    groups: Groups,
    statistics: WordStatistics,
    found: list[tuple[int, np.ndarray]],
    similarity: np.ndarray,
    taken: Sequence[str],
) -> list[DiscoveredIntent]:
    """A name and the evidence for each accepted cluster."""
    names = [*corpus.intents, *NEVER_KNOWN, *taken]
    centers = normalized(groups.clustering.centroids)
    intents = []
    for cluster, core in sorted(found, key=lambda item: -int(corpus.counts[groups.rows[item[1]]].sum())):
        rows = groups.rows[core]
        name = name_intent(rows.tolist(), statistics, names)
        names.append(name)
        to_known = centers[: len(corpus.intents)] @ centers[cluster]
        nearest_known = int(to_known.argmax())
        intents.append(
            DiscoveredIntent(
                name=name,
                members=tuple(rows.tolist()),
                examples=tuple(rows[_without_near_duplicates(groups.features[core])].tolist()),
                messages=int(corpus.counts[rows].sum()),
                distinct=len(rows),
                cohesion=float(similarity[core, cluster].mean()),
                stability=float(groups.stability[cluster]),
                nearest_known=corpus.intents[nearest_known],
                similarity=float(to_known[nearest_known]),
                keywords=tuple(statistics.distinctive(rows.tolist())[:_KEYWORDS]),
            )
        )
    by_rows = {intent.members: intent for intent in intents}
    return [by_rows[tuple(groups.rows[core].tolist())] for _, core in found]


def _without_near_duplicates(features: np.ndarray) -> list[int]:
    """Indices of rows that are not nearly the same (cosine) as an earlier one."""
    unit = normalized(features)
    kept: list[int] = []
    for index, row in enumerate(unit):
        if not kept or float((unit[kept] @ row).max()) < _NEAR_DUPLICATE:
            kept.append(index)
    return kept
