"""Which drafts are in the bot, by their examples."""

from __future__ import annotations

import pytest

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.review.applying.applied import applied_drafts, changed_since_applied
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, Draft

MASKED = "my mail is <email>"
PATH = "new/mail.yml"


@pytest.mark.parametrize(
    ("examples", "known", "is_applied"),
    [
        (("new mail", MASKED), ("new mail", "my mail is a@b.org"), True),
        (("new mail", MASKED), ("new mail",), True),  # the one with the mask was deleted
        (("new mail", MASKED), ("my mail is a@b.org",), False),
        (("new mail", MASKED), (), False),
        ((MASKED,), ("my mail is a@b.org",), True),
        ((MASKED, "call <phone>"), ("my mail is a@b.org",), False),
        ((MASKED,), ("my mail was a@b.org",), False),
        (("<email>",), ("a@b.org",), False),
        ((MASKED,), (MASKED,), True),
    ],
)
def test_a_mask_may_have_been_written_out_since(
    examples: tuple[str, ...], known: tuple[str, ...], is_applied: bool
) -> None:
    drafts = {PATH: Draft("mail", examples, {}, ACCEPTED)}
    bot = [KnownExample("hello", "greet"), *(KnownExample(text, "mail") for text in known)]
    assert (PATH in applied_drafts(drafts, bot)) == is_applied
    lacking = {
        ("new mail", MASKED): frozenset({"new mail"}),
        (MASKED, "call <phone>"): frozenset({"call <phone>"}),
    }
    changed = {PATH: lacking[examples]} if known and not is_applied and examples in lacking else {}
    assert changed_since_applied(drafts, bot) == changed
