"""Known intents on the page: those in need of a look first, and what is sure of them accepted at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import opened, said
from desk_folder import GREET, LAMP, PARTS, REFUND, files_of, write_folder
from desk_server import serving
from near_folder import TEXTS, write_near_folder

from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.desk.session import Session
from rasa_intent_discovery.training_data.nlu_yaml import Draft, from_yaml

ORDER = Draft("order", ("one lamp please", "i take two", "mail <email>", "a lot"), {"messages": 90})
BYE = Draft("bye", ("see you", "so long"), {"messages": 2})
ACCEPT = "#items [data-command=acceptSure]"
SURE = ("hey there", LAMP[0], LAMP[1], "one lamp please", "mail <email>", "see you", "so long")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    known = (Draft("greet", (*GREET.examples, *LAMP), GREET.evidence), ORDER, BYE)
    placed = [(text, 1, "known", draft.intent) for draft in (ORDER, BYE) for text in draft.examples]
    return write_folder(
        tmp_path / "drafts",
        **{**PARTS, "known": known, "messages": (*PARTS["messages"], *placed)},
        sure=SURE,
    )


@pytest.fixture
def page(folder: Path, browser: Any) -> Iterator[Any]:
    with serving(folder) as server, opened(browser, server.address, server.asked) as one:
        yield one


def draft(folder: Path, intent: str) -> Draft:
    return from_yaml((folder / f"known/{intent}.yml").read_text(encoding="utf-8"))


def test_those_in_need_of_a_look_come_first(page: Any) -> None:
    assert page.locator("#order").text_content() == "Most worth a look first"
    page.keyboard.press("2")
    assert page.locator("#order").text_content() == "Most in need of a look first"
    told = page.locator("#items [data-path]")
    page.keyboard.press("i")
    page.locator("#order", has_text="Most in need of a look first, what is ignored last").wait_for()
    page.keyboard.press("u")
    page.locator("#order", has_not_text="ignored").wait_for()
    for _ in range(3):
        page.keyboard.press("i")
    page.locator("#order", has_text="All are decided, what is ignored last").wait_for()
    for _ in range(3):
        page.keyboard.press("u")
    page.locator("#order", has_not_text="ignored").wait_for()
    names, reasons = (told.locator(part) for part in (".title", ".lately"))
    assert names.all_text_contents() == ["greet", "order", "bye"]
    assert reasons.all_text_contents() == ["2 look new, 1 less sure", "2 less sure"]


def test_where_no_example_is_sure_the_list_says_so(tmp_path: Path, browser: Any) -> None:
    known = (ORDER, Draft("bye", BYE.examples, BYE.evidence))
    placed = tuple((text, 1, "known", draft.intent) for draft in known for text in draft.examples)
    folder = write_folder(tmp_path / "drafts", known=known, messages=placed, sure=("see you",))
    with (
        serving(folder) as server,
        opened(browser, server.address, lambda event: str(server.port) in event) as page,
    ):
        page.keyboard.press("2")
        for name, headings in (
            ("order", ["Less sure that they belong here 4"]),
            ("bye", ["Examples 1", "Less sure that they belong here 1"]),
        ):
            page.click(f"#items >> text={name}")
            found = page.locator("#examples-title, #unsure-title").all_text_contents()
            assert [one.partition(",")[0] for one in found] == headings


def test_what_is_sure_is_shown_then_accepted_and_one_undo_takes_it_back(page: Any, folder: Path) -> None:
    before = files_of(folder)
    page.keyboard.press("2")
    assert page.locator("#progress").text_content() == "0 of 3 proposals decided, 0 of 3 known"
    page.click("text=Accept the 5 sure examples of 3 intents")
    page.get_by_role("heading", name="Accept 5 examples of 3 intents?").wait_for()
    assert files_of(folder) == before, "they are shown first"
    page.get_by_role("button", name="Accept these 5").click()
    said(page, "5 examples of 3 intents accepted, 6 left out")
    assert page.locator("#progress").text_content() == "0 of 3 proposals decided, 3 of 3 known"
    assert page.locator(ACCEPT).count() == 0
    kept = {name: draft(folder, name) for name in ("greet", "order", "bye")}
    assert {name: (one.decision, one.examples) for name, one in kept.items()} == {
        "greet": ("accepted", ("hey there", LAMP[0])),
        "order": ("accepted", ("one lamp please",)),
        "bye": ("accepted", BYE.examples),
    }
    assert "More messages of this intent 3" in page.locator("#others-title").text_content()
    page.keyboard.press("u")
    said(page, "Undone: 5 examples of 3 intents accepted")
    assert files_of(folder) == before


def test_what_looks_new_is_still_listed_when_the_sure_examples_alone_were_accepted(page: Any) -> None:
    page.keyboard.press("2")
    page.click("text=Accept the 5 sure examples")
    page.get_by_role("button", name="Accept these 5").click()
    said(page, "5 examples of 3 intents accepted, 6 left out")
    page.keyboard.press("0")
    look_new = page.locator(".borderline li")
    assert look_new.all_text_contents()[0].startswith("greet: 2 distinct messages")
    page.keyboard.press("2")
    page.click("#items .item >> text=greet")
    page.keyboard.press("i")
    said(page, "greet ignored, all known intents are decided")
    page.keyboard.press("0")
    assert look_new.count() == 0


def test_what_is_sure_is_shown_by_intent_and_what_is_unticked_is_not_accepted(
    page: Any, folder: Path
) -> None:
    before = files_of(folder)
    page.keyboard.press("2")
    page.click("text=Accept the 5 sure examples")
    dialog = page.locator("#sure")
    dialog.locator("summary").last.wait_for()
    assert dialog.locator("summary").all_text_contents() == ["greet 2 of 2", "order 1 of 1", "bye 2 of 2"]
    shown = ["hey there", LAMP[0], "one lamp please", *BYE.examples]
    assert dialog.locator("li").all_text_contents() == shown
    dialog.get_by_role("button", name="Cancel").click()
    assert files_of(folder) == before
    page.click("text=Accept the 5 sure examples")
    dialog.get_by_role("checkbox", name=LAMP[0], exact=True).uncheck()
    dialog.get_by_label("All of this intent").last.uncheck()
    assert dialog.locator("summary").all_text_contents() == [
        "greet 1 of 2",
        "order 1 of 1",
        "bye 0 of 2, stays open",
    ]
    page.get_by_role("heading", name="Accept 2 examples of 2 intents?").wait_for()
    page.get_by_role("button", name="Accept these 2").click()
    said(page, "2 examples of 2 intents accepted, 7 left out")
    assert draft(folder, "greet").examples == ("hey there",)
    assert draft(folder, "bye") == BYE
    page.keyboard.press("u")
    said(page, "Undone: 2 examples of 2 intents accepted")
    assert files_of(folder) == before


def test_intents_without_a_sure_example_are_counted_too_as_far_as_they_are_open(
    page: Any, folder: Path
) -> None:
    accept = page.locator(ACCEPT)
    page.keyboard.press("2")

    def dropped(intent: str, message: str) -> None:
        page.click(f"#items .item >> text={intent}")
        page.locator("#detail").get_by_label(message).check()
        page.keyboard.press("d")
        said(page, f"1 message dropped from {intent}")

    for intent, message, told in (
        ("bye", "see you", "Accept the 4 sure examples of 3 intents … Their 6 other examples are left out. "),
        (
            "order",
            "one lamp please",
            "Accept the 3 sure examples of 2 intents … "
            "Their 3 other examples are left out. 1 more intent has no sure example and stays open.",
        ),
    ):
        dropped(intent, message)
        assert accept.text_content() == told
    accept.click()
    page.get_by_role("button", name="Accept these 3").click()
    said(page, "3 examples of 2 intents accepted, 3 left out")
    assert draft(folder, "order").decision == "open"
    progress = page.locator("#progress")
    assert progress.text_content() == "0 of 3 proposals decided, 2 of 3 known"
    for message in ("i take two", "mail <email>", "a lot"):
        dropped("order", message)
    assert progress.text_content() == "0 of 3 proposals decided, 3 of 3 known", "nothing is left to decide"
    page.locator("#detail .note", has_text="Nothing is left in it").wait_for()
    page.keyboard.press("9")
    page.locator("h2", has_text="Finish").wait_for()
    table = [*"00030", *"20001"]
    assert page.locator(".counts tbody td").all_text_contents() == table, (
        "the last column is what was emptied"
    )


def test_the_parts_are_a_page_of_their_own(page: Any) -> None:
    page.keyboard.press("2")
    page.click("text=Wishes inside these")
    assert page.locator(".parts .evidence > p:first-child").all_text_contents() == [
        "blue_lamp may be a wish of its own inside greet: 6 messages",
        "refund_2 may be a wish of its own inside out_of_scope: 8 messages",
    ]
    page.keyboard.press("a")  # no draft is shown
    page.keyboard.press("p")
    said(page, "3 messages made a new proposal, blue_lamp")
    page.keyboard.press("u")
    said(page, "Undone: 3 messages made a new proposal, blue_lamp")
    assert page.locator("#parts-title").text_content() == "Wishes inside intents your bot has"
    assert page.locator("#progress").text_content() == "0 of 3 proposals decided, 0 of 3 known"


def test_what_is_sure_was_the_last_that_was_open_and_the_end_of_the_review_is_shown(page: Any) -> None:
    accept = "text=Accept the 5 sure examples"
    done = page.get_by_role("heading", name="All drafts are decided")
    page.keyboard.press("2")
    page.click(accept)
    page.get_by_role("button", name="Accept these 5").click()
    said(page, "5 examples of 3 intents accepted, 6 left out")
    assert done.count() == 0, "proposals are open"
    page.keyboard.press("u")
    said(page, "Undone")
    page.keyboard.press("1")
    for left in ("next", "next", "all proposals are decided"):
        page.keyboard.press("i")
        said(page, f"ignored, {left}")
    page.keyboard.press("2")
    page.click(accept)
    page.get_by_role("button", name="Accept these 5").click()
    done.wait_for()
    left = "Undecided: 6 further examples of 2 intents your bot has: left out when others were accepted. "
    assert page.locator("#detail .going-on").text_content() == f"{left}Go through them"
    page.keyboard.press("u")
    said(page, "Undone")
    assert done.count() == 0
    page.keyboard.press("9")
    page.get_by_role("button", name="Look at the 5 sure ones").click()
    page.get_by_role("heading", name="Accept 5 examples of 3 intents?").wait_for()


def test_what_nobody_decided_about_is_gone_through_in_one_list(page: Any, folder: Path) -> None:
    page.keyboard.press("2")
    page.get_by_role("button", name="Go through 11 undecided examples of 3 intents").wait_for()
    page.click("text=Accept the 5 sure examples")
    page.get_by_label("All of this intent").last.uncheck()
    page.get_by_role("button", name="Accept these 3").click()
    said(page, "3 examples of 2 intents accepted, 6 left out")
    before = files_of(folder)
    page.get_by_role("button", name="Go through 8 undecided examples of 3 intents").click()
    dialog = page.locator("#sure")
    dialog.get_by_role("heading", name="Accept which examples?").wait_for()
    assert dialog.get_by_role("button", name="Accept these 0").is_disabled()
    told = dialog.locator("summary")
    assert told.all_text_contents() == ["order 0 of 3", "greet 0 of 3", "bye 0 of 2, stays open"]
    shown = dialog.locator("li").all_text_contents()
    assert shown[:4] == ["mail <email> holds a mask", "i take two", "a lot", "good day"]
    looking_new = [one.endswith("looks new") for one in shown]
    assert looking_new == [False] * 4 + [True] * 2 + [False] * 2, "the last ones of greet"
    dialog.get_by_role("checkbox", name="so long").check()
    dialog.get_by_role("checkbox", name="good day").check()
    assert told.all_text_contents() == ["order 0 of 3", "greet 1 of 3", "bye 1 of 2"]
    dialog.get_by_role("button", name="Accept these 2").click()
    said(page, "2 examples of 2 intents accepted, 1 left out")
    kept = {name: draft(folder, name) for name in ("greet", "order", "bye")}
    assert {name: (one.decision, one.examples) for name, one in kept.items()} == {
        "greet": ("accepted", ("hey there", LAMP[0], "good day")),
        "order": ("accepted", ("one lamp please",)),
        "bye": ("accepted", ("so long",)),
    }
    page.get_by_role("button", name="Go through 6 undecided examples of 3 intents").wait_for()
    page.keyboard.press("u")
    said(page, "Undone: 2 examples of 2 intents accepted, 1 left out")
    assert files_of(folder) == before


def test_what_is_not_ticked_is_refused_where_a_person_says_so(page: Any, folder: Path) -> None:
    page.keyboard.press("2")
    accept, through = page.get_by_text("Accept the 5 sure examples"), page.get_by_text("Go through")
    dialog, refuse = page.locator("#sure"), page.get_by_label("does not belong there")
    accept.click()
    dialog.get_by_role("heading", name="Accept 5 examples").wait_for()
    assert not refuse.is_visible(), "they are listed for being sure, the others are not here"
    page.keyboard.press("Escape")
    before = files_of(folder)
    through.click()
    refuse.check()
    dialog.get_by_role("button", name="Refuse 11").wait_for()
    dialog.get_by_role("checkbox", name="so long").check()
    dialog.get_by_role("button", name="Accept this one, refuse 10").click()
    said(page, "1 example of 1 intent accepted, 10 examples refused")
    assert through.count() == 0
    kept = {name: draft(folder, name) for name in ("greet", "order", "bye")}
    assert {name: (one.decision, one.examples) for name, one in kept.items()} == {
        "greet": ("open", ()),
        "order": ("open", ()),
        "bye": ("accepted", ("so long",)),
    }
    page.keyboard.press("u")
    said(page, "Undone: 1 example of 1 intent accepted, 10 examples refused")
    assert files_of(folder) == before
    through.click()
    dialog.get_by_role("heading", name="Accept which examples?").wait_for()
    assert not refuse.is_checked()


def test_an_example_goes_to_the_intent_it_belongs_to_while_going_through(
    tmp_path: Path, browser: Any
) -> None:
    """By the arrow, to what it is nearest to; by the list, to any other; in one decision with the rest."""
    texts = {**TEXTS, "good day": (0.95, 0.0, 0.1)}
    folder = write_near_folder(tmp_path / "drafts", texts)
    before = files_of(folder)
    with serving(folder) as server, opened(browser, server.address, bool) as page:
        page.keyboard.press("2")
        through = page.get_by_role("button", name="Go through 2 undecided examples")
        through.click()
        dialog = page.locator("#sure")
        lines = {text: dialog.locator("li", has_text=text) for text in ("good day", "hey there")}
        arrow = lines["good day"].get_by_role("button", name="refund")
        assert arrow.get_attribute("aria-pressed") == "false"
        tick = lines["good day"].get_by_role("checkbox")
        tick.check()
        dialog.get_by_role("button", name="Accept this one").wait_for()
        arrow.click()
        assert not tick.is_checked()
        assert dialog.locator("summary").text_content() == "greet 0 of 2, 1 moved, stays open"
        dialog.get_by_role("button", name="Move 1", exact=True).wait_for()
        tick.check()
        assert arrow.get_attribute("aria-pressed") == "false"
        arrow.click()
        dialog.get_by_role("checkbox", name="All of this intent").check()
        assert not tick.is_checked(), "it goes elsewhere"
        dialog.get_by_role("button", name="Accept this one, move 1").wait_for()
        others = lines["hey there"].get_by_label("goes instead")
        others.focus()
        offered = others.locator("option").all_text_contents()
        assert offered == ["", "visa", "invoice", "order", "refund", "New proposal …"], "the nearest first"
        others.select_option("order")
        chosen = lines["hey there"].get_by_role("button", name="order")
        assert chosen.get_attribute("aria-pressed") == "true"
        dialog.get_by_role("button", name="Move 2", exact=True).click()
        said(page, "2 messages moved to order and refund")
        order, refund = (folder / path for path in ("known/order.yml", "new/refund.yml"))
        assert from_yaml(order.read_text(encoding="utf-8")).examples == ("hey there",)
        assert "good day" in from_yaml(refund.read_text(encoding="utf-8")).examples
        assert draft(folder, "greet").decision == "open"
        page.keyboard.press("u")
        said(page, "Undone: 2 messages moved to order and refund")
        assert files_of(folder) == before
        through.click()
        page.get_by_role("checkbox", name="does not belong there").check()
        lines["good day"].get_by_role("button", name="refund").click()
        dialog.get_by_role("button", name="Refuse 1, move 1").click()
        said(page, "1 example refused, 1 message moved to refund")
        assert draft(folder, "greet").evidence["refused"] == ["hey there"]


def test_while_going_through_the_arrow_keys_go_from_line_to_line_and_an_example_becomes_a_proposal(
    tmp_path: Path, browser: Any
) -> None:
    folder = write_near_folder(tmp_path / "drafts")
    with serving(folder) as server, opened(browser, server.address, bool) as page:
        page.keyboard.press("2")
        page.get_by_role("button", name="Go through 2 undecided examples").click()
        lines = page.locator("#sure li")
        lines.nth(1).wait_for()
        first, second = lines.all()
        first.get_by_role("checkbox").focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Space")
        assert (first.locator("input").is_checked(), second.locator("input").is_checked()) == (False, True)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Space")
        assert first.locator("input").is_checked(), "there is no line below the last one"
        others = first.get_by_label("goes instead")
        others.focus()
        others.select_option("New proposal …")
        naming = page.locator("#choose")
        naming.get_by_role("heading", name="A new proposal").wait_for()
        page.keyboard.type("greeting_of_old")
        page.keyboard.press("Enter")
        first.get_by_role("button", name="greeting_of_old").wait_for()
        others = second.get_by_label("goes instead")
        others.focus()
        others.select_option("greeting_of_old (new)")
        page.get_by_role("button", name="Move 2", exact=True).click()
        said(page, "2 messages moved to greeting_of_old")
        made = from_yaml((folder / "new/greeting_of_old.yml").read_text(encoding="utf-8"))
        assert sorted(made.examples) == ["good day", "hey there"]
        page.keyboard.press("u")
        said(page, "Undone: 2 messages moved to greeting_of_old")
        assert not (folder / "new/greeting_of_old.yml").exists()


def test_accepting_a_known_intent_asks_about_what_the_run_proposed_beside_what_was_merged(
    page: Any, folder: Path
) -> None:
    before = files_of(folder)
    page.keyboard.press("m")
    page.keyboard.type("order")
    page.keyboard.press("Enter")
    said(page, "refund merged into order, still to be accepted there")
    page.keyboard.press("a")
    page.wait_for_selector("#part[open]")
    assert page.locator("#part-title").text_content() == "Accept 7 examples of order?"
    assert page.locator("#part-text").text_content() == (
        "3 of them came by a merge or a move. The run proposed the 4 others: read before you accept all. "
        "What is left out stays listed with the intent."
    )
    page.keyboard.press("Escape")
    assert draft(folder, "order").decision == "open"
    page.keyboard.press("a")
    page.get_by_role("button", name="Only the 3").click()
    said(page, "3 examples of 1 intent accepted, 4 left out")
    assert (draft(folder, "order").decision, draft(folder, "order").examples) == ("accepted", REFUND.examples)
    page.keyboard.press("u")
    said(page, "Undone: 3 examples of 1 intent accepted")
    page.click("#items >> text=order")
    page.keyboard.press("a")
    page.get_by_role("button", name="All 7").click()
    said(page, "order accepted")
    assert draft(folder, "order").examples == (*ORDER.examples, *REFUND.examples)
    for told in ("Undone: order accepted", "Undone: refund merged into order"):
        page.keyboard.press("u")
        said(page, told)
    assert files_of(folder) == before


def test_what_the_run_alone_proposed_is_accepted_without_a_question(page: Any, folder: Path) -> None:
    page.keyboard.press("2")
    page.click("#items >> text=bye")
    page.keyboard.press("a")
    said(page, "bye accepted")
    assert draft(folder, "bye").examples == BYE.examples


def test_only_what_a_person_moved_there_is_told_apart(folder: Path) -> None:
    session = Session(folder)
    session.act("reword", {"draft": "known/bye.yml", "text": "so long", "wording": "so long then"})
    assert session.state()["totals"]["known/bye.yml"]["brought"] == 0
    session.act("move", {"texts": ["lol"], "target": "bye"})
    assert session.state()["totals"]["known/bye.yml"]["brought"] == 2
    session.act("accept_brought", {"draft": "known/bye.yml"})
    assert draft(folder, "bye").examples == ("so long then", "lol")
    with pytest.raises(DataError, match="nothing was put there beside what the run proposed"):
        session.act("accept_brought", {"draft": "known/bye.yml"})
