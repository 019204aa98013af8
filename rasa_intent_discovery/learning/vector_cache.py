"""Reads only texts that were not read before; the others' vectors are in a folder.

What is read now is kept in shards: texts of similar length, each shard a file. The shards, and the batches in
them, follow from the texts that are to be read: a run that goes on after an interrupted one reads the same
batches, so that the vectors are the same to the bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import ceil

import torch

from rasa_intent_discovery.datatypes import Progress, T, no_progress
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.kept_vectors import KeptVectors, TextVectors, text_hashes
from rasa_intent_discovery.learning.numbers import LEARNING
from rasa_intent_discovery.learning.padding import batch_count, batches_by_length
from rasa_intent_discovery.learning.processes import ALONE, Processes
from rasa_intent_discovery.learning.token_states import TokenStates

#: Reads shards of texts; yields the number of each, and its vectors on the CPU, in any order.
ReadShards = Callable[[Sequence[list[str]], Progress], Iterator[tuple[int, TokenStates]]]


def read_cached(
    encoder: Encoder,
    kept: KeptVectors,
    texts: Sequence[str],
    progress: Progress = no_progress,
    elsewhere: ReadShards | None = None,
    processes: Processes = ALONE,
) -> TokenStates:
    """As `encoder.read`, with the vectors of texts that were read before from a folder.

    A text has the vectors of when it was first read. Read in a batch with other texts, they may differ in
    their last digit.

    Args:
        kept: of the first process; the others keep nothing.
        elsewhere: reads the shards; None has the encoder read them here.
        processes: that share the reading; each has all of the result.
    """
    if processes.shared(lambda: not kept.is_kept and elsewhere is None):
        return encoder.read(texts, progress, processes)
    keys = text_hashes(texts)
    parts = list(processes.each(kept.parts(keys)))
    missing = torch.ones(len(texts), dtype=torch.bool)
    for rows, _ in parts:
        missing[rows] = False
    to_read = torch.nonzero(missing).flatten()
    counts = encoder.token_counts([texts[row] for row in to_read])
    rows_of = [to_read[shard] for shard in shards(counts)]
    texts_of = [[texts[row] for row in rows] for rows in rows_of]
    if processes.shared(lambda: elsewhere is not None):
        found = processes.each(elsewhere(texts_of, progress) if elsewhere and texts_of else ())
    else:
        found = _reader(encoder, batch_count(counts), processes)(texts_of, progress)
    for number, states in found:
        kept.keep([keys[row] for row in rows_of[number]], states)
        parts.append((rows_of[number], states))
    return _assembled(parts, len(texts), encoder).on(encoder.device)


def shards(lengths: torch.Tensor) -> Iterator[torch.Tensor]:
    """Consecutive batches of `batches_by_length` that have `LEARNING.texts_per_shard` texts together.

    Args:
        lengths: (n,) int64, in tokens.

    Yields:
        (m,) int64, the rows of a shard, longest first.
    """
    shard: list[int] = []
    for batch in batches_by_length(lengths):
        shard += batch
        if len(shard) >= LEARNING.texts_per_shard:
            yield torch.tensor(shard)
            shard = []
    if shard:
        yield torch.tensor(shard)


def _assembled(parts: list[TextVectors], count: int, encoder: Encoder) -> TokenStates:
    """The parts, which are emptied, in the order of the texts: so memory holds little twice."""
    lengths = torch.zeros(count, dtype=torch.long)
    for rows, states in parts:
        lengths[rows] = states.lengths
    offsets = torch.cat([torch.zeros(1, dtype=torch.long), lengths.cumsum(0)])
    kept = int(offsets[-1]) if encoder.trained_layers else 0
    packed = torch.empty((kept, encoder.width), dtype=encoder.autocast_dtype)
    pooled = torch.empty((count, encoder.width))
    while parts:
        rows, states = parts.pop()
        pooled[rows] = states.pooled
        if kept:
            index = torch.arange(len(states.states))
            index += torch.repeat_interleave(offsets[rows] - states.offsets[:-1], states.lengths)
            packed[index] = states.states
    return TokenStates(packed, offsets, pooled)


def _reader(encoder: Encoder, batches: int, processes: Processes) -> ReadShards:
    """Has the encoder read the shards one after the other, with one bar for all of their batches."""

    def read(shards: Sequence[list[str]], progress: Progress) -> Iterator[tuple[int, TokenStates]]:
        if not shards:
            return
        here = ceil(batches / processes.count)
        steps = iter(progress(range(here), "reading messages", here))
        for number, texts in enumerate(shards):
            yield number, encoder.read(texts, _part_of(steps), processes).on(torch.device("cpu"))
        next(steps, None)  # the bar is removed

    return read


def _part_of(steps: Iterator[int]) -> Progress:
    """A `Progress` for one of several loops that are shown as one."""

    def step(items: Iterable[T], _: str, __: int) -> Iterator[T]:
        for item in items:
            next(steps, None)
            yield item

    return step
