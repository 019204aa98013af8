"""Which messages of a large log a run learns from."""

from __future__ import annotations

import numpy as np

from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.datatypes import Array


def is_too_large(messages: int) -> bool:
    """Whether of so many distinct messages a sample is learnt from."""
    return messages > CORPUS.most_learnt


def sampled(counts: Array, certain: Array, seed: int) -> Array:
    """A sample of messages, in which one that is logged often is more likely to be.

    The probability is in proportion to how often it was logged: what people write often is surely there, and
    of two rare wishes the one that more people have (sampling proportional to size; exponential keys as in
    Efraimidis and Spirakis, 2006).

    Args:
        counts: (n,) int64, how often each of n distinct messages was logged, at least 1.
        certain: (n,) bool, those that are in it before all others.

    Returns:
        (m,) int64, ascending, `CORPUS.most_learnt` of them; all where there are no more.
    """
    if not is_too_large(len(counts)):
        return np.arange(len(counts))
    keys = np.random.default_rng(seed).exponential(size=len(counts)) / counts
    keys[counts * CORPUS.most_learnt >= counts.sum()] = 0.0
    keys[certain] = -1.0
    return np.sort(np.argsort(keys, kind="stable")[: CORPUS.most_learnt])
