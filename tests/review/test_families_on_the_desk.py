"""Proposals that may be one wish: which stand together, what is merged into which, and one undo for all."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from desk_folder import INVOICE, REFUND, VISA, files_of, write_folder

from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.decisions.files import act, redo, undo
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.decisions.under_review import Review
from rasa_intent_discovery.review.decisions.verbs.perform import perform
from rasa_intent_discovery.review.findings.families import Family, Together, families_of, subjects_of
from rasa_intent_discovery.review.messages.log import read_log
from rasa_intent_discovery.review.page.data import page_state
from rasa_intent_discovery.review.page.report import render_report
from rasa_intent_discovery.training_data.nlu_yaml import Draft

NEW_REFUND, NEW_INVOICE, NEW_VISA = PATHS = ("new/refund.yml", "new/invoice.yml", "new/visa.yml")
#: The run wrote the drafts, and took refund, the largest, and visa for parts of one wish.
RUN = {
    "drafts": {"new/refund.yml": "refund", "new/invoice.yml": "invoice", "new/visa.yml": "visa"},
    "families": [["refund", "visa"]],
}
ALL = {**RUN, "families": [["refund", "invoice", "visa"]]}


def drafts(**changes: str) -> dict[str, Draft]:
    """The three drafts, with these decisions."""
    return {
        f"new/{draft.intent}.yml": replace(draft, decision=changes.get(draft.intent, "open"))
        for draft in (REFUND, INVOICE, VISA)
    }


@pytest.mark.parametrize(
    ("decisions", "target", "parts"),
    [
        ({}, NEW_REFUND, (NEW_INVOICE, NEW_VISA)),
        ({"refund": "ignored"}, NEW_INVOICE, (NEW_VISA,)),
        ({"invoice": "later"}, NEW_REFUND, (NEW_VISA,)),
        ({"invoice": "accepted"}, NEW_INVOICE, (NEW_REFUND, NEW_VISA)),
        ({"invoice": "accepted", "visa": "accepted"}, NEW_INVOICE, (NEW_REFUND,)),
        ({"invoice": "ignored", "visa": "ignored"}, None, ()),
        (dict.fromkeys(("refund", "invoice", "visa"), "accepted"), None, ()),
    ],
)
def test_what_is_open_goes_into_what_was_accepted_or_else_into_the_largest(
    decisions: dict[str, str], target: str | None, parts: tuple[str, ...]
) -> None:
    assert families_of(ALL, drafts(**decisions)) == (Family(PATHS, target, parts),)


def test_a_sibling_that_was_renamed_is_one_and_one_that_was_merged_is_none() -> None:
    there = drafts()
    there[NEW_VISA] = replace(VISA, intent="permit")
    assert families_of(ALL, there) == (Family(PATHS, NEW_REFUND, (NEW_INVOICE, NEW_VISA)),)
    del there[NEW_REFUND]
    assert families_of(ALL, there) == (Family((NEW_INVOICE, NEW_VISA), NEW_INVOICE, (NEW_VISA,)),)
    del there[NEW_INVOICE]
    assert families_of(ALL, there) == ()


@pytest.mark.parametrize("run", [{}, {"families": [["refund", "visa"]]}, {**RUN, "families": None}])
def test_a_run_that_tells_of_no_families_has_none(run: dict[str, object]) -> None:
    assert families_of(run, drafts()) == ()


def test_a_family_stands_together_below_its_first() -> None:
    one, two = Family(("b", "d")), Family(("c", "a"))
    assert Together((one,)).in_order(["a", "b", "c", "d"]) == ["a", "b", "d", "c"]
    assert Together((one, two)).in_order(["d", "a", "b", "c"]) == ["b", "d", "c", "a"]
    assert Together().in_order(["a", "b"]) == ["a", "b"]


def test_a_subject_stands_together_below_the_first_of_it() -> None:
    ranked = ["a", "b", "c", "d", "e", "f"]
    assert Together((), (("e", "b"),)).in_order(ranked) == ["a", "b", "e", "c", "d", "f"]
    assert Together((Family(("c", "f")),), (("c", "f", "a"), ("d", "b"))).in_order(ranked) == list("acfbde")


def test_what_stands_together_in_words() -> None:
    there = drafts(invoice="ignored")
    family = Together.of(ALL, there)
    assert family.in_words(NEW_REFUND, there) == ["May be one wish with: invoice (ignored), visa"]
    assert family.in_words(NEW_VISA, there) == ["May be one wish with: refund, invoice (ignored)"]
    assert family.in_words("new/other.yml", there) == []
    both = Together.of({**RUN, "subjects": [["refund", "invoice", "visa"]]}, there)
    assert both.in_words(NEW_REFUND, there) == [
        "May be one wish with: visa",
        "On the same subject: invoice (ignored)",
    ]
    assert both.in_words(NEW_INVOICE, there) == ["On the same subject: refund, visa"]


def test_open_siblings_are_merged_first_then_what_is_on_the_same_subject() -> None:
    run = {**RUN, "subjects": [["invoice", "refund", "visa"]]}
    there = drafts(invoice="accepted")
    assert Together.of(run, there).merged_first(NEW_REFUND, there) == ["visa", "invoice"]
    there = drafts(visa="accepted", invoice="ignored")
    assert Together.of(run, there).merged_first(NEW_REFUND, there) == []


def test_a_subject_is_of_what_is_still_there() -> None:
    run = {**RUN, "subjects": [["refund", "invoice"], ["visa", "gone"], 7]}
    there = drafts()
    assert subjects_of(run, there) == ((NEW_REFUND, NEW_INVOICE),)
    del there[NEW_INVOICE]
    assert subjects_of(run, there) == subjects_of(RUN, there) == ()


# Merged at once


def test_all_are_merged_as_one_decision() -> None:
    review = Review(drafts())
    change = perform(review, "merge_all", {"drafts": [NEW_VISA, NEW_INVOICE], "target": NEW_REFUND})
    assert (change.verb, change.chosen) == ("merge", NEW_REFUND)
    assert change.says == "visa and invoice merged into refund"
    assert change.drafts == {
        NEW_REFUND: replace(
            REFUND,
            examples=(*REFUND.examples, *VISA.examples, *INVOICE.examples),
            evidence={**REFUND.evidence, "merged_from": [NEW_VISA, NEW_INVOICE]},
        ),
        NEW_VISA: None,
        NEW_INVOICE: None,
    }


def test_it_is_the_same_as_one_merge_after_the_other() -> None:
    old = Draft("old", ("a bill please", "once more"), {"merged_from": ["new/x.yml"]})
    there = {**drafts(), "new/old.yml": old}
    sources = [NEW_INVOICE, "new/old.yml"]
    at_once = perform(Review(there), "merge_all", {"drafts": sources, "target": NEW_VISA})
    for path in sources:
        change = perform(Review(there), "merge", {"draft": path, "target": NEW_VISA})
        there = {one: draft for one, draft in {**there, **change.drafts}.items() if draft is not None}
    assert at_once.drafts[NEW_VISA] == there[NEW_VISA]


@pytest.mark.parametrize(
    ("decisions", "says"),
    [
        ({"refund": "accepted"}, "invoice and visa merged into refund, which is accepted"),
        ({"visa": "accepted"}, "invoice and visa merged into refund, which is not accepted"),
    ],
)
def test_it_says_where_an_acceptance_ends_or_grows(decisions: dict[str, str], says: str) -> None:
    merged = {"drafts": [NEW_INVOICE, NEW_VISA], "target": NEW_REFUND}
    assert perform(Review(drafts(**decisions)), "merge_all", merged).says == says


def test_many_are_counted() -> None:
    more = {f"new/{letter}.yml": Draft(letter, (letter,)) for letter in "abcd"}
    change = perform(Review({**drafts(), **more}), "merge_all", {"drafts": [*more], "target": NEW_VISA})
    assert change.says == "4 proposals merged into visa"
    three = {"drafts": [*more][:3], "target": NEW_VISA}
    assert perform(Review({**drafts(), **more}), "merge_all", three).says == "a, b and c merged into visa"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"drafts": [], "target": NEW_VISA}, "there is nothing to merge"),
        ({"drafts": [NEW_VISA], "target": NEW_VISA}, "visa cannot be merged into itself"),
        ({"drafts": ["new/gone.yml"], "target": NEW_VISA}, "the draft new/gone.yml is not there any more"),
        ({"drafts": [1], "target": NEW_VISA}, "merge_all needs drafts, target"),
        ({"drafts": NEW_REFUND, "target": NEW_VISA}, "merge_all needs drafts, target"),
    ],
)
def test_what_cannot_be_merged(arguments: dict[str, object], why: str) -> None:
    with pytest.raises(DataError) as error:
        perform(Review(drafts()), "merge_all", arguments)
    assert str(error.value) == why


# In a folder


def family_folder(folder: Path, run: dict[str, object] = ALL) -> Path:
    return write_folder(folder, run=run)


def test_one_undo_takes_all_of_it_back(tmp_path: Path) -> None:
    folder = family_folder(tmp_path / "drafts")
    before = files_of(folder)
    desk = open_desk(folder)
    [family] = families_of(desk.run, desk.review.drafts)
    desk, chosen = act(desk, "merge_all", {"drafts": [*family.parts], "target": family.target})
    assert chosen == NEW_REFUND
    assert sorted(desk.review.drafts) == ["known/greet.yml", NEW_REFUND]
    assert families_of(desk.run, desk.review.drafts) == ()
    after = files_of(folder)
    assert [entry.says for entry in desk.journal] == ["invoice and visa merged into refund"]
    desk = undo(desk)
    assert files_of(folder) == before
    assert families_of(desk.run, desk.review.drafts) == (family,)
    redo(desk)
    assert files_of(folder) == after


def test_the_page_is_told_of_the_families_of_what_is_there(tmp_path: Path) -> None:
    folder = family_folder(tmp_path / "drafts")
    desk = open_desk(folder)
    log = read_log(folder, desk.run)
    assert page_state(desk, log)["families"] == [
        {"members": PATHS, "target": NEW_REFUND, "parts": (NEW_INVOICE, NEW_VISA)}
    ]
    later, _ = act(desk, "merge", {"draft": NEW_INVOICE, "target": "order"})
    assert page_state(later, log, desk)["families"] == [
        {"members": (NEW_REFUND, NEW_VISA), "target": NEW_REFUND, "parts": (NEW_VISA,)}
    ]


def test_where_no_script_runs_the_report_tells_of_a_family(tmp_path: Path) -> None:
    folder = family_folder(tmp_path / "drafts", RUN)
    page = render_report(files_of(folder), json.loads(files_of(folder)["run.json"]), folder)
    headings = [
        "<h2>refund</h2><p>May be one wish with: visa</p>",
        "<h2>visa</h2><p>May be one wish with: refund</p>",
        "<h2>invoice</h2><ul>",
    ]
    places = [page.index(heading) for heading in headings]
    assert places == sorted(places), "visa is worth less than invoice, and stands below refund all the same"
