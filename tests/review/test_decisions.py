"""The verbs of the review desk: what each changes among the drafts, and what it refuses."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from desk_folder import GREET, INVOICE, REFUND, VISA

from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.review.decisions.under_review import Change, Review
from rasa_intent_discovery.review.decisions.verbs.naming import name_problem
from rasa_intent_discovery.review.decisions.verbs.perform import perform
from rasa_intent_discovery.training_data.nlu_yaml import Draft

NEW_REFUND, NEW_INVOICE, NEW_VISA, KNOWN_GREET = (
    "new/refund.yml",
    "new/invoice.yml",
    "new/visa.yml",
    "known/greet.yml",
)
REVIEW = Review(
    {NEW_REFUND: REFUND, NEW_INVOICE: INVOICE, NEW_VISA: VISA, KNOWN_GREET: GREET},
    frozenset({"greet", "order"}),
    frozenset({"new/broken.yml"}),
)
MONEY, PLEASE, BACK = REFUND.examples


def done(verb: str, **arguments: Any) -> Change:
    return perform(REVIEW, verb, arguments)


def refused(verb: str, **arguments: Any) -> str:
    with pytest.raises(DataError) as error:
        perform(REVIEW, verb, arguments)
    return str(error.value)


def test_several_drafts_are_accepted_with_only_some_of_their_examples() -> None:
    texts = ["Money back please", "other", "do i need a visa"]
    change = done("accept_only", texts=texts, targets=[NEW_REFUND, NEW_REFUND, NEW_VISA])
    assert change.says == "2 examples of 2 intents accepted, 2 left out"
    assert change.drafts == {
        NEW_REFUND: replace(REFUND, examples=("money back please",), decision="accepted"),
        NEW_VISA: replace(VISA, decision="accepted"),
    }
    one = done("accept_only", texts=[*VISA.examples], targets=[NEW_VISA])
    assert one.says == "1 example of 1 intent accepted"


def test_a_draft_that_is_accepted_keeps_its_examples_and_gets_more() -> None:
    accepted = replace(VISA, decision="accepted")
    review = Review({NEW_REFUND: REFUND, NEW_VISA: accepted})
    texts = ["visa [now](time)", VISA.examples[0], "money back please"]
    change = perform(review, "accept_only", {"texts": texts, "targets": [NEW_VISA] * 3})
    assert change.says == "1 example of 1 intent accepted", "the others are examples already"
    assert change.drafts == {NEW_VISA: replace(accepted, examples=(*VISA.examples, "visa [now](time)"))}


@pytest.mark.parametrize(
    ("targets", "why"),
    [
        ([NEW_REFUND, NEW_VISA], "each message needs a target"),
        ([NEW_REFUND], "refund has no such example"),
        (["new/gone.yml"], "the draft new/gone.yml is not there any more"),
    ],
)
def test_no_draft_is_accepted_without_examples(targets: list[str], why: str) -> None:
    assert refused("accept_only", texts=["lol"], targets=targets) == why
    assert refused("accept_only", texts=[], targets=[]) == "there is nothing to accept"


@pytest.mark.parametrize(
    ("decision", "says"),
    [("accepted", "refund accepted"), ("ignored", "refund ignored"), ("later", "refund left for later")],
)
def test_a_decision(decision: str, says: str) -> None:
    changed = {NEW_REFUND: replace(REFUND, decision=decision)}
    assert done("decide", draft=NEW_REFUND, decision=decision) == Change("decide", says, changed, NEW_REFUND)


def test_a_decided_draft_is_opened_again() -> None:
    review = replace(REVIEW, drafts={NEW_REFUND: replace(REFUND, decision="ignored")})
    change = perform(review, "decide", {"draft": NEW_REFUND, "decision": "open"})
    assert (change.says, change.drafts) == ("refund is open again", {NEW_REFUND: REFUND})


def test_a_decision_that_stands_already_or_is_none_is_refused() -> None:
    assert refused("decide", draft=NEW_REFUND, decision="open") == "refund is open again already"
    assert refused("decide", draft=NEW_REFUND, decision="maybe") == (
        "a decision is one of open, accepted, ignored, later, not 'maybe'"
    )
    assert refused("decide", draft="new/gone.yml", decision="later") == (
        "the draft new/gone.yml is not there any more"
    )


def test_a_draft_without_examples_cannot_be_accepted() -> None:
    review = replace(REVIEW, drafts={NEW_REFUND: replace(REFUND, examples=())})
    with pytest.raises(DataError, match="refund has no examples, so there is nothing to accept"):
        perform(review, "decide", {"draft": NEW_REFUND, "decision": "accepted"})
    assert perform(review, "decide", {"draft": NEW_REFUND, "decision": "ignored"}).drafts


@pytest.mark.parametrize(
    ("source", "target", "warned"),
    [("accepted", "open", True), ("accepted", "accepted", False), ("open", "later", False)],
)
def test_a_merge_says_where_an_acceptance_ends(source: str, target: str, warned: bool) -> None:
    drafts = {NEW_REFUND: replace(REFUND, decision=source), NEW_VISA: replace(VISA, decision=target)}
    change = perform(replace(REVIEW, drafts=drafts), "merge", {"draft": NEW_REFUND, "target": NEW_VISA})
    assert change.says == "refund merged into visa" + (", which is not accepted" if warned else "")


def test_a_merge_into_an_intent_of_the_bot_says_that_it_is_not_accepted_yet() -> None:
    assert done("merge", draft=NEW_VISA, target="order").says == (
        "visa merged into order, still to be accepted there"
    )


def test_intents_of_rasas_own_are_no_names() -> None:
    for name in ("nlu_fallback", "restart", "back", "session_start"):
        problem = f"{name} is an intent of Rasa's own: choose another name"
        assert name_problem(REVIEW, NEW_REFUND, name) == (problem, None)
        assert refused("split", texts=[MONEY], name=name) == problem
    theirs = replace(REVIEW, known=frozenset({"nlu_fallback"}))
    assert name_problem(theirs, NEW_REFUND, "nlu_fallback") == (None, "nlu_fallback")
    assert name_problem(REVIEW, NEW_REFUND, "out_of_scope") == (None, None)


def test_the_first_part_of_retrieval_intents_is_no_name() -> None:
    theirs = replace(REVIEW, known=frozenset({"faq/hours", "faq/cost"}))
    because = "faq stands for all of faq/cost and the like: choose another name, such as faq/other"

    assert name_problem(theirs, NEW_REFUND, "faq") == (because, None)
    assert name_problem(theirs, NEW_REFUND, "faq/refund") == (None, None)


def test_the_name_of_an_intent_of_the_bot_in_another_spelling_is_no_name() -> None:
    theirs = replace(REVIEW, known=frozenset({"track_order", "trackOrder"}))
    because = "Track order is the intent trackOrder in another spelling: use that one, or choose another name"

    assert name_problem(theirs, NEW_REFUND, "Track order") == (because, None)
    assert name_problem(theirs, NEW_REFUND, "track_orders") == (None, None)
    assert name_problem(theirs, NEW_REFUND, "track_order")[1] == "track_order"


@pytest.mark.parametrize(
    ("there", "name", "because"),
    [
        (
            "money/back",
            "money",
            "money stands for all of money/back and the like: choose another name, such as money/other",
        ),
        (
            "money",
            "money/back",
            "money/back would make money stand for all intents of that kind, and what the bot says to money "
            "would not be said any more: choose another name, such as money_back",
        ),
        (
            "Money_Back",
            "money_back",
            "money_back is the intent Money_Back in another spelling: use that one, or choose another name",
        ),
    ],
)
def test_names_of_two_proposals_do_not_clash_unless_one_is_ignored(
    there: str, name: str, because: str
) -> None:
    other = replace(VISA, intent=there)
    beside = replace(REVIEW, drafts={**REVIEW.drafts, NEW_VISA: other})
    ignored = replace(REVIEW, drafts={**REVIEW.drafts, NEW_VISA: replace(other, decision="ignored")})
    assert name_problem(beside, NEW_REFUND, name) == (because, None)
    assert name_problem(ignored, NEW_REFUND, name) == (None, None)
    assert name_problem(beside, NEW_VISA, there.swapcase()) == (None, None), "its own name"

    def accept(review: Review) -> Change:
        drafts = {**review.drafts, NEW_REFUND: replace(REFUND, intent=name)}
        asked = {"draft": NEW_REFUND, "decision": "accepted"}
        return perform(replace(review, drafts=drafts), "decide", asked)

    with pytest.raises(DataError, match=f"^{re.escape(f'{name} is not accepted: {because}')}$"):
        accept(beside)
    assert accept(ignored).says == f"{name} accepted"


def test_a_new_name() -> None:
    change = done("rename", draft=NEW_REFUND, name=" money/back ")
    assert change == Change(
        "rename",
        "refund renamed to money/back",
        {NEW_REFUND: replace(REFUND, intent="money/back")},
        NEW_REFUND,
    )


@pytest.mark.parametrize(
    ("name", "problem", "target"),
    [
        ("", "an intent needs a name", None),
        ("a/b/c", "'a/b/c' is no name that Rasa can read", None),
        ("refund", "that is its name already", None),
        ("invoice", None, NEW_INVOICE),
        ("greet", None, KNOWN_GREET),
        ("order", None, "order"),
        ("rückgeld 2", None, None),
    ],
)
def test_what_a_name_would_do(name: str, problem: str | None, target: str | None) -> None:
    assert name_problem(REVIEW, NEW_REFUND, name) == (problem, target)


def test_the_name_of_another_is_refused_and_so_is_renaming_what_the_bot_has() -> None:
    assert refused("rename", draft=NEW_REFUND, name="invoice") == (
        "invoice is there already: merge refund into it"
    )
    assert refused("rename", draft=KNOWN_GREET, name="hail") == (
        "greet is an intent your bot has: rename it there"
    )


def test_a_merge_keeps_the_evidence_of_both_that_is_about_messages() -> None:
    merged = Draft(
        "invoice",
        (*INVOICE.examples, *REFUND.examples),
        {
            **INVOICE.evidence,
            "conflicts": REFUND.evidence["conflicts"],
            "merged_from": [NEW_REFUND],
        },
    )
    assert done("merge", draft=NEW_REFUND, target=NEW_INVOICE) == Change(
        "merge", "refund merged into invoice", {NEW_INVOICE: merged, NEW_REFUND: None}, NEW_INVOICE
    )


def test_a_merge_of_what_was_merged_names_both() -> None:
    drafts = {**REVIEW.drafts, NEW_INVOICE: replace(INVOICE, evidence={"merged_from": ["new/old.yml"]})}
    change = perform(replace(REVIEW, drafts=drafts), "merge", {"draft": NEW_INVOICE, "target": NEW_VISA})
    assert change.drafts[NEW_VISA].evidence["merged_from"] == [NEW_INVOICE, "new/old.yml"]


def test_a_merge_into_an_intent_of_the_bot_without_a_draft_makes_one() -> None:
    change = done("merge", draft=NEW_VISA, target="order")
    assert change.drafts == {
        "known/order.yml": Draft("order", VISA.examples, {"merged_from": [NEW_VISA]}),
        NEW_VISA: None,
    }
    assert done("merge", draft=NEW_VISA, target="greet").chosen == KNOWN_GREET


def test_merges_that_are_refused() -> None:
    assert refused("merge", draft=NEW_VISA, target=NEW_VISA) == "visa cannot be merged into itself"
    assert refused("merge", draft=NEW_VISA, target="nobody") == (
        "there is no proposal or intent nobody any more: choose another"
    )
    assert refused("merge", draft=KNOWN_GREET, target=NEW_VISA) == (
        "greet is an intent your bot has: move its examples, or leave them out"
    )


def test_examples_move() -> None:
    change = done("move", texts=[BACK.upper(), "hey there"], target=NEW_VISA)
    assert change.says == "2 messages moved to visa"
    assert change.drafts == {
        NEW_REFUND: replace(REFUND, examples=(MONEY, PLEASE)),
        KNOWN_GREET: replace(GREET, examples=("good day",)),
        NEW_VISA: replace(VISA, examples=(*VISA.examples, BACK, "hey there")),
    }


def test_an_annotation_moves_along_and_is_no_other_message() -> None:
    annotated = replace(REFUND, examples=("fly to [Berlin](city)",))
    review = replace(REVIEW, drafts={NEW_REFUND: annotated, NEW_VISA: VISA})
    change = perform(review, "move", {"texts": ["fly to berlin"], "target": NEW_VISA})
    assert change.drafts[NEW_VISA].examples[-1] == "fly to [Berlin](city)"


def test_a_message_is_added() -> None:
    change = done("move", texts=["my bill [is] (late)"], target=NEW_INVOICE)
    assert (change.verb, change.says) == ("add", "1 message added to invoice")
    added = replace(INVOICE, examples=(*INVOICE.examples, "my bill [is] (late)"))
    assert change.drafts == {NEW_INVOICE: added}


def test_a_message_that_is_there_is_not_added_again() -> None:
    assert refused("move", texts=[MONEY], target=NEW_REFUND) == "refund has it already"
    assert refused("move", texts=[" ", ""], target=NEW_REFUND) == "refund has them already"


def test_an_example_is_written_otherwise_where_it_stands() -> None:
    assert done(
        "reword", draft=NEW_REFUND, text="MONEY back please", wording=" the money,\nplease "
    ) == Change(
        "reword",
        "an example of refund is now “the money, please”",
        {NEW_REFUND: replace(REFUND, examples=(MONEY, "the money, please", BACK))},
        NEW_REFUND,
    )


def test_another_spelling_and_a_mark_are_the_same_message() -> None:
    change = done("reword", draft=NEW_REFUND, text=BACK, wording="I want [it](thing) back")
    assert change.drafts[NEW_REFUND].examples == (MONEY, PLEASE, "I want [it](thing) back")


@pytest.mark.parametrize(
    ("text", "wording", "why"),
    [
        ("lol", "other", "refund has no such example any more"),
        (MONEY, " \n", "an example needs words: drop it instead"),
        (MONEY, MONEY, "that is how it stands there already"),
        (MONEY, PLEASE.upper(), "refund has that already: drop this one instead"),
        (MONEY, "Send the invoice", "invoice has that already: drop this one instead"),
        (
            MONEY,
            'where is [my]{"entity": who}',
            'Rasa could not read [my]{"entity": who}: an annotation is written [Berlin](city)',
        ),
    ],
)
def test_what_an_example_cannot_become(text: str, wording: str, why: str) -> None:
    assert refused("reword", draft=NEW_REFUND, text=text, wording=wording) == why


def test_examples_are_dropped() -> None:
    assert done("drop", draft=NEW_REFUND, texts=[MONEY, BACK]) == Change(
        "drop",
        "2 messages dropped from refund",
        {NEW_REFUND: replace(REFUND, examples=(PLEASE,))},
        NEW_REFUND,
    )
    assert refused("drop", draft=NEW_REFUND, texts=["something else"]) == "refund has no such example"


def test_each_message_moves_to_a_target_of_its_own_as_one_decision() -> None:
    change = done(
        "move_each", texts=["lol", BACK, "hi", PLEASE], targets=["order", NEW_VISA, "order", NEW_REFUND]
    )
    assert (change.verb, change.says) == ("move", "3 messages moved to order and visa")
    assert change.drafts == {
        "known/order.yml": Draft("order", ("lol", "hi")),
        NEW_REFUND: replace(REFUND, examples=(MONEY, PLEASE)),
        NEW_VISA: replace(VISA, examples=(*VISA.examples, BACK)),
    }
    assert refused("move_each", texts=[MONEY], targets=[NEW_REFUND]) == "they are all there already"
    assert refused("move_each", texts=[MONEY], targets=[]) == "each message needs a target"
    assert refused("move_each", texts=[], targets=[]) == "there is no message to move"


def test_messages_are_dropped_from_wherever_they_are_examples() -> None:
    change = done("drop_all", texts=[MONEY, "hey there", BACK, "nobody's example"])
    assert (change.verb, change.says) == ("drop", "3 messages dropped from refund and greet")
    assert change.drafts == {
        NEW_REFUND: replace(REFUND, examples=(PLEASE,)),
        KNOWN_GREET: replace(GREET, examples=("good day",)),
    }
    assert refused("drop_all", texts=["lol"]) == "none of them is an example of a draft"


def test_a_split_takes_messages_from_wherever_they_are() -> None:
    change = done("split", texts=[MONEY, "a bill please", "lol"], name="broken")
    path = "new/broken-2.yml"
    assert (change.says, change.chosen) == ("3 messages made a new proposal, broken", path)
    assert change.drafts == {
        NEW_REFUND: replace(REFUND, examples=(PLEASE, BACK)),
        NEW_INVOICE: replace(INVOICE, examples=("send the invoice",)),
        path: Draft("broken", (MONEY, "a bill please", "lol")),
    }


def test_splits_that_are_refused() -> None:
    assert refused("split", texts=[MONEY], name="order") == "order is there already: move the messages to it"
    assert refused("split", texts=[MONEY], name=" ") == "an intent needs a name"
    assert refused("split", texts=[], name="x") == "a proposal needs messages: tick some first"


@pytest.mark.parametrize(
    ("verb", "arguments", "line"),
    [
        ("delete", {}, "there is no verb 'delete'"),
        ("drop", {"draft": NEW_REFUND}, "drop needs draft, texts"),
        ("drop", {"draft": NEW_REFUND, "texts": [1]}, "drop needs draft, texts"),
        ("rename", {"draft": NEW_REFUND, "name": None}, "rename needs draft, name"),
        ("rename", {"draft": NEW_REFUND, "name": "x", "more": "y"}, "rename needs draft, name"),
        (
            "annotate",
            {"draft": NEW_REFUND, "annotation": "[x](y)", "on": 1},
            "annotate needs draft, annotation, on",
        ),
    ],
)
def test_other_arguments_are_refused(verb: str, arguments: dict[str, Any], line: str) -> None:
    assert refused(verb, **arguments) == line


# Entities

BERLIN, YORK = "[Berlin](city)", "[York](city)"
TRIP = Draft(
    "trip",
    (
        "to Berlin",
        f"{BERLIN} or York",
        "New York and York",
        "near Berlin (Berlin)",
        "Berliner",
        "[x] in Berlin",
    ),
    {"entities": [BERLIN, "[New York](city)", YORK]},
)
TRIPS = Review({"new/trip.yml": TRIP, NEW_REFUND: REFUND})


def annotated(annotation: str, on: bool, draft: Draft = TRIP) -> Change:
    review = Review({**TRIPS.drafts, "new/trip.yml": draft})
    return perform(review, "annotate", {"draft": "new/trip.yml", "annotation": annotation, "on": on})


def test_a_value_is_marked_in_all_examples_that_hold_it_and_the_rest_stays() -> None:
    examples = (
        *("to [Berlin](city)", f"{BERLIN} or York", "New York and York", f"near {BERLIN} ({BERLIN})"),
        *("Berliner", "[x] in Berlin"),
    )
    changed = replace(TRIP, examples=examples)
    says = "Berlin marked as city in 2 examples of trip"
    assert annotated(BERLIN, True) == Change("annotate", says, {"new/trip.yml": changed}, "new/trip.yml")


def test_a_longer_value_that_is_suggested_is_not_broken_up() -> None:
    draft = annotated(YORK, True).drafts["new/trip.yml"]
    assert draft is not None
    assert draft.examples[1:3] == (f"{BERLIN} or {YORK}", f"New York and {YORK}")


def test_marks_are_taken_off_again_and_others_are_not() -> None:
    marked = annotated(BERLIN, True).drafts["new/trip.yml"]
    assert marked is not None
    with_another = replace(marked, examples=(*marked.examples, '[Berlin]{"entity": "city", "role": "to"}'))
    change = annotated(BERLIN, False, with_another)
    assert change.says == "Berlin no longer marked as city in 3 examples of trip"
    [plain] = change.drafts.values()
    assert plain is not None
    assert plain.examples == (
        *("to Berlin", "Berlin or York", "New York and York", "near Berlin (Berlin)", "Berliner"),
        *("[x] in Berlin", '[Berlin]{"entity": "city", "role": "to"}'),
    )


@pytest.mark.parametrize(
    ("annotation", "on", "line"),
    [
        ("[Rome](city)", True, "trip has no example with Rome to mark"),
        (YORK, False, "trip has no example with York marked so"),
        ("Berlin", True, "an annotation is written [Berlin](city), not Berlin"),
        ("[a\nb](city)", True, "an annotation is written [Berlin](city), not [a\nb](city)"),
        ("[<email>](contact)", True, "trip has no example with <email> to mark"),
    ],
)
def test_annotations_that_are_refused(annotation: str, on: bool, line: str) -> None:
    with pytest.raises(DataError) as error:
        annotated(annotation, on)
    assert str(error.value) == line


def test_a_merge_keeps_the_suggestions_of_both() -> None:
    into = replace(REFUND, evidence={"entities": [YORK]})
    review = Review({"new/trip.yml": TRIP, NEW_REFUND: into})
    change = perform(review, "merge", {"draft": "new/trip.yml", "target": NEW_REFUND})
    merged = change.drafts[NEW_REFUND]
    assert merged is not None
    assert merged.evidence["entities"] == [YORK, BERLIN, "[New York](city)"]


def test_marked_and_unmarked_in_a_draft_of_another() -> None:
    """An example that was moved: its value is suggested where it came from."""
    review = Review({**TRIPS.drafts, NEW_VISA: Draft("visa", ("visa for New York",))})
    change = perform(review, "annotate", {"draft": NEW_VISA, "annotation": "[New York](city)", "on": True})
    assert change.drafts[NEW_VISA] == Draft("visa", ("visa for [New York](city)",))


def test_an_answer_changes_no_draft_and_is_kept_for_the_next_run() -> None:
    change = done("answer", text=MONEY, together=[PLEASE], apart=[BACK])
    assert change == Change(
        "answer",
        "answered: “where is my money” wants the same as 1 message",
        answer=Answer(MONEY, (PLEASE,), (BACK,)),
    )
    long = "where is the money that i have been waiting for since the beginning of may"
    assert done("answer", text=long, together=[], apart=[BACK]).says == (
        "answered: “where is the money that i have been waiting for since the b…” wants the same as "
        "none of those shown"
    )


def test_that_nobody_can_tell_changes_no_draft_either() -> None:
    change = done("cannot_tell", text=MONEY, others=[PLEASE, BACK])
    says = "answered: cannot tell what wants the same as “where is my money”"
    assert change == Change("cannot_tell", says, answer=Answer(MONEY, unsure=(PLEASE, BACK)))
    assert refused("cannot_tell", text=MONEY, others=[]).startswith("an answer names a message and others")


@pytest.mark.parametrize(
    ("together", "apart"), [([], []), ([MONEY], []), ([PLEASE], ["Money back  PLEASE"]), ([" "], [])]
)
def test_an_answer_names_each_message_once(together: list[str], apart: list[str]) -> None:
    assert refused("answer", text=MONEY, together=together, apart=apart) == (
        "an answer names a message and others, each once: choose among those shown"
    )


@pytest.mark.parametrize(
    ("verb", "arguments", "says"),
    [
        ("merge", {"draft": "new/refund.yml", "target": "new/visa.yml"}, "refund merged into visa"),
        ("merge_all", {"drafts": ["new/refund.yml"], "target": "new/visa.yml"}, "refund merged into visa"),
        ("move", {"texts": ["a bill please"], "target": "new/visa.yml"}, "1 message moved to visa"),
        (
            *("move_each", {"texts": ["a bill please"], "targets": ["new/visa.yml"]}),
            "1 message moved to visa",
        ),
    ],
)
def test_what_is_put_into_an_ignored_draft_is_not_ignored_with_it(
    verb: str, arguments: dict[str, Any], says: str
) -> None:
    ignored = perform(REVIEW, "decide", {"draft": "new/visa.yml", "decision": "ignored"}).drafts
    review = replace(REVIEW, drafts={**REVIEW.drafts, **ignored})
    change = perform(review, verb, arguments)
    assert change.says == f"{says}; visa was ignored and is open again"
    assert change.drafts["new/visa.yml"].decision == "open"
    assert perform(REVIEW, verb, arguments).says == says


def test_further_examples_that_were_ignored_are_open_again_when_a_proposal_is_merged_into_them() -> None:
    ignored = perform(REVIEW, "decide", {"draft": "known/greet.yml", "decision": "ignored"}).drafts
    change = perform(
        replace(REVIEW, drafts={**REVIEW.drafts, **ignored}),
        *("merge", {"draft": "new/refund.yml", "target": "greet"}),
    )
    assert change.drafts["known/greet.yml"].decision == "open"
    assert change.says == (
        "refund merged into greet, still to be accepted there; greet was ignored and is open again"
    )


def test_what_is_moved_into_an_ignored_draft_and_accepted_there_is_not_said_to_be_open() -> None:
    ignored = perform(REVIEW, "decide", {"draft": "known/greet.yml", "decision": "ignored"}).drafts
    review = replace(REVIEW, drafts={**REVIEW.drafts, **ignored})
    nothing: dict[str, Any] = {"texts": [], "targets": [], "refused": [], "refused_by": [], "made": []}
    moved = {"moved": ["a bill please"], "moved_to": ["known/greet.yml"]}
    change = perform(review, "settle", {**nothing, **moved})
    assert change.drafts["known/greet.yml"].decision == "accepted"
    assert change.says == "1 message moved to greet"
