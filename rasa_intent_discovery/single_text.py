"""One text through an encoder of BERT's kind, without what is there for many.

A single message is little work, of which masks, checks and wrappers take a third, and another part goes into
laying out the weights for so few rows, again for every message. Here are the same sums and nothing else, with
weights that are laid out once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn
from torch.nn import functional


class SingleText:
    """BERT, RoBERTa or a model built like them, as its weights are now; dropout is off.

    Raises:
        Exception: of any kind, where the model is built otherwise.
    """

    def __init__(self, model: Any, shared: Sequence[Any], *tops: Sequence[Any]) -> None:
        """
        Args:
            model: what embeds tokens.
            shared: the layers that every text goes through; tops: what comes after them, each by itself.
        """
        self._model = model
        self._shared = [_Layer(layer) for layer in shared]
        self._tops = [[_Layer(layer) for layer in top] for top in tops]

    def pooled(self, ids: Sequence[int]) -> torch.Tensor:
        """(t,) token ids -> (tops, d), the mean of the states that each of the tops makes."""
        states: torch.Tensor = self._model.embeddings(torch.tensor([ids], device=self._model.device))[0]
        states = _through(self._shared, states)
        return torch.stack([_through(top, states).mean(0) for top in self._tops])


class _Layer:
    """A layer of BERT: attention, then two dense layers, each added to what entered it and normalised."""

    def __init__(self, layer: Any) -> None:
        own, output = layer.attention.self, layer.attention.output
        self._heads = own.num_attention_heads
        self._asked = _Dense(own.query, own.key, own.value)
        self._attended, self._attention_norm = _Dense(output.dense), output.LayerNorm
        self._inner, self._activation = (
            _Dense(layer.intermediate.dense),
            layer.intermediate.intermediate_act_fn,
        )
        self._outer, self._norm = _Dense(layer.output.dense), layer.output.LayerNorm

    def __call__(self, states: torch.Tensor) -> torch.Tensor:
        asked = self._asked(states).view(len(states), 3, self._heads, -1)
        query, key, value = asked.permute(1, 2, 0, 3)[:, None]  # (1, heads, t, .) each
        attended = functional.scaled_dot_product_attention(query, key, value)[0].transpose(0, 1).flatten(1)
        states = self._attention_norm(self._attended(attended) + states)
        normalized: torch.Tensor = self._norm(self._outer(self._activation(self._inner(states))) + states)
        return normalized


class _Dense:
    """Dense layers side by side, (t, in) -> (t, out of all)."""

    def __init__(self, *layers: nn.Linear) -> None:
        weight = torch.cat([layer.weight.detach() for layer in layers])
        self._bias = torch.cat([layer.bias.detach() for layer in layers])
        laid_out = _laid_out(weight, self._bias)
        self._product = functional.linear if laid_out is None else _with_laid_out
        self._weight = weight if laid_out is None else laid_out

    def __call__(self, states: torch.Tensor) -> torch.Tensor:
        return self._product(states, self._weight, self._bias)


def _laid_out(weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor | None:
    """The weights as oneDNN wants them, None where it is not there.

    torch has no public name for this; its compiler uses the same two operators. Where they are missing, or
    differ from what they were, the weights stay as they are.
    """
    try:
        laid_out: torch.Tensor = torch.ops.mkldnn._reorder_linear_weight(weight)
        some = weight[:2]
        same = torch.allclose(
            _with_laid_out(some, laid_out, bias), functional.linear(some, weight, bias), rtol=1e-3, atol=1e-4
        )
    except (AttributeError, LookupError, RuntimeError, TypeError):
        return None
    return laid_out if same else None


def _with_laid_out(states: torch.Tensor, laid_out: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    product: torch.Tensor = torch.ops.mkldnn._linear_pointwise(states, laid_out, bias, "none", [], "")
    return product


def _through(layers: Sequence[_Layer], states: torch.Tensor) -> torch.Tensor:
    for layer in layers:
        states = layer(states)
    return states
