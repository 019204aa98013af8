"""Which messages of kept conversations are read: those the bot did not understand, unless asked otherwise."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.event_fields import time_of
from rasa_intent_discovery.corpus.events import EventReader, Selection
from rasa_intent_discovery.dates import day, moment
from rasa_intent_discovery.drafts.conversations import conversations_file
from rasa_intent_discovery.errors import ConfigError

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
    found = [message for event in events for message in reader.read(event, sender)]
    return [message.text for message in [*found, *reader.rest()]], dict(reader.left_out)


UNDERSTOOD = said("hi", "greet", 0.9)
UNSURE = said("helo", "greet", 0.3)
FELL_BACK = said("send me the bill")


def test_what_fell_back_is_read_and_the_rest_counted() -> None:
    texts, left_out = read(UNDERSTOOD, FELL_BACK, UNSURE, {"event": "bot", "text": "Sorry?"})

    assert texts == ["send me the bill"]
    assert left_out == {"recognised by the bot (--all-messages reads them)": 2}


@pytest.mark.parametrize("intent", ["out_of_scope", "OutOfScope/other", "fuera_de_alcance"])
def test_what_the_bot_does_not_do_is_read_as_what_fell_back_is(intent: str) -> None:
    selection = Selection.of(DiscoveryConfig(out_of_scope_intents=("fueraDeAlcance",)))

    assert read(said("a new card", intent, 0.97), selection=selection) == (["a new card"], {})
    assert read(said("start anew", "restart", 0.97), selection=selection)[0] == []


@pytest.mark.parametrize(
    ("commands", "is_read"),
    [
        (["start flow"], False),
        (["set slot", "cannot handle"], False),
        (["cannot handle"], True),
        (["chitchat"], True),
        (["knowledge", "clarify"], True),
        ([], True),
    ],
)
@pytest.mark.parametrize("below", [None, 0.5])
def test_of_a_bot_with_commands_those_that_led_to_no_flow_are_read(
    commands: list[str], is_read: bool, below: float | None
) -> None:
    parsed = {
        "intent": {"name": None, "confidence": 0.0},
        "commands": [{"command": name} for name in commands],
    }
    texts, left_out = read(said("a new card", parse_data=parsed), selection=Selection(below=below))
    assert texts == ["a new card"] * is_read
    assert left_out == ({} if is_read else {"recognised by the bot (--all-messages reads them)": 1})


def test_where_there_are_no_commands_the_intent_decides_and_malformed_ones_do_not_matter() -> None:
    for commands in ([], None, "start flow", [None, {"command": 3}, "start flow"]):
        understood = {**UNDERSTOOD["parse_data"], "commands": commands}
        assert read({**UNDERSTOOD, "parse_data": understood})[0] == []
        assert read({**FELL_BACK, "parse_data": {**FELL_BACK["parse_data"], "commands": commands}})[0]


def test_a_message_knows_when_it_was_written() -> None:
    [message] = EventReader(Selection()).read(FELL_BACK, "ann")
    assert message.time == MAY


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


def bare(text: str) -> dict[str, Any]:
    """A message that is nothing but an entity, and was not understood."""
    event = said(text)
    event["parse_data"]["entities"] = [{"entity": "city", "start": 0, "end": len(text), "value": text}]
    return event


def test_a_bare_entity_is_an_answer_where_a_form_asks() -> None:
    """Even if the form did not take it."""
    asked = [form("trip"), slot("requested_slot", "city")]

    assert read(*asked, bare("Atlantis"), slot("city", None)) == ([], {"answers to what a form asked for": 1})
    assert read(bare("Atlantis")) == (["Atlantis"], {})
    assert read(*asked, {**bare("Paris"), "text": "Paris by night"}) == (["Paris by night"], {})


@pytest.mark.parametrize("text", ["yes", "4", "Ann Smith", "in Paris, please"])
def test_whatever_fills_the_slot_is_an_answer(text: str) -> None:
    everything = Selection(everything=True)
    events = [form("trip"), slot("requested_slot", "city"), said(text, "affirm", 0.9), slot("city", "?")]

    assert read(*events, selection=everything) == ([], {"answers to what a form asked for": 1})


@pytest.mark.parametrize("event", [{"event": "restart"}, {"event": "session_started"}])
def test_a_form_ends_with_its_session(event: dict[str, Any]) -> None:
    """The slots of the last session are set again in the next one."""
    asked = [form("trip"), slot("requested_slot", "city"), said("where is my parcel"), event]

    assert read(*asked, slot("city", "Paris"), said("hello?"), slot("city", "Rome")) == (
        ["where is my parcel", "hello?"],
        {},
    )


def test_a_form_of_an_older_rasa() -> None:
    events = [
        {"event": "form", "name": "trip"},
        slot("requested_slot", "city"),
        said("Paris"),
        slot("city", "Paris"),
    ]

    assert read(*events, {"event": "form", "name": None}, said("hello?")) == (
        ["hello?"],
        {"answers to what a form asked for": 1},
    )


def offer(*buttons: dict[str, Any]) -> dict[str, Any]:
    return {"event": "bot", "text": "What now?", "data": {"buttons": list(buttons), "image": None}}


def test_a_click_on_a_button_is_no_wish() -> None:
    """It sends the payload; where Telegram shows it as a keyboard, the title."""
    yes, no = {"title": "Call me", "payload": "somebody call me"}, {"title": "No", "payload": "/deny"}

    texts, left_out = read(
        offer(yes, no),
        {"event": "bot", "text": "or write", "data": {}},
        said("somebody call me"),
        said("somebody call me"),
        offer(yes, no),
        said("Call me"),
        offer(yes, no),
        said("/deny", "deny", 1.0),
        offer(yes),
        said("No"),
    )

    assert texts == ["somebody call me", "No"]
    assert left_out == {"clicks on a button": 2, "recognised by the bot (--all-messages reads them)": 1}


def test_forms_of_two_conversations_do_not_mix() -> None:
    reader = EventReader(Selection())
    events = [
        ("ann", form("booking")),
        ("ann", slot("requested_slot", "name")),
        ("bob", said("my parcel is late")),
        ("ann", said("parking?")),
        ("bob", slot("name", "Bob")),
    ]
    found = [message.text for sender, event in events for message in reader.read(event, sender)]

    assert [*found, *(message.text for message in reader.rest())] == ["my parcel is late", "parking?"]


def test_what_was_left_out_is_said_in_one_sentence() -> None:
    reader = EventReader(Selection(channels=("rest",)))
    for event in (UNDERSTOOD, UNDERSTOOD, said("other", input_channel=None)):
        list(reader.read(event, "ann"))

    assert reader.summary() == (
        "left out 3 messages: 2 recognised by the bot (--all-messages reads them), 1 of another channel"
    )
    assert EventReader(Selection()).summary() == ""


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
KEYS = "text name value timestamp metadata input_channel parse_data data".split()
EVENTS = st.builds(
    lambda kind, rest: {**rest, "event": kind},
    st.sampled_from(["user", "slot", "active_loop", "form", "bot", "restart"]) | JSON,
    st.dictionaries(st.sampled_from(KEYS), JSON | st.just({"intent": {"name": "nlu_fallback"}})),
)


@given(events=st.lists(EVENTS, max_size=5), below=st.none() | st.floats(0, 1))
def test_no_event_is_too_strange(events: list[dict[str, Any]], below: float | None) -> None:
    """Every message with a text is either read or counted."""
    start = [form("trip"), slot("requested_slot", "city"), offer({"title": "No", "payload": "/deny"})]

    texts, left_out = read(*start, *events, selection=Selection(since=0.0, channels=("rest",), below=below))

    messages = [event for event in events if event["event"] == "user" and isinstance(event.get("text"), str)]
    assert len(texts) + sum(left_out.values()) == len(messages)


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


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("2026-05-01 12:00:00.12345+00", "2026-05-01T12:00:00.123450+00:00"),
        ("2026-05-01T12:00:00+0530", "2026-05-01T12:00:00+05:30"),
        ("2026-05-01 12:00-03", "2026-05-01T12:00:00-03:00"),
        ("2026-05-01T12:00:00.1Z", "2026-05-01T12:00:00.100000+00:00"),
        ("2026-05-01T12:00:00.1234567Z", "2026-05-01T12:00:00.123456+00:00"),
        ("2026-05-01 12:00:00 UTC", "2026-05-01T12:00:00+00:00"),
        ("2026-05-01 12:00:00.5", "2026-05-01T12:00:00.500000"),
        ("2026-05-01 12:00:00+00:00:30", "2026-05-01T12:00:00+00:00:30"),
        ("2026-05-01T12:00:00,123Z", "2026-05-01T12:00:00.123000+00:00"),
        ("2026-05-01 12:00:00 GMT", "2026-05-01T12:00:00+00:00"),
    ],
)
def test_a_moment_may_be_as_databases_write_it(written: str, plain: str) -> None:
    assert moment(written) == datetime.fromisoformat(plain).timestamp()


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("2026/3/1", "2026-03-01"),
        ("2026/11/02 8:27", "2026-11-02T08:27"),
        ("2026/11/02T08:27:05Z", "2026-11-02T08:27:05+00:00"),
        ("2026/11/02 08:27:05.25 +09:00", "2026-11-02T08:27:05.250000+09:00"),
        ("2026.11.02 18:27", "2026-11-02T18:27"),
        ("2026. 11. 2.", "2026-11-02"),
        ("2026年11月2日", "2026-11-02"),
        ("2026年11月2日 8時27分5秒", "2026-11-02T08:27:05"),
        ("2026年11月2日 8时", "2026-11-02T08:00"),
        ("2026年11月2日 8時5分", "2026-11-02T08:05"),
        ("2026年11月2日8時27分", "2026-11-02T08:27"),
        ("２０２６／１１／０２　０８：２７", "2026-11-02T08:27"),
        ("2026-11-02 8:27", "2026-11-02T08:27"),
        ("2026-3-1 8:30:05", "2026-03-01T08:30:05"),
        ("2026-3-1", "2026-03-01"),
        ("2026-11-02, 18:27", "2026-11-02T18:27"),
        ("2026-11-02  18:27", "2026-11-02T18:27"),
        ("2026-11-02 8:27 PM", "2026-11-02T20:27"),
        ("2026-11-02 12:27:05 a.m.", "2026-11-02T00:27:05"),
    ],
)
def test_a_moment_may_be_as_people_and_spreadsheets_write_it(written: str, plain: str) -> None:
    assert moment(written) == datetime.fromisoformat(plain).timestamp()


@pytest.mark.parametrize("written", ["01.03.2026", "3/1/2026", "2026/13/01", "2026/3", "26/3/1", "2026-3"])
def test_what_may_be_another_day_is_none(written: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        moment(written)


def test_the_end_of_a_day_that_is_written_with_slashes() -> None:
    assert moment("2026/5/1", end=True) == moment("2026-05-02")


def test_a_time_in_quotes_is_one() -> None:
    assert time_of({"timestamp": "1790000000.5"}) == time_of({"timestamp": 1790000000.5}) == 1790000000.5
    for other in ("soon", "", "-5", "1.2.3", None, True):
        assert time_of({"timestamp": other}) is None


@pytest.mark.parametrize("name", ["since", "until"])
@pytest.mark.parametrize("value", ["yesterday", "2026-13-01", "01.05.2026", "5"])
def test_a_day_that_is_none_is_refused(name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=rf"^{name}: expected a day such as 2026-03-01, .* got '{value}'$"):
        DiscoveryConfig.from_mapping({name: value})


def test_the_last_day_of_the_calendar_has_no_end() -> None:
    with pytest.raises(ConfigError, match=r"^until: expected a day such as 2026-03-01, .* got '9999-12-31'$"):
        DiscoveryConfig.from_mapping({"until": "9999-12-31"})


def test_days_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(ConfigError) as raised:
        DiscoveryConfig(since="2026-10-01", until="2026-09-01")
    assert (
        str(raised.value) == "until: expected a day or moment after `since`, '2026-10-01', got '2026-09-01'"
    )
    assert DiscoveryConfig(since="2026-10-01", until="2026-10-01").until == "2026-10-01"


@pytest.mark.parametrize(("below", "read_too"), [(0.6, False), (0.60001, True)])
def test_a_message_recognised_with_just_that_confidence_is_not_below_it(below: float, read_too: bool) -> None:
    event = {
        "event": "user",
        "text": "hello",
        "parse_data": {"intent": {"name": "greet", "confidence": 0.6}},
    }
    assert (Selection(below=below).refusal(event) is None) is read_too


@pytest.mark.parametrize(
    ("timestamp", "time"),
    [
        (1_700_000_000_500, 1_700_000_000.5),
        (1.7e15, 1.7e9),
        (float("nan"), None),
        (float("inf"), None),
        (-1.0, None),
        (10**400, None),
        ("soon", None),
        (None, None),
    ],
)
def test_a_time_that_is_none_costs_the_message_its_time_alone(timestamp: Any, time: float | None) -> None:
    reader = EventReader(Selection(since=1.6e9))
    events = [{"event": "bot", "text": "Sorry?"}, {**FELL_BACK, "timestamp": timestamp}]
    [message] = [message for event in events for message in reader.read(event, "ann")]

    assert message.time == time
    [line] = (conversations_file(reader.turns, DiscoveryConfig()) or b"").splitlines()
    assert json.loads(line)["times"][0]["day"] == (None if time is None else day(time))


def test_a_click_after_what_a_program_triggered_is_one_all_the_same() -> None:
    external = said("EXTERNAL: remind", None, metadata={"is_external": True})

    texts, left_out = read(offer({"title": "Yes", "payload": "yes please"}), external, said("yes please"))

    assert (texts, left_out) == ([], {"triggered by a program": 1, "clicks on a button": 1})
