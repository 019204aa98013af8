"""The review desk in a real browser: deciding with mouse and keyboard, and no message is more than text."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browser import LISTEN, draw_around, heard, hears, ignore_visa_elsewhere, opened, said
from desk_folder import GREET, INVOICE, MESSAGES, REFUND, VISA, write_folder
from desk_server import Server, serving

from rasa_intent_discovery.training_data.nlu_yaml import Draft, from_yaml

SIGNS = "other characters than letters, digits, _, -, . and /"
HOSTILE = (
    "<img src=x onerror=alert(1)>",
    '"><script>alert(1)</script>',
    "أريد فاتورة من فضلك",
    "🛋️ where is my sofa?? 🙂",
    "w" * 600,
    "{{ 7 * 7 }} ${alert(2)} &lt;b&gt;",
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_folder(tmp_path_factory.mktemp("page") / "drafts")


@pytest.fixture(scope="module")
def server(place: Path) -> Iterator[Server]:
    with serving(place) as running:
        yield running


@pytest.fixture
def folder(place: Path) -> Path:
    shutil.rmtree(place, ignore_errors=True)
    return write_folder(place)


@pytest.fixture
def page(folder: Path, server: Server, browser: Any) -> Iterator[Any]:
    """The desk, open; whatever the browser complains of fails the test."""
    with opened_desk(server, browser) as one:
        yield one


@contextmanager
def opened_desk(server: Server, browser: Any, width: int = 1280, scheme: str = "light") -> Iterator[Any]:
    refused = "console: Failed to load resource: the server responded with a status of 4"

    def allowed(event: str) -> bool:
        return server.asked(event) or event.startswith(refused)

    with opened(browser, server.address, allowed, width, scheme) as page:
        yield page


def draft(folder: Path, name: str) -> Draft:
    return from_yaml((folder / name).read_text(encoding="utf-8"))


def listed(page: Any) -> list[str]:
    return page.locator("#items .title").all_text_contents()


def tick(page: Any, text: str) -> None:
    page.locator("#detail li", has_text=text).locator("input").first.check()


# With the mouse


def test_the_proposals_are_ranked_and_the_first_is_shown(page: Any) -> None:
    assert listed(page) == ["refund", "invoice", "visa"]
    assert page.locator("#name").input_value() == "refund"
    assert page.locator(".summary").text_content() == "10 messages, 4 distinct, 1 of them no example."
    assert page.locator(".summary").get_attribute("title") == (
        "Logged 10 times, in 4 different texts. 3 examples: the other texts are nearly the same as these, "
        "were dropped, or are more than a draft takes."
    )
    assert page.locator("#progress").text_content() == "0 of 3 proposals decided, 0 of 1 known"
    assert page.locator("#detail .message").all_text_contents() == [
        "where is my money",
        "money back please",
        "i want it backnearly the example “I want it” of order",
        "refund now",
    ]
    assert "token" not in page.url


def test_the_list_shows_when_and_how_often_it_was_asked(page: Any) -> None:
    lately = page.locator("#items .lately")
    assert lately.all_text_contents() == ["3 Mar \u2013 30 Mar"]
    drawing = page.get_by_role("img", name="messages per week: 1, 2, 3, 9")
    heights = drawing.locator("rect").evaluate_all("(all) => all.map((one) => one.getAttribute('height'))")
    assert heights == ["1", "3", "4", "12"]
    item = page.get_by_role("button", name="messages per week: 1, 2, 3, 9")
    item.click()
    assert page.locator("#name").input_value() == "invoice"
    assert (
        page.locator(".summary").get_attribute("title") == "Logged 4 times, in 2 different texts. 2 examples."
    )
    assert "asked more lately: 80 % of its messages (12 of 15)" in page.locator(".evidence").text_content()


def test_chips_say_what_sets_a_proposal_apart(page: Any) -> None:
    found = {}
    for name in ("refund", "invoice", "visa"):
        page.click(f"#items >> text={name}")
        found[name] = page.locator(".gist .chips li").all_text_contents()
    # Two of the three are stable: that is no chip.
    assert found == {
        "refund": ["1 nearly of order"],
        "invoice": ["asked more lately"],
        "visa": ["near order"],
    }


def test_accept_goes_on_to_the_next_and_undo_comes_back(page: Any, folder: Path) -> None:
    page.click("text=Accept")
    said(page, "refund accepted, next: invoice")
    assert page.locator("#name").input_value() == "invoice"
    assert draft(folder, "new/refund.yml").decision == "accepted"
    page.click("#toast >> text=Undo")
    said(page, "Undone: refund accepted")
    assert page.locator("#name").input_value() == "refund"
    assert draft(folder, "new/refund.yml").decision == "open"
    page.click("#redo")
    said(page, "Done again: refund accepted")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert page.locator("#progress").text_content() == "1 of 3 proposals decided, 0 of 1 known"
    assert page.locator(".verdict.accepted").get_attribute("aria-pressed") == "true"
    page.click("#undo")
    said(page, "Undone: refund accepted")
    assert page.locator("#undo").is_disabled()


def test_a_name_is_checked_while_it_is_written(page: Any, folder: Path) -> None:
    for name, note in [
        ("a/b/c", "'a/b/c' is no name that Rasa can read"),
        ("", "an intent needs a name"),
        ("greet", "greet is there already: Enter asks whether to merge this proposal into it"),
        (
            "faq/returns",
            "Enter renames it; with a “/” it is a retrieval intent: your bot needs a ResponseSelector in its "
            "config.yml, and a response utter_faq/returns",
        ),
        ("money_back", "Enter renames it"),
        ("CheckBalance", "Enter renames it"),
        ("Money back!", f"“Money back!” has {SIGNS}. Use money_back?"),
        (
            "null",
            "“null” is no text in YAML, in which intents are written, unless it is quoted. Use intent_null?",
        ),
        ("🙂", f"“🙂” has {SIGNS}. Use another?"),
        ("money back", f"“money back” has {SIGNS}. Use money_back?"),
    ]:
        page.fill("#name", name)
        page.wait_for_function(
            "(note) => document.getElementById('name-note').textContent === note", arg=note
        )
    page.click("#name-ok >> text=Rename all the same")
    said(page, "refund renamed to money back")
    assert draft(folder, "new/refund.yml").intent == "money back"


def test_enter_on_a_doubtful_name_offers_a_plain_one(page: Any, folder: Path) -> None:
    page.fill("#name", "Money back!")
    page.press("#name", "Enter")
    page.wait_for_function("() => document.activeElement.id === 'name-plain'")
    assert page.locator("#name-plain").text_content() == "Use money_back"
    assert draft(folder, "new/refund.yml") == REFUND
    page.keyboard.press("Enter")
    said(page, "refund renamed to money_back")
    assert draft(folder, "new/refund.yml").intent == "money_back"
    page.fill("#name", "🙂")
    page.press("#name", "Enter")
    page.wait_for_function("() => document.activeElement.id === 'name-ok'")
    assert page.locator("#name-plain").is_hidden()
    page.keyboard.press("Enter")
    said(page, "money_back renamed to 🙂")


@pytest.mark.parametrize("button", [".verdict.accepted", "#items >> text=visa", "#query", "#tab-known"])
def test_a_name_that_was_typed_is_taken_when_its_field_is_left(page: Any, folder: Path, button: str) -> None:
    page.click("#name")
    page.fill("#name", "payback")
    page.wait_for_selector("#name-ok:not([hidden])")  # what is below it has moved by then
    page.hover(button)
    page.mouse.down()
    page.wait_for_timeout(150)  # as slow as a hand
    page.mouse.up()
    if button == ".verdict.accepted":
        said(page, "payback accepted, next: invoice")
        page.keyboard.press("u")
        said(page, "Undone: payback accepted")
    else:
        said(page, "refund renamed to payback")
        if button == "#items >> text=visa":
            assert page.locator("#name").input_value() == "visa"
    assert draft(folder, "new/refund.yml").intent == "payback"
    page.click("#undo")
    said(page, "Undone: refund renamed to payback")
    assert draft(folder, "new/refund.yml") == REFUND
    assert page.locator("#undo").is_disabled()


def test_tab_takes_a_name_and_escape_discards_it(page: Any, folder: Path) -> None:
    page.keyboard.press("r")
    page.keyboard.type("payback")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    said(page, "refund accepted, next: invoice")
    page.keyboard.press("r")
    page.keyboard.type("bill")
    page.wait_for_selector("#name-ok:not([hidden])")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "name-ok"
    page.keyboard.press("Tab")
    said(page, "invoice renamed to bill")
    assert draft(folder, "new/refund.yml").intent == "refund"
    assert draft(folder, "new/invoice.yml").intent == "bill"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("a/b/c", "'a/b/c' is no name that Rasa can read"),
        ("visa", "visa is there already: Enter asks whether to merge this proposal into it"),
        ("Money back!", f"“Money back!” has {SIGNS}. Use money_back?"),
    ],
)
def test_a_proposal_is_not_accepted_under_another_name_than_the_one_typed(
    page: Any, folder: Path, name: str, problem: str
) -> None:
    page.fill("#name", name)
    page.click(".verdict.accepted")
    said(page, f"refund is not accepted: {problem}")
    assert page.locator("#name").input_value() == name
    assert page.evaluate("document.activeElement.id") == "name"
    page.click("#items >> text=invoice")
    said(page, f"refund keeps its name: {problem}")
    assert draft(folder, "new/refund.yml") == REFUND


def test_a_name_that_is_there_already_asks_before_it_merges(page: Any, folder: Path) -> None:
    page.fill("#name", "visa")
    page.press("#name", "Enter")
    page.wait_for_selector("#choose-title >> text=visa is there already: merge refund into it?")
    page.keyboard.press("Escape")
    assert page.locator("#name").input_value() == "refund"
    assert draft(folder, "new/refund.yml") == REFUND
    page.fill("#name", "visa")
    page.press("#name", "Enter")
    page.wait_for_selector("#choose[open]")
    page.keyboard.press("Enter")
    said(page, "refund merged into visa")


def test_other_names_are_shown_where_it_is_renamed(place: Path, server: Server, browser: Any) -> None:
    shutil.rmtree(place, ignore_errors=True)
    texts = ("reset my password", "i want to reset the password", "i forgot my password", "forgot password")
    told = (*MESSAGES, *((text, 1, "new", "ask_password") for text in texts))
    write_folder(place, (Draft("ask_password", texts, {"messages": 99}), REFUND), (), told)
    with opened_desk(server, browser) as page:
        page.keyboard.press("r")
        names = page.locator(".names button")
        names.first.wait_for()
        assert names.all_text_contents() == ["forgot_password", "reset_password", "forgot"]
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        assert page.locator("#name").input_value() == "reset_password"
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        said(page, "ask_password renamed to forgot_password")
        page.keyboard.press("r")
        page.click(".names >> text=reset_password")
        said(page, "forgot_password renamed to reset_password")
        assert draft(place, "new/ask_password.yml").intent == "reset_password"


def test_merge_into_another_and_into_an_intent_of_the_bot(page: Any, folder: Path) -> None:
    page.click("text=Merge …")
    page.fill("#choose-text", "inv")
    page.click("#choose-list >> text=invoice")
    page.click("#choose-ok")
    said(page, "refund merged into invoice")
    assert not (folder / "new/refund.yml").exists()
    assert listed(page) == ["invoice", "visa"]
    assert page.locator("#items .figure").first.text_content() == "14 messages, "
    page.click("#items >> text=visa")
    page.click("text=Merge …")
    page.fill("#choose-text", "order")
    page.keyboard.press("Enter")
    said(page, "visa merged into order")
    assert draft(folder, "known/order.yml").examples == VISA.examples


FAMILY = {
    "drafts": {f"new/{name}.yml": name for name in ("refund", "invoice", "visa")},
    "families": [["refund", "visa"]],
}


def test_what_may_be_one_wish_stands_together_and_one_button_merges_it(
    place: Path, server: Server, browser: Any
) -> None:
    shutil.rmtree(place, ignore_errors=True)
    write_folder(place, run=FAMILY)
    with opened_desk(server, browser) as page:
        assert listed(page) == ["refund", "visa", "invoice"]
        assert page.locator("#items li.sibling .title").all_text_contents() == ["refund", "visa"]
        assert page.locator("#items li.sibling.first .title").all_text_contents() == ["refund"]
        page.keyboard.press("0")
        assert page.locator(".families").text_content() == (
            "2 of them may be parts of one wish: these stand together in the list. Open one to merge them."
        )
        page.get_by_role("button", name="may be one wish with refund").click()
        assert page.locator("#name").input_value() == "visa"
        page.click(".family li >> text=refund")
        assert page.locator("#name").input_value() == "refund"
        page.fill("#name", "payback")
        page.click("#name-ok")
        said(page, "refund renamed to payback")
        assert page.locator("#items li.sibling .title").all_text_contents() == ["payback", "visa"]
        page.click("text=Merge all 2 into payback")
        said(page, "visa merged into payback")
        assert listed(page) == ["payback", "invoice"]
        assert page.locator("#name").input_value() == "payback"
        assert page.locator(".family, .sibling").count() == 0
        assert draft(place, "new/refund.yml").examples == (*REFUND.examples, *VISA.examples)
        page.click("#toast >> text=Undo")
        said(page, "Undone: visa merged into payback")
        assert listed(page) == ["payback", "visa", "invoice"]
        assert page.locator(".family h3").text_content() == "May be one wish with"


def test_what_is_on_the_same_subject_stands_together_and_is_merged_into_first(
    place: Path, server: Server, browser: Any
) -> None:
    shutil.rmtree(place, ignore_errors=True)
    write_folder(place, run={**FAMILY, "families": [], "subjects": [["refund", "visa"]]})
    with opened_desk(server, browser) as page:
        assert listed(page) == ["refund", "visa", "invoice"]
        assert page.locator("#items li.sibling").count() == 0
        assert page.locator("#items li.alike .title").all_text_contents() == ["refund", "visa"]
        assert page.locator("#items li.alike.first .title").all_text_contents() == ["refund"]
        assert page.locator(".family").text_content() == "On the same subjectvisa"
        page.keyboard.press("a")
        said(page, "refund accepted, next: visa")
        assert page.locator(".family").text_content() == "On the same subjectrefund accepted"
        page.keyboard.press("m")
        assert page.locator("#choose-list [role=option]").first.text_content() == "refundproposal"
        page.keyboard.press("Escape")
        page.click(".family li >> text=refund")
        assert page.locator("#name").input_value() == "refund"
        page.keyboard.press("i")
        said(page, "refund ignored, next: visa")
        assert listed(page) == ["visa", "invoice", "refund"]
        page.keyboard.press("m")
        assert page.locator("#choose-list [role=option]").first.text_content() != "refundproposal"


def test_what_is_on_one_subject_stands_apart_where_a_person_wants_it_so(
    place: Path, server: Server, browser: Any
) -> None:
    shutil.rmtree(place, ignore_errors=True)
    write_folder(place, run={**FAMILY, "families": [], "subjects": [["refund", "visa"]]})
    with opened_desk(server, browser) as page:
        order = page.get_by_label("Order of the proposals")
        assert listed(page) == ["refund", "visa", "invoice"]
        assert order.input_value() == "subject"
        order.select_option("each by itself")
        assert listed(page) == ["refund", "invoice", "visa"]
        assert page.locator("#items li.alike").count() == 0
        assert page.locator(".family").text_content() == "On the same subjectvisa"
        page.keyboard.press("a")
        said(page, "refund accepted, next: invoice")
        page.reload()
        page.wait_for_selector("body[data-ready]")
        assert listed(page) == ["refund", "invoice", "visa"]
        order.focus()
        page.keyboard.press("ArrowUp")
        assert listed(page) == ["refund", "visa", "invoice"]
        assert order.evaluate("one => one === document.activeElement")


def test_a_family_stands_first_in_its_subject(place: Path, server: Server, browser: Any) -> None:
    shutil.rmtree(place, ignore_errors=True)
    write_folder(place, run={**FAMILY, "subjects": [["refund", "visa", "invoice"]]})
    with opened_desk(server, browser) as page:
        assert listed(page) == ["refund", "visa", "invoice"]
        assert page.locator(".family").all_text_contents() == [
            "May be one wish withvisaMerge all 2 into refundF",
            "On the same subjectinvoice",
        ]


def test_the_key_f_merges_what_is_open_of_a_family(place: Path, server: Server, browser: Any) -> None:
    shutil.rmtree(place, ignore_errors=True)
    write_folder(place, run={**FAMILY, "families": [["refund", "invoice", "visa"]]})
    with opened_desk(server, browser) as page:
        assert listed(page) == ["refund", "invoice", "visa"]
        page.keyboard.press("i")
        said(page, "refund ignored, next: invoice")
        assert page.locator(".family li").all_text_contents() == ["refund ignored", "visa"]
        page.keyboard.press("f")
        said(page, "visa merged into invoice")
        assert draft(place, "new/invoice.yml").examples == (*INVOICE.examples, *VISA.examples)
        assert draft(place, "new/refund.yml").decision == "ignored"
        assert page.locator(".family button", has_text="Merge all").count() == 0
        page.keyboard.press("f")
        said(page, "No other open proposal is likely to be one wish with this one.")


def test_entities_are_marked_by_a_button_and_shown_in_the_examples(
    place: Path, server: Server, browser: Any
) -> None:
    shutil.rmtree(place, ignore_errors=True)
    evil = '[<b>money</b>]{"entity": "<img src=x onerror=alert(1)>", "value": "cash"}'
    listed = ["[money](thing)", evil]
    hostile = "<b>money</b> back"
    examples = (*REFUND.examples, hostile)
    refund = Draft("refund", examples, {**REFUND.evidence, "entities": listed})
    write_folder(place, (refund, INVOICE, VISA), messages=(*MESSAGES, (hostile, 1, "new", "refund")))
    with opened_desk(server, browser) as page:
        assert page.locator(".entities h3").text_content() == "Mark entities your bot knows in the examples"
        buttons = page.locator(".entities button")
        assert buttons.all_text_contents() == [
            "money → thing, 2 examples",
            "<b>money</b> → <img src=x onerror=alert(1)>, cash, 1 example",
        ]
        for number in range(2):
            buttons.nth(number).click()
            said(page, "marked as")
            page.wait_for_selector(f".entities li:nth-child({number + 1}) [aria-pressed=true]")
        assert buttons.nth(1).evaluate("(one) => one === document.activeElement")
        assert page.locator("mark").all_text_contents() == [
            *("money is thing", "money is thing", "<b>money</b> is <img src=x onerror=alert(1)>, cash"),
        ]
        assert draft(place, "new/refund.yml").examples == (
            *("where is my [money](thing)", "[money](thing) back please", "i want it back", f"{evil} back"),
        )
        buttons.first.click()
        said(page, "money no longer marked as thing in 2 examples of refund")
        page.wait_for_selector(".entities li:first-child [aria-pressed=false]")
        page.keyboard.press("u")
        said(page, "Undone: money no longer marked")
        assert draft(place, "new/refund.yml").examples[0] == "where is my [money](thing)"
        tick(page, "where is my")
        page.keyboard.press("d")
        said(page, "1 message dropped")
        assert draft(place, "new/refund.yml").examples[0] == "[money](thing) back please"
        page.click("text=invoice")
        assert page.locator(".entities").count() == 0


def test_the_end_tells_of_entities_that_are_not_marked_in_what_is_accepted(
    place: Path, server: Server, browser: Any
) -> None:
    shutil.rmtree(place, ignore_errors=True)
    refund, visa = (
        replace(one, evidence={**one.evidence, "entities": [listed]})
        for one, listed in ((REFUND, "[money](thing)"), (VISA, "[visa](paper)"))
    )
    write_folder(place, (refund, INVOICE, visa))
    note = "Not marked: {} of entities that your bot knows, in accepted examples. "
    with opened_desk(server, browser) as page:
        page.keyboard.press("9")
        page.locator("h2", has_text="Finish").wait_for()
        assert page.locator("text=Not marked").count() == 0, "of what is open it is no matter yet"
        for path in ("new/refund.yml", "new/visa.yml"):
            page.keyboard.press("1")
            page.click(f"#items [data-path='{path}']")
            page.keyboard.press("a")
            said(page, "accepted")
        page.keyboard.press("9")
        told = page.locator("p", has_text="Not marked")
        assert told.text_content() == note.format("3 values") + "Look at refund and 1 more"
        told.locator("button").click()
        page.locator(".entities button").click()
        said(page, "marked as")
        page.keyboard.press("9")
        page.locator("p", has_text=note.format("1 value") + "Look at visa").wait_for()


def test_examples_that_hold_a_mask_are_marked(place: Path, server: Server, browser: Any) -> None:
    shutil.rmtree(place, ignore_errors=True)
    texts = ("mail me at <email>", "write to <mail>")
    write_folder(place, (Draft("mail", texts),), (), tuple((text, 1, "new", "mail") for text in texts))
    with opened_desk(server, browser) as page:
        lines = page.locator("#detail .lines li").all_text_contents()
        assert lines == ["mail me at <email>holds a mask", "write to <mail>"]


def test_a_mask_is_replaced_or_left_out_in_place(place: Path, server: Server, browser: Any) -> None:
    shutil.rmtree(place, ignore_errors=True)
    texts = ("mail me at <email>, please", "write to me", "call <phone>")
    write_folder(place, (Draft("mail", texts),), (), tuple((text, 1, "new", "mail") for text in texts))

    def examples() -> tuple[str, ...]:
        return draft(place, "new/mail.yml").examples

    with opened_desk(server, browser) as page:
        page.keyboard.press("e")
        page.keyboard.press("Enter")
        assert page.input_value("#reword-text") == texts[0]
        page.click("text=Without the mask")
        assert page.input_value("#reword-text") == "mail me at, please"
        page.fill("#reword-text", "Write to me")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=mail has that already: drop this one instead.")
        assert examples() == texts
        page.fill("#reword-text", "mail me at ann@example.com, please")
        page.keyboard.press("Enter")
        said(page, "an example of mail is now “mail me at ann@example.com, please”")
        assert examples() == ("mail me at ann@example.com, please", *texts[1:])
        assert page.evaluate("document.activeElement.dataset.focus").startswith("item mail me at ann@")
        assert page.locator(".lines li", has_text="<email>").text_content() == (
            "mail me at <email>, pleaseholds a maskdropped"
        )
        line = page.locator(".lines li", has_text="<phone>")
        line.hover()
        line.locator(".reword").click()
        page.click("text=Without the mask")
        page.click("#reword >> text=OK")
        said(page, "an example of mail is now “call”")
        assert examples()[2] == "call"
        assert page.locator(".masked").count() == 0
        for _ in range(2):
            page.keyboard.press("u")
            said(page, "Undone: an example of mail is now")
        assert examples() == texts


def test_examples_that_hold_a_mask_are_dropped_at_once_and_undo_brings_them_back(
    place: Path, server: Server, browser: Any
) -> None:
    shutil.rmtree(place, ignore_errors=True)
    texts = ("mail me at <email>", "write to me", "call <phone>")
    write_folder(place, (Draft("mail", texts),), (), tuple((text, 1, "new", "mail") for text in texts))
    with opened_desk(server, browser) as page:
        note = page.locator(".masked p")
        advice = (
            "your bot would learn it. You can write something made up in its place: ✎ beside it, or Enter."
        )
        assert note.text_content() == f"2 examples hold a mask such as <email>: {advice}"
        page.click("text=Drop these 2")
        said(page, "2 messages dropped from mail")
        assert draft(place, "new/mail.yml").examples == ("write to me",)
        assert note.count() == 0
        page.keyboard.press("u")
        said(page, "Undone: 2 messages dropped from mail")
        assert draft(place, "new/mail.yml").examples == texts
        tick(page, "mail me at")
        page.keyboard.press("d")
        said(page, "1 message dropped from mail")
        assert note.text_content() == f"1 example holds a mask such as <phone>: {advice}"
        page.click("text=Drop it")
        said(page, "1 message dropped from mail")
        assert draft(place, "new/mail.yml").examples == ("write to me",)


def test_a_marked_example_is_still_nearly_one_of_another_intent(
    place: Path, server: Server, browser: Any
) -> None:
    shutil.rmtree(place, ignore_errors=True)
    write_folder(place, (replace(REFUND, evidence={**REFUND.evidence, "entities": ["[want](wish)"]}),))
    with opened_desk(server, browser) as page:
        page.click(".entities button")
        said(page, "want marked as wish in 1 example of refund")
        page.wait_for_selector("mark")
        assert page.locator("#detail .near").count() == 1


def test_a_click_on_a_target_only_chooses_it_and_the_nearest_come_first(page: Any, folder: Path) -> None:
    page.click("#items >> text=visa")
    page.click("text=Merge …")
    options = page.locator("#choose-list [role=option]")
    assert options.all_text_contents() == [
        *("orderyour bot has it", "refundproposal", "invoiceproposal", "greetyour bot has it")
    ]
    assert options.nth(0).get_attribute("aria-selected") == "true"
    options.nth(1).click()
    options.nth(3).click()
    assert options.nth(3).get_attribute("aria-selected") == "true"
    assert page.locator("#choose").is_visible()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    said(page, "visa merged into invoice")
    assert draft(folder, "new/invoice.yml").examples[-1] == "do i need a visa"


def test_the_open_siblings_of_a_family_are_the_first_targets_of_a_merge(
    place: Path, server: Server, browser: Any
) -> None:
    shutil.rmtree(place, ignore_errors=True)
    write_folder(place, run={**FAMILY, "families": [["refund", "invoice", "visa"]]})
    options = ("invoiceproposal", "orderyour bot has it", "refundproposal", "greetyour bot has it")
    with opened_desk(server, browser) as page:
        page.keyboard.press("i")
        said(page, "refund ignored, next: invoice")
        page.click("#items .title >> text=visa")
        page.keyboard.press("m")
        assert page.locator("#choose-list [role=option]").all_text_contents() == [*options]
        page.keyboard.press("Enter")
        said(page, "visa merged into invoice")


def test_a_key_right_after_a_dialog_was_closed_is_not_lost(page: Any) -> None:
    page.keyboard.press("m")
    page.wait_for_selector("#choose[open]")
    # Its field keeps the focus until the page is painted again, which a key may come before.
    page.evaluate(
        "() => { document.getElementById('choose').close();"
        "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true })); }"
    )
    said(page, "refund accepted, next: invoice")


def test_split_for_me_ticks_a_part_and_asks_for_its_name(page: Any, folder: Path) -> None:
    page.click("text=Split for me")
    page.wait_for_selector("#choose-title >> text=/^New proposal of 2 messages$/")
    assert page.locator("#choose-what li").all_text_contents() == ["money back please", "i want it back"]
    assert page.locator("#choose-what p").text_content() == ("2 stay in refund, such as “where is my money”.")
    proposed = page.locator("#choose-text").input_value()
    assert proposed
    ticked = page.locator("#detail li", has=page.locator("input:checked")).locator(".message")
    assert [text[:17] for text in ticked.all_text_contents()] == ["money back please", "i want it backnea"]
    page.keyboard.press("Escape")
    assert page.locator(".actions strong").text_content() == "2 ticked"
    page.keyboard.press("s")
    page.wait_for_selector("#choose[open]")
    page.wait_for_function("() => !document.getElementById('choose-ok').disabled")
    page.keyboard.press("Enter")
    said(page, f"2 messages made a new proposal, {proposed}")
    assert draft(folder, f"new/{proposed}.yml").examples == ("money back please", "i want it back")
    assert draft(folder, "new/refund.yml").examples == ("where is my money",)
    page.keyboard.press("u")
    said(page, f"Undone: 2 messages made a new proposal, {proposed}")
    assert draft(folder, "new/refund.yml") == REFUND
    page.click("#items >> text=visa")
    assert page.locator("text=Split for me").count() == 0, "nothing to split is not offered"
    page.keyboard.press("s")
    page.wait_for_selector("#tell[open] >> text=Nothing in it stands out as a wish of its own.")
    page.keyboard.press("Enter")
    page.wait_for_selector("#tell", state="hidden")
    assert page.locator(".actions").is_hidden()


@pytest.mark.parametrize("key", ["n", "v"])
def test_enter_on_a_doubtful_name_of_a_new_proposal_offers_a_plain_one(
    page: Any, folder: Path, key: str
) -> None:
    tick(page, "refund now")
    page.keyboard.press(key)
    page.fill("#choose-text", "Right now!")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.id === 'choose-plain'")
    assert page.locator("#choose-plain").text_content() == "Use right_now"
    assert not (folder / "new/right_now.yml").exists()
    page.keyboard.press("Enter")
    said(page, "1 message made a new proposal, right_now")
    assert draft(folder, "new/right_now.yml").examples == ("refund now",)


def test_after_a_merge_its_result_is_shown_and_an_undo_shows_what_it_brought_back(page: Any) -> None:
    page.keyboard.press("j")
    page.keyboard.press("m")
    page.keyboard.type("visa")
    page.keyboard.press("Enter")
    said(page, "invoice merged into visa")
    assert page.locator("#name").input_value() == "visa"
    assert page.locator(".gist .chips li").all_text_contents() == ["1 merged into it"]
    assert page.locator("#items .lately").count() == 0, "the trend would be that of a part"
    page.keyboard.press("w")
    before = "Measured by the run, before other proposals were merged into this one."
    page.wait_for_selector(f"#why >> text={before}")
    page.keyboard.press("1")
    page.keyboard.press("u")
    said(page, "Undone: invoice merged into visa")
    assert page.locator("#name").input_value() == "invoice"
    page.keyboard.press("m")
    page.keyboard.type("order")
    page.keyboard.press("Enter")
    said(page, "invoice merged into order")
    assert page.locator("h2.intent").text_content() == "order"
    page.reload()  # which forgets where it was decided
    page.wait_for_selector("body[data-ready]")
    page.keyboard.press("u")
    said(page, "Undone: invoice merged into order")
    assert page.locator("#name").input_value() == "invoice"


def test_a_new_proposal_stands_below_that_of_which_it_was_made(page: Any) -> None:
    tick(page, "where is my money")
    page.keyboard.press("n")
    page.keyboard.type("zebra")
    page.keyboard.press("Enter")
    said(page, "1 message made a new proposal, zebra")
    assert listed(page) == ["refund", "zebra", "invoice", "visa"]
    assert page.locator("#items .child").text_content() == "zebra6 messages,  was in refund, open"
    page.keyboard.press("0")
    page.keyboard.press("u")
    said(page, "Undone: 1 message made a new proposal, zebra")
    assert page.locator("#name").input_value() == "refund", "where it was made"


def test_what_is_dropped_from_a_proposal_that_a_person_made_says_where_it_went(page: Any) -> None:
    tick(page, "where is my money")
    tick(page, "money back please")
    page.keyboard.press("n")
    page.keyboard.type("zebra")
    page.keyboard.press("Enter")
    said(page, "2 messages made a new proposal, zebra")
    tick(page, "money back please")
    page.keyboard.press("d")
    said(page, "1 message dropped from zebra. It is now among the other messages of refund")
    page.click("#items >> text=refund")
    others = page.locator("[data-list=others] .message").all_text_contents()
    assert "money back please" in others


def test_what_was_dropped_is_marked_wherever_it_is_listed(page: Any) -> None:
    others = page.locator("[data-list=others] .told")
    tick(page, "money back please")
    page.keyboard.press("d")
    said(page, "1 message dropped from refund")
    sizes = "10 messages, 4 distinct, 2 of them no examples."
    assert page.locator(".summary").first.text_content() == sizes
    told = "[data-list=others] li:has(.told) .message"
    assert page.locator(told).all_text_contents() == ["money back please"]
    assert others.all_text_contents() == ["dropped"]
    page.fill("#query", "please")
    assert page.locator("#detail li:has(.told) .message").all_text_contents() == ["money back please"]
    page.keyboard.press("Escape")
    tick(page, "money back please")
    page.click("text=Add here")
    said(page, "1 message added to refund")
    assert others.count() == 0


def test_what_came_into_a_proposal_since_the_last_run_is_marked_as_long_as_it_is_there(
    place: Path, server: Server, browser: Any
) -> None:
    shutil.rmtree(place, ignore_errors=True)
    write_folder(place, (REFUND, INVOICE), came=("money back please", "refund now"))
    with opened_desk(server, browser) as page:
        marked = page.locator("#detail .lines li:has(.told)")
        said_so = ["money back please", "refund now"]
        assert marked.locator(".message").all_text_contents() == said_so, "among the others, too"
        assert marked.locator(".told").all_text_contents() == ["came since the last run"] * 2
        tick(page, "money back please")
        page.keyboard.press("v")
        page.keyboard.type("invoice")
        page.keyboard.press("Enter")
        said(page, "1 message moved to invoice")
        assert marked.locator(".message").all_text_contents() == said_so[1:]
        page.click("#items .title >> text=invoice")
        assert page.locator("#detail .message", has_text="money back please").count() == 1
        assert marked.count() == 0


def test_the_overview_says_why_the_list_has_more_or_fewer_proposals_than_the_run_found(
    place: Path, server: Server, browser: Any
) -> None:
    shutil.rmtree(place, ignore_errors=True)
    write_folder(place, run={"new_intents": {"proposed": 2, "range": [2, 2]}, "read": {"messages": 9}})
    with opened_desk(server, browser) as page:

        def lead() -> str:
            page.keyboard.press("0")
            return str(page.locator(".lead").text_content())

        assert page.locator("#tab-new").text_content() == "Proposals3"
        assert lead().endswith(
            " The list now has 3 proposals: those that you decided about before this run, or made yourself, "
            "are among them."
        )
        for source, target in (("visa", "invoice"), ("refund", "invoice")):
            page.click(f"#items >> text={source}")
            page.keyboard.press("m")
            page.keyboard.type(target)
            page.keyboard.press("Enter")
            said(page, f"{source} merged into {target}")
            words = lead()
            assert ("The list now has" in words) == (source == "refund")
        assert words.endswith(" The list now has 1 proposal: the others were merged or deleted.")


def test_what_is_left_over_has_a_heading_and_says_so_once(page: Any) -> None:
    page.keyboard.press("3")
    assert page.locator("#items .title").all_text_contents() == ["So"]
    assert page.locator("#detail h2").text_content() == "So"
    assert page.locator("#detail [data-item]").count() == 2
    assert page.locator("#detail .where").count() == 0


def test_the_field_of_a_name_has_a_label_that_is_seen(page: Any) -> None:
    tick(page, "refund now")
    for key, label in (
        ("n", "Its name"),
        ("v", "A proposal or intent, or a new name"),
        ("m", "A proposal or intent"),
    ):
        page.keyboard.press(key)
        assert page.locator("#choose-label").is_visible()
        page.get_by_label(label, exact=True).fill("x")
        page.keyboard.press("Escape")


def test_what_was_merged_can_be_split_again(page: Any, folder: Path) -> None:
    page.keyboard.press("m")
    page.keyboard.type("visa")
    page.keyboard.press("Enter")
    said(page, "refund merged into visa")
    page.click("#items >> text=visa")
    page.keyboard.press("s")
    page.wait_for_selector("#choose-title >> text=New proposal of")
    page.fill("#choose-text", "refund")
    page.wait_for_function("() => !document.getElementById('choose-ok').disabled")
    page.keyboard.press("Enter")
    said(page, "4 messages made a new proposal, refund")
    assert draft(folder, "new/visa.yml").examples == VISA.examples
    assert set(draft(folder, "new/refund-2.yml").examples) == {*REFUND.examples, "refund now"}


def test_a_key_that_is_held_down_decides_once(page: Any, folder: Path) -> None:
    for _ in range(4):
        page.keyboard.down("a")  # after the first, these are repetitions
    page.keyboard.up("a")
    said(page, "refund accepted")
    page.wait_for_timeout(300)
    decided = {name: draft(folder, f"new/{name}.yml").decision for name in ("refund", "invoice", "visa")}
    assert decided == {"refund": "accepted", "invoice": "open", "visa": "open"}
    page.keyboard.down("j")
    page.keyboard.down("j")
    page.keyboard.up("j")
    assert page.locator("#items [aria-current] .title").text_content() == "visa"


def test_the_second_click_of_two_is_not_meant_for_the_next_proposal(page: Any, folder: Path) -> None:
    page.dblclick("[data-decision=ignored]")
    said(page, "refund ignored")
    page.wait_for_timeout(300)
    assert [draft(folder, f"new/{name}.yml").decision for name in ("refund", "invoice")] == [
        "ignored",
        "open",
    ]


def test_keys_do_the_same_with_caps_lock(page: Any, folder: Path) -> None:
    page.keyboard.press("A")
    said(page, "refund accepted")
    page.keyboard.press("U")  # without Shift
    said(page, "Undone: refund accepted")
    assert draft(folder, "new/refund.yml").decision == "open"


def test_after_a_dialog_is_closed_the_keyboard_is_on_the_page(page: Any) -> None:
    page.keyboard.press("s")
    page.wait_for_selector("#choose-title >> text=New proposal of")
    page.keyboard.press("Escape")
    page.wait_for_function("() => !document.getElementById('choose').open")
    page.wait_for_function("() => document.activeElement !== document.body")


def test_whose_control_is_gone_hidden_or_disabled_goes_on_in_what_is_shown(page: Any) -> None:
    focused = "document.activeElement.id"
    page.keyboard.press("i")
    said(page, "refund ignored, next: invoice")
    page.focus("#toast button")
    page.keyboard.press("Enter")
    said(page, "Undone: refund ignored")
    assert page.evaluate(focused) == "detail"
    page.keyboard.press("i")
    said(page, "refund ignored, next: invoice")
    page.focus("#toast button")
    page.keyboard.press("Escape")
    assert page.evaluate(focused) == "detail"
    page.focus("#undo")
    page.keyboard.press("Enter")
    said(page, "Undone: refund ignored")
    assert page.locator("#undo").is_disabled()
    assert page.evaluate(focused) == "detail"
    page.keyboard.press("e")
    page.keyboard.press("Space")
    page.focus(".actions [data-command=untick]")
    page.keyboard.press("Enter")
    assert page.locator(".actions").is_hidden()
    assert page.evaluate(focused) == "detail"


def test_a_conversion_of_an_input_method_renames_nothing(page: Any, folder: Path) -> None:
    page.fill("#name", "half")
    page.evaluate(
        "document.getElementById('name').dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, isComposing: true}))"
    )
    page.wait_for_timeout(300)
    assert draft(folder, "new/refund.yml").intent == "refund"


@pytest.mark.parametrize("key", ["Escape", "Enter"])
def test_a_conversion_of_an_input_method_ends_no_search(page: Any, key: str) -> None:
    page.fill("#query", "money")
    page.wait_for_selector("#detail .summary")
    composing = (
        f"new KeyboardEvent('keydown', {{key: '{key}', bubbles: true, cancelable: true, isComposing: true}})"
    )
    assert page.evaluate(f"document.getElementById('query').dispatchEvent({composing})"), "the browser has it"
    page.wait_for_timeout(300)
    assert page.locator("#query").input_value() == "money"
    page.keyboard.press("Escape")
    page.wait_for_function("() => !document.getElementById('query').value")


def test_examples_move_drop_and_split(page: Any, folder: Path) -> None:
    tick(page, "money back please")
    page.click("text=Move to")
    page.dblclick("#choose-list >> text=visa")
    said(page, "1 message moved to visa")
    assert draft(folder, "new/visa.yml").examples == (*VISA.examples, "money back please")
    tick(page, "refund now")
    page.click("text=Add here")
    said(page, "1 message added to refund")
    tick(page, "where is my money")
    page.click(".actions >> text=Drop")
    said(page, "1 message dropped from refund. It is now among its other messages")
    page.locator("#detail [data-all=examples]").check()
    page.click(".actions >> text=New proposal")
    page.fill("#choose-text", "visa")
    page.wait_for_function("() => document.getElementById('choose-ok').disabled")
    page.fill("#choose-text", "give it back")
    page.wait_for_selector(f"#choose-note >> text=“give it back” has {SIGNS}. Use give_it_back?")
    page.click("#choose-ok")
    said(page, "2 messages made a new proposal, give it back")
    assert draft(folder, "new/give%20it%20back.yml").examples == ("i want it back", "refund now")
    assert page.locator("#name").input_value() == "give it back"
    for _ in range(4):
        page.click("#undo")
        page.wait_for_timeout(50)
    said(page, "Undone: 1 message moved to visa")
    assert draft(folder, "new/refund.yml") == REFUND


def test_the_proposal_that_messages_are_moved_from_is_not_offered_as_a_new_one(page: Any) -> None:
    tick(page, "money back please")
    page.keyboard.press("v")
    page.fill("#choose-text", "refund")
    assert page.locator("#choose-list li").count() == 0
    assert page.locator("#choose-note").text_content() == "They are in refund already."
    assert page.locator("#choose-ok").is_disabled()
    page.fill("#choose-text", "refunds")
    assert page.locator("#choose-list li").all_text_contents() == ["refundsnew proposal"]
    assert page.locator("#choose-note").text_content() == ""


def test_a_name_that_is_taken_meanwhile_is_said_to_be(page: Any) -> None:
    tick(page, "money back please")
    page.keyboard.press("v")
    page.fill("#choose-text", "travel")
    other = page.context.new_page()
    other.goto(page.url)
    other.click("[data-path='new/visa.yml']")
    other.fill("#name", "travel")
    other.keyboard.press("Enter")
    said(other, "visa renamed to travel")
    page.focus("#choose-text")
    page.keyboard.press("Enter")
    page.wait_for_selector("#choose-note >> text=there is an intent of that name by now: choose another name")


def test_a_lasso_chooses_messages_for_a_new_proposal(page: Any, folder: Path) -> None:
    draw_around(page, ["a bill please", "send the invoice"])
    said(page, "2 messages chosen")
    assert page.locator(".actions strong").text_content() == "2 ticked"
    page.click(".actions >> text=New proposal")
    page.fill("#choose-text", "bills")
    page.wait_for_function("() => !document.getElementById('choose-ok').disabled")
    page.keyboard.press("Enter")
    said(page, "2 messages made a new proposal, bills")
    assert draft(folder, "new/bills.yml").examples == INVOICE.examples
    assert draft(folder, "new/invoice.yml").examples == ()


def test_a_lasso_that_ends_at_a_message_does_not_choose_that_one(page: Any) -> None:
    x, y = page.evaluate("review.map.whereSaid('do i need a visa')")
    page.click("#lasso")
    page.mouse.move(x, y)
    page.mouse.down()
    for right, down in ((6, 0), (6, 6), (-6, 6), (-6, -6), (0, 0)):
        page.mouse.move(x + right, y + down, steps=3)
    page.mouse.up()
    said(page, "chosen")
    assert page.evaluate("document.querySelector('.actions strong').textContent").endswith("ticked")


def test_the_map_is_zoomed_at_the_pointer_moved_and_shown_whole_again(page: Any) -> None:
    def places() -> list[tuple[float, float]]:
        said = "review.map.whereSaid"
        found = page.evaluate(f"['do i need a visa', 'lol'].map((text) => {said}(text))")
        return [tuple(place) for place in found]

    def at_rest() -> list[tuple[float, float]]:
        """Where they are when the page has its final room: on a busy machine it gets it late."""
        before = places()
        for _ in range(50):
            page.wait_for_timeout(200)
            now = places()
            if now == before:
                break
            before = now
        return before

    visa, lol = at_rest()
    page.mouse.move(*visa)
    page.mouse.wheel(0, -300)
    page.wait_for_timeout(100)
    zoomed_visa, zoomed_lol = places()
    assert zoomed_visa == pytest.approx(visa, abs=2)  # the pointer is at whole pixels
    assert abs(zoomed_lol[0] - zoomed_visa[0]) > 1.5 * abs(lol[0] - visa[0])

    page.mouse.down()
    page.mouse.move(visa[0] + 30, visa[1] + 20, steps=4)
    page.mouse.up()
    assert places()[0] == pytest.approx((zoomed_visa[0] + 30, zoomed_visa[1] + 20), abs=2)

    page.focus("#map-view")
    page.keyboard.press("Home")
    assert places() == [pytest.approx(visa, abs=1), pytest.approx(lol, abs=1)]
    page.click("#zoom-in")
    assert abs(places()[1][0] - places()[0][0]) == pytest.approx(1.4 * abs(lol[0] - visa[0]), abs=1)


def test_a_map_keeps_what_it_shows_when_its_room_changes(page: Any) -> None:
    page.click("#zoom-in")
    part = """(({ top, height }) => (review.map.whereSaid('do i need a visa')[1] - top) / height)(
      document.querySelector('#map-view canvas').getBoundingClientRect())"""
    before = page.evaluate(part)
    page.set_viewport_size({"width": 1280, "height": 500})
    page.wait_for_function("() => document.querySelector('#map-view canvas').height < 500")
    assert page.evaluate(part) == pytest.approx(before, abs=0.05)  # the margin does not grow with the room


def test_two_fingers_zoom_the_map(folder: Path, server: Server, browser: Any) -> None:
    context = browser.new_context(has_touch=True)
    page = context.new_page()
    page.goto(server.address)
    page.wait_for_selector("body[data-ready]")
    fingers = context.new_cdp_session(page)
    apart = "(([a], [b]) => b - a)(review.map.whereSaid('lol'), review.map.whereSaid('do i need a visa'))"
    before, box = page.evaluate(apart), page.locator("#map-view").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for kind, distance in (("touchStart", 50), ("touchMove", 75), ("touchMove", 100)):
        points = [{"x": x - distance, "y": y, "id": 0}, {"x": x + distance, "y": y, "id": 1}]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert page.evaluate(apart) == pytest.approx(2 * before, rel=0.05)
    context.close()


def test_drawing_with_shift_chooses_messages(page: Any) -> None:
    draw_around(page, ["a bill please", "send the invoice"], with_shift=True)
    said(page, "2 messages chosen")
    page.keyboard.press("Escape")
    page.click("#lasso")
    page.mouse.click(*page.evaluate("review.map.whereSaid('do i need a visa')"))
    assert page.locator("#name").input_value() == "visa", "a click is no line"


def test_the_map_as_a_whole_is_not_moved(page: Any) -> None:
    where = "review.map.whereSaid('lol')"
    before = page.evaluate(where)
    page.focus("#map-view")
    page.keyboard.press("ArrowLeft")
    x, y = page.evaluate(where)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 40, steps=4)
    page.mouse.up()
    assert page.evaluate(where) == before


def test_the_map_says_a_message_and_leads_to_its_proposal(page: Any) -> None:
    x, y = page.evaluate("review.map.whereSaid('do i need a visa')")
    page.mouse.move(x, y)
    page.wait_for_selector("#map-tip:not([hidden])")
    assert page.locator("#map-tip").text_content() == "do i need a visavisa"
    page.mouse.click(x, y)
    assert page.locator("#name").input_value() == "visa"


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1280, 800)])
def test_a_click_on_the_map_scrolls_to_the_message_and_not_the_page(
    place: Path, server: Server, browser: Any, width: int, height: int
) -> None:
    shutil.rmtree(place, ignore_errors=True)
    texts = [f"thing {number} is late" for number in range(200)]
    drafts = (
        Draft("long", tuple(texts[:40]), {"messages": 40}),
        *(Draft(f"other_{number}", (text,), {"messages": 1}) for number, text in enumerate(texts[40:])),
    )
    placed = [(draft.intent, text) for draft in drafts for text in draft.examples]
    write_folder(place, drafts, (), tuple((text, 2, "new", intent) for intent, text in placed))
    with opened_desk(server, browser, width) as page:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            "(height) => { const map = document.getElementById('map-view');"
            "return innerHeight === height && map.querySelector('canvas').height === map.clientHeight; }",
            arg=height,
        )
        for row in (39, 20, 199):  # at the end of a draft, amid it, and in a draft at the end of the list
            where = f"review.map.whereIs({row})"
            page.mouse.click(*page.evaluate(where))
            assert page.locator("#detail li.found .message").text_content() == texts[row]
            assert in_view(page, "#detail li.found")
            tick(page, texts[row])
            assert [
                one
                for one in ("header", "#undo", "#map-view", "#legend", ".actions")
                if not in_view(page, one)
            ] == []
            assert page.evaluate(
                "['html', 'body', '#desk'].map((one) => document.querySelector(one).scrollTop)"
            ) == [0, 0, 0]
            page.keyboard.press("Escape")
        assert page.evaluate("document.documentElement.scrollHeight") == height


def in_view(page: Any, selector: str) -> bool:
    """Whether all of it is in the window."""
    box, window = page.locator(selector).bounding_box(), page.viewport_size
    return 0 <= box["y"] and box["y"] + box["height"] <= window["height"] + 0.5


def test_known_intents_left_over_and_search(page: Any, folder: Path) -> None:
    page.click("#tab-known")
    assert page.locator("#detail h2").text_content() == "greet"
    assert page.locator("#detail .message").all_text_contents() == list(GREET.examples)
    page.click("text=Accept")
    said(page, "greet accepted, all known intents are decided")
    page.click("#tab-left")
    assert page.locator("#detail .message").all_text_contents() == ["lol", "my bill [is](late)"]
    page.fill("#query", "BILL")
    assert page.locator("#detail .message").all_text_contents() == ["a bill please", "my bill [is](late)"]
    assert page.locator("#detail .where").all_text_contents() == ["invoice", "left over"]
    tick(page, "my bill")
    page.click("text=Move to")
    page.fill("#choose-text", "invoice")
    page.keyboard.press("Enter")
    said(page, "1 message added to invoice")
    assert draft(folder, "new/invoice.yml").examples[-1] == "my bill [is] (late)"


def test_the_tab_of_what_is_left_over_counts_messages_as_the_overview_does(
    tmp_path: Path, browser: Any
) -> None:
    messages = (*MESSAGES[:-1], ("99", 4, "left_over", None))
    folder = write_folder(tmp_path / "drafts", messages=messages)
    *lines, last = (folder / "assignments.jsonl").read_text().splitlines()
    lines.append(last.replace('"so"', '"set aside: only a number"'))
    (folder / "assignments.jsonl").write_text("\n".join(lines))
    with serving(folder) as running, opened_desk(running, browser) as page:
        page.keyboard.press("0")
        shares = page.locator(".shares li").all_text_contents()
        assert shares[2:] == ["Left over 24.1\u00a0% 7", "Set aside 13.8\u00a0% 4"]
        assert page.locator("#tab-left").text_content() == "Left over7"
        page.click("#tab-left")
        assert page.locator("#items .item").all_text_contents() == ["So7", "Set aside: only a number4"]


def test_what_needs_nothing_stands_below_what_is_left_over(tmp_path: Path, browser: Any) -> None:
    messages = (*MESSAGES, ("hi", 90, "known", None), ("99", 40, "left_over", None))
    folder = write_folder(tmp_path / "drafts", messages=messages)
    *lines, example, number = (folder / "assignments.jsonl").read_text().splitlines()
    lines.append(example.replace('"so"', '"is already a training example of this intent"'))
    lines.append(number.replace('"so"', '"set aside: only a number"'))
    (folder / "assignments.jsonl").write_text("\n".join(lines))
    with serving(folder) as running, opened_desk(running, browser) as page:
        page.click("#tab-left")
        assert page.locator("#items li").all_text_contents() == [
            *("So8", "Not left over, nothing to do:"),
            *("A training example already90", "Set aside: only a number40"),
        ]
        assert page.locator("#detail h2").text_content() == "So"


# By keyboard alone


def test_everything_by_keyboard(page: Any, folder: Path) -> None:
    press = page.keyboard.press
    press("?")
    assert page.locator("#help").is_visible()
    press("Escape")
    press("j")
    press("i")
    said(page, "invoice ignored, next: visa")
    press("l")
    said(page, "visa left for later, next: refund")
    assert page.locator("#progress").text_content() == "1 of 3 proposals decided, 0 of 1 known, 1 for later"
    press("r")
    page.keyboard.type("payback")
    press("Enter")
    said(page, "refund renamed to payback")
    press("e")
    press("Space")
    press("v")
    page.keyboard.type("vis")
    press("Enter")
    said(page, "1 message moved to visa")
    press("e")
    press("Space")
    press("d")
    said(page, "1 message dropped from payback")
    press("/")
    page.keyboard.type("lol")
    press("Enter")
    press("Space")
    press("n")
    page.keyboard.type("laugh")
    page.wait_for_function("() => !document.getElementById('choose-ok').disabled")
    press("Enter")
    said(page, "1 message made a new proposal, laugh")
    press("m")
    page.keyboard.type("order")
    press("Enter")
    said(page, "laugh merged into order")
    press("2")
    press("a")
    said(page, "accepted")
    press("1")
    for _ in range(2):
        press("u")
        page.wait_for_timeout(100)
    said(page, "Undone: laugh merged into order")
    press("Shift+U")
    said(page, "Done again: laugh merged into order")
    assert {path.name: draft(folder, f"new/{path.name}").decision for path in (folder / "new").iterdir()} == {
        "refund.yml": "open",
        "invoice.yml": "ignored",
        "visa.yml": "later",
    }
    assert draft(folder, "new/refund.yml") == Draft("payback", REFUND.examples[2:], REFUND.evidence)


def test_what_a_key_shows_is_told_to_who_does_not_see_the_page(page: Any, folder: Path) -> None:
    assert page.title() == f"refund · {folder} · Review desk"
    for key, words in (
        ("j", "invoice, 4 messages, open, proposal 2 of 3"),
        ("k", "refund, 10 messages, open, proposal 1 of 3"),
        ("2", "greet, 3 messages, open, known intent 1 of 1"),
        ("3", "So, 8 messages, reason 1 of 1"),
        ("0", "Overview"),
        ("9", "Finish"),
    ):
        page.keyboard.press(key)
        hears(page, words)
        assert page.title().partition(" · ")[0] == words.partition(",")[0]
    page.keyboard.press("1")
    for key, part in (("w", "evidence"), ("g", "map")):
        states = ("shown", "hidden") if key == "w" else ("hidden", "shown")
        for state in states:
            page.keyboard.press(key)
            hears(page, f"The {part} is {state}")


def test_who_does_not_see_the_page_hears_everything_once(page: Any) -> None:
    page.keyboard.press("i")
    assert heard(page) == ["refund ignored, next: invoice"]
    page.focus("#items [aria-current]")
    page.keyboard.press("ArrowDown")
    page.wait_for_timeout(200)
    assert page.locator("#live").text_content() == "", "the item that has the focus now is read out"
    page.keyboard.press("k")
    hears(page, "invoice, 4 messages, open, proposal 1 of 3")  # that is not the one with the focus
    page.keyboard.press("e")
    heard(page)
    page.keyboard.press("Control+a")
    assert heard(page) == ["2 ticked"]
    page.keyboard.press("Escape")  # what was said
    page.keyboard.press("Escape")
    assert heard(page) == ["Nothing is ticked"]
    page.keyboard.press("/")
    page.keyboard.type("money")
    assert heard(page) == ["2 messages found"]
    page.keyboard.press("Enter")
    page.keyboard.press("x")
    assert heard(page) == ["2 ticked"]
    page.keyboard.press("Escape")
    assert heard(page) == ["invoice, 4 messages, open, proposal 1 of 3"]


def test_the_help_opens_at_its_beginning(page: Any) -> None:
    page.set_viewport_size({"width": 1366, "height": 500})
    page.keyboard.press("?")
    assert page.locator("#help").evaluate(
        "(help) => [help.scrollTop, help.scrollHeight > help.clientHeight]"
    ) == [*(0, True)]
    assert page.evaluate("document.activeElement.id") == "help-title"


# Two tabs, and what goes wrong


def test_an_old_tab_overwrites_nothing(page: Any, folder: Path) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("body[data-ready]")
    other.keyboard.press("a")
    said(other, "refund accepted")
    page.evaluate("document.querySelector('.verdict.ignored').click()")
    said(page, "the drafts were changed elsewhere")
    assert draft(folder, "new/refund.yml").decision == "accepted"
    assert page.locator("#progress").text_content() == "1 of 3 proposals decided, 0 of 1 known"
    page.keyboard.press("o")
    said(page, "refund is open again")


def test_what_is_written_in_place_of_an_example_outlives_a_decision_in_another_tab(
    page: Any, folder: Path
) -> None:
    page.keyboard.press("e")
    page.keyboard.press("Enter")
    page.fill("#reword-text", "give me my money")
    ignore_visa_elsewhere(page)
    page.evaluate("document.querySelector('#reword form').requestSubmit()")
    page.wait_for_selector("#reword-note >> text=The drafts were changed elsewhere just now.")
    assert page.locator("#reword-text").input_value() == "give me my money"
    page.evaluate("document.querySelector('#reword form').requestSubmit()")
    said(page, "an example of refund is now “give me my money”")
    assert "give me my money" in draft(folder, "new/refund.yml").examples
    assert draft(folder, "new/visa.yml").decision == "ignored"


def test_what_is_left_over_for_a_reason_is_shown_after_a_reload(
    place: Path, server: Server, browser: Any
) -> None:
    shutil.rmtree(place, ignore_errors=True)
    write_folder(place, look_new=("lol",))
    with opened_desk(server, browser) as page:
        page.keyboard.press("3")
        page.keyboard.press("j")
        chosen = page.inner_text("#items [aria-current]")
        assert chosen != page.locator("#items .item").first.inner_text()
        page.reload()
        page.wait_for_selector("body[data-ready]")
        assert page.inner_text("#items [aria-current]") == chosen


def test_an_address_that_is_written_into_the_browser_leads_there(page: Any) -> None:
    page.keyboard.press("3")
    page.evaluate("location.hash = '#new%2Fvisa.yml'; review.show.show()")  # it may be drawn meanwhile
    page.wait_for_function("() => document.querySelector('#name')?.value === 'visa'")
    page.evaluate("location.hash = '#detail'")  # where the link to skip the list leads
    page.wait_for_timeout(100)
    assert page.locator("#name").input_value() == "visa"


def test_back_leads_to_where_a_person_was_and_takes_no_decision_back(page: Any, folder: Path) -> None:
    name = "() => document.querySelector('#name')?.value === '{}'"
    page.click("#items >> text=invoice")
    page.keyboard.press("3")
    page.go_back()
    page.wait_for_function(name.format("invoice"))
    page.keyboard.press("i")
    said(page, "invoice ignored, next: visa")
    page.go_back()
    page.wait_for_function(name.format("refund"))
    page.go_forward()
    page.wait_for_function(name.format("visa"))
    assert [draft(folder, f"new/{one}.yml").decision for one in ("refund", "invoice")] == ["open", "ignored"]
    page.keyboard.press("k")
    page.keyboard.press("m")
    page.keyboard.type("invoice")
    page.keyboard.press("Enter")
    said(page, "refund merged into invoice")
    page.keyboard.press("2")
    page.evaluate("history.go(-3)")  # to the proposal that is gone
    page.wait_for_function("() => location.hash === '#new%2Frefund.yml'")
    page.wait_for_timeout(100)
    assert page.locator("#detail h2").text_content() == "greet"


def test_back_from_what_was_found_leads_to_where_the_search_began(page: Any) -> None:
    page.click("#items >> text=invoice")
    page.keyboard.press("/")
    page.keyboard.type("refund")
    page.locator("#detail .message").first.wait_for()
    page.go_back()
    page.wait_for_function("() => document.querySelector('#name')?.value === 'invoice'")
    assert page.locator("#query").input_value() == ""
    assert page.evaluate("[location.hash, document.activeElement.id]") == ["#new%2Finvoice.yml", "detail"]
    page.keyboard.press("m")
    page.go_back()
    page.wait_for_timeout(100)
    page.keyboard.press("Escape")
    assert page.evaluate("location.hash") == "#new%2Finvoice.yml", (
        "a dialog leads nowhere, nor does the address"
    )
    page.go_back()
    page.wait_for_function("() => document.querySelector('#name')?.value === 'refund'")


def test_back_loses_nothing_that_is_being_written(page: Any) -> None:
    page.keyboard.press("j")
    page.keyboard.press("r")
    page.keyboard.type("payment")
    page.go_back()
    page.wait_for_timeout(100)
    page.keyboard.press("Enter")
    said(page, "invoice renamed to payment")
    page.keyboard.press("j")
    page.keyboard.press("e")
    page.keyboard.press("Space")
    page.keyboard.press("n")
    page.keyboard.type("passport")
    page.go_back()
    page.wait_for_timeout(100)
    assert page.locator("#choose-text").input_value() == "passport"
    assert page.locator("#name").input_value() == "visa"


def test_an_undo_of_what_another_tab_has_decided_shows_that(page: Any) -> None:
    page.keyboard.press("a")
    said(page, "refund accepted, next: invoice")
    ignore_visa_elsewhere(page)
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    said(page, "The drafts were changed elsewhere: this is how they are now.")
    page.keyboard.press("u")
    said(page, "Undone: visa ignored")
    assert page.locator("#name").input_value() == "visa"
    page.keyboard.press("u")
    said(page, "Undone: refund accepted")
    assert page.locator("#name").input_value() == "refund"


def test_another_run_in_the_place_of_the_folder_is_shown(page: Any, folder: Path) -> None:
    shutil.rmtree(folder)
    write_folder(folder, (VISA,), (), (("do i need a visa", 4, "new", "visa"),))
    page.keyboard.press("a")
    page.wait_for_function("() => document.querySelectorAll('#items .title').length === 1")
    page.wait_for_selector("body[data-ready]")
    assert page.locator(".summary").text_content() == "4 messages, 1 distinct."
    assert "decision: open" in (folder / "new/visa.yml").read_text()


def test_a_broken_draft_is_told_and_the_rest_goes_on(folder: Path, server: Server, browser: Any) -> None:
    (folder / "new/refund.yml").write_text("nlu:\n- intent: [\n")
    with opened_desk(server, browser) as page:
        assert "new/refund.yml, line 3: not valid YAML" in page.locator("#problems").text_content()
        page.keyboard.press("a")
        said(page, "invoice accepted")


def test_an_address_that_names_nothing_opens_what_is_to_be_decided(
    folder: Path, server: Server, browser: Any
) -> None:
    with opened(browser, f"{server.address}#%", bool) as other:
        assert other.locator("#name").input_value() == "refund"


def test_a_folder_that_is_gone_is_told(page: Any, folder: Path) -> None:
    shutil.rmtree(folder)
    with page.expect_response("**/api/act"):
        page.keyboard.press("a")
    page.wait_for_selector(
        "text=holds no drafts: run the command in the folder of the bot, after `rasa discover-intents`"
    )


def test_examples_of_which_the_run_was_less_sure_come_apart(page: Any, folder: Path) -> None:
    lines = [json.loads(line) for line in (folder / "assignments.jsonl").read_text().splitlines()]
    for line in lines:
        line["confidence"] = {"money back please": 0.4, "i want it back": 0.6}.get(line["text"], 0.9)
    (folder / "assignments.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    desk = page.context.browser.new_page()
    desk.add_init_script(LISTEN)
    shutil.copytree(folder, folder.parent / "unsure")
    with serving(folder.parent / "unsure") as running:
        desk.goto(running.address)
        desk.wait_for_selector("body[data-ready]")
        texts = "[aria-labelledby={}-title] .message"
        assert desk.locator(texts.format("examples")).all_text_contents()[0] == "where is my money"
        assert desk.locator(texts.format("unsure")).all_text_contents() == ["money back please"]
        assert (
            desk.locator("#unsure-title").text_content()
            == "Less alike than the others 1, read these with care"
        )
        desk.check("[data-all=unsure]")
        desk.keyboard.press("d")
        said(desk, "1 message dropped from refund")
        assert "money back please" not in draft(folder.parent / "unsure", "new/refund.yml").examples
        assert desk.locator(texts.format("unsure")).count() == 0
    desk.close()


def test_the_nearest_intent_stands_beside_a_proposal(page: Any) -> None:
    assert page.locator("#why").is_hidden()
    page.keyboard.press("w")
    page.wait_for_selector("#why >> text=Side by side with greet")
    columns = page.locator(".beside div div")
    assert columns.nth(0).locator("li").all_text_contents() == list(REFUND.examples)
    assert columns.nth(1).locator("li").all_text_contents() == ["hello"]
    page.keyboard.press("j")
    assert page.locator("#why").is_visible(), "it stays open for the next proposal"
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.click("text=Why?")
    page.wait_for_selector("#why", state="hidden")


def test_what_is_far_does_not_stand_beside_a_proposal(tmp_path: Path, browser: Any) -> None:
    far = replace(REFUND, evidence={**REFUND.evidence, "similarity": 0.21})
    folder = write_folder(tmp_path / "far", new=(far,))
    with serving(folder) as server, opened(browser, server.address, lambda event: True) as page:
        page.keyboard.press("w")
        page.wait_for_selector("#why >> text=none is near")
        assert page.locator(".beside").count() == 0


# Whatever a user of the bot wrote


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (820, "dark")])
def test_hostile_messages_are_text(
    place: Path, server: Server, browser: Any, width: int, scheme: str
) -> None:
    shutil.rmtree(place, ignore_errors=True)
    evidence = {"nearest_known_intent": HOSTILE[0], "similarity": 0.9, "keywords": [*HOSTILE[:3]]}
    conflicts = [{"text": HOSTILE[0], "example": HOSTILE[1], "intent": HOSTILE[0]}]
    hostile = Draft("sofa", HOSTILE, {**evidence, "conflicts": conflicts})
    messages = tuple((text, 1, "new", "sofa") for text in HOSTILE)
    write_folder(place, (hostile,), (), messages, {"intents": [HOSTILE[0], *HOSTILE[1:3]]})
    with opened_desk(server, browser, width, scheme) as page:
        page.fill("#name", "<img src=x onerror=>")
        page.keyboard.press("Enter")
        page.wait_for_selector("#name-note >> text=“<img src=x onerror=>” has other characters")
        page.click("#name-ok")
        said(page, "renamed to <img src=x onerror=>")
        shown = page.locator("#detail .message").all_text_contents()
        assert [text.partition("nearly")[0] for text in shown] == list(HOSTILE)
        page.keyboard.press("m")
        assert HOSTILE[1] in page.locator("#choose-list").text_content()
        page.keyboard.press("Escape")
        page.fill("#query", "onerror")
        assert page.locator("#detail h2").text_content() == "“onerror”"
        if width < 1100:
            page.click("#map-toggle")
        for row in range(len(HOSTILE)):
            where = f"review.map.whereIs({row})"
            page.mouse.move(*page.evaluate(where))
            page.wait_for_selector("#map-tip:not([hidden])")
        assert page.evaluate("document.querySelectorAll('main img, main script, aside img').length") == 0
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_proposal_of_ten_thousand_messages(place: Path, server: Server, browser: Any) -> None:
    shutil.rmtree(place, ignore_errors=True)
    texts = (*HOSTILE, *(f"my sofa number {number} is late" for number in range(10_000 - len(HOSTILE))))
    write_folder(place, (Draft("sofa", texts),), (), tuple((text, 1, "new", "sofa") for text in texts))
    with opened_desk(server, browser) as page:
        assert page.locator(".summary").text_content() == "10,000 messages, 10,000 distinct."
        shown = page.locator("#detail .message").all_text_contents()
        assert tuple(text for text in shown if not text.startswith("my sofa"))[: len(HOSTILE)] == HOSTILE
        assert len(shown) < len(texts)
        tick(page, HOSTILE[1])
        page.keyboard.press("d")
        said(page, "1 message dropped from sofa")
        page.keyboard.press("a")
        said(page, "sofa accepted")
    found = draft(place, "new/sofa.yml")
    assert (found.decision, len(found.examples)) == ("accepted", 9_999)


@pytest.mark.parametrize("width", [1280, 820])
def test_everything_has_a_name_for_who_listens(
    folder: Path, server: Server, browser: Any, width: int
) -> None:
    with opened_desk(server, browser, width) as page:
        tick(page, "money back please")
        unnamed = page.evaluate(
            """() => [...document.querySelectorAll("button, input, [role]:not([role=status], [role=alert])")]
              .filter((one) => one.checkVisibility() && !(one.getAttribute("aria-label")
                || one.getAttribute("aria-labelledby") || one.textContent.trim() || one.labels?.length))
              .map((one) => one.outerHTML)"""
        )
        assert unnamed == []
        landmarks = page.evaluate(
            "['header', 'nav', 'main', 'aside', '[role=search]']"
            ".map((one) => document.querySelectorAll(one).length)"
        )
        assert landmarks == [1, 1, 1, 1, 1]


def test_the_messages_of_the_tests_are_those_of_the_folder(folder: Path) -> None:
    lines = (folder / "assignments.jsonl").read_text().splitlines()
    assert [json.loads(line)["text"] for line in lines] == [text for text, *_ in MESSAGES]
