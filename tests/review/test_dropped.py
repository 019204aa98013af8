"""Which messages were dropped from the examples since the run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from desk_folder import INVOICE, REFUND, VISA, write_folder

from rasa_intent_discovery.review.decisions.files import act, redo, undo
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.messages.dropped import dropped_rows
from rasa_intent_discovery.review.messages.log import read_log
from rasa_intent_discovery.review.messages.standing import standing_of

MONEY, BACK, BILL = "where is my money", "i want it back", "a bill please"


def dropped(folder: Path) -> list[str]:
    desk, log = open_desk(folder), read_log(folder)
    rows = dropped_rows(desk, standing_of(desk.review, log))
    return [log.messages.texts[row] for row in rows]


def test_what_was_dropped_is_known_until_it_is_undone(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    assert dropped(folder) == []
    act(open_desk(folder), "drop", {"draft": "new/refund.yml", "texts": [BACK]})
    assert dropped(folder) == [BACK]
    act(open_desk(folder), "drop_all", {"texts": [MONEY, BILL]})
    assert dropped(folder) == [MONEY, BACK, BILL]
    undo(open_desk(folder))
    assert dropped(folder) == [BACK]
    redo(open_desk(folder))
    assert dropped(folder) == [MONEY, BACK, BILL]


def test_a_message_whose_example_reads_otherwise_is_no_example_any_more(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    act(open_desk(folder), "reword", {"draft": "new/refund.yml", "text": MONEY, "wording": "my money?"})
    assert dropped(folder) == [MONEY]
    act(open_desk(folder), "reword", {"draft": "new/refund.yml", "text": "my money?", "wording": MONEY})
    assert dropped(folder) == []


def test_what_is_an_example_again_is_not_dropped(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    act(open_desk(folder), "drop", {"draft": "new/refund.yml", "texts": [MONEY, BACK]})
    act(open_desk(folder), "move", {"texts": [BACK], "target": "new/invoice.yml"})
    assert dropped(folder) == [MONEY]


def test_what_was_moved_or_merged_away_is_not_dropped(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    act(open_desk(folder), "split", {"texts": [MONEY, BACK], "name": "mine"})
    act(open_desk(folder), "merge", {"draft": "new/invoice.yml", "target": "new/visa.yml"})
    act(open_desk(folder), "accept_only", {"texts": ["hey there"], "targets": ["known/greet.yml"]})
    assert dropped(folder) == []


def test_an_example_with_an_annotation_is_the_message_that_was_logged(tmp_path: Path) -> None:
    known = replace(REFUND, evidence={**REFUND.evidence, "entities": ["[money](thing)"]})
    folder = write_folder(tmp_path / "drafts", (known, INVOICE, VISA))
    mark = {"draft": "new/refund.yml", "annotation": "[money](thing)", "on": True}
    desk, _ = act(open_desk(folder), "annotate", mark)
    assert "where is my [money](thing)" in desk.review.drafts["new/refund.yml"].examples
    act(open_desk(folder), "drop", {"draft": "new/refund.yml", "texts": [MONEY]})
    assert dropped(folder) == [MONEY]


def test_an_example_that_nobody_logged_is_no_message(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts", (replace(REFUND, examples=("written by hand", MONEY)),))
    act(open_desk(folder), "drop", {"draft": "new/refund.yml", "texts": ["written by hand"]})
    assert dropped(folder) == []
