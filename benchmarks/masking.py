"""Counts what the masking finds in made-up messages, and what it takes for personal data that is none.

    python -m benchmarks.masking --out masking.json

Of each way to write a number or an address there are so many messages, each with one of them in a sentence.
It counts as masked where nothing but a placeholder is left of it, of whatever kind, and the sentence is as it
was. Nothing here belongs to a person: numbers are drawn, with the check digits that real ones have.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import phonenumbers
from phonenumbers import PhoneNumberFormat, PhoneNumberType
from stdnum import iban, luhn

from benchmarks.country_numbers import COUNTRIES, of_country
from rasa_intent_discovery.corpus.cleaning import masked_regions
from rasa_intent_discovery.corpus.personal_data import PLACEHOLDER, mask_personal_data
from rasa_intent_discovery.corpus.phone_numbers import PHONE_REGIONS

Draw = Callable[[random.Random], str]

_NAMES = ("ann.lee", "j_smith", "maria2", "o.brien", "kim+shop", "lukas")
_HOSTS = ("example.org", "mail.example.com", "post.example.co.uk", "firma.example.de")
_CYRILLIC_HOSTS = ("почта.рф", "пример.бел", "адрес.пример.рф")
_SENTENCES = ("{}", "my number: {} please", "it is {}.", "use {}, not the old one", "Hello! {} - thanks")
_ADDRESSES = ("{}", "write to {} please", "it is {}.", "use {}, not the old one", "Hello! {} - thanks")
#: Language -> the country whose numbers are drawn.
_LANGUAGES = {"de": "DE", "fr": "FR", "es": "ES", "en": "GB"}
_BBANS = (("DE", 18), ("ES", 20), ("FR", 23), ("AT", 16), ("GB", 14))


def measure(count: int, seed: int) -> dict[str, dict[str, int]]:
    """How many of the messages of each kind were masked, of personal data and of what only looks like it."""
    found: dict[str, dict[str, int]] = {"masked": {}, "false positives": {}}
    for kind, (draw, sentences) in _PERSONAL.items():
        rng = random.Random(f"{seed} {kind}")
        found["masked"][kind] = sum(_is_masked(draw(rng), rng.choice(sentences)) for _ in range(count))
    for kind, (draw, sentences) in _HARMLESS.items():
        rng = random.Random(f"{seed} {kind}")
        texts = [rng.choice(sentences).format(draw(rng)) for _ in range(count)]
        found["false positives"][kind] = sum(mask_personal_data(text)[0] != text for text in texts)
    return found


def measure_countries(count: int, seed: int) -> dict[str, dict[str, dict[str, int]]]:
    """The same of each of ten countries, with that country alone in the setting `regions`."""
    return {region: _measured(region, (region,), count, seed) for region in COUNTRIES}


def measure_languages(count: int, seed: int) -> dict[str, dict[str, dict[str, int]]]:
    """The same of a country each of some languages, with that `language` and without `regions`."""
    return {
        language: _measured(region, masked_regions((), language), count, seed)
        for language, region in _LANGUAGES.items()
    }


def _measured(region: str, regions: tuple[str, ...], count: int, seed: int) -> dict[str, dict[str, int]]:
    """How many numbers of a country are masked, and of what only looks like them, with some regions set."""
    personal, harmless = of_country(region)
    found: dict[str, dict[str, int]] = {"masked": {}, "false positives": {}}
    for kind, draw in personal.items():
        rng = random.Random(f"{seed} {region} {kind}")
        drawn = [(draw(rng), rng.choice(_SENTENCES)) for _ in range(count)]
        found["masked"][kind] = sum(_is_masked(*one, regions) for one in drawn)
    for kind, draw in harmless.items():
        rng = random.Random(f"{seed} {region} {kind}")
        texts = [draw(rng) for _ in range(count)]
        found["false positives"][kind] = sum(mask_personal_data(text, regions)[0] != text for text in texts)
    return found


def slowest(characters: int = 1000) -> dict[str, float]:
    """Milliseconds of a processor to mask texts of that length, ordinary ones and some made to take long."""
    taken = {}
    for name, piece in _HOSTILE.items():
        text = (piece * characters)[:characters]
        times = []
        for _ in range(5):
            start = time.process_time()
            mask_personal_data(text)
            times.append(1000 * (time.process_time() - start))
        taken[name] = round(min(times), 2)
    return taken


def _is_masked(value: str, sentence: str, regions: tuple[str, ...] = PHONE_REGIONS) -> bool:
    masked = mask_personal_data(sentence.format(value), regions)[0]
    return PLACEHOLDER.sub("<>", masked) == sentence.format("<>")


def _email(rng: random.Random) -> str:
    return f"{rng.choice(_NAMES)}{rng.randrange(1000)}@{rng.choice(_HOSTS)}"


def _cyrillic(rng: random.Random) -> str:
    return f"{rng.choice((*_NAMES, 'иван'))}@{rng.choice(_CYRILLIC_HOSTS)}"


def _spelt(at: Sequence[str], dot: Sequence[str]) -> Draw:
    def draw(rng: random.Random) -> str:
        name, _, host = _email(rng).partition("@")
        return name + rng.choice(at) + host.replace(".", rng.choice(dot))

    return draw


def _card_digits(rng: random.Random) -> str:
    start = rng.choice(("4", "51", "55", "2221", "34", "37", "6011"))
    length = 15 if start in ("34", "37") else 16
    digits = start + "".join(str(rng.randrange(10)) for _ in range(length - 1 - len(start)))
    return digits + luhn.calc_check_digit(digits)


def _card(*gaps: str) -> Draw:
    def draw(rng: random.Random) -> str:
        digits, gap = _card_digits(rng), rng.choice(gaps)
        ends = (4, 10, 15) if len(digits) == 15 else (4, 8, 12, 16)
        return gap.join(digits[start:end] for start, end in zip((0, *ends), ends, strict=False))

    return draw


def _full_width(draw: Draw) -> Draw:
    return lambda rng: "".join(chr(ord(c) + 0xFEE0) if c.isdecimal() else c for c in draw(rng))


def _iban(*gaps: str) -> Draw:
    def draw(rng: random.Random) -> str:
        country, length = rng.choice(_BBANS)
        while True:
            bban = "".join(str(rng.randrange(10)) for _ in range(length))
            bban = "WEST" + bban if country == "GB" else bban
            number = country + iban.calc_check_digits(f"{country}00{bban}") + bban
            if iban.is_valid(number, check_country=False):
                break
        return rng.choice(gaps).join(number[start : start + 4] for start in range(0, len(number), 4))

    return draw


def _phone(number_format: int, *, digits_only: bool) -> Draw:
    def draw(rng: random.Random) -> str:
        while True:
            kind = rng.choice((PhoneNumberType.FIXED_LINE, PhoneNumberType.MOBILE))
            number = phonenumbers.example_number_for_type(rng.choice(PHONE_REGIONS), kind)
            span = 10**6
            number.national_number += rng.randrange(span) - number.national_number % span
            if phonenumbers.is_valid_number(number):
                break
        written = phonenumbers.format_number(number, number_format)
        return "".join(c for c in written if c.isdecimal() or c == "+") if digits_only else written

    return draw


def _with_zero(rng: random.Random) -> str:
    while True:
        number = _phone(PhoneNumberFormat.NATIONAL, digits_only=True)(rng)
        if number.startswith("0") and len(number) >= 10:
            return number


def _digits(*lengths: int, start: str = "") -> Draw:
    return lambda rng: start + "".join(str(rng.randrange(10)) for _ in range(rng.choice(lengths)))


def _imei(rng: random.Random) -> str:
    digits = rng.choice(("35", "86", "01")) + _digits(12)(rng)
    return digits + luhn.calc_check_digit(digits)


def _zip(rng: random.Random) -> str:
    return f"{rng.randrange(1000, 99951):05}-{rng.randrange(1, 10000):04}"


def _date(rng: random.Random) -> str:
    day, month, year = rng.randrange(1, 29), rng.randrange(1, 13), rng.randrange(2015, 2030)
    return rng.choice(
        (f"{day:02}.{month:02}.{year}", f"{day:02}/{month:02}/{year}", f"{year}-{month:02}-{day:02}")
    )


def _dates(rng: random.Random) -> str:
    return f"{_date(rng)} - {_date(rng)}"


def _shop(rng: random.Random) -> str:
    return f"{rng.choice(('shop', 'books', 'flowers', 'parts'))}{rng.randrange(100)} dot com"


def _handle(rng: random.Random) -> str:
    name = rng.choice(("shop", "AmazonHelp", "support_de", "Books4u"))
    return f"@{name}{rng.choice((', ', '. '))}{rng.choice(('it is late', 'in May', 'es urgente', 'at noon'))}"


def _amount(rng: random.Random) -> str:
    number = "{}{sep}{:03}{sep}000".format(rng.randrange(1, 1000), rng.randrange(1000), sep=rng.choice(" ."))
    return rng.choice(("{} pesos", "{} de pesos", "{} euros", "$ {}", "EUR {}", "{} FCFA", "COP {}")).format(
        number
    )


def _sizes(rng: random.Random) -> str:
    first, step = rng.randrange(10, 40), rng.choice((1, 2, 4))
    return " ".join(str(first + step * place) for place in range(rng.randrange(5, 9)))


def _price(rng: random.Random) -> str:
    return rng.choice(("£{:,.2f}", "{:,.2f} EUR", "$ {:,.0f}")).format(rng.randrange(10**7) / 100)


_PERSONAL: dict[str, tuple[Draw, Sequence[str]]] = {
    "e-mail": (_email, _ADDRESSES),
    "e-mail, Cyrillic domain": (_cyrillic, _ADDRESSES),
    "e-mail, (at) and (dot)": (
        _spelt((" (at) ", "(at)", "[at]"), (" (dot) ", "(dot)", "[dot]", ".")),
        _ADDRESSES,
    ),
    "e-mail, at and dot": (_spelt((" at ", " AT "), (" dot ", " DOT ")), _ADDRESSES),
    "e-mail, arroba, arobase, ...": (
        _spelt(
            (" arroba ", " arobase ", " klammeraffe ", " chiocciola ", " \u00e4t "),
            (" punto ", " point ", " punkt ", " ponto ", "."),
        ),
        _ADDRESSES,
    ),
    "card, spaces, hyphens or none": (_card(" ", "-", ""), _SENTENCES),
    "card, dots or slashes": (_card(".", "/"), _SENTENCES),
    "card, glued to a word": (_card(""), ("card{}", "my visa{} please", "{}thanks", "nummer{}")),
    "card, full-width digits": (_full_width(_card(" ", "")), _SENTENCES),
    "card, broken over lines": (_card("\n", " \n"), _SENTENCES),
    "IBAN, spaces, hyphens or none": (_iban(" ", "-", ""), _SENTENCES),
    "IBAN, dots": (_iban("."), _SENTENCES),
    "IBAN, glued to a word": (_iban(""), ("IBAN{}", "iban{} please", "to{}", "{}thanks")),
    "phone, international": (_phone(PhoneNumberFormat.INTERNATIONAL, digits_only=False), _SENTENCES),
    "phone, national": (_phone(PhoneNumberFormat.NATIONAL, digits_only=False), _SENTENCES),
    "phone, national, digits only": (_phone(PhoneNumberFormat.NATIONAL, digits_only=True), _SENTENCES),
    "phone, 0 first, glued to a word": (
        _with_zero,
        ("tel{}", "my number is{} please", "Handy{}", "t\u00e9l\u00e9phone{}"),
    ),
}
_HARMLESS: dict[str, tuple[Draw, Sequence[str]]] = {
    "IMEI": (_imei, ("IMEI {}", "my imei is {}", "IMEI: {} is locked", "imei number {}")),
    "RMA number": (_digits(9, 10, 11), ("RMA {}", "rma number {}", "where is RMA: {}?", "RMA no. {} please")),
    "order number": (
        _digits(8, 9, 10, 11),
        ("order {}", "my order number is {}", "order #{} is late", "order no {}"),
    ),
    "order number, 0 first": (_digits(8, 9, 10, start="0"), ("order {}", "order number: {}", "order no. {}")),
    "tracking number": (
        _digits(10, 12, start="0"),
        ("tracking {}", "tracking number {}", "parcel {} is lost"),
    ),
    "ZIP+4": (_zip, ("zip {}", "my zip code is {}", "ZIP: {}", "Springfield, IL {}")),
    "dates": (_dates, ("from {}", "{} at noon", "between {}")),
    "16 digits": (_digits(16), ("voucher {}", "my account is {}", "{} does not work")),
    "shop, spelt": (_shop, ("I ordered at {}", "saw it at {} yesterday")),
    "prices": (_price, ("I paid {}", "{} was charged", "refund {} please")),
    "amounts of millions": (_amount, ("I paid {}", "{} was charged", "refund {} please")),
    "sizes": (_sizes, ("sizes {}", "{} do you have these?", "in {} please")),
    "handles": (_handle, ("thanks {}", "cancel my order {}", "hola {}")),
    "code, letters first": (_digits(9, 10, start="0"), ("AB{}", "order{}", "ref{}", "Auftrag{}")),
}
_HOSTILE = {
    "words": "where is my parcel, it was sent on 12.05.2024 with order 4471 ",
    "letters": "a",
    "digits": "4",
    "digits and spaces": "4 ",
    "digits and dots": "4.",
    "different digits": "4 7 1 9 3 ",
    "groups of different digits": "4711 2903 8364 ",
    "different groups with dots": "4711.2903.8364.",
    "US numbers": "212-555-0123 ",
    "new lines": "4\n",
    "groups of four": "4111 ",
    "phone numbers": "07700 900123 ",
    "international": "+44 7700 900123 ",
    "plus signs": "+4",
    "zeros": "00",
    "e-mails": "ann@example.org ",
    "an open e-mail": "a.",
    "at signs": "a@",
    "dots before at": "a@a.",
    "spelt addresses": "a at a dot ",
    "brackets": "a (at) a (dot) ",
    "words for at": "a arroba ",
    "pairs of digits": "36 ",
    "starts of IBANs": "DE89 ",
    "letters and digits": "aa11",
    "context": "order no. ",
}


def main(argv: list[str] | None = None) -> int:
    """Runs the program; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.masking", description=__doc__)
    parser.add_argument("--out", type=Path, help="a JSON file; printed where it is not given")
    parser.add_argument("--count", type=int, default=1000, help="messages of each kind")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    result = {
        "count": arguments.count,
        "seed": arguments.seed,
        **measure(arguments.count, arguments.seed),
        "countries": measure_countries(arguments.count, arguments.seed),
        "languages": measure_languages(arguments.count, arguments.seed),
        "milliseconds for 1,000 characters": slowest(),
    }
    text = json.dumps(result, indent=1, ensure_ascii=False) + "\n"
    if arguments.out is None:
        sys.stdout.write(text)
    else:
        arguments.out.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
