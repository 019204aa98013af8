"""Replaces e-mail addresses, IBANs, card and phone numbers with placeholders such as `<email>`.

In doubt a number is masked, so that no person's number gets into a draft. Order numbers, dates, times and
prices carry meaning and are kept.

>>> mask_personal_data("order 4471, mail me: ann@example.org")
('order 4471, mail me: <email>', {'email': 1})
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

import phonenumbers
from phonenumbers import Leniency, PhoneNumber, PhoneNumberMatch, PhoneNumberMatcher
from stdnum import iban, luhn

from rasa_intent_discovery.corpus.numbers import CORPUS

#: Regions whose phone numbers are recognised without a country code.
PHONE_REGIONS = ("GB", "US", "IE", "DE", "FR", "ES")

_LATIN = "A-Za-z0-9\u00c0-\u024f"
_EMAIL = re.compile(
    rf"(?<![{_LATIN}])[{_LATIN}][{_LATIN}._%+'-]*@(?:[{_LATIN}][{_LATIN}-]{{0,62}}\.){{1,8}}[A-Za-z]{{2,24}}"
)

# These three patterns may also match numbers and words that follow: `_longest` finds the actual end.
_GAP = r"[ \u00a0\u202f\u2010-\u2013-]{0,3}"
_IBAN = re.compile(rf"(?<![A-Za-z\d])[A-Za-z]{{2}}[0-9]{{2}}(?:{_GAP}[A-Za-z0-9]){{11,30}}")
_CARD = re.compile(rf"(?<![+A-Za-z\d])[2-6](?:{_GAP}\d){{12,18}}")  # payment cards begin with 2 to 6
_INTERNATIONAL = re.compile(
    r"(?:[+\uff0b][ (]?|(?<![A-Za-z\d])00 ?)[1-9](?:[ \u00a0().\u2010-\u2013/-]{0,3}\d){6,15}"
)

_WORD = re.compile(r"[A-Za-z\d]+")
_NINE_DIGITS = re.compile(r"\d(?:\D{0,3}\d){8}")
_NATIONAL_PREFIX = re.compile(r"\(?0\)?[1-9]")
_DATE_OR_FRACTION = re.compile(
    r"(?<!\d)(?<!\d[-./])"
    r"(?:\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)\d\d(?!\d)"  # 12.05.2024
    r"|(?:19|20)\d\d[-./ ]\d\d[-./ ]\d\d(?!\d)"  # 2024-05-12
    r"|\d\d([-./])\d\d\1\d\d(?!\1?\d)"  # 12.05.24, but not 06.12.34.56.78
    r"|0\.\d)"
)

#: The placeholders of personal data.
PLACEHOLDER = re.compile("<(?:email|iban|card|phone)>")

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
            text, count = _replace(text, f"<{kind}>", find(text))
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


def _emails(text: str) -> _Spans:
    if "@" in text:
        yield from (match.span() for match in _EMAIL.finditer(text))


def _longest(pattern: re.Pattern[str], is_real: Callable[[str], bool], text: str) -> _Spans:
    """For each match, the longest run of whole words from its start that passes `is_real`."""
    position = 0
    while match := pattern.search(text, position):
        start, position = match.start(), match.start() + 1
        ends = [word.end() for word in _WORD.finditer(text, start, match.end())]
        for end in reversed(ends):
            if not _WORD.match(text, end) and is_real(text[start:end]):
                position = end
                yield start, end
                break


def _is_iban(raw: str) -> bool:
    found: bool = iban.is_valid(re.sub(r"[^A-Za-z0-9]", "", raw), check_country=False)
    return found


def _is_card(raw: str) -> bool:
    digits = _digits(raw)
    fewest, most = CORPUS.card_digits
    return fewest <= len(digits) <= most and luhn.is_valid(digits)


def _is_international(check: Callable[[PhoneNumber], bool], raw: str) -> bool:
    enough = CORPUS.exit_code_digits if raw.startswith("00") else CORPUS.international_digits
    try:
        return len(_digits(raw)) >= enough and check(phonenumbers.parse(raw, "GB"))
    except phonenumbers.NumberParseException:
        return False


def _has_possible_length(number: PhoneNumber) -> bool:
    return phonenumbers.is_possible_number_with_reason(number) == phonenumbers.ValidationResult.IS_POSSIBLE


def _national_phones(region: str, text: str) -> _Spans:
    if _NINE_DIGITS.search(text):
        for match in PhoneNumberMatcher(text, region, Leniency.POSSIBLE):
            if _is_national(text, match, region):
                yield match.start, match.end


def _is_national(text: str, match: PhoneNumberMatch, region: str) -> bool:
    """Whether a number of a possible length is written like a phone number.

    A leading 0 and nine digits are enough, since few order numbers look so. It need not be a number in use:
    01632 960123, which is reserved for fiction, looks like a person's number, too. Without the 0, a number
    has to be valid in the region and grouped as is usual there.
    """
    raw = match.raw_string
    before, after = text[: match.start][-1:], text[match.end : match.end + 1]
    if re.match(r"[A-Za-z\d#_$£€]", before) or after.isdecimal() or _DATE_OR_FRACTION.search(raw):
        return False
    if len(_digits(raw)) < CORPUS.national_digits:
        return False
    if _NATIONAL_PREFIX.match(raw):
        return True
    return any(True for _ in PhoneNumberMatcher(raw, region, Leniency.STRICT_GROUPING))


def _digits(text: str) -> str:
    """The decimal digits of a text, with those of other scripts converted to 0 to 9."""
    return "".join(str(int(character)) for character in text if character.isdecimal())


# The order matters: an IBAN may look like a card number in part, and both may look like a phone number.
_FINDERS: tuple[tuple[str, Callable[[str], _Spans]], ...] = (
    ("email", _emails),
    ("iban", partial(_longest, _IBAN, _is_iban)),
    ("card", partial(_longest, _CARD, _is_card)),
    ("phone", partial(_longest, _INTERNATIONAL, partial(_is_international, phonenumbers.is_valid_number))),
    ("phone", partial(_longest, _INTERNATIONAL, partial(_is_international, _has_possible_length))),
    *(("phone", partial(_national_phones, region)) for region in PHONE_REGIONS),
)
