"""Text files of chats, whose lines begin with times and names."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

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


def test_of_a_chat_that_is_named_after_the_customer_only_those_messages_are_read(read) -> None:
    log = read(WHATSAPP, "WhatsApp Chat with Anna Keller.txt")
    assert texts(log) == ["where is my order?\n\nthe number is: 5", "thanks: bye"]
    assert [message.source[-6:] for message in log.messages] == ["line 2", "line 6"]
    (remark,) = log.skipped
    assert "skipped line 1, which is of nobody" in remark
    assert "skipped line 5, which is of others than the one whom the file is named after" in remark


def test_of_one_that_is_not_all_are_read_and_it_says_what_to_do(read) -> None:
    log = read(WHATSAPP)
    assert texts(log)[1:] == ["it is on its way", "thanks: bye"]
    assert "names of 2 writers, and what all of them wrote is read (give the file a name" in log.skipped[0]


def test_names_of_roles_tell_whose_messages_are_read(read) -> None:
    log = read("Customer: my sofa broke\nAgent: sorry\nagent: which one?\nCustomer: see: the red one\n\n")
    assert texts(log) == ["my sofa broke", "see: the red one", ""]
    (remark,) = log.skipped
    assert "of a bot or an agent (`Agent`)" in remark and "names of" not in remark


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
        "where is it\n12.03.2026 10:11 I ordered\n12:30 is my train\n",  # the first one has no time
        "order: 1\norder: 2\norder: 3\norder: 4\norder: 5\nwhere is it\n",  # not all
        "\n\n",
    ],
)
def test_other_files_are_read_line_by_line_as_they_are(text: str, read, tmp_path: Path) -> None:
    assert texts(read(text)) == text.splitlines()


def test_what_begins_all_lines_is_a_label(read) -> None:
    log = read("Question: how long: a week\n" * 6)
    assert (texts(log), log.skipped) == (["how long: a week"] * 6, ())
