"""One text through an encoder of BERT's kind, without what is there for many.

A single message is little work, of which masks, checks, wrappers and threads that wait for each other take
as much as the numbers do. Here are the same sums and nothing else, on the weights the model has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch.nn import functional


@contextmanager
def one_thread() -> Iterator[None]:
    """Has the calling thread compute alone, and afterwards as before.

    Where something else is at work on the other cores, and in a server it is, every operation would wait
    until they are free. Other threads keep their number, except one that computes for the first time
    meanwhile.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def embedded(model: Any, ids: Sequence[int]) -> torch.Tensor:
    """(t,) token ids -> (t, d) states that enter the first layer; dropout has to be off.

    Raises:
        Exception: of any kind, of a model unlike BERT.
    """
    states: torch.Tensor = model.embeddings(torch.tensor([ids], device=model.device))[0]
    return states


def through(layers: Sequence[Any], states: torch.Tensor) -> torch.Tensor:
    """(t, d) states through some layers of BERT, RoBERTa or a model built like them, dropout off.

    Raises:
        Exception: of any kind, where the layers are not built so.
    """
    for layer in layers:
        states = _layer(layer, states)
    return states


def _layer(layer: Any, states: torch.Tensor) -> torch.Tensor:
    own, output = layer.attention.self, layer.attention.output
    query, key, value = (
        part(states).view(len(states), own.num_attention_heads, -1).transpose(0, 1)[None]  # (1, heads, t, .)
        for part in (own.query, own.key, own.value)
    )
    attended = functional.scaled_dot_product_attention(query, key, value)[0].transpose(0, 1).flatten(1)
    states = output.LayerNorm(output.dense(attended) + states)
    normalized: torch.Tensor = layer.output.LayerNorm(layer.output.dense(layer.intermediate(states)) + states)
    return normalized
