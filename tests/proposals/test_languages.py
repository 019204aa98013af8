"""Words and names in the languages of other bots."""

from __future__ import annotations

import logging
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import tomli

from rasa_intent_discovery.datatypes import UNLABELED, Corpus
from rasa_intent_discovery.proposals.naming import segmenters
from rasa_intent_discovery.proposals.naming.japanese import dictionary
from rasa_intent_discovery.proposals.naming.korean import morphemes
from rasa_intent_discovery.proposals.naming.languages import language_of
from rasa_intent_discovery.proposals.naming.names import name_intent
from rasa_intent_discovery.proposals.naming.words import WordStatistics


def name(language: str, group: list[str], others: list[str], *taken: str) -> str:
    texts = (*group, *others)
    n = len(texts)
    spellings = tuple(((text, 1),) for text in texts)
    corpus = Corpus(texts, np.full(n, UNLABELED), np.ones(n, dtype=np.int64), spellings, ())
    return name_intent(range(len(group)), WordStatistics(corpus, language=language), taken)


CASES = {
    "de": (
        ["ich möchte meinen Vertrag kündigen", "wie kündige ich den Vertrag", "Vertrag bitte gekündigt"],
        ["Wo ist mein Paket", "Wo bleibt das Paket heute", "Ist das Paket da", "Paket noch nicht da"],
        "vertrag_kuendigen",
    ),
    "es": (
        ["quiero cancelar mi pedido", "¿cómo cancelo el pedido?", "cancela mis pedidos por favor"],
        ["dónde está mi paquete", "mi paquete no llega", "cuándo llega el paquete", "el paquete está aquí"],
        "cancelar_pedido",
    ),
    "fr": (
        ["je veux résilier mon contrat", "comment je résilie le contrat", "résilier un contrat"],
        ["où est mon colis", "mon colis n'arrive pas", "quand arrive le colis", "le colis est là"],
        "resilier_contrat",
    ),
    "pt": (
        ["quero alterar a minha senha", "como alterar a senha", "alterar senha por favor"],
        ["onde está minha encomenda", "a encomenda não chegou", "quando chega a encomenda", "encomenda aqui"],
        "alterar_senha",
    ),
    "it": (
        ["voglio cambiare la password", "come cambio la password", "cambiare password"],
        ["dove è il mio pacco", "il pacco non arriva", "quando arriva il pacco", "il pacco è qui"],
        "cambiare_password",
    ),
    "nl": (
        ["ik wil mijn bestelling annuleren", "hoe annuleer ik mijn bestelling", "bestelling annuleren"],
        ["waar is mijn pakket", "mijn pakket komt niet", "wanneer komt het pakket", "het pakket is hier"],
        "bestelling_annuleren",
    ),
    "ru": (
        ["забыл пароль", "не помню пароль", "какой у меня пароль"],
        ["где мой заказ", "заказ не пришел", "когда придет заказ", "мой заказ здесь"],
        "parol",
    ),
    "zh": (
        ["我想退款", "怎么申请退款", "退款什么时候到"],
        ["快递到哪了", "我的快递呢", "快递几天到", "快递在哪里"],
        "tuikuan",
    ),
    "ja": (
        ["返品したいです", "返品の方法は", "返品できますか"],
        ["荷物はどこですか", "荷物が届かない", "荷物はいつ届く", "私の荷物は"],
        "henpin",
    ),
    "ko": (
        ["비밀번호를 잊어버렸어요", "비밀번호가 기억 안나요", "비밀번호 뭐였죠"],
        ["제 주문은 어디에 있나요", "주문 언제 와요", "주문이 아직 안 왔어요", "주문 배송 조회"],
        "bimilbeonho",
    ),
    "th": (
        ["ยกเลิกการจอง", "ขอยกเลิกการจองโรงแรม", "จะยกเลิกการจองอย่างไร"],
        ["พัสดุอยู่ที่ไหน", "พัสดุยังไม่มา", "พัสดุจะถึงเมื่อไร", "พัสดุของฉัน"],
        "ยกเลิก_จอง",
    ),
    "km": (
        ["ខ្ញុំភ្លេចពាក្យសម្ងាត់", "ប្តូរពាក្យសម្ងាត់", "ពាក្យសម្ងាត់មិនត្រឹមត្រូវ"],
        ["កញ្ចប់របស់ខ្ញុំនៅឯណា", "កញ្ចប់មិនទាន់មកដល់", "កញ្ចប់មកដល់ពេលណា", "កញ្ចប់របស់ខ្ញុំ"],
        "ពាក្យសម្ងាត់",
    ),
}


@pytest.mark.parametrize("language", CASES)
def test_names_are_made_of_base_forms_in_the_order_of_the_language(language: str) -> None:
    group, others, expected = CASES[language]

    assert name(language, group, others) == expected


@pytest.mark.parametrize(
    ("language", "group", "expected"),
    [
        ("de", ["die Lampe funktioniert nicht", "Lampe funktioniert nicht mehr"], "lampe_funktioniert_nicht"),
        ("de", ["keine Rechnung erhalten", "Rechnung nicht erhalten"], "kein_rechnung_erhalten"),
        ("es", ["la lámpara no funciona", "no funciona mi lámpara"], "no_funciona_lampara"),
        ("fr", ["la lampe ne fonctionne pas", "lampe fonctionne pas"], "lampe_fonctionne_pas"),
        ("pt", ["não recebi o reembolso", "nao recebi reembolso"], "nao_recebi_reembolso"),
        ("ru", ["лампа не горит", "лампа вчера не горит"], "lampa_ne_gorit"),
        ("nl", ["lamp werkt niet", "de lamp werkt niet meer"], "lamp_werkt_niet"),
        ("hr", ["kartica je blokirana", "moja kartica je blokirana"], "kartica_blokirana"),
        ("uk", ["лампа не горить", "лампа знову не горить"], "lampa_ne_gorit"),
        (
            "de",
            ["die Lampe funktioniert", *["Lampe funktioniert"] * 3, "Lampe funktioniert nicht"],
            "lampe_funktioniert",
        ),
    ],
)
def test_what_is_negated_keeps_its_negation(language: str, group: list[str], expected: str) -> None:
    assert name(language, group, CASES.get(language, CASES["de"])[1]) == expected


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [("tr", "IBAN", "iban"), ("az", "WIFI", "wifi"), ("tr", "SIPARİŞ", "sipariş")],
)
def test_words_that_differ_in_the_dots_of_capitals_are_one(language: str, one: str, other: str) -> None:
    spoken = language_of(language)
    [first], [second] = spoken.words(one), spoken.words(other)
    assert (spoken.stem(first), spoken.lemma(first)) == (spoken.stem(second), spoken.lemma(second))


@pytest.mark.parametrize(("language", "word"), [("ru", "pro"), ("vi", "ban"), ("ru", "drug")])
def test_a_foreign_word_like_a_function_word_in_other_letters_may_name(language: str, word: str) -> None:
    assert language_of(language).may_name(word)


def test_a_noun_alone_gets_a_verb_where_the_bot_s_names_have_one() -> None:
    group = ["die Rechnung", "meine Rechnung?", "Rechnung"]
    others = CASES["de"][1]

    assert name("de", group, others) == "rechnung"
    assert name("de", group, others, "ask_paket") == "ask_rechnung"


def test_an_article_tells_a_noun_from_the_verb_it_is_spelled_as() -> None:
    group = [
        "quero cancelar meu pedido",
        "como cancelo o pedido",
        "cancelar pedido já pago",
        "cancela o pedido",
    ]
    assert name("pt", group, CASES["pt"][1] * 2) == "cancelar_pedido"

    group = ["vorrei fare un reso", "come faccio il reso", "reso gratuito", "il mio reso"]
    assert name("it", group, CASES["it"][1] * 2) == "reso"


@pytest.mark.parametrize(
    ("language", "word"),
    [
        *[("es", "cuenta"), ("es", "estado"), ("es", "trabajo"), ("fr", "retour"), ("fr", "nouveau")],
        *[("it", "registrazione"), ("it", "stato"), ("pt", "viagem"), ("de", "mensch")],
    ],
)
def test_what_an_intent_is_about_may_name_though_the_list_of_function_words_has_it(
    language: str, word: str
) -> None:
    spoken = language_of(language)
    assert spoken.may_name(word) and spoken.base(word) == word


@pytest.mark.parametrize(
    ("language", "word"),
    [
        *[("es", "quiero"), ("es", "necesito"), ("pt", "preciso"), ("fr", "voudrais"), ("it", "vorrei")],
        *[("pl", "chcę"), ("pl", "prosze"), ("tr", "istiyorum"), ("tr", "lutfen"), ("hi", "कृपया")],
        *[("ar", "أحتاج"), ("ja", "願う"), ("ja", "教える")],
    ],
)
def test_what_asks_for_anything_names_nothing(language: str, word: str) -> None:
    assert not language_of(language).may_name(word)


def grouped(language: str, groups: list[list[str]]) -> WordStatistics:
    texts = tuple(text for group in groups for text in group)
    n = len(texts)
    corpus = Corpus(texts, np.full(n, UNLABELED), np.ones(n, dtype=np.int64), ((),) * n, ())
    of_group = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    return WordStatistics(corpus, language=language).grouped(np.arange(n), of_group)


@pytest.mark.parametrize("language", ["pl", "tr", "xx"])
def test_a_word_that_is_said_with_every_wish_names_none(language: str) -> None:
    """Nobody has to list the greetings of a language."""
    wishes = ["zamrol", "sinkor", "dalfen", "mustop", "befrax"]
    groups = [[*[wish] * 5, f"ahoy {wish}"] for wish in wishes]
    groups[-1] = [*["befrax"] * 3, *["ahoy befrax"] * 3]

    assert name(language, groups[-1], [text for group in groups[:-1] for text in group]) == "ahoy_befrax"
    statistics = grouped(language, groups)
    assert [word for word in ("ahoy", *wishes) if not statistics.may_name(word)] == ["ahoy"]
    best = name_intent(range(24, 30), statistics, [])
    assert best == ("ask_befrax" if language == "xx" else "befrax")


def test_a_word_of_some_wishes_that_strays_into_all_may_name() -> None:
    """As "card" in a bank: it is in every group, but in two much more often than in the others."""
    strays = [["karta", *["konto"] * 9] for _ in range(4)]
    assert grouped("pl", [["karta"] * 10, ["karta"] * 10, *strays]).may_name("karta")


def test_english_has_its_own_list_of_what_goes_with_any_wish() -> None:
    assert grouped("en", [["find it"] * 6] * 6).may_name("find")


def test_german_capitals_tell_nouns_from_verbs() -> None:
    german, forms = language_of("de"), {"kost": Counter(["kosten"])}
    spoken = german.as_written(["Was sind die Kosten", "hohe Kosten"], ())

    assert (german.verbs((), forms), spoken.verbs((), forms)) == ({"kost"}, set())


@pytest.mark.parametrize(
    ("vocabulary", "expected"),
    [
        ((), "salgar"),  # as the dictionary has it, though it is a form of `salir`
        (["salgan", "certificado"], "salgan"),
        (["salgan", "salgar"], "salgar"),
        (["salgan", "salgo"], "salgar"),
    ],
)
def test_an_infinitive_is_one_that_is_written_or_has_two_forms(vocabulary: list[str], expected: str) -> None:
    assert language_of("es").as_written([], vocabulary).base("salgan") == expected


def test_a_wrong_infinitive_of_the_dictionary_stands_in_no_name() -> None:
    group = ["certificado de empadronamiento"] * 8
    group += ["certificado donde salgan todos", "un certificado donde salgan los niños"]

    assert name("es", group, CASES["es"][1] * 3) == "certificado_empadronamiento"


def test_stop_words_and_stems_are_those_of_the_language() -> None:
    german = language_of("de")

    assert [word for word in "ich habe die rechnungen nicht".split() if german.is_content(word)] == [
        "rechnungen"
    ]
    assert german.stem("rechnungen") == german.stem("rechnung")


@pytest.mark.parametrize("code", [None, "xx", "en"])
def test_what_no_library_knows_is_read_as_english(code: str | None) -> None:
    assert language_of(code).stem("invoices") == "invoice"


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("th", "เปลี่ยนรหัสผ่านอย่างไร", ["เปลี่ยน", "รหัส", "ผ่าน", "อย่างไร"]),
        ("lo", "ຂ້ອຍລືມລະຫັດຜ່ານ", ["ຂ້ອຍ", "ລືມ", "ລະຫັດ", "ຜ່ານ"]),
        ("km", "ខ្ញុំភ្លេចពាក្យសម្ងាត់", ["ខ្ញុំ", "ភ្លេច", "ពាក្យសម្ងាត់"]),
        ("my", "စကားဝှက်မေ့သွားတယ်", ["စကားဝှက်", "မေ့", "သွား", "တယ်"]),
        ("zh", "我想申请退款", ["我", "想", "申请", "退款"]),
        ("zh", "各种各样々", ["各种各样", "々"]),
    ],
)
def test_scripts_without_spaces_are_cut_into_words(language: str, text: str, expected: list[str]) -> None:
    assert language_of(language).words(text) == expected


@pytest.mark.parametrize(
    ("language", "library", "extra", "packages"),
    [
        ("zh", "jieba", "chinese", "jieba"),
        ("ja", "fugashi", "japanese", "fugashi unidic-lite jaconv"),
        ("ja", "jaconv", "japanese", "fugashi unidic-lite jaconv"),
        ("ko", "kiwipiepy", "korean", "kiwipiepy"),
        ("th", "icu4py.breakers", "southeast-asian", "icu4py"),
        ("km", "icu4py.breakers", "southeast-asian", "icu4py"),
    ],
)
def test_without_its_library_a_language_is_read_in_pairs(
    language: str,
    library: str,
    extra: str,
    packages: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    caches = (segmenters.segmenter_of, dictionary, morphemes, language_of)
    for cache in caches:
        cache.cache_clear()
    with caplog.at_level(logging.WARNING):
        assert segmenters.segmenter_of(language) is None
        assert language_of(language).words("ไทย中文かな") == ["ไท", "ทย", "ย中", "中文", "文か", "かな"]
    for cache in caches:
        cache.cache_clear()
    assert caplog.messages == [
        f"language: {language} is read in pairs of characters; for words, which make better names, run "
        f"pip install {packages}"
    ]
    extras = tomli.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    asked_for = [package.split(">")[0] for package in extras["optional-dependencies"][extra]]
    assert asked_for == packages.split()


@pytest.mark.parametrize(
    ("language", "word", "may"),
    [
        ("it", "potete", False),
        ("it", "stanno", False),
        ("es", "debería", False),
        ("it", "partire", True),
        ("de", "suchst", True),
        ("pt", "ligar", True),
        ("es", "hablar", True),
    ],
)
def test_a_verb_that_goes_with_anything_names_nothing(language: str, word: str, may: bool) -> None:
    """The lists of function words have some of its forms."""
    assert language_of(language).may_name(word) == may


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "組み立て方を教えてください",
            ["組み立て", "方", "教える"],
        ),  # verbs as they are listed, no particles
        ("定期購入を解約したいです", ["定期", "購入", "解約"]),  # no `する` behind a noun, and no `たい`
        ("修理してもらえますか", ["修理"]),  # nor a verb that only helps
        ("炊飯器の電源が切れる", ["炊飯器", "電源", "切れる"]),  # suffixes stay; `切れる` helps nothing here
        ("お届け先", ["届け先"]),
        ("回収をお願いできますか", ["回収", "願う"]),  # nor `できる` behind another verb
        ("ＡＢＣの電池", ["abc", "電池"]),
        ("です", ["です"]),  # where nothing else is there
        ("はい", ["はい"]),
    ],
)
def test_japanese_words_are_those_of_a_dictionary(text: str, expected: list[str]) -> None:
    assert language_of("ja").words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("비밀번호를 바꾸고 싶어요", ["비밀번호", "바꾸다", "싶어요"]),  # no particle; a verb as it is listed
        ("영수증이 안 왔어요", ["영수증", "안", "오다"]),
        ("회원탈퇴하고싶어요", ["회원탈퇴"]),  # nor what makes a verb of a noun, or helps one
        ("QR코드 스캔", ["qr", "코드", "스캔"]),
        ("ㅠㅠ", ["ㅠㅠ"]),  # where nothing else is there
    ],
)
def test_korean_words_are_without_what_is_written_in_one_with_them(text: str, expected: list[str]) -> None:
    assert language_of("ko").words(text) == expected


@pytest.mark.parametrize(
    ("word", "may"),
    [
        *[("비밀번호", True), ("바꾸다", True), ("돈", True), ("비싸다", True)],
        *[("안", False), ("언제", False), ("네", False), ("우리", False), ("되다", False), ("하다", False)],
        *[("wifi", True), ("esim", True), ("of", False)],
    ],
)
def test_what_may_stand_in_a_korean_name(word: str, may: bool) -> None:
    assert language_of("ko").may_name(word) == may


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("fr", "Résilier l'abonnement aujourd'hui", ["résilier", "abonnement", "aujourd'hui"]),
        ("fr", "je n’ai pas d`argent qu'il faut", ["je", "ai", "pas", "argent", "il", "faut"]),
        ("it", "annullare dell'ordine un'altra", ["annullare", "ordine", "altra"]),
        ("ca", "l'abonament", ["abonament"]),
        ("uk", "об'єкт", ["об'єкт"]),  # it is a part of the word
        ("de", "gibt's", ["gibt's"]),
        ("tr", "İADE ŞARTLARI SIK", ["iade", "şartları", "sık"]),
        ("en", "İade doesn´t load", ["iade", "doesn't", "load"]),
        ("en", "page https://www.shop.com/help/815 or www.ebay.com, lost", ["page", "or", "lost"]),
        ("en", "late, [NAME] and <email>, [not this]", ["late", "and", "not", "this"]),
    ],
)
def test_what_is_a_word(language: str, text: str, expected: list[str]) -> None:
    assert language_of(language).words(text) == expected


@pytest.mark.parametrize(
    ("language", "word", "may"),
    [
        *[("nb", "jeg", False), ("nn", "vil", False), ("no", "vil", False), ("nb", "kvittering", True)],
        *[("de", "moechte", False), ("de", "wuerde", False), ("de", "kuendigen", True)],
        *[("tr", "icin", False), ("sv", "fran", False), ("sv", "far", True), ("bs", "kako", False)],
    ],
)
def test_function_words_without_accents_and_of_one_language_under_several_codes(
    language: str, word: str, may: bool
) -> None:
    """The Swedish `far` is a father, though it is `får` without its ring."""
    assert language_of(language).may_name(word) == may


@pytest.mark.parametrize(
    ("word", "latin"),
    [
        *[("組み立て", "kumitate"), ("購入", "kounyuu"), ("修理", "shuuri"), ("炊飯器", "suihanki")],
        *[("切れる", "kireru"), ("メルマガ", "merumaga"), ("abc", "abc")],
    ],
)
def test_a_japanese_word_is_written_as_it_is_said(word: str, latin: str) -> None:
    """Letter by letter, as Chinese characters are read in Chinese, `組み立て` would be `zumilite`."""
    assert language_of("ja").latin(word) == latin


@pytest.mark.parametrize(
    ("word", "may"),
    [
        *[("店舗", True), ("変える", True), ("重い", True), ("保証書", True)],
        *[("こんにちは", False), ("まだ", False), ("どこ", False), ("する", False)],
    ],
)
def test_what_may_stand_in_a_japanese_name(word: str, may: bool) -> None:
    assert language_of("ja").may_name(word) == may


def test_forms_and_spellings_of_a_japanese_word_count_as_one() -> None:
    japanese = language_of("ja")
    words = [japanese.words(text)[0] for text in ("届かない", "届きました", "届く")]
    assert {*map(japanese.lemma, words)} == {"届く"}
    assert japanese.stem("御免") == japanese.stem("ごめん")
    assert japanese.as_written(["届く"], {"届く"}) is japanese


def test_a_german_letter_is_written_as_two_in_a_name() -> None:
    assert language_of("de").latin("größe") == "groeße"
    assert language_of("sv").latin("köpa") == "köpa"
    assert language_of("en").latin("naïve") == "naïve"


def test_a_japanese_name_has_the_verb_last() -> None:
    group = ["配達日を変えたい", "配達日を変えてください", "配達日は変えられますか"]
    others = ["荷物はどこですか", "荷物が届かない", "荷物はいつ届く", "私の荷物は"]
    assert name("ja", group, others) == "haitatsu_kaeru"
