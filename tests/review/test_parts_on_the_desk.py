"""Parts of known intents on the page: seen where they are, split off by one button or key, and undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import opened, said
from desk_folder import GREET, LAMP, PARTS, write_folder
from desk_server import serving

from rasa_intent_discovery.drafts.folder import ASSIGNMENTS, MAP
from rasa_intent_discovery.review.decisions.folder import draft_contents, open_desk
from rasa_intent_discovery.review.page.report import render_report
from rasa_intent_discovery.training_data.nlu_yaml import from_yaml

IN_GREET = "blue_lamp may be a wish of its own inside greet: 6 messages"
LEFT_OVER = "refund_2 may be a wish of its own inside out_of_scope: 8 messages"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "drafts", **PARTS)


@pytest.fixture
def page(folder: Path, browser: Any) -> Iterator[Any]:
    with serving(folder) as server, opened(browser, server.address, server.asked) as one:
        yield one


def listed(page: Any) -> list[str]:
    return page.locator(".parts .evidence > p:first-child").all_text_contents()


def examples(folder: Path, path: str) -> tuple[str, ...]:
    return from_yaml((folder / path).read_text(encoding="utf-8")).examples


def test_a_part_is_split_off_by_its_button_and_comes_back_when_undone(page: Any, folder: Path) -> None:
    page.keyboard.press("0")
    assert listed(page) == [IN_GREET, LEFT_OVER]
    assert page.locator("#parts-title").text_content() == "Wishes inside intents your bot has"
    assert page.locator(".parts li").all_text_contents() == [
        *("is there a lamp in blue", "blue lamplooks new", "lamp, but bluelooks new"),
        *("lol", "my bill [is](late)"),
    ]
    page.get_by_role("button", name="Split off refund_2").click()
    said(page, "2 messages made a new proposal, refund_2")
    assert page.locator("#name").input_value() == "refund_2"
    assert examples(folder, "new/refund_2.yml") == ("lol", "my bill [is] (late)")
    page.keyboard.press("0")
    assert listed(page) == [IN_GREET]
    page.keyboard.press("u")
    said(page, "Undone: 2 messages made a new proposal, refund_2")
    page.keyboard.press("0")
    assert listed(page) == [IN_GREET, LEFT_OVER]


def test_one_key_splits_off_what_the_page_of_the_intent_lists(page: Any, folder: Path) -> None:
    page.keyboard.press("2")
    assert listed(page) == [IN_GREET]
    assert page.locator("#parts-title").text_content() == "Wishes inside this intent"
    page.keyboard.press("p")
    said(page, "3 messages made a new proposal, blue_lamp")
    assert page.locator("#name").input_value() == "blue_lamp"
    assert examples(folder, "new/blue_lamp.yml") == LAMP
    assert examples(folder, "known/greet.yml") == GREET.examples
    page.keyboard.press("2")
    assert listed(page) == []
    page.keyboard.press("p")
    said(page, "No part of a known intent is listed here: the overview (key 0) lists all there are.")
    page.keyboard.press("0")
    page.get_by_role("button", name="Split off refund_2").click()
    said(page, "2 messages made a new proposal, refund_2")
    page.keyboard.press("0")
    page.keyboard.press("p")
    said(page, "No known intent has a part that may be a wish of its own.")


def test_what_is_left_over_lists_its_part(page: Any) -> None:
    page.keyboard.press("3")
    assert listed(page) == [LEFT_OVER]
    assert page.locator("#parts-title").text_content() == "Wishes inside what is left over"
    page.keyboard.press("p")
    said(page, "2 messages made a new proposal, refund_2")


def test_how_many_look_new_is_told_of_all_and_of_each(page: Any) -> None:
    page.keyboard.press("0")
    assert page.locator(".borderline li").all_text_contents() == [
        "greet: 2 distinct messages ⚠ suspiciously many: it may hold an intent your bot lacks",
    ]
    # True of one message, too.
    assert page.locator(".borderline p").first.text_content() == (
        "The log holds more that is like these than the examples of the intent do. The page of the intent "
        "lists them first: read them before you accept it."
    )
    page.locator(".borderline button", has_text="greet").click()
    assert page.locator(".summary").all_text_contents() == [
        "9 messages, 5 distinct.",
        "Your bot has this intent: these are further examples of it. Of these, 2 distinct look new: listed "
        "first. ⚠ suspiciously many: it may hold an intent your bot lacks",
    ]


def test_those_that_look_new_are_listed_first_and_are_moved_like_others(page: Any, folder: Path) -> None:
    page.keyboard.press("2")
    headings = page.locator("#detail .lines h3")
    assert headings.all_text_contents() == [
        "Look new 2, read these before you accept",
        "Less sure that they belong here 3, read these with care",
    ]
    new = page.locator("[aria-labelledby=strange-title] li")
    assert new.all_text_contents() == ["blue lamplooks new2 × logged", "lamp, but bluelooks new"]
    page.check("[data-all=strange]")
    page.keyboard.press("d")
    said(page, "2 messages dropped from greet")
    assert examples(folder, "known/greet.yml") == (*GREET.examples, LAMP[0])
    assert headings.all_text_contents()[0] == "Less sure that they belong here 3, read these with care"


def test_what_was_accepted_need_not_be_read_with_care_any_more(page: Any) -> None:
    page.keyboard.press("2")
    page.keyboard.press("a")
    said(page, "greet accepted")
    page.click("#items >> text=greet")
    headings = page.locator("#detail .lines h3")
    assert headings.all_text_contents() == ["Look new 2", "Less sure that they belong here 3"]


def test_the_overview_counts_those_that_look_new_as_it_is_now(page: Any) -> None:
    look_new = page.locator(".borderline li")
    page.keyboard.press("2")
    page.locator("#detail li", has_text=LAMP[1]).locator("input").first.check()
    page.keyboard.press("d")
    said(page, "1 message dropped from greet")
    page.keyboard.press("0")
    assert look_new.text_content().startswith("greet: 1 distinct message ⚠")
    page.keyboard.press("2")
    page.keyboard.press("i")
    said(page, "greet ignored, all known intents are decided")
    page.keyboard.press("0")
    assert look_new.count() == 0, "nothing is to be read there any more"


def test_the_report_lists_them_and_splits_nothing_off(browser: Any, folder: Path) -> None:
    contents = {name: (folder / name).read_bytes() for name in (ASSIGNMENTS, MAP)}
    report = folder.parent / "report.html"
    desk = open_desk(folder)
    report.write_text(render_report({**draft_contents(folder), **contents}, desk.run, folder))
    with opened(browser, report.as_uri(), lambda event: event == report.as_uri()) as page:
        assert listed(page) == [IN_GREET, LEFT_OVER]
        assert page.locator(".borderline li").count() == 1
        assert page.locator(".parts button").count() == 0
        page.keyboard.press("p")
        page.keyboard.press("2")
        assert listed(page) == [IN_GREET]
