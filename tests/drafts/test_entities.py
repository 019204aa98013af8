"""Which values of a bot's entities are looked for, and where they are found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rasa.nlu.tokenizers.whitespace_tokenizer import WhitespaceTokenizer
from rasa.shared.nlu.training_data.message import Message

from rasa_intent_discovery.drafts.entities import (
    ENTITIES,
    AnnotatedText,
    BotEntities,
    EntityFinder,
    Suggestion,
    finder_of,
    known_values,
    suggested,
    suggestions,
)
from rasa_intent_discovery.training_data.annotations import Annotation, parse, read_annotation
from rasa_intent_discovery.training_data.nlu_yaml import Draft


def city(text: str, value: str | None = None) -> Annotation:
    return Annotation(text, "city", value)


def examples(*written: str) -> list[AnnotatedText]:
    """The bot's examples, marked as in a file."""
    made = []
    for example in written:
        text, marks = parse(example)
        spans = tuple((mark.start, mark.end, read_annotation(mark.written)) for mark in marks)
        made.append(AnnotatedText(text, spans))
    return made


def found(text: str, bot: BotEntities) -> list[str]:
    return [str(annotation) for _, annotation in known_values(bot).marks(text)]


CITIES = EntityFinder(
    {name: city(name) for name in ("York", "New York", "Bad Homburg", "São Paulo", "दिल्ली")}
)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("York", ["York"]),
        ("to york or YORK", []),
        ("Yorkshire, McYork, York_2, York2", []),
        ("to York.", ["York"]),
        ('York? "York"! (York), York: …York', ["York"] * 5),
        ("York's and York’s walls", ["York", "York"]),
        ("York🙂 🙂York 🎉York🎉York", ["York"] * 4),
        ("from York to New York", ["York", "New York"]),
        ("New York York", ["New York", "York"]),
        ("New  York", ["York"]),
        ("bad homburg, Bad Homburg!", ["Bad Homburg"]),
        ("SÃO PAULO São Paulo", ["São Paulo"]),
        ("São Paulo\u0301", []),  # the o has an accent: another word
        ("मैं दिल्ली में", ["दिल्ली"]),
        ("दिल्लीवाला", []),
        ("mail <York>", ["York"]),
        ("", []),
    ],
)
def test_whole_words_in_the_same_case(text: str, values: list[str]) -> None:
    assert [annotation.text for _, _, annotation in CITIES.find(text)] == values


@pytest.mark.parametrize(
    "text",
    [
        "York-based",
        "mid-York",
        "York/Leeds",
        "york.com/York",
        "a@York",
        "#York",
        "@York",
        "x=York",
        "York.Then",
    ],
)
def test_a_part_of_what_is_one_word_to_rasa_is_no_value(text: str) -> None:
    """Rasa could not learn it: an entity has to begin and end where a token does."""
    assert CITIES.find(text) == []


GLUE = st.lists(st.sampled_from(["York", "New York", "a", "7", " ", *"-/.,:;!?()'\"#@&_=+…’🙂"]), max_size=7)


@given(GLUE.map("".join))
def test_what_is_found_begins_where_a_token_of_rasa_s_does(text: str) -> None:
    tokenizer = WhitespaceTokenizer({**WhitespaceTokenizer.get_default_config()})
    tokens = tokenizer.tokenize(Message({"text": text}), "text") if text.strip() else []
    inside = {at for token in tokens for at in range(token.start + 1, token.end)}
    for start, end, _ in CITIES.find(text):
        assert text[start:end] in ("York", "New York")
        assert not {start, end} & inside


def test_values_with_punctuation_of_their_own() -> None:
    finder = EntityFinder(
        {name: Annotation(name, "language") for name in ("C++", ".NET", "Objective-C", "R&D")}
    )
    text = "C++, C++? in .NET, ASP.NET and Objective-C or R&D; C+"
    assert [one.text for _, _, one in finder.find(text)] == ["C++", "C++", ".NET", "Objective-C", "R&D"]


def test_a_value_that_is_left_alone_keeps_shorter_ones_out_of_its_place() -> None:
    finder = EntityFinder({"York": city("York"), "New York": None})
    assert [start for start, _, _ in finder.find("New York, York")] == [10]


def test_what_is_marked_is_not_found_again_and_a_mask_never() -> None:
    finder = EntityFinder({name: Annotation(name, "x") for name in ("New York", "York", "email", "phone")})
    assert finder.marks("to [York](city), New [York](city), <email> or <phone>") == []
    [(mark, annotation)] = finder.marks("[Rome](city) by email, not <email>")
    assert (mark.start, annotation.text) == (8, "email")


@pytest.mark.parametrize("text", ["[York", "York]", "[York] (city)", "a [b](c) [ York"])
def test_an_example_with_brackets_is_left_alone(text: str) -> None:
    assert CITIES.marks(text) == []


# Which values of the bot


def test_annotated_values_and_lookup_tables() -> None:
    bot = BotEntities(
        examples('to [York](city) or [nyc]{"entity": "city", "value": "New York"}'),
        [("product", ["corner sofa", "sofa"]), ("city", [" Leeds ", "Bad   Homburg"])],
    )
    assert found("a corner sofa from nyc, York, Leeds or Bad Homburg", bot) == [
        "[corner sofa](product)",
        '[nyc]{"entity": "city", "value": "New York"}',
        *("[York](city)", "[Leeds](city)", "[Bad Homburg](city)"),
    ]


def test_role_and_group_depend_on_the_sentence() -> None:
    said = AnnotatedText("from York", ((5, 9, city("York")),))
    assert found("York", BotEntities([said])) == ["[York](city)"]


def test_of_several_meanings_of_a_value_the_most_frequent() -> None:
    written = [str(city("nyc", value)) for value in ("NYC", "New York", "New York")]
    assert found("nyc", BotEntities(examples(*written))) == ['[nyc]{"entity": "city", "value": "New York"}']


def test_a_value_of_two_entities_is_left_alone() -> None:
    bot = BotEntities(
        examples(
            "[Paris](city) [Paris](name)",
            "[Oslo](city)",
            "[Rome](city)",
            '[Bath][{"entity": "a"}, {"entity": "b"}]',
        ),
        [("name", ["Oslo", "Sydney"]), ("city", ["Sydney", "Rome"])],
    )
    assert found("Paris Oslo Sydney Bath Rome", bot) == ["[Rome](city)"]


def test_a_value_that_stands_more_often_without_annotation_is_left_alone() -> None:
    bot = BotEntities(
        examples(
            "in [may](month)", "may i ask", "may i go", "in [june](month)", "june is my name", "his desk"
        ),
        [("month", ["july"]), ("product", ["desk", "corner desk"])],
    )
    assert found("may june july desk, corner desk", bot) == [
        "[june](month)",
        "[july](month)",
        "[corner desk](product)",
    ]


def test_inside_a_longer_annotation_a_value_is_not_without_one() -> None:
    bot = BotEntities(examples("[New York](city) is [New York](city)", "[York](city)"))
    assert found("York", bot) == ["[York](city)"]


def test_numbers_and_single_letters_say_too_little() -> None:
    bot = BotEntities(
        examples("[2](count) [4471](order)"), [("size", ["M", "XL", "5", "10.5", "", "?", "🙂", "A4"])]
    )
    assert found("2 4471 M XL 5 10.5 ? 🙂 A4", bot) == ["[XL](size)", "[A4](size)"]


def test_what_rasa_could_not_read_back_is_left_alone() -> None:
    bot = BotEntities([], [("path", ["C:\\users here", "a[0]x"]), ("a)b}", ["Rome"])])
    assert found("C:\\users here and a[0]x", bot) == []
    assert found("Rome", bot) == []


def test_other_ways_to_write_a_value() -> None:
    bot = BotEntities(
        examples('[nyc]{"entity": "city", "value": "New York"}'),
        [("product", ["sofa"])],
        {"couch": "sofa", "Big Apple": "New York", "asap": "soon", "nyc": "New York"},
    )
    assert found("a couch to the Big Apple asap", bot) == ["[couch](product)", "[Big Apple](city)"]


def test_many_values() -> None:
    bot = BotEntities([], [("street", [f"Mill Road {number}" for number in range(100_000)])])
    finder = known_values(bot)
    assert [one.text for _, _, one in finder.find("from Mill Road 99999 to Mill Road 100000")] == [
        "Mill Road 99999"
    ]


# What is suggested


DRAFT = Draft(
    "book",
    ("York or Leeds", "to [York](city)", "York, [York](city)", "see [this] York", "[Leeds](name)"),
    {ENTITIES: ["[York](city)", "[Leeds](city)", "[C](x]", 3]},
)


def test_suggestions_are_those_of_most_examples_first() -> None:
    finder = EntityFinder({name: city(name) for name in ("York", "Leeds")})
    assert suggested(["Leeds", "York York Leeds", "York", "York", "[York"], finder) == [
        "[York](city)",
        "[Leeds](city)",
    ]
    assert suggested(["nothing"], finder) == []


def test_suggestions_of_a_draft_and_what_is_marked() -> None:
    assert suggestions(DRAFT, finder_of([DRAFT])) == [
        Suggestion(city("York"), 3, 1),
        Suggestion(city("Leeds"), 1, 0),
    ]


def test_suggestions_stand_where_they_stood_once_they_are_marked() -> None:
    finder = EntityFinder({name: city(name) for name in ("York", "Leeds", "Bath")})
    for example in ("York Leeds Bath", "[York](city) Leeds Bath", "York [Leeds](city) [Bath](city)"):
        found = [str(one.annotation) for one in suggestions(Draft("book", (example,), {}), finder)]
        assert found == ["[Bath](city)", "[Leeds](city)", "[York](city)"]


@pytest.mark.parametrize("listed", [None, "York", [["York"]], {"York": "city"}])
def test_evidence_that_somebody_wrote_otherwise(listed: object) -> None:
    assert not finder_of([Draft("book", ("York",), {ENTITIES: listed})])


def test_what_another_draft_suggests_counts_too() -> None:
    moved = Draft("other", ("York",), {})
    assert suggestions(moved, finder_of([moved, DRAFT])) == [Suggestion(city("York"), 1, 0)]
