"""Messages in a language that the bot does not speak, and those of which that is not sure."""

from __future__ import annotations

import numpy as np
import pytest

from rasa_intent_discovery.corpus.other_languages import groups_in_other_languages, rows_in_other_languages
from rasa_intent_discovery.datatypes import UNLABELED, Corpus

GERMAN = [
    f"ich möchte wissen, {what}"
    for what in (
        "wo meine Bestellung ist",
        "wann das Paket kommt",
        "was der Versand kostet",
        "wie ich bezahlen kann",
        "ob ihr am Samstag offen habt",
        "warum die Rechnung so hoch ist",
    )
]
ENGLISH = [
    "where is the parcel that I was promised",
    "why is there no answer from your shop",
    "could you please tell me what it is",
    "I have been waiting for this and it is not here",
    "what is the price of all of these",
]
RUSSIAN = [f"где мой заказ номер {word}, я долго жду" for word in ("один", "два", "три", "четыре", "пять")]


def corpus(examples: list[str], logged: list[str]) -> Corpus:
    texts = (*examples, *logged)
    return Corpus(
        texts=texts,
        labels=np.array([0] * len(examples) + [UNLABELED] * len(logged), dtype=np.int64),
        counts=np.array([0] * len(examples) + [1] * len(logged), dtype=np.int64),
        spellings=tuple(((text, 1),) for text in texts),
        intents=("order",),
    )


@pytest.mark.parametrize(("others", "language"), [(ENGLISH, "en"), (RUSSIAN, "ru")])
def test_several_messages_in_another_language_are_told(others: list[str], language: str) -> None:
    found = rows_in_other_languages(corpus(GERMAN, [*others, *GERMAN]), "de")

    assert found == {row: language for row in range(len(GERMAN), len(GERMAN) + len(others))}


@pytest.mark.parametrize(
    "logged",
    [
        ENGLISH[:4],  # a few may be wrong guesses
        ["password reset", "cancel order", "track parcel", "gift card", "refund status"],
        ["checkout is down, ich kann nicht bezahlen", "das shopping cart funktioniert nicht bei mir"],
        [*ENGLISH, *ENGLISH],
    ],
    ids=["few", "short", "mixed", "most of the log"],
)
def test_what_is_not_sure_is_the_bot_s_own(logged: list[str]) -> None:
    own = GERMAN if len(logged) < 10 else GERMAN[:2]

    assert rows_in_other_languages(corpus(GERMAN, [*logged, *own]), "de") == {}


JAPANESE = [
    "注文をキャンセルしたいのですが",
    "ログインできません、どうすればいいですか",
    "アカウントがロックされました",
]
HALF_WIDTH = ["ﾁｭｳﾓﾝ ｷｬﾝｾﾙｼﾀｲ", "ﾛｸﾞｲﾝｴﾗｰﾄﾞｳｽﾚﾊﾞ", "ｱｶｳﾝﾄﾛｯｸｶｲｼﾞｮ", "ｶﾂﾊﾟﾝｺｰﾄﾞ ﾂｶｴﾅｲ", "ﾊﾟｽﾜｰﾄﾞ ﾘｾｯﾄ ﾀﾉﾑ"]
FULL_WIDTH = ["ｗｈｅｒｅ　ｉｓ　ｍｙ　ｏｒｄｅｒ", "ＰＡＳＳＷＯＲＤ　ＲＥＳＥＴ　ＮＯＷ"] * 3


@pytest.mark.parametrize(("examples", "language"), [(JAPANESE * 12, "ja"), (ENGLISH, "en")])
def test_half_and_full_width_are_no_other_script(examples: list[str], language: str) -> None:
    logged = [*(HALF_WIDTH if language == "ja" else FULL_WIDTH), *examples, *RUSSIAN]
    found = rows_in_other_languages(corpus(examples, logged), language)

    assert {*found.values()} == {"ru"}


CHINESE = [
    "我的订单在哪里为什么还没有到",
    "请问怎么退货我想退这双鞋子",
    "我忘记密码了怎么办登录不了",
    "发票怎么开我需要公司抬头的发票",
    "你们可以送货到中国吗运费多少",
]
KANJI_ALONE = ["配送状況確認方法", "注文番号確認希望", "領収書発行希望"]


@pytest.mark.parametrize(
    ("own", "language", "others", "other"),
    [(JAPANESE, "ja", CHINESE, "zh"), (CHINESE, "zh", [*JAPANESE, *JAPANESE[:2]], "ja")],
)
def test_chinese_and_japanese_are_told_apart_by_their_signs(
    own: list[str], language: str, others: list[str], other: str
) -> None:
    logged = [*own * 3, *(KANJI_ALONE if language == "ja" else []), *others]
    found = rows_in_other_languages(corpus(own * 8, logged), language)

    last = len(own) * 8 + len(logged)
    assert found == {row: other for row in range(last - len(others), last)}


HINDI = ["मेरा ऑर्डर कहाँ है और कब आएगा", "मुझे रिफंड कब तक मिलेगा", "मेरा पासवर्ड काम नहीं कर रहा है", "दुकान कब खुलती है"]
IN_LATIN_LETTERS = [
    f"hello mujhe is {what} chahiye please"
    for what in ("order ki invoice", "product ki warranty", "account me refund")
]
IN_LATIN_LETTERS += [
    "is par kya discount hai mere order ka please",
    "please is order me address kaise change kare",
]


def test_what_is_typed_in_latin_letters_with_english_words_is_the_bot_s_own() -> None:
    logged = [*HINDI * 4, *IN_LATIN_LETTERS, *ENGLISH]
    found = rows_in_other_languages(corpus(HINDI * 10, logged), "hi")

    first = len(HINDI) * 14 + len(IN_LATIN_LETTERS)
    assert found == {row: "en" for row in range(first, first + len(ENGLISH))}


SERBIAN = ["где је моја пошиљка", "кад стиже пакет", "промена адресе доставе", "како да вратим патике"]
# What the detector takes for Macedonian.
LIKE_MACEDONIAN = [f"како да {what}" for what in ("откажем претплату", "платим рачун", "добијем рачун")]


def test_nor_is_the_script_of_the_bot_s_examples() -> None:
    logged = [*SERBIAN, *SERBIAN, *LIKE_MACEDONIAN, *LIKE_MACEDONIAN, *ENGLISH]

    assert {*rows_in_other_languages(corpus(SERBIAN, logged), "sr").values()} == {"en"}


def test_without_a_language_nothing_is_told() -> None:
    assert rows_in_other_languages(corpus(GERMAN, [*ENGLISH, *GERMAN]), None) == {}


MIXED = [
    "je vais y réfléchir et je vous rappelle demain",
    "no me funciona el código que tengo para pagar",
    "ok danke",
    "hmm",
    "asdf",
]


def foreign(group: list[str], others: list[str] = ENGLISH) -> bool:
    """Whether a group is in other languages than those of an English bot; `others` are in its log, too."""
    logged = corpus(ENGLISH, [*others, *others, *group])
    rows = range(len(logged.texts) - len(group), len(logged.texts))
    return groups_in_other_languages(logged, {7: rows}, "en") == {7}


def test_a_group_of_several_languages_and_of_noise_is_in_other_languages() -> None:
    assert foreign(MIXED)
    assert rows_in_other_languages(corpus(ENGLISH, [*ENGLISH, *MIXED]), "en") == {}, "too few of each"


@pytest.mark.parametrize(
    "group",
    [
        [*MIXED, *ENGLISH[:2]],
        [MIXED[0], *MIXED[2:]],
        [*MIXED[2:], "guten tag", "danke schön"],
        ["password reset", "track parcel", "gift card balance", "refund status please"],
        ENGLISH,
    ],
    ids=["half of it", "one message", "too short to tell", "short", "own"],
)
def test_a_group_of_which_that_is_not_sure_is_not(group: list[str]) -> None:
    assert not foreign(group)


def test_no_group_is_where_the_log_is_in_another_language_than_the_bot() -> None:
    assert not foreign(MIXED, others=GERMAN)
