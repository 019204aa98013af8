"""Which known intent a message would belong to, and whether its examples are close enough. Arrays only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.linear_model import LogisticRegression

from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.neighbors import nearest
from rasa_intent_discovery.clustering.numbers import CLUSTERING
from rasa_intent_discovery.datatypes import UNLABELED, Array


@dataclass(frozen=True, eq=False)
class KnownIntents:
    """The known intents as m rows see them.

    Attributes:
        intents: (m,) int64, the most likely one of each row; of an example its own.
        closeness: (m,) float32, cosine to the nearest example that is not the row itself.
        usual: (e,) float32, ascending, that of the examples: how close they are to each other.
    """

    intents: Array
    closeness: Array
    usual: Array

    @classmethod
    def of(cls, unit: Array, labels: Array) -> KnownIntents:
        """Learns from the examples.

        A linear classifier looks at what tells the intents apart, wherever they lie: a centre says little of
        an intent that holds many different things.

        Args:
            unit: (m, d) float32, rows of length 1.
            labels: (m,) int64, known intents, or `UNLABELED`.
        """
        examples = np.flatnonzero(labels != UNLABELED)
        logged = np.flatnonzero(labels == UNLABELED)
        intents = labels.copy()
        intents[logged] = labels[examples[0]]
        if len(logged) and len(np.unique(labels[examples])) > 1:
            model = LogisticRegression(C=CLUSTERING.inverse_penalty, class_weight="balanced", max_iter=1000)
            intents[logged] = model.fit(unit[examples], labels[examples]).predict(unit[logged])
        itself = np.full(len(labels), -1)
        itself[examples] = np.arange(len(examples))
        closeness = np.ones(len(labels), dtype=np.float32)
        if len(examples) > 1:
            closeness = nearest(unit, unit[examples], 1, itself)[0][:, 0]
        return cls(intents, closeness, np.sort(closeness[examples]))

    def close(self, left_out: float) -> Array:
        """(m,) bool: rows that are as close to an example as all but this part of the examples are."""
        found: Array = self.closeness >= np.quantile(self.usual, left_out)
        return found

    def explaining(self, flagged: Array) -> Array:
        """(m,) int64: the known intent that a row belongs to unless it is new, `UNGROUPED` where it is too far.

        Args:
            flagged: (m,) bool, rows that are asked for more closeness, since they look new.
        """
        close = np.where(flagged, self.close(CLUSTERING.far_if_flagged), self.close(CLUSTERING.far))
        found: Array = np.where(close, self.intents, UNGROUPED)
        return found
