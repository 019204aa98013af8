"""One text through an encoder of BERT's kind, without what is there for many.

A single message is little work, of which masks, checks and wrappers take a third; most of the rest goes into
fetching the weights from memory. Here are the same sums and nothing else, with weights of half the size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn
from torch.nn import functional

# (t, in) -> (t, out)
_Dense = Callable[[torch.Tensor], torch.Tensor]
# Up to this hidden width a layer is done before another thread is awake.
_NARROW = 512


class SingleText:
    """BERT, RoBERTa or a model built like them, as its weights are now; dropout is off.

    Raises:
        Exception: of any kind, where the model is built otherwise.
    """

    def __init__(self, model: Any, shared: Sequence[Any], *tops: Sequence[Any], exact: bool = False) -> None:
        """
        Args:
            model: what embeds tokens.
            shared: the layers that every text goes through; tops: what comes after them, each by itself.
            exact: with the weights as they are, instead of rounded to half precision.
        """
        dense = _dense if exact else _half_dense
        self._model = model
        self._threads = 1 if model.config.hidden_size <= _NARROW else None
        self._shared = [_Layer(layer, dense) for layer in shared]
        self._tops = [[_Layer(layer, dense) for layer in top] for top in tops]

    def pooled(self, ids: Sequence[int]) -> torch.Tensor:
        """(t,) token ids -> (tops, d), the mean of the states that each of the tops makes."""
        with _threads(self._threads):
            states: torch.Tensor = self._model.embeddings(torch.tensor([ids], device=self._model.device))[0]
            states = _through(self._shared, states)
            return torch.stack([_through(top, states).mean(0) for top in self._tops])


@contextmanager
def _threads(count: int | None) -> Iterator[None]:
    """So many of them for what this thread asks of PyTorch, None for as many as before."""
    before = torch.get_num_threads()
    torch.set_num_threads(count or before)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _dense(*layers: nn.Linear) -> _Dense:
    """Dense layers side by side."""
    weight, bias = _side_by_side(layers)
    return lambda states: functional.linear(states, weight, bias)


def _half_dense(*layers: nn.Linear) -> _Dense:
    """The same with weights in half precision, laid out for few rows; sums stay in float32.

    Where PyTorch has no operator for it (processors other than x86, GPUs) the weights stay as they are.
    """
    packed = _packed(*_side_by_side(layers))
    if packed is None:
        return _dense(*layers)
    return lambda states: torch.ops.quantized.linear_dynamic_fp16(states, packed)


def _side_by_side(layers: Sequence[nn.Linear]) -> tuple[torch.Tensor, torch.Tensor]:
    """(out of all, in) weights and (out of all,) biases."""
    weights, biases = zip(*((layer.weight.detach(), layer.bias.detach()) for layer in layers), strict=True)
    return torch.cat(weights), torch.cat(biases)


def _packed(weight: torch.Tensor, bias: torch.Tensor) -> Any:
    """What the operator takes for weights; None where it is missing, or gives another result."""
    if weight.abs().max() > torch.finfo(torch.half).max:
        return None
    some = weight[:2]
    try:
        packed = torch.ops.quantized.linear_prepack_fp16(weight, bias)
        product = torch.ops.quantized.linear_dynamic_fp16(some, packed)
        same = torch.allclose(product, functional.linear(some, weight, bias), rtol=0.01, atol=0.001)
    except (AttributeError, LookupError, RuntimeError, TypeError):
        return None
    return packed if same else None


class _Layer:
    """A layer of BERT: attention, then two dense layers, each added to what entered it and normalised."""

    def __init__(self, layer: Any, dense: Callable[..., _Dense]) -> None:
        own, output = layer.attention.self, layer.attention.output
        self._heads = own.num_attention_heads
        self._asked = dense(own.query, own.key, own.value)
        self._attended, self._attention_norm = dense(output.dense), output.LayerNorm
        self._inner, self._activation = (
            dense(layer.intermediate.dense),
            layer.intermediate.intermediate_act_fn,
        )
        self._outer, self._norm = dense(layer.output.dense), layer.output.LayerNorm

    def __call__(self, states: torch.Tensor) -> torch.Tensor:
        asked = self._asked(states).view(len(states), 3, self._heads, -1)
        query, key, value = asked.permute(1, 2, 0, 3)[:, None]  # (1, heads, t, .) each
        attended = functional.scaled_dot_product_attention(query, key, value)[0].transpose(0, 1).flatten(1)
        states = self._attention_norm(self._attended(attended) + states)
        normalized: torch.Tensor = self._norm(self._outer(self._activation(self._inner(states))) + states)
        return normalized


def _through(layers: Sequence[_Layer], states: torch.Tensor) -> torch.Tensor:
    for layer in layers:
        states = layer(states)
    return states
