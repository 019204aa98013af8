"""Phone numbers: with a country code, and as they are written in a region.

A number is masked in doubt, unless the word before it says that it is another one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial

import phonenumbers
from phonenumbers import PhoneNumber, PhoneNumberFormat, PhoneNumberType
from stdnum import ean

from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.corpus.runs import (
    ALONE,
    BEFORE,
    HALVES,
    WORD,
    Spans,
    digits_of,
    is_in_a_date,
    is_of_an_order,
    longest,
)

#: Regions whose phone numbers are always recognised without a country code, unless `regions` are set.
PHONE_REGIONS = ("GB", "US", "IE", "DE", "FR", "ES")

_PHONE_GAP = r"[ \u00a0().\u2010-\u2013/-]{0,3}"
_INTERNATIONAL = re.compile(rf"(?:\+[ (]?|(?<!\d)00 ?)[1-9](?:{_PHONE_GAP}\d){{6,15}}")
_NOT_INSIDE = r"(?<![\d#_$£€])(?<!\d[-./])"
_NATIONAL_START = rf"(?<![A-Za-z]){_NOT_INSIDE}"
_WITH_ZERO = re.compile(rf"{_NOT_INSIDE}\(?0\)?{_PHONE_GAP}[1-9](?:{_PHONE_GAP}\d){{6,11}}")
# Words that are typed together with the number behind them. Short ones in small letters alone: a code begins
# with capitals, `AT0123456789`.
_TYPED_TOGETHER = re.compile(
    r"(?<![^\W_])(?:(?i:(?:telf?|t[e\u00e9]l[e\u00e9](?:f|ph)on[eo]?|(?:cell)?phone|mob(?:ile?|il)?|m[o\u00f3]vil"
    r"|cell?|cell?ulare?|handy|portable|whatsapp|sms|fax)(?:number|nummer|nr|no)?"
    r"|num(?:ber|mer)|n[u\u00fa]m[e\u00e9]ro)"
    r"|is|at|on|to|me|call|text|ist|unter|es|al|est|au)$"
)
_AREA_OF_BRAZIL = re.compile(r"\(\d\d\) ?$")  # of (11) 98765-4321, which is masked as a whole then
#: Without a 0 in front, where numbers have none: grouped as is usual there, or not at all.
_WITHOUT_ZERO = {
    region: re.compile(rf"{_NATIONAL_START}(?:{groups})(?=[xX]|(?![A-Za-z\d]|[-./]\d\d))")
    for region, groups in {
        "US": rf"(?:1{_PHONE_GAP})?\(?[2-9]\d\d{_PHONE_GAP}\d{{3}}{_PHONE_GAP}\d{{4}}",
        "ES": rf"[5-9]\d\d(?:{_PHONE_GAP}\d{{3}}{_PHONE_GAP}\d{{3}}|(?:{_PHONE_GAP}\d\d){{3}})",
    }.items()
}
_BETWEEN_HALVES = frozenset({"", " ", "\u00a0", "-"})
_YEARS = re.compile(r"(?<!\d)(?:19|20)\d\d(?:/|\D+(?:19|20))\d\d(?!\d)")  # 2023-2024, 2023/24
# Any number without a 0 in front, and how it is grouped, if it is.
_ANY_WITHOUT_ZERO = re.compile(rf"{_NATIONAL_START}\(?[1-9](?:{_PHONE_GAP}\d){{7,11}}")
# The last form is that of mobile ones in Brazil: (11) 9 8765-4321.
_GROUPS = re.compile(r"\(?(?:\d+|\d{1,5}(?:\D+\d{2,5})+|\d\d\D+9(?:\D+\d{4}){2})")
_IN_TWO = re.compile(r"\(?\d{2,5}\D+\d{6,9}")  # all that is behind the code in one piece: 347 1234567
_CODES = (
    r"EUR|USD|GBP|CHF|BRL|R\$|MXN|PLN|INR|JPY|CNY|SEK|NOK|DKK|RUB|COP|CLP|ARS|PYG|XAF|XOF|F ?CFA|CFA|AUD|CAD"
    r"|ZAR|CZK|HUF|IDR|KZT|[Ee]uros?|EUROS?|eur|kr|[Ff]t|Rp"
)
_CURRENCY = rf"(?:[$\u00a3\u00a5\u20b9\u20ac\u20bd\u20b8]|\b(?:{_CODES})\b)"
_CURRENCY_WORD = (
    r"(?:euros|dollars?|d[o\u00f3]lares|pounds?|pesos?|soles|reais|francs?|franken|kroner|kronor|rupees?|yen"
    r"|guaran[i\u00ed](?:es)?|bol[i\u00ed]vares|bolivianos|colones|quetzales|lempiras|dirhams?|dinars?|z\u0142"
    r"|forint|rupiah|\u0442\u0435\u043d\u0433\u0435|\u0440\u0443\u0431\w*)\b"
)
# The currency belongs to this amount, not to another one: `50 € 612 345 678`, `612 345 678 $50`.
_PRICE = (
    re.compile(rf"(?<!\d)(?<!\d\s){_CURRENCY}\s*$"),
    re.compile(rf"^\s*(?:de\s+|d['\u2019]\s?)?(?:{_CURRENCY}(?!\s?\d)|{_CURRENCY_WORD})", re.IGNORECASE),
)
# Behind these words a number is none, whatever follows: `call 612 345 678 euro`.
_TO_CALL = re.compile(
    r"\b(?:call|dial|text|tel|whatsapp|ll[a\u00e1]m[aeo]\w*|appele[rz]|chiama\w*|ligue|liga|bel|ruf\w?)"
    r"(?:\W+[^\W\d]{1,4})?\W+$",
    re.IGNORECASE,
)
_LIKE_A_MONTH = re.compile(r"0\d[./](?:19|20)\d\d \d")
_CALLED = re.compile(
    rf"(?:{_TO_CALL.pattern}|\b(?:telefo+n\w*|mobie?l\w*|handy|nummer|number|n[u\u00fa]mero)"
    r"(?:\W+[^\W\d]{1,4})?\W+$)",
    re.IGNORECASE,
)
_MOMENT = re.compile(r"20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{4}")  # 2026-03-01 18:30
_AMOUNT = re.compile(r"\d+(?:[ .\u00a0]\d{3})*")
# Sizes and seats, 36 38 40 42 44: at least five, since phone numbers of eight digits are four pairs.
_NEXT_PAIR = r"[ \u00a0/-]\d\d(?!\d)"
_TWO_PAIRS = re.compile(rf"\d\d{_NEXT_PAIR}")
_PAIRS = re.compile(rf"(?<!\d)[1-9]\d(?:{_NEXT_PAIR}){{4,}}")
# Regions whose numbers are written without the digits that their format has in front, too: in the groups of
# that format, or, mobile ones of some, in one piece.
_PREFIX_LEFT_OUT = frozenset({"AR", "HU", "ID", "KZ", "RU"})
_IN_ONE_PIECE = frozenset({"KZ", "RU"})
_MOBILE = (
    PhoneNumberType.MOBILE,
    PhoneNumberType.FIXED_LINE_OR_MOBILE,
)  # some regions do not tell them apart
_OLD_MEXICAN = re.compile(r"521(?=\d{10}$)")  # mobile ones with the 1 of before 2019, which WhatsApp keeps
#: Digits of a mobile number that begins with a country code, without `+`: 49 170 1234567.
_WITHOUT_PLUS = re.compile(rf"{_NATIONAL_START}[2-9](?:{_PHONE_GAP}\d){{{CORPUS.digits_with_code - 1},12}}")


def international_finders() -> Iterator[Callable[[str], Spans]]:
    """What finds phone numbers with a country code, in the order in which it has to look."""
    yield partial(longest, _INTERNATIONAL, WORD, partial(_is_international, phonenumbers.is_valid_number))
    yield partial(longest, _INTERNATIONAL, WORD, partial(_is_international, _has_possible_length))


def regional_finders(regions: Sequence[str]) -> Iterator[Callable[[str], Spans]]:
    """The same of numbers as they are written in some regions."""
    yield partial(longest, _WITHOUT_PLUS, ALONE, partial(_is_mobile_with_code, regions))
    others = tuple(region for region in regions if region not in _WITHOUT_ZERO)
    # Where numbers begin with 8, a 0 may follow it: 8 029 in Belarus.
    if with_eight := tuple(r for r in others if phonenumbers.ndd_prefix_for_region(r, True) == "8"):
        yield partial(longest, _ANY_WITHOUT_ZERO, ALONE, partial(_is_of_a_region, with_eight))
    yield partial(longest, _WITH_ZERO, ALONE, partial(_is_long_mobile, regions))
    # Other numbers with 12 or 13 digits are rare (Germany has some): the last digits may be something else.
    for most in CORPUS.most_digits:
        yield partial(longest, _WITH_ZERO, ALONE, partial(_is_with_zero, regions, most))
    for region in regions:
        if region in _WITHOUT_ZERO:
            yield partial(_without_zero, region, "BR" in regions)
    if others:
        yield partial(longest, _ANY_WITHOUT_ZERO, ALONE, partial(_is_of_a_region, others))


def _is_mobile_with_code(regions: Sequence[str], text: str, start: int, end: int) -> bool:
    """Whether a number is a mobile one of one of some regions, with its country code and no `+`.

    The code is a group of its own, or all is one. No group has a single digit, as too many numbers have,
    but the one behind the code where that is usual: 33 6 12 34 56 78.
    """
    raw = text[start:end]
    digits, groups = digits_of(raw), re.findall(r"\d+", raw)
    if len(digits) < CORPUS.digits_with_code or any(len(group) < 2 for group in (groups[0], *groups[2:])):
        return False
    if is_in_a_date(text, start, end) or is_of_an_order(text, start, end) or _is_price(text, start, end):
        return False
    if is_among_ascending_pairs(text, start, end):
        return False
    if raw == digits and (ean.is_valid(digits) or _MOMENT.fullmatch(digits)):
        return False
    number = _parsed(f"+{_OLD_MEXICAN.sub('52', digits)}", "ZZ")
    codes = set(map(phonenumbers.country_code_for_region, regions)).difference(range(10))
    return (
        number is not None
        and number.country_code in codes
        and groups[0] in (digits, str(number.country_code))
        and (len(groups) == 1 or len(groups[1]) > 1 or groups[1] == _first_group(number))
        and phonenumbers.number_type(number) in _MOBILE
    )


def _first_group(number: PhoneNumber) -> str:
    """The digits behind the country code that are a group, as the number is usually written."""
    written = phonenumbers.format_number(number, PhoneNumberFormat.INTERNATIONAL)
    return str(re.findall(r"\d+", written)[1])


def _is_of_a_region(regions: Sequence[str], text: str, start: int, end: int) -> bool:
    """Whether a number without a 0 in front is written as in one of some regions, and valid there."""
    raw = text[start:end]
    digits = digits_of(raw)
    if len(digits) < CORPUS.grouped_digits or _YEARS.search(raw):
        return False
    if not (_GROUPS.fullmatch(raw) or _IN_TWO.fullmatch(raw)):
        return False
    if is_in_a_date(text, start, end) or is_of_an_order(text, start, end) or _is_price(text, start, end):
        return False
    if is_among_ascending_pairs(text, start, end):
        return False
    eight_are_usual, halves = _have_eight_digits(regions), HALVES.fullmatch(raw)
    if halves and not (eight_are_usual and halves[1] in _BETWEEN_HALVES):
        return False
    if len(digits) < CORPUS.national_digits and not eight_are_usual and len(set(re.findall(r"\D+", raw))) > 1:
        return False  # sizes, 28/32 30/34
    return any(_is_written_so(raw, region) for region in regions)


@lru_cache(maxsize=4096)
def _is_written_so(raw: str, region: str) -> bool:
    """Whether a number is valid in a region, with the digits in front that are written there."""
    digits = digits_of(raw)
    number = _parsed(digits, region)
    if number is None or not phonenumbers.is_valid_number_for_region(number, region):
        return False
    written = phonenumbers.format_number(number, PhoneNumberFormat.NATIONAL)
    # There may be two digits that mark a national number: Lithuania has 8 and 0. In India it is left out.
    if digits_of(written)[1:] != digits[1:] and region != "IN":
        return region in _PREFIX_LEFT_OUT and _is_without_prefix(raw, number, written, region)
    in_front = digits.removesuffix(phonenumbers.national_significant_number(number))
    first, usual = (re.findall(r"\d+", one)[0] for one in (raw, written))
    if _IN_TWO.fullmatch(raw):
        return bool(first == usual)
    return len(first) > 1 or first in (in_front[:1], usual)


def _is_without_prefix(raw: str, number: PhoneNumber, written: str, region: str) -> bool:
    """Whether a number is as its national format `written`, but for the digits in front of that."""
    digits = digits_of(raw)
    if len(digits) < CORPUS.national_digits or digits != phonenumbers.national_significant_number(number):
        return False
    if raw == digits:
        return region in _IN_ONE_PIECE and phonenumbers.number_type(number) == PhoneNumberType.MOBILE
    prefix, groups = len(digits_of(written)) - len(digits), []
    for group in re.findall(r"\d+", written):
        groups.append(group[prefix:])
        prefix = max(0, prefix - len(group))
    # In Kazakhstan they are written as in Russia, too: 701 123 45 67.
    as_in_russia = [digits[:3], digits[3:6], digits[6:8], digits[8:]] if region == "KZ" else None
    return re.findall(r"\d+", raw) in ([group for group in groups if group], as_in_russia)


def _have_eight_digits(regions: Sequence[str]) -> bool:
    """Whether phone numbers have eight digits in those of the regions that are not among `PHONE_REGIONS`."""
    others = [region for region in regions if region not in PHONE_REGIONS]
    return bool(others) and all(map(_has_eight_digits, others))


@lru_cache(maxsize=256)
def _has_eight_digits(region: str) -> bool:
    example = phonenumbers.example_number_for_type(region, PhoneNumberType.MOBILE)
    written = phonenumbers.format_number(example, PhoneNumberFormat.NATIONAL) if example else ""
    return len(digits_of(written)) == CORPUS.grouped_digits


def _is_price(text: str, start: int, end: int) -> bool:
    before, after = _PRICE
    if _TO_CALL.search(text[max(0, start - BEFORE) : start]) and not before.search(
        text[max(0, start - 10) : start]
    ):
        return False
    return bool(before.search(text[max(0, start - 10) : start]) or after.search(text[end : end + 20]))


def is_amount(text: str, start: int, end: int) -> bool:
    """Whether a number is a price in one piece or in groups of three digits: 600.000.000 pesos."""
    return bool(_AMOUNT.fullmatch(text, start, end)) and _is_price(text, start, end)


def is_among_ascending_pairs(text: str, start: int, end: int) -> bool:
    """Whether a number is in a row of five or more pairs of digits, each greater than the one before."""
    if not _TWO_PAIRS.match(text, start):
        return False
    for row in _PAIRS.finditer(text, max(0, start - BEFORE), end + BEFORE):
        if row.start() <= start and end <= row.end():
            pairs = re.findall(r"\d\d", row[0])
            return pairs == sorted(set(pairs))
    return False


@lru_cache(maxsize=4096)
def _parsed(digits: str, region: str) -> PhoneNumber | None:
    try:
        return phonenumbers.parse(digits, region)
    except phonenumbers.NumberParseException:
        return None


def _is_international(check: Callable[[PhoneNumber], bool], text: str, start: int, end: int) -> bool:
    raw = text[start:end]
    with_exit_code = raw.startswith("00")
    enough = CORPUS.exit_code_digits if with_exit_code else CORPUS.international_digits
    if len(digits_of(raw)) < enough or (with_exit_code and is_of_an_order(text, start, end)):
        return False
    return _passes(check, raw, "GB") and (not with_exit_code or _may_begin_at(("GB",), text, start, end))


def _has_possible_length(number: PhoneNumber) -> bool:
    return phonenumbers.is_possible_number_with_reason(number) == phonenumbers.ValidationResult.IS_POSSIBLE


def _passes(check: Callable[[PhoneNumber], bool], raw: str, region: str) -> bool:
    try:
        return check(phonenumbers.parse(raw, region))
    except phonenumbers.NumberParseException:
        return False


def _may_begin_at(regions: Sequence[str], text: str, start: int, end: int) -> bool:
    """Whether no letter is right before a number, or a word that is typed together with valid ones."""
    before, raw = text[max(0, start - BEFORE) : start], text[start:end]
    if not (before[-1:].isascii() and before[-1:].isalpha()):
        return True
    if len(digits_of(raw)) < CORPUS.digits_behind_letters or not _TYPED_TOGETHER.search(before):
        return False
    return any(_passes(phonenumbers.is_valid_number, raw, region) for region in regions)


def _is_a_date(text: str, start: int, end: int) -> bool:
    """Whether a date is in a run, unless somebody is called there: `Tel. 08/2012 34567` is no month."""
    called = _LIKE_A_MONTH.match(text, start) and _CALLED.search(text[max(0, start - BEFORE) : start])
    return not called and is_in_a_date(text, start, end)


def _is_with_zero(regions: Sequence[str], most: int, text: str, start: int, end: int) -> bool:
    """Whether a number of up to `most` digits is written like a phone number.

    A leading 0 and nine digits are enough, since few order numbers look so. It need not be a number in use:
    01632 960123, which is reserved for fiction, looks like a person's number, too.
    """
    return (
        CORPUS.national_digits <= len(digits_of(text[start:end])) <= most
        and not _is_a_date(text, start, end)
        and not is_of_an_order(text, start, end)
        and _may_begin_at(regions, text, start, end)
    )


def _is_long_mobile(regions: Sequence[str], text: str, start: int, end: int) -> bool:
    """Whether a number with more digits than nearly all have is a mobile one in one of some regions."""
    digits, (nearly_all, most) = digits_of(text[start:end]), CORPUS.most_digits
    if len(digits) <= nearly_all or not _is_with_zero(regions, most, text, start, end):
        return False
    numbers = [_parsed(digits, region) for region in regions]
    return any(number and phonenumbers.number_type(number) == PhoneNumberType.MOBILE for number in numbers)


def _without_zero(region: str, and_brazil: bool, text: str) -> Spans:
    for match in _WITHOUT_ZERO[region].finditer(text):
        if and_brazil and _AREA_OF_BRAZIL.search(text[max(0, match.start() - BEFORE) : match.start()]):
            continue
        if is_amount(text, *match.span()) or is_of_an_order(text, *match.span()):
            continue
        if _passes(phonenumbers.is_valid_number, match[0], region):
            yield match.span()
