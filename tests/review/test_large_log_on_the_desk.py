"""The desk on a log that is too large for a page to have all of its messages."""

from __future__ import annotations

import gc
import json
import shutil
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import browser, drag_around, hears, ignore_visa_elsewhere, opened, said
from desk_folder import MESSAGES, write_folder
from desk_server import ask, serving
from large_folder import GREET, PLACED, REFUND, VISA, write_large_folder

from rasa_intent_discovery.drafts.numbers import DRAFTS
from rasa_intent_discovery.review.decisions.files import act
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.desk.session import Session
from rasa_intent_discovery.review.messages.log import Log
from rasa_intent_discovery.review.numbers import DESK, REVIEW
from rasa_intent_discovery.review.page.report import write_report

__all__ = ["browser"]
MANY = DRAFTS.most_examples
#: What another page does, of which this one is not told.
ELSEWHERE = """async ([verb, given]) => {
  const { revision, run } = review.model.model;
  const body = JSON.stringify({ revision, run, verb, arguments: given });
  await fetch("api/act", { method: "POST", headers: { "Content-Type": "application/json" }, body });
}"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(write_large_folder(tmp_path / "drafts"))


@pytest.fixture
def page(tmp_path: Path, browser: Any) -> Iterator[Any]:
    with serving(write_large_folder(tmp_path / "drafts")) as desk:
        with opened(browser, desk.address, lambda event: str(desk.port) in event) as page:
            yield page


def rows_of(told: dict[str, Any]) -> list[int]:
    rows = told["list"]
    assert isinstance(rows, list)
    assert {*rows} <= {*told["messages"]["rows"]}
    return rows


def test_what_a_page_gets_does_not_grow_with_the_log(tmp_path: Path) -> None:
    sizes = []
    for messages in (21_000, 42_000):
        folder = write_large_folder(tmp_path / str(messages), messages)
        page = Session(folder).page()
        assert len(page["messages"]["rows"]) == DESK.most_loaded
        assert page["messages"]["total"] == messages
        assert all("splice" not in draft for draft in page["state"]["drafts"].values())
        write_report(open_desk(folder))
        sizes.append((len(json.dumps(page)), (folder / "report.html").stat().st_size))
    assert [round(large / small, 1) for small, large in zip(*sizes, strict=True)] == [1.0, 1.0]


def test_a_page_is_told_how_much_there_is_of_everything(session: Session) -> None:
    state = session.state()
    told = {path: (one["messages"], one["distinct"], one["beside"]) for path, one in state["totals"].items()}
    assert told == {
        GREET: (PLACED["greet"] + 1, PLACED["greet"], PLACED["greet"] - MANY),
        REFUND: (PLACED["refund"] + 1, PLACED["refund"], PLACED["refund"] - MANY),
        VISA: (PLACED["visa"] + 1, PLACED["visa"], 0),
    }
    assert state["left"] == [("so", 8_900, 8_901)]


def test_a_draft_comes_with_its_examples_and_the_first_of_its_other_messages(session: Session) -> None:
    told = session.draft(REFUND)
    assert told["examples"] == [*range(MANY)]
    assert told["others"] == [*range(MANY, MANY + DESK.most_rows)]
    assert told["messages"]["texts"][-1] == "refund please, it is about number 999"
    assert told["messages"]["listing"] == [("", told["others"]), (REFUND, told["examples"])]


def test_more_of_a_list_comes_from_where_the_last_part_ended(session: Session) -> None:
    middle = rows_of(session.listed(REFUND, None, 1_000))
    assert middle == [*range(MANY + 1_000, MANY + 1_000 + DESK.most_rows)]
    assert rows_of(session.listed(REFUND, None, PLACED["refund"])) == []
    frequent, *others = rows_of(session.listed(None, "so", 0))
    assert (session.log.messages[frequent].count, len(others)) == (2, DESK.most_rows - 1)


def test_lists_are_as_they_are_after_every_decision(session: Session) -> None:
    texts = [session.log.messages.texts[row] for row in (0, 1)]
    dropped = session.act("drop", {"draft": REFUND, "texts": texts})
    assert dropped["drafts"][REFUND]["splice"] == [0, 2, []]
    assert dropped["listing"] == [("", [0, 1])]
    assert rows_of(session.listed(REFUND, None, 0))[:3] == [0, 1, MANY]
    session.act("undo", {})
    assert rows_of(session.listed(REFUND, None, 0))[0] == MANY

    merged = session.act("merge", {"draft": VISA, "target": REFUND})
    assert merged["totals"][REFUND]["distinct"] == PLACED["refund"] + PLACED["visa"]
    assert merged["listing"] == [(REFUND, [*range(PLACED["refund"], PLACED["refund"] + PLACED["visa"])])]
    assert session.draft(REFUND)["examples"][MANY] == PLACED["refund"]
    assert session.act("undo", {})["listing"][0][0] == VISA

    moved = session.act("move", {"texts": [1_500], "target": VISA})
    assert (moved["totals"][VISA]["size"], moved["totals"][REFUND]["beside"]) == (101, 2_499)
    assert 1_500 not in rows_of(session.listed(REFUND, None, 1_000 - 500))


def test_words_are_found_in_all_messages(session: Session) -> None:
    found = session.searching({"words": "Number 8999 GREET"})()
    assert [session.log.messages.texts[row] for row in found["list"]] == [
        "greet please, it is about number 8999"
    ]
    assert (found["found"], found["searched"]) == (1, 21_000)
    many = session.searching({"words": "please"})()
    assert (many["found"], len(many["list"])) == (sum(PLACED.values()), DESK.most_found)
    assert session.searching({"words": "nobody said this"})()["found"] == 0


def test_what_is_found_is_of_the_run_that_was_searched(tmp_path: Path) -> None:
    folder = write_large_folder(tmp_path / "drafts")
    session = Session(folder)
    run, find = session.page()["state"]["run"], session.searching({"words": "zeppelin"})
    write_folder(folder)
    session.refresh()
    found = find()
    assert (found["run"], found["messages"]["texts"]) == (run, ["a zeppelin"])
    assert session.page()["state"]["run"] != run


def test_a_log_is_forgotten_after_the_next_runs(tmp_path: Path) -> None:
    """One of a million messages takes a gigabyte."""
    folder, logs = write_folder(tmp_path / "drafts"), list[weakref.ref[Log]]()
    session = Session(folder)
    for number in range(6):
        session.page()
        session.draft(VISA)
        logs.append(weakref.ref(session.log))
        write_folder(
            folder, messages=(*MESSAGES, *((f"new {one}", 1, "left_over", None) for one in range(number)))
        )
        session.refresh()
    gc.collect()
    assert [log() for log in logs[:3]] == [None] * 3


def test_an_expression_is_found_or_it_is_said_why_not(session: Session) -> None:
    assert session.searching({"expression": "^A ZEPP.*n$"})()["found"] == 1
    assert "is no regular expression" in session.searching({"expression": "a["})()["problem"]


def test_what_is_sure_is_accepted_wherever_it_is(session: Session) -> None:
    assert session.state()["totals"][GREET]["sure"] == MANY
    undecided = session.undecided()["undecided"]
    sure = [(text, path) for path, found in undecided.items() for text, _, is_sure in found if is_sure]
    texts, targets = map(list, zip(*sure, strict=True))
    state = session.act("accept_only", {"texts": texts, "targets": targets})
    assert state["says"] == f"{MANY} examples of 1 intent accepted"


def test_a_report_has_the_first_examples_and_says_where_the_others_are(tmp_path: Path, browser: Any) -> None:
    folder = write_large_folder(tmp_path / "drafts")
    write_report(open_desk(folder))
    with opened(
        browser, f"{(folder / 'report.html').as_uri()}#{REFUND}", lambda event: "file" in event
    ) as page:
        words = page.inner_text("#detail")
        assert f"{MANY}, 4 typical ones, some from all over, then the others" in page.inner_text(
            "#examples-title"
        )
        assert f"The other {MANY - REVIEW.report_examples} are in {REFUND}." in words
        assert "are in assignments.jsonl." in words
        assert "of 21,000 messages" in page.inner_text("#legend")


def test_a_report_is_written_where_no_example_of_a_draft_is_logged(tmp_path: Path) -> None:
    """As of one that was accepted in another log, or that has none any more."""
    desk = open_desk(write_large_folder(tmp_path / "drafts"))
    desk, _ = act(desk, "drop", {"draft": VISA, "texts": [*desk.review.drafts[VISA].examples]})
    write_report(desk)
    assert f'"{GREET}"' in (desk.folder / "report.html").read_text(encoding="utf-8")


def test_a_person_scrolls_through_a_large_proposal(page: Any) -> None:
    page.locator("#items .item", has_text="refund").click()
    page.wait_for_selector("#detail [data-list=examples] [data-item]")
    assert "20,000 of 21,000 messages" in page.inner_text("#legend")
    assert "2,500, not among the examples" in page.inner_text("#others-title")
    lines = "document.querySelectorAll('#detail [data-list=others] li').length"
    for least in (500, 1_000, 2_500):
        page.wait_for_function(
            f"""() => {{
              const detail = document.getElementById("detail");
              detail.scrollTop = detail.scrollHeight;
              return {lines} >= {least};
            }}"""
        )
    last = page.locator("#detail [data-list=others] li").last
    assert last.inner_text().startswith("refund please, it is about number 2999")
    last.locator("input").check()
    page.keyboard.press("v")
    page.fill("#choose-text", "visa")
    page.keyboard.press("Enter")
    said(page, "to visa")
    page.wait_for_function("() => document.querySelector('#others-title')?.textContent.includes('2,499')")


def test_a_person_finds_one_of_all_messages_and_moves_it(page: Any) -> None:
    page.fill("#query", "zeppelin")
    page.wait_for_selector("#found [data-item]")
    assert "1 message found." in page.inner_text("#found")
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    page.wait_for_selector("#detail [data-list=rows] [data-item]")
    assert "8,900" in page.inner_text("#rows-title")
    page.fill("#query", "/zeppeli./")
    page.wait_for_selector("#found [data-item]")
    page.locator("#found [data-item]").check()
    page.locator(".actions [data-command=move]").click()
    page.fill("#choose-text", "visa")
    page.keyboard.press("Enter")
    said(page, "added to visa")
    page.keyboard.press("Escape")
    page.locator("#tab-new").click()
    page.locator("#items .item", has_text="visa").click()
    page.wait_for_function(  # it came last; the rest is shown as soon as the end of the list is in sight
        """() => {
          const detail = document.getElementById("detail");
          detail.scrollTop = detail.scrollHeight;
          return detail.textContent.includes("a zeppelin");
        }"""
    )
    page.keyboard.press("u")
    said(page, "Undone")
    page.wait_for_function("() => !document.querySelector('#detail').textContent.includes('a zeppelin')")


def test_what_was_found_bears_a_decision_elsewhere(page: Any, tmp_path: Path) -> None:
    """Of a message that did not come with the page it is not known where it is, until it is told anew."""
    page.fill("#query", "zeppelin")
    page.wait_for_selector("#found [data-item]")
    ignore_visa_elsewhere(page)
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    said(page, "The drafts were changed elsewhere: this is how they are now.")
    page.wait_for_selector("#found >> text=a zeppelin")
    page.locator("#found [data-item]").check()
    page.keyboard.press("v")
    page.fill("#choose-text", "refund")
    page.keyboard.press("Enter")
    said(page, "added to refund")
    assert "a zeppelin" in (tmp_path / "drafts" / REFUND).read_text()


def test_what_is_found_is_of_the_drafts_as_they_are_when_it_is_told(page: Any) -> None:
    """Not as they were before a message was moved while the answer was on its way."""
    page.evaluate(
        """() => {
          const real = window.fetch;
          const moved = new Promise((done) => { window.moved = done; });
          window.fetch = async (path, options) => {
            const answer = await real(path, options);
            if (path === "api/found") { window.isSearched = true; await moved; }
            return answer;
          };
        }"""
    )
    page.fill("#query", "zeppelin")
    page.wait_for_function("() => window.isSearched")
    move = (
        "async (target) => { await review.show.perform('move', { texts: [20999], target }); window.moved(); }"
    )
    page.evaluate(move, REFUND)
    page.wait_for_selector("#found .where >> text=refund")


def test_a_search_ends_where_another_run_took_the_place_of_the_drafts(page: Any, tmp_path: Path) -> None:
    """Whose decisions are counted anew: the page knows of more."""
    move = "(target) => review.show.perform('move', { texts: [20999], target })"
    page.evaluate(move, REFUND)
    said(page, "added to refund")
    shutil.rmtree(tmp_path / "drafts")
    write_large_folder(tmp_path / "drafts", 21_500)
    page.evaluate("() => fetch('api/state')")  # the desk knows it, as another page has asked
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "api/found" in request.url else None)
    page.fill("#query", "zeppelin")
    page.wait_for_selector("#found >> text=Nothing was found: the drafts are those of another run now")
    page.wait_for_selector("#anew >> text=The new drafts are there.")
    assert len(asked) == 1


def test_what_is_decided_while_it_is_searched_again_is_said(page: Any) -> None:
    page.evaluate(
        """() => {
          const real = window.fetch;
          window.fetch = async (path, options) => {
            const answer = await real(path, options);
            if (path !== "api/found") return answer;
            return Response.json({ ...await answer.json(), revision: -2 });
          };
        }"""
    )
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "api/found" in request.url else None)
    page.fill("#query", "zeppelin")
    page.wait_for_selector("#found >> text=the drafts were changed meanwhile: search again")
    hears(page, "Nothing was found: the drafts were changed meanwhile: search again")
    assert len(asked) == 2


def test_a_draft_is_loaded_after_somebody_else_decided_about_another(page: Any) -> None:
    """Who looks at the page all the time does not come back to its window, which would ask for it, too."""
    page.evaluate(ELSEWHERE, ["decide", {"draft": REFUND, "decision": "later"}])
    page.click(f"[data-path='{VISA}']")
    page.wait_for_selector("#detail >> text=visa please, it is about number 7")
    said(page, "The drafts were changed elsewhere: this is how they are now.")


def test_what_is_still_where_it_was_stays_ticked(page: Any) -> None:
    """While somebody else decides, who moves one of the messages, and what is shown next is asked for."""
    page.click(f"[data-path='{REFUND}']")
    page.wait_for_selector("#detail [data-list=examples] [data-item]")
    reworded = {"draft": REFUND, "text": "refund please, it is about number 5", "wording": "my own words"}
    page.evaluate("(reworded) => review.show.perform('reword', reworded)", reworded)
    page.wait_for_selector("#detail >> text=my own words")
    tick = """async (items) => {
      await review.windows.know(items);
      review.model.model.ticked = new Set(items);
      review.show.show();
    }"""
    absent = page.evaluate("() => Array.from(review.model.model.messages).lastIndexOf(undefined)")
    page.evaluate(tick, [0, 1, absent, "my own words"])
    page.evaluate(ELSEWHERE, ["move", {"texts": [1], "target": VISA}])
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    said(page, "The drafts were changed elsewhere: this is how they are now.")
    assert page.evaluate("() => [...review.model.model.ticked]") == [0, absent, "my own words"]
    assert absent > 0


def test_what_is_asked_for_and_is_not_there_is_said(tmp_path: Path) -> None:
    with serving(write_large_folder(tmp_path / "drafts")) as desk:
        status, answer, _ = ask(desk, "/api/draft?draft=new/gone.yml")
        assert (status, answer) == (422, {"error": "the draft new/gone.yml is not there any more"})
        assert ask(desk, "/api/list?draft=new/gone.yml")[0] == 422
        assert ask(desk, "/api/messages", {"rows": [-1, 10**9, "x", 5]})[1]["messages"]["rows"] == [5]
        assert ask(desk, "/api/found", {"words": "zeppelin"})[1]["found"] == 1


#: As if a thousand more proposals were there, all decided.
A_THOUSAND_DECIDED = """() => {
  const { drafts } = review.model.model;
  const one = { ...drafts.get("new/visa.yml"), decision: "accepted" };
  for (let at = 0; at < 1000; at += 1) drafts.set(`new/${at}.yml`, one);
  review.head.drawHead();
}"""


def test_large_numbers_are_written_alike_wherever_they_stand(page: Any) -> None:
    page.fill("#query", "please")
    page.locator("#live", has_text="12,100 messages found").wait_for(state="attached")
    page.keyboard.press("Escape")
    box = page.locator("#map-view").bounding_box()
    left, top = box["x"] + 1, box["y"] + 1
    page.keyboard.down("Shift")
    drag_around(page, left, top, left + box["width"] - 2, top + box["height"] - 2)
    page.keyboard.up("Shift")
    said(page, "20,000 messages chosen")
    page.keyboard.press("v")
    assert page.locator("#choose-title").text_content() == "Move 20,000 to …"
    page.keyboard.press("Escape")
    page.evaluate(A_THOUSAND_DECIDED)
    assert page.locator("#progress").text_content() == "1,000 of 1,002 proposals decided, 0 of 1 known"
