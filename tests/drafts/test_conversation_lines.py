"""`conversations.jsonl`: its content, and what a broken one is told of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.turns import BOT, USER, Occurrence, Turn, Turns
from rasa_intent_discovery.datatypes import Boilerplate, LoggedMessage
from rasa_intent_discovery.dates import moment
from rasa_intent_discovery.drafts.conversations import (
    Spoken,
    conversations_file,
    spoken_of,
    texts_with_turns,
)
from rasa_intent_discovery.errors import DataError

PLACE = Path("drafts/conversations.jsonl")
ASKED = (Turn(USER, ("call me: +44 20 7946 0958",)), Turn(BOT, ("Which one?", "Grüße, ann@example.org")))


def turns(*said: tuple[str, float | None, tuple[Turn, ...]]) -> Turns:
    found = Turns()
    for text, time, before in said:
        found.keep(LoggedMessage(text), Occurrence(time, before))
    return found


def test_spellings_are_one_message_and_all_is_masked() -> None:
    found = turns(
        ("mail ann@example.org", moment("2026-05-02"), ASKED),
        ("Mail  bob@example.org", moment("2026-05-03"), ASKED[1:]),
        ("alone", None, ()),
    )
    content = conversations_file(found, DiscoveryConfig())
    assert content is not None
    assert [json.loads(line) for line in content.decode().splitlines()] == [
        {
            "text": "mail <email>",
            "times": [
                {"day": "2026-05-03", "before": [["bot", "Which one?", "Grüße, <email>"]], "after": []},
                {
                    "day": "2026-05-02",
                    "before": [["user", "call me: <phone>"], ["bot", "Which one?", "Grüße, <email>"]],
                    "after": [],
                },
            ],
        }
    ]
    unmasked = conversations_file(found, DiscoveryConfig(mask_personal_data=False))
    assert unmasked is not None
    assert unmasked.count(b"ann@example.org") == 3


def test_messages_are_kept_as_the_run_reads_them() -> None:
    found = turns(("where is it? See you, Ann", moment("2026-05-02"), ASKED[1:]))
    content = conversations_file(found, DiscoveryConfig(), Boilerplate({}, {"see you, …": 20}))
    assert content is not None
    assert json.loads(content)["text"] == "where is it?"


def test_where_nothing_was_said_around_messages_there_is_no_file() -> None:
    assert conversations_file(turns(("alone", 1.0, ())), DiscoveryConfig()) is None
    assert conversations_file(Turns(), DiscoveryConfig()) is None


def test_what_was_written_is_read() -> None:
    content = conversations_file(turns(("this one\udcff", None, ASKED[1:])), DiscoveryConfig())
    assert content is not None
    [(text, line)] = texts_with_turns(content, PLACE)
    assert text == "this one\ufffd"
    assert spoken_of(line) == (Spoken(None, (Turn(BOT, ("Which one?", "Grüße, <email>")),), ()),)


@pytest.mark.parametrize(
    "line",
    [b"{", b"[]", b'{"text": "a"}', b'{"text": "a", "times": [{"day": null, "before": [[]]}]}', b"\xff"],
)
def test_a_broken_file_is_told_with_its_line(line: bytes) -> None:
    with pytest.raises(DataError, match=r"^drafts/conversations.jsonl, line 2: not as it was written$"):
        list(texts_with_turns(b'{"text": "a", "times": []}\n' + line, PLACE))
