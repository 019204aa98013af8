"""Decisions on disk: the journal, the drafts, and what happens where something stops in between."""

from __future__ import annotations

import base64
import errno
import functools
import json
import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from desk_folder import EVIDENCE, GREET, INVOICE, MESSAGES, REFUND, VISA, files_of, write_folder
from hypothesis import given, settings
from hypothesis import strategies as st
from killed import needs_fork

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.drafts import folder as drafts_folder
from rasa_intent_discovery.drafts.chosen import chosen_drafts
from rasa_intent_discovery.drafts.folder import ACCEPTED_BEFORE, read_drafts
from rasa_intent_discovery.drafts.folder_writing import check_folder, write_drafts
from rasa_intent_discovery.drafts.history import standing
from rasa_intent_discovery.drafts.journal import Entry, applied, difference, entry_line
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.proposals.reasons import BORDERLINE, OF_APPLIED, STAYS_KNOWN
from rasa_intent_discovery.review.decisions.files import act, redo, undo
from rasa_intent_discovery.review.decisions.folder import ChangedElsewhere, Desk, open_desk, refreshed
from rasa_intent_discovery.review.findings.worth import worth
from rasa_intent_discovery.review.messages.log import read_log
from rasa_intent_discovery.review.next_run.previous_run import read_previous
from rasa_intent_discovery.review.page.data import page_messages, page_state, run_of
from rasa_intent_discovery.review.page.windows import loaded_rows
from rasa_intent_discovery.training_data.nlu_yaml import Draft
from rasa_intent_discovery.training_data.text_identity import text_key

ACCEPT = ("decide", {"draft": "new/refund.yml", "decision": "accepted"})
MERGE = ("merge", {"draft": "new/refund.yml", "target": "new/invoice.yml"})
RENAME = ("rename", {"draft": "new/visa.yml", "name": "apply for a visa"})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "drafts")


def do(desk: Desk, step: tuple[str, dict[str, Any]]) -> Desk:
    return act(desk, *step)[0]


def refused(call: Callable[..., object], *arguments: object) -> str:
    with pytest.raises(DataError) as error:
        call(*arguments)
    return str(error.value)


def text_of(folder: Path, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8")


# What is written


def test_a_decision_is_in_the_draft_the_journal_and_the_record(folder: Path) -> None:
    before = files_of(folder)
    desk = do(open_desk(folder), ACCEPT)
    assert desk.review.drafts["new/refund.yml"].decision == "accepted"
    after = files_of(folder)
    assert after.pop("new/refund.yml") == before.pop("new/refund.yml").replace(
        b"decision: open", b"decision: accepted"
    )
    assert after == before
    [line] = text_of(folder, "decisions.jsonl").splitlines()
    entry = json.loads(line)
    assert (entry["verb"], entry["says"]) == ("decide", "refund accepted")
    assert text_of(folder, "decided.txt") == f"{entry['id']}\n"
    change = entry["files"]["new/refund.yml"]
    assert (change["old"], change["new"]) == (["      decision: open"], ["      decision: accepted"])


def test_the_domain_follows_the_names(folder: Path) -> None:
    desk = do(open_desk(folder), RENAME)
    assert text_of(folder, "domain.yml").endswith('  - invoice\n  - "apply for a visa"\n')
    desk = do(desk, MERGE)
    assert text_of(folder, "domain.yml") == (
        'version: "3.1"\nintents:\n  - invoice\n  - "apply for a visa"\n'
    )
    desk = do(desk, ("split", {"texts": ["lol"], "name": "laugh"}))
    assert text_of(folder, "domain.yml").endswith('"apply for a visa"\n  - laugh\n')


def test_apply_finds_what_was_decided(folder: Path) -> None:
    do(do(open_desk(folder), MERGE), ("decide", {"draft": "new/invoice.yml", "decision": "accepted"}))
    accepted = [draft for draft in read_drafts(folder) if draft.decision == "accepted"]
    assert [(draft.intent, draft.examples) for draft in accepted] == [
        ("invoice", (*INVOICE.examples, *REFUND.examples))
    ]


def test_a_decision_is_carried_into_the_next_run_until_it_is_undone(folder: Path) -> None:
    assert read_previous(folder).edits.contents == {}
    desk = do(open_desk(folder), ACCEPT)
    assert list(read_previous(folder).edits.contents) == ["new/refund.yml"]
    undo(desk)
    assert read_previous(folder).edits.contents == {}


def test_what_was_in_a_proposal_that_is_in_the_bot_is_of_its_intent_in_every_later_run(folder: Path) -> None:
    do(open_desk(folder), ACCEPT)
    known = [KnownExample(text, "refund") for text in REFUND.examples]
    all_of_it = {text_key(text): "refund" for text in (*REFUND.examples, "refund now")}
    assert read_previous(folder, known).earlier.of_applied == all_of_it
    assert read_previous(folder, known[1:]).earlier.of_applied == all_of_it, "changed since"
    assert read_previous(folder).earlier.of_applied == {}

    placed = folder / "assignments.jsonl"
    lines = list(map(json.loads, placed.read_text(encoding="utf-8").splitlines()))
    so = {"placement": "known", "intent": "refund", "reason": OF_APPLIED}
    told = [{**line, **so} if line["text"] == "lol" else line for line in lines]
    placed.write_text("".join(json.dumps(line) + "\n" for line in told), encoding="utf-8")
    assert read_previous(folder).earlier.of_applied == {"lol": "refund"}


def test_an_intent_that_came_of_a_proposal_is_accepted_in_every_later_run(folder: Path) -> None:
    desk = do(open_desk(folder), ACCEPT)
    do(desk, ("decide", {"draft": "known/greet.yml", "decision": "accepted"}))
    assert read_previous(folder).earlier.accepted == frozenset(), "nothing was applied"
    known = [KnownExample(text, "refund") for text in REFUND.examples]
    known += [KnownExample(text, "greet") for text in ("hey there", "good day")]
    assert read_previous(folder, known).earlier.accepted == {"refund"}
    run = json.loads(text_of(folder, "run.json"))
    run[ACCEPTED_BEFORE] = ["order_visa"]
    (folder / "run.json").write_text(json.dumps(run), encoding="utf-8")
    assert read_previous(folder, known).earlier.accepted == {"refund", "order_visa"}
    assert read_previous(folder).earlier.accepted == {"order_visa"}


def test_what_was_known_is_so_in_the_run_after_drafts_were_applied_but_for_what_was_taken_out(
    folder: Path,
) -> None:
    desk = do(open_desk(folder), ACCEPT)
    do(desk, ("drop", {"draft": "known/greet.yml", "texts": ["good day"]}))
    known = [KnownExample(text, "refund") for text in REFUND.examples]
    assert read_previous(folder).earlier.known == {}, "nothing was applied"
    assert read_previous(folder, known).earlier.known == {"hey there": "greet"}
    assert read_previous(folder, known[1:]).earlier.known == {"hey there": "greet"}, "changed since"

    moved = do(open_desk(folder), ("move", {"texts": ["hey there"], "target": "new/visa.yml"}))
    assert read_previous(folder, known).earlier.known == {}, "a person put it elsewhere"
    undo(moved)

    placed = folder / "assignments.jsonl"
    lines = list(map(json.loads, placed.read_text(encoding="utf-8").splitlines()))
    stays = [{**line, "reason": STAYS_KNOWN} if line["text"] == "hey there" else line for line in lines]
    placed.write_text("".join(json.dumps(line) + "\n" for line in stays), encoding="utf-8")
    assert read_previous(folder).earlier.known == {"hey there": "greet"}, "it stayed there, and stays"


ANSWER = ("answer", {"text": "lol", "together": [], "apart": ["do i need a visa"]})
OTHER = ("answer", {"text": "where is my money", "together": ["money back please"], "apart": []})


def test_answers_are_kept_for_the_next_run_until_they_are_undone(folder: Path) -> None:
    before = files_of(folder)
    desk = do(do(open_desk(folder), ANSWER), OTHER)
    first, second = map(json.loads, text_of(folder, "answers.jsonl").splitlines())
    assert first.pop("time") <= second.pop("time")
    assert first == {"text": "lol", "together": [], "apart": ["do i need a visa"]}
    assert second == {"text": "where is my money", "together": ["money back please"], "apart": []}
    assert read_previous(folder).earlier.answers == (
        Answer("lol", (), ("do i need a visa",)),
        Answer("where is my money", ("money back please",)),
    )
    desk = undo(desk)
    assert read_previous(folder).earlier.answers == (Answer("lol", (), ("do i need a visa",)),)
    desk = undo(redo(undo(desk)))
    after = files_of(folder)
    assert after == before


def test_answers_are_in_the_folder_after_the_next_run_and_can_be_added_to(folder: Path) -> None:
    do(open_desk(folder), ANSWER)
    previous = read_previous(folder)
    content = {name: (folder / name).read_bytes() for name in ("new/refund.yml", "answers.jsonl")}
    write_drafts(folder, content, {}, edits=previous.edits)
    assert read_previous(folder).earlier.answers == previous.earlier.answers
    desk = open_desk(folder)
    assert desk.journal == (), "they are no edits of the new drafts"
    do(desk, OTHER)
    assert [answer.text for answer in read_previous(folder).earlier.answers] == ["lol", "where is my money"]


def test_an_answer_that_is_no_line_any_more_is_passed_over_and_told(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    do(open_desk(folder), ANSWER)
    path = folder / "answers.jsonl"
    path.write_text("<<<<<<< ours\n" + path.read_text("utf-8").rstrip("\n"), encoding="utf-8")

    assert [answer.text for answer in read_previous(folder).earlier.answers] == ["lol"]
    assert caplog.messages == [f"{path}, line 1: not as it was written, so it is passed over"]

    do(open_desk(folder), OTHER)
    assert [answer.text for answer in read_previous(folder).earlier.answers] == ["lol", "where is my money"]


def test_nobody_overwrites_a_decision_unseen(folder: Path) -> None:
    do(open_desk(folder), ACCEPT)
    before = files_of(folder)
    assert "new/refund.yml was changed" in refused(write_drafts, folder, {}, {})
    assert files_of(folder) == before


def test_a_decision_that_only_the_journal_knows_counts(folder: Path) -> None:
    before = files_of(folder)
    do(open_desk(folder), ACCEPT)
    for name, content in before.items():
        (folder / name).write_bytes(content)
    (folder / "decided.txt").unlink()
    [draft] = read_previous(folder).drafts.values()
    assert (draft.intent, draft.decision) == ("refund", "accepted")
    assert "decision: accepted" in text_of(folder, "new/refund.yml")


# Undo and redo

_TEXTS = sorted({text for text, *_ in MESSAGES} | {"fly to [Berlin](city)", "from list", "ünï 🛋️"})
_PATHS = ["new/refund.yml", "new/invoice.yml", "new/visa.yml", "known/greet.yml", "new/mine.yml"]
_NAMES = ["refund", "mine", "faq/mine", "y", "zwölf 12", "order", "a # b", "null"]
_texts = st.lists(st.sampled_from(_TEXTS), min_size=1, max_size=4)
_path = st.sampled_from([*_PATHS, "order", "greet"])
steps = st.one_of(
    st.tuples(
        st.just("decide"),
        st.fixed_dictionaries(
            {"draft": _path, "decision": st.sampled_from(["open", "accepted", "ignored", "later"])}
        ),
    ),
    st.tuples(st.just("rename"), st.fixed_dictionaries({"draft": _path, "name": st.sampled_from(_NAMES)})),
    st.tuples(st.just("merge"), st.fixed_dictionaries({"draft": _path, "target": _path})),
    st.tuples(st.just("move"), st.fixed_dictionaries({"texts": _texts, "target": _path})),
    st.tuples(st.just("drop"), st.fixed_dictionaries({"draft": _path, "texts": _texts})),
    st.tuples(
        st.just("annotate"),
        st.fixed_dictionaries(
            {
                "draft": _path,
                "annotation": st.sampled_from(
                    ['[is]{"entity": "x", "value": "z"}', "[Berlin](city)", "[bill](a)"]
                ),
                "on": st.booleans(),
            }
        ),
    ),
    st.tuples(st.just("split"), st.fixed_dictionaries({"texts": _texts, "name": st.sampled_from(_NAMES)})),
)

BY_HAND = """\
# mine
version: "3.1"
nlu:
- intent: refund # or rather money back?
  metadata:
    sensitivity: low
    discovery:
      decision: later   # ask Ann
      messages: 9
  examples: |
    - where is my money

    # the next one is annotated
    - fly to [Berlin](city)
"""
LIST = "nlu:\n- intent: invoice\n  examples:\n  - text: from list\n    metadata: {a: 1}\n"
WINDOWS = (
    'version: "3.1"\r\nnlu:\r\n- intent: visa\r\n  examples: |\r\n    - do i need a visa\r\n    - lol\r\n'
)


@settings(max_examples=60)
@given(wanted=st.lists(steps, max_size=12), by_hand=st.booleans(), again=st.booleans())
def test_as_many_undos_as_verbs_give_the_same_files(
    wanted: list[tuple[str, dict[str, Any]]], by_hand: bool, again: bool
) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = write_folder(Path(place) / "drafts")
        if by_hand:
            (folder / "new/refund.yml").write_text(BY_HAND, encoding="utf-8")
            (folder / "new/invoice.yml").write_text(LIST, encoding="utf-8")
            (folder / "new/visa.yml").write_bytes(WINDOWS.encode())
        desk = open_desk(folder)
        states = [files_of(folder)]
        for step in wanted:
            try:
                desk = do(desk, step)
            except DataError:
                assert files_of(folder) == states[-1], "what is refused changes nothing"
                continue
            states.append(files_of(folder))
            assert desk.review.drafts == open_desk(folder).review.drafts, (
                "what the desk holds is what is in the files"
            )
        for expected in states[-2::-1]:
            desk = undo(open_desk(folder) if again else desk)
            assert files_of(folder) == expected
        assert refused(undo, desk) == "there is nothing to undo"
        for expected in states[1:]:
            desk = redo(open_desk(folder) if again else desk)
            assert files_of(folder) == expected
        assert refused(redo, desk) == "there is nothing to redo"


def test_something_else_after_an_undo_leaves_nothing_to_redo(folder: Path) -> None:
    desk = do(undo(do(open_desk(folder), ACCEPT)), RENAME)
    assert refused(redo, desk) == "there is nothing to redo"
    assert [one.says for one in standing(desk.journal)] == ["visa renamed to apply for a visa"]


lines = st.none() | st.lists(st.sampled_from(["a", "b", "", "ü"]), max_size=6).map("\n".join)


@given(before=lines, after=lines)
def test_a_difference_leads_from_one_text_to_the_other_and_back(
    before: str | None, after: str | None
) -> None:
    change = difference(before, after)
    assert applied(change, before) == after
    assert applied(change.reversed(), after) == before


# Edited by hand


def test_an_edit_by_hand_is_read_and_noted(folder: Path) -> None:
    path = folder / "new/refund.yml"
    path.write_text(path.read_text().replace("decision: open", "decision: ignored"))
    desk = open_desk(folder)
    assert desk.review.drafts["new/refund.yml"].decision == "ignored"
    assert [entry.says for entry in desk.journal] == ["edited by hand: new/refund.yml"]
    assert open_desk(folder).revision == 1, "it is noted once"


def test_what_a_person_wrote_stays_around_what_the_desk_changes(folder: Path) -> None:
    (folder / "new/refund.yml").write_text(BY_HAND, encoding="utf-8")
    desk = do(open_desk(folder), ACCEPT)
    desk = do(desk, ("rename", {"draft": "new/refund.yml", "name": "money back"}))
    desk = do(desk, ("move", {"texts": ["lol"], "target": "new/refund.yml"}))
    desk = do(desk, ("drop", {"draft": "new/refund.yml", "texts": ["where is my money"]}))
    assert text_of(folder, "new/refund.yml") == (
        BY_HAND.replace("decision: later", "decision: accepted")
        .replace("intent: refund", 'intent: "money back"')
        .replace("    - where is my money\n", "")
        .replace("Berlin](city)\n", "Berlin](city)\n    - lol\n")
    )


def test_an_annotation_changes_its_lines_and_no_other(folder: Path) -> None:
    by_hand = (
        BY_HAND.replace("money\n\n", "money\n\n    -  to Berlin \n    - lol\n") + "    - to Berlin\n# end\n"
    )
    (folder / "new/refund.yml").write_text(by_hand, encoding="utf-8")
    mark = {"draft": "new/refund.yml", "annotation": "[Berlin](city)"}
    desk = do(open_desk(folder), ("annotate", {**mark, "on": True}))
    assert text_of(folder, "new/refund.yml") == by_hand.replace("to Berlin", "to [Berlin](city)")
    assert desk.journal[-1].says == "Berlin marked as city in 2 examples of refund"
    do(desk, ("annotate", {**mark, "on": False}))
    plain = by_hand.replace("[Berlin](city)", "Berlin")
    assert text_of(folder, "new/refund.yml") == plain
    undo(undo(open_desk(folder)))
    assert text_of(folder, "new/refund.yml") == by_hand


def test_an_annotation_in_a_file_with_the_line_ends_of_windows(folder: Path) -> None:
    (folder / "new/visa.yml").write_bytes(WINDOWS.encode())
    step = ("annotate", {"draft": "new/visa.yml", "annotation": "[visa](paper)", "on": True})
    do(open_desk(folder), step)
    assert (folder / "new/visa.yml").read_bytes() == WINDOWS.replace("a visa", "a [visa](paper)").encode()


def test_annotated_drafts_are_kept_by_the_next_run(folder: Path) -> None:
    step = ("annotate", {"draft": "new/visa.yml", "annotation": "[visa](paper)", "on": True})
    do(open_desk(folder), step)
    previous = read_previous(folder)
    assert previous.drafts["new/visa.yml"].examples == ("do i need a [visa](paper)",)
    assert previous.earlier.proposals[0].texts == frozenset({"do i need a visa"})


def test_a_decision_is_written_where_somebody_deleted_it(folder: Path) -> None:
    path = folder / "new/visa.yml"
    bare = "nlu:\n- intent: visa\n  examples: |\n    - do i need a visa\n"
    path.write_text(bare)
    do(open_desk(folder), ("decide", {"draft": "new/visa.yml", "decision": "later"}))
    added = "  metadata:\n    discovery:\n      decision: later\n  examples"
    assert path.read_text() == bare.replace("  examples", added)


def test_what_cannot_be_changed_without_more_is_refused(folder: Path) -> None:
    (folder / "new/invoice.yml").write_text(LIST, encoding="utf-8")
    desk = open_desk(folder)
    step = ("drop", {"draft": "new/invoice.yml", "texts": ["from list"]})
    assert refused(do, desk, step) == (
        f"{folder}/new/invoice.yml is not written as we write drafts and cannot be changed here: edit the "
        "file"
    )
    assert text_of(folder, "new/invoice.yml") == LIST


def test_an_edit_by_hand_is_not_undone(folder: Path) -> None:
    do(open_desk(folder), ACCEPT)
    path = folder / "new/refund.yml"
    path.write_text(path.read_text() + "    - one more\n")
    desk = open_desk(folder)
    assert refused(undo, desk) == ("refund accepted: new/refund.yml was edited by hand since, so that stays")
    assert desk.review.drafts["new/refund.yml"].examples[-1] == "one more"


def test_an_edit_while_the_desk_is_open_is_seen(folder: Path) -> None:
    desk = open_desk(folder)
    assert refreshed(desk) is desk
    (folder / "new/visa.yml").unlink()
    desk = refreshed(desk)
    assert "new/visa.yml" not in desk.review.drafts
    assert desk.journal[-1].says == "edited by hand: new/visa.yml"


def test_two_desks_see_each_other(folder: Path) -> None:
    first, second = open_desk(folder), open_desk(folder)
    do(first, ACCEPT)
    second = refreshed(second)
    assert (second.revision, second.review.drafts["new/refund.yml"].decision) == (1, "accepted")


def test_what_another_desk_decided_meanwhile_is_not_written_over(folder: Path) -> None:
    first = do(open_desk(folder), ACCEPT)
    second = open_desk(folder)
    first = do(first, RENAME)
    before = files_of(folder)
    changed = "the drafts were changed elsewhere just now: look at them again, nothing was done"
    assert refused(do, second, MERGE) == refused(undo, second) == changed
    assert files_of(folder) == before
    assert open_desk(folder).journal == first.journal
    assert do(refreshed(second), MERGE).revision == 3


@needs_fork
def test_of_two_desks_that_decide_at_once_none_breaks_the_journal(folder: Path) -> None:
    """Each of two processes decides again and again about a draft of its own."""

    def decides(draft: str) -> int:
        done = 0
        for _ in range(12):
            desk = open_desk(folder)
            decision = "later" if desk.review.drafts[draft].decision == "accepted" else "accepted"
            with suppress(ChangedElsewhere):
                do(desk, ("decide", {"draft": draft, "decision": decision}))
                done += 1
        return done

    process = os.fork()
    if process == 0:
        try:
            os._exit(decides("new/visa.yml"))
        finally:
            os._exit(100)
    done = decides("new/refund.yml")
    done += os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])

    desk = open_desk(folder)
    assert desk.problems == ()
    assert [entry.verb for entry in desk.journal] == ["decide"] * done


def test_a_run_that_replaces_the_folder_is_not_decided_about(folder: Path) -> None:
    desk = do(open_desk(folder), RENAME)
    shutil.rmtree(folder)
    write_folder(folder)
    before = files_of(folder)
    assert refused(do, desk, ACCEPT).startswith("the drafts were changed elsewhere just now")
    assert files_of(folder) == before
    assert open_desk(folder).journal == ()


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"version: '3.1'\nnlu:\n- intent: [\n", "line 4: not valid YAML"),
        (b'version: "3.1"\nnlu:\n- intent: caf\xe9\n', "line 3: not UTF-8; save the file as UTF-8"),
        (b"nlu:\n- intent: x\n  metadata: {discovery: {decision: yes please}}\n", "line 3: a decision is"),
    ],
)
def test_a_broken_draft_is_told_and_the_rest_is_usable(folder: Path, content: bytes, line: str) -> None:
    (folder / "new/refund.yml").write_bytes(content)
    desk = open_desk(folder)
    [problem] = desk.problems
    assert problem.startswith(f"{folder}/new/refund.yml, {line}")
    assert sorted(desk.review.drafts) == ["known/greet.yml", "new/invoice.yml", "new/visa.yml"]
    desk = do(desk, ("split", {"texts": ["lol"], "name": "refund"}))
    assert sorted(desk.review.drafts)[-2:] == ["new/refund-2.yml", "new/visa.yml"]
    assert (folder / "new/refund.yml").read_bytes() == content


# Stopped in between


def killed_at(folder: Path, step: tuple[str, dict[str, Any]], at: int) -> None:
    """Does a step in a process that ends just before the `at`-th time that something reaches the disk."""
    process = os.fork()
    if process:
        os.waitpid(process, 0)
        return
    calls = iter(range(1000))

    def counted(original: Callable[..., Any]) -> Callable[..., Any]:
        def reaches_the_disk(*arguments: Any, **more: Any) -> Any:
            if next(calls) == at:
                os._exit(1)
            return original(*arguments, **more)

        return reaches_the_disk

    for module, name in ((os, "fsync"), (os, "replace"), (Path, "unlink")):
        setattr(module, name, counted(getattr(module, name)))
    try:
        do(open_desk(folder), step)
    finally:
        os._exit(0)


def drafts_of(folder: Path) -> dict[str, bytes]:
    return {name: content for name, content in files_of(folder).items() if name != "run.json"}


@needs_fork
@pytest.mark.parametrize("step", [ACCEPT, MERGE, RENAME, ("split", {"texts": ["lol"], "name": "laugh"})])
@pytest.mark.parametrize("at", range(10))
def test_what_a_crash_interrupts_is_completed_when_the_desk_opens_again(
    folder: Path, tmp_path: Path, step: tuple[str, dict[str, Any]], at: int
) -> None:
    whole = Path(shutil.copytree(folder, tmp_path / "whole"))
    do(open_desk(whole), step)
    before = drafts_of(folder)

    killed_at(folder, step, at)

    desk = open_desk(folder)
    assert drafts_of(folder) == drafts_of(whole)
    assert [entry.says for entry in desk.journal] != []
    assert text_of(folder, "decided.txt") == "".join(f"{entry.id}\n" for entry in desk.journal)
    undo(desk)
    assert drafts_of(folder) == before


def test_a_draft_that_a_person_brings_back_is_there_again(folder: Path) -> None:
    draft = folder / "new/refund.yml"
    content = draft.read_bytes()
    draft.unlink()
    assert "new/refund.yml" not in open_desk(folder).review.drafts

    draft.write_bytes(content)

    assert "new/refund.yml" in open_desk(folder).review.drafts
    assert draft.read_bytes() == content


def test_a_draft_that_a_person_brings_back_is_carried_into_the_next_run(folder: Path) -> None:
    draft = folder / "new/refund.yml"
    content = draft.read_bytes()
    draft.unlink()
    open_desk(folder)
    draft.write_bytes(content)

    previous = read_previous(folder)

    assert draft.read_bytes() == content
    assert previous.edits.deleted == ()
    assert [proposal.name for proposal in previous.earlier.proposals if proposal.ignored] == []


def test_drafts_that_are_moved_away_and_back_while_the_desk_is_open_are_there(folder: Path) -> None:
    before = drafts_of(folder)
    desk = open_desk(folder)
    (folder / "new").rename(folder / "away")
    desk = refreshed(desk)
    assert [path for path in desk.review.drafts if path.startswith("new/")] == []

    (folder / "away").rename(folder / "new")
    desk = refreshed(desk)

    assert drafts_of(folder) == before
    assert len([path for path in desk.review.drafts if path.startswith("new/")]) == 3


def test_what_a_decision_removed_stays_when_a_person_brings_it_back(folder: Path) -> None:
    draft = folder / "new/refund.yml"
    content = draft.read_bytes()
    do(open_desk(folder), MERGE)
    assert not draft.exists()

    draft.write_bytes(content)

    assert "new/refund.yml" in open_desk(folder).review.drafts
    assert draft.read_bytes() == content


@pytest.mark.parametrize("with_list", [True, False])
def test_a_folder_that_is_as_it_was_some_decisions_ago_is_left_so(folder: Path, with_list: bool) -> None:
    before = files_of(folder)
    do(do(open_desk(folder), ACCEPT), MERGE)
    for path, content in before.items():  # a checkout; the journal is in no repository
        (folder / path).write_bytes(content)
    if with_list:
        (folder / "decided.txt").unlink()

    open_desk(folder)

    assert drafts_of(folder) == {name: text for name, text in before.items() if name != "run.json"}


def test_half_a_line_of_the_journal_was_never_done(folder: Path) -> None:
    desk = do(open_desk(folder), ACCEPT)
    with open(folder / "decisions.jsonl", "ab") as journal:
        journal.write(b'{"revision": 2, "verb": "dec')
    desk = open_desk(folder)
    assert desk.revision == 1
    assert do(desk, RENAME).revision == open_desk(folder).revision == 2


@pytest.mark.parametrize("first", ["", "{}\n", "[" * 100_000 + "\n"], ids=["missing", "none", "deep"])
def test_a_journal_that_does_not_fit_is_set_aside_and_the_drafts_are_usable(folder: Path, first: str) -> None:
    do(do(open_desk(folder), ACCEPT), RENAME)
    lines = text_of(folder, "decisions.jsonl").splitlines(keepends=True)
    journal = first + lines[1]
    (folder / "decisions.jsonl").write_text(journal)
    (folder / "decisions.broken-1.jsonl").write_text("of another time\n")
    before = drafts_of(folder)

    desk = open_desk(folder)

    said = (
        f"{folder}/decisions.jsonl, line 1: not as it was written, so it was renamed to "
        "decisions.broken-2.jsonl: the drafts are as they were, and undo begins anew"
    )
    assert desk.problems == (said,)
    assert text_of(folder, "decisions.broken-1.jsonl") == "of another time\n"
    after = drafts_of(folder)
    assert after.pop("decisions.broken-2.jsonl") == journal.encode()
    assert after == before
    assert refused(undo, desk) == "there is nothing to undo"
    desk = do(desk, MERGE)
    assert desk.problems == (said,), "it stays on the page"
    assert undo(desk).review.drafts["new/refund.yml"].decision == "accepted"
    assert open_desk(folder).problems == ()


@pytest.mark.parametrize("left", [1, 0, None])
def test_a_journal_that_lacks_decisions_is_set_aside(folder: Path, left: int | None) -> None:
    do(do(open_desk(folder), ACCEPT), RENAME)
    journal = (
        b"".join((folder / "decisions.jsonl").read_bytes().splitlines(keepends=True)[: left or 0]) + b"{"
    )
    (folder / "decisions.jsonl").write_bytes(journal)
    if left is None:
        (folder / "decisions.jsonl").unlink()
    before = drafts_of(folder)

    desk = open_desk(folder)

    aside = ", so it was renamed to decisions.broken-1.jsonl" if left is not None else ""
    said = (
        f"{folder}/decisions.jsonl: {2 - (left or 0)} of the 2 decisions that decided.txt tells of are "
        f"missing{aside}: the drafts are as they were, and undo begins anew"
    )
    assert desk.problems == (said,)
    after = drafts_of(folder)
    assert after.pop("decisions.broken-1.jsonl", None) == (None if left is None else journal)
    assert after == before
    assert open_desk(folder).problems == ()


def as_before(folder: Path, told: int) -> list[dict[str, Any]]:
    """Makes journal and record those of earlier versions of this program, which numbered decisions."""
    lines = [json.loads(line) for line in text_of(folder, "decisions.jsonl").splitlines()]
    ids = {line["id"]: number for number, line in enumerate(lines, 1)}
    old = [{**line, "revision": number} for number, line in enumerate(lines, 1)]
    for line in old:
        line.pop("id")
        line.pop("after", None)
        if "of" in line:
            line["of"] = ids[line["of"]]
    (folder / "decisions.jsonl").write_text("".join(json.dumps(line) + "\n" for line in old))
    run = json.loads(text_of(folder, "run.json"))
    run["decisions"] = [{key: line[key] for key in ("revision", "time", "says")} for line in old[:told]]
    (folder / "run.json").write_text(json.dumps(run))
    (folder / "decided.txt").unlink()
    (folder / ".gitattributes").unlink()
    return old


def test_a_journal_of_an_earlier_version_goes_on(folder: Path) -> None:
    desk = do(do(open_desk(folder), ACCEPT), RENAME)
    states = [files_of(folder)]
    undo(desk)
    states.append(files_of(folder))
    as_before(folder, told=1)

    desk = open_desk(folder)

    assert (desk.problems, [entry.reviewer for entry in desk.journal]) == ((), ["", "", ""])
    assert (folder / ".gitattributes").exists()
    desk = redo(desk, "Ana")
    assert {**files_of(folder), "run.json": b""} == {**states[0], "run.json": b""}
    desk = undo(undo(open_desk(folder), "Ana"), "Ana")
    assert refused(undo, desk, "Ana") == "there is nothing to undo"


def test_what_an_earlier_version_was_doing_when_it_was_killed_is_completed(folder: Path) -> None:
    before = files_of(folder)
    do(do(open_desk(folder), RENAME), ACCEPT)
    (folder / "new/refund.yml").write_bytes(before["new/refund.yml"])
    as_before(folder, told=1)
    desk = open_desk(folder)
    assert desk.review.drafts["new/refund.yml"].decision == "accepted"
    assert len(desk.journal) == 2


def test_a_journal_of_an_earlier_version_that_lacks_decisions_is_set_aside(folder: Path) -> None:
    do(do(open_desk(folder), ACCEPT), RENAME)
    first, _ = as_before(folder, told=2)
    (folder / "decisions.jsonl").write_text(json.dumps(first) + "\n")
    [said] = open_desk(folder).problems
    assert "1 of the 2 decisions that run.json tells of are missing, so it was renamed" in said
    assert open_desk(folder).problems == ()


def test_another_version_of_a_draft_is_told_and_not_read(folder: Path) -> None:
    name = "new/visa (conflicted copy 2026-11-24).yml"
    (folder / name).write_bytes((folder / "new/visa.yml").read_bytes())
    desk = open_desk(folder)
    assert name not in desk.review.drafts
    [said] = desk.problems
    assert said.startswith(f"{folder}/{name} is not read: ")
    assert do(desk, ACCEPT).problems == (said,)
    (folder / name).unlink()
    assert open_desk(folder, desk).problems == ()


def test_another_version_of_a_draft_is_kept_by_the_next_run_and_not_read(folder: Path) -> None:
    text = text_of(folder, "new/visa.yml").replace("decision: open", "decision: ignored").encode()
    (folder / "new/visa (1).yml").write_bytes(text)
    previous = read_previous(folder)
    assert previous.edits.contents == {"new/visa (1).yml": text}
    assert previous.drafts == {}
    assert not any(proposal.ignored for proposal in previous.earlier.proposals)


def test_half_a_draft_is_told_until_it_is_whole(folder: Path) -> None:
    whole = (folder / "new/visa.yml").read_bytes()
    (folder / "new/visa.yml").write_bytes(whole[:-3])
    desk = open_desk(folder)
    [said] = desk.problems
    assert said.startswith(f"{folder}/new/visa.yml, line ")
    assert "ends in the middle of a line" in said
    (folder / "new/visa.yml").write_bytes(whole)
    desk = refreshed(desk)
    assert desk.problems == ()
    assert desk.review.drafts["new/visa.yml"].examples == VISA.examples


def test_another_journal_of_the_same_length_is_another_history(folder: Path) -> None:
    desk = do(open_desk(folder), ACCEPT)
    before = {name: (folder / name).read_bytes() for name in (*drafts_of(folder), "decisions.jsonl")}
    other = do(undone := undo(desk), ("decide", {"draft": "new/refund.yml", "decision": "ignored"}))
    assert run_of(desk) == run_of(undone) == run_of(other)
    lines = before["decisions.jsonl"].replace(b"refund accepted", b"refund ignored")
    (folder / "decisions.jsonl").write_bytes(lines)  # as after a branch switch
    assert run_of(refreshed(other)) != run_of(other)


def test_the_next_run_keeps_a_journal_that_does_not_fit(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "decisions.jsonl").write_text("{}\n")
    previous = read_previous(folder)
    assert previous.edits.contents == {"decisions.broken-1.jsonl": b"{}\n"}
    assert [message.partition(",")[0] for message in caplog.messages] == [f"{folder}/decisions.jsonl"]


@pytest.mark.parametrize("left", ["half", "a line less", "nothing", "none"])
@pytest.mark.parametrize("earlier", [False, True])
def test_that_a_journal_does_not_fit_is_told_once(
    left: str, earlier: bool, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A run reads the folder when it begins and when it writes, and a desk whenever something changed."""
    do(do(open_desk(folder), ACCEPT), RENAME)
    if earlier:
        as_before(folder, told=2)
    journal = folder / "decisions.jsonl"
    content = journal.read_bytes()
    lines = content.splitlines(keepends=True)
    cut = {"half": content[:-20], "a line less": lines[0], "nothing": b""}
    if left == "none":
        journal.unlink()
    else:
        journal.write_bytes(cut[left])

    read_previous(folder)
    read_previous(folder)
    desk = open_desk(folder)
    again = open_desk(folder)

    [said] = caplog.messages
    assert said.startswith(f"{folder}/decisions.jsonl")
    assert (desk.problems, again.problems) == ((), ())
    undo(do(again, MERGE))
    assert open_desk(folder).problems == ()


def test_a_full_disk_leaves_everything_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = do(open_desk(folder), RENAME)
    before = {**files_of(folder), "decisions.jsonl": (folder / "decisions.jsonl").read_bytes()}

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    assert "could not be written (No space left on device)" in refused(do, desk, MERGE)
    monkeypatch.undo()
    assert {**files_of(folder), "decisions.jsonl": (folder / "decisions.jsonl").read_bytes()} == before
    assert do(refreshed(desk), MERGE).revision == 2


def test_what_a_full_disk_refused_is_not_done_later_where_half_a_line_was_left(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A desk that was killed left the half line; it is longer than the line of the next decision."""
    do(open_desk(folder), RENAME)
    with (folder / "decisions.jsonl").open("ab") as journal:
        journal.write(b"x" * 10_000)
    desk = open_desk(folder)
    before = files_of(folder)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    assert "could not be written (No space left on device)" in refused(do, desk, MERGE)
    monkeypatch.undo()
    again = open_desk(folder)
    assert (files_of(folder), again.journal) == (before, desk.journal)
    assert b"\0" not in (folder / "decisions.jsonl").read_bytes()


@pytest.mark.parametrize("step", [ACCEPT, MERGE, ("split", {"texts": ["lol"], "name": "laugh"})])
@pytest.mark.parametrize(
    ("module", "name"),
    [(os, "fsync"), (os, "replace"), (Path, "write_bytes"), (shutil, "copy2"), (Path, "unlink")],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.parametrize("at", range(4))
def test_wherever_the_disk_is_full_the_desk_says_what_is_true(
    folder: Path,
    step: tuple[str, dict[str, Any]],
    module: Any,
    name: str,
    at: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = do(open_desk(folder), RENAME)
    before, calls, original = files_of(folder), iter(range(1000)), getattr(module, name)

    def full(*arguments: Any, **more: Any) -> Any:
        if next(calls) == at:
            raise OSError(errno.ENOSPC, "No space left on device")
        return original(*arguments, **more)

    monkeypatch.setattr(module, name, full)
    try:
        done = do(desk, step)
    except DataError:
        monkeypatch.undo()
        again = open_desk(folder)
        assert (files_of(folder), again.journal) == (before, desk.journal)
    else:
        monkeypatch.undo()
        again = open_desk(folder)
        assert (again.review.drafts, again.journal, again.run) == (done.review.drafts, done.journal, done.run)


@pytest.mark.parametrize("at", [1, 2])
def test_a_decision_that_is_half_written_is_completed_when_the_disk_is_there_again(
    at: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = do(open_desk(write_folder(folder.with_name("other"))), MERGE)
    desk, calls, original = open_desk(folder), iter(range(1000)), os.replace

    def gone(*arguments: Any) -> None:
        if next(calls) >= at:
            raise OSError(errno.EIO, "Input/output error", *arguments[:1])
        original(*arguments)

    monkeypatch.setattr(os, "replace", gone)
    assert refused(do, desk, MERGE).endswith(
        "could not be written (Input/output error), nor "
        f"{folder}/new/invoice.yml be put back as it was: when the disk is there again, the next command "
        "completes the decision"
    )
    monkeypatch.undo()
    again = refreshed(desk)
    assert (again.review.drafts, again.revision) == (expected.review.drafts, 1)
    assert sorted(files_of(folder)) == sorted(files_of(expected.folder))


# A folder that is none


def test_a_folder_that_cannot_be_read_is_not_taken_for_an_empty_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything in it would count as deleted."""
    desk, before = open_desk(folder), files_of(folder)

    def forbidden(path: Any, look: Callable[[Any], Any]) -> Any:
        if Path(path) == folder / "new":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return look(path)

    for name in ("scandir", "listdir"):
        monkeypatch.setattr(os, name, functools.partial(forbidden, look=getattr(os, name)))
    for look in (open_desk, read_drafts):
        assert refused(look, folder) == f"{folder}/new cannot be read: Permission denied"
    monkeypatch.setattr(Path, "glob", lambda path, _: iter(()))  # as it does where it may not look
    assert refused(refreshed, desk) == f"{folder}/new cannot be read: Permission denied"
    monkeypatch.undo()
    assert files_of(folder) == before
    assert not (folder / "decisions.jsonl").exists()


def test_where_the_messages_were_placed_has_to_be_readable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The next run tells by them what a draft was that somebody deleted, which ignores it."""
    evidence = {"new_intents": {"evidence": {"refund": EVIDENCE}}}
    folder = write_folder(tmp_path / "drafts", run=evidence)
    (folder / "new/refund.yml").unlink()
    whole = (folder / "assignments.jsonl").read_bytes()
    texts = next(one.texts for one in read_previous(folder).earlier.proposals if one.name == "refund")
    assert texts == {"where is my money", "money back please", "i want it back", "refund now"}
    (folder / "assignments.jsonl").write_bytes(whole[:-20])  # it is being copied
    assert texts == next(one.texts for one in read_previous(folder).earlier.proposals if one.name == "refund")
    assert caplog.messages == [
        f"{folder}/assignments.jsonl, line 12: not as it was written, so it is passed over"
    ]
    read = Path.read_bytes

    def forbidden(path: Path) -> bytes:
        if path.name == "assignments.jsonl":
            raise PermissionError(errno.EACCES, "Permission denied")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", forbidden)
    monkeypatch.setattr(Path, "read_text", lambda path, **_: forbidden(path).decode())
    assert refused(read_previous, folder) == f"{folder}/assignments.jsonl cannot be read: Permission denied"


#: What reads a folder of drafts: the desk, `apply`, and a run, when it begins and for what was decided.
READERS = (open_desk, lambda folder: chosen_drafts(str(folder)), check_folder, read_previous)


@pytest.mark.parametrize("reads", READERS)
@pytest.mark.parametrize(
    ("made", "this"), [("0.2.0", "0.1.9"), ("1.0.0", "0.9.2"), ("0.10.0", "0.9.0"), ("0.2.0rc1", "0.1.0")]
)
def test_drafts_of_a_later_version_are_left_to_it(
    reads: Callable[[Path], object], made: str, this: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What this version does not know of would be lost."""
    monkeypatch.setattr(drafts_folder, "__version__", this)
    folder = write_folder(tmp_path / "drafts", run={"versions": {"rasa-intent-discovery": made}})
    before = files_of(folder)
    assert refused(reads, folder) == (
        f"{folder} was made by the later version {made} of this program, and this is {this}: install that "
        "one, or, for new drafts, give another folder with --out"
    )
    assert files_of(folder) == before


@pytest.mark.parametrize("reads", READERS)
@pytest.mark.parametrize(
    ("made", "this"), [("0.1.0", "0.2.0"), ("0.1.9", "0.1.0"), ("0.9.0", "1.0.0"), ("mine", "0.1.0")]
)
def test_drafts_of_an_earlier_version_are_read(
    reads: Callable[[Path], object], made: str, this: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts_folder, "__version__", this)
    reads(write_folder(tmp_path / "drafts", run={"versions": {"rasa-intent-discovery": made}}))


def test_folders_that_cannot_be_opened(tmp_path: Path, folder: Path) -> None:
    assert refused(open_desk, tmp_path / "none") == (
        f"{tmp_path / 'none'} holds no drafts: run the command in the folder of the bot, "
        "after `rasa discover-intents`"
    )
    other = write_folder(tmp_path / "other")
    (other / "run.json").write_text("[]")
    assert refused(open_desk, other) == (
        f"{other}/run.json is not as it was written, so edits cannot be told: move or rename the folder to "
        "keep it, or give another one with --out"
    )
    (other / "run.json").unlink()
    assert refused(open_desk, other) == (
        f"{other}/run.json is gone, without which its drafts cannot be read: bring it back"
    )
    for unsaid in ({}, [], None):  # which version it was is for people, and nothing a folder needs
        assert open_desk(write_folder(tmp_path / f"unsaid {unsaid}", run={"versions": unsaid}))
    desk = open_desk(folder)
    shutil.rmtree(folder)
    assert (
        refused(refreshed, desk) == f"{folder} holds no drafts: run the command in the folder of the bot, "
        "after `rasa discover-intents`"
    )


# What the page is told


def test_messages_are_counted_once_whatever_their_spelling(folder: Path) -> None:
    log = read_log(folder)
    told = page_messages({}, log, loaded_rows(log))
    [first, *_, last] = zip(told["texts"], told["counts"], told["kind"], told["confidences"], strict=True)
    assert first == ("where is my money", 6, 0, 0.5)
    assert last == ("my bill [is](late)", 1, 4, 0.5)
    assert told["kinds"][0] == ("new", "new/refund.yml", "so")
    assert told["kinds"][4] == ("left_over", None, "so")
    assert told["looks_new"] == BORDERLINE
    assert told["training"] == [["hello", "greet"]]
    places = memoryview(base64.b64decode(told["places"])).cast("H").tolist()
    assert places[:2] == [0, 13107], "x from 1 to 11, y from 12 at the top to -3 at the bottom"
    assert places[-2:] == [13107, 65534]
    assert log.row("my bill [is] (late)") == len(log.messages) - 1
    assert log.row("never logged") == -1


def test_the_overview_counts_the_messages_that_hold_a_mask(tmp_path: Path) -> None:
    messages = (("send it to <email>", 2, "left_over", None), ("<phone> is mine", 1, "left_over", None))
    log = read_log(write_folder(tmp_path / "masked", messages=(*MESSAGES, *messages)))
    told = page_messages({"read": {"masked": {}}}, log, loaded_rows(log))
    assert told["overview"]["facts"][-1][2] == (
        "3 messages hold a mask already, as logged; names and postal addresses are not looked for"
    )


def test_the_page_learns_what_changed(folder: Path) -> None:
    log, desk = read_log(folder), open_desk(folder)
    state = page_state(desk, log)
    assert (state["revision"], state["whole"], state["known"], state["undo"]) == (
        0,
        True,
        ["greet", "order"],
        None,
    )
    refund = state["drafts"]["new/refund.yml"]
    assert refund["splice"][2][0] == 0, "the row says it"
    assert refund["conflicts"] == [("i want it back", "I want it", "order")]
    assert refund["worth"] == pytest.approx(9 * 0.6 * 0.7)
    after = page_state(do(desk, MERGE), log, desk)
    assert sorted(after["drafts"]) == ["new/invoice.yml", "new/refund.yml"]
    assert after["drafts"]["new/refund.yml"] is None
    assert after["drafts"]["new/invoice.yml"]["merged"] == ["new/refund.yml"]
    assert (after["whole"], after["undo"]) == (False, "refund merged into invoice")


@pytest.mark.parametrize(
    ("is_more", "near"),
    [(False, ["new/refund.yml", "order"]), (True, ["order", "new/refund.yml"])],
)
def test_what_a_proposal_may_be_more_of_is_the_first_to_merge_it_into(
    folder: Path, is_more: bool, near: list[str]
) -> None:
    evidence = {**VISA.evidence, "similarity": 0.2, "new_similarity": 0.7, "more_of_accepted": is_more}
    shutil.rmtree(folder)
    write_folder(folder, (REFUND, replace(VISA, evidence=evidence)))
    visa = page_state(open_desk(folder), read_log(folder))["drafts"]["new/visa.yml"]
    assert visa["near"] == near
    assert visa["nearest"] == ("order" if is_more else None), "its examples stand beside"


def test_the_page_learns_which_entities_there_are_and_where_they_are_marked(folder: Path) -> None:
    listed = {"messages": 3, "entities": ["[money](thing)", '[bill]{"entity": "paper", "value": "invoice"}']}
    shutil.rmtree(folder)
    write_folder(folder, (replace(REFUND, evidence=listed), INVOICE))
    log, desk = read_log(folder), open_desk(folder)
    state = page_state(desk, log)["drafts"]
    assert state["new/refund.yml"]["entities"] == [["[money](thing)", "money", "thing", 2, 0]]
    assert state["new/refund.yml"]["evidence"] == []
    assert state["new/invoice.yml"]["entities"] == [[listed["entities"][1], "bill", "paper, invoice", 1, 0]]
    step = ("annotate", {"draft": "new/refund.yml", "annotation": "[money](thing)", "on": True})
    refund = page_state(do(desk, step), log, desk)["drafts"]["new/refund.yml"]
    assert refund["entities"] == [["[money](thing)", "money", "thing", 2, 2]]
    pieces = [("where is my ", None), ("money", "thing")]
    assert refund["splice"][2][0] == ["where is my [money](thing)", 0, pieces]
    assert refund["splice"][:2] == [0, 2]


def test_a_new_proposal_knows_the_entities_of_the_whole_log(folder: Path) -> None:
    shutil.rmtree(folder)
    write_folder(folder, run={"entities": ["[lol](laugh)", "broken", 7]})
    log, desk = read_log(folder), open_desk(folder)
    desk, path = act(desk, "split", {"texts": ["lol"], "name": "fun"})
    assert page_state(desk, log)["drafts"][path]["entities"] == [["[lol](laugh)", "lol", "laugh", 1, 0]]
    desk = do(desk, ("annotate", {"draft": path, "annotation": "[lol](laugh)", "on": True}))
    assert desk.review.drafts[path].examples == ("[lol](laugh)",)


def test_files_that_are_missing_cost_the_map_and_the_messages_only(folder: Path) -> None:
    (folder / "map.json").unlink()
    (folder / "assignments.jsonl").write_text("[" * 200_000 + "\n")
    assert read_log(folder).problems == (
        f"{folder}/assignments.jsonl, line 1: not as it was written, so no messages can be shown",
        f"there is no {folder}/map.json, so no map can be shown: it comes with the next run",
    )


def test_worth_takes_what_is_not_told_in_favour() -> None:
    assert worth(Draft("x", ("a", "b"))) == 2.0
    assert worth(Draft("x", ("a",), {"messages": 10, "similarity": float("nan"), "cohesion": "high"})) == 10.0
    assert worth(Draft("visa", ("do i need a visa",), {"messages": 1})) == 1.0
    assert worth(GREET) == 3.0


def test_a_decision_is_on_disk_before_any_draft_changes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is killed in between, the journal has it all: so it must be there first, and in no cache."""
    desk = open_desk(folder)
    happened: list[str] = []
    fsync, rename, unlink = os.fsync, os.replace, Path.unlink

    def synced(descriptor: int) -> None:
        name = Path(os.readlink(f"/proc/self/fd/{descriptor}")).name
        happened.append(f"sync {name} of {len(Path(folder / name).read_text().splitlines())} lines")
        fsync(descriptor)

    def renamed(source: Any, target: Any) -> None:
        happened.append(f"replace {Path(target).name}")
        rename(source, target)

    def removed(path: Path, missing_ok: bool = False) -> None:
        if path.parent.name == "new" and not path.name.startswith("."):
            happened.append(f"remove {path.name}")
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", renamed)
    monkeypatch.setattr(Path, "unlink", removed)
    do(desk, MERGE)

    assert happened[0] == "sync decisions.jsonl of 1 lines"
    assert happened[1:3] == ["replace invoice.yml", "replace domain.yml"]
    assert happened[-2:] == ["remove refund.yml", "replace decided.txt"]


@pytest.mark.parametrize(
    "path",
    ["../evil.py", "new/../../evil.yml", "/tmp/evil.yml", "new/.x.yml", "run.json", "new/a\\b.yml", ""],
)
def test_a_journal_that_names_another_file_is_not_followed(path: str, folder: Path) -> None:
    """It may come with a folder that somebody sent."""
    entry = Entry("1", "", "2026-03-01T10:00:00+00:00", "decide", "so", {path: difference(None, "evil")})
    (folder / "decisions.jsonl").write_text(entry_line(entry))
    (folder / "decided.txt").write_text("")
    before = {one: one.read_bytes() for one in folder.parent.rglob("*") if one.is_file()}

    desk = open_desk(folder)

    assert "line 1: not as it was written" in desk.problems[0]
    after = {one: one.read_bytes() for one in folder.parent.rglob("*") if one.is_file()}
    journal = folder / "decisions.broken-1.jsonl"
    assert after.pop(journal) == before.pop(folder / "decisions.jsonl")
    assert {one for one in after if one not in before} <= {folder / "decisions.jsonl"}


def with_crlf(folder: Path) -> None:
    """As git checks files out on Windows."""
    for path in folder.rglob("*.yml"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def test_after_a_checkout_with_other_line_ends_a_decision_is_undone_and_done_again(folder: Path) -> None:
    before = files_of(folder)["new/refund.yml"].replace(b"\n", b"\r\n")
    do(open_desk(folder), ACCEPT)
    with_crlf(folder)
    accepted = files_of(folder)["new/refund.yml"]

    desk = undo(open_desk(folder))
    assert files_of(folder)["new/refund.yml"] == before
    redo(desk)
    assert files_of(folder)["new/refund.yml"] == accepted
    assert open_desk(folder).review.drafts["new/refund.yml"].decision == "accepted"


def test_what_was_decided_with_one_kind_of_line_ends_is_undone_with_the_other(folder: Path) -> None:
    with_crlf(folder)
    do(open_desk(folder), ACCEPT)
    for path in folder.rglob("*.yml"):
        path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n"))
    undo(open_desk(folder))
    assert b"\r" not in files_of(folder)["new/refund.yml"]
    assert open_desk(folder).review.drafts["new/refund.yml"].decision == "open"


# What the next run takes over


def test_an_accepted_draft_without_examples_is_not_in_the_bot(folder: Path) -> None:
    step = {"texts": ["hey there", "good day"], "targets": ["known/greet.yml"] * 2}
    desk = do(open_desk(folder), ("accept_only", step))
    do(desk, ("drop", {"draft": "known/greet.yml", "texts": ["hey there", "good day"]}))
    known = [KnownExample("hello", "greet")]

    assert read_previous(folder, known).done == frozenset()
    examples = [KnownExample(text, "greet") for text in GREET.examples]
    assert read_previous(folder, examples).done == frozenset()


def test_examples_that_another_intent_has_put_no_draft_into_the_bot(folder: Path) -> None:
    do(open_desk(folder), ACCEPT)
    others = [KnownExample(text, "order") for text in REFUND.examples]
    alone = KnownExample("something else", "refund")

    assert read_previous(folder, [*others, alone]).done == frozenset()
    first = KnownExample(REFUND.examples[0], "refund")
    assert read_previous(folder, [*others, first]).done == {"new/refund.yml"}  # the others, apply left out


def test_what_was_dropped_from_a_proposal_before_it_was_merged_is_refused_for_what_it_is_in(
    tmp_path: Path,
) -> None:
    evidence: dict[str, object] = dict.fromkeys(("refund", "invoice", "visa"), {})
    folder = write_folder(tmp_path / "drafts", run={"new_intents": {"evidence": evidence}})
    desk = do(open_desk(folder), ("drop", {"draft": "new/refund.yml", "texts": ["where is my money"]}))
    desk = do(desk, ("merge", {"draft": "new/refund.yml", "target": "new/invoice.yml"}))
    desk = do(desk, ("decide", {"draft": "new/invoice.yml", "decision": "accepted"}))
    in_bot = [KnownExample(text, "invoice") for text in desk.review.drafts["new/invoice.yml"].examples]

    previous = read_previous(folder, in_bot)
    assert previous.done == {"new/invoice.yml"}
    assert previous.earlier.refused == {"invoice": {"where is my money"}}


def test_a_proposal_does_not_take_over_the_messages_of_one_whose_name_it_got(tmp_path: Path) -> None:
    evidence: dict[str, object] = dict.fromkeys(("refund", "invoice", "visa"), {})
    folder = write_folder(tmp_path / "drafts", run={"new_intents": {"evidence": evidence}})
    desk = do(open_desk(folder), ("rename", {"draft": "new/refund.yml", "name": "payback"}))
    do(desk, ("rename", {"draft": "new/visa.yml", "name": "refund"}))

    proposals = {one.name: one for one in read_previous(folder).earlier.proposals}
    assert {*proposals} == {"payback", "refund", "invoice"}
    assert proposals["payback"].texts >= set(REFUND.examples)
    assert proposals["refund"].texts == {"do i need a visa"}


@pytest.mark.parametrize("before", [False, True], ids=["since the run", "before it"])
def test_a_deleted_proposal_stays_ignored_where_another_one_got_its_name(
    tmp_path: Path, before: bool
) -> None:
    names = ("refund", "invoice", "visa")
    evidence: dict[str, object] = {name: {} for name in names[before:]}
    ignored = [{"intent": "refund", "messages": 9, "texts": ["where is my money"]}] if before else []
    run = {
        **{"new_intents": {"evidence": evidence}, "ignored": ignored},
        **{"read": {"messages": 1000}, "log_of_ignored": {"refund": 100} if before else {}},
    }
    messages = [one for one in MESSAGES if not before or one[3] != "refund"]
    folder = write_folder(tmp_path / "drafts", messages=messages, run=run)
    (folder / "new/refund.yml").unlink()
    do(open_desk(folder), ("rename", {"draft": "new/visa.yml", "name": "refund"}))

    previous = read_previous(folder)
    proposals = {one.name: one for one in previous.earlier.proposals}
    assert {name: one.ignored for name, one in proposals.items()} == {
        **{"refund": False, "invoice": False},
        "refund_2": True,
    }
    assert proposals["refund"].texts == {"do i need a visa"}
    assert "where is my money" in proposals["refund_2"].texts
    assert [one["intent"] for one in previous.ignored_record(())] == ["refund_2"]
    assert proposals["refund_2"].of_log == (100 if before else 1000)
    do(open_desk(folder), ("decide", {"draft": "new/visa.yml", "decision": "ignored"}))
    both = {one.name: one.of_log for one in read_previous(folder).earlier.proposals if one.ignored}
    assert both == {"refund": 1000, "refund_2": 100 if before else 1000}


def test_what_was_split_off_or_merged_and_ignored_has_as_many_messages_as_were_logged(tmp_path: Path) -> None:
    evidence = {name: {"messages": 99} for name in ("refund", "invoice", "visa")}
    folder = write_folder(tmp_path / "drafts", run={"new_intents": {"evidence": evidence}})
    desk, made = act(open_desk(folder), "split", {"texts": [*REFUND.examples[:2]], "name": "junk"})
    do(desk, ("merge", {"draft": "new/visa.yml", "target": "new/invoice.yml"}))

    counts = {text: count for text, count, *_ in MESSAGES}
    messages = {one.name: one.messages for one in read_previous(folder).earlier.proposals}
    assert messages["junk"] == sum(counts[text] for text in REFUND.examples[:2])
    assert messages["invoice"] == sum(
        counts[text] for text, _, _, intent in MESSAGES if intent in ("invoice", "visa")
    )
    assert messages["refund"] == evidence["refund"]["messages"]


def test_a_new_proposal_does_not_take_over_the_messages_of_a_merged_one_of_its_name(tmp_path: Path) -> None:
    evidence: dict[str, object] = dict.fromkeys(("refund", "invoice", "visa"), {})
    folder = write_folder(tmp_path / "drafts", run={"new_intents": {"evidence": evidence}})
    desk = do(open_desk(folder), MERGE)
    desk, made = act(desk, "split", {"texts": ["do i need a visa"], "name": "refund"})
    assert made == "new/refund-2.yml"
    do(desk, ("decide", {"draft": made, "decision": "ignored"}))

    proposals = {one.name: one for one in read_previous(folder).earlier.proposals}
    assert proposals["refund"].texts == {"do i need a visa"}
    assert proposals["refund"].ignored
    assert not proposals["invoice"].ignored
    assert {"where is my money", "a bill please"} <= proposals["invoice"].texts
