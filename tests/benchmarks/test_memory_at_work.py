"""The messages all differ, and a slope is that of the second half."""

from __future__ import annotations

from benchmarks.memory_at_work import messages, slope


def test_no_two_messages_are_the_same() -> None:
    texts = list(messages(["where is my parcel", "call me"], 2_000, seed=0))

    assert len(set(texts)) == 2_000
    assert texts == list(messages(["where is my parcel", "call me"], 2_000, seed=0))
    assert sum(len(text) > 1_000 for text in texts) == 40  # longer than what is recognised
    assert sum(not text.isascii() for text in texts) == 40


def test_the_slope_is_in_bytes_per_parse_once_all_is_warm() -> None:
    assert round(slope([0, 9_000_000, 10_000_000, 10_050_000, 10_100_000, 10_150_000])) == 50
    assert round(slope([0, 9_000_000, 10_000_000, 10_000_000]), 6) == 0
