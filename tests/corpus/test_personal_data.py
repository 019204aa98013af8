import re
import unicodedata

import phonenumbers
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.cleaning import masked_regions, read_text
from rasa_intent_discovery.corpus.national_numbers import NATIONAL_NUMBERS, national_numbers
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.corpus.personal_data import mask_personal_data, without_placeholders
from rasa_intent_discovery.corpus.phone_numbers import PHONE_REGIONS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("write to ann.lee+shop@mail.example.co.uk, please", "write to <email>, please"),
        ("jürgen@müller.example.de!", "<email>!"),
        ("'o'brien@example.org'", "'<email>'"),
        ("メールはann@example.orgです", "メールは<email>です"),
        ("a@example.org b@example.org", "<email> <email>"),
        ("пишите на ivan@почта.рф, спасибо", "пишите на <email>, спасибо"),
        ("иван@пример.бел", "<email>"),
        ("ann@例え.テスト", "<email>"),
        ("ａｎｎ＠ｅｘａｍｐｌｅ．ｏｒｇ", "<email>"),
        ("mail ann.lee (at) mail.example (dot) com please", "mail <email> please"),
        ("it is ann[at]example[dot]org.", "it is <email>."),
        ("it is ann dot lee AT example DOT co DOT uk!", "it is <email>!"),
        ("mail ann.smith @ gmail.com please", "mail <email> please"),
        ("mail ann.smith@ gmail.com", "mail <email>"),
        ("mail ann.smith @gmail.com", "mail <email>"),
        ("ann@gmail,com is mine", "<email> is mine"),
        ("ann@gmail.\ncom", "<email>"),
        ("ann.smith at gmail.com", "<email>"),
        ("i bought it at amazon.com", "i bought it at amazon.com"),
        ("meet me @ 5.30, not @ noon", "meet me @ 5.30, not @ noon"),
        ("what is @ann_lee on twitter", "what is @ann_lee on twitter"),
        # With spaces and a comma where none belongs.
        ("ann @ example. org", "<email>"),
        ("ann@example,com", "<email>"),
        ("ann@example .com", "<email>"),
        ("ann @gmail. com", "<email>"),
        ("ann @ web.de", "<email>"),
        ("ann@web, de", "<email>"),
        ("it is ann@gmail .com, ok", "it is <email>, ok"),
        ("it is ann@gmail com ok", "it is <email> ok"),
        ("anna.müller at web de", "<email>"),
        ("bob's is ann at gmail com", "bob's is <email>"),
        ("write to ann.meyer@firma. de please", "write to <email> please"),
        ("ann@ firma. de", "<email>"),
        ("ann.meyer @ firma. de", "<email>"),
        ("ann.meyer @firma. de", "<email>"),
        ("ann @ firma, de", "<email>"),
        ("support at gmx.de", "<email>"),
        ("contact at yahoo.fr", "<email>"),
        ("me at gmail.com", "<email>"),
        # As it is said in other languages.
        ("mi correo es ana.garcia arroba hotmail.com", "mi correo es <email>"),
        ("ana arroba gmail punto com, gracias", "<email>, gracias"),
        ("ana punto garcia arroba empresa punto com punto mx", "<email>"),
        ("ana (arroba) gmail (punto) com", "<email>"),
        ("ana arroba gmail com", "<email>"),
        ("ana arroba uol ponto com ponto br", "<email>"),
        ("jean.dupont arobase gmail.com", "<email>"),
        ("mon mail est jean arobase orange point fr", "mon mail est <email>"),
        ("jean point dupont arobase sfr point fr", "<email>"),
        ("anna ät gmx punkt de", "<email>"),
        ("anna punkt müller at gmx punkt de", "<email>"),
        ("anna@gmx punkt de", "<email>"),
        ("anna klammeraffe gmx.de", "<email>"),
        ("anna chiocciola libero punto it", "<email>"),
    ],
)
def test_masks_email_addresses(text, expected):
    assert mask_personal_data(text)[0] == expected


@pytest.mark.parametrize(
    "text",
    [
        "cancel my order @amazon, it is late",
        "thanks @AmazonHelp. It was delivered broken",
        "pick up @ store, at 5pm please",
        "hola @soporte, es urgente",
        "hola @banco. es para una transferencia",
        "hallo @support. In der app",
        "merci @sncf. es tu là",
        "oi @loja, com quem eu falo",
        "bonjour @sav point de vente",
        "x@y, it is",
        "my account at gmx.de is locked",
        "the support at gmx.de is slow",
        "hallo @support, de app",
        "can I log in at yahoo.com",
        "is it at gmail com",
        "what's at gmail.com and what’s at gmail.com",
        "the e-mail at gmx.de",
        "it is late at some point in May",
        "look at that point fr",
        "un punto com",
        "c'est le point fr",
        "una arroba de cafe",
        "una arroba en punto de venta",
        "la arroba y el punto com no funcionan",
        "no puedo escribir arroba ni punto com",
        "sigo a arroba amazon punto es",
        "l'arobase ne marche pas",
        "der Klammeraffe geht nicht, Punkt de",
    ],
)
def test_leaves_handles_and_words_alone(text):
    assert mask_personal_data(text) == (text, {})


@pytest.mark.parametrize(
    "number",
    [
        "020 7946 0123",
        "(020) 7946 0123",
        "02079460123",
        "07700 900123",
        "01632 960123",
        "212-555-0123",
        "(212) 555-0123",
        "2125550123",
        "087 123 4567",
        "0176 12345678",
        "0151/23456789",
        "06 12 34 56 78",
        "06.12.34.56.78",
        "612 345 678",
        "+44 20 7946 0123",
        "+447700900123",
        "+44 (0) 7700 900 123",
        "+1 (212) 555-0123",
        "+81 3-1234-5678",
        "0044 7700 900123",
        "+٤٤ ٢٠ ٧٩٤٦ ٠١٢٣",
    ],
)
def test_masks_phone_numbers(number):
    assert mask_personal_data(f"call {number}, not before 9") == ("call <phone>, not before 9", {"phone": 1})


@pytest.mark.parametrize(
    "number",
    [
        "4111 1111 1111 1111",
        "4111-1111-1111-1111",
        "4111111111111111",
        "3782 822463 10005",
        "6304 0000 0000 0000 00",
        "4222222222222",
        "4111.1111.1111.1111",
        "4111/1111/1111/1111",
        "3782.822463.10005",
        "４１１１ １１１１ １１１１ １１１１",
        "4111 1111\n1111 1111",
        "4111 1111 \r\n 1111 1111",
    ],
)
def test_masks_card_numbers(number):
    assert mask_personal_data(f"card {number} 12/27 was charged") == (
        "card <card> 12/27 was charged",
        {"card": 1},
    )


@pytest.mark.parametrize(
    "number",
    [
        "DE89 3704 0044 0532 0130 00",
        "de89370400440532013000",
        "GB82 WEST 1234 5698 7654 32",
        "FR14-2004-1010-0505-0001-3M02-606",
        "DE89.3704.0044.0532.0130.00",
        "DE 89 3704 0044 0532 0130 00",
        "DE-89-3704-0044-0532-0130-00",
        "DE89 3704 0044\n0532 0130 00",
    ],
)
def test_masks_ibans(number):
    assert mask_personal_data(f"to {number} please") == ("to <iban> please", {"iban": 1})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("card4111111111111111", "card<card>"),
        ("cc4111111111111111", "cc<card>"),
        ("is4111111111111111", "is<card>"),
        ("4111111111111111thanks", "<card>thanks"),
        ("IBANDE89370400440532013000", "IBAN<iban>"),
        ("toDE89370400440532013000", "to<iban>"),
        ("DE89370400440532013000thanks", "<iban>thanks"),
        ("07700900123x12", "<phone>x12"),
        ("tel07911123456", "tel<phone>"),
        ("Tel0044 7911 123456", "Tel<phone>"),
        ("tel+447911123456", "tel<phone>"),
        ("my number is07911123456", "my number is<phone>"),
        ("call me07911 123456 please", "call me<phone> please"),
        ("Handy0170 1234567", "Handy<phone>"),
        ("Handynummer0176 12345678", "Handynummer<phone>"),
        ("téléphone0612345678", "téléphone<phone>"),
        ("móvil0034 612345678", "móvil<phone>"),
    ],
)
def test_masks_what_is_glued_to_a_word(text, expected):
    assert mask_personal_data(text)[0] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my order 4471, call 07700900123", "my order 4471, call <phone>"),
        ("about order 07700 900123", "about order <phone>"),
        ("order +447700900123", "order <phone>"),
        ("order 4111111111111111", "order <card>"),
        ("imei 356938035643809 or 4111111111111111", "imei 356938035643809 or <card>"),
        ("電話番号0312345678", "電話番号<phone>"),
        ("携帯番号は09012345678です", "携帯番号は<phone>です"),
        ("私の番号は09012345678です", "私の番号は<phone>です"),
        ("注文番号 090-1234-5678 4111111111111111", "注文番号 090-1234-5678 <card>"),
        ("전화번호 0311234567", "전화번호 <phone>"),
        ("내번호 01012345678", "내번호 <phone>"),
        ("제번호는 010-1234-5678", "제번호는 <phone>"),
        ("ケイタイ番号は090-1234-5678", "ケイタイ番号は<phone>"),
        ("自宅番号 03-1234-5678", "自宅番号 <phone>"),
        ("手机编号 01012345678", "手机编号 <phone>"),
        ("my card 36340828769990", "my card <card>"),  # of 14 digits, also right as those of a pallet
        # With the dashes of other keyboards.
        ("０９０−１２３４−５６７８", "<phone>"),
        ("＋８１−９０−１２３４−５６７８", "<phone>"),
        ("電話は090ー1234ー5678です", "電話は<phone>です"),
        ("4111ー1111ー1111ー1111", "<card>"),
        ("スーパー 020—7946—0123", "スーパー <phone>"),
    ],
)
def test_a_word_before_a_number_excuses_only_what_it_may_name(text, expected):
    assert mask_personal_data(text)[0] == expected


@pytest.mark.parametrize(
    "text",
    [
        "where is order 4471?",
        "order 01234567890",
        "order no. 0123456789 is late",
        "Bestellnummer: 0123456789",
        "RMA number 2125550123",
        "parcel 012345678901 is lost",
        "tracking 00340434161094",
        "IMEI 356938035643809",
        "356938035643809 is locked",
        "imei number: 490154203237518",
        "JANコード4901234567894の在庫",  # passes the check of a card number, too
        "注文番号0312345678",
        "お問い合わせ番号は0312345678です",
        "型番：0312345678",
        "订单号 0312345678",
        "주문번호 0312345678",
        "ordine numero 0312345678",
        "zamówienie nr 0312345678",
        "12ー3番地",
        "zip 02134-1234 or zip code 90210-1234",
        "Boston, MA 02134-1234",
        "from 2018-08-09 - 2022-07-02",
        "21.05.2024 30.06.2024",
        "look at the red dot on it",
        "#100482",
        "AB0123456789",
        "AT0123456789 or IS00447911123456",
        "order0123456789",
        "Auftrag0170123456",
        "Bestellung0170 1234567",
        "order number is0123456789",
        "model07911123456",
        "tel012345678",
        "orders 4471 4472 4473",
        "orders 100482, 100483 and 100484",
        "order 100482 of 12.05.2024",
        "order 123456789",
        "order 000123456789",
        "tracking 1Z999AA10123456784",
        "invoice RX-2023-00123",
        "on 12/05/2024 or 12.05.24 or 2024-05-12 14:30",
        "on 07-05-2024 10:15",
        "delivered 01.02.2024 - 03.02.2024",
        "between 08:00 - 12:00 and 13:00 - 17:00",
        "I paid £1,299.99 and got € 1.299.000,00 back",
        "10 000 000 people",
        "0.123456789",
        "192.168.1.100",
        "4111 1111 1111 1112 is not a card: its last digit is wrong",
        "DE00 3704 0044 0532 is not an IBAN",
        "@ann, look @ 5",
        "+ 1 2 3",
        "+1 for that",
        "",
    ],
)
def test_leaves_other_numbers_alone(text):
    assert mask_personal_data(text) == (text, {})


def test_counts_each_kind():
    text = "ann@example.org or 07700 900123 or 07700 900124, pay 4111 1111 1111 1111"

    assert mask_personal_data(text) == (
        "<email> or <phone> or <phone>, pay <card>",
        {"email": 1, "card": 1, "phone": 2},
    )


def test_a_number_that_follows_an_international_one_does_not_hide_it():
    assert mask_personal_data("+44 7700 900123 10am")[0] == "<phone> 10am"


def test_the_longest_piece_is_long_enough_for_an_iban_with_wide_gaps():
    iban = "MT84   " + "   ".join("MALT011000012345MTLCAST001S")

    assert mask_personal_data(iban)[0] == "<iban>"
    assert len(iban) < CORPUS.longest_personal_data


_PIECES = st.sampled_from(
    "4111 1111 1111 1111|07700 900123|+44|020 7946 0123|DE89 3704 0044 0532 0130 00|ann@example.org|@"
    "|0|1|4471|12.05.2024|<phone>|<email>| |-|/|(|)|+|.|00|é|٤|a| arroba |gmail|com| punto |tel| 36 38 40"
    "| euros|$ ".split("|")
)


@given(st.one_of(st.text(), st.lists(_PIECES).map("".join), st.text("0123456789 +-()./@a", max_size=60)))
def test_masking_twice_is_masking_once(text):
    once, _ = mask_personal_data(text)

    assert mask_personal_data(once) == (once, {})


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("where is the parcel for <email>", "where is the parcel for"),
        ("<phone> or <email>: call me", "or : call me"),
        ("<email>", "<email>"),
        ("<email>, <iban>!", "<email>, <iban>!"),
        ("a <b> tag", "a <b> tag"),
    ],
)
def test_an_address_says_nothing_of_the_wish(text, understood):
    assert without_placeholders(text) == understood


# Countries


@pytest.mark.parametrize(
    ("region", "text", "expected"),
    [
        ("IT", "chiamami al 347 123 4567 grazie", "chiamami al <phone> grazie"),
        ("PT", "liga 912 345 678", "liga <phone>"),
        ("BR", "meu número é (11) 96123-4567", "meu número é <phone>"),
        ("IN", "call 98765 43210 today", "call <phone> today"),
        ("JP", "090-1234-5678です", "<phone>です"),
        ("NL", "bel 06 12345678", "bel <phone>"),
        ("BR", "cpf 390.533.447-05, por favor", "cpf <id>, por favor"),
        ("DE", "Steuer-ID 36 574 261 809", "Steuer-ID <id>"),
        ("ES", "mi dni es 54362315K", "mi dni es <id>"),
        ("ES", "mi dni es 54.362.315-K", "mi dni es <id>"),
        ("FR", "n° 2 95 10 99 126 111 93", "n° <id>"),
        ("IT", "codice RCCMNL83S18D969H", "codice <id>"),
        ("IT", "cf: RCC MNL 83S18 D969H.", "cf: <id>."),
        ("IT", "cf rccmnl-83s18-d969h", "cf <id>"),
        ("IT", "cfRCCMNL83S18D969H", "cf<id>"),
        ("IT", "mio cell 347 1234567 grazie", "mio cell <phone> grazie"),
        ("IT", "347/1234567", "<phone>"),
        ("PL", "tel. 512-345678", "tel. <phone>"),
        ("BR", "(11) 961234567", "<phone>"),
        ("ES", "mi nie es X-1234567-L", "mi nie es <id>"),
        ("ES", "nie y 1234567 x", "nie <id>"),
        ("US", "my ssn is 536-90-4399", "my ssn is <id>"),
        ("PL", "pesel 44051401359", "pesel <id>"),
    ],
)
def test_masks_the_numbers_of_a_region(region, text, expected):
    assert mask_personal_data(text, (region,))[0] == expected


@pytest.mark.parametrize(
    ("region", "text"),
    [
        ("BR", "pedido 39053344705"),
        ("IT", "costa 347 123 456 EUR"),
        ("IT", "contratto 12 3471234"),
        ("IT", "fascicolo 34712 34567890"),
        ("IT", "RCC MNL 83S18 D969A"),  # not its check letter
        ("IT", "la RCC MNL 83S18 D969HI"),
        ("IN", "file 987 6543210"),
        ("DE", "mi dni es 54362315K"),
        ("ES", "el 12/05/2024 - 13/05/2024"),
        ("FR", "12 345 678,90 €"),
        ("US", "536904399"),
    ],
)
def test_leaves_what_is_no_number_of_the_region(region, text):
    assert mask_personal_data(text, (region,)) == (text, {})


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Lieferung am 2026-03-01"),
        ("de", "am 24.12.2024, 12:30"),
        ("de", "vom 24.12.2024-26.12.2024"),
        ("de", "am 24 12 2024 1234 mal"),
        ("de", "Größe 28/32 30/34"),
        ("en", "sizes 36 38 40 42 44"),
        ("en", "37 38 39 40 41 do you have these sizes"),
        ("en", "seats 12 13 14 15 16 17"),  # the first five pass the check of an NHS number, too
        ("en", "sizes 35 39 43 47 51 55 59"),  # and these the one of a card
        ("de", "Größen 36 38 40 42 44 46"),
        ("fr", "tailles 36-38-40-42-44"),
        ("fr", "le 24/12/2024"),
        ("es", "el 24.12.2024"),
        ("en", "tax year 2023-2024"),
        ("en", "season 2024/2025 or 2023/24 2024/25"),
        ("de", "Abrechnung 01/2024 - 12/2024"),
        ("de", "Zeitraum 01.2024-12.2024"),
        ("de", "Rechnungen 01/2024 02/2024"),
        ("en", "card valid 05/2023-05/2027"),
        ("en", "my invoice 05/2024 149.99 is wrong"),
        ("de", "Zählerstand 05/2024 12345"),
        ("de", "Abrechnung 05.2024 149,99 Euro"),
        ("en", "case 2024-100000"),
        ("en", "part 12-3456787-9"),
        ("en", "po4539578763621486"),
        ("en", "sku no 8601111794741"),
        ("ar", "201512311530"),
        ("hu", "méret 35 40 45 47"),
        ("hu", "25.500.000 Ft az ára"),
        ("id", "harga Rp 45.776.000"),
        ("id", "21.500.000 rupiah"),
        ("en", "from 2023 – 2024 catalogue"),
        ("en", "budget 2200-2400 dollars"),
        ("en", "salary 2500 - 3000"),
        ("en", "flight 2490/2491"),
        ("en", "resolution 3840 2160"),
        ("en", "order of 20123456"),
        ("es", "de 2225-9458"),
        ("da", "i 2023-2024 eller 2023 2024"),
        ("da", "koster 2200-2400 kroner"),
        ("da", "fly 2490/2491"),
        ("da", "ordrenummer 20123456"),
    ],
)
def test_leaves_dates_and_spans_alone_whatever_the_language(language, text):
    assert mask_personal_data(text, masked_regions((), language)) == (text, {})


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("es", "un préstamo de 600.000.000 pesos"),
        ("es", "un préstamo de 988.000.000 de pesos"),  # passes the check of a Spanish number, too
        ("es", "cuesta $ 600.000.000"),
        ("es", "son COP 600.000.000 o 600.000.000 CLP"),
        ("es", "650.000.000 de guaraníes"),
        ("de", "Kredit von 650.000.000 Euro"),
        ("fr", "650 000 000 euros"),
        ("fr", "650 000 000 FCFA, XAF 650 000 000 ou 650 000 000 XOF"),
        ("fr", "650 000 000 d'euros"),
        ("en", "EUR 650 000 000"),
        ("en", "$ 2125550123 was charged"),
    ],
)
def test_leaves_amounts_alone(language, text):
    assert mask_personal_data(text, masked_regions((), language)) == (text, {})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("call 212-555-0123 $50", "call <phone> $50"),
        ("call 2125550123 EUR 50", "call <phone> EUR 50"),
        ("50 € 612 345 678", "50 € <phone>"),
        ("call 612 345 678 euro", "call <phone> euro"),
        ("llámame al 612 345 678 kr", "llámame al <phone> kr"),
        ("call 612345678 colones", "call <phone> colones"),
        ("they call it 612 345 678 euro", "they call it <phone> euro"),
        ("612 34 56 78 euros", "<phone> euros"),  # no amount is grouped so
        ("06 12 34 56 78", "<phone>"),
        ("20 12 34 56", "20 12 34 56"),
    ],
)
def test_masks_phone_numbers_that_only_look_like_amounts_or_sizes(text, expected):
    assert mask_personal_data(text, ("GB", "US", "ES"))[0] == expected


@pytest.mark.parametrize(
    ("language", "number"),
    [
        ("ru", "8 912 345-67-89"),
        ("ru", "8-912-345-67-89"),
        ("ru", "8 (912) 345-67-89"),
        ("ru", "8 (495) 123-45-67"),
        ("kk", "8 701 234 56 78"),
        ("lt", "8 612 34567"),
        ("es-CL", "9 6123 4567"),
        ("da", "20123456"),
        ("da", "2012 3456"),
        ("da", "20 12 34 56"),
        ("nb", "41234567"),
        ("en-SG", "91234567"),
        ("es-GT", "5123-4567"),
        ("fr", "24 12 50 27"),
        # Longer than others: nothing is left of them.
        ("de", "0176 12 34 56 78"),
        ("de", "0176 123 45 678"),
        ("es-AR", "011 15 1234 5678"),
        ("be", "8 029 123-45-67"),
        # Without the digits in front that the usual form has.
        ("ru", "(495) 123-45-67"),
        ("ru", "912 345-67-89"),
        ("ru", "9123456789"),
        ("hu", "20 123 4567"),
        ("hu", "30/123-4567"),
        ("id", "812-3456-7890"),
        # With a country code, and no plus sign.
        ("en", "447911123456"),
        ("de", "491701234567"),
        ("de", "49 170 1234567"),
        ("fr", "33 6 12 34 56 78"),
        ("fr", "33 6 12345678"),
        ("es-MX", "525512345678"),
        ("es-MX", "5215529141777"),
        ("es-CL", "56961234567"),
        ("ar-JO", "962 7 9123 4567"),
        ("ar-JO", "962 79 123 4567"),
        ("pt-BR", "(11) 98765-4321"),
        ("pt-BR", "(11) 9 8765-4321"),
        ("id", "6281234567890"),
        # What looks like a month before them.
        ("nl", "06-2001 2345"),
        ("sv", "08-2012 34 56"),
        ("ko", "02-2012 3456"),
    ],
)
def test_masks_phone_numbers_as_they_are_written_where_the_language_is_spoken(language, number):
    assert mask_personal_data(f"a {number}, b", masked_regions((), language))[0] == "a <phone>, b"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "order-id: 0123456780"),
        ("en", "ordernumber 0123456780"),
        ("en", "order_id=0123456780"),
        ("en", "tracking-number 0123456780"),
        ("en", "order 0123456780 and 0123456781"),
        ("en", "my orders 0123456780, 0123456781"),
        ("en", "order 447911123456"),
        ("de", "Auftrags-Nr. 0123456780"),
        ("de", "Bestell-Nr. 0123456780"),
        ("fr", "commande n° 0612345678"),
        ("it", "ordine n. 3471234567"),
        ("es", "pedido nº 612345678"),
        ("pt", "encomenda nº 912345678"),
        ("zh", "快递单号：13800138000"),
        ("ko", "주문 번호: 01012345678"),
        ("ja", "注文No.09012345678"),
        ("ru", "заказ № 4951234567"),
        ("ru", "номер чека 3812123456"),
        ("hu", "rendelés 201234567"),
        ("tr", "sipariş numarası: 05321234567"),
        ("nl", "bestelnummer 0612345678"),
        ("id", "nomor resi 081234567890"),
        ("id", "nomor pesanan saya: 081234567890"),
        ("fi", "tilausnro 0401234567"),
        ("tr", "sipariş 905321234567"),
        ("sv", "ordernummer 46701234567"),
        ("nl", "factuur 31612345678"),
        ("zh", "订单 8613812345678"),
        ("ko", "주문 821012345678"),
        ("en", "reservation number 2125551234"),
        ("en", "my policy no. is 07911123456"),
        ("en", "order 473-3880141-2259850"),
        ("de", "Kundennummer: 0123456780"),
        ("fr", "dossier n° 0612345678"),
        ("tr", "siparis no 5321234567"),
        ("tr", "fatura no 5321234567"),
        ("pt", "nota fiscal 11987654321"),
        ("es", "albaran 612345678"),
        ("pl", "numer zamowienia 512345678"),
        ("pl", "paczka 512345678"),
    ],
)
def test_leaves_numbers_of_orders_alone_however_it_is_said(language, text):
    assert mask_personal_data(text, masked_regions((), language)) == (text, {})


@pytest.mark.parametrize(
    ("language", "text", "masked"),
    [
        ("en", "my order 4471, call 0123456780", "my order 4471, call <phone>"),
        ("en", "my order 4471, 07911123456", "my order 4471, <phone>"),
        ("en", "my order 0123456780, 0791112345", "my order 0123456780, <phone>"),
        ("en", "My zip is 10001, 2125551234", "My zip is 10001, <phone>"),
        ("de", "Auftrag 4471 und 01701234567", "Auftrag 4471 und <phone>"),
        ("es", "pedido 4471 y 12345678Z", "pedido 4471 y <id>"),
        ("en", "a question about my order - 07911123456", "a question about my order - <phone>"),
        ("en", "order=07911123456", "order=<phone>"),
        ("de", "Bestellung - 01701234567", "Bestellung - <phone>"),
        ("en", "made a booking 07911123456", "made a booking <phone>"),
        ("en", "the client is 07911123456", "the client is <phone>"),
        (
            "en",
            "an existing customer. Number 07911123456 please",
            "an existing customer. Number <phone> please",
        ),
        ("en", "call customer number 07911123456", "call customer number <phone>"),
        ("fr", "je suis client. Numéro 0612345678", "je suis client. Numéro <phone>"),
        ("es", "no llegó mi paquete. 612345679 llamen", "no llegó mi paquete. <phone> llamen"),
        ("pl", "numer do paczkomatu 512345678", "numer do paczkomatu <phone>"),
        ("pl", "nie przyszla paczka. 512345678", "nie przyszla paczka. <phone>"),
        ("es", "(11) 98765-4321", "(11) <phone>"),
    ],
)
def test_a_phone_number_behind_one_of_an_order_is_masked(language, text, masked):
    assert mask_personal_data(text, masked_regions((), language))[0] == masked


@pytest.mark.parametrize(
    ("region", "number"),
    [
        ("BE", "85.07.30-033.28"),  # with the date of birth
        ("CN", "360426 19910101 0071"),
        ("CN", "360426-19910101-0071"),
        ("TR", "172 917 160 60"),
        ("MX", "GODE-561231-GR8"),
        ("MX", "GODE 561231 GR8"),
        ("AT", "1237-010180"),
    ],
)
def test_masks_national_numbers_as_they_are_printed(region, number):
    assert mask_personal_data(f"it is {number} there", (region,))[0] == "it is <id> there"


@pytest.mark.parametrize("sign", ["\u200b", "\u00ad", "\u2060", "\ufeff"])
@pytest.mark.parametrize("data", ["anna.keller77@example.org", "+49 170 1234567", "4111111111111111"])
def test_an_invisible_sign_hides_nothing_wherever_it_is(data, sign):
    for place in range(1, len(data)):
        written = f"use {data[:place]}{sign}{data[place:]} asap"
        spelling, text, _, _ = read_text(written, DiscoveryConfig(language="de"))
        assert re.fullmatch("use <(email|phone|card)> asap", spelling), written
        assert text == spelling


@pytest.mark.parametrize(
    ("written", "masked"),
    [
        ("IBAN DE89 3704 0044 0532 0130 00\u200b012 euros", "IBAN <iban>012 euros"),
        ("call 020 7946 0958\u200b020 7946 0959", "call <phone><phone>"),
    ],
)
def test_an_invisible_sign_may_part_two_numbers(written, masked):
    assert read_text(written, DiscoveryConfig())[1] == masked


def test_accents_of_their_own_hide_nothing():
    written = unicodedata.normalize("NFD", "mail josé.garcía@example.org")
    assert read_text(written, DiscoveryConfig())[:2] == ("mail <email>", "mail <email>")


def test_a_number_over_two_lines_is_masked_whole():
    assert read_text("is +49 170 12345\n67", DiscoveryConfig())[1] == "is <phone>"


def test_the_spelling_stays_where_nothing_is_masked():
    written = unicodedata.normalize("NFD", "Größe\u200b 42")
    assert read_text(written, DiscoveryConfig())[0] == written


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ru", "Заказчик: 89161234567"),
        ("ru", "хочу заказать 89161234567"),
        ("ru", "как договориться: 89161234567"),
        ("ru", "чекни 89161234567"),
        ("hu", "rendelésfelvétel: 06301234567"),
        ("tr", "siparişçi 05321234567"),
        ("de", "Resi 01701234567"),
        ("id", "order saya 081234567890"),
        ("kk", "нөмірім 701 123 45 67"),
        ("de", "Bestellerin 01701234567"),
        ("de", "ich möchte bestellen: 01701234567"),
        ("de", "Auftraggeber: 01701234567"),
        ("de", "Rechnungswesen: 03012345678"),
        ("sv", "fakturaavdelningen 0701234567"),
        # What looks like a month is none behind a word for a phone.
        ("nl", "bel 06/2012 3456"),
        ("nl", "mijn nummer is 06/2012 3456"),
        ("de", "Tel. 08/2012 34567"),
        ("de", "Telefon: 06/2012 34567"),
    ],
)
def test_words_that_begin_like_one_for_an_order_excuse_no_phone_number(language, text):
    assert mask_personal_data(text, masked_regions((), language))[1] == {"phone": 1}


def test_an_iban_in_small_letters_may_have_a_gap_behind_the_country():
    for number in ("de 89 3704 0044 0532 0130 00", "nl 91 abna 0417 1643 00", "no 9386011117947"):
        assert mask_personal_data(f"iban: {number}")[0] == "iban: <iban>"
    assert mask_personal_data("it is be 68 5390 0754 7034")[0] == "it is <iban>"


def test_what_is_left_of_the_spelling_is_masked_once():
    spelling = read_text("612 345 \u200b678 \u200d", DiscoveryConfig())[0]
    assert mask_personal_data(spelling) == (spelling, {})
    assert spelling == spelling.strip()


def test_eight_digits_in_one_piece_or_in_two_need_countries_where_no_others_are_usual():
    assert mask_personal_data("41234567 or 4123 4567", ("NO",))[0] == "<phone> or <phone>"
    assert mask_personal_data("91234567", ("SG", "HK"))[0] == "<phone>"
    assert mask_personal_data("41234567 or 412 34 567", ("NO", "SE"))[0] == "41234567 or <phone>"


def test_many_single_digits_are_no_work(monkeypatch):
    asked = []
    monkeypatch.setattr(phonenumbers, "parse", lambda *of: asked.append(of))
    text = "7 3 " * 50

    assert mask_personal_data(text, masked_regions((), "en")) == (text, {})
    assert asked == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("用户@例子.公司 谢谢", "<email> 谢谢"),
        ("चाहे तो उपयोगकर्ता@उदाहरण.भारत लिखें", "चाहे तो <email> लिखें"),
        ("عنوان@مثال.مصر شكرا", "<email> شكرا"),
        ("사용자@예시.한국", "<email>"),
        ("ผู้ใช้@ตัวอย่าง.ไทย", "<email>"),
    ],
)
def test_masks_email_addresses_of_any_script(text, expected):
    assert mask_personal_data(text)[0] == expected


def test_the_language_chooses_regions_and_the_setting_alone_counts():
    assert masked_regions((), None) == PHONE_REGIONS
    assert masked_regions((), "pt-BR") == (*PHONE_REGIONS, "BR")
    assert masked_regions((), "pt") == (*PHONE_REGIONS, "BR", "PT")
    assert masked_regions(("JP",), "pt") == ("JP",)


def test_every_region_s_checks_are_there():
    for region in NATIONAL_NUMBERS:
        assert list(national_numbers((region,), "12345678 or 00000000000")) is not None


def test_national_numbers_right_behind_one_another_are_found_in_one_go():
    assert list(national_numbers(("CL",), "123 " * 9)) == [(0, 11), (12, 23), (24, 35)]
