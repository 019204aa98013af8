"""What the next run knows of the drafts as a person left them, and what it keeps of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from desk_folder import INVOICE, REFUND, VISA, write_folder

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.proposals.memory.earlier import EarlierProposal
from rasa_intent_discovery.review.decisions.files import act
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.next_run.previous_run import read_previous
from rasa_intent_discovery.training_data.nlu_yaml import Draft, domain_yaml, from_yaml, to_yaml

EVIDENCE: dict[str, Any] = {"refund": {"messages": 10}, "invoice": {}, "visa": {}}
#: What the run placed in the proposal, of which the draft has three as examples.
ALL_OF_REFUND = frozenset({*REFUND.examples, "refund now"})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "drafts", run={"new_intents": {"evidence": EVIDENCE}})


def decide(folder: Path, verb: str, **arguments: object) -> None:
    act(open_desk(folder), verb, arguments)


def edit(path: Path, old: str, new: str) -> bytes:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return path.read_bytes()


def earlier(folder: Path) -> dict[str, EarlierProposal]:
    return {one.name: one for one in read_previous(folder).earlier.proposals}


def carried(
    folder: Path, files: Mapping[str, Draft], known: list[KnownExample] | None = None, again: str = ""
) -> dict[str, str | bytes]:
    """The files after a run that makes these."""
    texts = {path: to_yaml(draft) for path, draft in files.items()}
    intents = {path: draft.intent for path, draft in files.items()}
    return read_previous(folder, known or ()).carried_into(texts, intents, [again] if again else ())[0]


# What is broken in run.json


@pytest.mark.parametrize("broken", [["refund"], "refund", 7, None])
@pytest.mark.parametrize(
    "place", ["new_intents", "new_intents/evidence", "changes", "changes/new", "refused/greet"]
)
def test_what_is_broken_in_the_record_is_left_out(tmp_path: Path, place: str, broken: object) -> None:
    part, _, key = place.partition("/")
    folder = write_folder(tmp_path / "drafts", run={part: {key: broken} if key else broken})
    decide(folder, "drop", draft="new/refund.yml", texts=["where is my money"])
    assert [one.name for one in read_previous(folder).earlier.proposals] == ["refund"]


@pytest.mark.parametrize("broken", [["messages"], "messages", 7, None])
def test_a_proposal_whose_evidence_is_broken_has_the_messages_that_were_placed(
    tmp_path: Path, broken: object
) -> None:
    run = {"new_intents": {"evidence": {"refund": broken}}}
    folder = write_folder(tmp_path / "drafts", run=run)
    whole = write_folder(tmp_path / "whole", run={"new_intents": {"evidence": {"refund": {}}}})
    assert earlier(folder) == earlier(whole)


# What was merged


def merged_before(folder: Path, decision: str) -> None:
    """Before the last run, a draft of the name that a proposal has now was put into another one."""
    edit(
        folder / "new/invoice.yml",
        "decision: open",
        f"decision: {decision}\n      merged_from: [new/refund.yml]",
    )


def test_a_proposal_is_not_part_of_a_draft_into_which_one_of_its_file_name_was_merged(folder: Path) -> None:
    merged_before(folder, "ignored")
    found = earlier(folder)
    assert {name: one.ignored for name, one in found.items()} == {
        "refund": False,
        "invoice": True,
        "visa": False,
    }
    assert found["refund"].texts == ALL_OF_REFUND
    assert found["invoice"].texts == {*INVOICE.examples}


def test_a_proposal_does_not_go_into_the_bot_with_a_draft_into_which_one_of_its_file_name_was_merged(
    folder: Path,
) -> None:
    decide(folder, "drop", draft="new/refund.yml", texts=["where is my money"])
    merged_before(folder, "accepted")
    known = [KnownExample(text, "invoice") for text in INVOICE.examples]
    found = read_previous(folder, known).earlier
    assert found.of_applied == dict.fromkeys(INVOICE.examples, "invoice")
    assert "invoice" not in found.refused


def test_no_new_proposal_gets_the_file_name_of_what_was_merged(folder: Path) -> None:
    decide(folder, "merge", draft="new/refund.yml", target="new/invoice.yml")
    assert {*read_previous(folder).earlier.names} == {"invoice", "visa", "refund"}


# What was ignored, and is not any more


def ignored_before(tmp_path: Path) -> Path:
    """The draft was deleted before the last run, which left its messages over."""
    noted = {"intent": "refund", "messages": 8, "texts": sorted(ALL_OF_REFUND)}
    run = {"new_intents": {"evidence": {"invoice": {}, "visa": {}}}, "ignored": [noted]}
    return write_folder(tmp_path / "before", new=(INVOICE, VISA), messages=(), run=run)


@pytest.mark.parametrize(
    ("intent", "examples"),
    [
        ("refund", REFUND.examples),
        ("refund", REFUND.examples[:1]),  # and the others deleted
        ("payback", REFUND.examples),  # the file was moved
    ],
)
@pytest.mark.parametrize("decision", ["open", "accepted", "later"])
def test_what_a_person_made_a_draft_of_again_is_not_ignored_any_more(
    tmp_path: Path, intent: str, examples: tuple[str, ...], decision: str
) -> None:
    folder = ignored_before(tmp_path)
    (folder / "new/again.yml").write_text(to_yaml(Draft(intent, examples, decision=decision)))
    assert {name for name, one in earlier(folder).items() if one.ignored} == set()
    assert read_previous(folder).ignored_record(()) == []
    known = [KnownExample(text, intent) for text in examples]
    assert read_previous(folder, known).ignored_record(()) == [], "it is in the bot by now"


def test_what_is_left_of_a_deleted_proposal_stays_ignored_where_a_part_was_split_off_before(
    tmp_path: Path,
) -> None:
    folder = ignored_before(tmp_path)
    part = Draft("payback", REFUND.examples[:2], decision="accepted")
    (folder / "new/payback.yml").write_text(to_yaml(part))
    [noted] = read_previous(folder).ignored_record(())
    assert set(noted["texts"]) == ALL_OF_REFUND - {*REFUND.examples[:2]}


def test_what_a_person_took_out_of_what_was_ignored_is_not_ignored_any_more(tmp_path: Path) -> None:
    folder = ignored_before(tmp_path)
    decide(folder, "split", texts=["refund now"], name="now")
    [noted] = read_previous(folder).ignored_record(())
    assert noted == {"intent": "refund", "messages": 6, "texts": sorted(REFUND.examples)}


def test_what_was_ignored_twice_stays_ignored(tmp_path: Path) -> None:
    folder = ignored_before(tmp_path)
    again = Draft("payback", REFUND.examples, decision="ignored")
    (folder / "new/payback.yml").write_text(to_yaml(again))
    assert {name for name, one in earlier(folder).items() if one.ignored} == {"refund", "payback"}


def test_a_draft_whose_file_was_moved_is_not_ignored(folder: Path) -> None:
    (folder / "new/refund.yml").rename(folder / "new/payback.yml")
    edit(folder / "new/payback.yml", "intent: refund", "intent: payback")
    found = earlier(folder)
    assert {name: one.ignored for name, one in found.items()} == dict.fromkeys(
        ("payback", "invoice", "visa"), False
    )
    assert found["payback"].texts == {*REFUND.examples}


def test_what_was_split_off_is_not_ignored_with_the_rest(folder: Path) -> None:
    decide(folder, "split", texts=[*REFUND.examples[:2]], name="payback")
    decide(folder, "decide", draft="new/refund.yml", decision="ignored")
    found = earlier(folder)
    assert (found["refund"].ignored, found["payback"].ignored) == (True, False)
    assert found["refund"].texts == ALL_OF_REFUND - {*REFUND.examples[:2]}
    assert found["refund"].messages == 5, "half of the 10 that the run tells of"


# What was ignored, and is proposed again


def proposed_again(folder: Path) -> dict[str, str | bytes]:
    more = Draft("refund", (*REFUND.examples, "refund now"))
    return carried(folder, {"new/refund.yml": more}, again="refund")


def test_the_new_draft_takes_the_place_of_one_that_was_only_ignored(folder: Path) -> None:
    decide(folder, "decide", draft="new/refund.yml", decision="ignored")
    found = from_yaml(str(proposed_again(folder)["new/refund.yml"]))
    assert (found.decision, found.examples) == ("open", (*REFUND.examples, "refund now"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("decision: open", "decision: ignored  # wait for the shop"),
        ("decision: open", "decision: ignored\n      note: ask Ana in spring"),
        ("decision: open", "decision: ignored\n      merged_from: [new/old.yml]"),
        ("  examples: |\n", "  examples: |\n    - my own\n"),
        ("    - money back please\n", ""),
        ("money back", "[money](what) back"),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_what_a_person_wrote_into_an_ignored_draft_stays_when_it_is_proposed_again(
    folder: Path, old: str, new: str, line_end: str
) -> None:
    path = folder / "new/refund.yml"
    edit(path, old, new)
    if "ignored" not in new:
        edit(path, "decision: open", "decision: ignored")
    path.write_bytes(path.read_bytes().replace(b"\n", line_end.encode()))
    theirs = path.read_bytes()
    files = proposed_again(folder)
    assert files == {
        "new/refund.yml": theirs.replace(b"decision: ignored", b"decision: open"),
        "domain.yml": domain_yaml(["refund"]),
    }


def test_an_ignored_draft_that_cannot_be_opened_stays_as_it_is(folder: Path) -> None:
    """To change its decision would change the note as well."""
    decided = "decision: &mine ignored\n      note: *mine"
    theirs = edit(folder / "new/refund.yml", "decision: open", decided)
    assert proposed_again(folder)["new/refund.yml"] == theirs


# What has the name of an intent that the bot has


FURTHER = {"known/refund.yml": Draft("refund", (*REFUND.examples[1:], "refund now"))}
BY_HAND = [KnownExample("where is my money", "refund"), KnownExample("give it back", "refund")]


def test_a_draft_was_not_applied_where_somebody_wrote_an_intent_of_its_name(folder: Path) -> None:
    """And its messages are further examples in no second draft."""
    decide(folder, "decide", draft="new/refund.yml", decision="later")
    theirs = (folder / "new/refund.yml").read_bytes()
    previous = read_previous(folder, BY_HAND)
    assert previous.changed_since == {}
    assert previous.earlier.applied == ()
    files = carried(folder, FURTHER, BY_HAND)
    assert files["new/refund.yml"] == theirs
    assert from_yaml(str(files["known/refund.yml"])).examples == ("refund now",)
    files = carried(folder, {"known/refund.yml": Draft("refund", REFUND.examples[1:])}, BY_HAND)
    assert {*files} == {"new/refund.yml", "domain.yml"}


@pytest.mark.parametrize(
    ("written", "stays"),
    [
        ("decision: accepted", False),
        ("decision: later", True),
        ("decision: accepted  # only the balance", True),
        ("decision: accepted\n      note: ask Ana", True),
    ],
)
def test_what_a_person_put_off_or_wrote_into_a_draft_stays_when_the_bot_has_most_of_it(
    folder: Path, written: str, stays: bool
) -> None:
    theirs = edit(folder / "new/refund.yml", "decision: open", written)
    known = [KnownExample(text, "refund") for text in REFUND.examples[:2]]
    assert read_previous(folder, known).changed_since == {"new/refund.yml": {"i want it back"}}
    files = carried(folder, {"known/refund.yml": Draft("refund", REFUND.examples[2:])}, known)
    assert files.get("new/refund.yml") == (theirs if stays else None)
    assert ("known/refund.yml" in files) == (not stays)
