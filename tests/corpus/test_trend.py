"""How often messages were logged, period by period."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.build import build_corpus
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.corpus.trend import trend_of
from rasa_intent_discovery.datatypes import Corpus, KnownExample, LoggedMessage
from rasa_intent_discovery.dates import day, moment

KNOWN = [KnownExample("hello", "greet"), KnownExample("bye", "leave")]
NOON = moment("2026-03-01T12:00")


def corpus_of(*logged: tuple[str, float | None]) -> Corpus:
    """Of texts and the days after the first of March at which each was written."""
    messages = [LoggedMessage(text, None if days is None else NOON + 86400 * days) for text, days in logged]
    return build_corpus(KNOWN, iter(messages), DiscoveryConfig())


def test_a_short_log_is_counted_by_day() -> None:
    corpus = corpus_of(("a refund", 0), ("hello", 0), ("A  refund", 2), ("a refund", 2.3), ("where is it", 1))
    assert corpus.texts[2:] == ("a refund", "where is it")
    assert corpus.trend is not None
    assert (corpus.trend.first_day, corpus.trend.days) == ("2026-03-01", 1)
    assert corpus.trend.counts.tolist() == [[1, 0, 0], [0, 0, 0], [1, 0, 2], [0, 1, 0]]
    assert corpus.trend.of([2, 3]) == [1, 1, 2]
    assert corpus.trend.of_log == [2, 1, 2]
    assert corpus.times == {0: (NOON, NOON), 2: (NOON, NOON + 2.3 * 86400), 3: (NOON + 86400, NOON + 86400)}


def test_the_last_period_ends_with_the_last_day() -> None:
    corpus = corpus_of(("a refund", 0), ("a refund", 3), ("a refund", 59))
    assert corpus.trend is not None
    assert (corpus.trend.first_day, corpus.trend.days) == ("2026-02-26", 7)
    assert corpus.trend.of([2]) == [2, 0, 0, 0, 0, 0, 0, 0, 1]
    assert date.fromisoformat(corpus.trend.first_day) + timedelta(9 * 7 - 1) == date(2026, 4, 29)


def test_a_first_period_of_which_the_log_has_less_than_half_is_left_out() -> None:
    corpus = corpus_of(("a refund", 0), ("a refund", 3), ("a refund", 58))
    assert corpus.trend is not None
    assert (corpus.trend.first_day, corpus.trend.of_log) == ("2026-03-04", [1, 0, 0, 0, 0, 0, 0, 1])


@pytest.mark.parametrize(
    ("span", "days"),
    [(2, 1), (11, 1), (12, 2), (36, 7), (83, 7), (84, 14), (365, 56), (3 * 365, 182), (20 * 365, 728)],
)
def test_a_period_is_as_many_days_as_read_well(span: int, days: int) -> None:
    corpus = corpus_of(("a refund", 0), ("a refund", span))
    assert corpus.trend is not None
    assert corpus.trend.days == days
    assert len(corpus.trend.of_log) <= CORPUS.most_periods


@pytest.mark.parametrize(
    "logged",
    [
        pytest.param([], id="no messages"),
        pytest.param([("a refund", None), ("a visa", None)], id="no times"),
        pytest.param(
            [("a refund", 0), ("a visa", 9), ("ho", None), ("hi", None)], id="times of half of them"
        ),
        pytest.param([("a refund", 3)] * 9, id="one moment"),
        pytest.param([("a refund", 0), ("a refund", 0.3)], id="one day"),
        pytest.param([("a refund", 0), ("a refund", 1.4)], id="two days"),
        pytest.param([("/payload", 0), ("/payload", 9)], id="nothing to cluster"),
        pytest.param([("a refund", 0), ("a refund", 1e12), ("a visa", float("nan"))], id="no times on earth"),
    ],
)
def test_a_log_that_shows_no_trend(logged: list[tuple[str, float | None]]) -> None:
    assert corpus_of(*logged).trend is None


def test_the_first_and_last_time_of_a_message_in_all_its_spellings() -> None:
    corpus = corpus_of(("A refund", 5), ("a refund", 1), ("a  refund", None), ("a visa", None))
    assert corpus.times == {2: (NOON + 86400, NOON + 5 * 86400)}


@given(st.lists(st.tuples(st.integers(0, 4), st.floats(0, 4e9)), min_size=2, max_size=40))
def test_every_message_is_in_the_period_of_its_day(logged: list[tuple[int, float]]) -> None:
    rows = np.array([row for row, _ in logged])
    times = np.array([time for _, time in logged])
    trend = trend_of(rows, times, np.bincount(rows, minlength=5))
    days = [datetime.fromtimestamp(time).date() for time in times.tolist()]
    if trend is None:
        assert max(days) - min(days) < timedelta(2)
        return
    first = date.fromisoformat(trend.first_day)
    counted = Counter(
        (row, (at - first).days // trend.days) for row, at in zip(rows.tolist(), days, strict=True)
    )
    counted = Counter({cell: count for cell, count in counted.items() if cell[1] >= 0})
    assert {cell: int(trend.counts[cell]) for cell in counted} == dict(counted)
    assert trend.counts.sum() == counted.total()
    assert 2 * (first - min(days)).days < trend.days
    assert trend.counts.shape[1] <= CORPUS.most_periods
    assert day(times.max()) == (first + timedelta(trend.days * trend.counts.shape[1] - 1)).isoformat()
