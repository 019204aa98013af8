"""How many processors a computation gets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits


@contextmanager
def one_processor() -> Iterator[None]:
    """Within the block, one thread computes what is small: two would wait for each other in every step.

    Where other programs keep the processors busy, that takes several times as long as the work.
    """
    with threadpool_limits(1):
        yield
