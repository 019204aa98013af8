"""Many messages at once by the keyboard or the mouse, and the page under a finger."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browser import opened, said
from desk_folder import REFUND, write_folder
from desk_server import Server, serving

from rasa_intent_discovery.training_data.nlu_yaml import Draft

TEXTS = tuple(f"the money for order {number} please" for number in range(8))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    long = replace(REFUND, examples=TEXTS)
    placed = tuple((text, 1, "new", long.intent) for text in TEXTS)
    with serving(write_folder(tmp_path / "drafts", new=(long,), messages=placed, run={"drafts": {}})) as one:
        yield one


@pytest.fixture
def page(server: Server, browser: Any) -> Iterator[Any]:
    with opened(browser, server.address, server.asked) as one:
        yield one


def ticked(page: Any) -> list[int]:
    return [at for at, row in enumerate(page.locator("#detail [data-item]").all()) if row.is_checked()]


def with_focus(page: Any) -> int:
    at = "[...document.querySelectorAll('#detail [data-item]')].indexOf(document.activeElement)"
    return int(page.evaluate(at))


def test_the_arrow_keys_go_from_message_to_message_and_tick_with_shift(page: Any) -> None:
    press = page.keyboard.press
    press("e")
    press("ArrowDown")
    assert (with_focus(page), ticked(page)) == (1, [])
    press("Shift+ArrowDown")
    press("Shift+ArrowDown")
    assert (with_focus(page), ticked(page)) == (3, [1, 2, 3])
    press("ArrowUp")
    press("Space")
    assert (with_focus(page), ticked(page)) == (2, [1, 3])
    for _ in range(5):
        press("ArrowUp")
    assert with_focus(page) == 0, "the first stays where it is"
    press("Control+a")
    assert ticked(page) == [*range(8)]


def test_after_a_drop_the_next_message_has_the_focus(page: Any) -> None:
    press = page.keyboard.press
    press("e")
    press("ArrowDown")
    press("Space")
    press("d")
    said(page, "1 message dropped from refund")
    assert with_focus(page) == 1
    press("Space")
    press("d")
    page.wait_for_function("() => document.querySelectorAll('#detail [data-list=examples] li').length === 6")
    kept = page.locator("#detail [data-list=examples] .message").all_text_contents()
    assert kept == [TEXTS[0], *TEXTS[3:]]


def test_a_click_with_shift_ticks_all_between(page: Any) -> None:
    lines = page.locator("#detail .message")
    lines.nth(1).click()
    lines.nth(5).click(modifiers=["Shift"])
    assert ticked(page) == [1, 2, 3, 4, 5]
    assert page.evaluate("() => String(getSelection())") == "", "no words were chosen by it"
    lines.nth(2).click()
    lines.nth(4).click(modifiers=["Shift"])
    assert ticked(page) == [1, 5]
    lines.nth(7).click()
    assert ticked(page) == [1, 5, 7]


def test_the_message_that_is_ticked_stays_in_sight(page: Any) -> None:
    page.set_viewport_size({"width": 1280, "height": 420})
    last = page.locator("#detail [data-item]").last
    last.scroll_into_view_if_needed()
    last.check()
    row, bar = last.bounding_box(), page.locator(".actions").bounding_box()
    assert row["y"] + row["height"] <= bar["y"]


def test_a_phone_shows_no_keys_and_its_search_says_what_it_is_for(server: Server, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(server.address)
    page.wait_for_selector("body[data-ready]")
    page.locator("#detail [data-item]").first.tap()
    assert page.locator(".actions").is_visible()
    assert [one.text_content() for one in page.locator("kbd").all() if one.is_visible()] == []
    query = page.locator("#query")
    words = """(field) => {
      const { font } = getComputedStyle(field);
      const paper = Object.assign(document.createElement("canvas").getContext("2d"), { font });
      return paper.measureText(field.placeholder).width;
    }"""
    room = "(field) => field.clientWidth - 2 * parseFloat(getComputedStyle(field).paddingLeft)"
    assert query.evaluate(words) < query.evaluate(room)
    query.tap()
    page.keyboard.type("order 7")
    page.wait_for_function("() => document.querySelectorAll('#detail [data-item]').length === 1")
    page.locator("#help-open").tap()
    assert page.locator("#keys kbd").first.is_visible(), "the help is about keys, for who has a keyboard"
    context.close()


def test_the_first_of_many_examples_are_typical_ones_and_some_from_all_over(
    tmp_path: Path, browser: Any
) -> None:
    texts = tuple(f"the money for order {number:02d} please" for number in range(40))
    long = replace(REFUND, examples=texts)
    placed = tuple((text, 1, "new", long.intent) for text in texts)
    folder = write_folder(tmp_path / "drafts", new=(long,), messages=placed, run={"drafts": {}})

    def shown(page: Any) -> list[int]:
        messages = page.locator("#detail [data-list=examples] .message").all_inner_texts()
        return [int(text.split()[4]) for text in messages]

    with serving(folder) as server, opened(browser, server.address, server.asked) as page:
        first = [0, 1, 2, 3, 9, 15, 21, 27, 33, 39]
        others = [number for number in range(40) if number not in first]
        assert shown(page) == first + others
        assert "4 typical ones, some from all over" in page.inner_text("#examples-title")
        page.locator("#detail [data-item]").nth(5).check()
        page.keyboard.press("d")
        said(page, "1 message dropped from refund")
        assert shown(page) == [number for number in first if number != 15] + others, "the others stay"
        page.keyboard.press("u")
        said(page, "Undone: 1 message dropped from refund")
        assert shown(page) == first + others
        for _ in range(3):
            page.locator("#detail [data-item]").first.check()
            page.keyboard.press("d")
            said(page, "1 message dropped from refund")
        assert "37, 1 typical one, some from all over, then" in page.inner_text("#examples-title")


def test_the_list_to_choose_from_says_how_many_are_not_in_it(tmp_path: Path, browser: Any) -> None:
    many = tuple(Draft(f"wish_{number}", (f"wish {number}",), {"messages": 1}) for number in range(63))
    messages = tuple((draft.examples[0], 1, "new", draft.intent) for draft in many)
    with serving(write_folder(tmp_path / "drafts", many, (), messages)) as server:
        with opened(browser, server.address, server.asked) as page:
            page.keyboard.press("m")
            page.wait_for_selector("#choose-note >> text=more are not listed: type a part of the name.")
            assert page.locator("#choose-list li").count() == 60
            page.keyboard.type("wish_62")
            page.wait_for_function("() => document.querySelectorAll('#choose-list li').length === 1")
            assert page.locator("#choose-note").text_content() == ""


def test_a_message_beyond_the_lines_that_are_drawn_is_gone_to(tmp_path: Path, browser: Any) -> None:
    texts = tuple(f"refund for the order {number}" for number in range(120))
    long = Draft("long", texts, {"messages": 120})
    messages = tuple((text, 1, "new", "long") for text in texts)
    with serving(write_folder(tmp_path / "drafts", (long,), (), messages)) as server:
        with opened(browser, server.address, lambda event: str(server.port) in event) as page:
            page.evaluate(f"review.show.toMessage({len(texts) - 1})")
            assert page.locator("#detail li.found .message").all_text_contents() == [texts[-1]]
