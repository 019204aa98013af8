import logging
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus import build
from rasa_intent_discovery.corpus.build import build_corpus, check_corpus, known_intents, readable
from rasa_intent_discovery.corpus.cleaning import read_text
from rasa_intent_discovery.corpus.personal_data import mask_personal_data
from rasa_intent_discovery.datatypes import Corpus, KnownExample, LoggedMessage, SetAside
from rasa_intent_discovery.errors import DataError

GREET_AND_TRACK = [KnownExample("hello", "greet"), KnownExample("where is it", "track")]
GREET_AND_TRACK += [KnownExample("hi", "greet"), KnownExample("track it", "track")]


def corpus_of(known, logged, **settings):
    config = DiscoveryConfig(**settings)
    return build_corpus(known, [LoggedMessage(text) for text in logged], config)


def set_aside_of(*logged, **settings):
    return corpus_of([], logged, **settings).set_aside


def error(known, logged, **settings):
    with pytest.raises(DataError) as raised:
        check_corpus(corpus_of(known, logged, **settings), DiscoveryConfig(**settings))
    return str(raised.value)


# Rows


def test_known_examples_come_first_then_logged_texts_in_order_of_first_appearance():
    corpus = corpus_of(
        [KnownExample("Hello", "greet"), KnownExample("where is it", "ask/track")],
        ["refund please", "hello ", "can I  pay later?", "HELLO", "refund please"],
    )

    assert corpus.texts == ("Hello", "where is it", "refund please", "can I pay later?")
    assert corpus.intents == ("ask/track", "greet")
    assert corpus.labels.tolist() == [1, 0, -1, -1]
    assert corpus.counts.tolist() == [2, 0, 2, 1]
    assert corpus.spellings == (
        (("hello", 1), ("HELLO", 1)),
        (),
        (("refund please", 2),),
        (("can I  pay later?", 1),),
    )
    assert (corpus.labels.dtype, corpus.counts.dtype) == ("int64", "int64")
    assert corpus.logged_messages == 5


def test_spellings_keep_case_and_inner_new_lines_and_the_most_frequent_gives_the_text():
    corpus = corpus_of([], ["Pay\nlater", " pay later", "pay later ", "PAY LATER"])

    assert corpus.texts == ("pay later",)
    assert corpus.spellings == ((("pay later", 2), ("Pay\nlater", 1), ("PAY LATER", 1)),)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("cafe\u0301 \t\n open", "caf\u00e9 open"),
        ("\ufeffzero\u200b width\u00ad", "zero width"),
        ("bell\x07 and\x1b escape", "bell and escape"),
        (
            "family \U0001f468\u200d\U0001f469\u200d\U0001f467",
            "family \U0001f468\u200d\U0001f469\u200d\U0001f467",
        ),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("half an emoji \ud83d", "half an emoji \ufffd"),
    ],
)
def test_the_encoder_reads_clean_text(written, read):
    assert corpus_of([], [written]).texts == (read,)


def test_a_text_under_two_intents_belongs_to_the_first():
    corpus = corpus_of([KnownExample("bye", "goodbye"), KnownExample("Bye", "farewell")], [])

    assert (corpus.texts, corpus.intents) == (("bye",), ("goodbye",))


def test_rasas_own_intents_and_out_of_scope_are_learnt_but_do_not_count_as_known():
    names = ["nlu_fallback", "restart", "back", "session_start", "out_of_scope", "greet"]
    corpus = corpus_of([KnownExample(f"say {name}", name) for name in names], ["say back"])

    assert corpus.texts == tuple(f"say {name}" for name in names)
    assert corpus.counts.tolist() == [0, 0, 1, 0, 0, 0]
    assert corpus.intents == tuple(sorted(names))
    assert known_intents(corpus) == ("greet",)
    assert corpus.rejecting == {*names} - {"greet"}


def test_an_intent_may_be_set_to_reject_messages_whatever_its_name() -> None:
    names = ["fuera_de_alcance", "charla/tiempo", "saludo", "OOS"]
    known = [KnownExample(f"di {name}", name) for name in names]
    config = DiscoveryConfig(out_of_scope_intents=("FueraDeAlcance", "charla"))

    corpus = build_corpus(known, [], config)

    assert corpus.rejecting == {"fuera_de_alcance", "charla/tiempo", "OOS"}
    assert known_intents(corpus) == ("saludo",)
    with pytest.raises(DataError, match=r"only one intent that counts \(saludo\)"):
        check_corpus(corpus, config)


def test_an_intent_set_to_reject_messages_that_has_no_examples_is_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    known = [*GREET_AND_TRACK, *(KnownExample(f"di {name}", "fuera") for name in "ab")]
    config = DiscoveryConfig(out_of_scope_intents=("Fuera", "fuerra", "out_of_scope"))

    corpus = build_corpus(known, [LoggedMessage(text) for text in some_messages(20)], config)
    check_corpus(corpus, config)

    told = [record.message for record in caplog.records if "out_of_scope_intents" in record.message]
    assert told == [
        "out_of_scope_intents: no intent fuerra has examples, did you mean fuera?",
        "out_of_scope_intents: no intent out_of_scope has examples",
    ]


def test_empty_known_examples_are_dropped():
    assert corpus_of([KnownExample(" \u200b", "greet")], []).texts == ()


# Set aside


@pytest.mark.parametrize(
    ("text", "shown", "reason"),
    [
        ("", "", "empty"),
        (" \n\u200b\ufeff\u3164", "", "empty"),
        ("/greet", "/greet", "bot payload"),
        ('/track{"a": 1}', '/track{"a": 1}', "bot payload"),
        ("EXTERNAL: reminder", "EXTERNAL: reminder", "bot payload"),
        ("+ 1 2 3", "+ 1 2 3", "only a number"),
        ("#4471", "#4471", "only a number"),
        ("07700 900123", "<phone>", "only a number"),
        ("ann@example.org", "<email>", "no words"),
        ("https://example.com/offer?id=7", "https://example.com/offer?id=7", "no words"),
        ("WWW.example.com/a, http://b.example", "WWW.example.com/a, http://b.example", "no words"),
        ("https://a.example/?to=ann@example.org", "https://a.example/?to=<email>", "no words"),
        ("7 https://example.com", "7 https://example.com", "only a number"),
        ("?", "?", "no words"),
        ("...", "...", "no words"),
        ("\U0001f44d", "\U0001f44d", "no words"),
        ("longer than 10 characters", "longer tha…", "too long"),
    ],
)
def test_messages_that_cannot_be_clustered_are_set_aside(text, shown, reason):
    assert set_aside_of(text, max_characters=10 if reason == "too long" else 1000) == (
        SetAside(shown, 1, reason),
    )


@pytest.mark.parametrize(
    "text",
    [
        *("order 4471", "4471a", "/ or not", "and/or", "external: help", "はい"),
        *("broken: https://a.example", "https://a.example/見て", "wwwhat"),
    ],
)
def test_messages_with_words_are_clustered(text):
    assert set_aside_of(text) == ()


def test_set_aside_messages_are_counted_most_frequent_first():
    corpus = corpus_of([], ["?", "/greet", " /greet", "where", "/greet\n", "7", "7"])

    assert corpus.set_aside == (
        SetAside("/greet", 3, "bot payload"),
        SetAside("7", 2, "only a number"),
        SetAside("?", 1, "no words"),
    )
    assert corpus.logged_messages == 7


def test_a_number_that_is_a_training_example_is_known():
    corpus = corpus_of([KnownExample("42", "inform")], ["42", "43"])

    assert corpus.counts.tolist() == [1]
    assert corpus.set_aside == (SetAside("43", 1, "only a number"),)


def test_length_is_that_of_the_clean_text():
    assert set_aside_of("a" + " " * 50 + "b", max_characters=10) == ()


@pytest.mark.parametrize("between", [" ", "\n", "\u200b"])
def test_what_is_not_seen_of_a_message_is_not_kept_at_any_length(between):
    config = DiscoveryConfig(max_characters=10)
    assert read_text(f"a {between * 50} b", config) == ("a b", "a b", {}, None)
    assert read_text(f"a {between * 3} b", config)[0] == f"a {between * 3} b"


def test_of_a_message_at_work_that_is_too_long_nothing_is_masked(monkeypatch):
    monkeypatch.setattr(build, "read_text", None)
    assert readable("0 1" * 400, DiscoveryConfig()) is None
    assert readable("hi" + "\n" * 100_000, DiscoveryConfig()) is None


def test_an_address_across_the_cut_of_a_long_message_is_not_shown_in_part():
    [item] = set_aside_of("x" * 94 + " ann@example.org" + " y" * 1000, max_characters=100)

    assert item == SetAside("x" * 94 + " <emai…", 1, "too long")


# Personal data


def test_personal_data_is_masked_everywhere_and_counted_in_logged_messages():
    corpus = corpus_of(
        [KnownExample("mail ann@example.org", "contact")],
        ["mail bob@example.org", "call 07700 900123", "call 07700 900123", "/login{ann@example.org}"],
    )

    assert corpus.texts == ("mail <email>", "call <phone>")
    assert corpus.spellings == ((("mail <email>", 1),), (("call <phone>", 2),))
    assert corpus.set_aside == (SetAside("/login{<email>}", 1, "bot payload"),)
    assert corpus.masked == {"email": 2, "phone": 2}


def test_a_number_broken_by_a_new_line_is_masked_at_the_cost_of_the_spelling():
    corpus = corpus_of([], ["call 07700\n900123\nnow"])

    assert corpus.spellings == ((("call <phone> now", 1),),)


def test_masking_can_be_switched_off():
    corpus = corpus_of([], ["mail bob@example.org"], mask_personal_data=False)

    assert (corpus.texts, corpus.masked) == (("mail bob@example.org",), {})


_MESSAGES = st.lists(
    st.one_of(
        st.text(st.characters(), max_size=30),
        st.lists(
            st.sampled_from(
                ["ann@example.org", "07700", " 900123", "\n", "\u200d", "é", "e\u0301", "A", "a", "/"]
            )
        ).map("".join),
    ),
    max_size=8,
)


@given(_MESSAGES)
def test_every_message_is_counted_once(logged):
    corpus = corpus_of([KnownExample("a", "greet")], logged)

    assert corpus.logged_messages == len(logged)
    assert corpus.counts.tolist() == [sum(count for _, count in row) for row in corpus.spellings]


@given(_MESSAGES)
@example(["01000000000000A\u0300"])  # where `À` is one character, no phone number
def test_rows_are_distinct_clean_and_without_personal_data(logged):
    corpus = corpus_of([], logged)

    assert len({text.casefold() for text in corpus.texts}) == len(corpus.texts)
    for text in corpus.texts:
        assert text == " ".join(unicodedata.normalize("NFC", text).split()) != ""
    for text in [*corpus.texts, *(item.text for item in corpus.set_aside)]:
        assert mask_personal_data(text) == (text, {})
    for row in corpus.spellings:
        for text, _ in row:
            text.encode("utf-8")
            assert mask_personal_data(text) == (text, {})


@given(_MESSAGES)
def test_clean_texts_stay_as_they_are(logged):
    texts = corpus_of([], logged).texts

    assert corpus_of([], texts).texts == texts


# What ends a run


def some_messages(count):
    return [f"message number {i}" for i in range(count)]


def test_enough_to_discover_something_in_is_fine():
    corpus = corpus_of(GREET_AND_TRACK, some_messages(20))

    check_corpus(corpus, DiscoveryConfig(num_intents=4))


def test_two_known_intents_are_needed():
    assert error([], some_messages(20)) == (
        "no intent that counts has examples, but at least two known intents are needed to learn "
        "what an intent of this bot is; add another, or give the data that has the rest, too"
    )
    assert error([KnownExample("hi", "greet"), KnownExample("hm", "out_of_scope")], some_messages(20)) == (
        "only one intent that counts (greet) has examples, but at least two known intents are needed to "
        "learn what an intent of this bot is; add another, or give the data that has the rest, too"
    )


def test_logged_messages_are_needed():
    assert error(GREET_AND_TRACK, []) == ("there are no logged messages, give some")


def test_twenty_distinct_messages_are_needed():
    logged = [*some_messages(19), "message number 0", "hello", "?", "/greet", "/track"]

    assert error(GREET_AND_TRACK, logged) == (
        "different texts to look at: 19, but at least 20 are needed (logged: 24, bot payload: 2, "
        "training examples already: 1, no words: 1); give more messages"
    )


def test_of_messages_that_are_too_long_the_limit_is_said():
    assert error(GREET_AND_TRACK, ["longer than that"] * 2, max_characters=10) == (
        "different texts to look at: 0, but at least 20 are needed (logged: 2, longer than 10 characters: "
        "2); give more messages"
    )


def test_messages_that_are_all_the_same_are_not_enough():
    assert error(GREET_AND_TRACK, ["Refund"] * 30) == (
        "all 30 logged messages say the same: 'Refund'; give more messages"
    )


def test_messages_that_are_all_known_are_not_enough():
    assert error(GREET_AND_TRACK, ["hello", "Hello", "hi"]) == (
        "all 3 logged messages are training examples already, so there is nothing to discover; "
        "give more messages"
    )


def test_more_intents_than_the_messages_allow_are_refused():
    assert error(GREET_AND_TRACK, some_messages(20), num_intents=5) == (
        "num_intents: 5 new intents of at least 5 messages were asked for, but 20 messages (20 distinct) "
        "are enough for 4 at most; set it lower, or to auto"
    )


def test_intents_with_a_single_example_are_warned_of(caplog):
    known = GREET_AND_TRACK + [KnownExample(f"thing {i}", f"intent_{i}") for i in range(6)]
    with caplog.at_level(logging.WARNING):
        check_corpus(corpus_of(known, some_messages(20)), DiscoveryConfig())

    assert caplog.messages == [
        "a single example is hardly enough to learn an intent from, add some to: "
        "intent_0, intent_1, intent_2, intent_3, intent_4 and 1 more"
    ]


def test_a_corpus_of_nothing_is_a_corpus():
    assert isinstance(corpus_of([], []), Corpus)


def test_when_a_message_was_logged_first_and_last() -> None:
    logged = [
        LoggedMessage("Where is it", 30.0),
        LoggedMessage("where is it", 10.0),
        LoggedMessage(" where is it"),
        LoggedMessage("hello", 20.0),
        LoggedMessage("no time"),
    ]
    corpus = build_corpus([KnownExample("hello", "greet")], logged, DiscoveryConfig())

    row = {text: number for number, text in enumerate(corpus.texts)}
    assert corpus.times == {row["hello"]: (20.0, 20.0), row["where is it"]: (10.0, 30.0)}
    assert corpus.logged_between(range(len(corpus.texts))) == (10.0, 30.0)
    assert corpus.logged_between([row["no time"]]) is None
