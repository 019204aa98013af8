"""Splits a transformer into frozen layers and the last ones, which are trained.

Works for any Hugging Face encoder with a list of layers. The trained layers are run by the model's own code
(masks, position biases): its frozen layers are replaced with one that replays their stored output.
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
    """A pretrained model that can be run with its pretrained or with its trained last layers.

    Attributes:
        model: the model whose layers are exchanged; only its trained layers require gradients.
        trained: the trained layers.

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
        """The number of tokens that the model has positions for."""
        positions = getattr(self.model.config, "max_position_embeddings", None) or sys.maxsize
        for name, module in self.model.named_modules():
            if name.endswith("position_embeddings") and getattr(module, "padding_idx", None) is not None:
                # RoBERTa-like models number positions from `padding_idx + 1` on.
                found: int = positions - module.padding_idx - 1
                return found
        return positions

    def eval(self) -> None:
        """Turns off dropout in all layers, also in those not in use now.

        Does nothing if it is off already, since visiting every module would slow down single messages.
        """
        parts = [self.model, *self._frozen, *self._pretrained, *self.trained]
        if any(part.training for part in parts):
            for part in parts:
                part.eval()

    def train(self) -> None:
        """Turns on dropout in the trained layers only."""
        self.model.eval()
        for layer in self.trained:
            layer.train()

    @contextmanager
    def pretrained(self) -> Iterator[_Tap]:
        """Within the block, the model runs with all its pretrained layers.

        Yields:
            A tap that keeps the states that enter the first of the layers to train.
        """
        entering, leaving = _Tap(), _Tap()
        hook = self._pretrained[0].register_forward_pre_hook(entering.keep_input) if self.trained else None
        with self._frozen[0].register_forward_hook(leaving.keep_output), hook or nullcontext():
            _set_layers(self._layers, [*self._frozen, *self._pretrained])
            try:
                yield entering
            finally:
                _set_layers(self._layers, [self._replay, *self.trained] if self.trained else self._frozen)
        if leaving.states is not None:
            self._replay.tuple_length = len(leaving.states) if isinstance(leaving.states, tuple) else None

    def pretrained_weights(self) -> dict[str, torch.Tensor]:
        """Name -> weights of the whole model before any training."""
        with self.pretrained():
            return dict(self.model.state_dict())

    def through_trained(self, states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Runs the trained layers on the output of the frozen ones.

        Args:
            states: (b, t, d), the output of the frozen layers.
            mask: (b, t) int64, 1 on tokens and 0 on padding.

        Returns:
            (b, t, d), the last hidden states.
        """
        self._replay.states = states
        # The replay replaces the embeddings of these tokens, so only their shape matters.
        output = self.model(input_ids=torch.zeros_like(mask), attention_mask=mask)
        self._replay.states = None
        hidden: torch.Tensor = output.last_hidden_state
        return hidden


def unlike_bert(model: Any, reason: str) -> str:
    """The error message for a model that cannot be split."""
    kind = getattr(model.config, "model_type", type(model).__name__)
    return f"encoder: a model of the kind {kind} does not work here ({reason}); choose a BERT-like encoder"


class _Replay(nn.Module):
    """Replaces the frozen layers: ignores its input and returns stored states.

    Attributes:
        states: (b, t, d), what to return.
        tuple_length: length of the tuples that the model's layers return, which begin with the states; None
            if they return the states only.
    """

    states: torch.Tensor | None = None
    tuple_length: int | None = None

    def forward(self, *_: Any, **__: Any) -> Any:
        if self.tuple_length is None:
            return self.states
        return (self.states, *[None] * (self.tuple_length - 1))


class _Tap:
    """Forward hooks that keep the input or the output of a layer in `states`."""

    states: Any = None

    def keep_input(self, _: nn.Module, args: tuple[Any, ...]) -> None:
        self.states = args[0]

    def keep_output(self, _: nn.Module, __: tuple[Any, ...], output: Any) -> None:
        self.states = output


def _layer_list(model: Any) -> nn.ModuleList:
    """The model's transformer layers: the module list whose length is the configured number of layers."""
    count = getattr(model.config, "num_hidden_layers", None)
    for module in model.modules():
        if isinstance(module, nn.ModuleList) and len(module) == count:
            return module
    raise ConfigError(unlike_bert(model, "it has no list of transformer layers"))


def _set_layers(layers: nn.ModuleList, new: Sequence[nn.Module]) -> None:
    """Replaces the modules in the model's list of layers, in place."""
    del layers[:]
    layers.extend(new)
