"""What each `apply` put into a bot, and what a person took out of it since."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.drafts.applied_before import note_applied, taken_out_since
from rasa_intent_discovery.drafts.apply import AppliedIntent
from rasa_intent_discovery.drafts.folder_writing import write_drafts

REFUND = ("Where is [my money](what)?", "money back")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_drafts(tmp_path / "drafts", {}, {})
    return tmp_path / "drafts"


def note(folder: Path, **added: tuple[str, ...]) -> None:
    note_applied(folder, (AppliedIntent(intent, False, texts) for intent, texts in added.items()))


def since(folder: Path, **bot: tuple[str, ...]) -> dict[str, frozenset[str]]:
    return taken_out_since(
        folder, (KnownExample(text, intent) for intent, texts in bot.items() for text in texts)
    )


def test_what_is_in_no_intent_of_the_bot_was_taken_out(folder: Path) -> None:
    note(folder, refund=REFUND, greet=("hey",))
    assert since(folder, refund=("Money  back",), greet=("hey",)) == {"refund": {"where is my money?"}}
    assert since(folder, refund=("where is my money?",), greet=("hey", "money back")) == {}, "moved"
    assert since(folder, greet=("hey",)) == {"refund": {"where is my money?", "money back"}}


def test_an_apply_of_which_nothing_is_left_was_taken_back(folder: Path) -> None:
    """With the command that `apply` ends with: the next one does it again."""
    note(folder, refund=REFUND[:1])
    note(folder, refund=REFUND[1:], greet=("hey",))
    assert since(folder, refund=("where is my money?",)) == {}
    assert since(folder, greet=("hey",)) == {"refund": {"money back"}}
    assert since(folder, order=("a sofa",)) == {}


def test_half_a_line_that_a_crash_left_costs_no_other(folder: Path) -> None:
    note(folder, refund=REFUND)
    with (folder / "applied.jsonl").open("ab") as file:
        file.write(b'{"added": {"order": ["half a l')
    note(folder, greet=("hey", "hi"))
    assert since(folder, refund=("money back",), greet=("hey",)) == {
        "refund": {"where is my money?"},
        "greet": {"hi"},
    }


def test_where_nothing_was_added_or_noted_nothing_was_taken_out(folder: Path) -> None:
    note(folder, refund=())
    assert not (folder / "applied.jsonl").exists()
    assert since(folder, refund=("money back",)) == since(folder / "nowhere", refund=("money back",)) == {}


def test_broken_lines_are_passed_over(folder: Path) -> None:
    note(folder, refund=REFUND)
    for line in ('{"added"', "[]", '{"added": 3}', '{"added": {"refund": 3}}', "\xff"):
        with (folder / "applied.jsonl").open("ab") as file:
            file.write(line.encode("latin-1") + b"\n")
    note(folder, greet=("hey", "hi"))
    assert since(folder, refund=("money back",), greet=("hey",)) == {
        "refund": {"where is my money?"},
        "greet": {"hi"},
    }


def test_where_it_cannot_be_noted_it_is_said(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "applied.jsonl").mkdir()
    note(folder, refund=REFUND)
    [said] = caplog.messages
    assert said.startswith(f"What was applied could not be noted in {folder / 'applied.jsonl'} (")
    assert since(folder, refund=("money back",)) == {}
