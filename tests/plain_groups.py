"""Groups of rows that nothing speaks against, for tests that look at one thing about them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rasa_intent_discovery.clustering.groups import Groups
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.datatypes import Points


def around(*degrees: float) -> np.ndarray:
    """Points on the unit circle."""
    angles = np.radians(degrees)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def plain_groups(features: np.ndarray, labels: np.ndarray, assignments: np.ndarray, **fields: Any) -> Groups:
    """Stable groups that are surely new and each an intent of its own; no row joins another group.

    Args:
        features: (m, d), also the pretrained ones; labels, assignments: (m,).
        fields: those of `Groups` that are to be otherwise.
    """
    m, k = len(assignments), assignments.max() + 1
    plain = Groups(
        points=Points(np.arange(m), features, labels),
        assignments=assignments,
        stability=np.ones(k),
        belonging=np.ones(k),
        newness=np.ones(k),
        likely=np.zeros((k, k)),
        otherwise=np.full(m, UNGROUPED),
        sureness=np.ones(m),
        pretrained=features,
        reach=np.full(m, np.inf),
        majority=np.full(m, np.inf),
    )
    return replace(plain, **fields)
