"""The figures of the masking: the same for a seed, of every kind, and at their best where they are easy."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.masking import main


def test_counts_what_was_masked(tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    for out in (first, second):
        assert main(["--out", str(out), "--count", "20", "--seed", "3"]) == 0

    found, again = (json.loads(path.read_text(encoding="utf-8")) for path in (first, second))
    assert found["masked"] == again["masked"]
    assert found["false positives"] == again["false positives"]
    assert found["languages"] == again["languages"]
    assert {kind: found["languages"]["de"]["false positives"][kind] for kind in ("one date", "spans")} == {
        "one date": 0,
        "spans": 0,
    }
    assert found["masked"]["e-mail"] == found["masked"]["card, broken over lines"] == 20
    assert found["false positives"]["prices"] == 0
    assert set(found["milliseconds for 1,000 characters"]) >= {"words", "phone numbers"}
