"""Two reviewers, each in a clone of the bot's repository: what git merges is what both decided."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browser import opened
from desk_folder import GREET, INVOICE, REFUND, VISA, write_folder
from desk_server import serving
from killed import killed_at, needs_fork
from test_terminal import Person

from rasa_intent_discovery.drafts.folder import read_drafts
from rasa_intent_discovery.drafts.history import deciders, overruled_names, standing
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.decisions import journal_file
from rasa_intent_discovery.review.decisions.files import act, redo, undo
from rasa_intent_discovery.review.decisions.folder import Desk, open_desk
from rasa_intent_discovery.review.decisions.who_decided import decided_so_far
from rasa_intent_discovery.review.next_run.previous_run import read_previous
from rasa_intent_discovery.review.page.report import write_report
from rasa_intent_discovery.review.terminal.review import QUIT, review_in_terminal

ANA, BOB = "Ana", "Bob"
MONEY, BACK = "where is my money", "i want it back"
REFUNDS, INVOICES, VISAS = "new/refund.yml", "new/invoice.yml", "new/visa.yml"


class Clock:
    """Says another time whenever it is asked: a minute later, or what it is set to."""

    def __init__(self) -> None:
        self.minute = 0

    def __call__(self) -> str:
        self.minute += 1
        return f"2026-05-04T10:{self.minute:02}:00+02:00"


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(journal_file, "now", clock)
    return clock


def git(place: Path, *words: str, fails: bool = False) -> str:
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "core.autocrlf=false")
    done = subprocess.run(["git", *identity, *words], cwd=place, capture_output=True, text=True)
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    return done.stdout


def commit(place: Path) -> None:
    git(place, "add", "--all")
    git(place, "commit", "-qm", "what was decided", "--allow-empty")


@pytest.fixture
def clones(tmp_path: Path) -> tuple[Path, Path]:
    """The drafts in two clones of one repository."""
    origin = tmp_path / "origin"
    write_folder(
        origin / "drafts", run={"new_intents": {"evidence": dict.fromkeys(("refund", "invoice", "visa"), {})}}
    )
    git(origin, "init", "-q", "-b", "main")
    commit(origin)
    for name in ("ana", "bob"):
        git(tmp_path, "clone", "-q", "origin", name)
    return tmp_path / "ana" / "drafts", tmp_path / "bob" / "drafts"


def do(folder: Path, reviewer: str, verb: str, **arguments: Any) -> Desk:
    return act(open_desk(folder), verb, arguments, reviewer)[0]


def decide(folder: Path, reviewer: str, draft: str, decision: str) -> Desk:
    return do(folder, reviewer, "decide", draft=draft, decision=decision)


def pull(clones: tuple[Path, Path], conflicts: bool = False) -> Path:
    """Commits in both clones, and merges the first into the second, whose drafts it returns."""
    for clone in clones:
        commit(clone)
    git(clones[1], "pull", "-q", "--no-rebase", "--no-edit", str(clones[0].parent), "main", fails=conflicts)
    return clones[1]


def conflicts_of(folder: Path) -> list[str]:
    return git(folder, "diff", "--name-only", "--diff-filter=U").split()


def said(desk: Desk) -> list[str]:
    return [f"{entry.reviewer}: {entry.says}" for entry in standing(desk.journal) if entry.verb != "merged"]


def told(desk: Desk) -> dict[str, str]:
    return {path: draft.decision for path, draft in desk.review.drafts.items() if draft.decision != "open"}


def test_decisions_about_different_proposals_merge_without_a_conflict(clones: tuple[Path, Path]) -> None:
    ana, bob = clones
    decide(ana, ANA, REFUNDS, "accepted")
    decide(bob, BOB, VISAS, "ignored")
    decide(ana, ANA, INVOICES, "later")
    for clone in clones:
        write_report(open_desk(clone))

    desk = open_desk(pull(clones))

    assert desk.problems == ()
    assert told(desk) == {REFUNDS: "accepted", VISAS: "ignored", INVOICES: "later"}
    assert said(desk) == ["Ana: refund accepted", "Bob: visa ignored", "Ana: invoice left for later"]
    assert [who.reviewer for _, who in sorted(deciders(desk.journal).items())] == [ANA, ANA, BOB]
    assert desk.journal == open_desk(bob).journal, "nothing is edited by hand, and nothing was to be mended"
    assert git(bob, "status", "--porcelain") == ""
    assert told(decide(bob, BOB, VISAS, "accepted"))[VISAS] == "accepted"


@pytest.mark.parametrize("later", [0, 1])
def test_of_two_decisions_about_the_same_proposal_the_later_one_counts(
    clones: tuple[Path, Path], later: int
) -> None:
    decisions = [(ANA, "accepted"), (BOB, "ignored")]
    for turn in (1 - later, later):
        decide(clones[turn], decisions[turn][0], REFUNDS, decisions[turn][1])

    bob = pull(clones, conflicts=True)

    assert conflicts_of(bob) == [f"drafts/{REFUNDS}"], "no other file"
    with pytest.raises(DataError) as refused:
        read_drafts(bob)
    assert str(refused.value) == (
        f"{bob}/{REFUNDS}, line 9: git has left two versions here: `rasa discover-intents review` puts them "
        "together where both are its own; otherwise keep one, and remove the lines that begin with <<<<<<<, "
        "======= and >>>>>>>"
    )
    desk = open_desk(bob)
    assert (desk.problems, told(desk)) == ((), {REFUNDS: decisions[later][1]})
    assert [entry.says for entry in standing(desk.journal)][2:] == [
        "what Ana and Bob decided put together: new/refund.yml"
    ]
    assert len(said(desk)) == 2, "both are in the journal"
    who = deciders(desk.journal)[REFUNDS]
    earlier = decisions[1 - later]
    assert (who.reviewer, who.instead_of) == (decisions[later][0], f"{earlier[0]}: refund {earlier[1]}")
    commit(bob)
    git(clones[0], "pull", "-q", str(bob.parent), "main")
    assert (open_desk(clones[0]).journal, told(open_desk(clones[0]))) == (desk.journal, told(desk))


def test_where_both_decided_the_same_nobody_is_overruled(clones: tuple[Path, Path]) -> None:
    for clone, name in zip(clones, (ANA, BOB), strict=True):
        decide(clone, name, REFUNDS, "accepted")
    desk = open_desk(pull(clones))
    assert said(desk) == ["Ana: refund accepted", "Bob: refund accepted"]
    who = deciders(desk.journal)[REFUNDS]
    assert (who.reviewer, who.instead_of) == (BOB, "")


BESIDE: dict[str, dict[str, Any]] = {
    "drop": {"draft": REFUNDS, "texts": [BACK]},
    "rename": {"draft": REFUNDS, "name": "money_back"},
    "move": {"texts": [BACK], "target": INVOICES},
}


@pytest.mark.parametrize("who", [ANA, BOB])
@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
@pytest.mark.parametrize("verb", BESIDE)
def test_a_decision_is_overruled_whatever_else_was_done_to_the_proposal(
    clones: tuple[Path, Path], verb: str, before: bool, who: str
) -> None:
    for clone, name, decision in zip(clones, (ANA, BOB), ("accepted", "ignored"), strict=True):
        if before and name == who:
            do(clone, name, verb, **BESIDE[verb])
        decide(clone, name, REFUNDS, decision)
        if not before and name == who:
            do(clone, name, verb, **BESIDE[verb])
    pull(clones, conflicts=True)
    desk = open_desk(clones[1])
    overruled = "money_back" if (verb, before, who) == ("rename", True, ANA) else "refund"
    who_decided = deciders(desk.journal)[REFUNDS]
    assert (who_decided.reviewer, who_decided.instead_of) == (BOB, f"Ana: {overruled} accepted")
    desk = decide(clones[1], BOB, REFUNDS, "later")
    assert deciders(desk.journal)[REFUNDS].instead_of == "", "by then Bob knows"


def test_who_knows_of_a_decision_or_of_what_was_made_of_it_overrules_nobody(
    clones: tuple[Path, Path],
) -> None:
    ana, bob = clones
    decide(ana, ANA, REFUNDS, "accepted")
    do(ana, ANA, "drop", draft=REFUNDS, texts=[BACK])
    do(ana, ANA, "rename", draft=REFUNDS, name="money_back")
    undo(open_desk(ana), ANA)
    pull(clones)
    desk = decide(bob, BOB, REFUNDS, "ignored")
    assert deciders(desk.journal)[REFUNDS].instead_of == ""


def test_a_decision_that_was_taken_back_and_done_again_is_overruled(clones: tuple[Path, Path]) -> None:
    ana, bob = clones
    redo(undo(decide(ana, ANA, REFUNDS, "accepted"), ANA), ANA)
    decide(bob, BOB, REFUNDS, "ignored")
    desk = open_desk(pull(clones, conflicts=True))
    assert deciders(desk.journal)[REFUNDS].instead_of == "Ana: refund accepted"


def test_what_two_did_to_different_parts_of_a_proposal_both_counts(clones: tuple[Path, Path]) -> None:
    ana, bob = clones
    do(ana, ANA, "rename", draft=REFUNDS, name="money_back")
    do(bob, BOB, "drop", draft=REFUNDS, texts=["i want it back"])
    do(bob, BOB, "rename", draft=VISAS, name="travel_papers")
    decide(ana, ANA, REFUNDS, "accepted")

    desk = open_desk(pull(clones))

    expected = replace(REFUND, intent="money_back", examples=REFUND.examples[:-1], decision="accepted")
    assert desk.review.drafts[REFUNDS] == expected
    assert (bob / "domain.yml").read_text() == (
        'version: "3.1"\nintents:\n  - money_back\n  - invoice\n  - travel_papers\n'
    )
    assert said(desk)[0] == "Ana: refund renamed to money_back"
    desk = undo(undo(desk, BOB), BOB)
    assert desk.review.drafts[REFUNDS].examples == REFUND.examples[:-1] + REFUND.examples[-1:]
    desk = undo(undo(desk, ANA), ANA)
    assert {path: desk.review.drafts[path] for path in (REFUNDS, VISAS)} == {REFUNDS: REFUND, VISAS: VISA}
    assert "money_back" not in (bob / "domain.yml").read_text()


def test_one_rewords_an_example_and_another_drops_one(clones: tuple[Path, Path]) -> None:
    ana, bob = clones
    do(ana, ANA, "reword", draft=REFUNDS, text=MONEY, wording="my money, please")
    do(bob, BOB, "drop", draft=REFUNDS, texts=[BACK])
    desk = open_desk(pull(clones))
    assert desk.review.drafts[REFUNDS].examples == ("my money, please", "money back please")
    assert {*undo(desk, ANA).review.drafts[REFUNDS].examples} == {MONEY, "money back please"}


@pytest.mark.parametrize("merged_with_crlf", [False, True])
def test_a_clone_with_other_line_ends_takes_part(merged_with_crlf: bool, clones: tuple[Path, Path]) -> None:
    """As a checkout on Windows has them, of which git makes LF."""
    ana, bob = clones

    def with_ends(folder: Path, old: bytes, new: bytes) -> None:
        for path in (folder / "new").iterdir():
            path.write_bytes(path.read_bytes().replace(old, new))

    with_ends(bob, b"\n", b"\r\n")
    decide(ana, ANA, REFUNDS, "accepted")
    do(bob, BOB, "rename", draft=REFUNDS, name="money_back")
    with_ends(bob, b"\r\n", b"\n")
    folder = pull(clones)
    if merged_with_crlf:
        with_ends(folder, b"\n", b"\r\n")

    desk = open_desk(folder)

    assert desk.review.drafts[REFUNDS] == replace(REFUND, intent="money_back", decision="accepted")
    assert [entry.verb for entry in desk.journal] == ["decide", "rename", "merged"]
    desk = undo(desk, BOB)
    assert desk.review.drafts[REFUNDS] == replace(REFUND, decision="accepted")


def test_two_merges_into_one_proposal_keep_the_examples_of_both(clones: tuple[Path, Path]) -> None:
    ana, bob = clones
    do(ana, ANA, "merge", draft=REFUNDS, target=INVOICES)
    do(bob, BOB, "merge", draft=VISAS, target=INVOICES)

    desk = open_desk(pull(clones, conflicts=True))

    assert sorted(desk.review.drafts) == ["known/greet.yml", INVOICES]
    invoice = desk.review.drafts[INVOICES]
    assert invoice.examples == (*INVOICE.examples, *REFUND.examples, *VISA.examples)
    assert invoice.evidence["merged_from"] == [REFUNDS, VISAS]
    assert (bob / "domain.yml").read_text() == 'version: "3.1"\nintents:\n  - invoice\n'
    desk = undo(desk, ANA)
    assert desk.review.drafts[REFUNDS] == REFUND
    assert desk.review.drafts[INVOICES].examples == (*INVOICE.examples, *VISA.examples)


def test_a_proposal_that_one_merges_away_and_the_other_accepts_later_is_there(
    clones: tuple[Path, Path],
) -> None:
    ana, bob = clones
    do(ana, ANA, "merge", draft=REFUNDS, target=INVOICES)
    decide(bob, BOB, REFUNDS, "accepted")
    pull(clones, conflicts=True)
    desk = open_desk(bob)
    assert told(desk) == {REFUNDS: "accepted"}
    assert deciders(desk.journal)[REFUNDS].instead_of == "Ana: refund merged into invoice"


@pytest.mark.parametrize("decision", ["open", "accepted"])
def test_a_proposal_that_one_merges_away_and_the_other_changes_later_is_there_and_it_is_told(
    clones: tuple[Path, Path], decision: str
) -> None:
    ana, bob = clones
    do(ana, ANA, "merge", draft=REFUNDS, target=INVOICES)
    decide(ana, ANA, INVOICES, "accepted")
    do(bob, BOB, "drop", draft=REFUNDS, texts=[BACK])
    if decision != "open":
        decide(bob, BOB, REFUNDS, decision)
    pull(clones, conflicts=True)
    desk = open_desk(bob)
    assert desk.review.drafts[REFUNDS].decision == decision
    assert (
        f"refund is {decision}, by Bob, later than Ana: refund merged into invoice."
        in decided_so_far(desk).splitlines()
    )


def test_what_one_put_into_a_proposal_stays_where_the_other_merges_it_away_later(
    clones: tuple[Path, Path],
) -> None:
    ana, bob = clones
    do(ana, ANA, "merge", draft=VISAS, target=INVOICES)
    do(ana, ANA, "move", texts=[MONEY], target=INVOICES)
    decide(ana, ANA, INVOICES, "accepted")
    do(bob, BOB, "merge", draft=INVOICES, target="known/greet.yml")
    desk = open_desk(pull(clones, conflicts=True))

    there = desk.review.drafts
    assert there["known/greet.yml"].examples == (*GREET.examples, *INVOICE.examples)
    assert there[INVOICES].examples == (*VISA.examples, MONEY)
    assert there[INVOICES].evidence == {"merged_from": [VISAS]}, "what the run measured was of the whole"
    assert (there[INVOICES].decision, VISAS in there, MONEY in there[REFUNDS].examples) == (
        "open",
        False,
        False,
    )
    assert "invoice" in (bob / "domain.yml").read_text()
    desk = undo(desk, BOB)
    assert {*desk.review.drafts[INVOICES].examples} == {*INVOICE.examples, *VISA.examples, MONEY}
    assert desk.review.drafts["known/greet.yml"] == GREET


@pytest.mark.parametrize("theirs", ["7", "yes", "{a: b}"])
def test_what_somebody_wrote_by_hand_into_what_was_merged_breaks_nothing(
    theirs: str, clones: tuple[Path, Path]
) -> None:
    ana, bob = clones
    do(ana, ANA, "move", texts=[MONEY], target=INVOICES)
    block = "discovery:\n"
    by_hand = (ana / INVOICES).read_text().replace(block, f"{block}      merged_from: {theirs}\n", 1)
    (ana / INVOICES).write_text(by_hand)
    decide(ana, ANA, INVOICES, "later")
    do(bob, BOB, "merge", draft=INVOICES, target="known/greet.yml")
    assert open_desk(pull(clones, conflicts=True)).review.drafts[INVOICES].examples == (MONEY,)


def test_of_what_nothing_was_put_into_nothing_stays_where_it_is_merged_away_later(
    clones: tuple[Path, Path],
) -> None:
    ana, bob = clones
    decide(ana, ANA, INVOICES, "later")
    do(bob, BOB, "merge", draft=INVOICES, target=REFUNDS)
    assert INVOICES not in open_desk(pull(clones, conflicts=True)).review.drafts


def test_answers_of_two_reviewers_merge_and_each_takes_back_their_own(clones: tuple[Path, Path]) -> None:
    ana, bob = clones
    do(ana, ANA, "answer", text="lol", together=[], apart=["good day"])
    do(bob, BOB, "answer", text="where is my money", together=["money back please"], apart=[])

    desk = open_desk(pull(clones))

    lines = [json.loads(line) for line in (bob / "answers.jsonl").read_text().splitlines()]
    assert {line["reviewer"]: line["text"] for line in lines} == {ANA: "lol", BOB: "where is my money"}
    assert [one.text for one in read_previous(bob).earlier.answers] == ["lol", "where is my money"]
    desk = undo(open_desk(bob), ANA)
    assert [one.text for one in read_previous(bob).earlier.answers] == ["where is my money"]
    redo(desk, ANA)
    assert len(read_previous(bob).earlier.answers) == 2


def test_a_next_run_puts_together_what_git_has_merged(clones: tuple[Path, Path]) -> None:
    decide(clones[0], ANA, REFUNDS, "ignored")
    decide(clones[1], BOB, REFUNDS, "accepted")
    [draft] = read_previous(pull(clones, conflicts=True)).drafts.values()
    assert (draft.intent, draft.decision) == ("refund", "accepted")


def test_folders_of_before_that_know_nothing_of_merging_merge(clones: tuple[Path, Path]) -> None:
    """The journal in conflict, as git leaves it without being told what to do."""
    for clone, name, draft in zip(clones, (ANA, BOB), (REFUNDS, VISAS), strict=True):
        decide(clone, name, draft, "accepted")
        (clone / ".gitattributes").write_text("\n")
    bob = pull(clones, conflicts=True)
    assert "<<<<<<<" in (bob / "decisions.jsonl").read_text()
    desk = open_desk(bob)
    assert (desk.problems, told(desk)) == ((), {REFUNDS: "accepted", VISAS: "accepted"})
    assert len(decide(bob, BOB, INVOICES, "later").journal) == 3
    assert open_desk(bob).problems == ()


def test_what_a_person_put_together_stays(clones: tuple[Path, Path]) -> None:
    decide(clones[0], ANA, REFUNDS, "accepted")
    decide(clones[1], BOB, REFUNDS, "ignored")
    bob = pull(clones, conflicts=True)
    mine = (clones[0] / REFUNDS).read_text().replace("decision: accepted", "decision: later # ask Ann")
    (bob / REFUNDS).write_text(mine)
    desk = open_desk(bob)
    assert (told(desk), (bob / REFUNDS).read_text()) == ({REFUNDS: "later"}, mine)


def test_a_merged_journal_that_lost_a_line_is_noticed(clones: tuple[Path, Path]) -> None:
    for clone, name, draft in zip(clones, (ANA, BOB), (REFUNDS, VISAS), strict=True):
        decide(clone, name, draft, "accepted")
        decide(clone, name, draft, "later")
    bob = pull(clones)
    path = bob / "decisions.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-2] + lines[-1:]))
    [said] = open_desk(bob).problems
    assert said.startswith(
        f"{path}, line 3: not as it was written, so it was renamed to decisions.broken-1.jsonl"
    )


def test_a_clock_that_is_wrong_does_not_turn_the_order_of_one_reviewer(
    clones: tuple[Path, Path], clock: Clock
) -> None:
    ana, bob = clones
    clock.minute = 30
    decide(ana, ANA, REFUNDS, "accepted")
    clock.minute = 1
    decide(ana, ANA, REFUNDS, "later")
    clock.minute = 20
    decide(bob, BOB, VISAS, "ignored")
    desk = open_desk(pull(clones))
    assert said(desk) == ["Bob: visa ignored", "Ana: refund accepted", "Ana: refund left for later"]
    assert told(desk) == {REFUNDS: "later", VISAS: "ignored"}


@needs_fork
@pytest.mark.parametrize("at", range(8))
def test_what_is_killed_while_it_puts_together_is_put_together_by_the_next(
    clones: tuple[Path, Path], at: int
) -> None:
    do(clones[0], ANA, "merge", draft=REFUNDS, target=INVOICES)
    do(clones[1], BOB, "merge", draft=VISAS, target=INVOICES)
    bob = pull(clones, conflicts=True)
    killed_at(lambda: open_desk(bob), at)
    desk = open_desk(bob)
    assert desk.review.drafts[INVOICES].examples == (*INVOICE.examples, *REFUND.examples, *VISA.examples)
    assert sorted(desk.review.drafts) == ["known/greet.yml", INVOICES]
    assert desk.problems == ()
    assert [entry.verb for entry in desk.journal] == ["merge", "merge", "merged"]


def test_only_what_one_did_is_taken_back_and_it_is_said_whose_the_rest_is(clones: tuple[Path, Path]) -> None:
    folder = clones[0]
    decide(folder, ANA, REFUNDS, "accepted")
    decide(folder, ANA, VISAS, "later")
    desk = decide(folder, BOB, INVOICES, "ignored")
    desk = undo(desk, ANA)
    assert told(desk) == {REFUNDS: "accepted", INVOICES: "ignored"}
    desk = undo(redo(desk, ANA), BOB)
    assert told(desk) == {REFUNDS: "accepted", VISAS: "later"}
    for nobody in (BOB, "Cem", ""):
        with pytest.raises(DataError) as refused:
            undo(desk, nobody)
        assert (
            str(refused.value) == "there is nothing of yours to undo: Ana did the last (visa left for later)"
        )
    assert told(redo(desk, BOB))[INVOICES] == "ignored"
    assert said(open_desk(folder))[:2] == ["Ana: refund accepted", "Ana: visa left for later"]


def test_what_another_has_changed_since_is_not_taken_back(clones: tuple[Path, Path]) -> None:
    folder = clones[0]
    decide(folder, ANA, REFUNDS, "accepted")
    desk = decide(folder, BOB, REFUNDS, "ignored")
    with pytest.raises(DataError) as refused:
        undo(desk, ANA)
    assert str(refused.value) == (
        "refund accepted: Bob has changed new/refund.yml since (refund ignored), so that stays"
    )
    do(folder, BOB, "drop", draft=VISAS, texts=["do i need a visa"])
    desk = do(folder, ANA, "rename", draft=VISAS, name="papers")
    desk = undo(desk, BOB)
    assert desk.review.drafts[VISAS] == replace(VISA, intent="papers"), "what does not touch it stays"


def test_who_has_a_name_only_now_takes_back_what_was_done_without(clones: tuple[Path, Path]) -> None:
    desk = decide(clones[0], "", REFUNDS, "accepted")
    assert told(undo(desk, ANA)) == {}
    desk = decide(clones[0], ANA, REFUNDS, "accepted")
    assert told(undo(desk)) == {}, "with one name in the journal it is one person"


def test_the_page_and_the_terminal_say_that_one_was_overruled(
    clones: tuple[Path, Path],
    browser: Any,
    capsys: pytest.CaptureFixture[str],
) -> None:
    decide(clones[0], ANA, REFUNDS, "accepted")
    decide(clones[1], BOB, REFUNDS, "ignored")
    bob = pull(clones, conflicts=True)
    with serving(bob) as server, opened(browser, f"{server.address}#{REFUNDS}", lambda _: True) as page:
        assert page.text_content("#detail .overruled") == (
            "Two of you decided about this. Earlier, in another copy of the drafts: Ana: refund accepted. "
            "The later one counts: ignored by Bob."
        )
        assert page.query_selector("#problems .notice") is None
    put_together = f"What Ana and Bob decided put together: {REFUNDS}."
    assert f"{put_together} Commit the folder of drafts" in decided_so_far(open_desk(bob))
    review_in_terminal(bob, Person(QUIT))
    assert "refund is ignored, by Bob, later than Ana: refund accepted.\n" in capsys.readouterr().out


def test_of_two_names_the_later_one_counts_and_the_page_and_the_terminal_say_so(
    clones: tuple[Path, Path], browser: Any
) -> None:
    ana, bob = clones
    do(ana, ANA, "rename", draft=REFUNDS, name="money_back")
    do(bob, BOB, "rename", draft=REFUNDS, name="refunds")
    decide(ana, ANA, REFUNDS, "accepted")
    pull(clones, conflicts=True)
    desk = open_desk(bob)
    assert desk.review.drafts[REFUNDS] == replace(REFUND, intent="refunds", decision="accepted")
    assert "refunds is the later of two names; Ana: refund renamed to money_back." in decided_so_far(desk)
    with serving(bob) as server, opened(browser, f"{server.address}#{REFUNDS}", lambda _: True) as page:
        assert page.text_content("#detail .overruled") == (
            "Two of you named this. Earlier, in another copy of the drafts: Ana: refund renamed to "
            "money_back. The later one counts."
        )
        page.keyboard.press("r")
        page.keyboard.type("money_back")
        page.keyboard.press("Enter")
        page.locator("#detail .overruled").wait_for(state="detached")
    assert open_desk(bob).review.drafts[REFUNDS].intent == "money_back"


@pytest.mark.parametrize(
    ("knew", "who", "name"), [(True, BOB, "refunds"), (False, BOB, "money_back"), (False, ANA, "refunds")]
)
def test_a_name_that_was_known_or_is_the_same_or_of_oneself_is_not_told_of(
    clones: tuple[Path, Path], knew: bool, who: str, name: str
) -> None:
    ana, bob = clones
    do(ana, ANA, "rename", draft=REFUNDS, name="money_back")
    if knew:
        pull(clones)
    do(bob, who, "rename", draft=REFUNDS, name=name)
    desk = open_desk(pull(clones, conflicts=who == ANA))
    assert overruled_names(desk.journal) == {}
