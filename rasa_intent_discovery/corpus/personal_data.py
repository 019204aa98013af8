"""Replaces e-mail addresses, IBANs, card and phone numbers with placeholders such as `<email>`.

In doubt a number is masked, so that no person's number gets into a draft. Order numbers, dates, times and
prices carry meaning and are kept.

>>> mask_personal_data("order 4471, mail me: ann@example.org")
('order 4471, mail me: <email>', {'email': 1})
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache, partial

import phonenumbers
from phonenumbers import PhoneNumber
from stdnum import iban, luhn, numdb

from rasa_intent_discovery.corpus.numbers import CORPUS

#: Regions whose phone numbers are recognised without a country code.
PHONE_REGIONS = ("GB", "US", "IE", "DE", "FR", "ES")

_LATIN = "A-Za-z0-9\u00c0-\u024f"
_LETTERS = rf"{_LATIN}\u0370-\u1fff"  # with Greek, Cyrillic, Hebrew, Arabic and the scripts of India
_EAST_ASIAN = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_LABEL = rf"[{_LETTERS}{_EAST_ASIAN}][{_LETTERS}{_EAST_ASIAN}-]{{0,62}}"
_EMAIL = re.compile(
    rf"(?<![{_LATIN}])[{_LETTERS}][{_LETTERS}._%+'-]*@(?:{_LABEL}\.){{1,8}}"
    rf"(?:xn--[a-z0-9-]{{2,59}}|[A-Za-z]{{2,24}}|[\u0370-\u1fff]{{2,24}}|[{_EAST_ASIAN}]{{2,10}})"
)
# Addresses that are spelt out: `ann (at) example (dot) org`; and `ann at example dot org`, which has to end
# like most addresses do, since `at` and `dot` are words.
_DOT = r"(?: ?[(\[{] ?(?:dot|punkt|point|punto|\.) ?[)\]}] ?| (?:dot|punkt) |\.)"
_AT = r" ?[(\[{] ?(?:at|@|\u00e4t) ?[)\]}] ?"
_PART = rf"[{_LATIN}][{_LATIN}_%+'-]{{0,63}}"
_SPELT = re.compile(
    rf"(?<![{_LATIN}])"
    rf"(?:{_PART}(?:{_DOT}{_PART}){{0,4}}{_AT}{_PART}(?:{_DOT}{_PART}){{0,6}}"
    rf"{_DOT}[a-z]{{2,24}}"
    rf"|{_PART}(?:(?:\.| dot ){_PART}){{0,4}} at {_PART}(?:(?:\.| dot ){_PART}){{0,4}} dot "
    r"(?:com|org|net|edu|gov|info|biz|eu|uk|de|fr|es|nl|ch|pl|ru|ca|au|ie|br|jp|cn))(?![A-Za-z\d])",
    re.IGNORECASE,
)
_MAY_BE_SPELT = re.compile(r"\b(?:at|@|\u00e4t)\b|[(\[{] ?@", re.IGNORECASE)

# Card numbers and IBANs are also found where a word is written together with them. These patterns may match
# numbers and words that follow, too: the actual end is looked for.
_GAP = r"[\s\u2010-\u2013-]{0,4}"
_IBAN_GAP = r"[\s.\u00b7/_\u2010-\u2013-]{0,4}"
_IBAN = re.compile(
    rf"(?:(?<![A-Za-z\d])|(?<=iban)|(?<=IBAN)|(?<=Iban)|(?<=[a-z])(?=[A-Z]))"
    rf"[A-Za-z]{{2}}[0-9]{{2}}(?:{_IBAN_GAP}[A-Za-z0-9]){{11,30}}"
)
_CARD_START = r"(?:(?<![+A-Za-z\d])|(?<=[A-Za-z]{3}))(?=[2-6])"  # payment cards begin with 2 to 6
_CARD = re.compile(rf"{_CARD_START}\d(?:{_GAP}\d){{12,18}}")
_CARD_IN_GROUPS = re.compile(  # other signs between its groups, which could be those of two dates
    rf"{_CARD_START}\d{{4}}(?:([./_\u00b7])\d{{4}}\1\d{{4}}\1\d{{1,7}}|([./_\u00b7])\d{{6}}\2\d{{4,5}})"
)
_IMEI = re.compile(r"35\d{13}")  # a card of 15 digits begins with 34 or 37

_PHONE_GAP = r"[ \u00a0().\u2010-\u2013/-]{0,3}"
_INTERNATIONAL = re.compile(rf"(?:\+[ (]?|(?<![A-Za-z\d])00 ?)[1-9](?:{_PHONE_GAP}\d){{6,15}}")
_NATIONAL_START = r"(?<![A-Za-z\d#_$£€])(?<!\d[-./])"
_WITH_ZERO = re.compile(rf"{_NATIONAL_START}\(?0\)?{_PHONE_GAP}[1-9](?:{_PHONE_GAP}\d){{6,11}}")
#: Without a 0 in front, where numbers have none: grouped as is usual there, or not at all.
_WITHOUT_ZERO = {
    region: re.compile(rf"{_NATIONAL_START}(?:{groups})(?=[xX]|(?![A-Za-z\d]|[-./]\d\d))")
    for region, groups in {
        "US": rf"(?:1{_PHONE_GAP})?\(?[2-9]\d\d{_PHONE_GAP}\d{{3}}{_PHONE_GAP}\d{{4}}",
        "ES": rf"[5-9]\d\d(?:{_PHONE_GAP}\d{{3}}{_PHONE_GAP}\d{{3}}|(?:{_PHONE_GAP}\d\d){{3}})",
    }.items()
}

_WORD = re.compile(r"[A-Za-z\d]+")
_NUMBER = re.compile(r"\d+")
_NUMBER_ALONE = re.compile(r"\d+(?=[xX]|(?![A-Za-z\d]))")  # an x is an extension
_LETTER_OR_DIGIT = re.compile(r"[A-Za-z\d]")
_DATE_OR_FRACTION = re.compile(
    r"(?<!\d)(?<!\d[-./])"
    r"(?:\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)\d\d(?!\d)"  # 12.05.2024
    r"|(?:19|20)\d\d[-./ ]\d\d[-./ ]\d\d(?!\d)"  # 2024-05-12
    r"|\d\d([-./])\d\d\1\d\d(?!\1?\d)"  # 12.05.24, but not 06.12.34.56.78
    r"|0\.\d)"
)
# Words right before a number that say what it is, where it could be a phone number by its form.
_NO_PERSON_S = re.compile(
    r"\b(?:imei|rma|orders?|invoice|tracking|parcel|shipment|ticket|serial|sku|ref|reference|zip|postcode"
    r"|plz|bestell\w*|auftrag\w*|rechnung\w*|sendung\w*|commande|facture|colis|pedido|factura)"
    r"(?:[\s:#.]*\b(?:numbers?|num|no|nr|nummer|code|id|is|was|num\u00e9ro|n\u00famero))*[\s:#.]*$",
    re.IGNORECASE,
)
_ZIP, _US_STATE = re.compile(r"\d{5}-\d{4}"), re.compile(r", ?[A-Z]{2} $")
_IMEI_BEFORE = re.compile(r"\bimei\W*(?:\w+\W+)?$", re.IGNORECASE)
_BEFORE = 40  # characters before a number in which these words are looked for

#: The placeholders of personal data.
PLACEHOLDER = re.compile("<(?:email|iban|card|phone)>")

#: Full-width forms as ASCII.
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}

_Spans = Iterator[tuple[int, int]]


def mask_personal_data(text: str) -> tuple[str, dict[str, int]]:
    """Masks the personal data of one message; masking the result again changes nothing.

    Args:
        text: a message of any length (intended for up to some thousand characters).

    Returns:
        The text with `<email>`, `<iban>`, `<card>` and `<phone>` in place of what was found, and how
        many of each kind there were (kinds that were not found are left out).
    """
    found: dict[str, int] = {}
    before = None
    while text != before:  # after a replacement, the rest of a list of numbers may match
        before = text
        for kind, find in _FINDERS:
            text, count = _replace(text, f"<{kind}>", find(_narrow(text)))
            if count:
                found[kind] = found.get(kind, 0) + count
    return text, found


def without_placeholders(text: str) -> str:
    """A masked text without placeholders, as the encoder reads it: an address says nothing about the intent.

    >>> without_placeholders("reset my password, <email>")
    'reset my password,'

    A text without any other letters or digits is returned unchanged.
    """
    left = " ".join(PLACEHOLDER.sub(" ", text).split())
    return left if any(map(str.isalnum, left)) else text


def _replace(text: str, placeholder: str, spans: _Spans) -> tuple[str, int]:
    pieces, end, count = [], 0, 0
    for start, stop in spans:
        pieces += [text[end:start], placeholder]
        end = stop
        count += 1
    return "".join(pieces) + text[end:], count


def _narrow(text: str) -> str:
    """The text with full-width forms, and the digits of all scripts, as ASCII; of the same length."""
    if text.isascii():
        return text
    text = text.translate(_NARROW)
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)


def _emails(text: str) -> _Spans:
    if "@" in text:
        yield from (match.span() for match in _EMAIL.finditer(text))


def _spelt_emails(text: str) -> _Spans:
    if _MAY_BE_SPELT.search(text):
        yield from (match.span() for match in _SPELT.finditer(text))


def _ibans(text: str) -> _Spans:
    """The length of an IBAN is that of its country, whatever is written behind it."""
    position = 0
    while match := _IBAN.search(text, position):
        start, position = match.start(), match.start() + 1
        characters = [found.start() for found in _LETTER_OR_DIGIT.finditer(text, start, match.end())]
        length = _iban_length(text[start : start + 2].upper())
        if 0 < length <= len(characters):
            end = characters[length - 1] + 1
            if not text[end : end + 1].isdecimal() and _is_iban(text[start:end]):
                position = end
                yield start, end


@lru_cache(maxsize=1000)
def _iban_length(country: str) -> int:
    """Characters of the IBANs of a country, 0 if it has none."""
    found = numdb.get("iban").info(country)[0][1]
    lengths = re.findall(r"(\d+)!", found.get("bban", ""))
    return 4 + sum(map(int, lengths)) if lengths else 0


def _longest(
    pattern: re.Pattern[str], word: re.Pattern[str], is_real: Callable[[str, int, int], bool], text: str
) -> _Spans:
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


def _is_iban(raw: str) -> bool:
    found: bool = iban.is_valid(re.sub(r"[^A-Za-z0-9]", "", raw), check_country=False)
    return found


def _is_card(text: str, start: int, end: int) -> bool:
    raw = text[start:end]
    digits = _digits(raw)
    fewest, most = CORPUS.card_digits
    if not fewest <= len(digits) <= most or not luhn.is_valid(digits) or _DATE_OR_FRACTION.search(raw):
        return False
    return not (_IMEI.fullmatch(digits) or _IMEI_BEFORE.search(text[max(0, start - _BEFORE) : start]))


def _is_international(check: Callable[[PhoneNumber], bool], text: str, start: int, end: int) -> bool:
    raw = text[start:end]
    with_exit_code = raw.startswith("00")
    enough = CORPUS.exit_code_digits if with_exit_code else CORPUS.international_digits
    if len(_digits(raw)) < enough or (with_exit_code and _is_of_an_order(text, start, end)):
        return False
    return _passes(check, raw, "GB")


def _has_possible_length(number: PhoneNumber) -> bool:
    return phonenumbers.is_possible_number_with_reason(number) == phonenumbers.ValidationResult.IS_POSSIBLE


def _passes(check: Callable[[PhoneNumber], bool], raw: str, region: str) -> bool:
    try:
        return check(phonenumbers.parse(raw, region))
    except phonenumbers.NumberParseException:
        return False


def _is_with_zero(most: int, text: str, start: int, end: int) -> bool:
    """Whether a number of up to `most` digits is written like a phone number.

    A leading 0 and nine digits are enough, since few order numbers look so. It need not be a number in use:
    01632 960123, which is reserved for fiction, looks like a person's number, too.
    """
    raw = text[start:end]
    return (
        CORPUS.national_digits <= len(_digits(raw)) <= most
        and not _DATE_OR_FRACTION.search(raw)
        and not _is_of_an_order(text, start, end)
    )


def _without_zero(region: str, text: str) -> _Spans:
    for match in _WITHOUT_ZERO[region].finditer(text):
        if not _is_of_an_order(text, *match.span()) and _passes(
            phonenumbers.is_valid_number, match[0], region
        ):
            yield match.span()


def _is_of_an_order(text: str, start: int, end: int) -> bool:
    """Whether words before a number say that it is no phone number; one with spaces may always be one."""
    raw, before = text[start:end], text[max(0, start - _BEFORE) : start]
    if re.search(r"[\s()]", raw):
        return False
    return bool(_NO_PERSON_S.search(before) or (_ZIP.fullmatch(raw) and _US_STATE.search(before)))


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


# The order matters: an IBAN may look like a card number in part, and both may look like a phone number. Phone
# numbers with 12 or 13 digits are rare (Germany has some): the last digits may be those of something else.
_FINDERS: tuple[tuple[str, Callable[[str], _Spans]], ...] = (
    ("email", _emails),
    ("email", _spelt_emails),
    ("iban", _ibans),
    ("card", partial(_longest, _CARD, _NUMBER, _is_card)),
    ("card", partial(_longest, _CARD_IN_GROUPS, _NUMBER, _is_card)),
    (
        "phone",
        partial(_longest, _INTERNATIONAL, _WORD, partial(_is_international, phonenumbers.is_valid_number)),
    ),
    ("phone", partial(_longest, _INTERNATIONAL, _WORD, partial(_is_international, _has_possible_length))),
    *(
        ("phone", partial(_longest, _WITH_ZERO, _NUMBER_ALONE, partial(_is_with_zero, most)))
        for most in CORPUS.most_digits
    ),
    *(("phone", partial(_without_zero, region)) for region in _WITHOUT_ZERO),
)
