"""What must be known of a transformer's construction to run it in two parts.

Where its layers are, how many positions it has, and the pieces that stand for its layers or listen to them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

from rasa_intent_discovery.errors import ConfigError


class Replay(nn.Module):
    """Stands for the frozen layers: whatever goes in, the states set before come out.

    Attributes:
        tuple_length: where the model's layers return tuples that begin with the states, how long these are.
    """

    states: torch.Tensor | None = None
    tuple_length: int | None = None

    def forward(self, *_: Any, **__: Any) -> Any:
        if self.tuple_length is None:
            return self.states
        return (self.states, *[None] * (self.tuple_length - 1))


class Tap:
    """Keeps what passes a hook."""

    states: Any = None

    def keep_input(self, _: nn.Module, args: tuple[Any, ...]) -> None:
        self.states = args[0]

    def keep_output(self, _: nn.Module, __: tuple[Any, ...], output: Any) -> None:
        self.states = output


def layer_list(model: Any) -> nn.ModuleList:
    """The model's transformer layers: the list that holds as many modules as its configuration says.

    Raises:
        ConfigError: there is none.
    """
    count = getattr(model.config, "num_hidden_layers", None)
    for module in model.modules():
        if isinstance(module, nn.ModuleList) and len(module) == count:
            return module
    raise ConfigError(unlike_bert(model, "it has no list of transformer layers"))


def most_tokens(model: Any) -> int:
    """How many tokens the model has positions for."""
    positions = getattr(model.config, "max_position_embeddings", None) or sys.maxsize
    for name, module in model.named_modules():
        if name.endswith("position_embeddings") and getattr(module, "padding_idx", None) is not None:
            # RoBERTa and its kin count positions from the one after the padding's.
            return positions - module.padding_idx - 1
    return positions


def unlike_bert(model: Any, reason: str) -> str:
    """What is said where a model cannot be taken apart."""
    kind = getattr(model.config, "model_type", type(model).__name__)
    return f"encoder: a model of the kind {kind} does not work here ({reason}); choose a BERT-like encoder"


def set_layers(layers: nn.ModuleList, new: Sequence[nn.Module]) -> None:
    """Puts other modules into the model's list of layers, in place."""
    layers._modules.clear()
    for index, layer in enumerate(new):
        layers._modules[str(index)] = layer
