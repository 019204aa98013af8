"""From a corpus to proposals: the stages of the paper in order, and nothing else."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch

from rasa_intent_discovery.aligned import continued, train_aligned
from rasa_intent_discovery.clusters import best_constrained_kmeans, kmeans, map_to_plane
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import (
    UNLABELED,
    Clustering,
    Corpus,
    Discovery,
    KEstimate,
    Progress,
    no_progress,
)
from rasa_intent_discovery.encoder import Encoder
from rasa_intent_discovery.features import FeatureSpace, normalized
from rasa_intent_discovery.k_estimate import estimate_k_by_agreement, estimate_k_by_size, stability
from rasa_intent_discovery.pretrain import hold_out, pretrain
from rasa_intent_discovery.proposals import Groups, plausible_range, propose_intents
from rasa_intent_discovery.token_states import TokenStates
from rasa_intent_discovery.words import WordStatistics

logger = logging.getLogger(__name__)

# A cluster that comes back less than this would only be taught its own mistakes.
_TRUSTED_STABILITY = 0.3
# Clusters beside the known intents, for each new intent that is expected.
_GENEROUS = 1.5


@dataclass(frozen=True, eq=False)
class Learned:
    """What the paper's stages made of n texts.

    Attributes:
        encoder: trained; space: from its features to the ones that are clustered.
        features: (n, d) float32, as they are clustered; untrained: (n, h) float32, their untrained view.
        clustering: of the n texts.
        estimate: None where the number of intents was given.
        seconds, notes: of each stage, in order.
    """

    encoder: Encoder
    space: FeatureSpace
    features: np.ndarray
    untrained: np.ndarray
    clustering: Clustering
    estimate: KEstimate | None
    seconds: dict[str, float]
    notes: dict[str, Any]


def discover(
    corpus: Corpus, config: DiscoveryConfig, progress: Progress = no_progress, taken: Sequence[str] = ()
) -> Discovery:
    """Finds the intents that the logged messages hold and the bot does not know.

    Args:
        corpus: as `build_corpus` makes it, checked by `check_corpus`.
        config: settings; the same corpus and settings give the same result on the same machine.
        progress: wraps the long loops.
        taken: names beside those of the known intents that a new one may not bear.

    Raises:
        ConfigError: the encoder or the device is not there.
    """
    statistics = WordStatistics(corpus)
    rows = np.flatnonzero(statistics.familiar)
    learned = learn([corpus.texts[row] for row in rows], corpus.labels[rows], config, progress)
    return interpret(corpus, statistics, rows, learned, config, taken)


def interpret(
    corpus: Corpus,
    statistics: WordStatistics,
    rows: np.ndarray,
    learned: Learned,
    config: DiscoveryConfig,
    taken: Sequence[str] = (),
) -> Discovery:
    """Clusters of some rows of a corpus -> proposals, and a place for every row.

    Args:
        statistics: of the words of the corpus.
        rows: (m,) int64, the rows that were learned from; every other one is left over.
        learned: what was made of them.
        taken: names beside those of the known intents that a new one may not bear.
    """
    seconds, notes = dict(learned.seconds), dict(learned.notes)
    with _timed(seconds, "proposals"):
        clustering = _known_first(learned.clustering, corpus.labels[rows], len(corpus.intents))
        stable = stability(learned.untrained, clustering, config.seed)
        groups = Groups(rows, learned.features, clustering, stable)
        intents, placements = propose_intents(corpus, groups, statistics, config, taken)
        low, high = plausible_range(corpus, groups, statistics, config)
    logger.info("proposing %d of %d new groups as intents", len(intents), clustering.k - len(corpus.intents))
    coordinates = np.full((len(corpus.texts), 2), np.nan, dtype=np.float32)
    with _timed(seconds, "map"):
        coordinates[rows] = map_to_plane(learned.features, config.seed)
    new_range = (min(low, len(intents)), max(high, len(intents)))
    return Discovery(corpus, intents, placements, learned.estimate, new_range, coordinates, seconds, notes)


def learn(
    texts: Sequence[str],
    labels: np.ndarray,
    config: DiscoveryConfig,
    progress: Progress = no_progress,
    held_out: tuple[Sequence[str], np.ndarray] | None = None,
) -> Learned:
    """The paper's stages: representation, pre-training, predict K, aligned clustering, inference.

    Args:
        texts: n distinct texts.
        labels: (n,) int64, labels 0..j - 1 of the known intents, or `UNLABELED`.
        held_out: further labelled texts that only tune the pre-training; where there are none, a tenth of
            the labelled ones is held out.
    """
    with torch.random.fork_rng():
        # Dropout draws from torch's own generator: the seed settles it here and nowhere else.
        torch.manual_seed(config.seed)
        return _learn(texts, labels, config, progress, held_out)


def _learn(
    texts: Sequence[str],
    labels: np.ndarray,
    config: DiscoveryConfig,
    progress: Progress,
    held_out: tuple[Sequence[str], np.ndarray] | None,
) -> Learned:
    seconds: dict[str, float] = {}
    notes: dict[str, Any] = {}
    known = int(labels.max()) + 1
    with _timed(seconds, "representation"):
        encoder = Encoder.load(config)
        states = encoder.freeze(texts, progress)
    logger.info("read %d distinct texts with the encoder %s", len(texts), config.encoder)
    if config.pretraining != "none" and config.pretrain_epochs:
        with _timed(seconds, "pre-training"):
            notes["pre-training"] = _pretrain(encoder, states, labels, held_out, config, progress)
    with _timed(seconds, "predict K"):
        space = FeatureSpace.fit(states.frozen, labels, config)
        features = space(states.frozen, encoder.embed(states))
        estimate = _estimate_k(features, normalized(states.frozen), labels, config)
        k = known + _new_clusters(estimate, known, config)
        notes["predict K"] = {"k": k}
    with _timed(seconds, "clustering"):
        clustering = _cluster(features, labels, k, config)
    if config.aligned_epochs:
        with _timed(seconds, "aligned clustering"):
            trusted = _trusted(space.untrained(states.frozen), clustering, known, config)
            result = train_aligned(encoder, states, labels, clustering, trusted, space, config, progress)
            features = space(states.frozen, encoder.embed(states))
            if config.constrained:
                clustering = continued(features, labels, clustering)
            else:
                clustering = _cluster(features, labels, k, config)
        notes["aligned clustering"] = asdict(result)
        logger.info(
            "aligned the clusters over %d epochs, %.1f %% of the messages moved in the last",
            result.epochs,
            100 * result.changed[-1],
        )
    return Learned(
        encoder, space, features, space.untrained(states.frozen), clustering, estimate, seconds, notes
    )


def _pretrain(
    encoder: Encoder,
    states: TokenStates,
    labels: np.ndarray,
    held_out: tuple[Sequence[str], np.ndarray] | None,
    config: DiscoveryConfig,
    progress: Progress,
) -> dict[str, Any]:
    held = np.zeros(len(labels), dtype=bool)
    if held_out is not None:
        states = states.joined(encoder.freeze(held_out[0]))
        held = np.concatenate([held, np.ones(len(held_out[1]), dtype=bool)])
        labels = np.concatenate([labels, held_out[1]])
    elif config.pretrain_patience:
        held = hold_out(labels, config.seed)
    result = pretrain(encoder, states, labels, held, config, progress)
    accuracy = result.held_out_accuracy
    shown = "" if accuracy is None else f", {100 * accuracy:.0f} % of held-out examples recognised"
    logger.info("learnt %d known intents in %d epochs%s", int(labels.max()) + 1, result.epochs, shown)
    return asdict(result)


def _new_clusters(estimate: KEstimate | None, known: int, config: DiscoveryConfig) -> int:
    """How many clusters beside the known intents.

    More than there are intents, where that was estimated: small talk needs clusters, too, and known intents
    cannot be split.
    """
    if estimate is None:
        return config.num_intents or 0
    generous = _GENEROUS if config.constrained else 1.0
    return max(1, round(generous * (estimate.k - known)))


def _estimate_k(
    features: np.ndarray, frozen: np.ndarray, labels: np.ndarray, config: DiscoveryConfig
) -> KEstimate | None:
    if config.num_intents is not None:
        return None
    known, unlabeled = int(labels.max()) + 1, int((labels == UNLABELED).sum())
    if config.k_estimate == "size":
        k_start = config.k_start or max(2 * known, known + round(unlabeled**0.5))
        estimate = estimate_k_by_size(features, min(k_start, len(features) // 2), config.seed)
    else:
        k_start = config.k_start or known + round(2 * unlabeled**0.5)
        estimate = estimate_k_by_agreement(frozen, labels, k_start, config.seed)
    logger.info(
        "estimated %d intents, known ones included (range %d to %d, looked at up to %d)",
        estimate.k,
        estimate.low,
        estimate.high,
        estimate.k_start,
    )
    return estimate


def _cluster(features: np.ndarray, labels: np.ndarray, k: int, config: DiscoveryConfig) -> Clustering:
    if config.constrained:
        return best_constrained_kmeans(features, k, labels, config.seed, config.seedings)
    return kmeans(features, k, config.seed, config.seedings)


def _trusted(
    untrained: np.ndarray, clustering: Clustering, known: int, config: DiscoveryConfig
) -> np.ndarray:
    """(k,) bool: clusters whose messages may teach each other. To the paper, all of them."""
    if not config.constrained:
        return np.ones(clustering.k, dtype=bool)
    stable = stability(untrained, clustering, config.seed) >= _TRUSTED_STABILITY
    return stable | (np.arange(clustering.k) < known)


def _known_first(clustering: Clustering, labels: np.ndarray, known: int) -> Clustering:
    """Renumbers the clusters so that cluster i < known is the one that holds most examples of intent i.

    Every known intent keeps a cluster: one that was not found gets the cluster left that suits it best.
    """
    from scipy.optimize import linear_sum_assignment

    held = np.zeros((known, clustering.k))
    labeled = labels != UNLABELED
    np.add.at(held, (labels[labeled], clustering.assignments[labeled]), 1)
    _, homes = linear_sum_assignment(-held)
    order = np.concatenate([homes, np.setdiff1d(np.arange(clustering.k), homes)])
    number = np.empty(clustering.k, dtype=np.int64)
    number[order] = np.arange(clustering.k)
    return Clustering(number[clustering.assignments], clustering.centroids[order])


@contextmanager
def _timed(seconds: dict[str, float], stage: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    seconds[stage] = time.perf_counter() - start
