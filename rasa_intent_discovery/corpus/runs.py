"""Runs of digits and words in a text, and what the words before a number say of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

#: Places in a text: start and end of each.
Spans = Iterator[tuple[int, int]]

WORD = re.compile(r"[A-Za-z\d]+")
NUMBER = re.compile(r"\d+")
ALONE = re.compile(r"\d+(?=[xX]|(?![A-Za-z\d]))")  # an x is an extension
_MONTH = r"(?:0[1-9]|1[0-2])[-./](?:19|20)\d\d"
_NO_MORE = rf"\d|[-./](?!{_MONTH}(?!\d))\d"
DATE_OR_FRACTION = re.compile(
    r"(?<!\d)(?<!\d[-./])"
    r"(?:\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)\d\d(?!\d)"  # 12.05.2024
    r"|(?:19|20)\d\d[-./ ]\d\d[-./ ]\d\d(?!\d)"  # 2024-05-12
    r"|\d\d([-./])\d\d\1\d\d(?!\1?\d)"  # 12.05.24, but not 06.12.34.56.78
    # 05/2024, 05/2024-06/2024 and 05/2024 149.99; but 06-2012 3456 is a phone number in the Netherlands.
    rf"|{_MONTH}(?!{_NO_MORE}| \d{{6}})(?!(?<=-\d\d\d\d) (?!{_MONTH}(?!\d))\d)"
    r"|0\.\d)"
)
#: Eight digits in one piece or in two of four: so are order numbers, sizes, and years or prices from one to
#: another written, too.
HALVES = re.compile(r"\d{4}(\D*)\d{4}")
_DATE = 12  # characters of the longest date, with what is looked at behind it
# Words right before a number that say what it is, where it could be a phone number by its form. In Japanese,
# Chinese and Korean no space parts a word from the number behind it.
_EAST_ASIAN = (
    "(?:(?:注文|受注|発注|予約|受付|伝票|送り状|追跡|配送|荷物|問い?合わ?せ|申し?込み?|契約|取引|請求|領収|会員|客様|顧客|管理"
    r"|商品|製造|製品|シリアル|ロット|チケット)\s?(?:番号|no\b)|型番|品番|商品コード"
    "|(?:订单|訂單|快递|快遞|物流|运单|運單|发票|發票)(?:单|單)?(?:编号|編號|[号號])?"
    r"|(?:주문|운?송장|예약|접수|상품|제품)(?:\s?번호)?)(?:は|が|是|는|가)?"
)
_SIGNS = r"[\s:#.№]*"
_ORDER = (
    r"\b(?:imei|rma|orders?(?:number|no|id)?|invoice|tracking|parcel|shipment|ticket|serial|sku|ref|reference"
    r"|zip|postcode|plz|bestell(?!er|hotline|telefon|en\b)\w*|bestel(?:nummer|ling(?:en)?\b)"
    r"|bestilling(?!stelefon)\w*|ordre(?!afd)\w*|ordernummer|faktura(?!avd|afd)\w*|auftrag(?!geb|nehm)\w*"
    r"|rechnung(?!swesen|sabt|sempf)\w*|sendung(?!sempf)\w*|commande|facture|colis|pedido|factura|encomenda"
    r"|ordine|fattura|spedizione|zam[oó]wieni\w*"
    r"|faktur(?!ow|aavd|aafd)\w*|przesy[łl]k\w*|factuur\w*|(?:заказ|договор|чек|артикул)(?:а|у|ом|е|ы|и|ов)?\b"
    r"|замовлен(?:ня|ню|ні|ням|ь)\b"
    r"|rendelés(?:szám\w*|em|i)?\b|sipari[sş](?:im|i|in|imin|ler\w*|num\w*)?\b|kargo|pesanan|invois"
    r"|(?:nomor|no)\.? (?:resi|pesanan|invois)(?: saya)?|tilau(?:s|ksen|kseni|snro|skoodi|snumero\w*)\b"
    r"|ean|isbn|gtin)"
)
_NUMBER_WORD = (
    r"(?:numbers?|nums?|núm|nos?|nr|nummer|codes?|ids?|is|was|are|numéro|número|numero|numer|numara\w*|kodu|nro|koodi|номер\w*"
    r"|n\.?[°º]|n\b)"
)
_NUMBERS = rf"(?:(?:{_SIGNS}|[-_])(?:\b|(?<=_)){_NUMBER_WORD})"
# A hyphen or an underscore may be between two of these words, and behind the second an equals sign:
# `Bestell-Nr.`, `order_id=4711`. Behind the first, it may begin another thought: `about my order - 0791...`.
_EUROPEAN = rf"{_ORDER}(?:{_SIGNS}|{_NUMBERS}+(?:{_SIGNS}|=))"
# Behind these words no full stop may come: `no llegó mi paquete. 612345678`. A `paczkomat` sends to a phone.
_PARCEL = (
    rf"\b(?:paquete|albar[aá]n|fatura|nota fiscal|paczk(?!omat)\w*)(?:\s*[:#]?\s*|{_NUMBERS}+(?:{_SIGNS}|=))"
)
# Behind these a number may be a phone, `made a booking 0791...`, but not behind the word for a number, too.
_FILE = (
    r"\b(?:(?:booking|reservation|claim|case|policy|contract|customer|r[eé]servation|dossier|contrat|client"
    r"|reserva|contrato|cliente|expediente|prenotazione|contratto|pratica)"
    rf"(?!\s+(?:is|was|are)\b|\s*\.){_NUMBERS}+"
    r"|(?:buchungs|vertrags|kunden|vorgangs|versicherungs|reservierungs)-?(?:nummer|nr))"
    rf"(?:{_SIGNS}|=)"
)
_TO_REACH = re.compile(
    r"\b(?:call|dial|phone|ring|text|tel|whatsapp|ll[aá]m|appel|chiam|ligu|bel|ruf|dzwo|zadzwo)",
    re.IGNORECASE,
)
_NO_PERSON_S = re.compile(rf"(?:{_EUROPEAN}|{_PARCEL}|{_EAST_ASIAN}{_SIGNS})$", re.IGNORECASE)
_OF_A_FILE = re.compile(rf"{_FILE}$", re.IGNORECASE)
# Another number of a list that is before a number: `orders 0123456780, 0123456781`.
_LISTED = re.compile(r"(\d+)(?:\s*[,;/&+]\s*|\s*,?\s+(?:and|or|und|oder|et|ou|y|e|i|og|och|en)\s+)$")
_ZIP, _US_STATE = re.compile(r"\d{5}-\d{4}"), re.compile(r", ?[A-Z]{2} $")
BEFORE = 40  # characters before a number in which these words are looked for


def longest(
    pattern: re.Pattern[str], word: re.Pattern[str], is_real: Callable[[str, int, int], bool], text: str
) -> Spans:
    """For each match, the longest run of words from its start that passes `is_real(text, start, end)`."""
    position = 0
    while match := pattern.search(text, position):
        start, position = match.start(), match.start() + 1
        ends = [found.end() for found in word.finditer(text, start, match.end())]
        for end in reversed(ends):
            if not word.match(text, end) and is_real(text, start, end):
                position = end
                yield start, end
                break


def is_in_a_date(text: str, start: int, end: int) -> bool:
    """Whether a date or a fraction is in a run of a text, or a part of the run is in one."""
    dates = DATE_OR_FRACTION.finditer(text, max(0, start - _DATE), end + _DATE)
    return any(date.start() < end and date.end() > start for date in dates)


def is_of_an_order(text: str, start: int, end: int) -> bool:
    """Whether words before a number say that it is no phone number; one with spaces may always be one."""
    raw, before = text[start:end], text[max(0, start - BEFORE) : start]
    if re.search(r"[\s()]", raw):
        return False
    while (listed := _LISTED.search(before)) and _begin_alike(listed[1], raw):
        before = before[: listed.start()]
    if _OF_A_FILE.search(before) and not _TO_REACH.search(before):
        return True
    return bool(_NO_PERSON_S.search(before) or (_ZIP.fullmatch(raw) and _US_STATE.search(before)))


def _begin_alike(number: str, other: str) -> bool:
    """Whether two numbers have as many digits, the first half of which is the same: of orders, not of an
    order and a phone.
    """
    half = (len(number) + 1) // 2
    return len(number) == len(other) and number[:half] == other[:half]


def digits_of(text: str) -> str:
    """Its digits alone."""
    return re.sub(r"\D", "", text)
