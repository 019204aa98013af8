"""Assigns single messages to proposed intents: the inference stage of the paper, for a running bot.

A discovery saves the trained weights and the features of its messages, each with the place it was given, in
one folder. The bot's server loads them on the CPU, where a message takes milliseconds; a GPU may be in use
already.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from rasa_intent_discovery.clustering.features import FeatureSpace
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.neighbor_vote import NeighborVote, side_by_side
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.build import readable
from rasa_intent_discovery.corpus.personal_data import without_placeholders
from rasa_intent_discovery.datatypes import NEW, NO_BOILERPLATE, Array, Boilerplate, Placement
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.loading import load_encoder
from rasa_intent_discovery.learning.text_reading import PLAIN

_ARRAYS, _RECORD = "recognizer.npz", "recognizer.json"
# The settings that the encoder and the cleaning of a text need; no other settings of the run are saved.
_SETTINGS = (
    *("encoder", "encoder_prompt", "max_tokens", "dense", "trained_layers"),
    *("max_characters", "mask_personal_data", "regions", "language"),
)


@dataclass(frozen=True, eq=False)
class Recognizer:
    """Assigns a text to one of the proposed intents, or to none.

    Attributes:
        config: settings of the encoder and of the cleaning; the others have no effect.
        encoder: the trained encoder.
        space: maps its features to those that were clustered.
        names: of the k proposed intents.
        boilerplate: that of the log, without which a text is read.
        vote: of the messages of the run and the examples, which proposal a text belongs to.
    """

    config: DiscoveryConfig
    encoder: Encoder
    space: FeatureSpace
    names: tuple[str, ...]
    vote: NeighborVote
    boilerplate: Boilerplate = NO_BOILERPLATE

    @classmethod
    def of(
        cls,
        config: DiscoveryConfig,
        encoder: Encoder,
        space: FeatureSpace,
        features: Array,
        pretrained: Array,
        placements: Sequence[Placement],
        proposed: Sequence[str],
        boilerplate: Boilerplate = NO_BOILERPLATE,
    ) -> Recognizer:
        """Lets every message and example vote for the proposal it was placed in, or against all.

        Args:
            features: (m, d) float32, in `space`; pretrained: (m, h) float32, of the same texts.
            placements: of the m texts.
            proposed: names of the new intents.
            boilerplate: of the log.
        """
        number = {name: index for index, name in enumerate(proposed)}
        placed = (place.intent if place.placement == NEW else None for place in placements)
        groups = np.array([number.get(name or "", UNGROUPED) for name in placed], dtype=np.int64)
        vote = NeighborVote.of(side_by_side(features, pretrained), groups, config.seed)
        return cls(config, encoder, space, tuple(proposed), vote, boilerplate)

    def recognize(self, text: str) -> tuple[str, float] | None:
        """The proposed intent of a raw message, and the confidence, 0..1: its share of the votes.

        None if no proposal has more than half of the votes, or if a discovery would set the text aside
        (payloads, numbers, too long).
        """
        read = readable(text, self.config, self.boilerplate)
        if read is None:
            return None
        with torch.inference_mode():
            pretrained, trained = self.encoder.views(without_placeholders(read[1]))
        group, share = self.vote(side_by_side(self.space(pretrained, trained), pretrained)[0])
        return None if group == UNGROUPED else (self.names[group], share)

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
            axes=self.vote.axes,
            rows=self.vote.rows,
            groups=self.vote.groups,
            mean=self.space.mean,
            projection=self.space.projection,
            **trained,
        )
        record = {
            "settings": {name: getattr(self.config, name) for name in _SETTINGS},
            "names": self.names,
            "share": self.space.untrained_share,
            "normalize": self.space.normalize,
            "reading": asdict(self.encoder.reading),
            "boilerplate": asdict(self.boilerplate),
        }
        (folder / _RECORD).write_text(json.dumps(record, ensure_ascii=False, indent=2), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Recognizer | None:
        """Loads what `save` wrote, on the CPU; None if the folder has no such files.

        Raises:
            ConfigError: the encoder is no longer there, or is read in another way, or what was saved lacks
                something, as what earlier versions saved does.
            OSError, ValueError: the files cannot be read or are damaged.
        """
        if not (folder / _RECORD).is_file():
            return None
        record = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
        # Those of earlier versions had neither a prompt nor another pooling.
        settings = {"encoder_prompt": "", **record["settings"], "device": "cpu"}
        config = DiscoveryConfig.from_mapping(settings)
        encoder = load_encoder(config)
        if asdict(encoder.reading) != record.get("reading", asdict(PLAIN)):
            raise ConfigError(
                f"encoder: {config.encoder} is read with another prompt or pooling than when the bot was "
                "trained; train it again"
            )
        try:
            with np.load(folder / _ARRAYS) as arrays:
                return cls._of_saved(config, encoder, record, arrays)
        except KeyError:
            raise ConfigError(
                "the model was trained by another version of this program: train again"
            ) from None

    @classmethod
    def _of_saved(
        cls, config: DiscoveryConfig, encoder: Encoder, record: Mapping[str, Any], arrays: Mapping[str, Array]
    ) -> Recognizer:
        """Raises KeyError where the record or the arrays lack something."""
        encoder.restore(
            [torch.from_numpy(arrays[f"trained_{index}"]) for index in range(len(encoder.trained_state()))]
        )
        space = FeatureSpace(record["share"], record["normalize"], arrays["mean"], arrays["projection"])
        vote = NeighborVote(arrays["axes"], arrays["rows"], arrays["groups"])
        boilerplate = Boilerplate(**record.get("boilerplate", {}))
        return cls(config, encoder, space, tuple(record["names"]), vote, boilerplate)
