"""The turns around messages: which are kept, of how many messages, and of how many conversations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus import cleaning, turns
from rasa_intent_discovery.corpus.cleaning import excerpt
from rasa_intent_discovery.corpus.events import EventReader, Selection
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.corpus.turns import Turns

WISH = "the second one"


def user(text: str, intent: str = "nlu_fallback", time: float | None = None, **more: Any) -> dict[str, Any]:
    parsed = {"intent": {"name": intent}}
    return {"event": "user", "text": text, "parse_data": parsed, "timestamp": time, **more}


def bot(text: str | None, *titles: str) -> dict[str, Any]:
    buttons = [{"title": title, "payload": f"/{title}"} for title in titles]
    return {"event": "bot", "text": text, "data": {"buttons": buttons or None}}


def read(*events: dict[str, Any], sender: str = "ann", into: Turns | None = None) -> Turns:
    reader = EventReader(Selection(), into or Turns())
    for event in events:
        list(reader.read(event, sender))
    list(reader.rest())
    return reader.turns


def kept(found: Turns) -> dict[str, list[tuple[str, str]]]:
    """Message -> what was said before and after, of each time."""

    def words(said: Iterable[turns.Turn]) -> str:
        return " | ".join(f"{turn.speaker}: {' / '.join(turn.said)}" for turn in said)

    return {
        text: [(words(one.before), words(one.after)) for one in all_] for text, all_ in found.occurrences()
    }


def test_two_turns_before_and_two_after_and_what_one_side_says_at_once_is_one_turn() -> None:
    found = read(
        bot("Too early"),
        user("hi", "greet"),
        bot("We have two:"),
        bot("Which one?", "red", "blue"),
        user(WISH),
        bot("Sorry?"),
        bot("Red or blue?"),
        user("blue", "choose"),
        bot("Too late"),
    )
    assert kept(found) == {
        WISH: [
            (
                "user: hi | bot: We have two: / Which one? [red] [blue]",
                "bot: Sorry? / Red or blue? | user: blue",
            )
        ]
    }


def test_messages_after_one_another_are_around_each_other() -> None:
    found = read(user(WISH), user("hello?"), bot("Sorry?"))
    assert kept(found) == {
        WISH: [("", "user: hello? | bot: Sorry?")],
        "hello?": [("user: the second one", "bot: Sorry?")],
    }


@pytest.mark.parametrize("start", ["session_started", "restart"])
def test_what_was_said_in_another_session_or_to_another_person_is_not_around(start: str) -> None:
    found = read(bot("Which one?"), {"event": start}, user(WISH), {"event": start}, bot("Hello again"))
    read(bot("Which colour?"), sender="bob", into=found)
    read(user(WISH), sender="eve", into=found)
    assert kept(found) == {WISH: [("", ""), ("", "")]}


def test_of_events_without_a_sender_nobody_knows_who_spoke_to_whom() -> None:
    assert kept(read(bot("Which one?"), user(WISH), bot("Sorry?"), sender="")) == {WISH: [("", "")]}


def test_an_answer_to_a_form_and_what_a_program_triggered_are_no_messages() -> None:
    """An answer is around others all the same; what nobody wrote is not."""
    found = read(
        {"event": "active_loop", "name": "booking"},
        {"event": "slot", "name": "requested_slot", "value": "name"},
        user("Ann Smith"),
        {"event": "slot", "name": "name", "value": "Ann Smith"},
        user("EXTERNAL: reminder", metadata={"is_external": True}),
        {"event": "active_loop", "name": None},
        bot("Booked."),
        user(WISH),
    )
    assert kept(found) == {WISH: [("user: Ann Smith | bot: Booked.", "")]}


def test_a_message_held_back_in_a_form_has_the_turns_around_it() -> None:
    found = read(
        {"event": "active_loop", "name": "booking"},
        {"event": "slot", "name": "requested_slot", "value": "name"},
        bot("Your name?"),
        user(WISH),
        bot("Sorry?"),
        user("hi", "greet"),
    )
    assert kept(found) == {WISH: [("bot: Your name?", "bot: Sorry? | user: hi")]}


def test_of_a_message_the_latest_times_are_kept_however_the_store_is_sorted() -> None:
    found = Turns()
    for number, time in enumerate([3.0, 9.0, None, 5.0, 7.0]):
        read(bot(f"question {number}"), user(WISH, time=time), sender=f"person {number}", into=found)
    assert [before for before, _ in kept(found)[WISH]] == [f"bot: question {number}" for number in (1, 4, 3)]


def test_a_large_store_keeps_what_was_read_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "CORPUS", replace(CORPUS, most_kept_occurrences=2, most_conversations=2))
    found = read(*(user(f"wish {number}") for number in range(4)))
    assert [*kept(found)] == ["wish 2", "wish 3"]
    assert [*kept(found + read(user("one more"), sender="bob"))] == ["wish 3", "one more"]

    reader = EventReader(Selection())
    for number in range(3):
        list(reader.read(bot(f"question {number}"), f"person {number}"))
    for number in range(3):
        list(reader.read(user(f"wish {number}"), f"person {number}"))
    assert [one[0][0] for one in kept(reader.turns).values()] == ["", ""], "each pushed out the next one"


def test_what_the_bot_wrote_is_masked_and_cut_whatever_it_is() -> None:
    config = DiscoveryConfig()
    assert excerpt("Write to  ann@example.org\nor\u202e call\n\n", config, 300) == "Write to <email>\nor call"
    plain = replace(config, mask_personal_data=False)
    assert excerpt("Write to ann@example.org", plain, 300) == "Write to ann@example.org"
    assert excerpt("a" * 301, config, 300) == "a" * 300 + "…"
    far = "x " * 150 + "ann@example.org"
    assert "ann" not in excerpt(far, config, 302)
    for length in range(280, cleaning.longest_excerpt(300) + 40):
        text = "y " * (length // 2) + "ann.of.the.long.name@example.org"
        beginning = text[: cleaning.longest_excerpt(300)]
        assert excerpt(beginning, config, 300) == excerpt(text, config, 300)
        assert "ann" not in excerpt(text, config, 300)


def test_more_than_a_few_utterances_of_a_turn_are_not_kept() -> None:
    found = read(
        *(bot(f"line {number}") for number in range(9)), user(WISH), *(bot(f"{n}") for n in range(9))
    )
    assert kept(found) == {WISH: [("bot: line 6 / line 7 / line 8", "bot: 0 / 1 / 2")]}


def test_malformed_events_are_no_turns() -> None:
    found = read(bot(None), {"event": "bot", "text": 7, "data": []}, user(WISH), bot("  "))
    assert kept(found) == {WISH: [("", "")]}
