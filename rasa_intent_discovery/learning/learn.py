"""The paper's stages on a list of texts: what is known, what is not, and the clusters in both."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch

from rasa_intent_discovery.clustering.clusters import best_constrained_kmeans, kmeans
from rasa_intent_discovery.clustering.features import FeatureSpace, normalized
from rasa_intent_discovery.clustering.k_estimate import estimate_k_by_agreement, estimate_k_by_size, stability
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import UNLABELED, Clustering, KEstimate, Progress, no_progress
from rasa_intent_discovery.learning.aligned import continued, train_aligned
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.pretrain import hold_out, pretrain
from rasa_intent_discovery.learning.token_states import TokenStates

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
        frozen: (n, h) float32, features of the encoder as it came, which has seen no label.
        clustering: of the n texts.
        estimate: None where the number of intents was given.
        seconds, notes: of each stage, in order.
    """

    encoder: Encoder
    space: FeatureSpace
    features: np.ndarray
    untrained: np.ndarray
    frozen: np.ndarray
    clustering: Clustering
    estimate: KEstimate | None
    seconds: dict[str, float]
    notes: dict[str, Any]

    def closeness(self, members: np.ndarray, phrases: Sequence[str]) -> np.ndarray:
        """(p,) float32, as `Encoder.closeness` of p phrases to some of the n texts; (m,) int64, which."""
        return self.encoder.closeness(self.frozen[members], phrases)


def learn(
    texts: Sequence[str],
    labels: np.ndarray,
    config: DiscoveryConfig,
    progress: Progress = no_progress,
    held_out: tuple[Sequence[str], np.ndarray] | None = None,
    encoder: Encoder | None = None,
) -> Learned:
    """The paper's stages: representation, pre-training, predict K, aligned clustering, inference.

    Args:
        texts: n distinct texts.
        labels: (n,) int64, labels 0..j - 1 of the known intents, or `UNLABELED`.
        held_out: further labelled texts that only tune the pre-training; where there are none, a tenth of
            the labelled ones is held out.
        encoder: one that is loaded already, of these settings; it is trained.
    """
    with torch.random.fork_rng():
        # Dropout draws from torch's own generator: the seed settles it here and nowhere else.
        torch.manual_seed(config.seed)
        return _learn(texts, labels, config, progress, held_out, encoder)


def _learn(
    texts: Sequence[str],
    labels: np.ndarray,
    config: DiscoveryConfig,
    progress: Progress,
    held_out: tuple[Sequence[str], np.ndarray] | None,
    encoder: Encoder | None,
) -> Learned:
    seconds: dict[str, float] = {}
    notes: dict[str, Any] = {}
    known = int(labels.max()) + 1
    with timed(seconds, "representation"):
        encoder = encoder or Encoder.load(config)
        states = encoder.freeze(texts, progress)
    logger.info("read %d distinct texts with the encoder %s", len(texts), config.encoder)
    if config.pretraining != "none" and config.pretrain_epochs:
        with timed(seconds, "pre-training"):
            notes["pre-training"] = _pretrain(encoder, states, labels, held_out, config, progress)
    with timed(seconds, "predict K"):
        space = FeatureSpace.fit(states.frozen, labels, config)
        features = space(states.frozen, encoder.embed(states))
        estimate = _estimate_k(features, normalized(states.frozen), labels, config)
        k = known + _new_clusters(estimate, known, config)
        notes["predict K"] = {"k": k}
    with timed(seconds, "clustering"):
        clustering = _cluster(features, labels, k, config)
    if config.aligned_epochs:
        with timed(seconds, "aligned clustering"):
            notes["aligned clustering"], clustering, features = _align(
                encoder, states, labels, features, clustering, space, config, progress
            )
    return Learned(
        encoder=encoder,
        space=space,
        features=features,
        untrained=space.untrained(states.frozen),
        frozen=states.frozen,
        clustering=clustering,
        estimate=estimate,
        seconds=seconds,
        notes=notes,
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
        tightest = best_constrained_kmeans(features, k, labels, config.seed, config.seedings)
        return continued(features, labels, tightest, config.neighbor_share)
    return kmeans(features, k, config.seed, config.seedings)


def _align(
    encoder: Encoder,
    states: TokenStates,
    labels: np.ndarray,
    features: np.ndarray,
    clustering: Clustering,
    space: FeatureSpace,
    config: DiscoveryConfig,
    progress: Progress,
) -> tuple[dict[str, Any], Clustering, np.ndarray]:
    """The aligned stage, undone where its clusters do not come back as well as those before it.

    Whether they come back is asked in the untrained view, which has learnt from neither. Preset `paper`
    learns from every cluster, asks nothing, and ends with k-means.
    """
    before, untrained = encoder.trained_state(), space.untrained(states.frozen)
    came_back = stability(untrained, clustering, config.seed) if config.constrained else np.ones(clustering.k)
    trusted = (came_back >= _TRUSTED_STABILITY) | (np.arange(clustering.k) <= labels.max())
    result = train_aligned(encoder, states, labels, features, clustering, trusted, space, config, progress)
    logger.info(
        "aligned the clusters over %d epochs, %.1f %% of the messages moved in the last",
        result.epochs,
        100 * result.changed[-1],
    )
    learnt = space(states.frozen, encoder.embed(states))
    if not config.constrained:
        return asdict(result), _cluster(learnt, labels, clustering.k, config), learnt
    aligned = continued(learnt, labels, clustering, config.neighbor_share)
    then = float(came_back[clustering.assignments].mean())
    now = float(stability(untrained, aligned, config.seed)[aligned.assignments].mean())
    helped = now >= then
    logger.info(
        "%s the aligned stage: its clusters come back by %.1f %%, those before by %.1f %%",
        "kept" if helped else "undid",
        100 * now,
        100 * then,
    )
    notes = {**asdict(result), "stability_before": then, "stability_after": now, "kept": helped}
    if helped:
        return notes, aligned, learnt
    encoder.restore(before)
    return notes, clustering, features


@contextmanager
def timed(seconds: dict[str, float], stage: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    seconds[stage] = time.perf_counter() - start
