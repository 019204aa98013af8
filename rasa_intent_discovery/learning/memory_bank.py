"""What the encoder made of every text when it last saw it, to hold against what it makes of others now.

A memory bank (Wu et al., "Unsupervised Feature Learning via Non-Parametric Instance Discrimination", 2018)
holds the other view of a message, which need not be computed then, and the examples that are not in a batch
(as in Wang et al., "Cross-Batch Memory for Embedding Learning", 2020), so that an example always has others
of its intent to be drawn to.
"""

from __future__ import annotations

import numpy as np
import torch
from torch.nn import functional

from rasa_intent_discovery.datatypes import UNLABELED, Array
from rasa_intent_discovery.learning.numbers import LEARNING


class MemoryBank:
    """Features of n texts, as they were last computed.

    Attributes:
        features: (n, d) float32, of length 1.
    """

    def __init__(self, features: torch.Tensor, labels: Array, seed: int) -> None:
        """
        Args:
            features: (n, d), of the encoder before it learns.
            labels: (n,) int64; of the texts that have one, `LEARNING.most_remembered` serve every batch.
            seed: chooses these, where there are more.
        """
        self.features = functional.normalize(features.float(), dim=1)
        labeled = np.flatnonzero(labels != UNLABELED)
        if len(labeled) > LEARNING.most_remembered:
            labeled = np.random.default_rng(seed).permutation(labeled)[: LEARNING.most_remembered]
        self._labeled = torch.from_numpy(np.sort(labeled))

    def beside(self, batch: torch.Tensor) -> torch.Tensor:
        """The rows that a batch, (b,) int64, is held against: (m,) int64, its own and labelled others."""
        return torch.cat([batch, self._labeled[~torch.isin(self._labeled, batch)]])

    def remember(self, rows: torch.Tensor, features: torch.Tensor) -> None:
        """Replaces the features of some texts: (b,) int64 and (b, d), of any length."""
        self.features[rows.to(self.features.device)] = functional.normalize(features.float(), dim=1)
