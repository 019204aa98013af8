"""National identity and tax numbers of persons, known by the check digits that `python-stdnum` knows."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from stdnum.it import codicefiscale

from rasa_intent_discovery.corpus.runs import DATE_OR_FRACTION, HALVES, Spans, is_of_an_order

#: Region -> modules of `stdnum` for numbers of persons that have check digits; tax numbers of firms are not
#: personal. Those of the USA have none: they are known by their hyphens.
NATIONAL_NUMBERS: dict[str, tuple[str, ...]] = {
    "AR": ("ar.cuit",),
    "AT": ("at.vnr",),
    "BE": ("be.nn", "be.bis"),
    "BR": ("br.cpf",),
    "CH": ("ch.ssn",),
    "CL": ("cl.rut",),
    "CN": ("cn.ric",),
    "CZ": ("cz.rc",),
    "DE": ("de.idnr",),
    "EE": ("ee.ik",),
    "ES": ("es.dni", "es.nie"),
    "FI": ("fi.hetu",),
    "FR": ("fr.nir", "fr.nif"),
    "GB": ("gb.nhs", "gb.utr"),
    "HR": ("hr.oib",),
    "IE": ("ie.pps",),
    "IN": ("in_.aadhaar",),
    "IT": ("it.codicefiscale",),
    "JP": ("jp.in_",),
    "LT": ("lt.asmens",),
    "MX": ("mx.curp", "mx.rfc"),
    "NL": ("nl.bsn",),
    "NO": ("no.fodselsnummer",),
    "PL": ("pl.pesel", "pl.nip"),
    "PT": ("pt.nif",),
    "RO": ("ro.cnp",),
    "SE": ("se.personnummer",),
    "TH": ("th.pin",),
    "TR": ("tr.tckimlik",),
    "US": ("us.ssn",),
}
#: Those that are written with spaces or hyphens which their modules do not know.
_IN_PIECES = frozenset({"at.vnr", "cn.ric", "mx.curp", "mx.rfc", "tr.tckimlik"})
# Every piece holds a digit, but for a single letter at the beginning or the end, `X-1234567-L`, and the four
# that a Mexican number begins with, `GODE-561231-GR8`.
_PIECE = re.compile(
    r"[A-Za-z]*[0-9][A-Za-z0-9]*|(?<![A-Za-z])(?:[A-Za-z](?![A-Za-z])|[A-Za-z]{4}(?=[ -]\d{6}[ -]))"
)
_GAP = re.compile(r"[ .\u00b7/-]?|, ?")
#: Most pieces of such a number, `1 85 05 78 006 084 36`, and fewest and most letters and digits in it.
_MOST_PIECES, _LENGTHS, _LEAST_DIGITS = 7, (8, 18), 7
_SIGNS, _GAPS = re.compile(r"[.\u00b7/]"), re.compile("[ -]")
_US = re.compile(r"\d{3}-\d\d-\d{4}")
# Of an Italian code six letters come first, maybe behind those of a word: `cfRSSMRA...`. Letters stand for
# digits where two persons would have the same one.
_DIGIT, _BETWEEN = "[0-9L-NP-V]", "[ .-]?"
_ITALIAN = re.compile(
    r"(?<!\d)"
    + _BETWEEN.join(
        ["[A-Z]{3}"] * 2
        + [f"{_DIGIT}{{2}}", "[A-EHLMPRST]", f"{_DIGIT}{{2}}", "[A-Z]", f"{_DIGIT}{{3}}", "[A-Z]"]
    )
    + r"(?![A-Za-z\d])",
    re.IGNORECASE,
)


def national_numbers(regions: Sequence[str], text: str) -> Spans:
    """Where the national numbers of some regions are in a text: the longest that begins where digits begin.

    What stands behind other digits may be a part of a phone number, unless they are a number that was found.
    """
    checks = [check for region in regions for check in _checks(region)]
    if not checks or sum(map(str.isdecimal, text)) < _LEAST_DIGITS:
        return
    pieces, place, last = list(_PIECE.finditer(text)), 0, 0
    while place < len(pieces):
        start = pieces[place].start()
        before = pieces[place - 1] if place else None
        inside = (
            before is not None
            and before.end() > last
            and before[0].isdecimal()
            and _GAP.fullmatch(text, before.end(), start)
        )
        ends = [] if inside else _ends(pieces[place : place + _MOST_PIECES], text)
        found = next((end for end in reversed(ends) if _is_real(checks, text, start, end)), None)
        if found is None:
            place += 1
            continue
        yield start, found
        last = found
        while place < len(pieces) and pieces[place].start() < found:
            place += 1


def italian_codes(text: str) -> Spans:
    """Where Italian tax codes (codice fiscale) are in a text, in pieces or not."""
    for match in _ITALIAN.finditer(text):
        if codicefiscale.is_valid(re.sub(r"[ .-]", "", match[0])):
            yield match.span()


def _ends(pieces: Sequence[re.Match[str]], text: str) -> list[int]:
    """Where a number may end that begins with the first of these pieces."""
    ends = []
    for number, piece in enumerate(pieces):
        if number and not _GAP.fullmatch(text, pieces[number - 1].end(), piece.start()):
            break
        ends.append(piece.end())
    return ends


def _is_real(checks: Sequence[_Check], text: str, start: int, end: int) -> bool:
    raw = text[start:end]
    length = sum(map(str.isalnum, raw))
    if not _LENGTHS[0] <= length <= _LENGTHS[1] or sum(map(str.isdecimal, raw)) < _LEAST_DIGITS:
        return False
    halves = HALVES.fullmatch(raw)
    if (halves and halves[1]) or is_of_an_order(text, start, end):
        return False
    if DATE_OR_FRACTION.search(raw):  # of birth, where that is how the number is written: 85.07.30-033.28
        return any(check.is_valid(raw) and check.format(raw) == raw for check in checks)
    # With a letter it is no amount and no address of a machine, whatever signs are in it: 12.345.678-Z.
    forms = {raw, _SIGNS.sub("", raw)} if re.search("[A-Za-z]", raw) else {raw}
    together = _GAPS.sub("", raw)
    return any(
        check.is_valid(form)
        for check in checks
        for form in (*forms, *([together] if check.in_pieces else []))
    )


class _Check(NamedTuple):
    """A module of `stdnum`.

    Attributes:
        format: writes a number as is usual, or gives nothing where that is not known.
        in_pieces: whether the number is written with spaces or hyphens that the module does not know.
    """

    is_valid: Callable[[str], bool]
    format: Callable[[str], str]
    in_pieces: bool


@lru_cache(maxsize=64)
def _checks(region: str) -> tuple[_Check, ...]:
    checks = []
    for name in NATIONAL_NUMBERS.get(region, ()):
        module = importlib.import_module(f"stdnum.{name}")
        written = getattr(module, "format", lambda raw: "")
        checks.append(_Check(module.is_valid, written, name in _IN_PIECES))
    if region == "US":
        [check] = checks
        return (check._replace(is_valid=lambda raw: bool(_US.fullmatch(raw)) and check.is_valid(raw)),)
    return tuple(checks)
