"""What a person reads in the terminal when drafts were applied."""

from __future__ import annotations

from pathlib import Path

from rasa_intent_discovery.drafts.apply import AppliedIntent, Plan
from rasa_intent_discovery.drafts.apply_replies import FLOW, AddedReplies
from rasa_intent_discovery.drafts.apply_summary import summarize_plan
from rasa_intent_discovery.training_data.replies import Reply

BY_RASA = ("rasa data validate", "rasa train")


def test_of_many_conflicts_the_first_ten_are_shown() -> None:
    conflicts = tuple((f"text {number}", "bye") for number in range(12))
    lines = summarize_plan(Plan((AppliedIntent("refund", True, conflicts=conflicts),))).splitlines()
    assert lines[1:4] == [
        "There is nothing to change in the bot.",
        "",
        "Left out:",
    ]
    assert lines[4] == "  refund: an example of bye already: text 0"
    assert lines[13:] == [
        "  refund: an example of bye already: text 9",
        "  refund: 2 more that are examples of other intents",
    ]


def test_a_draft_without_examples_is_named() -> None:
    assert summarize_plan(Plan((AppliedIntent("refund", False),))).endswith(
        "\n  refund: its draft has no example\n"
    )


def test_masks_in_what_was_added_are_said() -> None:
    masked, path = ("mail it to <email>", "send it to <email>", "send it"), Path("data/found.yml")
    plan = Plan(
        (
            AppliedIntent("refund", True, masked, path, masked=2),
            AppliedIntent("invoice", False, ("<phone>",), path, masked=1),
            AppliedIntent("visa", False, ("a visa",), path),
            AppliedIntent("bye", True, repeated=4, masked=1),
        )
    )
    assert summarize_plan(plan, then=BY_RASA).split("What to do next:\n")[1].splitlines()[0] == (
        "  1. write something in the place of masks such as <email>, or delete the examples that hold one: "
        "2 of refund in data/found.yml, 1 of invoice in data/found.yml, 1 of bye"
    )


def test_what_is_left_to_do_by_hand() -> None:
    plan = Plan(
        outcomes=(AppliedIntent("refund", False, ("x",), Path("data/refund.yml")),),
        unwritten=(
            (Path("domain.yml"), ("utter_faq/cost", "utter_visa")),
            (Path("more.yml"), ("utter_bye",)),
        ),
        unanswered=("refund", "invoice"),
    )
    assert summarize_plan(plan, then=BY_RASA).split("What to do next:\n")[1] == (
        "  1. write a rule or story, and a response, for refund, invoice; `apply --with-rules` "
        "(a box on the desk) adds some to fill in, now or later\n"
        "  2. write what the bot says, before people read the placeholder: utter_faq/cost, utter_visa in "
        "domain.yml; utter_bye in more.yml\n"
        "  3. rasa data validate\n"
        "  4. rasa train\n"
    )


def test_what_is_left_to_do_with_flows() -> None:
    path, flows = Path("data/nlu.yml"), Path("flows.yml")
    refund = Reply("refund", "refund", "utter_refund", "Refund.")
    plan = Plan(
        outcomes=(AppliedIntent("refund", False, ("x",), path), AppliedIntent("send", True, ("y",), path)),
        replies=(AddedReplies(FLOW, flows, (refund,)),),
        unanswered=("invoice",),
        has_flows=True,
        clashes=("visa: there is a flow visa",),
        untriggered=("send",),
        retrieval=("faq/fees",),
    )
    assert (
        summarize_plan(plan, then=BY_RASA)
        == """
Done:
  refund: new intent, 1 example in data/nlu.yml
  send: 1 further example in data/nlu.yml
  refund: 1 flow in flows.yml

Left out:
  visa: there is a flow visa

What to do next:
  1. have a ResponseSelector for faq in config.yml, as Rasa answers faq/fees with that alone, \
or rename it to faq_fees
  2. write a flow, and a response, for invoice; `apply --with-flows` (a box on the desk) adds some \
to fill in, now or later
  3. say in `description` what the flow is for, since that starts it: refund in flows.yml
  4. write `nlu_trigger` into the flow send, if your pipeline recognises intents: then its \
examples start it, too
  5. rasa data validate
  6. rasa train
"""
    )
