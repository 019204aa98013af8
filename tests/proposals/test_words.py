"""Words as evidence, in any language."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction import text as sklearn_text

from rasa_intent_discovery.datatypes import UNLABELED, Corpus
from rasa_intent_discovery.proposals.naming.english import is_content, lemma, may_name, stem
from rasa_intent_discovery.proposals.naming.stop_words import ENGLISH_STOP_WORDS
from rasa_intent_discovery.proposals.naming.tokens import words
from rasa_intent_discovery.proposals.naming.words import WordStatistics, familiar_rows
from rasa_intent_discovery.proposals.reasons import UNFAMILIAR


def corpus_of(known: list[str], logged: list[str]) -> Corpus:
    texts = (*known, *logged)
    return Corpus(
        texts=texts,
        labels=np.array([0] * len(known) + [UNLABELED] * len(logged), dtype=np.int64),
        counts=np.array([0] * len(known) + [1] * len(logged), dtype=np.int64),
        spellings=tuple(((text, 1),) for text in texts),
        intents=("greet",),
    )


def statistics_of(*logged: str) -> WordStatistics:
    return WordStatistics(corpus_of([], list(logged)))


# Words


def test_the_function_words_are_those_of_scikit_learn() -> None:
    assert sklearn_text.ENGLISH_STOP_WORDS == ENGLISH_STOP_WORDS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Where is MY order?", ["where", "is", "my", "order"]),
        ("don't, don\u2019t", ["don't", "don't"]),
        ("order 4471 via 2FA", ["order", "via", "fa"]),
        ("mail <email> or <phone>", ["mail", "or"]),
        ("my W2, P45 or mp3?", ["my", "w2", "p45", "or", "mp3"]),
        ("an iphone6, order ab1234 at 10am", ["an", "iphone", "order", "ab", "at", "am"]),
        ("snake_case", ["snake", "case"]),
        ("💳 pay-later!!", ["pay", "later"]),
        ("l'ordre à l’été", ["l'ordre", "à", "l'été"]),
        ("cafe\u0301 STRASSE Straße", ["café".replace("é", "e\u0301"), "strasse", "straße"]),
        ("забыл пароль", ["забыл", "пароль"]),
        ("نسيت كلمة المرور", ["نسيت", "كلمة", "المرور"]),
        ("मुझे पासवर्ड", ["मुझे", "पासवर्ड"]),
        ("忘记密码 app", ["忘记", "记密", "密码", "app"]),
        ("ลืมรหัส", ["ลื", "ืม", "มร", "รห", "หั", "ัส"]),
        ("パスワードreset", ["パス", "スワ", "ワー", "ード", "reset"]),
        ("啊", ["啊"]),
        ("ﾊﾟｽ ＡＢＣ", ["パス", "abc"]),
        ("שכחתי סיסמה", ["שכחתי", "סיסמה"]),
        ("42 !?", []),
        ("", []),
    ],
)
def test_words_of_a_text(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text())
def test_any_text_has_words_without_spaces_in_them(text: str) -> None:
    assert all(word and not any(character.isspace() for character in word) for word in words(text))


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("invoices", "invoice"),
        ("policies", "policy"),
        ("boxes", "box"),
        ("addresses", "address"),
        ("invoice", "invoice"),
        ("address", "address"),
        ("status", "status"),
        ("bus", "bus"),
        ("is", "is"),
        ("密码", "密码"),
    ],
)
def test_the_english_plural_is_taken_off(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [("invoice", True), ("密码", True), ("пароль", True), ("the", False), ("please", False), ("x", False)],
)
def test_words_that_may_say_what_a_message_is_about(word: str, expected: bool) -> None:
    assert is_content(word) is expected


@pytest.mark.parametrize(
    "forms",
    [
        ("charge", "charges", "charged", "charging"),
        ("stop", "stopped", "stopping", "stops"),
        ("policy", "policies"),
        ("cancel", "cancels", "canceled"),
    ],
)
def test_the_forms_of_a_word_have_one_lemma(forms: tuple[str, ...]) -> None:
    assert len({lemma(form) for form in forms}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("card", "care"), ("bill", "bile"), ("need", "fee"), ("ring", "red")]
)
def test_other_words_have_other_lemmas(one: str, other: str) -> None:
    assert lemma(one) != lemma(other)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("invoice", True),
        ("bill", True),
        ("zurück", True),
        ("the", False),
        ("please", False),
        ("today", False),
        ("whats", False),
        ("what's", False),
        ("order's", False),
        ("up", False),
        ("w2", True),
        ("", False),
    ],
)
def test_words_that_may_stand_in_a_name(word: str, expected: bool) -> None:
    assert may_name(word) is expected


# Distinctive words


SIX_OTHERS = [f"where is my parcel {word}" for word in ("now", "today", "again", "anyway", "then", "sir")]


def test_distinctive_words_are_common_inside_and_rare_outside() -> None:
    statistics = statistics_of("cancel my order", "cancel orders now", "please cancel it", *SIX_OTHERS)

    assert statistics.distinctive([0, 1, 2]) == ["cancel", "order"]


def test_keywords_are_words_that_people_wrote() -> None:
    english = statistics_of("cancel my order", "cancel orders now", "cancel orders", *SIX_OTHERS)
    assert english.keywords([0, 1, 2], 8) == ["cancel", "orders"]
    assert english.keywords([0, 1, 2], 1) == ["cancel"]
    texts = ["mi serve il certificato", "certificati covid", "il certificato covid", *SIX_OTHERS]
    italian = WordStatistics(corpus_of([], texts), language="it")
    assert italian.distinctive([0, 1, 2]) == ["certific", "covid"]
    assert italian.keywords([0, 1, 2], 8) == ["certificato", "covid"]


def test_a_word_of_one_row_is_not_distinctive() -> None:
    assert statistics_of("cancel it", "stop it", *SIX_OTHERS).distinctive([0, 1]) == []


def test_rows_with_a_form_of_a_word() -> None:
    statistics = statistics_of("cancel it", "canceled: how to cancel", "canceling", "send it")

    assert statistics.lemmas[0] == ["cancel", "it"]
    assert statistics.rows_with_lemma("cancel") == 3


def test_the_distinctive_words_of_chinese() -> None:
    statistics = statistics_of(
        "忘记密码了", "密码不对", "我的密码呢", "快递到哪了", "快递几天到", "什么时候发货"
    )

    assert statistics.distinctive([0, 1, 2]) == ["密码"]


def test_in_every_row_of_the_corpus_a_word_tells_nothing() -> None:
    statistics = statistics_of("refund please", "refund now", "refund it")

    assert statistics.distinctive([0, 1]) == []


# Coverage


@pytest.mark.parametrize(
    ("holding", "expected"),
    [
        ({"refund": 4}, 4 / 4),
        ({"refund": 3, "": 1}, 3 / 4),
        ({"refund": 5, "invoice": 4}, 5 / 9),  # one word for five rows
        ({"refund": 6, "invoice": 4}, 10 / 10),
        ({"refund": 6, "invoice": 5, "": 1}, 11 / 12),
        ({"refund": 8, "invoice": 5, "subscription": 4, "receipt": 3}, 17 / 20),  # and three at most
    ],
)
def test_coverage_is_the_share_of_rows_with_one_of_a_few_distinctive_words(
    holding: dict[str, int], expected: float
) -> None:
    group = [word for word, count in holding.items() for _ in range(count)]

    assert statistics_of(*group, *4 * SIX_OTHERS).coverage(range(len(group))) == pytest.approx(expected)


def test_small_talk_shares_no_words() -> None:
    statistics = statistics_of("lol", "you are funny", "nice weather", "what a day", *SIX_OTHERS)

    assert statistics.coverage([0, 1, 2, 3]) == 0.0


def test_a_thai_group_is_covered() -> None:
    statistics = statistics_of("ลืมรหัสผ่าน", "รหัสผ่านผิด", "เปลี่ยนรหัสผ่าน", "พัสดุอยู่ไหน", "ส่งของวันไหน", "ขอบคุณ")

    assert statistics.coverage([0, 1, 2]) == 1.0


# Familiar rows


def familiar(known: list[str], logged: list[str]) -> list[bool]:
    return familiar_rows(corpus_of(known, logged), 5).tolist()


KNOWN = ["hello there", "where is my order", "cancel my order"]
USUAL = [
    f"{wish} my order {when}" for wish in ("where", "cancel", "is", "hello") for when in ("now", "today")
]


def test_noise_and_other_languages_are_unfamiliar() -> None:
    logged = [*USUAL, "asdf qwer jkl", "wo bleibt mein paket", "what is my order number exactly"]

    assert familiar(KNOWN, logged) == [True] * 11 + [False, False, True]


def test_a_word_that_three_messages_use_is_familiar() -> None:
    logged = [*USUAL, "paket fehlt", "paket kaputt", "paket"] + USUAL

    assert familiar(KNOWN, logged)[11:14] == [True, True, True]


def test_what_is_sent_in_the_same_words_as_often_as_a_proposal_needs_may_be_a_wish() -> None:
    corpus = corpus_of(KNOWN, [*USUAL, "unsubscribe", "asdf"])
    corpus.counts[-2:] = [5, 4]

    assert familiar_rows(corpus, 5).tolist() == [True] * 12 + [False]
    assert familiar_rows(corpus, 6).tolist() == [True] * 11 + [False, False]
    assert "in fewer than three different messages" in UNFAMILIAR


def test_words_of_the_dictionary_alone_are_familiar_even_where_nobody_else_uses_them() -> None:
    odd = ["Dumbbell", "healthy foods", "asdfgh", "jnhjkj hlww", "wapas kab milega", "hi"]
    corpus = corpus_of(KNOWN, [*USUAL * 4, *odd])

    assert familiar_rows(corpus, 5, "en").tolist() == [True] * 37 + [False] * 4
    assert familiar_rows(corpus, 5).tolist() == [True] * 35 + [False] * 6
    assert familiar_rows(corpus, 5, "th").tolist() == familiar_rows(corpus, 5).tolist(), "it has none"
    assert "dictionary of its language" in UNFAMILIAR


def test_a_text_without_words_is_unfamiliar() -> None:
    assert familiar(KNOWN, [*USUAL, "<email>"]) == [True] * 11 + [False]


def test_a_training_example_is_always_familiar() -> None:
    assert familiar([*KNOWN, "42"], USUAL) == [True] * 12


def test_a_log_in_a_language_of_its_own_is_familiar_as_a_whole() -> None:
    logged = ["wo bleibt es", "noch nichts da", "rechnung bitte", "passwort vergessen"]

    assert familiar(KNOWN, logged) == [True] * 7


def test_a_fifth_may_be_unfamiliar_and_not_more() -> None:
    assert familiar(KNOWN, [*USUAL, "qwer", "uiop"]).count(False) == 2
    assert familiar(KNOWN, [*USUAL, "qwer", "uiop", "zxcv"]).count(False) == 0


@pytest.mark.parametrize(
    "known",
    [
        ["我要取消订单", "我的订单在哪"],
        ["ยกเลิกคำสั่งซื้อ", "คำสั่งซื้ออยู่ไหน"],
        ["मेरा ऑर्डर कहाँ है", "ऑर्डर रद्द करो"],
        ["где мой заказ", "отменить заказ"],
    ],
    ids=["Chinese", "Thai", "Hindi", "Russian"],
)
def test_the_bot_s_own_language_is_familiar_and_another_one_is_not(known: list[str]) -> None:
    logged = [text + "!" * extra for text in known for extra in (1, 2, 3)]

    assert familiar(known, [*logged, "hello world"]) == [True] * 8 + [False]


@given(st.lists(st.text(), min_size=1, max_size=8), st.lists(st.text(), max_size=8))
def test_any_texts_can_be_judged(known: list[str], logged: list[str]) -> None:
    corpus = corpus_of(known, logged)
    statistics, found = WordStatistics(corpus), familiar_rows(corpus, 5)
    rows = range(len(known) + len(logged))

    assert found.shape == (len(rows),)
    assert found[: len(known)].all()
    assert 0.0 <= statistics.coverage(rows) <= 1.0


@pytest.mark.parametrize(
    ("known", "usual", "noise"),
    [
        (["荷物はどこですか", "返品したいです"], "荷物は届きますか", "ぬふあうえおやゆよ"),
        (["我的订单在哪里", "我想退款"], "我想知道订单", "魑魅魍魉饕餮"),
        (["ลืมรหัสผ่าน", "สินค้าอยู่ที่ไหน"], "รหัสผ่านผิด", "ฟหกดฟหกดา่สว"),
        (["שכחתי את הסיסמה", "איפה החבילה"], "איפה הסיסמה", "דגכע שדגכ"),
    ],
    ids=["Japanese", "Chinese", "Thai", "Hebrew"],
)
def test_typing_noise_is_told_in_any_script(known: list[str], usual: str, noise: str) -> None:
    logged = [usual, *(f"{text}{mark}" for text in known for mark in "!?.,"), noise]

    assert familiar(known, logged) == [True] * (len(known) + len(logged) - 1) + [False]
