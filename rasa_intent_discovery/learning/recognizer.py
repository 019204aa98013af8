"""Assigns single messages to proposed intents: the inference stage of the paper, for a running bot.

A discovery saves the trained weights and a centre for each intent in one folder. The bot's server loads them
on the CPU, where a message takes milliseconds; a GPU may be in use already.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from rasa_intent_discovery.clustering.features import FeatureSpace, normalized, shares
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.build import readable
from rasa_intent_discovery.corpus.personal_data import without_placeholders
from rasa_intent_discovery.datatypes import Array, Placement
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.loading import load_encoder
from rasa_intent_discovery.learning.numbers import LEARNING

_ARRAYS, _RECORD = "recognizer.npz", "recognizer.json"
# The settings that the encoder and the cleaning of a text need; no other settings of the run are saved.
_SETTINGS = ("encoder", "max_tokens", "dense", "trained_layers", "max_characters", "mask_personal_data")


@dataclass(frozen=True, eq=False)
class Recognizer:
    """Assigns a text to one of the proposed intents, or to none.

    Attributes:
        config: settings of the encoder and of the cleaning; the others have no effect.
        encoder: the trained encoder.
        space: maps its features to those that were clustered.
        names: of the k intents; None for a known one, since a text nearest to it belongs to no proposal.
        centers: (k, d) float32, the mean of each intent's features, which are scaled to length 1 before.
        reach: (k,) float32, the smallest dot product with a centre (which is the mean cosine to the intent's
            members) at which a text belongs to the intent.
    """

    config: DiscoveryConfig
    encoder: Encoder
    space: FeatureSpace
    names: tuple[str | None, ...]
    centers: Array
    reach: Array

    @classmethod
    def of(
        cls,
        config: DiscoveryConfig,
        encoder: Encoder,
        space: FeatureSpace,
        features: Array,
        placements: Sequence[Placement],
        proposed: Sequence[str],
    ) -> Recognizer:
        """Computes the centres of intents from the messages that were placed in them.

        Args:
            features: (m, d) float32, in `space`.
            placements: of the m texts.
            proposed: names of the new intents.
        """
        unit = normalized(features)
        of = np.array([place.intent or "" for place in placements])
        intents = [str(name) for name in np.unique(of) if name]
        centers = np.stack([unit[of == name].mean(0) for name in intents])
        inside = [unit[of == name] @ center for name, center in zip(intents, centers, strict=True)]
        return cls(
            config=config,
            encoder=encoder,
            space=space,
            names=tuple(name if name in proposed else None for name in intents),
            centers=centers.astype(np.float32),
            reach=np.array([np.quantile(cosines, LEARNING.outside) for cosines in inside], dtype=np.float32),
        )

    def recognize(self, text: str) -> tuple[str, float] | None:
        """The proposed intent of a raw message, and the confidence, 0..1.

        The confidence is a softmax over the cosines to all centres. None if the nearest intent is a known
        one or too far, or if a discovery would set the text aside (payloads, numbers, too long).
        """
        read = readable(text, self.config)
        if read is None:
            return None
        with torch.inference_mode():
            features = normalized(self.space(*self.encoder.views(without_placeholders(read[1]))))
        cosines = features[0] @ self.centers.T
        best = int(cosines.argmax())
        name = self.names[best]
        if name is None or cosines[best] < self.reach[best]:
            return None
        return name, float(shares(features @ normalized(self.centers).T)[0, best])

    def save(self, folder: Path) -> None:
        """Writes two files into an existing folder.

        Raises:
            OSError: they cannot be written.
        """
        trained = {
            f"trained_{index}": weights.cpu().numpy()
            for index, weights in enumerate(self.encoder.trained_state())
        }
        np.savez(
            folder / _ARRAYS,
            centers=self.centers,
            reach=self.reach,
            mean=self.space.mean,
            projection=self.space.projection,
            **trained,
        )
        record = {
            "settings": {name: getattr(self.config, name) for name in _SETTINGS},
            "names": self.names,
            "share": self.space.untrained_share,
            "normalize": self.space.normalize,
        }
        (folder / _RECORD).write_text(json.dumps(record, ensure_ascii=False, indent=2), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Recognizer | None:
        """Loads what `save` wrote, on the CPU; None if the folder has no such files.

        Raises:
            ConfigError: the encoder is no longer there.
            OSError, ValueError, KeyError: the files cannot be read or are damaged.
        """
        if not (folder / _RECORD).is_file():
            return None
        record = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
        config = DiscoveryConfig.from_mapping({**record["settings"], "device": "cpu"})
        encoder = load_encoder(config)
        with np.load(folder / _ARRAYS) as arrays:
            encoder.restore(
                [
                    torch.from_numpy(arrays[f"trained_{index}"])
                    for index in range(len(encoder.trained_state()))
                ]
            )
            space = FeatureSpace(record["share"], record["normalize"], arrays["mean"], arrays["projection"])
            return cls(config, encoder, space, tuple(record["names"]), arrays["centers"], arrays["reach"])
