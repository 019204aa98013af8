"""Batches in as many parts as the device's memory needs: where it is too small, a batch is halved."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import torch

from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.learning.encoder_files import in_short

logger = logging.getLogger(__name__)

Rows = TypeVar("Rows", torch.Tensor, "list[int]")


@contextmanager
def told_when_full() -> Iterator[None]:
    """Within the block, memory of a device that is not enough is a ConfigError."""
    try:
        yield
    except torch.cuda.OutOfMemoryError as error:
        raise ConfigError(
            f"device: the memory of the GPU is not enough ({in_short(error)}): end what else uses it, or set "
            "`device` to cpu"
        ) from error


class Halving:
    """Remembers in how many parts batches have to be computed, so that each is tried as a whole but once."""

    def __init__(self) -> None:
        self._parts = 1

    def __call__(self, rows: Rows, compute: Callable[[Sequence[Rows]], None]) -> None:
        """Computes a batch; in twice as many parts as before when the memory is not enough.

        Args:
            rows: of the batch.
            compute: takes the parts of the rows. It is called again, with more of them, where it fails.

        Raises:
            torch.cuda.OutOfMemoryError: a single row does not fit.
        """
        while True:
            parts = min(self._parts, len(rows))
            try:
                compute([rows[part::parts] for part in range(parts)])
            except torch.cuda.OutOfMemoryError:
                if parts == len(rows):
                    raise
            else:
                return
            # Outside the handler, which holds on to the tensors of what failed.
            self._parts = 2 * parts
            torch.cuda.empty_cache()
            logger.warning(
                "the memory of the device is full: going on with batches of %d instead of %d",
                *(-(-len(rows) // self._parts), -(-len(rows) // parts)),
            )
