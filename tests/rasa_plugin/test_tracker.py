"""Messages from the tracker store of a bot: real stores, written by Rasa's own classes."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from command_line import exit_code, printed, rasa
from rasa.core.brokers.sql import SQLEventBroker
from rasa.shared.core.domain import Domain
from rasa.shared.core.events import ActionExecuted, SessionStarted, UserUttered
from rasa.shared.core.trackers import DialogueStateTracker
from rasa.utils.endpoints import EndpointConfig
from rasa_world import IS_PRO
from sqlalchemy.exc import OperationalError

from rasa_intent_discovery import run
from rasa_intent_discovery.corpus.events import Selection
from rasa_intent_discovery.datatypes import LoggedMessage
from rasa_intent_discovery.errors import ConfigError, DataError
from rasa_intent_discovery.rasa_plugin import sql_store, tracker
from rasa_intent_discovery.rasa_plugin.rasa_versions import SQLTrackerStore, TrackerStore

SAID = {"ann": ["where is my parcel", "/greet", "Grüße"], "bob": ["close my account\nnow", ""]}
SQLITE = "tracker_store:\n  type: SQL\n  dialect: sqlite\n  db: tracker.db\n"


@pytest.fixture(autouse=True)
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("endpoints.yml").write_text(SQLITE)


def save(store: TrackerStore, said: dict[str, list[str]]) -> None:
    async def save_all() -> None:
        for sender, texts in said.items():
            conversation = DialogueStateTracker(sender, [])
            for text in texts:
                # Only the last session is what `retrieve` gives: a reader must ask for all of them.
                conversation.update(ActionExecuted("action_session_start"))
                conversation.update(SessionStarted())
                conversation.update(UserUttered(text, {"name": "nlu_fallback", "confidence": 0.4}))
                conversation.update(ActionExecuted("utter_default"))
            await store.save(conversation)

    asyncio.run(save_all())


@pytest.fixture
def sqlite() -> Path:
    save(SQLTrackerStore(Domain.empty(), dialect="sqlite", db="tracker.db"), SAID)
    return Path("tracker.db")


def error() -> str:
    with pytest.raises(DataError) as raised:
        tracker.read_tracker_store("endpoints.yml", Selection())
    return str(raised.value)


def texts(endpoints: str = "endpoints.yml") -> list[str]:
    return [message.text for message in tracker.read_tracker_store(endpoints, Selection()).messages]


def test_what_people_wrote_is_read_from_a_sql_store(sqlite: Path) -> None:
    before = sqlite.read_bytes()

    log = tracker.read_tracker_store("endpoints.yml", Selection())

    assert sorted(message.text for message in log.messages) == sorted(SAID["ann"] + SAID["bob"])
    assert log.skipped == ()
    assert sqlite.read_bytes() == before
    assert sorted(path.name for path in Path().iterdir()) == ["endpoints.yml", "tracker.db"]


def test_more_than_a_page(sqlite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql_store, "_PAGE", 2)

    assert sorted(texts()) == sorted(SAID["ann"] + SAID["bob"])


def test_a_broken_event_is_skipped_and_counted(sqlite: Path) -> None:
    with sqlite3.connect(sqlite) as connection:
        connection.execute(
            "UPDATE events SET data = '{' WHERE id = (SELECT MIN(id) FROM events WHERE type_name = 'user')"
        )

    log = tracker.read_tracker_store("endpoints.yml", Selection())

    assert len(log.messages) == 4
    assert log.skipped == ("endpoints.yml > tracker_store: skipped event 3, which cannot be read",)


@pytest.mark.parametrize("data", [None, "", "[]", '"user"', "7", "[" * 100_000, b"\xff"])
def test_whatever_stands_in_a_row_that_is_broken(sqlite: Path, data: Any) -> None:
    with sqlite3.connect(sqlite) as connection:
        connection.execute("UPDATE events SET data = ? WHERE type_name = 'user'", [data])

    assert error() == (
        "endpoints.yml > tracker_store: skipped 5 events that cannot be read, the first is event 3; the "
        "store holds no message of a user; name files with --messages"
    )


def test_a_message_that_was_recognised_is_left_out_and_said_so(sqlite: Path) -> None:
    with sqlite3.connect(sqlite) as connection:
        connection.execute("""UPDATE events SET data = replace(data, '"nlu_fallback"', '"greet"')""")

    assert error() == (
        "endpoints.yml > tracker_store: left out 5 messages: 5 recognised by the bot (--all-messages reads "
        "them); there are no others: read all with --all-messages"
    )
    everything = tracker.read_tracker_store("endpoints.yml", Selection(everything=True))
    assert len(everything.messages) == 5


@pytest.mark.parametrize(
    ("selection", "advice"),
    [
        (Selection(channels=("rset",)), "name a channel that there is with --channel (cmdline, rest)"),
        (Selection(since=4e9), "give other days with --since and --until"),
        (Selection(until=0, everything=True), "give other days with --since and --until"),
    ],
)
def test_where_all_are_left_out_it_is_said_what_to_choose(
    sqlite: Path, selection: Selection, advice: str
) -> None:
    with sqlite3.connect(sqlite) as connection:
        connection.execute("UPDATE events SET data = json_set(data, '$.input_channel', 'rest')")
        connection.execute(
            "UPDATE events SET data = json_set(data, '$.input_channel', 'cmdline') WHERE sender_id = 'ann'"
        )
    with pytest.raises(DataError) as raised:
        tracker.read_tracker_store("endpoints.yml", selection)
    assert str(raised.value).endswith(f"; there are no others: {advice}")


def test_the_table_of_an_event_broker() -> None:
    broker = SQLEventBroker(dialect="sqlite", db="broker.db")
    ranking = [{"name": "nlu_fallback", "confidence": 0.7}, {"name": "greet", "confidence": 0.2}]
    parsed = {"intent": ranking[0], "intent_ranking": ranking}
    for event in (
        {"event": "action", "name": "action_listen"},
        {"event": "user", "text": "send me the bill", "parse_data": parsed, "timestamp": 1_770_000_000},
        {"event": "user", "text": "hello", "parse_data": {"intent": {"name": "greet", "confidence": 1}}},
    ):
        broker.publish({"sender_id": "ann", **event})
    Path("endpoints.yml").write_text("event_broker:\n  type: SQL\n  dialect: sqlite\n  db: broker.db\n")

    log = tracker.read_tracker_store("endpoints.yml", Selection())

    [message] = log.messages
    assert (message.text, message.time) == ("send me the bill", 1_770_000_000)


class Kept(TrackerStore):
    """A store of somebody's own, kept in a file."""

    def __init__(self, domain: Domain, host: Any = None, event_broker: Any = None, **kwargs: Any) -> None:
        super().__init__(domain, event_broker, **kwargs)

    async def save(self, tracker: DialogueStateTracker) -> None:
        kept = json.loads(Path("kept.json").read_text()) if Path("kept.json").exists() else {}
        kept[tracker.sender_id] = [event.as_dict() for event in tracker.events]
        Path("kept.json").write_text(json.dumps(kept))

    async def retrieve(self, sender_id: str) -> DialogueStateTracker | None:
        raise AssertionError("only the last session")

    async def retrieve_full_tracker(self, conversation_id: str) -> DialogueStateTracker | None:
        kept = json.loads(Path("kept.json").read_text())
        return DialogueStateTracker.from_dict(conversation_id, kept[conversation_id], [])

    async def keys(self) -> list[str]:
        return list(json.loads(Path("kept.json").read_text()))


def test_any_other_store_is_read_by_its_interface() -> None:
    save(Kept(Domain.empty()), SAID)
    Path("endpoints.yml").write_text(f"tracker_store:\n  type: {__name__}.Kept\n")

    assert sorted(texts()) == sorted(SAID["ann"] + SAID["bob"])


@pytest.mark.parametrize(
    ("endpoints", "error", "line"),
    [
        (None, ConfigError, "endpoints.yml: there is no such file, say with --endpoints where it is"),
        (
            "action_endpoint:\n  url: http://localhost\n",
            ConfigError,
            "endpoints.yml: it names no `tracker_store` that keeps messages, so there is nothing to read; "
            "give logged messages with --messages",
        ),
        (
            "tracker_store:\n  type: in_memory\n",
            ConfigError,
            "endpoints.yml: it names no `tracker_store` that keeps messages, so there is nothing to read; "
            "give logged messages with --messages",
        ),
        (
            "a: b\ntracker_store: [\n",
            ConfigError,
            "endpoints.yml, line 3: expected the node content, but found '<stream end>'",
        ),
        (
            "- a\n",
            ConfigError,
            f"endpoints.yml{'' if IS_PRO else ', line 1'}: Value '['a']' is not a dict. Value path: ''",
        ),
        (
            "tracker_store:\n  type: SQL\n  db: ${NO_SUCH_DB}\n",
            ConfigError,
            "endpoints.yml: Error when trying to expand the environment variables in '${NO_SUCH_DB}'.",
        ),
        (
            "tracker_store:\n  type: 5\n",
            ConfigError,
            "endpoints.yml > tracker_store > type: expected the name of a store, such as sql, got 5",
        ),
        (
            "x: " + "[" * 100_000,
            ConfigError,
            "endpoints.yml, line 1: nested more than 30 levels deep; correct it",
        ),
        (SQLITE, DataError, "endpoints.yml > tracker_store: there is no database "),
        (
            "tracker_store:\n  type: nowhere.Store\n",
            DataError,
            "endpoints.yml > tracker_store > type: there is no store of the type 'nowhere.Store', check",
        ),
    ],
)
def test_a_store_that_cannot_be_read(endpoints: str | None, error: type[Exception], line: str) -> None:
    if endpoints is None:
        Path("endpoints.yml").unlink()
    else:
        Path("endpoints.yml").write_text(endpoints)
    before = sorted(path.name for path in Path().iterdir())

    with pytest.raises(error) as raised:
        tracker.read_tracker_store("endpoints.yml", Selection())

    assert str(raised.value).startswith(line)
    assert "\n" not in str(raised.value)
    assert sorted(path.name for path in Path().iterdir()) == before


def test_a_store_without_a_key() -> None:
    Path("endpoints.yml").write_text("tracker_store: SQL\n")
    said = r"cannot be read \(.*\); below `tracker_store:` and the like stand settings, such as `type: sql`$"
    with pytest.raises(ConfigError, match=rf"^endpoints\.yml: {said}"):
        tracker.read_tracker_store("endpoints.yml", Selection())


def test_a_file_that_is_no_database() -> None:
    Path("tracker.db").write_text("no database at all, but long enough to be looked at" * 9)

    with pytest.raises(DataError, match=r"the store cannot be read \(.*not a database"):
        tracker.read_tracker_store("endpoints.yml", Selection())


def test_a_database_of_something_else() -> None:
    sqlite3.connect("tracker.db").execute("CREATE TABLE shoes (size INTEGER)")

    with pytest.raises(DataError, match="has no table `events`, so no bot has used it"):
        tracker.read_tracker_store("endpoints.yml", Selection())


def test_a_table_of_another_make() -> None:
    sqlite3.connect("tracker.db").execute("CREATE TABLE events (number INTEGER, data TEXT)")

    with pytest.raises(DataError, match="has no column id, sender_id, so Rasa 3 did not make it"):
        tracker.read_tracker_store("endpoints.yml", Selection())


def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("endpoints.yml").write_text("tracker_store:\n  type: SQL\n  dialect: mysql+pymysql\n  db: rasa\n")
    monkeypatch.setitem(sys.modules, "pymysql", None)

    assert error() == (
        "endpoints.yml > tracker_store: the store needs the package pymysql, which is not installed; install "
        "it beside Rasa"
    )


@pytest.mark.parametrize(
    "settings",
    [
        "type: SQL, dialect: postgresql, url: 127.0.0.1, port: 1, username: bobby, password: sesame",
        "type: SQL, dialect: postgresql, url: 127.0.0.1, port: sesame, password: sesame",
        "type: SQL, dialect: postgresql, url: 127.0.0.1, port: 1, query: {password: sesame, user: bobby}",
        "type: SQL, url: 'postgresql://bobby:sesame@127.0.0.1:1/rasa'",
        "type: SQL, url: 'postgresql://bobby:ses@me/sesame@127.0.0.1:1/rasa'",
        "type: SQL, url: 'nosuch+sesame://bobby:sesame@127.0.0.1:1/rasa'",
        "type: redis, url: 127.0.0.1, port: 1, username: bobby, password: sesame",
        "type: redis, url: 'bobby:sesame@127.0.0.1', port: 1",
        "type: mongod, url: 'mongodb://bobby:sesame@127.0.0.1:1/?serverSelectionTimeoutMS=500'",
        "type: mongod, url: 'mongodb://bobby:sesame/sesame@127.0.0.1:1'",
        "type: mongod, url: 'bobby:sesame@127.0.0.1:1/?serverSelectionTimeoutMS=500'",
    ],
)
def test_what_keeps_a_store_from_being_read_is_said_without_credentials(
    settings: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("endpoints.yml").write_text(f"tracker_store: {{{settings}}}\n")

    line = error()

    assert line.startswith("endpoints.yml > tracker_store: the store cannot be read (")
    assert line.endswith("); check that it runs, and its settings")
    assert len(line) < 320 and "\n" not in line
    for word in ("bobby", "sesame"):
        assert word not in line + caplog.text + "".join(capfd.readouterr())


def test_a_short_name_is_not_masked_inside_of_words() -> None:
    store = "type: SQL, dialect: postgresql, url: 127.0.0.1, port: 1, username: re, password: sesame"
    Path("endpoints.yml").write_text(f"tracker_store: {{{store}}}\n")
    assert "Connection refused" in error()


def test_a_store_without_messages() -> None:
    save(SQLTrackerStore(Domain.empty(), dialect="sqlite", db="tracker.db"), {"ann": []})

    with pytest.raises(DataError, match="the store holds no message of a user; name files with --messages"):
        tracker.read_tracker_store("endpoints.yml", Selection())


# The option


@pytest.fixture
def project() -> None:
    Path("config.yml").write_text("language: en\npipeline:\n- name: IntentDiscovery\n")
    Path("data").mkdir()
    Path("data/nlu.yml").write_text(
        'version: "3.1"\nnlu:\n- intent: greet\n  examples: |\n    - hello\n'
        "- intent: bye\n  examples: |\n    - see you\n"
    )


@pytest.mark.parametrize("files", [[], ["--messages", "more.txt"]], ids=["alone", "beside files"])
def test_the_option_hands_the_messages_to_the_discovery(
    sqlite: Path, project: None, monkeypatch: pytest.MonkeyPatch, files: list[str]
) -> None:
    Path("more.txt").write_text("one more\n")
    read: list[LoggedMessage] = []

    def stop(known: Any, logged: list[LoggedMessage], config: Any) -> None:
        read.extend(logged)
        raise DataError("that is enough")

    monkeypatch.setattr(run, "build_corpus", stop)

    assert exit_code("--endpoints", "endpoints.yml", *files) == 1
    assert {message.text for message in read} == {
        *SAID["ann"],
        *SAID["bob"],
        *(["one more"] if files else []),
    }


def test_the_command_says_in_one_line_why_a_store_cannot_be_read(
    project: None, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("endpoints.yml").write_text(
        "tracker_store:\n  type: SQL\n  dialect: postgresql\n  url: bobby:sesame@127.0.0.1:1\n  db: rasa\n"
    )

    assert exit_code("--endpoints", "endpoints.yml") == 1
    assert capsys.readouterr().out == printed(
        "endpoints.yml > tracker_store: the store cannot be read ((psycopg2.OperationalError) connection to "
        'server at "127.0.0.1", port 1 failed: Connection refused); check that it runs, and its settings'
    )


def test_the_backtest_reads_it_too(sqlite: Path, project: None, capsys: pytest.CaptureFixture[str]) -> None:
    sqlite.unlink()

    with pytest.raises(SystemExit):
        rasa("backtest", "--endpoints", "endpoints.yml")

    out = capsys.readouterr().out
    assert out.startswith(printed("endpoints.yml > tracker_store: there is no database ")[:-1])


def test_a_sqlite_store_is_opened_for_reading_alone(sqlite: Path) -> None:
    """A bot at work writes to it: a reader that may write could lock it, or make a table."""
    store = EndpointConfig.from_dict({"type": "sql", "dialect": "sqlite", "db": str(sqlite)})
    engine = sql_store._engine(store, "endpoints.yml > tracker_store", "rasa.db")
    with engine.connect() as connection, pytest.raises(OperationalError, match="readonly"):
        connection.execute(sqlalchemy.text("DELETE FROM events"))
    engine.dispose()
