"""Questions on the page: answered by keys, left out, undone, and what is said when all are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import opened, said
from desk_folder import (
    ANSWERED_OF_PROPOSALS,
    ASKED_TWICE,
    CAME_SAYS,
    QUESTIONS,
    TOLD,
    TOLD_OF,
    TOLD_OF_PROPOSALS,
    TOLD_SAYS,
    WENT_SAYS,
    write_folder,
)
from desk_server import serving

from rasa_intent_discovery.drafts.folder import ANSWERS
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.review.decisions.answers import answer_line
from rasa_intent_discovery.review.next_run.previous_run import read_previous

END = "1 answer so far: the next run takes the answers into account. It then asks what is still unsure."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "drafts", run=QUESTIONS)


@pytest.fixture
def page(folder: Path, browser: Any) -> Iterator[Any]:
    with serving(folder) as server, opened(browser, server.address, server.asked) as one:
        yield one


def answers(folder: Path) -> tuple[Answer, ...]:
    return read_previous(folder).earlier.answers


def asked(page: Any, text: str, count: str) -> None:
    """Waits until the page asks this."""
    page.locator("#ask-count").get_by_text(count, exact=True).wait_for()
    assert text in page.locator("#ask-text bdi").first.text_content()


def offered(page: Any) -> list[str]:
    """What can be answered now."""
    found: list[str] = page.locator(
        "#ask-ok:visible, #ask-yes:visible, #ask-none:visible, #ask-skip:visible"
    ).all_text_contents()
    return found


def test_questions_are_answered_by_keys_and_the_answers_undone(page: Any, folder: Path) -> None:
    page.keyboard.press("4")
    asked(page, "where is my money", "1 of 2")
    assert offered(page) == ["I cannot tell Enter", "None of these 0"]
    assert page.locator("#ask-choices label").all_text_contents() == [
        "a bill pleasenow in invoice1",
        "money back pleasenow in refund2",
    ]
    page.keyboard.press("1")
    assert offered(page) == ["This one Enter", "I cannot tell S"]
    page.keyboard.press("2")
    assert offered(page) == ["These 2 Enter", "I cannot tell S"]
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    asked(page, "lol", "2 of 2")
    assert page.locator("#ask-title").text_content() == "Does the other message want the same as this one?"
    alike = "Messages want the same where your bot would answer all of them alike."
    assert page.locator("#ask-text p").text_content() == alike
    assert offered(page) == ["I cannot tell Enter", "Yes", "No 0"]
    page.keyboard.press("1")
    assert offered(page) == ["Yes Enter", "I cannot tell S"]
    page.keyboard.press("0")
    assert offered(page) == ["Yes Enter", "I cannot tell S"], "it would contradict what is ticked"
    page.keyboard.press("1")
    assert answers(folder) == (Answer("where is my money", ("money back please",), ("a bill please",)),)

    page.keyboard.press("u")
    asked(page, "where is my money", "1 of 2")
    assert answers(folder) == ()


def test_who_closes_them_goes_on_in_what_is_shown(page: Any) -> None:
    page.keyboard.press("e")
    page.keyboard.press("4")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    asked(page, "lol", "2 of 2")
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.activeElement?.closest('#detail')")


def test_of_one_other_message_a_click_says_yes(page: Any, folder: Path) -> None:
    page.keyboard.press("4")
    page.click("#ask-none")
    asked(page, "lol", "2 of 2")
    page.click("#ask-yes")
    page.locator("#ask-title", has_text="All questions are answered").wait_for()
    assert offered(page) == []
    assert answers(folder)[-1] == Answer("lol", ("good day",))


def test_keys_answer_after_a_click_beside_the_choices_too(page: Any, folder: Path) -> None:
    page.keyboard.press("4")
    asked(page, "where is my money", "1 of 2")
    page.click("#ask-title")
    page.keyboard.press("2")
    assert page.locator("#ask-ok").text_content() == "This one Enter"
    page.click("#ask-title")
    page.keyboard.press("Enter")
    asked(page, "lol", "2 of 2")
    assert answers(folder) == (Answer("where is my money", ("money back please",), ("a bill please",)),)


def test_who_cannot_tell_goes_on_and_in_the_end_it_says_what_becomes_of_the_answers(
    page: Any, folder: Path
) -> None:
    page.keyboard.press("4")
    asked(page, "where is my money", "1 of 2")
    page.keyboard.press("s")
    asked(page, "lol", "2 of 2")
    page.keyboard.press("0")
    page.locator("#ask-title", has_text="That was all").wait_for()
    assert offered(page) == []
    assert page.locator("#ask-text").text_content() == END
    assert answers(folder) == (Answer("lol", (), ("good day",)),)
    page.keyboard.press("Escape")
    assert page.locator("#questions-open").text_content() == "Your answersuse them now"
    said(page, "answered: “lol” wants the same as none of those shown")


def test_what_nobody_could_tell_is_not_asked_again_but_on_request(folder: Path, browser: Any) -> None:
    with serving(folder) as server, opened(browser, server.address, bool) as page:
        page.keyboard.press("4")
        asked(page, "where is my money", "1 of 2")
        page.keyboard.press("s")
        asked(page, "lol", "2 of 2")
        page.keyboard.press("s")
        page.locator("#ask-title", has_text="That was all").wait_for()
        page.keyboard.press("u")
        asked(page, "lol", "2 of 2")
        page.keyboard.press("s")
        page.locator("#ask-title", has_text="That was all").wait_for()
    assert answers(folder) == ()
    told = "Of 2 questions it could not be told what wants the same."
    with serving(folder) as server, opened(browser, server.address, bool) as page:
        assert page.locator("#questions-open").is_hidden()
        page.keyboard.press("0")
        assert page.locator(".asking").text_content() == f"{told} See 4"
        page.get_by_role("button", name="See").click()
        assert page.locator("#ask-text").text_content() == told
        page.get_by_role("button", name="Ask again what I could not tell").click()
        asked(page, "where is my money", "1 of 2")
        page.keyboard.press("s")
        asked(page, "lol", "2 of 2")
        page.keyboard.press("0")
        page.locator("#ask-title", has_text="That was all").wait_for()
        assert page.locator("#ask-text").text_content() == END
    assert answers(folder) == (Answer("lol", (), ("good day",)),)


def test_undo_takes_back_that_one_again_cannot_tell_and_nothing_before(folder: Path, browser: Any) -> None:
    with serving(folder) as server, opened(browser, server.address, bool) as page:
        page.keyboard.press("4")
        asked(page, "where is my money", "1 of 2")
        page.keyboard.press("s")
        asked(page, "lol", "2 of 2")
        page.keyboard.press("0")
        page.get_by_role("button", name="Ask again what I could not tell").click()
        asked(page, "where is my money", "1 of 1")
        page.keyboard.press("s")
        page.locator("#ask-title", has_text="That was all").wait_for()
        page.keyboard.press("u")
        asked(page, "where is my money", "1 of 1")
    assert answers(folder) == (Answer("lol", (), ("good day",)),)


def test_enter_alone_answers_nothing_and_says_so(page: Any, folder: Path) -> None:
    page.keyboard.press("4")
    asked(page, "where is my money", "1 of 2")
    page.keyboard.press("Enter")
    asked(page, "lol", "2 of 2")
    assert page.locator("#ask-said").text_content() == (
        "Nothing was chosen: it is noted that you cannot tell."
    )
    page.click("#ask-none")
    page.locator("#ask-title", has_text="That was all").wait_for()
    assert page.locator("#ask-said").text_content() == ""
    assert answers(folder) == (Answer("lol", (), ("good day",)),)


def test_who_cannot_tell_is_asked_about_the_same_message_beside_others(tmp_path: Path, browser: Any) -> None:
    folder = write_folder(tmp_path / "twice", run=ASKED_TWICE)
    with serving(folder) as server, opened(browser, server.address, bool) as page:
        page.keyboard.press("4")
        asked(page, "where is my money", "1 of 3")
        page.keyboard.press("s")
        asked(page, "where is my money", "2 of 3")
        assert page.locator("#ask-choices bdi").all_text_contents() == ["do i need a visa", "visa"]
        page.keyboard.press("s")
        asked(page, "lol", "3 of 3")


def test_the_overview_tells_of_them_and_opens_them(page: Any) -> None:
    page.keyboard.press("0")
    assert page.locator(".asking").text_content() == (
        "2 short questions are open: your answers make the drafts better. Answer 4"
    )
    page.get_by_role("button", name="Answer").click()
    asked(page, "where is my money", "1 of 2")


def test_where_the_last_answers_put_nothing_together_more_are_said_to_change_little(
    tmp_path: Path, browser: Any
) -> None:
    folder = write_folder(tmp_path / "drafts", run=QUESTIONS)
    no = answer_line(Answer("hey there", apart=("good day",)))
    (folder / "answers.jsonl").write_text(no * 25)
    with serving(folder) as server, opened(browser, server.address, bool) as page:
        page.keyboard.press("0")
        page.locator(
            ".asking", has_text="2 short questions are open: of your last 25 answers none put"
        ).wait_for()
        assert (
            page.locator(".asking")
            .text_content()
            .endswith("put messages together, so more are likely to change little. Answer 4")
        )


def test_the_overview_tells_how_many_need_no_answer_after_what_was_decided(page: Any) -> None:
    for intent in ("refund", "invoice"):
        page.click(f"#items >> text={intent}")
        page.keyboard.press("a")
        said(page, f"{intent} accepted")
    page.keyboard.press("0")
    assert page.locator(".asking").text_content() == (
        "1 short question is open: your answers make the drafts better. 1 more needs no answer after what "
        "you decided. Answer 4"
    )


def test_a_run_without_questions_has_no_entry(tmp_path: Path, browser: Any) -> None:
    with serving(write_folder(tmp_path / "none")) as server, opened(browser, server.address, bool) as page:
        assert page.locator("#questions-open").is_hidden()
        page.keyboard.press("4")
        said(page, "No question is open.")


def test_where_the_run_found_nothing_the_list_offers_no_questions_but_the_overview_tells_of_them(
    tmp_path: Path, browser: Any
) -> None:
    run = {**QUESTIONS, "new_intents": {"proposed": 0}}
    with serving(write_folder(tmp_path / "drafts", new=(), run=run)) as server:
        with opened(browser, server.address, bool) as page:
            assert page.locator("#questions-open").is_hidden()
            page.keyboard.press("0")
            assert page.locator(".asking").text_content() == (
                "2 short questions are open: the run found no new intent; your answers may bring out one "
                "that you miss. Answer 4"
            )
            page.keyboard.press("4")
            asked(page, "where is my money", "1 of 2")


def test_an_answer_is_taken_back_where_its_effect_is_told_and_undo_brings_it_again(
    tmp_path: Path, browser: Any
) -> None:
    folder = write_folder(tmp_path / "told", run=TOLD)
    (folder / ANSWERS).write_text(answer_line(TOLD_OF) + answer_line(Answer("lol", (), ("good day",))))
    with serving(folder) as server, opened(browser, server.address, bool) as page:
        page.keyboard.press("0")
        assert page.locator(".effects > li").text_content() == f"{TOLD_SAYS} If that is wrong: Take back"
        page.locator(".effects button").click()
        said(page, "taken back: what was answered of “where is my money”")
        page.locator(".effects").wait_for(state="detached")
        assert answers(folder) == (Answer("lol", (), ("good day",)),)

        page.locator(".answers summary").click()
        assert page.locator(".answers li").all_text_contents() == ["“lol”: not as “good day” Take back"]
        page.locator(".answers button").click()
        page.locator(".answers").wait_for(state="detached")
        assert answers(folder) == ()

        page.keyboard.press("u")
        page.locator(".answers").wait_for()
        assert answers(folder) == (Answer("lol", (), ("good day",)),)


def test_the_buttons_stay_in_sight_below_a_long_question(tmp_path: Path, browser: Any) -> None:
    long = "where is my money, and what became of the parcel that I sent back " * 8
    choices = [{"text": f"{long} {number}", "intent": None} for number in range(2)]
    question = {"text": long, "intent": None, "choices": choices}
    folder = write_folder(tmp_path / "long", run={"questions": [question]})
    with serving(folder) as server, opened(browser, server.address, bool, 390, height=700) as page:
        page.evaluate("review.questions.openQuestions()")
        dialog = page.get_by_role("dialog")

        def in_sight(name: str) -> bool:
            box = dialog.get_by_role("button", name=name).bounding_box()
            return bool(box["y"] >= 0 and box["y"] + box["height"] <= 700)

        assert dialog.get_by_role("heading").bounding_box()["y"] > 0, "it is read from its beginning"
        assert in_sight("None of these")
        assert in_sight("I cannot tell")
        dialog.get_by_role("checkbox").last.check()
        assert in_sight("This one")
        dialog.get_by_role("button", name="Close").click()


def test_several_answers_are_taken_back_at_once_and_it_is_said_of_how_many_messages(
    tmp_path: Path, browser: Any
) -> None:
    [effect] = TOLD["answers"]
    run = {"answers": [{**effect, "texts": ["where is my money", "lol"]}]}
    folder = write_folder(tmp_path / "told", run=run)
    given = (TOLD_OF, Answer("lol", ("my card is lost",)))
    (folder / ANSWERS).write_text("".join(map(answer_line, given)))
    with serving(folder) as server, opened(browser, server.address, bool) as page:
        page.keyboard.press("0")
        page.get_by_role("button", name="Take back").first.click()
        said(page, "Taken back: what was answered about 2 messages")
    assert answers(folder) == ()


def test_the_page_of_a_proposal_tells_what_answers_did_to_it_and_takes_them_back(
    tmp_path: Path, browser: Any
) -> None:
    folder = write_folder(tmp_path / "told", run=TOLD_OF_PROPOSALS)
    (folder / ANSWERS).write_text(answer_line(ANSWERED_OF_PROPOSALS))
    came, went = (says.format("refund") + " If that is wrong: Take back" for says in (CAME_SAYS, WENT_SAYS))

    def shown(page: Any, path: str) -> list[str]:
        page.locator(f"#items [data-path='{path}']").click()
        page.locator(f"#items [data-path='{path}'][aria-current=true]").wait_for()
        found: list[str] = page.locator(".effects > li").all_text_contents()
        return found

    with serving(folder) as server, opened(browser, server.address, bool) as page:
        page.locator("#items [data-path='new/refund.yml']").click()
        which = page.locator(".effects details").first
        which.get_by_text("Which messages").click()
        assert which.locator("li").all_text_contents() == ["a bill please", "pay <it>", "and 2 more"]
        came += "Which messagesa bill pleasepay <it>and 2 more"
        assert shown(page, "new/refund.yml") == [came, went]
        assert shown(page, "new/invoice.yml") == [went]
        assert shown(page, "new/visa.yml") == []
        page.keyboard.press("0")
        assert page.locator(".effects > li").all_text_contents() == [came], "the other is not much"
        told = page.locator("section", has=page.get_by_role("heading", name="What your answers did"))
        in_all = (
            "Beside new groups, your answers put 12 messages into refund, and kept 4 messages out of refund."
        )
        assert told.locator("p").all_text_contents() == [in_all]

        assert shown(page, "new/refund.yml") == [came, went]
        page.locator(".effects button").first.click()
        said(page, "taken back: what was answered of “a bill please”")
        page.locator(".effects").wait_for(state="detached")
        assert answers(folder) == ()


def test_all_answers_are_counted_and_of_how_many_messages_they_are(tmp_path: Path, browser: Any) -> None:
    folder = write_folder(tmp_path / "twice", run=QUESTIONS)
    both = Answer("lol", (), ("good day",)), Answer("lol", (), ("hey there",))
    (folder / ANSWERS).write_text("".join(map(answer_line, both)))
    with serving(folder) as server, opened(browser, server.address, bool) as page:
        page.keyboard.press("0")
        assert page.locator(".asking").text_content().startswith("2 answers so far: ")
        assert page.locator(".answers summary").text_content() == "Your 2 answers, to questions on 1 message"


def test_a_question_that_an_undo_brings_back_is_counted(page: Any) -> None:
    page.keyboard.press("4")
    asked(page, "where is my money", "1 of 2")
    page.keyboard.press("0")
    asked(page, "lol", "2 of 2")
    page.keyboard.press("Escape")
    page.keyboard.press("4")
    asked(page, "lol", "1 of 1")
    page.keyboard.press("u")
    asked(page, "where is my money", "1 of 2")


def test_a_key_that_is_held_down_answers_one_question(page: Any, folder: Path) -> None:
    page.keyboard.press("4")
    asked(page, "where is my money", "1 of 2")
    for _ in range(4):
        page.keyboard.down("0")
    page.keyboard.up("0")
    asked(page, "lol", "2 of 2")
    page.wait_for_timeout(300)
    assert len(answers(folder)) == 1


def test_why_an_answer_is_refused_is_said_in_the_dialog(page: Any, folder: Path) -> None:
    page.keyboard.press("4")
    asked(page, "where is my money", "1 of 2")
    page.evaluate("review.show.say('cannot be written', false, true)")
    assert page.locator("#ask-said").text_content() == "cannot be written"
    page.keyboard.press("0")
    asked(page, "lol", "2 of 2")
    assert page.locator("#ask-said").text_content() == ""
