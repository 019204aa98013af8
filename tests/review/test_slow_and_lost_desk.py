"""The page of a desk that answers late, or not at all: no key, click or word is lost on the way."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from browser import opened, said
from desk_folder import REFUND, files_of, write_folder
from desk_server import Server, serving

from rasa_intent_discovery.training_data.nlu_yaml import Draft, from_yaml

#: Run before the desk: each answer to what is typed or decided takes as long.
SLOW = """
import time
from rasa_intent_discovery.review.desk import server, session

def late(does):
    def does_late(*given):
        time.sleep(0.3)
        return does(*given)
    return does_late

server.name_problem = late(server.name_problem)
session.Session.act = late(session.Session.act)
session.Session.split = late(session.Session.split)
"""
CLOSED = (
    "The desk does not answer, so nothing can be decided. Start it again with the same command, "
    "and --port {}. Then open the address that it prints, in this browser: this "
    "page goes on by itself."
)
ANEW = (
    "The desk was started again, and each start has an address of its own. Open the one that it has printed, "
    "in this browser: this page then goes on by itself."
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_folder(tmp_path_factory.mktemp("slow") / "drafts")


@pytest.fixture(scope="module")
def slow(place: Path) -> Iterator[Server]:
    with serving(place, SLOW) as running:
        yield running


@pytest.fixture
def folder(place: Path) -> Path:
    shutil.rmtree(place)
    return write_folder(place)


@pytest.fixture
def page(folder: Path, slow: Server, browser: Any) -> Iterator[Any]:
    """A desk that answers late, in a browser that is slow as well."""
    with opened_desk(slow, browser) as one:
        one.context.new_cdp_session(one).send("Emulation.setCPUThrottlingRate", {"rate": 4})
        yield one


@contextmanager
def opened_desk(server: Server, browser: Any) -> Iterator[Any]:
    failed = "console: Failed to load resource:"

    def allowed(event: str) -> bool:
        return server.asked(event) or event.startswith(failed)

    with opened(browser, server.address, allowed) as page:
        yield page


def draft(folder: Path, name: str) -> Draft:
    return from_yaml((folder / name).read_text(encoding="utf-8"))


def banner(page: Any, words: str) -> None:
    page.wait_for_function("(words) => document.getElementById('lost').textContent === words", arg=words)


def test_enter_makes_a_proposal_before_its_name_was_checked(page: Any, folder: Path) -> None:
    page.locator("#detail li", has_text="refund now").locator("input").check()
    page.keyboard.press("n")
    page.keyboard.type("now")
    page.keyboard.press("Enter")
    page.keyboard.type("adays")  # too late
    said(page, "1 message made a new proposal, now")
    assert draft(folder, "new/now.yml").examples == ("refund now",)


def test_what_is_typed_behind_enter_is_no_part_of_a_new_name(page: Any, folder: Path) -> None:
    page.keyboard.press("r")
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    page.keyboard.type("too late")
    said(page, "an intent needs a name")
    page.keyboard.type("money_back")
    page.keyboard.press("Enter")
    page.keyboard.type("adays")
    said(page, "refund renamed to money_back")
    assert draft(folder, "new/refund.yml").intent == "money_back"


def test_enter_on_a_name_that_is_taken_makes_nothing(page: Any, folder: Path) -> None:
    page.locator("#detail li", has_text="refund now").locator("input").check()
    page.keyboard.press("n")
    page.keyboard.type("visa")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "() => document.getElementById('choose-note').textContent.includes('is an intent')"
    )
    page.wait_for_timeout(700)
    assert page.locator("#choose-ok").is_disabled()
    page.keyboard.type("_2")
    page.keyboard.press("Enter")
    said(page, "1 message made a new proposal, visa_2")


def test_what_is_typed_before_a_part_is_found_is_its_name(page: Any, folder: Path) -> None:
    page.keyboard.press("s")
    page.keyboard.type("mail")  # on the page, these keys merge, accept, ignore and leave for later
    page.keyboard.press("Enter")
    said(page, "2 messages made a new proposal, mail")
    assert draft(folder, "new/mail.yml").examples == ("money back please", "i want it back")
    assert draft(folder, "new/refund.yml").decision == "open"


def test_enter_before_a_part_is_found_takes_the_name_that_is_proposed(page: Any, folder: Path) -> None:
    page.keyboard.press("s")
    page.keyboard.press("Enter")
    said(page, "2 messages made a new proposal, ")


def test_escape_before_a_part_is_found_leaves_everything_as_it_is(page: Any, folder: Path) -> None:
    page.keyboard.press("s")
    page.keyboard.press("Escape")
    page.wait_for_timeout(1000)
    assert page.locator(".actions").is_hidden()
    assert not page.locator("#choose").is_visible()
    page.click("#items >> text=visa")
    page.keyboard.press("s")
    page.wait_for_selector("#tell[open]")
    assert not page.locator("#choose").is_visible()


@pytest.mark.parametrize(
    ("where", "key", "words"),
    [
        ("visa", "s", "tick messages (key E goes to them, Space ticks one), then press N"),
        ("refund", "n", "Tick messages first (key E goes to them, Space ticks one), then press N."),
        ("refund", "v", "Tick messages first (key E goes to them, Space ticks one), then press V."),
        ("#tab-known", "r", "An intent your bot has is renamed in the bot."),
        ("#tab-known", "m", "Only a proposal is merged into another one"),
        ("#overview-open", "m", "Only a proposal is merged into another one"),
        ("#tab-left", "s", "Only a proposal or an intent is split"),
        ("#tab-left", "Enter", "Only an example of a draft can be changed"),
    ],
)
def test_what_is_typed_on_where_a_key_cannot_ask_for_it_does_nothing(
    page: Any, folder: Path, where: str, key: str, words: str
) -> None:
    before = files_of(folder)
    page.click(where if where.startswith("#") else f"#items >> text={where}")
    if key == "Enter":
        page.wait_for_selector("#detail .lines li")
        page.keyboard.press("e")
    for closes in ("Enter", "Escape"):
        if key == "Enter":  # on a message, which has the focus again after the dialog
            page.wait_for_selector("#detail li :focus, #detail li:focus")
        page.keyboard.press(key)
        page.wait_for_selector(f"#tell[open] >> text={words}")
        page.keyboard.type("a mail")  # on the page, these keys accept, merge, ignore and leave for later
        assert page.locator("#tell").is_visible()
        page.keyboard.press(closes)
        page.wait_for_selector("#tell", state="hidden")
    page.wait_for_timeout(300)
    assert files_of(folder) == before
    assert page.locator("dialog[open]").count() == 0


def test_what_is_typed_on_where_nothing_can_be_split_off_by_now_does_nothing(page: Any, folder: Path) -> None:
    before = files_of(folder)
    refused = {"error": "Too few of its messages are in the log"}
    page.route("**/api/split*", lambda route: route.fulfill(status=422, json=refused))
    page.get_by_role("button", name="Split for me").wait_for()
    page.keyboard.press("s")
    page.wait_for_selector("#tell[open]")
    said_there = page.locator("#tell-text").inner_text()
    assert said_there.startswith("Too few of its messages are in the log. To part it by hand")
    page.keyboard.type("a mail")
    page.keyboard.press("Enter")
    page.wait_for_selector("#tell", state="hidden")
    page.wait_for_timeout(300)
    assert page.locator("dialog[open]").count() == 0
    assert files_of(folder) == before


def test_a_name_that_is_written_while_an_answer_comes_stays(page: Any, folder: Path) -> None:
    page.keyboard.press("a")
    page.keyboard.press("r")
    page.keyboard.type("pay")
    said(page, "refund accepted")
    page.keyboard.type("back")
    page.keyboard.press("Enter")
    said(page, "refund renamed to payback")
    assert draft(folder, "new/refund.yml").decision == "accepted"
    assert draft(folder, "new/invoice.yml").decision == "open"


def test_a_click_is_not_lost_where_an_answer_comes_in_its_middle(page: Any) -> None:
    page.hover("#items >> text=visa")
    page.keyboard.press("i")
    page.mouse.down()
    page.wait_for_timeout(1500)
    page.mouse.up()
    said(page, "refund ignored")
    page.wait_for_function("() => document.getElementById('name').value === 'visa'")


def test_a_page_whose_desk_is_gone_stays_and_goes_on_when_there_is_one_again(
    tmp_path: Path, browser: Any
) -> None:
    folder = write_folder(tmp_path / "drafts")
    with serving(folder) as first, opened_desk(first, browser) as page:
        page.locator("#detail li", has_text="refund now").locator("input").check()
        first.process.terminate()
        first.process.join(20)
        page.keyboard.press("a")
        said(page, "The desk did not answer: whether this was done is seen when it answers again.")
        banner(page, CLOSED.format(first.port))
        page.keyboard.press("i")
        said(page, "The desk does not answer: nothing was done.")
        page.click("#items >> text=visa")
        assert page.locator("#detail .message").all_text_contents() == ["do i need a visa"]
        page.fill("#name", "passport")
        page.keyboard.press("Enter")
        said(page, "The desk does not answer: nothing was done.")
        assert page.locator("#name").input_value() == "passport"
        assert draft(folder, "new/refund.yml") == REFUND

        with serving(folder, port=first.port, token="another") as second:
            banner(page, ANEW)
            assert page.locator("#toast").is_hidden(), "it answers again"
            page.focus("#name")
            page.keyboard.press("Enter")
            said(page, "The desk was started again: nothing was done.")
            banner(page, ANEW)
            reloaded = page.context.new_page()
            reloaded.goto(f"http://127.0.0.1:{second.port}/")
            assert reloaded.locator("h1").text_content() == "The review desk does not open at this address"
            assert reloaded.title() == "Review desk: not open here"
            page.context.new_page().goto(second.address)
            banner(page, "")
            said(page, "The desk answers again: the drafts are as they were.")
            page.focus("#name")
            page.keyboard.press("Enter")
            said(page, "visa renamed to passport")
        assert draft(folder, "new/visa.yml").intent == "passport"


def test_a_folder_that_is_gone_for_a_while_blanks_no_page(tmp_path: Path, browser: Any) -> None:
    folder = write_folder(tmp_path / "drafts")
    with serving(folder) as server, opened_desk(server, browser) as page:
        folder.rename(tmp_path / "away")
        page.keyboard.press("a")
        page.wait_for_selector("#lost p")
        assert (
            page.locator("#lost p")
            .text_content()
            .endswith("Nothing can be decided until that is mended: this page asks again by itself.")
        )
        assert page.locator("#name").input_value() == "refund"
        (tmp_path / "away").rename(folder)
        banner(page, "")
        page.keyboard.press("a")
        said(page, "refund accepted, next: invoice")
