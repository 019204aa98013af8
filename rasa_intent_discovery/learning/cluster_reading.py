"""Reads messages on the workers of a Dask cluster, part by part; each worker loads the encoder once.

A part whose worker dies is read by another one. What the workers make comes back to this process, which
keeps it: they need no folder in common.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np
import torch

import rasa_intent_discovery
from rasa_intent_discovery.clustering.features import FeatureSpace
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import Array, Progress
from rasa_intent_discovery.errors import ConfigError, DiscoveryError
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.encoder_files import in_short
from rasa_intent_discovery.learning.encoder_identity import code_digest, encoder_identity
from rasa_intent_discovery.learning.loading import load_encoder
from rasa_intent_discovery.learning.numbers import LEARNING
from rasa_intent_discovery.learning.tensor_file import from_bytes, to_bytes
from rasa_intent_discovery.learning.token_states import TokenStates

logger = logging.getLogger(__name__)

#: (b, d) features and (b, h) pretrained features -> arrays by name.
Make = Callable[[Array, Array], dict[str, Array]]

# The settings that the reading depends on.
_SETTINGS = ("encoder", "encoder_prompt", "device", "max_tokens", "trained_layers")
_LOOK_SECONDS = 0.02  # between two looks for what is done
# An encoder reads one shard at a time, however many threads a worker has.
_reading = threading.Lock()


class ClusterReader:
    """Has the shards read by a cluster, as the encoder of this process would read them."""

    def __init__(self, config: DiscoveryConfig, identity: str) -> None:
        """
        Args:
            config: `dask` is the address of the scheduler; the others are those of the encoder.
            identity: of the encoder of this process, which that of every worker has to be.
        """
        self._address, self._identity = config.dask, identity
        self._settings = tuple((name, getattr(config, name)) for name in _SETTINGS)

    def __call__(self, shards: Sequence[list[str]], progress: Progress) -> Iterator[tuple[int, TokenStates]]:
        """Yields the number of a shard and its vectors, in the order in which they are done.

        Raises:
            ConfigError: the cluster does not answer or its workers read otherwise; see `_as_config_error`.
        """
        cluster = _Cluster(self._address, self._identity)

        def send(client: Any, number: int) -> Any:
            return client.submit(_read_shard, self._settings, shards[number], pure=False)

        for number, content in cluster.done(range(len(shards)), send, "reading messages", progress):
            yield number, TokenStates(**from_bytes(content))


@dataclass(frozen=True, eq=False)
class _Trained:
    """What a worker needs of a run to see texts as it sees them, and what it makes of them."""

    weights: list[torch.Tensor]
    space: FeatureSpace
    make: Make


class ClusterViews:
    """Has texts read by a cluster with the trained encoder, and something made of their features there."""

    def __init__(
        self, config: DiscoveryConfig, identity: str, encoder: Encoder, space: FeatureSpace, make: Make
    ) -> None:
        """
        Args:
            config, identity: as of `ClusterReader`.
            encoder: as it is trained; space: maps its features to those that are clustered.
            make: as of `made_of_blocks`.
        """
        self._address, self._identity = config.dask, f"{identity} {_program()}"
        self._settings = tuple((name, getattr(config, name)) for name in (*_SETTINGS, "dense"))
        weights = [weight.cpu() for weight in encoder.trained_state()]
        self._trained = _Trained(weights, space, make)

    def __call__(
        self, numbers: Sequence[int], texts_of: Callable[[int], Sequence[str]], progress: Progress, stage: str
    ) -> Iterator[tuple[int, dict[str, Array]]]:
        """Yields the number of a block and what was made of its texts, in the order in which they are done.

        Raises:
            ConfigError: as `ClusterReader`.
        """
        cluster = _Cluster(self._address, self._identity)

        def begin(client: Any) -> Any:
            return client.scatter(self._trained, broadcast=True, hash=False)

        def send(client: Any, number: int, trained: Any) -> Any:
            return client.submit(_made_of, self._settings, trained, list(texts_of(number)), pure=False)

        yield from cluster.done(numbers, send, stage, progress, begin)


@dataclass(frozen=True)
class _Cluster:
    """The workers at an address, which have the encoder of this identity, or else are refused."""

    address: str
    identity: str

    def done(
        self,
        numbers: Sequence[int],
        send: Callable[..., Any],
        stage: str,
        progress: Progress,
        begin: Callable[[Any], Any] | None = None,
    ) -> Iterator[tuple[int, Any]]:
        """Yields the number of a part and what a worker made of it, in the order in which they are done.

        Few parts are on their way at a time: the scheduler need not hold all messages.

        Args:
            send: client, number, and what `begin` has returned -> the future of (identity, what was made).
            begin: is called with the client before anything is sent.

        Raises:
            ConfigError: the cluster does not answer or its workers read otherwise; see `_as_config_error`.
        """
        with _as_config_error(self.address), _client(self.address) as client:
            from distributed import as_completed

            workers = len(client.scheduler_info()["workers"])
            if not workers:
                raise ValueError("it has no workers")
            logger.info(
                "%s: %d parts by %d workers of the cluster at %s", stage, len(numbers), workers, self.address
            )
            told = () if begin is None else (begin(client),)
            begun, tries = 1, Counter[int]()
            left, waiting, done = iter(numbers), {}, as_completed(with_results=True)

            def send_all(some: Iterable[int]) -> None:
                for number in some:
                    future = send(client, number, *told)
                    waiting[future] = number, begun
                    done.add(future)

            send_all(islice(left, LEARNING.parts_per_worker * workers))
            for future, found in progress(_awaited(done, client), stage, len(numbers)):
                number, sent = waiting.pop(future)
                # It was lost with the last worker that had what it needs.
                if isinstance(found, BaseException):
                    tries[number] += 1
                    if tries[number] > LEARNING.lost_again:
                        raise ValueError("its workers are lost again and again")
                    if begin is not None and sent == begun:
                        told, begun = (begin(client),), begun + 1
                    send_all([number])
                    continue
                send_all(islice(left, 1))
                identity, made = found
                future.release()
                if identity != self.identity:
                    raise ConfigError(
                        f"dask: a worker of the cluster at {self.address} has another encoder, another kind "
                        "of processor or other versions of the libraries or of this program than this "
                        "machine, so that what it makes does not go with what is made here; install the same "
                        "everywhere, or leave `dask` out"
                    )
                yield number, made


def _awaited(done: Any, client: Any) -> Iterator[Any]:
    """What is done, one after the other; ValueError where no worker is there any more, and none comes."""
    while not done.is_empty():
        there = time.monotonic()
        while not done.has_ready():
            time.sleep(_LOOK_SECONDS)
            if client.scheduler_info()["workers"]:
                there = time.monotonic()
            elif time.monotonic() - there > LEARNING.worker_seconds:
                raise ValueError("it has no workers any more")
        yield done.next()


@lru_cache(maxsize=1)
def _program() -> str:
    """What is made of features depends on all of this program, and on NumPy."""
    return f"{code_digest(rasa_intent_discovery)} {np.__version__}"


def _made_of(
    settings: tuple[tuple[str, Any], ...], trained: _Trained, texts: list[str]
) -> tuple[str, dict[str, Array]]:
    """What a worker does: reads texts with the trained encoder, and makes of them what the run asks for."""
    with _reading:
        encoder, identity = _loaded(settings)
        encoder.restore(trained.weights)
        states = encoder.read(texts)
        features = trained.space(states.pretrained, encoder.embed(states))
        return f"{identity} {_program()}", trained.make(features, states.pretrained)


def _read_shard(settings: tuple[tuple[str, Any], ...], texts: list[str]) -> tuple[str, bytes]:
    """What a worker does: the vectors of texts, and the identity of the encoder they are of."""
    with _reading:
        encoder, identity = _loaded(settings)
        return identity, to_bytes(vars(encoder.read(texts)))


@lru_cache(maxsize=1)
def _loaded(settings: tuple[tuple[str, Any], ...]) -> tuple[Encoder, str]:
    encoder = load_encoder(DiscoveryConfig.from_mapping(dict(settings)))
    return encoder, encoder_identity(encoder)


@contextmanager
def _client(address: str) -> Iterator[Any]:
    try:
        from distributed import Client
    except ImportError as error:
        raise ConfigError(
            "dask: reading on a cluster needs a package that is not installed; run "
            "pip install 'rasa-intent-discovery[dask]'"
        ) from error
    with _quiet(), Client(address, timeout=LEARNING.cluster_seconds) as client:
        yield client


@contextmanager
def _quiet() -> Iterator[None]:
    """Within the block, what Dask says of a lost cluster is not said beside our own sentence."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "distributed"]
    loggers = [logging.getLogger(name) for name in ("asyncio", *names)]
    levels = [one.level for one in loggers]
    if not logger.isEnabledFor(logging.DEBUG):
        for one in loggers:
            one.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for one, level in zip(loggers, levels, strict=True):
            one.setLevel(level)


@contextmanager
def _as_config_error(address: str) -> Iterator[None]:
    """An error of the cluster, or on it, in one sentence."""
    try:
        yield
    except DiscoveryError:
        raise
    except (OSError, ValueError, TypeError, asyncio.TimeoutError) as error:
        raise ConfigError(
            f"dask: the cluster at {address} cannot be used ({in_short(error)}); start one with "
            "`dask scheduler` and `dask worker ADDRESS`, or leave `dask` out"
        ) from error
    except Exception as error:  # What went wrong on a worker may be anything.
        raise ConfigError(
            f"dask: a worker of the cluster at {address} could not read messages "
            f"({type(error).__name__}: {in_short(error)}); see its log, or leave `dask` out"
        ) from error
