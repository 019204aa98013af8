"""Which messages of a large log are learnt from."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from rasa_intent_discovery.corpus import sampling
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.corpus.sampling import sampled

NONE = np.zeros(100, dtype=bool)


@pytest.fixture(autouse=True)
def ten_are_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "CORPUS", dataclasses.replace(CORPUS, most_learnt=10))


def test_of_few_messages_all_are_learnt() -> None:
    assert sampled(np.ones(10, dtype=np.int64), NONE[:10], 0).tolist() == [*range(10)]


def test_of_many_as_many_as_can_be_learnt_always_the_same_for_a_seed() -> None:
    counts = np.ones(100, dtype=np.int64)

    some = sampled(counts, NONE, 0)

    assert len(set(some.tolist())) == 10
    assert (np.diff(some) > 0).all()
    assert (sampled(counts, NONE, 0) == some).all()
    assert (sampled(counts, NONE, 1) != some).any()


def test_what_is_logged_often_and_what_has_to_be_there_is_there() -> None:
    counts, certain = np.ones(100, dtype=np.int64), NONE.copy()
    counts[[3, 50]] = 40
    certain[[7, 99]] = True

    assert all({3, 7, 50, 99} <= set(sampled(counts, certain, seed).tolist()) for seed in range(20))


def test_a_message_is_there_in_proportion_to_how_often_it_was_logged() -> None:
    counts = np.where(np.arange(100) < 50, 3, 1)

    found = np.bincount(np.concatenate([sampled(counts, NONE, seed) for seed in range(400)]), minlength=100)

    # Of ten, three of four are among those that were logged three times.
    assert found[:50].sum() / found.sum() == pytest.approx(0.75, abs=0.03)
