"""The questions of a run that are still open, and how the page learns of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from desk_folder import (
    ANSWERED_OF_PROPOSALS,
    CAME_SAYS,
    QUESTIONS,
    TOLD,
    TOLD_OF,
    TOLD_OF_PROPOSALS,
    TOLD_SAYS,
    WENT_SAYS,
    write_folder,
)

from rasa_intent_discovery.drafts.folder import ANSWERED, ANSWERS, ASSIGNMENTS, REPORT
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.proposals.reasons import EXAMPLE
from rasa_intent_discovery.review.decisions.answers import answer_line, answers_digest
from rasa_intent_discovery.review.decisions.files import act, undo
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.findings.effects import told_effects
from rasa_intent_discovery.review.findings.questions import (
    Choice,
    OpenQuestion,
    answers_in_words,
    count_answers,
    has_unused_answers,
    little_to_gain,
    open_questions,
    unsure_questions,
)
from rasa_intent_discovery.review.messages.log import read_log
from rasa_intent_discovery.review.next_run.previous_run import read_previous
from rasa_intent_discovery.review.page.data import page_state
from rasa_intent_discovery.review.page.report import write_report

MONEY = OpenQuestion(
    "where is my money", "refund", (Choice("a bill please", "invoice"), Choice("money back please", "refund"))
)
LOL = OpenQuestion("lol", None, (Choice("good day", "greet"),))


def test_a_run_has_had_the_answers_that_were_there_then() -> None:
    first, second = Answer("a", ("b",), ("c",)), Answer("lol", (), ("good day",))
    of_one = {ANSWERED: answers_digest([first])}
    assert not has_unused_answers(of_one, answer_line(first))
    assert has_unused_answers(of_one, answer_line(first) + answer_line(second))
    assert has_unused_answers(of_one, answer_line(second)), "one for the other"
    assert has_unused_answers(of_one, ""), "taken back"
    assert not has_unused_answers({ANSWERED: answers_digest([])}, "")
    assert has_unused_answers({}, answer_line(first)) and not has_unused_answers({}, "")


def test_where_messages_are_by_now_is_told(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts", run=QUESTIONS)
    desk, _ = act(open_desk(folder), "rename", {"draft": "new/refund.yml", "name": "money_back"})
    desk, _ = act(desk, "move", {"texts": ["a bill please"], "target": "new/visa.yml"})
    asked = page_state(desk, read_log(folder, desk.run))["questions"]
    assert [(one["intent"], [choice["intent"] for choice in one["choices"]]) for one in asked] == [
        ("money_back", ["visa", "money_back"]),
        (None, ["greet"]),
    ]


def test_all_are_open_at_first_in_the_order_of_the_run() -> None:
    assert open_questions(QUESTIONS, "") == [MONEY, LOL]


def test_what_is_answered_is_not_open_whoever_was_asked_about_whom() -> None:
    first = answer_line(Answer("where is my money", (), ("a bill please",)))
    second = answer_line(Answer("MONEY back please", ("where is my money",)))

    assert open_questions(QUESTIONS, first) == [MONEY, LOL], "one of its two pairs is not"
    assert open_questions(QUESTIONS, first + second) == [LOL]
    assert count_answers(first + second) == 2


def test_what_nobody_could_tell_is_not_open_until_it_is_answered() -> None:
    untold = answer_line(Answer("where is my money", unsure=("a bill please", "money back please")))
    assert open_questions(QUESTIONS, untold) == [LOL]
    assert unsure_questions(QUESTIONS, untold) == [MONEY]
    assert not has_unused_answers(QUESTIONS, untold) and count_answers(untold) == 0
    told = untold + answer_line(Answer("where is my money", ("a bill please",), ("money back please",)))
    assert open_questions(QUESTIONS, told) == [LOL] and unsure_questions(QUESTIONS, told) == []


@pytest.mark.parametrize(
    "questions",
    [
        None,
        "often",
        [
            7,
            {"text": 1, "choices": []},
            {"text": "a"},
            {"text": "a", "choices": "b"},
            {"text": "a", "choices": []},
        ],
        [{"text": "a", "choices": [{"intent": "b"}, 3]}],
    ],
)
def test_what_cannot_be_read_is_left_out(questions: Any) -> None:
    assert open_questions({"questions": questions}, "") == []


def test_the_page_learns_of_them_and_of_how_many_are_answered(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts", run=QUESTIONS)
    desk = open_desk(folder)

    def told() -> tuple[list[str], int]:
        state = page_state(desk, read_log(folder, desk.run))
        return [question["text"] for question in state["questions"]], state["answers"]

    assert told() == (["where is my money", "lol"], 0)
    desk, chosen = act(desk, "answer", {"text": "lol", "together": [], "apart": ["good day"]})
    assert chosen is None
    assert told() == (["where is my money"], 1)
    desk = undo(desk)
    assert told() == (["where is my money", "lol"], 0)
    assert page_state(desk, read_log(folder, desk.run))["questions"][1] == {
        "text": "lol",
        "shown": "lol",
        "intent": None,
        "choices": [{"text": "good day", "shown": "good day", "intent": "greet"}],
    }


def test_what_was_decided_is_not_asked_again_until_it_is_undone(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts", run=QUESTIONS)
    bill, money, day = "a bill please", "money back please", "good day"

    def told() -> dict[str, list[str]]:
        desk = open_desk(folder)
        asked = page_state(desk, read_log(folder, desk.run))["questions"]
        return {one["text"]: [choice["text"] for choice in one["choices"]] for one in asked}

    def decided(draft: str, decision: str) -> dict[str, list[str]]:
        act(open_desk(folder), "decide", {"draft": draft, "decision": decision})
        return told()

    assert told() == {"where is my money": [bill, money], "lol": [day]}
    assert decided("new/refund.yml", "later")["where is my money"] == [bill, money]
    assert decided("new/refund.yml", "accepted")["where is my money"] == [bill], (
        "the other is an example, too"
    )
    assert decided("new/invoice.yml", "accepted") == {"lol": [day]}, "they are of two intents"
    assert decided("known/greet.yml", "accepted") == {"lol": [day]}, "where the other belongs is not decided"
    assert decided("known/greet.yml", "ignored") == {}
    undo(open_desk(folder))
    undo(open_desk(folder))
    act(open_desk(folder), "drop", {"draft": "new/invoice.yml", "texts": [bill]})
    assert told() == {"where is my money": [bill], "lol": [day]}
    untold = {"text": "where is my money", "others": [bill]}
    act(open_desk(folder), "cannot_tell", untold)
    assert told() == {"lol": [day]}, "what was asked of it is noted"


def test_an_example_of_the_bot_and_one_of_an_accepted_proposal_need_no_question(tmp_path: Path) -> None:
    asked = [
        {"text": "where is my money", "intent": "refund", "choices": [{"text": text, "intent": "greet"}]}
        for text in ("hello", "morning")
    ]
    folder = write_folder(tmp_path / "drafts", run={"questions": asked})
    line = {"text": "morning", "count": 1, "placement": "known", "intent": "greet", "confidence": 1.0}
    with (folder / ASSIGNMENTS).open("a", encoding="utf-8") as file:
        file.write(json.dumps({**line, "reason": EXAMPLE}) + "\n")
    desk = open_desk(folder)
    assert len(page_state(desk, read_log(folder, desk.run))["questions"]) == 2
    desk, _ = act(desk, "decide", {"draft": "new/refund.yml", "decision": "accepted"})
    assert page_state(desk, read_log(folder, desk.run))["questions"] == []


def test_an_effect_is_told_until_its_answer_is_taken_back(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts", run={**QUESTIONS, **TOLD})
    lines = answer_line(TOLD_OF) + "{broken\n" + answer_line(Answer("lol", (), ("good day",)))
    (folder / ANSWERS).write_text(lines)
    desk = open_desk(folder)
    state = page_state(desk, read_log(folder, desk.run))
    told = {"says": TOLD_SAYS, "texts": ("where is my money",), "drafts": (), "many": True}
    assert state["effects"] == [{**told, "which": [], "distinct": 0}]
    assert [one["says"] for one in state["answered"]] == [
        "the same as “my card is lost”",
        "not as “good day”",
    ]

    desk, _ = act(desk, "retract", {"text": "Where is my  MONEY"}, "Ana")
    assert desk.journal[-1].says == "taken back: what was answered of “Where is my  MONEY”"
    assert (folder / ANSWERS).read_text() == "".join(lines.splitlines(keepends=True)[1:])
    assert page_state(desk, read_log(folder, desk.run))["effects"] == []
    with pytest.raises(DataError, match="nothing is answered of that message any more"):
        act(desk, "retract", {"text": "where is my money"})

    undo(desk, "Ana")
    assert sorted((folder / ANSWERS).read_text().splitlines()) == sorted(lines.splitlines())


def test_without_an_answer_left_there_is_no_file_of_them(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts", run=TOLD)
    (folder / ANSWERS).write_text(answer_line(TOLD_OF))
    desk, _ = act(open_desk(folder), "retract", {"text": "where is my money"})
    assert not (folder / ANSWERS).exists()
    assert read_previous(folder).earlier.answers == ()


def test_what_an_answer_did_to_proposals_is_told_with_their_drafts_and_names(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts", run=TOLD_OF_PROPOSALS)
    (folder / ANSWERS).write_text(answer_line(ANSWERED_OF_PROPOSALS))
    desk, _ = act(open_desk(folder), "rename", {"draft": "new/refund.yml", "name": "money_back"})

    refund, both, texts = ("new/refund.yml",), ("new/refund.yml", "new/invoice.yml"), ("a bill please",)
    which, none = {"which": ["a bill please", "pay <it>"], "distinct": 4}, {"which": [], "distinct": 0}
    assert page_state(desk, read_log(folder, desk.run))["effects"] == [
        {"says": CAME_SAYS.format("money_back"), "texts": texts, "drafts": refund, "many": True, **which},
        {"says": WENT_SAYS.format("money_back"), "texts": texts, "drafts": both, "many": False, **none},
    ]
    write_report(desk)
    without_script = (folder / REPORT).read_text().split("<noscript>")[1].split("</noscript>")[0]
    assert CAME_SAYS.format("money_back") in without_script
    assert WENT_SAYS.format("money_back") not in without_script, "that is not much"


def test_what_an_answer_did_to_proposals_is_told_until_it_is_taken_back() -> None:
    other = Answer("a bill please", ("lol",), ("good day",))
    assert told_effects(TOLD_OF_PROPOSALS, answer_line(other), {}) == []
    texts = ("A bill  PLEASE",)
    turned = Answer("where is my money", texts), Answer("money back please", (), texts)
    told = told_effects(TOLD_OF_PROPOSALS, "".join(map(answer_line, turned)), {})
    assert [(one.texts, one.drafts) for one in told] == [
        (("where is my money",), ()),
        (("money back please",), ()),
    ]
    assert told[0].says == CAME_SAYS.format("refund"), "a proposal that is gone has the name of the run"


def test_what_all_answers_did_is_told_where_some_did_little(tmp_path: Path) -> None:
    answer = ANSWERED_OF_PROPOSALS

    def told(run: Mapping[str, Any], *answers: Answer) -> Any:
        used = {ANSWERED: answers_digest([answer])}
        folder = write_folder(tmp_path / str(len([*tmp_path.iterdir()])), run={**used, **run})
        (folder / ANSWERS).write_text("".join(map(answer_line, answers)))
        desk = open_desk(folder)
        return page_state(desk, read_log(folder, desk.run))["in_all"]

    both = "Beside new groups, your answers put 12 messages into refund, and kept 4 messages out of refund."
    assert told(TOLD_OF_PROPOSALS, answer) == both
    much = {**TOLD_OF_PROPOSALS, "settings": {"min_messages": 4}}
    assert told(much, answer) == "", "each of them is listed"
    nothing = "Beyond the messages that you were asked about, your answers changed no proposal."
    assert told({"answers": []}, answer) == nothing
    assert told({"answers": []}) == told({"answers": []}, answer, answer) == "", "the run had others"


@pytest.mark.parametrize(
    "said",
    [
        None,
        7,
        [7],
        [{"texts": [], "intent": "a", "messages": 1}],
        [{"texts": ["a"]}],
        [{"texts": ["a", "b"], "proposal": 1, "messages": 1}],
        [{"texts": ["b"], "apart_from": [], "proposal": "b", "other": None, "messages": 1}],
        [{"texts": ["b"], "apart_from": [7], "proposal": "b", "other": None, "messages": 1}],
    ],
)
def test_effects_that_cannot_be_read_are_left_out(said: Any) -> None:
    assert told_effects({"answers": said}, answer_line(Answer("a", ("b",), ("b",))), {}) == []


@pytest.mark.parametrize(
    ("together", "no", "says"),
    [
        (9, 25, "of your last 25 answers none put messages together, so more are likely to change little."),
        (2, 23, "of your last 25 answers only 2 put messages together, so more are likely to change little."),
        (3, 22, ""),
        (0, 24, ""),
        (0, 0, ""),
    ],
)
def test_where_the_last_answers_put_hardly_anything_together_more_change_little(
    together: int, no: int, says: str
) -> None:
    yes, none = answer_line(Answer("a", ("b",), ("c",))), answer_line(Answer("lol", (), ("good day",)))
    untold = answer_line(Answer("lol", unsure=("hey there",)))
    assert little_to_gain(together * yes + untold + no * none) == says


def test_several_answers_about_a_message_are_all_told() -> None:
    lines = answer_line(Answer("a", ("b", "c"), ("d",))) + answer_line(Answer("a", (), ("e",)))
    assert answers_in_words(lines) == {"a": "the same as “b”, “c”; not as “d”; not as “e”"}


def test_the_report_tells_of_effects_without_its_script_too(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts", run=TOLD)
    (folder / ANSWERS).write_text(answer_line(TOLD_OF))
    write_report(open_desk(folder))
    assert f"<p>{TOLD_SAYS}</p>" in (folder / REPORT).read_text()
