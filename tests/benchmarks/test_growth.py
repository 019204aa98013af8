"""Large logs made of a small one, and how a run grows with them."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest

from benchmarks import growth
from benchmarks.bots import Bot, Truth, gold_key, read_gold
from benchmarks.growth import exponents
from benchmarks.large_logs import recombined, write_large_bot
from rasa_intent_discovery.corpus.messages import read_messages
from rasa_intent_discovery.datatypes import KNOWN, NEW, KnownExample
from rasa_intent_discovery.training_data.text_identity import text_key

REFUND, GREET = Truth(NEW, "refund"), Truth(KNOWN, "greet")
LOG = (
    *[(f"please give me all of {what} back at once", REFUND) for what in ("my money", "the fee", "it")],
    *[(f"a very good {when} to you all", GREET) for when in ("morning", "evening", "day")],
    ("hello", GREET),
    ("nobody said what this is", None),
)


def test_a_message_is_the_beginning_of_one_and_the_end_of_another_of_its_intent() -> None:
    made = [*islice(recombined(LOG, 0), 40)]

    assert len({text_key(text) for text, _ in made}) == 40
    words = {truth: {word for text, of in LOG if of == truth for word in text.split()} for _, truth in LOG}
    for text, truth in made:
        assert set(text.split()) <= words[truth]
        assert text.split()[0] in ("please", "a")


def test_a_smaller_log_is_the_beginning_of_a_larger_one() -> None:
    small, large = ([*islice(recombined(LOG, 3), count)] for count in (10, 30))

    assert large[:10] == small
    assert [*islice(recombined(LOG, 4), 10)] != small


def test_the_bot_has_the_log_with_times_and_the_truth_of_every_message(tmp_path: Path) -> None:
    write_large_bot(Bot((KnownExample("hello", "greet"),), LOG), 25, 0, tmp_path / "bot")

    read = read_messages([tmp_path / "bot" / "logs"]).messages
    gold = read_gold(tmp_path / "bot" / "gold.tsv")
    assert [message.text for message in read] == [text for text, _ in islice(recombined(LOG, 0), 25)]
    assert [gold[gold_key(message.text)] for message in read] == [
        truth for _, truth in islice(recombined(LOG, 0), 25)
    ]
    times = [message.time for message in read]
    assert None not in times and times == sorted(times)


def test_the_exponent_is_one_where_time_grows_as_the_log_does() -> None:
    runs = [
        {"preset": preset, "messages": size, "seconds": 7 * size**power}
        for preset, power in (("fast", 1.0), ("default", 1.5))
        for size in (10, 100, 1000)
    ]

    assert exponents(runs) == {"fast": 1.0, "default": 1.5}
    assert exponents(runs[:1]) == {}


def test_a_file_of_another_data_set_or_commit_or_of_other_messages_is_not_added_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, out = tmp_path / "toy", tmp_path / "out.json"
    data.mkdir()
    run = {"data": "toy", "asked": 20, "preset": "fast", "seed": 0, "commit": "now"}
    monkeypatch.setattr(growth, "commit", lambda: "now")

    def refused(*, sizes: str = "20", **differs: object) -> str:
        out.write_text(json.dumps({"runs": [{**run, **differs}]}))
        with pytest.raises(SystemExit) as error:
            growth.main(["--data-dir", str(data), "--sizes", sizes, "--preset", "fast", "--out", str(out)])
        return str(error.value)

    assert refused(data="other") == f"{out} holds runs of other and commit now: give another --out"
    assert refused(commit="before") == f"{out} holds runs of toy and commit before: give another --out"
    assert "compares the first 20 messages" in refused(sizes="10")


def test_a_bot_that_was_half_written_is_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, out, bots = tmp_path / "toy", tmp_path / "out.json", tmp_path / "bots"
    data.mkdir()
    measured: list[tuple[str, int]] = []

    def measure(bot: Path, preset: str, seed: int, alike: int) -> dict[str, object]:
        measured.append(((bot / "log").read_text(), alike))
        return {
            "preset": preset,
            "seed": seed,
            "messages": 30,
            "seconds": 1,
            "cpu_seconds": 1,
            "commit": "now",
        }

    def stopped(small: object, size: int, seed: int, folder: Path) -> None:
        folder.mkdir(parents=True)
        (folder / "log").write_text("half")
        raise KeyboardInterrupt

    def written(small: object, size: int, seed: int, folder: Path) -> None:
        folder.mkdir(parents=True)
        (folder / "log").write_text("whole")

    for name, stand_in in (("commit", lambda: "now"), ("make_bot", lambda *_: None), ("measure", measure)):
        monkeypatch.setattr(growth, name, stand_in)
    arguments = ["--data-dir", str(data), "--sizes", "30", "40", "--preset", "fast", "--out", str(out)]
    monkeypatch.setattr(growth, "write_large_bot", stopped)
    with pytest.raises(KeyboardInterrupt):
        growth.main([*arguments, "--bots", str(bots)])
    monkeypatch.setattr(growth, "write_large_bot", written)
    assert growth.main([*arguments, "--bots", str(bots)]) == 0
    assert measured == [("whole", 30), ("whole", 30)]
