"""How a model wants texts to be read: what is put before each, and which of its states are the features.

sentence-transformers keeps both in files beside the weights, `config_sentence_transformers.json` and
`1_Pooling/config.json`. A model without these files is read as the paper does it, by the mean of its states.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from rasa_intent_discovery.errors import ConfigError

logger = logging.getLogger(__name__)

MEAN, CLS = "mean", "cls"
#: The keys of a pooling that are true or false, and what they choose.
_MODES = {
    "pooling_mode_mean_tokens": MEAN,
    "pooling_mode_cls_token": CLS,
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
_MODULES, _PROMPTS, _POOLING = "modules.json", "config_sentence_transformers.json", "config.json"

#: The name of a file of a model -> its path; None where it has no such file.
Find = Callable[[str], "Path | None"]


@dataclass(frozen=True)
class TextReading:
    """How texts are read.

    Attributes:
        prompt: put before every text, with a space at its end if there is to be one.
        pooling: which of the last hidden states are the features: `mean` of all, or `cls`, the first.
    """

    prompt: str = ""
    pooling: str = MEAN

    def pooled(self, hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """(b, t, d) last hidden states and (b, t) int64, 1 on tokens -> (b, d) float32."""
        if self.pooling == CLS:
            return hidden[:, 0].float()
        return (hidden.float() * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)


#: As the paper has it.
PLAIN = TextReading()


def reading_of_model(encoder: str, find: Find, prompt: str | None) -> TextReading:
    """The prompt and the pooling that the files of a model name.

    Args:
        encoder: the setting, for errors.
        find: finds the files.
        prompt: the setting `encoder_prompt`; None takes that of the model.

    Raises:
        ConfigError: the pooling is one that we do not do, or a file is not as sentence-transformers has it.
    """
    settings = _content(encoder, find, _PROMPTS, dict)
    pooling = _pooling(encoder, find)
    if prompt is None:
        prompt = _prompt(encoder, settings)
    if prompt and pooling.get("include_prompt") is False:
        raise ConfigError(
            f"encoder: {encoder!r} leaves its prompt out of its features (`include_prompt` in its "
            "1_Pooling/config.json), which is not done here; choose another encoder, or set "
            'encoder_prompt: ""'
        )
    return TextReading(prompt, _mode(encoder, pooling))


def _prompt(encoder: str, settings: Mapping[str, Any]) -> str:
    """The prompt that the model names as its own; empty where it leaves the choice."""
    prompts, name = settings.get("prompts") or {}, settings.get("default_prompt_name")
    if name is not None and isinstance(prompts, dict) and isinstance(prompts.get(name), str):
        return str(prompts[name])
    written = [prompt for prompt in prompts.values() if prompt] if isinstance(prompts, dict) else []
    if written:
        logger.info(
            "the encoder %s has prompts and names none for all texts; `encoder_prompt` takes one of: %s",
            encoder,
            ", ".join(map(repr, written)),
        )
    return ""


def _pooling(encoder: str, find: Find) -> Mapping[str, Any]:
    """The settings of the model's pooling; empty where it says nothing of it."""
    modules = _content(encoder, find, _MODULES, list)
    for module in modules:
        if isinstance(module, dict) and str(module.get("type", "")).endswith("Pooling"):
            settings: Mapping[str, Any] = _content(encoder, find, f"{module.get('path')}/{_POOLING}", dict)
            return settings
    return {}


def _mode(encoder: str, pooling: Mapping[str, Any]) -> str:
    named = pooling.get("pooling_mode")
    if named is None:
        modes = [mode for key, mode in _MODES.items() if pooling.get(key)]
    else:
        modes = [named] if isinstance(named, str) else list(named)
    if not modes:
        return MEAN
    if modes in ([MEAN], [CLS]):
        return str(modes[0])
    raise ConfigError(
        f"encoder: {encoder!r} makes its features in a way that is not done here (pooling "
        f"{' and '.join(map(str, modes))}); choose an encoder with the pooling mean or cls"
    )


def _content(encoder: str, find: Find, name: str, kind: type) -> Any:
    """What a file of JSON holds; an empty value of that kind where there is no such file."""
    path = find(name)
    if path is None:
        return kind()
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"encoder: {name} of {encoder!r} cannot be read ({error}); download the encoder again"
        ) from error
    if not isinstance(content, kind):
        raise ConfigError(
            f"encoder: {name} of {encoder!r} is not as sentence-transformers has it; download the "
            "encoder again"
        )
    return content
