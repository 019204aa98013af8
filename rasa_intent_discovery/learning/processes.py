"""What the processes of one launch share, where `accelerate launch` starts the command in several of them.

The first process does all that a person sees; the others help it to learn. What is decided, the first decides
(`shared`), and what takes long is divided: each process computes its own rows of a tensor of zeros, and the
sum over all processes is the whole (`added`, `summed`).

Gradients of one loss on divided features. Every process computes the same loss `L` on the same features
`F = F_1 + ... + F_N`, of which process `r` has computed `F_r` by its copy of the weights `w`. The gradient in
one process by itself is `dL/dw = sum over r of (dF_r/dw)^T dL/dF`. Backwards, process `r` alone has

    N (dF_r/dw)^T dL/dF     for the weights below the features: `summed` multiplies by N, as a sum over N
                            processes with equal losses would, without asking them
    dL/dv                   for the weights `v` above them, such as those of the classifier, in each alike

so that in both cases the *average* over the processes is the gradient of one process, up to the order in
which it is added up. A loss for each process on its own messages, as is usual, would be another one here: the
contrastive loss compares each message with all others of the batch.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import islice
from typing import Any

import torch

from rasa_intent_discovery.datatypes import T
from rasa_intent_discovery.errors import ConfigError, DiscoveryError

# While the first process clusters, or reads a large log, the others wait.
_PATIENCE = timedelta(days=7)


class Dismissed(Exception):
    """The first process needs no more help."""


class ProcessLost(DiscoveryError):
    """Another process of the launch is gone."""


class Processes:
    """A process by itself, which shares with nobody and at no cost.

    Attributes:
        count: of processes.
        number: of this one, 0 for the first.
        trained_tokens: how many tokens this process has trained on, padding included.
    """

    count: int = 1
    number: int = 0
    trained_tokens: int = 0

    @property
    def is_first(self) -> bool:
        """Whether this is the process that does what a person sees."""
        return self.number == 0

    @property
    def gpu(self) -> int | None:
        """The index of the GPU of this process; None leaves the choice to PyTorch."""
        return None

    def shared(self, make: Callable[[], T]) -> T:
        """What the first process makes, in all; it can be pickled.

        Raises:
            Dismissed: in the others, the first one has ended.
        """
        return make()

    def each(self, items: Iterable[T]) -> Iterator[T]:
        """The items of the first process in all, one after the other; those of the others are ignored."""
        yield from items

    def gathered(self, value: T) -> list[T]:
        """What each process has, in the order of their numbers."""
        return [value]

    def own(self, items: Iterable[T]) -> Iterable[T]:
        """The items that this process takes of those that all have."""
        return items

    def added(self, tensor: torch.Tensor) -> None:
        """Puts together, in place, the rows that each process has computed; the others have zeros there."""

    def summed(self, tensor: torch.Tensor) -> torch.Tensor:
        """The same as a new tensor with gradients, of a loss that all compute; see above."""
        return tensor

    def average_gradients(self, parameters: Iterable[torch.nn.Parameter]) -> None:
        """Averages the gradients of all processes; a parameter that has one nowhere goes on without."""

    @contextmanager
    def dividing(self) -> Iterator[None]:
        """Within the block, the others wait for numbers and not for what the first decides."""
        yield

    def dismiss(self) -> None:
        """The first lets the others go."""


ALONE = Processes()
_joined = ALONE


def joined() -> Processes:
    """The processes that this one has joined; it is by itself where it has not."""
    return _joined


def join() -> Processes:
    """Joins the other processes of the launch, when all have come.

    Raises:
        ConfigError: the package that this needs is not installed.
    """
    global _joined
    _joined = _Launched()
    return _joined


class _Launched(Processes):
    """One of several processes, on the process group that accelerate's `PartialState` sets up."""

    def __init__(self) -> None:
        try:
            from accelerate import PartialState
            from accelerate.utils import broadcast_object_list, gather_object
        except ImportError as error:
            raise ConfigError(
                "several processes need a package that is not installed; run "
                "pip install 'rasa-intent-discovery[accelerate]', or start the command without a launcher"
            ) from error
        gpus, here = torch.cuda.device_count(), int(os.environ.get("LOCAL_WORLD_SIZE", "1"))
        # NCCL wants a GPU for each process. What is decided goes through gloo, which does not occupy the GPU.
        backend = None if not gpus else "cpu:gloo,cuda:nccl" if gpus >= here else "gloo"
        self._state = PartialState(cpu=not gpus, backend=backend, timeout=_PATIENCE)
        self._broadcast, self._gather = broadcast_object_list, gather_object
        self.count, self.number = self._state.num_processes, self._state.process_index
        self._is_dividing = False

    @property
    def gpu(self) -> int | None:
        return self._state.device.index if self._state.device.type == "cuda" else None

    def shared(self, make: Callable[[], T]) -> T:
        message: tuple[bool, Any] = (True, make()) if self.is_first else (False, None)
        with _collective():
            [message] = self._broadcast([message])
        is_there, value = message
        if not is_there:
            raise Dismissed
        return value

    def each(self, items: Iterable[T]) -> Iterator[T]:
        source = iter(items)
        while found := self.shared(lambda: [*islice(source, 1)]):
            yield found[0]

    def gathered(self, value: T) -> list[T]:
        with _collective():
            found: list[T] = self._gather([value])
        return found

    def own(self, items: Iterable[T]) -> Iterable[T]:
        return islice(items, self.number, None, self.count)

    def added(self, tensor: torch.Tensor) -> None:
        if tensor.numel():
            with _collective():  # As bytes, which every backend adds: where one is not 0, all others are.
                torch.distributed.all_reduce(tensor.view(torch.uint8))

    def summed(self, tensor: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = _Sum.apply(tensor, self.count)
        return found

    def average_gradients(self, parameters: Iterable[torch.nn.Parameter]) -> None:
        trained = list(parameters)
        known = [parameter.grad is not None for parameter in trained]
        flat = [torch.zeros_like(each) if each.grad is None else each.grad for each in trained]
        # In one go: a message for each parameter would wait much longer.
        counts = torch.tensor(known, dtype=trained[0].dtype, device=trained[0].device)
        everything = torch.cat([counts, *(gradient.flatten() for gradient in flat)])
        with _collective():
            torch.distributed.all_reduce(everything)
        counts, averages = everything[: len(trained)], everything[len(trained) :] / self.count
        parts = averages.split([parameter.numel() for parameter in trained])
        for parameter, part, somewhere in zip(trained, parts, counts.tolist(), strict=True):
            parameter.grad = part.view_as(parameter) if somewhere else None

    @contextmanager
    def dividing(self) -> Iterator[None]:
        self._is_dividing = True
        yield
        self._is_dividing = False  # not after an error: then the others go on waiting

    def dismiss(self) -> None:
        if self._is_dividing:
            return  # They would take it for numbers. Their launcher ends them, as this process fails.
        try:
            with _collective():
                self._broadcast([(False, None)])
        except ProcessLost:
            return
        self._state.destroy_process_group()


class _Sum(torch.autograd.Function):
    @staticmethod
    def forward(context: Any, tensor: torch.Tensor, count: int) -> torch.Tensor:
        context.count, whole = count, tensor.clone()
        with _collective():
            torch.distributed.all_reduce(whole)
        return whole

    @staticmethod
    def backward(context: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None]:
        return gradient * context.count, None


@contextmanager
def _collective() -> Iterator[None]:
    try:
        yield
    except torch.cuda.OutOfMemoryError:
        raise
    except RuntimeError as error:
        raise ProcessLost(
            "another process of this launch has ended before its time; see what it said"
        ) from error
