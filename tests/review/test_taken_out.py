"""Examples that a person took out of drafts before: the next run offers them no more."""

from __future__ import annotations

from rasa_intent_discovery.review.next_run.taken_out import without_taken_out
from rasa_intent_discovery.training_data.nlu_yaml import Draft


def test_what_was_taken_out_of_one_intent_is_offered_for_another_one_unless_it_holds_a_mask() -> None:
    drafts = {
        "known/greet.yml": Draft("greet", ("hey", "Write to <email>")),
        "known/bye.yml": Draft("bye", ("hey", "write to <email>", "see you")),
        "new/mail.yml": Draft("mail", ("write to <email>",)),
    }
    out = {"greet": frozenset({"hey", "write to <email>"})}
    assert {path: draft.examples for path, draft in without_taken_out(drafts, out).items()} == {
        "known/bye.yml": ("hey", "see you"),
        "new/mail.yml": ("write to <email>",),
    }
