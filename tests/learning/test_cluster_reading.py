"""Messages are read by a real Dask cluster of two worker processes: the same vectors, half the work each."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from encoder_readings import WantedReading, each_reading

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import T, no_progress
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.learning import cluster_reading
from rasa_intent_discovery.learning.cache_folder import NO_CACHE, CacheFolder
from rasa_intent_discovery.learning.cluster_reading import ClusterReader, ClusterViews
from rasa_intent_discovery.learning.encoder_identity import encoder_identity
from rasa_intent_discovery.learning.kept_vectors import KeptVectors
from rasa_intent_discovery.learning.loading import load_encoder
from rasa_intent_discovery.learning.numbers import LearningNumbers
from rasa_intent_discovery.learning.token_states import TokenStates
from rasa_intent_discovery.learning.vector_cache import read_cached

# Each of the processes loads PyTorch, which takes a minute where others compute, too.
pytestmark = pytest.mark.slow

TEXTS = [f"{'please ' * (number % 7)}open invoice {number}" for number in range(3000)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two processes of one thread, as two machines would be."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield cluster


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "rasa_intent_discovery.learning.vector_cache.LEARNING", LearningNumbers(texts_per_shard=100)
    )


def read(
    folder: str,
    address: str,
    cache: CacheFolder = NO_CACHE,
    progress: Any = no_progress,
    **settings: Any,
) -> TokenStates:
    config = DiscoveryConfig(encoder=folder, device="cpu", dask=address, **settings)
    encoder = load_encoder(config)
    identity = encoder_identity(encoder)
    return read_cached(
        encoder, KeptVectors(cache, identity), TEXTS, progress, ClusterReader(config, identity)
    )


def settings(folder: str) -> tuple[tuple[str, Any], ...]:
    config = DiscoveryConfig(encoder=folder, device="cpu")
    return tuple((name, getattr(config, name)) for name in cluster_reading._SETTINGS)


@pytest.fixture(scope="module")
def expected(folder: str) -> TokenStates:
    torch.set_num_threads(1)
    return load_encoder(DiscoveryConfig(encoder=folder, device="cpu")).read(TEXTS)


def assert_same(one: TokenStates, other: TokenStates) -> None:
    assert all(torch.equal(tensor, vars(other)[name]) for name, tensor in vars(one).items())


def test_two_workers_read_half_of_the_shards_each(
    folder: str, cluster: Any, expected: TokenStates, tmp_path: Path
) -> None:
    from distributed import Client, get_task_stream

    cache = CacheFolder(tmp_path / "cache", 100.0)
    with Client(cluster) as client, get_task_stream(client) as stream:
        # These messages take less time than loading PyTorch: who has it first would read them all.
        client.run(cluster_reading._read_shard, settings(folder), ["hello"])
        assert_same(read(folder, cluster.scheduler_address, cache), expected)
    shards = len(cache.files("vectors"))
    read_by = Counter(task["worker"] for task in stream.data if task["key"].startswith("_read_shard"))
    assert shards > 6
    assert sum(read_by.values()) == shards
    assert len(read_by) == 2
    assert min(read_by.values()) >= shards / 4
    assert_same(read(folder, "tcp://127.0.0.1:1", cache), expected)  # all is there: no cluster is asked


@each_reading
def test_workers_read_with_the_prompt_and_pooling_of_the_run(
    wanted: WantedReading, cluster: Any, tmp_path: Path
) -> None:
    folder = wanted.write(tmp_path / "encoder")

    found = read(folder, cluster.scheduler_address, **wanted.settings)

    assert_same(
        found, load_encoder(DiscoveryConfig(encoder=folder, device="cpu", **wanted.settings)).read(TEXTS)
    )
    features = torch.from_numpy(wanted.features(folder, TEXTS[::100]))
    torch.testing.assert_close(found.pooled[::100], features, atol=0.05, rtol=0.05)


def test_a_worker_that_is_killed_costs_its_shard_alone(
    folder: str, cluster: Any, expected: TokenStates
) -> None:
    from distributed import Client, get_task_stream

    with Client(cluster) as client:
        client.wait_for_workers(2)
        victim = next(iter(client.run(os.getpid).values()))
        shown: list[int] = []

        def killing(items: Iterable[T], stage: str, total: int) -> Iterator[T]:
            for number, item in enumerate(items):
                if number == 2:
                    os.kill(victim, signal.SIGKILL)
                shown.append(total)
                yield item

        with get_task_stream(client) as stream:
            assert_same(read(folder, cluster.scheduler_address, progress=killing), expected)
    tasks = [task for task in stream.data if task["key"].startswith("_read_shard")]
    assert len(shown) == shown[0]
    assert len(tasks) <= shown[0] + 2


def test_a_cluster_that_does_not_answer_is_one_line(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_reading, "LEARNING", LearningNumbers(cluster_seconds=0.5))
    with pytest.raises(
        ConfigError, match=r"^dask: the cluster at tcp://127.0.0.1:1 cannot be used \(.*dask sch"
    ):
        read(folder, "tcp://127.0.0.1:1")


@pytest.mark.parametrize("address", ["here://there", "http://example.org:80"])
def test_an_address_that_is_none_is_one_line(address: str, folder: str) -> None:
    with pytest.raises(ConfigError, match=rf"^dask: the cluster at {address} cannot be used"):
        read(folder, address)


def test_a_worker_with_another_encoder_is_refused(folder: str, cluster: Any) -> None:
    config = DiscoveryConfig(encoder=folder, device="cpu", dask=cluster.scheduler_address)
    with pytest.raises(ConfigError, match="^dask: a worker of the cluster at .* has another encoder"):
        list(ClusterReader(config, "another")([["hello"]], no_progress))


def test_a_cluster_that_loses_its_last_worker_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_reading, "LEARNING", LearningNumbers(worker_seconds=0.1))
    lost = SimpleNamespace(is_empty=lambda: False, has_ready=lambda: False)
    with pytest.raises(ValueError, match="it has no workers any more"):
        next(cluster_reading._awaited(lost, SimpleNamespace(scheduler_info=lambda: {"workers": {}})))


def test_a_worker_that_comes_back_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_reading, "LEARNING", LearningNumbers(worker_seconds=0.3))
    began = time.monotonic()

    def workers() -> dict[str, Any]:
        return {} if (time.monotonic() - began) % 0.4 > 0.25 else {"one": {}}

    waiting = SimpleNamespace(
        is_empty=lambda: False, has_ready=lambda: time.monotonic() - began > 1.0, next=lambda: "done"
    )
    client = SimpleNamespace(scheduler_info=lambda: {"workers": workers()})
    assert next(cluster_reading._awaited(waiting, client)) == "done"


def test_a_worker_of_another_version_of_the_program_is_refused(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it makes of features is no matter of the encoder."""
    config = DiscoveryConfig(encoder=folder, device="cpu", dask="tcp://127.0.0.1:1")
    encoder = load_encoder(config)
    identity = encoder_identity(encoder)
    space = SimpleNamespace()
    views: Any = ClusterViews
    ours = views(config, identity, encoder, space, lambda *_: {})
    monkeypatch.setattr(cluster_reading, "_program", lambda: "another")
    theirs = views(config, identity, encoder, space, lambda *_: {})
    assert ours._identity != theirs._identity
    assert {ours._identity.split()[0], theirs._identity.split()[0]} == {identity}


def test_what_a_worker_lacks_is_said(cluster: Any, tmp_path: Path) -> None:
    config = DiscoveryConfig(encoder=str(tmp_path / "none"), device="cpu", dask=cluster.scheduler_address)
    with pytest.raises(ConfigError, match="encoder: there is no folder"):
        list(ClusterReader(config, "another")([["hello"]], no_progress))


def test_the_package_that_is_needed_is_named(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ConfigError, match=r"pip install 'rasa-intent-discovery\[dask\]'"):
        read(folder, "tcp://127.0.0.1:1")


@pytest.mark.parametrize("again", [1, 9])
def test_what_is_lost_with_its_last_worker_is_sent_anew(again: int) -> None:
    from distributed import LocalCluster

    begun: list[int] = []

    def begin(_: Any) -> int:
        begun.append(1)
        return 10 * len(begun)

    def send(client: Any, number: int, told: int) -> Any:
        future = client.submit(_after_a_while, number, told, pure=False)
        if len(begun) <= again and number in (1, 2):
            client.cancel([future], force=True)  # as where what it needs is lost
        return future

    with LocalCluster(1, threads_per_worker=1, processes=False, dashboard_address=None) as one:
        cluster = cluster_reading._Cluster(one.scheduler_address, "mine")
        if again == 1:
            assert sorted(cluster.done(range(5), send, "x", no_progress, begin)) == [
                *[(0, 10), (1, 21), (2, 22), (3, 23), (4, 24)]
            ]
            assert len(begun) == 2
            return
        with pytest.raises(ConfigError, match="its workers are lost again and again"):
            list(cluster.done(range(5), send, "x", no_progress, begin))


def _after_a_while(number: int, told: int) -> tuple[str, int]:
    time.sleep(0.05)
    return "mine", number + told
