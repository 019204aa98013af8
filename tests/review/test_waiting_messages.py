"""What came since the last run for drafts that are accepted or applied is said, and led to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from browser import opened, said
from desk_folder import GREET, INVOICE, MESSAGES, REFUND, write_folder
from desk_server import serving

from rasa_intent_discovery.review.decisions.files import act
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.messages.log import read_log
from rasa_intent_discovery.review.messages.standing import standing_of
from rasa_intent_discovery.review.page.waiting_messages import waiting_messages
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED

GREETINGS = (("hi all", 2, "known", "greet"), ("hi you", 1, "known", "greet"), ("hi", 1, "known", "greet"))


def write_waiting(folder: Path) -> Path:
    """Of a run after one in which refund and greet were accepted; order was applied."""
    order = replace(GREET, intent="order", examples=("i order it", "order this"))
    return write_folder(
        folder,
        new=(replace(REFUND, decision=ACCEPTED), INVOICE),
        known=(replace(GREET, decision=ACCEPTED), order),
        messages=(*MESSAGES, *GREETINGS),
        run={"changes": {"applied": ["order"], "kept": ["refund"]}},
        came=("refund now", "i want it back", "hi all", "hi you", "send the invoice"),
    )


def test_what_waits_is_no_example_of_an_accepted_draft_yet_or_all_of_an_applied_one(tmp_path: Path) -> None:
    folder = write_waiting(tmp_path / "drafts")

    def waiting() -> dict[str, int]:
        desk = open_desk(folder)
        return waiting_messages(desk.run, desk.review, standing_of(desk.review, read_log(folder)))

    found = {"known/greet.yml": 2, "known/order.yml": 2, "new/refund.yml": 1}
    assert waiting() == found, "an example of refund came, and is none to read; invoice is open"
    act(open_desk(folder), "move", {"texts": ["refund now"], "target": "new/refund.yml"})
    act(open_desk(folder), "decide", {"draft": "known/order.yml", "decision": "later"})
    assert waiting() == {"known/greet.yml": 2}
    review, log = open_desk(folder).review, read_log(folder)
    assert waiting_messages({"changes": 7}, review, standing_of(review, log)) == waiting()


def test_the_overview_says_what_waits_and_leads_there(tmp_path: Path, browser: Any) -> None:
    folder = write_waiting(tmp_path / "drafts")
    with serving(folder) as server, opened(browser, server.address, bool) as page:
        page.keyboard.press("0")
        line = page.locator("li", has_text="for what you accepted or applied")
        words = "5 more texts to read, for what you accepted or applied: greet 2, order 2, refund 1"
        assert line.text_content() == words
        line.get_by_role("button", name="refund").click()
        page.locator("[data-list=others] .message", has_text="refund now").click()
        page.get_by_role("button", name="Add here").click()
        said(page, "1 message added to refund")
        page.keyboard.press("0")
        assert line.text_content() == words.replace("5", "4").replace(", refund 1", "")
