"""A log that is too large to learn from all of it: a sample is learnt from, every other message is placed."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from encoder_readings import WantedReading, each_reading
from test_stages import BOT, INVOICE, MORE, PASSWORD, corpus_of
from tiny_encoder import write_tiny_encoder

from rasa_intent_discovery import stages
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus import sampling
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.datatypes import NEW, UNLABELED, Corpus, Placement
from rasa_intent_discovery.drafts.contents import drafts_of
from rasa_intent_discovery.learning.cache_folder import NO_CACHE, CacheFolder, part_of_run
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.numbers import LEARNING
from rasa_intent_discovery.learning.token_states import TokenStates
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.proposals.memory.earlier import NOTHING_EARLIER, Earlier
from rasa_intent_discovery.proposals.placing import PlacedBlock, Placer
from rasa_intent_discovery.proposals.whole_log import least_messages
from rasa_intent_discovery.result import Discovery
from rasa_intent_discovery.stages import discover_in

LOGGED = [
    f"{start}{text}{end}"
    for text in (*PASSWORD, *INVOICE, *MORE)
    for start, end in product(("", "please ", "hello ", "hey "), ("", " now", " please?", " thanks"))
]
LEARNT = 150
BLOCK = 20
BLOCKS = -(-(len(LOGGED) - LEARNT) // BLOCK)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_tiny_encoder(tmp_path_factory.mktemp("encoder"))


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return corpus_of(BOT, [*LOGGED, *PASSWORD])


def run(
    folder: str,
    corpus: Corpus,
    learnt: int,
    earlier: Earlier = NOTHING_EARLIER,
    cache: CacheFolder = NO_CACHE,
    **settings: Any,
) -> Discovery:
    given = {"encoder": folder, "device": "cpu", "cache": "", **settings}
    config = DiscoveryConfig.from_mapping({"preset": "fast", **given})
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sampling, "CORPUS", dataclasses.replace(CORPUS, most_learnt=learnt))
        patched.setattr(stages, "LEARNING", dataclasses.replace(LEARNING, texts_per_block=BLOCK))
        return discover_in(corpus, config, earlier=earlier, cache=cache)


@pytest.fixture(scope="module")
def whole(folder: str, corpus: Corpus) -> Discovery:
    return run(folder, corpus, len(LOGGED))


@pytest.fixture(scope="module")
def sampled(folder: str, corpus: Corpus) -> Discovery:
    return run(folder, corpus, LEARNT)


def test_a_sample_places_nearly_all_messages_as_the_whole_log_does(
    whole: Discovery, sampled: Discovery
) -> None:
    assert whole.sample is None
    kinds = [[place.placement for place in found.placements] for found in (whole, sampled)]
    same = [one == other for one, other in zip(*kinds, strict=True)]

    # The encoder has learnt nothing, so that wishes are not far from each other.
    assert sum(same) >= 0.8 * len(same)


def test_every_message_has_one_place_and_every_number_counts_all(sampled: Discovery, corpus: Corpus) -> None:
    assert sampled.sample is not None
    assert len(sampled.placements) == len(corpus.texts)
    assert len(sampled.sample.rows) == LEARNT + corpus.labeled.sum()
    assert LEARNT + sampled.sample.placed == (~corpus.labeled).sum()
    drafted: list[int] = []
    for intent in sampled.intents:
        places = [row for row, place in enumerate(sampled.placements) if place.intent == intent.name]
        assert sorted(intent.members) == places
        assert intent.messages == corpus.counts[places].sum()
        assert intent.distinct == len(places)
        drafted += intent.members
    new = [row for row, place in enumerate(sampled.placements) if place.placement == NEW]
    assert sorted(drafted) == new
    assert not set(new) <= set(sampled.sample.rows.tolist())


def test_examples_are_of_the_sample_and_the_evidence_of_the_whole_log(
    sampled: Discovery, corpus: Corpus
) -> None:
    new, known = drafts_of(sampled)

    assert sampled.sample is not None
    learnt = {corpus.texts[row] for row in sampled.sample.rows}
    assert all(set(draft.examples) <= learnt for draft in (*new, *known))
    for draft in known:
        rows = [row for row, place in enumerate(sampled.placements) if place.intent == draft.intent]
        rows = [row for row in rows if not corpus.labeled[row]]
        assert draft.evidence["distinct_messages"] == len(rows) >= len(draft.examples)


def test_the_map_has_what_was_learnt_from(sampled: Discovery) -> None:
    assert sampled.sample is not None
    assert np.flatnonzero(np.isfinite(sampled.coordinates[:, 0])).tolist() == sampled.sample.rows.tolist()


def test_the_same_seed_gives_the_same_places(folder: str, corpus: Corpus, sampled: Discovery) -> None:
    assert run(folder, corpus, LEARNT).placements == sampled.placements


def test_what_a_person_answered_about_is_in_the_sample(folder: str, corpus: Corpus) -> None:
    answered = [text for text in LOGGED if text.endswith("thanks")][::5]

    found = run(folder, corpus, LEARNT, Earlier(answers=(Answer(answered[0], tuple(answered[1:])),)))

    assert found.sample is not None
    assert {corpus.texts.index(text) for text in answered} <= set(found.sample.rows.tolist())


def test_a_proposal_of_a_sample_needs_its_part_of_the_messages_and_five_at_least() -> None:
    texts, labels = tuple(map(str, range(1001))), np.where(np.arange(1001) == 0, 0, UNLABELED)
    counts = np.where(labels == 0, 800_000, 1)  # an example is logged very often: no proposal has any of it
    log = Corpus(texts, labels, counts, tuple(((text, 1),) for text in texts), ("greet",))
    learnt, others = np.arange(101), np.arange(101, 1001)

    assert least_messages(log, learnt, others, 500) == 50
    assert least_messages(log, learnt, others, 20) == 5
    assert least_messages(log, learnt, others, 3) == 3
    assert least_messages(log, learnt, others[:0], 500) == 500
    counts[1] = (
        50_000  # what is logged so often is in every sample: of rare wishes a tenth is there as before
    )
    assert least_messages(log, learnt, others, 500) == 50


class Killed(BaseException):
    """As by `kill -9`: nothing is tidied up."""


@pytest.mark.parametrize("preset", ["fast", "default"])
def test_a_run_that_is_killed_goes_on_with_the_blocks_it_had_not_done(
    preset: str, folder: str, corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"preset": preset, "pretrain_epochs": 1, "aligned_epochs": int(preset == "default")}
    settings["out"] = str(tmp_path / "drafts")
    cache, done = CacheFolder(tmp_path / "cache", 100.0), list[int]()
    whole = run(folder, corpus, LEARNT, **settings)
    placed = Placer.__call__

    def counting(placer: Placer, features: np.ndarray, pretrained: np.ndarray) -> PlacedBlock:
        if len(done) == 4:
            raise Killed
        done.append(len(features))
        return placed(placer, features, pretrained)

    monkeypatch.setattr(Placer, "__call__", counting)
    with pytest.raises(Killed):
        run(folder, corpus, LEARNT, cache=cache, **settings)
    assert done == [BLOCK] * 4
    kept = [file for file in cache.files(part_of_run(settings["out"])) if "other-messages#" in file.name]
    assert len(kept) == 4
    kept[-1].write_bytes(kept[-1].read_bytes()[:-9])  # as where a disk was full

    done[:] = [0] * 10
    again = run(folder, corpus, LEARNT, cache=cache, **settings)

    assert len(done) - 10 == BLOCKS - 3
    assert again.placements == whole.placements
    assert again.intents == whole.intents


@pytest.mark.parametrize("preset", ["fast", "default"])
def test_the_next_run_reads_only_new_messages(
    preset: str, folder: str, corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"preset": preset, "pretrain_epochs": 1, "aligned_epochs": int(preset == "default")}
    cache, given = CacheFolder(tmp_path / "cache", 100.0), list[str]()
    read, before = Encoder.read, len(corpus.texts)

    def noting(encoder: Encoder, texts: Sequence[str], *rest: Any) -> TokenStates:
        given.extend(texts)
        return read(encoder, texts, *rest)

    monkeypatch.setattr(Encoder, "read", noting)
    first = run(folder, corpus, LEARNT, cache=cache, **settings)
    assert set(given) >= set(LOGGED)

    given.clear()
    again = run(folder, corpus, LEARNT, cache=cache, **settings)
    assert set(given).isdisjoint(LOGGED)
    assert again.placements == first.placements
    assert again.intents == first.intents

    given.clear()
    more = [f"{text} today" for text in INVOICE]
    grown = run(folder, corpus_of(BOT, [*LOGGED, *PASSWORD, *more]), LEARNT, cache=cache, **settings)
    assert set(more) <= set(given)
    assert set(given).isdisjoint(LOGGED)
    assert len(grown.placements) == before + len(more)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two processes of one thread, as two machines would be."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield cluster


@pytest.mark.slow  # Each of the processes loads PyTorch.
def test_a_cluster_places_the_other_messages(
    cluster: Any, folder: str, corpus: Corpus, sampled: Discovery
) -> None:
    from distributed import Client, get_task_stream

    with Client(cluster) as client, get_task_stream(client) as stream:
        found = run(folder, corpus, LEARNT, dask=cluster.scheduler_address)

    assert rounded(found) == rounded(sampled)
    done = Counter(task["worker"] for task in stream.data if task["key"].startswith("_made_of"))
    assert sum(done.values()) == BLOCKS
    assert len(done) == 2


def rounded(found: Discovery) -> list[Placement]:
    """Where it placed messages; another process may add in another order."""
    return [dataclasses.replace(one, confidence=round(one.confidence, 5)) for one in found.placements]


@pytest.mark.slow
@each_reading
def test_a_cluster_places_them_with_the_prompt_and_pooling_of_the_run(
    wanted: WantedReading, cluster: Any, corpus: Corpus, tmp_path: Path
) -> None:
    folder = wanted.write(tmp_path / "encoder")

    found = run(folder, corpus, LEARNT, dask=cluster.scheduler_address, **wanted.settings)

    assert rounded(found) == rounded(run(folder, corpus, LEARNT, **wanted.settings))


def test_the_page_says_that_a_sample_was_learnt_from() -> None:
    from rasa_intent_discovery.review.findings.overview import overview

    read = {"messages": 90_000, "sample": {"learnt": 20_000, "placed": 60_000, "far": 700}}
    run_record = {"read": read, "new_intents": {"proposed": 3}}

    assert (
        "The log is large: 20,000 of its different texts were learnt from, and each of 60,000 others was "
        "placed with those most like it; 700 of these are like none and left over."
    ) in overview(run_record)["lead"]
