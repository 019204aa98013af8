"""Why a message is in no draft."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from desk_folder import MESSAGES, write_folder

import rasa_intent_discovery
from rasa_intent_discovery.datatypes import SET_ASIDE
from rasa_intent_discovery.proposals.reasons import EXAMPLE, IGNORED_BEFORE
from rasa_intent_discovery.review.decisions.files import act
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.messages.log import read_log
from rasa_intent_discovery.review.messages.standing import ALREADY, NO_MORE, said_of, standing_of
from rasa_intent_discovery.review.messages.sure import sure_examples
from rasa_intent_discovery.training_data.nlu_yaml import Draft


def test_what_the_bot_is_trained_on_already_is_not_left_over(tmp_path: Path) -> None:
    """Of an intent with no further examples there is no draft."""
    folder = write_folder(tmp_path / "drafts", messages=(*MESSAGES, ("good bye", 3, "known", "bye")))
    path = folder / "assignments.jsonl"
    *others, last = map(json.loads, path.read_text().splitlines())
    path.write_text("".join(json.dumps(one) + "\n" for one in (*others, {**last, "reason": EXAMPLE})))
    reasons = standing_of(open_desk(folder).review, read_log(folder)).reasons()
    assert (ALREADY, 1, 3) in reasons
    assert NO_MORE not in {reason for reason, *_ in reasons}


def test_where_dropped_messages_are_is_said(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    log = read_log(folder)

    def said(verb: str, **arguments: object) -> str:
        before = open_desk(folder)
        after = act(before, verb, arguments)[0]
        return said_of(after.journal[-1], before.review, after.review, log)

    back, please, lol = "i want it back", "money back please", "lol"
    assert said("split", texts=[back, please, lol], name="mine") == "3 messages made a new proposal, mine"
    assert said("drop", draft="new/mine.yml", texts=[back]) == (
        "1 message dropped from mine. It is now among the other messages of refund"
    )
    assert said("drop", draft="new/mine.yml", texts=[please, lol]) == (
        "2 messages dropped from mine. They are now among the other messages of refund or left over"
    )
    assert said("move", texts=["nobody logged it"], target="new/mine.yml") == "1 message added to mine"
    dropped = said("drop", draft="new/mine.yml", texts=["nobody logged it"])
    assert dropped == "1 message dropped from mine"


def test_the_page_knows_the_same_reasons() -> None:
    page = Path(rasa_intent_discovery.__file__).with_name("review") / "web" / "desk_order.js"
    script = page.read_text(encoding="utf-8")
    assert f'const EXAMPLE = "{EXAMPLE}";' in script
    assert f'const NO_MORE = "{NO_MORE}";' in script
    assert f'const ALREADY = "{ALREADY}";' in script
    assert f'const IGNORED_BEFORE = "{IGNORED_BEFORE}";' in script
    assert f'const SET_ASIDE = "{SET_ASIDE}";' in script


def test_a_marked_example_that_is_nearly_one_of_another_intent_is_not_sure(tmp_path: Path) -> None:
    other = {"text": "flights to Berlin", "example": "flight to Berlin", "intent": "order"}
    texts = ("flights to Berlin", "book Cork")
    trip = Draft("trip", texts, {"conflicts": [other]})
    folder = write_folder(
        tmp_path / "drafts",
        known=(trip,),
        messages=(*MESSAGES, *((text, 1, "known", "trip") for text in texts)),
        sure=texts,
    )
    review, log = open_desk(folder).review, read_log(folder)
    marked = replace(trip, examples=("flights to [Berlin](city)", "book [Cork](city)"))

    of_order = replace(trip, intent="order")

    for draft, sure in ((trip, ("book Cork",)), (marked, ("book [Cork](city)",)), (of_order, texts)):
        now = replace(review, drafts={**review.drafts, "known/trip.yml": draft})
        assert sure_examples(now, standing_of(now, log)) == {"known/trip.yml": sure}
