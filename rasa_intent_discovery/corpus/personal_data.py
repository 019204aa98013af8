"""Replaces e-mail addresses, IBANs, card, phone and national numbers with placeholders such as `<email>`.

In doubt a number is masked, so that no person's number gets into a draft. Order numbers, dates, times and
prices carry meaning and are kept.

>>> mask_personal_data("order 4471, mail me: ann@example.org")
('order 4471, mail me: <email>', {'email': 1})
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache, partial

from stdnum import ean, iban, luhn, numdb

from rasa_intent_discovery.corpus.national_numbers import italian_codes, national_numbers
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.corpus.phone_numbers import (
    PHONE_REGIONS,
    international_finders,
    is_among_ascending_pairs,
    is_amount,
    regional_finders,
)
from rasa_intent_discovery.corpus.runs import BEFORE, DATE_OR_FRACTION, NUMBER, Spans, digits_of, longest

_LATIN = "A-Za-z0-9\u00c0-\u024f"
_LETTERS = rf"{_LATIN}\u0370-\u1fff"  # with Greek, Cyrillic, Hebrew, Arabic and the scripts of India
_EAST_ASIAN = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_LABEL = rf"[{_LETTERS}{_EAST_ASIAN}][{_LETTERS}{_EAST_ASIAN}-]{{0,62}}"
_EMAIL = re.compile(
    # Where no spaces are, an address begins with its Latin letters; one without any, behind a space.
    rf"(?:(?<![{_LATIN}])[{_LETTERS}][{_LETTERS}._%+'-]*|(?<!\S)[{_EAST_ASIAN}][{_EAST_ASIAN}._-]*)@(?:{_LABEL}\.){{1,8}}"
    rf"(?:xn--[a-z0-9-]{{2,59}}|[A-Za-z]{{2,24}}|[\u0370-\u1fff]{{2,24}}|[{_EAST_ASIAN}]{{2,10}})"
)
# Addresses that are spelt out: `ann (at) example (dot) org`; and `ann at example dot org`, which has to end
# like most addresses do, since `at` and `dot` are words. Others are typed with spaces or a comma where none
# belongs, `ann @ example. org`, and where a provider is known by its name, `ann at gmail com`.
_AT_WORD = r"(?:\u00e4t|arr?oba(?:se?)?|klammeraffe|chiocciol(?:in)?a)"
_DOT_WORD = r"(?:dot|punkt|point|punto|ponto)"
_AT = rf" ?[(\[{{] ?(?:at|@|{_AT_WORD}) ?[)\]}}] ?"
_DOT = rf"(?: ?[(\[{{] ?(?:{_DOT_WORD}|\.) ?[)\]}}] ?| {_DOT_WORD} |\.)"
_PART = rf"[{_LATIN}][{_LATIN}_%+'-]{{0,63}}"
_PARTS = rf"{_PART}(?:\.{_PART}){{0,4}}"
_SPELT_PARTS = rf"{_PART}(?:(?:\.| {_DOT_WORD} ){_PART}){{0,4}}"
_ENDING = (
    r"(?:com|org|net|edu|gov|info|biz|eu|uk|de|fr|es|it|nl|ch|at|pl|ru|ca|au|ie|br|jp|cn|in|pt|mx|ar|cl|co)"
)
_NO_WORD = r"(?:com|org|net|edu|gov)"  # the endings that hardly begin a sentence: `@support, it is late`
# Those that hardly are a word in the languages above, either: what follows a name and `@` is no handle.
_HARDLY_A_WORD = rf"(?:{_NO_WORD}|biz|eu|uk|de|fr|nl|ch|pl|ru|br|jp|cn|pt|mx|cl)"
_PROVIDER = r"(?:gmail|googlemail|hotmail|outlook|yahoo|icloud|gmx|web|proton|protonmail|aol|yandex|qq)"
_AT_A_PROVIDER = (
    rf"(?:{_PROVIDER}(?:\.{_PART})?(?:(?:\.| {_DOT_WORD} ){_ENDING}|(?:\s?[.,]\s?| ){_NO_WORD})"
    r"|(?:gmx|web|freenet|t-online)(?:\s?[.,]\s?| )de)"
)
# Behind a word such as `arroba` a short host is a word, too, unless it is known: `una arroba en punto`.
_HOST = rf"(?:{_PROVIDER}|sfr|msn|uol|bol|[{_LATIN}][{_LATIN}-]{{3,62}})"
# What is no name before `at`, `my account at gmx.de`, and before the words for it, `la arroba`.
_NO_NAME = (
    r"(?:i|you|he|him|she|her|it|its|[a-z]+'(?:m|s|re|ve|ll|t)|we|us|they|them|mine|yours|ours|one|ones|this"
    r"|that|these|those|what"
    r"|all|any|anything|something|nothing|everything|anyone|someone|everyone|people"
    r"|am|is|are|was|were|be|been|do|does|did|done|have|has|had|not|and|or|but|if|so|as|than|then|only|also|just"
    r"|in|on|up|out|off|over|back|down|away|of|for|to|from|with|by|here|there|where|when|now|again|already|still"
    r"|always|never|yet|too|once|twice|today|yesterday|tomorrow|please"
    r"|log|logged|logging|log-?[io]n|sign|signed|signing|sign-?(?:in|up)|register|registered|look|looks|looked"
    r"|looking|find|found|see|saw|seen|buy|bought|order|orders|ordered|pay|paid|work|works|worked|working|open"
    r"|opened|create|created|get|got|receive|received|arrive|arrives|arrived|use|used|using|send|sent|write|locked"
    r"|blocked|hosted|accounts?|address(?:es)?|e-?mails?|mails?|mailbox|inbox|folder|password|profile|messages?"
    r"|servers?|domain|page|site|website)"
)
# Usual names of mailboxes are none behind these words: `the support at gmx.de`.
_NO_MAILBOX = (
    r"(?:(?<=\bmy )|(?<=\byour )|(?<=\bour )|(?<=\btheir )|(?<=\bthe )|(?<=\ban )|(?<=\ba ))"
    r"(?:contact|support|service|team)"
)
_FUNCTION_WORD = (
    r"(?:an?|the|is|el|la|los|las|una?|en|es|de|del|con|sin|y|ni|o|al?|mi|por|le|les|l|une|est|et|ou|du|d"
    r"|der|die|das|den|ein|einen?|ist|und|oder|mit|il|lo|e|\u00e8|di|um|uma|com|sem|do|da|no|na|\u00e9)"
)
_SPELT = re.compile(
    rf"(?<![{_LATIN}])(?<![{_LATIN}]['\u2019-])"
    rf"(?:{_PART}(?:{_DOT}{_PART}){{0,4}}{_AT}{_PART}(?:{_DOT}{_PART}){{0,6}}{_DOT}[a-z]{{2,24}}"
    # `point` is a word, too: `at some point in May`.
    rf"|{_PART}(?:(?:\.| dot | punkt ){_PART}){{0,4}} at {_PART}(?:(?:\.| dot | punkt ){_PART}){{0,4}}"
    rf" (?!point){_DOT_WORD} {_ENDING}"
    rf"|(?!{_FUNCTION_WORD} {_AT_WORD} ){_SPELT_PARTS} {_AT_WORD} "
    rf"(?:{_PARTS}\.{_ENDING}|{_HOST}(?:(?:\.| {_DOT_WORD} ){_PART}){{0,2}} {_DOT_WORD} {_ENDING}"
    rf"|{_AT_A_PROVIDER})"
    # Behind a space, `@` may begin a handle, and what follows its full stop or comma may be a word.
    rf"|{_PARTS} ?@ ?(?:{_PARTS}\.{_ENDING}|{_AT_A_PROVIDER})"
    rf"|{_PARTS}@ ?(?:{_PARTS},{_ENDING}|{_PARTS} {_DOT_WORD} {_ENDING})"
    rf"|(?:{_PARTS}(?:@ ?| @ )|{_PART}(?:\.{_PART}){{1,4}} @){_PARTS}\s?[.,]\s?{_HARDLY_A_WORD}"
    rf"|(?!(?:{_NO_NAME}|{_NO_MAILBOX}) at ){_PARTS} at {_AT_A_PROVIDER})(?![A-Za-z\d])",
    re.IGNORECASE,
)
_MAY_BE_SPELT = re.compile(rf"\b(?:at|{_AT_WORD})\b|@", re.IGNORECASE)

# Card numbers and IBANs are also found where a word is written together with them. These patterns may match
# numbers and words that follow, too: the actual end is looked for.
_GAP = r"[\s\u2010-\u2013-]{0,4}"
_IBAN_GAP = r"[\s.\u00b7/_\u2010-\u2013-]{0,4}"
_IBAN = re.compile(
    rf"(?:(?<![A-Za-z\d])|(?<=iban)|(?<=IBAN)|(?<=Iban)|(?<=[a-z])(?=[A-Z]))"
    rf"[A-Za-z]{{2}}[ -]?[0-9]{{2}}(?:{_IBAN_GAP}[A-Za-z0-9]){{11,30}}"
)
# Cards begin with 2 to 6, and codes with two letters.
_IN_FOURS = re.compile(r"[a-z]{2} \d\d(?: \w{4})+(?: \w{1,3})?")
_IBAN_BEFORE = re.compile(r"iban\W*(?:\w+\W+)?$", re.IGNORECASE)
_CARD_START = (
    r"(?:(?<![+A-Za-z\d])|(?<=[A-Za-z]{3})|(?<=\bis)|(?<=\bmy)|(?<=\bcc)|(?<=\bno)|(?<=\bnr))(?=[2-6])"
)
_CARD = re.compile(rf"{_CARD_START}\d(?:{_GAP}\d){{12,18}}")
_CARD_IN_GROUPS = re.compile(  # other signs between its groups, which could be those of two dates
    rf"{_CARD_START}\d{{4}}(?:([./_\u00b7])\d{{4}}\1\d{{4}}\1\d{{1,7}}|([./_\u00b7])\d{{6}}\2\d{{4,5}})"
)
_PRODUCT = 13  # digits of the number of a product, in one piece; cards of as many are not issued any more
_SHOP_ORDER = re.compile(r"\d{3}-\d{7}-\d{7}")  # of Amazon; no card is grouped so
_IMEI = re.compile(r"35\d{13}")  # a card of 15 digits begins with 34 or 37

_LETTER_OR_DIGIT = re.compile(r"[A-Za-z\d]")
_IMEI_BEFORE = re.compile(r"\bimei\W*(?:\w+\W+)?$", re.IGNORECASE)
#: The placeholders of personal data.
PLACEHOLDER = re.compile("<(?:email|iban|card|phone|id)>")

# What is typed for a hyphen between digits: longer dashes, the minus sign, and the mark for a long vowel in
# Japanese, which is on the same key.
_DASH = re.compile("(?<=\\d)[\u2014\u2015\u2212\u30fc\uff70](?=\\d)")
#: Full-width forms as ASCII.
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}


def mask_personal_data(text: str, regions: tuple[str, ...] = PHONE_REGIONS) -> tuple[str, dict[str, int]]:
    """Masks the personal data of one message; masking the result again changes nothing.

    Args:
        text: a message of any length (intended for up to some thousand characters).
        regions: codes of ISO 3166, whose phone numbers without a country code and whose national numbers are
            recognised.

    Returns:
        The text with `<email>`, `<iban>`, `<card>`, `<phone>` and `<id>` in place of what was found, and how
        many of each kind there were (kinds that were not found are left out).
    """
    found: dict[str, int] = {}
    before = None
    while text != before:  # after a replacement, the rest of a list of numbers may match
        before = text
        finders = _finders(regions) if _DIGIT.search(text) else _finders_without_digits(regions)
        for kind, find in finders:
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


def is_written_out(masked: str, texts: Iterable[str]) -> bool:
    """Whether one of some texts is a masked one with something else in the place of each placeholder.

    >>> is_written_out("new mail <email>", ["new mail info@example.org"])
    True
    """
    pieces = PLACEHOLDER.split(masked)
    if len(pieces) == 1 or not any(map(str.isalnum, "".join(pieces))):
        return False
    written = re.compile(".+".join(map(re.escape, pieces)))
    return any(map(written.fullmatch, texts))


def _replace(text: str, placeholder: str, spans: Spans) -> tuple[str, int]:
    pieces, end, count = [], 0, 0
    for start, stop in spans:
        pieces += [text[end:start], placeholder]
        end = stop
        count += 1
    return "".join(pieces) + text[end:], count


def _narrow(text: str) -> str:
    """The text with full-width forms, all digits, and dashes in numbers as ASCII; of the same length."""
    if text.isascii():
        return text
    text = text.translate(_NARROW)
    text = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)
    return _DASH.sub("-", text)


def _emails(text: str) -> Spans:
    if "@" in text:
        yield from (match.span() for match in _EMAIL.finditer(text))


def _spelt_emails(text: str) -> Spans:
    if _MAY_BE_SPELT.search(text):
        yield from (match.span() for match in _SPELT.finditer(text))


def _ibans(text: str) -> Spans:
    """The length of an IBAN is that of its country, whatever is written behind it."""
    position = 0
    while match := _IBAN.search(text, position):
        start, position = match.start(), match.start() + 1
        characters = [found.start() for found in _LETTER_OR_DIGIT.finditer(text, start, match.end())]
        length = _iban_length(text[start : start + 2].upper())
        if 0 < length <= len(characters):
            end = characters[length - 1] + 1
            raw = text[start:end]
            # `no 93...` may be a number behind a word; the longer ones are hardly right by chance.
            is_word = (
                (raw[:2].islower() and not raw[2].isdecimal() and length < CORPUS.iban_behind_a_word)
                and not _IN_FOURS.fullmatch(raw)
                and not _IBAN_BEFORE.search(text[max(0, start - BEFORE) : start])
            )
            if not is_word and not text[end : end + 1].isdecimal() and _is_iban(raw):
                position = end
                yield start, end


@lru_cache(maxsize=1000)
def _iban_length(country: str) -> int:
    """Characters of the IBANs of a country, 0 if it has none."""
    found = numdb.get("iban").info(country)[0][1]
    lengths = re.findall(r"(\d+)!", found.get("bban", ""))
    return 4 + sum(map(int, lengths)) if lengths else 0


def _is_iban(raw: str) -> bool:
    found: bool = iban.is_valid(re.sub(r"[^A-Za-z0-9]", "", raw), check_country=False)
    return found


def _is_card(text: str, start: int, end: int) -> bool:
    raw = text[start:end]
    digits = digits_of(raw)
    fewest, most = CORPUS.card_digits
    if not fewest <= len(digits) <= most or not luhn.is_valid(digits) or DATE_OR_FRACTION.search(raw):
        return False
    if (len(raw) == _PRODUCT and ean.is_valid(raw)) or is_among_ascending_pairs(text, start, end):
        return False
    if _SHOP_ORDER.fullmatch(raw):
        return False
    return not (_IMEI.fullmatch(digits) or _IMEI_BEFORE.search(text[max(0, start - BEFORE) : start]))


def _national_numbers(regions: tuple[str, ...], text: str) -> Spans:
    """Without amounts and sizes, of which some have the check digit of one by chance."""
    for span in national_numbers(regions, text):
        if not is_amount(text, *span) and not is_among_ascending_pairs(text, *span):
            yield span


_Finder = tuple[str, Callable[[str], Spans]]
_EMAIL_FINDERS: tuple[_Finder, ...] = (("email", _emails), ("email", _spelt_emails))
_DIGIT = re.compile(r"\d")


def _finders_without_digits(regions: tuple[str, ...]) -> tuple[_Finder, ...]:
    """What may be in a text without a digit, as most are: in an Italian code, letters may stand for all."""
    return (*_EMAIL_FINDERS, *([("id", italian_codes)] if "IT" in regions else []))


# The order matters: an IBAN may look like a card number in part, and both may look like a phone number, as a
# part of a national number may.
@lru_cache(maxsize=8)
def _finders(regions: tuple[str, ...]) -> tuple[_Finder, ...]:
    return (
        *_EMAIL_FINDERS,
        ("iban", _ibans),
        ("card", partial(longest, _CARD, NUMBER, _is_card)),
        ("card", partial(longest, _CARD_IN_GROUPS, NUMBER, _is_card)),
        *(("phone", find) for find in international_finders()),
        *([("id", italian_codes)] if "IT" in regions else []),
        ("id", partial(_national_numbers, regions)),
        *(("phone", find) for find in regional_finders(regions)),
    )
