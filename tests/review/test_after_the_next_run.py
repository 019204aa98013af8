"""The desk after a run that carried over what a person changed: of before, and nobody edited it since."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from desk_folder import write_folder

from rasa_intent_discovery.command.desk import DeskOptions, serve_desk
from rasa_intent_discovery.drafts.folder_writing import write_drafts
from rasa_intent_discovery.review.decisions.files import act
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.desk import serving
from rasa_intent_discovery.review.next_run.previous_run import read_previous
from rasa_intent_discovery.training_data.nlu_yaml import from_yaml

DRAFTS = ("new/refund.yml", "new/invoice.yml", "new/visa.yml", "known/greet.yml")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "drafts")


def run_again(folder: Path, *added: str) -> None:
    """The next run finds the same; it keeps what a person changed, and ends the journal."""
    names = (*DRAFTS, "domain.yml", "assignments.jsonl", *added)
    content = {name: (folder / name).read_bytes() for name in names}
    write_drafts(folder, content, {"intents": ["greet"]}, edits=read_previous(folder).edits)


def test_what_the_run_carried_over_nobody_edited_by_hand(folder: Path) -> None:
    act(open_desk(folder), "move", {"texts": ["good day"], "target": "new/visa.yml"})
    act(open_desk(folder), "split", {"texts": ["money back please"], "name": "mine"})
    (folder / "known/notes.txt").write_text("ask Anna")
    for _ in range(2):
        run_again(folder, "new/mine.yml", "known/notes.txt")
        assert open_desk(folder).journal == ()
        edited = {"known/greet.yml", "known/notes.txt", "new/mine.yml", "new/refund.yml", "new/visa.yml"}
        assert {*read_previous(folder).edits.contents} == {*edited, "domain.yml"}, "the next run keeps them"


def test_an_example_that_reads_otherwise_is_not_brought_back(folder: Path) -> None:
    found = {name: (folder / name).read_text() for name in DRAFTS}
    greet = {"draft": "known/greet.yml", "text": "good day", "wording": "good day, Ann"}
    act(open_desk(folder), "reword", greet)
    act(
        open_desk(folder), "reword", {"draft": "new/visa.yml", "text": "do i need a visa", "wording": "visa?"}
    )
    made, intents = read_previous(folder).carried_into(found, {name: Path(name).stem for name in DRAFTS})
    assert intents == {name: Path(name).stem for name in DRAFTS}
    carried = {name: from_yaml((folder / name).read_text()).examples for name in DRAFTS[2:]}
    assert carried == {"new/visa.yml": ("visa?",), "known/greet.yml": ("hey there", "good day, Ann")}
    assert [made[name] for name in DRAFTS[2:]] == [(folder / name).read_bytes() for name in DRAFTS[2:]]
    assert [made[name] for name in DRAFTS[:2]] == [found[name] for name in DRAFTS[:2]]


def test_what_is_edited_after_the_run_is_said(folder: Path) -> None:
    act(open_desk(folder), "drop", {"draft": "known/greet.yml", "texts": ["good day"]})
    act(open_desk(folder), "split", {"texts": ["money back please"], "name": "mine"})
    run_again(folder, "new/mine.yml")
    path = folder / "known/greet.yml"
    path.write_text(path.read_text().replace("hey there", "hey you"))
    (folder / "new/mine.yml").unlink()
    assert [entry.says for entry in open_desk(folder).journal] == [
        "edited by hand: known/greet.yml, new/mine.yml"
    ]


def test_a_run_of_an_earlier_version_does_not_tell_what_it_carried_over(folder: Path) -> None:
    act(open_desk(folder), "drop", {"draft": "known/greet.yml", "texts": ["good day"]})
    run_again(folder)
    record = json.loads((folder / "run.json").read_text())
    for number, carried in enumerate((None, ["known/greet.yml"])):
        (folder / "run.json").write_text(json.dumps({**record, "carried": carried}))
        copy = shutil.copytree(folder, folder.with_name(f"drafts-{number}"))
        assert [entry.says for entry in open_desk(copy).journal] == ["edited by hand: known/greet.yml"]


def test_the_last_sentence_is_about_what_was_changed_since_the_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    act(open_desk(folder), "drop", {"draft": "known/greet.yml", "texts": ["good day"]})
    run_again(folder)
    monkeypatch.setattr(serving, "serve", lambda *_: None)
    closed = "\nThe review is over, and all decisions are in the drafts.\n"
    assert serve_desk(folder, DeskOptions(no_browser=True), "apply") == closed
    act(open_desk(folder), "drop", {"draft": "new/refund.yml", "texts": ["i want it back"]})
    said = "Changed, but not accepted, so not applied: refund.\n"
    assert serve_desk(folder, DeskOptions(no_browser=True), "apply") == closed + said


def test_what_is_wrong_with_the_drafts_is_told_when_the_desk_opens_and_when_it_closes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serving, "serve", lambda *_: None)
    (folder / "new/refund.yml").write_text("nlu: [")
    [problem] = open_desk(folder).problems
    said = serve_desk(folder, DeskOptions(no_browser=True), "apply")
    assert capsys.readouterr().out.startswith(f"\n{problem}\n\nThe review desk is open: ")
    assert said == f"\nThe review is over, and all decisions are in the drafts.\n{problem}\n"


def test_the_last_sentence_names_no_draft_that_is_as_the_run_left_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "serve", lambda *_: None)
    closed = "\nThe review is over, and all decisions are in the drafts.\n"
    for decision in ("accepted", "open"):
        act(open_desk(folder), "decide", {"draft": "new/visa.yml", "decision": decision})
    path = folder / "new/refund.yml"
    for text in (path.read_text().replace("money back please", "cash please"), path.read_text()):
        path.write_text(text)
        said = serve_desk(folder, DeskOptions(no_browser=True), "apply")
        changed = "Changed, but not accepted, so not applied: refund.\n" if "cash please" in text else ""
        assert said == closed + changed
    assert [entry.verb for entry in open_desk(folder).journal] == ["decide", "decide", "edited", "edited"]


def test_what_one_decides_of_a_draft_that_was_carried_over_needs_no_putting_together(folder: Path) -> None:
    act(open_desk(folder), "rename", {"draft": "new/refund.yml", "name": "money_back"})
    run_again(folder)
    act(open_desk(folder), "rename", {"draft": "new/refund.yml", "name": "my_money"})
    desk = open_desk(folder)
    assert [entry.verb for entry in desk.journal] == ["rename"]
    assert desk.review.drafts["new/refund.yml"].intent == "my_money"
