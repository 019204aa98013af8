"""What the frozen layers of an encoder say of a data set, kept on disk: it never changes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
import transformers

from benchmarks.provenance import source_digest
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import Progress, no_progress
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.encoder_files import load_files
from rasa_intent_discovery.learning.loading import load_as
from rasa_intent_discovery.learning.token_states import TokenStates

_PACKAGE = Encoder.__module__.partition(".")[0]
# Fewer texts, such as candidates for a name, are read as soon as a file is.
_WORTH_KEEPING = 50


class KeptEncoder(Encoder):
    """An encoder that reads the same texts only once, whatever is trained on top of it.

    Attributes:
        folder: where the states are kept; None keeps nothing.
        key: what else they depend on: the code that makes them, the weights, the settings, the libraries.
    """

    folder: Path | None = None
    key: tuple[object, ...] = ()

    @classmethod
    def kept(cls, config: DiscoveryConfig, folder: Path | None) -> KeptEncoder:
        """The encoder of these settings, with its states kept in a folder; None keeps nothing."""
        encoder = load_as(cls, config)
        encoder.folder = folder
        encoder.key = (
            source_digest(__name__, _PACKAGE),
            _weights_digest(*load_files(config.encoder)),
            *(config.max_tokens, config.trained_layers),
            *(torch.__version__, transformers.__version__, torch.backends.cpu.get_cpu_capability()),
        )
        return encoder

    def read(self, texts: Sequence[str], progress: Progress = no_progress) -> TokenStates:
        """As `Encoder.read`, from the folder where they are there."""
        if self.folder is None or len(texts) < _WORTH_KEEPING:
            return super().read(texts, progress)
        key = (*self.key, str(self.device), str(self.autocast_dtype), torch.get_num_threads(), *texts)
        file = self.folder / f"{hashlib.sha256(repr(key).encode()).hexdigest()[:32]}.pt"
        if file.exists():
            return TokenStates(**torch.load(file, map_location=self.device, weights_only=True))
        states = super().read(texts, progress)
        self.folder.mkdir(parents=True, exist_ok=True)
        unfinished = file.with_suffix(f".{os.getpid()}")
        torch.save(vars(states), unfinished)
        unfinished.replace(file)
        return states


def _weights_digest(model: Any, tokenizer: Any) -> str:
    """Of an encoder's weights and vocabulary: a folder of the same name may hold another one."""
    digest = hashlib.sha256(repr(sorted(tokenizer.get_vocab().items())).encode())
    for name, weights in model.state_dict().items():
        digest.update(name.encode())
        digest.update(weights.float().numpy().tobytes())
    return digest.hexdigest()
