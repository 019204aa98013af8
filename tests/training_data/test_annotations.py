"""Entities marked in examples: read, added and taken off, as Rasa's own reader sees it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rasa.shared.exceptions import RasaException
from rasa.shared.nlu.training_data.entities_parser import find_entities_in_training_example, replace_entities
from rasa.shared.nlu.training_data.loading import load_data

from rasa_intent_discovery.drafts.draft_edit import edited
from rasa_intent_discovery.drafts.entities import EntityFinder
from rasa_intent_discovery.review.decisions.under_review import Review
from rasa_intent_discovery.review.decisions.verbs.perform import perform
from rasa_intent_discovery.training_data.annotations import (
    Annotation,
    Mark,
    is_half_annotated,
    label,
    parse,
    pieces,
    read_annotation,
    unreadable_annotation,
    with_marks,
    without,
    without_annotations,
    write,
)
from rasa_intent_discovery.training_data.nlu_yaml import Draft, carry, from_yaml, to_yaml
from rasa_intent_discovery.training_data.text_identity import example_key

BERLIN = Annotation("Berlin", "city")
NYC = Annotation("nyc", "city", "New York City")

markup = st.text("[](){}\\uU :\"'a\N{SLIGHTLY SMILING FACE}", max_size=30)
names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
annotations = st.builds(Annotation, names, names, st.none() | names)
WORDS = ("Berlin", "nyc", "New York", "York", "an", "Émile", "🙂", "?", "to", "[x]", "<email>", "C:\\users")
sentences = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
finders = st.just(
    EntityFinder(
        {one.text: one for one in (BERLIN, NYC, Annotation("York", "city"), Annotation("Émile", "name"))}
    )
)


def by_rasa(example: str) -> tuple[str, list[tuple[str, str, str]]]:
    """Text, and of each entity what is marked, its name and its value, as Rasa reads them."""
    text = replace_entities(example)
    found = find_entities_in_training_example(example)
    return text, [(text[one["start"] : one["end"]], one["entity"], one["value"]) for one in found]


@pytest.mark.parametrize(
    ("annotation", "written"),
    [
        (BERLIN, "[Berlin](city)"),
        (NYC, '[nyc]{"entity": "city", "value": "New York City"}'),
        (Annotation('27" screen', "tv", '27"'), '[27" screen]{"entity": "tv", "value": "27\\""}'),
        (Annotation("Köln", "a:b"), '[Köln]{"entity": "a:b"}'),
        (Annotation("sofa (grey)", "product"), "[sofa (grey)](product)"),
    ],
)
def test_an_annotation_as_rasa_writes_it(annotation: Annotation, written: str) -> None:
    assert str(annotation) == written
    assert annotation.safe
    assert read_annotation(written) == annotation
    text, [(marked, entity, value)] = by_rasa(f"to {written}")
    assert (text, marked) == (f"to {annotation.text}", annotation.text)
    assert (entity, value) == (annotation.entity, annotation.value or annotation.text)


@pytest.mark.parametrize(
    "annotation",
    [
        Annotation("a]b", "city"),
        Annotation("[a", "city"),
        Annotation(" a", "city"),
        Annotation("a\nb", "city"),
        Annotation("C:\\users", "path"),
        Annotation("a", "city", "x}y"),
        Annotation("a", "ci}ty)"),
        Annotation("a", ""),
        Annotation("", "city"),
    ],
)
def test_what_rasa_could_not_read_is_not_safe(annotation: Annotation) -> None:
    assert not annotation.safe


@pytest.mark.parametrize(
    "written",
    [
        *("Berlin", "[Berlin]", "to [Berlin](city)", "[Berlin](city) ", "[Berlin](city)[x](y)", "[a]{city}"),
        '[Berlin]{"entity": "city", "role": "to"}',
        '[Berlin][{"entity": "city"}]',
        '[Berlin]{"entity": 3}',
        '[Berlin]{"value": "x"}',
    ],
)
def test_what_is_no_annotation_or_says_more(written: str) -> None:
    assert read_annotation(written) is None


@pytest.mark.parametrize(
    ("example", "half"),
    [
        *[("[Berlin](city", True), ('to [Berlin]{"entity": "city"', True), ("[Berlin](city) [Rome](", True)],
        *[("to [Berlin](city)", False), ('[nyc]{"entity": "city"}', False), ("[1] (see {2})", False)],
    ],
)
def test_an_annotation_that_was_begun_is_told_from_one(example: str, half: bool) -> None:
    assert is_half_annotated(example) is half


@pytest.mark.parametrize(
    "example",
    [
        *("to [Berlin](city)", "to [Berlin]", '[nyc]{"entity": "city", "value": "New York", "role": "to"}'),
        '[7][{"entity": "size", "value": 7}, {"entity": "number"}] and [Rome](city)',
        *("[a]{city}", '[a]{"entity": city}', '[a]{"value": "b"}', '[a]{"entity": 3}', '[a]{"entity": null}'),
        *('[a]{"entity": "b", "value": true}', '[a][{"entity": "b"}, {"entity": "b", "role": 1}]'),
    ],
)
def test_an_annotation_that_rasa_cannot_read_is_told(example: str) -> None:
    try:
        find_entities_in_training_example(example)
        refused = None
    except RasaException:
        refused = example
    assert unreadable_annotation(example) == refused


@given(st.text(alphabet="[](){}ab:\"' "))
def test_no_message_is_half_annotated(text: str) -> None:
    assert not is_half_annotated(carry(text))
    assert unreadable_annotation(carry(text)) is None


def test_an_example_in_pieces() -> None:
    example = 'from [nyc]{"entity": "city", "role": "from"} to [Rome][{"entity": "city"}, {"entity": "x"}]!'
    assert pieces(example) == [
        *[("from ", None), ("nyc", "city, from")],
        *[(" to ", None), ("Rome", "city, x"), ("!", None)],
    ]
    assert label("[a]{broken}") == ""


def test_marks_are_added_beside_those_there_and_taken_off_again() -> None:
    example = "from [Rome](city) to Berlin, Berlin!"
    both = with_marks(example, [Mark(13, 19, str(BERLIN)), Mark(21, 27, str(BERLIN))])
    assert both == "from [Rome](city) to [Berlin](city), [Berlin](city)!"
    assert without(both, BERLIN) == example
    assert without('[Berlin]{"entity": "city"} is [Berlin](state)', BERLIN) == "Berlin is [Berlin](state)"


def test_a_mark_that_rasa_would_read_otherwise_is_not_made() -> None:
    assert with_marks("a [b c", [Mark(5, 6, "[c](x)")]) == "a [b c"


@given(markup)
def test_every_example_is_its_text_and_its_marks(example: str) -> None:
    text, marks = parse(example)
    assert text == without_annotations(example)
    assert write(text, marks) == example
    assert "".join(piece for piece, _ in pieces(example)) == text
    assert example_key(example) == example_key(text) or "[" in text


@given(annotations)
def test_whatever_is_safe_rasa_reads(annotation: Annotation) -> None:
    if annotation.safe:
        meant = (annotation.text, annotation.entity, annotation.value or annotation.text)
        assert by_rasa(f"a {annotation} (b)") == (f"a {annotation.text} (b)", [meant])


@given(markup, st.integers(0, 30), st.integers(1, 5))
def test_a_mark_anywhere_leaves_the_text_as_it_is(message: str, start: int, length: int) -> None:
    text = carry(message)
    word = text[start : start + length]
    marked = (
        with_marks(text, [Mark(start, start + length, f"[{word}](city)")]) if len(word) == length else text
    )
    assert by_rasa(marked)[0] == text
    if marked != text:
        assert by_rasa(marked) == (text, [(word, "city", word)])


@given(sentences, finders)
def test_marked_and_unmarked_is_as_before_and_rasa_reads_both(sentence: str, finder: EntityFinder) -> None:
    plain = carry(sentence)
    found = finder.marks(plain)
    marked = with_marks(plain, [mark for mark, _ in found])
    text, entities = by_rasa(marked)
    assert text == plain
    assert entities == [(one.text, one.entity, one.value or one.text) for _, one in found]
    assert finder.marks(marked) == []
    for _, annotation in found:
        marked = without(marked, annotation)
    assert marked == plain


@settings(max_examples=50)
@given(st.lists(sentences, max_size=4), finders)
def test_a_draft_marked_and_unmarked_is_the_same_file(texts: list[str], finder: EntityFinder) -> None:
    draft = Draft("book", tuple(dict.fromkeys(filter(None, map(carry, texts)))))
    plain = to_yaml(draft)
    review = Review({"new/book.yml": draft})
    content = plain
    for on in (True, False):
        for annotation in dict.fromkeys(one for text in draft.examples for _, one in finder.marks(text)):
            review = annotated(review, annotation, on)
            after = review.drafts["new/book.yml"]
            content = edited(content, from_yaml(content), after, "draft")
            assert from_yaml(content) == after
            assert [text for text, _ in loaded(content)] == [*draft.examples]
    assert content == plain


def annotated(review: Review, annotation: Annotation, on: bool) -> Review:
    wanted = {"draft": "new/book.yml", "annotation": str(annotation), "on": on}
    changed = perform(review, "annotate", wanted).drafts["new/book.yml"]
    assert changed is not None
    return Review({"new/book.yml": changed})


def loaded(content: str) -> list[tuple[str, list[Any]]]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "nlu.yml").write_text(content, encoding="utf-8")
        messages = load_data(folder).nlu_examples
    return [(one.get("text"), [found["value"] for found in one.get("entities", [])]) for one in messages]


def test_a_file_with_marked_examples_is_read_by_rasa() -> None:
    plain = to_yaml(Draft("book", ("to Berlin", "fly nyc 🙂")))
    content = plain.replace("to Berlin", f"to {BERLIN}").replace("nyc", str(NYC))
    assert loaded(content) == [("to Berlin", ["Berlin"]), ("fly nyc 🙂", ["New York City"])]
    assert from_yaml(content).examples == (f"to {BERLIN}", f"fly {NYC} 🙂")
