"""A transformer in two parts: layers that are frozen, and the last ones, which are trained.

Any Hugging Face encoder with a list of layers works: the trained part is run by the model's own code (masks,
position biases), with its frozen layers replaced by one that replays their output. Knows no texts.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import torch
from torch import nn

from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.learning.dropout import replace_dropout


class SplitModel:
    """The model as it was pretrained, and its last layers as they are being trained.

    Attributes:
        model: in which the layers are exchanged; no part of it but the trained layers requires gradients.
        trained: the layers that learn.

    Raises:
        ConfigError: it has no list of layers, or not enough of them.
    """

    def __init__(self, model: Any, trained_layers: int) -> None:
        self.model = model
        self._layers = _layer_list(model)
        frozen_layers = len(self._layers) - trained_layers
        if frozen_layers < 1:
            raise ConfigError(
                f"trained_layers: the encoder has {len(self._layers)} layers, of which at least one "
                f"stays frozen; got {trained_layers}, set it to {len(self._layers) - 1} at most"
            )
        model.requires_grad_(False)
        self._frozen = list(self._layers)[:frozen_layers]
        self.trained = list(self._layers)[frozen_layers:]
        self._pretrained = copy.deepcopy(self.trained)
        for layer in self.trained:
            layer.requires_grad_(True)
        replace_dropout(self.trained)
        self._replay = _Replay()

    @property
    def most_tokens(self) -> int:
        """How many tokens the model has positions for."""
        positions = getattr(self.model.config, "max_position_embeddings", None) or sys.maxsize
        for name, module in self.model.named_modules():
            if name.endswith("position_embeddings") and getattr(module, "padding_idx", None) is not None:
                # RoBERTa and its kin count positions from the one after the padding's.
                found: int = positions - module.padding_idx - 1
                return found
        return positions

    def eval(self) -> None:
        """No dropout, in the layers that are not in use as well.

        To tell every module takes milliseconds, as long as a layer does for a single message.
        """
        parts = [self.model, *self._frozen, *self._pretrained, *self.trained]
        if any(part.training for part in parts):
            for part in parts:
                part.eval()

    def train(self) -> None:
        """Dropout for what learns; what is replaced by the replay needs none."""
        self.model.eval()
        for layer in self.trained:
            layer.train()

    @contextmanager
    def pretrained(self) -> Iterator[_Tap]:
        """All its layers, before any training; what enters the first trained one is in the tap."""
        entering, leaving = _Tap(), _Tap()
        hook = self._pretrained[0].register_forward_pre_hook(entering.keep_input) if self.trained else None
        with self._frozen[0].register_forward_hook(leaving.keep_output), hook or nullcontext():
            _set_layers(self._layers, [*self._frozen, *self._pretrained])
            try:
                yield entering
            finally:
                _set_layers(self._layers, [self._replay, *self.trained] if self.trained else self._frozen)
        self._replay.tuple_length = len(leaving.states) if isinstance(leaving.states, tuple) else None

    def through_trained(self, states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """The trained layers on states that the frozen ones have left.

        Args:
            states: (b, t, d).
            mask: (b, t) int64, 1 on tokens and 0 on padding.

        Returns:
            (b, t, d), the last hidden states.
        """
        self._replay.states = states
        # What the embeddings make of any token is replaced by the replay; only the shape counts.
        output = self.model(input_ids=torch.zeros_like(mask), attention_mask=mask)
        self._replay.states = None
        hidden: torch.Tensor = output.last_hidden_state
        return hidden


def unlike_bert(model: Any, reason: str) -> str:
    """What is said where a model cannot be taken apart."""
    kind = getattr(model.config, "model_type", type(model).__name__)
    return f"encoder: a model of the kind {kind} does not work here ({reason}); choose a BERT-like encoder"


class _Replay(nn.Module):
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


class _Tap:
    """Keeps what passes a hook."""

    states: Any = None

    def keep_input(self, _: nn.Module, args: tuple[Any, ...]) -> None:
        self.states = args[0]

    def keep_output(self, _: nn.Module, __: tuple[Any, ...], output: Any) -> None:
        self.states = output


def _layer_list(model: Any) -> nn.ModuleList:
    """The model's transformer layers: the list that holds as many modules as its configuration says."""
    count = getattr(model.config, "num_hidden_layers", None)
    for module in model.modules():
        if isinstance(module, nn.ModuleList) and len(module) == count:
            return module
    raise ConfigError(unlike_bert(model, "it has no list of transformer layers"))


def _set_layers(layers: nn.ModuleList, new: Sequence[nn.Module]) -> None:
    """Puts other modules into the model's list of layers, in place."""
    del layers[:]
    layers.extend(new)
