"""What the paper's stages made of some texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rasa_intent_discovery.clustering.features import FeatureSpace
from rasa_intent_discovery.datatypes import Array, Clustering, KEstimate
from rasa_intent_discovery.learning.checkpoints import Checkpoints, no_checkpoints
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.kept_vectors import KeptVectors
from rasa_intent_discovery.learning.vector_cache import read_cached


@dataclass(frozen=True, eq=False)
class Learned:
    """The result of the paper's stages on n texts.

    Attributes:
        encoder: the trained encoder.
        space: maps its features to those that are clustered.
        features: (n, d) float32, in `space`.
        pretrained: (n, h) float32, pretrained features, of the encoder before any training.
        clustering: of the n texts.
        estimate: of the number of intents; None if the number was given.
        seconds: stage -> its duration, in order.
        notes: stage -> its measurements, in order.
        kept: vectors of texts, which need not be read again.
        checkpoints: of the run, for what is still to be done with it.
    """

    encoder: Encoder
    space: FeatureSpace
    features: Array
    pretrained: Array
    clustering: Clustering
    estimate: KEstimate | None
    seconds: dict[str, float]
    notes: dict[str, Any]
    kept: KeptVectors
    checkpoints: Checkpoints = field(default_factory=no_checkpoints)

    def closeness(self, groups: Sequence[Array], phrases: Sequence[Sequence[str]]) -> list[Array]:
        """Cosines between phrases and the mean of some texts; see `Encoder.closeness`.

        Args:
            groups: for each group (m,) int64, indices of its texts.
            phrases: for each group p phrases.

        Returns:
            For each group (p,) float32, -1..1.
        """
        return self.encoder.closeness([self.pretrained[members] for members in groups], phrases)

    def views(self, texts: Sequence[str]) -> tuple[Array, Array]:
        """The `features` and `pretrained` features of b other texts, (b, d) and (b, h) float32."""
        states = read_cached(self.encoder, self.kept, texts)
        return self.space(states.pretrained, self.encoder.embed(states)), states.pretrained

    def pretrained_of(self, texts: Sequence[str]) -> Array:
        """The `pretrained` features of b other texts, (b, h) float32; the trained layers are not asked."""
        return read_cached(self.encoder, self.kept, texts).pretrained
