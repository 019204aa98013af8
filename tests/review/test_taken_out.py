"""Examples that a person took out of drafts before: the next run offers them no more."""

from __future__ import annotations

from pathlib import Path

import pytest
from desk_folder import write_folder

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.drafts.folder import REFUSED, TAKEN_OUT
from rasa_intent_discovery.drafts.folder_writing import write_drafts
from rasa_intent_discovery.review.decisions.files import act, undo
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.messages.log import read_log
from rasa_intent_discovery.review.messages.standing import standing_of
from rasa_intent_discovery.review.messages.sure import refused_since, undecided_examples
from rasa_intent_discovery.review.next_run.previous_run import read_previous
from rasa_intent_discovery.review.next_run.taken_out import without_taken_out
from rasa_intent_discovery.training_data.nlu_yaml import Draft

GREET, REFUND = "known/greet.yml", "new/refund.yml"
DROPPED = {"draft": GREET, "texts": ["good day"]}
ACCEPTED = {"draft": GREET, "decision": "accepted"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "drafts")


def run_again(folder: Path) -> None:
    """The next run finds the same; it keeps what a person changed, and ends the journal."""
    previous, drafts = read_previous(folder), open_desk(folder).review.drafts
    content = {name: (folder / name).read_bytes() for name in (*drafts, "domain.yml", "assignments.jsonl")}
    record = {"intents": ["greet"], "drafts": {path: draft.intent for path, draft in drafts.items()}}
    for name, told in ((TAKEN_OUT, previous.earlier.taken_out), (REFUSED, previous.earlier.refused)):
        record[name] = {intent: sorted(texts) for intent, texts in told.items()}
    write_drafts(folder, content, record, edits=previous.edits)


def out_of(folder: Path, *known: KnownExample) -> tuple[object, object]:
    """What is taken out of intents, and what of that is refused, as the next run knows it."""
    earlier = read_previous(folder, known).earlier
    return earlier.taken_out, earlier.refused


def in_bot(folder: Path, path: str) -> list[KnownExample]:
    draft = open_desk(folder).review.drafts[path]
    return [KnownExample(text, draft.intent) for text in draft.examples]


def test_what_was_taken_out_of_one_intent_is_offered_for_another_one_unless_it_holds_a_mask() -> None:
    drafts = {
        "known/greet.yml": Draft("greet", ("hey", "Write to <email>")),
        "known/bye.yml": Draft("bye", ("hey", "write to <email>", "see you")),
        "new/mail.yml": Draft("mail", ("write to <email>",)),
    }
    out = {"greet": frozenset({"hey", "write to <email>"})}
    assert {path: draft.examples for path, draft in without_taken_out(drafts, out).items()} == {
        "known/bye.yml": ("hey", "see you"),
        "new/mail.yml": ("write to <email>",),
    }


def test_what_was_dropped_of_an_accepted_draft_is_refused_by_the_runs_before_it_is_applied(
    folder: Path,
) -> None:
    act(open_desk(folder), "drop", DROPPED)
    act(open_desk(folder), "decide", ACCEPTED)
    refused = {"greet": {"good day"}}
    assert refused_since(open_desk(folder)) == 1
    for _ in range(2):
        assert out_of(folder) == (refused, refused)
        run_again(folder)
        desk = open_desk(folder)
        assert (desk.journal, refused_since(desk)) == ((), 0)
        assert undecided_examples(desk, standing_of(desk.review, read_log(folder))) == {}
    assert out_of(folder, *in_bot(folder, GREET)) == (refused, refused)


@pytest.mark.parametrize("decision", ["ignored", "later"])
def test_whatever_was_decided_of_the_others(decision: str, folder: Path) -> None:
    act(open_desk(folder), "drop_all", {"texts": ["good day"]})
    act(open_desk(folder), "decide", {"draft": GREET, "decision": decision})
    run_again(folder)
    assert out_of(folder) == ({"greet": {"good day"}}, {"greet": {"good day"}})


def test_what_was_deleted_by_hand_in_an_accepted_draft_is_refused_too(folder: Path) -> None:
    text = (folder / GREET).read_text(encoding="utf-8")
    text = text.replace("decision: open", "decision: accepted").replace("    - good day\n", "")
    (folder / GREET).write_text(text, encoding="utf-8")
    run_again(folder)
    assert out_of(folder) == ({"greet": {"good day"}}, {"greet": {"good day"}})


def test_what_was_put_back_or_only_left_out_is_not_refused(folder: Path) -> None:
    act(open_desk(folder), "drop", DROPPED)
    act(open_desk(folder), "move", {"texts": ["good day"], "target": GREET})
    act(open_desk(folder), "drop", DROPPED)
    undo(open_desk(folder))
    act(open_desk(folder), "accept_only", {"texts": ["hey there"], "targets": [GREET]})
    undo(open_desk(folder))
    run_again(folder)
    assert out_of(folder) == ({}, {})
    act(open_desk(folder), "accept_only", {"texts": ["hey there"], "targets": [GREET]})
    run_again(folder)
    assert out_of(folder) == ({}, {})


def test_what_was_put_back_after_a_run_is_not_refused(folder: Path) -> None:
    act(open_desk(folder), "drop", DROPPED)
    act(open_desk(folder), "decide", ACCEPTED)
    run_again(folder)
    act(open_desk(folder), "move", {"texts": ["good day"], "target": GREET})
    assert out_of(folder) == ({}, {})
    run_again(folder)
    assert out_of(folder) == ({}, {})


def test_what_was_written_otherwise_is_taken_out_by_the_runs_before_it_is_applied(folder: Path) -> None:
    act(open_desk(folder), "reword", {"draft": GREET, "text": "good day", "wording": "a fine day"})
    act(open_desk(folder), "decide", ACCEPTED)
    run_again(folder)
    assert out_of(folder) == out_of(folder, *in_bot(folder, GREET)) == ({"greet": {"good day"}}, {})


def test_what_was_dropped_of_a_proposal_before_a_run_is_refused_under_its_name_when_it_is_applied(
    folder: Path,
) -> None:
    act(open_desk(folder), "drop", {"draft": REFUND, "texts": ["i want it back"]})
    run_again(folder)
    act(open_desk(folder), "rename", {"draft": REFUND, "name": "money_back"})
    act(open_desk(folder), "decide", {"draft": REFUND, "decision": "accepted"})
    refused = {"refund": {"i want it back"}, "money_back": {"i want it back"}}
    assert out_of(folder, *in_bot(folder, REFUND)) == (refused, refused)


def test_so_it_is_under_that_of_the_proposal_it_was_merged_into(folder: Path) -> None:
    act(open_desk(folder), "drop", {"draft": REFUND, "texts": ["i want it back"]})
    run_again(folder)
    act(open_desk(folder), "merge", {"draft": REFUND, "target": "new/visa.yml"})
    act(open_desk(folder), "decide", {"draft": "new/visa.yml", "decision": "accepted"})
    refused = {"refund": {"i want it back"}, "visa": {"i want it back"}}
    assert out_of(folder, *in_bot(folder, "new/visa.yml")) == (refused, refused)


def test_what_a_run_added_to_a_draft_that_was_accepted_before_nobody_took_out(folder: Path) -> None:
    act(open_desk(folder), "decide", {"draft": REFUND, "decision": "accepted"})
    examples = in_bot(folder, REFUND)
    assert out_of(folder, *examples) == ({"refund": {"refund now"}}, {})  # the run had it for the draft
    run_again(folder)
    assert out_of(folder, *examples) == ({}, {})  # to what a person has accepted nothing is added


def test_what_was_reworded_and_back_is_not_taken_out(folder: Path) -> None:
    for text, wording in (("good day", "good evening"), ("good evening", "good day")):
        act(open_desk(folder), "reword", {"draft": GREET, "text": text, "wording": wording})
    assert "good day" not in out_of(folder)[0].get("greet", ())
