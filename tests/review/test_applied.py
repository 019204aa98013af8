"""Which drafts are in the bot, by their examples."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.review.applying.applied import (
    applied_drafts,
    as_named_in_bot,
    changed_since_applied,
)
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
    assert (PATH in applied_drafts(drafts, bot, {})) == is_applied
    lacking = {
        ("new mail", MASKED): frozenset({"new mail"}),
        (MASKED, "call <phone>"): frozenset({"call <phone>"}),
    }
    changed = {PATH: lacking[examples]} if known and not is_applied and examples in lacking else {}
    assert changed_since_applied(drafts, bot, {}) == changed


@pytest.mark.parametrize(
    ("bot", "name"),
    [
        ({"address": ("new mail", "my mail changed"), "greet": ("another mail",)}, "address"),
        ({"address": ("new mail", "my mail changed", "another mail")}, "address"),
        ({"address": ("new mail", "my mail changed")}, "mail"),  # one is nowhere
        ({"address": ("new mail",), "greet": ("another mail",), "bye": ("my mail changed",)}, "mail"),
        ({"address": ("new mail", "my mail changed", "another mail"), "mail": ("x",)}, "mail"),
        ({}, "mail"),
    ],
)
def test_an_intent_that_was_renamed_in_the_bot_is_known_by_its_examples(
    bot: dict[str, tuple[str, ...]], name: str
) -> None:
    drafts = {PATH: Draft("mail", ("new mail", "my mail changed", "another mail"), {}, ACCEPTED)}
    known = [KnownExample(text, intent) for intent, texts in bot.items() for text in texts]
    named, _ = as_named_in_bot(drafts, known, ("mail",))
    assert as_named_in_bot(drafts, known, ()) == (drafts, {}), "it was not applied"
    assert named[PATH].intent == name
    assert (PATH in applied_drafts(named, known, {})) == (name == "address")
    undecided = {PATH: replace(drafts[PATH], decision="open")}
    assert as_named_in_bot(undecided, known, ("mail",)) == (undecided, {})


@pytest.mark.parametrize("left", [1, 2])
def test_an_intent_that_was_renamed_in_the_bot_and_lost_an_example_is_known_where_most_are_left(
    left: int,
) -> None:
    examples = ("new mail", "my mail changed", "another mail")
    drafts = {PATH: Draft("mail", examples, {}, ACCEPTED)}
    known = [KnownExample(text, "address") for text in ("the mail is new", *examples[:left])]
    out = {"mail": frozenset(examples[left:]), "visa": frozenset({"a visa"})}
    named, taken_out = as_named_in_bot(drafts, known, ("mail",), out)
    if left == 1:
        assert (named, taken_out) == (drafts, out)
    else:
        assert named == {PATH: replace(drafts[PATH], intent="address")}
        assert taken_out == {"address": {"another mail"}, "visa": {"a visa"}}
        assert applied_drafts(named, known, taken_out) == {PATH}
