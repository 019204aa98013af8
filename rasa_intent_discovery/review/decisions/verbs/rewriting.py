"""An example is written otherwise, or its entities are marked."""

from __future__ import annotations

from dataclasses import replace

from rasa_intent_discovery.drafts.entities import finder_of
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.plural import counted
from rasa_intent_discovery.review.decisions.under_review import Change, Review
from rasa_intent_discovery.review.decisions.verbs.sentences import shortened
from rasa_intent_discovery.training_data.annotations import (
    read_annotation,
    unreadable_annotation,
    with_marks,
    without,
)
from rasa_intent_discovery.training_data.nlu_yaml import carry_annotated
from rasa_intent_discovery.training_data.text_identity import example_key, example_keys


def reword(review: Review, draft: str, text: str, wording: str) -> Change:
    """Writes an example otherwise, where it stands: with something made up instead of a mask, for instance.

    Args:
        wording: as it is to stand in the file, entity annotations included.
    """
    found, key, written = review.draft(draft), example_key(text), carry_annotated(wording)
    if key not in (keys := example_keys(found.examples)):
        raise DataError(f"{found.intent} has no such example any more")
    if not example_key(written):
        raise DataError("an example needs words: drop it instead")
    if wrong := unreadable_annotation(written):
        raise DataError(f"Rasa could not read {wrong}: an annotation is written [Berlin](city)")
    at = keys.index(key)
    if written == found.examples[at]:
        raise DataError("that is how it stands there already")
    if example_key(written) != key and (has := review.having(written)):
        raise DataError(f"{has} has that already: drop this one instead")
    examples = (*found.examples[:at], written, *found.examples[at + 1 :])
    says = f"an example of {found.intent} is now “{shortened(written)}”"
    return Change("reword", says, {draft: replace(found, examples=examples)}, draft)


def annotate(review: Review, draft: str, annotation: str, on: bool) -> Change:
    """Marks a value in all examples of a draft that hold it, or takes these marks off again.

    Args:
        annotation: the annotated value: `[Berlin](city)`. Other annotations stay.
    """
    found = review.draft(draft)
    one = read_annotation(annotation)
    if one is None or not one.safe:
        raise DataError(f"an annotation is written [Berlin](city), not {annotation}")
    finder = finder_of(review.drafts.values(), one)

    def marked(example: str) -> str:
        return with_marks(example, [mark for mark, what in finder.marks(example) if what == one])

    examples = tuple(marked(example) if on else without(example, one) for example in found.examples)
    changed = [new for new, old in zip(examples, found.examples, strict=True) if new != old]
    if not changed:
        raise DataError(f"{found.intent} has no example with {one.text} {'to mark' if on else 'marked so'}")
    where = f"in {counted(len(changed), 'example')} of {found.intent}"
    says = f"{one.text} {'' if on else 'no longer '}marked as {one.entity} {where}"
    return Change("annotate", says, {draft: replace(found, examples=examples)}, draft)
