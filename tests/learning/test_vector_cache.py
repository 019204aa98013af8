"""Vectors are kept between runs: the same as read anew, and only what is new is read."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_encoder import write_tiny_encoder

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import T
from rasa_intent_discovery.learning.cache_folder import CacheFolder
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.encoder_identity import encoder_identity
from rasa_intent_discovery.learning.kept_vectors import KeptVectors, text_hashes
from rasa_intent_discovery.learning.loading import load_as, load_encoder
from rasa_intent_discovery.learning.numbers import LearningNumbers
from rasa_intent_discovery.learning.token_states import TokenStates
from rasa_intent_discovery.learning.vector_cache import read_cached

TEXTS = [f"{'please ' * (number % 7)}open invoice {number}" for number in range(40)]


class CountingEncoder(Encoder):
    """Notes what it is given to read."""

    given: list[str]

    def read(self, texts: Sequence[str], *rest: Any) -> TokenStates:
        self.__dict__.setdefault("given", []).extend(texts)
        return super().read(texts, *rest)


@pytest.fixture
def cache(tmp_path: Path) -> CacheFolder:
    return CacheFolder(tmp_path / "cache", 10.0)


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of a few texts, and shards of some batches."""
    numbers = LearningNumbers(tokens_per_batch=64, texts_per_shard=8)
    for module in ("vector_cache", "kept_vectors", "padding"):
        monkeypatch.setattr(f"rasa_intent_discovery.learning.{module}.LEARNING", numbers)


def encoder(folder: str, **settings: object) -> CountingEncoder:
    made = load_as(
        CountingEncoder, DiscoveryConfig.from_mapping({"encoder": folder, "device": "cpu", **settings})
    )
    made.given = []
    return made


def read(of: Encoder, texts: Sequence[str], cache: CacheFolder) -> TokenStates:
    return read_cached(of, kept_in(cache, of), texts)


def kept_in(cache: CacheFolder, of: Encoder) -> KeptVectors:
    return KeptVectors(cache, encoder_identity(of))


def assert_same(one: TokenStates, other: TokenStates) -> None:
    for name, tensor in vars(one).items():
        assert tensor.dtype == vars(other)[name].dtype
        assert torch.equal(tensor, vars(other)[name]), name


@pytest.mark.parametrize("trained_layers", [0, 1])
def test_what_is_kept_is_what_was_read(folder: str, cache: CacheFolder, trained_layers: int) -> None:
    reader = encoder(folder, trained_layers=trained_layers)
    expected = reader.read(TEXTS)
    assert_same(read(reader, TEXTS, cache), expected)
    assert len(cache.files("vectors")) > 3
    reader.given = []
    assert_same(read(reader, TEXTS, cache), expected)
    assert reader.given == []


def test_equal_texts_are_read_as_they_are_without_a_folder(folder: str, cache: CacheFolder) -> None:
    reader, texts = encoder(folder), ["hello", *TEXTS, "hello", "hello"]
    expected = reader.read(texts)
    for _ in range(2):
        assert_same(read(reader, texts, cache), expected)
    assert len(set(text_hashes(texts))) == len(texts)


def test_only_new_messages_are_read_in_the_next_run(folder: str, cache: CacheFolder) -> None:
    first = read(encoder(folder), TEXTS, cache)
    reader = encoder(folder)
    texts, kept = ["hello", *reversed(TEXTS[5:]), "bye"], kept_in(cache, reader)
    found = read_cached(reader, kept, texts)

    assert sorted(reader.given) == ["bye", "hello"]
    assert kept.found == 35
    rows = torch.tensor([len(TEXTS) - 1 - row for row in range(35)])
    assert_same(found.selected(torch.arange(1, 36)), first.selected(rows))
    torch.testing.assert_close(found.pooled, reader.read(texts).pooled, atol=1e-5, rtol=1e-5)


def test_an_interrupted_reading_costs_one_shard_and_gives_the_same(folder: str, cache: CacheFolder) -> None:
    expected, reader = encoder(folder).read(TEXTS), encoder(folder)

    def interrupt(items: Iterable[T], stage: str, total: int) -> Iterator[T]:
        for step, item in enumerate(items):
            if step == total - 2:
                raise KeyboardInterrupt
            yield item

    with pytest.raises(KeyboardInterrupt):
        read_cached(reader, kept_in(cache, reader), TEXTS, interrupt)
    there = len(cache.files("vectors"))
    assert there > 1
    reader = encoder(folder)
    assert_same(read(reader, TEXTS, cache), expected)
    assert 0 < len(reader.given) <= len(TEXTS) - 8 * there
    cache.files("vectors")[1].unlink()
    assert_same(read(encoder(folder), TEXTS, cache), expected)


def other_weights(folder: str, tmp_path: Path) -> Encoder:
    return encoder(write_tiny_encoder(tmp_path / "other", seed=1))


def other_length(folder: str, tmp_path: Path) -> Encoder:
    return encoder(folder, max_tokens=8)


def other_layers(folder: str, tmp_path: Path) -> Encoder:
    return encoder(folder, trained_layers=0)


def other_numbers(folder: str, tmp_path: Path) -> Encoder:
    made = encoder(folder)
    made.autocast_dtype = {torch.float32: torch.bfloat16, torch.bfloat16: torch.float32}[made.autocast_dtype]
    return made


def other_words(folder: str, tmp_path: Path) -> Encoder:
    made = encoder(folder)
    made.tokenizer.add_tokens(["invoice"])
    return made


@pytest.mark.parametrize("other", [other_weights, other_length, other_layers, other_numbers, other_words])
def test_vectors_of_another_encoder_do_not_serve(
    other: Callable[[str, Path], Encoder], folder: str, cache: CacheFolder, tmp_path: Path
) -> None:
    assert encoder_identity(other(folder, tmp_path)) != encoder_identity(encoder(folder))


def test_training_makes_no_other_encoder(folder: str) -> None:
    trained = encoder(folder)
    identity = encoder_identity(trained)
    trained.restore([weights + 1 for weights in trained.trained_state()])

    fresh = load_encoder(DiscoveryConfig(encoder=folder, device="cpu"))
    assert encoder_identity(trained) == identity == encoder_identity(fresh)


def truncated(content: bytes) -> bytes:
    return content[: len(content) // 2]


def changed(content: bytes) -> bytes:
    return content[:-9] + bytes([content[-9] ^ 1]) + content[-8:]


def foreign(content: bytes) -> bytes:
    return b"PK\x03\x04 something else"


def of_another_encoder(content: bytes) -> bytes:
    at = content.index(b"encoder") + len('encoder\\": \\"')
    return content[:at] + (b"0" if content[at : at + 1] != b"0" else b"1") + content[at + 1 :]


@pytest.mark.parametrize("damage", [truncated, changed, foreign, of_another_encoder, lambda _: b""])
def test_a_damaged_file_is_noticed_and_read_again(
    damage: Callable[[bytes], bytes], folder: str, cache: CacheFolder, caplog: pytest.LogCaptureFixture
) -> None:
    expected = read(encoder(folder), TEXTS, cache)
    file = cache.files("vectors")[0]
    file.write_bytes(damage(file.read_bytes()))
    reader = encoder(folder)

    assert_same(read(reader, TEXTS, cache), expected)
    assert 0 < len(reader.given) < len(TEXTS)
    [line] = [record.message for record in caplog.records if record.levelno == logging.WARNING]
    assert line.startswith(f"discarded {file}: it is not as it was written (")
    caplog.clear()
    assert_same(read(encoder(folder), TEXTS, cache), expected)
    assert caplog.messages == []


def test_a_file_that_is_gone_meanwhile_is_read_again(
    folder: str, cache: CacheFolder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """By another process, for which it was one too many."""
    expected = read(encoder(folder), TEXTS, cache)
    files = cache.files("vectors")
    files[0].unlink()
    monkeypatch.setattr(cache, "files", lambda part: files)

    assert_same(read(encoder(folder), TEXTS, cache), expected)
    assert caplog.messages == []


def test_a_run_does_not_delete_what_it_has_kept_itself(
    folder: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="rasa_intent_discovery")
    whole = CacheFolder(tmp_path / "whole", 10.0)
    expected = read(encoder(folder), TEXTS, whole)
    sizes = [file.stat().st_size for file in whole.files("vectors")]
    small = CacheFolder(tmp_path / "small", 0.6 * sum(sizes) / 1e6)
    told = (
        f"the other vectors are not kept for the next run: {small.path} holds {small.limit / 1e6:g} MB "
        "at most (cache_megabytes)"
    )
    for _ in range(2):
        caplog.clear()
        assert_same(read(encoder(folder), TEXTS, small), expected)
        assert caplog.messages == [told]
        there = {file.name: file.stat().st_mtime_ns for file in small.files("vectors")}
        assert 0 < len(there) < len(sizes)
    reader = encoder(folder)
    assert_same(read(reader, TEXTS, small), expected)
    assert 0 < len(reader.given) < len(TEXTS)
    assert there.keys() == {file.name for file in small.files("vectors")}


def test_one_bar_shows_the_reading(folder: str, cache: CacheFolder) -> None:
    reader, shown = encoder(folder), list[str]()

    def bar(items: Iterable[T], stage: str, total: int) -> Iterator[T]:
        for done, item in enumerate(items, 1):
            shown.append(f"{stage}: {done} of {total}")
            yield item
        shown.append("removed")

    read_cached(reader, kept_in(cache, reader), TEXTS, bar)
    total = len(shown) - 1
    assert total > len(cache.files("vectors"))
    assert shown == [*(f"reading messages: {done} of {total}" for done in range(1, total + 1)), "removed"]


def test_offsets_stay_here_wherever_the_states_are() -> None:
    states = TokenStates(torch.zeros(5, 2), torch.tensor([0, 3, 5]), torch.zeros(2, 2))

    there = states.on(torch.device("meta"))

    assert {there.states.device.type, there.pooled.device.type} == {"meta"}
    assert there.offsets.device.type == "cpu"
