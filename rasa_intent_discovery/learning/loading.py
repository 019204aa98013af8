"""Loads an encoder and checks that splitting it into frozen and trained layers does not change its output."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import torch

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.encoder_files import in_short, load_files
from rasa_intent_discovery.learning.processes import joined
from rasa_intent_discovery.learning.split_model import unlike_bert

E = TypeVar("E", bound=Encoder)


def load_encoder(config: DiscoveryConfig) -> Encoder:
    """Tokenizer and weights of `config.encoder` on `config.device`, in float32.

    Raises:
        ConfigError: the encoder is missing, broken, of an unsupported architecture, or not the published
            one; or CUDA is requested and not available.
    """
    return load_as(Encoder, config)


def load_as(kind: type[E], config: DiscoveryConfig) -> E:
    """As `load_encoder`, as an instance of the given subclass."""
    device = _device(config.device)
    files = load_files(config.encoder, config.encoder_prompt)
    encoder = kind(files.model.float(), files.tokenizer, config, device, files.reading)
    check_in_two_parts(encoder)
    encoder.autocast_dtype = _autocast_dtype(device)
    return encoder


@torch.no_grad()
def check_in_two_parts(encoder: Encoder) -> None:
    """Compares the features of two short texts by the whole model and by the split one.

    Raises:
        ConfigError: the features differ, or the model's code raises an error.
    """
    try:
        states = encoder.read(["a", "b c"])
        works = torch.allclose(
            torch.from_numpy(encoder.embed(states)),
            encoder.put_on_top(states.pooled).float().cpu(),
            rtol=0.01,
            atol=0.001,
        )
    except torch.cuda.OutOfMemoryError:
        raise
    except Exception as error:  # The code of an unsupported architecture may raise anything.
        raise ConfigError(unlike_bert(encoder.model, in_short(error))) from error
    if not works:
        raise ConfigError(unlike_bert(encoder.model, "its last layers do not work on their own"))


def _device(name: str) -> torch.device:
    if name == "cuda" and not torch.cuda.is_available():
        raise ConfigError("device: cuda was asked for, but PyTorch sees no CUDA GPU here; use auto or cpu")
    if name == "cpu" or not torch.cuda.is_available():
        return torch.device("cpu")
    gpu = joined().gpu
    return torch.device("cuda") if gpu is None else torch.device("cuda", gpu)


def _autocast_dtype(device: torch.device) -> torch.dtype:
    """bfloat16 if the hardware is known to multiply in it, else float32; older PyTorch cannot tell."""
    if device.type == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float32
    capabilities: Mapping[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()
    has_bf16 = capabilities.get("avx512_bf16") or capabilities.get("amx_bf16")
    return torch.bfloat16 if has_bf16 else torch.float32
