"""A store of a million events, read by a process of its own so that its memory can be measured."""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from rasa.shared.core.domain import Domain

from rasa_intent_discovery.rasa_plugin.rasa_versions import SQLTrackerStore

EVENTS, MESSAGES, TEXTS = 1_000_000, 150_000, 40_000
MOST_MEGABYTES = 500
READ = """
import sys
from rasa_intent_discovery.corpus.events import Selection
from rasa_intent_discovery.rasa_plugin.tracker import read_tracker_store
log = read_tracker_store(sys.argv[1], Selection(everything=True))
print(len(log.messages), len({message.text for message in log.messages}))
# Not `ru_maxrss`: that of a new process begins with what the process that started it has.
[peak] = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(int(peak.split()[1]) // 1024)
"""


def rows() -> Iterator[tuple[str, str, float, str]]:
    """Conversations of 20 events, 3 of which are messages; a few texts are frequent, most are rare."""
    random.seed(0)
    words = [f"word{number}" for number in range(2_000)]
    texts = [" ".join(random.choices(words, k=random.randint(2, 14))) for _ in range(TEXTS)]
    ranking = [{"name": f"intent_{number}", "confidence": 0.9 / (number + 1)} for number in range(10)]
    for number in range(EVENTS):
        sender, time = f"person-{number // 20}", 1_770_000_000.0 + number
        kind = "user" if number % 20 in (3, 9, 15) else ("bot", "action", "slot")[number % 3]
        event = {
            "event": kind,
            "timestamp": time,
            "metadata": {"model_id": "m" * 32, "assistant_id": "a" * 20},
        }
        if kind == "user":
            text = texts[int(TEXTS * random.random() ** 2)]
            parsed = {"intent": ranking[0], "intent_ranking": ranking, "entities": [], "text": text}
            event |= {"text": text, "input_channel": "rest", "message_id": "i" * 32, "parse_data": parsed}
        else:
            event |= {"name": "utter_something", "value": None, "text": "That is what I know about it."}
        yield sender, kind, time, json.dumps(event)


@pytest.mark.slow
def test_a_million_events_take_little_memory(tmp_path: Path) -> None:
    SQLTrackerStore(Domain.empty(), dialect="sqlite", db=str(tmp_path / "tracker.db"))
    with sqlite3.connect(tmp_path / "tracker.db") as store:
        store.executemany(
            "INSERT INTO events (sender_id, type_name, timestamp, data) VALUES (?, ?, ?, ?)", rows()
        )
    endpoints = tmp_path / "endpoints.yml"
    endpoints.write_text(f"tracker_store:\n  type: SQL\n  dialect: sqlite\n  db: {tmp_path}/tracker.db\n")

    done = subprocess.run([sys.executable, "-c", READ, endpoints], capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    messages, texts, megabytes = map(int, done.stdout.split())
    assert messages == MESSAGES
    assert texts > 0.8 * TEXTS
    assert megabytes < MOST_MEGABYTES
