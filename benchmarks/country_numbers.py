"""Made-up phone and national numbers of ten countries, and numbers that only look like them."""

from __future__ import annotations

import importlib
import random
import re
from collections.abc import Callable

import phonenumbers
from phonenumbers import PhoneNumberFormat, PhoneNumberType
from stdnum.es import nie
from stdnum.it import codicefiscale

Draw = Callable[[random.Random], str]

#: Region -> its national number: the module of `stdnum`, and what is drawn, `#` for digits, `@` for letters.
_PATTERNS = {
    "DE": ("de.idnr", "1##########"),
    "FR": ("fr.nir", "1850##75##1####"),
    "ES": ("es.dni", "########@"),
    "GB": ("gb.nhs", "4#########"),
    "US": ("us.ssn", "5##-##-####"),
    "BR": ("br.cpf", "###########"),
    "IN": ("in_.aadhaar", "3###########"),
    "JP": ("jp.in_", "############"),
    "PL": ("pl.pesel", "850515#####"),
}
COUNTRIES = ("DE", "FR", "ES", "IT", "GB", "US", "BR", "IN", "JP", "PL")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#: How the countries write prices and dates.
_PRICES = {"GB": "£{:,.2f}", "US": "${:,.2f}", "IN": "₹{:,.0f}", "JP": "¥{:,.0f}"}
_DATES = {
    "DE": "{:02}.{:02}.{}",
    "PL": "{:02}.{:02}.{}",
    "US": "{1:02}/{0:02}/{2}",
    "JP": "{2}/{1:02}/{0:02}",
}
_ORDERS = {"DE": "Bestellung {}", "FR": "commande {}", "ES": "pedido {}"}


def phone(region: str, number_format: int, *, digits_only: bool) -> Draw:
    """Draws numbers that are in use in a region, as they are written there."""

    def draw(rng: random.Random) -> str:
        while True:
            kind = rng.choice((PhoneNumberType.FIXED_LINE, PhoneNumberType.MOBILE))
            number = phonenumbers.example_number_for_type(region, kind)
            span = 10**6
            number.national_number += rng.randrange(span) - number.national_number % span
            if phonenumbers.is_valid_number_for_region(number, region):
                break
        written = phonenumbers.format_number(number, number_format)
        return "".join(c for c in written if c.isdecimal() or c == "+") if digits_only else written

    return draw


def phone_in_two(region: str) -> Draw:
    """Draws the same as people often group them: what is in front, and all the rest in one piece."""
    written = phone(region, PhoneNumberFormat.NATIONAL, digits_only=False)

    def draw(rng: random.Random) -> str:
        first, *others = re.findall(r"\d+", written(rng))
        return f"{first}{rng.choice((' ', '-', '/', '.'))}{''.join(others)}"

    return draw


def national(region: str, *, formatted: bool) -> Draw:
    """Draws identity or tax numbers with the check digits that real ones have."""

    def draw(rng: random.Random) -> str:
        if region == "IT":
            return _italian(rng)
        name, pattern = _PATTERNS[region]
        module = importlib.import_module(f"stdnum.{name}")
        while True:
            number = "".join(_drawn(sign, rng) for sign in pattern)
            if module.is_valid(number):
                return str(module.format(number)) if formatted and hasattr(module, "format") else number

    return draw


def _drawn(sign: str, rng: random.Random) -> str:
    drawn = {"#": "0123456789", "@": _LETTERS}
    return rng.choice(drawn[sign]) if sign in drawn else sign


def _italian(rng: random.Random) -> str:
    letters = "".join(rng.choice("BCDFGLMNPRST") for _ in range(6))
    day = f"{rng.randrange(40, 100)}{rng.choice('ABCDEHLMPRST')}{rng.randrange(1, 29):02}"
    number = f"{letters}{day}{rng.choice('AFH')}{rng.randrange(100, 1000)}"
    return number + str(codicefiscale.calc_check_digit(number))


def order(region: str) -> Draw:
    """Draws order numbers of 6 to 11 digits behind a word that says what they are."""
    sentence = _ORDERS.get(region, "order {}")
    return lambda rng: sentence.format(rng.randrange(10**5, 10 ** rng.randrange(6, 12)))


def bare(fewest: int, most: int) -> Draw:
    """Draws numbers of so many digits that nothing is said of."""
    return lambda rng: str(rng.randrange(10 ** (fewest - 1), 10 ** rng.randrange(fewest, most + 1)))


def price(region: str) -> Draw:
    """Draws prices up to 10 million."""
    written = _PRICES.get(region)

    def draw(rng: random.Random) -> str:
        value = rng.randrange(10**9) / 100
        if written is not None:
            return written.format(value)
        separator = rng.choice((" ", "."))
        currency = {"BR": "R$", "PL": "PLN"}.get(region, "EUR")
        return f"{value:,.2f}".replace(",", separator)[:-3] + f",{rng.randrange(100):02} {currency}"

    return draw


def dates(region: str) -> Draw:
    """Draws two days."""
    written = _DATES.get(region, "{:02}/{:02}/{}")

    def draw(rng: random.Random) -> str:
        days = [(rng.randrange(1, 29), rng.randrange(1, 13), rng.randrange(1950, 2030)) for _ in range(2)]
        return " - ".join(written.format(*day) for day in days)

    return draw


def date(region: str) -> Draw:
    """Draws a day, as it is written there or as a computer writes it."""
    written = (_DATES.get(region, "{:02}/{:02}/{}"), "{2}-{1:02}-{0:02}")
    return lambda rng: rng.choice(written).format(
        rng.randrange(1, 29), rng.randrange(1, 13), rng.randrange(1950, 2030)
    )


def span(rng: random.Random) -> str:
    """Draws two years, or two prices or sizes of four digits, with a sign between them."""
    first, last = rng.choice(((1950, 2030), (1000, 10_000)))
    numbers = sorted(rng.randrange(first, last) for _ in range(2))
    return rng.choice(("-", " - ", "/", "\u2013")).join(map(str, numbers))


def two_numbers(rng: random.Random) -> str:
    """Draws a number of 2 to 5 digits and one of 6 to 8, as files and contracts are numbered."""
    first, second = (
        rng.randrange(10, 10 ** rng.randrange(2, 6)),
        rng.randrange(10**5, 10 ** rng.randrange(6, 9)),
    )
    return f"{first}{rng.choice((' ', '-', '/', '.'))}{second}"


def _italian_in_pieces(rng: random.Random) -> str:
    number = _italian(rng)
    ends = rng.choice(((3, 6, 11), (6, 11), (6,)))
    pieces = [number[start:end] for start, end in zip((0, *ends), (*ends, None), strict=True)]
    return rng.choice((" ", "-")).join(pieces)


def _foreigner_in_spain(rng: random.Random) -> str:
    """The number of a foreigner, as it is printed: `X-1234567-L`."""
    first, digits = rng.choice("XYZ"), f"{rng.randrange(10**7):07}"
    return f"{first}-{digits}-{nie.calc_check_digit(first + digits)}"


_IN_PIECES: dict[str, Draw] = {"IT": _italian_in_pieces, "ES": _foreigner_in_spain}


def of_country(region: str) -> tuple[dict[str, Draw], dict[str, Draw]]:
    """What is personal in a country, and what is not."""
    form = PhoneNumberFormat.NATIONAL
    personal = {
        "phone": phone(region, form, digits_only=False),
        "phone, digits only": phone(region, form, digits_only=True),
        "phone, in two pieces": phone_in_two(region),
        "national number": national(region, formatted=False),
        "national number, as printed": national(region, formatted=True),
        **({"national number, in pieces": _IN_PIECES[region]} if region in _IN_PIECES else {}),
    }
    harmless = {
        "order number": order(region),
        "6 to 8 digits": bare(6, 8),
        "9 to 11 digits": bare(9, 11),
        "prices": price(region),
        "dates": dates(region),
        "one date": date(region),
        "spans": span,
        "two numbers": two_numbers,
    }
    return personal, harmless
