"""Which messages of kept conversations are read: those the bot did not understand, unless asked otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.dates import day, moment
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.events import EventReader, Selection

MAY = moment("2026-05-01")


def said(
    text: Any, intent: str | None = "nlu_fallback", confidence: float = 0.4, **more: Any
) -> dict[str, Any]:
    """As Rasa keeps it: where it fell back, the fallback stands before the best guess, with the threshold."""
    ranking = [{"name": intent or "", "confidence": confidence}]
    if intent == "nlu_fallback":
        ranking = [{"name": intent, "confidence": 0.7}, {"name": "greet", "confidence": confidence}]
    parsed = {"intent": ranking[0], "intent_ranking": ranking} if intent else {}
    return {
        "event": "user",
        "text": text,
        "timestamp": MAY,
        "input_channel": "rest",
        "parse_data": parsed,
        **more,
    }


def form(name: str | None) -> dict[str, Any]:
    return {"event": "active_loop", "name": name}


def slot(name: str, value: Any) -> dict[str, Any]:
    return {"event": "slot", "name": name, "value": value}


def read(
    *events: Mapping[str, Any], selection: Selection | None = None, sender: str = "ann"
) -> tuple[list[str], dict[str, int]]:
    reader = EventReader(selection or Selection())
    found = [message for event in events for message in reader.read(event, sender, "store")]
    return [message.text for message in [*found, *reader.rest()]], dict(reader.left_out)


UNDERSTOOD = said("hi", "greet", 0.9)
UNSURE = said("helo", "greet", 0.3)
FELL_BACK = said("send me the bill")


def test_what_fell_back_is_read_and_the_rest_counted() -> None:
    texts, left_out = read(UNDERSTOOD, FELL_BACK, UNSURE, {"event": "bot", "text": "Sorry?"})

    assert texts == ["send me the bill"]
    assert left_out == {"recognised by the bot (--all-messages reads them)": 2}


def test_a_message_knows_where_and_when_it_was_written() -> None:
    [message] = EventReader(Selection()).read(FELL_BACK, "ann", "endpoints.yml > tracker_store, event 7")

    assert (message.source, message.time) == ("endpoints.yml > tracker_store, event 7", MAY)


@pytest.mark.parametrize(
    ("below", "texts"), [(0.35, ["helo"]), (0.5, ["send me the bill", "helo"]), (0.0, [])]
)
def test_below_asks_for_the_best_guess_under_the_fallback(below: float, texts: list[str]) -> None:
    found, left_out = read(UNDERSTOOD, FELL_BACK, UNSURE, selection=Selection(below=below))

    assert found == texts
    assert left_out == {"recognised with that confidence or a higher one": 3 - len(texts)}


def test_all_messages() -> None:
    texts, left_out = read(UNDERSTOOD, FELL_BACK, selection=Selection(everything=True))

    assert texts == ["hi", "send me the bill"]
    assert left_out == {}


@pytest.mark.parametrize(
    "parsed",
    [
        None,
        {},
        {"intent": None},
        {"intent": {}},
        {"intent": {"name": None, "confidence": 0.0}},
        {"intent": {"name": "nlu_fallback"}, "intent_ranking": None},
        {"intent": {"name": "nlu_fallback"}, "intent_ranking": []},
    ],
)
def test_a_message_that_says_little_of_how_it_was_understood_is_read(parsed: Any) -> None:
    event = {"event": "user", "text": "hello?", "parse_data": parsed}

    assert read(event) == (["hello?"], {})
    assert read(event, selection=Selection(below=0.5)) == (["hello?"], {})


@pytest.mark.parametrize("text", [None, 7])
def test_what_has_no_text_is_nothing(text: Any) -> None:
    assert read(said(text)) == ([], {})


def test_what_a_program_triggered_is_left_out() -> None:
    external = said("EXTERNAL: remind", None, metadata={"is_external": True})

    assert read(external, said("hey", metadata=None)) == (["hey"], {"triggered by a program": 1})


def test_only_some_channels() -> None:
    texts, left_out = read(
        FELL_BACK, said("other", input_channel="cmdline"), selection=Selection(channels=("rest",))
    )

    assert (texts, left_out) == (["send me the bill"], {"of another channel": 1})


def test_only_some_time() -> None:
    config = DiscoveryConfig(since="2026-05-01", until="2026-05-02")
    days = [
        said(day, timestamp=moment(day))
        for day in ("2026-04-30T23:59:59", "2026-05-01", "2026-05-02T23:59:59", "2026-05-03")
    ]

    texts, left_out = read(*days, said("some day", timestamp=None), selection=Selection.of(config))

    assert texts == ["2026-05-01", "2026-05-02T23:59:59", "some day"]
    assert left_out == {"of another time": 2}


def test_an_answer_to_a_form_is_no_wish() -> None:
    texts, left_out = read(
        said("book a table"),
        form("booking"),
        slot("requested_slot", "name"),
        said("Ann Smith"),
        slot("name", "Ann Smith"),
        slot("requested_slot", "people"),
        said("do you have parking?"),
        slot("requested_slot", "people"),
        said("four"),
        slot("people", 4),
        form(None),
        slot("requested_slot", None),
        said("and the menu?"),
    )

    assert texts == ["book a table", "do you have parking?", "and the menu?"]
    assert left_out == {"answers to what a form asked for": 2}


def test_a_slot_that_was_not_asked_for_makes_no_answer() -> None:
    texts, _ = read(
        form("booking"),
        slot("requested_slot", "people"),
        said("is Ann's table big?"),
        slot("name", "Ann"),
        slot("people", None),
    )

    assert texts == ["is Ann's table big?"]


def test_forms_of_two_conversations_do_not_mix() -> None:
    reader = EventReader(Selection())
    events = [
        ("ann", form("booking")),
        ("ann", slot("requested_slot", "name")),
        ("bob", said("my parcel is late")),
        ("ann", said("parking?")),
        ("bob", slot("name", "Bob")),
    ]
    found = [message.text for sender, event in events for message in reader.read(event, sender, "store")]

    assert [*found, *(message.text for message in reader.rest())] == ["my parcel is late", "parking?"]


def test_what_was_left_out_is_said_in_one_sentence() -> None:
    reader = EventReader(Selection(channels=("rest",)))
    for event in (UNDERSTOOD, UNDERSTOOD, said("other", input_channel=None)):
        list(reader.read(event, "ann", "store"))

    assert reader.summary() == (
        "left out 3 messages: 2 recognised by the bot (--all-messages reads them), 1 of another channel"
    )
    assert EventReader(Selection()).summary() == ""


# Days and moments


@pytest.mark.parametrize("text", ["2026-05-01", "2026-05-01T00:00", "2026-05-01 00:00:00"])
def test_a_day_begins_at_midnight_here(text: str) -> None:
    assert moment(text) == MAY
    assert day(MAY) == "2026-05-01"


def test_a_day_counts_to_its_end_and_a_moment_does_not() -> None:
    assert moment("2026-05-01", end=True) == moment("2026-05-02")
    assert moment("2026-05-01T18:30", end=True) == moment("2026-05-01T18:30")


def test_a_moment_may_name_its_zone() -> None:
    assert moment("2026-05-01T12:00Z") == moment("2026-05-01T14:00+02:00")


@pytest.mark.parametrize("name", ["since", "until"])
@pytest.mark.parametrize("value", ["yesterday", "2026-13-01", "01.05.2026", "5"])
def test_a_day_that_is_none_is_refused(name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=rf"^{name}: expected a day such as 2026-03-01, .* got '{value}'$"):
        DiscoveryConfig.from_mapping({name: value})
