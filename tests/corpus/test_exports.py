"""Logs as other programs export them: both sides of conversations, titles, lists of JSON, stored events."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from rasa_intent_discovery.corpus.events import Selection
from rasa_intent_discovery.corpus.messages import MessageLog, read_messages
from rasa_intent_discovery.datatypes import LoggedMessage
from rasa_intent_discovery.errors import DataError

Write = Callable[[str, str], str]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """A function that writes a file in the current folder, which is a fresh one, and returns its name."""
    monkeypatch.chdir(tmp_path)

    def written(name: str, content: str) -> str:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return name

    return written


def texts(log: MessageLog) -> list[str]:
    return [message.text for message in log.messages]


def error(*paths: str) -> str:
    with pytest.raises(DataError) as raised:
        read_messages(paths)
    return str(raised.value)


# Both sides


@pytest.mark.parametrize(
    ("column", "theirs", "ours"),
    [
        ("sender_type", "Contact", "AgentBot"),
        ("Message Type", "incoming", "outgoing"),
        ("direction", "inbound", "OUTBOUND"),
        ("role", "user", "assistant"),
        ("fromMe", "false", "true"),
        ("isBot", "0", "1"),
        ("author", "Anna Keller", "bot"),
        ("direction", "inbound", "outbound-api"),
        ("is_bot", "f", "t"),
        ("user_type", "employee", "Human Agent"),
        ("ParticipantRole", "CUSTOMER", "AGENT"),
        ("sent_by", "customer", "bot"),
        ("Sender", "Customer", "Virtual Assistant"),
        ("actor_type", "user", "agent"),
        ("direction", "MO", "MT"),
        ("role", "user", "model"),
        ("role", "user", "tool"),
        ("from_agent", "false", "true"),
        ("incoming", "true", "false"),
        ("Absender", "Kunde", "Bot"),
    ],
)
def test_of_both_sides_what_customers_wrote_is_read(
    write: Write, column: str, theirs: str, ours: str
) -> None:
    rows = [("where is my order", theirs), ("It is on its way.", ours), ("thanks", ""), ("Bye!", ours)]
    table = write("may.csv", f"text,{column}\n" + "".join(f"{text},{who}\n" for text, who in rows))
    lines = write("may.jsonl", "\n".join(json.dumps({"text": text, column: who}) for text, who in rows))
    workbook = Workbook()
    for row in [("text", column), *rows]:
        workbook.active.append(row)
    workbook.save("may.xlsx")
    for name, unit, first in [(table, "line", 3), (lines, "line", 2), ("may.xlsx", "row", 3)]:
        log = read_messages([name])
        assert texts(log) == ["where is my order", "thanks"]
        assert log.skipped == (
            f"{name}: skipped 2 {unit}s that are of a bot or an agent (`{column}`), "
            f"the first is {unit} {first}",
        )


@pytest.mark.parametrize(
    "record",
    [
        {"text": "hi", "role": "user"},
        {"text": "hi", "channel": "bot"},
        {"text": "hi", "type": "out"},
        {"text": "hi", "sender": "447911123456"},
        {"text": "hi", "from": {"name": "bot"}},
        {"text": "hi", "sender": "AI"},
        {"text": "hi", "sender_type": "admin"},
        {"text": "hi", "sender": {"type": "contact"}},
        {"text": "hi", "message_type": 1},
        {"text": "hi", "application": "chat-frontend"},
        {"text": "hi", "Application": {"name": "shop"}},
        {"text": "hi", "bot_profile": "sales"},
        {"text": "hi", "type": "request", "subtype": "group_booking"},
        {"text": "hi", "type": "request", "subtype": "bot_message"},
        {"text": "hi", "type": "request", "ts": 1.77e9, "subtype": "channel_change"},
        {"text": "bot"},
    ],
)
def test_what_does_not_say_that_a_bot_wrote_it_is_read(write: Write, record: dict[str, Any]) -> None:
    assert texts(read_messages([write("may.jsonl", json.dumps(record))])) == [record["text"]]


@pytest.mark.parametrize(
    ("column", "theirs", "ours"),
    [
        ("sender_type", "Contact", "User"),
        ("message_type", "0", "1"),
        ("author_type", "lead", "admin"),
        ("Author role", "end-user", "admin"),
        ("from", "user", "operator"),
        ("sender_type", "customer", "business"),
        ("direction", "received", "sent"),
        ("Absender", "Kunde", "Mitarbeiter"),
    ],
)
def test_who_answers_is_told_by_who_else_is_there(write: Write, column: str, theirs: str, ours: str) -> None:
    rows = [("where is my order", theirs), ("It is on its way.", ours), ("thanks", theirs)]
    table = write("may.csv", f"text,{column}\n" + "".join(f"{text},{who}\n" for text, who in rows))
    log = read_messages([table])
    assert texts(log) == ["where is my order", "thanks"]
    assert log.skipped == (
        f"may.csv: skipped line 3, which is of a bot or an agent (`{column}`); `{column}` says who wrote: "
        f"read {theirs} (2), skipped {ours} (1) (--writer chooses others)",
    )
    alone = write("june.csv", f"text,{column}\nreset my password,{ours}\n")
    assert read_messages([alone]) == MessageLog((LoggedMessage("reset my password"),))


@pytest.mark.parametrize(
    ("column", "values", "said"),
    [
        ("author_type", ["user", "manager", "user"], "read user (2), manager (1)"),
        ("sender", ["Anna", "Sofa World", "bot"], "read Anna (1), Sofa World (1), skipped bot (1)"),
        ("sender_type", ["contact", "user", "admin"], "read contact (1), user (1), skipped admin (1)"),
        ("role", ["admin", "user", "user"], "read user (2), admin (1)"),
        ("role", ["admin", "user", "bot"], "read user (1), skipped admin (1), bot (1)"),
        ("user_type", ["business", "consumer"], "read business (1), consumer (1)"),
        ("user_type", ["employee", "visitor", "bot"], "read employee (1), visitor (1), skipped bot (1)"),
        ("user_type", ["contact", "user"], None),
        ("sender_type", ["business", "consumer"], "read business (1), consumer (1)"),
        ("message_type", ["support", "contact", "order"], "read support (1), contact (1), order (1)"),
        ("message_type", ["1", "1", "4"], None),
        ("message_type", ["0", "1", "4"], None),
        ("event", ["opened", "typed", "opened"], None),
        ("sender", ["Anna", "Bert", "Cleo", "Dora", "Emil", "Fritz", "Gina"], None),
        ("user_type", ["employee", "", "bot"], None),
    ],
)
def test_writers_of_whom_it_is_not_known_on_which_side_they_are_are_told(
    write: Write, column: str, values: list[str], said: str | None
) -> None:
    rows = "".join(f"wish {at},{value}\n" for at, value in enumerate(values))
    log = read_messages([write("may.csv", f"text,{column}\n{rows}")])
    told = [sentence for sentence in log.skipped if "says who wrote" in sentence]
    advice = " (--writer chooses others)"
    assert ["".join(told).partition(f"`{column}` says who wrote: ")[2]] == [f"{said}{advice}" if said else ""]


def test_writers_that_are_chosen_are_read_and_no_others(write: Write) -> None:
    table = write("may.csv", "text,message_type,role\na,1,user\nb,0,Admin\nc,1,bot\nd,0,\n")
    log = read_messages([table], selection=Selection(writers=("admin", "bot")))
    assert texts(log) == ["b", "c", "d"]
    assert log.skipped == ("may.csv: skipped line 2, which is of others than --writer names (`role`)",)
    numbers = write("may.csv", "text,message_type\na,0\nb,1\nc,2\n")
    assert texts(read_messages([numbers], selection=Selection(writers=("0", "1")))) == ["a", "b"]
    nobody = write("june.csv", "text,is_bot\nhi,false\nHello!,true\n")
    assert texts(read_messages([nobody], selection=Selection(writers=("admin",)))) == ["hi"]


def test_files_in_which_no_writer_can_be_chosen_are_told(write: Write) -> None:
    chat = write("chat.txt", "".join(f"Anna: wish {at}\nBert: wish {at}\n" for at in range(9)))
    both = write("both.csv", "text,role\na,user\nb,bot\n")
    stored = write("stored.jsonl", json.dumps(of_rasa("hi", "nlu_fallback", 1.77e9)))
    log = read_messages([chat, both, stored], selection=Selection(writers=("bot",)))
    assert len(log.messages) == 18 + 1 + 1
    assert [said for said in log.skipped if "--writer chooses" in said] == [
        "chat.txt: its lines begin with names, and what 2 writers wrote is read; "
        "no column or key of it says who wrote, so --writer chooses nothing there"
    ]


def test_bots_and_notices_in_a_list_of_slack_are_skipped(write: Write) -> None:
    messages = [
        {"user": "U1", "text": "how do I reset it"},
        {"subtype": "bot_message", "bot_id": "B1", "text": "I did not get that"},
        {"subtype": "channel_join", "user": "U1", "text": "<@U1> has joined the channel"},
        {"user": "U9", "bot_id": "B2", "text": "Ask me anything"},
        {"user": "U9", "bot_profile": {"id": "B2"}, "text": "Ask me more"},
        {"subtype": "thread_broadcast", "user": "U1", "text": "it is locked"},
    ]
    stamped = [{"type": "message", "ts": "1772360000.000200", **one} for one in messages]
    log = read_messages([write("may.json", json.dumps(stamped))])
    assert texts(log) == ["how do I reset it", "it is locked"]
    assert log.skipped == (
        "may.json: skipped 2 items that are of a bot or an agent (`subtype`), the first is item 2; "
        "skipped item 4, which is of a bot or an agent (`bot_id`); "
        "skipped item 5, which is of a bot or an agent (`bot_profile`)",
    )
    assert texts(read_messages([write("june.json", '[{"text": "hi", "bot_id": "mine"}]')])) == ["hi"]


def test_programs_and_notices_in_a_list_of_teams_are_skipped(write: Write) -> None:
    messages = [
        {"messageType": "message", "from": {"application": None, "user": {"id": 1}}, "message": "book leave"},
        {"messageType": "message", "from": {"application": {"id": 2}, "user": None}, "message": "Here."},
        {"messageType": "systemEventMessage", "from": None, "message": "Ann joined"},
    ]
    log = read_messages([write("may.json", json.dumps({"value": messages}))])
    assert texts(log) == ["book leave"]
    assert log.skipped == (
        "may.json: skipped item 2, which is of a bot or an agent (`from.application`); "
        "skipped item 3, which is of a bot or an agent (`messageType`)",
    )


def test_an_export_without_a_customer_is_refused(write: Write) -> None:
    assert error(write("may.csv", "text,role\nHello!,bot\n")) == (
        "may.csv: skipped line 2, which is of a bot or an agent (`role`); name files that hold logged "
        "messages"
    )


# Tables


@pytest.mark.parametrize(
    "table",
    ["Text,Time\nhi,\n", "ID;MESSAGE\n1;hi\n", "sep=;\r\nid;text\r\n1;hi\r\n", '"sep=,"\ntext\nhi\n'],
)
def test_the_names_of_columns_as_spreadsheets_write_them(write: Write, table: str) -> None:
    assert texts(read_messages([write("may.csv", table)])) == ["hi"]


def test_of_two_columns_the_one_that_is_named_exactly_is_read(write: Write) -> None:
    assert texts(read_messages([write("may.csv", "Text,text\nno,yes\n")])) == ["yes"]
    assert texts(read_messages([write("may.csv", "Text,message\nno,yes\n")])) == ["yes"]
    assert texts(read_messages([write("may.csv", "Words\nyes\n")], text_column="words")) == ["yes"]


def test_a_title_above_the_names_of_the_columns_is_told(write: Write) -> None:
    assert error(write("may.csv", "Export of conversations;;\n\nid;text;time\n1;hi;\n")) == (
        "may.csv: the names of its columns are in line 3, take away those above it"
    )


def test_a_column_of_texts_that_is_empty_beside_another_one_is_told(write: Write) -> None:
    table = write("may.csv", "text,message\n,one\n ,two\n")
    assert read_messages([table]).skipped == (
        "may.csv: no line has a text, name another one with --text-column (message)",
    )
    assert read_messages([write("june.csv", "text,message\n,one\ntwo,\n")]).skipped == ()
    assert read_messages([write("july.csv", "id,message\n1,\n")]).skipped == ()


# JSON


@pytest.mark.parametrize(
    "content",
    [
        [{"text": "hi"}, "ho"],
        {"messages": [{"text": "hi"}, {"message": "ho"}], "count": 2},
        {"sender_id": "ann", "events": [{"event": "user", "text": "hi"}, {"event": "user", "text": "ho"}]},
        [{"events": [{"event": "user", "text": "hi"}]}, {"event": "user", "text": "ho"}],
        [
            {"text": "hi", "sender": {"type": "user"}},
            {"text": "no", "sender": {"type": "bot"}},
            {"text": "ho"},
        ],
    ],
)
def test_a_json_file_is_read_where_it_is_named(write: Write, content: object) -> None:
    name = write("logs/may.json", json.dumps(content, indent=1))
    write("logs/other.txt", "hello")
    assert texts(read_messages([name])) == ["hi", "ho"]
    log = read_messages(["logs"])
    assert texts(log) == ["hello"]
    assert log.skipped == (
        "logs: left out a file of another kind, logs/may.json (a .json file is read where it is named)",
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            '[{"text": "hi"},\n{"text": "ho"]',
            "line 2: not valid JSON, correct it; where each line holds an object",
        ),
        (
            '{"text": "hi"}\n{"text": "ho"}',
            "line 2: not valid JSON, correct it; where each line holds an object",
        ),
        ("[" * 100_000, "it is nested too deep"),
        ('{"a": [1.5, {}], "b": [2]}', "no message can be read from it, skipped item 1 (its keys are: a, b)"),
        ("[]", "skipped, there is no message in it"),
        ('[{"text": "hi", "id": ' + "9" * 5000 + "}]", "it cannot be read as JSON"),
    ],
)
def test_a_json_file_of_which_nothing_can_be_read(write: Write, content: str, said: str) -> None:
    assert said in error(write("may.json", content))


def test_a_list_beside_a_text_holds_no_messages(write: Write) -> None:
    name = write("may.json", json.dumps({"text": "where is it", "tags": ["vip", "gold"]}))
    assert texts(read_messages([name])) == ["where is it"]


def test_a_row_of_events_may_end_early(write: Write) -> None:
    event = json.dumps(json.dumps(of_rasa("send the bill", "nlu_fallback", 1.77e9)))[1:-1].replace(
        '\\"', '""'
    )
    table = write("events.csv", f'data,sender_id,type_name\n"{event}"\n')
    assert texts(read_messages([table])) == ["send the bill"]


def test_files_of_other_kinds_in_a_folder_are_told(write: Write) -> None:
    for name in ("a.gz", "b.log", "c.xls", "d.txt.1", "e/f.parquet", "g.pdf"):
        write(f"logs/{name}", "hi")
    write("logs/.hidden", "hi")
    write("logs/h.txt", "hi")
    assert read_messages(["logs"]).skipped == (
        "logs: left out 6 files of other kinds, logs/a.gz, logs/b.log, logs/c.xls, logs/d.txt.1, "
        "logs/e/f.parquet and 1 more",
    )


def test_what_is_no_file_in_a_folder_is_told(write: Write) -> None:
    write("logs/may.txt", "hi\n")
    Path("logs/june.txt").symlink_to("nowhere")
    os.mkfifo("logs/july.txt")
    log = read_messages(["logs"])
    assert [message.text for message in log.messages] == ["hi"]
    assert log.skipped == (
        "logs: left out 2 files of other kinds, logs/july.txt, logs/june.txt (links to nothing, pipes and "
        "devices are not read)",
    )


def test_around_a_text_in_an_object_stand_its_writer_and_its_time(write: Write) -> None:
    found = [
        {"_id": 1, "_source": {"sender_type": "user", "text": "hi", "@timestamp": "2026-03-01T10:00:00Z"}},
        {"_id": 2, "_source": {"sender_type": "bot", "text": "Hello!"}},
        {"_id": 3, "role": "bot", "_source": {"text": "Bye!"}},
        {"timestamp": "2026-03-02T10:00:00Z", "_source": {"text": "ho"}},
        {"_source.text": "flat", "time": "2026-03-03T10:00:00Z"},
    ]
    name = write("may.jsonl", "\n".join(map(json.dumps, found)))
    log = read_messages([name], text_column="_source.text")
    assert texts(log) == ["hi", "ho", "flat"]
    days = [datetime.fromtimestamp(one.time or 0, timezone.utc).day for one in log.messages]
    assert days == [1, 2, 3]
    assert log.skipped == (
        "may.jsonl: skipped line 2, which is of a bot or an agent (`_source.sender_type`); "
        "skipped line 3, which is of a bot or an agent (`role`)",
    )
    opened = write("june.jsonl", '{"a": {"text": "hi", "opened": 1.77e9}, "time": 1.5e9}')
    for column in ("opened", "a.opened"):
        log = read_messages([opened], text_column="a.text", time_column=column)
        assert [message.time for message in log.messages] == [1.77e9]


def test_of_two_keys_of_a_text_the_first_is_read(write: Write) -> None:
    found = [{"text": "", "message": "login"}, {"text": "where is it", "message": "login"}]
    assert texts(read_messages([write("may.jsonl", "\n".join(map(json.dumps, found)))])) == [
        "",
        "where is it",
    ]
    log = read_messages([write("june.jsonl", "\n".join(map(json.dumps, [found[0]] * 2)))])
    assert log.skipped == ("june.jsonl: no line has a text, name another one with --text-column (message)",)


def test_a_record_whose_text_is_another_record_is_read_as_both(write: Write) -> None:
    found: list[dict[str, object]] = [
        {"timestamp": 1.77e12, "message": json.dumps({"text": "hi", "sender": "user"})},
        {"timestamp": 1.77e12, "message": json.dumps({"text": "Hello!", "sender": "bot"})},
        {"timestamp": 1.77e12, "message": json.dumps(of_rasa("ho", "nlu_fallback", 1.7e9))},
        {"timestamp": 1.77e12, "message": json.dumps({"event": "slot", "name": "size"})},
        {"update_id": 3, "message": {"text": "in an object", "date": 1.77e9}},
        {"timestamp": 1.77e12, "message": "{curly} or {not"},
        {"text": "hey", "message": {"text": "no"}},
    ]
    log = read_messages([write("may.jsonl", "\n".join(map(json.dumps, found)))])
    assert [(one.text, one.time) for one in log.messages] == [
        ("hi", 1.77e9),
        ("ho", 1.7e9),
        ("in an object", 1.77e9),
        ("{curly} or {not", 1.77e9),
        ("hey", None),
    ]
    assert log.skipped == ("may.jsonl: skipped line 2, which is of a bot or an agent (`sender`)",)


def test_who_wrote_is_told_by_the_outer_record(write: Write) -> None:
    inner = json.dumps({"text": "hi", "sender": "bot"})
    found = [{"message": inner, "sender": "user"}, {"message": inner, "sender": None}]
    assert texts(read_messages([write("may.jsonl", "\n".join(map(json.dumps, found)))])) == ["hi"]


def test_json_that_somebody_wrote_is_read_as_it_is(write: Write) -> None:
    pasted = ['{"message": "Invalid token"}', '{"text": "hi", "role": "assistant"}', '{"event": "bot"}']
    found = [{"text": text, "sender": "user"} for text in [*pasted, "what is that", "it says so", "help"]]
    logged = write("may.jsonl", "\n".join(map(json.dumps, found)))
    assert texts(read_messages([logged])) == [one["text"] for one in found]
    events = [of_rasa(text, "nlu_fallback", 1.77e9) for text in [*pasted, "a", "b", "c"]]
    stored = write("june.jsonl", "\n".join(map(json.dumps, events)))
    assert texts(read_messages([stored])) == [*pasted, "a", "b", "c"]


def test_json_objects_are_no_messages(write: Write) -> None:
    lines = [json.dumps({"utterance": "hi", "session": 1})] * 2
    logged = write("may.jsonl", "\n".join(json.dumps({"message": line}) for line in [*lines, "plain"]))
    assert error(logged) == (
        "may.jsonl: its messages are JSON objects, with the keys utterance, session; name that of the text "
        "with the one it is under (--text-column OUTER.INNER)"
    )
    assert texts(read_messages([logged], text_column="message.utterance")) == ["hi", "hi"]
    assert error(write("may.txt", "\n".join(lines))) == (
        "may.txt: its messages are JSON objects, with the keys utterance, session; save them in a file "
        "ending in .jsonl, one on a line"
    )


# Events


def of_rasa(text: str, intent: str, time: object) -> dict[str, Any]:
    return {"event": "user", "text": text, "timestamp": time, "parse_data": {"intent": {"name": intent}}}


def test_a_table_of_events_as_a_database_has_it(write: Write) -> None:
    events = [of_rasa("hello", "greet", 1.77e9), of_rasa("send the bill", "nlu_fallback", 1.77e9)]
    rows = [[at, "ann", "user", json.dumps(one)] for at, one in enumerate(events)]
    content = io.StringIO()
    csv.writer(content).writerows([["id", "sender_id", "type_name", "data"], *rows, [9, "ann", "user", "{"]])
    table = write("events.csv", content.getvalue())
    log = read_messages([table])
    assert texts(log) == ["send the bill"]
    assert log.skipped == (
        "events.csv: skipped line 4, which is not JSON in the column `data`; left out 1 message: 1 "
        "recognised by the bot (--all-messages reads them)",
    )
    assert texts(read_messages([table], selection=Selection(everything=True))) == ["hello", "send the bill"]


def test_the_times_of_events_may_be_written_out(write: Write) -> None:
    lines = [
        json.dumps(of_rasa(time, "nlu_fallback", time))
        for time in ("2026-03-01T10:00:00Z", "2026-03-02 10:00:00+00", "1772532000.5", "soon")
    ]
    march = datetime(2026, 3, 2, tzinfo=timezone.utc).timestamp()
    log = read_messages([write("may.jsonl", "\n".join(lines))], selection=Selection(since=march))
    assert texts(log) == ["2026-03-02 10:00:00+00", "1772532000.5", "soon"]


def test_events_of_another_program_are_messages(write: Write) -> None:
    lines = [{"event": "user", "message": "where is it", "ts": 1.77e9}, {"event": "bot", "message": "Here."}]
    log = read_messages([write("may.jsonl", "\n".join(map(json.dumps, lines)))])
    assert texts(log) == ["where is it"]
    assert [message.time for message in log.messages] == [1.77e9]
