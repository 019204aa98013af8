"""Another run, started at the end of the questions: on the page, in the terminal, and where none can be."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from browser import opened, said
from desk_folder import QUESTIONS, write_folder
from desk_server import Server, serving
from test_terminal import Person, decisions

from rasa_intent_discovery.drafts.folder import ANSWERED, ANSWERS
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.review.applying.started import Started
from rasa_intent_discovery.review.decisions.answers import answer_line, answers_digest
from rasa_intent_discovery.review.decisions.files import act
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.next_run.again import Again
from rasa_intent_discovery.review.terminal import ask_questions as terminal_questions
from rasa_intent_discovery.review.terminal import review as terminal
from rasa_intent_discovery.review.terminal import run_again as terminal_again
from rasa_intent_discovery.review.terminal.review import review_in_terminal
from rasa_intent_discovery.training_data.nlu_yaml import Draft

COMMAND = "rasa discover-intents --messages logs"
ANEW = Draft("payment", ("where is my money", "money back please"), {"messages": 7})
FAILED = Started(False, "logs: there is no such file", False)
#: Run before the desk: another run of the same folder, which takes as long as two looks at it.
WITH_RUN = """
import sys
sys.path += {places}
from test_run_again import {runs}
from rasa_intent_discovery.review.next_run.again import Again
AGAIN = Again({runs}({folder!r}))
"""


class Runs:
    """A discoverer whose run writes one proposal, or fails with what it says."""

    def __init__(self, folder: Path | str, fails: Started | None = None) -> None:
        self._folder, self._fails = Path(folder), fails
        self._looks: int | None = None
        self.closed = False

    def command(self, run: Mapping[str, Any]) -> str:
        if "given" not in run:
            raise DataError("run.json does not say how the last run was started")
        return COMMAND

    def start(self, run: Mapping[str, Any]) -> None:
        self.command(run)
        self._looks = 0

    def found(self) -> Started | None:
        if self._looks is None:
            return None
        self._looks += 1
        if self._looks < 3:
            return Started(True, f"step {self._looks}")
        if self._fails:
            return self._fails
        if self._looks == 3:
            anew = write_folder(self._folder.with_name("anew"), new=(ANEW,), run={"given": {}})
            self._folder.rename(self._folder.with_name("before"))
            anew.rename(self._folder)
        return Started(False, "The drafts are those of the new run.", True)

    def close(self) -> None:
        self.closed = True


class Waits(Runs):
    """One whose run says nothing, and does not end."""

    def found(self) -> Started | None:
        return None if self._looks is None else Started(True, "")


class Counts(Runs):
    """One whose run tells how long a stage takes, and does not end."""

    def found(self) -> Started | None:
        if self._looks is None:
            return None
        self._looks += 1
        return Started(True, f"stage 2 of 6, loading the encoder: {self._looks} s so far")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "drafts", run={**QUESTIONS, "given": {"messages": ["logs"]}})


def desk(folder: Path, runs: type[Runs] = Runs) -> AbstractContextManager[Server]:
    """A desk that can start a run."""
    here = Path(__file__)
    places = [str(here.parent), str(here.parents[1])]
    return serving(folder, WITH_RUN.format(places=places, folder=str(folder), runs=runs.__name__))


@pytest.fixture
def page(folder: Path, browser: Any) -> Iterator[Any]:
    with desk(folder) as server, opened(browser, server.address, bool) as one:
        yield one


def answered(*more: object) -> Person:
    """All is left for later, one question is answered, and then what is said."""
    return Person(
        *[terminal.PUT_OFF] * 3,
        terminal_again.NOT_NOW,
        "money back please (now in refund)",
        "I cannot tell",
        *more,
    )


def test_the_page_offers_it_after_the_answers_and_then_shows_its_drafts(page: Any) -> None:
    page.keyboard.press("4")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.locator("#ask-count", has_text="2 of 2").wait_for()
    assert page.locator("#ask-regroup").is_hidden()
    page.keyboard.press("s")
    page.locator("#ask-title", has_text="That was all").wait_for()
    assert page.locator("#ask-close").evaluate("one => one === document.activeElement")
    page.click("#ask-regroup")
    page.locator("#regroup[open]").wait_for()
    assert page.locator("#regroup-command").text_content() == COMMAND
    page.keyboard.press("Enter")
    page.locator("#regroup-says", has_text="step 2").wait_for()
    assert page.locator("#regroup-ok").is_disabled()
    assert page.evaluate("document.activeElement.id") == "regroup-close"
    page.locator("#items .title", has_text="payment").wait_for()
    assert page.url.endswith("#overview")
    assert not page.locator("#items .title", has_text="refund").count()


def test_a_decision_that_another_run_came_before_is_said_not_to_be_done(page: Any, folder: Path) -> None:
    run = Runs(folder)
    run.start({"given": {}})
    while (found := run.found()) and found.running:
        pass
    page.keyboard.press("a")
    said(page, "Another run has made new drafts, which are shown now. What you did just now was not done.")
    page.locator("#items .title", has_text="payment").wait_for()
    assert open_desk(folder).review.drafts["new/payment.yml"].decision == "open"


def test_the_new_drafts_wait_for_who_writes_a_name(page: Any) -> None:
    page.evaluate("review.regroup.open()")
    page.keyboard.press("Enter")
    page.locator("#regroup-says", has_text="step 1").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    page.locator("#name:focus").wait_for()
    page.keyboard.type("money_back")
    page.locator("#anew p", has_text="The new drafts are there. Show them").wait_for()
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    page.wait_for_timeout(300)
    assert page.locator("#name").input_value() == "money_back"
    page.keyboard.press("Escape")
    page.click("#anew button")
    page.locator("#items .title", has_text="payment").wait_for()
    assert page.url.endswith("#overview")


def test_the_overview_offers_it_too(page: Any) -> None:
    page.keyboard.press("4")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.locator("#ask-count", has_text="2 of 2").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("0")
    page.get_by_role("button", name="Use them now").click()
    page.locator("#regroup[open]").wait_for()
    page.keyboard.press("Escape")
    page.locator("#regroup[open]").wait_for(state="detached")


def test_the_end_offers_it_where_examples_were_refused(folder: Path, browser: Any) -> None:
    nothing = {one: [] for one in ("texts", "targets", "moved", "moved_to", "made")}
    refused = {**nothing, "refused": ["good day"], "refused_by": ["known/greet.yml"]}
    with desk(folder) as server, opened(browser, server.address, bool) as page:
        page.keyboard.press("9")
        page.locator(".counts").wait_for()
        look = page.get_by_role("button", name="Look for it now")
        assert look.count() == 0
        act(open_desk(folder), "settle", refused)
        page.reload()
        look.click()
        page.locator("#regroup[open]").wait_for()
    with serving(folder) as server, opened(browser, server.address, bool) as page:
        page.keyboard.press("9")
        note = page.locator(".going-on", has_text="You took 1 further example out of intents your bot has.")
        note.wait_for()
        assert note.get_by_role("button").count() == 0


def test_that_all_is_answered_is_said_before_the_run_is_offered(folder: Path, browser: Any) -> None:
    run = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({**run, "questions": run["questions"][:1]}))
    with desk(folder) as server, opened(browser, server.address, bool) as page:
        page.keyboard.press("4")
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        page.locator("#ask-title", has_text="All questions are answered").wait_for()
        page.keyboard.press("Escape")
        page.keyboard.press("4")
        page.locator("#ask[open]").wait_for()
        assert page.locator("#ask-title").text_content() == "All questions are answered"
        page.click("#ask-regroup")
        page.locator("#regroup[open]").wait_for()


def test_a_run_that_says_nothing_yet_shows_that_it_works(folder: Path, browser: Any) -> None:
    with desk(folder, Waits) as server, opened(browser, server.address, bool) as page:
        page.evaluate("review.regroup.open()")
        works = page.locator("#regroup-works")
        assert works.is_hidden()
        page.keyboard.press("Enter")
        works.wait_for()
        bar = page.locator("#regroup-works progress")
        assert bar.is_visible()
        assert bar.evaluate("one => getComputedStyle(one).animationName") == "works"
        assert "gradient" in bar.evaluate("one => getComputedStyle(one).backgroundImage")
        page.locator("#regroup-since", has_text="1 s").wait_for()


def test_a_stage_of_the_run_is_heard_once(folder: Path, browser: Any) -> None:
    with desk(folder, Counts) as server, opened(browser, server.address, bool) as page:
        page.evaluate(
            """() => {
              window.told = [];
              const says = document.querySelector("#regroup [role=status]");
              new MutationObserver(() => told.push(says.textContent)).observe(says, { childList: true });
              review.regroup.open();
            }"""
        )
        page.keyboard.press("Enter")
        page.locator("#regroup", has_text="stage 2 of 6, loading the encoder: 3 s so far").wait_for()
        assert page.evaluate("told") == ["The run is being started ...", "stage 2 of 6, loading the encoder"]


def test_what_the_run_has_had_is_not_offered_but_what_was_taken_back_since(
    folder: Path, browser: Any
) -> None:
    answer = Answer("lol", (), ("good day",))
    (folder / ANSWERS).write_text(answer_line(answer))
    run = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({**run, ANSWERED: answers_digest([answer])}))
    with desk(folder) as server, opened(browser, server.address, bool) as page:
        page.keyboard.press("0")
        asking = page.locator(".asking")
        assert asking.text_content() == (
            "1 short question is open: your answers make the drafts better. Answer 4"
        )
        page.locator(".answers summary").click()
        page.locator(".answers button").click()
        page.get_by_role("button", name="Use them now").wait_for()
        assert asking.text_content().startswith("Your answers were taken back. Use them now")


def test_without_a_discoverer_nothing_is_offered(folder: Path, browser: Any) -> None:
    with serving(folder) as server, opened(browser, server.address, bool) as page:
        page.keyboard.press("4")
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        page.locator("#ask-count", has_text="2 of 2").wait_for()
        page.keyboard.press("s")
        page.locator("#ask-title", has_text="That was all").wait_for()
        assert page.locator("#ask-regroup").is_hidden()
        page.keyboard.press("Escape")
        page.keyboard.press("0")
        page.locator(".asking").wait_for()
        assert not page.get_by_role("button", name="Use them now").count()


def test_what_the_desk_answers(folder: Path) -> None:
    desk = open_desk(folder)
    again = Again(Runs(folder))
    assert again.told(desk) == COMMAND
    assert again.again({}, desk) == ({"again": None}, 200)
    running = {"running": True, "says": "step 1", "fine": None}
    assert again.again({"start": True}, desk) == ({"again": running}, 200)
    assert Again().told(desk) is None
    assert Again().again({"start": True}, desk)[1] == 422


def test_a_run_that_does_not_say_how_it_was_started(folder: Path) -> None:
    run = json.loads((folder / "run.json").read_text())
    del run["given"]
    (folder / "run.json").write_text(json.dumps(run))
    desk, again = open_desk(folder), Again(Runs(folder))
    assert again.told(desk) is None
    error = {"error": "run.json does not say how the last run was started"}
    assert again.again({"start": True}, desk) == (error, 422)


def test_the_terminal_goes_on_with_the_drafts_of_the_run(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    person = answered(terminal_again.NOW, terminal.IGNORE)
    review_in_terminal(folder, person, again=Runs(folder))
    assert person.asked[6] == (f"Run `{COMMAND}` now?", (terminal_again.NOT_NOW, terminal_again.NOW))
    assert person.asked[7][0] == "payment:"
    assert decisions(folder)["payment"] == "ignored"
    assert "  step 1\n  step 2\n  The drafts are those of the new run.\n" in capsys.readouterr().out


def test_the_terminal_says_why_there_are_no_other_drafts(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    review_in_terminal(folder, answered(terminal_again.NOW), again=Runs(folder, FAILED))
    assert f"  {FAILED.says}\n" in capsys.readouterr().out


@pytest.mark.parametrize("person", [answered(terminal_again.NOT_NOW), answered(None)])
def test_who_does_not_want_it_now_has_the_drafts_of_before(person: Person, folder: Path) -> None:
    review_in_terminal(folder, person, again=Runs(folder))
    assert decisions(folder) == dict.fromkeys(("refund", "invoice", "visa"), "later")


def test_who_answered_nothing_is_offered_nothing(folder: Path) -> None:
    cannot_tell = [terminal_questions.CANNOT_TELL]
    review_in_terminal(folder, Person(*[terminal.ACCEPT] * 3, *cannot_tell), again=Runs(folder))


def test_an_interrupted_wait_ends_the_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(terminal_again.time, "sleep", interrupted)
    runs = Runs(folder)
    review_in_terminal(folder, answered(terminal_again.NOW), again=runs)
    assert runs.closed
