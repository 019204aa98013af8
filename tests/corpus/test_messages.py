import csv
import gc
import gzip
import json
import math
import os
import sys
import tracemalloc
import zipfile
from dataclasses import replace
from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from rasa_intent_discovery.corpus import excel_files, message_files, messages
from rasa_intent_discovery.corpus.events import Selection
from rasa_intent_discovery.corpus.messages import NO_MESSAGES, MessageLog, check_times, read_messages
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.datatypes import LoggedMessage
from rasa_intent_discovery.errors import DataError


@pytest.fixture
def logs(tmp_path, monkeypatch):
    """A function that writes `name` in the current folder, which is a fresh one."""
    monkeypatch.chdir(tmp_path)

    def write(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return name

    return write


def read(*paths, **options):
    return read_messages(paths, **options)


def texts(*paths, **options):
    return [message.text for message in read(*paths, **options).messages]


def error(*paths, **options):
    with pytest.raises(DataError) as raised:
        read(*paths, **options)
    return str(raised.value)


# txt


def test_txt_is_one_message_a_line(logs):
    assert read(logs("may.txt", "where is my parcel?\n\n  hi\n")) == MessageLog(
        messages=(
            LoggedMessage("where is my parcel?"),
            LoggedMessage(""),
            LoggedMessage("  hi"),
        ),
        skipped=(),
    )


def test_a_byte_order_mark_and_windows_line_ends_are_not_part_of_a_message(logs):
    assert texts(logs("may.txt", b"\xef\xbb\xbfgr\xc3\xbc\xc3\x9fe\r\nhi\r\n")) == ["grüße", "hi"]


def test_only_a_new_line_ends_a_line(logs):
    assert texts(logs("may.txt", "one\u2028message\x0bhere\x85\n")) == ["one\u2028message\x0bhere\x85"]


def test_lines_that_are_not_utf8_are_skipped_and_counted(logs):
    log = read(logs("may.txt", b"hi\ncaf\xe9\nhello\n\xff\n"))

    assert [message.text for message in log.messages] == ["hi", "hello"]
    assert log.skipped == (
        "may.txt: skipped 2 lines that are not UTF-8 (save the file with that encoding), the first is line 2",
    )


@pytest.fixture
def short_lines(monkeypatch):
    """Lines are read up to 20 characters."""
    monkeypatch.setattr(message_files, "CORPUS", replace(CORPUS, longest_line=20))
    monkeypatch.setattr(message_files, "_TOO_LONG", "longer than 20 characters")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_that_is_too_long_is_skipped(logs, short_lines, end):
    lines = ["hi", "a" * 21, "é" * 18, "b" * 999, "hello"]
    log = read(logs("may.txt", end.join(lines)))

    assert [message.text for message in log.messages] == [
        "hi",
        "é" * 18,
        "hello",
    ]
    assert log.skipped == (
        "may.txt: skipped 2 lines that are longer than 20 characters, the first is line 2",
    )


def test_a_row_that_is_too_long_is_skipped(logs, short_lines):
    log = read(logs("may.csv", "text\n" + "a" * 99 + '\nhi\n"never closed\n' + "kept\n" * 3 + "bye\n"))

    assert [message.text for message in log.messages] == [
        "hi",
        '"never closed',
        "kept",
        "kept",
        "kept",
        "bye",
    ]
    assert log.skipped == ("may.csv: skipped line 2, which is longer than 20 characters",)


def test_a_line_that_is_too_long_is_never_in_memory(logs, tmp_path):
    path = logs("may.txt", "hi\n")
    with (tmp_path / path).open("ab") as file:
        file.truncate(300_000_000)
    tracemalloc.start()
    try:
        log = read(path)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert log.skipped == ("may.txt: skipped line 2, which is longer than 10,000,000 characters",)
    assert most < 100_000_000


def test_old_line_ends_of_the_mac_end_lines(logs):
    assert texts(logs("may.txt", "hi\rhello\r"), logs("may.csv", "id,text\r1,bye\r2,so long\r")) == [
        "hi",
        "hello",
        "bye",
        "so long",
    ]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("may.txt.gz", b"", "may.txt.gz: it is compressed, unpack it first"),
        (
            "may.jsonl",
            gzip.compress(b'"hi"\n', mtime=0),
            "may.jsonl: it is compressed with gzip, unpack it first",
        ),
        (
            "may.yml",
            gzip.compress(b"nlu: []\n", mtime=0),
            "may.yml: it is compressed with gzip, unpack it first",
        ),
        (
            "may.csv",
            b"PK\x03\x04[Content_Types].xml\n",
            "may.csv: it is a zip archive or a spreadsheet, save what is in it as text",
        ),
        ("may.yml", "nlu: []\n".encode("utf-16"), "may.yml: it is UTF-16, save it as UTF-8"),
    ],
    ids=["gz", "gzip as jsonl", "gzip as YAML", "spreadsheet", "UTF-16"],
)
def test_what_is_no_text_is_named(logs, name, content, expected):
    assert error(logs(name, content)) == expected


def test_utf16_is_named(logs):
    assert error(logs("may.txt", "hi\nhello\n".encode("utf-16"))) == "may.txt: it is UTF-16, save it as UTF-8"


def test_a_very_long_line_is_a_message(logs):
    long = "a" * 1_000_000

    assert texts(
        logs("may.txt", f"{long}\nhi"),
        logs("may.csv", f"text\n{long}\nhi\n"),
        logs("may.jsonl", json.dumps(long)),
    ) == [long, "hi", long, "hi", long]


# csv and tsv


def test_csv_reads_the_text_column_and_counts_lines_within_quotes(logs):
    path = logs("may.csv", 'id,text,intent\n1,"one, two\n""three""",x\n\n2,hi,y\n')

    assert read(path).messages == (
        LoggedMessage('one, two\n"three"'),
        LoggedMessage("hi"),
    )


def test_csv_may_have_semicolons_and_another_column(logs):
    path = logs("may.csv", "\ufeffwritten;id\nyes, please;1\n")

    assert texts(path, text_column="written") == ["yes, please"]


def test_without_a_column_text_one_of_the_name_message_is_read_unless_another_is_asked_for(logs):
    assert texts(logs("may.csv", "id;message\n1;hi, you\n")) == ["hi, you"]
    assert texts(logs("june.csv", "message,text\nno,yes\n")) == ["yes"]
    assert texts(logs("june.jsonl", '{"message": "hi"}\n{"message": "no", "text": "yes"}\n')) == ["hi", "yes"]
    assert "there is no column `words`" in error(logs("july.csv", "id,message\n1,hi\n"), text_column="words")


def test_tsv_has_tabs(logs):
    assert texts(logs("may.tsv", "text\tlabel\nhi, you; there\tgreet\n")) == ["hi, you; there"]


def test_a_missing_column_names_the_ones_that_are_there(logs):
    assert error(logs("may.csv", "id;words\n1;hi\n")) == (
        "may.csv: there is no column `text`, its columns are: id, words; "
        "name the one that holds the messages with --text-column, or give the file a first line with the "
        "names of its columns"
    )


def test_a_first_line_that_is_a_message_is_masked_and_cut(logs):
    path = logs("may.csv", "my mail is ann@example.org,please call me back on 07700 900123 after nine\n")

    assert error(path).split("; ")[0] == (
        "may.csv: there is no column `text`, its columns are: my mail is <email>, "
        "please call me back on <phone>..."
    )


def test_of_many_columns_the_first_are_named(logs):
    names = [f"c{number}" for number in range(25)]

    assert f"its columns are: {', '.join(names[:20])} and 5 more; " in error(logs("may.csv", ",".join(names)))


def test_broken_rows_are_skipped_and_counted(logs):
    log = read(logs("may.csv", b'id,text\n1,hi\n2\n3,"a" b\n4,caf\xe9\n5,hello\n6,"never closed\n7"\n'))

    assert [message.text for message in log.messages] == ["hi", '"a" b', "hello", "never closed\n7"]
    assert log.skipped == (
        "may.csv: skipped line 3, which is without the column `text`; "
        "skipped line 5, which is not UTF-8 (save the file with that encoding)",
    )


@pytest.mark.parametrize(
    ("name", "table", "expected"),
    [
        # What was never closed, or closed in another row, is a sign of the message.
        ("a.csv", 'id,text\n1,"hi\n2,yes\n3,27" frame\n4,no\n', ['"hi', "yes", '27" frame', "no"]),
        ("a.csv", 'id,text\n1,"hi\n2,yes\n3,frame of 27"\n4,no\n', ['"hi', "yes", 'frame of 27"', "no"]),
        ("a.csv", 'id,text\n1,"hi\n2,frame of 27"\n', ['"hi', 'frame of 27"']),
        ("a.csv", 'text,day\n"hi,2026-03-01\n27",2026-03-02\n', ['"hi', '27"']),
        ("a.csv", 'id,text\n1,"hi\n2,"yes, please"\n3,no\n', ['"hi', "yes, please", "no"]),
        ("a.tsv", 'id\ttext\n1\t"Add" it\n2\t"where\n3\tyes\n', ['"Add" it', '"where', "yes"]),
        ("a.csv", 'id,text\n1,"hi, you" she said, twice\n', ['"hi, you" she said, twice']),
        ("a.csv", 'text\n"hi\nyes\n', ['"hi', "yes"]),
        # A space behind a comma does not keep a quotation mark from being one.
        ("a.csv", 'id, text\n1, "hello, you"\n2, hi\n', ["hello, you", "hi"]),
        # What is of several lines, and closed, is one message.
        ("a.csv", 'id,text\n1,"hi,\n\nI am here\n1, 2"\n2,yes\n', ["hi,\n\nI am here\n1, 2", "yes"]),
        ("a.csv", 'text\n"hi\nyes"\n', ["hi\nyes"]),
        ("a.csv", 'text,lang\n"Yes, please\nThanks",en\nhi,en\n', ["Yes, please\nThanks", "hi"]),
        ("a.csv", 'text,who\n"Hi, Bob\nwhere is it",anna\n', ["Hi, Bob\nwhere is it"]),
        ("a.csv", 'id,text\n7,"My orders are\n12, and 13"\n', ["My orders are\n12, and 13"]),
        ("a.csv", 'id,text\n7,"hi\0"\n8,"yes\n', ["hi", '"yes']),
        ("a.csv", 'id,text\n\n7,"hi"\n\n8,yes\n', ["hi", "yes"]),
        ("a.csv", 'text,note\n"hi,\nyes,",\n', ["hi,\nyes,"]),
    ],
)
def test_a_quotation_mark_takes_no_row_away(logs, name, table, expected):
    log = read(logs(name, table))
    assert [message.text.strip() for message in log.messages] == expected
    assert log.skipped == ()


def test_where_it_cannot_be_told_where_a_field_ends_the_line_is_skipped(logs):
    log = read(logs("may.csv", 'id,text,day\n1,"hi, you" there,2026-03-01\n2,yes,2026-03-02\n3,"a\n'))
    assert [message.text for message in log.messages] == ["yes"]
    assert log.skipped == (
        "may.csv: skipped line 2, which is of more fields than the first one (put quotes around texts with "
        "commas); skipped line 4, which is wrongly quoted",
    )


@pytest.mark.parametrize("name", ["may.csv", "may.tsv"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_names_of_columns_may_be_in_quotes_whatever_the_delimiter(logs, name, delimiter):
    rows = (("id", "text"), ("1", "yes; and, well\tno"), ("2", "hi"))
    table = "".join(delimiter.join(f'"{value}"' for value in row) + "\n" for row in rows)
    log = read(logs(name, table))
    assert ([message.text for message in log.messages], log.skipped) == (["yes; and, well\tno", "hi"], ())


def test_of_names_in_quotes_without_a_text_column_all_are_told(logs):
    told = error(logs("may.csv", '"id";"words"\n"1";"hi"\n'))
    assert told.startswith("may.csv: there is no column `text`, its columns are: id, words; ")


def test_a_first_line_that_is_wrongly_quoted_is_named(logs):
    path = logs("may.csv", 'id,"text"x,date\n1,hello,2026-03-01\n')
    assert error(path) == "may.csv, line 1: the names of columns are wrongly quoted, take the quotes away"


def test_what_is_quoted_for_a_thousand_lines_was_never_closed(logs):
    lines = [f"{number},line {number}{', too' * (number == 9)}" for number in range(2, 2000)]
    log = read(logs("may.csv", "\n".join(["id,text", '1,"first', *lines, '2000,last"'])))
    assert len(log.messages) == 2000
    assert [log.messages[at].text for at in (0, 1, -1)] == ['"first', "line 2", 'last"']


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("text\nhello, where is it, please\nhi,\n", ["hello, where is it, please", "hi"]),
        ('time,text\n300000001,hello, I want it\n300000002,"hi, you"\n', ["hello, I want it", "hi, you"]),
        ("id;text\n1;yes; please\n2;no,thanks;;\n", ["yes; please", "no,thanks"]),
        ("text,\nhi\nho,\n", ["hi", "ho"]),
    ],
)
def test_delimiters_without_quotes_are_of_a_text_in_the_last_column(logs, table, expected):
    assert texts(logs("may.csv", table)) == expected


@pytest.mark.parametrize(("delimiter", "name"), [(",", "commas"), (";", "semicolons"), ("\t", "tabs")])
def test_rows_with_more_fields_than_the_header_are_skipped_and_counted(logs, delimiter, name):
    rows = ["text,day", "hi,1", "hello, where is it,2", "ho,3,,", "yes, please,4"]
    log = read(logs("may.csv", "\n".join(rows).replace(",", delimiter)))

    assert [message.text for message in log.messages] == ["hi", "ho"]
    assert log.skipped == (
        "may.csv: skipped 2 lines that are of more fields than the first one (put quotes around texts with "
        f"{name}), the first is line 3",
    )


@pytest.mark.parametrize("name", ["may.txt", "may.csv", "may.jsonl"])
def test_a_file_of_another_encoding_is_refused(logs, name):
    """Excel's own csv is Windows-1252: without its umlauts, half of a German log would be missing."""
    lines = "text\n" + "guten Tag\n" * 97 + "grüße\ntschüß\nschön\n"

    assert error(logs(name, lines.encode("cp1252"))) == (
        f"{name}: 3 of its 101 lines are not UTF-8, the first is line 99; save the file as UTF-8 (in Excel: "
        "CSV UTF-8)"
    )


@pytest.mark.parametrize("more", ["grüße\n", "guten Tag\n" * 300])
def test_single_lines_of_another_encoding_are_skipped(logs, more):
    lines = b"text\n" + b"caf\xe9\n" * 3 + more.encode()

    assert len(texts(logs("may.csv", lines))) == more.count("\n")


def test_a_csv_without_rows_is_skipped(logs):
    log = read(logs("may.csv", "id,text\n"), logs("june.txt", "hi"))

    assert log.skipped == ("may.csv: skipped, there is no message in it",)


# jsonl


def test_jsonl_holds_objects_or_bare_texts(logs):
    path = logs("may.jsonl", '{"text": "hi", "n": 1}\n\n"hello\\nthere"\n')

    assert read(path).messages == (
        LoggedMessage("hi"),
        LoggedMessage("hello\nthere"),
    )


def test_of_rasa_events_only_what_users_said_is_read(logs):
    events = [
        {"event": "action", "name": "action_listen"},
        {"event": "user", "text": "where is my parcel?", "parse_data": {}},
        {"event": "bot", "text": "Let me look."},
        {"event": "user", "text": None},
    ]
    log = read(logs("may.jsonl", "\n".join(map(json.dumps, events))), text_column="message")

    assert log == MessageLog((LoggedMessage("where is my parcel?"),), ())


def user(text, intent, sender="ann"):
    parsed = {"intent": {"name": intent, "confidence": 0.7}}
    return {"sender_id": sender, "event": "user", "text": text, "timestamp": 17, "parse_data": parsed}


def test_of_rasa_events_what_the_bot_understood_is_left_out_and_counted(logs):
    events = [user("send me the bill", "nlu_fallback"), user("hi", "greet"), user("bye", "bye")]
    path = logs("may.jsonl", "\n".join(map(json.dumps, events)))

    assert read(path) == MessageLog(
        (LoggedMessage("send me the bill", 17.0),),
        ("may.jsonl: left out 2 messages: 2 recognised by the bot (--all-messages reads them)",),
    )
    everything = read_messages([path], selection=Selection(everything=True))
    assert [message.text for message in everything.messages] == ["send me the bill", "hi", "bye"]


def test_a_line_may_be_a_whole_conversation(logs):
    events = [user("send me the bill", "nlu_fallback"), {"event": "bot", "text": "Sorry?"}, "broken"]
    line = json.dumps({"sender_id": "ann", "slots": {}, "events": events})

    assert [message.text for message in read(logs("may.jsonl", line)).messages] == ["send me the bill"]


def test_a_file_of_which_everything_was_understood_says_so(logs):
    path = logs("may.jsonl", json.dumps(user("hi", "greet")))

    assert error(path) == (
        "may.jsonl: left out 1 message: 1 recognised by the bot (--all-messages reads them); "
        "name files that hold logged messages"
    )


@pytest.mark.parametrize(
    ("table", "times"),
    [
        ("time,text\n1970-01-01T00:01Z,hi\n", [60.0]),
        ("text,timestamp\nhi,200000017.5\nho,\nhu,soon\nha\n", [200_000_017.5, None, None, None]),
        ("text,day\nhi,1970-01-01\n", [None]),
    ],
)
def test_a_table_may_have_a_column_of_times(logs, table, times):
    assert [message.time for message in read(logs("may.csv", table)).messages] == times


@pytest.mark.parametrize(
    ("time", "seconds"),
    [
        ({"time": 200_000_017}, 200_000_017.0),
        ({"timestamp": 200_000_017.5}, 200_000_017.5),
        ({"time": "1970-01-01T00:01Z"}, 60.0),
        ({"time": 1_700_000_000_500}, 1_700_000_000.5),
        ({"time": "1700000000500000"}, 1_700_000_000.5),
        ({"time": 1_700_000_000_500_000_000}, 1_700_000_000.5),
        ({"time": 20260301}, datetime(2026, 3, 1).timestamp()),
        ({"time": "20260301T183000"}, datetime(2026, 3, 1, 18, 30).timestamp()),
        ({"time": 20260301183000}, datetime(2026, 3, 1, 18, 30).timestamp()),
        ({"time": 202603011830}, datetime(2026, 3, 1, 18, 30).timestamp()),
        ({"time": "2026/3/1 8:30"}, datetime(2026, 3, 1, 8, 30).timestamp()),
        ({"time": "01.03.2026"}, datetime(2026, 3, 1).timestamp()),
        ({"time": "1/3/2026"}, None),
        ({"time": "01.03.26"}, None),
        ({"data": 412345678}, None),
        ({"time": 20261301}, None),
        ({"time": 46082.75}, datetime(2026, 3, 1, 18).timestamp()),  # a day of a spreadsheet
        ({"time": 29999}, None),
        ({"time": -5}, None),
        ({"time": math.nan}, None),
        ({"time": math.inf}, None),
        ({"time": 10**400}, None),
        ({"time": "soon"}, None),
        ({"time": True}, None),
        ({}, None),
    ],
)
def test_a_message_may_have_its_time(logs, time, seconds):
    [message] = read(logs("may.jsonl", json.dumps({"text": "hi", **time}))).messages

    assert message.time == seconds


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "may.csv",
            "time,text\n300000001,long ago\n300000005,early\n300000009,late\n,undated\n300000010,too late\n",
        ),
        (
            "may.jsonl",
            "".join(
                json.dumps({"text": text, **time}) + "\n"
                for text, time in (
                    ("long ago", {"time": 300_000_001}),
                    ("early", {"time": 300_000_005}),
                    ("late", {"timestamp": 300_000_009}),
                    ("undated", {}),
                    ("too late", {"time": 300_000_010}),
                )
            ),
        ),
    ],
)
def test_of_messages_with_a_time_those_of_another_one_are_left_out(logs, name, content):
    log = read(logs(name, content), selection=Selection(since=300_000_005.0, until=300_000_010.0))

    assert [message.text for message in log.messages] == ["early", "late", "undated"]
    assert log.skipped == (
        f"{name}: left out 2 messages: 2 of another time; 1 without a known time are read, whatever --since "
        "and --until say (--time-column names the column of the times)",
    )


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("may.csv", "time,at.utc,text\n3e8,300000001,early\n,300000009,late\n300000001,,undated\n"),
        (
            "may.jsonl",
            '{"at": {"utc": 300000001}, "time": 3e8, "text": "early"}\n'
            '{"at.utc": 300000009, "text": "late"}\n{"at": 3e8, "time": 300000001, "text": "undated"}\n',
        ),
    ],
)
def test_the_times_stand_where_they_are_said_to(logs, name, content):
    log = read(logs(name, content), selection=Selection(since=300_000_005.0), time_column="at.utc")

    assert [(message.text, message.time) for message in log.messages] == [
        ("late", 300_000_009.0),
        ("undated", None),
    ]
    assert log.skipped == (
        f"{name}: left out 1 message: 1 of another time; 1 without a known time are read, whatever --since "
        "and --until say",
    )


def test_messages_without_columns_are_not_asked_for_one(logs):
    log = read(logs("may.txt", "hi\nho\n"), selection=Selection(since=5.0))

    assert log.skipped == ("may.txt: 2 without a known time are read, whatever --since and --until say",)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("may.csv", "id,Created At,text\n400000000,1970-01-01T00:01Z,hi\n2,,ho\n"),
        ("may.csv", "created,sent_at,text\nno,60000000000000,hi\nyes,soon,ho\n"),
        ("may.csv", "date,conversation started at,text\n1970-01-01T00:01Z,web,hi\n,,ho\n"),
        ("may.csv", "date,time,text\n1970-01-01T00:01Z,18:30,hi\n,,ho\n"),
        ("may.csv", "送信日時,text\n1970-01-01T00:01Z,hi\n,ho\n"),
        ("may.csv", "Date de création,text\n1970-01-01T00:01Z,hi\n,ho\n"),
        ("may.csv", "Ｄａｔｕｍ,text\n1970-01-01T00:01Z,hi\n,ho\n"),
        (
            "may.jsonl",
            '{"createdAt": "1970-01-01 00:01+00", "text": "hi"}\n{"created": 7, "text": "ho"}\n',
        ),
    ],
)
def test_the_usual_names_of_times_are_found_where_their_values_are_times(logs, name, content):
    log = read(logs(name, content.replace("60000000000000", "1970-01-01T00:01Z")))
    assert [message.time for message in log.messages] == [60.0, None]


def test_a_usual_name_over_something_else_is_no_time_and_nothing_is_said_of_it(logs):
    log = read(logs("may.csv", "created,date,text\nno,first visit,hi\nyes,later,ho\n"))
    assert [message.time for message in log.messages] == [None, None]
    assert log.skipped == ()


def test_the_column_of_the_texts_holds_no_times(logs):
    log = read(logs("may.csv", "sent,id\n2026-03-01,1\n"), text_column="sent")
    assert [(message.text, message.time) for message in log.messages] == [("2026-03-01", None)]


def test_times_that_are_named_are_read_there_alone(logs):
    log = read(logs("may.csv", "created_at,at,text\n3e8,300000001,hi\n300000009,,ho\n"), time_column="at")
    assert [message.time for message in log.messages] == [300_000_001.0, None]


def test_where_a_time_is_asked_for_and_none_is_known_nothing_is_read(logs):
    since = Selection(since=300_000_005.0)
    undated = read(logs("may.csv", "created_at,text\n5/10/2026,hi\n6/10/2026,ho\n"), selection=since)
    with pytest.raises(DataError) as caught:
        check_times(undated, since)
    assert str(caught.value) == (
        "no message has a known time, so --since and --until cannot choose any: name the column of the times "
        "with --time-column, or leave both out; may.csv: there are 2 times that cannot be read, 5/10/2026 "
        "in line 2 (write it as 2026-03-31T18:30:00)"
    )
    check_times(undated, Selection())
    check_times(NO_MESSAGES, since)
    check_times(undated + read(logs("june.csv", "time,text\n300000009,hi\n"), selection=since), since)
    early = logs("july.csv", "time,text\n300000001,hi\n,undated\n")
    check_times(read(early, selection=since), since)


def test_a_column_of_times_that_is_not_there_is_told(logs):
    said = error(logs("may.csv", "id,text,written\n1,hi,2\n"), time_column="created_at")

    assert said == (
        "may.csv: there is no column `created_at`, its columns are: id, text, written; name the one that "
        "holds the times with --time-column, or leave that out"
    )


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("may.csv", "time;text\n5/10/2026 12:00;hi\n2026-10-05;ho\n;hu\nyesterday;he\n"),
        ("may.jsonl", '\n{"time": "5/10/2026 12:00", "text": "hi"}\n{"time": [1], "text": "ho"}\n'),
        ("may.csv", "Datum;text\n5/10/2026 12:00;hi\n6/10/2026 12:00;ho\n"),
        ("may.txt", "5/10/2026 12:00 - Ann: hi\n6/14/2026 12:00 - Ann: ho\n"),
    ],
)
def test_a_time_that_cannot_be_read_is_told(logs, name, content):
    log = read(logs(name, content))

    assert len(log.messages) == content.count("h")
    assert log.skipped == (
        f"{name}: there are 2 times that cannot be read, 5/10/2026 12:00 in line "
        f"{1 if name == 'may.txt' else 2} (write it as 2026-03-31T18:30:00)",
    )


MARCH = [datetime(2026, 3, 1, 10, 11), datetime(2026, 3, 14, 22, 11)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("01.03.2026 10:11", "14.03.2026 22:11"),
        ("1/3/2026 10:11", "14/3/2026 22:11:00"),
        ("3/1/2026 10:11 AM", "3/14/2026 10:11 PM"),
        ("3-1-2026, 10:11", "3-14-2026, 22:11"),
        ("46082.424305556", "46095.924305556"),
    ],
)
def test_times_tell_together_how_they_are_meant(logs, first, second):
    table = f"Datum;text\n{first};hi\n{second};ho\n;hu\n"
    log = read(logs("may.csv", table))
    assert [message.time for message in log.messages] == [*(one.timestamp() for one in MARCH), None]
    assert log.skipped == ()
    assert read(logs("may.csv", table.replace(".4", ",4").replace(".9", ",9"))).messages == log.messages
    since = Selection(since=MARCH[1].timestamp())
    assert [message.text for message in read("may.csv", selection=since).messages] == ["ho", "hu"]


@pytest.mark.parametrize(
    "times", [["1/3/2026", "2/3/2026"], ["1/13/2026", "13/1/2026"], ["46082", "soon"], ["01.03.26"]]
)
def test_times_that_may_be_meant_otherwise_are_not_read_and_a_column_is_not_asked_for(logs, times):
    table = logs("may.csv", "time;text\n" + "".join(f"{time};hi\n" for time in times))
    log = read(table, selection=Selection(since=5.0))
    assert {message.time for message in log.messages} == {None}
    assert "cannot be read, " + times[0] in log.skipped[0]
    assert log.skipped[0].endswith("known time are read, whatever --since and --until say")


def test_a_day_that_is_none_is_told_and_the_others_are_read(logs):
    log = read(logs("may.csv", "Datum;text\n31.02.2026;hi\n01.03.2026;ho\n"))
    assert [message.time for message in log.messages] == [None, datetime(2026, 3, 1).timestamp()]
    assert "there is a time that cannot be read, 31.02.2026 in line 2" in log.skipped[0]


def test_the_exports_of_other_days_tell_how_the_times_of_one_are_meant(logs):
    logs("days/a.csv", "time,text\n3/4/2026 10:11,hi\n,he\n")
    logs("days/b.csv", "time,text\n3/14/2026 10:11,ho\n")
    log = read("days")
    moments = {"hi": datetime(2026, 3, 4, 10, 11), "ho": datetime(2026, 3, 14, 10, 11)}
    assert {one.text: one.time for one in log.messages} == {
        **{text: moment.timestamp() for text, moment in moments.items()},
        "he": None,
    }
    assert log.skipped == ()
    since = Selection(since=moments["ho"].timestamp())
    assert [one.text for one in read("days", selection=since).messages] == ["he", "ho"]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(("days/c.csv", "time,text\n14/3/2026,hu\n"), id="they contradict one another"),
        pytest.param(("elsewhere/b.csv", "time,text\n3/14/2026,hu\n"), id="of another folder"),
        pytest.param(("days/b.tsv", "time\ttext\n3/14/2026\thu\n"), id="of another form"),
    ],
)
def test_exports_that_need_not_be_alike_tell_nothing_of_one(logs, other):
    first = logs("days/a.csv", "time,text\n3/4/2026,hi\n")
    paths = [first, logs(*other)]
    if other[0] == "days/c.csv":
        paths.append(logs("days/b.csv", "time,text\n3/14/2026,ho\n"))
    log = read(*paths)
    assert next(one.time for one in log.messages if one.text == "hi") is None
    assert "3/4/2026 in line 2" in " ".join(log.skipped)


def test_where_all_messages_are_of_another_time_the_run_ends(logs):
    said = error(logs("may.csv", "time,text\n300000001,hi\n300000002,ho\n"), selection=Selection(since=3.5e8))

    assert said == "may.csv: left out 2 messages: 2 of another time; name files that hold logged messages"


def test_a_text_may_stand_in_an_object_in_an_object(logs):
    name = "payload.message.text"
    lines = [{"payload": {"message": {"text": "hi"}}}, {"payload": {"message": "ho"}}, {name: "he"}]
    log = read(logs("may.jsonl", "".join(json.dumps(line) + "\n" for line in lines)), text_column=name)

    assert [message.text for message in log.messages] == ["hi", "he"]
    assert log.skipped == (
        f"may.jsonl: skipped line 2 (its keys are: payload), which is without a text under `{name}`",
    )


def test_broken_lines_of_jsonl_are_skipped_and_counted(logs):
    lines = ['{"text": "hi"}', "{broken", '{"txt": "hi"}', "[17]", '{"text": null}', "[" * 100_000, "{'a'}"]
    gc.disable()  # what another test left may not be deleted where the brackets have used up the stack
    try:
        log = read(logs("may.jsonl", "\n".join(lines)))
    finally:
        gc.enable()

    assert log == MessageLog(
        (LoggedMessage("hi"),),
        (
            "may.jsonl: skipped 3 lines that are not JSON, the first is line 2; "
            "skipped 2 lines that are without a text under `text`, the first is line 3 (its keys are: txt); "
            "skipped line 4, which is neither an object nor a text",
        ),
    )


def test_a_number_that_somebody_typed_is_a_text(logs):
    lines = ['{"text": 42}', "17", '{"message": 4.5}', "9" * 400, '{"text": NaN}', '{"text": -Infinity}']
    log = read(logs("may.jsonl", "\n".join(lines)))

    assert [message.text for message in log.messages] == ["42", "17", "4.5", "9" * 400]
    assert log.skipped == (
        "may.jsonl: skipped 2 lines that are without a text under `text`, the first is line 5 (its keys are: "
        "text)",
    )


@pytest.mark.parametrize(
    ("value", "there"), [('["hi"]', "a list"), ('{"a": "hi"}', "an object"), ("true", "true or false")]
)
def test_what_is_there_instead_of_a_text_is_told(logs, value, there):
    assert read(logs("may.jsonl", f'"hi"\n{{"text": {value}}}\n')).skipped == (
        f"may.jsonl: skipped line 2 ({there} is there), which is without a text under `text`",
    )


def test_a_file_of_which_no_line_can_be_read_ends_the_run(logs):
    good = logs("may.txt", "hi")

    assert error(good, logs("may.jsonl", "hi\nhello\n")) == (
        "may.jsonl: no message can be read from it, skipped 2 lines that are not JSON, the first is line 1; "
        "check its format, its encoding (UTF-8) and --text-column"
    )


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ("{}", "none"),
        ('{"a": 1, "text": null}', "a, text"),
        ('{"%s": 1}' % ("k" * 999), "k" * 30 + "..."),
        ('{"ann@example.org": 1}', "<email>"),
    ],
)
def test_of_a_line_without_a_text_the_keys_are_named(logs, line, keys):
    assert read(logs("may.jsonl", f'"hi"\n{line}\n')).skipped == (
        f"may.jsonl: skipped line 2 (its keys are: {keys}), which is without a text under `text`",
    )


# Excel


@pytest.fixture
def workbook(tmp_path, monkeypatch):
    """A function that writes an Excel file in the current folder, of sheets and their rows."""
    monkeypatch.chdir(tmp_path)

    def write(name="may.xlsx", **sheets):
        book = Workbook()
        book.remove(book.active)
        for title, rows in sheets.items():
            sheet = book.create_sheet(title)
            for row in rows:
                sheet.append(row)
        book.save(tmp_path / name)
        return name

    return write


def test_excel_reads_the_text_column_of_the_first_sheet_with_the_times(workbook):
    moments = [datetime(2026, 3, 1, 18, 30), date(2026, 3, 1), "1970-01-01T00:01Z", 3e8, None, "soon"]
    rows = [["id", " text ", "time"], *([number, f"text {number}", at] for number, at in enumerate(moments))]

    assert read(workbook(log=rows, notes=[["text"], ["no"]])).messages == (
        LoggedMessage("text 0", datetime(2026, 3, 1, 18, 30).timestamp()),
        LoggedMessage("text 1", datetime(2026, 3, 1).timestamp()),
        LoggedMessage("text 2", 60.0),
        LoggedMessage("text 3", 3e8),
        LoggedMessage("text 4"),
        LoggedMessage("text 5"),
    )


def test_rows_that_no_sheet_can_have_do_not_fill_the_memory(workbook):
    with zipfile.ZipFile(workbook(log=[["text"], ["hi"]])) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet] = parts[sheet].replace(b'r="2"', b'r="999999999"').replace(b'r="A2"', b'r="A999999999"')
    with zipfile.ZipFile("may.xlsx", "w") as book:
        for name, content in parts.items():
            book.writestr(name, content)
    assert error("may.xlsx") == (
        "may.xlsx: the sheet log has more than 1,048,576 rows, save its messages as .csv"
    )


def test_sheets_without_anything_in_them_are_not_told(workbook):
    assert read(workbook(Sheet1=[["text"], ["hi"]], Sheet2=[], Sheet3=[[None]])).skipped == ()


def test_in_excel_too_the_usual_names_of_times_are_found(workbook):
    rows = [["date", "Created At", "text"], ["soon", datetime(2026, 3, 1), "hi"], [None, None, "ho"]]
    assert [message.time for message in read(workbook(log=rows)).messages] == [
        datetime(2026, 3, 1).timestamp(),
        None,
    ]


def test_what_excel_holds_beside_texts_is_read_as_text(workbook):
    values = ["line one\nline two", 17, 17.0, 1.5, 49_301_234_567, True, date(2026, 3, 1), "", None]
    rows = [["text", "id"], *([value, 1] for value in values)]

    assert texts(workbook(log=rows)) == [
        *("line one\nline two", "17", "17", "1.5", "49301234567", "TRUE", "2026-03-01 00:00:00", "", "")
    ]


def test_a_line_end_of_windows_in_excel_is_one(workbook):
    rows = [["text"], ["hi_x000D_\nhow are you_x000D_bye"], ["at _x000d_ home"]]
    assert texts(workbook(log=rows)) == ["hi\nhow are you\nbye", "at _x000d_ home"]


def test_excel_passes_over_empty_rows_and_says_which_are_errors(workbook):
    log = read(
        workbook(log=[[], [None, "message"], [], [1, "hi"], [2, "#N/A"], [], [3, "bye"], [4, "#REF!"]])
    )

    assert log == MessageLog(
        (LoggedMessage("hi"), LoggedMessage("bye")),
        ("may.xlsx: skipped 2 rows that are the error of a formula, the first is row 5",),
    )


def test_of_a_formula_its_value_is_read(workbook, tmp_path):
    workbook(log=[["text"], ["=A4"], ["=A3"], ["hi"]])
    content = "xl/worksheets/sheet1.xml"
    with zipfile.ZipFile("may.xlsx") as old, zipfile.ZipFile("june.xlsx", "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == content:  # as Excel saves it
                assert data.count(b"<f>A4</f><v />") == 1
                data = data.replace(b'<c r="A2"><f>A4</f><v />', b'<c r="A2" t="str"><f>A4</f><v>hi</v>')
            new.writestr(name, data)

    assert texts("may.xlsx") == ["hi"]
    assert texts("june.xlsx") == ["hi", "hi"]


def test_another_sheet_and_column_are_read_where_they_are_named(workbook, tmp_path):
    path = workbook(about=[["this is a log"]], log=[["words", "n"], ["hi", 300_000_001]])

    assert read("may.xlsx#log", text_column="words").messages == (LoggedMessage("hi"),)
    assert error(path, text_column="words") == (
        "may.xlsx: there is no column `words`, its columns are: this is a log; "
        "read another sheet (may.xlsx#log), name the one that holds the messages with --text-column, or give "
        "the file a first row with the names of its columns"
    )
    assert read("may.xlsx#log", text_column="words", time_column="n").messages == (
        LoggedMessage("hi", 300_000_001.0),
    )
    assert error("may.xlsx#Log") == "may.xlsx: there is no sheet 'Log', its sheets are: about, log"
    (tmp_path / "may.xlsx#log.txt").write_text("a file of that name")
    assert texts("may.xlsx#log.txt") == ["a file of that name"]


def test_the_sheets_that_are_left_out_are_told_and_how_to_read_them(workbook):
    path = workbook(august=[["text"], ["hi"]], september=[["text"], ["ho"]], october=[["text"]])
    advice = "left out september, october (name one to read it: may.xlsx#september)"

    assert read(path).skipped == (f"may.xlsx: read the sheet august, {advice}",)
    assert read(f"{path}#september").skipped == ()
    assert error(workbook(august=[], september=[["text"], ["ho"]], october=[])) == (
        "may.xlsx: the sheet august is empty, left out september (name one to read it: may.xlsx#september); "
        "name files that hold logged messages"
    )


def test_wrong_dimensions_in_an_excel_file_cut_nothing(workbook):
    book = workbook(log=[["id", "text"], [1, "hi"], [2, "bye"]])
    with zipfile.ZipFile(book) as old:
        files = {name: old.read(name) for name in old.namelist()}
    sheet = files["xl/worksheets/sheet1.xml"]
    assert b'ref="A1:B3"' in sheet
    with zipfile.ZipFile(book, "w") as new:
        for name, data in {
            **files,
            "xl/worksheets/sheet1.xml": sheet.replace(b"A1:B3", b"A1"),
        }.items():
            new.writestr(name, data)

    assert texts(book) == ["hi", "bye"]


def test_excel_files_in_folders_are_read_but_not_what_excel_puts_beside_an_open_one(logs, workbook):
    logs("logs/~$may.xlsx", "\x05Ann")
    workbook("logs/may.XLSX", log=[["text"], ["hi"]])

    assert texts("logs") == ["hi"]


def test_an_excel_file_without_messages_is_skipped(logs, workbook):
    workbook("may.xlsx", log=[])
    workbook("june.xlsx", log=[["text"]])

    assert read("may.xlsx", "june.xlsx", logs("july.txt", "hi")).skipped == (
        "may.xlsx: skipped, there is no message in it",
        "june.xlsx: skipped, there is no message in it",
    )


def zip_of(tmp_path, **files):
    with zipfile.ZipFile(tmp_path / "made.zip", "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return (tmp_path / "made.zip").read_bytes()


@pytest.mark.parametrize("content", [b"", b"id,text\n1,hi\n", b"PK\x03\x04 cut off", None, "cut"])
def test_what_is_no_excel_file_is_refused(logs, workbook, tmp_path, content):
    if content is None:
        content = zip_of(tmp_path, word="no workbook")
    elif content == "cut":
        content = (tmp_path / workbook(log=[["text"], ["hi"]])).read_bytes()
        content = content.replace(b"worksheets/sheet1.xml", b"worksheets/sheet9.xml")

    assert error(logs("may.xlsx", content)) == (
        "may.xlsx: it is no Excel file, or broken; open it in a spreadsheet program and save it as .xlsx or "
        ".csv"
    )


def test_excel_files_of_old_or_with_a_password_are_refused(logs):
    old = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

    assert error(logs("may.xls", old)) == (
        "may.xls: it is of the form that Excel wrote until 2003, save it as .xlsx"
    )
    assert error(logs("may.xlsx", old)) == (
        "may.xlsx: it is protected with a password, or of the form that Excel wrote until 2003; save it as "
        ".xlsx without a password"
    )


def test_an_excel_file_that_would_fill_the_memory_is_refused(workbook, monkeypatch):
    monkeypatch.setattr(excel_files, "CORPUS", replace(CORPUS, largest_workbook=1000))

    assert error(workbook(log=[["text"], ["hi"]])) == (
        "may.xlsx: unpacked it has more than 1,000 bytes, save its messages as .csv"
    )


def test_where_what_reads_excel_is_not_installed_the_command_for_it_is_told(workbook, monkeypatch):
    path = workbook(log=[["text"], ["hi"]])
    monkeypatch.setitem(sys.modules, "openpyxl", None)

    assert error(path) == (
        "may.xlsx: Excel files are read with openpyxl, which is not installed; run "
        "pip install 'rasa-intent-discovery[excel]', or save the file as .csv"
    )


# NLU YAML


def test_nlu_yaml_gives_the_examples_of_intents_as_plain_text(logs):
    path = logs(
        "may.yml",
        """\
version: "3.1"
nlu:
- intent: track
  examples: |
    - parcel to [Bath](city) or [York]{"entity": "city", "role": "to"}
    # a comment

    - from [Cork][{"entity": "city"}], see a[0][1]
- lookup: city
  examples: |
    - Leeds
- intent: greet
  examples:
  - text: |
      hi
  - metadata: 1
""",
    )

    assert read(path) == MessageLog(
        (
            LoggedMessage("parcel to Bath or York"),
            LoggedMessage("from Cork, see a[0][1]"),
            LoggedMessage("hi"),
        ),
        ("may.yml: skipped line 16, which is without a `text`",),
    )


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("nlu:\n- intent: [\n", "may.yml: line 3 is not valid YAML, correct it"),
        ("nlu:\n- intent: a\n  examples |\n    - x\n", "may.yml: line 3 is not valid YAML, correct it"),
        (
            "stories: []\n",
            "may.yml: there is no list `nlu:` of intents and their examples in it, so it holds no messages; "
            "leave it out",
        ),
        (b"nlu:\n- caf\xe9", "may.yml, line 2: it is not UTF-8, save it with that encoding"),
    ],
)
def test_yaml_that_is_no_nlu_data_ends_the_run(logs, content, expected):
    assert error(logs("may.yml", content)) == expected


@pytest.mark.parametrize("opens", ["[", "{a: ", "- ", "? "])
def test_yaml_that_is_nested_too_deep_ends_the_run(logs, opens):
    assert error(logs("may.yml", "nlu:\n" + opens * 20_000)) == (
        "may.yml: line 2 is nested more than 30 levels deep, correct it"
    )


def test_a_large_yaml_file_ends_the_run(logs, short_lines):
    assert error(logs("may.yml", "nlu:\n- intent: greet\n")) == (
        "may.yml: it has more than 20 bytes, which takes too long to read as YAML; "
        "save its messages as .txt, one on a line"
    )


# several files, folders


def test_folders_are_read_recursively_in_order_without_hidden_and_other_files(logs):
    for name in ("logs/b.txt", "logs/a/z.TXT", "logs/.cache/x.txt", "logs/.x.txt", "logs/notes.md", "c.txt"):
        logs(name, name)

    assert texts("c.txt", "logs", "logs/b.txt") == ["c.txt", "logs/a/z.TXT", "logs/b.txt"]


def test_what_is_skipped_in_many_files_is_added_up(logs):
    for number in range(1, 61):
        logs(f"logs/{number:02}.csv", "role,time,text\nuser,soon,hi\nbot,,ho\nbot,,ho\n")
    logs("logs/61.txt", "hi")
    logs("logs/62.jsonl", '"hi"\n{')
    log = read("logs", selection=Selection(since=5.0))

    of_files = "in 60 files, the first is logs/01.csv"
    undated = "without a known time are read, whatever --since and --until say"
    advice = "(--time-column names the column of the times)"
    assert log.skipped == (
        f"skipped 120 lines that are of a bot or an agent (`role`), {of_files}",
        f"there are 60 times that cannot be read, {of_files}",
        f"61 {undated}, in 61 files, the first is logs/01.csv",
        f"logs/62.jsonl: skipped line 2, which is not JSON; 1 {undated} {advice}",
    )


def test_an_empty_file_is_skipped(logs):
    log = read(logs("may.jsonl", ""), logs("june.txt", "hi"))

    assert log.skipped == ("may.jsonl: skipped, there is no message in it",)


def test_no_message_in_any_file_ends_the_run(logs):
    assert error(logs("may.csv", ""), logs("june.txt", ""), logs("july.yml", "")) == (
        "may.csv: skipped, there is no message in it; june.txt: skipped, there is no message in it; "
        "july.yml: skipped, there is no message in it; name files that hold logged messages"
    )


def test_paths_that_cannot_be_read_are_named(logs, tmp_path):
    logs("may.ods", "hi")
    (tmp_path / "empty").mkdir()
    endings = ".txt, .csv, .tsv, .jsonl, .yml, .yaml or .xlsx"

    assert error("gone.txt") == "gone.txt: there is no such file or folder, check where the messages are"
    assert error("empty") == (f"empty: the folder holds no file ending in {endings}, name one that does")
    assert error("may.ods") == (
        f"may.ods: messages are read from files ending in {endings}, save it as one of these"
    )


@pytest.mark.parametrize("device", [False, True])
def test_a_pipe_or_device_is_not_read(logs, tmp_path, device):
    if device:
        (tmp_path / "may.txt").symlink_to("/dev/zero")
    else:
        os.mkfifo(tmp_path / "may.txt")

    assert error("may.txt") == (
        "may.txt: it is neither a file nor a folder but a pipe or device, save what comes from it in a file"
    )
    assert texts(tmp_path, logs("june.txt", "hi")) == ["hi"]


def test_a_folder_that_holds_itself_is_read_once(logs, tmp_path):
    logs("logs/may.txt", "hi")
    (tmp_path / "logs/again").symlink_to(tmp_path)

    assert texts("logs", "logs/again", "logs/again/logs") == ["hi"]


def test_a_folder_that_is_linked_to_is_read(logs, tmp_path):
    logs("logs/may.txt", "hi")
    logs("june/week.txt", "ho")
    (tmp_path / "logs/2026").symlink_to(tmp_path / "june")

    assert texts("logs") == ["ho", "hi"]


def test_a_file_that_may_not_be_opened_is_named(logs, monkeypatch):
    path = logs("may.txt", "hi")

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", refuse)

    assert error(path) == "may.txt: cannot be read (Permission denied), make it readable first"


_TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0")), min_size=1)


@given(_TEXTS)
def test_whatever_is_written_as_jsonl_is_read_back(tmp_path_factory, written):
    path = tmp_path_factory.mktemp("logs") / "may.jsonl"
    path.write_text(
        "".join(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in written), "utf-8"
    )

    assert texts(path) == written


@given(_TEXTS)
def test_whatever_is_written_as_csv_is_read_back(tmp_path_factory, written):
    path = tmp_path_factory.mktemp("logs") / "may.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerows([["id", "text"], *([i, text] for i, text in enumerate(written))])

    assert texts(path) == written


def test_records_of_other_programs_that_name_events_are_messages(logs):
    lines = [
        {"event": "message", "text": "where is my order"},
        {"event": "page", "text": "hi", "timestamp": 1_700_000_000},
        {"event": "action", "name": "action_listen", "timestamp": 1_700_000_000},
        {"event": "user", "events": None, "text": "what is this", "parse_data": {}},
        {"event": 5, "text": "ho"},
        {"text": "where is my parcel", "events": []},
        {"text": "send it again", "events": [{"event": "page", "at": 5}, {"kind": "click"}, "scroll"]},
    ]

    assert read(logs("may.jsonl", "\n".join(map(json.dumps, lines)))) == MessageLog(
        (
            LoggedMessage("where is my order"),
            LoggedMessage("hi", 1_700_000_000.0),
            LoggedMessage("what is this"),
            LoggedMessage("ho"),
            LoggedMessage("where is my parcel"),
            LoggedMessage("send it again"),
        )
    )


def test_records_of_other_programs_may_have_their_text_in_an_object(logs):
    lines = [
        {"event": "message", "payload": {"text": "where is my order"}},
        {"events": [], "payload": {"text": "send it again"}},
    ]
    path = logs("may.jsonl", "\n".join(map(json.dumps, lines)))

    assert texts(path, text_column="payload.text") == ["where is my order", "send it again"]


def test_a_conversation_may_have_a_text_beside_its_events(logs):
    line = json.dumps({"text": "a note", "events": [user("send me the bill", "nlu_fallback")]})

    assert texts(logs("may.jsonl", line)) == ["send me the bill"]


@pytest.mark.parametrize("content", ['nlu: !!int ""\n', "nlu: !!timestamp x\n", "nlu: &a [*b]\n"])
def test_whatever_breaks_in_yaml_is_told(content, logs):
    assert error(logs("may.yml", content)).startswith("may.yml: ")


def test_examples_of_a_merge_key_are_read(logs):
    content = "x: &e {examples: [{text: hi}]}\nnlu:\n- intent: greet\n  <<: *e\n"

    assert texts(logs("may.yml", content)) == ["hi"]


def test_files_that_a_bot_renames_while_they_are_read_are_read_once_each(logs, monkeypatch):
    logs("logs/messages-1.jsonl", '{"text": "oldest"}\n')
    logs("logs/messages-2.jsonl", '{"text": "older"}\n')
    logs("logs/messages.jsonl", '{"text": "new"}\n')
    readers = dict(messages.READERS)

    def reading(file):
        found = list(readers[".jsonl"](file))
        if file.path.name == "messages-1.jsonl":
            # The bot begins another file, and removes the oldest one that is left.
            os.remove("logs/messages-2.jsonl")
            os.rename("logs/messages.jsonl", "logs/messages-3.jsonl")
            logs("logs/messages.jsonl", '{"text": "newest"}\n')
        elif file.path.name == "messages.jsonl":
            os.rename("logs/messages.jsonl", "logs/messages-4.jsonl")
        return iter(found)

    monkeypatch.setitem(messages.READERS, ".jsonl", reading)
    assert sorted(texts("logs")) == ["new", "newest", "oldest"]


def test_a_named_file_that_goes_is_told(logs, monkeypatch):
    path = logs("may.jsonl", '{"text": "hi"}\n')

    readers = dict(messages.READERS)

    def gone(file):
        os.remove(path)
        return readers[".jsonl"](file)

    monkeypatch.setitem(messages.READERS, ".jsonl", gone)
    assert error(path) == "may.jsonl: cannot be read (No such file or directory), make it readable first"
