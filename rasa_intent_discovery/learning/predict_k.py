"""The stage "predict K": how many intents the texts hold, and so how many clusters they get."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from rasa_intent_discovery.clustering.features import FeatureSpace
from rasa_intent_discovery.clustering.k_estimate import (
    ESTIMATING,
    estimate_k_by_agreement,
    estimate_k_by_size,
)
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import UNLABELED, Array, KEstimate, Progress, normalized, one_step
from rasa_intent_discovery.learning.numbers import LEARNING

logger = logging.getLogger(__name__)

#: Counts new intents: (n, h) pretrained and untrained features of length 1, (n,) labels, seed -> how many,
#: and the fewest and the most that are plausible.
CountNew = Callable[[Array, Array, Array, int], tuple[int, int, int]]


def predict_k(
    features: Array,
    pretrained: Array,
    labels: Array,
    space: FeatureSpace,
    config: DiscoveryConfig,
    count_new: CountNew | None,
    progress: Progress,
) -> tuple[KEstimate | None, dict[str, Any]]:
    """Estimates the number of intents, known ones included, as `k_estimate` says.

    Args:
        features: (n, d) float32, what is clustered.
        pretrained: (n, h) float32, of the encoder before any training.
        labels: (n,) int64, labels 0..j - 1 of the known intents, or `UNLABELED`.
        space: of the features.
        count_new: asked where the estimate by agreement stops at a bound of what it looks at.

    Returns:
        The estimate, None where the number is given; and what else was measured.
    """
    if config.num_intents is not None:
        return None, {}
    notes: dict[str, Any] = {}
    known, unlabeled = int(labels.max()) + 1, int((labels == UNLABELED).sum())
    if config.k_estimate == "size":
        least = round(LEARNING.start_of_known * known)
        k_start = config.k_start or max(least, known + round(LEARNING.start_by_size * unlabeled**0.5))
        with one_step(progress, ESTIMATING):
            estimate = estimate_k_by_size(features, min(k_start, len(features) // 2), config.seed)
    else:
        most = known + max(1, unlabeled // LEARNING.texts_for_intent)
        k_start = config.k_start or min(most, known + round(LEARNING.start_by_agreement * unlabeled**0.5))
        of_length_one = normalized(pretrained)
        estimate = _looked_further(of_length_one, labels, k_start, max(k_start, most), config.seed, progress)
        if count_new is not None and not known < estimate.k < estimate.k_start:
            with one_step(progress, ESTIMATING):
                counted = count_new(of_length_one, space.untrained(pretrained), labels, config.seed)
            notes["counted"] = list(counted)
            k, low, high = (known + count for count in counted)
            estimate = KEstimate(k, low, high, estimate.k_start)
    logger.info(
        "estimated %d intents in all, %s %d (range %d to %d, looked at up to %d)",
        estimate.k,
        "of which the bot has" if estimate.k >= known else "fewer than the bot has:",
        known,
        estimate.low,
        estimate.high,
        estimate.k_start,
    )
    return estimate, notes


def _looked_further(
    features: Array, labels: Array, k_start: int, most: int, seed: int, progress: Progress
) -> KEstimate:
    """The estimate by agreement; as long as it stops at the most that was looked at, of twice as many.

    Where known intents have few examples, hardly any can be split, and it would never stop below `most`.
    """
    estimate = estimate_k_by_agreement(features, labels, k_start, seed, progress)
    while estimate.k == estimate.k_start < most:
        k_start = min(2 * estimate.k_start, most)
        further = estimate_k_by_agreement(features, labels, k_start, seed, progress)
        if further.k_start == estimate.k_start:
            break  # the texts allow no more
        estimate = further
    return estimate


def clusters_beside_known(
    estimate: KEstimate | None, known: int, unlabeled: int, config: DiscoveryConfig
) -> int:
    """The number of clusters beside those of the known intents, no more than there are logged rows.

    An estimate is increased by a factor: small talk needs clusters, too, and the clusters of known intents
    cannot be split.
    """
    if estimate is None:
        return config.num_intents or 0
    factor = LEARNING.clusters_per_new_intent if config.constrained else 1.0
    return min(max(1, round(factor * (estimate.k - known))), unlabeled)
