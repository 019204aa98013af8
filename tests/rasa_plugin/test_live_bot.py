"""A bot that Rasa trained and runs: people talk to it at once, and what it did not understand is found.

Rasa starts more than one worker only where these share a lock store, which is Redis here.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from servers import SECRET, free_port, wait_for

from rasa_intent_discovery.corpus.events import Selection
from rasa_intent_discovery.rasa_plugin import tracker

pytestmark = pytest.mark.slow

RASA = Path(sys.executable).with_name("rasa")
ENVIRONMENT = {
    **os.environ,
    "SANIC_WORKERS": "2",
    "RASA_TELEMETRY_ENABLED": "false",
    "SQLALCHEMY_SILENCE_UBER_WARNING": "1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    # Sanic says when a worker starts; Rasa's own line is lost, as loading a model silences the root logger.
    "LOG_LEVEL_LIBRARIES": "INFO",
}

BOT = {
    "config.yml": """
recipe: default.v1
assistant_id: live-bot
language: en
pipeline:
- name: WhitespaceTokenizer
- name: CountVectorsFeaturizer
- name: LogisticRegressionClassifier
- name: FallbackClassifier
  threshold: 0.55
- name: rasa_intent_discovery.IntentDiscovery
policies:
- name: RulePolicy
""",
    "credentials.yml": "rest:\n",
    "domain.yml": """
version: "3.1"
intents: [greet, opening_hours, book_table]
slots:
  people:
    type: text
    mappings:
    - type: from_text
      conditions: [{active_loop: booking, requested_slot: people}]
forms:
  booking:
    required_slots: [people]
responses:
  utter_greet: [{text: Hello}]
  utter_hours: [{text: From nine to five}]
  utter_ask_people: [{text: For how many}]
  utter_booked: [{text: Done}]
  utter_rephrase:
  - text: I did not understand that.
    buttons:
    - {title: Call me, payload: somebody should ring me}
""",
    "data/rules.yml": """
version: "3.1"
rules:
- rule: greet
  steps: [{intent: greet}, {action: utter_greet}]
- rule: hours
  steps: [{intent: opening_hours}, {action: utter_hours}]
- rule: book
  steps: [{intent: book_table}, {action: booking}, {active_loop: booking}]
- rule: booked
  condition: [{active_loop: booking}]
  steps:
  - action: booking
  - active_loop: null
  - slot_was_set: [requested_slot: null]
  - action: utter_booked
- rule: fallback
  steps: [{intent: nlu_fallback}, {action: utter_rephrase}]
""",
    "data/nlu.yml": """
version: "3.1"
nlu:
- intent: greet
  examples: |
    - hello
    - hello hello
    - hello there
    - hello everyone
    - well hello
    - hello again
- intent: opening_hours
  examples: |
    - opening hours
    - opening hours today
    - opening hours tomorrow
    - sunday opening hours
    - holiday opening hours
    - tell opening hours
- intent: book_table
  examples: |
    - book table
    - book table tonight
    - book table outside
    - book table please
    - book another table
    - book big table
""",
}

COLLECTED = "collected_messages"
RECOGNIZED = ["hello", "opening hours", "/greet", "book table"]
ANSWER, CLICK = "for four", "somebody should ring me"
#: What each of the people wants that the bot does not know, in words that its training data do not hold.
WISHES = {
    "ann": [
        "my parcel is late",
        "where is my parcel",
        "parcel never came",
        "my parcel got lost",
        "track my parcel",
    ],
    "bob": [
        "parcel not delivered",
        "which day comes my parcel",
        "parcel arrived broken",
        "find my parcel",
        "Grüße",
    ],
    "cid": [
        "cancel my account",
        "delete my account",
        "close my account",
        "remove my account",
        "my account must go",
    ],
    "dee": [
        "I want no account",
        "end my account",
        "drop my account",
        "erase my account",
        "quit, my account\nis old",
    ],
    "eve": [
        "refund my money",
        "give my money back",
        "money back now",
        "my refund is missing",
        "refund this invoice",
    ],
}
UNRECOGNIZED = [wish for wishes in WISHES.values() for wish in wishes]
LEFT_OUT = (
    "left out 30 messages: 20 recognised by the bot (--all-messages reads them), 5 answers to what a form "
    "asked for, 5 clicks on a button"
)


@pytest.fixture(scope="session")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a bot that Rasa has trained."""
    folder = tmp_path_factory.mktemp("live_bot")
    for name, content in BOT.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content)
    done = subprocess.run([RASA, "train"], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@contextmanager
def running(bot: Path, endpoints: str) -> Iterator[str]:
    """The address of the bot while it runs with two workers."""
    port = free_port()
    log = bot / f"{endpoints}.log"
    options = ["--enable-api", "--endpoints", endpoints, "--interface", "127.0.0.1", "--port", str(port)]
    with log.open("wb") as out:
        server = subprocess.Popen(
            [RASA, "run", *options], cwd=bot, env=ENVIRONMENT, stdout=out, stderr=subprocess.STDOUT
        )
    try:
        wait_for(lambda: log.read_text().count("Starting worker [") == 2, server, seconds=300)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(60)


def say(address: str, sender: str, message: str) -> None:
    body = json.dumps({"sender": sender, "message": message}).encode()
    request = urllib.request.Request(
        f"{address}/webhooks/rest/webhook", body, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        assert json.load(response), f"no answer to {message!r}"


def talk(address: str) -> None:
    """All the people at once, each of them one message after the other."""

    def one(sender: str) -> None:
        first, *others = WISHES[sender]
        for message in (*RECOGNIZED, ANSWER, *others, first, CLICK):
            say(address, sender, message)

    with ThreadPoolExecutor(len(WISHES)) as people:
        list(people.map(one, WISHES))


@contextmanager
def filled(bot: Path, endpoints: str, store: str, locks: int) -> Iterator[Path]:
    """The endpoints of a bot to which all have talked; it goes on running while its store is read."""
    path = bot / endpoints
    path.write_text(
        f"tracker_store:\n{store}lock_store:\n  type: redis\n  url: 127.0.0.1\n  port: {locks}\n"
        f"  password: {SECRET}\n  db: 1\n"
    )
    shutil.rmtree(bot / COLLECTED, ignore_errors=True)
    with running(bot, endpoints) as address:
        talk(address)
        yield path


def check(endpoints: Path) -> None:
    log = tracker.read_tracker_store(str(endpoints), Selection())

    assert sorted(message.text for message in log.messages) == sorted(UNRECOGNIZED)
    assert all(message.time for message in log.messages)
    assert log.skipped == (f"{endpoints} > tracker_store: {LEFT_OUT}",)

    collected = endpoints.parent / COLLECTED / "messages.jsonl"
    wait_until(lambda: collected.exists() and collected.read_text().count("\n") == len(UNRECOGNIZED))
    lines = [json.loads(line) for line in collected.read_text().splitlines()]
    assert sorted(line["text"] for line in lines) == sorted(UNRECOGNIZED)
    assert {line["intent"] for line in lines} <= {"greet", "opening_hours", "book_table"}


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not true() and time.monotonic() < deadline:
        time.sleep(0.1)


def test_sqlite(bot: Path, redis: int) -> None:
    store = f"  type: SQL\n  dialect: sqlite\n  db: {bot}/tracker.db\n"
    with filled(bot, "sqlite.yml", store, redis) as endpoints:
        check(endpoints)

        # Under the fallback stands what the bot took it for: one of three intents, none of which is sure.
        unsure = tracker.read_tracker_store(str(endpoints), Selection(below=0.5)).messages
        assert {message.text for message in unsure} == set(UNRECOGNIZED)
        assert (
            tracker.read_tracker_store(str(endpoints), Selection(everything=True)).messages[0].text == "hello"
        )


def test_postgresql_by_the_command(bot: Path, postgres: int, redis: int) -> None:
    store = (
        f"  type: SQL\n  dialect: postgresql\n  url: 127.0.0.1\n  port: {postgres}\n"
        f"  db: live_bot\n  login_db: postgres\n  username: rasa\n  password: {SECRET}\n"
    )
    with filled(bot, "postgresql.yml", store, redis) as endpoints:
        check(endpoints)

        words = ["discover-intents", "--endpoints", endpoints.name, "--preset", "fast"]
        done = subprocess.run([RASA, *words], cwd=bot, env=ENVIRONMENT, capture_output=True, text=True)

    assert done.returncode == 0, done.stdout + done.stderr
    assert LEFT_OUT in " ".join(done.stdout.split())
    assert SECRET not in done.stdout + done.stderr
    lines = (bot / "intent_drafts/assignments.jsonl").read_text().splitlines()
    assert sorted(json.loads(line)["text"] for line in lines) == sorted(UNRECOGNIZED)


def test_redis(bot: Path, redis: int) -> None:
    store = f"  type: redis\n  url: 127.0.0.1\n  port: {redis}\n  db: 2\n  password: {SECRET}\n"
    with filled(bot, "redis.yml", store, redis) as endpoints:
        check(endpoints)
