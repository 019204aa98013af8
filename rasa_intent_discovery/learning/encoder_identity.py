"""What the vectors of a text depend on besides the text: two encoders of one identity read it alike."""

from __future__ import annotations

import hashlib
import json
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
import transformers

from rasa_intent_discovery.learning import encoder as encoder_module
from rasa_intent_discovery.learning import padding, split_model, text_reading, token_states
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.tensor_file import bytes_of

# The code that reads a text; what else is changed in the package changes no vector.
_READING = (encoder_module, padding, split_model, text_reading, token_states)


def encoder_identity(encoder: Encoder) -> str:
    """A hash of the pretrained weights, the tokenizer, the settings, the hardware's kind and the libraries.

    The settings are those that change what is read: also its prompt and pooling.
    What was trained on top of the pretrained weights is no part of it.
    """
    digest = hashlib.sha256()
    for name, weights in sorted(encoder.pretrained_weights().items()):
        digest.update(f"{name} {weights.dtype} {list(weights.shape)}".encode())
        digest.update(bytes_of(weights))
    digest.update(_tokenizer(encoder.tokenizer).encode())
    capability = torch.backends.cpu.get_cpu_capability() if encoder.device.type == "cpu" else ""
    about = (
        *(encoder.model.config.to_json_string(), encoder.max_tokens, encoder.trained_layers),
        *(encoder.reading.prompt, encoder.reading.pooling),
        *(encoder.device.type, str(encoder.autocast_dtype), capability),
        *(torch.__version__, transformers.__version__, version("tokenizers")),
    )
    digest.update(json.dumps(about).encode())
    digest.update(code_digest(*_READING).encode())
    return digest.hexdigest()


def code_digest(*modules: ModuleType) -> str:
    """A hash of the source of modules; of a package, of all modules in it."""
    digest = hashlib.sha256()
    for module in modules:
        path = Path(str(module.__file__))
        paths = sorted(path.parent.rglob("*.py")) if path.name == "__init__.py" else [path]
        for source in paths:
            digest.update(source.read_bytes())
    return digest.hexdigest()


def _tokenizer(tokenizer: Any) -> str:
    """All that decides on the tokens of a text."""
    if tokenizer.is_fast:
        text: str = tokenizer.backend_tokenizer.to_str()
        return text
    return json.dumps([sorted(tokenizer.get_vocab().items()), repr(tokenizer)])
