"""What each `apply` put into a bot, and what a person took out of it since."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.drafts.applied_before import applied_intents, note_applied, taken_out_since
from rasa_intent_discovery.drafts.apply import AppliedIntent
from rasa_intent_discovery.drafts.folder_writing import write_drafts

REFUND = ("Where is [my money](what)?", "money back")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_drafts(tmp_path / "drafts", {}, {})
    return tmp_path / "drafts"


def note(folder: Path, **added: tuple[str, ...]) -> None:
    note_into(folder, {}, **added)


def note_into(folder: Path, bot: Mapping[str, tuple[str, ...]], **added: tuple[str, ...]) -> None:
    outcomes = (AppliedIntent(intent, False, texts) for intent, texts in added.items())
    note_applied(folder, outcomes, examples(bot))


def since(folder: Path, **bot: tuple[str, ...]) -> dict[str, frozenset[str]]:
    return taken_out_since(folder, examples(bot))


def examples(bot: Mapping[str, tuple[str, ...]]) -> list[KnownExample]:
    return [KnownExample(text, intent) for intent, texts in bot.items() for text in texts]


def test_what_is_in_no_intent_of_the_bot_was_taken_out(folder: Path) -> None:
    note(folder, refund=REFUND, greet=("hey",))
    assert since(folder, refund=("Money  back",), greet=("hey",)) == {"refund": {"where is my money?"}}
    assert since(folder, refund=("where is my money?",), greet=("hey", "money back")) == {}, "moved"
    assert since(folder, greet=("hey",)) == {"refund": {"where is my money?", "money back"}}


def test_an_apply_of_which_nothing_is_left_was_taken_back(folder: Path) -> None:
    """With the command that `apply` ends with: the next one does it again."""
    note(folder, refund=REFUND[:1])
    note_into(folder, {"refund": REFUND[:1]}, refund=REFUND[1:], greet=("hey",))
    assert since(folder, refund=("where is my money?",)) == {}
    assert since(folder, greet=("hey",)) == {"refund": {"money back"}}
    assert since(folder, order=("a sofa",)) == {}


def test_what_was_taken_back_counts_for_nothing_when_some_of_it_is_applied_again(folder: Path) -> None:
    note(folder, refund=REFUND, greet=("hey",))
    note_into(folder, {"order": ("a sofa",)}, greet=("hey",))
    assert since(folder, greet=("hey",)) == {}
    note_into(folder, {"greet": ("hey",)}, refund=REFUND)
    assert since(folder, greet=("hey",), refund=("money back",)) == {"refund": {"where is my money?"}}


def test_a_line_says_nothing_of_a_later_one_that_adds_the_same(folder: Path) -> None:
    note(folder, refund=REFUND)
    note(folder, greet=("hey",))  # the first one was taken back
    note_into(folder, {"greet": ("hey",)}, refund=REFUND)
    assert since(folder, greet=("hey",), refund=("money back",)) == {"refund": {"where is my money?"}}


def test_what_was_applied_on_another_branch_counts_when_it_is_there(folder: Path) -> None:
    note(folder, refund=REFUND)
    note(folder, greet=("hey", "hi"))  # where the bot has nothing of the first
    assert since(folder, refund=("money back",), greet=("hey", "hi")) == {"refund": {"where is my money?"}}
    assert applied_intents(folder, examples({"greet": ("hey",)})) == {"greet"}
    assert applied_intents(folder, examples({"refund": ("money back",), "greet": ("hey",)})) == {
        "greet",
        "refund",
    }


def test_an_apply_on_another_branch_takes_nothing_out_of_this_one(folder: Path) -> None:
    """There, it added again what this one has, and more."""
    note(folder, refund=REFUND)
    note(folder, refund=REFUND, greet=("hey", "hi"))
    assert since(folder, refund=("where is my money?", "money back")) == {}
    assert since(folder, refund=("where is my money?",), greet=("hey", "hi")) == {"refund": {"money back"}}


def test_what_was_put_back_by_itself_does_not_hide_what_is_taken_out_later(folder: Path) -> None:
    note(folder, refund=REFUND)
    note_into(folder, {"refund": ("where is my money?",)}, refund=REFUND[1:])
    assert since(folder, refund=("money back",)) == {"refund": {"where is my money?"}}


def test_what_was_put_back_with_more_does_not_hide_what_is_taken_out_later(folder: Path) -> None:
    note(folder, refund=("b", "c", "d"))
    note_into(folder, {"refund": ("c", "d")}, refund=("a", "b"))
    assert since(folder, refund=("b", "c", "d")) == {"refund": {"a"}}


def test_an_apply_of_another_branch_is_known_after_a_third(folder: Path) -> None:
    note(folder, refund=("b", "b2"))
    note(folder, refund=("a", "b", "b2", "d"))  # on another branch
    note_into(folder, {"refund": ("b", "b2")}, refund=("a",))
    assert since(folder, refund=("a", "b", "b2")) == {}


def test_it_is_noted_each_time_that_it_is_taken_back(folder: Path) -> None:
    for _ in range(3):
        note(folder, refund=REFUND)
    assert len((folder / "applied.jsonl").read_bytes().splitlines()) == 3
    assert since(folder, refund=("money back",)) == {"refund": {"where is my money?"}}


def test_half_a_line_that_a_crash_left_costs_no_other(folder: Path) -> None:
    note(folder, refund=REFUND)
    with (folder / "applied.jsonl").open("ab") as file:
        file.write(b'{"added": {"order": ["half a l')
    note_into(folder, {"refund": REFUND}, greet=("hey", "hi"))
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
    note_into(folder, {"refund": REFUND}, greet=("hey", "hi"))
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
