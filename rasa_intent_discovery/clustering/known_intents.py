"""Which known intent a message would belong to, and whether its examples are close enough. Arrays only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.linear_model import LogisticRegression

from rasa_intent_discovery.clustering.features import mean_distance
from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.neighbors import (
    nearest_examples,
    nearest_neighbors,
    without_near_duplicates,
)
from rasa_intent_discovery.clustering.processors import one_processor
from rasa_intent_discovery.datatypes import UNLABELED, Array


@dataclass(frozen=True, eq=False)
class KnownIntents:
    """The known intents as m rows see them.

    Attributes:
        intents: (m,) int64, the most likely one of each row; of an example its own.
        likely: (m, j) float32, how likely each row is of each of the j intents, as a classifier says that
            knows no others; 0 for an example, and where there is nothing to tell apart.
        closeness: (m,) float32, cosine to the nearest example that is not the row itself, nor of an intent
            that it is not of; -1 where no other one is likely then.
        usual: (u,) float32, ascending, that of examples: how close they are to each other. Of those that
            nearly repeat each other, as templates write them, one counts: people write otherwise.
    """

    intents: Array
    likely: Array
    closeness: Array
    usual: Array

    @classmethod
    def of(
        cls, pretrained: Array, untrained: Array, labels: Array, refused: Array | None = None
    ) -> KnownIntents:
        """Learns from the examples.

        A linear classifier looks at what tells the intents apart, wherever they lie: a centre says little of
        an intent that holds many different things.

        Args:
            pretrained: (m, h) float32, rows of length 1, in which closeness is measured: of few examples it
                says more than the next one, which they have shaped.
            untrained: (m, h) float32, the untrained view, of length 1, in which the classifier learns.
            labels: (m,) int64, known intents, or `UNLABELED`.
            refused: as `Links.refused`: such a row is of another intent, if of any; what speaks for that one
                is no more than it was. None where nothing was said.
        """
        barred = np.zeros((0, 2), dtype=np.int64) if refused is None else refused
        examples = np.flatnonzero(labels != UNLABELED)
        logged = np.flatnonzero(labels == UNLABELED)
        intents = labels.copy()
        intents[logged] = labels[examples[0]]
        likely = np.zeros((len(labels), int(labels.max()) + 1), dtype=np.float32)
        if len(logged) and len(np.unique(labels[examples])) > 1:
            model = LogisticRegression(C=GROUPING.inverse_penalty, class_weight="balanced", max_iter=1000)
            with one_processor():
                model.fit(untrained[examples], labels[examples])
            likely[np.ix_(logged, model.classes_)] = model.predict_proba(untrained[logged])
            likely[barred[:, 0], barred[:, 1]] = 0.0
            intents[logged] = likely[logged].argmax(1)
        itself = np.full(len(labels), -1)
        itself[examples] = np.arange(len(examples))
        closeness = np.ones(len(labels), dtype=np.float32)
        if len(examples) > 1:
            of = labels[examples]
            closeness = nearest_examples(pretrained, pretrained[examples], of, 1, itself, barred)[0][:, 0]
            unlikely = likely[barred[:, 0]].max(1) < GROUPING.likely_if_refused
            closeness[barred[unlikely, 0]] = -1.0
        return cls(intents, likely, closeness, _usual(pretrained[examples], closeness[examples]))

    def close(self, left_out: float) -> Array:
        """(m,) bool: rows that are as close to an example as all but this part of the examples are."""
        found: Array = self.closeness >= np.quantile(self.usual, left_out)
        return found

    def claims(self, groups: Array, k: int) -> Array:
        """(k, j) 0..1: how much of each group each known intent claims; 0 for a group without rows.

        Args:
            groups: (m,) int64, 0..k - 1 or below 0 for rows in none.
        """
        found = np.zeros((k, self.likely.shape[1]))
        for group in np.unique(groups[groups >= 0]):
            found[group] = self.likely[groups == group].mean(0)
        return found

    def sureness(self, intents: Array) -> Array:
        """(m,) 0..1: how likely each row is of an intent; 1 for an example, and where nothing is told apart.

        Args:
            intents: (m,) int64, a known intent for each row; below 0 for none, which counts as sure.
        """
        asked = (intents >= 0) & self.likely.any(1)
        rows = np.arange(len(intents))
        found: Array = np.where(asked, self.likely[rows, np.maximum(intents, 0)], 1.0)
        return found

    def explaining(self, flagged: Array) -> Array:
        """(m,) int64: the known intent of a row that is not new, `UNGROUPED` where it is too far from any.

        Args:
            flagged: (m,) bool, rows that are asked for more closeness, since they look new.
        """
        close = np.where(flagged, self.close(GROUPING.far_if_flagged), self.close(GROUPING.far))
        found: Array = np.where(close, self.intents, UNGROUPED)
        return found


def _usual(examples: Array, closeness: Array) -> Array:
    """As `KnownIntents.usual`; (e, h) and (e,) of the examples."""
    if len(examples) > 1:
        # Some encoders give all texts nearly the same direction: a distance counts beside the mean one.
        apart = mean_distance(examples)
        different = examples[without_near_duplicates(examples, 1.0 - GROUPING.near_duplicate * apart)]
        if 1 < len(different) < len(examples):
            itself = np.arange(len(different))
            closeness = nearest_neighbors(different, different, 1, itself)[0][:, 0]
    return np.sort(closeness)
