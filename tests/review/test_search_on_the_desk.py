"""Searching on the review desk, what is done with all that was found, and where what is left over belongs."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from browser import hears, opened, said
from desk_folder import INVOICE, REFUND, files_of, write_folder
from desk_server import Server, ask, serving
from near_folder import TEXTS, write_near_folder

from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.page.report import write_report
from rasa_intent_discovery.training_data.nlu_yaml import Draft, from_yaml

#: An encoder that takes everything for a bill, and is ready when a file says so.
BILLS = """
import threading, time
from concurrent.futures import Future
from pathlib import Path
from rasa_intent_discovery.learning import query_encoder

class Bills:
    def __init__(self, settings):
        self.ready = Path(settings["encoder"])

    def encode(self, text):
        coming = Future()
        threading.Thread(target=self.work, args=(coming,), daemon=True).start()
        return coming

    def work(self, coming):
        while not self.ready.exists():
            time.sleep(0.01)
        coming.set_result([0.0, 1.0, 0.6])

    def close(self):
        pass

query_encoder.QueryEncoder = Bills
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("search") / "drafts"
    return write_near_folder(folder, encoder=str(folder.parent / "ready"))


@pytest.fixture(scope="module")
def server(place: Path) -> Iterator[Server]:
    with serving(place, before=BILLS) as running:
        yield running


@pytest.fixture
def folder(place: Path) -> Path:
    shutil.rmtree(place, ignore_errors=True)
    return write_near_folder(place, encoder=str(place.parent / "ready"))


@contextmanager
def opened_desk(server: Server, browser: Any) -> Iterator[Any]:
    def allowed(event: str) -> bool:
        return str(server.port) in event or event.startswith(("data:", "blob:"))

    with opened(browser, server.address, allowed) as page:
        yield page


@pytest.fixture
def page(folder: Path, server: Server, browser: Any) -> Iterator[Any]:
    with opened_desk(server, browser) as one:
        yield one


def draft(folder: Path, name: str) -> Draft:
    return from_yaml((folder / name).read_text(encoding="utf-8"))


def texts(page: Any) -> list[str]:
    return page.locator("#detail .message").all_text_contents()


def summary(page: Any, words: str) -> None:
    page.wait_for_function(
        "(words) => document.querySelector('#detail .summary')?.textContent.includes(words)", arg=words
    )


def ticked(page: Any) -> int:
    return page.locator("#detail li input:checked").count()


def test_everything_that_was_found_becomes_a_proposal_and_one_undo_takes_it_back(
    page: Any, folder: Path
) -> None:
    before = files_of(folder)
    page.fill("#query", "bill")
    summary(page, "2 messages found.")
    page.keyboard.press("Enter")
    page.keyboard.press("x")
    assert ticked(page) == 2
    page.keyboard.press("n")
    page.fill("#choose-text", "bill")
    page.keyboard.press("Enter")
    said(page, "2 messages made a new proposal, bill")
    assert draft(folder, "new/bill.yml").examples == ("a bill please", "my bill [is] (late)")
    page.keyboard.press("u")
    said(page, "Undone")
    assert files_of(folder) == before


def test_scripts_widths_and_accents_do_not_matter(folder: Path, server: Server, browser: Any) -> None:
    shutil.rmtree(folder)
    japanese, others = (
        ("パスワードを忘れた", "ぱすわーど", "PIN"),
        ("SİPARİŞ", "siparis", "إلغاء", "الغاء", "não"),
    )
    write_folder(folder, messages=tuple((text, 1, "left_over", None) for text in (*japanese, *others)))
    asked_for = [
        *(("ぱすわーど", 2), ("ﾊﾟｽﾜｰﾄﾞ", 2), ("忘レタ", 1), ("ｐｉｎ", 1)),
        *(("sipariş", 2), ("SİPARİŞ", 2), ("SIPARIS", 2), ("الغاء", 2), ("nao", 1), ("NÃO", 1)),
    ]
    with opened_desk(server, browser) as page:
        for asked, found in asked_for:
            page.fill("#query", asked)
            summary(page, f"{found} message{'s' * (found > 1)} found.")


def test_names_of_proposals_and_intents_are_found_too(page: Any) -> None:
    page.fill("#query", "or")
    names = page.locator("#detail .found-names li")
    assert names.all_text_contents() == ["order, your bot has it"]
    page.fill("#query", "REF")
    assert names.all_text_contents() == ["refund"]
    names.locator("button").click()
    assert page.locator("#name").input_value() == "refund"


def test_a_regular_expression_finds_messages_and_names(page: Any) -> None:
    page.fill("#query", "/^(a|my) BILL|^vis.$/")
    summary(page, "2 messages that the regular expression matches.")
    assert texts(page)[0] == "a bill please"
    assert page.locator("#detail .found-names li").all_text_contents() == ["visa"]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("/(/", "“/(/” is no regular expression: Unterminated group."),
        ("/^(a|a)*b/", "takes too long: make it simpler."),
    ],
)
def test_a_regular_expression_that_is_wrong_or_endless_is_told(page: Any, wrong: str, says: str) -> None:
    page.evaluate("() => { review.model.model.messages[0].text = 'a'.repeat(60); }")
    page.fill("#query", wrong)
    summary(page, says)
    page.fill("#query", "bill")
    summary(page, "2 messages found.")


def test_a_search_by_meaning_finds_by_words_until_it_is_ready_and_the_slider_says_how_near(
    page: Any, folder: Path
) -> None:
    ready = folder.parent / "ready"
    ready.unlink(missing_ok=True)
    page.fill("#query", "money")
    page.keyboard.press("Shift+Enter")
    summary(page, "Getting ready to search by meaning")
    assert texts(page) == ["where is my money", "money back please"]
    ready.touch()
    summary(page, "4 messages at least this near in meaning.")
    assert texts(page) == ["a bill please", "my bill [is](late)", "send the invoice", "do i need a visa"]
    assert page.locator("#detail .found-names li").all_text_contents() == ["invoice", "visa"]
    page.keyboard.press("Enter")
    page.keyboard.press("x")
    assert ticked(page) == 4
    page.locator(".nearness input").fill("80")
    assert texts(page) == ["a bill please", "my bill [is](late)"]
    assert ticked(page) == 2
    hears(page, "2 messages found, 2 ticked")
    page.locator(".nearness input").press("v")
    page.wait_for_selector("#choose[open]")
    assert page.locator("#choose-list li bdi").first.text_content() == "invoice"
    page.keyboard.press("Escape")
    page.locator(".nearness input").fill("5")
    assert len(texts(page)) > 4
    assert ticked(page) == len(texts(page))


def test_where_no_message_has_the_words_the_search_by_meaning_is_offered(page: Any, folder: Path) -> None:
    (folder.parent / "ready").touch()
    offered = page.get_by_role("button", name="None in these words: look for what means the same")
    page.fill("#query", "inv")
    summary(page, "found. Tick some")
    assert offered.count() == 0
    page.fill("#query", "rechnung")
    summary(page, "0 messages found.")
    assert "Tick some" not in page.inner_text("#found")
    offered.click()
    summary(page, "at least this near in meaning")
    assert offered.count() == 0


def test_everything_like_a_message_is_ticked_dropped_and_there_again(page: Any, folder: Path) -> None:
    before = files_of(folder)
    page.keyboard.press("e")
    page.keyboard.press("q")
    summary(page, "Everything like this message: 5 messages at least this near, all ticked.")
    assert texts(page)[0] == "where is my money"
    assert page.locator("#query").input_value() == "where is my money"
    assert ticked(page) == 5
    page.locator("#detail li", has_text="i want it back").locator("input").uncheck()
    page.keyboard.press("d")
    said(page, "2 messages dropped from refund")
    assert draft(folder, "new/refund.yml").examples == ("i want it back",)
    page.keyboard.press("u")
    said(page, "Undone")
    assert files_of(folder) == before


def test_what_is_not_all_ticked_is_not_said_to_be(page: Any) -> None:
    page.keyboard.press("e")
    page.keyboard.press("q")
    summary(page, "5 messages at least this near, all ticked. Untick what does not belong.")
    page.keyboard.press("x")
    summary(page, "5 messages at least this near. Tick some to move them to a proposal")
    assert ticked(page) == 0
    page.keyboard.press("x")
    summary(page, "5 messages at least this near, all ticked.")


def test_a_button_finds_everything_like_a_message(page: Any) -> None:
    line = page.locator("#detail .lines li", has_text="money back please")
    line.hover()
    line.get_by_role("button", name="Everything like this message").click()
    summary(page, "Everything like this message: 5 messages")
    assert texts(page)[0] == "money back please"


def test_names_are_found_whatever_the_width_of_letters(page: Any) -> None:
    page.fill("#query", "ＲＥＦ")
    page.wait_for_selector("#found >> text=refund")


def test_messages_whose_meaning_was_not_kept_are_counted_by_a_search_by_meaning(
    tmp_path: Path, browser: Any
) -> None:
    read = {text: at for text, at in TEXTS.items() if text not in ("lol", "refund now")}
    with (
        serving(write_near_folder(tmp_path / "drafts", read)) as server,
        opened_desk(server, browser) as page,
    ):
        page.keyboard.press("e")
        page.keyboard.press("q")
        summary(page, "3 messages at least this near, all ticked.")
        summary(page, " Not compared: 2 messages whose meaning this run has not kept.")
        page.fill("#query", "money")
        summary(page, "2 messages found.")
        assert "Not compared" not in (page.locator("#detail .summary").text_content() or "")


def test_a_run_that_kept_no_vectors_is_searched_by_words_and_says_why(page: Any, folder: Path) -> None:
    write_folder(folder, new=(REFUND, INVOICE))  # another run in the place of the one that has some
    says = "as a search by meaning cannot be made: this run has kept no vectors"
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.fill("#query", "bill")
    page.keyboard.press("Shift+Enter")
    summary(page, says)
    assert texts(page) == ["a bill please", "my bill [is](late)"]
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    page.wait_for_selector("#detail p:has-text('What they are nearest to cannot be said')")


# What is left over


def test_what_is_left_over_moves_to_what_it_is_nearest_to(page: Any, folder: Path) -> None:
    before = files_of(folder)
    page.keyboard.press("3")
    page.wait_for_selector("#detail .home")
    assert page.locator("#detail .summary").text_content() == (
        "8 messages (2 different texts, some logged more than once), in no proposal for this reason. "
        "Beside each is what it is nearest to, if anything is near: press that, or T, to move it there."
    )
    assert page.locator("#detail .home bdi").all_text_contents() == ["refund", "invoice"]
    page.keyboard.press("t")
    said(page, "1 message moved to refund")
    assert draft(folder, "new/refund.yml").examples[-1] == "lol"
    page.keyboard.press("t")
    said(page, "1 message moved to invoice")
    page.keyboard.press("u")
    page.keyboard.press("u")
    said(page, "Undone: 1 message moved to refund")
    assert files_of(folder) == before


def test_all_that_is_ticked_moves_each_to_its_own_as_one_decision(page: Any, folder: Path) -> None:
    page.keyboard.press("3")
    page.wait_for_selector("#detail .home")
    page.locator("#detail [data-all]").check()
    page.keyboard.press("t")
    said(page, "2 messages moved to refund and invoice")
    page.keyboard.press("u")
    said(page, "Undone: 2 messages moved")
    page.locator("#detail .home").last.click()
    said(page, "1 message moved to invoice")
    assert draft(folder, "new/invoice.yml").examples[-1] == "my bill [is] (late)"


def test_what_is_near_to_a_proposal_but_elsewhere_is_added_to_it(page: Any, folder: Path) -> None:
    before = files_of(folder)
    page.wait_for_selector("[data-list=elsewhere]")
    assert page.locator("#elsewhere-title").text_content().startswith("Near to these, but elsewhere 1")
    assert page.locator("[data-list=elsewhere] .message").all_text_contents() == ["lol"]
    assert page.locator("[data-list=elsewhere] .where").text_content() == "left over"
    page.locator("[data-list=elsewhere] li input").check()
    page.get_by_role("button", name="Add here").click()
    said(page, "1 message added to refund")
    assert draft(folder, "new/refund.yml").examples[-1] == "lol"
    page.wait_for_selector("[data-list=elsewhere]", state="detached")
    page.keyboard.press("u")
    said(page, "Undone: 1 message added to refund")
    page.wait_for_selector("[data-list=elsewhere]")
    assert files_of(folder) == before


def test_the_numbers_say_what_they_count(page: Any) -> None:
    assert page.locator("#tab-left").get_attribute("title") == (
        "8 messages (2 different texts, some logged more than once); what was set aside or ignored, or is a "
        "training example already, is not counted"
    )
    assert page.locator("#tab-new").get_attribute("title") == "3 proposals"
    page.keyboard.press("0")
    assert page.locator("thead th").all_text_contents() == [
        "Proposal",
        "Messages",
        "Nearest known intent",
        "Decision",
    ]
    assert page.locator("tbody td").first.get_attribute("title") == "4 different texts"


def test_a_report_is_searched_by_words_and_expressions(folder: Path, browser: Any) -> None:
    write_report(open_desk(folder))
    address = (folder / "report.html").as_uri()
    with opened(browser, address, lambda event: event.startswith(("file:", "data:", "blob:"))) as page:
        page.fill("#query", "/^my bill/")
        summary(page, "1 message that the regular expression matches.")
        assert texts(page) == ["my bill [is](late)"]
        assert page.locator(".found-tools button").count() == 0


@pytest.mark.slow
def test_a_run_is_searched_with_its_own_encoder(drafted_example_bot: Path) -> None:
    with serving(drafted_example_bot / "intent_drafts") as server:
        until = time.monotonic() + 120
        while (answer := ask(server, "/api/near", {"text": "I forgot my password"})[1]).get("waits"):
            assert time.monotonic() < until
        [(path, nearness), *_] = answer["intents"]
        assert "password" in path
        assert nearness > 50
