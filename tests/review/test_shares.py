"""How many of the logged messages are where: one name, one count, on every page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browser import opened, said
from desk_folder import INVOICE, MESSAGES, REFUND, VISA, write_folder
from desk_server import serving

from rasa_intent_discovery.proposals.reasons import EXAMPLE, IGNORED_BEFORE
from rasa_intent_discovery.review.decisions.files import act
from rasa_intent_discovery.review.decisions.folder import Desk, open_desk
from rasa_intent_discovery.review.findings.chips import chips_of
from rasa_intent_discovery.review.messages.log import Log, read_log
from rasa_intent_discovery.review.messages.standing import standing_of
from rasa_intent_discovery.review.page.shares import message_shares
from rasa_intent_discovery.training_data.nlu_yaml import IGNORED

#: Text of a message -> why it is where the run put it.
REASONS = {
    "hello": EXAMPLE,
    "see you": EXAMPLE,
    **dict.fromkeys(("my card is lost", "card lost", "lost card"), IGNORED_BEFORE),
    "4471": "set aside: only a number",
}
#: A proposal that was ignored before the run, and is most worth of all by what an earlier run measured.
LOST = replace(
    REFUND,
    intent="card_lost",
    examples=("my card is lost", "card lost"),
    evidence={"messages": 99, "distinct_messages": 2},
    decision=IGNORED,
)
#: With training examples: of greet, which has a draft, and of order, which has none.
LOGGED = (
    *MESSAGES,
    ("hello", 4, "known", "greet"),
    ("see you", 2, "known", "order"),
    ("my card is lost", 3, "left_over", None),
    ("card lost", 1, "left_over", None),
    ("lost card", 1, "left_over", None),
    ("4471", 5, "left_over", None),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of a run that set aside six messages, one of them empty."""
    made = write_folder(
        tmp_path / "drafts",
        new=(REFUND, INVOICE, VISA, LOST),
        messages=LOGGED,
        run={"read": {"set_aside": {"only a number": 5, "empty": 1}}},
    )
    path = made / "assignments.jsonl"
    lines = map(json.loads, path.read_text().splitlines())
    told = [{**line, "reason": REASONS.get(line["text"], line["reason"])} for line in lines]
    path.write_text("".join(json.dumps(line) + "\n" for line in told))
    return made


def now(desk: Desk, log: Log) -> list[tuple[str, str, int]]:
    return message_shares(desk.run, desk.review, standing_of(desk.review, log))


def test_each_message_counts_once_and_by_what_was_decided(folder: Path) -> None:
    desk = open_desk(folder)
    log = read_log(folder, desk.run)
    assert now(desk, log) == [
        ("new", "New intents", 15),
        ("ignored", "Ignored proposals", 5),
        ("known", "Known intents", 3),
        ("training", "Training examples already", 6),
        ("left_over", "Left over", 8),
        ("set_aside", "Set aside", 6),
    ]
    ignored, _ = act(desk, "decide", {"draft": "new/visa.yml", "decision": "ignored"})
    moved, _ = act(ignored, "move", {"texts": ["lol"], "target": "new/refund.yml"})
    counted = {kind: count for kind, _, count in now(moved, log)}
    assert counted == {"new": 21, "ignored": 6, "known": 3, "training": 6, "left_over": 1, "set_aside": 6}


@pytest.mark.parametrize("run", [{}, {"read": None}, {"read": {"set_aside": "x"}}])
def test_without_messages_there_is_nothing_to_count(run: Mapping[str, Any], folder: Path) -> None:
    review = replace(open_desk(folder).review, drafts={})
    assert message_shares(run, review, standing_of(review, Log())) == []


def test_of_what_was_ignored_before_the_run_no_message_came(folder: Path) -> None:
    desk = open_desk(folder)
    [moved] = [
        totals["moved"]
        for path, totals in standing_of(desk.review, read_log(folder, desk.run)).totals().items()
        if path == "new/card_lost.yml"
    ]
    assert moved == 0
    assert chips_of(desk.review.drafts["new/card_lost.yml"], moved) == []


def test_the_tab_and_the_overview_count_the_same(folder: Path, browser: Any) -> None:
    with serving(folder) as server, opened(browser, server.address, bool) as page:
        tab = page.locator("#tab-left")
        assert tab.text_content() == "Left over8"
        assert tab.get_attribute("title") == (
            "8 messages (2 different texts, some logged more than once); what was set aside or ignored, or "
            "is a training example already, is not counted"
        )
        page.keyboard.press("0")
        left = page.locator(".shares li", has_text="Left over")
        assert left.text_content().endswith(" 8")
        act(open_desk(folder), "move", {"texts": ["lol"], "target": "new/refund.yml"})
        page.evaluate("window.dispatchEvent(new Event('focus'))")
        page.locator("#tab-left", has_text="Left over1").wait_for()
        assert left.text_content().endswith(" 1")


def test_what_a_search_finds_says_where_it_is(folder: Path, browser: Any) -> None:
    with serving(folder) as server, opened(browser, server.address, bool) as page:
        for text, place in (
            *(("see you", "a training example already"), ("4471", "set aside"), ("lol", "left over")),
            ("lost card", "ignored before"),
        ):
            page.fill("#query", text)
            page.locator("#detail .where", has_text=place).first.wait_for()


def test_what_was_ignored_is_last(folder: Path, browser: Any) -> None:
    with serving(folder) as server, opened(browser, server.address, bool) as page:
        names = page.locator("#items .title")
        assert names.all_text_contents() == ["refund", "invoice", "visa", "card_lost"]
        page.keyboard.press("0")
        rows = page.locator("#detail tbody th")
        assert rows.all_text_contents() == ["refund", "invoice", "visa", "card_lost"]
        page.locator("#items .title", has_text="invoice").click()
        page.keyboard.press("i")
        page.locator("#detail h2", has_text="visa").wait_for()  # not the first of the list
        assert names.all_text_contents() == ["refund", "visa", "card_lost", "invoice"]


def test_what_the_bot_is_trained_on_need_not_go_anywhere(folder: Path, browser: Any) -> None:
    with serving(folder) as server, opened(browser, server.address, bool) as page:
        page.keyboard.press("3")
        page.locator("#items .item", has_text="training example").click()
        page.locator("#detail", has_text="your bot has them, there is nothing to do.").wait_for()
        page.keyboard.press("t")
        said(page, "It cannot be said what this is near to.")
