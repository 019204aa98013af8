"""A folder in which everything occurs that the review desk can show, and a way through all of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from browser import draw_around, said
from desk_folder import (
    GREET,
    INVOICE,
    LAMP,
    NEAREST,
    PARTS,
    QUESTIONS,
    REFUND,
    VISA,
    with_conversations,
    write_folder,
)

from rasa_intent_discovery.corpus.turns import BOT, USER, Occurrence, Turn, Turns
from rasa_intent_discovery.datatypes import LoggedMessage
from rasa_intent_discovery.training_data.nlu_yaml import Draft

_LONG = tuple(f"where is parcel {number} of my order, it was to come <email>" for number in range(60))
_MONEY = tuple(f"the money for order {number} is not on my account yet" for number in range(9))
_WIDE = "w" * 300
#: A long list of proposals, one with many examples, and names that fit nowhere.
NEW = (
    replace(
        REFUND,
        examples=(*REFUND.examples, *_MONEY),
        evidence={
            **REFUND.evidence,
            "entities": ["[money](thing)", "[back](direction)"],
            "cohesion": 0.4,
            "similarity": 0.9,
            "takes_from": {"order": 2, "greet": 1},
            "quick_test": {"asked": 500, "more_wrong": 10},
        },
    ),
    INVOICE,
    replace(VISA, evidence={**VISA.evidence, **NEAREST, "similarity": 0.9}),
    Draft("where_is_my_parcel_and_when_does_it_come_to_me_at_last", _LONG, {"messages": 60, **NEAREST}),
    Draft("a" * 90, (_WIDE, "a wide one"), {"messages": 2}),
    *(
        Draft(f"wish_{number}", (f"I wish {number}", f"wishing {number}"), {"messages": 2})
        for number in range(40)
    ),
)


def write_full_folder(folder: Path) -> Path:
    """Writes it and returns it."""
    placed = [
        (text, draft.intent)
        for draft in (replace(REFUND, examples=_MONEY), *NEW[3:])
        for text in draft.examples
    ]
    parts = PARTS["messages"]
    assert isinstance(parts, tuple)
    run = PARTS["run"]
    assert isinstance(run, dict)
    write_folder(
        folder,
        new=NEW,
        known=(replace(GREET, examples=(*GREET.examples, *LAMP)),),
        messages=(*parts, *((text, 1, "new", intent) for text, intent in placed)),
        run={
            **run,
            **QUESTIONS,
            "drafts": {f"new/{name}.yml": name for name in ("refund", "invoice", "visa")},
            "families": [["refund", "visa"]],
        },
        look_new=LAMP[1:],
        sure=GREET.examples,
    )
    asked = Turn(BOT, ("Do you want your money back, or another lamp?", "[Money] [Lamp]"))
    around = Occurrence(1_770_000_000.0, (Turn(USER, (_WIDE,)), asked), (Turn(BOT, ("Sorry?",)),))
    turns = Turns()
    for _ in range(3):
        turns.keep(LoggedMessage(REFUND.examples[0]), around)
    return with_conversations(folder, turns)


def choose(page: Any, name: str) -> None:
    show_list(page)
    page.locator("#items button", has_text=name).first.click()


def show_list(page: Any) -> None:
    """Unfolds the list, which is folded on a phone."""
    button = page.locator("#list-fold[aria-expanded=false]")
    if button.is_visible():
        button.click()


def through_everything(page: Any, narrow: bool, reached: Callable[[str], None]) -> None:
    """Goes to everything there is, by mouse and key, and back: the drafts are as they were."""
    reached("the page as it opens")
    choose(page, "refund")
    reached("a proposal with a family and entities")
    page.locator("#detail .lines li").first.hover()
    page.locator("#detail .around").first.click()
    page.wait_for_selector("#talk[open] .turn")
    reached("a conversation")
    page.keyboard.press("Escape")
    page.click("[data-command=why]")
    page.wait_for_selector("#why")
    reached("why, and the nearest intent side by side")
    page.click("[data-command=why]")
    page.locator("#detail [data-item]").first.click()
    reached("one ticked")
    page.click(".actions [data-command=move]")
    reached("the dialog of a move")
    page.fill("#choose-text", "a name for a new proposal")
    reached("the same with a name")
    page.keyboard.press("Escape")
    page.locator("#detail [data-item]").first.press("Enter")
    page.wait_for_selector("#reword[open]")
    reached("the dialog of an example's text")
    page.keyboard.press("Escape")
    page.click(".actions [data-command=split]")
    page.fill("#choose-text", "visa")
    page.wait_for_function("() => document.getElementById('choose-note').textContent")
    reached("the dialog of a new proposal")
    page.keyboard.press("Escape")
    page.click(".actions [data-command=untick]")
    page.click("[data-command=merge]")
    reached("the dialog of a merge")
    page.keyboard.press("Escape")
    page.fill("#name", "a b")
    page.wait_for_selector("#name-ok:not([hidden])")
    reached("a name that is being written, of which there is doubt")
    page.fill("#name", "a_b")
    page.focus("#query")
    said(page, "renamed to a_b")
    page.click("#undo")
    said(page, "Undone")
    page.click("#help-open")
    reached("the help")
    page.keyboard.press("Escape")
    choose(page, "where_is_my_parcel")
    reached("a long draft")
    page.click("[data-command=more]")
    page.locator("#detail [data-item]").last.click()
    reached("the end of a long draft")
    page.click(".verdict.later")
    said(page, "left for later")
    reached("a toast")
    page.click("#toast >> text=Undo")
    said(page, "Undone")
    page.keyboard.press("d")
    said(page, "Tick messages first.")
    reached("a toast that says why not")
    page.keyboard.press("n")
    page.wait_for_selector("#tell[open]")
    reached("a dialog that says why not")
    page.keyboard.press("Enter")
    choose(page, "aaaaaaaa")
    reached("what is too wide")
    show_list(page)
    page.locator("#items button").last.scroll_into_view_if_needed()
    reached("the list")
    page.locator("#items button").last.click()
    reached("the end of the list")
    page.click("#overview-open")
    reached("the overview")
    page.click("#end-open")
    reached("the end of the review")
    show_list(page)
    page.click("#tab-known")
    choose(page, "greet")
    reached("a known intent with a part")
    page.locator("#detail [data-part]").first.click()
    said(page, "made a new proposal, blue_lamp")
    reached("a part that was split off")
    page.click("#undo")
    said(page, "Undone")
    for command, which in (("acceptSure", "sure"), ("acceptUndecided", "undecided")):
        show_list(page)
        page.click(f"#items [data-command={command}]")
        page.wait_for_selector("#sure[open]")
        reached(f"the dialog of examples that are {which}")
        page.keyboard.press("Escape")
    page.keyboard.press("4")
    reached("a question")
    page.keyboard.press("Escape")
    show_list(page)
    page.click("#tab-left")
    reached("what is left over")
    page.fill("#query", "parcel")
    page.locator("#detail [data-item]").first.click()
    reached("what was found")
    page.keyboard.press("Escape")
    if narrow:
        page.click("#map-toggle")
        page.wait_for_function("() => document.querySelector('#map-view canvas').height > 1")
        reached("the map")
    page.click("#zoom-in")
    page.click("#zoom-all")
    draw_around(page, ["a bill please", "send the invoice"])
    said(page, "messages chosen")
    reached("what was drawn around")
