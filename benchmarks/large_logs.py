"""Large logs made of a small one: every message is the beginning of one and the end of another of its intent.

    python -m benchmarks.large_logs --data-dir DATA --messages 100000 --out BOT

No two messages are the same, and each keeps the intent of its parts, so that a run can be scored. What is
said at the beginning or at the end comes again and again in a large log, as it does in a real one, but no
wish is in it that is not in the small one: such a log shows what a run costs, and whether its answers stay
the same as logs grow.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, timezone
from itertools import islice
from pathlib import Path

import numpy as np

from benchmarks.bots import Bot, Recipe, Truth, make_bot, write_bot
from rasa_intent_discovery.training_data.text_identity import text_key

#: As the bot of this data set in the suite: so many examples stay with it.
RECIPE = Recipe(examples=20)
_FIRST_DAY = datetime(2026, 1, 1, tzinfo=timezone.utc)
_DAYS = 90


def recombined(log: Sequence[tuple[str, Truth | None]], seed: int) -> Iterator[tuple[str, Truth]]:
    """Distinct messages without end, each with what it is; the first ones are the same however many follow.

    A message is cut between two words of its middle third, so that both parts say something. Intents are as
    frequent as in the log.
    """
    rng = np.random.default_rng(seed)
    rows = [(text.split(), truth) for text, truth in log if truth is not None]
    rows = [(said, truth) for said, truth in rows if len(said) > 1]
    of: dict[Truth, list[list[str]]] = {}
    for said, truth in rows:
        of.setdefault(truth, []).append(said)
    seen: set[str] = set()
    while True:
        for first, second, *cuts in rng.random((1024, 4)).tolist():
            begins, truth = rows[int(first * len(rows))]
            ends = of[truth][int(second * len(of[truth]))]
            text = " ".join([*begins[: _cut(begins, cuts[0])], *ends[_cut(ends, cuts[1]) :]])
            key = text_key(text)
            if key not in seen:
                seen.add(key)
                yield text, truth


def _cut(said: Sequence[str], place: float) -> int:
    """Before which word a message is cut; place is 0..1."""
    return max(1, min(len(said) - 1, round(len(said) * (1 + place) / 3)))


def write_large_bot(small: Bot, messages: int, seed: int, out: Path) -> None:
    """As `write_bot`, with a log of so many messages, logged one after the other over three months."""
    write_bot(Bot(small.examples, ()), out)
    (out / "logs" / "messages.txt").unlink()
    step = timedelta(days=_DAYS) / messages
    with (
        (out / "logs" / "messages.csv").open("w", encoding="utf-8", newline="") as log,
        (out / "gold.tsv").open("a", encoding="utf-8") as gold,
    ):
        lines = csv.writer(log)
        lines.writerow(["text", "time"])
        for number, (text, truth) in enumerate(islice(recombined(small.log, seed), messages)):
            lines.writerow([text, (_FIRST_DAY + number * step).isoformat()])
            gold.write(f"{text}\t{truth.placement}\t{truth.intent or ''}\n")


def main(argv: list[str] | None = None) -> int:
    """Runs the program; returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.large_logs",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data-dir", type=Path, required=True, help="of one data set; holds train.tsv")
    parser.add_argument("--messages", type=int, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True, help="the folder of the bot; must not exist")
    arguments = parser.parse_args(argv)
    small = make_bot(arguments.data_dir, RECIPE, arguments.seed)
    write_large_bot(small, arguments.messages, arguments.seed, arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
