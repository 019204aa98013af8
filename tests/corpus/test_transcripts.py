"""Text files of chats, whose lines begin with times and names."""

from __future__ import annotations

import csv
import json
import re
import unicodedata
from datetime import datetime
from pathlib import Path

import pytest
from openpyxl import Workbook

from rasa_intent_discovery.corpus.events import Selection
from rasa_intent_discovery.corpus.messages import MessageLog, read_messages

WHATSAPP = """\
12/03/2026, 10:10 - Messages and calls are end-to-end encrypted.
12/03/2026, 10:11 - Anna Keller: where is my order?

the number is: 5
12/03/2026, 10:13 - Sofa Shop: it is on its way
12/03/2026, 10:14 - Anna Keller: thanks: bye
"""


@pytest.fixture
def read(tmp_path: Path):
    def read(text: str, name: str = "chat.txt") -> MessageLog:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return read_messages([tmp_path / name])

    return read


def texts(log: MessageLog) -> list[str]:
    return [message.text for message in log.messages]


@pytest.mark.parametrize("name", ["WhatsApp Chat with Anna Keller", "chat anna keller", "Anna Keller"])
def test_of_a_chat_that_is_named_after_the_customer_only_those_messages_are_read(name: str, read) -> None:
    log = read(WHATSAPP, f"{name}.txt")
    assert texts(log) == ["where is my order?\n\nthe number is: 5", "thanks: bye"]
    (remark,) = log.skipped
    assert "skipped line 1, which is without the name of a writer, as notices are; skipped line 5, " in remark
    assert "which is of others than the one whom the file is named after" in remark


ANDROID = ("<Media omitted>", "IMG-20260312-WA0001.jpg (file attached)", "This message was deleted", "null")
IOS = ("\u200eBild weggelassen", "\u200e<Anhang: 00000012-PHOTO.jpg>", "<Medien ausgeschlossen>", "")


@pytest.mark.parametrize("marks", [ANDROID, IOS])
def test_attachments_and_deleted_messages_are_counted_and_what_is_said_of_them_is_read(marks, read) -> None:
    lines = [*marks, f"{marks[1]}\nmy sofa\nis torn", "see invoice.pdf (the new one)", "why <b>me</b>?"]
    chat = "".join(f"12/03/2026, 10:11 - Anna: {line}\n" for line in lines)
    log = read(chat)
    assert texts(log) == ["my sofa\nis torn", "see invoice.pdf (the new one)", "why <b>me</b>?"]
    assert "skipped 4 lines that are without words (an attachment or a deleted message)" in log.skipped[0]


def test_where_only_the_bot_is_named_the_others_are_read(read) -> None:
    log = read("[10:11] Bot: hi\n[10:11] Bot: how can I help\n[10:12] Bot: hm\n[10:13] where is it\n" * 3)
    assert texts(log) == ["where is it"] * 3


def test_a_line_of_a_message_may_begin_like_a_writer(read) -> None:
    chat = WHATSAPP.replace("the number is: 5", "User: anna01\nSystem: Windows 11\nSofa Shop: yours")
    log = read(chat, "Anna Keller.txt")
    assert texts(log)[0] == "where is my order?\n\nUser: anna01\nSystem: Windows 11\nSofa Shop: yours"


def test_accents_of_the_customer_may_be_put_together_otherwise(read) -> None:
    chat = WHATSAPP.replace("Anna Keller", unicodedata.normalize("NFC", "Jürgen"))
    log = read(chat, unicodedata.normalize("NFD", "Chat mit Jürgen.txt"))
    assert "it is on its way" not in texts(log)


@pytest.mark.parametrize(
    ("name", "file"), [("Anna Keller", "chat"), ("Anna Keller", "with Joanna Keller 2"), ("Al", "with Al")]
)
def test_of_one_that_is_not_all_are_read_and_it_says_what_to_do(name: str, file: str, read) -> None:
    log = read(WHATSAPP.replace("Anna Keller", name), f"{file}.txt")
    assert texts(log)[1:] == ["it is on its way", "thanks: bye"]
    assert "begin with names, and what 2 writers wrote is read (give the file a name" in log.skipped[0]


def test_a_name_is_a_word_of_its_own(read) -> None:
    chat = WHATSAPP.replace("Anna Keller", "Anna")
    assert "it is on its way" in texts(read(chat, "Chat with Joanna.txt"))


def test_names_of_sides_tell_whose_messages_are_read(read) -> None:
    log = read("Customer: my sofa broke\nAgent: sorry\nagent: which one?\nCustomer: see: the red one\n")
    assert texts(log) == ["my sofa broke", "see: the red one"]
    (remark,) = log.skipped
    assert "of a bot or an agent (`Agent`)" in remark and "begin with names" not in remark


def test_that_a_person_writes_beside_them_is_said(read) -> None:
    log = read("Visitor: where is it\nAnna: let me look\nBot: rate us\nVisitor: ok\n")
    assert texts(log) == ["where is it", "let me look", "ok"]
    assert "its lines begin with names, and what 2 writers wrote is read" in log.skipped[0]
    assert "give the file a name" not in log.skipped[0]


def test_of_a_single_person_beside_a_bot_nothing_is_said(read) -> None:
    (remark,) = read("[10:11] Anna: where is it\n[10:12] Bot: let me look\n" * 3).skipped
    assert "begin with names" not in remark


def test_one_label_among_many_is_no_agent(read) -> None:
    labels = ("greet", "bye", "agent", "refund", "track")
    lines = "".join(f"{label}: message {number}\n" for number in range(5) for label in labels)
    assert len(read(lines).messages) == 25


@pytest.mark.parametrize("file", ["export bot.txt", "rasa-bot.txt"])
def test_a_chat_named_after_the_bot_is_not_one_named_after_the_customer(file: str, read) -> None:
    lines = "".join(f"[10:1{minute}] User: where is it\n[10:1{minute}] Bot: hello\n" for minute in range(5))
    assert texts(read(lines, file)) == ["where is it"] * 5


def test_a_reply_without_a_time_is_no_part_of_the_message_above(read) -> None:
    day = "2026-03-12"
    log = read(f"{day} 10:10 User: hi\n{day} 10:11 User: where\nis it\nBot: here\n{day} 10:12 User: ok\n")
    assert texts(log) == ["hi", "where\nis it", "ok"]


def test_replies_without_a_time_are_none_of_a_customer_who_is_named(read) -> None:
    pair = "[12.03.26, 10:1{0}:12] Anna: where is sofa {0}\nAgent: It is on its way.\n"
    log = read("".join(pair.format(number) for number in range(5)))

    assert texts(log) == [f"where is sofa {number}" for number in range(5)]
    assert "skipped 5 lines that are of a bot or an agent (`Agent`)" in log.skipped[0]


def test_a_few_lines_that_begin_like_an_agent_are_parts_of_messages(read) -> None:
    lines = [f"[12.03.26, 10:{number:02}] Anna: it fails" for number in range(15)]
    log = read("\n".join([*lines, "System: Windows 11", *lines, "System: Windows 11"]))

    assert texts(log).count("it fails\nSystem: Windows 11") == 2


def test_customers_without_a_name_are_read_where_they_are_no_few(read) -> None:
    turns = ("Bot: hello", "Lisa: may I help", "Bot: please wait", "where is my order")
    log = read("".join(f"[12.03.26, 10:11:12] {turn}\n" for turn in turns * 3))

    assert texts(log) == ["may I help", "where is my order"] * 3
    assert "lines with a time and without a name are read, too" in log.skipped[0]


def test_the_bot_of_many_chats_is_skipped(read) -> None:
    names = ("Anna", "Bob", "Carla", "Dan", "Eve")
    lines = "".join(f"[10:11] {name}: where is it\n[10:12] Bot: hello\n" for name in names)
    assert texts(read(lines)) == ["where is it"] * 5


@pytest.mark.parametrize("name", ["chat_Anna", "WhatsApp Chat with \u738b\u4f1f"])
def test_names_behind_an_underscore_and_of_two_characters_are_found(name: str, read) -> None:
    customer = re.split("[_ ]", name)[-1]
    lines = f"[10:11] {customer}: where is it\n[10:12] Shop: hello\n" * 3
    assert texts(read(lines, f"{name}.txt")) == ["where is it"] * 3


def test_a_log_in_which_all_was_understood_is_no_error_for_one_cut_line(tmp_path: Path) -> None:
    event = {"event": "user", "sender_id": "1", "text": "hi", "parse_data": {"intent": {"name": "greet"}}}
    (tmp_path / "a.jsonl").write_text(f"{json.dumps(event)}\n" * 3 + '{"event": "us')
    (tmp_path / "b.txt").write_text("where is it\n")
    assert texts(read_messages([tmp_path])) == ["where is it"]


def test_a_file_in_which_only_the_bot_wrote_ends_no_run(tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_text("Customer: where is it\nBot: hello\n")
    (tmp_path / "2.txt").write_text("Bot: hello, how can I help?\n")
    (tmp_path / "3.csv").write_text("role,text\nbot,hello there\n")
    log = read_messages([tmp_path])
    assert texts(log) == ["where is it"]
    assert len(log.skipped) == 3
    old = Selection(since=datetime(2027, 1, 1).timestamp())
    (tmp_path / "1.txt").write_text("2026-03-12 10:11 Customer: where is it\n2026-03-12 10:12 Bot: hello\n")
    (tmp_path / "4.txt").write_text("an undated one\n")
    assert texts(read_messages([tmp_path], selection=old)) == ["an undated one"]


def test_what_follows_a_chat_is_read_line_by_line(read) -> None:
    chat = "".join(f"12/03/2026, 10:{minute} - Anna: hi\n" for minute in range(10, 60))
    log = read(chat * 2 + "".join(f"line {number}\n" for number in range(20_000)))
    assert len(log.messages) == 100 + 20_000 - 49


@pytest.mark.parametrize(
    "before",
    [
        "[12.03.26, 10:11:12] ",
        "\u200e[12.03.26, 10:11:12] ",
        "3/12/26, 9:05\u202fPM - ",
        "(10:11:12 AM) ",
        "[10:11] ",
        "12.3.2026 10:11: ",
        "2026-03-12 10:11:12,123 ",
        "2026-03-12T10:11:12+01:00\t",
    ],
)
@pytest.mark.parametrize("name", ["", "Anna: "])
def test_times_and_names_are_no_part_of_the_messages(before: str, name: str, read) -> None:
    assert texts(read(f"{before}{name}where is it\n" * 3)) == ["where is it"] * 3


def test_a_time_with_the_year_first_is_that_of_the_message(read) -> None:
    log = read("2026-03-12, 10:11:12 - a\n[2026-03-12T10:12:00Z] b\n12.03.2026 10:13 c\n")
    first, second, third = (message.time for message in log.messages)
    assert first == datetime(2026, 3, 12, 10, 11, 12).timestamp()
    assert second == datetime.fromisoformat("2026-03-12T10:12:00+00:00").timestamp()
    assert third is None


@pytest.mark.parametrize(
    "text",
    [
        "hi: all\nwhere is: it\nok: fine\n",  # as many beginnings as lines
        "where is it\n12.03.2026 10:11 I ordered\n12:30 is my train\n",
        "order: 1\norder: 2\norder: 3\norder: 4\norder: 5\nwhere is it\n",  # not all
        "2026-03-12 10:10:11,where is\n2026-03-12 10:12:11;where is it\n2026-03-12T10:10:11Z,hi\n",
        "Printer: is broken\nContact: is gone\nSystem: is down\nAccess: is denied\nCode: is red\n",
        # A day and a time of day that people ask for.
        "12.03.2026 10:00 is good\n12.03.2026 11:00?\ntomorrow\nI want to cancel\n12.03.2026 9:00 pls\n",
        "\n\n",
    ],
)
def test_other_files_are_read_line_by_line_as_they_are(text: str, read, tmp_path: Path) -> None:
    assert texts(read(text)) == text.splitlines()


def test_what_begins_all_lines_is_a_label(read) -> None:
    log = read("Question: how long: a week\n" * 6)
    assert (texts(log), log.skipped) == (["how long: a week"] * 6, ())


def read_table(path: Path, rows: list[tuple[str, str]]) -> MessageLog:
    """What is read of a table of days and texts."""
    workbook = Workbook()
    for row in [("date", "text"), *rows]:
        workbook.active.append(row)
    if path.suffix == ".xlsx":
        workbook.save(path)
    else:
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(workbook.active.values)
    return read_messages([path])


ZENDESK = """\
(10:00:00) Visitor 12: where is it
my parcel
(10:00:10) Sam: soon
(10:00:12) Visitor 12: ok
(10:00:15) *** Sam left ***"""


@pytest.mark.parametrize("name", ["chats.csv", "chats.xlsx"])
def test_chats_in_the_cells_of_a_table_are_read_turn_by_turn(name: str, tmp_path: Path) -> None:
    log = read_table(
        tmp_path / name,
        [("2026-03-01", ZENDESK), ("", ZENDESK), ("2026-03-02", "hi"), ("2026-03-02", "a\nb"), ("", ZENDESK)],
    )
    first, second = (datetime(2026, 3, day).timestamp() for day in (1, 2))
    parcel = "where is it\nmy parcel"
    assert [(one.text, one.time) for one in log.messages] == [
        *[(parcel, first), ("soon", first), ("ok", first), (parcel, None), ("soon", None), ("ok", None)],
        *[("hi", second), ("a\nb", second), (parcel, None), ("soon", None), ("ok", None)],
    ]
    unit = "line" if name.endswith("csv") else "row"
    assert f"skipped 3 {unit}s that are without the name of a writer" in log.skipped[0]
    assert "its texts are chats, and what all but bots and agents wrote is read" in log.skipped[0]


def test_in_the_cells_of_a_table_sides_are_named_as_such_where_no_times_are(tmp_path: Path) -> None:
    chat = "Customer: where is it\nAgent: soon\nCustomer: thanks"
    log = read_table(tmp_path / "may.csv", [("", chat), ("", "hi")] + [("", chat)] * 3)
    assert texts(log) == ["where is it", "thanks", "hi"] + ["where is it", "thanks"] * 3


@pytest.mark.parametrize(
    "text",
    [
        "Name: Anna\nOrder: 5\nProblem: it is broken",  # of a contact form
        "Customer: Anna\nContact: 5\nSystem: old\nit is broken",
        "where is it\nmy parcel",
        "at 10:00:00\nor 11:00",
    ],
)
def test_other_cells_of_several_lines_are_messages(text: str, tmp_path: Path) -> None:
    log = read_table(tmp_path / "may.csv", [("", text)] * 6)
    assert (texts(log), log.skipped) == ([text] * 6, ())


def test_without_names_a_line_without_a_time_is_a_message_and_a_colon_stays(read) -> None:
    lines = [
        f"2026-03-12 10:{minute} {'Re: late' if minute % 5 < 3 else 'I want to cancel'}"
        for minute in range(10, 50)
    ]
    log = read("\n".join([*lines, "the last one"]))
    assert sorted({*texts(log)}) == ["I want to cancel", "Re: late", "the last one"]
    assert len(log.messages) == 41
