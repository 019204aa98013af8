"""What messages of all kinds begin or end with is not read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.boilerplate import find_boilerplate, without_boilerplate
from rasa_intent_discovery.corpus.build import build_corpus, read_into, readable
from rasa_intent_discovery.datatypes import NO_BOILERPLATE, Boilerplate, KnownExample, LoggedMessage

WISHES = (
    *("where can i park", "the lamp is broken", "do you have vegan food", "my code does not work"),
    *("is breakfast included", "change the date please", "how far is the station", "who won last night"),
    *("send me an invoice", "can my dog come along", "what time must we leave", "add another towel"),
)
NAMES = ("Anna Keller", "Tom", "Priya Shah", "Omar", "Zoe Carter", "Ben Oduya")
WITH_NAMES = [
    f"{wish[0].upper()}{wish[1:]}? See you, {NAMES[number % len(NAMES)]}"
    for number, wish in enumerate(WISHES)
]


def found_in(texts: list[str], examples: tuple[str, ...] = ()) -> Boilerplate:
    return find_boilerplate(dict.fromkeys(texts, 1), examples, 1000)


@pytest.mark.parametrize(
    ("written", "starts", "ends"),
    [
        ("{wish}? See you, {name}", set(), {"see you, …"}),
        ("{wish}. Sent from my iPhone", set(), {"sent from my iphone"}),
        ("Hello, my name is {name}. {wish}", {"hello, my name is …"}, set()),
        ("{wish}, my booking is {number}", set(), {"my booking is …"}),
        ("order no. 88-{number}: {wish}", {"order no, …"}, set()),
        ("Guten Tag! {wish}. Bis bald {name}", {"guten …"}, {"bis bald …"}),
        ("здравствуйте, {wish}", {"здравствуйте"}, set()),
        ("{wish}。よろしくお願いします。", set(), {"よろしくお願いします"}),
        ("HELLO THERE, {wish}", {"hello …"}, set()),
    ],
)
def test_what_other_wishes_stand_beside_is_boilerplate(
    written: str, starts: set[str], ends: set[str]
) -> None:
    texts = [
        written.format(wish=wish, name=NAMES[number % len(NAMES)], number=1000 + number)
        for number, wish in enumerate(WISHES)
    ]
    found = found_in([*texts, *(f"{wish} now" for wish in WISHES)])
    assert (set(found.starts) & starts, set(found.ends) & ends) == (starts, ends)
    read = [without_boilerplate(text, found).rstrip("?") for text in texts]
    assert read == [*WISHES]


def test_one_may_stand_behind_another() -> None:
    texts = [f"Hi there. My name is {NAMES[n % 6]}. My order is {n}. Well, {w}" for n, w in enumerate(WISHES)]
    assert [without_boilerplate(text, found_in(texts)) for text in texts] == [*WISHES]


def test_a_wish_that_recurs_beside_its_own_words_stays() -> None:
    asks = [f"i lost my card, {what} {do}" for what in ("what should i", "how do i") for do in "abcdef"]
    assert not found_in([*asks, *WISHES, *(f"{wish} now" for wish in WISHES)])


@pytest.mark.parametrize(
    ("others", "examples"),
    [
        (["see you, Mo"], ()),
        ([], ("see you, Mo",)),
        ([], tuple(f"call me. See you, {name}" for name in NAMES)),
    ],
    ids=["a message", "an example", "in examples"],
)
def test_what_is_said_alone_or_in_examples_stays(others: list[str], examples: tuple[str, ...]) -> None:
    assert found_in(WITH_NAMES).ends == {"see you, …": 12}
    assert not found_in([*WITH_NAMES, *others], examples)


def test_what_few_messages_end_with_stays() -> None:
    assert not found_in(WITH_NAMES[:9])
    assert not found_in([*WITH_NAMES, *(f"{wish} {n}" for n in range(250) for wish in WISHES)])


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Hello, is it open? Regards, Tom", "is it open?"),
        ("HELLO, is it open, regards, 7", "is it open"),
        ("Regards, Tom", "Regards, Tom"),
        ("hello, regards, Tom", "hello, regards, Tom"),
        ("hello", "hello"),
        ("hello is it open", "hello is it open"),
        ("?? Regards, Tom", "??"),
        ("Hello, ??", "??"),
        ("Hello! !!! Regards, Tom", "!!!"),
        ("Hello - is it open. Regards, Tom", "is it open"),
        ("- Regards, Tom", "- Regards, Tom"),
        ("", ""),
    ],
)
def test_nothing_else_is_taken_off(text: str, left: str) -> None:
    assert without_boilerplate(text, Boilerplate({"hello": 20}, {"regards, …": 20})) == left


@given(st.text(), st.lists(st.sampled_from(["Hello,", "Regards, Tom", "is it open?", "\n", "…", "日本。"])))
def test_a_part_of_any_text_is_left(text: str, pieces: list[str]) -> None:
    boilerplate = Boilerplate({"hello": 20, "日本": 20}, {"regards, …": 20})
    for written in (text, " ".join(pieces), " ".join([*pieces, text])):
        left = without_boilerplate(written, boilerplate)
        assert left in written
        assert bool(left) == bool(written)
        assert without_boilerplate(written, NO_BOILERPLATE) == written


def test_a_long_text_is_divided_in_one_pass() -> None:
    for piece in (". ", "...", " -", "- ", "\n", "a", "a'"):
        assert without_boilerplate(piece * 100_000, Boilerplate({"hello": 20}))


def test_messages_are_one_that_say_the_same_without_it() -> None:
    logged = [*WITH_NAMES, "Where can I park?", "Hello. 7. See you, Mo", "?? See you, Mo"]
    config = DiscoveryConfig()
    known = [KnownExample("the lamp is broken?", "broken")]
    corpus = build_corpus(known, [LoggedMessage(text) for text in logged], config)
    assert corpus.boilerplate.ends == {"see you, …": 13}
    assert corpus.texts[:2] == ("the lamp is broken?", "Where can i park?")
    assert corpus.counts[:2].tolist() == [1, 2]
    assert corpus.spellings[1] == (("Where can i park?", 1), ("Where can I park?", 1))
    assert [(item.text, item.reason) for item in corpus.set_aside] == [("??", "no words")]
    assert [*read_into(corpus, [logged[0]], config)] == [("Where can i park?", 1, "")]
    assert readable(logged[0], config, corpus.boilerplate) == ("Where can i park?",) * 2
    assert readable(logged[0], config) == (logged[0],) * 2


def test_what_holds_personal_data_is_masked_and_not_told() -> None:
    address = "write to ann lee at gmail dot com"
    logged = [LoggedMessage(f"{text.partition('. See')[0]}, {address}") for text in WITH_NAMES]
    known = [KnownExample("the lamp is broken?", "broken")]
    corpus = build_corpus(known, logged, DiscoveryConfig())
    assert not corpus.boilerplate
    assert corpus.texts[1].endswith(", write to ann <email>")
    unmasked = build_corpus(known, logged, DiscoveryConfig(mask_personal_data=False))
    assert address in unmasked.boilerplate.ends
