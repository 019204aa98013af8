"""Tiny encoders that want a prompt before every text, and what `transformers` alone makes of texts so."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_encoder import write_tiny_encoder


@dataclass(frozen=True)
class WantedReading:
    """What an encoder wants, and the settings that say of it what its files do not.

    Attributes:
        pooling: `mean`, or `cls` where the files of the model say so, and its prompt.
    """

    settings: dict[str, str]
    prompt: str
    pooling: str

    def write(self, folder: Path) -> str:
        """Writes an encoder that wants it."""
        written = write_tiny_encoder(folder)
        if self.pooling == "cls":
            pooling = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
            prompts = {"query": self.prompt, "document": ""}
            write_reading(written, pooling, {"prompts": prompts, "default_prompt_name": "query"})
        return written

    def features(self, folder: str, texts: Sequence[str]) -> np.ndarray:
        """(n, d) float32, of one text after the other by `transformers` alone."""
        import torch
        from transformers import AutoModel, AutoTokenizer

        tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
        found = []
        with torch.no_grad():
            for text in texts:
                states = model(**tokenizer(self.prompt + text, return_tensors="pt")).last_hidden_state[0]
                found.append(states[0] if self.pooling == "cls" else states.mean(0))
        return torch.stack(found).numpy()


BY_THE_SETTING = WantedReading({"encoder_prompt": "hello "}, "hello ", "mean")
BY_THE_MODEL = WantedReading({}, "please ", "cls")
#: A test of both.
each_reading = pytest.mark.parametrize(
    "wanted", [BY_THE_SETTING, BY_THE_MODEL], ids=["by the setting", "by the model"]
)


def write_reading(
    folder: str, pooling: dict[str, Any] | None = None, prompts: dict[str, Any] | None = None
) -> None:
    """Writes what sentence-transformers keeps beside a model of its pooling and its prompts."""
    if pooling is not None:
        modules = [
            {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
        ]
        (Path(folder) / "modules.json").write_text(json.dumps(modules))
        (Path(folder) / "1_Pooling").mkdir(exist_ok=True)
        (Path(folder) / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    if prompts is not None:
        (Path(folder) / "config_sentence_transformers.json").write_text(json.dumps(prompts))
