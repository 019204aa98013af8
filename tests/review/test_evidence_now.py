"""The evidence of drafts as it is told: of the last run, with the names of now."""

from __future__ import annotations

from pathlib import Path

from desk_folder import GREET, INVOICE, REFUND, VISA, write_folder

from rasa_intent_discovery.review.decisions.files import act, undo
from rasa_intent_discovery.review.decisions.folder import Desk, open_desk
from rasa_intent_discovery.review.findings.chips import of_before
from rasa_intent_discovery.review.findings.evidence_now import kept_unmeasured, with_evidence_now
from rasa_intent_discovery.review.findings.worth import worth
from rasa_intent_discovery.review.messages.log import read_log
from rasa_intent_discovery.review.page.data import page_state
from rasa_intent_discovery.training_data.nlu_yaml import Draft

NEW_REFUND, NEW_INVOICE, NEW_VISA = PATHS = ("new/refund.yml", "new/invoice.yml", "new/visa.yml")
RUN = {"drafts": dict(zip(PATHS, ("refund", "invoice", "visa"), strict=True))}


def nearest(desk: Desk) -> object:
    return with_evidence_now(desk.run, desk.review.drafts)[NEW_VISA].evidence.get("nearest_new_intent")


def folder_of(place: Path) -> Path:
    """Where visa is very near to refund, which is written first."""
    near = {**VISA.evidence, "new_similarity": 0.9}
    return write_folder(place, (REFUND, INVOICE, Draft(VISA.intent, VISA.examples, near)), run=RUN)


def test_a_renamed_proposal_is_nearest_by_its_new_name_and_nobody_elses_file_changes(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "drafts")
    before = open_desk(folder)
    assert nearest(before) == "refund"
    written = (folder / NEW_VISA).read_bytes()
    desk, _ = act(before, "rename", {"draft": NEW_REFUND, "name": "money_back"})
    assert nearest(desk) == "money_back"
    assert (folder / NEW_VISA).read_bytes() == written
    state = page_state(desk, read_log(folder), before)
    assert {*state["drafts"]} == {NEW_REFUND, NEW_VISA}, "the page is told of both"
    assert state["drafts"][NEW_VISA]["near"] == [NEW_REFUND, "order"]
    assert ["Nearest proposal", "money_back, 0.90 alike; that is very close, they may be one", True] in [
        [*line] for line in state["drafts"][NEW_VISA]["evidence"]
    ]
    assert [words for words, *_ in state["totals"][NEW_VISA]["chips"]] == [
        "very near money_back",
        "near order",
    ]
    assert nearest(undo(desk)) == "refund"


def test_what_was_merged_is_nearest_by_the_name_of_what_it_is_in(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "drafts")
    desk = open_desk(folder)
    desk, _ = act(desk, "merge", {"draft": NEW_REFUND, "target": NEW_INVOICE})
    assert nearest(desk) == "invoice"
    desk, _ = act(desk, "merge", {"draft": NEW_INVOICE, "target": NEW_VISA})
    assert nearest(desk) is None, "it is the draft itself"
    desk, _ = act(desk, "rename", {"draft": NEW_VISA, "name": "refund"})
    assert nearest(desk) is None, "by whatever name"
    assert "new_similarity" not in with_evidence_now(desk.run, desk.review.drafts)[NEW_VISA].evidence


def test_another_proposal_that_takes_over_the_name_is_not_the_nearest(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "drafts")
    desk = open_desk(folder)
    desk, _ = act(desk, "rename", {"draft": NEW_REFUND, "name": "money_back"})
    desk, _ = act(desk, "rename", {"draft": NEW_INVOICE, "name": "refund"})
    assert nearest(desk) == "money_back"


def test_what_is_nowhere_keeps_the_name_of_the_run(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "drafts")
    (folder / NEW_REFUND).unlink()
    assert nearest(open_desk(folder)) == "refund"


def test_a_draft_that_was_kept_over_several_runs_names_what_has_another_name_since(tmp_path: Path) -> None:
    """The next run knows what a person renamed by that name, in a file of the old one."""
    renamed = Draft("money_back", REFUND.examples, REFUND.evidence)
    run = {"drafts": {NEW_REFUND: "money_back", NEW_VISA: "visa"}}
    there = {NEW_REFUND: renamed, NEW_VISA: VISA}
    assert VISA.evidence["nearest_new_intent"] == "refund"
    assert with_evidence_now(run, there)[NEW_VISA].evidence["nearest_new_intent"] == "money_back"
    run["drafts"]["new/refund-2.yml"] = "refund"  # another one by that name has come since
    there["new/refund-2.yml"] = REFUND
    assert with_evidence_now(run, there)[NEW_VISA].evidence["nearest_new_intent"] == "refund"


KEPT = Draft(
    "money_back",
    REFUND.examples,
    {
        **REFUND.evidence,
        **{"takes_from": {"order": 2}, "nearest_new_intent": "mine", "new_similarity": 0.9},
        **{"merged_from": ["new/mine.yml", NEW_INVOICE], "note": "ask Anna"},
    },
)
MEASURED_SINCE = {
    "messages": 20,
    "distinct_messages": 9,
    "cohesion": 0.5,
    "conflicts": [],
    "keywords": ["back"],
}
SECOND_RUN = {
    "drafts": {NEW_REFUND: "money_back", NEW_INVOICE: "invoice", NEW_VISA: "visa"},
    "new_intents": {"evidence": {"money_back": MEASURED_SINCE, "invoice": {"messages": 7}}},
    "carried": {NEW_REFUND: "its hash", NEW_VISA: "its hash", "known/greet.yml": "its hash"},
}


def test_a_draft_that_the_last_run_left_as_it_was_has_what_that_run_measured(tmp_path: Path) -> None:
    told = with_evidence_now(SECOND_RUN, {NEW_REFUND: KEPT})[NEW_REFUND]
    assert told.evidence == {
        **{key: MEASURED_SINCE[key] for key in ("messages", "distinct_messages", "cohesion", "keywords")},
        "conflicts": REFUND.evidence["conflicts"],
        "merged_from": [NEW_INVOICE],  # the run knew of the other one
        "note": "ask Anna",
    }
    folder = write_folder(tmp_path / "drafts", (REFUND, INVOICE, VISA), run=SECOND_RUN)
    state = page_state(open_desk(folder), read_log(folder))
    assert state["drafts"][NEW_INVOICE]["trend"] is None, "the last run knew no times"
    assert worth(with_evidence_now(SECOND_RUN, {NEW_INVOICE: INVOICE})[NEW_INVOICE]) == 7


def test_of_what_the_last_run_did_not_find_it_is_said_that_an_earlier_one_measured_it() -> None:
    there = {NEW_REFUND: KEPT, NEW_INVOICE: INVOICE, NEW_VISA: VISA, "known/greet.yml": GREET}
    assert kept_unmeasured(SECOND_RUN, there) == {NEW_VISA, "known/greet.yml"}
    assert kept_unmeasured({"carried": ["known/greet.yml"]}, there) == frozenset()
    said = "Measured by an earlier run: the last one has left the draft as it is."
    assert of_before(VISA, 0, True) == of_before(VISA, 3, True) == said
    assert of_before(VISA, 3, False) == "Measured by the run, before 3 texts came or left."


def test_a_proposal_that_lost_much_shows_no_trend_of_before(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    before = open_desk(folder)
    log = read_log(folder)
    assert not page_state(before, log)["totals"][NEW_INVOICE]["outdated"]
    after, _ = act(before, "split", {"texts": ["a bill please", "send the invoice"], "name": "bill"})
    assert page_state(after, log)["totals"][NEW_INVOICE]["outdated"]
