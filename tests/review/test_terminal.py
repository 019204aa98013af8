"""The review in the terminal: what is asked, and what the answers do to the drafts."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from desk_folder import (
    ANSWERED_OF_PROPOSALS,
    ASKED_TWICE,
    CAME_SAYS,
    EVIDENCE,
    INVOICE,
    LAMP,
    MESSAGES,
    PARTS,
    QUESTIONS,
    REFUND,
    TOLD,
    TOLD_OF,
    TOLD_OF_PROPOSALS,
    TOLD_SAYS,
    VISA,
    WENT_SAYS,
    files_of,
    with_conversations,
    write_folder,
)
from near_folder import write_near_folder

from rasa_intent_discovery.corpus.turns import BOT, USER, Occurrence, Turn, Turns
from rasa_intent_discovery.datatypes import LoggedMessage
from rasa_intent_discovery.dates import moment
from rasa_intent_discovery.drafts.folder import ANSWERS, read_drafts
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.review.decisions.answers import answer_line
from rasa_intent_discovery.review.decisions.files import act
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.next_run.previous_run import read_previous
from rasa_intent_discovery.review.terminal import ask_questions as terminal_questions
from rasa_intent_discovery.review.terminal import asks as terminal_asks
from rasa_intent_discovery.review.terminal import lists as terminal_lists
from rasa_intent_discovery.review.terminal import merge as terminal_merge
from rasa_intent_discovery.review.terminal import review as review_terminal
from rasa_intent_discovery.review.terminal import run_again as terminal_again
from rasa_intent_discovery.review.terminal.asks import asks_in_terminal
from rasa_intent_discovery.review.terminal.review import review_in_terminal
from rasa_intent_discovery.training_data.nlu_yaml import Draft


class Person:
    """Answers in turn: a choice, a text, or a list of examples. An exception is raised."""

    def __init__(self, *answers: object) -> None:
        self._answers = list(answers)
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def _answer(self, question: str, choices: Sequence[str]) -> object:
        self.asked.append((question, tuple(choices)))
        answer = self._answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def select(self, question: str, choices: Sequence[str]) -> str | None:
        answer = self._answer(question, choices)
        assert answer is None or answer in choices
        return None if answer is None else str(answer)

    def name(self, question: str, names: Sequence[str]) -> str | None:
        return self.select(question, names)

    def several(self, question: str, choices: Sequence[str]) -> list[str] | None:
        answer = self._answer(question, choices)
        assert isinstance(answer, list)
        return answer

    def text(self, question: str, proposed: str) -> str | None:
        return str(self._answer(question, [proposed]))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "drafts")


def decisions(folder: Path) -> dict[str, str]:
    return {draft.intent: draft.decision for draft in read_drafts(folder)}


def test_all_proposals_the_most_promising_first(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    person = Person(review_terminal.ACCEPT, review_terminal.IGNORE, review_terminal.ACCEPT)
    review_in_terminal(folder, person)
    assert decisions(folder) == {"refund": "accepted", "invoice": "ignored", "visa": "accepted"}
    assert [question for question, _ in person.asked] == ["refund:", "invoice:", "visa:"]
    assert capsys.readouterr().out.startswith(
        "\n"
        "refund: 10 messages (3 proposals to decide)\n"
        "\n"
        "  Nearest known intent: greet, 0.40 alike\n"
        "  How alike: its messages are alike\n"
        "  How stable: nearly all of it is found again when messages are left out\n"
        "  Nearly an example of order: i want it back\n"
        "  - where is my money\n"
        "  - money back please\n"
        "  - i want it back\n"
        "\n"
        "refund accepted.\n"
    )


def test_of_a_proposal_that_was_emptied_nothing_is_asked(folder: Path) -> None:
    act(open_desk(folder), "move", {"texts": ["do i need a visa"], "target": "new/refund.yml"})
    person = Person(review_terminal.ACCEPT, review_terminal.IGNORE)
    review_in_terminal(folder, person)
    assert [question for question, _ in person.asked] == ["refund:", "invoice:"]


def test_what_came_since_the_last_run_is_said_behind_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    came = ("money back please", "do i need a visa")
    review_in_terminal(write_folder(tmp_path / "drafts", came=came), Person(terminal_asks.QUIT))
    out = capsys.readouterr().out
    assert "  - where is my money\n  - money back please (came since the last run)\n" in out


def test_what_may_be_one_wish_is_shown_together_and_merged_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrote = {f"new/{name}.yml": name for name in ("refund", "invoice", "visa")}
    folder = write_folder(
        tmp_path / "drafts", run={"drafts": wrote, "families": [["refund", "visa"], ["invoice"]]}
    )
    before = {name: text for name, text in files_of(folder).items() if name.endswith(".yml")}
    person = Person(
        *(review_terminal.PUT_OFF, terminal_asks.UNDO, review_terminal.MERGE_FAMILY),
        *(terminal_merge.YES_MERGE, review_terminal.ACCEPT, terminal_asks.QUIT),
    )
    review_in_terminal(folder, person)
    assert [question for question, _ in person.asked] == [
        *("refund:", "visa:", "refund:", "Merge visa (1 message) into refund?", "refund:", "invoice:")
    ]
    offered = [review_terminal.MERGE_FAMILY in choices for _, choices in person.asked]
    assert offered == [True, False, True, False, False, False], "not while a sibling is left for later"
    assert decisions(folder) == {"invoice": "open", "refund": "accepted"}
    out = capsys.readouterr().out
    assert "refund: 10 messages (3 proposals to decide)\n\n  May be one wish with: visa\n" in out
    assert "visa: 1 message (2 proposals to decide)\n\n  May be one wish with: refund (later)\n" in out
    assert "visa merged into refund.\n" in out
    review_in_terminal(folder, Person(terminal_asks.UNDO, terminal_asks.UNDO, terminal_asks.QUIT))
    assert {name: text for name, text in files_of(folder).items() if name.endswith(".yml")} == before


def test_what_was_left_for_later_comes_again_after_all_others(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    person = Person(
        *(review_terminal.PUT_OFF, review_terminal.PUT_OFF, review_terminal.ACCEPT),
        *(review_terminal.ASK_AGAIN, review_terminal.ACCEPT, review_terminal.PUT_OFF),
    )
    review_in_terminal(folder, person, "Ana")
    assert [question for question, _ in person.asked] == [
        *("refund:", "invoice:", "visa:"),
        *("Decide now?", "refund:", "invoice:"),
    ]
    assert person.asked[3][1] == ("yes: ask about them again", "not now", "stop here")
    assert decisions(folder) == {"refund": "accepted", "invoice": "later", "visa": "accepted"}
    out = capsys.readouterr().out
    assert "\n2 proposals are left for later: invoice, refund.\n" in out
    assert "\nrefund: 10 messages (2 proposals to decide)\n\n  Left for later by Ana\n" in out
    assert "\n1 proposal is left for later: the next `review --terminal` asks again.\n" in out


def test_what_was_left_for_later_comes_again_in_the_next_review(folder: Path) -> None:
    review_in_terminal(
        folder, Person(review_terminal.PUT_OFF, *[review_terminal.ACCEPT] * 2, terminal_again.NOT_NOW)
    )
    assert decisions(folder) == {"refund": "later", "invoice": "accepted", "visa": "accepted"}
    again = Person(review_terminal.ASK_AGAIN, review_terminal.IGNORE)
    review_in_terminal(folder, again)
    assert [question for question, _ in again.asked] == ["Decide now?", "refund:"]


@pytest.mark.parametrize("end", [terminal_asks.QUIT, None, KeyboardInterrupt()])
def test_stopping_keeps_what_was_decided(folder: Path, end: object) -> None:
    review_in_terminal(folder, Person(review_terminal.ACCEPT, end))
    assert decisions(folder) == {"refund": "accepted", "invoice": "open", "visa": "open"}


def test_another_name_then_accepted(folder: Path) -> None:
    person = Person(review_terminal.RENAME, "money_back", review_terminal.ACCEPT, terminal_asks.QUIT)
    review_in_terminal(folder, person)
    assert decisions(folder) == {"money_back": "accepted", "invoice": "open", "visa": "open"}


def test_a_doubtful_name_is_asked_about_and_the_plain_one_offered(folder: Path) -> None:
    person = Person(
        *(review_terminal.RENAME, "Money Back!", "use money_back"),
        *(review_terminal.RENAME, "null", review_terminal.OTHER_NAME),
        *(
            review_terminal.RENAME,
            "{a}",
            review_terminal.AS_IT_IS,
            review_terminal.ACCEPT,
            terminal_asks.QUIT,
        ),
    )
    review_in_terminal(folder, person)
    assert person.asked[2] == (
        "“Money Back!” has other characters than letters, digits, _, -, . and /.",
        ("use money_back", "think of another one", "keep it as I wrote it"),
    )
    asked = [person.asked[at][0] for at in (0, 3, 6, 9)]
    assert asked == ["refund:", "money_back:", "money_back:", "{a}:"]
    assert decisions(folder) == {"{a}": "accepted", "invoice": "open", "visa": "open"}


def test_merged_into_another_one_the_nearest_offered_first(folder: Path) -> None:
    person = Person(review_terminal.MERGE, "invoice", terminal_merge.YES_MERGE, terminal_asks.QUIT)
    review_in_terminal(folder, person)
    assert person.asked[1] == ("Into which one?", ("greet", "invoice", "order", "visa"))
    [invoice, _] = read_drafts(folder)
    assert invoice.examples[2:] == ("where is my money", "money back please", "i want it back")


def test_before_a_merge_it_is_said_what_goes_into_what_and_enter_alone_merges_nothing(folder: Path) -> None:
    into = [(review_terminal.MERGE, name, terminal_merge.NO_MERGE) for name in ("order", "visa")]
    person = Person(*into[0], *into[1], terminal_asks.QUIT)
    before = files_of(folder)
    review_in_terminal(folder, person)
    no_first, last = "no: leave it as it is", "yes: merge it"
    accepted = "yes: merge it and accept it: apply adds its examples to that intent"
    later = "yes: merge it, and accept it later on the review desk: until then apply adds nothing of it"
    assert [asked for asked in person.asked if asked[0].startswith("Merge")] == [
        (
            "Merge refund (3 examples of 10 messages) into order, an intent your bot has?",
            (no_first, accepted, later),
        ),
        ("Merge refund (3 examples of 10 messages) into visa?", (no_first, last)),
    ]
    assert files_of(folder) == before


def test_what_is_merged_into_a_known_intent_is_accepted_without_what_nobody_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {name: text for name, text in files_of(folder).items() if name.endswith(".yml")}
    person = Person(review_terminal.MERGE, "greet", terminal_merge.MERGE_AND_ACCEPT, terminal_asks.QUIT)
    review_in_terminal(folder, person)
    asked = "Merge refund (3 examples of 10 messages) into greet, an intent your bot has"
    assert person.asked[2][0] == f"{asked}, with 2 further examples that nobody accepted?"
    greet = open_desk(folder).review.drafts["known/greet.yml"]
    assert (greet.decision, greet.examples) == ("accepted", REFUND.examples)
    out = capsys.readouterr().out
    assert "refund merged into greet.\n" in out
    assert "3 examples of 1 intent accepted, 2 left out.\n" in out
    again = Person(review_terminal.MERGE, "greet", terminal_merge.MERGE_AND_ACCEPT, terminal_asks.QUIT)
    review_in_terminal(folder, again)
    assert again.asked[2] == (
        "Merge invoice (4 messages) into greet, an intent your bot has?",
        (terminal_merge.NO_MERGE, terminal_merge.MERGE_AND_ACCEPT),
    )
    greet = open_desk(folder).review.drafts["known/greet.yml"]
    assert (greet.decision, greet.examples) == ("accepted", (*REFUND.examples, *INVOICE.examples))
    review_in_terminal(folder, Person(*[terminal_asks.UNDO] * 3, terminal_asks.QUIT))
    assert {name: text for name, text in files_of(folder).items() if name.endswith(".yml")} == before


def test_what_is_merged_into_a_known_intent_can_stay_open_there(folder: Path) -> None:
    person = Person(review_terminal.MERGE, "order", terminal_merge.MERGE_ONLY, terminal_asks.QUIT)
    review_in_terminal(folder, person)
    order = open_desk(folder).review.drafts["known/order.yml"]
    assert (order.decision, order.examples) == ("open", REFUND.examples)


def test_a_merge_into_a_known_intent_without_further_examples_can_be_accepted_at_once(folder: Path) -> None:
    person = Person(review_terminal.MERGE, "order", terminal_merge.MERGE_AND_ACCEPT, terminal_asks.QUIT)
    review_in_terminal(folder, person)
    order = open_desk(folder).review.drafts["known/order.yml"]
    assert (order.decision, order.examples) == ("accepted", REFUND.examples)


def test_the_nearest_known_intent_is_offered_first_then_the_open_siblings_of_a_family(tmp_path: Path) -> None:
    wrote = {f"new/{name}.yml": name for name in ("refund", "invoice", "visa")}
    run = {"drafts": wrote, "families": [["refund", "visa", "invoice"]]}
    person = Person(review_terminal.MERGE, None, terminal_asks.QUIT)
    review_in_terminal(write_folder(tmp_path / "drafts", run=run), person)
    assert person.asked[1] == ("Into which one?", ("greet", "visa", "invoice", "order"))


def test_a_review_goes_on_with_the_drafts_of_a_run_that_ended_meanwhile(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_folder(tmp_path / "drafts")
    more = tuple((text, 10 * count, *placed) for text, count, *placed in MESSAGES)

    class OfAnotherRun(Person):
        def select(self, question: str, choices: Sequence[str]) -> str | None:
            if len(self.asked) == 1:
                shutil.rmtree(folder)
                write_folder(folder, messages=more, run={"settings": {"seed": 7}})
            return super().select(question, choices)

    person = OfAnotherRun(review_terminal.ACCEPT, review_terminal.ACCEPT, terminal_asks.QUIT)
    review_in_terminal(folder, person)
    assert [question for question, _ in person.asked] == ["refund:", "invoice:", "refund:"]
    told = [
        line for line in capsys.readouterr().out.splitlines() if "to decide" in line or "meanwhile" in line
    ]
    assert told == [
        "refund: 10 messages (3 proposals to decide)",
        "invoice: 4 messages (2 proposals to decide)",
        "Another run has made new drafts meanwhile: these are next.",
        "refund: 100 messages (3 proposals to decide)",
    ]
    assert decisions(folder) == dict.fromkeys(("invoice", "refund", "visa"), "open"), "nobody saw these"


def test_what_is_on_the_same_subject_comes_next_and_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrote = {f"new/{name}.yml": name for name in ("refund", "invoice", "visa")}
    folder = write_folder(tmp_path / "drafts", run={"drafts": wrote, "subjects": [["refund", "visa"]]})
    person = Person(
        *(review_terminal.ACCEPT, review_terminal.MERGE, None, review_terminal.IGNORE, terminal_asks.QUIT)
    )
    review_in_terminal(folder, person)
    assert [question for question, _ in person.asked] == [
        *("refund:", "visa:", "Into which one?", "visa:", "invoice:")
    ]
    assert person.asked[2][1][:2] == ("order", "refund")
    out = capsys.readouterr().out
    assert "refund: 10 messages (3 proposals to decide)\n\n  On the same subject: visa\n" in out
    assert "visa: 1 message (2 proposals to decide)\n\n  On the same subject: refund (accepted)\n" in out


def test_what_was_merged_counts_and_what_the_run_measured_before_says_so(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    merged = Person(review_terminal.MERGE, "invoice", terminal_merge.YES_MERGE, terminal_asks.QUIT)
    review_in_terminal(folder, merged)
    out = capsys.readouterr().out
    before = (
        "  Measured by the run, before other proposals were merged into this one.\n  Nearest known intent: "
    )
    assert f"\ninvoice: 14 messages (2 proposals to decide)\n\n{before}" in out


def test_a_message_that_left_is_said_beside_what_the_run_measured(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    review_in_terminal(folder, Person(terminal_asks.QUIT))
    assert "Measured by the run" not in capsys.readouterr().out
    desk = review_terminal.open_desk(folder)
    act(desk, "move", {"texts": ["i want it back"], "target": "new/visa.yml"})
    review_in_terminal(folder, Person(terminal_asks.QUIT))
    before = "  Measured by the run, before 1 text came or left.\n  Nearest known intent: "
    assert f"\nrefund: 9 messages (3 proposals to decide)\n\n{before}" in capsys.readouterr().out


def test_enter_by_mistake_changes_nothing_that_counts(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts", **PARTS)
    enter = [*[review_terminal.PUT_OFF] * 3, review_terminal.STAY, review_terminal.STAY]
    again = [review_terminal.ASK_AGAIN, *[review_terminal.PUT_OFF] * 3]
    person = Person(*enter, *again)
    review_in_terminal(folder, person)
    assert [choices[0] for _, choices in person.asked] == [*enter, *again]
    assert set(decisions(folder).values()) == {"later"}


def test_examples_dropped_and_that_undone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {name: text for name, text in files_of(folder).items() if name.endswith(".yml")}
    drop = Person(review_terminal.DROP, ["i want it back"], terminal_asks.QUIT)
    review_in_terminal(folder, drop)
    assert read_drafts(folder)[1].examples == ("where is my money", "money back please")
    told = capsys.readouterr().out
    assert "1 message dropped from refund. It is now among its other messages.\n" in told
    review_in_terminal(folder, Person(terminal_asks.UNDO, terminal_asks.QUIT))
    assert {name: text for name, text in files_of(folder).items() if name.endswith(".yml")} == before


def test_what_cannot_be_done_is_said_and_asked_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    person = Person(review_terminal.RENAME, "greet", terminal_asks.QUIT)
    before = files_of(folder)
    review_in_terminal(folder, person)
    assert "greet is there already: merge refund into it.\n" in capsys.readouterr().out
    assert files_of(folder) == before


def test_entities_are_marked_and_the_marks_taken_off(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evidence = {**EVIDENCE, "entities": ["[Berlin](city)", "[June](month)"]}
    trip = Draft("trip", ("to Berlin in June", "Berlin"), evidence)
    folder = write_folder(tmp_path / "drafts", new=(trip,), known=(), messages=())
    both = ["Berlin → city, 2 examples", "June → month, 1 example"]
    off = ["Berlin → city, 2 examples, marked"]
    person = Person(review_terminal.MARK, both, review_terminal.MARK, off, terminal_asks.QUIT)
    review_in_terminal(folder, person)
    assert person.asked[1][1] == tuple(both)
    assert read_drafts(folder)[0].examples == ("to Berlin in [June](month)", "Berlin")
    out = capsys.readouterr().out
    assert "  Entities your bot knows: Berlin (city), June (month)\n" in out
    assert "Berlin marked as city in 2 examples of trip.\nJune marked as month in 1 example of trip.\n" in out
    assert "  - to [Berlin](city) in [June](month)\n  - [Berlin](city)\n" in out
    assert out.endswith("  - to Berlin in [June](month)\n  - Berlin\n\n")


def test_no_mark_is_offered_where_there_is_nothing_to_mark(folder: Path) -> None:
    person = Person(terminal_asks.QUIT)
    review_in_terminal(folder, person)
    assert review_terminal.MARK not in person.asked[0][1]


@pytest.mark.parametrize(("count", "told"), [(20, "8 are"), (13, "1 is")])
def test_of_many_examples_typical_ones_and_some_from_all_over_are_shown_and_all_on_demand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], count: int, told: str
) -> None:
    many = Draft("many", tuple(f"example {number}" for number in range(count)), EVIDENCE)
    folder = write_folder(tmp_path / "drafts", new=(many,), known=(), messages=())
    person = Person(review_terminal.MORE, terminal_asks.QUIT)
    review_in_terminal(folder, person)
    out = capsys.readouterr().out
    between = f"  Of the others, of which {told} not shown here, some from all over:\n"
    assert f"  - example 3\n{between}  - example 4\n" in out
    shown = out.split(between)[1].split("\n\n")[0].splitlines()
    assert (len(shown), shown[-1]) == (8, f"  - example {count - 1}")
    assert out.endswith(f"  - example {count - 1}\n")


def test_parts_of_known_intents_come_last_and_what_is_split_off_is_decided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_folder(tmp_path / "drafts", new=(), **PARTS)
    person = Person(review_terminal.SPLIT_OFF, terminal_asks.UNDO, review_terminal.STAY)
    review_in_terminal(folder, person)
    assert [question for question, _ in person.asked] == ["blue_lamp:", "blue_lamp:", "refund:"]
    assert decisions(folder) == {}
    assert (
        "\n"
        "blue_lamp may be a wish of its own inside `greet`: 6 messages\n"
        "\n"
        "  - is there a lamp in blue\n"
        "  - blue lamp (looks new)\n"
        "  - lamp, but blue (looks new)\n"
        "\n"
        "3 messages made a new proposal, blue_lamp.\n"
    ) in capsys.readouterr().out


def test_a_proposal_that_holds_two_wishes_is_split(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    person = Person(review_terminal.SPLIT, "", review_terminal.SPLIT, "card_refund", terminal_asks.QUIT)
    review_in_terminal(folder, person)
    assert person.asked[1] == ("Its name, or nothing to leave them here:", ("money_back",))
    assert (
        "\n2 messages could be a proposal of their own:\n\n  - money back please\n  - i want it back\n\n"
    ) in capsys.readouterr().out
    drafts = {draft.intent: draft.examples for draft in read_drafts(folder)}
    assert drafts["card_refund"] == ("money back please", "i want it back")
    assert drafts["refund"] == ("where is my money",)


def test_what_is_near_but_elsewhere_is_shown_and_added(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_near_folder(tmp_path / "drafts")
    person = Person(review_terminal.ADD, [], review_terminal.ADD, ["lol (left over)"], review_terminal.QUIT)
    review_in_terminal(folder, person)
    said = capsys.readouterr().out
    assert "  - i want it back\n  Near to these, but elsewhere:\n  - lol (left over)\n" in said
    assert ("Which belong here?", ("lol (left over)",)) in person.asked
    assert said.count("1 message added to refund.") == 1
    assert read_drafts(folder)[1].examples[-1] == "lol"
    # There is nothing more that is near to it, so that is not offered again.
    assert review_terminal.ADD in person.asked[0][1]
    assert review_terminal.ADD not in person.asked[-1][1]


def test_of_a_run_without_vectors_nothing_is_offered_to_add(folder: Path) -> None:
    person = Person(review_terminal.QUIT)
    review_in_terminal(folder, person)
    assert review_terminal.ADD not in person.asked[0][1]


def test_no_split_is_offered_of_one_wish(folder: Path) -> None:
    person = Person(review_terminal.IGNORE, terminal_asks.QUIT)
    review_in_terminal(folder, person)
    assert [review_terminal.SPLIT in choices for _, choices in person.asked] == [True, False]


def test_examples_that_hold_a_mask_are_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mail = Draft("mail", ("mail me at <email>", "write to <mail>", "call <phone>"), EVIDENCE)
    folder = write_folder(tmp_path / "drafts", new=(mail,), known=(), messages=())
    person = Person(review_terminal.DROP, ["mail me at <email> (holds a mask)"], terminal_asks.QUIT)
    review_in_terminal(folder, person)
    marked = (*("mail me at <email> (holds a mask)", "write to <mail>", "call <phone> (holds a mask)"),)
    assert person.asked[1][1] == marked
    assert "".join(f"  - {line}\n" for line in marked) in capsys.readouterr().out
    assert read_drafts(folder)[0].examples == mail.examples[1:]


def test_a_mask_is_replaced_in_its_example(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mail = Draft("mail", ("mail me at <email>", "write to me"), EVIDENCE)
    folder = write_folder(tmp_path / "drafts", new=(mail,), known=(), messages=())
    which = (review_terminal.REWORD, "mail me at <email> (holds a mask)")
    person = Person(*which, "", *which, "mail me at home", terminal_asks.QUIT)
    review_in_terminal(folder, person)
    assert person.asked[2] == ("How it is to read:", ("mail me at <email>",))
    assert read_drafts(folder)[0].examples == ("mail me at home", "write to me")
    assert capsys.readouterr().out.count("an example of mail is now “mail me at home”.\n") == 1


def test_a_part_that_was_split_off_is_accepted_and_not_asked_about_again(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts", new=(), **PARTS)
    review_in_terminal(folder, Person(review_terminal.SPLIT_OFF, review_terminal.ACCEPT, terminal_asks.QUIT))
    assert decisions(folder) == {"blue_lamp": "accepted"}
    assert read_drafts(folder)[0].examples == LAMP
    again = Person(terminal_asks.QUIT)
    review_in_terminal(folder, again)
    assert [question for question, _ in again.asked] == ["refund:"]


def test_the_conversation_around_an_example_is_printed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turns = Turns()
    before = (Turn(USER, ("hi",)), Turn(BOT, ("What is it?", "[Money]")))
    for when in (moment("2026-03-01"), None):
        turns.keep(LoggedMessage("Money back  please", when), Occurrence(when, before))
    with_conversations(folder, turns)
    person = Person(review_terminal.TALK, "money back please", review_terminal.ACCEPT, terminal_asks.QUIT)
    review_in_terminal(folder, person)
    assert person.asked[1] == ("Of which one?", ("money back please",))
    assert review_terminal.TALK not in person.asked[3][1], "invoice has none"
    said = "    User: hi\n    Bot: What is it?\n         [Money]\n  > User: money back please\n"
    assert (
        f"\n  1 Mar 2026:\n{said}\n  On a day that is not known:\n{said}\nrefund accepted.\n"
        in capsys.readouterr().out
    )


def asked_of(*answers: object) -> Person:
    """A person who leaves all proposals for later, and then gives these answers."""
    return Person(*[review_terminal.PUT_OFF] * 3, terminal_again.NOT_NOW, *answers)


def numbers_in(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The lines that say which question it is."""
    return [line for line in capsys.readouterr().out.splitlines() if line.startswith("Question ")]


def test_the_nearest_proposal_is_called_by_the_name_that_it_has_by_now(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    near = replace(VISA, evidence={**VISA.evidence, "new_similarity": 0.9})
    run = {"drafts": {"new/refund.yml": "refund", "new/visa.yml": "visa"}}
    folder = write_folder(tmp_path / "drafts", new=(REFUND, near), run=run)
    act(open_desk(folder), "rename", {"draft": "new/refund.yml", "name": "zz_money_back"})
    person = Person(
        *(review_terminal.PUT_OFF, review_terminal.MERGE, None, terminal_asks.QUIT),
    )
    review_in_terminal(folder, person)
    assert "  Nearest proposal: zz_money_back, 0.90 alike;" in capsys.readouterr().out
    assert person.asked[2] == ("Into which one?", ("order", "zz_money_back", "greet")), "the nearest first"


def test_the_questions_of_the_run_come_last(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_folder(tmp_path / "drafts", run=QUESTIONS)
    person = asked_of(terminal_questions.CANNOT_TELL, terminal_questions.NO)
    review_in_terminal(folder, person)
    assert person.asked[4:] == [
        (
            "Which of the others want the same as the message above?",
            (
                *("I cannot tell", "a bill please (now in invoice)", "money back please (now in refund)"),
                *("several of these", "none of these", "stop here"),
            ),
        ),
        (
            "Does the other message want the same as the one above?",
            ("I cannot tell", "yes: good day (now in greet)", "no", "undo the last decision", "stop here"),
        ),
    ]
    assert read_previous(folder).earlier.answers == (Answer("lol", (), ("good day",)),)
    assert capsys.readouterr().out.endswith(
        "\nMessages want the same where your bot would answer all of them alike.\n"
        "\nQuestion 1 of 2\n\n  where is my money (now in refund)\n\n"
        "answered: cannot tell what wants the same as “where is my money”.\n"
        "\nQuestion 2 of 2\n\n  lol (left over now)\n\n"
        "answered: “lol” wants the same as none of those shown.\n"
        "1 answer so far: the next run takes the answers into account.\n"
        "Nobody has decided about 2 further examples of 1 intent the bot has: the page of `review` lists "
        "them, under Known, or edit the files in known/.\n"
    )


@pytest.mark.parametrize("wanted", [True, False])
@pytest.mark.parametrize(
    ("run", "answered", "says"),
    [
        (
            {"new_intents": {"proposed": 0}},
            0,
            "The run found no new intent. It has 2 short questions: the answers may bring out one that you "
            "miss.",
        ),
        (
            {},
            25,
            "The run has 2 short questions, but of your last 25 answers none put messages together, so more "
            "are likely to change little.",
        ),
    ],
)
def test_where_questions_need_not_be_worth_it_it_is_asked_whether_they_are_wanted(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    run: dict[str, object],
    answered: int,
    says: str,
    wanted: bool,
) -> None:
    folder = write_folder(tmp_path / "drafts", new=(), run={**QUESTIONS, **run})
    (folder / ANSWERS).write_text(answered * answer_line(Answer("hey there", apart=("good day",))))
    person = Person(
        *([terminal_questions.ANSWER, terminal_asks.QUIT] if wanted else [terminal_questions.LEAVE])
    )
    review_in_terminal(folder, person)
    assert person.asked[0] == ("Answer now?", ("no", "yes, ask me"))
    out = capsys.readouterr().out
    assert out.startswith(f"\n{says}\n")
    assert ("Question 1 of 2" in out) is wanted


def test_an_answer_names_one_or_several_and_is_undone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_folder(tmp_path / "drafts", run=QUESTIONS)
    bill, money = "a bill please (now in invoice)", "money back please (now in refund)"
    review_in_terminal(folder, asked_of(money, terminal_asks.QUIT))
    answers = [Answer("where is my money", ("money back please",), ("a bill please",))]
    assert [*read_previous(folder).earlier.answers] == answers

    again = Person(
        terminal_again.NOT_NOW,
        *(terminal_asks.UNDO, terminal_questions.SEVERAL, [], terminal_questions.SEVERAL, [bill, money]),
        terminal_asks.QUIT,
    )
    review_in_terminal(folder, again)
    assert terminal_asks.UNDO not in again.asked[2][1], "nothing is answered any more"
    assert numbers_in(capsys)[2:] == [
        "Question 1 of 1",
        "Question 1 of 2",
        "Question 1 of 2",
        "Question 2 of 2",
    ]
    answers = [Answer("where is my money", ("a bill please", "money back please"))]
    assert [*read_previous(folder).earlier.answers] == answers


def test_who_cannot_tell_is_asked_the_next_question_also_of_the_same_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_folder(tmp_path / "drafts", run=ASKED_TWICE)
    person = asked_of(*[terminal_questions.CANNOT_TELL] * 2, terminal_questions.NO)
    review_in_terminal(folder, person)
    assert [choices[1] for _, choices in person.asked[4:]] == [
        *("a bill please (now in invoice)", "yes: do i need a visa (now in visa)"),
        "yes: good day (now in greet)",
    ]
    assert numbers_in(capsys) == ["Question 1 of 3", "Question 2 of 3", "Question 3 of 3"]


def test_what_could_not_be_told_is_asked_again_only_where_that_is_wanted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_folder(tmp_path / "drafts", run=QUESTIONS)
    review_in_terminal(folder, asked_of(*[terminal_questions.CANNOT_TELL] * 2))
    assert read_previous(folder).earlier.answers == ()
    again = "Of 2 questions it could not be told what wants the same: ask again?"
    choices = (terminal_questions.LEAVE, terminal_questions.ASK_AGAIN, terminal_asks.QUIT)
    for wanted, told in (
        (terminal_questions.LEAVE, []),
        (terminal_asks.QUIT, []),
        (terminal_questions.ASK_AGAIN, ["Question 1 of 2", "Question 2 of 2"]),
    ):
        capsys.readouterr()
        said = [terminal_questions.CANNOT_TELL, terminal_questions.NO][: len(told)]
        person = Person(terminal_again.NOT_NOW, wanted, *said)
        review_in_terminal(folder, person)
        assert person.asked[1] == (again, choices)
        assert numbers_in(capsys) == told
    assert read_previous(folder).earlier.answers == (Answer("lol", (), ("good day",)),)


def test_an_answer_that_settles_another_question_leaves_no_number_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    visa = {"text": "do i need a visa", "choices": [{"text": "where is my money"}]}
    folder = write_folder(tmp_path / "drafts", run={"questions": [visa, *ASKED_TWICE["questions"][1:]]})
    review_in_terminal(folder, asked_of(terminal_questions.NO, terminal_asks.QUIT))
    assert numbers_in(capsys) == ["Question 1 of 3", "Question 2 of 2"]


def test_a_question_about_one_message_is_answered_with_yes(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts", run=QUESTIONS)
    yes = "yes: good day (now in greet)"
    review_in_terminal(folder, asked_of(terminal_questions.CANNOT_TELL, yes))
    assert read_previous(folder).earlier.answers == (Answer("lol", ("good day",)),)


@pytest.mark.parametrize("kept", [True, False])
def test_what_answers_did_is_told_before_the_questions_and_they_are_taken_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kept: bool
) -> None:
    folder = write_folder(tmp_path / "drafts", run={**QUESTIONS, **TOLD})
    (folder / ANSWERS).write_text(answer_line(TOLD_OF))
    answer = terminal_questions.KEEP if kept else terminal_questions.TAKE_BACK
    person = asked_of(answer, terminal_asks.QUIT)
    review_in_terminal(folder, person)
    assert person.asked[4] == (
        "Is that right?",
        ("yes", "no: take back what I answered", "stop here"),
    )
    assert TOLD_SAYS in capsys.readouterr().out
    assert read_previous(folder).earlier.answers == ((TOLD_OF,) if kept else ())


def test_what_answers_did_to_proposals_is_asked_of_where_it_is_much(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_folder(tmp_path / "drafts", run={**QUESTIONS, **TOLD_OF_PROPOSALS})
    (folder / ANSWERS).write_text(answer_line(ANSWERED_OF_PROPOSALS))
    review_in_terminal(folder, asked_of(terminal_questions.TAKE_BACK, terminal_asks.QUIT))
    told = capsys.readouterr().out
    assert CAME_SAYS.format("refund") in told and WENT_SAYS.format("refund") not in told
    assert read_previous(folder).earlier.answers == ()


def test_who_stops_at_a_proposal_is_asked_no_question(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts", run=QUESTIONS)
    review_in_terminal(folder, Person(terminal_asks.QUIT))
    review_in_terminal(folder, asked_of(KeyboardInterrupt()))
    assert read_previous(folder).earlier.answers == ()


def test_without_a_terminal_nobody_can_be_asked() -> None:
    with pytest.raises(DataError) as error:
        asks_in_terminal()
    assert str(error.value) == (
        "there is no terminal to ask in: run the command in one, or leave --terminal out"
    )


_REVIEW = """
import sys
from pathlib import Path
from rasa_intent_discovery.review.terminal.asks import asks_in_terminal
from rasa_intent_discovery.review.terminal.review import review_in_terminal
review_in_terminal(Path(sys.argv[1]), asks_in_terminal())
"""
_DOWN, _ENTER, _END = b"\x1b[B", b"\r", b"\x03"


def pressed(folder: Path, *keys: tuple[bytes, bytes]) -> str:
    """What a real terminal shows of a review. Each time that a text was shown, keys are pressed."""
    ours, theirs = pty.openpty()
    person = subprocess.Popen(
        [sys.executable, "-c", _REVIEW, str(folder)], stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    said, seen, deadline = b"", 0, time.monotonic() + 60
    for shown, key in keys:
        while (at := said.find(shown, seen)) < 0:
            assert time.monotonic() < deadline, said
            if select.select([ours], [], [], 1)[0]:
                said += os.read(ours, 65536)
        seen = at + len(shown)
        time.sleep(0.5)  # it is drawn once more when it listens
        os.write(ours, key)
    assert person.wait(60) == 0
    os.close(ours)
    return said.decode()


def test_in_a_real_terminal(folder: Path) -> None:
    pressed(folder, (b"refund:", _ENTER), (b"invoice:", _DOWN + _ENTER), (b"visa:", _END))
    assert decisions(folder) == {"refund": "later", "invoice": "accepted", "visa": "open"}


@pytest.mark.parametrize("typed", [b"?", pytest.param(b"jk", marks=pytest.mark.slow)])
def test_what_is_typed_into_a_list_tells_its_keys_and_the_enter_behind_it_decides_nothing(
    folder: Path, typed: bytes
) -> None:
    told = terminal_lists.POINT_HELP.encode()
    keys = ((b"refund:", typed + _ENTER), (told, b"?" + _DOWN + _ENTER), (b"invoice:", _END))
    said = pressed(folder, *keys)
    assert said.count("Nothing can be typed here: the arrow keys choose") == 2, "once for all that is typed"
    assert decisions(folder) == {"refund": "accepted", "invoice": "open", "visa": "open"}


@pytest.mark.slow
def test_what_is_typed_where_examples_are_ticked_drops_none(folder: Path) -> None:
    drop = [*review_terminal._DECISIONS, *("rename", "merge", "split")]
    keys = (
        *((b"refund:", _DOWN * len(drop) + _ENTER), (b"Which do not belong?", b" where" + _ENTER)),
        *((b"Space ticks one", _DOWN + b" " + _ENTER), (b"dropped from refund", b""), (b"refund:", _END)),
    )
    pressed(folder, *keys)
    assert read_drafts(folder)[1].examples == ("i want it back",)


@pytest.mark.parametrize(
    ("typed", "into"),
    [
        ([b"VI", b"\t"], "visa"),
        pytest.param([b"Vis"], "visa", marks=pytest.mark.slow),
        pytest.param([_DOWN * 3], "order", marks=pytest.mark.slow),
        pytest.param([b"viso", _ENTER, b"\x7f\x7f\x7f\x7forder"], "order", marks=pytest.mark.slow),
    ],
)
def test_the_intent_to_merge_into_is_typed_completed_or_pointed_at(
    folder: Path, typed: list[bytes], into: str
) -> None:
    keys = (
        *((b"refund:", _DOWN * 4 + _ENTER), (b"Into which one?", b"")),
        *((b"", key) for key in (*typed, _ENTER)),
        *(
            (b"Merge refund (3 examples of 10 messages) into " + into.encode(), _DOWN + _ENTER),
            (b"merged into", _END),
        ),
    )
    pressed(folder, *keys)
    assert "refund" not in decisions(folder)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("order", "order"),  # also where another one begins with it
        (" ord ", None),
        ("order_", "order_status"),
        ("INV", "invoice"),
        ("faq/H", "FAQ/hours"),
        ("visa", "visa"),
        ("VISA", None),  # two are called so
        ("Vis", None),
        ("OICE", "invoice"),
        ("r", None),
        ("invoices", None),
        ("", None),
    ],
)
def test_a_name_is_typed_as_far_as_it_is_clear(typed: str, name: str | None) -> None:
    names = ("order", "order_status", "invoice", "FAQ/hours", "visa", "Visa")
    assert terminal_lists.meant(typed, names) == name
    wrong = f"None or several match {typed.strip()}: choose with the arrow keys, or delete the line."
    assert terminal_lists.one_of(names)(typed) == (True if name or not typed else wrong)


def test_what_is_in_no_name_merges_nothing(folder: Path) -> None:
    before = files_of(folder)
    keys = (
        *((b"refund:", _DOWN * 4 + _ENTER), (b"Into which one?", b"invoke" + _ENTER)),
        *((b"None or several match invoke", b"\x15" + _ENTER), (b"refund:", _END)),
    )
    pressed(folder, *keys)
    assert files_of(folder) == before


def test_what_is_told_commands_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    joined = "\N{WOMAN}\u200d\N{ROCKET}, \u0645\u06cc\u200c\u0634\u0648\u062f"
    terminal_asks.tell(f"a \x1b[2J\u202eb: {joined}")
    assert capsys.readouterr().out == f"a \ufffd[2J\ufffdb: {joined}\n"
